"""`manage.py simulate` rehearses the day of a tournament's file."""

import json
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import GAMES
from scorekeeper.models import Event, Match, Player
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import tournament_file
from tests.conftest import NOW, Cast
from tests.rehearsal.a_stage import File, a_file, groups_file
from tests.tournaments import scheduled, setup_of

pytestmark = pytest.mark.django_db


def simulate(tmp_path: Path, file: Any, *more: str) -> str:
    source = tmp_path / "file.json"
    source.write_text(json.dumps(file))
    out = StringIO()
    call_command("simulate", str(source), *more, stdout=out)
    return out.getvalue()


def as_json(tmp_path: Path, file: File, *more: str) -> File:
    found: File = json.loads(simulate(tmp_path, file, "--json", *more))
    return found


@pytest.fixture
def lengths(tmp_path: Path) -> str:
    file = tmp_path / "lengths.txt"
    file.write_text("1800\n1800\n")
    return str(file)


def test_a_day_with_given_lengths_ends_when_arithmetic_says(tmp_path: Path, lengths: str) -> None:
    given = ("--lengths", lengths, "--tables", "2", "--runs", "5", "--pause", "5", "--until", "16:00")
    found = as_json(tmp_path, a_file(8, rounds_planned=3), *given)
    assert found["end"] == dict.fromkeys(("earliest", "median", "nine_of_ten"), 6 * 1800 + 2 * 300)
    assert [each["of"] for each in found["helps"]] == ["tables", "limit", "rounds"]
    text = simulate(tmp_path, a_file(8, rounds_planned=3), *given)
    assert "The day ends: 17:10 at the earliest, median 17:10, 9 of 10 by 17:10." in text
    assert "To end 9 of 10 days by 16:00:" in text
    assert "with 4 tables: 15:40 at the earliest, median 15:40, 9 of 10 by 15:40; 90 minutes earlier" in text
    assert "90 minutes earlier, not enough" not in text
    assert "nothing of it is saved" in text


def test_its_standings_are_those_of_manage_py_standings(tmp_path: Path, lengths: str) -> None:
    given = ("--lengths", lengths, "--runs", "1", "--late", "1", "--no-shows", "1", "--wrong", "1", "--disputed", "1")
    found = as_json(tmp_path, a_file(9, rounds_planned=3), *given)
    played, out = tmp_path / "played.json", StringIO()
    played.write_text(json.dumps(found["file"]))
    call_command("standings", str(played), "--json", stdout=out)
    assert json.loads(out.getvalue())["stages"] == found["standings"]
    whats = {each["what"] for each in found["story"] if each["event"] == "went-wrong"}
    assert {"no-show", "wrong", "disputed"} <= whats


def test_groups_and_finals(tmp_path: Path, lengths: str) -> None:
    file = groups_file([4, 4], system="round-robin")
    given = ("--lengths", lengths, "--runs", "2", "--first", "1", "--best", "1", "--late", "1", "--wrong", "1")
    found = as_json(tmp_path, file, *given)
    assert found["stages"] == ["Group 1", "Group 2", "Final"]
    assert [each["stages"] for each in found["rounds"]] == [["Group 1", "Group 2"]] * 3 + [["Final"]] * 2
    assert found["file"]["overall"] == [["Final"], ["Group 1", "Group 2"]]
    assert "round 4 (Final): " in simulate(tmp_path, file, *given)
    assert as_json(tmp_path, file, "--stage", "Group 2")["stages"] == ["Group 2"]


def test_finals_of_several_matches(tmp_path: Path, lengths: str) -> None:
    given = ("--lengths", lengths, "--runs", "5", "--first", "2", "--pause", "5")
    found = as_json(tmp_path, groups_file([4, 4], system="round-robin"), *given, "--best-of", "7")
    final = found["file"]["stages"][-1]
    assert final["best_of"] == 7
    assert {max(table["totals"]) for each in final["rounds"] for table in each["tables"]} == {4}
    assert all(each["end"] - each["begin"] >= 4 * 1800 for each in found["rounds"][3:])


