"""Figures of hands, compared with a slow count from the record, and with hands that were counted by people."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from scorekeeper.figures import added, figures_of
from tests.conftest import names_for
from tests.games.records import block, block_hand, whist

DATA = Path(__file__).parent.parent / "data"
Found = dict[str, dict[str, int]]


def match_of(record: dict[str, Any]) -> games.Match:
    match = games.Match.new(record["game"], record.get("options", {}), record["players"])
    for entry in games.entries(record):
        match = match.enter(entry)
    return match


def counts_of(record: dict[str, Any], seat: int) -> Found:
    match = match_of(record)
    found: Found = figures_of(match, seat, 0, len(match.hands)).get("counts", {})
    return found


# --- a slow count from the record and the score sheet, as JSON -------------------------------------------------
def slow(record: dict[str, Any], seat: int) -> Found:
    match = match_of(record)
    numbers: Counter[tuple[str, str]] = Counter()
    for written, row in zip(record["hands"], match.sheet()["hands"], strict=True):
        for figure, of, number in seen(record, match, written, row, seat):
            numbers[figure, of] += number
    found: Found = {}
    for (figure, of), number in sorted(numbers.items()):
        if number:
            found.setdefault(figure, {})[of] = number
    return found


Row = dict[str, Any]
Numbers = Iterator[tuple[str, str, int]]


def seen(record: Row, match: games.Match, written: Row, row: Row, seat: int) -> Numbers:
    own = next(side for side in match.sides if seat in side)
    rivals = [row["points"][side[0]] for side in match.sides if side != own]
    yield "hands", "played", 1
    yield "hands", "recorded", 1
    yield "hands", "dealt", bool(written.get("deal"))
    yield "points", "own", row["points"][seat]
    yield "points", "others", sum(rivals)
    first = next(move for move in written["moves"] if move["type"] in ("play", "place"))
    if first["seat"] == seat:
        yield "hands", "opened", 1
        yield "openings", first.get("tile") or first["card"], 1
    scores = [score for score in row["scores"] if seat in score["seats"]]
    laid = [move for move in written["moves"] if move["seat"] == seat]
    if match.game.board in ("line", "star"):
        yield from laying(written, laid, row, seat, own)
    yield from {"line": on_line, "star": on_star, "square": on_square, "tricks": in_tricks}[match.game.board](
        laid, scores, row, seat
    )


def on_line(laid: list[Row], scores: list[Row], row: Row, seat: int) -> Numbers:
    table = [score["points"] for score in scores if score["reason"] == "table"]
    yield "table", "plays", len(table)
    yield "table", "points", sum(table)
    if row["end"]["by"] == "blocked":
        yield "ends", f"blocked-{blocked(row, seat)}", 1


def blocked(row: Row, seat: int) -> str:
    bad = [score["points"] for score in row["scores"] if score["reason"] in ("bad-points", "not-debited")]
    if bad:
        own = bad.pop(seat % 2)
        return "won" if own < bad[0] else "lost" if own > bad[0] else "tied"
    paid = [score["seats"] for score in row["scores"] if score["reason"] == "blocked"]
    return "tied" if not paid else "won" if seat in paid[0] else "lost"


def on_star(laid: list[Row], scores: list[Row], row: Row, seat: int) -> Numbers:
    if row["end"]["by"] == "blocked":
        yield "ends", "blocked", 1
    for move in laid:
        if "claim" in move:
            yield "claims", move["claim"]["by"], 1
        if move["type"] == "roll":
            yield "rolls", str(len(move["dice"])), 1
    for score in scores:
        if score["reason"] in ("card", "multiple", "virtual"):
            yield "claimed", score["reason"], score["points"]


def on_square(laid: list[Row], scores: list[Row], row: Row, seat: int) -> Numbers:
    difference = row["points"][seat] - row["points"][1 - seat]
    yield "ends", "played-" + ("won" if difference > 0 else "lost" if difference < 0 else "tied"), 1
    yield "moves", "placed", len(laid)
    for score in scores:
        yield "lines", score["reason"], score["points"] > 0
        yield "line-points", score["reason"], score["points"]
        for term in score["terms"]:
            if term["label"] in ("pair", "three", "four", "run", "flush"):
                yield "bonuses", term["label"], 1
                yield "bonus-points", term["label"], term["value"]


def in_tricks(laid: list[Row], scores: list[Row], row: Row, seat: int) -> Numbers:
    points = row["points"][seat]
    yield "ends", "above" if points > 0 else "below" if points < 0 else "quota", 1
    yield "hands", "counted", 1
    ((won,),) = [[term["value"] for term in score["terms"] if term["label"] == "tricks"] for score in scores]
    yield "tricks", "won", abs(won)
    if row["called"]["seat"] == seat:
        contract = row["called"]["contract"]
        yield "hands", "called", 1
        yield "called", contract, 1
        yield "made", contract, points >= 0
        yield "contract-points", contract, points
    for move in laid:
        if move["type"] == "discard" and move["count"]:
            yield "moves", "exchanges", 1
            yield "moves", "exchanged", move["count"]


def laying(written: Row, laid: list[Row], row: Row, seat: int, own: tuple[int, ...]) -> Numbers:
    for move in laid:
        if move["type"] == "play":
            yield "moves", "laid", 1
            yield "doubles", "laid", move["tile"][0] == move["tile"][2]
        elif move["type"] == "draw":
            yield "moves", "draws", 1
            yield "moves", "drawn", move["count"]
        elif move["type"] == "pass":
            yield "moves", "passes", 1
    by, who = row["end"]["by"], row["end"]["seat"]
    if by != "blocked":
        yield "ends", by if who == seat else f"{by}-partner" if who in own else f"{by}-other", 1
    left = left_with(written, laid, seat, out=(by, who) == ("out", seat))
    if left is not None:
        yield "hands", "left", 1
        yield "doubles", "left", sum(tile[0] == tile[2] for tile in left)


def left_with(written: Row, laid: list[Row], seat: int, *, out: bool) -> list[str] | None:
    if out:
        return []
    if "left" in written and isinstance(written["left"][seat], list):
        return list(written["left"][seat])
    if not written.get("deal"):
        return None
    drawn = [tile for move in laid if move["type"] == "draw" for tile in move["tiles"]]
    gone = [move["tile"] for move in laid if move["type"] == "play"]
    return [tile for tile in (*written["deal"][seat], *drawn) if tile not in gone]


@pytest.mark.parametrize("observed", [True, False], ids=["hands hidden", "hands known"])
def test_figures_are_those_of_a_slow_count(game: str, observed: bool) -> None:
    for seed in range(6):
        record = games.random_match(game, {}, names_for(game), random.Random(seed), observed=observed)
        for seat in range(len(record["players"])):
            assert counts_of(record, seat) == slow(record, seat), (seed, seat)


def test_the_best_hand_is_the_first_with_the_most_points(game: str) -> None:
    record = games.random_match(game, {}, names_for(game), random.Random(3))
    match = match_of(record)
    for side in match.sides:
        rival = next(other for other in match.sides if other != side)
        gained = [hand.points[(rival if match.game.lower_wins else side)[0]] for hand in match.hands]
        best = max(gained)
        expected = [gained.index(best), best] if best > 0 else None
        assert figures_of(match, side[0], 0, len(match.hands)).get("best") == expected


def test_the_parts_of_a_match_add_up_to_the_whole(game: str) -> None:
    match = match_of(games.random_match(game, {}, names_for(game), random.Random(7)))
    whole = figures_of(match, 0, 0, len(match.hands))
    parts = [figures_of(match, 0, number, 1) for number in range(len(match.hands))]
    assert added(part.get("counts", {}) for part in parts) == whole["counts"]
    assert figures_of(match, 0, len(match.hands), 0) == {}


# --- hands that people counted ---------------------------------------------------------------------------------
def test_a_published_hand() -> None:
    published = json.loads((DATA / "published_hand.json").read_text())
    left = [["3-3"], ["2-0"], [], ["1-0"]]
    record = whist({"opener": published["opener"], "moves": published["moves"], "left": left})
    found = [counts_of(record, seat) for seat in range(4)]
    out = published["published"]["out"]
    assert [each["ends"] for each in found] == [{"out-partner": 1}, {"out-other": 1}, {"out": 1}, {"out-other": 1}]
    assert (out, found[0]["openings"]) == (2, {"6-5": 1})
    assert [each["moves"]["laid"] for each in found] == [6, 6, 7, 6]
    assert found[0]["doubles"]["left"] == 1
    assert found[1]["points"] == {"own": 3, "others": 6}


def test_a_hand_known_by_its_end_has_no_moves() -> None:
    """The example of docs/games/domino-whist.md."""
    record = whist({"opener": 0, "final": {"left": [[], ["5-4", "1-0"], ["6-3"], ["2-2"]], "out": 0}})
    assert counts_of(record, 3) == {
        "doubles": {"left": 1},
        "ends": {"out-other": 1},
        "hands": {"left": 1, "played": 1},
        "points": {"others": 9, "own": 14},
    }
    assert figures_of(match_of(record), 0, 0, 1)["best"] == [0, 14]


def test_a_deal_is_of_who_called_its_contract() -> None:
    """The example of docs/games/domizerka.md."""
    final = {"contract": "odds", "trump": 3, "tricks": [1, 2, 4]}
    record = {
        "format": "scorekeeper-record/1",
        "game": "domizerka",
        "players": ["Ana", "Bo", "Cleo"],
        "hands": [{"dealer": 0, "final": final}],
    }
    dealer, caller, third = (counts_of(record, seat) for seat in range(3))
    assert caller["called"] == {"odds": 1}
    assert caller["contract-points"] == {"odds": -2}
    assert "made" not in caller
    assert "called" not in dealer | third
    assert [each["ends"] for each in (dealer, caller, third)] == [{"quota": 1}, {"below": 1}, {"above": 1}]
    assert third["tricks"] == {"won": 4}


def test_a_hand_that_was_stopped_counts_as_far_as_it_went() -> None:
    record = block(block_hand("6-6 6-1e"), stopped="time")
    assert counts_of(record, 0) == {
        "doubles": {"laid": 1},
        "ends": {"stopped": 1},
        "hands": {"opened": 1, "played": 1, "recorded": 1},
        "moves": {"laid": 1},
        "openings": {"6-6": 1},
    }
