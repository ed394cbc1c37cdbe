"""The examples of the sources and of the settled rules, as tables of cases."""

import pytest

import games
from games.errors import GameError
from games.line import Kind, Line
from games.tiles import parse
from tests.games.records import block, block_hand, whist

FIVES = {"spinner": True, "fives": True}


def line_of(laid: str, kind: Kind = Kind.SPINNER) -> Line:
    line = Line.of(kind)
    for word in laid.split():
        line = line.lay(parse(word[:3]), word[3:] or None)
    return line


# --- the line of play --------------------------------------------------------------------------------------
# "Electrum Dominoes", Scoring All Fives.
@pytest.mark.parametrize(
    ("laid", "count"),
    [
        ("6-6", 12),
        ("6-6 6-1e", 13),
        ("6-6 6-1e 6-3w", 4),
        ("6-6 6-1e 6-3w 1-1e", 5),
        ("6-6 6-1e 6-3w 1-1e 6-0n", 5),
        ("6-6 6-1e 6-3w 1-1e 6-0n 6-5s", 10),
        ("5-5", 10),
        ("6-4", 10),
        ("6-4 6-6w", 16),
    ],
)
def test_table_count_of_the_sources_pictures(laid: str, count: int) -> None:
    assert line_of(laid).total == count


@pytest.mark.parametrize(
    ("laid", "ends"),
    [
        ("6-4", {"w": 6, "e": 4}),
        ("6-6", {"w": 6, "e": 6}),
        ("6-6 6-1e", {"w": 6, "e": 1}),
        ("6-6 6-1e 6-3w", {"w": 3, "e": 1, "n": 6, "s": 6}),
        ("6-4 6-6w", {"w": 6, "e": 4}),
        ("6-4 6-6w 6-5w", {"w": 5, "e": 4, "n": 6, "s": 6}),
        ("6-4 6-6w 6-5w 6-0n", {"w": 5, "e": 4, "n": 0, "s": 6}),
        ("6-4 4-4e 5-4e 5-5e 5-0e", {"w": 6, "e": 0, "n": 4, "s": 4}),
    ],
)
def test_only_the_first_double_branches_and_only_when_both_its_broad_sides_are_played_off(
    laid: str, ends: dict[str, int]
) -> None:
    assert line_of(laid).open == ends


@pytest.mark.parametrize("laid", ["6-6", "6-6 6-1e 6-3w", "6-4 6-6w 6-5w"])
def test_on_a_plain_line_nothing_branches(laid: str) -> None:
    assert set(line_of(laid, Kind.PLAIN).open) == {"w", "e"}


def test_all_four_sides_of_a_star_are_open_from_the_start() -> None:
    assert line_of("6-6", Kind.STAR).open == {"w": 6, "e": 6, "n": 6, "s": 6}
    line = line_of("6-6 6-4w 4-4w 5-4w 5-0w 6-3e 3-3e 6-2n", Kind.STAR)
    assert line.open == {"w": 0, "e": 3, "n": 2, "s": 6}


# --- Domino Whist ------------------------------------------------------------------------------------------
# "Domino whist", the rating of the stones and the seats.
@pytest.mark.parametrize(
    ("drawn", "seats"),
    [
        (["6-6", "6-5", "6-4", "6-3"], (0, 2, 1, 3)),
        (["0-0", "1-0", "2-0", "3-0"], (3, 1, 2, 0)),
        (["4-4", "5-3", "6-2", "5-4"], (3, 1, 2, 0)),
        (["3-3", "5-1", "4-2", "6-0"], (3, 2, 1, 0)),
    ],
)
def test_forehand_drew_the_highest_his_partner_the_second_and_left_of_him_sits_the_third(
    drawn: list[str], seats: tuple[int, ...]
) -> None:
    assert games.GAMES["domino-whist"].seats_by_draw(drawn) == seats


