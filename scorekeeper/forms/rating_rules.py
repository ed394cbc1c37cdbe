"""What counts for the ratings of a club."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.forms.whole import whole_number
from scorekeeper.ratings import Rules

WEIGHTS = [
    (0, _("do not count")),
    (50, _("count half")),
    (100, _("count")),
    (150, _("count one and a half times")),
    (200, _("count twice")),
]


def weight(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, choices=WEIGHTS, coerce=int)


class RulesForm(forms.Form):
    nights = weight(_("Matches at club nights"))
    tournaments = weight(_("Matches in tournaments"))
    agreed = weight(_("Other matches"))
    shortest = whole_number(
        _("Least number of hands"),
        99,
        required=True,
        help_text=_("Shorter matches do not count. This does not ask about results without hands."),
    )
    unverified = forms.BooleanField(
        label=_("Results without hands count"),
        required=False,
        help_text=_("Of such a match only the totals were typed."),
    )

    @property
    def rules(self) -> Rules:
        """Of a valid form."""
        return Rules(**self.cleaned_data)


class PreviewForm(forms.Form):
    """Which job finds out what other rules would do."""

    job = forms.IntegerField(min_value=1, max_value=10**15, required=False)
