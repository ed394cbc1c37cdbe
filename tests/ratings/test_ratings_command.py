"""`manage.py ratings`: answers and refusals, as anybody gets them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games import GAMES
from scorekeeper.ratings import Contest, Ladder, read_lines
from scorekeeper.ratings.plackett_luce import GROWTH

MATCHES = [
    {"at": "2021-01-06T20:00:00Z", "game": "block", "sides": [[2], [3]], "totals": [40, 101]},
    {"at": "2021-01-05T20:00:00Z", "game": "block", "sides": [[1], [2]], "totals": [101, 64], "lower_wins": False},
    {"at": "2021-01-05T23:30:00+01:00", "game": "domizerka", "sides": [[1], [2], [3]], "totals": [12, 3, 12]},
]


def lines(*matches: dict[str, Any]) -> list[str]:
    return [json.dumps(match) for match in matches]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "matches.ndjson"
    path.write_text("\n".join([*lines(*MATCHES), ""]))
    return path


def answered(capsys: pytest.CaptureFixture[str], *args: Any) -> Any:
    call_command("ratings", *args, "--json")
    return json.loads(capsys.readouterr().out)


def test_matches_are_rated_in_the_order_of_their_times(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ladder = Ladder()
    for match in read_lines(lines(MATCHES[1])) + read_lines(lines(MATCHES[2])) + read_lines(lines(MATCHES[0])):
        ladder.rate(match)
    found = answered(capsys, file)
    assert list(found) == ["1", "2", "3"]
    assert {player: each["elo"] for player, each in found.items()} == {
        str(player): rating.elo for player, rating in sorted(ladder.ratings.items())
    }
    assert found["3"] == {
        "mu": ladder.ratings[3].belief.mu,
        "sigma": ladder.ratings[3].belief.sigma,
        "shown": ladder.ratings[3].shown,
        "elo": ladder.ratings[3].elo,
        "matches": 2,
    }


def test_as_of_a_day_only_what_was_played_until_its_end_counts(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [each["matches"] for each in answered(capsys, file, "--on", "2021-01-05").values()] == [2, 2, 1]
    assert answered(capsys, file, "--on", "2021-01-04") == {}
    call_command("ratings", file, "--on", "2021-01-04")
    assert capsys.readouterr().out == "No match until then.\n"
    early, late = (answered(capsys, file, "--on", day)["1"] for day in ("2021-01-07", "2023-01-07"))
    assert early["sigma"] < late["sigma"]
    assert early["shown"] == late["shown"]


def test_a_reader_gets_a_table(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ratings", file)
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["player", "rating", "±", "Elo", "matches"]
    assert [row.split()[0] for row in rows] == ["1", "3", "2"]
    assert all(row.endswith("provisional") for row in rows)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"at": "2021-01-05T20:00:00"}, "The time 2021-01-05T20:00:00 needs a time zone, such as Z at its end."),
        ({"at": "yesterday"}, "yesterday is no time (write it like 2026-01-05T20:00:00Z)."),
        ({"sides": [[1]], "totals": [3]}, "A match needs at least two sides, each with a player."),
        ({"sides": [[1], []]}, "A match needs at least two sides, each with a player."),
        ({"sides": [[1], [1]]}, "A player can only be at one place in a match."),
        ({"sides": [[1], ["Bo"]]}, 'Expected a whole number from 0 up, not "Bo".'),
        ({"totals": [1, 2, 3]}, "Expected a list of 2, not of 3."),
        ({"totals": [1, 2.5]}, "Expected a whole number, not 2.5."),
        ({"lower_wins": "no"}, "Expected true or false, not no."),
        ({"weight": 300}, "A weight is a number of per cent from 1 to 200, not 300."),
        ({"winner": 1}, "Unexpected key: winner."),
        ({"game": "blok"}, f"There is no game blok. The games are {', '.join(sorted(GAMES))}."),
    ],
)
def test_a_line_that_is_no_match_is_refused_with_its_number(
    file: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], says: str
) -> None:
    file.write_text("\n".join(lines(MATCHES[0], MATCHES[1] | change)))
    with pytest.raises(CommandError) as error:
        call_command("ratings", file)
    assert (str(error.value), error.value.returncode) == (f"Line 2: {says}", 1)
    with pytest.raises(SystemExit) as ended:
        call_command("ratings", file, "--json")
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out) == {"error": {"line": 2, "message": says}}


def test_what_is_no_json_and_a_file_that_is_not_there(file: Path) -> None:
    file.write_text("{")
    with pytest.raises(CommandError, match="Line 1: "):
        call_command("ratings", file)
    with pytest.raises(CommandError, match="Cannot read"):
        call_command("ratings", file.with_name("other"))


@pytest.mark.parametrize(
    ("day", "says"),
    [
        ("soon", "--on: soon is no date. Write it like 2026-01-31."),
        ("2021-13-01", "--on: 2021-13-01 is no date. Write it like 2026-01-31."),
        ("9999-12-31", "--on: 9999-12-31 has not come yet. Choose a day until today (UTC)."),
    ],
)
def test_a_day_that_is_none_or_has_not_come_is_refused(file: Path, day: str, says: str) -> None:
    with pytest.raises(CommandError, match=re.escape(says)):
        call_command("ratings", file, "--on", day)


def test_without_a_day_it_is_that_of_the_last_match(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So the same file gives the same answer on any day."""
    later = {"at": "2021-03-06T20:00:00Z", "game": "block", "sides": [[4], [5]], "totals": [1, 0]}
    before = answered(capsys, file)["1"]
    file.write_text("\n".join(lines(*MATCHES, later)))
    assert answered(capsys, file)["1"]["sigma"] == pytest.approx((before["sigma"] ** 2 + 59 * GROWTH) ** 0.5)


def test_a_contest_has_shared_places() -> None:
    (three,) = read_lines(lines(MATCHES[2]))
    assert isinstance(three, Contest)
    assert three.places == (1, 3, 1)
