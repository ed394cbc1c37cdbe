"""Records as text for people: every move, the running scores, the sums, and where a record goes wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import games
from games import notation
from games.show import show

KEPT = [
    json.loads(path.read_text())["record"] for path in sorted((Path(__file__).parents[1] / "data/records").iterdir())
]
GAMES = [record["game"] for record in KEPT]

SCORED = re.compile(
    r"(?P<before>.*?) *(?P<points>[+-]\d+) (?P<reason>[a-z ]+) = (?P<sum>.+)   (?P<totals>-?\d+( : -?\d+)+)"
)
"""A line with a score: the player or the move, then the points, their sum, and all totals."""


def summed(written: str) -> int:
    """The value of a sum: numbers with signs, each with its label in brackets."""
    numbers = re.sub(r"\([^)]*\)", "", written)
    assert re.fullmatch(r"(- )?\d+ *([+-] \d+ *)*", numbers), written
    return sum(int(sign + number) for sign, number in re.findall(r"([+-]?) ?(\d+)", numbers))


def numbers(written: str) -> list[int]:
    return [int(number) for number in written.split(" : ")]


def said(move: dict[str, Any]) -> list[str]:
    """Everything in a move except its type and its seat."""
    inside = [value for key, value in move.items() if key not in ("type", "seat", "by")]
    flat = [part for value in inside for part in (value if isinstance(value, list) else [value])]
    return [word for part in flat for word in (said(part) if isinstance(part, dict) else [str(part)])]


def hands_of(text: str) -> list[list[str]]:
    """The lines of each hand."""
    return [part.splitlines() for part in text.split("\n\n") if part.startswith("hand ")]


@pytest.mark.parametrize("record", KEPT, ids=GAMES)
def test_every_move_is_there_in_its_order_with_its_number_and_player(record: dict[str, Any]) -> None:
    hands = hands_of(show(record))
    assert len(hands) == len(record["hands"])
    for number, (hand, (head, *lines)) in enumerate(zip(record["hands"], hands, strict=True), 1):
        (word,) = {"leader", "opener", "dealer"} & hand.keys()
        assert head == f"hand {number}, {word} {record['players'][hand[word]]}"
        moves = [line for line in lines if re.match(r" +\d+ ", line)]
        for at, (move, line) in enumerate(zip(hand.get("moves", []), moves, strict=True), 1):
            count, name, *words = line.replace(",", " ").replace(":", " ").split()
            assert (count, name) == (str(at), record["players"][move["seat"]])
            assert not [word for word in said(move) if word not in words]


@pytest.mark.parametrize("record", KEPT, ids=GAMES)
def test_every_sum_comes_out_and_the_totals_run_on_to_the_result(record: dict[str, Any]) -> None:
    players = record["players"]
    totals, who, points = [0] * len(players), "", [[0] * len(players) for _ in record["hands"]]
    for number, lines in enumerate(hands_of(show(record))):
        for line in lines:
            found = SCORED.fullmatch(line)
            if found is None:
                assert " = " not in line
                continue
            # A line without a move before its score belongs to the move above.
            who = re.sub(r"^ *(\d+ )?", "", found["before"]) or who
            scored = int(found["points"])
            total = summed(found["sum"])
            rounded = record["options"].get("rounding") and found["reason"] in ("out", "blocked")
            assert scored == ((total + 2) // 5 * 5 if rounded else total)
            owners = who.split(" and ") if who.split(" and ")[-1] in players else [who.split()[0]]
            seats = [players.index(name) for name in owners]
            for seat in seats:
                totals[seat] += scored
                points[number][seat] += scored
            assert numbers(found["totals"]) == totals
    assert points == games.verify(record)["hands"]
    winners = " and ".join(players[seat] for seat in record["result"]["winners"])
    assert show(record).splitlines()[-1] == f"final score: {' : '.join(map(str, totals))}, won by {winners}"
    assert totals == record["result"]["totals"]


@pytest.mark.parametrize("record", KEPT, ids=GAMES)
def test_a_wrong_record_is_shown_up_to_its_first_error(record: dict[str, Any]) -> None:
    *before, last = record["hands"]
    at = len(last["moves"]) // 2
    wrong = {**last, "moves": [*last["moves"][:at], *last["moves"][:1]]}
    shown = show({**record, "hands": [*before, wrong]}).splitlines()
    (error,) = games.verify({**record, "hands": [*before, wrong]})["errors"]
    assert shown[-1] == f"error in the record: {error['message']} ({error['code']})"
    right = show(record).splitlines()
    assert shown[:-1] == right[: len(shown) - 1]
    assert re.match(rf" +{at} ", [line for line in shown[:-1] if re.match(r" +\d+ ", line)][-1])


# --- in short ----------------------------------------------------------------------------------------------
WHIST = "[Game domino-whist] [Players Ana Bo Cleo Dan] "
BLOCK = "[Game block] [Players Ana Bo] "
DOMIZERKA = "[Game domizerka] [Players Ana Bo Cleo] "
DOMINARDS = "[Game dominards] [Players Ana Bo] "


@pytest.mark.parametrize(
    ("text", "head"),
    [
        (WHIST, ["Domino Whist", "seat 0: Ana", "seat 1: Bo", "seat 2: Cleo", "seat 3: Dan"]),
        (WHIST + "[Options target 50, debit both, hands 8]", ["Domino Whist, target 50, hands 8", "seat 0: Ana"]),
        (BLOCK + "[Options spinner true, draws false]", ["Block, spinner on", "seat 0: Ana"]),
        (BLOCK + '[event "Club night"] [table 3]', ["Block", "event: Club night", "table: 3", "seat 0: Ana"]),
    ],
)
def test_the_head_says_what_is_played_by_whom_and_which_options_are_not_the_usual(text: str, head: list[str]) -> None:
    assert show(notation.read(text)).splitlines()[: len(head)] == head


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (BLOCK, ["score so far: 0 : 0"]),
        (BLOCK + "[Result 99 12 won Ana]", ["result, unverified: 99 : 12, won by Ana"]),
        (WHIST + "[Result 9 8 9 8]", ["result, unverified: 9 : 8 : 9 : 8"]),
        (BLOCK + "1. leader Ana 6-6", ["    1 Ana  6-6", "  (the hand is not over)", "", "score so far: 0 : 0"]),
        (BLOCK + "1. leader Ana 6-6 pass pass", ["  (not counted yet)", "", "score so far: 0 : 0"]),
        (
            WHIST + "[Stopped time] 1. opener Ana final bad 9 8 out Ana",
            ["stopped: time", "final score: 9 : 8 : 9 : 8, won by Bo and Dan"],
        ),
        (
            WHIST + "[Stopped abandoned] 1. opener Ana final bad 9 8 out Ana",
            ["stopped: abandoned", "final score: 9 : 8 : 9 : 8"],
        ),
        (
            WHIST + "[Stopped hands]",
            ["stopped: hands", "final score: 0 : 0 : 0 : 0, tie of Ana and Bo and Cleo and Dan"],
        ),
        (
            BLOCK + "1. leader Ana 6-6 pass pass left 12 34 2. leader Bo 6-6 6-5e",
            ["    1 Bo   6-6", "    2 Ana  6-5 e", "  (the hand is not over)", "", "score so far: 22 : 0"],
        ),
        (
            BLOCK + "1. leader Ana 6-6 5-4e",
            ["    1 Ana  6-6", "error in the record: 5-4 does not fit there. That end shows 6. (no-match)"],
        ),
        (
            BLOCK + "1. leader Ana 6-6 pass pass left 1 2",
            [
                "    3 Ana  passes",
                "error in the record: 6 tiles cannot count 1: the lightest that can be left count 11. (left-mismatch)",
            ],
        ),
        (
            BLOCK + "1. leader Ana 6-6 2. leader Bo 6-5",
            ["hand 2, leader Bo", "error in the record: Hand 1 is not finished. (hand-unfinished)"],
        ),
        (
            WHIST + "[Options hands 1] 1. opener Ana final bad 9 8 out Ana 2. opener Dan",
            ["hand 2, opener Dan", "error in the record: This match is over. (match-over)"],
        ),
    ],
)
def test_the_last_lines_show_the_score_of_the_match(text: str, last: list[str]) -> None:
    assert show(notation.read(text)).splitlines()[-len(last) :] == last


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            BLOCK + "1. leader Ana 6-6 pass pass left 12 34",
            [
                "  left: Ana 12, Bo 34",
                "  blocked by Ana",
                "  Ana                              +22 blocked = 34 - 12   22 : 0",
            ],
        ),
        (
            WHIST + "[Options debit higher] 1. opener Ana final left () (5-4) 3 (1-0 0-0) out Ana",
            [
                "  out by Ana",
                "  Ana and Cleo                     +0 not debited = 3   0 : 0 : 0 : 0",
                "  Bo and Dan                       +10 bad points = 9 (5-4) + 1 (1-0) + 0 (0-0)   0 : 10 : 0 : 10",
            ],
        ),
        (
            DOMIZERKA + "1. dealer Cleo final domizerka tricks 2 4 1",
            [
                "  Ana                              -1 tricks = 1 (quota) - 2 (tricks)   -1 : 0 : 0",
                "  Bo                               -2 tricks = 2 (quota) - 4 (tricks)   -1 : -2 : 0",
                "  Cleo                             +3 tricks = 4 (quota) - 1 (tricks)   -1 : -2 : 3",
            ],
        ),
        (
            DOMIZERKA + "1. dealer Cleo evens=4 -2 -1(5-5)+(1-1) 6-5=6 6-4",
            [
                "    1 Ana   calls evens, trump 4",
                "    2 Ana   discards 2",
                "    3 Bo    discards 1: 5-5 and draws 1-1",
            ],
        ),
        (
            DOMINARDS + "1. leader Ana roll(3 3 3 3) 6-6=virtual(4C) +2 +2(1-0 6-5) 6-5n",
            [
                "    1 Ana  rolls 3 3 3 3",
                "    2 Ana  6-6 claims the virtual card, drops 4C +12 virtual = 6 (6-6) + 6 (6-6)   12 : 0",
                "    3 Bo   draws 2",
                "    4 Bo   draws 2: 1-0 6-5",
                "    5 Bo   6-5 n",
            ],
        ),
        (
            DOMINARDS + "1. leader Ana final points 30 12 dropped (AS 2H KD TC 9S) (QS) tiles 0 3 out Ana",
            [
                "  Ana                              +30 claims = 30   30 : 0",
                "  Bo                               +12 claims = 12   30 : 12",
                "  Ana                              +3 out = 3 (1 for each tile)   33 : 12",
                "  Ana                              +8 dropped = 8 (2 for each card)   41 : 12",
            ],
        ),
    ],
)
def test_lines_are_as_people_read_them(text: str, lines: list[str]) -> None:
    record = notation.read(text)
    shown = show(record)
    assert all(line in shown.splitlines() for line in lines), shown


def test_what_was_dealt_is_told_where_it_is_known() -> None:
    text = show(notation.read(BLOCK + "1. leader Ana deal ? (5-5 5-4 5-3 5-2 5-1 5-0 4-4) 6-6"))
    assert "  Bo was dealt 5-5 5-4 5-3 5-2 5-1 5-0 4-4" in text.splitlines()
    assert "Ana was dealt" not in text


def test_what_is_no_record_has_no_text() -> None:
    for value in (None, [], {}, {**KEPT[0], "game": "canasta"}, {**KEPT[0], "hands": [{}]}):
        with pytest.raises(games.Malformed):
            show(value)
