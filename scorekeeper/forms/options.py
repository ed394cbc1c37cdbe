"""The options of a game as fields. The game provides everything about them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES, Game
from games.base import Option
from games.read import LARGEST
from scorekeeper import words


class OptionsForm(forms.Form):
    """A field `option-NAME` for each option of the game."""

    def __init__(self, game: Game[Any], data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.game = game
        # An option with a single value is not a choice.
        self.choosable = [option for option in game.options if option.choices != (option.default,)]
        for option in self.choosable:
            self.fields[f"option-{option.name}"] = _field(option)

    def options(self) -> dict[str, Any]:
        return {
            option.name: _value(option, self.cleaned_data.get(f"option-{option.name}")) for option in self.choosable
        }

    def option_fields(self) -> list[Any]:
        return [self[f"option-{option.name}"] for option in self.choosable]

    def preset_fields(self) -> list[Any]:
        """The switches in which this preset differs from the others of its family."""
        return [self[f"option-{name}"] for name in self.game.preset]

    def other_presets(self) -> list[dict[str, Any]]:
        """The other presets of the family: the switches they turn on, and whether exactly these are on."""
        on = {field.name for field in self.preset_fields() if _typed(field.value()) == "on"}
        kin = [game for game in GAMES.values() if game.preset == self.game.preset and game is not self.game]
        presets = []
        for game in kin if self.game.preset else ():
            usual = {option.name: option.default for option in game.options}
            switches = [f"option-{name}" for name in game.preset if usual[name]]
            presets.append({"name": game.name, "switches": switches, "chosen": set(switches) == on})
        return presets

    def goal_fields(self) -> list[Any]:
        """The number to which a preset is played, shown with its switches."""
        whole = [option.name for option in self.choosable if option.kind == "whole"]
        return [self[f"option-{name}"] for name in whole[:1]] if self.game.preset else []

    def other_fields(self) -> list[Any]:
        shown = [field.name for field in self.preset_fields() + self.goal_fields()]
        return [field for field in self.option_fields() if field.name not in shown]

    def changed_others(self) -> bool:
        """Whether a hidden option differs from the game's default, even if it is the same as last time."""
        return any(
            field.errors or _typed(field.value()) != _typed(field.field.initial) for field in self.other_fields()
        )


def as_typed(options: Mapping[str, Any], minutes: int | None) -> dict[str, str]:
    """Options and minutes as the fields of the form contain them."""
    values = {f"option-{name}": value for name, value in options.items()} | {"minutes": minutes}
    return {name: _typed(value) for name, value in values.items()}


def _typed(value: Any) -> str:
    return "on" if value is True else str(value or "")


class _Number(forms.IntegerField):
    """A number, with the most common ones as buttons."""

    def __init__(self, *, quick: Sequence[int], **rest: Any) -> None:
        super().__init__(**rest)
        self.quick = quick


def _field(option: Option) -> forms.Field:
    label, help_text = _(option.label), _(option.help)
    if option.kind == "flag":
        return forms.BooleanField(label=label, help_text=help_text, initial=option.default, required=False)
    if option.kind == "choice":
        # The choices are complete sentences, so they need no help text.
        choices = [(value, words.chosen(option.name, value)) for value in option.choices]
        return forms.ChoiceField(label=label, initial=option.default, choices=choices)
    return _Number(
        label=label,
        quick=option.choices,
        help_text=help_text,
        initial=option.default,
        min_value=1,
        max_value=LARGEST - 1,
        required=option.default is not None,
        error_messages={"required": gettext_lazy("Enter a number.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )


def _value(option: Option, value: Any) -> Any:
    return option.default if value in (None, "") and option.kind != "flag" else value
