"""Finds habits for Nestor's playouts by play: how much points, pips and so on should count.

    python tests/bench/habits.py block [--rounds 24] [--deals 300] [--tries 30] [--seed 1]

In each round it tries habits near the best ones so far against them, in the same deals and with the sides changed, and
goes on from the mean of the best fifth (the cross-entropy method). Prints the habits of every fourth round, and the
points and the part of 1,000 other deals, each played twice, that they win against laying what scores most, then the
heaviest tile.
"""

import argparse
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[2]))

from games import GAMES, Match
from games.laying import LayingState
from games.nestor.evidence import Evidence
from games.nestor.habits import Habits
from games.nestor.playouts import Playouts
from games.solver import Solver
from tests.bench.nestor import Deal, new_match

GREEDY = (10_000, 100, 0, 0, 0)
WIDE = (100, 30, 200, 300, 150)
"""How far from the first habits it tries others."""
WIDE_LOCK = 600


def habits(numbers: Sequence[float]) -> Habits:
    point, pip, double, stuck, follows, *locks = map(round, numbers)
    return Habits(point, pip, double, stuck, follows, tuple(locks))


def won(match: Match, deals: int, seed: str, one: Habits, other: Habits) -> list[tuple[float, float]]:
    """In each deal: the points that ``one`` wins more than ``other`` in a hand, and the part of both hands."""
    found = []
    for number in range(deals):
        deal = Deal(match, Random(f"{seed} {number}"))
        state = match.opened(deal.opener, deal.hands)
        assert isinstance(state, LayingState)
        boneyard = tuple(deal.boneyard) if state.rules.draws else ()
        solver = Solver(match.game, state, boneyard)
        playouts, points = Playouts(solver, state, Evidence(state)), []
        for habits_of_side in ((one, other), (other, one)):
            playouts.habits = [habits_of_side[side] for side in solver.side]
            ahead = playouts.worth(deal.hands, boneyard)
            points.append(ahead if habits_of_side[solver.side[deal.opener]] is one else -ahead)
        found.append((mean(points), mean((point > 0) + (point == 0) / 2 for point in points)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=[slug for slug, game in GAMES.items() if len(game.sides(game.seats[0])) == 2])
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--options", nargs="*", default=[], metavar="KEY=VALUE")
    given = parser.parse_args()
    match, rng = new_match(given), Random(given.seed)
    locks = len(match.players) - 1
    greedy = habits([*GREEDY, *[0] * locks])
    middle = [300.0, 100.0, 0.0, 0.0, 0.0, *[0.0] * locks]
    width = [*map(float, WIDE), *[float(WIDE_LOCK)] * locks]
    for number in range(1, given.rounds + 1):
        best = habits(middle)
        tried = [[rng.gauss(*each) for each in zip(middle, width, strict=True)] for _ in range(given.tries)]
        points = [
            mean(ahead for ahead, _ in won(match, given.deals, f"{given.seed} {number}", habits(each), best))
            for each in tried
        ]
        order = sorted(range(len(tried)), key=points.__getitem__, reverse=True)
        elite = [tried[at] for at in order[: max(given.tries // 5, 3)]]
        middle = [(old + mean(each)) / 2 for old, each in zip(middle, zip(*elite, strict=True), strict=True)]
        width = [(old + stdev(each)) / 2 + 2 for old, each in zip(width, zip(*elite, strict=True), strict=True)]
        if number % 4 == 0 or number == given.rounds:
            ahead, part = zip(*won(match, 1000, "check", habits(middle), greedy), strict=True)
            error = 1.96 * stdev(part) / sqrt(len(part))
            print(f"{number}: {habits(middle)}")
            print(f"   {mean(ahead):+.1f} points, {100 * mean(part):.1f} ± {100 * error:.1f} %", flush=True)


if __name__ == "__main__":
    main()
