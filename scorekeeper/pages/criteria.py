"""The criteria of standings in words: their names, and how each value is made up.

`manage.py standings --why` says the same sums with other numbers and names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.forms import criteria
from scorekeeper.selectors.tournaments import BROUGHT_ALONG
from scorekeeper.standings.comparison import TOO_FEW
from scorekeeper.standings.criteria import MANUAL, Comparison, Summand, Value
from scorekeeper.standings.exact import Number, mean, total
from scorekeeper.standings.ranking import Standing
from scorekeeper.words import listed, number

NAMES: Mapping[str, Any] = {**criteria.NAMES, TOO_FEW: gettext_lazy("Number of tables played")}
WITHOUT_COLUMN = frozenset({"start", MANUAL, "lots"})
"""They only break the last ties."""
UNPLAYED: Mapping[str, Any] = {
    "bye": gettext_lazy("bye"),
    "asked": gettext_lazy("asked off"),
    "absent": gettext_lazy("absent"),
    "forfeit": gettext_lazy("forfeit"),
}
"""What there was instead of play, as in `Turn.instead`."""
AMONG_EQUALS = "head-to-head"
"""Its value is a place among those who are equal so far."""
MOST_NAMED = 8
"""Of entrants who are compared; of more, only the number is said."""


def figure(criterion: str, value: Value) -> str:
    """The value of a criterion; – if there is none, or it compares somebody with nobody: no one is equal, or they have
    not met their equals."""
    alone = criterion == AMONG_EQUALS and not any(step.summands for step in value.compared)
    return "–" if value.value is None or alone else value.value if isinstance(value.value, str) else number(value.value)


def too_few_words(rows: Iterable[Standing], least: int) -> str:
    """What “too few tables” means; "" if nobody came to too few."""
    if not any(row.out for row in rows):
        return ""
    text = ngettext(
        "Too few tables: came to fewer than {n} table.", "Too few tables: came to fewer than {n} tables.", least
    )
    return text.format(n=least)


def parts(value: Value) -> Sequence[Summand]:
    return value.mean_of or value.best_of or value.summands


def made_up(text: str, value: Value, part: Callable[[Summand], str]) -> str:
    """How a value is made up: "10½ = 4 + 3½ + 3; left out: 1". "" for a value without parts."""
    shown = ", ".join(map(part, parts(value)))
    if value.mean_of:
        rounded = mean([each.value for each in value.mean_of]) != value.value
        words = _("{value}, the mean of {parts}, rounded") if rounded else _("{value}, the mean of {parts}")
        return words.format(value=text, parts=shown)
    if value.best_of:
        return _("{value}, the best of {parts}").format(value=text, parts=shown)
    return _added(text, value.summands, part) if value.summands else ""


def compared(
    step: Comparison, name: Callable[[int], str], part: Callable[[Summand], str], value: Callable[[Number], str]
) -> str:
    """What a step of head to head compared: "Ana, Bo and Cleo: 1½ = 1 + ½"."""
    named = len(step.among) <= MOST_NAMED
    who = listed([name(each) for each in step.among]) if named else _("{n} entrants").format(n=len(step.among))
    return f"{who}: {_added(value(total(each.value for each in step.summands)), step.summands, part)}"


def _added(text: str, summands: Sequence[Summand], part: Callable[[Summand], str]) -> str:
    kept = " + ".join(part(each) for each in summands if not each.cut) or "0"
    added = f"{text} = {kept.replace(' + −', ' − ')}"
    cut = [part(each) for each in summands if each.cut]
    return _("{sum}; left out: {parts}").format(sum=added, parts=", ".join(cut)) if cut else added


def origin(part: Summand, round_number: int, name: Callable[[int], str]) -> str:
    """Where a part of a value comes from. `round_number`: that of its round in the whole tournament."""
    if part.penalty == BROUGHT_ALONG:
        return _("from the stage before")
    if part.penalty is not None:
        return _("round {n}, penalty: {reason}").format(n=round_number, reason=part.penalty)
    text = _("round {n} from {names}") if part.of else _("round {n}")
    where = text.format(n=round_number, names=", ".join(map(name, part.of)))
    return f"{where}, {UNPLAYED[part.instead]}" if part.instead else where
