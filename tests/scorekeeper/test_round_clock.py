"""The clock of a round, on the director's desk without scripts, on phones, and on the big screen."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Event, Match
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.ending import clock_of, until
from scorekeeper.services import directing
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at
from tests.scorekeeper.test_tournament_day import Host, begun, desk_of, one_of
from tests.tournaments import played_out, released, scheduled, setup_of


def test_the_clock_of_a_round_stands_and_goes_on(cast: Cast, as_user: Host) -> None:
    event = begun(cast)
    host = desk_of(event, as_user("director"))
    assert "Time left" in host.words
    host.press("Pause the clock")
    assert "Paused: 29:5" in host.words
    assert {until(match) for match in event.matches.all()} == {None}
    assert "The clock is paused: 29:5" in Browser().open(f"/tables/{one_of(event).table_id}/watch/").words
    host.press("Continue the clock")
    assert "Time left" in host.words
    assert all(until(match) for match in event.matches.all())
    host.press("Give extra time", minutes="7", table="2")
    assert [match.minutes for match in event.matches.order_by("table__number")] == [30, 37]
    assert "with extra time until" in host.words
    host.press("Give extra time", minutes="5", table="")
    assert [match.minutes for match in event.matches.order_by("table__number")] == [35, 42]
    host.press("Undo: clock")
    assert [match.minutes for match in event.matches.order_by("table__number")] == [30, 37]


def test_the_clock_waits_until_everybody_sits(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=20), 4)
    released(event)
    host, visitor = desk_of(event, as_user("director")), Browser()
    assert "Starts soon: 20:00" in host.words
    assert "No entries after" not in host.words, "nobody is late before it starts"
    watch = f"/tables/{one_of(event).table_id}/watch/"
    assert "The clock starts soon: 20:00" in visitor.open(watch).words
    assert "The clock starts soon 20:00" in visitor.open(f"/tournaments/{event.pk}/screen/").words
    assert "Starts soon: 20:00" in visitor.open(f"/tournaments/{event.pk}/seats/").words
    host.press("Start the clock")
    assert "Time left" in host.words
    assert not host.has_button("Start the clock")
    left = [end - timezone.now() for match in event.matches.all() if (end := until(match))]
    assert len(left) == 2
    assert all(timedelta(minutes=19) < each < timedelta(minutes=20) for each in left)
    assert "No entries after 15 minutes" in host.words, "hidden, until the clock of the page says so"
    assert traces(cast.club, Asked(log="nights"))[0].said["do"] == "run"
    host.press("Undo: clock")
    assert "Starts soon: 20:00" in host.words
    host.press("Start with these minutes", minutes="25")
    assert all(clock_of(match).minutes == 25 and until(match) for match in event.matches.all())
    with pytest.raises(Refused, match="The clock has started already"):
        directing.set_clock(event_id=event.pk, do="run", round_number=1, step=at(event, "twice"))


def test_a_pause_stops_the_time_at_the_tables(cast: Cast) -> None:
    event = begun(cast, minutes=30)
    match = one_of(event)
    Match.objects.filter(pk=match.pk).update(created_at=NOW)
    first, third, hour = (NOW + timedelta(minutes=minutes) for minutes in (10, 30, 90))
    directing.set_clock(event_id=event.pk, do="pause", round_number=1, step=at(event, "pause", first))
    match.refresh_from_db()
    assert clock_of(match).left_in_pause == timedelta(minutes=20)
    enter(match, [{"kind": "hand", "opener": 0}], now=hour)  # long after the time, but the clock stands
    directing.set_clock(event_id=event.pk, do="go-on", round_number=1, step=at(event, "go on", hour))
    match.refresh_from_db()
    assert until(match) == hour + timedelta(minutes=20)
    assert third < hour


def test_a_clock_starts_from_now_with_other_minutes(cast: Cast, as_user: Host) -> None:
    event = begun(cast, minutes=None)
    Match.objects.filter(event=event).update(created_at=timezone.now() - timedelta(hours=1))
    host = desk_of(event, as_user("director"))
    assert "Time left" not in host.words
    host.press("Start with these minutes", minutes="")
    assert "Minutes: enter a whole number from 1 to 1440." in host.words
    host.press("Start with these minutes", minutes="20")
    left = [at - timezone.now() for match in event.matches.all() if (at := until(match))]
    assert len(left) == 2
    assert all(timedelta(minutes=19) < each <= timedelta(minutes=20, seconds=1) for each in left)
    host.press("Undo: clock")
    assert {until(match) for match in event.matches.all()} == {None}


def test_the_clock_refuses_what_does_nothing(cast: Cast) -> None:
    event = begun(cast, minutes=None)
    with pytest.raises(Refused, match="No clock is running"):
        directing.set_clock(event_id=event.pk, do="pause", round_number=1, step=at(event, "a"))
    with pytest.raises(Refused, match="No clock is paused"):
        directing.set_clock(event_id=event.pk, do="go-on", round_number=1, step=at(event, "b"))
    with pytest.raises(Refused, match="No match is in play there"):
        directing.set_clock(event_id=event.pk, do="more", round_number=2, minutes=5, step=at(event, "c"))
    with pytest.raises(Refused, match="No match is in play there"):
        directing.set_clock(event_id=event.pk, do="more", round_number=1, table=9, minutes=5, step=at(event, "d"))


def test_the_same_step_twice_gives_extra_time_once(cast: Cast) -> None:
    event = begun(cast)
    step = at(event, "more")
    for _ in range(2):
        directing.set_clock(event_id=event.pk, do="more", round_number=1, minutes=5, step=step)
    assert {match.minutes for match in event.matches.all()} == {35}


# --- the big screen -------------------------------------------------------------------------------------------------
def test_the_screen_says_what_decides_and_what_comes_next(cast: Cast) -> None:
    until = {"start": "19:30", "end": "23:00", "pause": 10}
    setup = setup_of("block", "heads", minutes=20, rounds=2, until=until, order=["points", "difference"])
    event = scheduled(cast, setup, 4)
    screen = Browser().open(f"/tournaments/{event.pk}/screen/")
    assert "The first round is not released yet. Round 1: planned for 19:30" in screen.words
    for at_table, match in enumerate(released(event), 1):
        assert "What comes next" not in screen.open(screen.path).words
        totals = [10 * at_table, 0]
        directing.type_result(
            event_id=event.pk, round_number=1, table=at_table, totals=totals, step=at(event, f"{match.pk}")
        )
    screen.open(screen.path)
    assert "Standings after round 1" in screen.words
    figures = r"{} \w+ Points {} Difference {} Can reach at most 1–{}".format
    lines = " ".join((figures(1, 1, 20, 2), figures(2, 1, 10, 2), figures(3, 0, "−10", 4)))
    assert re.search(lines, screen.words), screen.words
    assert "The next round is drawn soon. Round 2: planned for 20:00" in screen.words
    played_out(event)
    assert "All rounds are played." in screen.open(screen.path).words


def test_the_short_address_leads_to_the_screen(cast: Cast) -> None:
    event = begun(cast)
    screen = Browser().open("/tv/")
    assert screen.path == f"/tournaments/{event.pk}/screen/"
    assert {"Round 1", "Who sits where", "Standings", "Time left"} <= {
        words for words in ("Round 1", "Who sits where", "Standings", "Time left") if words in screen.words
    }
    held = Browser().open(f"/tv/{event.pk}/standings")
    assert held.path == f"/tournaments/{event.pk}/screen/?show=standings"
    assert 'data-show="standings"' in held.markup
    assert Client().get(f"/tournaments/{event.pk}/screen/?show=nothing").status_code == 404
    directing.set_clock(event_id=event.pk, do="pause", round_number=1, step=at(event, "pause", timezone.now()))
    assert "The clock is paused" in Browser().open("/tv/").words
    other = Event.objects.create(club=cast.other_club, kind="night", started_at=NOW)
    which = Browser().open("/tv")
    assert f"Type into the TV: http://testserver/tv/{event.pk}" in which.words
    assert which.follow("Cup").path == f"/tournaments/{event.pk}/screen/"
    assert Browser().open(f"/tv/{event.pk}/").path == f"/tournaments/{event.pk}/screen/"
    assert Browser().open(f"/tv/{other.pk}/").path == f"/nights/{other.pk}/screen/"
