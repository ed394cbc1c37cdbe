"""What an owner types about the members of a club, and what somebody types who accepts an invitation."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.services.members import GIVEN
from scorekeeper.services.storable import NAME

ROLES = [(role.value, role.label) for role in GIVEN]


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=ROLES, initial="director")


class MemberForm(forms.Form):
    member = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    role = forms.ChoiceField(choices=ROLES, required=False)


class JoinForm(forms.Form):
    name = forms.CharField(label=_("Your name"), max_length=NAME, help_text=_("You will use it to sign in."))
    password = forms.CharField(
        label=_("Password"),
        help_text=_("At least eight characters."),
        strip=False,
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password"}),
    )
