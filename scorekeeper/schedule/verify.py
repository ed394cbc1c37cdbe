"""Whether a schedule is one, and how good it is: whoever made it, by whatever means.

Hard rules are faults; what could be more even is measured, each measure beside the least that counting allows. The
measures of pairs are how often they meet, partner and oppose: with a total of T over N pairs nothing is more even than
values of ⌊T/N⌋ and one more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from scorekeeper.schedule.rounds import Format, Round, Schedule, Table
from scorekeeper.schedule.task import NOTHING, Wishes


class Fault(NamedTuple):
    """What makes it no schedule: a code, and the round (from 0; None for the whole) and player it is about."""

    code: str
    round: int | None = None
    player: int | None = None


class Spread(NamedTuple):
    """How even a number is over the players or pairs: least, most, and the sum of squares."""

    least: int
    most: int
    squares: int

    @classmethod
    def of(cls, values: Iterable[int]) -> "Spread":
        found = list(values) or [0]
        return cls(min(found), max(found), sum(value * value for value in found))

    @classmethod
    def even(cls, total: int, number: int) -> "Spread":
        """As even as a total can be over so many."""
        if not number:
            return cls(0, 0, 0)
        low, more = divmod(total, number)
        return cls(low, low + (more > 0), (number - more) * low**2 + more * (low + 1) ** 2)


@dataclass(frozen=True, slots=True)
class Measures:
    byes: Spread
    meet: Spread
    partner: Spread
    oppose: Spread
    lead: int
    """By how much at most a player leads more or less often than his share, ⌊games / seats⌋ or one more."""
    seats: int
    """The most by which, for one player, one seat comes more often than another."""
    breaks: int
    """How often somebody is first, or second, twice in a row; two at a table only."""
    longest: int
    """The longest run of the same."""
    in_a_row: int
    """Pairs who meet in two rounds one after the other."""
    out_of_turn: int
    """By how much at most a player sits out more or less often than his share of the rounds he is there for."""


# --- hard rules --------------------------------------------------------------------------------------------
def faults(schedule: Schedule, wishes: Wishes = NOTHING, released: Sequence[Round] = ()) -> list[Fault]:
    """What breaks the rules of every schedule, a wish, or a round that was ``released`` before; none where it is one.

    What is released is as it was, whoever was there: wishes are for the rounds after it.
    """
    now = dict(enumerate(schedule.rounds))
    found = [Fault("released-changed", number) for number, was in enumerate(released) if now.get(number) != was]
    for number, round in enumerate(schedule.rounds):
        if number < len(released):
            those = _round_faults(schedule, NOTHING, number, round)
            found += (fault for fault in those if fault.code != "player-missing")
        else:
            found += _round_faults(schedule, wishes, number, round)
            found += _wish_faults(wishes, number, round)
    return found


def _round_faults(schedule: Schedule, wishes: Wishes, number: int, round: Round) -> Iterator[Fault]:
    times = Counter(player for table in round.tables for player in table)
    times.update(round.byes)
    for table in round.tables:
        if len(table) not in schedule.format.sizes:
            yield Fault("table-size", number)
    for player in range(schedule.players):
        first, end = wishes.present.get(player, (0, len(schedule.rounds)))
        if times[player] and not first <= number < end:
            yield Fault("not-there", number, player)
        elif not times[player] and first <= number < end:
            yield Fault("player-missing", number, player)
        elif times[player] > 1:
            yield Fault("player-twice", number, player)
    for player in sorted(times.keys() - set(range(schedule.players))):
        yield Fault("no-such-player", number, player)


def _wish_faults(wishes: Wishes, number: int, round: Round) -> Iterator[Fault]:
    for at, table in enumerate(round.tables):
        for group in wishes.apart:
            met = sorted({*table} & {*group.players})
            if len(met) > 1 and number < group.rounds:
                yield Fault("met-too-early", number, met[0])
        for player in table:
            if wishes.fixed.get(player, at) != at:
                yield Fault("wrong-table", number, player)


# --- measures ----------------------------------------------------------------------------------------------
def measure(schedule: Schedule) -> Measures:
    """What there is to say of a schedule without faults."""
    tables = [table for round in schedule.rounds for table in round.tables]
    breaks, longest = _runs(schedule)
    return Measures(
        Spread.of(Counter(_all_byes(schedule))[player] for player in range(schedule.players)),
        _pairs(schedule, tables, _meeting),
        _pairs(schedule, tables, _partnering(schedule.format)),
        _pairs(schedule, tables, _opposing(schedule.format)),
        _lead(schedule),
        _seats(schedule),
        breaks,
        longest,
        _in_a_row(schedule),
        _out_of_turn(schedule),
    )


def bounds(schedule: Schedule) -> Measures:
    """The least that counting allows with as many rounds, and tables of as many, as this schedule has."""
    sizes = [len(table) for round in schedule.rounds for table in round.tables]
    pairs = schedule.players * (schedule.players - 1) // 2
    meetings = sum(size * (size - 1) // 2 for size in sizes)
    partnerships = 2 * len(sizes) if schedule.format.partners else 0
    heads = schedule.format.size == 2
    # Two who are first and second in turn all the time, at the same times, never meet: nobody else may be so, where all
    # play all the time and everybody meets everybody.
    apart = heads and schedule.players > 2 and all(2 * len(each.tables) == schedule.players for each in schedule.rounds)
    whole = apart and _pairs(schedule, [table for each in schedule.rounds for table in each.tables], _meeting).least > 0
    return Measures(
        Spread.of(_fair_byes(schedule)),
        Spread.even(meetings, pairs),
        Spread.even(partnerships, pairs),
        Spread.even(meetings - partnerships, pairs),
        0,
        1 if any(games % schedule.format.size for games in _games(schedule).values()) else 0,
        schedule.players - 2 if whole else 0,
        1 + whole if heads else 0,
        0,
        0,
    )


def _needed_byes(format: Format, round: Round) -> int:
    """How many must sit out of those who are there, however many do."""
    there = len(round.byes) + sum(map(len, round.tables))
    ways = (there - usual * format.size for usual in range(there // format.size + 1))
    return min(left % format.sizes[0] if len(format.sizes) > 1 else left for left in ways)


def grade(format: Format, measures: Measures, bounds: Measures) -> str:
    """How good it is, in words for who runs a tournament: who meets whom, then what is uneven beside that."""
    uneven = [
        *(["byes"] if measures.byes.most > bounds.byes.most or measures.out_of_turn > 1 else []),
        *(["leads"] if measures.lead > 1 else []),
        *(["seats"] if measures.seats > max(2, bounds.seats) else []),
        *(["runs on one side"] if measures.longest > bounds.longest + 1 else []),
    ]
    meetings = _grade_of_meetings(format, measures, bounds)
    return f"{meetings}; {' and '.join(uneven)} could be more even" if uneven else meetings


def _grade_of_meetings(format: Format, measures: Measures, bounds: Measures) -> str:
    even = all(getattr(measures, name) == getattr(bounds, name) for name in ("meet", "partner", "oppose"))
    if even and measures.meet.least == measures.meet.most:
        times = {1: "once", 2: "twice"}.get(measures.meet.least, f"{measures.meet.least} times")
        if format.partners and measures.partner.least == measures.partner.most:
            with_all = {1: "once", 2: "twice"}.get(measures.partner.least, f"{measures.partner.least} times")
            against = {1: "once", 2: "twice"}.get(measures.oppose.least, f"{measures.oppose.least} times")
            return f"perfect: everybody partners everybody {with_all} and opposes everybody {against}"
        return f"perfect: everybody meets everybody {times}"
    if measures.meet.most == 1:
        return "nobody meets anybody twice"
    if even:
        return "as even as can be"
    more = distance(measures, bounds)
    if not more.meetings and not more.partners:
        return "as even as can be in who meets whom, but not in who opposes whom"
    times = _times(more.meetings, "meeting")
    if more.partners:
        times += f" and {_times(more.partners, 'partnership')}"
    return f"fair: {times} too many for some pairs, too few for others"


def _times(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


class Distance(NamedTuple):
    """How far from the bound: so many meetings, partnerships and oppositions are a pair's that had enough, where
    another had too few. Each raises the sum of squares by two, one more for every further one of the same pair."""

    meetings: int
    partners: int
    opponents: int


def distance(measures: Measures, bounds: Measures) -> Distance:
    pairs = ((measures.meet, bounds.meet), (measures.partner, bounds.partner), (measures.oppose, bounds.oppose))
    return Distance(*((here.squares - best.squares) // 2 for here, best in pairs))


def _all_byes(schedule: Schedule) -> list[int]:
    return [player for round in schedule.rounds for player in round.byes]


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


def _pairs(
    schedule: Schedule, tables: Sequence[Table], pairs_of: Callable[[Table], Iterable[tuple[int, int]]]
) -> Spread:
    count = Counter(pair for table in tables for pair in pairs_of(table))
    return Spread.of(count[pair] for pair in combinations(range(schedule.players), 2))


def _games(schedule: Schedule) -> Counter[int]:
    return Counter(player for round in schedule.rounds for table in round.tables for player in table)


def _lead(schedule: Schedule) -> int:
    """A share of a table of three is a third: shares are added up in twelfths."""
    shares: Counter[int] = Counter()
    leads: Counter[int] = Counter()
    for round in schedule.rounds:
        for table in round.tables:
            leads[table[0]] += 1
            for player in table:
                shares[player] += 12 // len(table)
    off = (max(leads[each] - -(-shares[each] // 12), shares[each] // 12 - leads[each], 0) for each in shares)
    return max(off, default=0)


def _seats(schedule: Schedule) -> int:
    """At tables of each size by themselves."""
    seen: Counter[tuple[int, int, int]] = Counter()
    sizes: set[tuple[int, int]] = set()
    for round in schedule.rounds:
        for table in round.tables:
            for seat, player in enumerate(table):
                seen[player, len(table), seat] += 1
                sizes.add((player, len(table)))
    spreads = ([seen[player, size, seat] for seat in range(size)] for player, size in sizes)
    return max((max(times) - min(times) for times in spreads), default=0)


def _runs(schedule: Schedule) -> tuple[int, int]:
    """Breaks and the longest run on one side; a bye between two matches is none."""
    if schedule.format.size != 2:
        return 0, 0
    breaks, longest = 0, 0
    for player in range(schedule.players):
        before, run = None, 0
        for round in schedule.rounds:
            seat = next((table.index(player) for table in round.tables if player in table), None)
            if seat is None:
                continue
            breaks += seat == before
            run = run + 1 if seat == before else 1
            before, longest = seat, max(longest, run)
    return breaks, longest


def _out_of_turn(schedule: Schedule) -> int:
    byes = Counter(player for round in schedule.rounds for player in round.byes)
    shares = _shares(schedule, [len(round.byes) for round in schedule.rounds])
    return max(max(byes[player] - ceil(share), floor(share) - byes[player], 0) for player, share in enumerate(shares))


def _fair_byes(schedule: Schedule) -> list[int]:
    """No more than needed, each player his share of the rounds he is there for, rounded down, or up for those who miss
    most by that."""
    needed = [_needed_byes(schedule.format, round) for round in schedule.rounds]
    shares = _shares(schedule, needed)
    byes = [floor(share) for share in shares]
    missing = sorted(range(len(byes)), key=lambda player: byes[player] - shares[player])
    for player in missing[: sum(needed) - sum(byes)]:
        byes[player] += 1
    return byes


def _shares(schedule: Schedule, byes: Sequence[int]) -> list[Fraction]:
    """How often each player would sit out, if in every round so many did and all who are there equally."""
    times: list[Counter[tuple[int, int]]] = [Counter() for _player in range(schedule.players)]
    for round, out in zip(schedule.rounds, byes, strict=True):
        there = [*round.byes, *(player for table in round.tables for player in table)]
        for player in there if out else ():
            times[player][out, len(there)] += 1
    return [sum((rounds * Fraction(*share) for share, rounds in his.items()), Fraction(0)) for his in times]


def _in_a_row(schedule: Schedule) -> int:
    met = [{pair for table in round.tables for pair in _meeting(table)} for round in schedule.rounds]
    return sum(len(one & other) for one, other in pairwise(met))


def as_json(measures: Measures) -> Mapping[str, Any]:
    values = ((name, getattr(measures, name)) for name in Measures.__dataclass_fields__)
    return {name: value._asdict() if isinstance(value, Spread) else value for name, value in values}
