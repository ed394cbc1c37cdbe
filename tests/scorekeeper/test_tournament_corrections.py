"""A wrong result of a tournament is found later: its reach first, then the correction with a note for everybody."""

from collections.abc import Callable
from dataclasses import replace as other

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import Event, EventEntry, Match
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import corrections, directing, events, recording
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at, night_of
from tests.nights import played as night_played
from tests.scorekeeper.test_corrections import change_of, worked_out
from tests.scorekeeper.test_tournament_files import document
from tests.scorekeeper.test_tournament_files import words as words_in
from tests.tournaments import file_of, played, released, scheduled, setup_of

Host = Callable[[str], Client]


def typed(event: Event, round_number: int, table: int, totals: list[int]) -> Match:
    key = f"result-{round_number}-{table}"
    step = at(event, key)
    directing.type_result(event_id=event.pk, round_number=round_number, table=table, totals=totals, step=step)
    return event.matches.get(round=round_number, table__number=table)


def of_four(cast: Cast) -> Event:
    """A round robin of four after one round: Ada and Carmen have won, or whoever sits first."""
    event = scheduled(cast, setup_of("block", "heads"), 4)
    released(event)
    for table in (1, 2):
        typed(event, 1, table, [60, 10 * table])
    return event


def places(event: Event) -> dict[str, int]:
    rows = standings_now(event_now(Event.objects.get(pk=event.pk))).stages[0].rows
    return {row.name: row.place for row in rows}


def changed(before: dict[str, int], after: dict[str, int]) -> list[str]:
    return [f"{name}: place {before[name]} → {place}" for name, place in after.items() if place != before[name]]


def test_a_typed_result_shows_its_reach_and_is_replaced_with_a_note(cast: Cast, as_user: Host) -> None:
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    before = places(event)
    loser = position(match).present[1]
    host = Browser(as_user("director")).open(f"/matches/{match.pk}/").follow("Correct the typed result")
    assert 'value="60"' in host.markup
    host.press("Show what it changes", **{"total-0": "10", "total-1": "99"})
    shown = host.words
    assert places(event) == before, "a preview saves nothing"
    assert "No round that has begun changes." in shown
    host.press("Save the correction")
    assert host.status == 422
    assert "Say why it changes" in host.words
    assert 'value="99"' in host.markup, "what was typed stays"
    host.press("Save the correction", why="The sheet", **{"total-0": "11"})
    assert "11" in host.words
    assert places(event) == before, "totals whose effect was not shown are shown first"
    host.press("Show what it changes", **{"total-0": "10"})
    host.press("Save the correction", why="The sheet had the names the other way round")
    assert host.status == 200, host.words
    after = places(event)
    assert after[loser] == 1
    assert changed(before, after)
    assert all(each in shown for each in changed(before, after))
    moves_up = {name for name in after if after[name] <= 3 < before[name]}
    assert moves_up
    assert {name for name in after if f"{name} moves into the first 3 places" in shown} == moves_up
    moves_down = {name for name in after if before[name] <= 3 < after[name]}
    assert moves_down
    assert {name for name in after if f"{name} leaves the first 3 places" in shown} == moves_down
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert "Corrections" in visitor.words
    assert "Round 1, table 1" in visitor.words
    assert "The sheet had the names the other way round" in visitor.words
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"] == [10, 99]


def test_undoing_the_replacement_brings_the_first_result_back(cast: Cast, as_user: Host) -> None:
    event = of_four(cast)
    before = places(event)
    match = event.matches.get(table__number=1)
    for seat in (0, 1):
        match.refresh_from_db()
        entry = {"kind": "confirm", "seats": [seat]}
        by = other(at(event, "x").by, user=cast.users["director"])
        recording.record(match_id=match.pk, seen=match.length, key=f"yes-{seat}", entry=entry, by=by, now=NOW)
    step = other(at(event, "replace"), by=by)
    for _twice in range(2):
        directing.replace_result(event_id=event.pk, round_number=1, table=1, totals=[10, 99], why="mixed up", step=step)
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert visitor.words.count("mixed up") == 1
    events.undo(event_id=event.pk, step=other(at(event, "undo"), by=by))
    match.refresh_from_db()
    assert list(position(match).totals) == [60, 10]
    assert match.status != Match.Status.PLAYING
    assert places(event) == before
    assert "mixed up" not in visitor.open(visitor.path).words


def test_a_typed_result_is_replaced_after_the_tournament_is_closed(cast: Cast) -> None:
    event = of_four(cast)
    before = places(event)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    by = other(at(event, "replace"), by=Actor(user=cast.users["director"]))
    directing.replace_result(event_id=event.pk, round_number=1, table=1, totals=[10, 99], why="mixed up", step=by)
    assert places(event) != before
    assert Event.objects.get(pk=event.pk).closed_at
    step = other(at(event, "undo"), by=by.by)
    events.undo(event_id=event.pk, step=step)
    assert places(event) == before
    assert Event.objects.get(pk=event.pk).closed_at, "the undo took back the correction alone"


