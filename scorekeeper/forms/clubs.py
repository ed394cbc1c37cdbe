"""A new club and its tables."""

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scorekeeper.forms.accounts import NewPasswordField
from scorekeeper.forms.zones import ZoneField
from scorekeeper.services.storable import NAME


class LanguageField(forms.ChoiceField):
    """The language of a club; at first that of the page."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Language"),
            choices=settings.LANGUAGES,
            initial=get_language,
            help_text=_(
                "For visitors whose phone asks for no language that we have. Everybody can choose another one."
            ),
        )


class ClubForm(forms.Form):
    """A new club of somebody with an account."""

    club_name = forms.CharField(label=_("Club name"), max_length=NAME)
    language = LanguageField()
    time_zone = ZoneField()


class FoundForm(ClubForm):
    """A new club of somebody without an account."""

    host_name = forms.CharField(label=_("Your name"), max_length=NAME, help_text=_("You will use it to sign in."))
    password = NewPasswordField(label=_("Password"))

    field_order = ("club_name", "host_name", "password")


class SettingsForm(forms.Form):
    name = forms.CharField(label=_("Club name"), max_length=NAME)
    language = LanguageField()
    time_zone = ZoneField()
    public = forms.BooleanField(
        label=_("Everybody may follow"),
        required=False,
        help_text=_("Otherwise only members who are signed in see the club. Phones with a table's code still record."),
    )


class TableForm(forms.Form):
    name = forms.CharField(label=_("Table name"), max_length=NAME, required=False, help_text=_("Optional."))
