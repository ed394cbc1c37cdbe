"""A new match: who plays, who sits where, which options. Everything about the game comes from the game."""

from collections.abc import Mapping
from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Game, GameError
from games.base import Option
from games.read import LARGEST
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.services.errors import in_words
from scorekeeper.services.plain import NAME


class NewMatchForm(forms.Form):
    """Fields `player-N`, for a draw `tile-N`, and an `option-NAME` for each option of the game."""

    def __init__(
        self, game: Game, data: Any = None, *, initial: Mapping[str, str] | None = None, drawing: bool = False
    ) -> None:
        super().__init__(data, initial=initial)
        self.game, self.drawing = game, drawing
        self.count = max(game.seats)
        for seat in range(self.count):
            self.fields[f"player-{seat}"] = forms.CharField(
                label=_("Player {number}").format(number=seat + 1),
                max_length=NAME,
                widget=forms.TextInput(attrs={"list": "players", "autocomplete": "off", "autocapitalize": "words"}),
            )
            self.fields[f"tile-{seat}"] = forms.CharField(label=_("Tile"), required=drawing)
        # A flag with a single value leaves nothing to choose.
        self.choosable = [option for option in game.options if option.choices != (option.default,)]
        for option in self.choosable:
            self.fields[f"option-{option.name}"] = _field(option)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        names = [name for name in self.people() if name]
        if len(set(names)) < len(names):
            raise forms.ValidationError(_("Each player sits in one seat only."))
        if self.drawing and not self.errors:
            self.seats()
        return cleaned

    def clean_tile(self, text: str) -> str:
        """A tile as people type it: 46, 6-4 or 4 6."""
        digits = sorted((c for c in text if c.isdigit()), reverse=True)
        return "-".join(digits)

    def people(self) -> list[str]:
        return [self.cleaned_data.get(f"player-{seat}", "") for seat in range(self.count)]

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

    def options(self) -> dict[str, Any]:
        return {
            option.name: _value(option, self.cleaned_data.get(f"option-{option.name}")) for option in self.choosable
        }

    def changed_options(self) -> bool:
        """Whether any option is other than the game's default, so that its fields should be shown."""
        return any(field.errors or field.value() != field.initial for field in self.option_fields() if self.is_bound)

    def player_fields(self) -> list[Any]:
        return [self[f"player-{seat}"] for seat in range(self.count)]

    def tile_fields(self) -> list[Any]:
        return [self[f"tile-{seat}"] for seat in range(self.count)]

    def option_fields(self) -> list[Any]:
        return [self[f"option-{option.name}"] for option in self.choosable]


def drawn_tiles(rng: Random, count: int) -> list[str]:
    """Tiles for who lets the phone draw, all different."""
    return rng.sample(NAMES, count)


def _field(option: Option) -> forms.Field:
    label, help_text = _(option.label), _(option.help)
    if option.kind == "flag":
        return forms.BooleanField(label=label, help_text=help_text, initial=option.default, required=False)
    if option.kind == "choice":
        # Said in full, the choices need no help.
        choices = [(value, words.chosen(option.name, value)) for value in option.choices]
        return forms.ChoiceField(label=label, initial=option.default, choices=choices)
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        initial=option.default,
        min_value=1,
        max_value=LARGEST - 1,
        required=option.default is not None,
        error_messages={"required": gettext_lazy("A number is needed here.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )


def _value(option: Option, value: Any) -> Any:
    return option.default if value in (None, "") and option.kind != "flag" else value
