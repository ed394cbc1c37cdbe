"""What a user types about their own account."""

from django import forms
from django.utils.translation import gettext_lazy as _


class NewPasswordForm(forms.Form):
    new = forms.CharField(
        label=_("New password"),
        help_text=_("At least eight characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class PasswordChangeForm(NewPasswordForm):
    old = forms.CharField(
        label=_("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    field_order = ["old", "new"]
