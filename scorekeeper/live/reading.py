"""Reads every change once, as soon as it is committed."""

from typing import NamedTuple

from django.db import connection

from scorekeeper.models import Change


class Read(NamedTuple):
    id: int
    topic: str
    kind: str


class NewChanges:
    """The changes since the last reading, or since it was made.

    On PostgreSQL, writers commit in another order than they got their ids. So a reading begins where the oldest writer
    of the last one was still busy, and leaves out what it has read already. On SQLite, ids grow as changes are
    committed.
    """

    def __init__(self) -> None:
        self._by = "transaction" if connection.vendor == "postgresql" else "id"
        self._since = self._horizon()
        self._known: set[int] = set()
        self.read()  # while another writer is busy, this finds changes from before

    def read(self) -> list[Read]:
        """By id. Two queries."""
        horizon = self._horizon()
        rows = list(
            Change.objects.filter(**{f"{self._by}__gte": self._since})
            .order_by("pk")
            .values_list("pk", "topic", "kind", self._by)
        )
        new = [Read(pk, topic, kind) for pk, topic, kind, _number in rows if pk not in self._known]
        self._since, self._known = horizon, {pk for pk, _topic, _kind, number in rows if number >= horizon}
        return new

    def _horizon(self) -> int:
        """Every committed change with a smaller number is visible from now on, and no other will get one."""
        with connection.cursor() as cursor:
            if self._by == "transaction":
                cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
            else:
                cursor.execute("SELECT coalesce(max(id), 0) + 1 FROM scorekeeper_change")
            return int(cursor.fetchone()[0])
