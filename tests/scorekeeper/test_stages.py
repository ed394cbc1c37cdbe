"""Groups, then finals: several stages of one tournament, through its services."""

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from scorekeeper.events.groups import DRAWS, LOTS, SNAKE, Group, drawn
from scorekeeper.events.tournament import by_lots
from scorekeeper.models import Event, Match
from scorekeeper.pages.schedule_words import misfit
from scorekeeper.pages.tournament import parts_shown
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.finals import candidates
from scorekeeper.selectors.tournaments import entrant_name
from scorekeeper.services import clubs, directing, events, jobs, schedules, seeds, stages, tournaments
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.stages import Final
from scorekeeper.standings.advancing import Advancing, Quota, Tie
from scorekeeper.tasks import WORK
from scorekeeper.words import listed
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import next_round, win, won_by_the_better
from tests.scorekeeper.test_swiss import state
from tests.scorekeeper.test_tournament_standings import path
from tests.tournaments import commanded, entered, file_of, made, setup_of

Host = Callable[[str], Client]
GROUPS = setup_of("block", "heads", lots="a")
SYSTEMS: dict[str, dict[str, Any]] = {
    "round-robin": {"system": "round-robin", "order": ["points", "head-to-head", "start"]},
    "swiss": {"system": "swiss", "order": ["points", "buchholz", "start"]},
    "knock-out": {"system": "knock-out", "order": []},
}


def grouped(cast: Cast, entrants: int, groups: int, setup: dict[str, Any] = GROUPS, how: str = "snake") -> Event:
    event = entered(cast, setup, entrants)
    names = [f"Group {letter}" for letter in "ABCDEFGH"[:groups]]
    stages.draw_groups(event_id=event.pk, how=how, names=names, rng=random.Random(1), step=at(event, "groups"))
    return event


def next_tables(event: Event) -> list[Match]:
    """Those of the next round of the stage; none once it is over."""
    now = state(event)
    key = f"{len(now.rounds) + 1} of stage {len(now.earlier)}"
    if now.by_results:
        if not next_round(event):
            return []
        made(event, f"draw {key}")
    else:
        if not now.begun:
            made(event, f"schedule {key}")
        if not state(event).plan:
            return []
        tournaments.draft_next(event_id=event.pk, step=at(event, f"draft {key}"))
    return events.seat(event_id=event.pk, step=at(event, f"seat {key}"))


def play(event: Event) -> None:
    """All rounds of the stage; the smaller start number wins."""
    while tables := next_tables(event):
        for match in tables:
            won_by_the_better(event, match)


def rule(event: Event, first: int, best: int = 0, *, by_places: bool = False) -> Advancing:
    now = event_now(Event.objects.select_related("club").get(pk=event.pk))
    return candidates(now, Quota(first, best, by_places))


def through(event: Event, first: int, best: int = 0) -> list[int]:
    return [each.row.entrant for group in rule(event, first, best).groups for each in group if each.through]


def finals(event: Event, of: Sequence[tuple[str, Sequence[int]]], setup: dict[str, Any], points: bool = False) -> None:
    stages.begin_finals(
        event_id=event.pk,
        finals=[Final(Group(name, tuple(entrants)), points_count=points) for name, entrants in of],
        setup={**state(event).setup, **setup},
        step=at(event, f"finals {of[0][0]}"),
    )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("final", SYSTEMS)
def test_groups_of_any_system_and_finals_of_any_system(cast: Cast, system: str, final: str) -> None:
    event = grouped(cast, 13, 3, GROUPS | SYSTEMS[system])
    play(event)
    assert [len(stage["entrants"]) for stage in file_of(event)["stages"]] == [5, 4, 4]
    best = through(event, 2, 2)
    others = [entrant for entrant in state(event).taking_part if entrant not in best]
    before = len(state(event).rounds)
    finals(event, [("Final", best), ("Consolation final", others)], SYSTEMS[final])
    play(event)
    file = file_of(event)
    assert [stage["name"] for stage in file["stages"]] == [
        "Group A",
        "Group B",
        "Group C",
        "Final",
        "Consolation final",
    ]
    assert file["overall"] == [["Final"], ["Consolation final"], ["Group A", "Group B", "Group C"]]
    for stage in file["stages"]:
        here = {*stage["entrants"]}
        tables = [table for played in stage["rounds"] for table in played["tables"]]
        assert tables
        assert all(entrant in here for table in tables for side in table["sides"] for entrant in side)
        assert all(table["totals"] for table in tables)
    assert len(state(event).rounds) - before == max(len(stage["rounds"]) for stage in file["stages"][3:])
    said = commanded(json.dumps(file).encode())
    assert next(row["entrant"] for row in said["overall"]) == 1, "who always wins, wins"
    assert {row["entrant"] for row in said["overall"][:8]} == {*best}


