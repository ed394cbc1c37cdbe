"""What each entrant can still reach, in words."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.standings.possible import Chance, Prospect

WORDS = {
    None: "",
    Chance.SURE: gettext_lazy("sure of a prize"),
    Chance.OUT: gettext_lazy("out of the prize places"),
    Chance.NEEDS_WIN: gettext_lazy("needs a win"),
}


@dataclass(frozen=True, slots=True)
class Reach:
    """What an entrant can still reach."""

    places: str
    """Like 1–4."""
    title: str
    """The same as a sentence."""
    bound: bool
    """Whether the range may be narrower."""
    chance: Chance | None
    """Of a prize place."""
    by_points: bool

    @property
    def words(self) -> str:
        """The chance in words; "" if nothing is certain."""
        return str(WORDS[self.chance])


def reach(prospect: Prospect) -> Reach:
    best, worst, exact = prospect.possible
    places = str(best) if best == worst else f"{best}–{worst}"
    title = _title(prospect).format(n=best, best=best, worst=worst)
    return Reach(places, title, not exact and best != worst, prospect.chance, prospect.by_points)


def _title(prospect: Prospect) -> str:
    best, worst, exact = prospect.possible
    if not prospect.by_points:
        if best == worst:
            return _("Only place {n} is possible.")
        return _("The best possible place is {best} and the worst {worst}.")
    if best == worst:
        return _("By points, only place {n} is possible.")
    if exact:
        return _("By points, the best possible place is {best} and the worst {worst}.")
    return _("By points, no place better than {best} or worse than {worst} is possible.")


def head(shown: Iterable[Reach]) -> str:
    """Of a column of places without further words."""
    return _("Can reach at most") if any(each.bound for each in shown) else _("Can reach")


def notes(shown: Collection[Reach]) -> list[str]:
    """What the words at these entrants mean."""
    if not shown:
        return []
    found = [
        _("Can reach: the best and the worst place by points that are possible, however the open tables end.")
        if all(each.by_points for each in shown)
        else _("Can reach: the best place that is still open, and the one they have for sure.")
    ]
    if any(each.bound for each in shown):
        found.append(_("At most: the range may be narrower. Too much is open to work it out."))
    if any(each.chance is Chance.NEEDS_WIN for each in shown):
        found.append(_("Needs a win: without a win at their next table they are out of the prize places."))
    return found
