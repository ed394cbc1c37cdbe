"""A day as people type it: 24 Nov, Tuesday, 2026-11-24, 24/11, May 2026."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from scorekeeper.names import alphabetical

SHORTEST = 3  # letters of a month or a weekday: Nov, Tue
FILLERS = {"de", "del", "el", "of", "on", "the"}
ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
Names = Sequence[Iterable[str]]


@dataclass(frozen=True, slots=True)
class Date:
    """A date of which some parts may be open (None)."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def has(self, day: date) -> bool:
        own = (self.year, day.year), (self.month, day.month), (self.day, day.day)
        return all(wanted in (None, part) for wanted, part in own)


@dataclass(frozen=True, slots=True)
class Days:
    """The days that somebody may mean."""

    dates: tuple[Date, ...]
    """Each way to read the date: 5/9 is in May or in September."""
    weekday: int | None
    """0 is Monday; None if none is typed."""

    def have(self, day: date) -> bool:
        return self.weekday in (None, day.weekday()) and any(each.has(day) for each in self.dates)


def days_typed(text: str, *, months: Names, weekdays: Names) -> Days | None:
    """None if the text is no date. `months`: the names of each, from January; `weekdays`: from Monday."""
    numbers: list[str] = []
    month = weekday = None
    for word in re.findall(r"\w+", alphabetical(text)[0]):
        if number := ORDINAL.fullmatch(word):
            word = number[1]
        if word.isascii() and word.isdigit() and len(word) in (1, 2, 4):
            numbers.append(word)
        elif month is None and (found := _named(word, months)) is not None:
            month = found + 1
        elif weekday is None and (found := _named(word, weekdays)) is not None:
            weekday = found
        elif word not in FILLERS:
            return None
    dates = _dates(numbers, month)
    if not numbers and month is None:
        dates = (Date(),) if weekday is not None else ()
    return Days(dates, weekday) if dates else None


def _named(word: str, names: Names) -> int | None:
    """The index of the month or weekday that the word is, or begins."""
    if len(word) < SHORTEST:
        return None
    found = (at for at, each in enumerate(names) if any(alphabetical(name)[0].startswith(word) for name in each))
    return next(found, None)


def _dates(numbers: Sequence[str], month: int | None) -> tuple[Date, ...]:
    """Each way to read the numbers as a date of this month, or of the month that one of them is."""
    sizes, values = [len(number) == 4 for number in numbers], [int(number) for number in numbers]
    match sizes, values:
        case [], [] if month:
            found = [Date(None, month)]
        case [True], [year]:
            found = [Date(year, month)]
        case [False], [day] if month:
            found = [Date(None, month, day)]
        case [False, _], [day, year] if month:
            found = [Date(_full(year), month, day)]
        case [True, False], [year, day] if month:
            found = [Date(year, month, day)]
        case [True, False], [year, of_year]:
            found = [Date(year, of_year)]
        case [False, True], [of_year, year]:
            found = [Date(year, of_year)]
        case [True, False, False], [year, of_year, day] if not month:
            found = [Date(year, of_year, day)]
        case [False, False], [one, other]:
            found = [Date(None, other, one), Date(None, one, other)]
        case [False, False, _], [one, other, year] if not month:
            found = [Date(_full(year), other, one), Date(_full(year), one, other)]
        case _:
            found = []
    return tuple(each for each in found if (each.month or 1) in range(1, 13) and (each.day or 1) in range(1, 32))


def _full(year: int) -> int:
    return year if year > 99 else 2000 + year