@pytest.mark.parametrize("given", [("--best", "2"), ("--best-of", "3"), ("--finals", "swiss"), ("--consolation",)])
def test_how_finals_are_played_is_refused_without_finals(tmp_path: Path, given: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=f"{given[0]}: no finals are rehearsed. Add --first"):
        simulate(tmp_path, groups_file([4, 4]), *given)


@pytest.mark.parametrize(
    ("sizes", "given", "says"),
    [
        ([4], "--first 1", "--first 1: Too few go on to the final: 1. A table needs 2. Let 2 or more of each"),
        ([4, 3], "--first 5", "--first 5: The largest group has 4 entrants. Let 4 or fewer of each group go on."),
        ([4, 3], "--first 3 --best 2", "only one of each group comes next, 1 in all. Let 1 or fewer of these go on."),
        ([4], "--first 4 --best 1", "--best 1: Nobody comes next after the first 4 of each group. Let fewer of each"),
        (
            [4],
            "--first 4 --consolation",
            "--consolation knock-out: Of 4 entrants 0 do not go on, and a table of the consolation final needs 2. Let",
        ),
        ([4, 4], "--first 2 --finals swiss --best-of 3", "--best-of 3: no final is a knock-out. Leave it out, or make"),
    ],
)
def test_finals_that_cannot_be_are_wrong_use(tmp_path: Path, sizes: list[int], given: str, says: str) -> None:
    with pytest.raises(CommandError, match=re.escape(says)) as wrong:
        simulate(tmp_path, groups_file(sizes), *given.split())
    assert wrong.value.returncode == 2


def test_a_final_at_tables_of_four_needs_four(tmp_path: Path) -> None:
    with pytest.raises(
        CommandError, match=r"--first 1: Too few go on to the final: 3. A table needs 4. Let 2 or more of each"
    ):
        simulate(tmp_path, groups_file([4, 4, 4], play="fours"), "--first", "1", "--finals", "swiss")


def test_of_one_stage_there_are_no_standings_of_the_others(tmp_path: Path, lengths: str) -> None:
    given = ("--lengths", lengths, "--runs", "1", "--first", "2", "--stage", "Group 1")
    file = groups_file([4, 4])
    assert [each["name"] for each in as_json(tmp_path, file, *given)["standings"]] == ["Group 1", "Final"]
    assert "Overall" not in simulate(tmp_path, file, *given)


def test_a_final_whose_name_is_taken_gets_another(tmp_path: Path, lengths: str) -> None:
    file = groups_file([4, 4])
    file["stages"][0]["name"] = "Final"
    found = as_json(tmp_path, file, "--lengths", lengths, "--runs", "1", "--first", "1", "--consolation")
    assert [each["name"] for each in found["file"]["stages"]] == ["Final", "Group 2", "Final 2", "Consolation final"]


def test_a_consolation_final_alone_can_be_of_several_matches(tmp_path: Path, lengths: str) -> None:
    given = ("--first", "2", "--finals", "swiss", "--consolation", "knock-out", "--best-of", "3")
    found = as_json(tmp_path, groups_file([4, 4]), "--lengths", lengths, "--runs", "1", *given)
    assert [each.get("best_of", 1) for each in found["file"]["stages"][2:]] == [1, 3]


def test_a_final_without_those_who_did_not_come_is_refused(tmp_path: Path, lengths: str) -> None:
    """No more than a stage of the file is named."""
    given = ("--lengths", lengths, "--runs", "1", "--first", "2", "--no-shows", "3")
    with pytest.raises(CommandError, match=r"^Too few go on to Final: 1. A table needs 2. Let more go on") as refused:
        simulate(tmp_path, groups_file([4]), *given)
    assert refused.value.returncode == 1


def test_a_consolation_final_without_a_system_is_played_like_the_final(tmp_path: Path, lengths: str) -> None:
    file, given = groups_file([4, 4]), ("--lengths", lengths, "--runs", "1", "--first", "2", "--finals", "round-robin")
    found = as_json(tmp_path, file, *given, "--consolation")
    assert [each["system"] for each in found["file"]["stages"][2:]] == ["round-robin", "round-robin"]
    found = as_json(tmp_path, file, *given, "--consolation", "swiss")
    assert [each["system"] for each in found["file"]["stages"][2:]] == ["round-robin", "swiss"]