def test_the_desk_asks_for_another_schedule_of_a_final_only_if_its_setup_changed(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["round-robin"])
    made(event, "schedule of the final")
    assert misfit(state(event)) == ""
    shorter = {**state(event).setup, "rounds": 2}
    tournaments.set_up(event_id=event.pk, name="Cup", setup=shorter, step=at(event, "shorter"))
    assert misfit(state(event)) == "The schedule has 3 rounds, the setup asks for 2: make it anew."


def test_points_count_on_if_the_director_wants_it(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    points = {row["entrant"]: row["values"]["points"] for row in rows_of(event, "Group A") + rows_of(event, "Group B")}
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["round-robin"], points=True)
    carried = {entrant: points[entrant] for entrant in state(event).groups[0].entrants}
    for when in ("before the first round", "before its first result"):
        now = event_now(Event.objects.select_related("club").get(pk=event.pk))
        part = next(part for part in parts_shown(now) if part.name == "Final")
        assert {line.entrant: line.values[0] for line in part.lines} == carried, when
        assert [line.place for line in part.lines] == [1, 1, 3, 3], when
        page = Client().get(path(event, "standings/?stage=Final")).content.decode()
        assert "The standings begin" not in page, when
        if when == "before the first round":
            tables = next_tables(event)
    for match in tables:
        won_by_the_better(event, match)
    play(event)
    won = {1: 3, 2: 2, 3: 1, 4: 0}  # the smaller start number wins
    assert {row["entrant"]: row["values"]["points"] for row in rows_of(event, "Final")} == {
        entrant: str(int(points[entrant]) + wins) for entrant, wins in won.items()
    }


def test_the_prize_money_is_in_the_table_once_in_the_stage_that_decides_the_place(cast: Cast) -> None:
    fund = {"amounts": [100, 60, 40, 20, 10], "cents": False, "unit": "€", "sharing": "place"}
    event = grouped(cast, 8, 2, GROUPS | {"prizes": 5, "fund": fund})
    play(event)
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["round-robin"])
    play(event)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    text = Client().get(path(event, "standings.csv")).content.decode("utf-8-sig")
    rows = [row for row in csv.DictReader(StringIO(text)) if row["prize"]]
    assert [row["prize"] for row in rows if row["stage"] == "Final"] == ["100", "60", "40", "20"]
    assert [row["prize"] for row in rows if row["stage"] != "Final"] == ["5", "5"], "two thirds share the fifth place"


def rows_of(event: Event, stage: str) -> list[dict[str, Any]]:
    said = commanded(json.dumps(file_of(event)).encode())
    return next(each["rows"] for each in said["stages"] if each["name"] == stage)


def test_the_best_of_those_who_come_next_are_those_with_the_most_points_a_table(cast: Cast) -> None:
    """Groups of five and four: neither more tables nor the bye of an odd group count."""
    event = grouped(cast, 13, 3, GROUPS | {"order": ["points", "head-to-head"]})
    play(event)
    groups, ties = rule(event, 1, 1)
    nexts = [group[1] for group in groups]
    per_table = {
        each.row.entrant: Fraction(int(str(each.row.values["points"].value)) - len(group) % 2, len(group) - 1)
        for each, group in zip(nexts, groups, strict=True)
    }
    most = max(per_table.values())
    (best,) = [each.row.entrant for each in nexts if each.through]
    assert per_table[best] == most
    equal = sorted(entrant for entrant, mean in per_table.items() if mean == most)
    assert [each.entrants for each in ties] == ([tuple(equal)] if len(equal) > 1 else [])
    assert best == equal[0]


