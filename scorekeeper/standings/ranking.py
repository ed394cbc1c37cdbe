"""The order of a stage: criterion after criterion, until nobody is equal or no criterion is left."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from scorekeeper.standings.criteria import CRITERIA, Comparison, Summand, Value
from scorekeeper.standings.exact import Number, total
from scorekeeper.standings.knock_out import knock_out_places
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import System

Group = list[int]
"""Entrants who are equal so far, by start number."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The row of an entrant. Those who are equal in all criteria share a place."""

    place: int
    entrant: int
    name: str
    out: bool = False
    """Whether they came to too few tables."""
    values: dict[str, Value] = field(default_factory=dict)
    """By criterion, in their order."""


def standings(results: Results) -> list[Standing]:
    """By place, then by start number."""
    if results.stage.system is System.KNOCK_OUT:
        places = knock_out_places(results)
        rows = [Standing(places[each], each, results.entrant(each).name) for each in results.entrants]
        return sorted(rows, key=lambda row: (row.place, row.entrant))
    values: dict[int, dict[str, Value]] = {entrant: {} for entrant in results.entrants}
    everybody = sorted(results.entrants)
    groups = [group for out in (False, True) if (group := [each for each in everybody if (each in results.out) is out])]
    for name in results.stage.order:
        groups = [part for group in groups for part in _split(results, name, group, values)]
    rows, place = [], 1
    for group in groups:
        rows += [
            Standing(place, each, results.entrant(each).name, each in results.out, values[each])
            for each in sorted(group)
        ]
        place += len(group)
    return rows


def _split(results: Results, name: str, group: Group, values: dict[int, dict[str, Value]]) -> Iterator[Group]:
    """Notes the values of the criterion, and separates the group by them."""
    of = CRITERIA[name].of
    if of is None:
        place = 1
        compared: dict[int, list[Comparison]] = {entrant: [] for entrant in group}
        for part in _head_to_head(results, group, compared):
            for entrant in part:
                values[entrant][name] = Value(place, compared=compared[entrant])
            place += len(part)
            yield part
        return
    for entrant in group:
        values[entrant][name] = of(results, entrant)
    keys = {entrant: values[entrant][name].key for entrant in group}
    if len(group) == 1:
        yield group
        return
    for _key, equal in groupby(sorted(group, key=keys.__getitem__), keys.__getitem__):
        yield list(equal)


# --- head to head ------------------------------------------------------------------------------------------
def _head_to_head(results: Results, group: Group, compared: dict[int, list[Comparison]]) -> list[Group]:
    """The group, separated by its tables among themselves, again and again until nothing more separates. Notes what was
    `compared`, by entrant."""
    if len(group) == 1:
        return [group]
    parts = _once(results, group, compared)
    if len(parts) == 1:
        return parts
    return [each for part in parts for each in _head_to_head(results, part, compared)]


def _once(results: Results, group: Group, compared: dict[int, list[Comparison]]) -> list[Group]:
    sums: dict[int, Number] = {}
    missing: dict[int, int] = {}
    here, among = frozenset(group), tuple(sorted(group))
    for entrant in group:
        shares = _shares(results, entrant, here)
        compared[entrant].append(Comparison(among, shares))
        sums[entrant] = total(each.value for each in shares)
        missing[entrant] = len(group) - 1 - len({each.of for each in shares})
    if results.stage.system is System.ROUND_ROBIN or not any(missing.values()):
        return _by(sums, group)
    values = results.stage.worth.values
    win, loss = values.get("win", 1) or 0, values.get("loss", 0) or 0
    least = {each: sums[each] + loss * missing[each] for each in group}
    most = {each: sums[each] + win * missing[each] for each in group}
    return _beyond_doubt(group, least, most)


def _shares(results: Results, entrant: int, here: frozenset[int]) -> tuple[Summand, ...]:
    """What the entrant has against each of those `here`: the mean of their tables, in a part for each table."""
    met = [
        (turn.round, opponent, share)
        for turn, opponents in zip(results.turns[entrant], results.opponents[entrant], strict=True)
        for opponent, share in opponents
        if opponent in here
    ]
    tables = Counter(opponent for _round, opponent, _share in met)
    return tuple([Summand(number, (other,), total([Fraction(share, tables[other])])) for number, other, share in met])


def _beyond_doubt(group: Sequence[int], least: dict[int, Number], most: dict[int, Number]) -> list[Group]:
    """One place after the other, as long as somebody has more than every other one can have. The rest stay equal."""
    parts, left = [], list(group)
    while len(left) > 1:
        threats = sorted(left, key=lambda each: most[each])[-2:]
        first = [each for each in left if all(least[each] > most[other] for other in threats if other != each)]
        if not first:
            break
        # Where a loss is worth more than a win, missing meetings can leave several ahead of each other.
        parts.append(first)
        left = [each for each in left if each not in first]
    return [*parts, left] if left else parts


def _by(key: dict[int, Number], group: Iterable[int]) -> list[Group]:
    """The greatest first."""
    order = sorted(group, key=lambda each: -key[each])
    return [list(part) for _value, part in groupby(order, key.__getitem__)]
