"""Ladders through the services and the pages: challenges, results, corrections, the days that pass."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.events.ladder import State
from scorekeeper.forms.entrants import named
from scorekeeper.models import Call, Event, Match, Player
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.ladders import ladder_in, rungs_at
from scorekeeper.services import events, ladders
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.setups import BadSetup
from tests.browsing import Browser
from tests.calendars import appointments
from tests.conftest import NOW, Cast, enter
from tests.ladders import DAY, account, ladder_with, on, order_of, rungs_of, setup_of
from tests.nights import first
from tests.tournaments import played

NAMES = ["Ana", "Bo", "Cleo", "Dan", "Eva"]


def challenge(event: Event, one: int, other: int, day: float) -> int:
    ladders.challenge(event_id=event.pk, challenger=one, challenged=other, step=on(event, day))
    return len(ladder_in(event).sides_of)


def typed(event: Event, number: int, totals: tuple[int, int], day: float, **other: str) -> None:
    ladders.type_result(event_id=event.pk, number=number, totals=totals, early=True, step=on(event, day), **other)


def test_who_wins_takes_the_place_and_a_correction_counts_from_the_day_of_the_match(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES, gap=0)
    first = challenge(event, 4, 2, 1)
    ladders.answer(event_id=event.pk, number=first, accept=True, step=on(event, 2))
    match = ladders.play(event_id=event.pk, number=first, table=cast.table.number, step=on(event, 3))
    assert (match.event_id, match.round) == (event.pk, first)
    assert rungs_of(event, NOW + 3 * DAY).challenges[first].state == State.PLAYING
    played(match)
    won = Match.objects.get(pk=match.pk).sheet["winners"] == [0]
    typed(event, first, (10, 90) if won else (90, 10), 4, why="upside down")
    assert order_of(event, 4) == ("Ana Bo Cleo Dan Eva" if won else "Ana Dan Bo Cleo Eva")
    typed(event, first, (90, 11), 4, why="looked again")
    assert order_of(event, 4) == "Ana Dan Bo Cleo Eva"
    second = challenge(event, 5, 2, 5)
    typed(event, second, (90, 10), 6)
    assert order_of(event, 6) == "Ana Dan Eva Bo Cleo"
    third = challenge(event, 4, 1, 7)
    typed(event, third, (50, 50), 8)
    assert order_of(event, 8) == "Ana Dan Eva Bo Cleo"
    typed(event, first, (10, 90), 9, why="it was the other way round")
    assert order_of(event, 9) == "Ana Eva Bo Cleo Dan"
    assert order_of(event, 2) == "Ana Bo Cleo Dan Eva"
    events.undo(event_id=event.pk, step=on(event, 10))
    assert order_of(event, 9) == "Ana Dan Eva Bo Cleo"


def test_days_pass_answers_and_absences_have_consequences(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES, days=5, gap=3, declined="stays")
    unanswered, unplayed = challenge(event, 3, 2, 1), challenge(event, 5, 4, 1)
    ladders.answer(event_id=event.pk, number=unplayed, accept=True, step=on(event, 2))
    assert order_of(event, 5.9) == "Ana Bo Cleo Dan Eva"
    assert order_of(event, 7) == "Ana Cleo Bo Dan Eva"
    found = rungs_of(event, NOW + 7 * DAY).challenges
    assert [found[each].state for each in (unanswered, unplayed)] == [State.EXPIRED, State.EXPIRED]
    with pytest.raises(Refused, match="need 3 days"):
        challenge(event, 2, 3, 7)
    declined = challenge(event, 2, 3, 10)
    ladders.answer(event_id=event.pk, number=declined, accept=False, step=on(event, 10))
    assert order_of(event, 11) == "Ana Cleo Bo Dan Eva"
    back = challenge(event, 5, 4, 11)
    ladders.take_back(event_id=event.pk, number=back, step=on(event, 11))
    decided = challenge(event, 5, 2, 11)
    ladders.award(event_id=event.pk, number=decided, climbs=True, step=on(event, 12))
    assert order_of(event, 12) == "Ana Cleo Eva Bo Dan"
    ladders.set_away(event_id=event.pk, entrant=5, away=True, step=on(event, 13))
    assert rungs_of(event, NOW + 13 * DAY).within_reach(4) == (1, 3, 2)
    last = challenge(event, 2, 3, 20)
    later = (NOW + 60 * DAY).date()
    ladders.set_last_day(event_id=event.pk, number=last, day=later, step=on(event, 40))
    assert order_of(event, 59) == "Ana Cleo Eva Bo Dan"
    ladders.join(event_id=event.pk, entrants=[named("Finn")], place=2, step=on(event, 41))
    ladders.leave(event_id=event.pk, entrant=3, step=on(event, 42))
    assert order_of(event, 70) == "Ana Finn Eva Bo Dan"
    ladders.join(event_id=event.pk, entrants=[named("Cleo")], step=on(event, 43))
    assert rungs_of(event, NOW + 43 * DAY).order[-1] == 3
    ladders.close(event_id=event.pk, step=on(event, 44))
    events.undo(event_id=event.pk, step=on(event, 45))
    assert not ladder_in(event).closed


def test_a_match_that_is_abandoned_can_be_played_again(cast: Cast) -> None:
    event = ladder_with(cast.club, ["Ana + Bo", "Rovers: Cleo + Dan"], game="domino-whist", size=2)
    number = challenge(event, 2, 1, 1)
    match = ladders.play(event_id=event.pk, number=number, table=cast.table.number, step=on(event, 1))
    assert [each.name for each in match.seats.all()] == ["Cleo", "Ana", "Dan", "Bo"]
    with pytest.raises(Refused, match="in play already"):
        ladders.take_back(event_id=event.pk, number=number, step=on(event, 1))
    events.undo(event_id=event.pk, step=on(event, 1))
    typed(event, number, (20, 100), 2)  # lower totals win here
    assert order_of(event, 2) == "Rovers Ana + Bo"


def test_what_cannot_be_is_refused_in_words_and_changes_nothing(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES, reach=2)
    with pytest.raises(BadSetup):
        ladders.start(club=cast.club, name="No", setup=setup_of(size=2), step=on(event, 0))
    challenge(event, 4, 3, 1)
    ladders.set_away(event_id=event.pk, entrant=1, away=True, step=on(event, 1))
    length = Event.objects.get(pk=event.pk).length
    tries: list[tuple[str, Callable[[], object]]] = [
        ("yourself", lambda: challenge(event, 5, 5, 2)),
        ("too-far", lambda: challenge(event, 5, 2, 2)),
        ("below", lambda: challenge(event, 2, 3, 2)),
        ("they-are-away", lambda: challenge(event, 2, 1, 2)),
        ("you-are-away", lambda: challenge(event, 1, 2, 2)),
        ("they-are-challenged", lambda: challenge(event, 5, 3, 2)),
        ("you-challenge", lambda: challenge(event, 4, 2, 2)),
        ("nobody", lambda: challenge(event, 4, 99, 2)),
        ("no-such-challenge", lambda: typed(event, 9, (1, 0), 2)),
        ("no-such-table", lambda: ladders.play(event_id=event.pk, number=1, table=999, step=on(event, 2))),
        ("not-open", lambda: typed(event, 1, (1, 0), 90)),
        ("in-the-past", lambda: ladders.set_last_day(event_id=event.pk, number=1, day=NOW.date(), step=on(event, 2))),
        (
            "too-late",
            lambda: ladders.set_last_day(event_id=event.pk, number=1, day=NOW.date() + 999 * DAY, step=on(event, 2)),
        ),
        ("no-such-rung", lambda: ladders.move(event_id=event.pk, entrant=1, place=6, step=on(event, 2))),
        ("not-entered", lambda: ladders.leave(event_id=event.pk, entrant=8, step=on(event, 2))),
        ("wrong-size", lambda: ladders.join(event_id=event.pk, entrants=[named("A + B")], step=on(event, 2))),
        ("entered-twice", lambda: ladders.join(event_id=event.pk, entrants=[named("Ana")], step=on(event, 2))),
        ("nobody-chosen", lambda: ladders.join(event_id=event.pk, entrants=[], step=on(event, 2))),
    ]
    with pytest.raises(Refused, match="Ana is entered already"):
        ladders.join(event_id=event.pk, entrants=[named("Ana")], step=on(event, 2))
    for code, attempt in tries:
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == code
    assert Event.objects.get(pk=event.pk).length == length
    typed(event, 1, (90, 10), 2)
    with pytest.raises(Refused, match="Say why"):
        typed(event, 1, (10, 90), 3)
    ladders.close(event_id=event.pk, step=on(event, 4))
    with pytest.raises(Refused, match="closed"):
        challenge(event, 5, 3, 5)
    typed(event, 1, (10, 90), 5, why="a mistake")
    assert order_of(event, 5) == "Ana Bo Cleo Dan Eva"


def test_a_host_runs_a_ladder_in_the_browser(cast: Cast) -> None:
    host, new = cast.browser("director"), f"/clubs/{cast.club.slug}/ladders/new/"
    form = host.get(f"{new}?game=block")
    assert form.status_code == 200
    sent = {name: value for name, value in form.context["form"].initial.items() if value not in (None, False)}
    assert host.post(new, {**sent, "name": "Winter", "game": "block", "reach": "0"}).status_code == 422
    assert host.post(new, {**sent, "name": "Winter", "game": "block"}).status_code == 302
    event = Event.objects.get(kind=Event.Kind.LADDER)
    home = f"/ladders/{event.pk}/"
    assert host.post(f"{home}desk/", {"do": "join", "entrants": "", "seen": 1}).status_code == 422
    assert host.post(f"{home}desk/", {"do": "join", "entrants": "Ana\nBo\nCleo", "seen": 1}).status_code == 302
    assert host.post(f"{home}setup/", {**sent, "name": "Spring", "seen": 2}).status_code == 302
    assert b"Ana" in host.get(f"{home}entrants/3/").content
    assert host.post(f"{home}entrants/3/", {"do": "challenge", "whom": "3"}).status_code == 422
    assert host.post(f"{home}entrants/3/", {"do": "challenge", "whom": "1"}).status_code == 302
    assert "not answered yet" in Client().get(home).content.decode()
    refused = host.post(f"{home}challenges/1/", {"do": "score", "home": "77", "away": "", "seen": 4})
    assert (refused.status_code, 'value="77"' in refused.content.decode()) == (422, True)
    day = (timezone.localdate() + timedelta(days=9)).isoformat()
    assert host.post(f"{home}challenges/1/", {"do": "date", "day": day, "seen": 4}).status_code == 302
    result = {"do": "score", "home": "90", "away": "10", "early": "yes", "seen": 5}
    assert host.post(f"{home}challenges/1/", result).status_code == 302
    text = Client().get(home).content.decode()
    assert [text.index(f"<bdi>{name}") for name in ("Cleo", "Ana", "Bo")] == sorted(
        text.index(f"<bdi>{name}") for name in ("Ana", "Bo", "Cleo")
    )
    assert "Cleo takes the place" in text
    assert host.post(f"{home}entrants/2/", {"do": "move", "rung": "1", "seen": 6}).status_code == 302
    assert host.post(f"{home}entrants/1/", {"do": "leave", "seen": 7}).status_code == 302
    assert b"not on the ladder any more" in Client().get(f"{home}entrants/1/").content
    assert host.post(f"{home}desk/", {"do": "close", "seen": 8}).status_code == 302
    assert b"Spring" in Client().get(f"/clubs/{cast.club.slug}/ladders/").content
    assert b"Spring" in Client().get(f"/clubs/{cast.club.slug}/").content
    match = Match.objects.get(event=event)
    assert Client().get(f"/nights/{event.pk}/")["Location"] == home
    assert Client().get(f"/matches/{match.pk}/").status_code == 200
    audit = host.get(f"/clubs/{cast.club.slug}/audit/").content.decode()
    for words in ("set up the ladder", "put somebody on the ladder", "made a challenge", "closed the ladder"):
        assert words in audit
    assert "the night" not in audit


def test_players_challenge_and_answer_only_for_themselves(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    Player.objects.filter(name="Bo").update(user=cast.users["player"])
    player, home = cast.browser("player"), f"/ladders/{event.pk}/"
    assert "Your rung: 2" in player.get(home).content.decode()
    assert 'value="challenge"' in player.get(f"{home}entrants/2/").content.decode()
    assert 'value="challenge"' not in player.get(f"{home}entrants/3/").content.decode()
    assert player.post(f"{home}entrants/3/", {"do": "challenge", "whom": "1"}).status_code == 403
    assert player.post(f"{home}entrants/2/", {"do": "move", "rung": "1"}).status_code == 404
    assert player.post(f"{home}entrants/2/", {"do": "challenge", "whom": "1"}).status_code == 302
    assert player.post(f"{home}challenges/1/", {"do": "accept"}).status_code == 404
    assert player.post(f"{home}challenges/1/", {"do": "climbs"}).status_code == 404
    assert "Your challenges" in player.get(home).content.decode()
    host = cast.browser("director")
    assert host.post(f"{home}entrants/4/", {"do": "challenge", "whom": "3"}).status_code == 302
    assert host.post(f"{home}entrants/3/", {"do": "challenge", "whom": "2"}).status_code == 302
    assert player.get(f"{home}challenges/2/").status_code == 403
    result = {"do": "score", "home": "10", "away": "90", "early": "yes", "seen": 5}
    for early in (result, {"do": "play", "table": cast.table.number, "seen": 5}):
        refused = player.post(f"{home}challenges/3/", early)
        assert (refused.status_code, "not accepted yet" in refused.content.decode()) == (422, True)
    assert player.post(f"{home}challenges/3/", {"do": "accept"}).status_code == 302
    length = Event.objects.get(pk=event.pk).length
    rules = setup_of(by_players=False)
    ladders.set_up(event_id=event.pk, name="L", setup=rules, step=replace(on(event, 0), now=timezone.now()))
    assert player.post(f"{home}entrants/2/", {"do": "away", "seen": length + 1}).status_code == 403


def test_a_challenge_says_what_happens_without_a_match_and_home_leads_to_it(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES, declined="stays")
    dan, bo = account(cast.club, "Dan"), Browser(account(cast.club, "Bo"))
    home = f"/ladders/{event.pk}/"
    assert dan.post(f"{home}entrants/4/", {"do": "challenge", "whom": "2"}).status_code == 302
    assert "Dan → Bo" in bo.open("/").follow("Bo").words
    words = bo.open(f"{home}challenges/1/").words
    assert "If it is not answered by the last day, Dan takes the place. If it is declined, the order stays." in words
    bo.press("Accept").open(f"{home}challenges/1/")
    assert "not answered by" not in bo.words
    assert "If it is not played by the last day, the order stays." in bo.words


def test_what_one_side_typed_counts_when_the_other_side_or_a_host_confirms_it(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    dan, bo, host, home = (
        account(cast.club, "Dan"),
        account(cast.club, "Bo"),
        cast.browser("director"),
        f"/ladders/{event.pk}/",
    )
    assert dan.post(f"{home}entrants/4/", {"do": "challenge", "whom": "2"}).status_code == 302
    assert bo.post(f"{home}challenges/1/", {"do": "accept"}).status_code == 302

    def says(browser: Client) -> str:
        return browser.get(f"{home}challenges/1/").content.decode()

    def order() -> str:
        return order_of(event, (timezone.now() - NOW) / DAY)

    result = {"do": "score", "home": "150", "away": "10", "early": "yes"}
    assert dan.post(f"{home}challenges/1/", result).status_code == 302
    assert "typed by Dan: 150 : 10, not confirmed" in Client().get(home).content.decode()
    assert (order(), Match.objects.filter(event=event).exists()) == ("Ana Bo Cleo Dan Eva", False)
    assert ("Confirm this result" in says(dan), "Confirm this result" in says(bo)) == (False, True)
    assert dan.post(f"{home}challenges/1/", {"do": "confirm", "side": "4", "seen": 5}).status_code == 404
    assert dan.post(f"{home}challenges/1/", {"do": "take-back"}).status_code == 422
    assert bo.post(f"{home}challenges/1/", {"do": "decline"}).status_code == 422
    assert bo.post(f"{home}challenges/1/", result).status_code == 422
    assert bo.post(f"{home}challenges/1/", {**result, "home": "20", "away": "100"}).status_code == 302
    assert order_of(event, (timezone.now() - NOW) / DAY + 30) == "Ana Bo Cleo Dan Eva"
    assert host.post(f"{home}challenges/1/", {"do": "confirm", "side": "4", "seen": 6}).status_code == 302
    assert (order(), Match.objects.get(event=event).sheet["totals"]) == ("Ana Dan Bo Cleo Eva", [150, 10])
    desk = host.get(f"{home}desk/").content.decode()
    assert "Undo: result confirmed (Dan → Bo)" in " ".join(desk.split())
    assert dan.post(f"{home}challenges/1/", {**result, "home": "10", "why": "no", "seen": 7}).status_code == 422
    assert host.post(f"{home}desk/", {"do": "undo", "seen": 7}).status_code == 302
    assert order() == "Ana Bo Cleo Dan Eva"
    assert bo.post(f"{home}challenges/1/", {"do": "confirm", "side": "4", "seen": 8}).status_code == 302
    assert order() == "Ana Dan Bo Cleo Eva"
    assert "typed a result that is to be confirmed" in host.get(f"/clubs/{cast.club.slug}/audit/").content.decode()


def recorded(cast: Cast, event: Event, by: Actor | None = None) -> Match:
    """The match of Dan's challenge to Bo, played at the table and won by Dan."""
    now = timezone.now()
    ladders.challenge(event_id=event.pk, challenger=4, challenged=2, step=replace(on(event, 0), now=now))
    ladders.answer(event_id=event.pk, number=1, accept=True, step=replace(on(event, 0), now=now))
    match = ladders.play(event_id=event.pk, number=1, table=cast.table.number, step=replace(on(event, 0), now=now))
    enter(match, [{"kind": "result", "totals": [150, 10], "stopped": "time"}], by=by, now=now)
    return match