def test_who_is_equal_across_the_line_is_marked(cast: Cast) -> None:
    event = grouped(cast, 6, 2, GROUPS | {"order": ["points"]})
    while tables := next_tables(event):
        for match in tables:
            win(event, match, 0)  # nobody wins anything
    groups = [group.entrants for group in state(event).groups]
    assert rule(event, 1).ties == [Tie(each, number, False) for number, each in enumerate(groups)]
    assert rule(event, 3).ties == []
    assert rule(event, 2, by_places=True).ties == rule(event, 1).ties
    assert through(event, 1) == [min(each) for each in groups]


def test_the_criteria_decide_who_of_different_groups_goes_on(cast: Cast) -> None:
    """The seconds of three groups have one win of two; the start number of the one with the best difference is last."""
    event = grouped(cast, 9, 3, GROUPS | {"order": ["points", "head-to-head", "wins", "difference"]})
    assert [group.entrants for group in state(event).groups] == [(1, 6, 7), (2, 5, 8), (3, 4, 9)]
    play_by(event, {1: 100, 6: 20, 7: 10, 2: 80, 5: 40, 8: 30, 3: 60, 4: 50, 9: 10})
    found = rule(event, 1, 1)
    assert [each.row.entrant for group in found.groups for each in group if each.through] == [1, 2, 3, 4]
    assert found.ties == []


def test_a_larger_group_has_no_better_difference(cast: Cast) -> None:
    """8 in two tables are more than 9 in three."""
    event = grouped(cast, 7, 2, GROUPS | {"order": ["difference"]})
    assert [group.entrants for group in state(event).groups] == [(1, 4, 5), (2, 3, 6, 7)]
    play_by(event, {1: 20, 4: 14, 5: 0, 2: 20, 3: 15, 6: 10, 7: 6})
    assert through(event, 1, 1) == [1, 4, 2]


def play_by(event: Event, totals: Mapping[int, int]) -> None:
    """All rounds of the stage; everybody has the same total at each table."""
    while tables := next_tables(event):
        for match in tables:
            numbers = state(event).numbers
            seats = [numbers[seat.player_id] for seat in match.seats.all() if seat.player_id]
            type_totals(event, match, [totals[each] for each in seats])


def type_totals(event: Event, match: Match, totals: Sequence[int]) -> None:
    assert match.round
    assert match.table
    directing.type_result(
        event_id=event.pk,
        round_number=match.round,
        table=match.table.number,
        totals=totals,
        early=True,
        step=at(event, f"result {match.pk}"),
    )


def name_of(event: Event, entrant: int) -> str:
    return entrant_name(event_now(Event.objects.select_related("club").get(pk=event.pk)), entrant)


def all_equal(cast: Cast) -> Event:
    """Two groups of three, of 1 4 5 and 2 3 6, in which nothing separates anybody."""
    event = grouped(cast, 6, 2, GROUPS | {"order": ["points"]})
    while tables := next_tables(event):
        for match in tables:
            win(event, match, 0)
    return event


def test_a_rule_that_leaves_somebody_alone_in_a_final_says_so(cast: Cast, as_user: Host) -> None:
    event = grouped(cast, 7, 2)
    play(event)
    page = Browser(as_user("director")).open(path(event, "finals/?first=3&best=0&others=consolation"))
    assert "Only one entrant is in Consolation final. Choose more for it, or nobody." in page.words
    assert "Only one" not in page.open(path(event, "finals/?first=2&best=0&others=consolation")).words


def test_lots_decide_who_goes_on_and_can_be_drawn_again_from_the_log(cast: Cast, as_user: Host) -> None:
    event = all_equal(cast)
    director = Browser(as_user("director"))
    page = director.open(path(event, "finals/?first=1&best=0&others=consolation"))
    names = [name_of(event, entrant) for entrant in (1, 4, 5)]
    assert f"Group A : {listed(names)} are equal in everything that counts" in page.words
    page.press("Draw lots")
    (advance,) = state(event).advances
    assert advance.entrants == by_lots(advance.lots, [1, 4, 5])
    assert through(event, 1) == [advance.entrants[0], 2]
    assert [tie.decided for tie in rule(event, 1).ties] == [True, False]
    assert director.open(path(event, "desk/")).has_button("Undo: order of equal entrants")
    page = director.open(path(event, "finals/?first=1&best=0&others=consolation"))
    assert f"lots with the word {advance.lots} put them in this order" in page.words
    (said,) = [each.said for each in traces(cast.club, Asked(log="nights"), None, 50) if each.kind == "advance"]
    assert said == {"entrants": [name_of(event, each) for each in advance.entrants], "lots": advance.lots}
    with pytest.raises(Refused, match="decided already"):
        stages.draw_lots(
            event_id=event.pk, quota=Quota(1), equal=[1, 4, 5], rng=random.Random(1), step=at(event, "until it suits")
        )
    events.undo(event_id=event.pk, step=at(event, "undo"))
    assert through(event, 1) == [1, 2]


