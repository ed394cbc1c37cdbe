"""A club night as its host types and ticks it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Game
from scorekeeper.forms.entries import names_from
from scorekeeper.forms.options import OptionsForm
from scorekeeper.services.nights import Wish
from scorekeeper.services.plain import NAME

LONGEST = 24 * 60  # minutes of a match


class GameForm(OptionsForm):
    """How a game is played tonight: its options, and how long a match may take."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"),
        help_text=gettext_lazy("The hand in play then is finished. Empty: no limit of time."),
        required=False,
        min_value=1,
        max_value=LONGEST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )


class WishForm(forms.Form):
    """What is to be played next: a game, at most so many tables of it, and what those play who are left over."""

    def __init__(self, games: Sequence[Game], data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.games = {game.slug: game for game in games}
        choices = [(game.slug, f"{_(game.name)} ({'–'.join(map(str, game.seats))})") for game in games]
        self.fields["game"] = forms.ChoiceField(label=gettext_lazy("Game"), choices=choices)
        self.fields["tables"] = forms.IntegerField(
            label=gettext_lazy("Tables at most"),
            help_text=gettext_lazy("Empty: as many as fit."),
            required=False,
            min_value=1,
            max_value=1000,
            widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
        )
        self.fields["second"] = forms.ChoiceField(
            label=gettext_lazy("Who is left over"), choices=[("", _("sits out this time")), *choices], required=False
        )

    def wishes(self) -> list[Wish]:
        given = self.cleaned_data
        wishes = [Wish(self.games[given["game"]], given["tables"])]
        return wishes + ([Wish(self.games[given["second"]])] if given["second"] else [])


class NewNightForm(WishForm):
    """The first wish of a night, and what it is called."""

    name = forms.CharField(
        label=gettext_lazy("Name of the night"),
        help_text=gettext_lazy("May be left empty."),
        required=False,
        max_length=NAME,
    )


def ticked(data: QueryDict, name: str) -> list[int]:
    """The players whose boxes of that name are ticked, each once; what is no number is nobody."""
    return list(dict.fromkeys(int(text) for text in data.getlist(name) if text.isdecimal() and len(text) < 19))


def guests(data: QueryDict) -> list[str]:
    """Names of guests, one a line, each once."""
    return list(dict.fromkeys(names_from(data.get("guests", ""))))
