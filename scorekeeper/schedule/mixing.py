"""Who sits where in the next round of a club night, so that people mix.

Every person gets a place: a seat at a table, or a bye, which is a place without neighbours. What a round costs is, the
first before all that come after it:

1. byes out of turn: those sit out who did so least often tonight; of them those who played most; of them those who did
   not sit out in the last draw;
2. partners who were partners tonight already, each pair as often as it was;
3. opponents who were opponents already, counted likewise;
4. people at one table who met tonight already, counted likewise.

What still is equal is left to chance, and so are tables and seats. The rounds to come are not looked at.
"""

import random
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, count, islice
from math import factorial

_FEW = 200_000
"""So many seatings are all looked at."""
_SWAPS = 600
"""Swaps of one try, for each person; after about so many it hardly gets better."""
_PATIENCE = 10
"""How many swaps back, for each person, a round is compared with."""
_WORK = 150_000
"""Swaps of all tries together: many tries for few people, few for many."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match: who met there, players by side, as in ``((1, 3), (2, 4))`` or ``((1,), (2,))``."""

    sides: tuple[tuple[int, ...], ...]
    later: tuple[tuple[tuple[int, ...], ...], ...] = ()
    """The same after each time that somebody took over a seat."""


@dataclass(frozen=True, slots=True)
class History:
    """Tonight so far."""

    played: tuple[Played, ...]
    """Every match, in order."""
    byes: tuple[frozenset[int] | tuple[int, ...], ...]
    """Who sat out, for every draw, in order."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of table: how many sit there, and the seats of each side, as in ``((0, 2), (1, 3))``."""

    seats: int
    sides: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """What is to be said of a round: pairs by number, the lower first, in order."""

    partners_again: tuple[tuple[int, int], ...]
    """Partners who were partners tonight already."""
    opponents_again: tuple[tuple[int, int], ...]
    """Opponents who were opponents tonight already."""
    met_again: tuple[tuple[int, int], ...]
    """Who sits at one table with somebody he met tonight already, as partner or opponent."""
    byes_again: tuple[int, ...]
    """Who sits out and did so already."""
    byes_early: tuple[int, ...]
    """Who sits out although somebody who plays has sat out less often: in a round that was drawn, nobody."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round: for every shape asked for, in order, the players by seat; and who sits out."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    measures: Measures


def tables_for(people: int, shapes: Sequence[tuple[Shape, int | None]]) -> list[Shape]:
    """The tables that so many people fill: of each kind as many as fit (at most its number), then the next kind."""
    tables: list[Shape] = []
    for shape, most in shapes:
        fit = people // shape.seats
        count = fit if most is None else min(fit, most)
        tables += [shape] * count
        people -= count * shape.seats
    return tables


def draw(people: Sequence[int], shapes: Sequence[Shape], history: History, rng: random.Random) -> Drawn:
    """The next round for these people at these tables. The same ``rng`` draws the same round.

    Where there are at most 200,000 ways to seat them it is the best there is, else the best that was found with an
    amount of work that grows with the number of people alone. ValueError if somebody is there twice, or too few.
    """
    byes = len(people) - sum(shape.seats for shape in shapes)
    if byes < 0:
        raise ValueError(f"{len(people)} people cannot fill tables for {len(people) - byes}")
    if len(set(people)) < len(people):
        raise ValueError("somebody is there twice")
    places = _places(byes, shapes)
    prices = _Prices.of(rng.sample(people, len(people)), places, _Tally.of(history))
    if _ways(places) <= _FEW:
        seating = _cheapest(places, prices, _tried(places, prices, rng))
    else:
        tries = max(1, _WORK // (_SWAPS * len(places)))
        seating = min((_tried(places, prices, rng) for _ in range(tries)), key=partial(prices.of_all, places))
    who = iter([prices.people[each] for each in seating])
    tables = tuple(_by_seat(shape, who) for shape in shapes)
    out = tuple(who)
    return Drawn(tables, out, measure(tables, out, shapes, history))


def measure(
    tables: Sequence[Sequence[int]], byes: Sequence[int], shapes: Sequence[Shape], history: History
) -> Measures:
    """The same of any seating, be it drawn or by hand: players by seat for every shape, and who sits out."""
    tally, now = _Tally.of(history), _Tally()
    for players, shape in zip(tables, shapes, strict=True):
        now.add(tuple(tuple(players[seat] for seat in side) for side in shape.sides))
    least = min((tally.byes[each] for players in tables for each in players), default=0)
    return Measures(
        tuple(sorted(now.partners & tally.partners)),
        tuple(sorted(now.opponents & tally.opponents)),
        tuple(sorted((now.partners + now.opponents) & (tally.partners + tally.opponents))),
        tuple(sorted(each for each in byes if tally.byes[each])),
        tuple(sorted(each for each in byes if tables and tally.byes[each] > least)),
    )


class _Tally:
    """How often tonight: pairs (the lower number first) as partners and opponents, matches, byes."""

    def __init__(self) -> None:
        self.partners: Counter[tuple[int, int]] = Counter()
        self.opponents: Counter[tuple[int, int]] = Counter()
        self.matches: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.last: frozenset[int] = frozenset()
        """Who sat out in the last draw."""

    @classmethod
    def of(cls, history: History) -> "_Tally":
        tally = cls()
        for each in history.played:
            tally.add(each.sides, *each.later)
        for out in history.byes:
            tally.byes.update(out)
            tally.last = frozenset(out)
        return tally

    def add(self, *seatings: Sequence[tuple[int, ...]]) -> None:
        """A match, with one seating after the other: whoever was there counts once, and so does each pair."""
        sides = [side for seating in seatings for side in seating]
        against = [pair for seating in seatings for pair in combinations(seating, 2)]
        self.matches.update({player for side in sides for player in side})
        self.partners.update({_pair(*each) for side in sides for each in combinations(side, 2)})
        self.opponents.update({_pair(one, other) for a, b in against for one in a for other in b})

    def turn(self, player: int) -> tuple[int, int, bool]:
        """Whose is the lowest sits out next."""
        return self.byes[player], -self.matches[player], player in self.last


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


# --- places: by their number, table after table, side after side; then the byes -----------------------------------
@dataclass(frozen=True, slots=True)
class _Place:
    after: int | None
    """A place before it with which it could change places together with all that follow, and the round be the same."""
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    bye: bool = False

    def beside(self, places: Container[int]) -> "_Place":
        """The place with those neighbours alone."""
        return replace(
            self,
            partners=tuple(each for each in self.partners if each in places),
            opponents=tuple(each for each in self.opponents if each in places),
        )


def _places(byes: int, shapes: Sequence[Shape]) -> list[_Place]:
    places: list[_Place] = []
    like: dict[Shape, int] = {}  # where the last table of each shape begins
    for shape in shapes:
        numbers = count(len(places))
        sides = [tuple(islice(numbers, len(side))) for side in shape.sides]
        for number, side in enumerate(sides):
            alike = [other[0] for other in sides[:number] if len(other) == len(side)]
            after = like.get(shape) if number == 0 else alike[-1] if alike else None
            opponents = tuple(each for other in sides if other is not side for each in other)
            for place in side:
                places.append(_Place(after, tuple(each for each in side if each != place), opponents))
                after = place
        like[shape] = sides[0][0]
    seats = len(places)
    return places + [_Place(seats + each - 1 if each else None, bye=True) for each in range(byes)]


def _by_seat(shape: Shape, who: Iterable[int]) -> tuple[int, ...]:
    """The next people, who come side by side, in the order of their seats."""
    seated = dict(zip((seat for side in shape.sides for seat in side), who, strict=False))
    return tuple(seated[seat] for seat in range(shape.seats))


def _ways(places: Sequence[_Place]) -> int:
    """How many rounds that differ there are: places hang from places as a forest, so all orders by all its branches."""
    follow = [1] * len(places)
    ways = factorial(len(places))
    for number in reversed(range(len(places))):
        ways //= follow[number]
        after = places[number].after
        if after is not None:
            follow[after] += follow[number]
    return ways


# --- what a round costs -------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Prices:
    """What each person costs at a place beside others. People go by their index in ``people``, which chance ordered."""

    people: Sequence[int]
    seat: Sequence[int]
    """For whoever has to sit out."""
    bye: Sequence[int]
    """For whoever has to play. Between them are those of whom some may sit out as well as others."""
    partner: Sequence[Sequence[int]]
    opponent: Sequence[Sequence[int]]

    @classmethod
    def of(cls, people: Sequence[int], places: Sequence[_Place], tally: _Tally) -> "_Prices":
        turns = [tally.turn(each) for each in people]
        byes = sum(place.bye for place in places)
        out, playing = sorted(turns)[:byes], sorted(turns)[byes:]
        pairs = [[_pair(one, other) for other in people] for one in people]
        met = [[tally.partners[pair] + tally.opponents[pair] for pair in row] for row in pairs]
        # More than all pairs at the tables can have met before: what is one step dearer outweighs all that is cheaper.
        step = 1 + sum(len(place.partners) + len(place.opponents) for place in places) * max(map(max, met), default=0)
        return cls(
            people,
            [step**3 * (bool(playing) and turn < playing[0]) for turn in turns],
            [step**3 * (bool(out) and turn > out[-1]) for turn in turns],
            [
                [step**2 * tally.partners[pair] + often for pair, often in zip(row, more, strict=True)]
                for row, more in zip(pairs, met, strict=True)
            ],
            [
                [step * tally.opponents[pair] + often for pair, often in zip(row, more, strict=True)]
                for row, more in zip(pairs, met, strict=True)
            ],
        )

    def of_all(self, places: Sequence[_Place], seating: Sequence[int]) -> int:
        """What a round costs: every pair counted once."""
        return sum(self.at(place.beside(range(n)), seating[n], seating) for n, place in enumerate(places))

    def at(self, place: _Place, person: int, seating: Sequence[int]) -> int:
        """What it costs that this person sits there while all others sit as they do."""
        if place.bye:
            return self.bye[person]
        cost, partner, opponent = self.seat[person], self.partner[person], self.opponent[person]
        for each in place.partners:
            cost += partner[seating[each]]
        for each in place.opponents:
            cost += opponent[seating[each]]
        return cost


# --- two searches: seatings are lists of persons by place ---------------------------------------------------------
def _tried(places: Sequence[_Place], prices: _Prices, rng: random.Random) -> list[int]:
    """Swaps of two people, each taken if the round is then no dearer than it was some swaps ago; the cheapest met.

    Comparing with a while ago gets over hills, whatever their height (late acceptance, by Burke and Bykov).
    """
    seats = sum(not place.bye for place in places)
    turns = sorted(rng.sample(range(len(places)), len(places)), key=lambda each: prices.seat[each] - prices.bye[each])
    seating = rng.sample(turns[:seats], seats) + turns[seats:]
    swaps = [
        (one, other)
        for one, other in combinations(range(len(places)), 2)
        if other not in places[one].partners and not (places[one].bye and places[other].bye)
    ]
    cost = prices.of_all(places, seating)
    best, found = cost, seating.copy()
    ago = [cost] * (_PATIENCE * len(places))
    for number, (one, other) in enumerate(rng.choices(swaps, k=_SWAPS * len(places)) if swaps else ()):
        if best == 0:
            break
        a, b, here, there = seating[one], seating[other], places[one], places[other]
        dearer = -prices.at(here, a, seating) - prices.at(there, b, seating)
        seating[one], seating[other] = b, a
        dearer += prices.at(here, b, seating) + prices.at(there, a, seating)
        then = number % len(ago)
        if dearer <= 0 or cost + dearer <= ago[then]:
            cost += dearer
            if cost < best:
                best, found = cost, seating.copy()
        else:
            seating[one], seating[other] = a, b
        ago[then] = min(ago[then], cost)
    return found


def _cheapest(places: Sequence[_Place], prices: _Prices, seating: Sequence[int]) -> list[int]:
    """The cheapest of all seatings; the given one if none is cheaper."""
    best, found = prices.of_all(places, seating), list(seating)
    seats = sum(not place.bye for place in places)
    earlier = [place.beside(range(number)) for number, place in enumerate(places)]
    trial: list[int] = []

    def fill(free: Sequence[int], must_play: int, cost: int) -> None:
        nonlocal best, found
        if len(trial) == seats:
            best, found = cost, [*trial, *free]
            return
        place = earlier[len(trial)]
        for person in free:
            if place.after is not None and person < trial[place.after]:
                continue
            dearer = cost + prices.at(place, person, trial)
            due = must_play - (prices.bye[person] > 0)
            if dearer < best and due < seats - len(trial):
                trial.append(person)
                fill([each for each in free if each != person], due, dearer)
                trial.pop()

    fill(range(len(places)), sum(price > 0 for price in prices.bye), 0)
    return found