def test_a_deciding_match_decides_who_goes_on(cast: Cast, as_user: Host) -> None:
    event = all_equal(cast)
    why = "deciding match 60 : 45"
    with pytest.raises(Refused, match="Say how"):
        stages.decide(event_id=event.pk, quota=Quota(1), places={1: 2, 4: 1, 5: 3}, why=" ", step=at(event, "no why"))
    for places in ({1: 1, 4: 1, 5: 2}, {1: 1, 4: None, 5: None}):
        with pytest.raises(Refused, match="another place"):
            stages.decide(event_id=event.pk, quota=Quota(1), places=places, why=why, step=at(event, "no order"))
    with pytest.raises(Behind):
        stages.decide(event_id=event.pk, quota=Quota(1), places={1: 2, 4: 1}, why=why, step=at(event, "not they"))
    stages.decide(event_id=event.pk, quota=Quota(1), places={1: 3, 4: 1, 5: 2}, why=why, step=at(event, "match"))
    assert through(event, 1) == [4, 2]
    page = Browser(as_user("director")).open(path(event, "finals/?first=1&best=0&others=consolation"))
    assert why in page.words
    assert why in Browser().open(path(event, "")).words, "everybody can read it"
    assert rule(event, 1, 1).ties[-1].group == 1, "who comes next in group B is not decided"
    stages.decide(event_id=event.pk, quota=Quota(1), places={2: 1, 3: 2, 6: 3}, why=why, step=at(event, "other match"))
    assert through(event, 1, 1) == [4, 2, 3], "of the next ones the smaller start number, until that is decided"
    tie = rule(event, 1, 1).ties[-1]
    assert (tie.entrants, tie.group, tie.decided) == ((3, 5), None, False)


def test_whoever_has_left_does_not_go_on(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "gone"))
    assert 1 not in through(event, 2, 0)
    assert len(through(event, 2, 0)) == 4
    with pytest.raises(Refused, match="no entrant with this number"):
        finals(event, [("Final", [1, 2])], SYSTEMS["round-robin"])


