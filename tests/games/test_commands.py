"""``python -m games``: the input, the output and the exit status of each command."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import games
from games import GAMES, notation, tiles
from games.__main__ import main

ROOT = Path(__file__).parents[2]
GOLDEN = {
    record["game"]: record
    for record in (json.loads(path.read_text())["record"] for path in (ROOT / "tests/data/records").glob("*.json"))
}
GOOD = json.dumps({**GOLDEN["dom"], "players": ["Ána", "李"]}).encode()
WRONG = json.dumps({**GOLDEN["dom"], "result": {"totals": [1, 2], "winners": [1]}}).encode()
TEXT = notation.write(json.loads(GOOD)).encode()
READING = ("verify", "show", "to-text", "to-json")


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def values(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def codes(self) -> list[str | None]:
        """The error code of each verdict."""
        return [verdict["errors"][0]["code"] if verdict["errors"] else None for verdict in self.values]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Calls the program with these arguments and this standard input."""

    def call(*arguments: str | Path, given: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = int(left.code or 0)
        return Answer(status, *capsys.readouterr())

    return call


def process(*arguments: str, given: bytes = b"") -> Answer:
    """The same in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "games", *arguments], input=given, capture_output=True, cwd=ROOT)
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


# --- what is read ------------------------------------------------------------------------------------------
def test_verify_answers_each_line_in_order_and_its_status_says_whether_all_are_valid(run: Any, tmp_path: Path) -> None:
    good, mixed = tmp_path / "good.ndjson", tmp_path / "mixed.ndjson"
    good.write_bytes(GOOD + b"\n\n \t \r\n" + GOOD + b"\r\n")
    mixed.write_bytes(b"\n".join([WRONG, b"", b"nonsense", b"\xff", b"[" * 100_000, b"[]", GOOD]))
    answer = run("verify", good)
    assert (answer.status, answer.codes, answer.err) == (0, [None, None], "")
    assert answer.values[0] == games.verify(json.loads(GOOD))
    answer = run("verify", mixed, good)
    assert (answer.status, answer.codes) == (1, ["result-mismatch", *["malformed"] * 4, None, None, None])
    assert answer.out.isascii()


@pytest.mark.parametrize("command", READING)
def test_without_files_standard_input_is_read(run: Any, command: str) -> None:
    given = TEXT if command == "to-json" else GOOD
    answer = run(command, given=given)
    assert (answer.status, answer.err) == (0, "")
    assert answer.out
    assert run(command, "-", given=given) == answer
    assert run(command, "-", "-", given=given) == answer
    assert run(command) == (0, "", "")


@pytest.mark.parametrize("command", READING)
def test_a_file_that_cannot_be_opened_gives_status_two_and_the_others_are_read_all_the_same(
    run: Any, command: str, tmp_path: Path
) -> None:
    good, bad, missing = tmp_path / "good", tmp_path / "bad", tmp_path / "missing"
    good.write_bytes(TEXT if command == "to-json" else GOOD)
    bad.write_bytes(b"[Game" if command == "to-json" else b"{}")
    answer = run(command, bad, missing, tmp_path, good)
    assert answer.status == 2
    assert answer.out == run(command, bad).out + run(command, good).out
    assert [str(path) in line for path, line in zip((missing, tmp_path), answer.err.splitlines(), strict=True)]
    assert [run(command, path).status for path in (good, bad, missing)] == [0, 1, 2]


@pytest.mark.parametrize("command", ["verify", "show", "to-text"])
@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b"{}", b"null", b"1", b'"x"', b"\xff", b"\0", b'{"players": 1}', b"NaN", b"[" * 100_000, b"9" * 5000],
    ids=lambda line: repr(line[:20]),
)
def test_a_line_that_is_no_record_gets_its_answer_and_the_next_is_read(run: Any, command: str, line: bytes) -> None:
    answer = run(command, given=line + b"\n" + GOOD)
    first, _, rest = answer.out.partition("\n")
    assert "malformed" in first
    assert (answer.status, rest) == (1, run(command, given=GOOD).out)


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b"null", b'"', b"\xff", b"\0", b"(" * 100_000, b"9" * 5000, GOOD],
    ids=lambda line: repr(line[:20]),
)
def test_what_stands_before_the_first_match_of_a_text_is_a_match_that_cannot_be_read(run: Any, line: bytes) -> None:
    answer = run("to-json", given=line + b"\n" + TEXT)
    wrong, right = answer.values
    assert (answer.status, wrong["errors"][0]["code"], right) == (1, "malformed", json.loads(GOOD))


def test_no_command_or_an_unknown_one_is_explained(run: Any) -> None:
    for arguments in ((), ("check",), ("random",), ("random", "canasta", "--seed", "1"), ("random", "draw")):
        answer = run(*arguments)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.startswith("usage: python -m games")
    help_ = run("--help")
    assert help_.status == 0
    assert all(command in help_.out for command in (*READING, "random"))


# --- show --------------------------------------------------------------------------------------------------
def test_show_answers_what_cannot_be_read_with_its_line(run: Any) -> None:
    answer = run("show", given=b"\n{}\n" + GOOD)
    assert answer.status == 1
    assert answer.out.startswith("; line 2: These are missing: format, game, players, hands. (malformed)\nDOM\n")


# --- random ------------------------------------------------------------------------------------------------
PLAYED = [(game, seats) for game in GAMES for seats in GAMES[game].seats]


@pytest.mark.parametrize(("game", "seats"), PLAYED)
def test_random_matches_are_valid_and_the_same_for_the_same_seed(run: Any, game: str, seats: int) -> None:
    ask = ("random", game, "--players", str(seats), "--seed")
    answer = run(*ask, "7")
    (record,) = answer.values
    assert (answer.status, answer.err) == (0, "")
    assert (record["game"], len(record["players"])) == (game, seats)
    verdict = games.verify(record)
    assert (verdict["errors"], verdict["finished"]) == ([], True)
    assert record["result"] == {"totals": verdict["totals"], "winners": verdict["winners"]}
    assert run(*ask, "7") == answer
    assert run(*ask, "8").out != answer.out


@pytest.mark.parametrize(("game", "seats"), PLAYED)
def test_a_match_as_observed_hides_what_a_table_does_not_see(run: Any, game: str, seats: int) -> None:
    ask = ("random", game, "--players", str(seats), "--seed", "7")
    (whole,), (seen,) = run(*ask).values, run(*ask, "--observed").values
    assert games.verify(seen)["errors"] == []
    known = GAMES[game].starts_with_cards > 0
    assert (("cards" in whole), ("cards" in seen)) == (known, False)
    assert all("deal" in hand for hand in whole["hands"])
    assert not any("deal" in hand for hand in seen["hands"])
    moves = [move for hand in seen["hands"] for move in hand["moves"]]
    assert not any({"tiles", "drawn"} & move.keys() for move in moves)
    counted = [move for hand in whole["hands"] for move in hand["moves"] if move["type"] in ("draw", "discard")]
    assert all(len(move["tiles"]) == move["count"] for move in counted)
    # In games with a boneyard the match must have draws, or the test shows nothing.
    assert bool(counted) == (game not in ("block", "domino-whist", "dom"))
    assert all(("left" in hand) == (GAMES[game].ending_key == "left") for hand in seen["hands"])


def test_a_number_of_players_that_does_not_go_with_the_game_is_refused(run: Any) -> None:
    for game, players in (("dom", "3"), ("dominards", "5"), ("dominards", "1"), ("domino-whist", "2"), ("dom", "-2")):
        answer = run("random", game, "--players", players, "--seed", "1")
        assert (answer.status, answer.out) == (2, "")
        assert f"{game} is played by" in answer.err
    assert len(run("random", "dominards", "--seed", "1").values[0]["players"]) == 2


# --- to-text and to-json -----------------------------------------------------------------------------------
def test_records_as_text_and_back_are_the_same_records_with_the_same_verdicts(run: Any, tmp_path: Path) -> None:
    records = [*GOLDEN.values(), *(run("random", game, "--seed", "3").values[0] for game in GAMES), json.loads(GOOD)]
    lines, text, again = tmp_path / "lines", tmp_path / "text", tmp_path / "again"
    lines.write_text("".join(json.dumps(record) + "\n" for record in records))
    written = run("to-text", lines)
    assert (written.status, written.out.count("[Game ")) == (0, len(records))
    text.write_text(written.out, encoding="utf-8")
    back = run("to-json", text)
    assert (back.status, back.values) == (0, records)
    again.write_text(back.out)
    assert run("verify", again) == run("verify", lines)


def test_records_against_the_rules_have_a_text_too(run: Any) -> None:
    for record in (json.loads(WRONG), {**json.loads(GOOD), "hands": [{"dealer": 0, "moves": []}] * 3}):
        assert not games.verify(record)["valid"]
        text = run("to-text", given=json.dumps(record).encode())
        assert text.status == 0
        assert run("to-json", given=text.out.encode()).values == [record]


def test_what_the_notation_has_no_words_for_is_said(run: Any) -> None:
    moves = [{"seat": 0, "type": "contract", "contract": "trio"}]
    record = {**GOLDEN["domizerka"], "hands": [{"dealer": 2, "moves": moves}]}
    answer = run("to-text", given=json.dumps(record).encode() + b"\n" + GOOD)
    assert answer.status == 1
    assert answer.out.startswith("; line 1: ")
    assert answer.out.endswith(run("to-text", given=GOOD).out)


def test_matches_that_cannot_be_read_are_answered_in_their_place(run: Any) -> None:
    answer = run("to-json", given=TEXT + b"\n[Game dom] [Players Ana\n" + TEXT)
    assert answer.status == 1
    good, bad, last = answer.values
    assert good == last == json.loads(GOOD)
    (error,) = bad["errors"]
    assert (bad["valid"], error["code"], error["hand"], error["move"]) == (False, "malformed", None, None)
    assert error["message"].startswith("Line ")


# --- as a program ------------------------------------------------------------------------------------------
def test_the_program_itself_reads_prints_and_leaves_with_its_status(tmp_path: Path) -> None:
    path = tmp_path / "good"
    path.write_bytes(GOOD)
    assert process("verify", str(path)).status == 0
    answer = process("verify", str(tmp_path / "missing"), str(path), "-", given=b"\n\n" + WRONG)
    assert (answer.status, answer.codes) == (2, [None, "result-mismatch"])
    assert "Traceback" not in answer.err
    assert process("verify", given=WRONG).status == 1


def test_whoever_has_read_enough_may_go_away() -> None:
    command = f"{sys.executable} -m games verify | head -n 1"
    given = (GOOD + b"\n") * 2000
    done = subprocess.run(command, shell=True, input=given, capture_output=True, cwd=ROOT)
    assert json.loads(done.stdout)["valid"]
    assert done.stderr == b""


def in_play(slug: str, moves: int) -> dict[str, Any]:
    """A record whose first hand is in play, with its deal."""
    record = games.random_match(slug, {}, ["Ana", "Bo"], Random(5), hands=1, observed=False)
    hand = record["hands"][0]
    return {key: value for key, value in record.items() if key != "result"} | {
        "hands": [{key: value for key, value in hand.items() if key != "left"} | {"moves": hand["moves"][:moves]}]
    }


def test_solve_answers_with_the_best_play(run: Any) -> None:
    record = in_play("block", 3)
    answer = run("solve", given=json.dumps(record).encode())
    assert (answer.status, len(answer.values)) == (0, 1)
    found = answer.values[0]
    assert found["seat"] == found["line"][0]["seat"]
    played = record | {"hands": [record["hands"][0] | {"moves": record["hands"][0]["moves"] + found["line"]}]}
    points = games.verify(played)["hands"][0]
    assert points[found["seat"]] - points[1 - found["seat"]] == found["worth"]


def test_solve_takes_the_boneyard_in_its_order(run: Any) -> None:
    record = in_play("draw", 1)
    dealt = {tile for hand in record["hands"][0]["deal"] for tile in hand}
    boneyard = [name for name in tiles.NAMES if name not in dealt]
    answer = run("solve", given=json.dumps({"record": record, "boneyard": boneyard}).encode())
    assert (answer.status, answer.values[0]["line"][0]["seat"]) == (0, answer.values[0]["seat"])


@pytest.mark.parametrize("wrong", [lambda yard: yard[1:], lambda yard: [yard[1], *yard[1:]], lambda _yard: []])
def test_solve_names_the_tiles_of_the_boneyard(run: Any, wrong: Callable[[list[str]], list[str]]) -> None:
    record = in_play("draw", 1)
    dealt = {tile for hand in record["hands"][0]["deal"] for tile in hand}
    boneyard = [name for name in reversed(tiles.NAMES) if name not in dealt]
    answer = run("solve", given=json.dumps({"record": record, "boneyard": wrong(boneyard)}).encode())
    assert f"The boneyard has {', '.join(boneyard)}. Give each" in answer.values[0]["error"]["message"]


def test_solve_says_what_it_cannot_solve(run: Any) -> None:
    over = games.random_match("block", {}, ["Ana", "Bo"], Random(5), hands=1, observed=False)
    lines = [in_play("draw", 1), in_play("dom", 3), over, {"record": 7}, {"format": "scorekeeper-record/1"}]
    answer = run("solve", given="\n".join(map(json.dumps, lines)).encode())
    codes = [value["error"]["code"] for value in answer.values]
    assert (answer.status, codes) == (1, ["malformed", "malformed", "hand-over", "malformed", "malformed"])
