"""Calendars for tests, read as a program does."""

import re


def appointments(text: str) -> list[dict[str, str]]:
    """The appointments of a calendar, read as RFC 5545 says."""
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")
    assert (lines[0], lines[-2:]) == ("BEGIN:VCALENDAR", ["END:VCALENDAR", ""])
    found: list[dict[str, str]] = []
    for line in lines:
        name, _colon, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found:
            found[-1][name] = re.sub(r"\\(.)", lambda each: "\n" if each[1] == "n" else each[1], value)
    return found
