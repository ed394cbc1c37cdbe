"""From what everybody's matches came to, to a table for each game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from scorekeeper.names import alphabetical
from scorekeeper.standings.sittings import Outcome, Person, Result, outcomes


@dataclass(frozen=True, slots=True)
class Sum:
    """What somebody's matches of one game came to. Sums of different matches add up."""

    name: str
    played: int
    """Matches of which they played a hand."""
    won: int
    """Matches won alone or with their partner; they sat there at the end."""
    shared: int
    """Matches in which another side was as good."""
    hands: int
    points_for: int
    """Points of their side."""
    points_against: Fraction
    """What the other sides made, on average where there are several."""
    unverified: int
    """How many of the matches are results without hands."""

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(
            other.name,
            self.played + other.played,
            self.won + other.won,
            self.shared + other.shared,
            self.hands + other.hands,
            self.points_for + other.points_for,
            self.points_against + other.points_against,
            self.unverified + other.unverified,
        )


Sums = Mapping[Person, Sum]
"""What everybody's matches of one game came to."""


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody reached in one game. Points are those of their side."""

    place: int
    """From 1; whoever is equal in everything but the name shares it."""
    player: int | None
    name: str
    played: int
    won: int
    shared: int
    hands: int
    points_for: int
    points_against: Fraction
    fewer_is_better: bool
    unverified: int

    @property
    def wins(self) -> Fraction:
        """A shared win is half a win."""
        return self.won + Fraction(self.shared, 2)

    @property
    def difference(self) -> Fraction:
        """By how much their points are better: above 0 is good in every game."""
        more = self.points_for - self.points_against
        return -more if self.fewer_is_better else more

    @property
    def merit(self) -> tuple[Fraction, Fraction, Fraction]:
        """What decides the order: wins, wins a match, difference."""
        return self.wins, self.wins / self.played, self.difference


def table(results: Iterable[Result]) -> dict[str, list[Row]]:
    """For every game, the most played first, what everybody reached, the best first. Names are those of the last
    result."""
    everybody: dict[str, dict[Person, Sum]] = defaultdict(dict)
    matches: Counter[str] = Counter()
    fewer_is_better: dict[str, bool] = {}
    for result in results:
        matches[result.game] += result.counts
        fewer_is_better[result.game] = result.fewer_is_better
        everybody[result.game] = added(everybody[result.game], sums_of(outcomes(result)))
    return {game: rows(everybody[game], fewer_is_better[game]) for game, count in matches.most_common() if count}


def sums_of(match: Iterable[Outcome]) -> dict[Person, Sum]:
    """What one match came to for everybody who counts in it. Whoever came back to it played one match."""
    found: dict[Person, Sum] = {}
    for each in match:
        if each.counts:
            person, before = each.sitting.person, found.get(each.sitting.person)
            new = Sum(
                each.sitting.name,
                1,
                each.won,
                each.shared,
                each.hands,
                each.points,
                Fraction(each.against, each.others),
                each.unverified,
            )
            again = before and replace(before + new, played=1, unverified=max(before.unverified, new.unverified))
            found[person] = again or new
    return found


def added(one: Sums, other: Sums) -> dict[Person, Sum]:
    """The sums of different matches together."""
    both = {person: one[person] + other[person] for person in one.keys() & other.keys()}
    return {**one, **other, **both}


def rows(sums: Sums, fewer_is_better: bool) -> list[Row]:
    """The rows of a game in order, with their places."""
    found = [
        Row(
            0,
            player,
            each.name,
            each.played,
            each.won,
            each.shared,
            each.hands,
            each.points_for,
            each.points_against,
            fewer_is_better,
            each.unverified,
        )
        for (player, _name), each in sums.items()
    ]
    found.sort(key=lambda row: alphabetical(row.name))
    found.sort(key=lambda row: row.merit, reverse=True)
    places = {merit: place for place, merit in reversed([(place, row.merit) for place, row in enumerate(found, 1)])}
    return [replace(row, place=places[row.merit]) for row in found]
