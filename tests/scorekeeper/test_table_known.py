"""A table is not read again after an entry, unless something else changed as well."""

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper.access import Actor
from scorekeeper.live import Topic
from scorekeeper.models import Match, Table
from scorekeeper.selectors.tables import TableNow, table_at
from scorekeeper.services import calls, events, matches, recording, tables
from tests.conftest import NOW, Cast, plan_for
from tests.nights import at, night_of, played

# What is known is kept when its transaction is committed.
pytestmark = pytest.mark.django_db(transaction=True)
BLOCK = {"game": "block", "options": {}, "players": ["Ana", "Bo"], "by": Actor(), "now": NOW}


def open_block(table: Table) -> Match:
    return matches.open_match(table=table, **BLOCK)


def play(match: Match) -> None:
    seen = match.log.count()
    entry = plan_for("block")[seen]
    recording.record(match_id=match.pk, seen=seen, key=f"k{seen}", entry=entry, by=Actor(), now=NOW)


def now_at(table: Table) -> TableNow:
    return table_at(table.pk, Topic("table", table.pk).newest())


def written(now: TableNow) -> dict[str, Any]:
    """Every column that pages read, of the table, its match and its call."""
    rows = {"table": now.table, "match": now.match, "call": now.call}
    return {
        f"{name}.{field.attname}": getattr(row, field.attname)
        for name, row in rows.items()
        if row is not None
        for field in row._meta.concrete_fields
    }


def from_the_database(table: Table) -> dict[str, Any]:
    newest = Match.objects.filter(table=table).order_by("pk").last()
    call = table.calls.filter(settled_at=None).first()
    return written(TableNow(Table.objects.get(pk=table.pk), newest, call))


def test_after_an_entry_nothing_is_read(cast: Cast, django_assert_num_queries: Any) -> None:
    match = open_block(cast.table)
    now_at(cast.table)
    for number in range(1, 6):
        play(match)
        newest = Topic("table", cast.table.pk).newest()
        with django_assert_num_queries(0):
            now = table_at(cast.table.pk, newest)
        assert now.match is not None
        assert now.match.length == number
        assert written(now) == from_the_database(cast.table)


def call_host(table: Table, match: Match) -> None:
    calls.call(table=table, match=match, name="Ana", why="", now=NOW)


def close(table: Table, match: Match) -> None:
    tables.table_set_open(table=table, is_open=False, now=NOW)


def give_more_time(table: Table, match: Match) -> None:
    matches.give_minutes(match_id=match.pk, minutes=30, now=NOW)


def begin_another(table: Table, match: Match) -> None:
    matches.open_match(table=table, parallel=True, **BLOCK)


@pytest.mark.parametrize("change", [call_host, close, give_more_time, begin_another])
def test_what_changed_before_the_entry_is_seen(cast: Cast, change: Callable[[Table, Match], None]) -> None:
    match = open_block(cast.table)
    now_at(cast.table)
    change(cast.table, match)  # another phone, and nobody has drawn the table since
    play(match)
    assert written(now_at(cast.table)) == from_the_database(cast.table)


def test_the_end_of_the_night_is_known_at_every_table(cast: Cast) -> None:
    night = night_of(cast, 8)
    ended, going = (match.table for match in night.matches.order_by("pk"))
    assert ended
    assert going
    played(night.matches.get(table=ended))

    def closed() -> set[bool]:
        events_there = [now.match.event for now in map(now_at, (ended, going)) if now.match]
        return {event is not None and event.closed_at is not None for event in events_there}

    assert closed() == {False}
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    assert closed() == {True}
    events.undo(event_id=night.pk, step=at(night, "undo"))
    assert closed() == {False}


def test_a_correction_of_an_earlier_match_leaves_the_current_one(cast: Cast) -> None:
    earlier = open_block(cast.table)
    begin_another(cast.table, earlier)
    now_at(cast.table)
    play(earlier)
    assert written(now_at(cast.table)) == from_the_database(cast.table)
