"""A knock-out in which several matches decide a table: the next one begins by itself, and only what counts counts."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.pages.bracket import bracket_of
from scorekeeper.selectors.events import event_now
from scorekeeper.services import corrections, directing, events, matches, tournaments
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import KINDS, TREE, drawn, next_round, places
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_day import desk_of
from tests.tournaments import entered, file_of

Host = Callable[[str], Client]
THREE = TREE | {"best_of": 3}


def playing(event: Event) -> list[Match]:
    return list(event.matches.filter(finished_at=None).order_by("pk"))


def seated(event: Event, match: Match) -> list[int]:
    numbers = state(event).numbers
    players = [numbers[seat.player_id] for seat in match.seats.order_by("number") if seat.player_id]
    return list(dict.fromkeys(players))


def won(event: Event, winner: int, key: str = "") -> None:
    """The entrant wins the match that is in play at their table; the totals are those of the table as it was drawn."""
    match = next(each for each in playing(event) if winner in seated(event, each))
    type_totals(event, match, {winner: 10}, key)


def type_totals(event: Event, match: Match, totals: dict[int, int], key: str = "") -> None:
    assert match.round
    assert match.table
    pairing = state(event).pairing_at(match.round, match.table.number)
    sides = state(event).sides_of(pairing.game, pairing.players)
    directing.type_result(
        event_id=event.pk,
        round_number=match.round,
        table=match.table.number,
        totals=[totals.get(side[0], 0) for side in sides],
        early=True,
        step=at(event, f"result {match.pk} {key}"),
    )


def table_of(event: Event) -> dict[str, Any]:
    table: dict[str, Any] = file_of(event)["stages"][0]["rounds"][0]["tables"][0]
    return table


def test_the_next_match_begins_by_itself_and_the_other_side_leads(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    (first,) = drawn(event)
    leads, follows = seated(event, first)
    won(event, leads)
    (second,) = playing(event)
    assert (second.table, second.round) == (first.table, 1)
    assert seated(event, second) == [follows, leads]
    assert (table_of(event)["sides"], table_of(event)["totals"]) == ([[leads], [follows]], None)
    won(event, follows)
    (third,) = playing(event)
    assert seated(event, third) == [leads, follows]
    won(event, follows)
    assert playing(event) == []
    assert table_of(event)["totals"] == [1, 2]
    assert places(event) == {follows: 1, leads: 2}
    assert next_round(event) == 0
    assert event.matches.filter(results__isnull=False).distinct().count() == 3, "each counts as a match"
    assert " won 2" in Browser().open(f"/tournaments/{event.pk}/screen/").words


def test_two_wins_are_enough_and_a_draw_counts_for_nobody(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    drawn(event)
    won(event, 1)
    type_totals(event, playing(event)[0], {})
    assert table_of(event)["totals"] is None
    won(event, 1)
    assert playing(event) == []
    assert event.matches.count() == 3
    file = table_of(event)
    assert file["totals"] == [2 * (side == [1]) for side in file["sides"]]


def test_where_the_smaller_total_wins_the_file_has_the_matches_lost(cast: Cast) -> None:
    event = entered(cast, THREE | {"game": "domino-whist", "size": 2}, 2, size=2)
    drawn(event)
    for _ in range(2):
        type_totals(event, playing(event)[0], {2: 40})
    file = table_of(event)
    assert file["totals"] == [2 * (side == [2]) for side in file["sides"]]
    assert places(event) == {1: 1, 2: 2}
    bracket = Browser().open(f"/tournaments/{event.pk}/").words
    assert "✓" in bracket
    assert re.search(r"✓ \S.* 2, ", bracket)


def test_an_undo_at_the_desk_takes_the_next_match_back(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    (first,) = drawn(event)
    won(event, 2)
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert [match.pk for match in playing(event)] == [first.pk]
    won(event, 2, "again")
    won(event, 2)
    assert playing(event) == []
    events.undo(event_id=event.pk, step=at(event, "undo the last"))
    assert len(playing(event)) == 1
    assert table_of(event)["totals"] is None


def test_a_correction_of_an_earlier_match_counts(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    (first,) = drawn(event)
    leads, follows = seated(event, first)
    won(event, leads)
    won(event, follows)
    correct(event, first, [0, 10])
    assert playing(event) == [], "the third match is not needed any more"
    assert table_of(event)["totals"] == [0, 2]
    correct(event, first, [10, 0], "back")
    assert len(playing(event)) == 1
    assert table_of(event)["totals"] is None


def correct(event: Event, match: Match, totals: list[int], key: str = "") -> None:
    assert match.round
    assert match.table
    directing.replace_result(
        event_id=event.pk,
        round_number=match.round,
        table=match.table.number,
        totals=totals,
        why="misread",
        early=True,
        match_id=match.pk,
        step=at(event, f"correct {match.pk} {key}"),
    )


def test_who_does_not_come_to_a_later_match_loses_the_table(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    (first,) = drawn(event)
    leads, follows = seated(event, first)
    won(event, leads)
    step = at(event, "away")
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[0], step=step)
    assert playing(event) == []
    assert places(event) == {follows: 1, leads: 2}
    events.undo(event_id=event.pk, step=at(event, "they came"))
    assert len(playing(event)) == 1


def abandoned_after_a_win(cast: Cast) -> tuple[Event, Match]:
    """1 has won a match; the second one, which is here, was abandoned."""
    event = entered(cast, THREE, 2)
    drawn(event)
    won(event, 1)
    (match,) = playing(event)
    directing.end_match(event_id=event.pk, round_number=1, table=1, how="abandoned", step=at(event, "abandon"))
    assert playing(event) == []
    return event, match


def test_after_an_abandoned_match_the_same_two_may_play_again_in_the_next_round(cast: Cast, as_user: Host) -> None:
    event, _match = abandoned_after_a_win(cast)
    assert next_round(event) == 2
    desk = desk_of(event, as_user("director"))
    assert desk.has_button("Start another match")
    drawn(event)
    assert not desk.open(desk.path).has_button("Start another match")
    step = at(event, "too late")
    with pytest.raises(Refused, match="No match can begin there"):
        directing.next_match(event_id=event.pk, round_number=1, table=1, step=step)


def test_an_abandoned_match_ends_only_itself_and_another_one_is_started(cast: Cast, as_user: Host) -> None:
    event, match = abandoned_after_a_win(cast)
    desk = desk_of(event, as_user("director")).press("Start another match")
    assert "match 2 of up to 3" in desk.words
    assert not desk.has_button("Start another match")
    (again,) = playing(event)
    assert seated(event, again) == seated(event, match), "the same side leads once more"
    desk.press("Undo: another match at table 1")
    assert playing(event) == []
    desk.press("Start another match")
    won(event, 1, "again")
    assert playing(event) == []
    assert next_round(event) == 0
    assert places(event) == {1: 1, 2: 2}
    assert len(table_of(event)["matches"]) == 2
    assert (
        "started another match at a table" in Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/audit/").words
    )


def test_where_a_table_is_busy_the_desk_leads_there(cast: Cast, as_user: Host) -> None:
    event, match = abandoned_after_a_win(cast)
    desk = desk_of(event, as_user("director"))
    assert match.table
    matches.open_match(table=match.table, game="block", options={}, players=["Una", "Vera"], by=Actor(), now=NOW)
    desk.press("Start another match")
    assert "A match is in play at table 1. Continue it, or end it first. See table 1" in desk.words
    assert desk.follow("See table 1").path == f"/tables/{match.table_id}/"


def test_all_pages_show_the_matches_won(cast: Cast, as_user: Host) -> None:
    event = entered(cast, THREE, 4)
    first, _second = drawn(event)
    leads, _follows = seated(event, first)
    won(event, leads)
    base = f"/tournaments/{event.pk}/"
    host = Browser(as_user("director"))
    assert "1/1" not in host.open(base + "screen/?show=bracket").words
    assert 'class="bracket"' in str(Client().get(base + "print/bracket/").content)
    for address in ("", "desk/", "screen/"):
        assert "match 2 of up to 3" in host.open(base + address).words, address
    assert "1 : 0" in host.open(base + "desk/").words, "in the order of the draw"
    assert host.words.count("no entries") == 1, "only at the other table"
    table = Browser(as_user("director")).open(f"/tables/{first.table_id}/")
    assert "match 2 of up to 3 · 0 : 1" in table.words
    won(event, leads)
    assert host.open(base).status == 200


def test_nothing_begins_while_the_tournament_is_closed(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    (first,) = drawn(event)
    won(event, 1)
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    assert playing(event) == []
    correct(event, first, [10, 10])
    assert playing(event) == []


def test_it_cannot_change_once_a_round_is_seated(cast: Cast) -> None:
    event = entered(cast, THREE, 2)
    drawn(event)
    with pytest.raises(Refused):
        tournaments.set_up(
            event_id=event.pk, name="Cup", setup={**state(event).setup, "best_of": 5}, step=at(event, "5")
        )
    assert len(event_now(Event.objects.get(pk=event.pk)).matches) == 1


@pytest.mark.parametrize("bracket", KINDS)
def test_random_results_lead_to_one_champion(cast: Cast, bracket: str) -> None:
    event, rng = entered(cast, THREE | {"bracket": bracket}, 5), random.Random(bracket)
    while next_round(event):
        drawn(event)
        while going := playing(event):
            match = rng.choice(going)
            type_totals(event, match, {entrant: 10 for entrant in seated(event, match) if rng.random() < 0.6})
    assert sorted(places(event).values()).count(1) == 1
    totals = [table["totals"] for each in file_of(event)["stages"][0]["rounds"] for table in each["tables"]]
    assert all(max(each) == 2 and min(each) < 2 for each in totals)


@pytest.mark.parametrize("how", ["names", "again"])
def test_two_who_sat_at_the_wrong_tables_swap_in_all_matches(cast: Cast, how: directing.Truth) -> None:
    event = entered(cast, THREE, 4)
    first, second = drawn(event)
    one, other = seated(event, first)[0], seated(event, second)[0]
    won(event, one)
    directing.reseat(
        event_id=event.pk, round_number=1, entrants=[one, other], how=how, why="wrong table", step=at(event, "swap")
    )
    table = table_of(event)
    assert [other] in table["sides"]
    assert len(table["matches"]) == (2 if how == "names" else 1)
    won(event, other)
    assert len(playing(event)) == (1 if how == "names" else 2), "two wins decide the table, one does not"
    assert (table_of(event)["totals"] is None) == (how == "again")


@pytest.mark.parametrize(("best_of", "final"), [(1, 3), (3, 5), (3, 1)])
@pytest.mark.parametrize("bracket", ["third-place", "placement", "double"])
def test_the_final_and_the_match_for_third_place_may_have_another_length(
    cast: Cast, as_user: Host, bracket: str, best_of: int, final: int
) -> None:
    event = entered(cast, TREE | {"bracket": bracket, "best_of": best_of, "final_best_of": final}, 4)
    while next_round(event):
        for match in drawn(event):
            while match.table_id in {each.table_id for each in playing(event)}:
                won(event, max(seated(event, match)) if bracket == "double" else min(seated(event, match)))
    rounds = file_of(event)["stages"][0]["rounds"]
    wins = [[max(table["totals"]) if table.get("matches") else 1 for table in each["tables"]] for each in rounds]
    usual, longer = (best_of + 1) // 2, (final + 1) // 2
    if bracket == "double":
        assert [usual for each in wins[:-1] for _table in each] == [most for each in wins[:-1] for most in each]
        assert wins[-1] == [longer]
    else:
        assert wins == [[usual] * 2, [longer] * 2]
    assert Browser().open(f"/tournaments/{event.pk}/").status == 200


@pytest.mark.parametrize("over", [False, True])
def test_each_of_two_tables_of_the_same_two_has_its_own_scores(cast: Cast, over: bool) -> None:
    setup = TREE | {"bracket": "double", "game": "domino-whist", "size": 2, "final_best_of": 3}
    event = entered(cast, setup, 2, size=2)
    drawn(event)
    type_totals(event, playing(event)[0], {1: 30, 2: 40})
    drawn(event)
    for loser in (2, 1, 2)[: 3 if over else 2]:
        type_totals(event, playing(event)[0], {loser: 50})
    found = [each.match.says for round_ in bracket_of(event_now(event)).bracket_rounds for each in round_.matches]
    one, other = (entrant["name"] for entrant in file_of(event)["entrants"])
    assert found[0] == f"Match 1: ✓ {one} 30, {other} 40"
    assert found[1] == (f"Match 2: ✓ {one} 2, {other} 1" if over else f"Match 2: {one} 1, {other} 1")


def a_series_that_goes_on_in_a_final_of_one_match(cast: Cast) -> Event:
    """Match 4 is in play in round 2; the matches before it are 1 : 1 and a draw, after a correction in round 1."""
    event = entered(cast, TREE | {"bracket": "double", "best_of": 3, "final_best_of": 1}, 2)
    (first,) = drawn(event)
    won(event, 1)
    won(event, 1)
    drawn(event)
    correct(event, first, [10 * (entrant == 2) for entrant in drawn_order(event, 1)])
    type_totals(event, playing(event)[0], {})
    return event


def test_totals_count_for_who_has_them_where_a_series_goes_on_in_a_final_of_one_match(cast: Cast) -> None:
    event = a_series_that_goes_on_in_a_final_of_one_match(cast)
    (fourth,) = playing(event)
    type_totals(event, fourth, {2: 10})
    assert playing(event) == []
    fourth.refresh_from_db()
    by_entrant = dict(zip(seated(event, fourth), fourth.sheet["totals"], strict=True))
    assert by_entrant == {1: 0, 2: 10}
    assert places(event) == {2: 1, 1: 2}
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert playing(event) == [fourth]


def test_desk_and_page_of_a_typed_result_agree_where_a_series_goes_on_in_a_final_of_one_match(
    cast: Cast, as_user: Host
) -> None:
    event = a_series_that_goes_on_in_a_final_of_one_match(cast)
    (fourth,) = playing(event)
    first, second = drawn_order(event, 2)
    desk = desk_of(event, as_user("director"))
    assert f"{named(event, first)} 0 {named(event, second)} 0 1 : 1 · match 4" in desk.words
    desk.press("Save the result", total_0="0", total_1="10")
    assert places(event) == {second: 1, first: 2}
    page = Browser(as_user("director")).open(f"/matches/{fourth.pk}/result/")
    at_sides = {entrant: f"total-{side}" for side, entrant in enumerate(seated(event, fourth))}
    sent = {at_sides[first]: "30", at_sides[second]: "20"}
    page.press("Show what it changes", **sent).press("Save", why="misread")
    assert places(event) == {first: 1, second: 2}


def test_the_desk_keeps_the_order_of_the_sides_while_they_change_seats(cast: Cast, as_user: Host) -> None:
    event = entered(cast, THREE, 2)
    drawn(event)
    one, other = drawn_order(event, 1)
    for winner, score in ((other, "0 : 1"), (one, "1 : 1")):
        won(event, winner, score)
        for address in ("desk/", "screen/"):
            words = Browser(as_user("director")).open(f"/tournaments/{event.pk}/{address}").words
            assert f"{named(event, one)} 0 {named(event, other)} 0 {score}" in words


def test_who_does_not_come_to_a_single_final_loses_it_also_after_the_seats_were_swapped(cast: Cast) -> None:
    event = entered(cast, THREE | {"final_best_of": 1}, 2)
    (final,) = drawn(event)
    leads, follows = seated(event, final)
    swap, step = [{"kind": "swap", "seats": [1, 0]}], at(event, "away")
    corrections.correct(match_id=final.pk, seen=0, key="swap", entries=swap, by=step.by, now=step.now)
    tournaments.forfeit(
        event_id=event.pk, round_number=1, table=1, absent=[drawn_order(event, 1).index(leads)], step=step
    )
    assert table_of(event)["sides"] == [[follows], [leads]]
    assert places(event) == {follows: 1, leads: 2}


def named(event: Event, entrant: int) -> str:
    return str(next(each["name"] for each in file_of(event)["entrants"] if each["id"] == entrant))


def drawn_order(event: Event, number: int) -> list[int]:
    pairing = state(event).pairing_at(number, 1)
    return [side[0] for side in state(event).sides_of(pairing.game, pairing.players)]


def test_the_setup_says_how_long_the_final_is(cast: Cast, as_user: Host) -> None:
    page = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/tournaments/new/?preset=block:knock-out")
    page.press("Set up the tournament", name="Cup", best_of="3", final_best_of="5")
    event = Event.objects.get(name="Cup")
    assert (state(event).setup["best_of"], state(event).setup["final_best_of"]) == (3, 5)
