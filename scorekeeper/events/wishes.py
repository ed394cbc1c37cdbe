"""What directors wish of a schedule for their entrants, by start number."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, get_args

from scorekeeper.events.rounds import Impossible

What = Literal["apart", "table", "present", "meet", "bye"]
KINDS: tuple[What, ...] = get_args(What)


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish. Rounds and tables have their numbers, from 1."""

    what: What
    """Entrants do not meet; an entrant sits at a ``table``, or plays only in some rounds. In a Swiss tournament, in the
    ``first`` round an entrant has a ``bye``, or entrants have a table, where they sit in this order."""
    entrants: tuple[int, ...]
    first: int = 1
    last: int | None = None
    """The rounds it is for; None: to the end."""
    table: int = 0

    def is_away(self, number: int) -> bool:
        """Whether the entrant asks not to play in the round with this number."""
        if self.what == "bye":
            return number == self.first
        return self.what == "present" and not self.first <= number <= (self.last or number)

    def after(self, rounds: int) -> Self | None:
        """The wish with the numbers that rounds have after the first `rounds`; None if it is for none of them."""
        last = None if self.last is None else self.last - rounds
        if (last is not None and last < 1) or (self.what in ("bye", "meet") and self.first <= rounds):
            return None
        return replace(self, first=max(self.first - rounds, 1), last=last)

    @property
    def about(self) -> tuple[object, ...]:
        """Two wishes about the same exclude each other."""
        return self.what, frozenset(self.entrants), self.first if self.what in ("bye", "meet") else None

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        """Impossible "not-two" or "leaves-first"."""
        entrants, last = tuple(value["entrants"]), value.get("last")
        wish = cls(value["what"], entrants, value.get("first", 1), last, value.get("table", 0))
        if len(set(entrants)) < len(entrants) or len(entrants) < (2 if wish.what in ("apart", "meet") else 1):
            raise Impossible("not-two")
        if last is not None and last < wish.first:
            raise Impossible("leaves-first")
        return wish

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "entrants": list(self.entrants),
            "first": self.first,
            "last": self.last,
            "table": self.table,
        }
