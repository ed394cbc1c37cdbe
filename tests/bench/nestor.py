"""How strong Nestor plays: the part of hands or games that one player wins against another.

    python tests/bench/nestor.py block brutal beginner [--hands 2000] [--games 0] [--ms 300] [--seed 1] [--jobs 2]

A player is a level, ``random``, or, in Domino Whist, one of the package ``dominoes``: ``bota_gorda``, which lays its
heaviest tile, and ``alphabeta``, which solves ten sampled deals from the eighth play on; or ``ismcts`` of the package
``open_spiel`` (``pip install open_spiel``). Each deal is played twice, with the sides changed. Prints wins with a half
for each tie, and the interval that has the true share with 95 %, from the pairs. Thinking is measured in processor
time, so that other programs on the machine do not matter.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from games import GAMES, Match
from games.errors import GameError
from games.laying import LayingState
from games.moves import Draw, Move, unseen
from games.nestor import LEVELS, think
from games.random_play import dealt
from games.record import HandRecord
from games.tiles import COUNT
from tests.bench.dominoes_players import PACKAGE

Player = Callable[[Match, LayingState, Random], Move]
"""Chooses a move in a hand as its seat knows it."""


def player(name: str, ms: int | None) -> Player:
    if name == "ismcts":
        from tests.bench.open_spiel_player import ismcts  # only who asks for it needs the package

        return partial(ismcts, ms or LEVELS["brutal"].ms)
    return partial(nestor, name, ms) if name in LEVELS else {"random": at_random, **PACKAGE}[name]


def nestor(name: str, ms: int | None, match: Match, state: LayingState, rng: Random) -> Move:
    level = LEVELS[name]
    return think(match.game, state, level, rng=rng, clock=process_time, ms=ms or level.ms).move


def at_random(match: Match, state: LayingState, rng: Random) -> Move:
    return rng.choice(state.legal())


class Deal:
    """What is dealt in one hand: the tiles of each seat, and the boneyard in its order."""

    def __init__(self, match: Match, rng: Random) -> None:
        self.opener, self.hands = _dealt(match, rng)
        self.boneyard = [tile for tile in range(COUNT) if not any(hand >> tile & 1 for hand in self.hands)]
        rng.shuffle(self.boneyard)


def _dealt(match: Match, rng: Random) -> tuple[int, tuple[int, ...]]:
    openers = list(match.offers()["openers"])
    while True:
        hands = dealt(rng, COUNT, len(match.players), match.game.dealt)
        rng.shuffle(openers)
        for opener in openers:
            try:
                match.opened(opener, hands)
            except GameError:
                continue  # another seat holds the heaviest double
            return opener, hands


def played(match: Match, deal: Deal, players: Sequence[Player], rng: Random) -> Match:
    """The match after one more hand. ``players``: by seat; each sees only what its seat knows."""
    seats = range(len(players))
    state = match.opened(deal.opener, deal.hands)
    known = [match.opened(deal.opener, tuple(deal.hands[s] if s == seat else None for s in seats)) for seat in seats]
    boneyard = list(reversed(deal.boneyard))
    while state.end is None:
        seat = state.turn
        legal = state.legal()
        move = legal[0] if len(legal) == 1 else players[seat](match, known[seat], rng)
        if isinstance(move, Draw):
            move = move._replace(tiles=(boneyard.pop(),))
        state = state.play(move)
        known = [each.play(move if s == seat else unseen(move)) for s, each in enumerate(known)]
    return match.with_hand(HandRecord(deal.opener, deal.hands, state.moves))


def hand_won(match: Match) -> float:
    """1 if the first side has won the first hand, 0 if the other one has, a half if neither has."""
    first, second = match.totals[0], match.totals[1]
    if match.game.lower_wins:
        first, second = second, first
    return 1.0 if first > second else 0.0 if first < second else 0.5


def pair(given: argparse.Namespace, seed: str) -> tuple[float, float]:
    """Of two hands or games with the same deals and the sides changed: the wins of the first player, half of them, and
    the points by which the first player has won more in a hand."""
    ours, theirs = player(given.one, given.ms), player(given.other, given.ms_other or given.ms)
    won, margin = 0.0, 0
    for swapped in (False, True):
        rng, match = Random(seed), new_match(given)
        seats = [(theirs, ours)[(seat % 2 == 0) != swapped] for seat in range(len(match.players))]
        thinking = Random(f"{seed} {swapped}")
        while not match.finished:
            match = played(match, Deal(match, rng), seats, thinking)
            if not given.games:
                break
        side = int(swapped)
        result = hand_won(match) if not given.games else float(0 in match.winners)
        won += (1 - result if swapped else result) / 2
        lead = (match.totals[side] - match.totals[1 - side]) * (-1 if match.game.lower_wins else 1)
        margin += lead
    return won, margin / 2


def new_match(given: argparse.Namespace) -> Match:
    game = GAMES[given.game]
    options: dict[str, Any] = dict(each.split("=") for each in given.options)
    typed = {key: int(value) if value.isdigit() else value for key, value in options.items()}
    return Match.new(given.game, typed, ["Ana", "Bo", "Cleo", "Dan"][: game.seats[0]])


def results(given: argparse.Namespace) -> Iterator[tuple[float, float]]:
    seeds = [f"{given.seed} {n}" for n in range((given.games or given.hands) // 2)]
    with Pool(given.jobs) as pool:
        yield from pool.imap_unordered(partial(pair, given), seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=[slug for slug, game in GAMES.items() if len(game.sides(game.seats[0])) == 2])
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--hands", type=int, default=2000, help="first hands of games")
    parser.add_argument("--games", type=int, default=0, help="whole games instead of hands")
    parser.add_argument("--ms", type=int, help="for a move, instead of the time of the level")
    parser.add_argument("--ms-other", type=int, help="of the other player, if different")
    parser.add_argument("--options", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    wins, margins = zip(*results(given), strict=True)
    error = 1.96 * stdev(wins) / sqrt(len(wins))
    what = "games" if given.games else "hands"
    print(
        f"{given.game}: {given.one} against {given.other}: {100 * mean(wins):.1f} ± {100 * error:.1f} % of"
        f" {2 * len(wins)} {what}, {mean(margins):+.1f} points each"
    )


if __name__ == "__main__":
    main()
