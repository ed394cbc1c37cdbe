"""How often Nestor beats a simple player in Domizerka, DOM and Dominards.

python tests/bench/nestor_cards.py [GAME …] [--matches 20] [--players 2] [--level brutal] [--ms N] [--seed 1]
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from games import GAMES, Match, cards
from games.contracts import CONTRACT_RULES
from games.errors import GameError
from games.moves import Contract, Discard, Draw, Follow, Move, Roll, unseen
from games.nestor import LEVELS, think
from games.nestor.levels import Level
from games.random_play import dealt
from games.record import HandRecord
from games.tiles import COUNT, HIGH, PIPS, is_double, members

Player = Callable[[Any, random.Random], Move]
"""Chooses a move for the seat on turn of a state that this seat knows."""


# --- simple players ----------------------------------------------------------------------------------------
def longest_suit(state: Any, rng: random.Random) -> Move:
    """Domizerka: calls the suit of which he has most, keeps it and leads it from the top; wins a trick with the highest
    tile if he can. In the contract "domizerka" he keeps low tiles, leads from the bottom and stays below if he can."""
    seat = state.turn
    hand = list(members(state.holdings.known[seat]))
    if state.rules is None:
        seen = rng.sample(hand, 3)
        return max(state.legal(), key=lambda call: (_length(call, seen), rng.random()))
    rules = state.rules
    wants = rules.trick > 0

    def length(suit: int) -> int:
        return sum(rules.suits[suit] >> tile & 1 for tile in hand)

    if state.waiting and state.boneyard:
        best = rules.trump if rules.trump is not None else max(range(7), key=length)
        keep = [t for t in hand if ((rules.suits[best] >> t & 1 or is_double(t)) if wants else HIGH[t] <= 3)]
        away = tuple([t for t in hand if t not in keep][: state.boneyard])
        return Discard(seat, len(away), away)
    plays = [move for move in state.legal() if isinstance(move, Follow)]
    if not state.trick:

        def suit_of(move: Follow) -> int:
            return rules.suits_of[move.tile][0] if move.suit is None else move.suit

        order = 1 if wants else -1
        return max(plays, key=lambda m: (length(suit_of(m)), order * rules.strength(m.tile, suit_of(m)), rng.random()))
    best_now = max(rules.strength(each.tile, state.led) for each in state.trick)

    def strength(move: Follow) -> int:
        return rules.strength(move.tile, state.led)

    if wants:
        top = max(plays, key=strength)
        return top if strength(top) > best_now else min(plays, key=lambda m: (strength(m), PIPS[m.tile]))
    below = [move for move in plays if strength(move) < best_now]
    return max(below, key=lambda m: (strength(m), PIPS[m.tile])) if below else min(plays, key=strength)


def _length(call: Contract, seen: list[int]) -> int:
    """How many of these tiles make a contract good."""
    rules = CONTRACT_RULES[call.contract, call.trump]
    if rules.special is None:
        return sum(HIGH[tile] <= 3 for tile in seen)
    return sum(rules.suits[rules.special] >> tile & 1 for tile in seen)


def highest_score(state: Any, rng: random.Random) -> Move:
    """DOM: the card and the cell that score most at once. Dominards: the play and the claim that score most at once,
    and two dice or four by chance."""
    if not isinstance(move := state.legal()[0], Roll):

        def points(move: Move) -> int:
            return sum(score.points for score in state.play(move).scores[len(state.scores) :])

        return max(state.legal(), key=lambda move: (points(move), rng.random()))
    return Roll(move.seat, tuple(rng.randint(1, 6) for _ in range(rng.choice((2, 4)))))


SIMPLE: dict[str, Player] = {"domizerka": longest_suit, "dom": highest_score, "dominards": highest_score}


# --- matches -----------------------------------------------------------------------------------------------
class Table:
    """A match in play: as it is, and as Nestor's seat knows it."""

    def __init__(self, slug: str, seats: int, nestor: int, rng: random.Random) -> None:
        self.rng = rng
        self.nestor = nestor
        self.boneyard: list[int] = []
        names = ["Ana", "Bo", "Cleo", "Dan"][:seats]
        self.match = self.seen = Match.new(slug, {}, names)
        if self.match.game.starts_with_cards:
            packs = [[cards.NAMES[n] for n in members(each)] for each in dealt(rng, cards.COUNT, seats, 5)]
            self.match = self.match.enter({"kind": "cards", "cards": packs})
            own = [pack if seat == nestor else None for seat, pack in enumerate(packs)]
            self.seen = self.seen.enter({"kind": "cards", "cards": own})

    def deal(self) -> None:
        """The next hand, with its opener by the rules or by chance."""
        game, seats = self.match.game, len(self.match.players)
        openers = list(self.match.offers()["openers"])
        while True:
            deal = dealt(self.rng, cards.COUNT if game.deals_cards else COUNT, seats, game.dealt)
            self.rng.shuffle(openers)
            for opener in openers:
                try:
                    self.match = self.match.with_hand(HandRecord(opener, deal, ()))
                except GameError:
                    continue
                own = tuple(hand if seat == self.nestor else None for seat, hand in enumerate(deal))
                self.seen = self.seen.with_hand(HandRecord(opener, own, ()))
                left = sum(1 << tile for tile in range(COUNT)) & ~sum(deal)
                self.boneyard = (
                    self.rng.sample(list(members(left)), COUNT - game.dealt * seats) if not game.deals_cards else []
                )
                return

    def enter(self, move: Move) -> None:
        if isinstance(move, Draw):
            move = move._replace(tiles=(self.boneyard.pop(),))
        elif isinstance(move, Discard):
            move = move._replace(drawn=tuple(self.boneyard.pop() for _ in range(move.number)))
        self.match = self.match.with_move(move)
        self.seen = self.seen.with_move(move if move.seat == self.nestor else unseen(move))