@pytest.mark.parametrize("how", DRAWS)
def test_groups_differ_by_at_most_one_and_rows_are_spread(how: str) -> None:
    for number, groups in ((13, 3), (16, 4), (7, 2), (50, 7)):
        found = drawn(range(1, number + 1), groups, how, random.Random(3))
        assert sorted(entrant for group in found for entrant in group) == [*range(1, number + 1)]
        assert max(map(len, found)) - min(map(len, found)) <= 1
        if how != LOTS:
            assert all({(entrant - 1) // groups for entrant in group} == {*range(len(group))} for group in found), (
                "one of each row"
            )
    assert drawn(range(1, 8), 2, SNAKE, random.Random(3)) == [[1, 4, 5], [2, 3, 6, 7]]


def test_bad_groups_change_nothing(cast: Cast) -> None:
    event = entered(cast, GROUPS, 6)
    length = event_length(event)
    for groups, why in (
        ([("A", [1, 2, 3]), ("B", [4, 5])], "Farid is in no group."),
        ([("A", [1, 2, 3]), ("B", [3, 4, 5, 6])], "Carmen is in two groups"),
        ([("A", [1, 2, 3, 4, 5]), ("B", [6])], "Too few entrants in B: a table needs 2"),
        ([("A", [1, 2, 3]), ("A", [4, 5, 6])], "same name"),
        ([("A", [1, 2, 3]), ("B", [4, 5, 6, 7])], "no entrant"),
    ):
        with pytest.raises(Refused, match=why):
            group(event, groups)
    with pytest.raises(Refused, match="Enter 3 groups at most"):
        stages.draw_groups(event_id=event.pk, how=SNAKE, names="ABCD", rng=random.Random(1), step=at(event, "four"))
    assert event_length(event) == length
    group(event, [("A", [1, 2, 3]), ("B", [4, 5, 6])])
    made(event)
    with pytest.raises(Refused, match="cannot be over"):
        finals(event, [("Final", [1, 4])], SYSTEMS["round-robin"])
    tables = next_tables(event)
    with pytest.raises(Refused, match="not over"):
        finals(event, [("Final", [1, 4])], SYSTEMS["round-robin"])
    for match in tables:
        won_by_the_better(event, match)
    for of, why in (([("Final", [1])], "Too few entrants in Final"), ([], "Everybody goes home")):
        with pytest.raises(Refused, match=why):
            stages.begin_finals(
                event_id=event.pk,
                finals=[Final(Group(name, tuple(here))) for name, here in of],
                setup=state(event).setup,
                step=at(event, why),
            )
    with pytest.raises(Refused, match="seated"):
        group(event, [("A", [1, 2, 3, 4]), ("B", [5, 6])])
    with pytest.raises(Refused, match="same name"):
        finals(event, [("A", [1, 4])], SYSTEMS["round-robin"])


def group(event: Event, groups: Sequence[tuple[str, Sequence[int]]]) -> None:
    step = at(event, f"group {groups}"[:40])
    stages.group(event_id=event.pk, groups=[Group(name, tuple(here)) for name, here in groups], step=step)


def event_length(event: Event) -> int:
    return Event.objects.get(pk=event.pk).length


def test_who_comes_later_joins_the_smallest_group_and_nobody_joins_finals(cast: Cast) -> None:
    event = grouped(cast, 7, 2)
    late = clubs.player_add(club=cast.club, name="Zoe", now=NOW)
    tournaments.enter(event_id=event.pk, entrants=[[late.pk]], step=at(event, "late"))
    assert [len(each.entrants) for each in state(event).groups] == [4, 4]
    play(event)
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["knock-out"])
    later = clubs.player_add(club=cast.club, name="Zed", now=NOW)
    with pytest.raises(Refused, match="groups are over"):
        tournaments.enter(event_id=event.pk, entrants=[[later.pk]], step=at(event, "later"))


def test_a_director_chooses_the_group_of_somebody_who_comes_late(cast: Cast, as_user: Host) -> None:
    """In the shorter group everybody still meets everybody, as far as the rounds of the others allow."""
    event = entered(cast, GROUPS, 9)
    group(event, [("A", [1, 2, 3, 4]), ("B", [5, 6, 7, 8, 9])])
    made(event)
    assert [len(field.plan) for field in state(event).fields] == [3, 5]
    for number in (1, 2, 3):
        tournaments.draft_next(event_id=event.pk, step=at(event, f"draft {number}"))
        for match in events.seat(event_id=event.pk, step=at(event, f"seat {number}")):
            won_by_the_better(event, match)
    late = clubs.player_add(club=cast.club, name="Zoe", now=NOW)
    tournaments.enter(event_id=event.pk, entrants=[[late.pk]], step=at(event, "late"))
    assert state(event).movable == (10,)
    assert state(event).groups[0].entrants == (1, 2, 3, 4, 10), "the smallest one"
    director = Browser(as_user("director"))
    page = director.open(path(event, "groups/")).press("Move to this group", entrant="10", group="2")
    assert state(event).groups[1].entrants == (5, 6, 7, 8, 9, 10)
    page.press("Move to this group", entrant="10", group="1")
    assert "Zoe" in director.open(path(event, "schedule/")).words
    job = schedules.repair(event=Event.objects.get(pk=event.pk), rng=random.Random(1), step=at(event, "repair"))
    jobs.run(job.pk, WORK)
    schedules.take(event_id=event.pk, step=at(event, "take"))
    assert [len(field.plan) for field in state(event).fields] == [2, 2]
    meets = [{*table} - {10} for field in state(event).fields[:1] for each in field.plan for table in each.tables]
    assert len({min(other) for other in meets if len(other) == 1}) == 2, "two others in two rounds"
    play(event)
    with pytest.raises(Refused, match="stay there"):
        stages.move(event_id=event.pk, entrant=10, group=1, step=at(event, "too late"))
    assert [len(stage["rounds"]) for stage in file_of(event)["stages"]] == [5, 5]


