"""How long schedules take, and how near they come to what counting allows.

    python tests/bench/schedules.py [--seconds 10] [--seed 0]

Prints a row for every case: whether the bound is reached, and the time with seats and measures. The ratio compares that
time with the least possible: drawing the same number of rounds at random and measuring them.
"""

import argparse
import random
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.measures import bounds, measure
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import FOURS, HEADS, MIXED, PARTNERS, TRIPLES, Format, Schedule, Seating

CASES: list[tuple[Format, int, int | None]] = [
    (HEADS, 64, None),
    (TRIPLES, 63, None),
    (TRIPLES, 60, None),
    (TRIPLES, 41, None),
    (PARTNERS, 40, None),
    (PARTNERS, 41, None),
    (PARTNERS, 39, None),
    *((FOURS, n, r) for n, r in [(16, 5), (20, 5), (24, 7), (28, 9), (32, 8), (36, 8), (40, 8), (200, 10)]),
    *((TRIPLES, n, r) for n, r in [(9, 4), (15, 7), (18, 8), (21, 7), (24, 11), (27, 13), (30, 8)]),
    (TRIPLES, 12, 5),
    (FOURS, 14, 6),
    (PARTNERS, 16, 8),
    (MIXED, 11, 6),
    (TRIPLES, 200, 400),
    (PARTNERS, 200, 200),
    (PARTNERS, 200, 796),
]


def at_random(format: Format, players: int, rounds: int, rng: random.Random) -> float:
    """The seconds it takes to draw and measure random rounds."""
    began = perf_counter()
    drawn = []
    for _number in range(rounds):
        order = rng.sample(range(players), players)
        full = players // format.size * format.size
        tables = (tuple(order[at : at + format.size]) for at in range(0, full, format.size))
        drawn.append(Seating(tuple(tables), tuple(sorted(order[full:]))))
    measure(Schedule(format, players, tuple(drawn)))
    return perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{'':16}{'rounds':>7}{'bound':>12}{'seconds':>9}{'ratio':>8}   two meet, squares above the bound")
    for format, players, rounds in CASES:
        rng = random.Random(options.seed)
        began = perf_counter()
        found = last(propose(format, players, rounds, rng=rng, clock=perf_counter, seconds=options.seconds))
        schedule, here = found.schedule, found.measures.meet
        took = perf_counter() - began
        alone = at_random(format, players, len(schedule.rounds), rng)
        best = bounds(schedule).meet
        print(
            f"{format.name:9}{players:7}{len(schedule.rounds):7}{'reached' if found.optimal else 'not reached':>12}"
            f"{took:9.2f}{took / alone:8.1f}   {here.least} to {here.most}, {here.squares - best.squares}"
        )


if __name__ == "__main__":
    main()
