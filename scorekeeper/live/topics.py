"""What can be followed: the first page, a club, an event, a table, a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.db import connection
from django.db.models import QuerySet

from scorekeeper.models import Change, Club, Event, Match, Table
from scorekeeper.models.change import OUTLOOK

# In SQL, because every play and every page asks this: Django takes longer to make the question than the database to
# answer it.
NEWEST = "SELECT id FROM scorekeeper_change WHERE topic = %s ORDER BY id DESC LIMIT 1 OFFSET %s"
# For each kind of topic, the rows that can be followed.
KINDS: Mapping[str, QuerySet[Any]] = {
    "match": Match.objects.all(),
    "table": Table.objects.all(),
    "club": Club.objects.all(),
    **{kind: Event.objects.filter(kind=kind) for kind in Event.Kind.values},
    "outlook": Event.objects.all(),  # big screens that also show who stands better
}

INITIALS = {kind: "initials" if kind == "club" else "club__initials" for kind in KINDS}


@dataclass(frozen=True, slots=True)
class Topic:
    """`kind` is one of KINDS, `id` a primary key; written match:7. The topic of an event has its kind."""

    kind: str
    id: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """A topic written like match:7; ValueError for anything else."""
        kind, _, number = text.partition(":")
        if kind not in KINDS or not (number.isascii() and number.isdigit() and len(number) < 19):
            raise ValueError(f"No such topic: {text!r}")
        return cls(kind, int(number))

    @classmethod
    def read(cls, written: str) -> Self:
        """The topic of a change, which is always well written."""
        kind, _, number = written.partition(":")
        return cls(kind, int(number))

    @classmethod
    def of_event(cls, event: Event) -> Self:
        return cls(event.kind, event.pk)

    def initials(self) -> Mapping[str, str]:
        """By name, what the public reads instead. One query."""
        found: Mapping[str, str] | None = (
            KINDS[self.kind].filter(pk=self.id).values_list(INITIALS[self.kind], flat=True).first()
        )
        return found or {}

    def changes(self) -> QuerySet[Change]:
        """The newest first."""
        return Change.objects.filter(topic=str(self)).order_by("-pk")

    def newest(self) -> int:
        """The id of its last change, 0 before the first. One query."""
        return self._newest(0)

    def before_newest(self) -> int:
        """The id of the change before its last one, 0 if there is none. One query."""
        return self._newest(1)

    def _newest(self, skipped: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute(NEWEST, [str(self), skipped])
            row = cursor.fetchone()
        return row[0] if row else 0

    def state(self) -> dict[str, Any]:
        """The state for programs: the last change, and its match. At most three queries."""
        change = self.changes().exclude(kind=OUTLOOK).first()
        match = Match.objects.filter(pk=change.match_id).first() if change and change.match_id else None
        if match is None and self.kind in ("match", "table"):
            match = Match.objects.filter(**{"pk" if self.kind == "match" else "table": self.id}).order_by("pk").last()
        state: dict[str, Any] = {"topic": str(self), "kind": change.kind if change else None}
        if match:
            keys = ("length", "status", "sheet")
            state |= {"match": match.pk} | {key: getattr(match, key) for key in keys}
        return state
