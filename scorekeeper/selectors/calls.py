"""Reading the calls for a host."""

from django.db.models import QuerySet

from scorekeeper.models import Call


def open_calls(club_id: int) -> QuerySet[Call]:
    """The club's open calls, the oldest first, with table, match and the host who is on the way. One query."""
    return Call.objects.filter(club_id=club_id, settled_at=None).select_related("table", "match", "seen_by")


def call_at(table_id: int, match_id: int | None) -> Call | None:
    """What the table shows of its calls: the open one, else the last one of its current match, if a host settled it.
    One query, and another one if a host is on the way or settled it."""
    newest = Call.objects.filter(table=table_id).order_by("-pk").first()
    if newest is None or newest.settled_at is None:
        return newest
    return newest if newest.settled_by_id and newest.match_id == match_id else None


def open_call(table_id: int) -> Call | None:
    """The table's open call. One query, and another one if a host is on the way."""
    return Call.objects.filter(table=table_id, settled_at=None).first()
