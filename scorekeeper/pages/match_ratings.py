"""What a match did to the ratings of its players, with all of the arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.models import Match
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.pages.rating_working import Worked, worked_out
from scorekeeper.ratings import Change, Ladder
from scorekeeper.ratings.working import working
from scorekeeper.selectors.ratings import CLUB, before, edition, groups_of, rated
from scorekeeper.words import group_words


@dataclass(frozen=True, slots=True)
class Moved:
    name: str
    player: int | None
    """Whose page shows more; None for somebody who is hidden."""
    change: Change

    @property
    def by(self) -> int:
        return self.change.after.shown - self.change.before.shown

    @property
    def elo_by(self) -> int:
        return self.change.after.elo - self.change.before.elo

    @property
    def expected(self) -> int:
        """In per cent."""
        return round(100 * self.change.expected)


@dataclass(frozen=True, slots=True)
class GroupOfGames:
    name: str
    sides: Sequence[Sequence[Moved]]
    worked: Worked | None
    """How it is calculated; None if somebody is hidden, whose numbers it would tell."""


@dataclass(frozen=True, kw_only=True)
class MatchRatingsPage:
    match: Match
    line: MatchLine
    groups: Sequence[GroupOfGames]
    """Without any, the match does not count."""
    weight: int
    """How much it counts in the club, in per cent."""


def match_ratings_page(match: Match, names: Mapping[int, str]) -> MatchRatingsPage:
    """A match from `with_seats`; `names`: of the people whom the visitor may know of, by id. At most seven queries."""
    found = [each for each in rated(Match.objects.filter(pk=match.pk)) if CLUB in each.contests]
    groups = []
    for each in found:
        contest, known = each.contests[CLUB], before(each, edition())
        for group in groups_of(match.game):
            ratings = known[CLUB, group]
            changes = iter(Ladder(ratings).rate(contest))
            sides = [[_moved(next(changes), names) for _player in side] for side in contest.sides]
            seen = all(row.player for side in sides for row in side)
            worked = worked_out(working(ratings, contest), names) if seen else None
            groups.append(GroupOfGames(group_words(group), sides, worked))
    weight = found[0].contests[CLUB].weight if found else 0
    return MatchRatingsPage(match=match, line=match_line(match), groups=groups, weight=weight)


def _moved(change: Change, names: Mapping[int, str]) -> Moved:
    known = change.player in names
    return Moved(names.get(change.player, ""), change.player if known else None, change)
