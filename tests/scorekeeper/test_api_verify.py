"""The API that checks records gives the same verdicts as `python -m games verify`."""

import json
import random

import games
from scorekeeper.api.records import MOST_RECORDS
from tests.conftest import Phone, names_for

PATH = "/api/v1/records/verify/"


def a_record(game: str, seed: int = 1) -> dict:
    return games.random_match(game, {"hands": 2}, names_for(game), random.Random(seed))


def test_one_record_gets_one_verdict(game: str) -> None:
    record = a_record(game)
    for body in (json.dumps(record), json.dumps(record, indent=2), "\n" + json.dumps(record) + "\n\n"):
        content_type, verdict = Phone().verdicts(body.encode())
        assert content_type == "application/json"
        assert json.loads(verdict) == games.verify(record)
        assert json.loads(verdict)["valid"]


def test_lines_get_lines_in_their_order_and_a_bad_one_stops_nothing(game: str) -> None:
    records = [a_record(game, seed) for seed in range(3)]
    lines = [json.dumps(records[0]), "", "{", json.dumps(records[1]), "\ufeff", json.dumps(records[2])]
    for content_type in ("application/x-ndjson", "application/json", "text/plain"):
        answered_by, text = Phone().verdicts("\n".join(lines).encode() + b"\n\xff", content_type)
        assert answered_by == "application/x-ndjson"
        verdicts = [json.loads(line) for line in text.splitlines()]
        assert [verdict["valid"] for verdict in verdicts] == [True, False, True, False, True, False]
        assert verdicts[0] == games.verify(records[0])
        assert {v["errors"][0]["code"] for v in verdicts if not v["valid"]} == {"malformed"}


def test_a_single_line_called_lines_is_answered_by_a_line(game: str) -> None:
    record = json.dumps(a_record(game)).encode()
    assert Phone().verdicts(record, "application/x-ndjson")[1].endswith("}\n")
    assert Phone().verdicts(b"\n \n", "application/x-ndjson")[1] == ""


def test_what_cannot_be_read_gets_a_verdict_too() -> None:
    for body in (b"", b"{", b"\xff", b"[" * 100_000, b"9" * 5000, b'{"format": NaN}', b'"\\ud83d"', b'{"\\ud83d": 1}'):
        verdict = json.loads(Phone().verdicts(body)[1])
        assert (verdict["valid"], verdict["errors"][0]["code"]) == (False, "malformed")


def test_a_wrong_record_is_refused_with_the_place(game: str) -> None:
    record = a_record(game)
    first, last = record["hands"][-1]["moves"][0], len(record["hands"]) - 1
    first["seat"] = (first["seat"] + 1) % len(record["players"])
    verdict = json.loads(Phone().verdicts(record)[1])
    assert verdict == games.verify(record)
    assert (verdict["errors"][0]["hand"], verdict["errors"][0]["move"]) == (last, 0)


def test_more_records_than_can_be_checked_at_once_are_refused() -> None:
    for content_type in ("application/x-ndjson", "application/json"):
        _type, verdicts = Phone().verdicts(b"[]\r\n\n" * MOST_RECORDS, content_type)
        assert verdicts.count("\n") == MOST_RECORDS
        answer = Phone().post(PATH, b"[]\r\n\n" * (MOST_RECORDS + 1), content_type)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-many-records")
        assert "smaller parts" in answer.json()["message"]


def test_a_long_record_may_have_any_number_of_lines(game: str) -> None:
    record = json.dumps(a_record(game), indent=2) + "\n" * MOST_RECORDS
    spread = record.replace(",", ",\n \n")
    assert spread.count("\n") > MOST_RECORDS
    assert json.loads(Phone().verdicts(spread.encode())[1])["valid"]


def test_only_post_is_answered() -> None:
    assert Phone().get(PATH).status_code == 405
