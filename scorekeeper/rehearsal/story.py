"""A rehearsed day as a story: what happens when, and what the director does."""

from enum import StrEnum
from typing import NamedTuple

from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.phases import Day, Seat
from scorekeeper.rehearsal.playing import SETTLING, WAITING, Trouble, What
from scorekeeper.rehearsal.timetable import Sitting, Timetable

FOUND_AFTER = 5 * MINUTE
"""How long after a round ended, or the next one began, somebody tells the desk of a wrong result."""


class Event(StrEnum):
    BEGINS = "begins"
    """A round begins."""
    ENDS = "ends"
    """The last result of a round is there."""
    OVER = "over"
    """A table is over."""
    WENT_WRONG = "went-wrong"
    """And the director acts at the desk."""
    CORRECTED = "corrected"
    """The wrong result is corrected."""


class Happening(NamedTuple):
    at: int
    """In seconds from the start."""
    event: Event
    round: int
    """From 1, among all rounds of the tournament."""
    seat: Seat | None = None
    """The table in the round."""
    hall: int | None = None
    """The number of the table in the hall."""
    trouble: Trouble | None = None


def story(day: Day, times: Timetable) -> list[Happening]:
    """In the order in which it happens."""
    numbers = [each.number for each in day.rounds]
    at = {(numbers[each.round], [*day.rounds[each.round].contests][each.contest]): each for each in times.sittings}
    told = [
        happening
        for number, (begin, end) in zip(numbers, times.rounds, strict=True)
        for happening in (Happening(begin, Event.BEGINS, number), Happening(end, Event.ENDS, number))
    ]
    told += [Happening(each.end, Event.OVER, number, seat, each.table) for (number, seat), each in at.items()]
    for part, trouble in day.troubles:
        number = day.number_of(part, trouble.round)
        seat = None if trouble.table is None else Seat(part, trouble.table)
        begin, _end = times.rounds[numbers.index(number)]
        sitting = None if seat is None else at[number, seat]
        hall = sitting and sitting.table
        told.append(Happening(_noticed(trouble, begin, sitting), Event.WENT_WRONG, number, seat, hall, trouble))
        if trouble.what is What.WRONG:
            of = day.parts[part]
            before_the_draw = of.programme.knock_out or trouble.round == of.rounds[-1].number
            found = _found(numbers.index(number), times, before_the_draw=before_the_draw)
            told.append(Happening(found, Event.CORRECTED, number, seat, hall, trouble))
    order = [Event.BEGINS, Event.WENT_WRONG, Event.CORRECTED, Event.OVER, Event.ENDS]
    return sorted(told, key=lambda each: (each.at, each.round, order.index(each.event), each.seat or (0, 0)))


def _noticed(trouble: Trouble, begin: int, sitting: Sitting | None) -> int:
    """When the director acts."""
    if sitting is None:
        return begin + trouble.seconds
    match trouble.what:
        case What.WRONG:
            return sitting.end
        case What.DISPUTED:
            return sitting.end - SETTLING
        case What.LATE:
            return sitting.begin + trouble.seconds
        case _:
            return sitting.begin + WAITING


def _found(at: int, times: Timetable, *, before_the_draw: bool) -> int:
    """When a wrong result is corrected: in a knock-out, and in the last round of a stage, in the pause after the round;
    else while the next one is played."""
    _begin, end = times.rounds[at]
    following = [begin for begin, _end in times.rounds[at + 1 : at + 2]]
    if before_the_draw:
        return min([end + FOUND_AFTER, *(begin for begin in following if begin >= end)])
    return max(following[0] + FOUND_AFTER, end)
