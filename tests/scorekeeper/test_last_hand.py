"""A match ends early when time is up or the host calls the last hand."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

import games
from games.errors import Malformed
from scorekeeper import words
from scorekeeper.access import Actor
from scorekeeper.models import Event, Match, Player
from scorekeeper.selectors.ending import ending, ending_in_lists, until
from scorekeeper.selectors.matches import position
from scorekeeper.services import matches, recording
from scorekeeper.services.errors import Behind, Refused
from tests.conftest import NOW, Cast, last_change, names_for, plan_for, snapshot

GAME = next(slug for slug, game in games.GAMES.items() if game.draws_seats)
BELL = NOW + timedelta(minutes=30)
BEFORE, AFTER = BELL - timedelta(seconds=1), BELL


@pytest.fixture
def timed(cast: Cast) -> Match:
    """A match with a limit of half an hour."""
    return matches.open_match(
        table=cast.table, game=GAME, options={}, players=names_for(GAME), minutes=30, by=Actor(), now=NOW
    )


def whole_hand(number: int = 0) -> dict[str, Any]:
    """A hand entered by its final state alone."""
    return {"kind": "hand", "opener": number % 4, "final": {"out": 0, "left": [0, 5, 6, 7]}}


BEGUN = {"kind": "hand", "opener": 0}
COUNTED = {"kind": "final", "final": {"out": 0, "left": [0, 5, 6, 7]}}


def enter(match: Match, entry: dict[str, Any], now: Any = NOW, key: str = "") -> recording.Recorded:
    match.refresh_from_db()
    done = recording.record(
        match_id=match.pk, seen=match.length, key=key or f"k{match.length}", entry=entry, by=Actor(), now=now
    )
    match.refresh_from_db()
    return done


def kinds(match: Match) -> list[str]:
    return [entry.kind for entry in match.log.all()]


def refused_as_too_late(match: Match, entry: dict[str, Any], now: Any) -> None:
    before = snapshot(match)
    for refused in (
        lambda: enter(match, entry, now),
        lambda: recording.preview(match_id=match.pk, seen=match.length, entry=entry, by=Actor(), now=now),
    ):
        with pytest.raises(Refused, match="Count the current score, or ask the host") as error:
            refused()
        assert error.value.code == "time-up"
    assert snapshot(match) == before


def test_the_hand_in_play_when_the_time_is_up_is_the_last(timed: Match) -> None:
    enter(timed, BEGUN, BEFORE)
    assert ending(timed, position(timed), BEFORE) == ending(timed, position(timed), NOW)
    assert not ending(timed, position(timed), BEFORE).last
    assert ending(timed, position(timed), AFTER).last
    done = enter(timed, COUNTED, AFTER)
    assert kinds(timed) == ["hand", "final", "stop"]
    assert (timed.status, timed.sheet["stopped"], timed.finished_at) == (Match.Status.STOPPED, "time", AFTER)
    assert words.stopped(timed.sheet) == "time was up"
    assert (done.seq, done.length, done.sheet) == (1, 3, timed.sheet)
    assert timed.sheet["winners"]


def test_where_none_is_in_play_when_the_time_is_up_no_hand_begins(timed: Match) -> None:
    enter(timed, whole_hand(), BEFORE)
    assert ending(timed, position(timed), AFTER).over
    refused_as_too_late(timed, BEGUN, AFTER)
    enter(timed, {"kind": "stop", "stopped": "time"}, AFTER)
    assert timed.status == Match.Status.STOPPED


def test_a_whole_hand_may_have_begun_before_time_was_up(timed: Match) -> None:
    enter(timed, whole_hand(), BEFORE)
    enter(timed, whole_hand(1), AFTER)
    assert kinds(timed) == ["hand", "hand", "stop"]


def test_a_match_of_which_nothing_is_counted_has_one_hand_more(timed: Match) -> None:
    assert ending(timed, position(timed), AFTER).last
    assert not ending(timed, position(timed), AFTER).over
    enter(timed, BEGUN, AFTER)
    enter(timed, COUNTED, AFTER)
    assert timed.status == Match.Status.STOPPED


def test_more_time_lets_hands_begin_again(timed: Match) -> None:
    enter(timed, whole_hand(), BEFORE)
    matches.give_minutes(match_id=timed.pk, minutes=45, now=AFTER)
    enter(timed, BEGUN | {"opener": 1}, AFTER)
    enter(timed, COUNTED, AFTER)
    assert timed.status == Match.Status.PLAYING


def test_the_host_calls_the_hand_in_play_the_last(cast: Cast) -> None:
    match = cast.open(GAME)
    enter(match, whole_hand())
    enter(match, BEGUN | {"opener": 1})
    matches.call_last_hand(match_id=match.pk, now=NOW)
    matches.call_last_hand(match_id=match.pk, now=NOW)
    match.refresh_from_db()
    assert match.last_hand == 2
    kind, topics = last_change()
    assert kind == "last-hand"
    assert topics >= {f"match:{match.pk}", f"table:{match.table_id}"}
    assert ending(match, position(match), NOW).last
    enter(match, COUNTED)
    assert match.status == Match.Status.STOPPED


def test_between_two_hands_the_next_one_is_the_last(cast: Cast) -> None:
    match = cast.open(GAME)
    enter(match, whole_hand())
    matches.call_last_hand(match_id=match.pk, now=NOW)
    match.refresh_from_db()
    assert ending(match, position(match), NOW).last
    enter(match, BEGUN | {"opener": 1})
    enter(match, COUNTED)
    assert kinds(match) == ["hand", "hand", "final", "stop"]
    assert words.stopped(match.sheet) == "ended after the last hand", "no clock is up"


def test_a_last_hand_is_called_off(cast: Cast) -> None:
    match = cast.open(GAME)
    enter(match, BEGUN)
    matches.call_last_hand(match_id=match.pk, now=NOW)
    matches.cancel_last_hand(match_id=match.pk, now=NOW)
    enter(match, COUNTED)
    assert (match.status, match.last_hand) == (Match.Status.PLAYING, None)
    # A match that has ended needs no last hand.
    enter(match, {"kind": "stop", "stopped": "abandoned"})
    matches.call_last_hand(match_id=match.pk, now=NOW)
    match.refresh_from_db()
    assert match.last_hand is None


def test_the_match_that_ended_by_itself_goes_back_step_by_step(timed: Match) -> None:
    enter(timed, BEGUN, BEFORE)
    enter(timed, COUNTED, AFTER)
    undo = {"kind": "undo"}
    enter(timed, undo, AFTER)
    assert (timed.status, timed.offers["next"]) == (Match.Status.PLAYING, "hand")
    refused_as_too_late(timed, BEGUN, AFTER)
    enter(timed, undo, AFTER)
    assert (timed.status, timed.offers["next"]) == (Match.Status.PLAYING, "move")
    enter(timed, COUNTED, AFTER)
    assert kinds(timed) == ["hand", "final", "stop", "undo", "undo", "final", "stop"]


def test_what_an_undo_brings_back_is_not_ended_at_once(timed: Match) -> None:
    enter(timed, whole_hand(), BEFORE)
    back = {"kind": "undo", "to": {"hand": 0, "move": None}}
    enter(timed, back, AFTER)
    enter(timed, {"kind": "undo"}, AFTER)
    assert timed.status == Match.Status.PLAYING
    assert len(timed.sheet["hands"]) == 1


def test_after_the_last_hand_no_whole_hand_can_be_entered(cast: Cast) -> None:
    match = cast.open(GAME)
    matches.call_last_hand(match_id=match.pk, now=NOW)
    enter(match, whole_hand())
    enter(match, {"kind": "undo"})
    refused_as_too_late(match, whole_hand(1), NOW)


def test_the_same_key_again_is_answered_as_the_first_time(timed: Match) -> None:
    enter(timed, BEGUN, BEFORE)
    first = enter(timed, COUNTED, AFTER, key="x" * 64)
    enter(timed, {"kind": "undo"}, AFTER)
    again = recording.record(match_id=timed.pk, seen=1, key="x" * 64, entry=COUNTED, by=Actor(), now=AFTER)
    assert again.repeated
    shape = [(done.seq, done.length, done.sheet, done.offers) for done in (first, again)]
    assert shape[0] == shape[1]
    assert timed.length == 4


def test_a_preview_shows_that_it_is_the_end(timed: Match) -> None:
    enter(timed, BEGUN, BEFORE)
    for now, ends in ((BEFORE, False), (AFTER, True)):
        assert recording.preview(match_id=timed.pk, seen=1, entry=COUNTED, by=Actor(), now=now).finished == ends


def test_a_match_that_ends_by_its_own_rule_is_not_stopped(cast: Cast) -> None:
    match = cast.open(GAME, hands=1)
    matches.call_last_hand(match_id=match.pk, now=NOW)
    enter(match, whole_hand())
    assert (match.status, kinds(match)) == (Match.Status.FINISHED, ["hand"])


@pytest.mark.parametrize("minutes", [0, -5, True, "20", 2.5, 24 * 60 + 1])
def test_invalid_minutes_are_refused(cast: Cast, minutes: Any) -> None:
    path = reverse("api-match-open", args=[cast.table.pk])
    body = {"game": GAME, "players": names_for(GAME), "minutes": minutes}
    answer = cast.phone().post(path, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    with pytest.raises(Malformed):
        matches.give_minutes(match_id=cast.open(GAME).pk, minutes=minutes, now=NOW)


def test_programs_learn_that_time_is_up(cast: Cast, timed: Match) -> None:
    """The match was opened long ago, so by the server's clock its time is up."""
    enter(timed, whole_hand())
    path = reverse("api-entries", args=[timed.pk])
    answer = cast.phone().post(path, BEGUN | {"seen": 1, "key": "late"})
    assert (answer.status_code, answer.json()["code"]) == (422, "time-up")


