"""Transactions that change something, and the announcement of it to everybody who follows a topic.

All services write through `in_one_transaction`. Every writer locks in the same order: event, table, match (several by
id), club; then come the announcements, which take the locks of their topics at the end of the transaction.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

from scorekeeper import live
from scorekeeper.live.topics import Topic
from scorekeeper.models import Change, Event, Match, shown

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 5
SCREENED = (Event.Kind.NIGHT, Event.Kind.TOURNAMENT)  # the kinds of events whose big screens can show who stands better
# Of several transactions that wait for each other, PostgreSQL ends one, with one of these codes. It can start again.
TRY_AGAIN = ("40P01", "40001")
# A row gets its id after all turnstiles are passed, since it is made of the row that counts them.
AFTER_THE_TURNSTILES = """
    WITH turnstiles AS MATERIALIZED (
        SELECT pg_advisory_xact_lock(hashtextextended(topic, 0)) FROM unnest(%s::text[]) AS topic
    )
    INSERT INTO scorekeeper_change (topic, kind, match_id, length, at)
    SELECT topic, kind, match_id, length, at
    FROM (SELECT count(*) FROM turnstiles) AS passed,
        unnest(%s::text[], %s::text[], %s::bigint[], %s::int[], %s::timestamptz[])
        WITH ORDINALITY AS change (topic, kind, match_id, length, at, number)
    ORDER BY number
    RETURNING id
"""


@dataclass(slots=True)
class Announced:
    """A change that is written at the end of the transaction."""

    id: int = 0
    """The greatest id of its rows, known from then on."""
    then: list[Callable[[int], None]] = field(default_factory=list)
    """Called with the id, still within the transaction."""


Pending = list[tuple[Announced, list[Change]]]
_pending: ContextVar[Pending | None] = ContextVar("announcements", default=None)


def in_one_transaction(write: Callable[P, R]) -> Callable[P, R]:
    """A function whose changes are saved together or not at all, and announced last. It starts again if others got in
    its way. As a part of another such function it belongs to that transaction. It reads whole names."""

    @wraps(write)
    def begin(*args: P.args, **kwargs: P.kwargs) -> R:
        if _pending.get() is not None:
            return part(*args, **kwargs)
        for left in reversed(range(TRIES)):
            try:
                return whole(*args, **kwargs)
            except OperationalError as error:
                if not left or getattr(error.__cause__, "sqlstate", "") not in TRY_AGAIN:
                    raise
        raise AssertionError("The last try returns or raises.")

    def whole(*args: P.args, **kwargs: P.kwargs) -> R:
        pending: Pending = []
        token = _pending.set(pending)
        try:
            with transaction.atomic(), shown.showing(None):
                result = write(*args, **kwargs)
                _announce(pending)
            return result
        finally:
            _pending.reset(token)

    def part(*args: P.args, **kwargs: P.kwargs) -> R:
        pending = _pending.get()
        assert pending is not None
        before = len(pending)
        try:
            with transaction.atomic():
                return write(*args, **kwargs)
        except BaseException:
            del pending[before:]
            raise

    return begin


def announce(
    *,
    kind: str,
    club_id: int,
    now: datetime,
    table_id: int | None = None,
    match: Match | None = None,
    event: Event | None = None,
    screens: Event | None = None,
    minor: bool = False,
) -> Announced:
    """Announces a change under every topic that shows it, at the end of the transaction. `minor`: a step within a hand,
    which lists of matches do not show. `screens`: the event whose big screens show it nevertheless."""
    topics = [Topic("match", match.pk)] if match else []
    topics += [Topic("table", table_id)] if table_id else []
    if event and not minor:
        topics += [Topic.of_event(event)]
    screens = screens or event
    if screens and screens.kind in SCREENED:
        topics += [Topic("outlook", screens.pk)]
    if not minor:
        topics += [Topic("club", club_id)]
    pending = _pending.get()
    assert pending is not None, "Announce within a function that is in_one_transaction."
    about = {"kind": kind, "match_id": match and match.pk, "length": match.length if match else 0, "at": now}
    announced = Announced()
    pending.append((announced, [Change(topic=str(topic), **about) for topic in topics]))
    return announced


def _announce(pending: Pending) -> None:
    """Writes all changes of the transaction, and tells their ids.

    A row gets its id when it is written, but becomes visible when it is committed. Whoever asks for changes of a topic
    "newer than the last one" would miss the slower of two writers. So PostgreSQL lets only one writer at a time pass
    for each topic, from here to its commit; SQLite has only one writer anyway. Lock rows with `no_key` before: a change
    refers to its match, so inserting it would otherwise wait for a writer who waits here.
    """
    if not pending:
        return
    transaction.on_commit(live.wake)
    _write([change for _announced, changes in pending for change in changes])
    for announced, changes in pending:
        announced.id = max(change.pk for change in changes)
        for tell in announced.then:
            tell(announced.id)


def _write(changes: list[Change]) -> None:
    """Writes the changes and sets their ids. In one query, because every play waits for it."""
    if connection.vendor != "postgresql":
        Change.objects.bulk_create(changes)
        return
    # Sorted, so that two writers who share several topics do not wait for each other.
    topics = sorted({change.topic for change in changes})
    columns = ([getattr(change, name) for change in changes] for name in ("topic", "kind", "match_id", "length", "at"))
    with connection.cursor() as cursor:
        cursor.execute(AFTER_THE_TURNSTILES, [topics, *columns])
        for change, (pk,) in zip(changes, cursor.fetchall(), strict=True):
            change.pk = pk