@pytest.mark.parametrize(
    "drawn",
    [["6-6", "6-6", "6-4", "6-3"], ["6-6", "6-5", "6-4"], ["4-6", "6-5", "6-3", "6-2"], ["6-6", "6-5", "6-4", None]],
)
def test_seats_are_not_drawn_with_equal_missing_or_unknown_tiles(drawn: list[str]) -> None:
    with pytest.raises(GameError) as error:
        games.GAMES["domino-whist"].seats_by_draw(drawn)
    assert error.value.code == "malformed"


def final(left: list[object], out: int | None, opener: int = 0) -> dict[str, object]:
    return {"opener": opener, "final": {"left": left, "out": out}}


@pytest.mark.parametrize(
    ("left", "out", "debit", "points"),
    [
        ([[], ["6-4"], ["1-0"], ["5-5", "2-0"]], 0, "both", [1, 22, 1, 22]),
        ([[], ["6-4"], ["1-0"], ["5-5", "2-0"]], 0, "higher", [0, 22, 0, 22]),
        ([[], 10, 1, 12], 0, "both", [1, 22, 1, 22]),
        ([5, 5, 7, 7], None, "both", [12, 12, 12, 12]),
        ([5, 5, 7, 7], None, "higher", [12, 12, 12, 12]),
        ([3, 5, 4, 7], None, "higher", [0, 12, 0, 12]),
        ([["6-6"], [], ["0-0"], ["1-0"]], 1, "both", [12, 1, 12, 1]),
        ([["6-6"], 0, ["0-0"], ["1-0"]], 1, "higher", [12, 0, 12, 0]),
    ],
)
def test_both_partners_bear_the_pips_left_on_their_side(
    left: list[object], out: int | None, debit: str, points: list[int]
) -> None:
    verdict = games.verify(whist(final(left, out), options={"debit": debit}))
    assert (verdict["errors"], verdict["hands"]) == ([], [points])


def test_the_match_ends_after_the_hand_in_which_a_side_reaches_the_target() -> None:
    hands = [{"opener": at, "final": {"bad": [30, 25], "out": None}} for at in range(4)]
    three = games.verify(whist(*hands[:3]))
    assert (three["finished"], three["winners"], three["totals"]) == (False, [], [90, 75, 90, 75])
    four = games.verify(whist(*hands))
    assert (four["finished"], four["winners"], four["totals"]) == (True, [1, 3], [120, 100, 120, 100])
    exactly = games.verify(whist(*hands[:3], options={"target": 90}))
    assert (exactly["finished"], exactly["winners"]) == (True, [1, 3])
    one_short = games.verify(whist(*hands[:3], options={"target": 91}))
    assert (one_short["finished"], one_short["winners"]) == (False, [])


def test_equal_bad_points_are_a_draw_of_all_four() -> None:
    hands = [{"opener": at, "final": {"bad": bad, "out": None}} for at, bad in enumerate(([60, 40], [40, 60]))]
    assert games.verify(whist(*hands))["winners"] == [0, 1, 2, 3]


@pytest.mark.parametrize("opener", range(4))
def test_any_seat_opens_first_and_the_opening_passes_clockwise(opener: int) -> None:
    match = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert match.offers()["openers"] == [0, 1, 2, 3]
    for at in range(opener, opener + 3):
        match = match.enter({"kind": "hand", "opener": at % 4, "final": {"bad": [20, 20], "out": None}})
        assert match.offers()["openers"] == [(at + 1) % 4]


def test_forehand_may_open_with_any_tile() -> None:
    offers = games.Match.new("domino-whist", {}, list("ABCD")).enter({"kind": "hand", "opener": 2}).offers()
    assert offers["seat"] == 2
    assert len(offers["plays"]) == 28
    assert not offers["pass"]


# --- Block -------------------------------------------------------------------------------------------------
BLOCKED = "6-6 6-0w 6-1e 0-0w 1-1e 1-0w pass pass"
"""After it ones are open at both ends: Ana laid 6-6, 6-1, 1-1 and has four left, Bo 6-0, 0-0, 1-0 and has four.
Bo laid last."""
HEAVY = ["5-5", "5-4", "4-4", "5-3"]  # 35 pips
LIGHT = ["3-2", "2-2", "4-2", "4-3"]  # 22 pips
EVEN = ["5-4", "4-2", "3-2", "2-2"]  # 24 pips
AS_MANY = ["5-2", "4-3", "3-3", "4-0"]  # 24 pips


