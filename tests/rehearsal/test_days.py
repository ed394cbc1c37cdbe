"""A rehearsed day is a day that could be: nobody sits twice, every round is drawn as the desk draws it, and the
standings are those of its file."""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.pairing.field import Field
from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import Drawn, NextRound, next_round
from scorekeeper.rehearsal.days import TRIED, Rehearsal, Times, rehearse, until
from scorekeeper.rehearsal.finals import Rule
from scorekeeper.rehearsal.lengths import FEWEST, MINUTE, lengths, usual
from scorekeeper.rehearsal.phases import plan
from scorekeeper.rehearsal.playing import Board, Part, Troubles, What
from scorekeeper.rehearsal.programme import is_open
from scorekeeper.rehearsal.story import Event, story
from scorekeeper.rehearsal.timetable import Conditions, Contest, timetable
from scorekeeper.rehearsal.writing import as_json, played_file
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.standings.advancing import Quota, advancing
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import Refused, read_value
from scorekeeper.standings.tournament import Kind, Round, System, Table
from tests.rehearsal.a_stage import UNPLAYED, File, a_file, groups_file, random_file

LENGTH, PAUSE = 1800, 600
NOTHING = Troubles()
SEEDS = range(24)


def rehearsed(
    file: File,
    troubles: Troubles = NOTHING,
    *,
    tables: int = 5,
    seed: int = 0,
    runs: int = 1,
    sample: tuple[int, ...] = (LENGTH,),
    limit: int | None = None,
    rule: Rule | None = None,
) -> Rehearsal:
    found = plan(file, [each["name"] for each in file["stages"]], rule=rule)
    conditions = Conditions(tables, PAUSE, limit, overlap=not found.by_results)
    return last(rehearse(found, sample, conditions, troubles, seed=seed, runs=runs))


def only(found: Rehearsal) -> Part:
    """What was played of the only stage."""
    [part] = found.day.parts
    return part


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_is_at_two_tables_and_no_table_is_used_twice(seed: int) -> None:
    rng = random.Random(seed)
    tables = rng.randint(1, 6)
    found = rehearsed(random_file(rng), Troubles(2, 1, 1, 1), tables=tables, seed=seed, sample=usual(""))
    times = found.timetable
    people = [each for played in found.day.rounds for each in played.contests.values()]
    assert len(times.sittings) == len(people)
    for one in times.sittings:
        at_once = [each for each in times.sittings if each.begin <= one.begin < each.end]
        assert len(at_once) <= tables
        assert len({each.table for each in at_once}) == len(at_once)
        seated = Counter(
            person
            for each in at_once
            for person in [*found.day.rounds[each.round].contests.values()][each.contest].people
        )
        assert max(seated.values(), default=1) == 1
        assert 1 <= one.table <= tables


DRAWN = [seed for seed in SEEDS if random_file(random.Random(seed))["stages"][0]["system"] != "round-robin"]


@pytest.mark.parametrize("seed", DRAWN)
def test_the_rounds_are_those_that_the_desk_draws(seed: int) -> None:
    """Whoever draws the same round from the same results finds none that is rated better. A round robin has its
    schedule."""
    file = random_file(random.Random(seed))
    [given] = file["stages"]
    found = rehearsed(file, Troubles(1, 1, 0, 1), seed=seed)
    stage = only(found).stage
    heads = given["system"] == "knock-out" or given["play"] == "heads"
    for number, played in enumerate(stage.rounds):
        away = {entrant: kind for entrant, kind in played.unplayed.items() if kind is not Kind.BYE}
        before = replace(stage, rounds=stage.rounds[:number], next=Round(unplayed=away))
        at = only(found).programme.with_stage(before)
        best = next(paired(at, before, random.Random(1))).best
        tables = [table.sides for table in played.tables]
        if stage.system is System.KNOCK_OUT:
            assert [each.sides for each in best.tables] == tables
            continue
        assert isinstance(best, NextRound)
        byes = [entrant for entrant, kind in played.unplayed.items() if kind is Kind.BYE]
        ours = next_round(Field(at, before), Drawn(tables, byes)).rating
        assert len(best.tables) == len(tables)
        if heads:
            assert ours == best.rating


