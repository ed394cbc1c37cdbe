"""Random stages before their next round, of every kind of play."""

import random
from typing import Any

from tests.standings.random_tournaments import SHAPES, chance, random_sides, random_tournament, seated

File = dict[str, Any]


def random_next(rng: random.Random, people: list[int], play: str) -> File:
    """What is settled about the round to come: a few tables, a few who do not play."""
    few = rng.sample(people, rng.randint(0, len(people)))
    tables = random_sides(rng, few[: rng.choice([0, 4, 6])], play)
    if play == "heads" and chance(rng, 0.2):
        tables = random_sides(rng, few[:4], "mixed")
    unplayed = [
        {"entrant": who, "kind": rng.choice(["asked", "absent", "bye"])}
        for who in people
        if who not in seated(tables) and chance(rng, 0.2)
    ]
    return {"tables": [{"sides": sides} for sides in tables], "unplayed": unplayed}


def random_stage(rng: random.Random, play: str, entrants: int, **wishes: Any) -> File:
    """A file with one stage, with all keys about its next round at times."""
    wishes = {"rounds": rng.choice([0, 1, 2, 3, 5]), "system": rng.choice(["swiss", "free"])} | wishes
    shapes = {"open_share": rng.choice([0, 0, 0.2]), "absent_share": rng.choice([0, 0.1, 0.2])}
    shape = play if chance(rng, 0.85) else rng.choice([*SHAPES])
    file = random_tournament(rng, stages=1, entrants=entrants, play=shape, **shapes | wishes)
    [stage] = file["stages"]
    people = stage.get("entrants", [each["id"] for each in file["entrants"]])
    stage["play"] = play
    if play == "heads" and chance(rng, 0.5):
        del stage["play"]
    if chance(rng, 0.6):
        stage["pairing"] = rng.choice(["fold", "adjacent", "random"])
    if chance(rng, 0.4):
        stage["first"] = rng.choice(["points", "points", "new"])
    if chance(rng, 0.4):
        stage["apart"] = {"by": "club", "rounds": rng.choice([1, 2, 9])}
    if chance(rng, 0.3):
        stage["next"] = random_next(rng, people, play)
    return file
