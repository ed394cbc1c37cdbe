"""The next round of a knock-out, a second time: straight from the rules (docs/pairing.md), from the JSON value of a
file. Every match of the tree is written down at the beginning; then the rounds of the file decide them one by one.

Where the rules leave something open, it reads them so:
- If both are absent, nobody goes on from there: neither to the next round nor to a table of losers.
- With eight entrants `double` reverses the losers of upper round 2; "the last two in order" are those of later rounds.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from tests.pairing.second_opinion import File, Position, came

UNKNOWN, NOBODY = -1, 0
Source = Callable[[], int]
"""Who comes from there: a start number, nobody, or not known yet."""


@dataclass
class Match:
    round: int
    top: Source
    bottom: Source
    places: list[int] = field(default_factory=list)
    upper_of_grand_final: bool = False
    decided: tuple[int, int] | None = None
    """Who won and who lost at a table; nobody twice if both were absent."""

    @property
    def two(self) -> tuple[int, int]:
        return self.top(), self.bottom()

    def _result(self, which: int) -> int:
        if self.decided:
            return self.decided[which]
        one, other = self.two
        if UNKNOWN in (one, other) or (one and other):
            return UNKNOWN
        return (one or other) if which == 0 else NOBODY

    def winner(self) -> int:
        return self._result(0)

    def loser(self) -> int:
        return self._result(1)

    @property
    def known(self) -> bool:
        return self.decided is None and min(self.two) > NOBODY

    @property
    def waits(self) -> bool:
        return self.winner() == UNKNOWN


def seeded(size: int) -> list[int]:
    """The seeds in the order of the tree."""
    order = [1]
    while len(order) < size:
        order = [each for seed in order for each in (seed, 2 * len(order) + 1 - seed)]
    return order


def size_for(entrants: int) -> int:
    size = 1
    while size < entrants:
        size *= 2
    return size


def meet(sources: list[Source], number: int, places: list[int] | None = None) -> list[Match]:
    return [Match(number, top, bottom, places or []) for top, bottom in zip(sources[::2], sources[1::2], strict=True)]


class Bracket:
    def __init__(self, file: File, name: str | None = None) -> None:
        [self.stage] = [each for each in file["stages"] if name in (None, each["name"])]
        self.file = file
        if "entrants" in self.stage:
            self.seeds: list[int] = self.stage["entrants"]
        elif "from" in self.stage:
            self.seeds = qualified(file, self.stage)
        else:
            self.seeds = [each["id"] for each in file["entrants"]]
        size = size_for(len(self.seeds))
        places = [*self.seeds, *[NOBODY] * (size - len(self.seeds))]
        leaves: list[Source] = [lambda seed=seed: places[seed - 1] for seed in seeded(size)]  # type: ignore[misc]
        self.matches: list[Match] = []
        if self.stage.get("double"):
            self._double(leaves)
        else:
            self._block(leaves, 1, 1)
        for number, each in enumerate(self.stage.get("rounds", []), 1):
            self._played(number, each)
        self.number = len(self.stage.get("rounds", [])) + 1

    def _block(self, sources: list[Source], number: int, first: int) -> None:
        """They play for the places from `first`."""
        if len(sources) == 1:
            return
        final = len(sources) == 2
        matches = meet(sources, number, [first, first + 1] if final and first > 1 else None)
        self.matches += matches
        self._block([each.winner for each in matches], number + 1, first)
        losers: list[Source] = [each.loser for each in matches]
        if self.stage.get("placement"):
            self._block(losers, number + 1, first + len(losers))
        elif self.stage.get("third_place") and len(losers) == 2:
            self.matches += meet(losers, number + 1, [3, 4])

    def _double(self, sources: list[Source]) -> None:
        upper: list[list[Match]] = []
        while len(sources) > 1:
            upper.append(meet(sources, len(upper) + 1))
            sources = [each.winner for each in upper[-1]]
        if not upper:
            return
        rounds = len(upper)
        self.matches += [match for each in upper for match in each]
        lower: list[Source] = [match.loser for match in upper[0]]
        number = 1
        for which in range(2, rounds + 1):
            matches = meet(lower, number + 1)
            self.matches += matches
            losers: list[Source] = [match.loser for match in upper[which - 1]]
            if which == 2:
                losers.reverse()
            elif len(losers) > 2:
                half = len(losers) // 2
                losers = losers[half:] + losers[:half]
            number += 1
            again = [Match(number + 1, match.winner, loser) for match, loser in zip(matches, losers, strict=True)]
            self.matches += again
            number += 1
            lower = [match.winner for match in again]
        grand = Match(2 * rounds, sources[0], lower[0], upper_of_grand_final=True)

        def again_if_upper_lost(which: int) -> Source:
            def source() -> int:
                if grand.winner() == UNKNOWN:
                    return UNKNOWN
                return grand.two[which] if grand.decided and grand.decided[1] == grand.two[0] else NOBODY

            return source

        self.matches += [grand, Match(2 * rounds + 1, again_if_upper_lost(0), again_if_upper_lost(1))]

    def _playable(self, number: int) -> list[Match]:
        return [match for match in self.matches if match.known and match.round <= number]

    def _played(self, number: int, each: File) -> None:
        matches = {frozenset(match.two): match for match in self._playable(number)}
        for table in each.get("tables", []):
            match = matches.get(frozenset(who for side in table["sides"] for who in side))
            if match:
                match.decided = self._decided(table)

    def _decided(self, table: File) -> tuple[int, int] | None:
        people = [side[0] for side in table["sides"]]
        if came(table):
            totals = table.get("totals")
            if totals is None or totals[0] == totals[1]:
                return None
            first_wins = (totals[0] < totals[1]) == bool(self.file.get("lower_wins"))
            return (people[0], people[1]) if first_wins else (people[1], people[0])
        there = [who for number, who in enumerate(people) if number not in table["absent"]]
        if not there:
            return NOBODY, NOBODY
        return there[0], next(who for who in people if who != there[0])

    # --- the next round ----------------------------------------------------------------------------------------
    def tables(self) -> list[tuple[frozenset[int], tuple[int, ...]]]:
        """Who meets, and for which places."""
        return [(frozenset(match.two), tuple(match.places)) for match in self._playable(self.number)]

    def byes(self) -> set[int]:
        waiting = {who for match in self.matches if match.waits for who in match.two if who > NOBODY}
        return waiting - {who for two, _ in self.tables() for who in two}

    def leader(self, table: int, two: frozenset[int]) -> int:
        seed = {who: number for number, who in enumerate(self.seeds, 1)}
        [leader] = Position(self.file, self.stage["name"]).leader(table, [[who] for who in two], seed)
        return leader


def qualified(file: File, stage: File) -> list[int]:
    """The entrants of a knock-out in the order of their seeds, from the standings of other stages."""
    asked = stage["from"]
    ranked: list[list[int]] = []
    for name in asked["stages"]:
        rows = calculate(read_value(file), stage=name).stages[0].rows
        ranked.append([row.entrant for row in sorted(rows, key=lambda row: (row.place, row.entrant))][: asked["first"]])
    size = size_for(sum(map(len, ranked)))
    order = seeded(size)
    position = {seed: order.index(seed) for seed in range(1, size + 1)}

    def meeting(one: int, other: int) -> int:
        """In which round these seeds could meet."""
        return (position[one] ^ position[other]).bit_length()

    groups: list[int] = []  # of each seed so far
    seeds: list[int] = []
    for row in range(asked["first"]):
        there = [group for group, entrants in enumerate(ranked) if len(entrants) > row]

        def pairs(ordered: tuple[int, ...], before: list[int] = groups) -> list[int]:
            every = [*before, *ordered]
            found = [0] * size.bit_length()
            for one in range(len(every)):
                for other in range(one):
                    if every[one] == every[other]:
                        found[meeting(one + 1, other + 1)] += 1
            return found

        best = min(permutations(there), key=pairs) if row else tuple(there)
        groups += best
        seeds += [ranked[group][row] for group in best]
    return seeds