def test_meetings_of_teams_have_game_points(tmp_path: Path, lengths: str) -> None:
    """One for each board, or as many as in the file."""
    file, given = a_file(4, system="round-robin"), ("--lengths", lengths, "--runs", "1", "--boards", "2", "1")
    tables = [
        table for each in as_json(tmp_path, file, *given)["file"]["stages"][0]["rounds"] for table in each["tables"]
    ]
    assert {tuple(sorted(each["totals"])) for each in tables} <= {(1, 2), (0, 3)}
    schedule = as_json(tmp_path, file, *given)["file"]["stages"][0]["rounds"]
    schedule[0]["tables"][0]["totals"] = [4, 2]
    file["stages"][0] |= {"rounds": schedule[:1], "to_come": [{"tables": []}]}
    for each in file["stages"][0]["rounds"][0]["tables"][1:]:
        each["totals"] = None
    found = as_json(tmp_path, file, *given)["file"]["stages"][0]["rounds"]
    assert found[0]["tables"][0]["totals"] == [4, 2]
    assert sorted(found[0]["tables"][1]["totals"]) in ([2, 4], [0, 6])


def test_an_end_on_the_next_day_is_said(tmp_path: Path, lengths: str) -> None:
    file, given = (
        a_file(4, rounds_planned=3),
        ("--lengths", lengths, "--tables", "1", "--runs", "1", "--start", "23:00"),
    )
    with pytest.raises(CommandError, match="--until 00:30 is not after --start 23:00") as refused:
        simulate(tmp_path, file, *given, "--until", "00:30")
    assert refused.value.returncode == 2
    text = simulate(tmp_path, file, *given, "--until", "00:30", "--next-day")
    assert "To end 9 of 10 days by 00:30 (+1 d):" in text
    assert "The day ends: 02:20 (+1 d) at the earliest" in text


def test_lengths_are_those_of_recorded_matches(cast: Cast, tmp_path: Path) -> None:
    """Of those with the same options, if there are enough; without matches that were typed, stopped, or left open."""
    options = {"hands": 1}
    file = {**a_file(4, rounds_planned=1), "game": "block", "options": options}
    assert as_json(tmp_path, file, "--runs", "1")["lengths"]["recorded"] == 0
    event = scheduled(cast, setup_of("block", "heads"), 4)
    template = {"club": cast.club, "event": event, "game": "block", "sheet": {}, "offers": []}
    whole = GAMES["block"].read_options(options)
    ended = {"status": "finished", "options": whole, "created_at": NOW}
    for minutes, more in [
        *[(25, {})] * 30,
        (60 * 20, {}),
        (5, {"unverified": True}),
        (5, {"status": "stopped"}),
        (5, {"options": {}}),
    ]:
        Match.objects.create(**template | ended | {"finished_at": NOW + timedelta(minutes=minutes)} | more)
    lengths = as_json(tmp_path, file, "--runs", "1")["lengths"]
    assert lengths == {"recorded": 30, "shortest": 1500, "median": 1500, "longest": 1500}


def test_nothing_is_saved(cast: Cast, tmp_path: Path, lengths: str) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 6)
    file = tournament_file(event_now(event))
    before = [model.objects.count() for model in (Event, Match, Player)], Event.objects.get().length
    found = as_json(tmp_path, file, "--lengths", lengths, "--no-shows", "1")
    assert len(found["standings"][0]["rows"]) == 6
    assert before == ([model.objects.count() for model in (Event, Match, Player)], Event.objects.get().length)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--tables", "0"], "--tables 0: choose from 1 to 1000"),
        (["--runs", "0"], "--runs 0: choose"),
        (["--late", "-1"], "--late -1: choose"),
        (["--start", "25:00"], "--start 25:00: write a time like 14:00"),
        (["--until", "soon"], "--until soon: write a time"),
        (["--start", "14:00", "--until", "14:00"], "--until 14:00 is not after --start 14:00: correct a time, or add"),
        (["--next-day"], "--next-day: it says which day --until is on. Add --until, or leave --next-day out."),
        (["--stage", "Other"], "--stage Other: the stages of this file are Main"),
        (["--no-shows", "5"], "--late and --no-shows: 5 is more than the entrants, 4. Choose fewer."),
        (["--late", "3", "--no-shows", "2"], "5 is more than the entrants, 4"),
        (["--lengths", "/nowhere"], "Cannot read /nowhere"),
    ],
)
def test_wrong_use_is_two(tmp_path: Path, more: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says) as wrong:
        simulate(tmp_path, a_file(4), *more)
    assert wrong.value.returncode == 2


