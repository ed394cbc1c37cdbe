"""What a director types to set up a tournament."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from games.base import Game
from scorekeeper.forms.nights import LONGEST, NUMBER_ERRORS
from scorekeeper.services.storable import NAME
from scorekeeper.standings.worths import PLACE, RESULT

MOST_ROUNDS = 500
MOST_HANDS = 1000
HEADS = ["points", "head-to-head", "wins", "difference"]
TABLES = ["points", "firsts", "seconds", "difference"]
# By its name: for how many players a table is and whether they have partners, then the label and the setup.
Way = tuple[int, bool, Any, Mapping[str, Any]]
WAYS: Mapping[str, Way] = {
    "partners": (
        4,
        True,
        gettext_lazy("everybody partners everybody"),
        {"format": "partners", "size": 1, "double": False, "worth": RESULT, "order": ["points", "wins", "difference"]},
    ),
    "pairs": (
        4,
        True,
        gettext_lazy("fixed pairs, everybody plays everybody"),
        {"format": "heads", "size": 2, "double": False, "worth": RESULT, "order": HEADS},
    ),
    "heads": (
        2,
        False,
        gettext_lazy("everybody plays everybody"),
        {"format": "heads", "size": 1, "double": False, "worth": RESULT, "order": HEADS},
    ),
    "double": (
        2,
        False,
        gettext_lazy("everybody plays everybody twice"),
        {"format": "heads", "size": 1, "double": True, "worth": RESULT, "order": HEADS},
    ),
    "triples": (
        3,
        False,
        gettext_lazy("tables of three"),
        {"format": "triples", "size": 1, "double": False, "worth": PLACE, "order": TABLES},
    ),
    "fours": (
        4,
        False,
        gettext_lazy("tables of four, each player alone"),
        {"format": "fours", "size": 1, "double": False, "worth": PLACE, "order": TABLES},
    ),
}


def fits(game: Game[Any], way: Way) -> bool:
    """Whether the game can be played this way."""
    seats, partners, _label, _setup = way
    return seats in game.seats and (len(game.sides(seats)) < seats) == partners


def _number(label: Any, help_text: Any, most: int) -> forms.IntegerField:
    """An optional whole number from 1."""
    wrong = format_lazy(gettext_lazy("Enter a whole number from 1 to {most}."), most=most)
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        required=False,
        min_value=1,
        max_value=most,
        error_messages=dict.fromkeys(NUMBER_ERRORS, wrong),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )


class SetupForm(forms.Form):
    """A tournament's name, its game and way, and how long it takes."""

    name = forms.CharField(label=gettext_lazy("Name of the tournament"), max_length=NAME)
    preset = forms.ChoiceField(label=gettext_lazy("What is played"))
    rounds = _number(gettext_lazy("Number of rounds"), gettext_lazy("Empty: until everybody has met."), MOST_ROUNDS)
    hands = _number(gettext_lazy("Hands in each match"), gettext_lazy("Empty: by the game's own rule."), MOST_HANDS)
    minutes = _number(
        gettext_lazy("Minutes for each match"),
        gettext_lazy("When time is up, the players finish their hand. Empty: no time limit."),
        LONGEST,
    )

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        preset = self.fields["preset"]
        assert isinstance(preset, forms.ChoiceField)
        preset.choices = [
            (f"{game.slug}:{name}", f"{_(game.name)}: {way[2]}")
            for game in GAMES.values()
            for name, way in WAYS.items()
            if fits(game, way)
        ]

    def setup(self) -> dict[str, Any]:
        """The setup of `events.tournament.Tournament`."""
        values = self.cleaned_data
        slug, _colon, name = values["preset"].partition(":")
        hands = values["hands"]
        return {
            **WAYS[name][3],
            "game": slug,
            "options": {"hands": hands} if hands else {},
            "minutes": values["minutes"],
            "rounds": values["rounds"],
            "minimum_played": 0,
            "lots": "",
        }
