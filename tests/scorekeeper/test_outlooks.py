"""Who stands better: only where the host wants it, only for spectators, only of the position that is shown."""

import itertools
import json
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.moves import Play
from games.nestor.outlook import Outlook as Found
from games.nestor.outlook import outlook
from games.nestor.redeals import Redeals
from games.tiles import names
from scorekeeper.access import ME, Actor
from scorekeeper.live import Topic
from scorekeeper.models import Change, Event, Heartbeat, Match, Outlook, Pad, Player
from scorekeeper.selectors.matches import position
from scorekeeper.services import events, matches, outlooks, tables
from tests.conftest import NOW, Cast, Phone, enter, plan_for
from tests.job_worker import job_worker
from tests.nights import at, first
from tests.waiting import until

PLAYED = 9  # entries
SAYS = ("stands better: about", "stand better: about", "Neither side")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a thousandth of a second whenever Nestor looks at it: so he always finds the same."""
    monkeypatch.setattr(outlooks, "monotonic", lambda: next(ticks) / 1000)
    ticks = itertools.count()


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of a night whose host has turned it on."""
    match = match_of_a_night(cast)
    turn(match, on=True)
    match.refresh_from_db()
    return match


def match_of_a_night(cast: Cast) -> Match:
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo", "Eve"], step=first("night"))
    match = matches.open_match(
        table=cast.table, game="block", options={}, players=["Ana", "Bo"], event=night, by=Actor(), now=NOW
    )
    return enter(match, plan_for("block")[:PLAYED])


def turn(match: Match, *, on: bool) -> None:
    assert match.event
    match.event.refresh_from_db()
    events.show_outlook(event_id=match.event.pk, on=on, step=at(match.event, f"turn {on} {match.event.length}"))


def says(page: Any) -> bool:
    assert page.status_code == 200
    return any(text in page.content.decode() for text in SAYS)


def watch(match: Match) -> str:
    return f"/tables/{match.table_id}/watch/"


def screen(match: Match) -> str:
    return f"/nights/{match.event_id}/screen/"


def streams(match: Match) -> list[str]:
    return [f"/live/?topic=table:{match.table_id}&part=outlook", f"/live/?topic=outlook:{match.event_id}&part=screen"]


def scans(browser: Client, cast: Cast) -> Client:
    browser.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/")
    return browser


# --- what is found, and when it counts ---------------------------------------------------------------------
@pytest.mark.django_db
def test_nobody_thinks_unless_the_host_turns_it_on(cast: Cast) -> None:
    match = match_of_a_night(cast)
    outlooks.think(match.pk)
    assert not Outlook.objects.exists()
    assert not any(says(Client().get(address(match))) for address in (watch, screen))


@pytest.mark.django_db
def test_spectators_see_it_until_the_next_entry(cast: Cast, match: Match) -> None:
    assert not says(Client().get(watch(match))), "nobody has found it out yet"
    outlooks.think(match.pk)
    assert all(says(Client().get(address(match))) for address in (watch, screen))
    table = Client().get(f"/tables/{match.table_id}/")
    assert not says(table), "the page of the table itself"
    assert watch(match) in table.content.decode(), "it leads there"
    before = Topic("outlook", match.event_id).newest()
    enter(match, plan_for("block")[PLAYED : PLAYED + 1])
    assert not any(says(Client().get(address(match))) for address in (watch, screen)), "that was the position before"
    assert Topic("outlook", match.event_id).newest() > before, "screens are told at once, whatever the worker does"
    outlooks.think(match.pk)
    assert all(says(Client().get(address(match))) for address in (watch, screen))


@pytest.mark.django_db
def test_turned_off_it_is_gone(cast: Cast, match: Match) -> None:
    outlooks.think(match.pk)
    turn(match, on=False)
    assert watch(match) not in Client().get(f"/tables/{match.table_id}/").content.decode()
    assert not any(says(Client().get(address(match))) for address in (watch, screen))
    assert not Outlook.objects.exists()