@pytest.mark.parametrize("seed", SEEDS)
def test_the_standings_of_the_day_are_those_of_its_file(seed: int) -> None:
    file = random_file(random.Random(seed))
    before = copy.deepcopy(file)
    found = rehearsed(file, Troubles(1, 1, 2, 1), seed=seed)
    written = read_value(played_file(file, found.day))
    ours = calculate(only(found).programme.with_stage(only(found).stage))
    assert calculate(written).stages[0].rows == ours.stages[0].rows
    assert written.stages[0].rounds == only(found).stage.rounds
    assert not any(is_open(table) for each in only(found).stage.rounds for table in each.tables)
    assert file == before


@pytest.mark.parametrize("seed", range(12))
def test_the_same_seed_is_the_same_day(seed: int) -> None:
    file = random_file(random.Random(seed))

    def day(number: int) -> dict[str, Any]:
        found = rehearsed(file, Troubles(1, 1, 1, 1), seed=number, runs=3, sample=usual(""))
        return as_json(found, lengths=lengths("", []), until=0)

    assert day(seed) == day(seed)
    assert day(seed)["story"] != day(seed + 100)["story"]


@pytest.mark.parametrize("entrants", [4, 7, 8, 12])
@pytest.mark.parametrize("tables", [1, 2, 3, 6])
def test_a_swiss_without_trouble_ends_when_arithmetic_says(entrants: int, tables: int) -> None:
    found = rehearsed(a_file(entrants, rounds_planned=3), tables=tables)
    matches = entrants // 2
    one_round = -(-matches // tables) * LENGTH
    assert found.end == Times(*[3 * one_round + 2 * PAUSE] * 3)
    assert [each.median for each in found.rounds] == [number * one_round + (number - 1) * PAUSE for number in (1, 2, 3)]


@pytest.mark.parametrize("entrants", [4, 6, 9])
def test_a_round_robin_with_enough_tables_ends_when_arithmetic_says(entrants: int) -> None:
    rounds = entrants - 1 + entrants % 2
    found = rehearsed(a_file(entrants, system="round-robin"), tables=9)
    assert found.end.median == rounds * LENGTH + (rounds - 1) * PAUSE


def test_a_knock_out_of_eight_has_three_rounds() -> None:
    found = rehearsed(a_file(8, system="knock-out"), limit=1200)
    assert found.end.median == 3 * 1200 + 2 * PAUSE
    assert [len(each.contests) for each in found.day.rounds] == [4, 2, 1]


def test_a_round_robin_goes_on_while_a_table_still_plays() -> None:
    """In the second round those two play who were free first; in the third nobody before the first is over."""
    slow, quick = (1, 2), (3, 4)

    def contest(people: tuple[int, ...], length: int) -> Contest:
        return Contest(people, 0, (length,), 0)

    rounds = [
        [contest(slow, 100), contest(quick, 10)],
        [contest(quick, 10), contest(slow, 10)],
        [contest(quick, 10)],
    ]
    times = timetable(rounds, Conditions(2, 5, overlap=True))
    assert times.rounds == ((0, 100), (15, 115), (105, 115))
    assert times.idle is not None
    assert (times.idle.table, times.idle.since, times.idle.until) == (2, 25, 105)
    waiting = timetable(rounds, Conditions(2, 5, overlap=False))
    assert waiting.rounds == ((0, 100), (105, 115), (120, 130))


def test_what_goes_wrong_is_told_with_its_time() -> None:
    found = rehearsed(a_file(12, rounds_planned=4), Troubles(2, 1, 2, 1), seed=4, tables=6)
    whats = Counter(each.what for each in only(found).troubles)
    assert whats[What.NO_SHOW] == 1
    assert whats[What.WRONG] == 2
    assert whats[What.DISPUTED] == 1
    assert whats[What.LATE] + whats[What.ENTERED_LATE] == 2
    told = story(found.day, found.timetable)
    assert [each.at for each in told] == sorted(each.at for each in told)
    events = Counter(each.event for each in told)
    assert events[Event.BEGINS] == events[Event.ENDS] == 4
    assert events[Event.CORRECTED] == 2
    gone = next(each.entrant for each in only(found).troubles if each.what is What.NO_SHOW)
    assert all(gone not in _seated(each.tables) for each in only(found).stage.rounds[1:])


def test_a_round_drawn_from_a_wrong_result_stays() -> None:
    """The winner of the wrong table meets a loser; the standings have the right result."""
    for seed in range(20):
        found = rehearsed(a_file(8, rated=True, rounds_planned=2), Troubles(wrong=1), seed=seed)
        [trouble] = only(found).troubles
        if trouble.round == 1:
            break
    first, second = only(found).stage.rounds
    assert trouble.table is not None
    winners = {_winner(table) for table in first.tables}
    robbed = _winner(first.tables[trouble.table])
    [table] = [table for table in second.tables if robbed in _seated([table])]
    assert (_seated([table]) - {robbed}).isdisjoint(winners)


def test_a_no_show_in_a_round_robin_gives_byes() -> None:
    found = rehearsed(a_file(6, system="round-robin"), Troubles(no_shows=1), seed=2)
    [trouble] = only(found).troubles
    first, *others = only(found).stage.rounds
    assert trouble.entrant in _seated(first.tables)
    assert all(trouble.entrant not in _seated(each.tables) for each in others)
    assert all(list(each.unplayed.values()) == [Kind.BYE] for each in others)


def test_the_rest_of_a_day_begins_with_the_open_tables() -> None:
    file = a_file(4, system="round-robin")
    rounds = [
        {"tables": [{"sides": [[1], [4]], "totals": [5, 1]}, {"sides": [[2], [3]], "totals": None}]},
    ]
    to_come = [{"tables": [{"sides": [[1], [2]]}, {"sides": [[3], [4]]}]}]
    file["stages"][0] |= {"rounds": rounds, "to_come": to_come}
    found = rehearsed(file)
    assert [sorted(seat.place for seat in each.contests) for each in found.day.rounds] == [[1], [0, 1]]
    assert only(found).stage.rounds[0].tables[0].totals == (5, 1)
    assert found.end.median == 2 * LENGTH + PAUSE


def free_play(*rounds: list[tuple[int, int]], over: Sequence[tuple[int, int]] = ()) -> File:
    """Of 7, with these tables in their rounds, open but for those that are over; `next` as the desk writes it."""
    file = a_file(7, system="free")
    tables = [
        [{"sides": [[one], [other]], "totals": [2, 1] if (one, other) in over else None} for one, other in each]
        for each in rounds
    ]
    playing = [entrant for each in rounds for table in each if table not in over for entrant in table]
    unplayed = [{"entrant": entrant, "kind": "asked"} for entrant in playing]
    file["stages"][0] |= {"rounds": [{"tables": each} for each in tables], "next": {"unplayed": unplayed}}
    return file


@pytest.mark.parametrize(
    ("tables", "minutes", "rounds"),
    # A round takes half an hour, and the pause ten minutes.
    [(3, 210, 1 + 4), (3, 189, 1 + 3), (3, 190, 1 + 4), (3, 60, 1), (1, 210, 1 + 1)],
)
def test_free_play_goes_on_when_the_open_tables_are_over(tables: int, minutes: int, rounds: int) -> None:
    hall, sample = Conditions(tables, PAUSE), (LENGTH,)
    found = until(plan(free_play([(1, 2), (3, 4), (5, 6)]), ["Main"]), minutes * MINUTE, sample, hall, NOTHING, seed=0)
    played = last(rehearse(found, sample, hall, NOTHING, seed=0, runs=1))
    assert [len(each.contests) for each in played.day.rounds] == [3] * rounds
    assert played.day.begun == 1
    assert played.end.median <= minutes * MINUTE or rounds == 1


@pytest.mark.parametrize("entrants", [2, 7, 24])
def test_free_play_has_as_many_rounds_as_end_in_time_on_nine_of_ten_days(entrants: int) -> None:
    """Not as many as would if each match took the median: a round lasts as long as its longest table."""
    file, hall, troubles = a_file(entrants, system="free"), Conditions(entrants // 2, PAUSE), Troubles(1, 0, 1, 1)
    sample, end = usual(""), 300 * MINUTE
    found = until(plan(file, ["Main"]), end, sample, hall, troubles, seed=3)
    [programme] = found.stages
    played = last(rehearse(found, sample, hall, troubles, seed=3, runs=TRIED))
    assert played.end.nine_of_ten <= end
    more = replace(found, stages=(replace(programme, wanted=programme.wanted + 1),))
    assert last(rehearse(more, sample, hall, troubles, seed=3, runs=TRIED)).end.nine_of_ten > end


@pytest.mark.parametrize("lower_wins", [False, True])
def test_a_table_of_a_series_lasts_as_long_as_its_matches(lower_wins: bool) -> None:
    """Two of three matches, in the final and for third place three of five; a limit cuts each match."""
    file = a_file(8, system="knock-out", best_of=3, final_best_of=5, third_place=True) | {"lower_wins": lower_wins}
    wins = {side[::-1] if lower_wins else side for side in [(2, 0), (2, 1), (0, 2), (1, 2)]}
    in_finals = {side[::-1] if lower_wins else side for most in range(3) for side in [(3, most), (most, 3)]}
    seen: Counter[tuple[int | None, ...]] = Counter()
    for seed in range(20):
        found = rehearsed(file, seed=seed, limit=1200)
        rounds = only(found).stage.rounds
        assert [len(each.tables) for each in rounds] == [4, 2, 2]
        for played, known in zip(rounds, [wins, wins, in_finals], strict=True):
            assert {table.totals for table in played.tables} <= known
            seen.update(table.totals for table in played.tables if table.totals)
        longest = [max(sum(total or 0 for total in table.totals or ()) for table in played.tables) for played in rounds]
        assert found.end.median == sum(longest) * 1200 + 2 * PAUSE
        final, _third = rounds[2].tables
        totals = [total or 0 for total in final.totals or ()]
        [first] = final.sides[totals.index(min(totals) if lower_wins else max(totals))]
        assert final.best_of == 5
        assert calculate(read_value(played_file(file, found.day))).stages[0].rows[0].entrant == first
    assert len(seen) == len(wins | in_finals)


def test_a_final_that_is_drawn_says_how_many_matches_it_has() -> None:
    file = a_file(2, system="knock-out", best_of=3, rounds=[{"tables": [{"sides": [[1], [2]], "best_of": 7}]}])
    [table] = only(rehearsed(file)).stage.rounds[0].tables
    assert max(table.totals or ()) == 4


def test_whoever_has_left_a_knock_out_stays_in_its_tree_and_keeps_nobody_waiting() -> None:
    """Of four, one does not come to the semi-final. The match for third place is then no match."""
    found = rehearsed(a_file(4, system="knock-out", third_place=True), Troubles(no_shows=1))
    [trouble] = only(found).troubles
    _semi_finals, last_round = only(found).stage.rounds
    third = next(table for table in last_round.tables if table.places == (3, 4))
    assert third.sides[next(iter(third.absent))] == (trouble.entrant,)
    assert [len(each.contests) for each in found.day.rounds] == [2, 1]


def test_of_several_matches_the_one_that_decided_is_typed_wrongly() -> None:
    for seed in range(30):
        found = rehearsed(a_file(8, system="knock-out", best_of=3), Troubles(wrong=2), seed=seed)
        for trouble in only(found).troubles:
            assert trouble.table is not None
            table = only(found).stage.rounds[trouble.round - 1].tables[trouble.table]
            assert {*(table.totals or ())} == {1, 2}


@pytest.mark.parametrize("pause", [0, 2, 10])
def test_a_wrong_result_is_found_after_it_was_typed(pause: int) -> None:
    """In a knock-out before the next round begins."""
    file = a_file(8, system="knock-out")
    hall = Conditions(4, pause * MINUTE)
    for seed in range(12):
        found = last(rehearse(plan(file, ["Main"]), usual(""), hall, Troubles(wrong=1), seed=seed, runs=1))
        told = {each.event: each for each in story(found.day, found.timetable) if each.trouble}
        typed, corrected = told[Event.WENT_WRONG], told[Event.CORRECTED]
        begins = [begin for begin, _end in found.timetable.rounds[typed.round : typed.round + 1]]
        assert typed.at < corrected.at or (not pause and typed.at == corrected.at)
        assert all(corrected.at <= begin for begin in begins)


def test_free_play_with_open_tables_has_as_many_matches_more_as_are_usual() -> None:
    usually = len(rehearsed(a_file(7, system="free")).day.rounds)
    assert len(rehearsed(free_play([(1, 2), (3, 4)])).day.rounds) == 1 + usually


def test_tables_that_are_open_play_at_the_same_time_in_whatever_round_they_are() -> None:
    found = rehearsed(free_play([(1, 2), (3, 4)], [(1, 5), (2, 6)], over=[(1, 2)]))
    assert found.day.begun == 2
    assert found.timetable.rounds[:3] == ((0, LENGTH), (0, LENGTH), (LENGTH + PAUSE, 2 * LENGTH + PAUSE))


def test_whoever_takes_a_break_is_still_not_drawn_while_others_end_their_table() -> None:
    file = free_play([(1, 2), (3, 4)])
    file["stages"][0]["next"]["unplayed"] += [{"entrant": 5, "kind": "asked"}]
    _open, drawn, *_others = only(rehearsed(file)).stage.rounds
    assert _seated(drawn.tables) | {5} == {*range(1, 8)}
    assert drawn.unplayed[5] is Kind.ASKED


BOARDS = [Board(2, 0), Board(2, 0), Board(2, 0)]


@pytest.mark.parametrize("system", ["round-robin", "swiss", "knock-out"])
def test_teams_win_boards(system: str) -> None:
    """Nine of ten wins are 4 : 2 or 6 : 0 in the doubled totals of a file, never anything else."""
    file = a_file(6, system=system, order=["points", "board-points", "lots"])
    found = last(
        rehearse(plan(file, ["Main"], boards=BOARDS), (LENGTH,), Conditions(9, PAUSE), NOTHING, seed=1, runs=1)
    )
    tables = [table for each in only(found).stage.rounds for table in each.tables]
    assert {tuple(sorted(table.totals or ())) for table in tables} == {(2, 4), (0, 6)}
    assert all(table.totals == tuple(2 * sum(side) for side in zip(*table.boards, strict=True)) for table in tables)
    written = read_value(played_file(file, found.day))
    assert written.stages[0].rounds == only(found).stage.rounds, "its boards, too"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_day_that_is_told_is_a_typical_one(seed: int) -> None:
    rng = random.Random(seed)
    found = rehearsed(random_file(rng), Troubles(1, 1, 1, 1), tables=3, seed=seed, runs=40, sample=usual(""))
    assert all(
        end <= times.nine_of_ten for (_begin, end), times in zip(found.timetable.rounds, found.rounds, strict=False)
    )
    assert sum(Troubles(1, 1, 1, 1).without(found.day.happened)) == min(
        sum(Troubles(1, 1, 1, 1).without(day.happened)) for day in found.days
    )


def test_times_of_days() -> None:
    assert Times.of(range(1, 11)) == Times(1, 5, 9)
    assert Times.of([7]) == Times(7, 7, 7)
    assert Times.of([3, 1, 2]) == Times(1, 2, 3)


def test_what_would_help() -> None:
    found = rehearsed(a_file(12, rounds_planned=3), tables=3)
    assert found.end.nine_of_ten == 6 * LENGTH + 2 * PAUSE
    helps = {each.of: each for each in found.helps(3 * LENGTH + 2 * PAUSE)}
    assert helps["tables"].number == 6
    assert helps["tables"].end.nine_of_ten == 3 * LENGTH + 2 * PAUSE
    assert helps["limit"].number == 900
    assert helps["rounds"].number == 1


def test_lengths_leave_out_what_says_nothing_about_play() -> None:
    recorded = [1200, 1500, 1800] * 10
    assert lengths("x", [*recorded, 5, 86_400]).sample == tuple(sorted(recorded))
    assert lengths("x", recorded).recorded == 30
    assert lengths("x", recorded[: FEWEST - 1]) == (usual("x"), 0)
    assert lengths("x", []).sample == usual("x")


FOURS_ONLY = {"by": "place", "places": {"4": [3, 2, 1, 0]}, **UNPLAYED}
OVER = [{"tables": [{"sides": [[1], [2]], "totals": [1, 2]}]}]
UNKNOWN = [{"tables": [{"sides": [[1], [99]]}]}]
ROUND_ROBIN = {"system": "round-robin"}
REFUSED: list[tuple[File, str, str]] = [
    ({"system": "knock-out", "best_of": 2}, "wrong-kind", "stages[0].best_of"),
    ({"system": "knock-out", "final_best_of": 4}, "wrong-kind", "stages[0].final_best_of"),
    ({"entrants": [1]}, "too-few", "stages[0].entrants"),
    (ROUND_ROBIN | {"rounds_planned": 999}, "no-schedule", "stages[0].rounds_planned"),
    (ROUND_ROBIN | {"to_come": UNKNOWN}, "unknown", "stages[0].to_come[0].tables[0].sides[1][0]"),
    (ROUND_ROBIN | {"rounds": OVER, "to_come": UNKNOWN}, "unknown", "stages[0].to_come[0].tables[0].sides[1][0]"),
    (ROUND_ROBIN | {"to_come": 5}, "wrong-kind", "stages[0].to_come"),
    ({"play": "mixed", "worth": FOURS_ONLY}, "missing", "stages[0].worth.places"),
    ({"rounds_planned": 1, "rounds": OVER}, "nothing-to-play", "stages"),
]


@pytest.mark.parametrize(("changed", "code", "at"), REFUSED)
def test_what_cannot_be_rehearsed_is_refused(changed: File, code: str, at: str) -> None:
    file = a_file(6)
    file["stages"][0] |= changed
    with pytest.raises(Refused) as refused:
        rehearsed(file)
    assert (refused.value.code, refused.value.at) == (code, at)
    assert refused.value.message


def _seated(tables: Any) -> set[int]:
    return {each for table in tables for side in table.sides for each in side}


def _winner(table: Table) -> int:
    assert table.totals is not None
    totals = [total or 0 for total in table.totals]
    return table.sides[totals.index(max(totals))][0]


def test_a_round_robin_whose_schedule_is_still_a_secret_has_a_full_cycle() -> None:
    file = a_file(6, system="round-robin", rounds_planned=1)
    assert len(only(rehearsed(file)).stage.rounds) == 5


def test_groups_are_played_side_by_side_and_finals_follow() -> None:
    """Groups of 4 and 5, two tables each; then a tree of 4 next to one of 5."""
    file = groups_file([4, 5], system="round-robin")
    found = rehearsed(file, tables=4, rule=Rule(2, consolation=System.KNOCK_OUT))
    assert [part.stage.name for part in found.day.parts] == ["Group 1", "Group 2", "Final", "Consolation final"]
    assert [len(each.contests) for each in found.day.rounds] == [4, 4, 4, 2, 2, 3, 3, 1]
    assert found.end.median == 8 * LENGTH + 7 * PAUSE
    numbers = [each.number for each in found.day.rounds]
    assert numbers == [*range(1, 9)]


def test_the_consolation_final_may_be_played_in_another_way() -> None:
    found = rehearsed(groups_file([4, 5], system="round-robin"), tables=4, rule=Rule(2, consolation=System.ROUND_ROBIN))
    last, others = found.day.parts[2:]
    assert [last.stage.system, others.stage.system] == [System.KNOCK_OUT, System.ROUND_ROBIN]
    assert [len(last.stage.rounds), len(others.stage.rounds)] == [2, 5]


@pytest.mark.parametrize("system", ["round-robin", "swiss", "knock-out"])
@pytest.mark.parametrize("final", [System.ROUND_ROBIN, System.SWISS, System.KNOCK_OUT])
@pytest.mark.parametrize("seed", range(3))
def test_who_goes_on_is_by_the_rule_and_no_show_is_in_no_final(system: str, final: System, seed: int) -> None:
    file = groups_file([5, 4, 4], system=system, play="heads")
    rule = Rule(2, 2, final, consolation=final)
    found = rehearsed(file, Troubles(1, 1, 2, 1), seed=seed, rule=rule)
    written = read_value(played_file(file, found.day))
    groups, (last, others) = found.day.parts[:3], found.day.parts[3:]
    gone = {trouble.entrant for _part, trouble in found.day.troubles if trouble.what is What.NO_SHOW}
    assert len(gone) == 1
    standings = calculate(written)
    rows = advancing(standings.stages[:3], Quota(2, 2), {each for each in gone if each}).groups
    assert {*last.stage.entrants} == {each.row.entrant for group in rows for each in group if each.through}
    assert len(last.stage.entrants) == 8
    assert {*last.stage.entrants, *others.stage.entrants} | gone == {*range(1, 14)}
    assert [each.rounds for each in written.stages] == [part.stage.rounds for part in found.day.parts]
    assert not any(is_open(table) for part in groups for each in part.stage.rounds for table in each.tables)
    assert {row.entrant for row in standings.overall[:8]} == {*last.stage.entrants}
    # Nobody plays in a final before all tables of the groups are over.
    times, first = found.timetable, len(found.day.phases[0].rounds)
    over = max(each.end for each in times.sittings if each.round < first)
    assert min(each.begin for each in times.sittings if each.round >= first) == over + PAUSE
    told = story(found.day, times)
    assert Counter(each.event for each in told)[Event.CORRECTED] == found.day.happened.wrong
    assert as_json(found, lengths=lengths("", []), until=0)["stages"][-1] == "Consolation final"


def test_too_few_who_go_on_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        rehearsed(groups_file([2, 2], system="round-robin"), Troubles(no_shows=4), rule=Rule(1))
    assert refused.value.code == "too-few"
