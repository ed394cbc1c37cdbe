"""Which blank score sheets to print."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Game
from scorekeeper.models import Event

MOST = 60  # sheets printed at once
DIGITS = forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"})


class SheetsForm(forms.Form):
    """Sheets without names: the game, how many, and the first number."""

    count = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=MOST, initial=6, widget=DIGITS)
    first = forms.IntegerField(
        label=gettext_lazy("First number"), min_value=1, max_value=9999, initial=1, widget=DIGITS
    )

    def __init__(self, games: Sequence[Game[Any]], data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.fields["game"] = forms.ChoiceField(label=_("Game"), choices=[(game.slug, _(game.name)) for game in games])

    def numbers(self) -> range:
        """The numbers of these sheets."""
        first: int = self.cleaned_data["first"]
        return range(first, first + self.cleaned_data["count"])


def sheet_number(night: Event, *parts: int) -> str:
    """The number of a sheet of this night: its round and table, or a running number."""
    return f"{night.pk}-" + ".".join(map(str, parts))
