"""The rehearsal of a tournament's day, for its directors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.events import Tournament
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.forms.tournaments import GOES_ON
from scorekeeper.models import Event, Job
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.playing import Troubles
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import league_of, team_name
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.words import listed
from scorekeeper.words import number as number_words

MINUTES_A_DAY = 24 * 60
START, PAUSE = 14 * 60, 10  # in minutes, if the setup does not say it


class Told(NamedTuple):
    """Something that happens at a time of the day."""

    at: str
    text: str
    help: str
    """What the director does at the desk; "" if nothing."""


class RehearsedTable(NamedTuple):
    sides: str
    totals: str


class RehearsedRound(NamedTuple):
    number: int
    stage: str
    """The group or final; "" where there are none."""
    tables: list[RehearsedTable]


class Result(NamedTuple):
    """What the days were like."""

    days: int
    asked: str
    """What it was calculated for."""
    ends: str
    """The median."""
    nine_of_ten: str
    until: str
    """When the day should be over; "" if nobody says it. Free play goes on until then, and is over in time if it can
    be."""
    fits: bool
    helps: list[str]
    enough: bool
    """Whether any of these lets the day end in time."""
    lengths: str
    rounds: list[tuple[int, str, str, str, str]]
    """The number of each round, the groups or finals that play it, its beginning and end on the day that is told, and
    by when nine of ten end."""
    story: list[Told]
    missed: list[str]
    """What was to go wrong, and did not on this day."""
    waiting: str
    """Which table is empty for the longest time, and for what; "" if none is."""
    free_play: bool
    played: list[RehearsedRound]
    begun: bool
    """Whether tables were open at the start."""
    more: int
    """How many rounds are drawn after those."""
    standings: list[tuple[str, list[tuple[int, str]]]]
    """Of the whole, or of each group, final or division with its name."""


class Choice(NamedTuple):
    """A tick or an option of the form."""

    name: str
    text: str
    chosen: bool


class Finals(NamedTuple):
    """What the form says of finals."""

    systems: list[Choice]
    consolations: list[Choice]
    best_of: list[Choice]
    """Who goes on from a table; empty where no final is a knock-out."""


@dataclass(frozen=True, kw_only=True)
class RehearsalPage:
    tournament: Event
    """Or the day of a league."""
    desk_at: str
    job: Job | None
    going: bool
    refusal: str
    result: Result | None
    changed: bool
    """Whether the tournament has changed since the newest rehearsal was asked for."""
    fields: Mapping[str, str]
    """What the form has in its fields: what was typed, or the newest rehearsal was asked for, or what is usual."""
    fewest_tables: int
    free_play: bool
    """Whether its end says how much is rehearsed."""
    troubles: list[Choice]
    finals: Finals | None
    """None where there are no groups."""
    wants_groups: bool
    """Whether groups are to be drawn first: then there is no form."""


def systems(state: Tournament) -> list[tuple[str, str]]:
    """How finals after the groups that play now can be played, and what the form says. Finals have none after them."""
    two_sides = state.setup["format"] == "heads"
    named = [(KNOCK_OUT, _("Knock-out")), ("round-robin", _("Round robin")), (SWISS, _("Swiss"))]
    return named[0 if two_sides else 1 :] if state.groups and not state.earlier else []


def troubles() -> list[tuple[str, str]]:
    """The names of the fields, and what they say."""
    return [
        ("late", _("Somebody comes late")),
        ("no_shows", _("Somebody does not come")),
        ("wrong", _("A result is typed the wrong way round")),
        ("disputed", _("A result is disputed")),
    ]


def rehearsal_page(
    snapshot: EventNow, job: Job | None, typed: Mapping[str, str] | None = None, *, refusal: str = ""
) -> RehearsalPage:
    """`typed`: what was refused."""
    state = tournament_of(snapshot)
    until = state.setup["until"]
    needed = max(len(state.taking_part) // FORMATS[state.setup["format"]].sizes[0], 1)
    there = sum(table.open for table in snapshot.tables)
    names = {number: entrant_name(snapshot, number) for number in state.entrants}
    usual = {
        "tables": min(there or needed, needed),
        "start": until["start"] if until else clock(START),
        "pause": until["pause"] if until else PAUSE,
        "best_of": state.setup["best_of"],
        **({"end": until["end"]} if until else {}),
        **({"overnight": 1} if until and until["end"] < until["start"] else {}),
    }
    fields = _fields(job, typed, usual)
    return RehearsalPage(
        tournament=snapshot.event,
        desk_at=reverse("tournament_desk", args=[snapshot.event.pk]),
        **_so_far(snapshot, job, _Words(names, HELP, state.free_play), refusal),
        **_form(fields, systems(state)),
        fewest_tables=1,
        free_play=state.free_play,
        wants_groups=state.wants_groups,
    )


def league_rehearsal_page(
    snapshot: EventNow, job: Job | None, typed: Mapping[str, str] | None = None, *, refusal: str = ""
) -> RehearsalPage:
    """Of a league that is played on one day. No query."""
    state = league_of(snapshot)
    names = {number: team_name(snapshot, number) for number in state.entrants}
    meetings = sum(len(division.entrants) // 2 for division in state.divisions)
    fewest, scale = (state.form.tables, state.form.scale) if state.form else (1, 1)
    usual = {"tables": max(meetings, 1) * fewest, "start": state.setup["time"], "pause": PAUSE}
    return RehearsalPage(
        tournament=snapshot.event,
        desk_at=reverse("league_desk", args=[snapshot.event.pk]),
        **_so_far(snapshot, job, _Words(names, HELP_OF_LEAGUES, scale=scale), refusal),
        **_form(_fields(job, typed, usual), []),
        fewest_tables=fewest,
        free_play=False,
        wants_groups=False,
    )


def _fields(job: Job | None, typed: Mapping[str, str] | None, usual: Mapping[str, Any]) -> Mapping[str, str]:
    """What the fields of the form have, by their names. A tick that is not there is not ticked."""
    if typed is not None:
        return typed
    if job is None:
        ticks = {name: "1" for name, _text in troubles()}
        return {**{name: str(value) for name, value in usual.items()}, "first": "2", "best": "0", **ticks}
    wanted = job.args["wanted"]
    until = wanted["until"]
    fields = {name: str(value) for name, value in wanted.items() if value is not None}
    fields = {name: value for name, value in fields.items() if value != "0" or name not in Troubles._fields}
    ends = {} if until is None else {"end": clock(until), **({"overnight": "1"} if until >= MINUTES_A_DAY else {})}
    return {**fields, "start": clock(wanted["start"]), **ends}


def _form(fields: Mapping[str, str], ways: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The fields of a page about its form."""
    none = [("", _("None: their tournament is over"))]
    goes_on = [(str(most), str(text)) for most, text in GOES_ON.items()]

    def choices(field: str, options: Iterable[tuple[str, str]]) -> list[Choice]:
        return [Choice(name, text, fields.get(field) == name) for name, text in options]

    return {
        "fields": fields,
        "troubles": [Choice(name, text, name in fields) for name, text in troubles()],
        "finals": Finals(
            choices("system", ways),
            choices("consolation", [*none, *ways]),
            choices("best_of", goes_on if KNOCK_OUT in dict(ways) else []),
        )
        if ways
        else None,
    }