@pytest.mark.parametrize("text", ["", "1800\nsoon\n", "0", "-5", "1.5", "9" * 30])
def test_wrong_lengths_are_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lengths.txt"
    file.write_text(text)
    with pytest.raises(CommandError, match="--lengths") as wrong:
        simulate(tmp_path, a_file(4), "--lengths", str(file))
    assert wrong.value.returncode == 2


@pytest.mark.parametrize("file", [5, {}, a_file(1), {**a_file(4), "options": 5}])
def test_a_refused_file_is_one(tmp_path: Path, file: Any) -> None:
    with pytest.raises(CommandError) as refused:
        simulate(tmp_path, file)
    assert refused.value.returncode == 1
    with pytest.raises(SystemExit) as ended:
        simulate(tmp_path, file, "--json")
    assert ended.value.code == 1


def test_it_says_when_nothing_helps_enough(tmp_path: Path, lengths: str) -> None:
    given = ("--lengths", lengths, "--tables", "1", "--runs", "1", "--until", "14:20")
    text = simulate(tmp_path, a_file(4, rounds_planned=3), *given)
    assert "Main: 1 day, 1 table." in text
    assert "Nothing that a director can change is enough to end 9 of 10 days by 14:20." in text
    assert "with only 1 round: 15:00 at the earliest" in text
    assert all("earlier, not enough" in line for line in text.splitlines() if line.startswith("  with "))
    assert "Nothing" not in simulate(tmp_path, a_file(4, rounds_planned=1), *given[:-1], "23:00")


def test_it_says_what_did_not_happen(tmp_path: Path, lengths: str) -> None:
    """Each result is disputed once at most."""
    given = ("--lengths", lengths, "--runs", "1", "--no-shows", "1", "--disputed", "9")
    text = simulate(tmp_path, a_file(4, rounds_planned=1), *given)
    assert "Not on this day: 8 disputed results." in text
    found = as_json(tmp_path, a_file(4, rounds_planned=1), *given)
    assert found["happened"] == {"late": 0, "no_shows": 1, "wrong": 0, "disputed": 1}


def test_free_play_has_as_many_rounds_more_as_are_usual(tmp_path: Path, lengths: str) -> None:
    file = a_file(4, system="free")
    played = as_json(tmp_path, file, "--lengths", lengths, "--runs", "1")["file"]
    assert len(played["stages"][0]["rounds"]) == 3
    assert len(as_json(tmp_path, played, "--lengths", lengths, "--runs", "1")["rounds"]) == 3
    until = as_json(tmp_path, file, "--lengths", lengths, "--runs", "1", "--start", "14:00", "--until", "17:00")
    assert [each["begin"] // 60 for each in until["rounds"]] == [0, 40, 80, 120], "as many as fit into three hours"
    one_table = ("--tables", "1", "--lengths", lengths, "--runs", "1", "--until", "17:00")
    assert len(as_json(tmp_path, file, *one_table)["rounds"]) == 2


def test_nobody_is_in_two_stages_played_side_by_side(tmp_path: Path, lengths: str) -> None:
    file = groups_file([3, 3])
    file["stages"][1]["entrants"] = [3, 4, 5]
    with pytest.raises(CommandError, match="P3 is in Group 1 and in Group 2, which are played side by side") as refused:
        simulate(tmp_path, file)
    assert refused.value.returncode == 1
    assert as_json(tmp_path, file, "--stage", "Group 1", "--lengths", lengths)["stages"] == ["Group 1"]
