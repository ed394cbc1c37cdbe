"""Which ranking somebody wants to see."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class RankingForm(forms.Form):
    """`groups`: the groups of games that have ratings, by name and label. `today`: the last day that there is."""

    on = forms.DateField(label=_("On"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    page = forms.IntegerField(min_value=1, max_value=10**6, required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, groups: Sequence[tuple[str, str]], today: date) -> None:
        super().__init__(data)
        self.today = today
        games = forms.ChoiceField(label=_("Games"), required=False, choices=groups)
        self.fields = {"of": games, **self.fields}
        self.fields["on"].widget.attrs["max"] = today.isoformat()

    def clean_on(self) -> date | None:
        day: date | None = self.cleaned_data["on"]
        if day and day > self.today:
            raise forms.ValidationError(_("This day has not come yet. Choose one until today."))
        return day
