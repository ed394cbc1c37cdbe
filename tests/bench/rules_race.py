"""How fast the rules are: ratios against the package ``dominoes`` in the same run, and deduction's times.

    python tests/bench/rules_race.py [HANDS]

Both sides play four-player block hands. ``dominoes`` passes by itself, the rules here record every pass, so plays are
counted, not moves. Every figure is the best of several rounds in which the two sides take turns, in processor time:
other work on the machine hardly counts.
"""

import json
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import dominoes

sys.path.insert(0, str(Path(__file__).parents[2]))

import games
from games.moves import Move, Play
from games.random_play import dealt
from games.record import HandRecord, read_record
from games.tiles import HIGH, LOW, PIPS, mask, members

ROUNDS = 20
PLAYERS = ["North", "East", "South", "West"]
MATCH = games.Match.new("domino-whist", {}, PLAYERS)


def best(*sides: Callable[[], object]) -> list[float]:
    """The shortest processor time of each side in seconds."""
    times = [[0.0] * ROUNDS for _ in sides]
    for number in range(ROUNDS):
        for side, run in enumerate(sides):
            start = process_time()
            run()
            times[side][number] = process_time() - start
    return [min(each) for each in times]


# --- playing at random -------------------------------------------------------------------------------------
def random_hand(rng: random.Random) -> Any:
    state = MATCH.opened(0, dealt(rng, 28, 4, 7))
    while state.end is None:
        moves = state.legal()
        state = state.play(moves[int(rng.random() * len(moves))])
    return state


def random_domino_hand() -> dominoes.Game:
    game = dominoes.Game.new()
    while game.result is None:
        moves = game.valid_moves
        game.make_move(*moves[int(random.random() * len(moves))])
    return game


def play_at_random(number: int) -> None:
    def ours() -> int:
        rng = random.Random(1)
        return sum(len(random_hand(rng).line.laid) for _ in range(number))

    def theirs() -> int:
        random.seed(1)
        return sum(sum(move is not None for move in random_domino_hand().moves) for _ in range(number))

    mine, other = best(ours, theirs)
    ratio = (ours() / mine) / (theirs() / other)
    print(f"random play: {ours() / mine:,.0f} plays/s, {ratio:.2f} times those of dominoes (asked: 1.5, aim 2.5)")


# --- the same recorded hands -------------------------------------------------------------------------------
def start_of(deal: Sequence[int]) -> dominoes.Game:
    hands = [dominoes.Hand([dominoes.Domino(HIGH[t], LOW[t]) for t in members(hand)]) for hand in deal]
    first = tuple((d, True) for d in hands[0])
    return dominoes.Game(dominoes.Board(), hands, [], 0, first, 0, None)


def replay(number: int) -> None:
    rng = random.Random(2)
    hands = [random_hand(rng) for _ in range(number)]
    deals = [hand.opening.deal for hand in hands]
    moves = [hand.moves for hand in hands]
    theirs = [
        [(dominoes.Domino(HIGH[m.tile], LOW[m.tile]), m.end != "e") for m in each if isinstance(m, Play)]
        for each in moves
    ]

    def replay_ours() -> None:
        for deal, each in zip(deals, moves, strict=True):
            state = MATCH.opened(0, deal)
            for move in each:
                state = state.play(move)
            assert state.end is not None

    def replay_theirs() -> None:
        for deal, each in zip(deals, theirs, strict=True):
            game = start_of(deal)
            for move in each:
                game.make_move(*move)
            assert game.result is not None

    known = [record(deal, each, observed=False) for deal, each in zip(deals, moves, strict=True)]
    unseen = [record(deal, each, observed=True) for deal, each in zip(deals, moves, strict=True)]

    def verify(lines: list[str]) -> None:
        for line in lines:
            assert games.verify_line(line)["valid"]

    replayed, other, with_deal, without = best(
        replay_ours, replay_theirs, lambda: verify(known), lambda: verify(unseen)
    )
    print(f"replay, deal known: {replayed / other:.2f} times the time of dominoes (asked: 1, aim 0.5)")
    print(f"verify from JSON, deal known: {with_deal / other:.2f} times that replay's time (asked: 2)")
    print(f"verify from JSON, nothing known: {without / other:.2f} times that replay's time (asked: 2.8)")


def record(deal: Sequence[int], moves: tuple[Move, ...], *, observed: bool) -> str:
    laid = mask(move.tile for move in moves if isinstance(move, Play))
    left = tuple(tuple(members(hand & ~laid)) for hand in deal)
    hand = HandRecord(0, None, moves, left) if observed else HandRecord(0, tuple(deal), moves)
    return json.dumps(MATCH.with_hand(hand).record())


# --- deduction ---------------------------------------------------------------------------------------------
def deduce(number: int) -> None:
    """Times the verdict on observed hands (every move, and what is left), and the number of deals that fit them."""
    for slug, game in games.GAMES.items():
        if game.ending_key is None:
            continue
        rng, players = random.Random(3), PLAYERS[: game.seats[-1]]
        match = games.Match.new(slug, {}, players)
        hands = [
            read_record(games.random_match(slug, {}, players, rng, 1), games.GAMES).hands[0] for _ in range(number)
        ]
        told = {"named": hands}
        if game.ending_key == "left":
            told["pips"] = [
                hand._replace(ending=tuple(sum(PIPS[tile] for tile in left) for left in hand.ending)) for hand in hands
            ]
        for how, asked in (("named", "1 at the median"), ("pips", "200")):
            times = []
            for hand in told.get(how, []):
                start = process_time()
                state = match.with_hand(hand).hands[-1].state
                assert state.deals(hand.ending) if game.ending_key == "left" else state.deals()
                times.append((process_time() - start) * 1000)
            if times:
                print(
                    f"deduction, {slug}, {how}: verdict and number of deals {statistics.median(times):.2f} ms a hand "
                    f"at the median, {max(times):.1f} at most (asked: {asked})"
                )


if __name__ == "__main__":
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    play_at_random(hands)
    replay(hands)
    deduce(hands)
