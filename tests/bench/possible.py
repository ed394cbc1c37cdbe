"""How long it takes to say which places are still possible.

    python tests/bench/possible.py [--effort 6000000] [--turns 10]

All tables of the last rounds are open, and points so far are random. Prints the processor time for all entrants, the
median and the longest, and how many places are exact. Then, for tournaments that are small enough to try every ending,
the time as a ratio to that.
"""

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scorekeeper.standings.open_tables import EFFORT
from scorekeeper.standings.possible import possible_places
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.results import Results
from scorekeeper.standings.worths import PLACE, RESULT
from tests.standings import second_opinion

WORTHS: Mapping[str, Mapping[str, Any]] = {
    "1-½-0": RESULT,
    "2-1-0": {**RESULT, "win": 2, "draw": 1},
    "3-1-0": {**RESULT, "win": 3, "draw": 1},
}
SIDES = {
    "heads": [[0], [1]],
    "partners": [[0, 1], [2, 3]],
    "threes": [[0], [1], [2]],
    "fours": [[0], [1], [2], [3]],
}
CASES = [
    *[(16, 3, "heads", worth) for worth in WORTHS],
    (16, 3, "partners", "2-1-0"),
    (15, 3, "threes", ""),
    (16, 2, "fours", ""),
    (16, 9, "heads", "2-1-0"),
    (40, 3, "heads", "2-1-0"),
    (200, 1, "heads", "2-1-0"),
    (200, 3, "heads", "2-1-0"),
]
SMALL = [(4, 5, "heads", "2-1-0"), (6, 3, "heads", "3-1-0"), (8, 2, "heads", "2-1-0")]


def tournament(entrants: int, rounds: int, form: str, worth: str, rng: random.Random) -> dict[str, Any]:
    """What was won before is in the penalties."""
    size = sum(map(len, SIDES[form]))
    drawn = []
    for _ in range(rounds):
        order = rng.sample(range(1, entrants + 1), entrants)
        tables = [order[start : start + size] for start in range(0, entrants - size + 1, size)]
        drawn.append({"tables": [{"sides": [[at[seat] for seat in side] for side in SIDES[form]]} for at in tables]})
    spread = rng.randint(1, 3 * rounds)
    points = [{"entrant": who, "round": 1, "points": rng.randint(0, spread)} for who in range(1, entrants + 1)]
    stage = {"name": "Main", "system": "swiss", "worth": WORTHS.get(worth, PLACE), "order": ["points"], "rounds": drawn}
    people = [{"id": who, "name": f"Entrant {who}"} for who in range(1, entrants + 1)]
    return {"format": "scorekeeper-tournament/1", "entrants": people, "stages": [{**stage, "penalties": points}]}


def results_of(file: dict[str, Any]) -> Results:
    read = read_value(file)
    results = Results.of(read, read.stages[0])
    assert results.points, "calculated before the clock starts"
    return results


def milliseconds(work: Callable[[], Any]) -> float:
    began = process_time()
    work()
    return 1000 * (process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", type=int, default=EFFORT)
    parser.add_argument("--turns", type=int, default=10)
    options = parser.parse_args()
    for case in CASES:
        times, exact = [], []
        for seed in range(options.turns):
            results = results_of(tournament(*case, random.Random(seed)))
            times.append(milliseconds(lambda of=results: possible_places(of, options.effort)))  # type: ignore[misc]
            exact += [each.exact for each in possible_places(results, options.effort).values()]
        share = sum(exact) / len(exact)
        print(f"{named(case):34}{median(times):8.1f} ms, at most {max(times):7.1f} ms, {share:4.0%} exact")
    for case in SMALL:
        file = tournament(*case, random.Random(1))
        results, stage = results_of(file), second_opinion.read_stage(file, file["stages"][0], None)
        tried = milliseconds(lambda of=stage: second_opinion.best_and_worst_of_all(of, 100_000))  # type: ignore[misc]
        took = milliseconds(lambda of=results: possible_places(of))  # type: ignore[misc]
        print(f"{named(case):34}{took:8.1f} ms, {tried / took:7.0f} times as fast as trying every ending")


def named(case: tuple[int, int, str, str]) -> str:
    entrants, rounds, form, worth = case
    return f"{entrants} entrants, {rounds} rounds, {form} {worth}"


if __name__ == "__main__":
    main()