def play_match(slug: str, seats: int, nestor: int, player: Player, rng: random.Random) -> tuple[Match, list[float]]:
    """A match with ``player`` in the seat ``nestor`` and simple players in the others, and how long each of his moves
    took, in seconds."""
    table = Table(slug, seats, nestor, rng)
    times: list[float] = []
    while not table.match.finished:
        if table.match.hand is None:
            table.deal()
        state, known = table.match.hands[-1].state, table.seen.hands[-1].state
        if state.turn == nestor:
            began = process_time()
            move = player(known, rng)
            times.append(process_time() - began)
        else:
            move = SIMPLE[slug](state, rng)
        table.enter(move)
    return table.match, times


def placing(totals: Sequence[int], seat: int) -> float:
    """1 for the best total, 0 for the worst, the others evenly between them; equal totals share their places."""
    others = [total for each, total in enumerate(totals) if each != seat]
    return mean(0.5 * ((totals[seat] > other) - (totals[seat] < other) + 1) for other in others)


def nestor(slug: str, level: Level, ms: int) -> Player:
    def move(state: Any, rng: random.Random) -> Move:
        return think(GAMES[slug], state, level, rng=random.Random(rng.random()), clock=process_time, ms=ms).move

    return move


def measure(slug: str, seats: int, player: Player, matches: int, seed: int) -> str:
    places, margins, times, hands = [], [], [], 0
    for number in range(matches):
        seat = number % seats
        match, took = play_match(slug, seats, seat, player, random.Random(f"{slug} {seed} {number}"))
        places.append(100 * placing(match.totals, seat))
        margins.append((seats * match.totals[seat] - sum(match.totals)) / (seats - 1))
        times += took
        hands += len(match.hands)
    return (
        f"{with_interval(places)} % of the places, {with_interval(margins)} points more than the others in a match; "
        f"{matches} matches, {hands} hands; {1000 * median(times):.0f} ms a move, at most {1000 * max(times):.0f}"
    )


def with_interval(values: Sequence[float]) -> str:
    return f"{mean(values):.1f} ± {1.96 * stdev(values) / sqrt(len(values)):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(SIMPLE))
    parser.add_argument("--matches", type=int, default=20, help="at least two")
    parser.add_argument("--players", type=int, default=2, help="in Dominards")
    parser.add_argument("--level", choices=[*LEVELS, "simple"], default="brutal")
    parser.add_argument("--ms", type=int, help="for each move, instead of the time of the level")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for slug in given.games:
        seats = given.players if len(GAMES[slug].seats) > 1 else GAMES[slug].seats[0]
        player = SIMPLE[slug]
        if given.level != "simple":
            level = LEVELS[given.level]
            player = nestor(slug, level, level.ms if given.ms is None else given.ms)
        found = measure(slug, seats, player, given.matches, given.seed)
        print(f"{slug}, {seats} players, {given.level}: {found}", flush=True)


if __name__ == "__main__":
    main()