@pytest.fixture
def night(cast: Cast) -> Event:
    for name in ("Ana", "Bo"):
        Player.objects.create(club=cast.club, name=name)
    return Event.objects.create(club=cast.club, kind="night", started_at=NOW)


def test_a_match_at_a_table_belongs_to_the_night_and_new_names_are_guests(cast: Cast, night: Event) -> None:
    match = cast.open(GAME)
    assert match.event == night
    assert {player.name: player.guest for player in cast.club.players.all()} == {
        "Ana": False,
        "Bo": False,
        "Cleo": True,
        "Dan": True,
    }
    assert all(seat.player for seat in match.seats.all())
    assert f"night:{night.pk}" in last_change()[1]


def test_without_a_night_new_names_are_guests_too(cast: Cast, night: Event) -> None:
    night.closed_at = NOW
    night.save()
    match = cast.open(GAME)
    assert match.event is None
    assert [seat.player and seat.player.guest for seat in match.seats.all()] == [False, False, True, True]


def test_nobody_plays_at_two_tables_at_once(cast: Cast, night: Event) -> None:
    first = matches.open_match(
        table=cast.table, game=GAME, options={}, players=names_for(GAME), by=Actor(), now=NOW, round_number=3
    )
    assert first.round == 3

    def begin(*, parallel: bool = False) -> Match:
        people = ["Dan", "Eva", "Fay", "Gus"]
        return matches.open_match(
            table=cast.other_table, game=GAME, options={}, players=people, by=Actor(), now=NOW, parallel=parallel
        )

    for parallel in (True, False):
        with pytest.raises(Refused, match=r"Dan \(table 1\)") as error:
            begin(parallel=parallel)
        assert error.value.code == "playing-elsewhere"
    assert not cast.club.players.filter(name="Eva").exists()
    enter(first, {"kind": "stop", "stopped": "abandoned"})
    assert begin().event == night


