"""One round after the other: the next one begins while a table still plays, or while results are not confirmed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.live.parts import drawn
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event, Match
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import state_of
from scorekeeper.services import directing, events, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.standings.worths import PLACE
from tests.browsing import Browser
from tests.conftest import Cast, enter
from tests.nights import at, first
from tests.scorekeeper.test_tournament_day import desk_of, phone_at
from tests.tournaments import made, played, released, scheduled, setup_of

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


def overlapping(cast: Cast, entrants: int = 6, **setup: Any) -> tuple[Event, Match]:
    """A tournament whose second round is released while table 1 still plays the first, and that match."""
    event = scheduled(cast, setup_of("block", "heads", **setup), entrants)
    last, *others = released(event)
    for match in others:
        played(match)
    released(event)
    return event, last


def second_of(event: Event, player: int | None) -> Match:
    """The match of the second round in which the player sits."""
    return event.matches.get(round=2, seats__player=player)


def test_the_big_screen_shows_the_table_that_still_plays_after_those_of_the_new_round(cast: Cast) -> None:
    event, last = overlapping(cast)
    names = [seat.name for seat in last.seats.all()]
    tv = Browser().open(f"/tournaments/{event.pk}/screen/")
    tables, seats = tv.words.split("Who sits where")
    assert tables.count("Table ") == 4
    assert tables.index("waits for") < tables.index("Round 1 · Block")
    assert all(name in tables.partition("Round 1 ·")[0].rpartition("Table 1 ")[2] for name in names)
    for seat in last.seats.all():
        then = second_of(event, seat.player_id)
        assert then.table
        other = then.seats.exclude(player=seat.player_id).get().name
        assert f"{seat.name} against {other} still plays at table 1 Table {then.table.number}" in seats
    assert seats.count("still plays at table 1") == 2
    enter(last, [{"kind": "hand", "opener": 0}])
    assert "Round 1 · Block · hand 1" in tv.open(tv.path).words
    played_on(last)
    tv.open(tv.path)
    assert "Round 1 ·" not in tv.words
    assert "still plays" not in tv.words


def played_on(match: Match) -> None:
    """Ends a match in which something is entered."""
    match.refresh_from_db()
    enter(match, [{"kind": "stop", "stopped": "abandoned"}], prefix="end")


def test_where_do_i_sit_says_where_somebody_plays_and_where_then(cast: Cast) -> None:
    event, last = overlapping(cast)
    seat = last.seats.all()[0]
    then = second_of(event, seat.player_id)
    assert then.table
    [number] = then.seats.filter(player=seat.player_id).values_list("number", flat=True)
    other = then.seats.exclude(player=seat.player_id).get().name
    phone = Browser().open(f"/tournaments/{event.pk}/seats/?me={seat.player_id}")
    sentence = f"Then, in round 2: table {then.table.number}, seat {number + 1}, against {other}"
    assert "Table 1 Round 1, seat 1, against" in phone.words
    assert phone.words.count(sentence) == 2, "for the visitor, and in the list"
    assert f"{seat.name} Table 1 · then table {then.table.number}" in phone.words
    assert phone.words.count("Then, in round 2") == 3, "and for the other one"
    played(last)
    phone.open(phone.path)
    assert "Then, in round" not in phone.words
    assert f"Table {then.table.number} Seat {number + 1}, against {other}" in phone.words


def test_where_do_i_sit_says_that_a_bye_follows(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 5)
    tables = released(event)
    plan = state_of(event)
    assert isinstance(plan, Tournament)
    [bye] = plan.next_round((3, 4)).byes
    last = next(match for match in tables if match.seats.filter(player=bye).exists())
    for match in tables:
        if match != last:
            played(match)
    released(event)
    phone = Browser().open(f"/tournaments/{event.pk}/seats/?me={bye}")
    assert "Then you have a bye in round 2." in phone.words
    assert "· then bye" in phone.words
    tv = Browser().open(f"/tournaments/{event.pk}/screen/").words
    assert re.search(r"still plays at table \d sits out", tv)
    played(last)
    assert "You have a bye in this round." in phone.open(phone.path).words


def test_the_phone_of_a_table_that_waits_says_for_whom_until_they_are_free(cast: Cast) -> None:
    event, last = overlapping(cast)
    seat = last.seats.all()[0]
    waiting = second_of(event, seat.player_id)
    free = event.matches.filter(round=2).exclude(seats__player__in=last.seats.values("player")).get()
    sentence = f"Still playing: {seat.name} (table 1). Start when everybody is here."
    phone, other = phone_at(waiting), phone_at(free)
    assert sentence in phone.words.partition("Who opens?")[0]
    assert "Still playing" not in other.words
    enter(waiting, [{"kind": "hand", "opener": 0}])
    assert "Still playing" not in phone.open(phone.path).words, "it has begun, whoever plays"
    waiting.refresh_from_db()
    enter(waiting, [{"kind": "undo"}], prefix="back")
    topic = Topic("table", waiting.table_id or 0)
    before, version = topic.newest(), phone.open(phone.path).markup
    assert sentence in phone.words
    played(last)
    assert topic.newest() > before, "phones there draw it anew"
    assert sentence not in drawn(topic, "pad", "en", topic.newest()).text
    assert sentence in version
    last.refresh_from_db()
    before = topic.newest()
    enter(last, [{"kind": "undo"}], prefix="undo")
    assert topic.newest() > before, "also when the match goes on after all"
    assert sentence in drawn(topic, "pad", "en", topic.newest()).text


def test_the_last_hand_is_called_in_the_round_that_it_ends(cast: Cast, as_user: Host) -> None:
    event, last = overlapping(cast, minutes=30)
    desk = desk_of(event, as_user("director"))
    button, boxes = 'value="last-hand"', desk.markup.split("round-now stack")
    assert [button in box for box in boxes] == [False, False, True], "round 2, round 1"
    desk.press("Call the last hand at all tables")
    boxes = desk.markup.split("round-now stack")
    assert ["Last hand called" in box for box in boxes] == [False, False, True]
    assert not desk.has_button("Call the last hand at all tables"), "table 1 still plays the first round"
    last.refresh_from_db()
    assert last.last_hand == 1
    played(last)
    assert desk.open(desk.path).has_button("Call the last hand at all tables"), "now in the second round"
    desk.press("Call the last hand at all tables")
    assert "Last hand called" in desk.words
    assert "Last hand called" in Browser().open(f"/tournaments/{event.pk}/seats/").words


def test_undo_of_a_round_with_results_says_what_is_true(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    one, _other = released(event)
    played(one)
    desk = desk_of(event, as_user("director")).press("Undo: round 1 seated")
    assert desk.status == 422
    assert "There are entries at table 1, so this step stays. Correct what is wrong there" in desk.words
    assert "Play has begun" not in desk.words


def test_the_draft_says_so_if_every_table_waits(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    released(event)
    desk = desk_of(event, as_user("director")).press("Draft the next round")
    assert "You can release the round now, but all its tables wait for them." in desk.words
    assert "the other tables start" not in desk.words


# --- who came, and who won ------------------------------------------------------------------------------------------
def test_result_lines_say_who_did_not_come_and_who_won(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    one, other = released(event)
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[1], step=at(event, "absent"))
    directing.type_result(event_id=event.pk, round_number=1, table=2, totals=[9, 3], step=at(event, "typed"))
    words = Browser().open(f"/tournaments/{event.pk}/seats/").words
    came, gone = (seat.name for seat in one.seats.all())
    first, second = (seat.name for seat in other.seats.all())
    assert f"Round 1 {gone} they did not come: won by forfeit" in words
    assert f"Round 1 {came} you did not come" in words
    lower = GAMES["block"].lower_wins
    assert f"Round 1 {second} {'lost' if lower else 'won'} 9 : 3" in words
    assert f"Round 1 {first} {'won' if lower else 'lost'} 3 : 9" in words


def test_of_pairs_the_side_did_not_come(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "heads", size=2), 2, size=2)
    released(event)
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[1], step=at(event, "absent"))
    words = Browser().open(f"/tournaments/{event.pk}/seats/").words
    assert words.count("your side did not come") == 2
    assert words.count("they did not come: won by forfeit") == 2


def test_two_cannot_play_a_game_of_three(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("domizerka", "triples", worth=PLACE), 3)
    [match] = released(event)
    desk, phone = desk_of(event, as_user("director")), phone_at(match)
    gone = match.seats.get(number=2).name
    assert "If more came, they cannot play Domizerka: type their result, or abandon the match." in desk.words
    assert "Who deals?" in phone.words
    desk.press("They lose by forfeit", absent="2")
    assert "The others cannot play Domizerka. Type their result, or abandon the match." in desk.words
    assert "the others play" not in desk.words
    phone.open(phone.path)
    assert f"{gone} did not come. Domizerka needs 3 players. Call the director." in phone.words
    assert "Who deals?" not in phone.words
    desk.press("Save the result", **{"total-0": "4", "total-1": "-4"})
    assert "All results are in." in desk.words


# --- people who play in two events ----------------------------------------------------------------------------------
def test_who_plays_in_another_event_is_named_with_it_before_and_at_the_release(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    desk = desk_of(event, as_user("director")).press("Draft the first round")
    ids = [*state_of(event).numbers]
    other = tournaments.start(club=cast.club, name="Thursday", setup=setup_of("block", "heads"), step=first("other"))
    tournaments.enter(event_id=other.pk, entrants=[[each] for each in ids[:4]], step=at(other, "enter"))
    made(other)
    theirs = released(other)
    desk.press("Release round 1")  # as it was shown before they played
    assert desk.status == 422
    assert desk.words.count("Thursday)") == 6, "three in the refusal, three in the draft"
    assert "and 1 more. End these matches first, or choose others." in desk.words
    assert "Still playing elsewhere: " in desk.words
    assert "and 1 more. Round 1 can be released when those matches are over." in desk.words
    assert not desk.has_button("Release round 1")
    for match in theirs:
        played(match)
    desk.open(f"/tournaments/{event.pk}/desk/")
    assert "Still playing" not in desk.words
    assert desk.press("Release round 1").status == 200


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
