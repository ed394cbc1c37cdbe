"""Schedules in writing: what is written is read back, and what is no schedule is refused."""

import json
import random
from itertools import count

import pytest

from scorekeeper.schedule import notation
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.notation import Unreadable, Written
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import FORMATS, FOURS, PARTNERS, Format, Schedule, Seating
from tests.schedule.samples import SCHOOLGIRLS


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("players", [9, 16])
def test_a_written_schedule_is_read_back(format: Format, players: int) -> None:
    schedule = last(propose(format, players, rng=random.Random(0), clock=count().__next__, seconds=0)).schedule
    assert notation.read(notation.as_text(schedule)).schedule == schedule
    assert notation.read(json.dumps(notation.as_json(Written(schedule)))) == Written(schedule)


def test_a_plain_text_leaves_things_out() -> None:
    """Players without a table have a bye; tables give the format; rounds may be copied without their heading."""
    plain = notation.read("0-1-2-3\n\n4-1-2-3\n", partners=True).schedule
    assert plain == Schedule(PARTNERS, 5, (Seating(((0, 1, 2, 3),), (4,)), Seating(((4, 1, 2, 3),), (0,))))
    copied = notation.read("Round  1   1-2-3-4   out: 5\nRound  2   5-2-3-4   out: 1\n\nPerfect.\n\nsits out  0")
    assert copied.schedule == Schedule(FOURS, 5, plain.rounds)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" \n", "empty"),
        ("1-2-x", "bad-line"),
        ("Round 1   1-2-x   out: 4", "bad-line"),
        ("Round 1   out: 4", "bad-line"),
        ("heads, 1001 players\nRound 1   1-2", "too-many-players"),
        ("1-2\n\n1-2-3-4", "table-sizes"),
        ("1-2-3-4-5", "table-sizes"),
        ("{", "no-json"),
        ("{}", "no-format"),
        ('{"format": "pairs", "n": 4, "rounds": []}', "no-format"),
        ('{"format": "fours", "n": true, "rounds": []}', "no-rounds"),
        ('{"format": "fours", "n": 4, "rounds": 3}', "no-rounds"),
        ('{"format": "fours", "n": 4, "rounds": [[[0, 1, 2, 3]]], "byes": []}', "no-byes"),
        ('{"format": "fours", "n": 4, "rounds": [[0, 1, 2, 3]]}', "bad-round"),
        ('{"format": "fours", "n": 4, "rounds": [[["a"]]]}', "bad-round"),
    ],
)
def test_a_text_that_is_no_schedule_is_refused(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        notation.read(text)
    assert refused.value.code == code


def test_tables_of_three_have_no_partners() -> None:
    with pytest.raises(Unreadable, match="no-partners"):
        notation.read(SCHOOLGIRLS, partners=True)
