"""The options of a game as fields; all about them comes from the game."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Game
from games.base import Option
from games.read import LARGEST
from scorekeeper import words


class OptionsForm(forms.Form):
    """An `option-NAME` for each option of the game."""

    def __init__(self, game: Game, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.game = game
        # A flag with a single value leaves nothing to choose.
        self.choosable = [option for option in game.options if option.choices != (option.default,)]
        for option in self.choosable:
            self.fields[f"option-{option.name}"] = _field(option)

    def options(self) -> dict[str, Any]:
        return {
            option.name: _value(option, self.cleaned_data.get(f"option-{option.name}")) for option in self.choosable
        }

    def changed_options(self) -> bool:
        """Whether any option is other than the game's default, so that its fields should be shown."""
        return any(field.errors or field.value() != field.initial for field in self.option_fields() if self.is_bound)

    def option_fields(self) -> list[Any]:
        return [self[f"option-{option.name}"] for option in self.choosable]


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
