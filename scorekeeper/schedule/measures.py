"""How good a schedule is, whoever made it. This module shares no code with those that make schedules.

Each measure has a bound: the best that counting allows. Pairs are measured by how often they meet, are partners and are
opponents. With a total of T over N pairs, nothing is more even than the values ⌊T/N⌋ and one more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from scorekeeper.schedule.seating import Format, Schedule, Seating, Table


class Spread(NamedTuple):
    """How even a number is over all players or pairs: least, most, and the sum of squares."""

    least: int
    most: int
    squares: int

    @classmethod
    def of(cls, values: Iterable[int]) -> "Spread":
        numbers = list(values) or [0]
        return cls(min(numbers), max(numbers), sum(value * value for value in numbers))

    @classmethod
    def even(cls, total: int, number: int) -> "Spread":
        """The most even spread of a total over this number of players or pairs."""
        if not number:
            return cls(0, 0, 0)
        low, more = divmod(total, number)
        return cls(low, low + (more > 0), (number - more) * low**2 + more * (low + 1) ** 2)


@dataclass(frozen=True, slots=True)
class Measures:
    """What a schedule does to its players. Lower is better, except the least value of a spread."""

    byes: Spread
    meet: Spread
    partner: Spread
    oppose: Spread
    lead: int
    """How far any player's leads are from their share, games / seats rounded down or up."""
    seats: int
    """The largest difference between two seats of a player."""
    breaks: int
    """How often somebody is first, or second, twice in a row (two players at a table only)."""
    longest: int
    """The longest run on one side (two players at a table only)."""
    in_a_row: int
    """Pairs who meet in two rounds running."""
    out_of_turn: int
    """How far any player's byes are from their share of the rounds they are present for, rounded down or up."""


def measure(schedule: Schedule) -> Measures:
    """The measures of a schedule without faults."""
    tables = _tables(schedule)
    breaks, longest = _runs(schedule)
    byes = Counter(player for seating in schedule.rounds for player in seating.byes)
    return Measures(
        byes=Spread.of(byes[player] for player in range(schedule.players)),
        meet=_spread_of_pairs(schedule, tables, _meeting),
        partner=_spread_of_pairs(schedule, tables, _partnering(schedule.format)),
        oppose=_spread_of_pairs(schedule, tables, _opposing(schedule.format)),
        lead=_lead(tables),
        seats=_seats(tables),
        breaks=breaks,
        longest=longest,
        in_a_row=_in_a_row(schedule),
        out_of_turn=_out_of_turn(schedule, byes),
    )


