"""From the results of a night or a club to a table for each game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.names import alphabetical

Person = tuple[int | None, str]
"""A player of the club by his id, with no name; else the name alone."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sat in a seat from a hand on, counted from 0, until somebody else did."""

    seat: int
    player: int | None
    """None: nobody of the club's list, known by name alone."""
    name: str
    from_hand: int = 0

    @property
    def person(self) -> Person:
        return self.player, "" if self.player is not None else self.name


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is over and was not abandoned. Points are by seat; those of a side stand at each of its seats."""

    game: str
    sides: tuple[tuple[int, ...], ...]
    sittings: tuple[Sitting, ...]
    """Those of a seat in the order of their hands."""
    hands: int
    """How many were played; 0 where only the totals are known."""
    totals: tuple[int, ...]
    winners: frozenset[int]
    """Every seat that shares the best total."""
    before: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """What each seat had before a hand, for every hand from which somebody took over a seat."""
    fewer_is_better: bool = False
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody reached in one game. Points are those of his side."""

    place: int
    """From 1; who is equal in all but the name shares it."""
    player: int | None
    name: str
    played: int
    """Matches he played a hand of."""
    won: int
    """Matches won alone or with his partner; he sat there at the end."""
    shared: int
    """Matches in which another side was as good: half a win each."""
    hands: int
    points_for: int
    points_against: Fraction
    """What the other sides made, on average where there are several."""
    fewer_is_better: bool
    unverified: int
    """How many of the matches nobody saw the hands of."""

    @property
    def wins(self) -> Fraction:
        return self.won + Fraction(self.shared, 2)

    @property
    def difference(self) -> Fraction:
        """By how much his points are better: above 0 is good in every game."""
        more = self.points_for - self.points_against
        return -more if self.fewer_is_better else more

    @property
    def merit(self) -> tuple[Fraction, Fraction, Fraction]:
        """What the order goes by: wins, wins a match, difference."""
        return self.wins, self.wins / self.played, self.difference


class _Part(NamedTuple):
    """What somebody did in one match from when he sat down until he left or it was over."""

    match: int
    name: str
    hands: int
    points_for: int
    points_against: Fraction
    won: bool
    shared: bool
    unverified: bool


def table(results: Iterable[Result]) -> dict[str, list[Row]]:
    """For every game, the most played first, who reached what, the best first. Names are those of the last result."""
    parts: dict[str, dict[Person, list[_Part]]] = defaultdict(lambda: defaultdict(list))
    matches: Counter[str] = Counter()
    fewer_is_better: dict[str, bool] = {}
    for number, result in enumerate(results):
        matches[result.game] += 1
        fewer_is_better[result.game] = result.fewer_is_better
        for sitting in result.sittings:
            part = _part(number, result, sitting)
            if part is not None:
                parts[result.game][sitting.person].append(part)
    return {game: _rows(parts[game], fewer_is_better[game]) for game, _count in matches.most_common()}


def _part(number: int, result: Result, sitting: Sitting) -> _Part | None:
    """What this sitting was; None if no hand was played in it. Of a bare result nobody knows who played which hand: it
    is his who sat there at the end."""
    here = [each for each in result.sittings if each.seat == sitting.seat]
    then = here[here.index(sitting) + 1 :]
    first, until = sitting.from_hand, then[0].from_hand if then else result.hands
    at_the_end = until >= result.hands
    until = min(until, result.hands)
    if first >= until if result.hands else then:
        return None
    had = result.before.get(first, (0,) * len(result.totals))
    has = result.totals if at_the_end else result.before[until]
    points = [has[side[0]] - had[side[0]] for side in result.sides]
    own = next(at for at, side in enumerate(result.sides) if sitting.seat in side)
    won = at_the_end and sitting.seat in result.winners
    alone = sum(not result.winners.isdisjoint(side) for side in result.sides) == 1
    return _Part(
        number,
        sitting.name,
        until - first if result.hands else 0,
        points[own],
        Fraction(sum(points) - points[own], max(len(points) - 1, 1)),
        won and alone,
        won and not alone,
        result.unverified,
    )


def _rows(parts: dict[Person, list[_Part]], fewer_is_better: bool) -> list[Row]:
    """The rows of a game in order, with their places."""
    rows = [_row(player, each, fewer_is_better) for (player, _name), each in parts.items()]
    rows.sort(key=lambda row: alphabetical(row.name))
    rows.sort(key=lambda row: row.merit, reverse=True)
    places = {merit: place for place, merit in reversed([(place, row.merit) for place, row in enumerate(rows, 1)])}
    return [replace(row, place=places[row.merit]) for row in rows]


def _row(player: int | None, parts: list[_Part], fewer_is_better: bool) -> Row:
    return Row(
        place=0,
        player=player,
        name=parts[-1].name,
        played=len({part.match for part in parts}),
        won=sum(part.won for part in parts),
        shared=sum(part.shared for part in parts),
        hands=sum(part.hands for part in parts),
        points_for=sum(part.points_for for part in parts),
        points_against=sum((part.points_against for part in parts), Fraction(0)),
        fewer_is_better=fewer_is_better,
        unverified=len({part.match for part in parts if part.unverified}),
    )
