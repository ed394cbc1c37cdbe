"""Who met whom so far: the matches and byes of an event, and how often each pair and each person occurs in them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scorekeeper.schedule.seating import Sides

Pair = tuple[int, int]
"""Two players, the lower number first."""


def pair(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The players of one match."""

    sides: Sides
    later: tuple[Sides, ...] = ()
    """The sides after each substitution, in order."""


@dataclass(frozen=True, slots=True)
class History:
    """The event so far."""

    played: tuple[PlayedMatch, ...]
    """Every match, in order."""
    byes: tuple[frozenset[int] | tuple[int, ...], ...]
    """The players with a bye, for every draw, in order."""


class Meetings:
    """How often each pair was partners and opponents, and how many matches and byes each player had."""

    def __init__(self) -> None:
        self.partners: Counter[Pair] = Counter()
        self.opponents: Counter[Pair] = Counter()
        self.matches: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.last_byes: frozenset[int] = frozenset()
        """The players with a bye in the last draw."""

    @classmethod
    def of(cls, history: History) -> "Meetings":
        meetings = cls()
        for match in history.played:
            meetings.add(match.sides, *match.later)
        for byes in history.byes:
            meetings.byes.update(byes)
            meetings.last_byes = frozenset(byes)
        return meetings

    def add(self, *lineups: Sequence[tuple[int, ...]]) -> None:
        """Adds one match, with its line-up after each substitution. Each player and each pair counts once."""
        sides = [side for lineup in lineups for side in lineup]
        opposing = [sides for lineup in lineups for sides in combinations(lineup, 2)]
        self.matches.update({player for side in sides for player in side})
        self.partners.update({pair(*two) for side in sides for two in combinations(side, 2)})
        self.opponents.update({pair(one, other) for a, b in opposing for one in a for other in b})

    def bye_order(self, player: int) -> tuple[int, int, bool]:
        """The player with the lowest value gets the next bye: fewest byes, then most matches, then no bye just now."""
        return self.byes[player], -self.matches[player], player in self.last_byes
