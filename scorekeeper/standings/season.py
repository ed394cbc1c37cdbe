"""The table of a season: what its events were worth to everybody, and the best of that together."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from scorekeeper.standings.exact import Number, total

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Result:
    """What an event was worth to somebody who took part."""

    points: Number
    won: bool
    """Whether nobody was better there."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    place: int
    """From 1. People with the same merit share a place."""
    person: int
    total: Number
    """Of the results that count."""
    results: Mapping[int, Result]
    """By the number of the event, from 0."""
    dropped: frozenset[int]
    """The numbers of the events that do not count for them, because others were better."""
    moved: int | None
    """How many places they went up by the last event, negative for down; None for somebody who is new."""

    @property
    def won(self) -> int:
        """The number of events at which nobody was better."""
        return sum(each.won for each in self.results.values())

    @property
    def merit(self) -> tuple[Number, int, Number]:
        """The order of rows: by the total, then events won, then the best event."""
        return self.total, self.won, max(each.points for each in self.results.values())


def places(merits: Mapping[K, Any]) -> dict[K, int]:
    """For each their place: 1 + the number of those with a greater merit."""
    order = sorted(merits.values(), reverse=True)
    first: dict[Any, int] = {}
    for place, merit in enumerate(order, 1):
        first.setdefault(merit, place)
    return {each: first[merit] for each, merit in merits.items()}


def by_place(placed: Mapping[K, int], points: Sequence[int]) -> dict[K, Result]:
    """The results of an event where places are worth points, the first place first, and every later place nothing.
    Without points, everybody gets one for each who is placed lower. Those who share a place share the points of the
    places that they cover."""
    worth = points or range(len(placed) - 1, -1, -1)
    sharing = Counter(placed.values())
    shares = {place: total([Fraction(sum(worth[place - 1 : place - 1 + n]), n)]) for place, n in sharing.items()}
    return {each: Result(shares[place], place == 1) for each, place in placed.items()}


def by_worth(values: Mapping[K, Number]) -> dict[K, Result]:
    """The results of an event where everybody gets what they won. Who won nothing has not won the event."""
    most = max(values.values(), default=0)
    return {each: Result(value, value == most > 0) for each, value in values.items()}


def season_table(events: Sequence[Mapping[int, Result]], best: int | None) -> list[SeasonRow]:
    """The rows by place, from everybody's results at each event, the oldest event first. For each person only the
    `best` of their results count, of equal ones the older; None: all."""
    before = {row.person: row.place for row in _rows(events[:-1], best)}
    return [
        replace(row, moved=before[row.person] - row.place if row.person in before else None)
        for row in _rows(events, best)
    ]


def _rows(events: Sequence[Mapping[int, Result]], best: int | None) -> list[SeasonRow]:
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    for number, event in enumerate(events):
        for person, result in event.items():
            results[person][number] = result
    rows = [_row(person, theirs, best) for person, theirs in results.items()]
    placed = places({row.person: row.merit for row in rows})
    return sorted((replace(row, place=placed[row.person]) for row in rows), key=lambda row: (row.place, row.person))


def _row(person: int, results: Mapping[int, Result], best: int | None) -> SeasonRow:
    order = sorted(results, key=lambda number: -results[number].points)
    counting = order[:best]
    dropped = frozenset(order[len(counting) :])
    return SeasonRow(0, person, total(results[number].points for number in counting), results, dropped, None)
