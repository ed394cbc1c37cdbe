"""What a user types about their own account."""

from datetime import timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scorekeeper.models import Club
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


class PresentPasswordField(forms.CharField):
    def __init__(self) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        super().__init__(label=_("Present password"), strip=False, widget=widget)


class PasswordChangeForm(NewPasswordForm):
    old = PresentPasswordField()

    field_order = ["old", "new"]


class AddressField(forms.EmailField):
    def __init__(self, **more: Any) -> None:
        widget = forms.EmailInput(attrs={"autocomplete": "email"})
        super().__init__(label=_("Mail address"), max_length=254, widget=widget, **more)


class AddressForm(forms.Form):
    address = AddressField(required=False)
    old = PresentPasswordField()


class ForgottenForm(forms.Form):
    address = AddressField()


class ProgramForm(forms.Form):
    """A token for a program, in one of these clubs."""

    program = forms.CharField(label=_("Name of the program"), max_length=NAME)
    lives = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[(7, _("a week")), (90, _("three months")), (365, _("a year"))],
        coerce=lambda days: timedelta(days=int(days)),
    )

    def __init__(self, *given: Any, clubs: QuerySet[Club], **more: Any) -> None:
        super().__init__(*given, **more)
        self.clubs = clubs.order_by("name", "pk")
        self.fields["club"] = forms.ModelChoiceField(self.clubs, label=_("Club"), empty_label=None)
        self.order_fields(["program", "club"])
