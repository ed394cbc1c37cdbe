"""A new club and its tables."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.forms.accounts import NewPasswordField
from scorekeeper.services.storable import NAME


class FoundForm(forms.Form):
    club_name = forms.CharField(label=_("Club name"), max_length=NAME)
    host_name = forms.CharField(label=_("Your name"), max_length=NAME, help_text=_("You will use it to sign in."))
    password = NewPasswordField(label=_("Password"))


class TableForm(forms.Form):
    name = forms.CharField(label=_("Table name"), max_length=NAME, required=False, help_text=_("Optional."))
