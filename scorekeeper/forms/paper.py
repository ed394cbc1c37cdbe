"""The page that copies a paper sheet: players, one row for each hand, and the result."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import Malformed
from games.base import Game
from scorekeeper import words
from scorekeeper.forms.columns import Choice, Column, columns, grouped
from scorekeeper.forms.options import OptionsForm
from scorekeeper.forms.tally import Tally, TypedRow, TypedSheet, count
from scorekeeper.names import folded
from scorekeeper.services import storable
from scorekeeper.services.paper import SHEET
from scorekeeper.services.storable import NAME

EARLIEST = 1900  # year of a match
ROWS = 200  # at most
FEW = 4  # rows of an empty sheet
FIELD = re.compile(r"h(\d{1,3})-([a-z]+(?:-\d)?)")
AT = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True, slots=True)
class Cell:
    """The field of a column in a row."""

    name: str
    column: Column
    typed: str
    choices: tuple[tuple[Choice, str], ...]
    """Each with its text."""
    wrong: bool


class PaperForm(OptionsForm):
    """`player-N`, `total-N` for each side, the options, date and number; the hands are in `rows`."""

    at = forms.DateTimeField(
        label=gettext_lazy("Date and time"),
        input_formats=[AT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT),
    )
    sheet = forms.CharField(label=gettext_lazy("Sheet number"), required=False, max_length=SHEET)
    stopped = forms.ChoiceField(
        label=gettext_lazy("How did it end?"),
        required=False,
        choices=[
            ("", gettext_lazy("as usual, by the rules")),
            ("time", gettext_lazy("time was up: the score counts")),
            ("early", gettext_lazy("ended early: the score counts")),
            ("abandoned", gettext_lazy("abandoned: nobody won")),
        ],
    )

    def __init__(self, game: Game[Any], data: QueryDict | None = None, **rest: Any) -> None:
        super().__init__(game, data, **rest)
        self.typed = data or QueryDict()
        for seat in range(max(game.seats)):
            self.fields[f"player-{seat}"] = forms.CharField(
                label=_("Player {number}").format(number=seat + 1),
                max_length=NAME,
                required=seat < min(game.seats),
                error_messages={"required": words.wrong_number_words(game)},
                widget=forms.TextInput(attrs={"list": "players", "autocomplete": "off", "autocapitalize": "words"}),
            )
        self.count = self._count()
        self.sides = game.sides(self.count)
        for side in range(len(self.sides)):
            self.fields[f"total-{side}"] = forms.IntegerField(
                required=False, widget=forms.TextInput(attrs={"class": "digits", "inputmode": "numeric"})
            )

    def clean_at(self) -> datetime:
        typed: datetime = self.cleaned_data["at"]
        if typed.year < EARLIEST:
            raise forms.ValidationError(_("Check the year."))
        return typed

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        names = [folded(name) for name in self.names() if name]
        if len(set(names)) < len(names):
            raise forms.ValidationError(_("Each player can have only one seat."))
        return cleaned

    def names(self) -> list[str]:
        """The players by seat; "" if not typed yet."""
        return [self._name(seat) for seat in range(self.count)]

    def player_fields(self) -> list[Any]:
        return [self[f"player-{seat}"] for seat in range(max(self.game.seats))]

    def total_fields(self) -> list[tuple[tuple[int, ...], Any]]:
        """The result on the sheet: the seats of each side, and its field."""
        return [(side, self[f"total-{number}"]) for number, side in enumerate(self.sides)]

    def shown(self) -> list[str]:
        """A name for each seat, typed or not."""
        return [name or _("Player {number}").format(number=seat + 1) for seat, name in enumerate(self.names())]

    def setting(self) -> dict[str, Any]:
        """The typed options if they are valid, with the game's defaults for the rest."""
        typed = self.options() if self.is_bound and self.is_valid_options() else self._initial_options()
        return self.game.read_options(typed)

    def is_valid_options(self) -> bool:
        return not any(f"option-{option.name}" in self.errors for option in self.choosable)

    def otherwise(self) -> bool:
        """Whether an option is invalid or differs from the game's default."""
        return not self.is_valid_options() or bool(words.options_words(self.game, self.setting()))

    def leaves_open(self) -> bool:
        """Whether the game allows two ways to write down what is left."""
        form = self.game.final(self.setting())
        return form.bad and form.left

    def left_as(self) -> str:
        """How rows say what is left, if the game allows both: `bad` points of a side or `left` pips."""
        return "left" if self.typed.get("left-as") == "left" else "bad"

    def columns(self) -> list[Column]:
        return columns(self.game, self.setting(), self.count, left_as=self.left_as())

    def groups(self) -> list[tuple[str, list[Column]]]:
        return grouped(self.columns())

    def cells(self, row: TypedRow) -> list[Cell]:
        shown = self.shown()
        return [
            Cell(
                f"h{row.number}-{column.key}",
                column,
                row.typed.get(column.key, ""),
                tuple(
                    (choice, choice.text if choice.seat is None else choice.text.format(name=shown[choice.seat]))
                    for choice in column.choices
                ),
                column.key == row.fault,
            )
            for column in self.columns()
        ]

    def rows(self) -> list[TypedRow]:
        """The rows with text, and a few more."""
        typed: dict[int, dict[str, str]] = {}
        for name, value in self.typed.items():
            if (field := FIELD.fullmatch(name)) and (number := int(field[1])) < ROWS:
                typed.setdefault(number, {})[field[2]] = str(value).strip()[:100]
        used = max((number for number, row in typed.items() if any(row.values())), default=-1)
        return [TypedRow(number, typed.get(number, {})) for number in range(min(max(FEW, used + 3), ROWS))]

    def tally(self) -> Tally:
        """The sheet counted by the engine."""
        totals = [self.typed.get(f"total-{side}", "").strip() for side in range(len(self.sides))]
        stopped = self.typed.get("stopped", "")
        short = "time" if self.initial.get("minutes") else None
        return count(
            TypedSheet(self.game, self.setting(), self.shown(), self.columns(), self.rows(), totals, stopped, short)
        )

    def _count(self) -> int:
        """How many play: the number of names, if the game allows it."""
        named = sum(bool(self._name(seat)) for seat in range(max(self.game.seats)))
        return named if named in self.game.seats else max(self.game.seats)

    def _name(self, seat: int) -> str:
        key = f"player-{seat}"
        try:
            return storable.name(self.typed.get(key, "") if self.is_bound else self.initial.get(key, ""))
        except Malformed:
            return ""

    def _initial_options(self) -> dict[str, Any]:
        names = [option.name for option in self.choosable]
        return {name: self.initial[f"option-{name}"] for name in names if f"option-{name}" in self.initial}
