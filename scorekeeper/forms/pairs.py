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
    go = forms.BooleanField(required=False)

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data["go"] and not self.cleaned_data.get("name") and not self.errors:
            self.add_error("name", _("Type the name of the person to compare with."))
