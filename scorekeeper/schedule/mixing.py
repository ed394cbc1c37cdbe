"""Draws the next round of a club night so that people mix.

Every person gets a slot: a seat at a table, or a bye. The best round is the one with the lowest cost. What counts,
each point before all later ones:

1. Byes go in turn: to those with the fewest byes tonight; among them, to those who played most; among them, to those
   who had no bye in the last draw.
2. No partners meet again as partners. A pair counts as often as it was partners.
3. No opponents meet again as opponents, counted the same way.
4. No two people who met before sit at one table, counted the same way.

Chance decides between equals, and decides tables and seats. The draw does not look ahead to later rounds.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.meetings import History, Meetings, Pair
from scorekeeper.schedule.mixing_prices import Prices
from scorekeeper.schedule.mixing_search import search
from scorekeeper.schedule.seating import Seating, Shape


def tables_for(people: int, shapes: Sequence[tuple[Shape, int | None]]) -> list[Shape]:
    """The tables that these people fill: as many of the first shape as fit (up to its limit), then of the next."""
    tables: list[Shape] = []
    for shape, limit in shapes:
        fit = people // shape.seats
        count = fit if limit is None else min(fit, limit)
        tables += [shape] * count
        people -= count * shape.seats
    return tables


def draw(
    people: Sequence[int], shapes: Sequence[Shape], history: History, rng: random.Random
) -> Iterator[Progress[Seating]]:
    """Draws the next round for these people at these tables, and reports while it searches.

    Yields ``Progress(best, done, total)``: the best ``Seating`` so far (its tables in the order of ``shapes``, players
    by seat) and how much of the work is done, in whole numbers; ``done`` rises to ``total``. Every report holds a
    complete, valid round. To stop early, stop asking and keep the last ``best``. To get the final round alone:
    ``last(draw(...))`` (from ``late_acceptance``). The whole draw takes about 0.1 s of CPU.

    The work depends on the number of people only, never on the clock: the same ``rng`` draws the same round. Small
    draws are optimal (see ``mixing_search``). ValueError, before anything is searched, if somebody is listed twice or
    there are too few people.
    """
    byes = len(people) - sum(shape.seats for shape in shapes)
    if byes < 0:
        raise ValueError(f"{len(people)} people cannot fill tables for {len(people) - byes}")
    if len(set(people)) < len(people):
        raise ValueError("somebody is listed twice")
    order = rng.sample(people, len(people))
    return search(order, shapes, Prices.of(order, shapes, Meetings.of(history)), rng)


@dataclass(frozen=True, slots=True)
class Repeats:
    """What a round repeats from earlier tonight. Pairs in ascending order."""

    partners: tuple[Pair, ...]
    """Partners who were partners before."""
    opponents: tuple[Pair, ...]
    """Opponents who were opponents before."""
    met: tuple[Pair, ...]
    """People at one table who met before, as partners or opponents."""
    byes: tuple[int, ...]
    """People with a bye who had one before."""
    early_byes: tuple[int, ...]
    """People with a bye who had more byes than somebody who plays. A drawn round has none."""


def repeats(seating: Seating, shapes: Sequence[Shape], history: History) -> Repeats:
    """What any seating repeats, drawn or made by hand. ``shapes``: one for each of its tables."""
    before, now = Meetings.of(history), Meetings()
    for table, shape in zip(seating.tables, shapes, strict=True):
        now.add(shape.sides_of(table))
    fewest = min((before.byes[player] for table in seating.tables for player in table), default=0)
    return Repeats(
        tuple(sorted(now.partners & before.partners)),
        tuple(sorted(now.opponents & before.opponents)),
        tuple(sorted((now.partners + now.opponents) & (before.partners + before.opponents))),
        tuple(sorted(player for player in seating.byes if before.byes[player])),
        tuple(sorted(player for player in seating.byes if seating.tables and before.byes[player] > fewest)),
    )
