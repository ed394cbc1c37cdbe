"""Combinatorial designs: from a formula, or from a base round that rotates to give all others.

Whist tournaments Wh(n) over a field if n is a prime power 1 mod 4 (Baker, Moore); affine lines for tables of three and
four; for other sizes base rounds, searched once and stored in ``base_rounds.json``.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import gcd
from pathlib import Path
from typing import Any

from scorekeeper.schedule.galois import Field, field, is_prime_power
from scorekeeper.schedule.seating import Seating, Table

BASE_ROUNDS = Path(__file__).with_name("base_rounds.json")


def whist(players: int) -> tuple[Seating, ...] | None:
    """Everybody partners everybody once and opposes everybody twice: n − 1 rounds of n = 4m players without byes, n
    rounds of n = 4m + 1 with one bye each. None if none is known here."""
    if players % 4 == 1 and is_prime_power(players):
        return _whist_by_field(field(players))
    return _stored({0: "whist4m", 1: "whist4m1"}.get(players % 4, ""), players)


def near_whist(players: int) -> tuple[Seating, ...] | None:
    """n rounds with 2 (n = 4m + 2) or 3 byes each (n = 4m + 3). Nobody partners anybody twice or opposes anybody more
    than twice."""
    return _stored({2: "near4m2", 3: "near4m3"}.get(players % 4, ""), players)


def kirkman(players: int) -> tuple[Seating, ...] | None:
    """Triples without byes in which nobody meets twice. With n = 6m + 3 everybody meets everybody; with n = 6m (nearly
    Kirkman) everybody but one."""
    return affine_lines(players, 3) or next(
        (rounds for name in ("kts", "kts3q", "nkts", "nkts2") if (rounds := _stored(name, players)) is not None), None
    )


def near_resolvable(players: int) -> tuple[Seating, ...] | None:
    """Triples in n rounds. With n = 3m + 1, one bye each and every pair meets twice; with n = 3m + 2, two byes each and
    every pair meets once or twice."""
    names = {1: ("nrb3", "nrb3x2"), 2: ("near3_2",)}.get(players % 3, ())
    return next((rounds for name in names if (rounds := _stored(name, players)) is not None), None)


def golf(players: int) -> tuple[Seating, ...] | None:
    """Fours in which nobody meets twice: every stored round. With 28 and 40 players everybody meets everybody."""
    names = (name for name, size in _base_rounds() if size == players and name.startswith("golf"))
    return next((_stored(name, players) for name in names), None)


def affine_lines(players: int, size: int) -> tuple[Seating, ...] | None:
    """Everybody meets everybody once: the lines of the affine space over a field of ``size`` elements. Parallel lines
    are a round. None if no space has this number of points."""
    dimension = next((dimension for dimension in range(2, 8) if size**dimension == players), 0)
    if not dimension:
        return None
    add, multiply = field(size).add, field(size).multiply
    points = list(product(range(size), repeat=dimension))
    number = {point: at for at, point in enumerate(points)}
    directions = [point for point in points if next((element for element in point if element), 0) == 1]

    def line(point: tuple[int, ...], direction: tuple[int, ...]) -> Table:
        steps = ([add[p][multiply[step][d]] for p, d in zip(point, direction, strict=True)] for step in range(size))
        return tuple(sorted(number[tuple(point)] for point in steps))

    return tuple(Seating(tuple(sorted({line(point, direction) for point in points}))) for direction in directions)


def transversal(players: int, size: int) -> tuple[Seating, ...]:
    """Nobody meets twice: one group of players for every seat, and each round shifts the groups in another way.

    As many rounds as a group has players if that is a prime power, else fewer. None if the groups differ in size.
    """
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

    return tuple(Seating(tuple(table(first, number) for first in range(tables))) for number in range(rounds))


def without_last(rounds: tuple[Seating, ...], player: int) -> tuple[Seating, ...]:
    """The same rounds without the last player. The others at their table have a bye."""
    shorter = []
    for tables, byes in rounds:
        left = [table for table in tables if player not in table]
        out = [other for table in tables if player in table for other in table]
        shorter.append(Seating(tuple(left), tuple(sorted({*byes, *out} - {player}))))
    return tuple(shorter)


def with_smaller_tables(rounds: tuple[Seating, ...], player: int) -> tuple[Seating, ...]:
    """The same rounds without the last player. Their table has one seat less and comes last."""
    return tuple(Seating(tuple(sorted(_without(player, tables), key=len, reverse=True))) for tables, _byes in rounds)


def _without(player: int, tables: tuple[Table, ...]) -> Iterator[Table]:
    return (tuple(other for other in table if other != player) for table in tables)


# --- formulas ----------------------------------------------------------------------------------------------
def _whist_by_field(numbers: Field) -> tuple[Seating, ...]:
    """Tables (wⁱ, wⁱ⁺ᵗ, −wⁱ, −wⁱ⁺ᵗ) for i below t = (n − 1) / 4; each other round adds one element to all."""
    powers, quarter = numbers.powers(), (numbers.order - 1) // 4
    base = [
        (powers[i], powers[i + quarter], numbers.negative(powers[i]), numbers.negative(powers[i + quarter]))
        for i in range(quarter)
    ]
    shifts = [[numbers.add[element][shift] for element in range(numbers.order)] for shift in range(numbers.order)]
    return tuple(
        Seating(tuple(tuple(shift[element] for element in table) for table in base), (shift[0],)) for shift in shifts
    )


# --- base rounds -------------------------------------------------------------------------------------------
@cache
def _base_rounds() -> Mapping[tuple[str, int], Mapping[str, Any]]:
    stored = json.loads(BASE_ROUNDS.read_text())
    return {(name, int(players)): base for key, base in stored.items() for name, players in [key.split()]}


def _stored(name: str, players: int) -> tuple[Seating, ...] | None:
    base = _base_rounds().get((name, players))
    return None if base is None else tuple(_developed(base))


def _developed(base: Mapping[str, Any]) -> Iterator[Seating]:
    """Every base round rotated q times: each point moves on within its orbit; the last ``inf`` points stay."""
    q, moving = base["q"], base["q"] * base["orbits"]

    def moved(point: int, by: int) -> int:
        return point if point >= moving else point - point % q + (point + by) % q

    for tables, byes in zip(base["base"], base["byes"], strict=True):
        for by in range(q):
            yield Seating(
                tuple(tuple(moved(point, by) for point in table) for table in tables),
                tuple(sorted(moved(point, by) for point in byes)),
            )
    for a, b in base.get("transversals", ()):
        yield Seating(tuple((x, q + (x + a) % q, 2 * q + (x + a + b) % q) for x in range(q)))
