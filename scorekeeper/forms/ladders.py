"""What people type about a ladder: its setup, who joins, a rung, a day."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.base import Game
from scorekeeper.events.ladder import CLIMBS, STAYS
from scorekeeper.events.setup import fits
from scorekeeper.forms.directing import whole
from scorekeeper.forms.nights import GameForm
from scorekeeper.forms.options import as_typed
from scorekeeper.forms.whole import whole_number
from scorekeeper.services.errors import Refused
from scorekeeper.services.ladders import MOST_DAYS, MOST_ENTRANTS, MOST_RUNGS
from scorekeeper.services.storable import NAME

SIZES = {1: gettext_lazy("single players"), 2: gettext_lazy("pairs")}
CONSEQUENCES = {
    CLIMBS: gettext_lazy("the challenger takes the place"),
    STAYS: gettext_lazy("the order stays"),
}
OWN = ("size", "reach", "days", "gap", "unanswered", "declined", "unplayed", "by_players", "public")
"""What the form has as the setup has it."""


def _consequence(label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(CONSEQUENCES.items()))


class LadderForm(GameForm):
    """Everything about a ladder. It belongs to a game. `begun`: people are on it, so how many share a rung stays."""

    name = forms.CharField(label=gettext_lazy("Name of the ladder"), max_length=NAME)
    size = forms.TypedChoiceField(label=gettext_lazy("On the ladder are"), coerce=int)
    reach = whole_number(gettext_lazy("How many rungs up a challenge may go"), MOST_RUNGS, required=True)
    days = whole_number(gettext_lazy("Days to play a challenge"), MOST_DAYS, required=True)
    gap = whole_number(
        gettext_lazy("Days before the same two may have another challenge"), MOST_DAYS, least=0, required=True
    )
    unanswered = _consequence(gettext_lazy("If a challenge is not answered by its last day"))
    declined = _consequence(gettext_lazy("If a challenge is declined"))
    unplayed = _consequence(gettext_lazy("If a challenge is accepted, but not played by its last day"))
    by_players = forms.BooleanField(
        label=gettext_lazy("Players may challenge, answer, start and type their own matches"),
        help_text=gettext_lazy("Those who are signed in and have claimed their name."),
        required=False,
    )
    public = forms.BooleanField(
        label=gettext_lazy("Everybody may follow"),
        help_text=gettext_lazy("Otherwise only hosts see the pages of the ladder."),
        required=False,
    )

    def __init__(self, game: Game[Any], data: Any = None, *, begun: bool = False, **rest: Any) -> None:
        super().__init__(game, data, **rest)
        size = self.fields["size"]
        assert isinstance(size, forms.ChoiceField)
        size.choices = [(number, SIZES[number]) for number in sizes_of(game)]
        size.disabled = begun  # Django then keeps what it was, whatever is sent

    def setup(self) -> dict[str, Any]:
        """The setup of `events.ladder.Ladder`."""
        values = self.cleaned_data
        own = {name: values[name] for name in OWN}
        return {"game": self.game.slug, "options": self.options(), "minutes": values["minutes"], **own}


def sizes_of(game: Game[Any]) -> list[int]:
    """How many players may share a rung of a ladder of this game."""
    return [size for size in SIZES if fits(game, "heads", size)]


def of_ladder(setup: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The fields of the form for a ladder that is set up already, or for what a new one proposes."""
    return {**as_typed(setup["options"], setup["minutes"]), **{each: setup[each] for each in OWN}, "name": name}


def rung(text: str) -> int:
    """Refused "bad-number"."""
    return whole(text, what=_("Rung"), least=1, most=MOST_ENTRANTS)


def day(text: str) -> date:
    """Refused "bad-date"."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise Refused("bad-date", _("Choose a day.")) from error
