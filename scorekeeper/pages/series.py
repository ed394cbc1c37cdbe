"""What pages say of a table at which several matches decide."""

from django.utils.translation import gettext as _

from scorekeeper.models import Match
from scorekeeper.selectors.series import Series, is_later, series_of
from scorekeeper.words import number


def series_words(match: Match) -> str:
    """Which match of its table this is, and who leads there; "" for the first one. One query, seven if it is later."""
    series = series_of(match) if is_later(match) else None
    return f"{which_match(series, match)} · {score_words(series, match)}" if series else ""


def score_words(series: Series, match: Match) -> str:
    """The matches won, in the order of the sides of this one, like 2 : 1."""
    return " : ".join(map(number, series.wins_in(match)))


def which_match(series: Series, match: Match) -> str:
    """Which match of the table it is, and who leads."""
    text = _("match {n} of up to {most}") if series.number_of(match) <= series.most else _("match {n}")
    return text.format(n=series.number_of(match), most=series.most)
