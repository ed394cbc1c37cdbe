"""What a host types about the encounters of teams: their boards, what these are worth, and how often people play."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
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
    SINGLE,
    Board,
    Form,
    Worth,
    exact,
    fits,
    usual_boards,
)
from scorekeeper.events.rounds import Impossible, Setting
from scorekeeper.forms.exact import ExactField, as_in_the_file
from scorekeeper.forms.options import OptionsForm, as_typed
from scorekeeper.forms.whole import whole_number
from scorekeeper.services.league_setups import form_words

OWN = "own"
NAMES: Mapping[str, Any] = {
    "six-singles-three-doubles": gettext_lazy("Six singles and three doubles"),
    "four-singles-two-doubles": gettext_lazy("Four singles and two doubles"),
    "three-singles": gettext_lazy("Three boards of singles"),
    OWN: gettext_lazy("The boards below"),
}
RESULTS = ("win", "draw", "loss")
MINUTES = 600
EMPTY = 2  # rows for more boards


class EncounterForm(forms.Form):
    """What teams play in each encounter. `before`: the form until now, whose boards can be changed one by one."""

    evening = forms.ChoiceField(label=gettext_lazy("An encounter has"), choices=list(NAMES.items()))
    minutes = whole_number(gettext_lazy("Minutes a match"), MINUTES, help_text=gettext_lazy("Empty: as the game says."))
    singles = whole_number(gettext_lazy("Singles that somebody may play"), MOST_BOARDS, initial=1, required=True)
    doubles = whole_number(gettext_lazy("Doubles that somebody may play"), MOST_BOARDS, initial=1, required=True)
    in_order = forms.BooleanField(
        label=gettext_lazy("Line-ups follow the order of the squad, the strongest first"), required=False
    )
    play_all = forms.BooleanField(
        label=gettext_lazy("Play all boards, also when the encounter is decided"), required=False, initial=True
    )

    def __init__(self, data: Any = None, *, before: Form | None = None) -> None:
        super().__init__(data, initial=_typed(before) if before else {"evening": next(iter(NAMES))})
        self.rows = range(1, min(len(before.boards) if before else 0, MOST_BOARDS - EMPTY) + EMPTY + 1)
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
        for row in self.rows:
            self.fields |= _row(row)
        settings = {board.game: board.setting for board in reversed(before.boards)} if before else {}
        self.rules = [
            OptionsForm(GAMES[game], data, prefix=game, initial=as_typed(setting.options, None))
            for game, setting in settings.items()
        ]

    def usual_fields(self) -> list[list[Any]]:
        """The fields that are not of a single board, row by row."""
        worths = [[f"{kind}-{result}" for result in RESULTS] for kind in ("board", "match")]
        rows = [["evening"], ["single", "double"], ["minutes"], ["singles", "doubles"], ["in_order"], ["play_all"]]
        return [[self[name] for name in row] for row in rows + worths]

    def board_fields(self) -> Iterator[tuple[int, list[Any]]]:
        """The number and the fields of each board."""
        return ((row, [self[name] for name in _row(row)]) for row in self.rows)

    def faults(self) -> Iterator[str]:
        """What is wrong in which field, and for which board if each has this field."""
        boards = {field.name: _("Board {n}").format(n=row) for row, fields in self.board_fields() for field in fields}
        for field in self:
            board = [boards[field.name]] if field.name in boards else []
            yield from (f"{', '.join([*board, str(field.label)])}: {error}" for error in field.errors)

    def clean(self) -> dict[str, Any]:
        """With the `form`."""
        values = super().clean() or {}
        if values.get("evening") != OWN:  # the boards of the rows do not count
            for _row, fields in self.board_fields():
                for field in fields:
                    self.errors.pop(field.name, None)
        wrong = [rules for rules in self.rules if not rules.is_valid()]
        for rules in wrong:
            self.add_error(None, _("Look at the rules of {game} again.").format(game=_(rules.game.name)))
        if self.errors:
            return values
        try:
            values["form"] = self._form(values)
        except Impossible as error:
            raise forms.ValidationError(form_words(error)) from error
        return values

    def _form(self, values: Mapping[str, Any]) -> Form:
        """Impossible as `Form.of`."""
        board, match = ({result: values[f"{kind}-{result}"] for result in RESULTS} for kind in ("board", "match"))
        worth, options = Worth.of(board), {rules.game.slug: rules.options() for rules in self.rules}
        if values["evening"] == OWN:
            boards = tuple(self._boards(values, worth, options))
        else:
            single, double = (
                (values[kind], Setting(options.get(values[kind], {}), values["minutes"]))
                for kind in ("single", "double")
            )
            boards = tuple(replace(each, worth=worth) for each in usual_boards(values["evening"], single, double))
        rest = {name: values[name] for name in ("singles", "doubles", "in_order", "play_all")}
        return Form.of({"boards": [each.as_json() for each in boards], "match": Worth.of(match).as_json(), **rest})

    def _boards(
        self, values: Mapping[str, Any], worth: Worth, options: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[Board]:
        """Those of the rows where something is played."""
        for row in self.rows:
            size, _colon, game = values[f"plays-{row}"].partition(":")
            if game:
                setting = Setting(options.get(game, {}), values[f"minutes-{row}"])
                times = Fraction(values[f"times-{row}"] or 1)
                part = values[f"part-{row}"] or 1
                yield Board(game, setting, int(size), part, Worth(*(times * value for value in worth)))


def _row(row: int) -> dict[str, forms.Field]:
    """The fields of a board."""
    games = [
        (f"{size}:{slug}", title.format(game=_(game.name)))
        for size, title in ((SINGLE, _("Single: {game}")), (DOUBLE, _("Double: {game}")))
        for slug, game in GAMES.items()
        if fits(slug, size)
    ]
    return {
        f"plays-{row}": forms.ChoiceField(label=_("Plays"), choices=[("", _("no board")), *games], required=False),
        f"part-{row}": whole_number(_("Part"), MOST_BOARDS),
        f"times-{row}": ExactField(label=_("Counts times"), max_length=20, required=False, above_0=True),
        f"minutes-{row}": whole_number(_("Minutes"), MINUTES),
    }


def usual_form(game: str, setting: Setting) -> Form:
    """What teams play before somebody says it: a usual evening of this game, and of another one where it does not
    fit."""
    played = (
        (game, setting) if fits(game, size) else (next(slug for slug in GAMES if fits(slug, size)), Setting({}, None))
        for size in (SINGLE, DOUBLE)
    )
    return Form(usual_boards(next(iter(NAMES)), *played))


def _typed(form: Form) -> dict[str, Any]:
    """The fields of an earlier form. The board that counts least counts once."""
    first = {board.size: board.game for board in reversed(form.boards)}
    least = min((board.worth for board in form.boards), key=_spread)
    rows = {
        name: value
        for row, board in enumerate(form.boards, 1)
        for name, value in (
            (f"plays-{row}", f"{board.size}:{board.game}"),
            (f"part-{row}", board.part),
            (f"times-{row}", exact(_spread(board.worth) / _spread(least))),
            (f"minutes-{row}", board.setting.minutes),
        )
    }
    return {
        "evening": next((name for name in NAMES if name != OWN and _is_usual(form, name)), OWN),
        "minutes": form.boards[0].setting.minutes,
        "single": first.get(SINGLE),
        "double": first.get(DOUBLE),
        "singles": form.singles,
        "doubles": form.doubles,
        "in_order": form.in_order,
        "play_all": form.play_all,
        **rows,
        **{
            f"{kind}-{result}": as_in_the_file(Fraction(value))
            for kind, worth in (("board", least), ("match", form.match))
            for result, value in zip(RESULTS, worth, strict=True)
        },
    }


def _is_usual(form: Form, evening: str) -> bool:
    """Whether the form has just the boards that this evening makes of its games."""
    played = {board.size: (board.game, board.setting) for board in reversed(form.boards)}
    single, double = (played.get(size, (form.boards[0].game, form.boards[0].setting)) for size in (SINGLE, DOUBLE))
    worth, minutes = form.boards[0].worth, {board.setting.minutes for board in form.boards}
    usual = tuple(replace(board, worth=worth) for board in usual_boards(evening, single, double))
    return form.boards == usual and len(minutes) == 1


def _spread(worth: Worth) -> Fraction:
    """By how much a win is worth more than a loss."""
    return Fraction(worth.win) - Fraction(worth.loss)