class _Words(NamedTuple):
    """What the words about a day need to know of the event."""

    names: Mapping[int, str]
    helps: Mapping[str, object]
    free_play: bool = False
    scale: int = 1
    """Of teams: what the totals are divided by."""


def _so_far(snapshot: EventNow, job: Job | None, of: _Words, refusal: str) -> dict[str, Any]:
    """The fields of a page about the newest rehearsal."""
    failed = job.error if job and job.state == Job.State.FAILED else ""
    return {
        "job": job,
        "going": job is not None and job.state in (Job.State.NEW, Job.State.RUNNING),
        "refusal": refusal or failed,
        "result": _result(of, job) if job and job.state == Job.State.DONE else None,
        "changed": job is not None and job.args.get("length") != snapshot.event.length,
    }


def clock(minutes: int) -> str:
    """The time of the day, so many minutes after a midnight."""
    minutes %= MINUTES_A_DAY
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _time(minutes: int) -> str:
    """The time, so many minutes after the midnight before the start, with a word for a later day."""
    days = minutes // MINUTES_A_DAY
    if not days:
        return clock(minutes)
    text = ngettext("{time} (next day)", "{time} ({n} days later)", days)
    return text.format(time=clock(minutes), n=days)


def _result(of_event: _Words, job: Job) -> Result:
    found, wanted = job.best, job.args["wanted"]
    names = of_event.names

    def at(seconds: int) -> str:
        return _time(wanted["start"] + -(-seconds // MINUTE))

    def of(*stages: str) -> str:
        return listed([*stages]) if len(found["stages"]) > 1 else ""

    until, end = wanted["until"], found["end"]
    in_time = None if until is None else (until - wanted["start"]) * MINUTE
    fits = in_time is not None and end["nine_of_ten"] <= in_time
    troubled = Troubles(*(wanted[name] for name in Troubles._fields))
    missed = troubled.without(Troubles(**found["happened"]))._asdict()
    return Result(
        days=found["days"],
        asked=_asked(wanted),
        ends=at(end["median"]),
        nine_of_ten=at(end["nine_of_ten"]),
        until="" if until is None or (fits and of_event.free_play) else _time(until),
        fits=fits,
        helps=[_help(each, at(each["nine_of_ten"]), end["nine_of_ten"], in_time) for each in found["helps"]],
        enough=any(in_time is not None and each["nine_of_ten"] <= in_time for each in found["helps"]),
        lengths=_lengths(found["lengths"]),
        rounds=[
            (each["round"], of(*each["stages"]), at(each["begin"]), at(each["end"]), at(each["nine_of_ten"]))
            for each in found["rounds"]
        ],
        story=[
            Told(at(each["at"]), *_told(each, of_event))
            for each in found["story"]
            if each["event"] in ("went-wrong", "corrected")
        ],
        missed=[text for name, text in troubles() if missed[name]],
        waiting=_waiting(found["idle"], at),
        free_play=of_event.free_play,
        played=[
            RehearsedRound(
                number,
                of(stage["stage"]),
                [
                    RehearsedTable(_sides(table["sides"], names), _score(table["totals"], of_event))
                    for table in played["tables"]
                ],
            )
            for stage in found["played"]
            for number, played in enumerate(stage["rounds"], stage["first"])
        ],
        begun=found["begun"] > 0,
        more=len(found["rounds"]) - found["begun"],
        standings=[
            (of(each["stage"]), [(place, names.get(entrant, "")) for place, entrant in each["rows"]])
            for each in found["standings"]
        ],
    )


def _waiting(idle: Mapping[str, Any] | None, at: Callable[[int], str]) -> str:
    if idle is None:
        return ""
    text = _(
        "Table {table} is empty for the longest time, from {since} to {until}. Table {last} in round {round} is the"
        " last to end before."
    )
    last = idle["waited_for"]
    since, until = at(idle["since"]), at(idle["until"])
    return text.format(table=idle["table"], since=since, until=until, last=last["table"], round=last["round"])


def _asked(wanted: Mapping[str, Any]) -> str:
    """What the days were calculated for."""
    if wanted["until"] is not None:
        text = ngettext(
            "Calculated for {n} table in the hall, from {start} to {end}, with pauses of {pause} min.",
            "Calculated for {n} tables in the hall, from {start} to {end}, with pauses of {pause} min.",
            wanted["tables"],
        )
        end = _time(wanted["until"])
    else:
        text = ngettext(
            "Calculated for {n} table in the hall, a start at {start} and pauses of {pause} min.",
            "Calculated for {n} tables in the hall, a start at {start} and pauses of {pause} min.",
            wanted["tables"],
        )
        end = ""
    return text.format(n=wanted["tables"], start=clock(wanted["start"]), end=end, pause=wanted["pause"])


def _help(help: Mapping[str, Any], end: str, now: int, until: int | None) -> str:
    """What helps, by how much, and whether that is enough."""
    number, earlier = help["number"], (now - help["nine_of_ten"]) // MINUTE
    match help["of"]:
        case "tables":
            text = ngettext("With {n} table: by {end}", "With {n} tables: by {end}", number)
        case "limit":
            number //= MINUTE
            text = ngettext("With a limit of {n} minute: by {end}", "With a limit of {n} minutes: by {end}", number)
        case _:
            text = ngettext("With only {n} round: by {end}", "With only {n} rounds: by {end}", number)
    more = (
        ngettext("{n} minute earlier", "{n} minutes earlier", earlier)
        if until is not None and help["nine_of_ten"] <= until
        else ngettext("{n} minute earlier, not enough", "{n} minutes earlier, not enough", earlier)
    )
    return f"{text.format(n=number, end=end)} ({more.format(n=earlier)})"


def _lengths(found: Mapping[str, int]) -> str:
    if found["recorded"]:
        text = ngettext(
            "The lengths of matches are those of {n} match recorded here, in the median {minutes} minutes.",
            "The lengths of matches are those of {n} matches recorded here, in the median {minutes} minutes.",
            found["recorded"],
        )
    else:
        text = _(
            "Too few matches of this game are recorded here. The usual lengths count, in the median {minutes} minutes."
        )
    return text.format(n=found["recorded"], minutes=found["median"] // MINUTE)


def _told(told: Mapping[str, Any], of: _Words) -> tuple[str, str]:
    """What happens, and what the director does."""
    what, names = "corrected" if told["event"] == "corrected" else told["what"], of.names
    who = names.get(told.get("entrant", 0), "")
    facts = {
        "round": told["round"],
        "table": told.get("hall", ""),
        "who": who,
        "sides": _sides(told.get("sides", []), names),
        "totals": _score(told.get("totals"), of),
        "typed": _score(told.get("typed"), of),
    }
    return str(HAPPENS[what]).format(**facts), str(of.helps[what])


HAPPENS = {
    "late": gettext_lazy("Table {table} waited for {who}, who now arrives."),
    "missed": gettext_lazy("{who} is not at table {table}, and time is up for waiting."),
    "entered-late": gettext_lazy("{who} arrives during round {round}, and was not drawn."),
    "no-show": gettext_lazy("{who} does not come to table {table}."),
    "wrong": gettext_lazy("Table {table}, {sides}: {typed} is typed instead of {totals}."),
    "disputed": gettext_lazy("Table {table}, {sides}: a player disputes the result."),
    "corrected": gettext_lazy("Round {round}: the result of {sides} should be {totals}."),
}
HELP = {
    "late": gettext_lazy("Nothing: they play. Give extra time."),
    "missed": gettext_lazy("On the desk, choose them under Somebody did not come. They lose this table."),
    "entered-late": gettext_lazy(
        "On the desk, enter them, or choose them under Somebody leaves or is back. Then draw."
    ),
    "no-show": gettext_lazy(
        "On the desk, choose them under Somebody did not come, then under Somebody leaves or is back."
    ),
    "wrong": gettext_lazy("Nobody notices yet."),
    "disputed": gettext_lazy("Look at the hands with both sides, then press Confirm for everybody on the desk."),
    "corrected": gettext_lazy(
        "Open the match from the desk and press Correct the typed result. No round that has begun changes."
    ),
}
"""What a director does then."""
HELP_OF_LEAGUES = {
    **HELP,
    "late": gettext_lazy("Nothing: they play."),
    "missed": gettext_lazy("Note a walk-over on the page of the fixture."),
    "entered-late": gettext_lazy("Nothing: they play from the next round on."),
    "no-show": gettext_lazy("Note a walk-over on the page of the fixture. On the desk, note that they leave."),
    "disputed": gettext_lazy("Look at the hands with both sides, then confirm the score on the page of the match."),
    "corrected": gettext_lazy("Type the right result on the page of the fixture, with a note."),
}


def _sides(sides: Sequence[Sequence[int]], names: Mapping[int, str]) -> str:
    return " – ".join(" + ".join(names.get(each, "") for each in side) for side in sides)


def _score(totals: Sequence[int | None] | None, of: _Words) -> str:
    if totals is None:
        return _("forfeit")
    return " : ".join("–" if each is None else number_words(Fraction(each, of.scale)) for each in totals)
