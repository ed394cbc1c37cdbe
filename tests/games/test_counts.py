"""The number and the points of lines of play from fixed deals, and complete matches as golden files."""

import json
from pathlib import Path
from typing import Any

import pytest

import games
from games.base import points_of
from games.moves import Draw, Move, Roll
from games.tiles import parse
from tests.games import second_opinion_lines as slow

DATA = Path(__file__).parents[1] / "data"
COUNTS = json.loads((DATA / "lines_of_play.json").read_text())["counts"]
GOLDEN = sorted((DATA / "records").glob("*.json"))


def started(case: dict[str, Any]) -> tuple[games.Match, Any]:
    """The match, and the state of its hand after the opening moves of all lines."""
    match = games.Match.new(case["game"], case["options"], ["Ana", "Bo", "Cleo", "Dan"][: len(case["deal"])])
    if "cards" in case:
        match = match.enter({"kind": "cards", "cards": case["cards"]})
    match = match.enter({"kind": "hand", "opener": case["opener"], "deal": case["deal"], "moves": case["start"]})
    assert match.hand is not None
    return match, match.hand.state


def following(state: Any, case: dict[str, Any]) -> list[Any]:
    """The states after each legal move. The case gives the results of chance."""
    moves: list[Move] = state.legal()
    if any(isinstance(move, Roll) for move in moves):
        dice = case["dice"][sum(isinstance(move, Roll) for move in state.moves)]
        moves = [move for move in moves if isinstance(move, Roll) and move.dice == tuple(dice)]
    drawn = sum(move.number for move in state.moves if isinstance(move, Draw))
    return [
        state.play(move._replace(tiles=(parse(case["boneyard"][drawn]),)) if isinstance(move, Draw) else move)
        for move in moves
    ]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["name"])
def test_there_are_as_many_lines_of_play_as_were_counted_otherwise(case: dict[str, Any]) -> None:
    match, start = started(case)
    states, lines, points = [start], [], []
    for _ in case["lines"]:
        states = [after for state in states for after in following(state, case)]
        lines.append(len(states))
        made = [
            match.game.count(state, None).points if state.end else points_of(len(match.players), state.scores)
            for state in states
        ]
        points.append([sum(column) for column in zip(*made, strict=True)])
    assert (lines, points) == (case["lines"], case["points"])


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["name"])
def test_the_counts_kept_are_those_of_the_second_opinion(case: dict[str, Any]) -> None:
    depth = len(case["lines"]) - 1
    assert slow.lines_of_play(case, depth) == (case["lines"][:depth], case["points"][:depth])


def test_lines_are_counted_in_every_game() -> None:
    assert {case["game"] for case in COUNTS} == set(games.GAMES)


def test_every_registered_game_has_a_whole_match_kept() -> None:
    assert {json.loads(path.read_text())["record"]["game"] for path in GOLDEN} >= set(games.GAMES)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_match_keeps_its_verdict_and_scores(path: Path) -> None:
    kept = json.loads(path.read_text())
    assert kept["source"]
    assert games.verify(kept["record"]) == kept["verdict"]
    match = games.Match.new(kept["record"]["game"], kept["record"]["options"], kept["record"]["players"])
    for entry in games.entries(kept["record"]):
        match = match.enter(entry)
    assert match.sheet() == kept["sheet"]
    assert match.record() == kept["record"]
