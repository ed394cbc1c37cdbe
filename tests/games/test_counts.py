"""How many lines of play there are from fixed deals, and whole matches kept as they were."""

import json
from pathlib import Path
from typing import Any

import pytest

import games
from tests.games import second_opinion as slow

DATA = Path(__file__).parents[1] / "data"
COUNTS = json.loads((DATA / "lines_of_play.json").read_text())["counts"]
GOLDEN = sorted((DATA / "records").glob("*.json"))


def opened(case: dict[str, Any]) -> games.Match:
    players = ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[case["game"]].seats[0]]
    match = games.Match.new(case["game"], case["options"], players)
    return match.enter({"kind": "hand", "opener": case["opener"], "deal": case["deal"]})


def following(match: games.Match) -> list[games.Match]:
    """The matches after each move that is offered."""
    offers = match.offers()
    if offers["next"] != "move":
        return []
    plays = [
        {"seat": offers["seat"], "type": "play", "tile": tile} | ({"end": end} if end else {})
        for tile, ends in offers["plays"].items()
        for end in ends or [None]
    ]
    passes = [{"seat": offers["seat"], "type": "pass"}] if offers["pass"] else []
    return [match.enter({"kind": "move", "move": move}) for move in plays + passes]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["name"])
def test_there_are_as_many_lines_of_play_as_were_counted_otherwise(case: dict[str, Any]) -> None:
    matches, counts = [opened(case)], []
    for _ in case["lines"]:
        matches = [after for match in matches for after in following(match)]
        counts.append(len(matches))
    assert counts == case["lines"]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["name"])
def test_the_counts_kept_are_those_of_the_second_opinion(case: dict[str, Any]) -> None:
    rules = slow.Rules(len(case["deal"]), case["game"] == "block", case["options"].get("spinner", False))
    deal = [{slow.tile(text) for text in hand} for hand in case["deal"]]
    deal.append(set(slow.TILES).difference(*deal))
    depth = len(case["lines"]) - 1
    assert slow.lines_of_play(deal, case["opener"], rules, depth) == case["lines"][:depth]


def test_every_registered_game_has_a_whole_match_kept() -> None:
    assert {json.loads(path.read_text())["record"]["game"] for path in GOLDEN} >= set(games.GAMES)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_match_kept_is_judged_and_scored_as_it_was(path: Path) -> None:
    kept = json.loads(path.read_text())
    assert kept["source"]
    assert games.verify(kept["record"]) == kept["verdict"]
    match = games.Match.new(kept["record"]["game"], kept["record"]["options"], kept["record"]["players"])
    for entry in games.entries(kept["record"]):
        match = match.enter(entry)
    assert match.sheet() == kept["sheet"]
    assert match.record() == kept["record"]