def orders(event: Event) -> tuple[str, str]:
    """The order now, and when the days to confirm are over."""
    today = (timezone.now() - NOW) / DAY
    return order_of(event, today), order_of(event, today + 30)


def test_what_was_recorded_at_the_table_waits_for_both_sides(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    match, home = recorded(cast, event), f"/ladders/{event.pk}/"
    dan, bo, host = account(cast.club, "Dan"), account(cast.club, "Bo"), cast.browser("director")
    assert "recorded at a table, not confirmed" in Client().get(home).content.decode()
    assert orders(event) == ("Ana Bo Cleo Dan Eva", "Ana Dan Bo Cleo Eva")
    page = dan.get(f"{home}challenges/1/").content.decode()
    assert ('value="correct"' in page, 'value="score"' in page, 'value="play"' in page) == (True, False, False)
    for do in ("accept", "take-back", "play", "score"):
        sent = {"do": do, "table": cast.table.number, "home": "1", "away": "2", "early": "yes", "seen": 5}
        assert dan.post(f"{home}challenges/1/", sent).status_code in (404, 422)
    assert dan.post(f"{home}challenges/1/", {"do": "correct", "key": "k"}).status_code == 302
    assert dan.post(f"{home}challenges/1/", {"do": "correct", "key": "k"}).status_code == 302, "the same again"
    match.refresh_from_db()
    assert (match.sheet["confirmed"], orders(event)[0]) == ([0], "Ana Bo Cleo Dan Eva")
    assert 'value="correct"' not in dan.get(f"{home}challenges/1/").content.decode()
    assert dan.post(f"{home}challenges/1/", {"do": "correct"}).status_code == 422
    assert bo.post(f"{home}challenges/1/", {"do": "dispute"}).status_code == 302
    assert Call.objects.filter(match=match, settled_at=None).exists()
    assert orders(event) == ("Ana Bo Cleo Dan Eva",) * 2
    assert "disputed" in Client().get(home).content.decode()
    page = host.get(f"{home}challenges/1/").content.decode()
    assert ('value="correct"' in page, 'value="dispute"' in page) == (True, False)
    assert bo.post(f"{home}challenges/1/", {"do": "correct"}).status_code == 302
    assert orders(event) == ("Ana Dan Bo Cleo Eva",) * 2
    assert host.post(f"{home}challenges/1/", {"do": "correct"}).status_code == 422


def test_what_waits_for_the_sides_costs_one_query_for_each_snapshot(
    cast: Cast, django_assert_num_queries: Callable[..., AbstractContextManager[Any]]
) -> None:
    event = ladder_with(cast.club, NAMES)
    match = recorded(cast, event)

    def read_twice() -> None:
        now = results_now(event)
        for _twice in range(2):
            rungs_at(now, timezone.now())

    with django_assert_num_queries(6):
        read_twice()
    enter(match, [{"kind": "confirm", "seats": [0, 1]}], by=Actor(user=cast.users["scorer"]))
    with django_assert_num_queries(5):
        read_twice()


def test_what_a_scorer_recorded_counts_at_once(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    recorded(cast, event, by=Actor(user=cast.users["scorer"]))
    assert orders(event)[0] == "Ana Dan Bo Cleo Eva"


def test_a_host_confirms_what_was_recorded_for_everybody_or_types_another_result(cast: Cast) -> None:
    event, host = ladder_with(cast.club, NAMES), cast.browser("director")
    match, at = recorded(cast, event), f"/ladders/{event.pk}/challenges/1/"
    assert host.post(at, {"do": "correct"}).status_code == 302
    match.refresh_from_db()
    assert (match.sheet["confirmed"], orders(event)[0]) == ([0, 1], "Ana Dan Bo Cleo Eva")
    enter(match, [{"kind": "reopen", "why": "upside down"}], by=Actor(user=cast.users["director"]))
    assert orders(event)[0] == "Ana Bo Cleo Dan Eva"
    result = {"do": "score", "home": "20", "away": "100", "early": "yes", "why": "upside down", "seen": 5}
    assert host.post(at, result).status_code == 302
    assert orders(event) == ("Ana Bo Cleo Dan Eva",) * 2


def test_pages_say_what_holds_somebody_back_and_how_to_come_in(cast: Cast) -> None:
    home = f"/ladders/{ladder_with(cast.club, NAMES).pk}/"
    host, guest = cast.browser("director"), Client()
    cast.club.tables.update(open=False)
    assert "claim" not in host.get(home).content.decode()
    for path in (home, f"{home}entrants/4/"):
        page = guest.get(path).content.decode()
        assert f"{reverse('login')}?next={path}" in page
        assert "gives you a link" in page
    dan = account(cast.club, "Dan")
    assert "gives you a link" not in dan.get(home).content.decode() + dan.get(f"{home}entrants/3/").content.decode()
    assert "this is the top" in host.get(f"{home}entrants/1/").content.decode()
    dan.post(f"{home}entrants/4/", {"do": "challenge", "whom": "2"})
    assert "is an open challenge already" in dan.get(f"{home}entrants/4/").content.decode()
    host.post(f"{home}entrants/5/", {"do": "away"})
    assert "Who is away cannot challenge" in host.get(f"{home}entrants/5/").content.decode()
    challenge_page = host.get(f"{home}challenges/1/").content.decode()
    assert "No table of the club is free" in challenge_page
    assert f"/clubs/{cast.club.slug}/tables/" in challenge_page
    assert "The arrows compare" not in guest.get(home).content.decode()


def test_the_page_of_a_player_shows_their_rung_and_challenges(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    dan = account(cast.club, "Dan")
    path = f"/players/{cast.club.players.get(name='Dan').pk}/"
    dan.post(f"/ladders/{event.pk}/entrants/4/", {"do": "challenge", "whom": "2"})
    own, others = dan.get(path).content.decode(), Client().get(path).content.decode()
    for page in (own, others):
        assert "Rung 4" in page
        assert "not answered yet" in page
    assert f"/ladders/{event.pk}/challenges/1/" in own
    assert f"/ladders/{event.pk}/challenges/1/" not in others


def test_a_calendar_has_each_challenge_on_its_last_day(cast: Cast) -> None:
    event = ladder_with(cast.club, NAMES)
    now = timezone.now()
    home, last = f"/ladders/{event.pk}/", timezone.localdate(now, ZoneInfo(cast.club.time_zone)) + 14 * DAY

    def calendar(path: str = "calendar.ics") -> list[dict[str, str]]:
        return appointments(Client().get(f"{home}{path}").content.decode())

    def step() -> Step:
        return replace(on(event, 0), now=timezone.now())

    assert calendar() == []
    ladders.challenge(event_id=event.pk, challenger=4, challenged=2, step=step())
    (tentative,) = calendar()
    assert (tentative["SUMMARY"], tentative["STATUS"], tentative["SEQUENCE"]) == ("Dan → Bo", "TENTATIVE", "0")
    assert (tentative["DTSTART;VALUE=DATE"], tentative["DTEND;VALUE=DATE"]) == (
        f"{last:%Y%m%d}",
        f"{last + DAY:%Y%m%d}",
    )
    ladders.answer(event_id=event.pk, number=1, accept=True, step=step())
    ladders.set_last_day(event_id=event.pk, number=1, day=last + DAY, step=step())
    (agreed,) = calendar("entrants/2/calendar.ics")
    assert (agreed["UID"], agreed["STATUS"], agreed["SEQUENCE"]) == (tentative["UID"], "CONFIRMED", "2")
    assert agreed["DTSTART;VALUE=DATE"] == f"{last + DAY:%Y%m%d}"
    ladders.type_result(event_id=event.pk, number=1, totals=[150, 10], early=True, step=step())
    ladders.challenge(event_id=event.pk, challenger=5, challenged=3, step=step())
    ladders.take_back(event_id=event.pk, number=2, step=step())
    played, gone = calendar()
    assert (played["STATUS"], played["DESCRIPTION"], gone["STATUS"]) == ("CONFIRMED", "150 : 10", "CANCELLED")
    assert calendar("entrants/1/calendar.ics") == []
    assert Client().get(f"{home}entrants/9/calendar.ics").status_code == 404
    for page in (home, f"{home}entrants/2/"):
        assert f"{page}calendar.ics" in Client().get(page).content.decode()


def test_the_way_back_on_a_page_of_a_ladder_is_its_own_desk_and_elsewhere_names_the_event(
    cast: Cast,
) -> None:
    event, host = ladder_with(cast.club, NAMES), cast.browser("director")
    night = events.start(club=cast.club, players=[], name="Evening", step=first("night"))
    ladder, club = (
        host.get(path).content.decode().split("</nav>")[0]
        for path in (f"/ladders/{event.pk}/", f"/clubs/{cast.club.slug}/")
    )
    assert (f'href="/ladders/{event.pk}/desk/"' in ladder, night.name in ladder) == (True, False)
    assert (f'href="/nights/{night.pk}/desk/"' in club, night.name in club) == (True, True)
