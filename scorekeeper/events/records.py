"""What a tournament keeps besides its rounds: about entrants, penalties, categories, corrections."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Self

from scorekeeper.schedule.seating import Seating

Place = tuple[int, int]
"""A round, from 1, and the number of a table."""


@dataclass(frozen=True, slots=True)
class About:
    """What people want to know about an entrant."""

    name: str = ""
    """Empty: the names of the players."""
    club: str = ""
    rating: int | None = None


class Category(NamedTuple):
    """Some of the entrants, who have a table of their own: the newcomers, the juniors."""

    name: str
    entrants: frozenset[int]
    """Their start numbers."""

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "entrants": sorted(self.entrants)}


class Advance(NamedTuple):
    """The order in which equal entrants of a stage go on to the finals."""

    stage: int
    """Its number, from 0."""
    entrants: tuple[int, ...]
    """Their start numbers."""
    lots: str = ""
    """The word by which lots decided, as they do in standings (docs/tournament.md); "" if they did not."""
    why: str = ""
    """What else decided."""

    def as_json(self) -> dict[str, Any]:
        how = {"lots": self.lots, "why": self.why}
        return {"entrants": list(self.entrants), **{name: text for name, text in how.items() if text}}


class Proposed(NamedTuple):
    """Rounds to come, and the numbers of their tables."""

    plan: tuple[Seating, ...]
    tables: tuple[int, ...]
    later: tuple[Seating, ...] = ()
    """As in `Planned`."""


class Noted(NamedTuple):
    """A result that was corrected, with the note that says why."""

    round: int
    table: int
    at: datetime
    why: str
    by: str
    """The name of who corrected it; "" if nobody was signed in."""
    old: tuple[int, ...] = ()
    """The total of each side before; empty if nobody knows."""
    new: tuple[int, ...] = ()
    """Empty if the result was set aside."""
    swapped: tuple[int, ...] = ()
    """The start numbers of two who changed places with it."""

    def as_json(self) -> dict[str, Any]:
        lists = {name: list(getattr(self, name)) for name in _LISTS}
        return {**self._asdict(), "at": self.at.isoformat(), **lists}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        at = datetime.fromisoformat(value["at"])
        lists = (tuple(value.get(name, ())) for name in _LISTS)
        return cls(value["round"], value["table"], at, value["why"], value.get("by", ""), *lists)


_LISTS = ("old", "new", "swapped")  # of a note
