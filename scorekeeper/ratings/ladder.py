"""The ratings of many players, as a fold of their contests from the oldest to the newest."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from scorekeeper.ratings import elo, plackett_luce
from scorekeeper.ratings.contest import Contest, halves_won
from scorekeeper.ratings.plackett_luce import Belief

ENOUGH = 10
"""The number of contests below which a rating is provisional."""


class Rating(NamedTuple):
    """Of one player: by Plackett and Luce and by Elo, the number of contests so far, and the time of the last one."""

    belief: Belief = Belief()
    elo: int = elo.START
    contests: int = 0
    last: datetime | None = None

    @property
    def shown(self) -> int:
        return self.belief.shown

    @property
    def uncertainty(self) -> int:
        return self.belief.uncertainty

    @property
    def provisional(self) -> bool:
        return self.contests < ENOUGH

    def on(self, at: datetime) -> "Rating":
        """As it stands at a later time: the longer somebody is away, the less is known of them."""
        if self.last is None or (days := (at - self.last).days) < 1:
            return self
        return Rating(self.belief.later(days), self.elo, self.contests, self.last)


NEW = Rating()


class Change(NamedTuple):
    """What one contest did to one player, with all that is needed to check it.

    `expected` is the part of the comparisons with the other sides that they should have won, from 0 to 1;
    `elo_expected` the per cents of these comparisons by Elo, added up; `won` the halves of wins that it was. `k` is the
    most that one comparison could give or take by Elo, and `weight` how much of all this counts, in per cent.
    """

    player: int
    before: Rating
    after: Rating
    expected: float
    elo_expected: int
    won: int
    k: int
    weight: int


class Ladder:
    """The ratings after the contests so far. Give it contests from the oldest to the newest."""

    def __init__(self, ratings: Mapping[int, Rating] | None = None) -> None:
        self.ratings: dict[int, Rating] = dict(ratings or {})

    def rate_all(self, contests: Iterable[Contest]) -> None:
        for contest in contests:
            self.rate(contest)

    def rate(self, contest: Contest) -> tuple[Change, ...]:
        """Counts a contest. Returns a change for each of its players, by side."""
        known = tuple([tuple([self.ratings.get(player, NEW) for player in side]) for side in contest.sides])
        changes = _changes(contest.sides, known, contest.places, contest.weight, contest.at)
        for change in changes:
            self.ratings[change.player] = change.after
        return changes


@lru_cache(maxsize=8)  # in a club and on the whole server, the same players mostly have the same ratings
def _changes(
    sides: tuple[tuple[int, ...], ...],
    known: tuple[tuple[Rating, ...], ...],
    places: tuple[int, ...],
    weight: int,
    at: datetime,
) -> tuple[Change, ...]:
    """What a contest does to each of its players, by side. `known`: their ratings after their last one."""
    before = [[rating.on(at) for rating in side] for side in known]
    beliefs = [[rating.belief for rating in side] for side in before]
    expected = plackett_luce.expected(beliefs)
    elo_expected = elo.expectations([[rating.elo for rating in side] for side in before])
    changes = []
    for side, after in enumerate(plackett_luce.rated(beliefs, places, weight)):
        won = halves_won(places, side)
        for player, rating, belief in zip(sides[side], before[side], after, strict=True):
            k = elo.most(rating.contests)
            gain = elo.change(k, won, elo_expected[side], len(places) - 1, weight)
            now = Rating(belief, rating.elo + gain, rating.contests + 1, at)
            changes.append(Change(player, rating, now, expected[side], elo_expected[side], won, k, weight))
    return tuple(changes)
