"""What a visitor looks for."""

from collections.abc import Iterable, Mapping

from django import forms
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from scorekeeper.forms.days import Days, days_typed
from scorekeeper.models import Club
from scorekeeper.services.storable import NAME


class PageForm(forms.Form):
    """Which page of a list."""

    page = forms.IntegerField(
        min_value=1,
        max_value=10**4,
        required=False,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("There is no such page.")),
    )


class SearchForm(PageForm):
    q = forms.CharField(
        label=_("Search"), max_length=NAME, required=False, widget=forms.TextInput(attrs={"type": "search"})
    )

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        if not data.get("q"):
            self.fields["q"].widget.attrs["autofocus"] = True


class EverybodyForm(PageForm):
    """Whom the list of everybody shows."""

    q = forms.CharField(
        label=_("Name"), max_length=NAME, required=False, widget=forms.TextInput(attrs={"type": "search"})
    )
    club = forms.ChoiceField(
        label=_("Club"), required=False, error_messages={"invalid_choice": _("This club does not exist.")}
    )
    letter = forms.ChoiceField(
        label=_("First letter"),
        required=False,
        error_messages={"invalid_choice": _("Nobody’s name begins with this letter.")},
    )

    def __init__(self, data: Mapping[str, str], clubs: Iterable[Club], letters: Iterable[str]) -> None:
        super().__init__({**dict(data.items()), "letter": data.get("letter", "").lower()})
        choices = {
            "club": [("", _("all clubs")), *((str(club.pk), club.name) for club in clubs)],
            "letter": [("", _("all letters")), *((letter, letter.upper()) for letter in letters)],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered


def days_meant(text: str) -> Days | None:
    """The days that the text means in the visitor's language or in English; None if it is no date."""
    with override("en"):
        english = [[*map(str, names.values())] for names in (MONTHS, WEEKDAYS)]
    own = [[*map(str, names.values())] for names in (MONTHS, WEEKDAYS)]
    months, weekdays = (list(zip(*both, strict=True)) for both in zip(english, own, strict=True))
    return days_typed(text, months=months, weekdays=weekdays)
