"""A result of a knock-out that is corrected when the next round is already seated."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.selectors.wrong_tables import WrongTable, wrong_tables
from scorekeeper.services import directing, events
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_best_of import seated, won
from tests.scorekeeper.test_knock_out import TREE, drawn, next_round, places, win, won_by_the_better
from tests.scorekeeper.test_stages import finals, grouped, next_tables, play, through
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_day import desk_of
from tests.tournaments import entered, file_of

Host = Callable[[str], Client]
WHY = "A result of an earlier round was corrected."


def final_of_four(cast: Cast, **setup: object) -> tuple[Event, Match, Match]:
    """The match that 1 has won against 4, and the round after it: 1 meets 2."""
    event = entered(cast, TREE | setup, 4)
    first, second = drawn(event)
    for match in (first, second):
        won_by_the_better(event, match)
    return event, first, drawn(event)[0]


def corrected(event: Event, match: Match, winner: int, key: str = "correct") -> None:
    assert match.round
    assert match.table
    pairing = state(event).pairing_at(match.round, match.table.number)
    sides = state(event).sides_of(pairing.game, pairing.players)
    directing.replace_result(
        event_id=event.pk,
        round_number=match.round,
        table=match.table.number,
        totals=[20 * (side == [winner]) for side in sides],
        why="misread",
        early=True,
        step=at(event, key),
    )


def wrong(event: Event) -> list[WrongTable]:
    snapshot = event_now(Event.objects.select_related("club").get(pk=event.pk))
    return wrong_tables(snapshot, standings_now(snapshot))


def at_table(event: Event, number: int = 2, table: int = 0, stage: int = 0) -> set[int]:
    sides = file_of(event)["stages"][stage]["rounds"][number - 1]["tables"][table]["sides"]
    return {each for side in sides for each in side}


def test_the_preview_says_it_before_and_the_desk_puts_it_right_after(cast: Cast, as_user: Host) -> None:
    event, first, final = final_of_four(cast)
    page = Browser(as_user("director")).open(f"/matches/{first.pk}/result/")
    sits = [state(event).numbers[seat.player_id or 0] for seat in first.seats.order_by("number")]
    page.press("Show what it changes", total_0=str(20 * (sits[0] == 4)), total_1=str(20 * (sits[1] == 4)))
    assert "Then the wrong people sit at a table:" in page.words
    assert re.search(r"(Ada and Bruno|Bruno and Ada) sit there, but by the results it is (Dmitri|Bruno)", page.words)
    corrected(event, first, 4)
    desk = desk_of(event, as_user("director"))
    assert "The wrong people sit at a table" in desk.words
    desk.press("Dmitri in place of Ada").press("Put it right")
    assert at_table(event) == {2, 4}
    assert "The wrong people sit at a table" not in desk.open(desk.path).words
    assert final.pk in {match.pk for match in event.matches.filter(round=2)}, (
        "nothing was played: only the names change"
    )
    win(event, final, 4)
    assert places(event) == {4: 1, 2: 2, 1: 3, 3: 3}
    assert next_round(event) == 0


def test_what_was_played_there_stays_in_the_log_and_the_right_ones_play(cast: Cast, as_user: Host) -> None:
    event, first, final = final_of_four(cast)
    win(event, final, 1)
    corrected(event, first, 4)
    desk_of(event, as_user("director")).press("Dmitri in place of Ada").press("Put it right")
    final.refresh_from_db()
    assert final.sheet["stopped"] == "abandoned"
    assert final.log.filter(payload__kind="result").exists()
    again = event.matches.get(round=2, finished_at=None)
    win(event, again, 2)
    assert places(event) == {2: 1, 4: 2, 1: 3, 3: 3}
    assert WHY in Browser().open(f"/tournaments/{event.pk}/").words


def test_the_bracket_says_who_should_sit_at_a_wrong_table(cast: Cast) -> None:
    event, first, _final = final_of_four(cast)
    corrected(event, first, 4)
    words = Browser().open(f"/tournaments/{event.pk}/").words
    assert "4 · Other matches · by the results, Dmitri and Bruno should play here · Table 1" in words


def test_an_undo_of_it_brings_the_table_back(cast: Cast) -> None:
    event, first, _final = final_of_four(cast)
    corrected(event, first, 4)
    directing.reseat(event_id=event.pk, round_number=2, entrants=[1, 4], how="again", why=WHY, step=at(event, "right"))
    assert (at_table(event), wrong(event)) == ({2, 4}, [])
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert at_table(event) == {1, 2}
    events.undo(event_id=event.pk, step=at(event, "undo the correction"))
    assert wrong(event) == []


def test_whoever_leaves_it_as_it_is_draws_the_right_ones_in_the_next_round(cast: Cast) -> None:
    event, first, final = final_of_four(cast)
    corrected(event, first, 4)
    win(event, final, 1)
    assert [{*each.due} for each in wrong(event)] == [{2, 4}]
    (match,) = drawn(event)
    assert at_table(event, 3) == {2, 4}
    win(event, match, 2)
    assert wrong(event) == []
    assert places(event)[2] == 1


def test_an_abandoned_table_is_not_wrong_any_more(cast: Cast) -> None:
    event, first, _final = final_of_four(cast)
    corrected(event, first, 4)
    directing.end_match(event_id=event.pk, round_number=2, table=1, how="abandoned", step=at(event, "abandon"))
    assert wrong(event) == []
    drawn(event)
    assert at_table(event, 3) == {2, 4}


def test_where_losers_play_on_the_two_swap_their_tables(cast: Cast) -> None:
    event, first, _final = final_of_four(cast, bracket="third-place")
    assert (at_table(event), at_table(event, 2, 1)) == ({1, 2}, {3, 4})
    corrected(event, first, 4)
    tables = wrong(event)
    assert [{*each.due} for each in tables] == [{2, 4}, {1, 3}]
    assert {frozenset(each.swap or ()) for each in tables} == {frozenset({1, 4})}
    directing.reseat(event_id=event.pk, round_number=2, entrants=[1, 4], how="again", why=WHY, step=at(event, "right"))
    assert (at_table(event), at_table(event, 2, 1), wrong(event)) == ({2, 4}, {1, 3}, [])


def test_the_table_after_a_wrong_one_is_abandoned_and_follows_later(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE, 8)
    first = drawn(event)
    for match in first:
        won_by_the_better(event, match)
    for match in drawn(event):
        won_by_the_better(event, match)
    drawn(event)
    loser = next(match for match in first if 8 in at_table(event, 1, (match.table.number if match.table else 0) - 1))
    corrected(event, loser, 8)
    (semi, final) = wrong(event)
    assert ({*semi.sat}, {*semi.due}, {*final.sat}, final.due) == ({1, 4}, {4, 8}, {1, 2}, ())
    assert "is not known before" in desk_of(event, as_user("director")).words
    semi_again: Any = {"event_id": event.pk, "round_number": 2, "entrants": [1, 8], "how": "again", "why": WHY}
    with pytest.raises(Refused, match="A match of Cup is in play at table 1"):
        directing.reseat(**semi_again, step=at(event, "busy"))
    directing.end_match(event_id=event.pk, round_number=3, table=1, how="abandoned", step=at(event, "abandon"))
    directing.reseat(**semi_again, step=at(event, "semi"))
    assert wrong(event) == []
    win(event, event.matches.get(round=2, finished_at=None), 8)
    drawn(event)
    assert at_table(event, 4) == {2, 8}


def test_in_finals_rounds_are_counted_on_from_those_of_the_groups(cast: Cast, as_user: Host) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    finals(event, [("Final", through(event, 2, 0))], TREE)
    tables = next_tables(event)
    for match in tables:
        won_by_the_better(event, match)
    number = tables[0].round or 0
    next_tables(event)
    assert wrong(event) == []
    loser = max(at_table(event, 1, 0, stage=-1))
    corrected(event, tables[0], loser)
    assert [each.round for each in wrong(event)] == [number + 1]
    desk = desk_of(event, as_user("director"))
    name = re.search(r"(\w+) in place of", desk.words)
    assert name
    desk.press(name[0]).press("Put it right")
    assert loser in at_table(event, 2, 0, stage=-1)
    assert wrong(event) == []


def reopened(cast: Cast, **setup: object) -> tuple[Event, Match]:
    """The best of 3 between 1 and 8 was decided, and 1 drawn against another one; then a match of it became a draw."""
    event = entered(cast, TREE | {"best_of": 3} | setup, 8)
    while going := list(event.matches.filter(finished_at=None)) or (drawn(event) if not state(event).rounds else []):
        won(event, min(seated(event, going[0])))
    first, second = (match for match in event.matches.order_by("pk") if {*seated(event, match)} == {1, 8})
    drawn(event)
    sides = [20 * (each == 8) for each in seated(event, first)]
    directing.replace_result(
        event_id=event.pk,
        round_number=1,
        table=second.table.number if second.table else 0,
        totals=sides,
        why="misread",
        early=True,
        match_id=second.pk,
        step=at(event, "reopen", timezone.now()),
    )
    return event, first


def test_a_series_that_is_open_again_goes_on_where_it_was(cast: Cast, as_user: Host) -> None:
    event, _first = reopened(cast, final_best_of=5)
    desk = desk_of(event, as_user("director"))
    assert "but the series of Ada and Hugo is not decided: they play match 3" in desk.words
    assert "Play on" not in desk.words
    button = re.search(r"Hugo in place of \w+", desk.words)
    assert button
    preview = desk.press(button[0])
    assert "they go on with their series at 1 : 1: match 3." in preview.words
    assert "meet twice" not in preview.words
    desk = preview.press("Put it right")
    assert "match 3 of up to 3" in desk.words
    assert "Play on" not in desk.words
    assert wrong(event) == []
    (match,) = (each for each in event.matches.filter(round=2) if {*seated(event, each)} == {1, 8})
    assert "match 3 of up to 3 · 1 : 1" in Browser(as_user("director")).open(f"/tables/{match.table_id}/").words
    won(event, 8, "third")
    assert not [each for each in event.matches.filter(finished_at=None) if 8 in seated(event, each)]
    (table,) = (each for each in file_of(event)["stages"][0]["rounds"][1]["tables"] if [8] in each["sides"])
    assert sorted(table["totals"]) == [1, 2]
    assert len(table["matches"]) == 1


def test_rounds_are_counted_until_the_final_is_played(cast: Cast, as_user: Host) -> None:
    event, _first = reopened(cast)
    desk = desk_of(event, as_user("director"))
    assert "Round 2 of 5" in desk.words, "if they leave the table as it is, the series goes on in round 3"
    directing.reseat(
        event_id=event.pk,
        round_number=2,
        entrants=[8, *({*at_table(event, 2, 0)} - {1})],
        how="again",
        why=WHY,
        step=at(event, "right"),
    )
    for played in (2, 3, 4):
        words = desk.open(desk.path).words
        assert ("This is the last round" in words) == (played == 4)
        assert (f"Round {played} of 4" in words) == (played < 4)
        while going := list(event.matches.filter(finished_at=None)):
            won(event, max(seated(event, going[0])), str(len(event.matches.all())))
        if played < 4:
            drawn(event)
    assert next_round(event) == 0
    assert list(places(event).values()).count(1) == 1