def test_a_result_is_typed_in_place_of_hands_and_undone(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", options={"points_to_win": 100}), 4)
    match = released(event)[0]
    enter(match, [{"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [[], 30], "out": 0}}])
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    host.follow("Type the result in place of its hands")
    assert "1 recorded hand will no longer count" in host.words
    host.press("Show what it changes", **{"total-0": "40", "total-1": "60"})
    assert "Nobody has reached 100" in host.words
    host.press("Show what it changes", early="yes").press("Save the correction", why="The phone lost a hand")
    assert "ended early" in host.words
    assert "A result was typed in place of 1 hand" in host.words
    assert "director · Round 1, table 1 · 30 : 0 → 40 : 60 · “The phone lost a hand”" in host.words
    assert file_of(event)["stages"][0]["rounds"][0]["tables"][0]["totals"] == [40, 60]
    public = Browser().open(f"/tournaments/{event.pk}/")
    assert public.words.count("The phone lost a hand") == 1
    events.undo(event_id=event.pk, step=other(at(event, "undo"), by=Actor(user=cast.users["director"])))
    match.refresh_from_db()
    state = position(match)
    assert (state.result, state.totals, state.finished) == (None, (30, 0), False)
    assert "The phone lost a hand" not in Browser().open(f"/tournaments/{event.pk}/").words


def test_a_match_without_entries_has_nothing_to_replace(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    match = released(event)[0]
    assert match.table
    with pytest.raises(Refused, match="Nothing is entered for this match yet"):
        directing.replace_result(
            event_id=event.pk, round_number=1, table=match.table.number, totals=[1, 2], why="x", step=at(event, "r")
        )


def test_swapped_seats_show_their_reach_and_need_a_note(cast: Cast, as_user: Host) -> None:
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    before = places(event)
    host = Browser(as_user("director")).open(f"/matches/{match.pk}/seats/")
    host.press("Show what it changes", **{"seat-0": "1", "seat-1": "0"})
    shown = host.words
    host.press("Save the correction")
    assert host.status == 422
    assert "Say why it changes" in host.words
    host.press("Save the correction", why="They sat the other way round")
    assert host.status == 200
    after = places(event)
    assert changed(before, after)
    assert all(each in shown for each in changed(before, after))
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert "They sat the other way round" in visitor.words
    assert "They sat the other way round" in visitor.open(f"/matches/{match.pk}/").words


def test_a_corrected_hand_needs_a_note_and_keeps_the_preview(cast: Cast, as_user: Host) -> None:
    plan, number, hand = change_of("block")
    event = scheduled(cast, setup_of("block", "heads", options={"hands": 2}), 4)
    match = enter(released(event)[0], plan)
    page = worked_out(match, as_user("director"), number, hand)
    assert "In the tournament" in page.words
    page.press("Save the correction")
    assert page.status == 422
    assert "Say why it changes" in page.words
    assert "optional" not in page.words
    page.press("Save the correction", why="misread a tile")
    assert page.status == 200
    assert "misread a tile" in Browser().open(f"/tournaments/{event.pk}/").words


def test_a_note_that_was_undone_is_not_in_the_list(cast: Cast) -> None:
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    swap = [{"kind": "swap", "seats": [1, 0], "why": "wrong names"}]
    by = at(event, "x").by
    corrections.correct(match_id=match.pk, seen=match.length, key="swap", entries=swap, by=by, now=NOW)
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert "wrong names" in visitor.words
    match.refresh_from_db()
    recording.record(match_id=match.pk, seen=match.length, key="undo", entry={"kind": "undo"}, by=by, now=NOW)
    assert "wrong names" not in visitor.open(visitor.path).words


def test_a_correction_without_any_effect_on_places_says_so(cast: Cast, as_user: Host) -> None:
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    host = Browser(as_user("director")).open(f"/matches/{match.pk}/result/")
    host.press("Show what it changes")
    assert host.status == 422
    assert "That is the result already." in host.words
    host.press("Show what it changes", **{"total-0": "61", "total-1": "10"})
    assert "Nobody's place changes." in host.words
    host.press("Show what it changes", **{"total-0": "sixty"})
    assert host.status == 422
    assert "Final total, field 1: enter a whole number" in host.words
    assert 'value="sixty"' in host.markup


def test_in_play_no_note_is_needed(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    match = released(event)[0]
    swap = [{"kind": "swap", "seats": [1, 0]}]
    by = at(event, "x").by
    corrections.correct(match_id=match.pk, seen=0, key="swap", entries=swap, by=by, now=NOW)
    match.refresh_from_db()
    played(match)
    match.refresh_from_db()
    with pytest.raises(Refused, match="Say why"):
        corrections.correct(match_id=match.pk, seen=match.length, key="swap 2", entries=swap, by=by, now=NOW)


def test_on_a_club_night_no_note_is_needed(cast: Cast, as_user: Host) -> None:
    night = night_of(cast, 8, games=("block",))
    match = night.matches.order_by("pk")[0]
    night_played(match)
    host = Browser(as_user("director")).open(f"/matches/{match.pk}/seats/")
    host.press("Show what it changes", **{"seat-0": "1", "seat-1": "0"})
    assert "Standings of the night" in host.words
    assert "In the tournament" not in host.words
    assert host.press("Save the correction").path == f"/matches/{match.pk}/"
    assert host.open(host.path).words.count("Seats changed") == 1


def line_of(words: str, why: str) -> str:
    """The line with this note, without its date and time."""
    head, found = words.split(f"“{why}”")[0], f"“{why}”"
    return head[head.rindex("director ·") :] + found


def test_a_correction_is_the_same_line_everywhere(cast: Cast, as_user: Host) -> None:
    """On the page of the match, the public page and in the one file of the tournament."""
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    step = other(at(event, "replace"), by=Actor(cast.users["director"]))
    directing.replace_result(event_id=event.pk, round_number=1, table=1, totals=[10, 99], why="mixed up", step=step)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    line = "director · Round 1, table 1 · 60 : 10 → 10 : 99 · “mixed up”"
    visitor = Browser()
    pages = [visitor.open(address).words for address in (f"/matches/{match.pk}/", f"/tournaments/{event.pk}/")]
    for shown in (*pages, words_in(document(event))):
        assert shown.count("“mixed up”") == 1
        assert line_of(shown, "mixed up") == line
    assert "The typed result was corrected" in visitor.open(f"/matches/{match.pk}/").words
    audit = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/audit/").words
    assert "round 1 · 60 : 10 → 10 : 99 · “mixed up”" in audit
    event.refresh_from_db()
    events.undo(event_id=event.pk, step=other(at(event, "reopened"), by=step.by))
    events.undo(event_id=event.pk, step=other(at(event, "undone"), by=step.by))
    assert "mixed up" not in visitor.open(f"/tournaments/{event.pk}/").words
    page = visitor.open(f"/matches/{match.pk}/").words
    assert page.count("mixed up") == 1
    assert "undone later" in page


def test_a_correction_of_several_entries_is_one_line_from_the_first_score(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", options={"points_to_win": 100}), 4)
    match = released(event)[0]
    hand = {"table": [0, 0], "left": [[], 30], "out": 0}
    enter(match, [{"kind": "hand", "opener": 0, "final": hand}] * 2)
    match.refresh_from_db()
    mended = {"leader": 0, "final": {**hand, "left": [[], 20]}}
    back = {"kind": "undo", "to": {"hand": 1, "move": None}}
    entries = [back, {"kind": "replace", "hand": 0, "with": mended, "why": "misread"}]
    by = Actor(cast.users["director"])
    corrections.correct(match_id=match.pk, seen=match.length, key="both", entries=entries, by=by, now=NOW)
    words = Browser().open(f"/tournaments/{event.pk}/").words
    assert line_of(words, "misread").endswith("60 : 0 → 20 : 0 · “misread”")


def test_a_match_set_aside_is_in_the_list(cast: Cast) -> None:
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    entry = {"kind": "stop", "stopped": "abandoned", "why": "wrong people"}
    by = Actor(cast.users["director"])
    recording.record(match_id=match.pk, seen=match.length, key="aside", entry=entry, by=by, now=NOW)
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert visitor.words.count("wrong people") == 1
    assert "The match was set aside: it counts for nobody" in visitor.open(f"/matches/{match.pk}/").words


def test_notes_of_earlier_versions_stay_once(cast: Cast) -> None:
    """They were in the log of the event, and with the entries that took back what was there."""
    event = of_four(cast)
    match = event.matches.get(table__number=1)
    step = at(event, "old")
    old = {"kind": "result", "round": 1, "table": 1, "totals": [10, 99], "why": "old note", "ended": match.pk}
    payload = old | {"before": [60, 10], "stopped": None, "at": NOW.isoformat()}
    EventEntry.objects.create(event=event, seq=step.seen, kind="result", payload=payload, at=NOW, key="old")
    Event.objects.filter(pk=event.pk).update(length=step.seen + 1)
    enter(match, [{"kind": "undo"}, {"kind": "result", "totals": [10, 99]}])
    assert Browser().open(f"/tournaments/{event.pk}/").words.count("old note") == 1
