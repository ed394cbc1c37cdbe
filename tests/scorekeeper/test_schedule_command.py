"""`manage.py schedule`: what it prints, and what it refuses."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def printed(*words: str, **options: Any) -> str:
    out = StringIO()
    call_command("schedule", *words, stdout=out, **options)
    return out.getvalue()


def test_a_schedule_is_printed_with_its_grade() -> None:
    text = printed("partners", "8")
    assert text.count("Round") == 7
    assert "Perfect: everybody partners everybody once and opposes everybody twice." in text


def test_json_has_what_programs_need() -> None:
    schedule = json.loads(printed("partners", "5", "--json"))
    assert {key: schedule[key] for key in ("format", "n", "k", "partners")} == {
        "format": "partners",
        "n": 5,
        "k": 4,
        "partners": True,
    }
    assert [len(tables) for tables in schedule["rounds"]] == [1] * 5
    assert sorted(byes for (byes,) in schedule["byes"]) == list(range(5))
    assert schedule["measures"]["partner"] == schedule["bounds"]["partner"] == {"least": 1, "most": 1, "squares": 10}


def test_its_own_schedule_is_valid(tmp_path: Path) -> None:
    file = tmp_path / "schedule.json"
    file.write_text(printed("triples", "15", "--json"))
    assert "Perfect: everybody meets everybody once." in printed(verify=str(file))
    assert json.loads(printed("--json", verify=str(file)))["errors"] == []


@pytest.mark.parametrize("words", [("heads", "7"), ("triples", "10"), ("partners", "9"), ("mixed", "11")])
def test_it_reads_the_text_it_prints(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Verifying prints everything below the rounds again."""
    file = tmp_path / "printed.txt"
    file.write_text(printed(*words, "--steps", "2"))
    *_rounds, below = re.split(r"^Round.*\n", file.read_text(), flags=re.MULTILINE)
    assert printed(verify=str(file)) == below


def test_faults_are_named_by_round(tmp_path: Path) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text("1-2-3-4\n5-6-7-8\n\n1-5-2-6\n3-7-4-4\n")
    with pytest.raises(CommandError, match="Round 2: player 4 appears twice"):
        printed(verify=str(file), partners=True)


def test_wishes_are_kept_and_verified(tmp_path: Path) -> None:
    wishes = ["--apart", "1,2,3:2", "--fixed", "7=1", "--present", "9=2-"]
    schedule = json.loads(printed("triples", "12", "--rounds", "4", "--seconds", "1", "--json", *wishes))
    rounds = [*zip(schedule["rounds"], schedule["byes"], strict=True)]
    assert [any(8 in seats for seats in (*tables, out)) for tables, out in rounds] == [False, True, True, True]
    assert all(6 in tables[0] for tables, out in rounds if 6 not in out)
    assert all(len({0, 1, 2} & {*table}) < 2 for tables in schedule["rounds"][:2] for table in tables)
    file = tmp_path / "schedule.json"
    file.write_text(json.dumps(schedule))
    assert "meetings per pair" in printed(verify=str(file))
    with pytest.raises(CommandError, match="player 7 is not at their fixed table"):
        printed("--fixed", "7=2", verify=str(file))
    del schedule["wishes"]
    file.write_text(json.dumps(schedule))
    assert "meetings per pair" in printed(*wishes, verify=str(file))
    with pytest.raises(CommandError, match="player 9 has no seat and no bye"):
        printed("--fixed", "7=1", verify=str(file))


def test_contradicting_wishes_are_named_as_typed() -> None:
    wishes = ["--apart", "1,2", "--apart", "1,3:1", "--apart", "1,4", "--fixed", "2=1"]
    with pytest.raises(CommandError, match="Round 1 cannot keep all these wishes: --apart 1,2 --apart 1,3 --apart 1,4"):
        printed("heads", "4", *wishes)


def test_json_has_wishes_only_if_there_are_any() -> None:
    wishes = ["--apart", "1,2:2", "--apart", "3,4", "--fixed", "7=1", "--present", "9=2-", "--present", "8=-3"]
    schedule = json.loads(printed("triples", "12", "--rounds", "4", "--seconds", "1", "--json", *wishes))
    assert schedule["wishes"] == {
        "apart": [{"players": [0, 1], "rounds": 2}, {"players": [2, 3]}],
        "fixed": [{"player": 6, "table": 0}],
        "present": [{"player": 8, "first": 1}, {"player": 7, "first": 0, "end": 3}],
    }
    assert not {"wishes", "released"} & {*json.loads(printed("triples", "9", "--json"))}


