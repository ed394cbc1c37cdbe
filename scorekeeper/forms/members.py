"""What an owner chooses about the members of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.models import Role
from scorekeeper.services.members import GIVEN

ROLES = [(role.value, role.label) for role in Role]
INVITED = [(role.value, role.label) for role in GIVEN]


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=INVITED, initial="director")


class MemberForm(forms.Form):
    member = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    role = forms.ChoiceField(choices=ROLES, required=False)
