"""A new match: its players, their seats, and its options. The game provides everything about itself."""

from collections.abc import Mapping
from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games import Game, GameError
from games.tiles import NAMES
from scorekeeper.forms.nights import GameForm
from scorekeeper.names import folded
from scorekeeper.services.storable import NAME
from scorekeeper.words import in_words, wrong_number_words


class NewMatchForm(GameForm):
    """Fields `player-N`, for a draw `tile-N`, the options of the game, and the time limit."""

    def __init__(
        self, game: Game[Any], data: Any = None, *, initial: Mapping[str, str] | None = None, drawing: bool = False
    ) -> None:
        super().__init__(game, data, initial=initial)
        self.drawing = drawing
        self.count = max(game.seats)
        for seat in range(self.count):
            attrs = {"list": "players", "autocomplete": "off", "autocapitalize": "words"}
            needed = seat < min(game.seats)
            self.fields[f"player-{seat}"] = forms.CharField(
                label=_("Player {number}").format(number=seat + 1),
                max_length=NAME,
                required=needed,
                error_messages={"required": wrong_number_words(game)},
                widget=forms.TextInput(attrs=attrs if needed else attrs | {"placeholder": _("or leave empty")}),
            )
            self.fields[f"tile-{seat}"] = forms.CharField(label=_("Tile"), required=drawing)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        people = self.people()
        names = [folded(name) for name in people if name]
        if len(set(names)) < len(names):
            raise forms.ValidationError(_("Each player can have only one seat."))
        if not self.errors and (len(people) not in self.game.seats or len(names) < len(people)):
            raise forms.ValidationError(_("Fill in the names in order. Only the last ones can be empty."))
        if self.drawing and not self.errors:
            self.seats()
        return cleaned

    def clean_tile(self, text: str) -> str:
        """A tile as people type it: 46, 6-4 or 4 6."""
        digits = sorted((c for c in text if c.isdigit()), reverse=True)
        return "-".join(digits)

    def people(self) -> list[str]:
        """The typed names, without empty ones at the end that the game does not need."""
        people = [self.cleaned_data.get(f"player-{seat}", "") for seat in range(self.count)]
        while len(people) > min(self.game.seats) and not people[-1]:
            people.pop()
        return people

    def rename(self, names: Mapping[str, str]) -> None:
        """Fills in these names for the typed ones."""
        people = {f"player-{seat}": names.get(typed, typed) for seat, typed in enumerate(self.people())}
        # Field by field: a request's data is a dict of lists inside.
        self.data = {field: self.data[field] for field in self.data} | people

    def tiles(self) -> list[str]:
        return [self.clean_tile(self.cleaned_data.get(f"tile-{seat}", "")) for seat in range(self.count)]

    def seats(self) -> list[str]:
        """The names by seat after the draw; ValidationError if the tiles do not decide the seats."""
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
    """Different tiles, if the phone draws for the players."""
    return rng.sample(NAMES, count)
