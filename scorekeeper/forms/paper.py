"""A whole match as it stands on a paper sheet: who played, a row a hand, the result.

Which columns a row has, the game says (`games.FinalForm`); what a row counts, `games.Match.enter` says. The printed
sheets have the same columns.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from itertools import groupby
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import games
from games import GameError, Malformed
from games.base import Game
from games.errors import marked
from scorekeeper import words
from scorekeeper.forms.entries import final_of
from scorekeeper.forms.options import OptionsForm
from scorekeeper.forms.typed import Unsaid
from scorekeeper.models import Night
from scorekeeper.names import folded
from scorekeeper.services import plain
from scorekeeper.services.errors import in_words
from scorekeeper.services.paper import SHEET
from scorekeeper.services.plain import NAME

EARLIEST = 1900  # year of a match
ROWS = 200  # at most
FEW = 4  # rows of a sheet on which nothing is typed yet
FIELD = re.compile(r"h(\d{1,3})-([a-z]+(?:-\d)?)")
AT = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True, slots=True)
class Column:
    """One thing that is noted of every hand."""

    key: str
    group: str
    """What stands above the columns of its kind."""
    seats: tuple[int, ...] = ()
    """Of whom it is told; empty: of nobody alone."""
    choices: tuple["Choice", ...] = ()
    """Empty where something is typed."""
    digits: bool = True
    spare: bool = False
    """Whether a row is whole without it."""

    @property
    def kind(self) -> str:
        """The key without whose it is."""
        return self.key.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """`text` has a {name} where the name of who sits in `seat` belongs."""

    value: str
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The field of a column in a row."""

    name: str
    column: Column
    typed: str
    choices: tuple[tuple[Choice, str], ...]
    """Each with its words."""
    wrong: bool


@dataclass
class Row:
    """A hand as it was typed, and what it counts."""

    number: int
    typed: Mapping[str, str]
    totals: tuple[int, ...] = ()
    """Of each side after it; empty where it counts nothing yet."""
    points: tuple[int, ...] = ()
    said: str = ""
    """What is wrong with it, or still missing."""
    wrong: bool = False
    fault: str = ""
    """The key of the column that is wrong, where that is one alone."""

    @property
    def blank(self) -> bool:
        return not any(self.typed.values())


@dataclass
class Work:
    """The sheet worked out as far as it is right."""

    state: games.Match
    rows: list[Row]
    entries: list[dict[str, Any]] = field(default_factory=list)
    said: str = ""
    """What is wrong beside the rows."""

    @property
    def trouble(self) -> str:
        """What is wrong first, with the row it is in; "" if nothing is."""
        row = next((row for row in self.rows if row.said), None)
        return _("Hand {number}: {what}").format(number=row.number + 1, what=row.said) if row else self.said

    def enter(self, entry: dict[str, Any]) -> None:
        self.state = self.state.enter(entry)
        self.entries.append(entry)


