"""The criteria of standings in words: their names, and how each value is made up.

`manage.py standings --why` says the same sums with other numbers and names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.standings.comparison import TOO_FEW, apart
from scorekeeper.standings.criteria import MANUAL, Summand, Value
from scorekeeper.standings.ranking import Standing
from scorekeeper.words import number

NAMES: Mapping[str, Any] = {
    "points": gettext_lazy("Points"),
    "head-to-head": gettext_lazy("Head to head"),
    "wins": gettext_lazy("Won"),
    "rounds-won": gettext_lazy("Rounds won"),
    "games-second": gettext_lazy("Played second"),
    "wins-second": gettext_lazy("Won as second"),
    "progressive": gettext_lazy("Progressive"),
    "buchholz": gettext_lazy("Buchholz"),
    "buchholz-cut-1": gettext_lazy("Buchholz, cut 1"),
    "buchholz-cut-2": gettext_lazy("Buchholz, cut 2"),
    "buchholz-median-1": gettext_lazy("Buchholz, median 1"),
    "buchholz-median-2": gettext_lazy("Buchholz, median 2"),
    "average-of-buchholz": gettext_lazy("Average Buchholz"),
    "sonneborn-berger": gettext_lazy("Sonneborn-Berger"),
    "koya": gettext_lazy("Koya"),
    "rating-average": gettext_lazy("Average rating"),
    "difference": gettext_lazy("Difference"),
    "scored": gettext_lazy("Scored"),
    "conceded": gettext_lazy("Conceded"),
    "firsts": gettext_lazy("First places"),
    "seconds": gettext_lazy("Second places"),
    "thirds": gettext_lazy("Third places"),
    "best-table": gettext_lazy("Best table"),
    "start": gettext_lazy("Start number"),
    MANUAL: gettext_lazy("Director’s decision"),
    "lots": gettext_lazy("Lots"),
    TOO_FEW: gettext_lazy("Number of tables played"),
}
WITHOUT_COLUMN = frozenset({"start", MANUAL, "lots"})
"""They only break the last ties."""
AMONG_EQUALS = "head-to-head"
"""Its value is a place among those who are equal so far."""
NOTHING = "–"


def figure(value: Value) -> str:
    """The value of a criterion; – if there is none."""
    return NOTHING if value.value is None else value.value if isinstance(value.value, str) else number(value.value)


def figures(rows: Sequence[Standing], names: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """By entrant, the values of these criteria. A place among those who are equal only where it separates somebody."""
    separated = apart(rows, AMONG_EQUALS)

    def shown(row: Standing, name: str) -> str:
        return NOTHING if name == AMONG_EQUALS and row.entrant not in separated else figure(row.values[name])

    return {row.entrant: tuple(shown(row, name) for name in names) for row in rows}


def too_few_words(rows: Iterable[Standing], least: int) -> str:
    """What “too few tables” means; "" if nobody came to too few."""
    if not any(row.out for row in rows):
        return ""
    text = ngettext(
        "Too few tables: came to fewer than {n} table.", "Too few tables: came to fewer than {n} tables.", least
    )
    return text.format(n=least)


def parts(value: Value) -> Sequence[Summand]:
    return value.mean_of or value.summands


def made_up(total: str, value: Value, part: Callable[[Summand], str]) -> str:
    """How a value is made up: "10½ = 4 + 3½ + 3; left out: 1". "" for a value without parts."""
    if value.mean_of:
        return _("{value}, the mean of {parts}").format(value=total, parts=", ".join(map(part, value.mean_of)))
    if not value.summands:
        return ""
    kept = " + ".join(part(each) for each in value.summands if not each.cut) or "0"
    text = f"{total} = {kept.replace(' + −', ' − ')}"
    cut = [part(each) for each in value.summands if each.cut]
    return _("{sum}; left out: {parts}").format(sum=text, parts=", ".join(cut)) if cut else text


def origin(part: Summand, name: Callable[[int], str]) -> str:
    """Where a part of a value comes from."""
    if part.penalty is not None:
        return _("round {n}, penalty: {reason}").format(n=part.round, reason=part.penalty)
    if part.of:
        return _("round {n} from {names}").format(n=part.round, names=", ".join(map(name, part.of)))
    return _("round {n}").format(n=part.round)
