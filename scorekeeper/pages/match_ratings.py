"""What a match did to the ratings of its players, with all of the arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scorekeeper.models import Match
from scorekeeper.pages.match import MatchLine, match_line
from scorekeeper.ratings import Change, Ladder
from scorekeeper.ratings.contest import FULL
from scorekeeper.selectors.ratings import CLUB, before, edition, groups_of, rated
from scorekeeper.words import group_words, signed


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

    @property
    def rating_words(self) -> str:
        """How the rating follows from what is calculated."""
        before, after = self.change.before.belief, self.change.after.belief
        text = _(
            "Rating: μ {mu}, σ {sigma} before; μ {new_mu}, σ {new_sigma} after. 1500 + 30 × ({new_mu} − 25) = {shown}."
        )
        return text.format(
            mu=_written(before.mu),
            sigma=_written(before.sigma),
            new_mu=_written(after.mu),
            new_sigma=_written(after.sigma),
            shown=after.shown,
        )

    def elo_words(self, others: int) -> str:
        """How the points follow from what was won and what was expected against the other sides."""
        won, expected = _written(self.change.won / 2, 1), _written(self.change.elo_expected / 100, 2)
        text = _("Elo: {k} × ({won} won − {expected} expected)")
        parts = [text.format(k=self.change.k, won=won, expected=expected)]
        parts += [f" ÷ {others}"] if others > 1 else []
        parts += [f" × {self.change.weight} %"] if self.change.weight != FULL else []
        return _("{sum} = {points}, rounded.").format(sum="".join(parts), points=signed(self.elo_by))


@dataclass(frozen=True, slots=True)
class GroupOfGames:
    name: str
    rows: Sequence[Moved]
    """Of everybody whom the visitor may know of, side by side."""
    sums: Sequence[tuple[Moved, str, str]]
    """Of each of them, how the rating and the Elo are calculated."""


@dataclass(frozen=True, kw_only=True)
class MatchRatingsPage:
    match: Match
    line: MatchLine
    groups: Sequence[GroupOfGames]
    """Without any, the match does not count."""
    weight: int
    """How much it counts in the club, in per cent."""
    hides: bool
    """Whether somebody sat there whose ratings are nobody's business: they are hidden, or their name was deleted."""


def match_ratings_page(match: Match, names: Mapping[int, str]) -> MatchRatingsPage:
    """A match from `with_seats`; `names`: of the people whom the visitor may know of, by id. At most seven queries."""
    found = [each for each in rated(Match.objects.filter(pk=match.pk)) if CLUB in each.contests]
    groups, hides = [], False
    for each in found:
        contest, known = each.contests[CLUB], before(each, edition())
        for group in groups_of(match.game):
            changes = [*Ladder(known[CLUB, group]).rate(contest)]
            rows = [Moved(names[each.player], each.player, each) for each in changes if each.player in names]
            sums = [(row, row.rating_words, row.elo_words(len(contest.sides) - 1)) for row in rows]
            groups.append(GroupOfGames(group_words(group), rows, sums))
            hides = len(rows) < len(changes)
    weight = found[0].contests[CLUB].weight if found else 0
    return MatchRatingsPage(match=match, line=match_line(match), groups=groups, weight=weight, hides=hides)


def _written(number: float, digits: int = 3) -> str:
    return number_format(number, digits)
