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
    player: int
    """Whose page shows more."""
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
    rows: Sequence[Moved]
    """Of everybody whose ratings the visitor may see, side by side."""
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
    hides: bool
    """Whether somebody sat there whose ratings are nobody's business, because they are hidden."""


def match_ratings_page(match: Match, names: Mapping[int, str]) -> MatchRatingsPage:
    """A match from `with_seats`; `names`: of the people whose ratings the visitor may see, by id. At most seven
    queries."""
    found = [each for each in rated(Match.objects.filter(pk=match.pk)) if CLUB in each.contests]
    groups, hides = [], False
    for each in found:
        contest, known = each.contests[CLUB], before(each, edition())
        for group in groups_of(match.game):
            ratings = known[CLUB, group]
            changes = Ladder(ratings).rate(contest)
            rows = [Moved(names[each.player], each.player, each) for each in changes if each.player in names]
            hides = len(rows) < len(changes)
            worked = None if hides else worked_out(working(ratings, contest), names)
            groups.append(GroupOfGames(group_words(group), rows, worked))
    weight = found[0].contests[CLUB].weight if found else 0
    return MatchRatingsPage(match=match, line=match_line(match), groups=groups, weight=weight, hides=hides)