@pytest.mark.parametrize(
    ("ana", "bo", "options", "points"),
    [
        (HEAVY, LIGHT, {}, [0, 13]),
        (LIGHT, HEAVY, {}, [13, 0]),
        (LIGHT, HEAVY, {"block_amount": "opponent"}, [35, 0]),
        (LIGHT, HEAVY, {"block_amount": "both"}, [57, 0]),
        (LIGHT, HEAVY, {"block_award": "last"}, [0, 13]),
        (LIGHT, HEAVY, {"block_award": "last", "block_amount": "opponent"}, [0, 22]),
        (LIGHT, HEAVY, {"block_award": "last", "block_amount": "both"}, [0, 57]),
        (LIGHT, HEAVY, {"rounding": True}, [15, 0]),
        (LIGHT, HEAVY, {"rounding": True, "block_amount": "opponent"}, [35, 0]),
        (LIGHT, HEAVY, {"rounding": True, "block_amount": "both"}, [55, 0]),
        (LIGHT, HEAVY, {"rounding": True, "block_amount": "opponent", "block_award": "last"}, [0, 20]),
        (EVEN, AS_MANY, {}, [0, 0]),
        (EVEN, AS_MANY, {"block_amount": "both"}, [0, 0]),
        (EVEN, AS_MANY, {"block_award": "last"}, [0, 0]),
        (EVEN, AS_MANY, {"block_award": "last", "block_amount": "opponent"}, [0, 24]),
    ],
)
def test_who_is_paid_and_how_much_when_a_hand_is_blocked(
    ana: list[str], bo: list[str], options: dict[str, object], points: list[int]
) -> None:
    verdict = games.verify(block(block_hand(BLOCKED, left=[ana, bo]), options=options))
    assert (verdict["errors"], verdict["hands"]) == ([], [points])


@pytest.mark.parametrize(("pips", "award"), [(5, 5), (6, 5), (7, 5), (8, 10), (9, 10), (11, 10), (13, 15), (1, 0)])
def test_awards_go_to_the_nearest_multiple_of_five(pips: int, award: int) -> None:
    out = {"leader": 0, "final": {"table": [0, 0], "left": [[], pips], "out": 0}}
    assert games.verify(block(out, options={"rounding": True}))["hands"] == [[award, 0]]
    blocked = {"leader": 0, "final": {"table": [0, 0], "left": [20, 20 + pips], "out": None}}
    assert games.verify(block(blocked, options={"rounding": True}))["hands"] == [[award, 0]]


def test_table_points_are_not_rounded() -> None:
    options = {"threes": True, "rounding": True, "hands": 1}
    final = {"leader": 0, "final": {"table": [12, 3], "left": [[], 8], "out": 0}}
    assert games.verify(block(final, options=options))["hands"] == [[22, 3]]


# "Electrum Dominoes", Scoring All Fives: each picture's own points; and both multiples are paid once.
@pytest.mark.parametrize(
    ("laid", "options", "points"),
    [
        ("6-6", FIVES, [0, 0]),
        ("6-6 6-1e", FIVES, [0, 0]),
        ("6-6 6-1e 6-3w", FIVES, [0, 0]),
        ("6-6 6-1e 6-3w 1-1e", FIVES, [0, 5]),
        ("6-6 6-1e 6-3w 1-1e 6-0n", FIVES, [5, 5]),
        ("6-6 6-1e 6-3w 1-1e 6-0n 6-5s", FIVES, [5, 15]),
        ("5-5", FIVES, [10, 0]),
        ("5-5", {"threes": True}, [0, 0]),
        ("6-6", {"threes": True}, [12, 0]),
        ("5-5 5-0e", FIVES, [10, 10]),
        ("6-6 6-3e", {"fives": True, "threes": True}, [12, 15]),
        ("0-0", {"fives": True, "threes": True}, [0, 0]),
        ("6-6 6-1e", {}, [0, 0]),
    ],
)
def test_a_table_count_that_is_a_multiple_is_scored_once(
    laid: str, options: dict[str, object], points: list[int]
) -> None:
    verdict = games.verify(block(block_hand(laid), options=options))
    assert (verdict["errors"], verdict["hands"]) == ([], [points])


