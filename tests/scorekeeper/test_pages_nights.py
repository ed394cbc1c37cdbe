"""The desk of a host without scripts: every step is a button."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper import live
from scorekeeper.models import Event, Match, Player
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.services import tables
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, plan_for
from tests.nights import drawn, names_of, night_of, played
from tests.tournaments import released, scheduled, setup_of

SignIn = Callable[[str], Client]


@pytest.fixture
def host(as_user: SignIn) -> Browser:
    return Browser(as_user("director"))


def desk(host: Browser, night: Event) -> Browser:
    return host.open(f"/nights/{night.pk}/desk/")


def test_from_nobody_to_a_full_hall_in_three_presses(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/")
    host.press("Fill the tables", guests="\r\n".join(names_of(22)), game="domino-whist")
    assert "only hosts can see it" in host.words
    night = Event.objects.get()
    assert not night.matches.exists()
    host.press("Seat them")
    assert night.matches.count() == 5
    assert Player.objects.filter(club=cast.club, guest=True).count() == 22
    assert host.words.count("sits out") >= 2
    assert "Here and not playing: " in host.words


def test_who_was_there_last_time_is_ticked_first(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    desk(host, night).press("Close the night")
    Player.objects.create(club=cast.club, name="Aaron")
    host.open("/clubs/rovers/nights/new/")
    assert host.words.index("Bruno") < host.words.index("Aaron")
    ids = [str(pk) for pk in Player.objects.filter(club=cast.club).values_list("pk", flat=True)]
    host.press("Fill the tables", here=[*ids, ids[0]], game="domino-whist", name="Winter <cup>")
    assert "Winter <cup>" in host.words
    assert len(event_now(Event.objects.latest("pk")).here) == 5


def test_what_was_ticked_stays_when_something_is_wrong(cast: Cast, host: Browser) -> None:
    ana = Player.objects.create(club=cast.club, name="Ana")
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", here=[str(ana.pk)], guests="\u0007", game="draw")
    assert host.status == 422
    assert not Event.objects.exists()
    form, _button = host.button("Fill the tables")
    assert ("here", str(ana.pk)) in form.fields


def test_too_few_for_a_table_still_begins_the_night(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", guests="Ana\nBo", game="domino-whist")
    assert "Too few people are free for a table: 2 are here and not playing." in host.words
    assert "Nestor can fill a seat" not in host.words
    assert "Here and not playing: Ana, Bo." in host.words


def test_who_is_one_too_few_reads_that_nestor_can_play(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", guests="Ana\nBo\nCleo", game="domino-whist")
    assert "3 are here and not playing. Nestor can fill a seat." in host.words


def test_nobody_starts_no_night(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", guests=" ")
    assert "Nobody is here yet" in host.words
    assert not Event.objects.exists()


def test_forgotten_matches_are_told(cast: Cast, host: Browser) -> None:
    cast.open("draw")
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", guests="\n".join(names_of(8)), game="draw")
    assert "still in play at table 1." in host.words


def test_a_second_night_leads_to_the_first(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    assert host.open("/clubs/rovers/nights/new/").path == f"/nights/{night.pk}/desk/"


def test_names_typed_while_another_host_began_the_night_are_kept(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/")
    night = night_of(cast, 4, rounds=0)
    host.press("Fill the tables", guests="Zoltan\nZita", game="draw")
    assert host.status == 422
    assert "A night is already open" in host.words
    form, _button = host.button("Fill the tables")
    assert ("guests", "Zoltan\nZita") in form.fields
    assert host.follow("Go to the open night").path == f"/nights/{night.pk}/desk/"


def test_the_form_of_a_new_night_sent_twice_begins_one(cast: Cast, host: Browser) -> None:
    data = {"guests": "\n".join(names_of(8)), "game": "draw", "key": "k"}
    answers = [host.client.post("/clubs/rovers/nights/new/", data) for _time in range(2)]
    night = Event.objects.get()
    assert {answer["Location"] for answer in answers} == {f"/nights/{night.pk}/desk/"}
    assert Player.objects.filter(club=cast.club, guest=True).count() == 8


def test_a_key_belongs_to_one_step(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 8, rounds=0)
    drawn(night)
    seen = Event.objects.get(pk=night.pk).length
    path, statuses = f"/nights/{night.pk}/entries/", []
    for do in ("seat", "seat", "undo"):
        statuses.append(host.client.post(path, {"do": do, "key": "k", "seen": seen}).status_code)
    assert statuses == [302, 302, 422]
    assert night.matches.count() == 2


def test_an_empty_night_has_a_desk(cast: Cast, host: Browser) -> None:
    event = Event.objects.create(club=cast.club, kind=Event.Kind.NIGHT, started_at=NOW)
    for step in ({"do": "tick", "guests": "Ana"}, {"do": "close"}, {"do": "undo"}, {"do": "made-up"}):
        assert host.client.post(f"/nights/{event.pk}/entries/", step).status_code in (302, 404, 422)
        assert desk(host, event).status == 200


def part(host: Browser, name: str) -> str:
    """The section of the desk with this id."""
    return host.markup.split(f'id="{name}"')[1].split("</section>")[0]


def test_swap_another_game_and_throw_away(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 9, rounds=0)
    drawn(night)
    before = state_of(night).draft
    assert before
    one, other = before.pairings[0].players[0], before.byes[0]
    desk(host, night).press("Swap", who=[str(one), str(other)])
    after = state_of(night).draft
    assert after
    assert after.byes == (one,)
    host.press("Swap", who=[str(one)])
    assert host.status == 422
    assert "Tick exactly two names" in host.words
    assert 'id="refusal" class="loud" role="alert" tabindex="-1" autofocus' in part(host, "draft")
    host.press("Undo: ")
    assert state_of(night).draft == before
    desk(host, night).press("Discard")
    assert state_of(night).draft is None
    drawn(night, games=["draw"])
    desk(host, night).press("All Fives")
    draft = state_of(night).draft
    assert draft
    assert draft.pairings[0].game == "all-fives"


def test_the_wish_stays_while_a_draw_has_no_use_for_it(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 9, rounds=0)
    here = [str(player) for player in event_now(night).here]
    desk(host, night).press("Fill the tables", game="domino-whist", second="draw", tables="2", here=here)
    assert part(host, "draft").count("Sitting out") == 1
    desk(host, night).press("Draw again", guests="Zoe")
    draft = state_of(night).draft
    assert draft
    assert [pairing.game for pairing in draft.pairings] == ["domino-whist", "domino-whist", "draw"]
    desk(host, night).press("Seat them")
    for match in night.matches.all():
        played(match)
    desk(host, night).press("Same again")
    desk(host, night).press("Discard")
    form, _button = host.button("Mix: new partners")
    chosen = {name: value for name, value in form.fields if name in ("game", "second", "tables")}
    assert chosen == {"game": "domino-whist", "second": "draw", "tables": "2"}


def test_ticks_and_guests(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 5)
    desk(host, night)
    playing = night.matches.get().seats.first()
    assert playing
    stay = [str(player) for player in event_now(night).here if player != playing.player_id]
    host.press("Save who is here", here=stay, guests="Zoe")
    assert f"{playing.name} left during a match" in host.words
    assert f"{playing.name} left while playing at table 1." in desk(host, night).words
    assert "Zoe" in host.words
    assert len(event_now(night).here) == 5


def test_the_list_of_people_is_open_while_nobody_can_be_drawn(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 2, rounds=0)
    people = re.compile(r'<details class="part"\s+id="people"\s*>')
    assert people.search(desk(host, night).markup)
    host.press("Save who is here", here=[])
    assert not people.search(desk(host, night).markup)


def test_who_plays_in_a_tournament_and_never_came_has_not_left(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, names=("Una", "Vito", "Wim", "Xia"))
    released(scheduled(cast, setup_of("block", "heads"), 4))
    assert "plays at table 2" in desk(host, night).words
    assert "left while playing" not in host.words


def test_two_hosts_tick_at_once(cast: Cast, host: Browser, as_user: SignIn) -> None:
    night = night_of(cast, 3, rounds=0)
    other = desk(Browser(as_user("owner")), night)
    desk(host, night)
    here = [str(player) for player in event_now(night).here]
    host.press("Save who is here", here=here[1:])
    other.press("Save who is here", here=here[:-1])
    assert [str(player) for player in event_now(night).here] == here[1:-1]


def test_length_and_options_for_tonight(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    desk(host, night).follow("Domino Whist")
    host.press("Save", minutes="45", **{"option-target": "60"})
    host.press("Fill the tables", game="domino-whist")
    assert "60" in host.words
    assert "45 minutes" in host.words
    host.press("Seat them")
    match = night.matches.get()
    assert (match.minutes, match.options["target"]) == (45, 60)


@pytest.mark.parametrize("minutes", ["0", "-5", "soon", "99999"])
def test_minutes_that_cannot_be(cast: Cast, host: Browser, minutes: str) -> None:
    night = night_of(cast, 4, rounds=0)
    host.open(f"/nights/{night.pk}/games/domino-whist/").press("Save", minutes=minutes)
    assert host.status == 422


@pytest.mark.parametrize("number", ["0", "-1", "two", "1001"])
def test_a_number_of_tables_that_cannot_be_is_named(cast: Cast, host: Browser, number: str) -> None:
    desk(host, night_of(cast, 4, rounds=0)).press("Fill the tables", tables=number)
    assert (host.status, "Maximum number of tables: Enter a whole number from 1 to 1000." in host.words) == (422, True)


def test_closing_with_matches_open_asks_what_becomes_of_them(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 8, hands=4)
    desk(host, night).press("Close the night")
    assert host.status == 422
    assert 'id="refusal"' in part(host, "end")
    assert "Choose below what to do with them" in host.words
    assert "2 matches have no counted hand yet: they are abandoned." in host.words
    host.press("Close the night", open_matches="count")
    assert "No hand was finished at tables 1, 2, so the matches there were abandoned." in host.words
    host.press("Undo: night closed")
    host.press("Close the night", open_matches="abandon")
    assert "No hand was finished" not in host.words
    night.refresh_from_db()
    assert night.closed_at
    assert "The night is closed" in host.words
    host.press("Undo: night closed")
    night.refresh_from_db()
    assert night.closed_at is None
    assert night.matches.filter(status=Match.Status.PLAYING).count() == 2


def test_a_hand_that_the_end_of_the_night_cut_off_does_not_count(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, hands=2)
    match = night.matches.get()
    plan = plan_for(match.game, hands=2)
    second = [number for number, entry in enumerate(plan) if entry["kind"] == "hand"][1]
    enter(match, plan[: second + 1])
    assert "no counted hand" not in desk(host, night).words
    host.press("Close the night", open_matches="count")
    phone = host.open(f"/tables/{match.table_id}/")
    assert "Hand 2 It was not finished and does not count." in phone.words
    assert "Nobody scores." not in phone.words


def test_the_last_hand_and_next_round(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 8, hands=4)
    desk(host, night).press("Call the last hand")
    assert host.words.count("The next hand is the last") == 2
    assert not host.has_button("Call the last hand at all tables")
    for match in night.matches.all():
        enter(match, [{"kind": "stop", "stopped": "time"}])
    desk(host, night).press("Same again")
    host.press("Draw again", game="domino-whist")
    host.press("Seat them")
    assert night.matches.filter(round=2).count() == 2


def test_the_host_is_told_when_printed_codes_lead_nowhere(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4)
    tables.fresh_token(table=cast.table, now=timezone.now(), address="http://testserver")
    assert "no longer work" not in desk(host, night).words
    tables.fresh_token(table=cast.table, now=timezone.now(), address="http://192.168.1.77:8000")
    assert "no longer work" in desk(host, night).words
    host.press("Print the QR codes again")
    assert "no longer work" not in desk(host, night).words


@pytest.mark.parametrize(
    "do", ["table:99999999999999999999:draw", "table:x:draw", "table:1:made-up", "table:", "made-up", ""]
)
def test_steps_that_are_none(cast: Cast, host: Browser, do: str) -> None:
    night = night_of(cast, 4, rounds=0)
    drawn(night)
    answer = host.client.post(f"/nights/{night.pk}/entries/", {"do": do})
    assert answer.status_code in (404, 422)


def test_a_scorer_sees_all_tables_with_those_not_finished_first(cast: Cast, as_user: SignIn) -> None:
    night = night_of(cast, 8)
    first, second = night.matches.order_by("table__number")
    played(first)
    scorer = Browser(as_user("scorer")).open(f"/nights/{night.pk}/scorer/")
    links = [href for href, _words in scorer._read.links if href.startswith("/tables/")]
    assert links == [f"/tables/{second.table_id}/", f"/tables/{first.table_id}/"]


def test_how_long_tables_go_on(cast: Cast, host: Browser) -> None:
    now = timezone.now()
    night = night_of(cast, 8, hands=4, minutes=30, now=now)
    late = night.matches.filter(table=cast.table)
    late.update(created_at=now - timedelta(minutes=31))
    for page in ("desk", "scorer"):
        host.open(f"/nights/{night.pk}/{page}/")
        assert host.words.count(f"until {now + timedelta(minutes=30):%H:%M}") == 1
        # Shown at the table whose time is up, and hidden at the other one until its time is up too.
        assert host.words.count("The next hand is the last") == 2
    before = live.renderers["desk"]("night", night.pk)
    host.open(f"/tables/{cast.table.pk}/").press("5 minutes")
    assert live.renderers["desk"]("night", night.pk) != before
    assert "until" in desk(host, night).words.partition("The next hand is the last")[0]


@pytest.mark.parametrize("people", [8, 80])
def test_the_price_of_the_desk(cast: Cast, as_user: SignIn, people: int, django_assert_max_num_queries: Any) -> None:
    night = night_of(cast, people, rounds=2)
    for match in night.matches.filter(status=Match.Status.PLAYING)[:2]:
        played(match)
    drawn(night)
    client = as_user("owner")
    with django_assert_max_num_queries(18):
        assert client.get(f"/nights/{night.pk}/desk/").status_code == 200


def test_a_table_closed_meanwhile_is_said_on_the_desk(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    drawn(night)
    desk(host, night)
    cast.club.tables.update(open=False)
    host.press("Seat them")
    assert host.status == 422
    assert "This table is closed." in host.words
    assert state_of(night).draft


@pytest.mark.parametrize("key", ["", "\x00", "é" * 9, "k" * 999])
def test_whatever_comes_as_a_key(cast: Cast, host: Browser, key: str) -> None:
    night = night_of(cast, 4, rounds=0)
    drawn(night)
    answer = host.client.post(
        f"/nights/{night.pk}/entries/", {"do": "drop", "key": key, "seen": Event.objects.get(pk=night.pk).length}
    )
    assert answer.status_code == 302
    assert state_of(night).draft is None


def test_another_language_shows_the_same_desk(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4)
    desk(host, night)
    form = next(form for form in host.forms if form.action == "/language/")
    assert ("next", f"/nights/{night.pk}/desk/") in form.fields
