"""What pages say of a table at which several matches decide."""

from django.utils.translation import gettext as _

from scorekeeper.models import Match
from scorekeeper.selectors.series import Series, is_later, series_of
from scorekeeper.words import totals


def series_words(match: Match) -> str:
    """Which match of its table this is, and the matches won in the order of its sides, like 2 : 1; "" for the first
    one. One query, seven if it is later."""
    series = series_of(match) if is_later(match) else None
    return f"{which_match(series, match)} · {totals(series.wins_in(match))}" if series else ""


def which_match(series: Series, match: Match) -> str:
    """Which match of the table it is, and who leads."""
    text = _("match {n} of up to {most}") if series.number_of(match) <= series.most else _("match {n}")
    return text.format(n=series.number_of(match), most=series.most)
