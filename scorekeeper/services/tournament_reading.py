"""What an import reads: the archive of a tournament or its file alone, if this program can play it.

What it cannot keep exactly is refused here, with its place in the file.
"""

import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import IO, Any, TypeVar
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _

from games import GAMES, Game, read
from games.errors import GameError, Malformed, marked
from scorekeeper.events.records import Noted, Place
from scorekeeper.events.rounds import Impossible
from scorekeeper.events.setup import DOUBLE, FORMAT_NAMES, OWN, USUAL, fits, shapes
from scorekeeper.events.wishes import KINDS, Wish
from scorekeeper.names import folded
from scorekeeper.services import setups, storable
from scorekeeper.services.errors import Refused
from scorekeeper.standings import exact
from scorekeeper.standings.reading import Refused as BadFile
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Kind, Round, Stage, System, Tournament
from scorekeeper.words import in_words

FILE, RECORDS = "tournament.json", "records.ndjson"
LARGEST = 200_000_000  # bytes of a member of the archive
LARGEST_NUMBER = 999_999_999  # of an entrant
MOST_TABLES = 1000
"""The greatest number of a table that a file can ask for: the club gets all tables up to it."""
T = TypeVar("T")


class BadArchive(Refused):
    """What is wrong with an archive, and the place in its file; "" for the file as a whole."""

    def __init__(self, message: str, at: str = "") -> None:
        super().__init__("bad-archive", f"{at}: {message}" if at else message)


