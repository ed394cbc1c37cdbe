"""The page of a table's codes and phones, for hosts."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.models import Club, Pad, Table
from scorekeeper.selectors.devices import Code, codes_of, phones_of


@dataclass(frozen=True, slots=True)
class DevicesPage:
    club: Club
    table: Table
    codes: list[Code]
    phones: list[Pad]


def devices_page(table: Table, now: datetime) -> DevicesPage:
    """Two queries."""
    return DevicesPage(club=table.club, table=table, codes=codes_of(table, now=now), phones=phones_of(table))
