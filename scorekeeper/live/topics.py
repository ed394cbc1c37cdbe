"""What may be followed: a match, a table, a night, a club."""

from dataclasses import dataclass
from typing import Any, Self

from django.db.models import QuerySet

from scorekeeper.models import Club, Event, Match, Night, Table

KINDS = {"match": Match, "table": Table, "night": Night, "club": Club}
LISTS = frozenset({"night", "club"})  # topics that show many matches, and of each only how it stands


@dataclass(frozen=True, slots=True)
class Topic:
    """`kind` is a key of KINDS, `id` a primary key; written match:7."""

    kind: str
    id: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError for anything that is not written like match:7."""
        kind, _, number = text.partition(":")
        if kind not in KINDS or not (number.isascii() and number.isdigit() and len(number) < 19):
            raise ValueError(f"No such topic: {text!r}")
        return cls(kind, int(number))

    @classmethod
    def of(cls, event: Event) -> list[Self]:
        """Whose followers want to know of `event`."""
        ids = {"match": event.match_id, "table": event.table_id, "night": event.night_id, "club": event.club_id}
        return [cls(kind, id) for kind, id in ids.items() if id is not None and not (event.minor and kind in LISTS)]

    def exists(self) -> bool:
        """One query."""
        return bool(KINDS[self.kind].objects.filter(pk=self.id).exists())

    def events(self) -> QuerySet[Event]:
        """The newest first."""
        events = Event.objects.filter(**{self.kind: self.id}).order_by("-pk")
        return events.filter(minor=False) if self.kind in LISTS else events

    def newest(self) -> int:
        """The id of its last event, 0 when nothing happened yet. One query."""
        return self.events().values_list("pk", flat=True).first() or 0

    def state(self) -> dict[str, Any]:
        """What programs get: what happened last, and the match it happened to. Two queries."""
        event = self.events().select_related("match").first()
        match = event.match if event else None
        if match is None and self.kind in ("match", "table"):
            match = Match.objects.filter(**{"pk" if self.kind == "match" else "table": self.id}).order_by("pk").last()
        state: dict[str, Any] = {"topic": str(self), "kind": event.kind if event else None}
        if match:
            keys = ("length", "status", "sheet")
            state |= {"match": match.pk} | {key: getattr(match, key) for key in keys}
        return state
