"""Calling the host: a table has one open call, however often somebody taps."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from games.errors import Malformed
from scorekeeper.access import Actor
from scorekeeper.live import parts
from scorekeeper.models import Call, Change, Event, Pad, Table
from scorekeeper.selectors.calls import open_call, open_calls
from scorekeeper.services import calls, events, tables
from tests.browsing import Browser
from tests.conftest import NOW, Cast, last_change
from tests.nights import at, night_of
from tests.scorekeeper.test_concurrency import together

LATER = NOW + timedelta(minutes=3)


def called(cast: Cast, why: str = "", name: str = "") -> Call:
    return calls.call(table=cast.table, match=None, name=name, why=why, now=NOW)


# --- the service ---------------------------------------------------------------------------------------------
def test_a_table_that_calls_again_has_not_called_twice(cast: Cast) -> None:
    first = called(cast, name="Ana")
    again = calls.call(table=cast.table, match=None, name="", why="", now=LATER)
    assert (again.pk, again.asked_at, again.name) == (first.pk, NOW, "Ana")
    assert Change.objects.filter(kind="call", topic=f"table:{cast.table.pk}").count() == 1


def test_a_new_reason_is_kept_and_told(cast: Cast) -> None:
    first = called(cast, "a rule", "Ana")
    calls.call(table=cast.table, match=cast.open("draw"), name="Bo", why="  a missing  tile ", now=LATER)
    found = open_call(cast.table.pk)
    assert found
    assert (found.pk, found.why, found.name, found.asked_at) == (first.pk, "a missing tile", "Bo", NOW)
    assert found.match
    assert Change.objects.filter(kind="call", topic=f"table:{cast.table.pk}").count() == 2


def test_the_first_host_on_the_way_stays(cast: Cast) -> None:
    call = called(cast)
    calls.see(call_id=call.pk, by=Actor(cast.users["director"]), now=LATER)
    calls.see(call_id=call.pk, by=Actor(cast.users["owner"]), now=LATER)
    call.refresh_from_db()
    assert (call.seen_at, call.seen_by) == (LATER, cast.users["director"])
    assert Change.objects.filter(kind="call", topic=f"table:{cast.table.pk}").count() == 2


def test_a_settled_call_is_gone_and_the_next_one_is_another(cast: Cast) -> None:
    call = called(cast)
    for _ in range(2):
        calls.settle(call_id=call.pk, now=LATER)
    assert open_call(cast.table.pk) is None
    calls.see(call_id=call.pk, by=Actor(cast.users["owner"]), now=LATER)
    call.refresh_from_db()
    assert (call.settled_at, call.seen_at) == (LATER, None)
    assert called(cast).pk != call.pk


def test_a_call_is_announced_to_the_table_the_club_and_the_open_night(cast: Cast) -> None:
    Event.objects.create(club=cast.club, kind="night", started_at=NOW, closed_at=NOW)
    night = Event.objects.create(club=cast.club, kind="night", started_at=NOW)
    called(cast)
    kind, topics = last_change()
    assert kind == "call"
    own = {f"{topic}:{night.pk}" for topic in ("night", "outlook")}
    assert topics == {f"table:{cast.table.pk}", f"club:{cast.club.pk}", *own}


@pytest.mark.parametrize("why", ["x" * 201, "a\0b"])
def test_a_reason_that_cannot_be_kept_is_refused(cast: Cast, why: str) -> None:
    with pytest.raises(Malformed):
        called(cast, why)
    assert not Call.objects.exists()


def test_the_calls_of_a_club_cost_one_query(cast: Cast, django_assert_num_queries) -> None:
    for table in (cast.other_table, cast.table):
        call = calls.call(table=table, match=None, name="", why="", now=NOW)
        calls.see(call_id=call.pk, by=Actor(cast.users["owner"]), now=NOW)
    with django_assert_num_queries(1):
        assert [(call.table.number, str(call.seen_by)) for call in open_calls(cast.club.pk)] == [
            (2, "owner"),
            (1, "owner"),
        ]


@pytest.mark.django_db(transaction=True)
def test_many_phones_that_call_at_once_made_one_call(cast: Cast) -> None:
    found = together(lambda number: called(cast, f"reason {number}").pk, 8)
    assert len(set(found)) == Call.objects.count() == 1


# --- the pages -------------------------------------------------------------------------------------------------
def test_the_streams_of_table_and_hosts_say_each_step(cast: Cast) -> None:
    def drawn() -> tuple[str, str, str]:
        assert get_resolver().url_patterns  # importing the views registers the renderers of their parts
        drawing = parts.renderers
        table, club = cast.table.pk, cast.club.pk
        return drawing["pad"]("table", table), drawing["elsewhere"]("table", table), drawing["calls"]("club", club)

    _pad, _elsewhere, quiet = drawn()
    call = called(cast, "a rule", "Ana")
    pad, elsewhere, first = drawn()
    assert ("Called at" in pad, "a rule</span>" in pad) == (True, True)
    assert ("Called at" in elsewhere, "a rule</span>" in elsewhere) == (True, False)
    assert ("a rule" in first, "Ana" in first) == (False, False)
    calls.see(call_id=call.pk, by=Actor(cast.users["director"]), now=LATER)
    pad, elsewhere, seen = drawn()
    assert ("director is on the way" in pad, "director is on the way" in elsewhere) == (True, True)
    calls.settle(call_id=call.pk, now=LATER)
    pad, _elsewhere, settled = drawn()
    assert "on the way" not in pad
    assert (len({quiet, first, seen}), settled) == (3, quiet)


def test_what_a_host_settled_reaches_the_table_until_its_next_match(cast: Cast) -> None:
    def shown(words: str) -> list[bool]:
        return [words in parts.renderers[part]("table", cast.table.pk) for part in ("pad", "elsewhere")]

    call = called(cast, "a rule", "Ana")
    calls.settle(call_id=call.pk, by=Actor(cast.users["director"]), now=LATER)
    assert shown("director settled this at") == [True, True]
    assert shown("What do you need?") == [True, True]
    cast.open("domino-whist")
    assert shown("director settled this at") == [False, False]


def test_the_calls_of_a_night_end_with_it(cast: Cast) -> None:
    night = night_of(cast, 4)
    match = night.matches.get()
    assert match.table
    call = calls.call(table=match.table, match=match, name="", why="a rule", now=NOW)
    away = Table.objects.create(club=cast.club, number=9)
    elsewhere = calls.call(table=away, match=None, name="", why="a rule", now=NOW)
    events.close(event_id=night.pk, open_matches="count", step=at(night, "close"))
    for each in (call, elsewhere):
        each.refresh_from_db()
    assert (call.settled_at is None, elsewhere.settled_at is None) == (False, True)


@pytest.mark.parametrize("page", ["night_desk", "night_scorer", "club", "club_tables", "club_calls"])
def test_hosts_see_calls_and_answer_them(cast: Cast, as_user: Callable[[str], Client], page: str) -> None:
    night = Event.objects.create(club=cast.club, kind="night", started_at=NOW)
    path = reverse(page, args=[night.pk if page.startswith("night") else cast.club.slug])
    host = Browser(as_user("owner"))
    assert not host.open(path).has_button("On my way")
    call = called(cast, "a rule", "Ana")
    assert "Table 1 calls: a rule" in host.open(path).words
    host.press("On my way")
    assert host.path == path
    assert "owner is on the way" in host.words
    host.press("Settled")
    call.refresh_from_db()
    assert (host.path, call.settled_at is None) == (path, False)
    assert not host.has_button("Settled")


def test_the_clubs_page_tells_others_nothing_of_calls(cast: Cast, as_user: Callable[[str], Client]) -> None:
    called(cast, "a rule")
    for visitor in (Client(), as_user("member"), as_user("stranger")):
        assert 'id="calls"' not in visitor.get(reverse("club", args=[cast.club.slug])).content.decode()


def test_a_call_of_another_club_is_not_there(cast: Cast, as_user: Callable[[str], Client]) -> None:
    call = called(cast)
    answer = as_user("stranger").post(
        reverse("club_calls", args=[cast.other_club.slug]), {"call": call.pk, "do": "settle"}
    )
    call.refresh_from_db()
    assert (answer.status_code, call.settled_at) == (404, None)


def test_a_reason_that_is_too_long_stays_in_its_field(cast: Cast) -> None:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    phone = Browser().open(reverse("table_join", args=[token]))
    phone.press("Call the host", other="x" * 201)
    assert (phone.status, "up to 200 characters" in phone.words) == (422, True)
    assert not Call.objects.exists()


def test_a_call_has_the_name_of_the_phone_s_owner_if_known(cast: Cast, as_user: Callable[[str], Client]) -> None:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    phone = Browser().open(reverse("table_join", args=[token]))
    Pad.objects.update(name="Ana")
    phone.press("A mistake")
    assert open_calls(cast.club.pk).get().name == "Ana"
    phone.press("No longer needed")
    as_user("scorer").post(reverse("table_call", args=[cast.table.pk]), {"why": "a rule"})
    assert open_calls(cast.club.pk).get().name == "scorer"
