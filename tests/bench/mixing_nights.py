"""How well people mix: whole nights of 5 to 60 people at tables of four, compared with random seats in the same run.

    python tests/bench/mixing_nights.py [ROUNDS [NIGHTS]]

For each number of people, over all nights: how often partners and opponents met again; the fewest times that counting
allows; the same with random seats; the largest difference in byes; the time of one draw. On "moving" nights a sixth of
the people come or go at each round.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.meetings import History, Played
from scorekeeper.schedule.mixing import draw, repeats, tables_for
from scorekeeper.schedule.seating import Seating, Shape

FOUR = Shape(4, ((0, 2), (1, 3)))
Draw = Callable[[Sequence[int], Sequence[Shape], History, random.Random], Seating]


def at_random(people: Sequence[int], shapes: Sequence[Shape], history: History, rng: random.Random) -> Seating:
    there = rng.sample(people, len(people))
    tables = tuple(tuple(there[at : at + 4]) for at in range(0, 4 * len(shapes), 4))
    out = tuple(there[4 * len(shapes) :])
    return Seating(tables, out)


def mixed(people: Sequence[int], shapes: Sequence[Shape], history: History, rng: random.Random) -> Seating:
    return last(draw(people, shapes, history, rng))


class Nights:
    """Counts over several nights."""

    def __init__(self, people: int, rounds: int, nights: int, how: Draw, *, moving: bool = False) -> None:
        self.partners = self.opponents = self.spread = self.early = 0
        self.times: list[float] = []
        for seed in range(nights):
            self._night(people, rounds, random.Random(f"{people} {seed}"), how, moving)

    def _night(self, people: int, rounds: int, rng: random.Random, how: Draw, moving: bool) -> None:
        history, here, byes = History((), ()), set(range(people)), Counter(dict.fromkeys(range(people), 0))
        for _ in range(rounds):
            shapes = tables_for(len(here), [(FOUR, None)])
            start = perf_counter()
            drawn = how(sorted(here), shapes, history, rng)
            self.times.append(perf_counter() - start)
            again = repeats(drawn, shapes, history)
            self.partners += len(again.partners)
            self.opponents += len(again.opponents)
            self.early += len(again.early_byes)
            byes.update(drawn.byes)
            played = (Played(((a, c), (b, d))) for a, b, c, d in drawn.tables)
            history = History((*history.played, *played), (*history.byes, drawn.byes))
            if moving:
                moved = here.symmetric_difference(rng.sample(range(people), max(1, people // 6)))
                here = moved if len(moved) > 4 else here
        if not moving:
            self.spread = max(self.spread, max(byes.values()) - min(byes.values()))


def fewest(people: int, rounds: int, pairs_at_a_table: int) -> int:
    """The fewest repeats that the number of pairs allows."""
    return max(0, rounds * (people // 4) * pairs_at_a_table - comb(people, 2))


def main(rounds: int, nights: int) -> None:
    print(f"{nights} nights of {rounds} rounds; again: in all nights together")
    print("        partners again           opponents again          byes differ  early byes a draw, ms    times")
    print("people  drawn fewest random      drawn fewest random      by at most   (moving)   middle  most  random's")
    for people in range(5, 61):
        ours, theirs = (Nights(people, rounds, nights, how) for how in (mixed, at_random))
        moving = Nights(people, rounds, nights, mixed, moving=True)
        times = sorted(ours.times)
        middle, baseline = times[len(times) // 2], sorted(theirs.times)[len(times) // 2]
        print(
            f"{people:6}  {ours.partners:5} {nights * fewest(people, rounds, 2):6} {theirs.partners:6}      "
            f"{ours.opponents:5} {nights * fewest(people, rounds, 4):6} {theirs.opponents:6}      "
            f"{ours.spread:10}   {moving.early:8}   {1000 * middle:6.1f} {1000 * times[-1]:5.0f}  "
            f"{middle / baseline:8.0f}",
            flush=True,
        )


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    main(*numbers, *(8, 3)[len(numbers) :])