def test_a_group_keeps_enough_for_a_table(cast: Cast) -> None:
    event = entered(cast, GROUPS, 4)
    group(event, [("A", [1, 2]), ("B", [3, 4])])
    for entrant, number, why in ((1, 1, "too few"), (1, 2, "does not exist"), (5, 0, "no entrant")):
        with pytest.raises(Refused, match=why):
            stages.move(event_id=event.pk, entrant=entrant, group=number, step=at(event, f"move {entrant} {number}"))
    assert [each.entrants for each in state(event).groups] == [(1, 2), (3, 4)]


def test_who_left_before_the_groups_were_drawn_joins_one_when_they_are_back(cast: Cast) -> None:
    event = entered(cast, GROUPS, 8)
    tournaments.withdraw(event_id=event.pk, entrants=[8], step=at(event, "gone"))
    group(event, [("A", [1, 2, 3, 4]), ("B", [5, 6, 7])])
    tournaments.come_back(event_id=event.pk, entrants=[8], step=at(event, "back"))
    assert state(event).groups[1].entrants == (5, 6, 7, 8)
    assert 8 in state(event).taking_part


def test_the_beginning_of_the_finals_can_be_undone(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    before = file_of(event)
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["knock-out"])
    assert len(file_of(event)["stages"]) == 3
    events.undo(event_id=event.pk, step=at(event, "back"))
    assert file_of(event) == before