@dataclass(frozen=True)
class Group:
    """A stage of the file: a group, a final, or all who play."""

    at: str
    """Its place in the file."""
    stage: Stage
    written: Mapping[str, Any]
    """The same as JSON."""
    own: Mapping[str, Any]
    """What of its setup is not that of the others side by side with it."""

    @property
    def name(self) -> str:
        return self.stage.name

    @property
    def tables(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """All its tables, each with its place in the file."""
        for number, played in enumerate(self.written.get("rounds", ())):
            for at, table in enumerate(played["tables"]):
                yield f"{self.at}.rounds[{number}].tables[{at}]", table


@dataclass(frozen=True)
class Played:
    """A round of all groups of a part."""

    round: Round
    tables: Sequence[Mapping[str, Any]]
    """Its tables as JSON."""


@dataclass(frozen=True)
class Part:
    """Groups that play side by side, by the same setup unless they have their own."""

    setup: Mapping[str, Any]
    """As in the file, or as its tables show."""
    groups: Sequence[Group]
    """At least one."""
    carried: Mapping[int, exact.Number]
    """The points that entrants brought along."""
    before: int
    """How many rounds there were before its own."""
    advances: Sequence[Mapping[str, Any]]
    """What was decided about who goes on from it."""

    @cached_property
    def rounds(self) -> list[Played]:
        together = zip_longest(
            *(zip(each.stage.rounds, each.written.get("rounds", ()), strict=True) for each in self.groups),
            fillvalue=(Round(), {"tables": []}),
        )
        return [
            Played(
                Round(
                    tuple(table for round, _written in groups for table in round.tables),
                    {entrant: kind for round, _written in groups for entrant, kind in round.unplayed.items()},
                ),
                [table for _round, written in groups for table in written["tables"]],
            )
            for groups in together
        ]

    @property
    def entrants(self) -> list[int]:
        return [entrant for group in self.groups for entrant in group.stage.entrants]

    @property
    def manual(self) -> list[int]:
        return [entrant for group in self.groups for entrant in group.stage.manual]

    @property
    def penalties(self) -> Iterator[Mapping[str, Any]]:
        """As in the file, without the points that entrants brought along, which come first there."""
        for group in self.groups:
            brought = sum(entrant in self.carried for entrant in group.stage.entrants)
            yield from group.written.get("penalties", ())[brought:]


@dataclass(frozen=True)
class Archive:
    """A tournament, and the records of its matches."""

    content: Mapping[str, Any]
    """The tournament file as JSON."""
    file: Tournament
    parts: Sequence[Part]
    """One after the other, at least one."""
    withdrawn: Sequence[int]
    """The start numbers of who has left."""
    resting: Sequence[int]
    """The start numbers of who takes a break from free play."""
    plan: Mapping[str, Any]
    """The rounds to come as in the step `plan`; empty if there are none."""
    released: Mapping[str, Any]
    """Those that everybody may see, in the same form."""
    wishes: Sequence[Mapping[str, Any]]
    """As in the step `wish`."""
    categories: Sequence[Mapping[str, Any]]
    """Each with its `name` and its `entrants`."""
    answers: Mapping[Place, Sequence[Mapping[str, Any]]]
    """The entries with which players confirmed and disputed a result."""
    noted: Sequence[Noted]
    """Results that were corrected before the archive was made."""
    closed: bool
    records: Mapping[str, Any]
    """By the ids of matches in the file."""

    @property
    def setup(self) -> Mapping[str, Any]:
        """That of the part that is played last."""
        return self.parts[-1].setup

    @cached_property
    def rounds(self) -> list[Played]:
        return [played for part in self.parts for played in part.rounds]


def read_archive(archive: IO[bytes]) -> Archive:
    """An archive, or a tournament file alone. Raises BadArchive."""
    content, records = _members(archive)
    try:
        file = read_value(content)
    except BadFile as error:
        raise BadArchive(_(error.template).format(**error.facts), error.at) from error
    if file.game not in GAMES:
        raise BadArchive(_("This game does not exist."), "game")
    if file.name:
        _at("name", storable.name, file.name)
    more = _at("scorekeeper", read.mapping, content.get("scorekeeper", {}))
    for at, text in _misfits(file, GAMES[file.game]):
        raise BadArchive(text, at)
    parts = _parts(content, file, more)
    rounds = parts[-1].before + len(parts[-1].rounds)
    plan, released = _to_come(more, file, parts[-1])
    return Archive(
        content,
        file,
        parts,
        _listed("withdrawn", more, file),
        _listed("resting", more, file),
        plan,
        released,
        _wishes(more, file),
        _categories(more, file),
        _answers(more, rounds),
        _corrections(more, file, rounds),
        _at("scorekeeper.closed", read.flag, more.get("closed", False)),
        records,
    )


# --- the members of the archive ----------------------------------------------------------------------------
def _members(archive: IO[bytes]) -> tuple[Any, dict[str, Any]]:
    """The JSON of the tournament file, and the records by the ids of their matches."""
    try:
        with ZipFile(archive) as members:
            file = read.json_value(_member(members, FILE))
            records = [read.json_value(line) for line in _member(members, RECORDS).splitlines() if line.strip()]
    except BadZipFile:
        archive.seek(0)
        return _alone(archive.read(LARGEST)), {}
    except Malformed as error:
        raise _no_archive(in_words(error)) from error
    except KeyError as error:
        text = _("There is no {name} in it. Choose an archive that a server like this one has made.")
        raise _no_archive(text.format(name=error.args[0])) from error
    except (ValueError, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
        raise _no_archive(error) from error
    return file, {str(each["meta"].get("id", "")): each for each in records if _has_meta(each)}


def _member(archive: ZipFile, name: str) -> str:
    """KeyError if it is not there, ValueError if it is too large or no text."""
    if name not in archive.namelist():
        raise KeyError(name)
    if archive.getinfo(name).file_size > LARGEST:
        raise ValueError(name)
    return archive.read(name).decode()


def _alone(content: bytes) -> Any:
    try:
        return read.json_value(content)
    except Malformed as error:
        raise BadArchive(_("This is neither an archive nor a tournament file.")) from error


def _no_archive(reason: object) -> BadArchive:
    return BadArchive(_("This is not an archive of a tournament: {reason}").format(reason=reason))


def _has_meta(record: object) -> bool:
    return isinstance(record, dict) and isinstance(record.get("meta"), dict)


# --- what this program cannot keep -------------------------------------------------------------------------
def _misfits(file: Tournament, game: Game[Any]) -> Iterator[tuple[str, str]]:
    """What would not be the same here: its place in the file, and why it cannot be imported."""
    if file.lower_wins != game.lower_wins:
        if game.lower_wins:
            yield "lower_wins", _("In this game the smaller total wins: write true.")
        yield "lower_wins", _("In this game the greater total wins: write false.")
    for at, number in enumerate(file.entrants):
        if number > LARGEST_NUMBER:
            text = _("A start number can be at most {most}. Give this entrant another one.")
            yield f"entrants[{at}].id", text.format(most=LARGEST_NUMBER)
    for at, stage in enumerate(file.stages):
        yield from _misfits_of(f"stages[{at}]", stage)


def _misfits_of(place: str, stage: Stage) -> Iterator[tuple[str, str]]:
    for number, played in enumerate(stage.rounds):
        for at, kind in enumerate(played.unplayed.values()):
            if kind is Kind.ASKED and stage.system is System.ROUND_ROBIN:
                text = _("A bye that somebody asked for cannot be imported. Write “bye” or “absent”.")
                yield f"{place}.rounds[{number}].unplayed[{at}].kind", text
        for at, table in enumerate(played.tables):
            if any(table.totals or ()) and len(table.sides) - len(table.absent) < 2:
                text = _("Totals of a table to which at most one side came cannot be imported. Take them out.")
                yield f"{place}.rounds[{number}].tables[{at}].totals", text


def _formats(group: Group, formats: Sequence[str]) -> list[str]:
    """Those of these formats that have all tables of the group."""
    for number, played in enumerate(group.stage.rounds):
        for at, table in enumerate(played.tables):
            shape = tuple(map(len, table.sides))
            formats = [name for name in formats if shape in shapes(name)]
            if not formats:
                text = _("No tournament here has this table together with the tables before it.")
                raise BadArchive(text, f"{group.at}.rounds[{number}].tables[{at}].sides")
    return list(formats)


# --- what this program adds to the file --------------------------------------------------------------------
def _parts(content: Mapping[str, Any], file: Tournament, more: Mapping[str, Any]) -> list[Part]:
    """Which stages of the file play side by side, and which one after the other. The file of another program has one
    stage."""
    both = enumerate(zip(file.stages, content["stages"], strict=True))
    groups = {stage.name: Group(f"stages[{at}]", stage, written, {}) for at, (stage, written) in both}
    if len(groups) > 1 and "stages" not in more:
        text = _("Only Scorekeeper’s own file of a tournament with more than one stage can be imported.")
        raise BadArchive(text, "stages")
    alone = [{"groups": list(groups), "setup": {}, "carried": []}]
    found: list[Part] = []
    left, before = list(groups), 0
    for at, value in enumerate(_at("scorekeeper.stages", read.listed, more.get("stages", alone))):
        place = f"scorekeeper.stages[{at}]"
        keys = {"required": ("groups", "setup", "carried"), "optional": ("advances", "own")}
        each = _at(place, partial(read.keyed, **keys), value)
        names = _at(f"{place}.groups", read.listed, each["groups"])
        if not names or left[: len(names)] != names:
            raise _other_stages()
        left = left[len(names) :]
        setup = _at(f"{place}.setup", read.mapping, each["setup"])
        owns = _at(f"{place}.own", read.mapping, each.get("own", {}))
        here = [
            replace(groups[name], own=_at(f"{place}.own.{name}", read.mapping, owns.get(name, {}))) for name in names
        ]
        carried = _at(f"{place}.carried", partial(_carried, file=file), each["carried"])
        listed = _at(f"{place}.advances", read.listed, each.get("advances", []))
        advances = [_at(f"{place}.advances[{n}]", partial(_advance, file=file), one) for n, one in enumerate(listed)]
        for name in names if len(groups) > 1 else ():  # of one alone, it is not kept
            _at(f"{groups[name].at}.name", storable.name, name)
        found.append(_part(here, setup, carried, before, advances, content, file, more))
        before += len(found[-1].rounds)
    if left:
        raise _other_stages()
    first = found[0]
    divided = len(first.groups) > 1 or first.setup["system"] == System.KNOCK_OUT
    if len(first.entrants) < len(file.entrants) and not divided:
        text = _("Everybody takes part in the stage here. Take the others out of the list of entrants.")
        raise BadArchive(text, f"{first.groups[0].at}.entrants")
    return found


def _other_stages() -> BadArchive:
    text = _("These are not all stages of the file, each once and in their order.")
    return BadArchive(text, "scorekeeper.stages")


def _carried(value: Any, file: Tournament) -> dict[int, exact.Number]:
    pairs = [read.listed(each, 2) for each in read.listed(value)]
    return {_entrant(entrant, file): exact.number(points) for entrant, points in pairs}


def _advance(value: Any, file: Tournament) -> dict[str, Any]:
    """As it was decided who of equals goes on."""
    each = read.keyed(value, required=("entrants",), optional=("lots", "why"))
    entrants = [_entrant(entrant, file) for entrant in read.listed(each["entrants"])]
    return {"entrants": entrants, **{name: storable.text(each[name]) for name in ("lots", "why") if name in each}}


def _part(
    groups: Sequence[Group],
    known: Mapping[str, Any],
    carried: Mapping[int, exact.Number],
    before: int,
    advances: Sequence[Mapping[str, Any]],
    content: Mapping[str, Any],
    file: Tournament,
    more: Mapping[str, Any],
) -> Part:
    """Groups that play side by side. `known`: what of their setup is other than in that of the tournament."""
    usual = next((group for group in groups if not group.own), groups[0])
    shared = _setup(usual, {**known, **usual.own}, content, file, more)
    found = []
    for group in groups:
        setup = _setup(group, {**known, **group.own}, content, file, more) if group.own else shared
        if any(setup[name] != shared[name] for name in setup.keys() - OWN) or (
            not group.own and _rules(group) != _rules(usual)
        ):
            raise BadArchive(_("Groups that play side by side have the same rules."), group.at)
        own = {name: setup[name] for name in OWN if name in group.own or setup[name] != shared[name]}
        found.append(replace(group, own=own))
        _formats(group, [setup["format"]])
        for number, penalty in enumerate(group.written.get("penalties", ())):
            for name in ("reason", "cancelled_because"):
                _at(f"{group.at}.penalties[{number}].{name}", storable.text, penalty.get(name, ""))
        for at, table in group.tables:
            if _several(setup, table.get("best_of", setup["best_of"])):
                _at(f"{at}.matches", partial(_matches, table=table, file=file), table.get("matches", []))
    return Part(shared, found, carried, before, advances)


def _setup(
    group: Group, own: Mapping[str, Any], content: Mapping[str, Any], file: Tournament, more: Mapping[str, Any]
) -> dict[str, Any]:
    game = GAMES[file.game]
    known = _at("scorekeeper.setup", read.mapping, more["setup"]) if "setup" in more else None
    head, rules = {"game": game.slug, "options": content.get("options", {})}, _rules(group)
    places = {**{name: name for name in head}, **{name: f"{group.at}.{name}" for name in rules}}
    guessed = _guessed(group, file, game) if known is None else known
    try:
        return setups.checked({**USUAL, **guessed, **head, **own, **rules})
    except setups.BadSetup as error:
        inside = f"{group.at}.rounds" if known is None else f"scorekeeper.setup.{error.at}".removesuffix(".")
        raise BadArchive(error.message, places.get(error.at, inside)) from error
    except GameError as error:
        raise BadArchive(in_words(error), "options") from error


def _rules(group: Group) -> dict[str, Any]:
    """What of the setup is in a stage of the file."""
    stage, written = group.stage, group.written
    found = {
        "worth": written["worth"],
        "order": written.get("order", []),
        "minimum_played": stage.minimum_played,
        "lots": stage.lots,
        "system": stage.system.value,
    }
    if stage.system is System.KNOCK_OUT:
        found |= {"bracket": _bracket(stage), "best_of": stage.best_of, "final_best_of": stage.final_best_of}
    return found


def _bracket(stage: Stage) -> str:
    return (
        DOUBLE
        if stage.double
        else "placement"
        if stage.placement
        else "third-place"
        if stage.third_place
        else USUAL["bracket"]
    )


def _guessed(group: Group, file: Tournament, game: Game[Any]) -> dict[str, Any]:
    """How it is played, as its tables show."""
    stage = group.stage
    size = max(1, *(len(each.players) for each in file.entrants.values()))
    formats = _formats(group, FORMAT_NAMES)
    format = next((name for name in formats if fits(game, name, size)), formats[0])
    return {
        "minutes": None,
        "format": format,
        "size": size,
        "rounds": stage.rounds_planned if stage.system is System.SWISS else None,
        "double": False,
        "pairing": stage.pairing.value,
        "first": stage.first.value,
        "apart": stage.apart.rounds if stage.apart else 0,
    }


def _listed(name: str, more: Mapping[str, Any], file: Tournament) -> list[int]:
    """The start numbers in the list of this name."""
    listed = _at(f"scorekeeper.{name}", read.listed, more.get(name, []))
    return [_at(f"scorekeeper.{name}[{at}]", partial(_entrant, file=file), each) for at, each in enumerate(listed)]


def _several(setup: Mapping[str, Any], best_of: int) -> bool:
    """Whether several matches decide a table."""
    return bool(setup["system"] == System.KNOCK_OUT and best_of > 1)


def _matches(value: Any, table: Mapping[str, Any], file: Tournament) -> None:
    """Checks the matches of a table at which several decide."""
    sides = table["sides"]
    if not read.listed(value) and table.get("totals"):
        raise Malformed(marked("Several matches decide this table. Write each of them."))
    for each in value:
        read.mapping(each)
        if each.get("sides") not in (sides, sides[::-1]):
            raise Malformed(marked("The sides of a match are those of its table."))
        for total in read.listed(each.get("totals") or [0, 0], len(sides)):
            read.number(total)


def _to_come(more: Mapping[str, Any], file: Tournament, part: Part) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The rounds to come, and those of them that were released. Archives of earlier versions have only the first, with
    a mark if all are released; the file for everybody has only the second."""
    plan = _rounds("plan", more, file, part, required=("rounds", "at", "released"))
    released = _rounds("released", more, file, part, required=("rounds", "at"))
    all_public: bool = _at("scorekeeper.plan.released", read.flag, more["plan"]["released"]) if plan else False
    return plan or released, released or (plan if all_public else {})


def _rounds(
    name: str, more: Mapping[str, Any], file: Tournament, part: Part, required: tuple[str, ...]
) -> Mapping[str, Any]:
    if name not in more:
        return {}
    place = f"scorekeeper.{name}"
    plan = _at(place, partial(read.keyed, required=required, optional=("later",)), more[name])
    formats = {group.own.get("format", part.setup["format"]) for group in part.groups}
    seating = partial(_seating, file=file, sizes={sum(shape) for format in formats for shape in shapes(format)})
    seated, later = (
        [
            _at(f"{place}.{key}[{at}]", seating, each)
            for at, each in enumerate(_at(f"{place}.{key}", read.listed, plan.get(key, [])))
        ]
        for key in ("rounds", "later")
    )
    numbers = _at(f"{place}.at", read.listed, plan["at"])
    tables = [_at(f"{place}.at[{at}]", _table_number, each) for at, each in enumerate(numbers)]
    if len({*tables}) < max([len(tables), *(len(each["tables"]) for each in seated)]):
        raise BadArchive(_("Each table of a round needs its own number."), f"{place}.at")
    return {"rounds": seated, "at": tables, **({"later": later} if later else {})}


def _seating(value: Any, file: Tournament, sizes: Collection[int]) -> Mapping[str, Any]:
    """A round to come: who sits at its tables, and who has a bye."""
    content = read.keyed(value, required=("tables", "byes"))
    tables = [[_entrant(each, file) for each in read.listed(table)] for table in read.listed(content["tables"])]
    byes = [_entrant(each, file) for each in read.listed(content["byes"])]
    named = [*byes, *(each for table in tables for each in table)]
    if len({*named}) < len(named):
        raise Malformed(marked("Somebody has two places in this round."))
    if any(len(table) not in sizes for table in tables):
        raise Malformed(marked("No tournament here has this table together with the tables before it."))
    return {"tables": tables, "byes": byes}


def _table_number(value: Any) -> int:
    if not 0 < read.whole(value) <= MOST_TABLES:
        raise Malformed(marked("The number of a table can be at most {most}."), most=MOST_TABLES)
    return int(value)


def _entrant(value: Any, file: Tournament) -> int:
    if read.whole(value) not in file.entrants:
        raise Malformed(marked("There is no entrant {number} here."), number=value)
    return int(value)


def _wishes(more: Mapping[str, Any], file: Tournament) -> list[Mapping[str, Any]]:
    listed = _at("scorekeeper.wishes", read.listed, more.get("wishes", []))
    return [_at(f"scorekeeper.wishes[{at}]", partial(_wish, file=file), each) for at, each in enumerate(listed)]


def _wish(value: Any, file: Tournament) -> Mapping[str, Any]:
    content = read.keyed(value, required=("what", "entrants", "first", "last", "table"))
    read.one_of(content["what"], KINDS)
    entrants = [_entrant(each, file) for each in read.listed(content["entrants"])]
    if read.whole(content["first"]) < 1:
        raise Malformed(marked("Rounds count from 1."))
    if content["last"] is not None:
        read.whole(content["last"])
    if content["what"] == "table":
        _table_number(content["table"])
    try:
        return Wish.of({**content, "entrants": entrants}).as_json()
    except Impossible as error:
        raise Malformed(marked("This wish cannot be kept.")) from error


def _categories(more: Mapping[str, Any], file: Tournament) -> list[Mapping[str, Any]]:
    listed = _at("scorekeeper.categories", read.listed, more.get("categories", []))
    category = partial(_category, file=file)
    found = [_at(f"scorekeeper.categories[{at}]", category, each) for at, each in enumerate(listed)]
    if len({folded(each["name"]) for each in found}) < len(found):
        raise BadArchive(_("Two categories have the same name."), "scorekeeper.categories")
    return found


def _category(value: Any, file: Tournament) -> Mapping[str, Any]:
    content = read.keyed(value, required=("name", "entrants"))
    entrants = [_entrant(each, file) for each in read.listed(content["entrants"])]
    return {"name": storable.name(content["name"]), "entrants": entrants}


def _answers(more: Mapping[str, Any], rounds: int) -> dict[Place, list[Mapping[str, Any]]]:
    listed = _at("scorekeeper.answers", read.listed, more.get("answers", []))
    answer = partial(_answer, rounds=rounds)
    return dict(_at(f"scorekeeper.answers[{at}]", answer, each) for at, each in enumerate(listed))


def _answer(value: Any, rounds: int) -> tuple[Place, list[Mapping[str, Any]]]:
    content = read.keyed(value, required=("round", "table"), optional=("confirmed", "disputed"))
    place = _round_number(content["round"], rounds), _table_number(content["table"])
    seats = read.listed(content.get("confirmed", []))
    entries: list[Mapping[str, Any]] = [{"kind": "confirm", "seats": seats}] if seats else []
    for each in read.listed(content.get("disputed", [])):
        entries.append({"kind": "dispute", **read.keyed(each, required=("seat",), optional=("why",))})
    return place, entries


def _corrections(more: Mapping[str, Any], file: Tournament, rounds: int) -> list[Noted]:
    listed = _at("scorekeeper.corrections", read.listed, more.get("corrections", []))
    noted = partial(_noted, file=file, rounds=rounds)
    return [_at(f"scorekeeper.corrections[{at}]", noted, each) for at, each in enumerate(listed)]


def _noted(value: Any, file: Tournament, rounds: int) -> Noted:
    content = read.keyed(value, required=("round", "table", "at", "why", "by"), optional=("old", "new", "swapped"))
    _round_number(content["round"], rounds)
    for number in read.listed(content.get("swapped", [])):
        _entrant(number, file)
    read.whole(content["table"])
    for name in ("why", "by"):
        storable.text(content[name])
    for name in ("old", "new"):
        for total in read.listed(content.get(name, [])):
            read.number(total)
    try:
        noted = Noted.of(content)
    except (TypeError, ValueError) as error:
        raise Malformed(marked("Expected a time like 2026-05-09T19:30:00+00:00.")) from error
    if noted.at.tzinfo is None:
        raise Malformed(marked("Expected a time like 2026-05-09T19:30:00+00:00."))
    return noted


def _round_number(value: Any, rounds: int) -> int:
    if not 0 < read.whole(value) <= rounds:
        raise Malformed(marked("There is no round {number} here."), number=value)
    return int(value)


def _at(place: str, reader: Callable[[Any], T], value: Any) -> T:
    try:
        return reader(value)
    except Malformed as error:
        raise BadArchive(in_words(error), place) from error
