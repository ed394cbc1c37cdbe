"""Dates for calendar programs, as iCalendar (RFC 5545)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

LONGEST = 75  # bytes of a line
PRODUCT = "-//Scorekeeper//Leagues//EN"


@dataclass(frozen=True, slots=True)
class Appointment:
    uid: str
    """The same for the same appointment, wherever it moves to."""
    changes: int
    """How often it changed."""
    at: datetime | date
    """Without a time: the whole day."""
    lasts: timedelta
    title: str
    about: str = ""
    where: str = ""
    status: str = "CONFIRMED"
    """Or TENTATIVE or CANCELLED."""


def uid(*names: object) -> str:
    """That of the appointment with these names, one inside the other."""
    return str(uuid5(NAMESPACE_URL, "/".join(map(str, names))))


def calendar(name: str, appointments: Iterable[Appointment], now: datetime) -> str:
    """The calendar with lines of at most 75 bytes."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", "METHOD:PUBLISH", f"X-WR-CALNAME:{_text(name)}"]
    for each in appointments:
        lines += _event(each, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _event(each: Appointment, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{each.uid}"
    yield f"SEQUENCE:{each.changes}"
    yield f"DTSTAMP{_moment(now)}"
    yield f"DTSTART{_moment(each.at)}"
    yield f"DTEND{_moment(each.at + each.lasts)}"
    yield f"STATUS:{each.status}"
    yield f"SUMMARY:{_text(each.title)}"
    if each.about:
        yield f"DESCRIPTION:{_text(each.about)}"
    if each.where:
        yield f"LOCATION:{_text(each.where)}"
    yield "END:VEVENT"


def _moment(at: datetime | date) -> str:
    return f":{at.astimezone(UTC):%Y%m%dT%H%M%SZ}" if isinstance(at, datetime) else f";VALUE=DATE:{at:%Y%m%d}"


def _text(value: str) -> str:
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return value


def _folded(line: str) -> Iterator[str]:
    """The line in parts; all but the first begin with a space. No character is cut."""
    part = ""
    for character in line:
        if len(f"{part}{character}".encode()) > LONGEST:
            yield part
            part = " "
        part += character
    yield part