class PaperForm(OptionsForm):
    """What stands on the sheet but its hands: `player-N`, `total-N` for each side, the options, date and number."""

    at = forms.DateTimeField(
        label=gettext_lazy("Date and time"),
        input_formats=[AT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT),
    )
    # Minutes that the clock of who types is ahead of UTC; no script, no clock.
    zone = forms.IntegerField(required=False, min_value=-840, max_value=840, widget=forms.HiddenInput)
    sheet = forms.CharField(label=gettext_lazy("Number of the sheet"), required=False, max_length=SHEET)
    stopped = forms.ChoiceField(
        label=gettext_lazy("How did it end?"),
        required=False,
        choices=[
            ("", gettext_lazy("by its own rule")),
            ("time", gettext_lazy("time was up: it counts as it stands")),
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
            raise forms.ValidationError(_("Look at the year again."))
        return typed

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "at" in cleaned:
            ahead = timezone(timedelta(minutes=cleaned.get("zone") or 0))
            cleaned["at"] = cleaned["at"].replace(tzinfo=ahead).astimezone(UTC)
        names = [folded(name) for name in self.names() if name]
        if len(set(names)) < len(names):
            raise forms.ValidationError(_("Each player sits in one seat only."))
        return cleaned

    def names(self) -> list[str]:
        """Who played, by seat; "" for nobody said yet."""
        return [self._name(seat) for seat in range(self.count)]

    def player_fields(self) -> list[Any]:
        return [self[f"player-{seat}"] for seat in range(max(self.game.seats))]

    def total_fields(self) -> list[tuple[tuple[int, ...], Any]]:
        """The result as it stands on the sheet: the seats of each side with its field."""
        return [(side, self[f"total-{number}"]) for number, side in enumerate(self.sides)]

    def shown(self) -> list[str]:
        """A name for each seat, typed or not."""
        return [name or _("Player {number}").format(number=seat + 1) for seat, name in enumerate(self.names())]

    def setting(self) -> dict[str, Any]:
        """The options as far as they are right; the game's own for the others."""
        said = self.options() if self.is_bound and self.is_valid_options() else self._initial_options()
        return self.game.read_options(said)

    def is_valid_options(self) -> bool:
        return not any(f"option-{option.name}" in self.errors for option in self.choosable)

    def otherwise(self) -> bool:
        """Whether an option is not as the game has it by itself, or is not right."""
        return not self.is_valid_options() or bool(words.options_words(self.game, self.setting()))

    def leaves_open(self) -> bool:
        """Whether there are two ways to tell what is left."""
        form = self.game.final(self.setting())
        return form.bad and form.left

    def told(self) -> str:
        """By what a row tells what is left, where the game leaves that open: `bad` points of a side or `left` pips."""
        return "left" if self.typed.get("told") == "left" else "bad"

    def columns(self) -> list[Column]:
        return columns(self.game, self.setting(), self.count, told=self.told())

    def groups(self) -> list[tuple[str, list[Column]]]:
        return in_groups(self.columns())

    def cells(self, row: Row) -> list[Cell]:
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

    def rows(self) -> list[Row]:
        """Those that were typed on, and a few more."""
        typed: dict[int, dict[str, str]] = {}
        for name, value in self.typed.items():
            if (found := FIELD.fullmatch(name)) and (number := int(found[1])) < ROWS:
                typed.setdefault(number, {})[found[2]] = str(value).strip()[:100]
        used = max((number for number, row in typed.items() if any(row.values())), default=-1)
        return [Row(number, typed.get(number, {})) for number in range(min(max(FEW, used + 3), ROWS))]

    def work_out(self) -> Work:
        """Every row counted by the engine, up to the first that is not right."""
        state = games.Match.new(self.game.slug, self.setting(), self.shown())
        work = Work(state, self.rows())
        asked = [column.key for column in self.columns()]
        for row in work.rows:
            if row.blank:
                continue
            try:
                work.enter(_hand(row, asked, work.state))
            except GameError as error:
                # What is not said yet is no mistake as long as somebody types.
                row.said, row.wrong = in_words(error), not isinstance(error, Unsaid)
                row.fault = self._fault(row, work.state) if row.wrong else ""
                return work
            row.points = tuple(work.state.hands[-1].points[side[0]] for side in self.sides)
            row.totals = tuple(work.state.totals[side[0]] for side in self.sides)
        try:
            self._end(work)
        except GameError as error:
            work.said = in_words(error)
        return work

    def _fault(self, row: Row, state: games.Match) -> str:
        """The first column with nothing, or next to nothing, in which the row would be right; "" if there is none."""
        columns = self.columns()
        asked = [column.key for column in columns]
        for column in columns:
            for instead in ("",) if column.spare else ("0", "1") if column.digits else ():
                without = Row(row.number, {**row.typed, column.key: instead})
                with suppress(GameError):
                    state.enter(_hand(without, asked, state))
                    return column.key
        return ""

    def _end(self, work: Work) -> None:
        """How it ended, and the result that stands on the sheet; Malformed if that is not what the hands give."""
        told, stopped = self._result(), self.typed.get("stopped", "")
        if told and not work.entries:
            work.enter({"kind": "result", "totals": told})
        elif told and told != list(work.state.totals):
            counted = " : ".join(str(work.state.totals[side[0]]) for side in self.sides)
            raise Malformed(marked("The hands give {totals}; the sheet says another result."), totals=counted)
        elif stopped and work.entries and not work.state.finished:
            work.enter({"kind": "stop", "stopped": stopped})

    def _result(self) -> list[Any] | None:
        """The totals of the sheet by seat; None where none are written. Malformed if only some are."""
        typed = [self.typed.get(f"total-{side}", "").strip() for side in range(len(self.sides))]
        if not any(typed):
            return None
        totals: list[Any] = [None] * self.count
        for text, side in zip(typed, self.sides, strict=True):
            if not re.fullmatch(r"-?[0-9]{1,9}", text):
                names = words.together([self.shown()[seat] for seat in side])
                raise Malformed(marked("Say the number for {player}."), player=names)
            for seat in side:
                totals[seat] = int(text)
        return totals

    def _count(self) -> int:
        """How many play: as many names as there are, where the game leaves that open."""
        named = sum(bool(self._name(seat)) for seat in range(max(self.game.seats)))
        return named if named in self.game.seats else max(self.game.seats)

    def _name(self, seat: int) -> str:
        key = f"player-{seat}"
        try:
            return plain.name(self.typed.get(key, "") if self.is_bound else self.initial.get(key, ""))
        except Malformed:
            return ""

    def _initial_options(self) -> dict[str, Any]:
        names = [option.name for option in self.choosable]
        return {name: self.initial[f"option-{name}"] for name in names if f"option-{name}" in self.initial}


def columns(game: Game[Any], options: Mapping[str, Any], seats: int, *, told: str = "bad") -> list[Column]:
    """What is noted of every hand, from left to right. `told`: by which of the two it is told what is left, where that
    may be each side's `bad` points or the pips `left` in each hand."""
    form = game.final(options)
    people = tuple(Choice(str(seat), "{name}", seat) for seat in range(seats))
    each_seat = tuple((seat,) for seat in range(seats))

    def each(key: str, group: str, of: Sequence[tuple[int, ...]] = each_seat, **how: Any) -> Iterator[Column]:
        return (Column(f"{key}-{number}", group, those, **how) for number, those in enumerate(of))

    found: list[Column] = []
    if form.contracts:
        calls = tuple(Choice(_call(call), _call_words(call)) for call in form.contracts)
        found.append(Column("contract", _("Called"), choices=calls, digits=False))
    if form.tricks:
        found += each("tricks", _("Tricks"))
    if form.points:
        found += each("points", _("Points"))
    if form.table:
        found += each("table", _("Points in play"), spare=True)
    if form.out:
        reached = (Choice(f"reached-{seat}", _("{name} reached the target"), seat) for seat in range(seats))
        ways = (*people, Choice("blocked", _("nobody: blocked")), *(reached if form.table else ()))
        found.append(Column("out", _("Went out"), choices=ways, digits=False))
    if form.last:
        found.append(Column("last", _("If blocked: laid last"), choices=people, digits=False, spare=True))
    if form.bad and told == "bad":
        found += each("bad", _("Bad points"), game.sides(seats))
    elif form.left:
        found += each("left", _("Pips left"))
    if form.tiles:
        found += each("tiles", _("Tiles left"))
    if form.dropped:
        found += each("dropped", _("Cards dropped"), digits=False, spare=True)
    opened = _("Dealt") if game.opener_word == "dealer" else _("Opened")
    return [*found, Column("opener", opened, choices=people, digits=False, spare=True)]


def in_groups(found: Sequence[Column]) -> list[tuple[str, list[Column]]]:
    """The columns under what stands above them."""
    return [(group, list(those)) for group, those in groupby(found, key=lambda column: column.group)]


def sheet_number(night: Night, *parts: int) -> str:
    """The number of a sheet of this night: of a round and a table, or a running one."""
    return f"{night.pk}-" + ".".join(map(str, parts))


def _call(call: tuple[str, int | None]) -> str:
    """A contract as `final_of` reads it."""
    return "-".join(str(part) for part in call if part is not None)


def _call_words(call: tuple[str, int | None]) -> str:
    contract, trump = call
    return words.word(contract) if trump is None else f"{words.word(contract)} {trump}"


def _hand(row: Row, asked: Sequence[str], state: games.Match) -> dict[str, Any]:
    """The row as an entry. Unsaid if something of it is missing."""
    data = QueryDict(mutable=True)
    data.update({key: row.typed.get(key, "") for key in asked})
    said = row.typed.get("opener", "")
    opener = int(said) if said.isascii() and said.isdigit() else state.offers().get("openers", [0])[0]
    return {"kind": "hand", "opener": opener, "final": final_of(data, state)}
