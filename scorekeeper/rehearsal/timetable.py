"""When each table of a rehearsed day plays, in whole seconds from the start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple


class Contest(NamedTuple):
    """What a table of a round needs."""

    people: tuple[int, ...]
    """The entrants who sit there."""
    wait: int
    """Seconds until play begins."""
    matches: tuple[int, ...]
    """Seconds of play of each match, one after the other, if no time limit cuts it."""
    after: int
    """Seconds until its result is settled."""


class Conditions(NamedTuple):
    tables: int
    pause: int
    """Seconds between two rounds."""
    limit: int | None = None
    """The longest that a match can be, in seconds."""
    overlap: bool = False
    """Whether a round may begin while tables of the round before still play, as in a round robin."""
    meeting: int = 0
    """How many tables a meeting of teams keeps until all its boards are over; 0: a contest is a match at one table."""


class Sitting(NamedTuple):
    """A table of a round in the hall."""

    round: int
    """Counted from 0 among the rounds of the timetable."""
    contest: int
    """Counted from 0 in its round."""
    table: int
    """The number of the table in the hall, from 1; the first one of a meeting."""
    begin: int
    end: int


class Idle(NamedTuple):
    """A table in the hall that stood empty."""

    table: int
    since: int
    until: int
    waited_for: Sitting
    """The one that ended last before it was used again."""


@dataclass(frozen=True)
class Timetable:
    sittings: tuple[Sitting, ...]
    """In the order in which they begin."""
    rounds: tuple[tuple[int, int], ...]
    """The beginning and the end of each round."""

    @property
    def end(self) -> int:
        return max((end for _begin, end in self.rounds), default=0)

    def then(self, later: "Timetable", pause: int) -> "Timetable":
        """Both, one after the other."""
        before, begin = len(self.rounds), self.end + pause if self.rounds else 0
        sittings = [
            each._replace(round=each.round + before, begin=each.begin + begin, end=each.end + begin)
            for each in later.sittings
        ]
        rounds = [(first + begin, last + begin) for first, last in later.rounds]
        return Timetable((*self.sittings, *sittings), (*self.rounds, *rounds))

    @property
    def idle(self) -> Idle | None:
        """The longest time for which a table stood empty between two matches; None if none did."""
        return max(self._gaps(), key=lambda gap: (gap.until - gap.since, -gap.table, -gap.since), default=None)

    def _gaps(self) -> Iterator[Idle]:
        used: dict[int, Sitting] = {}
        for sitting in self.sittings:
            before = used.get(sitting.table)
            if before and before.end < sitting.begin:
                ended = (each for each in self.sittings if each.end <= sitting.begin)
                yield Idle(sitting.table, before.end, sitting.begin, max(ended, key=lambda each: each.end))
            used[sitting.table] = sitting


def timetable(rounds: Sequence[Sequence[Contest]], conditions: Conditions, begun: int = 0) -> Timetable:
    """Tables sit down in the order of rounds and tables, each as soon as its people are free and had their pause, the
    round is released, and a table in the hall is free. A round is released when the one before is over; if rounds
    `overlap`, when the one before that is over. The first rounds that have `begun` are released at the start."""
    return _Hall(rounds, conditions, begun).timetable()


class _Hall:
    def __init__(self, rounds: Sequence[Sequence[Contest]], conditions: Conditions, begun: int) -> None:
        self.rounds, self.conditions, self.begun = rounds, conditions, begun
        self.left = [list(range(len(each))) for each in rounds]  # which have not begun
        self.playing: list[tuple[int, int, int, int]] = []  # end, round, contest, table
        self.open = [len(each) for each in rounds]
        self.ends = [0] * len(rounds)
        self.released: dict[int, int] = {}
        self.free_from: dict[int, int] = {}
        self.rounds_of: dict[int, list[int]] = {}
        for number, contests in enumerate(rounds):
            for contest in contests:
                for person in contest.people:
                    self.rounds_of.setdefault(person, []).append(number)
        size = max(conditions.meeting, 1)
        self.empty = list(range(1, conditions.tables - size + 2, size))  # the first table of each contest
        heapify(self.empty)

    def timetable(self) -> Timetable:
        sittings: list[Sitting] = []
        now = 0
        while any(self.left):
            for number, index in self._ready(now):
                if not self.empty:
                    break
                sittings.append(self._seat(number, index, now))
            now = self._next(now)
        self._release_until(len(self.rounds))
        begins: dict[int, int] = {}
        for each in sittings:
            begins.setdefault(each.round, each.begin)
        spans = [(begins.get(number, end), end) for number, end in enumerate(self.ends)]
        return Timetable(tuple(sittings), tuple(spans))

    def _seat(self, number: int, index: int, now: int) -> Sitting:
        contest, limit = self.rounds[number][index], self.conditions.limit
        play = sum(each if limit is None else min(each, limit) for each in contest.matches)
        end = now + contest.wait + play + contest.after
        table = heappop(self.empty)
        self.left[number].remove(index)
        heappush(self.playing, (end, number, index, table))
        self.ends[number] = max(self.ends[number], end)
        return Sitting(number, index, table, now, end)

    def _ready(self, now: int) -> list[tuple[int, int]]:
        """Who can sit down now."""
        return [(number, index) for begin, number, index in self._beginnings() if begin <= now]

    def _next(self, now: int) -> int:
        """The next time at which somebody may sit down. Tables that are over by then are free."""
        times = [begin for begin, _number, _index in self._beginnings() if begin > now] if self.empty else []
        if self.playing:
            times.append(self.playing[0][0])
        then = min(times, default=now)
        while self.playing and self.playing[0][0] <= then:
            end, number, index, table = heappop(self.playing)
            heappush(self.empty, table)
            self.open[number] -= 1
            for person in self.rounds[number][index].people:
                self.free_from[person] = end + self.conditions.pause
                self.rounds_of[person].pop(0)
        return then

    def _beginnings(self) -> Iterator[tuple[int, int, int]]:
        """From when each table whose people have played all their earlier rounds may sit down."""
        for number in range(self._release_until(len(self.rounds))):
            for index in self.left[number]:
                people = self.rounds[number][index].people
                if all(self.rounds_of[person][0] == number for person in people):
                    free = max(self.free_from.get(person, 0) for person in people)
                    yield max(free, self.released[number]), number, index

    def _release_until(self, last: int) -> int:
        """Releases the rounds that can be; how many are."""
        depth = 2 if self.conditions.overlap else 1
        for number in range(len(self.released), last):
            before = 0 if number < self.begun else max(number - depth + 1, 0)
            if any(self.open[:before]):
                break
            pause = self.conditions.pause
            self.released[number] = max(self.ends[:before], default=-pause) + pause
            if not self.rounds[number]:
                self.ends[number] = self.released[number]
        return len(self.released)
