"""How long the standings of a large tournament take.

    python tests/bench/standings.py [--entrants 1000] [--rounds 15] [--turns 5]

Makes a Swiss tournament with random results, and prints the processor time of reading its file and of its standings by
five criteria, also as a ratio to parsing the JSON of the file in the same run.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.standings.ranking import standings  # noqa: E402
from scorekeeper.standings.reading import read_text  # noqa: E402
from scorekeeper.standings.results import Results  # noqa: E402
from scorekeeper.standings.worths import RESULT  # noqa: E402

ORDER = ["points", "head-to-head", "buchholz-cut-1", "sonneborn-berger", "difference"]


def tournament(entrants: int, rounds: int, rng: random.Random) -> str:
    """Opponents at random, a third of the tables drawn."""
    drawn = []
    for _ in range(rounds):
        order = rng.sample(range(1, entrants + 1), entrants)
        pairs = zip(order[::2], order[1::2], strict=False)
        tables = [
            {"sides": [[one], [other]], "totals": rng.choice(((100, 60), (80, 80), (40, 100)))} for one, other in pairs
        ]
        byes = [{"entrant": order[-1], "kind": "bye"}] if entrants % 2 else []
        drawn.append({"tables": tables, "unplayed": byes})
    people = [{"id": n, "name": f"Entrant {n}", "rating": rng.randint(1200, 2200)} for n in range(1, entrants + 1)]
    stage = {"name": "Main", "system": "swiss", "worth": RESULT, "order": ORDER, "rounds": drawn}
    return json.dumps({"format": "scorekeeper-tournament/1", "entrants": people, "stages": [stage]})


def milliseconds(work: Callable[[], Any], turns: int) -> float:
    """The median processor time."""
    times = []
    for _ in range(turns):
        began = process_time()
        work()
        times.append(1000 * (process_time() - began))
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    text = tournament(options.entrants, options.rounds, random.Random(1))
    read = read_text(text)
    parsed = milliseconds(lambda: json.loads(text), options.turns)
    print(f"{options.entrants} entrants, {options.rounds} rounds, {', '.join(ORDER)}")
    for name, work in (
        ("parsing the JSON", lambda: json.loads(text)),
        ("reading the file", lambda: read_text(text)),
        ("the standings", lambda: standings(Results.of(read, read.stages[0]))),
    ):
        spent = milliseconds(work, options.turns)
        print(f"{name:18}{spent:8.0f} ms{spent / parsed:8.1f} times the parsing")


if __name__ == "__main__":
    main()
