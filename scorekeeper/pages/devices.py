"""The page of a table's codes and phones, for hosts."""

from dataclasses import dataclass

from scorekeeper.models import Club, Pad, Table
from scorekeeper.selectors.devices import Code, codes_of, phones_of


@dataclass(frozen=True, slots=True)
class DevicesPage:
    club: Club
    table: Table
    codes: list[Code]
    phones: list[Pad]


def devices_page(table: Table) -> DevicesPage:
    """Two queries."""
    return DevicesPage(club=table.club, table=table, codes=codes_of(table), phones=phones_of(table))