def test_the_match_ends_in_the_middle_of_a_hand_when_the_target_is_reached() -> None:
    options = {**FIVES, "points_to_win": 15}
    record = block(block_hand("6-6 6-1e 6-3w 1-1e 6-0n 6-5s"), options=options)
    verdict = games.verify(record)
    assert (verdict["finished"], verdict["totals"], verdict["winners"]) == (True, [5, 15], [1])
    record["hands"][0]["moves"].append({"seat": 0, "type": "pass"})
    assert games.verify(record)["errors"][0]["code"] == "hand-over"
    assert not games.verify(block(block_hand("6-6 6-1e 6-3w 1-1e 6-0n 6-5s"), options={**FIVES, "points_to_win": 16}))[
        "finished"
    ]


OUT = "6-6 pass 6-5e 5-4e 4-4e 4-3e 3-3e 5-3e 5-0e 0-0e 2-0e 2-1e 3-1e"
"""Ana goes out. She scored 20 on the table, and 15 more with the last tile; Bo scored 15, and has 5-1 and 1-1 left."""


@pytest.mark.parametrize(("target", "points"), [(34, [35, 15]), (35, [35, 15]), (36, [43, 15]), (100, [43, 15])])
def test_the_last_tile_scores_on_the_table_and_then_the_pips_left_unless_that_reached_the_target(
    target: int, points: list[int]
) -> None:
    options = {"fives": True, "points_to_win": target}
    verdict = games.verify(block(block_hand(OUT, left=[[], ["5-1", "1-1"]]), options=options))
    assert (verdict["errors"], verdict["hands"]) == ([], [points])
    assert verdict["finished"] == (points[0] >= target)


def test_the_pips_left_need_not_be_told_when_the_last_tile_reached_the_target() -> None:
    verdict = games.verify(block(block_hand(OUT), options={"fives": True, "points_to_win": 35}))
    assert (verdict["finished"], verdict["totals"], verdict["winners"]) == (True, [35, 15], [0])


OUT_BY_BO = {"leader": 0, "final": {"table": [0, 0], "left": [9, []], "out": 1}}
IS_BLOCKED = {"leader": 0, "final": {"table": [0, 0], "left": [9, 12], "out": None}}


@pytest.mark.parametrize(
    ("rule", "first", "leaders", "any_tile"),
    [
        ("doublet", OUT_BY_BO, [0, 1], False),
        ("doublet", IS_BLOCKED, [0, 1], False),
        ("winner", OUT_BY_BO, [1], True),
        ("winner", IS_BLOCKED, [0, 1], False),
        ("loser", OUT_BY_BO, [0], True),
        ("loser", IS_BLOCKED, [0, 1], False),
        ("alternate", OUT_BY_BO, [1], True),
        ("alternate", IS_BLOCKED, [1], True),
    ],
)
def test_who_leads_the_next_hand_and_with_what(
    rule: str, first: dict[str, object], leaders: list[int], any_tile: bool
) -> None:
    match = games.Match.new("block", {"leader": rule}, ["Ana", "Bo"])
    assert match.offers()["openers"] == [0, 1]
    assert len(match.enter({"kind": "hand", "leader": 0}).offers()["plays"]) == 7
    match = match.enter({"kind": "hand", **first})
    assert match.offers()["openers"] == leaders
    match = match.enter({"kind": "hand", "leader": leaders[0]})
    assert len(match.offers()["plays"]) == (28 if any_tile else 7)
    assert match.offers()["seat"] == leaders[0]


@pytest.mark.parametrize("target", [1, 50, 61, 305, 1000])
def test_any_positive_whole_number_may_be_the_target(target: int) -> None:
    assert games.verify(block(options={"points_to_win": target}))["valid"]
    assert games.verify(whist(options={"target": target}))["valid"]
