"""The next round of a tournament, a second time: straight from the rules (docs/pairing.md), slowly, from the JSON value
of a file. Only points and places come from our standings, which have a second opinion of their own.

Where the rules leave something open, it reads them so:
- Who is given a `bye` in `next` has a place, a queue number and a part in `byes`, like everybody with a bye.
- Who sits at a table of `next` has a queue number too.
- "For the third time running" is also said of the fourth time.
- A side of two led when its later one of the two led for the last time, and stands where its better one does.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Any

import networkx

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value

File = dict[str, Any]
Sides = list[list[int]]
NUMBERS = {
    "heads": "again byes club difference thrice floats leads across within",
    "triples": "again byes club difference leads across within",
    "fours": "again byes club difference leads across within",
    "mixed": "again byes small club difference leads across within",
    "partners": "partners again byes club difference sides leads across within even",
}
"""Those that apply to each play, in their order."""


def exact(value: int | str) -> Fraction:
    return Fraction(value)


def came(table: File) -> Sides:
    """The sides that came, if at least two did: then those on them have met, and the first of them led."""
    sides = [side for number, side in enumerate(table["sides"]) if number not in table.get("absent", [])]
    return sides if len(sides) >= 2 else []


def is_open(table: File) -> bool:
    return bool(came(table)) and table.get("totals") is None


def won_by_forfeit(table: File) -> list[int]:
    sides = [side for number, side in enumerate(table["sides"]) if number not in table.get("absent", [])]
    return sides[0] if len(sides) == 1 else []


class Position:
    """A stage before its next round."""

    def __init__(self, file: File, name: str | None = None) -> None:
        self.file = file
        [self.stage] = [each for each in file["stages"] if name in (None, each["name"])]
        self.play: str = self.stage.get("play", "heads")
        self.rounds: list[File] = self.stage.get("rounds", [])
        self.number = len(self.rounds) + 1
        self.entrant = {each["id"]: each for each in file["entrants"]}
        settled = self.stage.get("next", {})
        self.settled: list[Sides] = [table["sides"] for table in settled.get("tables", [])]
        self.unplayed = {each["entrant"]: each["kind"] for each in settled.get("unplayed", [])}
        everybody: list[int] = self.stage.get("entrants", list(self.entrant))
        self.here = [each for each in everybody if self.unplayed.get(each, "bye") == "bye"]
        """Who plays this round, with a bye too."""
        seated = {each for sides in self.settled for side in sides for each in side}
        self.to_draw = [each for each in everybody if each not in seated and each not in self.unplayed]
        self.names = NUMBERS[self.play].split()
        if self.stage.get("first") == "points":
            before = [name for name in self.names if name in ("difference", "sides")]
            self.names = before + [name for name in self.names if name not in before]

    # --- points and places ---------------------------------------------------------------------------------
    def _rows(self, after: int, **changed: Any) -> list[File]:
        stage = {key: value for key, value in self.stage.items() if key != "minimum_played"} | changed
        found = calculate(read_value({**self.file, "stages": [stage], "overall": []}), after=after)
        return [{"entrant": row.entrant, "place": row.place, "values": row.values} for row in found.stages[0].rows]

    def points_after(self, rounds: int) -> dict[int, Fraction]:
        rows = self._rows(rounds, order=["points"])
        return {row["entrant"]: Fraction(row["values"]["points"].value) for row in rows}

    @cached_property
    def points(self) -> dict[int, Fraction]:
        return self.points_after(len(self.rounds))

    @cached_property
    def points_before(self) -> dict[int, Fraction]:
        """Before the round that was the last."""
        return self.points_after(len(self.rounds) - 1)

    def goodness(self, points: Fraction) -> Fraction:
        """More is better, except by score where the smaller total is."""
        fewest_first = self.stage["worth"]["by"] == "score" and self.file.get("lower_wins", False)
        return -points if fewest_first else points

    @cached_property
    def place(self) -> dict[int, int]:
        ratings = [self.entrant[each].get("rating") for each in self.here]
        if None in ratings:
            by_order = {row["entrant"]: row["place"] for row in self._rows(len(self.rounds))}
            then = {each: by_order[each] for each in self.here}
        else:
            then = {each: -self.entrant[each]["rating"] for each in self.here}

        def key(who: int) -> Any:
            lot = hashlib.sha256(f"{self.stage.get('lots', '')}:{who}".encode()).hexdigest()
            return -self.goodness(self.points[who]), then[who], lot

        return {who: place for place, who in enumerate(sorted(self.here, key=key), 1)}

    @cached_property
    def group_size(self) -> dict[int, int]:
        return {who: sum(self.points[who] == self.points[other] for other in self.here) for who in self.here}

    # --- what has been ---------------------------------------------------------------------------------------
    def sittings(self) -> Iterator[tuple[int, Sides]]:
        """The number of the round and the sides of each table at which people met."""
        for number, each in enumerate(self.rounds, 1):
            for table in each.get("tables", []):
                if sides := came(table):
                    yield number, sides

    def met(self, one: int, other: int) -> int:
        return sum(
            any(one in a and other in b for a in sides for b in sides if a is not b) for _, sides in self.sittings()
        )

    def partners(self, one: int, other: int) -> int:
        return sum(one in side and other in side for _, sides in self.sittings() for side in sides)

    def just_three(self, who: int) -> int:
        """How often they were one of just three who came to a table."""
        everybody = [[each for side in sides for each in side] for _, sides in self.sittings()]
        return sum(len(people) == 3 and who in people for people in everybody)

    def leads(self, who: int) -> list[tuple[int, bool, int]]:
        """Of each table of theirs: the round, whether they led, and the number of sides."""
        mine = [(number, sides) for number, sides in self.sittings() if any(who in side for side in sides)]
        return [(number, who in sides[0], len(sides)) for number, sides in mine]

    def uneven(self, who: int) -> int:
        return sum(sides - 1 if led else -1 for _, led, sides in self.leads(who))

    def of_leading(self, who: int, leads: bool, sides: int) -> tuple[bool, int]:
        """What they add to `thrice` and `leads` if they lead, or do not, at a table of so many sides."""
        after = self.uneven(who) + (sides - 1 if leads else -1)
        last_two = [led for _, led, _ in self.leads(who)][-2:]
        return last_two == [leads, leads] or abs(after) > 2, after**2

    def last_led(self, who: int) -> int:
        """The round; 0 for never."""
        return max((number for number, led, _ in self.leads(who) if led), default=0)

    def float_before(self, who: int) -> str:
        """How they floated in the round before: up, down or not."""
        if not self.rounds:
            return ""
        last = self.rounds[-1]
        if any(each["entrant"] == who and each["kind"] == "bye" for each in last.get("unplayed", [])):
            return "down"
        for table in last.get("tables", []):
            if who in won_by_forfeit(table):
                return "down"
            if any(who in side for side in came(table)):
                return self.float_at(who, table["sides"], self.points_before)
        return ""

    def float_at(self, who: int, sides: Sides, points: dict[int, Fraction]) -> str:
        if [len(side) for side in sides] != [1, 1]:
            return ""
        [other] = [each for [each] in sides if each != who]
        own, theirs = self.goodness(points[who]), self.goodness(points[other])
        return "up" if theirs > own else "down" if theirs < own else ""

    @cached_property
    def floats(self) -> dict[int, str]:
        return {who: self.float_before(who) for who in self.here}

    # --- byes --------------------------------------------------------------------------------------------------
    @cached_property
    def queue(self) -> dict[int, int]:
        def key(who: int) -> Any:
            byes = not_played = 0
            for each in self.rounds:
                kind = next((one["kind"] for one in each.get("unplayed", []) if one["entrant"] == who), "absent")
                tables = [table for table in each.get("tables", []) if any(who in side for side in table["sides"])]
                if tables:
                    [table] = tables
                    byes += who in won_by_forfeit(table)
                    not_played += not is_open(table) and not any(who in side for side in came(table))
                else:
                    byes += kind == "bye"
                    not_played += 1
            return byes, self.goodness(self.points[who]), not_played, -self.place[who]

        return {who: number for number, who in enumerate(sorted(self.here, key=key), 1)}

    def number_of_byes(self) -> int:
        people = len(self.to_draw)
        if self.play == "mixed":
            return people if people <= 2 else 1 if people == 5 else 0
        return people % {"heads": 2, "triples": 3, "fours": 4, "partners": 4}[self.play]

    # --- the rating --------------------------------------------------------------------------------------------
    def rating_of_table(self, sides: Sides) -> dict[str, Fraction]:
        """What a table adds to each number that applies."""
        people = [each for side in sides for each in side]
        side_of = {each: number for number, side in enumerate(sides) for each in side}
        found = dict.fromkeys((name for name in self.names if name != "byes"), Fraction(0))

        def add(name: str, value: int | Fraction) -> None:
            if name in found:
                found[name] += value

        apart = self.stage.get("apart", {"rounds": 0})
        for one, other in combinations(people, 2):
            if side_of[one] == side_of[other]:
                add("partners", self.partners(one, other))
            else:
                add("again", self.met(one, other))
            clubs = {self.entrant[one].get("club"), self.entrant[other].get("club")}
            if self.number <= apart.get("rounds", 0) and len(clubs) == 1 and None not in clubs:
                add("club", 1)
            add("difference", (self.points[one] - self.points[other]) ** 2)
            distance = abs(self.place[one] - self.place[other])
            pairing = self.stage.get("pairing", "fold")
            if pairing == "random":
                continue
            if self.points[one] != self.points[other]:
                add("across", distance**2)
            else:
                add("within", (distance - (self.group_size[one] // 2 if pairing == "fold" else 0)) ** 2)
        if self.play == "partners":
            points = [sum(self.points[each] for each in side) for side in sides]
            add("sides", (points[0] - points[1]) ** 2)
            if self.stage.get("pairing") != "random":
                places = [sum(self.place[each] for each in side) for side in sides]
                add("even", (places[0] - places[1]) ** 2)
        for who in people:
            thrice, square = self.of_leading(who, who in sides[0], len(sides))
            add("leads", square)
            add("thrice", thrice)
            now = self.float_at(who, sides, self.points)
            add("floats", now != "" and now == self.floats[who])
            if len(people) == 3:
                add("small", self.just_three(who))
        return found

    def rating(self, tables: Iterable[Sides], byes: Iterable[int]) -> list[Any]:
        """The numbers of a round in their order; `tables` with those of `next`, `byes` too."""
        parts = [self.rating_of_table(sides) for sides in tables]
        numbers = sorted((self.queue[each] for each in byes), reverse=True)
        return [numbers if name == "byes" else sum(part[name] for part in parts) for name in self.names]

    # --- every round -------------------------------------------------------------------------------------------
    def arrangements(self, people: Sequence[int]) -> Iterator[Sides]:
        """Every way in which these can sit at a table, as far as it matters: who leads, and who are partners."""
        if self.play == "partners":
            for side in combinations(people, 2):
                yield [list(side), [each for each in people if each not in side]]
        else:
            for leader in people:
                yield [[leader], *([each] for each in people if each != leader)]

    def best_at_table(self, people: tuple[int, ...]) -> list[Fraction]:
        """What people who sit together add at least."""
        if people not in self._best:
            ways = ([*self.rating_of_table(sides).values()] for sides in self.arrangements(people))
            self._best[people] = min(ways)
        return self._best[people]

    @cached_property
    def _best(self) -> dict[tuple[int, ...], list[Fraction]]:
        return {}

    def sizes(self, people: int) -> list[int]:
        if self.play == "mixed":
            threes = -people % 4
            return [3] * threes + [4] * ((people - 3 * threes) // 4)
        size = {"heads": 2, "triples": 3, "fours": 4, "partners": 4}[self.play]
        return [size] * (people // size)

    def divisions(self, people: tuple[int, ...], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
        """Every way to divide people into tables of these sizes."""
        if not sizes:
            yield []
            return
        first, *others = people
        for size in set(sizes):
            rest_of_sizes = list(sizes)
            rest_of_sizes.remove(size)
            for more in combinations(others, size - 1):
                left = tuple(each for each in others if each not in more)
                for rest in self.divisions(left, rest_of_sizes):
                    yield [(first, *more), *rest]

    def every_round(self) -> Iterator[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
        """Who sits together, and who has a bye, of those to be drawn."""
        for byes in combinations(self.to_draw, self.number_of_byes()):
            people = tuple(each for each in self.to_draw if each not in byes)
            for tables in self.divisions(people, self.sizes(len(people))):
                yield tables, byes

    def best(self) -> list[Any]:
        """The best rating of all rounds."""
        settled_byes = [each for each, kind in self.unplayed.items() if kind == "bye"]
        settled = [[*self.rating_of_table(sides).values()] for sides in self.settled]
        names = [name for name in self.names if name != "byes"]

        def rating(tables: list[tuple[int, ...]], byes: tuple[int, ...]) -> list[Any]:
            parts = settled + [self.best_at_table(people) for people in tables]
            sums = dict(zip(names, (sum(part) for part in zip(*parts, strict=True)), strict=True)) if parts else {}
            numbers = sorted((self.queue[each] for each in (*byes, *settled_byes)), reverse=True)
            return [numbers if name == "byes" else sums.get(name, Fraction(0)) for name in self.names]

        return min(rating(tables, byes) for tables, byes in self.every_round())

    def best_by_matching(self) -> list[Any]:
        """The same for heads, for more than `every_round` can go through."""
        people = [*self.to_draw, *([0] if self.number_of_byes() else [])]
        names = [name for name in self.names if name != "byes"]
        place = self.names.index("byes")
        vectors = {}
        for one, other in combinations(people, 2):
            bye = one if other == 0 else other if one == 0 else None
            numbers = [Fraction(0)] * len(names) if bye else self.best_at_table((one, other))
            queue = Fraction(self.queue[bye] if bye else 0)
            vectors[one, other] = [*numbers[:place], queue, *numbers[place:]]
        unit = lcm(*(number.denominator for vector in vectors.values() for number in vector))
        # One number for each pair: what comes first weighs more than all sums of what follows.
        columns = list(zip(*vectors.values(), strict=True))
        weigh, factor = [Fraction(unit)] * len(columns), 1
        for number in reversed(range(len(columns))):
            weigh[number] = Fraction(unit * factor)
            factor *= int(max(columns[number]) * unit) * len(people) + 1
        graph = networkx.Graph()
        for pair, vector in vectors.items():
            weight = sum(number * each for number, each in zip(vector, weigh, strict=True))
            graph.add_edge(*pair, weight=-int(weight))
        found = networkx.max_weight_matching(graph, maxcardinality=True)
        tables = [[[one], [other]] for one, other in found if 0 not in (one, other)]
        byes = [max(pair) for pair in found if 0 in pair]
        best = [self.best_at_table((one, other)) for [one], [other] in tables]
        sums = {name: sum(each[number] for each in best) for number, name in enumerate(names)}
        return [[self.queue[each] for each in byes] if name == "byes" else sums[name] for name in self.names]

    # --- who leads ---------------------------------------------------------------------------------------------
    def leader(self, table: int, sides: Sides, place: dict[int, int]) -> list[int]:
        """Which of these sides leads at the table of this number."""

        def key(side: list[int]) -> Any:
            found = [self.of_leading(who, who in side, len(sides)) for one in sides for who in one]
            thrice = sum(each for each, _ in found) if self.play == "heads" else 0
            return thrice, sum(square for _, square in found), max(self.last_led(each) for each in side)

        least = min(map(key, sides))
        equal = [side for side in sides if key(side) == least]
        equal.sort(key=lambda side: min(place[each] for each in side))
        return equal[(table - 1) % len(equal)]
