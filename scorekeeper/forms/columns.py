"""The columns of a paper sheet: what people write down about every hand.

The game decides (`games.FinalForm`). Printed sheets and the page that copies them have the same columns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from games import FinalForm
from games.base import Game
from scorekeeper import words


@dataclass(frozen=True, slots=True)
class Choice:
    """`text` contains {name} if the name of the player in `seat` belongs there."""

    value: str
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One thing to write down about every hand."""

    key: str
    group: str
    """The heading above all columns of this kind."""
    seats: tuple[int, ...] = ()
    """The seats it is about; empty if it is about the whole hand."""
    choices: tuple[Choice, ...] = ()
    """Empty if the field is typed."""
    digits: bool = True
    spare: bool = False
    """Whether the field may stay empty."""

    @property
    def kind(self) -> str:
        """The key without its seat or side."""
        return self.key.partition("-")[0]

    @property
    def heads(self) -> str:
        """The ids of the table headings above it, as `aria-labelledby` takes them."""
        return f"of-{self.kind} of-{self.key}" if self.seats else f"of-{self.kind}"


def columns(game: Game[Any], options: Mapping[str, Any], seats: int, *, left_as: str = "bad") -> list[Column]:
    """The columns from left to right. `left_as` chooses if the game allows both: the `bad` points of each side, or
    the pips `left` in each hand."""
    form = game.final(options)
    people = tuple(Choice(str(seat), "{name}", seat) for seat in range(seats))
    opened = _("Dealt") if game.opener_word == "dealer" else _("Opened")
    return [
        *_scores(form, seats),
        *_endings(form, people),
        *_leftovers(form, game.sides(seats), seats, left_as),
        Column("opener", opened, choices=people, digits=False, spare=True),
    ]


def grouped(columns: Sequence[Column]) -> list[tuple[str, list[Column]]]:
    """Each heading with its columns."""
    return [(group, list(members)) for group, members in groupby(columns, key=lambda column: column.group)]


def _scores(form: FinalForm, seats: int) -> Iterator[Column]:
    """What was called and won in play."""
    if form.contracts:
        calls = tuple(Choice(_call(call), _call_words(call)) for call in form.contracts)
        yield Column("contract", _("Called"), choices=calls, digits=False)
    if form.tricks:
        yield from _each_seat("tricks", _("Tricks"), seats)
    if form.points:
        yield from _each_seat("points", _("Points"), seats)
    if form.table:
        yield from _each_seat("table", _("Points in play"), seats, spare=True)


def _endings(form: FinalForm, people: tuple[Choice, ...]) -> Iterator[Column]:
    """How the hand ended."""
    if form.out:
        reached = (Choice(f"reached-{one.value}", _("{name} reached the target"), one.seat) for one in people)
        ways = (*people, Choice("blocked", _("nobody: blocked")), *(reached if form.table else ()))
        yield Column("out", _("Went out"), choices=ways, digits=False)
    if form.last:
        yield Column("last", _("If blocked: laid last"), choices=people, digits=False, spare=True)


def _leftovers(form: FinalForm, sides: Sequence[tuple[int, ...]], seats: int, left_as: str) -> Iterator[Column]:
    """What the players still held at the end."""
    if form.bad and left_as == "bad":
        yield from (Column(f"bad-{number}", _("Bad points"), side) for number, side in enumerate(sides))
    elif form.left:
        yield from _each_seat("left", _("Pips left"), seats)
    if form.tiles:
        yield from _each_seat("tiles", _("Tiles left"), seats)
    if form.dropped:
        yield from _each_seat("dropped", _("Cards dropped"), seats, digits=False, spare=True)


def _each_seat(key: str, group: str, seats: int, *, digits: bool = True, spare: bool = False) -> Iterator[Column]:
    for seat in range(seats):
        yield Column(f"{key}-{seat}", group, (seat,), digits=digits, spare=spare)


def _call(call: tuple[str, int | None]) -> str:
    """A contract as `final_of` reads it."""
    return "-".join(str(part) for part in call if part is not None)


def _call_words(call: tuple[str, int | None]) -> str:
    contract, trump = call
    return words.word(contract) if trump is None else f"{words.word(contract)} {trump}"