def test_a_schedule_is_compared_with_an_older_one(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text(printed("triples", "9", "--json"))
    anew = ("--repair", str(first), "--released", "2", "--present", "9=-3", "--seconds", "0", "--json")
    second.write_text(printed(*anew))
    schedule = printed("--verify", str(second), "--was", str(first))
    assert "Rounds 1 to 2 stay as they are. No table changes." in schedule
    assert "before" in schedule
    other = json.loads(second.read_text())
    other["rounds"][0].reverse()
    second.write_text(json.dumps(other))
    with pytest.raises(CommandError, match="Round 1: the round was released, and has been changed"):
        printed("--verify", str(second), "--was", str(first))
    with pytest.raises(CommandError, match="--was is the older schedule to compare with"):
        printed("heads", "6", "--was", str(first))
    with pytest.raises(CommandError, match="--released 9: the schedule has 4 rounds"):
        printed("--verify", str(second), "--was", str(first), "--released", "9")


def test_rounds_count_as_they_were_played(tmp_path: Path) -> None:
    drawn, played = tmp_path / "drawn.json", tmp_path / "played.txt"
    drawn.write_text(printed("fours", "8", "--rounds", "4", "--steps", "10", "--json"))
    played.write_text("1-2-3-4\n5-6-7-8\n")
    anew = ("--repair", str(drawn), "--played", str(played), "--steps", "10")
    text = printed(*anew)
    assert "Round  1   1-2-3-4   5-6-7-8\n" in text
    assert "Round 1 was not played as drawn.\nRounds 1 to 1 stay as played." in text
    assert json.loads(printed(*anew, "--json"))["released"] == 1
    with pytest.raises(CommandError, match="--released 0: 1 rounds were played, and they stay"):
        printed(*anew, "--released", "0")
    with pytest.raises(CommandError, match="also name it with --repair FILE"):
        printed("fours", "8", "--played", str(played))
    played.write_text("1-2-3-4\n5-6-7-9\n")
    with pytest.raises(CommandError, match="there is no player 9"):
        printed(*anew)
    played.write_text("1-2-3-4\n")
    assert "Round  1   1-2-3-4   out: 5, 6, 7, 8\n" in printed(*anew)


@pytest.mark.parametrize("text", ["1-4 2-3\n\n4-3 1-2\n\n2-4 3-1\n", "1 - 4\n2 - 3\n\n4-3   1-2\n\n2,4\n3,1"])
def test_tables_may_share_a_line_or_have_one_each(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(text)
    assert "Perfect: everybody meets everybody once." in printed(verify=str(file))


def test_a_repaired_schedule_keeps_its_wishes(tmp_path: Path) -> None:
    """Players stay apart in additional rounds too; players who left stay away; a new wish replaces an old one."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    wishes = ["--apart", "1,2", "--fixed", "7=1", "--present", "9=2-"]
    first.write_text(printed("fours", "13", "--rounds", "3", "--steps", "20", "--json", *wishes))
    again = ["--repair", str(first), "--released", "2", "--rounds", "6", "--steps", "20"]
    second.write_text(printed(*again, "--present", "5=-2", "--fixed", "7=2", "--json"))
    schedule = json.loads(second.read_text())
    assert schedule["released"] == 2
    assert schedule["wishes"] == {
        "apart": [{"players": [0, 1]}],
        "fixed": [{"player": 6, "table": 1}],
        "present": [{"player": 8, "first": 1}, {"player": 4, "first": 0, "end": 2}],
    }
    assert not any({0, 1} <= {*table} for tables in schedule["rounds"] for table in tables)
    assert "meetings per pair" in printed(verify=str(second))


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ('{"format":"heads","n":4,"rounds":[[[0,1],[2,9]]]}', "Round 1: there is no player 10"),
        ('{"format":"heads","n":4,"rounds":[[[0,1],[2,-1]]]}', "Round 1"),
        ('{"format":"heads","n":3,"rounds":[[[0,1]]],"byes":[[99999]]}', "there is no player 100000"),
        ('{"format":["x"],"n":4,"rounds":[]}', "The format is missing or unknown"),
        ('{"format":"heads","n":9999,"rounds":[[[0,1]]]}', "9999 players are too many to check"),
        ('{"format":"heads","n":2,"rounds":[[[0,1]]],"wishes":{"fixed":[7]}}', "not written as --json writes them"),
        ('{"format":"heads","n":2,"rounds":[[[0,1]]],"wishes":{"apart":[{"players":"ab"}]}}', "not written as --json"),
        ('{"format":"heads","n":2,"rounds":[[[0,1]]],"released":2}', "released must be a number from 0 to 1"),
        ("1-2-3-4\n5-6-7-80\n", "Player 8 is never named"),
        ("1-2\n3-9999\n", "9999 players are too many to check"),
    ],
)
def test_faults_of_a_file_are_named(tmp_path: Path, written: str, sentence: str) -> None:
    file = tmp_path / "schedule.txt"
    file.write_text(written)
    with pytest.raises(CommandError, match=sentence):
        printed(verify=str(file))


def test_a_schedule_with_an_invalid_past_is_not_repaired(tmp_path: Path) -> None:
    file = tmp_path / "schedule.txt"
    file.write_text("1-2\n3-1\n\n1-3\n2-4\n\n1-4\n2-3\n")
    with pytest.raises(CommandError, match="Round 1: player 1 appears twice"):
        printed("--repair", str(file), "--released", "1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--released", "4"), "--released 4: 0 to 3 rounds can stay"),
        (("--released", "-1"), "--released -1: 0 to 3 rounds can stay"),
        (("--released", "5", "--rounds", "9"), "--released 5: 0 to 4 rounds can stay"),
        (("--rounds", "0"), "0 rounds are not possible: choose 1 to 16."),
        (("triples", "0"), "0 players do not fill a table"),
        (("triples", "8"), "It has 9 players. A player who leaves keeps their number"),
        (("fours", "9"), "The schedule to repair has the format triples."),
        (("--partners",), "--partners: triples has no partners"),
    ],
)
def test_an_impossible_repair_is_refused_in_a_sentence(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    file = tmp_path / "schedule.json"
    file.write_text(printed("triples", "9", "--json"))
    with pytest.raises(CommandError, match=sentence):
        printed("--repair", str(file), *words)


def test_a_wish_for_an_unknown_player_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "schedule.json"
    file.write_text(printed("triples", "9", "--json"))
    with pytest.raises(CommandError, match="There is no player 10: players are numbered"):
        printed("--apart", "1,10", verify=str(file))


def test_the_same_number_of_steps_gives_the_same_schedule() -> None:
    wish = ("fours", "14", "--rounds", "5", "--steps", "20", "--seed", "3")
    assert printed(*wish) == printed(*wish) != printed(*wish[:-1], "4")


def test_it_says_when_no_schedule_reaches_the_bound() -> None:
    text = printed("triples", "6", "--rounds", "2", "--seconds", "0")
    assert "no schedule is as even as counting alone would allow" in text
    schedule = json.loads(printed("triples", "6", "--rounds", "2", "--seconds", "0", "--json"))
    assert schedule["attainable"] is False
    assert schedule["distance"]["meetings"] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("triples", "9", "--apart", "1,2,3,4"), "--apart 1, 2, 3, 4: round 1 has only 3 places for them"),
        (("triples", "9", "--apart", "1;2"), "“1;2” is not a wish. Write it like 3,8,12"),
        (("triples", "9", "--fixed", "1=1", "--fixed", "2=1"), "--fixed: two players want table 1"),
        (("triples", "9", "--fixed", "1=4"), "--fixed: not every round has a table 4 for player 1"),
        (("triples", "9", "--fixed", "1"), "“1” is not a wish. Write it like 7=1"),
        (("triples", "9", "--present", "10=2-"), "There is no player 10: players are numbered 1 to 9."),
        (("triples", "9", "--present", "9=4-2"), "player 9 must leave after they arrive, and there are 4 rounds"),
        (("triples", "9", "--present", "9=4"), "“9=4” is not a wish. Write it like 9=3-"),
        (("triples", "3", "--rounds", "2", "--present", "3=2-"), "--present: only 2 players are present in round 1"),
        ((), "Give a format and a number of players"),
        (("triples", "2"), "2 players do not fill a table: it needs 3."),
        (("heads", "201"), "201 players are too many: the limit is 200."),
        (("heads", "6", "--rounds", "99"), "99 rounds are not possible: choose 1 to 20."),
        (("fours", "8", "--double"), "--double is only for heads"),
        (("--verify", "no/such/file"), "Cannot read no/such/file"),
        (("fours", "0"), "0 players do not fill a table: it needs 4."),
        (("heads", "6", "--rounds", "0"), "0 rounds are not possible: choose 1 to 20."),
        (("heads", "6", "--seconds", "-1"), "--seconds -1.0: choose a number from 0 to 86400."),
        (("heads", "6", "--seconds", "nan"), "--seconds nan: choose a number from 0 to 86400."),
        (("heads", "6", "--steps", "-1"), "--steps -1: choose a number from 0 to 86400."),
        (("heads", "6", "--steps", "1", "--seconds", "1"), "--seconds: not allowed with argument --steps"),
        (("triples", "9", "--apart", "1,2:0"), "“1,2:0” is not a wish"),
        (("heads", "6", "--released", "2"), "--released says how many rounds of a file stay"),
        (("heads", "6", "--partners"), "--partners says how to read a file"),
        (("--verify", "a", "--repair", "b"), "--repair: not allowed with argument --verify"),
        (
            ("--verify", "a", "--released", "2"),
            "--released says how many rounds had to stay: also name the older schedule",
        ),
        (("--verify", "a", "--seed", "0"), "leave out --seed."),
        (("triples", "--verify", "a"), "leave out the format."),
        (("--repair", "a", "--double"), "--repair keeps as much as possible: leave out --double"),
    ],
)
def test_an_impossible_schedule_is_refused_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        printed(*words)