def test_a_replaced_player_may_play_elsewhere(cast: Cast, night: Event) -> None:
    first = cast.open(GAME)
    eva = Player.objects.create(club=cast.club, name="Eva")
    first.substitutes.create(number=3, from_hand=0, player=eva, name="Eva")
    first.sheet["substitutes"] = [{"seat": 3, "hand": 0, "player": "Eva"}]
    first.save(update_fields=["sheet"])
    others = {"table": cast.other_table, "game": GAME, "options": {}, "by": Actor(), "now": NOW}
    with pytest.raises(Refused, match=r"Eva \(table 1\)"):
        matches.open_match(players=["Dan", "Eva", "Fay", "Gus"], **others)
    assert matches.open_match(players=["Dan", "Flo", "Fay", "Gus"], **others).status == Match.Status.PLAYING


def test_every_game_ends_by_the_clock(cast: Cast, game: str) -> None:
    plan = plan_for(game, hands=2)
    match = matches.open_match(
        table=cast.table, game=game, options={}, players=names_for(game), minutes=1, by=Actor(), now=NOW
    )
    for number, entry in enumerate(plan):
        enter(match, entry, NOW + timedelta(minutes=1), key=f"e{number}")
        if match.status != Match.Status.PLAYING:
            break
    counted = [hand for hand in match.sheet["hands"] if hand["state"] == "counted"]
    assert (match.sheet["stopped"], len(counted)) == ("time", 1)


@pytest.mark.parametrize(
    ("minutes", "now", "end"),
    [
        (30, BEFORE, BELL + timedelta(minutes=10)),
        (30, BELL + timedelta(seconds=90), BELL + timedelta(minutes=11, seconds=30)),
        (None, BELL, BELL + timedelta(minutes=10)),
    ],
)
def test_more_minutes(cast: Cast, minutes: int | None, now: Any, end: Any) -> None:
    """They are added to the limit, or count from now if time is up or there is no limit."""
    match = matches.open_match(
        table=cast.table, game=GAME, options={}, players=names_for(GAME), minutes=minutes, by=Actor(), now=NOW
    )
    matches.give_more_minutes(match_id=match.pk, more=10, seen=match.minutes, now=now)
    match.refresh_from_db()
    assert until(match) == end
    kind, topics = last_change()
    assert kind == "minutes"
    assert topics >= {f"table:{cast.table.pk}", f"club:{cast.club.pk}"}


def test_the_same_request_for_more_minutes_counts_once(timed: Match) -> None:
    for _time in range(2):
        with suppress(Behind):
            matches.give_more_minutes(match_id=timed.pk, more=10, seen=timed.minutes, now=NOW)
    before, after = timed.minutes, Match.objects.get(pk=timed.pk).minutes
    assert before
    assert after == before + 10


def test_lists_know_how_a_match_ends_without_its_log(timed: Match) -> None:
    for step in ({}, BEGUN, COUNTED, BEGUN | {"opener": 1}, {"kind": "stop", "stopped": "abandoned"}):
        if step:
            enter(timed, step, NOW)
        for last_hand in (None, 1, 2):
            timed.last_hand = last_hand
            for now in (BEFORE, AFTER):
                assert ending_in_lists(timed, now) == ending(timed, position(timed), now)
