"""Changes, the only thing that live pages wait for."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.expressions import Func
from django.db.models.sql.compiler import SQLCompiler

from scorekeeper.models.match import Match

# The kind of a change that only pages of spectators show: who stands better.
OUTLOOK = "outlook"


class CurrentTransaction(Func):
    """The number of the writing transaction on PostgreSQL, greater than that of every transaction that was over when it
    began; 0 on SQLite, where transactions come one after another."""

    template = "0"
    output_field = models.BigIntegerField()

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, Sequence[Any]]:
        return self.as_sql(compiler, connection, template="pg_current_xact_id()::text::bigint", **context)


class Change(models.Model):
    """A change in one topic, written last in its transaction, with one row for each topic that shows it.

    A topic is a text such as `match:7` (see `scorekeeper.live.topics`). The ids of a topic grow in the order in which
    its rows become visible. Those of different topics need not, because their writers do not wait for each other.
    """

    topic = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    # The match that changed, and its number of entries after the change.
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, db_index=False, related_name="+")
    length = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()
    transaction = models.BigIntegerField(db_default=CurrentTransaction(), editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["topic", "id"], name="change_by_topic"),
            models.Index(fields=["transaction"], condition=Q(transaction__gt=0), name="change_by_transaction"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.topic} {self.kind}"