def bounds(schedule: Schedule) -> Measures:
    """The best that counting allows with the same rounds, table sizes and players present."""
    tables = _tables(schedule)
    pairs = schedule.players * (schedule.players - 1) // 2
    meetings = sum(len(table) * (len(table) - 1) // 2 for table in tables)
    partnerships = 2 * len(tables) if schedule.format.partners else 0
    heads, full = schedule.format.size == 2, _everybody_meets_everybody(schedule)
    games = Counter(player for table in tables for player in table)
    return Measures(
        byes=Spread.of(_fair_byes(schedule)),
        meet=Spread.even(meetings, pairs),
        partner=Spread.even(partnerships, pairs),
        oppose=Spread.even(meetings - partnerships, pairs),
        lead=0,
        seats=1 if any(times % schedule.format.size for times in games.values()) else 0,
        # Two players without a break, first at the same times, never meet. So only two players have no break.
        breaks=schedule.players - 2 if full else 0,
        longest=1 + full if heads else 0,
        in_a_row=0,
        out_of_turn=0,
    )


def _everybody_meets_everybody(schedule: Schedule) -> bool:
    """With two at a table, more than two players, and no byes."""
    if schedule.format.size != 2 or schedule.players <= 2:
        return False
    no_byes = all(2 * len(seating.tables) == schedule.players for seating in schedule.rounds)
    return no_byes and _spread_of_pairs(schedule, _tables(schedule), _meeting).least > 0


class Distance(NamedTuple):
    """How far a schedule is from the bound: the meetings, partnerships and oppositions that went to a pair that had
    enough while another had too few.

    Each adds two to the sum of squares; a further one of the same pair adds more.
    """

    meetings: int
    partners: int
    opponents: int


def distance(measures: Measures, bounds: Measures) -> Distance:
    spreads = ((measures.meet, bounds.meet), (measures.partner, bounds.partner), (measures.oppose, bounds.oppose))
    return Distance(*((actual.squares - best.squares) // 2 for actual, best in spreads))


def as_json(measures: Measures) -> Mapping[str, Any]:
    values = ((name, getattr(measures, name)) for name in Measures.__dataclass_fields__)
    return {name: value._asdict() if isinstance(value, Spread) else value for name, value in values}


# --- pairs -------------------------------------------------------------------------------------------------
def _tables(schedule: Schedule) -> list[Table]:
    return [table for seating in schedule.rounds for table in seating.tables]


def _meeting(table: Table) -> Iterable[tuple[int, int]]:
    return combinations(sorted(table), 2)


def _partnering(format: Format) -> Callable[[Table], Iterable[tuple[int, int]]]:
    def pairs(table: Table) -> Iterable[tuple[int, int]]:
        return [(min(a, b), max(a, b)) for a, b in (table[0::2], table[1::2])] if format.partners else []

    return pairs


def _opposing(format: Format) -> Callable[[Table], Iterable[tuple[int, int]]]:
    partners = _partnering(format)

    def pairs(table: Table) -> Iterable[tuple[int, int]]:
        together = partners(table)
        return [pair for pair in _meeting(table) if pair not in together]

    return pairs


def _spread_of_pairs(
    schedule: Schedule, tables: Sequence[Table], pairs_of: Callable[[Table], Iterable[tuple[int, int]]]
) -> Spread:
    times = Counter(pair for table in tables for pair in pairs_of(table))
    return Spread.of(times[pair] for pair in combinations(range(schedule.players), 2))


def _in_a_row(schedule: Schedule) -> int:
    met = [{pair for table in seating.tables for pair in _meeting(table)} for seating in schedule.rounds]
    return sum(len(one & other) for one, other in pairwise(met))


# --- leads, seats, sides -----------------------------------------------------------------------------------
def _lead(tables: Sequence[Table]) -> int:
    """The share of a table of three is a third: shares count in twelfths."""
    shares: Counter[int] = Counter()
    leads: Counter[int] = Counter()
    for table in tables:
        leads[table[0]] += 1
        for player in table:
            shares[player] += 12 // len(table)
    off = (max(leads[player] - -(-share // 12), share // 12 - leads[player], 0) for player, share in shares.items())
    return max(off, default=0)


def _seats(tables: Sequence[Table]) -> int:
    """At the tables of each size alone."""
    times: Counter[tuple[int, int, int]] = Counter()
    sizes: set[tuple[int, int]] = set()
    for table in tables:
        for seat, player in enumerate(table):
            times[player, len(table), seat] += 1
            sizes.add((player, len(table)))
    seats = ([times[player, size, seat] for seat in range(size)] for player, size in sizes)
    return max((max(numbers) - min(numbers) for numbers in seats), default=0)


def _runs(schedule: Schedule) -> tuple[int, int]:
    """Breaks, and the longest run on one side. A bye does not end a run."""
    if schedule.format.size != 2:
        return 0, 0
    breaks, longest = 0, 0
    for player in range(schedule.players):
        before, run = None, 0
        for seating in schedule.rounds:
            seat = next((table.index(player) for table in seating.tables if player in table), None)
            if seat is None:
                continue
            breaks += seat == before
            run = run + 1 if seat == before else 1
            before, longest = seat, max(longest, run)
    return breaks, longest


# --- byes --------------------------------------------------------------------------------------------------
def _out_of_turn(schedule: Schedule, byes: Counter[int]) -> int:
    shares = _bye_shares(schedule, [len(seating.byes) for seating in schedule.rounds])
    off = (max(byes[player] - ceil(share), floor(share) - byes[player], 0) for player, share in enumerate(shares))
    return max(off, default=0)


def _fair_byes(schedule: Schedule) -> list[int]:
    """As few byes as possible, each player their share rounded down, or up for those who lose most by rounding down."""
    needed = [_needed_byes(schedule.format, seating) for seating in schedule.rounds]
    shares = _bye_shares(schedule, needed)
    byes = [floor(share) for share in shares]
    most_lost = sorted(range(len(byes)), key=lambda player: byes[player] - shares[player])
    for player in most_lost[: sum(needed) - sum(byes)]:
        byes[player] += 1
    return byes


def _needed_byes(format: Format, seating: Seating) -> int:
    """The fewest byes possible with the players present."""
    present = len(seating.byes) + sum(map(len, seating.tables))
    left = (present - usual * format.size for usual in range(present // format.size + 1))
    return min(players % format.sizes[0] if len(format.sizes) > 1 else players for players in left)


def _bye_shares(schedule: Schedule, byes: Sequence[int]) -> list[Fraction]:
    """How many byes each player gets if everybody present in a round shares its ``byes`` equally."""
    times: list[Counter[tuple[int, int]]] = [Counter() for _player in range(schedule.players)]
    for seating, out in zip(schedule.rounds, byes, strict=True):
        present = [*seating.byes, *(player for table in seating.tables for player in table)]
        for player in present if out else ():
            times[player][out, len(present)] += 1
    return [
        sum((rounds * Fraction(out, present) for (out, present), rounds in shares.items()), Fraction(0))
        for shares in times
    ]
