"""A simulation of a federation: thousands of clubs on one PostgreSQL, one Redis and several web machines.

    python tests/bench/scale.py [--clubs 2000] [--tables 10000] [--followers 100000]
        [--machines 16 32] [--seconds 20]

Nothing is served. The costs of each step are measured or estimated, as said below. Each web machine has two cores. All
requests and streams of a club go to the same machine, so what its followers see is drawn once. A core does one thing
after another, in order of arrival.
"""

import argparse
import heapq
import random
import sys
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from statistics import fmean

# Milliseconds of processor time, on one of two cores of an AMD EPYC. Measured by `processes.py`:
PLAY = 7.5 + 2.5  # a web process records a play, and draws the pad (estimated: a third of the time of recording)
DATABASE_PLAY = 1.9  # PostgreSQL does its part
# Estimated from `club_night_load.py`, in which 33 plays a second with 1,000 followers take a web process 1,060 ms:
DRAWING = 6.0  # what the watchers of a table see
NIGHT = 25.0  # what the followers of a night see
MESSAGE = 0.12  # to one follower
FLUSH = 1.0  # not processor time: until the disk has kept a commit; commits at the same moment share it
INTERVAL = 3000.0  # milliseconds between two plays of a table
WATCH_PAUSE = 250.0  # between two drawings of a topic
CORES, DATABASE_CORES = 2, 16
HAND = 12  # plays; only the end of a hand changes what the night shows
ON_TABLE = 0.4  # share of the followers who watch a table; the others follow a night


@dataclass
class Cores:
    """Processors that share a queue."""

    number: int
    free_at: list[float] = field(default_factory=list)
    busy: float = 0.0

    def __post_init__(self) -> None:
        self.free_at = [0.0] * self.number

    def run(self, now: float, cost: float) -> float:
        """When the work that arrives now is done."""
        begins = max(now, self.free_at.pop(0))
        insort(self.free_at, begins + cost)
        self.busy += cost
        return begins + cost


class Federation:
    """Everything that happens, in order of time."""

    def __init__(self, options: argparse.Namespace, machines: int, rng: random.Random) -> None:
        self.rng, self.end = rng, options.seconds * 1000
        self.web, self.database = [Cores(CORES) for _ in range(machines)], Cores(DATABASE_CORES)
        self.club_of = [rng.randrange(options.clubs) for _ in range(options.tables)]
        self.at_table = options.followers * ON_TABLE / options.tables
        self.at_night = options.followers * (1 - ON_TABLE) / options.clubs
        self.drawn: dict[tuple[str, int], float] = {}  # when a topic is drawn next, or was drawn last
        self.plays: list[float] = []
        self.followed: list[float] = []
        self._number = count()
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        for table in range(options.tables):
            self._later(rng.random() * INTERVAL, partial(self._play, table))
        while self._events[0][0] < self.end:
            now, _number, happens = heapq.heappop(self._events)
            happens(now)

    def _later(self, at: float, happens: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (at, next(self._number), happens))

    def _machine(self, table: int) -> Cores:
        return self.web[self.club_of[table] % len(self.web)]

    def _play(self, table: int, now: float) -> None:
        self._later(self._machine(table).run(now, PLAY), partial(self._store, table, now))
        self._later(now + INTERVAL * self.rng.uniform(0.8, 1.2), partial(self._play, table))

    def _store(self, table: int, sent: float, now: float) -> None:
        self._later(self.database.run(now, DATABASE_PLAY) + FLUSH, partial(self._stored, table, sent))

    def _stored(self, table: int, sent: float, now: float) -> None:
        self.plays.append(now - sent)
        self._draw("table", table, table, DRAWING + self.at_table * MESSAGE, sent, now)
        if self.rng.random() * HAND < 1:
            self._draw("night", self.club_of[table], table, NIGHT + self.at_night * MESSAGE, sent, now)

    def _draw(self, kind: str, of: int, table: int, cost: float, sent: float, now: float) -> None:
        last = self.drawn.get((kind, of), -WATCH_PAUSE)
        if last <= now:  # else the drawing that is due shows this play, too
            self.drawn[kind, of] = max(now, last + WATCH_PAUSE)
            self._later(
                self.drawn[kind, of], lambda at: self.followed.append(self._machine(table).run(at, cost) - sent)
            )

    def line(self) -> str:
        loads = [cores.busy / (self.end * CORES) for cores in self.web]
        stored = self.database.busy / (self.end * DATABASE_CORES)
        return (
            f"{len(self.web):8}{1000 * len(self.plays) / self.end:10.0f}{100 * fmean(loads):9.0f} %"
            f"{100 * max(loads):9.0f} %{100 * stored:9.0f} %"
            f"{quantile(self.plays, 0.5):10.0f}{quantile(self.plays, 0.95):8.0f}"
            f"{quantile(self.followed, 0.5):12.0f}{quantile(self.followed, 0.95):8.0f}"
        )


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[int(share * (len(ordered) - 1))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clubs", type=int, default=2000)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--followers", type=int, default=100_000)
    parser.add_argument("--machines", type=int, nargs="+", default=[16, 24, 32, 48, 64])
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    print(f"{'machines':>8}{'plays/s':>10}{'load':>11}{'busiest':>11}{'database':>11}", end="")
    print(f"{'play p50':>10}{'p95':>8}{'follow p50':>12}{'p95':>8}")
    for machines in options.machines:
        print(Federation(options, machines, random.Random(1)).line())
    return 0


if __name__ == "__main__":
    sys.exit(main())
