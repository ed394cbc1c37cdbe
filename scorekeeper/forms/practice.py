"""The settings of the practice table. The games provide everything about their rules."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games import Game, GameError
from games.nestor import LEVELS
from scorekeeper.forms.options import OptionsForm, as_typed
from scorekeeper.practice.contest import MOST, Setting
from scorekeeper.practice.table import Comfort, PracticeTable
from scorekeeper.practice.themes import COLOURS, HEX, Theme, read_theme
from scorekeeper.words import in_words, players_words


class PracticeForm(OptionsForm):
    """The options of a game, how many play, how strong Nestor is, and what makes the play quicker."""

    def __init__(self, game: Game[Any], data: Any = None, *, table: PracticeTable) -> None:
        super().__init__(game, data, initial=_known(game, table))
        for option in self.choosable:
            if option.kind == "whole":
                field = self.fields[f"option-{option.name}"]
                assert isinstance(field, forms.IntegerField)
                field.max_value = MOST
                field.widget.attrs["max"] = MOST
        seats = [(str(seats), players_words([seats])) for seats in game.seats]
        self.fields["seats"] = forms.ChoiceField(label=_("Players"), choices=seats)
        levels = [(slug, _(level.name)) for slug, level in LEVELS.items()]
        self.fields["level"] = forms.ChoiceField(label=_("How strong Nestor is"), choices=levels)
        self.fields["table_count"] = _flag(
            _("Show the table count"), _("And what a tile or card would count, in games that score by it.")
        )
        self.fields["auto_ok"] = _flag(
            _("Auto-OK"), _("Nestor plays without waiting for your OK. What you scored is not shown then.")
        )
        self.fields["auto_draw"] = _flag(_("Auto-draw"), _("A draw goes on until a tile fits."))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.setting().check()
            except GameError as error:
                raise forms.ValidationError(in_words(error)) from error
        return cleaned

    def setting(self) -> Setting:
        data = self.cleaned_data
        return Setting(self.game.slug, self.game.read_options(self.options()), int(data["seats"]), data["level"])

    def comfort(self) -> Comfort:
        return Comfort(*(self.cleaned_data[name] for name in Comfort._fields))

    def several_seats(self) -> bool:
        """Whether there is a choice of how many play."""
        return len(self.game.seats) > 1

    def comfort_fields(self) -> list[Any]:
        return [self[name] for name in Comfort._fields]


def _flag(label: str, help_text: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


def _known(game: Game[Any], table: PracticeTable) -> Mapping[str, Any]:
    """What was chosen last: the rules for this game, the rest for any."""
    setting, known = table.setting, dict[str, Any](table.comfort._asdict())
    known |= {"level": setting.level if setting else next(iter(LEVELS)), "seats": str(game.seats[0])}
    if setting and setting.game == game.slug:
        known |= {name: value for name, value in as_typed(setting.options, None).items() if name != "minutes"}
        known["seats"] = str(setting.seats)
    return known


class ThemeForm(forms.Form):
    """A field for each of the fourteen colours."""

    def __init__(self, data: Any = None, *, theme: Theme) -> None:
        super().__init__(data, initial=dict(theme))
        for name, label in COLOURS.items():
            widget = forms.TextInput(attrs={"type": "color", "data-colour": name})
            self.fields[name] = forms.CharField(label=_(label), widget=widget)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.theme()
            except GameError as error:
                raise forms.ValidationError(_sentence(error)) from error
        return cleaned

    def typed(self) -> Theme | None:
        """The colours as typed, if each is one; they may be unreadable."""
        colours = {name: str(self[name].value()).lower() for name in COLOURS}
        return colours if all(map(HEX.fullmatch, colours.values())) else None

    def theme(self) -> Theme:
        return read_theme({name: self.cleaned_data[name] for name in COLOURS})


def _sentence(error: GameError) -> str:
    """What is wrong, with the names of colours in the reader's language."""
    facts = {name: _(value) if value in COLOURS.values() else value for name, value in error.facts.items()}
    return _(error.template).format(**facts)
