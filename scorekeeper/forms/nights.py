"""What a host types and ticks on a club night."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Game
from scorekeeper.events.night import Wish
from scorekeeper.forms.options import OptionsForm
from scorekeeper.forms.typed import names_from
from scorekeeper.forms.whole import whole_number
from scorekeeper.services.errors import Refused
from scorekeeper.services.storable import NAME
from scorekeeper.words import players_words

LONGEST = 24 * 60  # minutes of a match
MOST_TABLES = 1000


class GameForm(OptionsForm):
    """How the club plays a game tonight: its options and the time limit."""

    minutes = whole_number(
        gettext_lazy("Minutes"),
        LONGEST,
        help_text=gettext_lazy("When time is up, the players finish their hand. Empty: no time limit."),
    )


class WishForm(forms.Form):
    """What to play next: a game, the maximum number of tables, and a second game for the players left over. `free`: how
    many people can play, if that is known."""

    def __init__(self, games: Sequence[Game[Any]], data: Any = None, *, free: int | None = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.games = {game.slug: game for game in games}
        choices = [(game.slug, _choice(game, free)) for game in games]
        self.fields["game"] = forms.ChoiceField(label=gettext_lazy("Game"), choices=choices)
        self.fields["tables"] = whole_number(
            gettext_lazy("Maximum number of tables"), MOST_TABLES, help_text=gettext_lazy("Empty: as many as possible.")
        )
        self.fields["second"] = forms.ChoiceField(
            label=gettext_lazy("Players left over"), choices=[("", _("sit out this time")), *choices], required=False
        )

    def wishes(self) -> list[Wish]:
        values = self.cleaned_data
        wishes = [Wish(self.games[values["game"]], values["tables"])]
        return wishes + ([Wish(self.games[values["second"]])] if values["second"] else [])


class NewNightForm(WishForm):
    """The first wish of a night, and its name."""

    name = forms.CharField(
        label=gettext_lazy("Name of the night"),
        help_text=gettext_lazy("Optional."),
        required=False,
        max_length=NAME,
    )


def _choice(game: Game[Any], free: int | None) -> str:
    """The game and how many play it; also if too few people are free for that."""
    name, players = _(game.name), players_words(game.seats)
    if free is None or free >= min(game.seats):
        return f"{name} ({players})"
    return _("{game} ({players}, too few are free)").format(game=name, players=players)


def ticked(data: QueryDict, name: str) -> list[int]:
    """The ids of the ticked players, each once. Skips text that is not a number."""
    return list(dict.fromkeys(int(text) for text in data.getlist(name) if text.isdecimal() and len(text) < 19))


def two_ticked(data: QueryDict) -> tuple[int, int]:
    """The two players who swap seats."""
    match ticked(data, "who"):
        case [one, other]:
            return one, other
    raise Refused("tick-two", _("Tick exactly two names to swap them."))


def guests(data: QueryDict) -> list[str]:
    """Names of guests, one on each line, each once."""
    return list(dict.fromkeys(names_from(data.get("guests", ""))))
