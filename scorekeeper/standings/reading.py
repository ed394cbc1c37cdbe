"""Reads the file of a tournament. Format: docs/tournament.md."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar

from games import read
from games.errors import Malformed, marked
from scorekeeper.standings.criteria import CRITERIA, OF_BOARDS
from scorekeeper.standings.exact import HALF, Number, number
from scorekeeper.standings.tournament import (
    Apart,
    By,
    Entrant,
    First,
    Kind,
    Pairing,
    Penalty,
    Play,
    Qualified,
    Round,
    Stage,
    System,
    Table,
    Tournament,
    Worth,
)

FORMAT = "scorekeeper-tournament/1"
MOST_CRITERIA = 10
MOST_SIDES = 4
BEST_OF = (1, 3, 5, 7)
UNPLAYED = ("bye", "asked", "absent", "forfeit_win", "forfeit_loss")
RESULTS = ("win", "draw", "loss")
AVERAGE = "average"

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
_NEEDED: Any = object()


class Refused(Exception):
    """A file that cannot be read: `code`, a sentence (`template` with its `facts`), and the place in the file, like
    `stages[0].rounds[2].tables[1].totals`; "" for the file as a whole."""

    def __init__(self, code: str, template: str, at: str = "", **facts: Any) -> None:
        super().__init__(code, at)
        self.code, self.template, self.at, self.facts = code, template, at, facts

    @property
    def message(self) -> str:
        return self.template.format(**self.facts)

    def inside(self, step: str) -> "Refused":
        """The same, seen from one step further out."""
        return Refused(self.code, self.template, step + self.at, **self.facts)


def read_text(source: str | bytes) -> Tournament:
    """The tournament in a file. Raises Refused."""
    try:
        value = read.json_value(source)
    except Malformed as error:
        raise _refused("not-json", error) from error
    return read_value(value)


def read_value(value: Any) -> Tournament:
    """The tournament in a JSON value. Raises Refused."""
    try:
        return _tournament(value)
    except Malformed as error:
        raise _refused("wrong-kind", error) from error
    except Refused as error:
        raise Refused(error.code, error.template, error.at.removeprefix("."), **error.facts) from error


# --- the parts of the file ---------------------------------------------------------------------------------
def _tournament(value: Any) -> Tournament:
    content = read.mapping(value)
    _key(content, "format", partial(read.one_of, choices=(FORMAT,)))
    _key(content, "options", read.mapping, {})
    entrants = _key(content, "entrants", partial(_each, reader=_entrant))
    _some(entrants, ".entrants", marked("A tournament needs entrants."))
    _once([each.id for each in entrants], ".entrants", ".id")
    known = {each.id: each for each in entrants}
    lower_wins = _key(content, "lower_wins", read.flag, False)
    stages = _key(content, "stages", partial(_each, reader=partial(_stage, known=known)))
    _some(stages, ".stages", marked("A tournament needs stages."))
    _once([each.name for each in stages], ".stages", ".name")
    _check_qualified(stages)
    return Tournament(
        known,
        tuple(stages),
        _key(content, "name", read.text, ""),
        _key(content, "game", read.text, ""),
        lower_wins,
        _key(content, "overall", partial(_overall, stages={each.name for each in stages}), ()),
    )


def _entrant(value: Any) -> Entrant:
    content = read.mapping(value)
    return Entrant(
        _key(content, "id", _count),
        _key(content, "name", read.text),
        tuple(_key(content, "players", partial(_each, reader=read.text), ())),
        _key(content, "club", read.text, None),
        _key(content, "rating", read.number, None),
    )


def _stage(value: Any, known: Mapping[int, Entrant]) -> Stage:
    content = read.mapping(value)
    name = _key(content, "name", _stage_name)
    system = _key(content, "system", partial(_choice, of=System))
    entrants = _key(content, "entrants", partial(_entrants, known=known), tuple(known))
    _some(entrants, ".entrants", marked("A stage needs entrants."))
    worth = _key(content, "worth", _worth)
    knock_out = system is System.KNOCK_OUT
    order = _key(content, "order", partial(_order, by=worth.by), () if knock_out else _NEEDED)
    if not knock_out:
        _some(order, ".order", marked("A stage needs criteria."))
    here = frozenset(entrants)
    boards = not OF_BOARDS.isdisjoint(order)
    rounds = _key(content, "rounds", partial(_each, reader=partial(_round, known=here, boards=boards)), ())
    _check_places(worth, rounds)
    return Stage(
        name,
        system,
        entrants,
        worth,
        order,
        tuple(rounds),
        _key(content, "rounds_planned", _count, None),
        _key(content, "minimum_played", read.whole, 0),
        _key(content, "lots", read.text, ""),
        _key(content, "manual", partial(_entrants, known=here), ()),
        tuple(_key(content, "penalties", partial(_each, reader=partial(_penalty, known=here)), ())),
        _key(content, "double", read.flag, False),
        _key(content, "third_place", read.flag, False),
        _key(content, "placement", read.flag, False),
        _key(content, "from", _qualified, None) if knock_out and "entrants" not in content else None,
        _key(content, "play", partial(_choice, of=Play), Play.HEADS),
        _key(content, "next", partial(_round, known=here), Round()),
        _key(content, "pairing", partial(_choice, of=Pairing), Pairing.FOLD),
        _key(content, "first", partial(_choice, of=First), First.NEW),
        _key(content, "apart", _apart, None),
        _key(content, "best_of", best_of, 1),
        _key(content, "final_best_of", final_best_of, 0),
    )


def best_of(value: Any) -> int:
    """Of how many matches at a table of a knock-out who wins most goes on. Raises Malformed."""
    if type(value) is not int or value not in BEST_OF:
        raise Malformed(marked("Who wins most of 1, 3, 5 or 7 matches goes on: enter one of these numbers."))
    return value


def final_best_of(value: Any) -> int:
    """The same in the final; 0: as at the other tables. Raises Malformed."""
    return best_of(value) if value else 0


def _check_qualified(stages: Sequence[Stage]) -> None:
    """Who goes on comes from stages that exist, and no stage waits for itself."""
    sources = {each.name: each.qualified.stages if each.qualified else () for each in stages}
    for place, stage in enumerate(stages):
        for position, name in enumerate(sources[stage.name]):
            at = f".stages[{place}].from.stages[{position}]"
            if name not in sources:
                raise Refused("unknown", marked("There is no stage {name}."), at, name=read.shown(name))
    try:
        TopologicalSorter(sources).prepare()
    except CycleError as error:
        text = marked("The entrants of the stage {name} would come from itself.")
        raise Refused("circular", text, ".stages", name=read.shown(error.args[1][0])) from error


def _stage_name(value: Any) -> str:
    name = read.text(value)
    _some(name, "", marked("A stage needs a name."))
    return name


def _worth(value: Any) -> Worth:
    content = read.mapping(value)
    by = _key(content, "by", partial(_choice, of=By))
    names = (*RESULTS, *UNPLAYED) if by is By.RESULT else UNPLAYED
    reader = _number_or_average if by is By.SCORE else number
    values = {name: _key(content, name, reader) for name in names}
    places = _key(content, "places", _places, {}) if by is By.PLACE else {}
    return Worth(by, values, places)


def _number_or_average(value: Any) -> Number | None:
    return None if value == AVERAGE else number(value)


def _places(value: Any) -> dict[int, tuple[Number, ...]]:
    content = read.mapping(value)
    return {
        sides: tuple(_key(content, str(sides), partial(_each, reader=number, length=sides)))
        for sides in range(2, MOST_SIDES + 1)
        if str(sides) in content
    }


def _check_places(worth: Worth, rounds: Sequence[Round]) -> None:
    """By place, each size of table that occurs needs the worth of its places."""
    if worth.by is not By.PLACE:
        return
    sizes = sorted({len(table.sides) for each in rounds for table in each.tables})
    if missing := [size for size in sizes if size not in worth.places]:
        text = marked("The worth of the places at a table of {sides} is missing.")
        raise Refused("missing", text, ".worth.places", sides=missing[0])


def _order(value: Any, by: By) -> tuple[str, ...]:
    names = _each(value, reader=partial(read.one_of, choices=tuple(CRITERIA)))
    if len(names) > MOST_CRITERIA:
        raise Refused("too-many", marked("A stage can have up to {most} criteria."), most=MOST_CRITERIA)
    _once(names)
    for place, name in enumerate(names):
        if by in CRITERIA[name].not_by:
            text = marked("The criterion {name} has no meaning when a round is worth points by {by}.")
            raise Refused("not-for-this-worth", text, f"[{place}]", name=name, by=by)
    return tuple(names)


def _apart(value: Any) -> Apart:
    content = read.mapping(value)
    return Apart(_key(content, "by", read.text), _key(content, "rounds", read.whole, 0))


def _qualified(value: Any) -> Qualified:
    content = read.mapping(value)
    stages = _key(content, "stages", partial(_each, reader=read.text))
    _some(stages, ".stages", marked("This list needs a stage."))
    _once(stages, ".stages")
    return Qualified(tuple(stages), _key(content, "first", _count))


def _round(value: Any, known: frozenset[int], boards: bool = False) -> Round:
    content = read.mapping(value)
    seated: set[int] = set()
    table = partial(_table, known=known, seated=seated, boards=boards)
    tables = _key(content, "tables", partial(_each, reader=table), ())
    unplayed = _key(content, "unplayed", partial(_each, reader=partial(_without_table, known=known, seen=seated)), ())
    return Round(tuple(tables), dict(unplayed))


def _table(value: Any, known: frozenset[int], seated: set[int], boards: bool) -> Table:
    """`boards`: whether a criterion needs them. Otherwise they can be anything, like all that is not checked."""
    content = read.mapping(value)
    side = partial(_side, known=known, seated=seated)
    sides = tuple(_key(content, "sides", partial(_each, reader=side)))
    if not 2 <= len(sides) <= MOST_SIDES:
        raise Refused("wrong-length", marked("A table has from 2 to {most} sides."), ".sides", most=MOST_SIDES)
    absent = _key(content, "absent", partial(_absent, sides=len(sides)), frozenset())
    totals = _key(content, "totals", partial(_totals, sides=len(sides), absent=absent), None)
    places = _key(content, "places", partial(_decided, sides=len(sides)), None)
    shares = _key(content, "boards", partial(_each, reader=partial(_board, sides=len(sides))), ()) if boards else ()
    # People may want to know it; like all that is not checked, it can be anything.
    most = _key(content, "best_of", best_of, None)
    return Table(sides, totals, absent, places, content.get("abandoned") is True, tuple(shares), most)


def _board(value: Any, sides: int) -> tuple[Number, ...] | None:
    """The share of each side at a board; None if it is not over."""
    content = read.mapping(value)
    if content.get("shares") is None:
        return None
    return tuple(_key(content, "shares", partial(_each, reader=_share, length=sides)))


def _share(value: Any) -> Number:
    share = number(value)
    if share not in (0, HALF, 1):
        raise Malformed(marked("Expected 0, 1/2 or 1, not {value}."), value=read.shown(value))
    return share


def _side(value: Any, known: frozenset[int], seated: set[int]) -> tuple[int, ...]:
    side = tuple(_each(value, reader=partial(_new_entrant, known=known, seen=seated)))
    _some(side, "", marked("A side needs an entrant."))
    return side


def _absent(value: Any, sides: int) -> frozenset[int]:
    absent = _each(value, reader=partial(_number_of_side, sides=sides))
    _once(absent)
    return frozenset(absent)


def _number_of_side(value: Any, sides: int) -> int:
    if read.whole(value) >= sides:
        raise Refused("unknown", marked("There is no side {side}."), side=value)
    return int(value)


def _totals(value: Any, sides: int, absent: frozenset[int]) -> tuple[int | None, ...] | None:
    """Where at least two sides came, exactly those have a total. Else each may have one."""
    if value is None:
        return None
    totals = tuple(_each(value, reader=_total, length=sides))
    if sides - len(absent) < 2:
        return totals
    for side, total in enumerate(totals):
        if total is None and side not in absent:
            raise Refused("missing", marked("This side came, so it needs a total."), f"[{side}]")
        if total is not None and side in absent:
            raise Refused("not-allowed", marked("This side was absent, so it has no total."), f"[{side}]")
    return totals


def _total(value: Any) -> int | None:
    return None if value is None else read.number(value)


def _decided(value: Any, sides: int) -> tuple[int, ...]:
    places = _each(value, reader=_count, length=sides)
    _once(places)
    return tuple(places)


def _without_table(value: Any, known: frozenset[int], seen: set[int]) -> tuple[int, Kind]:
    content = read.mapping(value)
    entrant = _key(content, "entrant", partial(_new_entrant, known=known, seen=seen))
    return entrant, _key(content, "kind", partial(_choice, of=Kind))


def _penalty(value: Any, known: frozenset[int]) -> Penalty:
    content = read.mapping(value)
    return Penalty(
        _key(content, "entrant", partial(_known_entrant, known=known)),
        _key(content, "round", _count),
        _key(content, "points", number),
        _key(content, "reason", read.text, ""),
        _key(content, "cancelled", read.flag, False),
    )


def _overall(value: Any, stages: set[str]) -> tuple[tuple[str, ...], ...]:
    seen: set[str] = set()

    def stage(value: Any) -> str:
        name = read.text(value)
        if name not in stages:
            raise Refused("unknown", marked("There is no stage {name}."), name=read.shown(name))
        if name in seen:
            raise Refused("twice", marked("{value} is there twice."), value=read.shown(name))
        seen.add(name)
        return name

    def together(value: Any) -> tuple[str, ...]:
        names = tuple(_each(value, reader=stage))
        _some(names, "", marked("This list needs a stage."))
        return names

    return tuple(_each(value, reader=together))


# --- values ------------------------------------------------------------------------------------------------
def _key(content: Mapping[str, Any], key: str, reader: Callable[[Any], T], default: Any = _NEEDED) -> T:
    """The value under the key. Without it: the default, or Refused "missing"."""
    if key not in content:
        if default is _NEEDED:
            raise Refused("missing", marked("{key} is missing."), key=key)
        kept: T = default
        return kept
    return _inside(f".{key}", reader, content[key])


def _each(value: Any, reader: Callable[[Any], T], length: int | None = None) -> list[T]:
    """The values of a list; if `length` is given, of this length."""
    return [_inside(f"[{place}]", reader, each) for place, each in enumerate(read.listed(value, length))]


def _inside(step: str, reader: Callable[[Any], T], value: Any) -> T:
    try:
        return reader(value)
    except Malformed as error:
        raise _refused("wrong-kind", error, step) from error
    except Refused as error:
        raise error.inside(step) from error


def _refused(code: str, error: Malformed, at: str = "") -> Refused:
    return Refused(code, error.template, at, **error.facts)


def _count(value: Any) -> int:
    """A whole number from 1."""
    if read.whole(value) < 1:
        raise Malformed(marked("Expected a whole number from 1, not {value}."), value=read.shown(value))
    return int(value)


def _choice(value: Any, of: type[E]) -> E:
    return of(read.one_of(value, [*of]))


def _entrants(value: Any, known: frozenset[int] | Mapping[int, Entrant]) -> tuple[int, ...]:
    seen: set[int] = set()
    return tuple(_each(value, reader=partial(_new_entrant, known=known, seen=seen)))


def _new_entrant(value: Any, known: frozenset[int] | Mapping[int, Entrant], seen: set[int]) -> int:
    """A known entrant who is not among those `seen`; from now on they are."""
    entrant = _known_entrant(value, known)
    if entrant in seen:
        raise Refused("twice", marked("Entrant {number} is there twice."), number=entrant)
    seen.add(entrant)
    return entrant


def _known_entrant(value: Any, known: frozenset[int] | Mapping[int, Entrant]) -> int:
    entrant = read.number(value)
    if entrant not in known:
        raise Refused("unknown", marked("There is no entrant {number} here."), number=entrant)
    return entrant


def _some(values: Sequence[Any], at: str, text: str) -> None:
    if not values:
        raise Refused("empty", text, at)


def _once(values: Sequence[Any], at: str = "", inside: str = "") -> None:
    """Refused "twice" at the first value that was there before."""
    seen = set()
    for place, value in enumerate(values):
        if value in seen:
            raise Refused("twice", marked("{value} is there twice."), f"{at}[{place}]{inside}", value=read.shown(value))
        seen.add(value)
