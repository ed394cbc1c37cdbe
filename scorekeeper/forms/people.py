"""What a host types about the people of a club."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scorekeeper.models import Club
from scorekeeper.services.storable import NAME

NAMES = 8000  # characters of a list of names


class PlayersForm(forms.Form):
    names = forms.CharField(
        label=_("Names, one per line"),
        max_length=NAMES,
        widget=forms.Textarea(attrs={"rows": 5, "autocapitalize": "words"}),
    )
    guest = forms.BooleanField(label=_("They are guests"), required=False)


class FilterForm(forms.Form):
    q = forms.CharField(
        label=_("Name"), max_length=NAME, required=False, widget=forms.TextInput(attrs={"type": "search"})
    )
    which = forms.ChoiceField(
        label=_("Who"),
        required=False,
        choices=[
            ("", _("everybody")),
            ("members", _("members")),
            ("guests", _("guests")),
            ("hidden", _("hidden")),
            ("left", _("left")),
            ("merged", _("merged with somebody")),
        ],
    )
    page = forms.IntegerField(min_value=1, max_value=10**6, required=False)


class LinkForm(forms.Form):
    """At which of these clubs somebody plays, too, and under which name."""

    there = forms.CharField(
        label=_("Name there"),
        max_length=NAME,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
    )

    def __init__(self, *given: Any, clubs: QuerySet[Club], **more: Any) -> None:
        super().__init__(*given, **more)
        self.clubs = clubs.order_by("name", "pk")
        self.fields["club"] = forms.ModelChoiceField(self.clubs, label=_("Also plays at"), empty_label=None)
        self.order_fields(["club", "there"])
