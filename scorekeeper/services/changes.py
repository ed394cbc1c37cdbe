"""Announces changes to everybody who follows a topic."""

from datetime import datetime
from typing import Any

from django.db import connection, transaction

from scorekeeper import live
from scorekeeper.live.topics import HOME, Topic
from scorekeeper.models import Change, Event, Match

# Any number, as long as nothing else in the database uses it.
TURNSTILE = 0x5C0E
# A row gets its id when it is made, and it is made from the row of the turnstile.
AFTER_THE_TURNSTILE = """
    WITH turnstile AS MATERIALIZED (SELECT pg_advisory_xact_lock(%(turnstile)s))
    INSERT INTO scorekeeper_change (topic, kind, match_id, length, at)
    SELECT topic, %(kind)s, %(match_id)s::bigint, %(length)s, %(at)s::timestamptz
    FROM turnstile, unnest(%(topics)s::text[]) AS topic
    RETURNING id
"""


def announce(
    *,
    kind: str,
    club_id: int,
    now: datetime,
    table_id: int | None = None,
    match: Match | None = None,
    event: Event | None = None,
    minor: bool = False,
) -> int:
    """Writes a change under every topic that shows it, and returns the greatest id. Call it last in the transaction
    that makes the change, after every lock. `minor`: a step within a hand, which lists of matches do not show.

    A row gets its id when it is written, but becomes visible when it is committed. A follower who asks for changes
    "newer than the last one" would miss the slower of two writers. So PostgreSQL lets only one writer at a time pass
    from here to its commit; SQLite has only one writer anyway. Lock rows with `no_key` before: a change refers to its
    match, so inserting it would otherwise wait for a writer who waits here.
    """
    topics = [Topic("match", match.pk)] if match else []
    topics += [Topic("table", table_id)] if table_id else []
    if not minor:
        topics += [Topic.of_event(event)] if event else []
        topics += [Topic("club", club_id), HOME]
    written = [str(topic) for topic in topics]
    transaction.on_commit(live.wake)
    return _write(written, kind=kind, match_id=match and match.pk, length=match.length if match else 0, at=now)


def _write(topics: list[str], **what: Any) -> int:
    """In one query, because every play waits for it."""
    if connection.vendor != "postgresql":
        return max(row.pk for row in Change.objects.bulk_create(Change(topic=topic, **what) for topic in topics))
    with connection.cursor() as cursor:
        cursor.execute(AFTER_THE_TURNSTILE, {"turnstile": TURNSTILE, "topics": topics, **what})
        return max(int(pk) for (pk,) in cursor.fetchall())
