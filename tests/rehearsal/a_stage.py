"""Files of one stage, before the first round of a day or after some."""

import random
from collections.abc import Sequence
from typing import Any

File = dict[str, Any]
PLACES = {"2": [1, 0], "3": [2, 1, 0], "4": [3, 2, 1, 0]}
UNPLAYED = {"bye": 1, "asked": 0, "absent": 0, "forfeit_win": 1, "forfeit_loss": 0}


def a_file(entrants: int, *, rated: bool = False, **stage: Any) -> File:
    people = [
        {"id": number, "name": f"P{number}", **({"rating": 1400 + 7 * number} if rated else {})}
        for number in range(1, entrants + 1)
    ]
    return {
        "format": "scorekeeper-tournament/1",
        "entrants": people,
        "stages": [
            {
                "name": "Main",
                "system": "swiss",
                "worth": {"by": "place", "places": PLACES, **UNPLAYED},
                "order": ["points", "lots"],
                "lots": "x",
                **stage,
            }
        ],
    }


def random_file(rng: random.Random) -> File:
    """Of every system, and every way to sit at tables."""
    system = rng.choice(["round-robin", "swiss", "knock-out", "free"])
    entrants, rated = rng.randint(4, 17), rng.random() < 0.5
    if system == "knock-out":
        end = rng.choice([{}, {"double": True}, {"third_place": True}, {"placement": True}])
        several = {"best_of": rng.choice([1, 3]), "final_best_of": rng.choice([0, 1, 5])}
        return a_file(entrants, rated=rated, system=system, **end, **several)
    play = rng.choice(["heads", "triples", "fours", "partners", "mixed"])
    rounds = {"rounds_planned": rng.randint(1, 4)} if rng.random() < 0.5 else {}
    return a_file(entrants, rated=rated, system=system, play=play, lower_wins=rng.random() < 0.5, **rounds)


def groups_file(sizes: Sequence[int], **stage: Any) -> File:
    """Groups of these sizes, played side by side."""
    file, last = a_file(sum(sizes), **stage), 0
    [main] = file["stages"]
    file["stages"] = []
    for number, size in enumerate(sizes, 1):
        file["stages"].append({**main, "name": f"Group {number}", "entrants": [*range(last + 1, last + size + 1)]})
        last += size
    return file
