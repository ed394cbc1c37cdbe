"""With whom somebody wants to compare a player."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.services.storable import NAME


class CompareForm(forms.Form):
    name = forms.CharField(
        label=_("Compare with"),
        max_length=NAME,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off", "autocapitalize": "words"}),
    )
