"""Finals side by side that are played in different ways: each with its own system, rounds and bracket."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from django.test import Client, override_settings

from scorekeeper.events.groups import Group
from scorekeeper.models import Event
from scorekeeper.pages.tournament import parts_shown
from scorekeeper.rehearsal.phases import plan
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.rehearsals import rehearsal_file, stages_now
from scorekeeper.selectors.tournaments import prospects_now
from scorekeeper.services import clubs, directing, events, schedules, stages, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.services.stages import Final
from tests.browsing import Browser
from tests.conftest import NOW, Cast, lasting_cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import won_by_the_better
from tests.scorekeeper.test_stages import SYSTEMS, grouped, next_tables, play
from tests.scorekeeper.test_stages_import import again, must_be_the_same
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_standings import path
from tests.tournaments import commanded, file_of, made, setup_of

Host = Callable[[str], Client]
pytestmark = pytest.mark.django_db

MAIN, OTHERS, THIRD = (1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12, 13)
TREE, ROBIN, SWISS = SYSTEMS["knock-out"], SYSTEMS["round-robin"], SYSTEMS["swiss"]


THREES: dict[str, Any] = {
    "system": "round-robin",
    "format": "triples",
    "worth": {
        "by": "place",
        "places": {"3": [2, 1, 0]},
        **dict.fromkeys(("bye", "asked", "absent", "forfeit_win", "forfeit_loss"), 0),
    },
    "order": ["points"],
}


@pytest.fixture(scope="module")
def cast(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    """One for all tests here: what they do is undone."""
    with override_settings(DATA=tmp_path_factory.mktemp("data")), lasting_cast(django_db_blocker) as cast:
        yield cast


@pytest.fixture(scope="module")
def over(cast: Cast) -> Event:
    """Two groups of 13 in all, which are over."""
    event = grouped(cast, 13, 2, setup_of("dominards", "heads", lots="a"))
    play(event)
    return event


@pytest.fixture
def event(db: None, over: Event) -> Event:
    return Event.objects.get(pk=over.pk)


def begin(
    event: Event,
    *ways: Mapping[str, Any],
    of: Sequence[Sequence[int]] = (MAIN, OTHERS, THIRD),
    points: tuple[bool, ...] = (False, False, False),
) -> None:
    """The finals, each played in its way."""
    before = state(event).setup
    first, *others = ways
    names = ("Final", "Consolation final", "Third final")
    found = [
        Final(Group(name, tuple(here)), {**before, **own} if own else None, points_count=count)
        for name, here, own, count in zip(names, of, (None, *others), points, strict=False)
    ]
    stages.begin_finals(event_id=event.pk, finals=found, setup={**before, **first}, step=at(event, "finals"))


def stages_of(event: Event) -> dict[str, dict[str, Any]]:
    return {stage["name"]: stage for stage in file_of(event)["stages"][2:]}


def met(stage: Mapping[str, Any]) -> list[frozenset[int]]:
    tables = [table for played in stage["rounds"] for table in played["tables"]]
    return [frozenset(each for side in table["sides"] for each in side) for table in tables]


def test_a_tree_a_round_robin_and_a_swiss_are_played_side_by_side(event: Event) -> None:
    begin(event, TREE | {"bracket": "third-place"}, ROBIN, SWISS | {"rounds": 2})
    before = len(state(event).rounds)
    play(event)
    found = stages_of(event)
    systems = {name: stage["system"] for name, stage in found.items()}
    assert systems == {"Final": "knock-out", "Consolation final": "round-robin", "Third final": "swiss"}
    assert [len(stage["rounds"]) for stage in found.values()] == [2, 5, 2]
    assert len(state(event).rounds) - before == 5, "each round of all finals at once"
    robin = met(found["Consolation final"])
    assert sorted(map(sorted, robin)) == sorted(map(list, combinations(OTHERS, 2))), "everybody meets everybody once"
    assert len(met(found["Final"])) == 4, "with a match for third place"
    assert not state(event).by_results or not next_tables(event)
    said = commanded(json.dumps(file_of(event)).encode())
    assert [row["entrant"] for row in said["overall"]] == [*MAIN, *OTHERS, *THIRD], "the smaller number always wins"


def test_the_tables_of_a_round_are_those_of_all_finals(event: Event) -> None:
    begin(event, TREE, ROBIN)
    groups = [[state(event).group_at(each.round or 0, by_seat(each)) for each in next_tables(event)]]
    assert groups == [["Final", "Final", "Consolation final", "Consolation final"]]


def by_seat(match: Any) -> list[int]:
    return [seat.player_id for seat in match.seats.order_by("number")]


def test_points_count_in_one_final_only(event: Event) -> None:
    begin(event, ROBIN, SWISS, points=(True, False))
    assert state(event).carried.keys() == {*MAIN}
    penalties = {name: len(stage["penalties"]) for name, stage in stages_of(event).items()}
    assert penalties == {"Final": 4, "Consolation final": 0}


def test_a_swiss_next_to_a_longer_one_is_over_before(event: Event) -> None:
    begin(event, SWISS | {"rounds": 1}, SWISS | {"rounds": 3})
    play(event)
    assert [len(stage["rounds"]) for stage in stages_of(event).values()] == [1, 3]
    assert state(event).rounds_left == 0


def test_two_schedules_of_other_lengths(event: Event) -> None:
    begin(event, ROBIN | {"rounds": 3}, ROBIN | {"rounds": None}, ROBIN | {"rounds": 1})
    assert not state(event).by_results
    play(event)
    assert [len(stage["rounds"]) for stage in stages_of(event).values()] == [3, 5, 1]


def test_series_are_those_of_their_final(event: Event) -> None:
    begin(event, ROBIN, TREE | {"best_of": 3})
    tables = next_tables(event)
    here = state(event)
    asked = {here.group_at(each.round or 0, by_seat(each)): best(event, each) for each in tables}
    assert asked == {"Final": 1, "Consolation final": 3}


def best(event: Event, match: Any) -> int:
    return state(event).best_of(match.round, state(event).pairing_at(match.round, match.table.number))


def test_who_leaves_loses_in_a_tree_and_is_missed_elsewhere(event: Event) -> None:
    begin(event, TREE, ROBIN)
    for match in next_tables(event):
        won_by_the_better(event, match)
    event.refresh_from_db()
    tournaments.withdraw(event_id=event.pk, entrants=[2, 5], step=at(event, "gone"))
    tables = next_tables(event)
    assert len(tables) == 1, "the final is lost without a match, and whoever would meet 5 has a bye"
    assert state(event).can_return(5)
    number = len(state(event).rounds)
    assert [len(sides) for (at, _table), sides in state(event).forfeits.items() if at == number] == [1]
    (round_,) = stages_of(event)["Consolation final"]["rounds"][1:]
    assert 5 not in {each for table in round_["tables"] for side in table["sides"] for each in side}


def test_a_final_that_almost_everybody_leaves_does_not_stop_the_others(event: Event) -> None:
    begin(event, TREE, SWISS)
    for match in next_tables(event):
        won_by_the_better(event, match)
    event.refresh_from_db()
    tournaments.withdraw(event_id=event.pk, entrants=[5, 6, 7, 8], step=at(event, "gone"))
    play(event)
    assert [len(stage["rounds"]) for stage in stages_of(event).values()] == [2, 1]


def test_seeds_and_swaps_concern_those_they_belong_to(event: Event, as_user: Host) -> None:
    begin(event, TREE, ROBIN)
    director = Browser(as_user("director"))
    assert [name in director.open(path(event, "seeds/")).words for name in ("Ada", "Elena")] == [True, False]
    made(event, "draw")
    here = state(event)
    with pytest.raises(Refused, match="tree"):
        schedules.exchange(
            event_id=event.pk, round_number=len(here.rounds) + 1, entrants=[1, 2], step=at(event, "in the tree")
        )
    later = here.later
    bye = here.plan[0].byes[0]
    other = next(each for table in here.plan[0].tables for each in table if each in OTHERS)
    schedules.exchange(
        event_id=event.pk,
        round_number=len(here.rounds) + 1,
        entrants=[bye, other],
        step=at(event, "in the round robin"),
    )
    assert state(event).plan[0].byes == (other,)
    assert state(event).later == later
    assert " now " in director.open(path(event, "schedule/")).words, "what the swap changed"


def test_the_log_can_be_undone_step_by_step(cast: Cast, event: Event) -> None:
    begin(event, TREE, ROBIN)
    began = state(event)
    made(event, "draw")
    drawn = state(event)
    assert [len(drawn.plan), len(drawn.later)] == [1, 4]
    late = clubs.player_add(club=cast.club, name="Late", now=NOW).pk
    events.seat(event_id=event.pk, step=at(event, "seat"))
    with pytest.raises(Refused, match=r"The groups are over, .* undo the finals on the desk"):
        tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late"))
    events.undo(event_id=event.pk, step=at(event, "undo the release"))
    events.undo(event_id=event.pk, step=at(event, "undo the draw"))
    assert (state(event).plan, state(event).later) == (began.plan, began.later) == ((), ())
    events.undo(event_id=event.pk, step=at(event, "undo the finals"))
    assert [group.name for group in state(event).groups] == ["Group A", "Group B"]
    tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late, after the undo"))


def test_drawing_again_keeps_the_schedule_of_the_round_robin(event: Event) -> None:
    begin(event, TREE, ROBIN)
    for match in next_tables(event):
        won_by_the_better(event, match)
    made(event, "draw 2")
    before = state(event)
    made(event, "draw 2 again")
    assert (state(event).plan, state(event).later) == (before.plan, before.later)


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_an_archive_gives_the_same_finals_and_goes_on(cast: Cast, event: Event, as_user: Host, rounds: int) -> None:
    begin(event, TREE | {"bracket": "double", "best_of": 3}, ROBIN, SWISS | {"rounds": 3}, points=(False, True, True))
    for _round in range(rounds):
        for match in next_tables(event):
            won_twice(event, match)
    new = again(cast, as_user, event)
    must_be_the_same(new, event)
    assert [group.own for group in state(new).groups] == [group.own for group in state(event).groups]
    assert state(new).later == state(event).later
    for each in (event, new):
        while tables := next_tables(each):
            for match in tables:
                won_twice(each, match)
    must_be_the_same(new, event)


def won_twice(event: Event, match: Any) -> None:
    """Until the table is decided."""
    won_by_the_better(event, match)
    for following in event.matches.filter(round=match.round, table=match.table, finished_at=None):
        won_twice(event, following)


def test_a_rehearsal_plays_each_final_in_its_way(event: Event) -> None:
    begin(event, TREE, ROBIN)
    for match in next_tables(event):
        won_by_the_better(event, match)
    now = event_now(Event.objects.select_related("club").get(pk=event.pk))
    programmes = plan(rehearsal_file(now), stages_now(now)).stages
    assert [each.knock_out for each in programmes] == [True, False]
    assert [each.wanted for each in programmes] == [0, 5]


def test_what_no_final_can_have_for_itself(event: Event) -> None:
    with pytest.raises(Refused, match="no longer change"):
        begin(event, TREE, ROBIN | {"minutes": 9})
    with pytest.raises(Refused, match="a table needs 3"):
        begin(event, TREE, ROBIN, THREES, of=(MAIN, OTHERS, (10, 11)))


def test_tables_of_three_next_to_a_tree(event: Event) -> None:
    begin(event, TREE, THREES | {"rounds": 4}, of=(MAIN, (5, 6, 7, 8, 9, 10)))
    tables = next_tables(event)
    assert sorted(match.seats.count() for match in tables) == [2, 2, 3, 3]
    for match in tables:
        directing.end_match(
            event_id=event.pk,
            round_number=match.round or 0,
            table=match.table.number if match.table else 0,
            how="abandoned",
            step=at(event, f"end {match.pk}"),
        )
    assert [len(table["sides"]) for table in stages_of(event)["Consolation final"]["rounds"][0]["tables"]] == [3, 3]


def test_the_setup_changes_the_finals_that_have_none_of_their_own(event: Event) -> None:
    begin(event, SWISS | {"rounds": 1}, SWISS | {"rounds": 4})
    for _round in (1, 2):
        for match in next_tables(event):
            won_by_the_better(event, match)
    longer = {**state(event).setup, "rounds": 1, "minutes": 9}
    tournaments.set_up(event_id=event.pk, name="Cup", setup=longer, step=at(event, "longer"))
    assert [field.setup["rounds"] for field in state(event).fields] == [1, 4]
    assert {field.setup["minutes"] for field in state(event).fields} == {9}


def test_places_that_are_open_follow_each_final(event: Event) -> None:
    begin(event, TREE, ROBIN)
    for match in next_tables(event):
        won_by_the_better(event, match)
    shown = {part.name: part for part in parts_shown(event_now(Event.objects.select_related("club").get(pk=event.pk)))}
    assert shown["Final"].bracket
    assert not shown["Consolation final"].bracket
    assert shown["Final"].columns != shown["Consolation final"].columns
    assert prospects_now(event_now(Event.objects.select_related("club").get(pk=event.pk))) is not None


def test_a_director_lets_each_final_be_played_its_own_way(event: Event, as_user: Host) -> None:
    """By the forms; every page shows both."""
    client = as_user("director")
    director = Browser(client)
    page = director.open(path(event, "finals/?first=2&best=0&others=consolation"))
    assert "You can choose another way" in page.words
    wrong = page.press("Begin the finals", way="knock-out", **{"final-2-way": "swiss", "final-2-rounds": "0"})
    assert "Nothing changed" in wrong.words
    page = wrong.press(
        "Begin the finals",
        way="knock-out",
        bracket="third-place",
        **{"final-2-way": "heads", "final-2-rounds": "", "final-2-points_count": "on"},
    )
    assert "The finals begin" in page.words
    assert [field.setup["system"] for field in state(event).fields] == ["knock-out", "round-robin"]
    assert state(event).fields[0].setup["bracket"] == "third-place"
    assert {*state(event).carried} == {*state(event).groups[1].entrants}
    assert 'data-leaf="bracket"' in director.open(path(event, "screen/")).markup, "before its first round"
    assert "Consolation final has its own way: everybody plays everybody" in director.open(path(event, "setup/")).words
    page = director.open(path(event, "desk/")).press("Draw round 8")
    assert "Draft of round 8" in page.words
    page.press("Release round 8")
    for match in event.matches.filter(finished_at=None):
        won_by_the_better(event, match)
    for each in (
        *("", "standings/", "standings/?stage=Final", "standings/?stage=Consolation final", "print/bracket/"),
        *("print/standings/", "print/cross-table/", "print/prizes/", "screen/", "desk/", "schedule/", "setup/"),
        *("schedule/?view=tables", "schedule/?view=entrants", "entrants/1/", "seeds/", "file.json", "results.csv"),
        *("rehearsal/", "standings.csv", "equals/", "groups/", "finals/"),
    ):
        assert client.get(path(event, each)).status_code == 200, each


def test_how_a_final_is_played_changes_until_its_first_round(event: Event, as_user: Host) -> None:
    begin(event, ROBIN, TREE | {"best_of": 3}, points=(True, True))
    made(event, "draw")
    director = Browser(as_user("director"))
    assert "Change it under Finals" in director.open(path(event, "setup/")).words
    page = director.open(path(event, "finals/"))
    wrong = page.press("Save: Consolation final", **{"final-2-way": "swiss", "final-2-rounds": "0"})
    assert "Nothing changed" in wrong.words
    page = wrong.press("Save: Consolation final", **{"final-2-way": "swiss", "final-2-rounds": "2"})
    assert "Saved. Applies from the next draw." in page.words
    final, other = state(event).fields
    assert (final.setup["system"], other.setup["system"], other.setup["rounds"]) == ("round-robin", "swiss", 2)
    assert other.setup["order"] == state(event).earlier[0].setup["order"], "as in the groups"
    assert state(event).carried.keys() == {*MAIN, *OTHERS}
    assert not state(event).plan, "what was drawn before is given up"
    page.press("Save: Consolation final", **{"final-2-way": ""})
    assert state(event).groups[1].own == {}
    stages.change_way(
        event_id=event.pk, final=1, setup={**state(event).setup, **TREE}, step=at(event, "a tree after all")
    )
    assert state(event).carried.keys() == {*MAIN}, "a knock-out counts no points"
    events.undo(event_id=event.pk, step=at(event, "no tree"))
    assert state(event).carried.keys() == {*MAIN, *OTHERS}
    next_tables(event)
    assert not director.open(path(event, "finals/")).has_button("Save: Consolation final")
    with pytest.raises(Refused, match="undo the release on the desk") as refused:
        stages.change_way(event_id=event.pk, final=1, setup=None, step=at(event, "too late"))
    assert refused.value.code == "final-begun"


def test_all_finals_are_alike_if_nobody_says_otherwise(event: Event, as_user: Host) -> None:
    page = Browser(as_user("director")).open(path(event, "finals/?first=2&best=0&others=consolation"))
    page.press("Begin the finals", way="swiss", rounds="2", points_count="on")
    assert [group.own for group in state(event).groups] == [{}, {}]
    assert {*state(event).carried} == {*range(1, 14)}