def test_two_of_different_groups_cannot_swap_places(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    made(event)
    with pytest.raises(Refused, match="different groups"):
        schedules.exchange(event_id=event.pk, round_number=1, entrants=[1, 2], step=at(event, "swap"))
    schedules.exchange(event_id=event.pk, round_number=1, entrants=[1, 4], step=at(event, "swap inside"))


def test_a_correction_in_a_group_moves_its_standings_and_no_final(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    best = through(event, 2, 0)
    finals(event, [("Final", best)], SYSTEMS["knock-out"])
    play(event)
    final = next(each for each in file_of(event)["stages"] if each["name"] == "Final")
    match = event.matches.filter(round=1).order_by("pk")[0]
    directing.replace_result(
        event_id=event.pk,
        round_number=1,
        table=match.table.number,
        totals=[5, 20],
        why="misread",
        early=True,
        step=at(event, "correction"),
    )
    after = next(each for each in file_of(event)["stages"] if each["name"] == "Final")
    assert after == final
    assert state(event).groups[0].entrants == tuple(final["entrants"]) or {*best} == {*final["entrants"]}


def test_a_day_of_groups_and_finals_through_the_pages(cast: Cast, as_user: Host) -> None:
    """As a director on a phone does it: groups, schedule, results, finals, the end. Every page shows every part."""
    event = entered(cast, GROUPS, 9)
    client = as_user("director")
    director = Browser(client)
    page = director.open(path(event, "groups/")).press("Draw the groups", number="3", how="snake")
    assert [name in page.words for name in ("Group A", "Group B", "Group C")] == [True] * 3
    page = page.press("Save the groups", **{"name-2": "Reds", "group-1": "2"})
    assert "Reds" in page.words
    assert 1 in state(event).groups[1].entrants
    desk = director.open(path(event, "desk/")).words
    assert desk.count("Reds") == len(state(event).groups[1].entrants), "each entrant with their group"
    play(event)
    for each in (
        "",
        "standings/",
        "standings/?stage=Reds",
        "print/standings/",
        "print/cross-table/",
        "screen/",
        "desk/",
        "entrants/1/",
        "standings.csv",
        "standings.csv?stage=Reds",
        "results.csv",
        "cross-table/?stage=Reds",
        "schedule/",
    ):
        assert client.get(path(event, each)).status_code == 200, each
    assert client.get(path(event, "standings/?stage=Nobody")).status_code == 404
    tournaments.withdraw(event_id=event.pk, entrants=[9], step=at(event, "gone"))
    assert client.get(path(event, "print/prizes/")).status_code == 200
    page = director.open(path(event, "finals/?first=1&best=1&others=consolation"))
    assert "The finals begin" in page.press("Begin the finals", way="knock-out").words
    made(event, "the draw of the finals")
    desk = Browser(client).open(path(event, "desk/")).words
    assert desk.count("Consolation final") == 2, "at its tables of the draft"
    events.undo(event_id=event.pk, step=at(event, "undo the draw"))
    setup = client.get(path(event, "setup/")).content.decode()
    assert 'name="best_of"' in setup, "how the finals are played can change until their first round"
    before = len(state(event).rounds)
    tables = next_tables(event)
    for page in ("desk/", ""):
        words = Browser(client).open(path(event, page)).words
        assert [words.count(name) > 1 for name in ("Consolation final", "Final")] == [True] * 2, page
    for match in tables:
        won_by_the_better(event, match)
    assert len(state(event).rounds) == before + 1
    number = before + 1
    assert f"after round {number}" in client.get(path(event, "screen/")).content.decode(), "as the desk counts them"
    rounds = state(event).rounds_wanted
    assert (
        f"Standings after round {number} · Final of {rounds}"
        in Browser(client).open(path(event, f"standings/?after={number}")).words
    )
    assert client.get(path(event, "standings/?after=1")).status_code == 404, "a round of the groups"
    play(event)
    tournaments.close(event_id=event.pk, open_matches=None, early=False, step=at(event, "close"))
    rows = csv.DictReader(StringIO(client.get(path(event, "standings.csv")).content.decode("utf-8-sig")))
    stands = {(row["stage"], row["start number"]): (row["place"], row["points"]) for row in rows}
    for stage in file_of(event)["stages"]:
        for row in rows_of(event, stage["name"]):
            place, points = str(row["place"]), row["values"].get("points", "")
            assert stands[stage["name"], str(row["entrant"])] == (place, points), "of every group and final"
    assert "Group A" in (groups := client.get(path(event, "groups/")).content.decode())
    assert "Consolation final" in groups
    shown = client.get(path(event, "standings/?stage=Final")).content.decode()
    assert "The whole tournament" in shown
    for each in (
        "",
        "standings/",
        "print/prizes/",
        "print/bracket/",
        "print/standings/",
        "screen/",
        "desk/",
        "file.json",
        "results.csv",
    ):
        assert client.get(path(event, each)).status_code == 200, each


def test_a_finalist_who_leaves_before_the_draw_is_not_in_the_tree(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    finals(event, [("Final", through(event, 2, 0))], SYSTEMS["knock-out"])
    gone = state(event).groups[0].entrants[0]
    tournaments.withdraw(event_id=event.pk, entrants=[gone], step=at(event, "gone"))
    play(event)
    final = next(stage for stage in file_of(event)["stages"] if stage["name"] == "Final")
    assert gone not in final["entrants"]
    assert len(final["rounds"]) == 2
    assert [row["place"] for row in rows_of(event, "Final")] == [1, 2, 3]


def test_seeds_by_hand_order_each_final(cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    best = through(event, 2, 0)
    finals(
        event, [("Final", best), ("Other", [each for each in range(1, 9) if each not in best])], SYSTEMS["knock-out"]
    )
    backwards = {entrant: seed for seed, entrant in enumerate(reversed(range(1, 9)), 1)}
    seeds.order(event_id=event.pk, seeds=backwards, step=at(event, "seeds"))
    assert [list(group.entrants) for group in state(event).groups] == [
        sorted(best, reverse=True),
        sorted({*range(1, 9)} - {*best}, reverse=True),
    ]


def test_a_bye_does_not_help_the_best_of_those_who_come_next(cast: Cast) -> None:
    """In a group of five everybody has a bye, which is worth a win."""
    event = grouped(cast, 7, 2)  # 1 4 5 and 2 3 6 7
    play(event)
    groups = rule(event, 1, 1).groups
    assert [[each.row.entrant for each in group if each.through] for group in groups] == [[1], [2, 3]]


def test_no_groups_in_free_play(cast: Cast) -> None:
    event = entered(cast, GROUPS | {"system": "free"}, 8)
    with pytest.raises(Refused, match="free play"):
        group(event, [("A", [1, 2, 3, 4]), ("B", [5, 6, 7, 8])])
    with pytest.raises(Refused, match="at least 2 groups"):
        group(event, [("A", [1, 2, 3, 4, 5, 6, 7, 8])])
