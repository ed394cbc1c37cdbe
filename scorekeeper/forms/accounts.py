"""What a user types about their own account."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.services.storable import NAME


class NewPasswordField(forms.CharField):
    """A password that somebody chooses. What was typed stays in the field when something else is wrong."""

    def __init__(self, **more: Any) -> None:
        widget = forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"})
        super().__init__(help_text=_("At least eight characters."), strip=False, widget=widget, **more)


class AccountForm(forms.Form):
    """A new account."""

    name = forms.CharField(label=_("Your name"), max_length=NAME, help_text=_("You will use it to sign in."))
    password = NewPasswordField(label=_("Password"))


class NewPasswordForm(forms.Form):
    new = NewPasswordField(label=_("New password"))


class PasswordChangeForm(NewPasswordForm):
    old = forms.CharField(
        label=_("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    field_order = ["old", "new"]