@pytest.mark.django_db
def test_an_entry_meanwhile_makes_it_think_again(cast: Cast, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    think, seen = outlooks.outlook, []

    def slowly(state: Any, **how: Any) -> Found | None:
        seen.append(len(state.hands[-1].state.moves))
        if len(seen) == 1:
            enter(match, plan_for("block")[PLAYED : PLAYED + 2])
        return think(state, **how)

    monkeypatch.setattr(outlooks, "outlook", slowly)
    outlooks.think(match.pk)
    assert seen == [PLAYED - 1, PLAYED + 1]
    assert Outlook.objects.get().length == PLAYED + 2


@pytest.mark.django_db
def test_one_at_a_time_and_a_dead_worker_is_followed_by_another(cast: Cast, match: Match) -> None:
    Outlook.objects.create(match=match, busy=True, began_at=NOW)
    outlooks.think(match.pk, clock=lambda: NOW + outlooks.LEASE / 2)
    assert Outlook.objects.get().length == 0
    outlooks.think(match.pk, clock=lambda: NOW + outlooks.LEASE)
    assert Outlook.objects.get().length == match.length


@pytest.mark.django_db
def test_a_worker_that_comes_back_late_keeps_nothing(cast: Cast, match: Match) -> None:
    Outlook.objects.create(match=match, busy=True, began_at=NOW + outlooks.LEASE)
    assert outlooks._kept(match, {"side": 0, "points": 9, "deals": 64, "exact": False}, NOW, NOW)
    assert Outlook.objects.get().found is None


@pytest.mark.django_db
def test_hands_that_the_table_entered_are_not_used(cast: Cast, match: Match) -> None:
    hidden = position(match).public().hand
    assert hidden
    lie = Redeals(hidden.state.holdings).draw(Random(1))
    [hand, *moves] = plan_for("block")[:PLAYED]
    laid = [sum(1 << m.tile for m in hidden.state.moves if isinstance(m, Play) and m.seat == n) for n in range(2)]
    deal = [names(tiles | was) for tiles, was in zip(lie[:2], laid, strict=True)]
    again = enter(
        match, [{"kind": "undo", "to": {"hand": 0, "move": None}}, {**hand, "deal": deal}, *moves], prefix="n"
    )
    state = position(again)
    assert state.public() != state, "the log says what they hold"
    outlooks.think(match.pk)
    rng = Random(f"{again.pk} {again.length}")
    found = outlook(state.public(), rng=rng, clock=outlooks.monotonic, ms=outlooks.MS)
    assert found
    assert Outlook.objects.get().found == found._asdict()


# --- for whom ----------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_no_phone_of_the_table_sees_it(cast: Cast, match: Match) -> None:
    outlooks.think(match.pk)
    holder, second = scans(Client(), cast), scans(Client(), cast)
    phone = Phone(tables.fresh_token(table=cast.table, now=timezone.now()))
    for browser in (holder, second, phone):
        assert not any(says(browser.get(address(match))) for address in (watch, screen))
        assert [browser.get(address).status_code for address in streams(match)] == [403, 403]
    kept = json.dumps(phone.get(f"/api/v1/matches/{match.pk}/").json())
    assert "outlook" not in kept
    assert not says(holder.get(f"/tables/{match.table_id}/"))
    Pad.objects.update(revoked_at=timezone.now())
    assert not says(second.get(watch(match))), "a phone that a host has put out still lies at the table"
    assert watch(match) not in second.get(f"/tables/{match.table_id}/").content.decode()


@pytest.mark.django_db
def test_nobody_who_plays_sees_it(cast: Cast, match: Match) -> None:
    """As whom the account has claimed, as the name that the browser chose, or as the owner of a phone elsewhere."""
    outlooks.think(match.pk)
    ana, eve = (Player.objects.get(club=cast.club, name=name) for name in ("Ana", "Eve"))
    Player.objects.filter(pk=ana.pk).update(user=cast.users["player"])
    chose = Client()
    chose.cookies[ME] = str(ana.pk)
    elsewhere = Client()
    elsewhere.get(f"/t/{tables.fresh_token(table=cast.other_table, now=timezone.now())}/")
    Pad.objects.filter(table=cast.other_table).update(name="Bo")
    for browser in (cast.browser("player"), chose, elsewhere):
        assert not any(says(browser.get(address(match))) for address in (watch, screen))
        assert [browser.get(address).status_code for address in streams(match)] == [403, 403]
    # Somebody of the night who sits elsewhere watches this table, but not all tables at once.
    chose.cookies[ME] = str(eve.pk)
    assert says(chose.get(watch(match)))
    assert not says(chose.get(screen(match)))
    Player.objects.filter(pk=ana.pk).update(user=None, merged_into=eve)
    Player.objects.filter(pk=eve.pk).update(user=cast.users["player"])
    assert not says(cast.browser("player").get(watch(match))), "the same person under another name"
    assert says(cast.browser("owner").get(watch(match)))


@pytest.mark.django_db
def test_streams_of_spectators_are_open_and_others_do_not_exist(cast: Cast, match: Match) -> None:
    assert [Client().get(address).status_code for address in streams(match)] == [200, 200]
    assert Client().get(f"/live/?topic=outlook:{match.event_id}&part=hall").status_code == 404
    assert Client().get(f"/live/?topic=outlook:{match.event_id}&part=night").status_code == 404


@pytest.mark.django_db
def test_the_host_turns_it_on_at_the_desk_and_the_step_is_logged(cast: Cast) -> None:
    match, host = match_of_a_night(cast), cast.browser("owner")
    desk = f"/nights/{match.event_id}/desk/"
    page = host.get(desk).content.decode()
    assert "Show who stands better" in page
    assert match.event
    match.event.refresh_from_db()
    sent = {"do": "outlook:on", "seen": str(match.event.length), "key": "on"}
    assert host.post(f"/nights/{match.event_id}/entries/", sent).status_code == 302
    assert Event.objects.get(pk=match.event_id).outlook
    page = host.get(desk).content.decode()
    assert "Do not show who stands better" in page
    assert (
        "set whether spectators see who stands better" in host.get(f"/clubs/{cast.club.slug}/audit/").content.decode()
    )
    assert host.post(f"/nights/{match.event_id}/entries/", {**sent, "do": "outlook:x"}).status_code == 404


# --- with a real worker ------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_a_worker_finds_it_after_an_entry(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with job_worker(monkeypatch):
        until(Heartbeat.objects.exists, within=60)  # messages do not wait for a worker to start
        match = match_of_a_night(cast)
        turn(match, on=True)
        match.refresh_from_db()
        match = enter(match, plan_for("block")[PLAYED : PLAYED + 1])
        until(lambda: Outlook.objects.filter(match=match, length=match.length, busy=False).exists(), within=60)
        until(lambda: Change.objects.filter(kind="outlook", topic=f"table:{match.table_id}").exists(), within=10)
