"""Two entrants of a round who sat at each other's tables: put right before, during and after play, and undone."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.pages.share import document
from scorekeeper.pages.tournament_day import clock_shown
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.matches import record_of
from scorekeeper.selectors.standings import club_tables, out_of_date
from scorekeeper.selectors.steps import totals_text
from scorekeeper.selectors.tournament_corrections import corrections_noted
from scorekeeper.selectors.tournaments import entrant_name, standings_now
from scorekeeper.services import directing, events, schedules, tournaments
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.words import listed
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at
from tests.tournaments import entered, file_of, made, played, released, scheduled, setup_of


def begun(cast: Cast, entrants: int = 4, **setup: Any) -> Event:
    event = scheduled(cast, setup_of("block", "heads", **setup), entrants, setup.get("size", 1))
    released(event)
    return event


def sides(event: Event, number: int = 1) -> list[list[list[int]]]:
    """The sides at the tables of a round, by start number."""
    return [table["sides"] for table in file_of(event)["stages"][0]["rounds"][number - 1]["tables"]]


def totals(event: Event) -> list[Any]:
    return [table["totals"] for table in file_of(event)["stages"][0]["rounds"][0]["tables"]]


def byes(event: Event) -> list[int]:
    return [each["entrant"] for each in file_of(event)["stages"][0]["rounds"][0]["unplayed"]]


def reseat(event: Event, one: int, other: int, how: Any = None, why: str = "", key: str = "reseat") -> None:
    directing.reseat(event_id=event.pk, round_number=1, entrants=[one, other], how=how, why=why, step=at(event, key))


def names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("number")]


def by_table(event: Event) -> list[Match]:
    """The newest match of the first round at each table."""
    found = event_now(event).at_tables
    return [found[place] for place in sorted(found)]


def sound(event: Event) -> bool:
    """Whether everything kept with the matches is what their logs say."""
    return all(out_of_date(match) == [] for match in event.matches.all())


def test_before_play_the_two_swap_and_no_match_is_lost(cast: Cast) -> None:
    event = begun(cast)
    [[[a], [b]], [[c], [d]]] = sides(event)
    first, second = by_table(event)
    was = names(first), names(second)
    reseat(event, a, c)
    assert sides(event) == [[[c], [b]], [[a], [d]]]
    assert [[each[0] for each in (names(first), names(second))], event.matches.count()] == [
        [was[1][0], was[0][0]],
        2,
    ]
    assert {pairing.players for pairing in state_of(event).rounds[0].pairings} == {
        tuple(seat.player_id for seat in match.seats.order_by("number")) for match in (first, second)
    }
    played(by_table(event)[0])
    assert record_of(Match.objects.get(pk=first.pk))["players"] == [was[1][0], was[0][1]]
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert sides(event) == [[[a], [b]], [[c], [d]]]
    assert (names(first), names(second)) == was
    assert sound(event)


@pytest.mark.parametrize("finished", [False, True])
def test_only_the_names_were_wrong_and_what_was_played_counts_for_the_right_people(cast: Cast, finished: bool) -> None:
    event = begun(cast)
    [[[a], [b]], [[c], [d]]] = sides(event)
    for match in by_table(event):
        played(match, None if finished else 3)
    before = totals(event)
    with pytest.raises(Refused) as refusal:
        reseat(event, a, c)
    assert refusal.value.code == "choose-how"
    assert "tables 1, 2" in refusal.value.message
    if finished:
        with pytest.raises(Refused, match="Say why"):
            reseat(event, a, c, "names")
    reseat(event, a, c, "names", "They took each other's chairs")
    assert (sides(event), totals(event)) == ([[[c], [b]], [[a], [d]]], before)
    assert sound(event)
    if finished:
        results = {each.player_id: each.points for each in by_table(event)[0].results.all()}
        players = state_of(event).rounds[0].pairings[0].players
        assert [results[player] for player in players] == before[0]
    noted = [(each.table, each.why) for each in corrections_noted(event_now(event))]
    assert noted == [(1, "They took each other's chairs"), (2, "They took each other's chairs")]
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert (sides(event), totals(event)) == ([[[a], [b]], [[c], [d]]], before)
    assert corrections_noted(event_now(event)) == []
    assert sound(event)


def test_confirmed_results_need_to_be_confirmed_again(cast: Cast) -> None:
    event = begun(cast, confirm=2)
    [[[a], _b], [[c], _d]] = sides(event)
    for match in by_table(event):
        played(match)
        enter(match, [{"kind": "confirm", "seats": [0, 1]}], by=Actor(cast.users["director"]))
    reseat(event, a, c, "names", "wrong chairs")
    assert ["confirmed" in match.sheet for match in by_table(event)] == [False, False]
    enter(by_table(event)[0], [{"kind": "confirm", "seats": [0, 1]}], by=Actor(cast.users["director"]), prefix="again")
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert sides(event)[0][0] == [a]
    assert sound(event)


def test_a_correction_before_the_first_hand_says_no_score(cast: Cast) -> None:
    event = begun(cast)
    [[[a], [_b]], [[c], [_d]]] = sides(event)
    first, other = by_table(event)
    played(first)
    reseat(event, a, c, "names", "wrong chairs")
    pages = [f"/tournaments/{event.pk}/", f"/matches/{first.pk}/", f"/matches/{other.pk}/"]
    texts = [Browser().open(page).words for page in pages]
    assert texts[0].count("“wrong chairs”") == 2
    assert texts[0].count("the score stays") == 1
    assert "the score stays" in texts[1]
    assert "the score stays" not in texts[2]


def test_everybody_reads_that_a_result_was_set_aside_and_who_swapped(cast: Cast) -> None:
    event = begun(cast)
    [[[a], [_b]], [[c], [_d]]] = sides(event)
    first = by_table(event)
    for match in first:
        played(match)
        match.refresh_from_db()
    reseat(event, a, c, "again", "wrong chairs")
    people = listed([entrant_name(event_now(event), each) for each in (a, c)])
    score = totals_text(first[1].sheet["totals"])
    page = Browser().open(f"/tournaments/{event.pk}/").words
    assert f"{score} was set aside and does not count · {people} changed places · “wrong chairs”" in page
    assert "the score stays" not in page + Browser().open(f"/matches/{first[0].pk}/").words
    for match in by_table(event):
        played(match)
    file = "".join(document(event, "en", lambda _done, _total: None))
    assert f"{people} changed places" in file
    summaries = re.findall(r"<summary>(.*?)</summary>", file.partition("Score sheets")[2], re.DOTALL)
    assert sum("set aside, does not count" in each for each in summaries) == 2


@pytest.mark.parametrize("finished", [False, True])
@pytest.mark.parametrize("how", ["again", "as-drawn"])
def test_both_tables_play_again_and_the_first_matches_count_nowhere(cast: Cast, how: str, finished: bool) -> None:
    event = begun(cast)
    drawn = [[[a], [b]], [[c], [d]]] = sides(event)
    first = by_table(event)
    for match in first:
        played(match, None if finished else 3)
    before = totals(event), [match.status for match in by_table(event)]
    reseat(event, a, c, how, "wrong chairs")
    again = by_table(event)
    assert {match.pk for match in again}.isdisjoint(match.pk for match in first)
    assert sides(event) == ([[[c], [b]], [[a], [d]]] if how == "again" else drawn)
    assert (totals(event), club_tables(cast.club).get("block", [])) == ([None, None], [])
    assert {match.sheet["stopped"] for match in event.matches.filter(pk__in=[each.pk for each in first])} == {
        "abandoned"
    }
    assert {(each.table, each.why) for each in corrections_noted(event_now(event))} == {
        (1, "wrong chairs"),
        (2, "wrong chairs"),
    }
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert (totals(event), [match.status for match in by_table(event)]) == before
    assert (sides(event), event.matches.count()) == (drawn, 2)
    assert sound(event)
    reseat(event, a, c, how, "wrong chairs", key="once more")
    for match in by_table(event):
        played(match)
    assert all(totals(event))
    with pytest.raises(Refused, match="There are entries at tables 1, 2, so this step stays"):
        events.undo(event_id=event.pk, step=at(event, "undo 2"))


def test_a_table_without_entries_keeps_its_match_while_the_other_plays_again(cast: Cast) -> None:
    event = begun(cast)
    [[[a], [b]], [[c], [d]]] = drawn = sides(event)
    first, second = by_table(event)
    played(first)
    reseat(event, a, c, "again", "wrong chairs")
    assert [match.pk == old.pk for match, old in zip(by_table(event), (first, second), strict=True)] == [False, True]
    assert sides(event) == [[[c], [b]], [[a], [d]]]
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert sides(event) == drawn
    assert sound(event)


def test_a_seated_entrant_swaps_with_one_who_has_a_bye(cast: Cast) -> None:
    event = begun(cast, 5)
    (bye,) = byes(event)
    a = sides(event)[0][0][0]
    played(by_table(event)[0])
    reseat(event, bye, a, "names", "the wrong one sat down")
    assert (sides(event)[0][0], byes(event)) == ([bye], [a])
    standings = {each["id"]: each["name"] for each in file_of(event)["entrants"]}
    assert names(by_table(event)[0])[0] == standings[bye]
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert (sides(event)[0][0], byes(event)) == ([a], [bye])
    assert sound(event)


def test_pairs_swap_both_players_and_a_side_swaps_at_its_own_table(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "heads", size=2), 4, 2)
    released(event)
    [[[a], [b]], [[c], _d]] = sides(event)
    for match in by_table(event):
        played(match)
    reseat(event, a, c, "names", "wrong chairs")
    assert sides(event)[0] == [[c], [b]]
    reseat(event, c, b, "names", "other sides", key="sides")
    assert sides(event)[0] == [[b], [c]]
    events.undo(event_id=event.pk, step=at(event, "undo 1"))
    events.undo(event_id=event.pk, step=at(event, "undo 2"))
    assert sides(event)[0] == [[a], [b]]
    assert sound(event)


def test_what_cannot_be_swapped_says_why(cast: Cast) -> None:
    event = begun(cast, 5)
    [[[a], _b], [[c], _d]] = sides(event)
    (bye,) = byes(event)

    def refused(one: int, other: int, how: Any = None) -> str:
        with pytest.raises(Refused) as refusal:
            reseat(event, one, other, how, key=f"{one}-{other}-{how}-{event.log.count()}")
        return refusal.value.message

    assert refused(a, a) == refused(a, 99) == "Choose two different entrants of this round."
    assert "Nothing is entered at these tables" in refused(a, c, "as-drawn")
    with pytest.raises(Refused, match="not seated yet"):
        directing.reseat(event_id=event.pk, round_number=2, entrants=[a, c], how=None, why="", step=at(event, "later"))
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[0], step=at(event, "forfeit"))
    assert "Somebody did not come to table 1." in refused(a, c)
    events.undo(event_id=event.pk, step=at(event, "undo"))
    stale = at(event, "stale")
    reseat(event, a, bye)
    with pytest.raises(Behind):
        directing.reseat(event_id=event.pk, round_number=1, entrants=[a, c], how=None, why="", step=stale)
    tournaments.close(event_id=event.pk, open_matches="abandon", early=True, step=at(event, "close"))
    assert "closed" in refused(a, c)


def test_the_same_step_twice_swaps_once(cast: Cast) -> None:
    event = begun(cast)
    [[[a], _b], [[c], _d]] = sides(event)
    step = at(event, "reseat")
    for _ in range(2):
        directing.reseat(event_id=event.pk, round_number=1, entrants=[a, c], how=None, why="", step=step)
    assert sides(event)[0][0] == [c]


def test_the_audit_says_who_and_how(cast: Cast) -> None:
    event = begun(cast)
    [[[a], _b], [[c], _d]] = sides(event)
    reseat(event, a, c)
    played(by_table(event)[0])
    reseat(event, a, c, "again", "wrong chairs", key="again")
    entrants = {each["id"]: each["name"] for each in file_of(event)["entrants"]}
    again, first = [trace.said for trace in traces(cast.club, Asked(log="nights")) if trace.kind == "reseat"]
    assert first == {"entrants": [entrants[a], entrants[c]], "round": "1"}
    assert again == {**first, "how": "again", "why": "wrong chairs"}


def test_a_swap_of_pairs_shows_each_score_by_side(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = scheduled(cast, setup_of("domino-whist", "heads", size=2), 4, 2)
    released(event)
    first = by_table(event)
    for match in first:
        played(match)
        match.refresh_from_db()
    [[[a], [_b]], [[c], [_d]]] = sides(event)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    host.press("Put it right", one=str(a), other=str(c), round="1", how="again", why="wrong chairs")
    one, other = first[0].sheet["totals"][:2]
    assert f"Table 1: what is played there ({one} : {other}) no longer counts" in host.words


def test_the_director_swaps_two_on_the_desk_without_scripts(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = begun(cast)
    [[[a], [b]], [[c], [d]]] = sides(event)
    for match in by_table(event):
        played(match)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    chosen = {"one": str(a), "other": str(c), "round": "1"}
    host.press("Put it right", **chosen)
    assert (host.status, "There are entries at tables 1, 2." in host.words) == (422, True)
    host.press("Put it right", **chosen, how="names", why="They took each other's chairs")
    assert "Nothing is saved yet." in host.words
    assert sides(event) == [[[a], [b]], [[c], [d]]]
    host.press("Put it right")
    assert (host.status, sides(event)) == (200, [[[c], [b]], [[a], [d]]])
    assert "They took each other's chairs" in Browser().open(f"/tournaments/{event.pk}/").words
    audit = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/audit/").words
    assert "swapped two entrants of a round" in audit
    assert "only the names were wrong" in audit
    host.press("Undo: swap in round 1")
    assert sides(event) == [[[a], [b]], [[c], [d]]]
    page = host.open(f"/matches/{by_table(event)[0].pk}/seats/")
    assert "Swap two entrants on the director's desk." in page.words
    assert "Somebody else played" not in page.words


@pytest.mark.parametrize("started", [True, False])
def test_a_match_that_is_played_again_waits_for_the_clock_only_as_the_others_do(cast: Cast, started: bool) -> None:
    event = begun(cast, minutes=20)
    if started:
        directing.set_clock(event_id=event.pk, do="run", round_number=1, step=at(event, "run"))
    [[[a], _b], [[c], _d]] = sides(event)
    for match in by_table(event):
        played(match, 2)
    reseat(event, a, c, "again")
    clocks = [clock_of(match) for match in by_table(event)]
    assert [(clock.waits, clock.until is not None) for clock in clocks] == [(not started, started)] * 2


LATER = timedelta(minutes=10, seconds=20)


def minutes_when_played_again(event: Event, now: datetime) -> list[int | None]:
    """The minutes of both matches that two entrants of the first two tables play again."""
    [[[a], _b], [[c], _d], *_others] = sides(event)
    step = at(event, "reseat", now)
    directing.reseat(event_id=event.pk, round_number=1, entrants=[a, c], how="again", why="chairs", step=step)
    return [match.minutes for match in by_table(event)[:2]]


def test_a_match_that_is_played_again_has_the_time_that_the_round_has_left(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=20, clock_waits=False), 6)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))
    events.seat(event_id=event.pk, minutes=45, step=at(event, "seat"))
    for match in by_table(event):
        played(match, 2)
    assert minutes_when_played_again(event, NOW + LATER) == [35, 35]
    clock = clock_shown(by_table(event), NOW + LATER)
    assert (clock.until, clock.last) == (NOW + timedelta(minutes=45), None), "nobody has extra time"


def test_a_match_that_is_played_again_in_a_pause_stands_with_the_others(cast: Cast) -> None:
    event = begun(cast, entrants=6, minutes=20, clock_waits=False)
    for match in by_table(event):
        played(match, 2)
    directing.set_clock(event_id=event.pk, do="pause", round_number=1, step=at(event, "pause", NOW + LATER))
    assert minutes_when_played_again(event, NOW + 2 * LATER) == [10, 10]
    clock = clock_shown(by_table(event), NOW + 2 * LATER)
    assert (clock.until, clock.left, clock.waits) == (None, "9:40", False)
    directing.set_clock(event_id=event.pk, do="go-on", round_number=1, step=at(event, "go-on", NOW + 3 * LATER))
    assert {clock_of(match).paused_at for match in by_table(event)} == {None}
    assert clock_shown(by_table(event), NOW + 3 * LATER).last is None


@pytest.mark.parametrize("waits", [False, True])
def test_a_match_that_is_played_again_after_the_round_has_its_whole_time(cast: Cast, waits: bool) -> None:
    event = scheduled(cast, setup_of("block", "heads", minutes=20, clock_waits=waits), 4)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))
    for match in events.seat(event_id=event.pk, minutes=45, step=at(event, "seat")):
        played(match)
    assert minutes_when_played_again(event, NOW + 6 * LATER) == [45, 45]
    assert [clock_of(match).waits for match in by_table(event)] == [waits] * 2


def test_what_a_swap_costs_is_said_before_it_is_made(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = begun(cast)
    [[[a], [_b]], [[c], [d]]] = sides(event)
    for match in by_table(event)[:1]:
        played(match)
    name = dict(zip(sorted({a, c, d, _b}), [each["name"] for each in file_of(event)["entrants"]], strict=True))
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    host.press("Put it right", round="1", one=str(a), other=str(c), how="again", why="chairs")
    totals_there = " : ".join(map(str, by_table(event)[0].sheet["totals"]))
    assert f"Table 1: what is played there ({totals_there}) no longer counts, and they play again." in host.words
    assert "Table 2: nothing is entered, the people change." in host.words
    one, other = sorted((a, d))
    assert f"{name[one]} and {name[other]} now meet twice; before, once." in host.words
    before = sides(event)
    host.follow("Leave it as it is")
    assert sides(event) == before


@pytest.mark.parametrize("how", ["names", "again", "as-drawn"])
def test_whose_place_changes_with_a_swap_is_said_before_it_is_made(
    cast: Cast, as_user: Callable[[str], Client], how: str
) -> None:
    event = begun(cast, order=["points", "start"])
    [[[a], _b], [_c, [d]]] = sides(event)
    for table, match in enumerate(by_table(event), 1):
        step = at(event, f"result {match.pk}")
        directing.type_result(event_id=event.pk, round_number=1, table=table, totals=[20, 60], step=step)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    before = standings_now(event_now(event)).stages[0].rows
    host.press("Put it right", round="1", one=str(a), other=str(d), how=how, why="chairs")
    said = set(re.findall(r"(\w+): place (\d) → (\d)", host.words))
    host.press("Put it right")
    old = {row.name: row.place for row in before}
    rows = standings_now(event_now(event)).stages[0].rows
    assert said == {(row.name, str(old[row.name]), str(row.place)) for row in rows if old[row.name] != row.place}
    assert said


def test_a_swap_that_breaks_a_wish_in_its_round_says_so(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = entered(cast, setup_of("block", "heads"), 6)
    wish = {"what": "apart", "entrants": [1, 2], "first": 1, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, sure=True, step=at(event, "wish"))
    made(event)
    released(event)
    one = next(other for table in sides(event) if [1] in table for [other] in table if other != 1)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    host.press("Put it right", round="1", one=str(one), other="2")
    assert "Round 1: Ada and Bruno meet, but should not." in host.words
    host.follow("Leave it as it is").press("Put it right", round="1", one="1", other="2")
    assert "should not" not in host.words
