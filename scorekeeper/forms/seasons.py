"""What a host types about a season."""

import re
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from scorekeeper.forms.whole import whole_number
from scorekeeper.models import Season
from scorekeeper.services.storable import NAME
from scorekeeper.words import group_words

MOST_EVENTS = 1000
BEATEN, OWN = "beaten", "own"
SCALES = ("10 7 5 3 1", "5 4 3 2 1", "25 18 15 12 10 8 6 4 2 1")
"""Points for places that are offered."""


def _day(label: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))


class SeasonForm(forms.Form):
    """All settings of a season; `of_season` has the fields of an earlier one."""

    name = forms.CharField(label=gettext_lazy("Name of the season"), max_length=NAME)
    starts_on = _day(gettext_lazy("First day"))
    ends_on = _day(gettext_lazy("Last day"))
    of = forms.ChoiceField(
        label=gettext_lazy("What counts"),
        choices=Season.Of.choices,
        help_text=gettext_lazy("Matches outside of nights and tournaments count in no season."),
    )
    by = forms.ChoiceField(label=gettext_lazy("What people collect"), choices=Season.By.choices)
    points = forms.CharField(
        label=gettext_lazy("Other points"),
        help_text=gettext_lazy("The first place first, for example 8 5 3 2 1. Later places get none."),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    best = whole_number(
        gettext_lazy("Only the best results of each person"),
        MOST_EVENTS,
        help_text=gettext_lazy("How many count. Empty: all."),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        groups = dict.fromkeys([*(game.family for game in GAMES.values() if game.family), *GAMES])
        games = [("", _("all games together")), *((group, group_words(group)) for group in groups)]
        self.fields["group"] = forms.ChoiceField(label=_("Games"), required=False, choices=games)
        self.fields["scale"] = forms.ChoiceField(
            label=_("Points for places"),
            choices=[
                *((scale, scale.replace(" ", ", ")) for scale in SCALES),
                (BEATEN, _("one for each person placed lower")),
                (OWN, _("other points:")),
            ],
        )
        self.order_fields(["name", "starts_on", "ends_on", "of", "group", "by", "scale", "points", "best"])

    def clean(self) -> None:
        super().clean()
        values = self.cleaned_data
        values["points"] = self._points(values.pop("scale", ""), values.get("points", ""))

    def _points(self, scale: str, typed: str) -> list[int]:
        """The points for places; empty if places have none of their own. To type other points is to choose them."""
        by_place = self.cleaned_data.get("by") == Season.By.PLACE
        if typed and "points" in self.changed_data and (not by_place or scale != OWN):
            if not by_place or "scale" in self.changed_data:
                text = _(
                    "You chose something else above. Empty this field, or choose points for places and other points."
                )
                self.add_error("points", text)
                return []
            scale, self.data = OWN, {**self.data, "scale": OWN}  # which the form shows from now on
        if scale == BEATEN or not by_place:
            return []
        points = [part for part in re.split(r"[\s,;]+", typed if scale == OWN else scale) if part]
        if points and all(part.isascii() and part.isdigit() and len(part) < 10 for part in points):
            return list(map(int, points))
        self.add_error("points", _("Enter whole numbers with spaces between them, the first place first."))
        return []


def of_season(season: Season) -> dict[str, Any]:
    """The fields of the form for a season."""
    typed = " ".join(map(str, season.points))
    scale = typed if typed in SCALES else OWN if typed else BEATEN
    columns = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "of", "by", "group", "best")}
    return {**columns, "scale": scale, "points": typed if scale == OWN else ""}


def of_new(today: date) -> dict[str, Any]:
    """The fields of the form for a season of nights that begins today, until the end of the year."""
    kinds = {"of": Season.Of.NIGHTS, "by": Season.By.PLACE, "scale": SCALES[0]}
    return {"starts_on": today, "ends_on": date(today.year, 12, 31), **kinds}
