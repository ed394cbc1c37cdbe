"""A new match: who plays, who sits where, which options. Everything about the game comes from the game."""

from collections.abc import Mapping
from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games import Game, GameError
from games.tiles import NAMES
from scorekeeper.forms.nights import GameForm
from scorekeeper.names import folded
from scorekeeper.services.errors import in_words
from scorekeeper.services.plain import NAME


class NewMatchForm(GameForm):
    """Fields `player-N`, for a draw `tile-N`, the options of the game and how long the match may take."""

    def __init__(
        self, game: Game, data: Any = None, *, initial: Mapping[str, str] | None = None, drawing: bool = False
    ) -> None:
        super().__init__(game, data, initial=initial)
        self.drawing = drawing
        self.count = max(game.seats)
        for seat in range(self.count):
            said = {"list": "players", "autocomplete": "off", "autocapitalize": "words"}
            needed = seat < min(game.seats)
            self.fields[f"player-{seat}"] = forms.CharField(
                label=_("Player {number}").format(number=seat + 1),
                max_length=NAME,
                required=needed,
                widget=forms.TextInput(attrs=said if needed else said | {"placeholder": _("or leave empty")}),
            )
            self.fields[f"tile-{seat}"] = forms.CharField(label=_("Tile"), required=drawing)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        people = self.people()
        names = [folded(name) for name in people if name]
        if len(set(names)) < len(names):
            raise forms.ValidationError(_("Each player sits in one seat only."))
        if not self.errors and (len(people) not in self.game.seats or len(names) < len(people)):
            raise forms.ValidationError(_("No name may be missing before another one: leave only the last ones empty."))
        if self.drawing and not self.errors:
            self.seats()
        return cleaned

    def clean_tile(self, text: str) -> str:
        """A tile as people type it: 46, 6-4 or 4 6."""
        digits = sorted((c for c in text if c.isdigit()), reverse=True)
        return "-".join(digits)

    def people(self) -> list[str]:
        """The names as they were typed, without the empty ones at the end that the game can do without."""
        people = [self.cleaned_data.get(f"player-{seat}", "") for seat in range(self.count)]
        while len(people) > min(self.game.seats) and not people[-1]:
            people.pop()
        return people

    def tiles(self) -> list[str]:
        return [self.clean_tile(self.cleaned_data.get(f"tile-{seat}", "")) for seat in range(self.count)]

    def seats(self) -> list[str]:
        """The names by seat as the draw puts them; ValidationError if these tiles decide nothing."""
        try:
            order = self.game.seats_by_draw(self.tiles())
        except GameError as error:
            raise forms.ValidationError(in_words(error)) from error
        people = self.people()
        return [people[person] for person in order]

    def player_fields(self) -> list[Any]:
        return [self[f"player-{seat}"] for seat in range(self.count)]

    def tile_fields(self) -> list[Any]:
        return [self[f"tile-{seat}"] for seat in range(self.count)]


def drawn_tiles(rng: Random, count: int) -> list[str]:
    """Tiles for who lets the phone draw, all different."""
    return rng.sample(NAMES, count)
