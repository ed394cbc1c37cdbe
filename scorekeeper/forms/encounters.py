"""What a host types about the encounters of teams: their boards, what these are worth, and how often people play."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import GAMES
from scorekeeper.events.encounters import (
    BOARD,
    DOUBLE,
    MATCH,
    MOST_BOARDS,
    PRESETS,
    SINGLE,
    Board,
    Form,
    Worth,
    fits,
    usual_boards,
)
from scorekeeper.events.rounds import Impossible, Setting
from scorekeeper.forms.exact import ExactField, as_in_the_file
from scorekeeper.services.league_setups import form_words

OWN = "own"
NAMES: Mapping[str, Any] = {
    "six-singles-three-doubles": gettext_lazy("Six singles and three doubles"),
    "four-singles-two-doubles": gettext_lazy("Four singles and two doubles"),
    "three-singles": gettext_lazy("Three boards of singles"),
    OWN: gettext_lazy("Own list"),
}
RESULTS = ("win", "draw", "loss")
MINUTES = 600


class EncounterForm(forms.Form):
    """What teams play in each encounter. `typed_form` has the fields of an earlier form."""

    evening = forms.ChoiceField(label=gettext_lazy("An encounter has"), choices=list(NAMES.items()))
    own = forms.CharField(
        label=gettext_lazy("Own list"),
        help_text=gettext_lazy(
            "A board on each line: its part of the evening, then single or double, like “1 single”. The boards of one"
            " part are played at the same time."
        ),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off"}),
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes a match"),
        help_text=gettext_lazy("Empty: as the game says."),
        required=False,
        min_value=1,
        max_value=MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )
    singles = forms.IntegerField(
        label=gettext_lazy("Singles that somebody may play"), min_value=1, max_value=MOST_BOARDS, initial=1
    )
    doubles = forms.IntegerField(
        label=gettext_lazy("Doubles that somebody may play"), min_value=1, max_value=MOST_BOARDS, initial=1
    )
    in_order = forms.BooleanField(
        label=gettext_lazy("Line-ups follow the order of the squad, the strongest first"), required=False
    )
    play_all = forms.BooleanField(
        label=gettext_lazy("Play all boards, also when the encounter is decided"), required=False, initial=True
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for name, label, size in (("single", _("Game of singles"), SINGLE), ("double", _("Game of doubles"), DOUBLE)):
            games = [(slug, game.name) for slug, game in GAMES.items() if fits(slug, size)]
            self.fields[name] = forms.ChoiceField(label=label, choices=games, initial=games[0][0])
        for kind, title, usual in (
            ("board", _("A board: {result}"), BOARD),
            ("match", _("The encounter: {result}"), MATCH),
        ):
            for result, word, value in zip(RESULTS, (_("win"), _("draw"), _("loss")), usual, strict=True):
                label = title.format(result=word)
                self.fields[f"{kind}-{result}"] = ExactField(label=label, max_length=20, initial=as_in_the_file(value))

    def clean(self) -> dict[str, Any]:
        """With the `form`."""
        values = super().clean() or {}
        if self.errors:
            return values
        try:
            values["form"] = self._form(values)
        except Impossible as error:
            raise forms.ValidationError(form_words(error)) from error
        return values

    def _form(self, values: Mapping[str, Any]) -> Form:
        """Impossible as `Form.of`."""
        worths = {
            kind: Worth.of({result: values[f"{kind}-{result}"] for result in RESULTS}) for kind in ("board", "match")
        }
        setting = Setting({}, values["minutes"])
        single, double = (values["single"], setting), (values["double"], setting)
        if values["evening"] == OWN:
            boards = _own(values["own"], single, double)
        else:
            boards = usual_boards(values["evening"], single, double)
        written = [{**board.as_json(), "worth": worths["board"].as_json()} for board in boards]
        rest = {name: values[name] for name in ("singles", "doubles", "in_order", "play_all")}
        return Form.of({"boards": written, "match": worths["match"].as_json(), **rest})


def typed_form(form: Form) -> dict[str, Any]:
    """The fields of `EncounterForm`."""
    shape = [(board.part, board.size) for board in form.boards]
    usual = {name: [(1, SINGLE)] * singles + [(2, DOUBLE)] * doubles for name, (singles, doubles) in PRESETS.items()}
    evening = next((name for name, boards in usual.items() if boards == shape), OWN)
    first = {board.size: board.game for board in reversed(form.boards)}
    words = {SINGLE: _("single"), DOUBLE: _("double")}
    worths = {"board": form.boards[0].worth, "match": form.match}
    return {
        "evening": evening,
        "own": "\n".join(f"{part} {words[size]}" for part, size in shape) if evening == OWN else "",
        "minutes": form.boards[0].setting.minutes,
        "single": first.get(SINGLE),
        "double": first.get(DOUBLE),
        "singles": form.singles,
        "doubles": form.doubles,
        "in_order": form.in_order,
        "play_all": form.play_all,
        **{
            f"{kind}-{result}": as_in_the_file(Fraction(value))
            for kind, worth in worths.items()
            for result, value in zip(RESULTS, worth, strict=True)
        },
    }


def _own(text: str, single: tuple[str, Setting], double: tuple[str, Setting]) -> tuple[Board, ...]:
    """ValidationError for a line that is no board."""
    sizes = dict.fromkeys(("single", _("single")), SINGLE) | dict.fromkeys(("double", _("double")), DOUBLE)
    boards = []
    for line in filter(None, map(str.strip, text.splitlines())):
        part, _space, kind = line.partition(" ")
        size = sizes.get(kind.strip().casefold())
        if size is None or not (part.isascii() and part.isdecimal() and len(part) < 3):
            words = _("“{line}” is no board. Type its part, then single or double, like “1 single”.")
            raise forms.ValidationError(words.format(line=line[:40]))
        boards.append(Board(*(single if size == SINGLE else double), size, int(part)))
    return tuple(boards)
