"""Telling everybody who follows that something changed."""

from datetime import datetime

from django.db import connection, transaction

from scorekeeper import live
from scorekeeper.models import Event

# Any number, as long as nothing else in the database uses it.
TURNSTILE = 0x5C0E


def announce(
    *,
    kind: str,
    club_id: int,
    now: datetime,
    table_id: int | None = None,
    match_id: int | None = None,
    night_id: int | None = None,
    length: int = 0,
    minor: bool = False,
) -> int:
    """Writes the event of a change, and tells its number. Call it last in the transaction that makes the change.
    `minor`: nothing that lists of matches show is another one.

    Ids are given out when a row is written but seen when it is committed; a follower who reads "newer than
    the last I saw" would miss the slower of two. So writers pass one by one from here to their commit. SQLite
    has but one writer at any time. Who locks rows before, locks them with `no_key`: the event refers to them,
    and would wait for a writer who waits here.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TURNSTILE])
    event = Event.objects.create(
        kind=kind,
        club_id=club_id,
        table_id=table_id,
        match_id=match_id,
        night_id=night_id,
        length=length,
        minor=minor,
        at=now,
    )
    transaction.on_commit(live.wake)
    return event.pk
