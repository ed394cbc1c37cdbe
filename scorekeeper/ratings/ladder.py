"""The ratings of many players, as a fold of their contests from the oldest to the newest."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
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
        return self._replace(belief=self.belief_on(at))

    def belief_on(self, at: datetime) -> Belief:
        """The part of it that changes with time."""
        if self.last is None or (days := (at - self.last).days) < 1:
            return self.belief
        return self.belief.later(days)


NEW = Rating()


class Change(NamedTuple):
    """What one contest did to one player, with all that is needed to check it.

    `last` is the rating after their last contest. `expected` is the part of the comparisons with the other sides that
    they should have won, from 0 to 1; `elo_expected` the per cents of these comparisons by Elo, added up; `won` the
    halves of wins that it was. `k` is the most that one comparison could give or take by Elo, and `weight` how much of
    all this counts, in per cent.
    """

    player: int
    last: Rating
    after: Rating
    expected: float
    elo_expected: int
    won: int
    k: int
    weight: int

    @property
    def before(self) -> Rating:
        """As it stood at the time of the contest."""
        return self.last.on(self.after.last) if self.after.last else self.last


class Ladder:
    """The ratings after the contests so far. Give it contests from the oldest to the newest."""

    def __init__(self, ratings: Mapping[int, Rating] | None = None) -> None:
        self.ratings: dict[int, Rating] = dict(ratings or {})

    def rate_all(self, contests: Iterable[Contest]) -> None:
        for contest in contests:
            self.rate(contest)

    def rate(self, contest: Contest, elsewhere: Sequence[Change] = ()) -> Sequence[Change]:
        """Counts a contest. Returns a change for each of its players, by side. `elsewhere`: what it did in another
        ladder, which it does here too if its players have the same ratings."""
        known = {player: self.ratings.get(player, NEW) for side in contest.sides for player in side}
        changes = elsewhere if [each.last for each in elsewhere] == [*known.values()] else _changes(contest, known)
        for change in changes:
            self.ratings[change.player] = change.after
        return changes


def _changes(contest: Contest, known: Mapping[int, Rating]) -> Sequence[Change]:
    """For each of its players, whose ratings after their last contest are `known`. With few comprehensions, here and in
    what it calls: for a side of one or two players, each would take longer than what it calculates."""
    places, weight, others = contest.places, contest.weight, len(contest.sides) - 1
    beliefs, elos = [], []
    for side in contest.sides:
        beliefs.append([known[player].belief_on(contest.at) for player in side])
        elos.append([known[player].elo for player in side])
    expected, elo_expected = plackett_luce.expected(beliefs), elo.expectations(elos)
    after = iter(plackett_luce.rated(beliefs, places, weight))
    changes = []
    for number, side in enumerate(contest.sides):
        won = halves_won(places, number)
        for player in side:
            last = known[player]
            k = elo.most(last.contests)
            gain = elo.change(k, won, elo_expected[number], others, weight)
            now = Rating(next(after), last.elo + gain, last.contests + 1, contest.at)
            changes.append(Change(player, last, now, expected[number], elo_expected[number], won, k, weight))
    return changes
