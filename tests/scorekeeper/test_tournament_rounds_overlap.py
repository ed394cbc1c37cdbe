"""One round after the other: the next one begins while a table still plays, or while results are not confirmed."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import state_of
from scorekeeper.services import directing, events
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import Cast, enter
from tests.nights import at
from tests.scorekeeper.test_tournament_day import desk_of
from tests.tournaments import played, released, scheduled, setup_of

Host = Callable[[str], Client]


# --- a round begins while a table still plays -----------------------------------------------------------------------
def test_the_next_round_begins_while_a_table_still_plays(cast: Cast, as_user: Host) -> None:
    """Free tables start at once. The others are open too, but their clock waits for those who still play."""
    event = scheduled(cast, setup_of("block", "heads", minutes=30), 6)
    last, *others = released(event)
    for match in others:
        played(match)
    late = [seat.name for seat in last.seats.all()]
    host = desk_of(event, as_user("director")).press("Start the clock").press("Draft the next round")
    assert all(f"{name} (table 1)" in host.words for name in late)
    assert "You can release the round now" in host.words
    host.press("Release round 2")
    assert host.status == 200, host.words
    second = {match: {seat.name for seat in match.seats.all()} for match in event.matches.filter(round=2)}
    waiting = [match for match, names in second.items() if not names.isdisjoint(late)]
    assert (len(second), len(waiting)) == (3, 2)
    assert last.table not in [match.table for match in second]
    assert events.call_last_hand(event_id=event.pk, step=at(event, "last hand")) == [last], "only in the round before"
    events.undo(event_id=event.pk, step=at(event, "undo the last hand"))
    host.open(host.path)
    for page in (host, Browser().open(f"/tournaments/{event.pk}/"), Browser().open(f"/tournaments/{event.pk}/screen/")):
        assert f"waits for {late[0]} (table 1)" in page.words, page.path
    seats = Browser().open(f"/tournaments/{event.pk}/seats/?player={last.seats.all()[0].player_id}")
    assert "Table 1" in seats.words
    host.press("Start the clock")
    for match in second:
        match.refresh_from_db()
    assert [clock_of(match).waits for match in second] == [match in waiting for match in second]
    assert not host.has_button("Start the clock"), "nobody else is free"
    assert host.has_button("Pause the clock")
    for match in second.keys() - waiting:
        played(match)
    with pytest.raises(Refused, match="wait for somebody who still plays"):
        directing.set_clock(event_id=event.pk, do="run", round_number=2, step=at(event, "again"))
    played(last)
    host.open(host.path)
    assert "waits for" not in host.words
    host.press("Start the clock")
    for match in waiting:
        match.refresh_from_db()
        assert not clock_of(match).waits
        played(match)
    assert "All results are in." in host.open(host.path).words


def test_the_clock_of_a_table_that_waits_does_not_run(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=30, clock_waits=False), 4)
    released(event)
    second = released(event)
    assert all(clock_of(match).waits for match in second)
    assert {match.table.number for match in second if match.table}.isdisjoint({1, 2})
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert event.matches.count() == 2


# --- results that wait for confirmation --------------------------------------------------------------------
def of_two_confirming(cast: Cast) -> tuple[Event, Match]:
    """A round robin of four with two confirming seats, its first round played, and table 1, which waits."""
    event = scheduled(cast, setup_of("block", "heads", confirm=2), 4)
    waits, other = sorted(released(event), key=lambda match: match.pk)
    for match in (waits, other):
        played(match)
    by = Actor(cast.users["scorer"])
    enter(other, [{"kind": "confirm", "seats": [0, 1]}], by=by, prefix="yes")
    waits.refresh_from_db()
    return event, waits


def test_the_desk_names_tables_that_wait_and_asks_once_before_the_next_round(cast: Cast, as_user: Host) -> None:
    event, match = of_two_confirming(cast)
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert "1 result is not confirmed" in desk.words
    assert "All results are in." not in desk.words
    desk.press("Draft the next round")
    question = "The result of table 1 of round 1 is not confirmed."
    assert question not in desk.words
    desk.press("Release round 2")
    assert (desk.status, question in desk.words) == (422, True)
    assert len(state_of(event).rounds) == 1
    desk.press("Release round 2")
    assert len(state_of(event).rounds) == 2
    assert desk.words.count("Results not confirmed") == 1, "also of the round before"
    desk.press("Confirm for everybody")
    assert desk.path == f"/tournaments/{event.pk}/desk/"
    assert "Results not confirmed" not in desk.words
    match.refresh_from_db()
    assert match.sheet["confirmed"] == [0, 1]


def test_the_desk_asks_once_before_it_closes_with_a_result_that_waits(cast: Cast, as_user: Host) -> None:
    event, match = of_two_confirming(cast)
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert "What should happen to" not in desk.words, "no match is in play"
    desk.press("Close the tournament", early="yes")
    assert (desk.status, "The result of table 1 of round 1 is not confirmed." in desk.words) == (422, True)
    assert Event.objects.get(pk=event.pk).closed_at is None
    desk.press("Close the tournament", early="yes")
    assert Event.objects.get(pk=event.pk).closed_at
    for paper in ("standings", "prizes"):
        assert "1 result is not confirmed" in desk.open(f"/tournaments/{event.pk}/print/{paper}/").words, paper
        assert "provisional" not in desk.words, "the director has closed it"
    assert "final 1 result is not confirmed" in desk.open(f"/tournaments/{event.pk}/").words
    desk.open(f"/tournaments/{event.pk}/desk/").press("Confirm for everybody")
    match.refresh_from_db()
    assert match.sheet["confirmed"] == [0, 1]
    for page in ("print/prizes", "desk"):
        assert "not confirmed" not in desk.open(f"/tournaments/{event.pk}/{page}/").words


def test_a_disputed_result_is_asked_about_too(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 2)
    [match] = released(event)
    played(match)
    match.refresh_from_db()
    enter(match, [{"kind": "dispute", "seat": 0}], by=Actor(cast.users["scorer"]), prefix="no")
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").press("Close the tournament")
    assert "The result of table 1 of round 1 is not confirmed." in desk.words
    assert not desk.has_button("Confirm for everybody"), "somebody says that it is wrong"
    desk.press("The score stays")
    assert "Results not confirmed" not in desk.words
    match.refresh_from_db()
    assert "disputed" not in match.sheet
