"""Groups of entrants who meet only each other, and the stages of a tournament: groups, then finals."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from scorekeeper.events.setup import KNOCK_OUT

MAIN = "Main"
"""The name of a stage without groups."""
SNAKE, POTS, LOTS = "snake", "pots", "lots"
DRAWS = (SNAKE, POTS, LOTS)
"""How groups are drawn: the best seeds first, row by row and back again; the best seeds one to each group by lots, then
the next; all by lots."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entrants who meet only each other."""

    name: str
    entrants: tuple[int, ...]
    """Their start numbers; in a knock-out, in the order of its seeds."""
    own: Mapping[str, Any] = field(default_factory=dict)
    """What of its setup is not that of its stage: finals side by side can be played in different ways."""

    def as_json(self) -> dict[str, Any]:
        own = {"own": dict(self.own)} if self.own else {}
        return {"name": self.name, "entrants": list(self.entrants), **own}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        return cls(value["name"], tuple(value["entrants"]), value.get("own", {}))

    def among(self, entrants: Sequence[int]) -> "Group":
        """Those of its entrants who are among these, in this order."""
        return replace(self, entrants=tuple(each for each in entrants if each in self.entrants))

    def with_late(self, entrant: int) -> "Group":
        return replace(self, entrants=(*self.entrants, entrant))

    def without(self, entrant: int) -> "Group":
        return replace(self, entrants=tuple(each for each in self.entrants if each != entrant))


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a tournament that is over, or goes on."""

    setup: Mapping[str, Any]
    groups: tuple[Group, ...]
    """At least one."""
    rounds: int
    """How many were seated."""
    carried: Mapping[int, int | str] = field(default_factory=dict)
    manual: tuple[int, ...] = ()

    def setup_with(self, entrant: int) -> Mapping[str, Any]:
        """How the group of this entrant is played; as the stage, for somebody in none."""
        own = (group.own for group in self.groups if entrant in group.entrants)
        return {**self.setup, **next(own, {})}


def has_series(setup: Mapping[str, Any]) -> bool:
    """Whether several matches may decide a table of this setup."""
    return bool(setup["system"] == KNOCK_OUT and max(setup["best_of"], setup["final_best_of"]) > 1)


def joined(groups: Sequence[Group], entrants: Iterable[int]) -> tuple[Group, ...]:
    """The groups with more entrants: each joins the smallest one, of equal ones the first."""
    found = list(groups)
    for entrant in entrants if groups else ():
        at = min(range(len(found)), key=lambda number: len(found[number].entrants))
        found[at] = found[at].with_late(entrant)
    return tuple(found)


def drawn(seeds: Sequence[int], groups: int, how: str, rng: random.Random) -> list[list[int]]:
    """The seeds, best first, in this number of groups, whose sizes differ by at most one. `how`: one of DRAWS."""
    order = rng.sample(seeds, len(seeds)) if how == LOTS else list(seeds)
    rows = [order[start : start + groups] for start in range(0, len(order), groups)]
    found: list[list[int]] = [[] for _ in range(groups)]
    for number, row in enumerate(rows):
        places = list(range(groups))
        if how == POTS:
            rng.shuffle(places)
        elif how == SNAKE and number % 2:
            places.reverse()
        for at, entrant in zip(places, row, strict=False):
            found[at].append(entrant)
    return found
