"""Which ranking somebody wants to see."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.forms.whole import whole_number
from scorekeeper.models import Club, Season
from scorekeeper.services.storable import NAME

ACTIVE_DAYS = 60
"""Somebody is active who has played within this number of days."""
EARLIEST = date(1970, 1, 1)
MOST_MATCHES = 10_000
SPANS = {
    "week": gettext_lazy("7 days"),
    "month": gettext_lazy("30 days"),
    "night": gettext_lazy("since the last night began"),
    "year": gettext_lazy("1 year"),
}
NO_DATE = {"invalid": gettext_lazy("This is no date. Write it like 2026-05-09.")}


class RankingForm(forms.Form):
    """The filters of a ranking. `groups`: the groups of games, by name and label; `today`: the last day that there is.
    The ranking of a club may have `seasons` and nights, that of the server has `clubs`."""

    of = forms.ChoiceField(
        label=gettext_lazy("Games"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no ranking of these games. Choose others.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    on = forms.DateField(
        label=gettext_lazy("On"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages=NO_DATE,
    )
    moved = forms.ChoiceField(
        label=gettext_lazy("Movement"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no movement of this kind. Choose another one.")},
    )
    since = forms.DateField(
        label=gettext_lazy("Movement since this day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages=NO_DATE,
    )
    season = forms.ChoiceField(
        label=gettext_lazy("Season"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("This season does not exist. Choose another one.")},
    )
    club = forms.ChoiceField(
        label=gettext_lazy("Club"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("This club does not exist. Choose another one.")},
    )
    least = whole_number(gettext_lazy("Least number of matches"), MOST_MATCHES)
    active = forms.BooleanField(
        label=format_lazy(gettext_lazy("Only who has played in the last {n} days"), n=ACTIVE_DAYS), required=False
    )
    members = forms.BooleanField(label=gettext_lazy("Only members, no guests"), required=False)
    page = forms.IntegerField(required=False, min_value=1, max_value=10**6)

    def __init__(
        self,
        data: Any,
        *,
        groups: Sequence[tuple[str, str]],
        today: date,
        seasons: Sequence[Season] = (),
        clubs: Sequence[Club] | None = None,
    ) -> None:
        super().__init__(data)
        self.today, self.seasons = today, {str(season.pk): season for season in seasons}
        self.clubs = {club.slug: club.name for club in clubs or ()}
        of_server = clubs is not None
        spans = [(name, label) for name, label in SPANS.items() if not (of_server and name == "night")]
        self._choose("of", groups)
        self._choose("moved", spans)
        self._choose("season", [("", _("any"))] * bool(seasons) + [(str(each.pk), each.name) for each in seasons])
        self._choose("club", [("", _("all"))] * of_server + [*self.clubs.items()])
        for name in ("on", "since"):
            self.fields[name].widget.attrs["max"] = today.isoformat()

    def _choose(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean_on(self) -> date | None:
        return self._past(self.cleaned_data["on"])

    def clean_since(self) -> date | None:
        return self._past(self.cleaned_data["since"])

    def _past(self, day: date | None) -> date | None:
        if day and day > self.today:
            raise forms.ValidationError(_("This day has not come yet. Choose one until today."))
        if day and day < EARLIEST:
            raise forms.ValidationError(_("Nobody had a rating then. Choose a later day."))
        return day

    def clean(self) -> dict[str, Any]:
        found = self.cleaned_data
        season, day = self.seasons.get(found.get("season", "")), found.get("on") or self.today
        if season and season.starts_on > day:
            begins = date_format(season.starts_on, "j M Y")
            self.add_error("season", _("This season begins on {day}. Choose another one.").format(day=begins))
        if found.get("since") and found["since"] > day:
            self.add_error("since", _("Movement ends on the day of the ranking. Choose an earlier day."))
        return found
