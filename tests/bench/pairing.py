"""How long the next round of heads takes, and how good a search is for more at a table.

    python tests/bench/pairing.py [PLAYERS …]

Whole tournaments with random results; one line for each round: processor time, and what the round is worth.
"""

import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.writing import as_json
from scorekeeper.standings.reading import read_value

ROUNDS = 9
WORTH = {"by": "result", "win": 1, "draw": "1/2", "loss": 0, "bye": 1, "asked": "1/2", "absent": 0}
WORTH |= {"forfeit_win": 1, "forfeit_loss": 0}


def tournament(players: int, first: str) -> dict[str, Any]:
    stage = {"name": "Main", "system": "swiss", "worth": WORTH, "order": ["points", "buchholz", "lots"], "rounds": []}
    named = [{"id": each, "name": f"E{each}", "rating": 3000 - each} for each in range(1, players + 1)]
    return {"format": "scorekeeper-tournament/1", "entrants": named, "stages": [{**stage, "first": first}]}


def result(rng: random.Random, sides: list[list[int]]) -> list[int]:
    """The better one wins more often."""
    return rng.choice([[1, 0], [1, 0], [1, 1], [0, 1]] if sides[0] < sides[1] else [[0, 1], [0, 1], [1, 1], [1, 0]])


def main(sizes: list[int]) -> None:
    for players in sizes:
        for first in ("new", "points"):
            file, rng = tournament(players, first), random.Random(players)
            for number in range(1, ROUNDS + 1):
                read = read_value(file)
                start = time.process_time()
                drawn = next(paired(read, read.stages[0], random.Random(0))).best
                took = time.process_time() - start
                found = as_json(read, read.stages[0], drawn)
                print(f"{players} players, first {first}, round {number}: {took:.1f} s, {found['rating']}", flush=True)
                tables = [{"sides": each["sides"], "totals": result(rng, each["sides"])} for each in found["tables"]]
                file["stages"][0]["rounds"].append({"tables": tables, "unplayed": found["unplayed"]})


if __name__ == "__main__":
    main([*map(int, sys.argv[1:])] or [50, 200, 1000])
