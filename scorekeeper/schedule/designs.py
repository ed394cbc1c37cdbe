"""Schedules from theory: a formula, or a base round that is turned to give all others.

Whist tournaments Wh(n) over a field for n a prime power 1 mod 4 (Baker, Moore); affine lines for tables of three and
four; for all other sizes base rounds that were searched once and are kept in ``base_rounds.json``. What any of them
reaches is for ``verify`` to say.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import gcd
from pathlib import Path
from typing import Any

from scorekeeper.schedule.galois import Field, field, is_prime_power
from scorekeeper.schedule.rounds import Round, Table

BASE_ROUNDS = Path(__file__).with_name("base_rounds.json")


def whist(players: int) -> tuple[Round, ...] | None:
    """Everybody partners everybody once and opposes everybody twice: n − 1 rounds of 4m players without byes, n of
    4m + 1 with one bye each. None where none is known here."""
    if players % 4 == 1 and is_prime_power(players):
        return _whist_by_field(field(players))
    return _kept({0: "whist4m", 1: "whist4m1"}.get(players % 4, ""), players)


def near_whist(players: int) -> tuple[Round, ...] | None:
    """n rounds with 2 (n = 4m + 2) or 3 byes each: nobody partners twice, opposes more than twice."""
    return _kept({2: "near4m2", 3: "near4m3"}.get(players % 4, ""), players)


def kirkman(players: int) -> tuple[Round, ...] | None:
    """Triples without byes in which no two meet twice: for n = 6m + 3 everybody meets everybody, for n = 6m everybody
    but one (nearly Kirkman)."""
    return affine_lines(players, 3) or next(
        (rounds for name in ("kts", "kts3q", "nkts", "nkts2") if (rounds := _kept(name, players)) is not None), None
    )


def near_resolvable(players: int) -> tuple[Round, ...] | None:
    """Triples in n rounds: for n = 3m + 1 one bye each, every pair twice; for n = 3m + 2 two byes each, every pair once
    or twice."""
    names = {1: ("nrb3", "nrb3x2"), 2: ("near3_2",)}.get(players % 3, ())
    return next((rounds for name in names if (rounds := _kept(name, players)) is not None), None)


def golf(players: int) -> tuple[Round, ...] | None:
    """Fours in which nobody meets twice, as many rounds as are kept; of 28 and 40 players everybody meets everybody."""
    names = (name for name, of in _base_rounds() if of == players and name.startswith("golf"))
    return next((_kept(name, players) for name in names), None)


def affine_lines(players: int, size: int) -> tuple[Round, ...] | None:
    """The points of the affine space over a field of ``size`` elements, its lines by direction: parallel lines are a
    round, and everybody meets everybody once. None where there is no space of so many points."""
    dimension = next((each for each in range(2, 8) if size**each == players), 0)
    if not dimension:
        return None
    add, multiply = field(size).add, field(size).multiply
    points = list(product(range(size), repeat=dimension))
    number = {point: each for each, point in enumerate(points)}
    directions = [point for point in points if next((each for each in point if each), 0) == 1]

    def line(point: tuple[int, ...], direction: tuple[int, ...]) -> Table:
        steps = ([add[p][multiply[step][d]] for p, d in zip(point, direction, strict=True)] for step in range(size))
        return tuple(sorted(number[tuple(each)] for each in steps))

    return tuple(Round(tuple(sorted({line(point, direction) for point in points}))) for direction in directions)


def transversal(players: int, size: int) -> tuple[Round, ...]:
    """Nobody meets twice: a group of players for every seat, of which each round moves on another way. As many rounds
    as a group has players where that is a power of a prime, fewer else; none where groups are not of one size."""
    tables, rest = divmod(players, size)
    if rest or tables < size:
        return ()
    if is_prime_power(tables):
        add, multiply = field(tables).add, field(tables).multiply
        rounds = tables
    else:
        add = tuple(tuple((one + other) % tables for other in range(tables)) for one in range(tables))
        multiply = tuple(tuple(one * other % tables for other in range(tables)) for one in range(tables))
        rounds = min(tables // gcd(tables, apart) for apart in range(1, size))

    def table(first: int, number: int) -> Table:
        return tuple(seat * tables + add[first][multiply[seat][number]] for seat in range(size))

    return tuple(Round(tuple(table(first, number) for first in range(tables))) for number in range(rounds))


def without(rounds: tuple[Round, ...], player: int) -> tuple[Round, ...]:
    """The same without the last player: whoever sat with him sits out."""
    found = []
    for tables, byes in rounds:
        left = [table for table in tables if player not in table]
        out = [each for table in tables if player in table for each in table if each != player]
        found.append(Round(tuple(left), tuple(sorted({*byes, *out} - {player}))))
    return tuple(found)


def shortened(rounds: tuple[Round, ...], player: int) -> tuple[Round, ...]:
    """The same without the last player: his tables are smaller by one, and stand last."""
    return tuple(
        Round(
            tuple(sorted((tuple(each for each in table if each != player) for table in tables), key=len, reverse=True))
        )
        for tables, _byes in rounds
    )


# --- formulas ----------------------------------------------------------------------------------------------
def _whist_by_field(numbers: Field) -> tuple[Round, ...]:
    """Tables (wⁱ, wⁱ⁺ᵗ, −wⁱ, −wⁱ⁺ᵗ), i below t = (n − 1) / 4, and in the other rounds an element added to all."""
    powers, quarter = numbers.powers(), (numbers.order - 1) // 4
    base = [
        (powers[i], powers[i + quarter], numbers.negative(powers[i]), numbers.negative(powers[i + quarter]))
        for i in range(quarter)
    ]
    shifts = [[numbers.add[each][shift] for each in range(numbers.order)] for shift in range(numbers.order)]
    return tuple(Round(tuple(tuple(shift[each] for each in table) for table in base), (shift[0],)) for shift in shifts)


# --- base rounds -------------------------------------------------------------------------------------------
@cache
def _base_rounds() -> Mapping[tuple[str, int], Mapping[str, Any]]:
    kept = json.loads(BASE_ROUNDS.read_text())
    return {(name, int(players)): base for key, base in kept.items() for name, players in [key.split()]}


def _kept(name: str, players: int) -> tuple[Round, ...] | None:
    base = _base_rounds().get((name, players))
    return None if base is None else tuple(_developed(base))


def _developed(base: Mapping[str, Any]) -> Iterator[Round]:
    """Every base round turned q times: point p of an orbit goes on within it, the last ``inf`` points stay."""
    q, turning = base["q"], base["q"] * base["orbits"]

    def turned(point: int, by: int) -> int:
        return point if point >= turning else point - point % q + (point + by) % q

    for tables, byes in zip(base["base"], base["byes"], strict=True):
        for by in range(q):
            yield Round(
                tuple(tuple(turned(point, by) for point in table) for table in tables),
                tuple(sorted(turned(point, by) for point in byes)),
            )
    for a, b in base.get("transversals", ()):
        yield Round(tuple((x, q + (x + a) % q, 2 * q + (x + a + b) % q) for x in range(q)))
