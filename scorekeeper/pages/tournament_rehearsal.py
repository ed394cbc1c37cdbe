"""The rehearsal of a tournament's day, for its directors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.events import Tournament
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.models import Event, Job
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.playing import Troubles
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import league_of, team_name
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.words import listed

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
    ends: str
    """The median."""
    nine_of_ten: str
    until: str
    """When the day should be over; "" if the setup does not say it."""
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
    free_play: bool
    played: list[RehearsedRound]
    standings: list[tuple[int, str]]


@dataclass(frozen=True, kw_only=True)
class RehearsalPage:
    tournament: Event
    """Or the day of a league."""
    desk_at: str
    job: Job | None
    going: bool
    refusal: str
    result: Result | None
    tables: int
    fewest_tables: int
    free_play: bool
    """Whether the form asks when it ends."""
    start: str
    pause: int
    troubles: list[tuple[str, str]]
    systems: list[tuple[str, str]]
    """How finals after the groups can be played; none where there are no groups."""


def systems(state: Tournament) -> list[tuple[str, str]]:
    """How finals after the groups that play now can be played, and what the form says."""
    two_sides = state.setup["format"] == "heads"
    named = [(KNOCK_OUT, _("Knock-out")), ("round-robin", _("Round robin")), (SWISS, _("Swiss"))]
    return named[0 if two_sides else 1 :] if state.groups else []


def troubles() -> list[tuple[str, str]]:
    """The names of the fields, and what they say."""
    return [
        ("late", _("Somebody comes late")),
        ("no_shows", _("Somebody does not come")),
        ("wrong", _("A result is typed the wrong way round")),
        ("disputed", _("A result is disputed")),
    ]


def rehearsal_page(snapshot: EventNow, job: Job | None, *, refusal: str = "") -> RehearsalPage:
    state = tournament_of(snapshot)
    until = state.setup["until"]
    needed = max(len(state.taking_part) // FORMATS[state.setup["format"]].sizes[0], 1)
    there = sum(table.open for table in snapshot.tables)
    names = {number: entrant_name(snapshot, number) for number in state.entrants}
    return RehearsalPage(
        tournament=snapshot.event,
        desk_at=reverse("tournament_desk", args=[snapshot.event.pk]),
        **_so_far(job, _Words(names, HELP, state.free_play), refusal),
        tables=min(there or needed, needed),
        fewest_tables=1,
        free_play=state.free_play,
        start=until["start"] if until else _clock(START),
        pause=until["pause"] if until else PAUSE,
        systems=systems(state),
    )


def league_rehearsal_page(snapshot: EventNow, job: Job | None, *, refusal: str = "") -> RehearsalPage:
    """Of a league that is played on one day. No query."""
    state = league_of(snapshot)
    names = {number: team_name(snapshot, number) for number in state.entrants}
    meetings = sum(len(division.entrants) // 2 for division in state.divisions)
    fewest = state.form.tables if state.form else 1
    return RehearsalPage(
        tournament=snapshot.event,
        desk_at=reverse("league_desk", args=[snapshot.event.pk]),
        **_so_far(job, _Words(names, HELP_OF_LEAGUES), refusal),
        tables=max(meetings, 1) * fewest,
        fewest_tables=fewest,
        free_play=False,
        start=state.setup["time"],
        pause=PAUSE,
        systems=[],
    )


class _Words(NamedTuple):
    """What the words about a day need to know of the event."""

    names: Mapping[int, str]
    helps: Mapping[str, object]
    free_play: bool = False


def _so_far(job: Job | None, of: _Words, refusal: str) -> dict[str, Any]:
    """The fields of a page about the newest rehearsal."""
    failed = job.error if job and job.state == Job.State.FAILED else ""
    return {
        "job": job,
        "going": job is not None and job.state in (Job.State.NEW, Job.State.RUNNING),
        "refusal": refusal or failed,
        "result": _result(of, job) if job and job.state == Job.State.DONE else None,
        "troubles": troubles(),
    }


def _clock(minutes: int) -> str:
    minutes %= MINUTES_A_DAY
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _result(of_event: _Words, job: Job) -> Result:
    found, wanted = job.best, job.args["wanted"]
    names = of_event.names

    def at(seconds: int) -> str:
        return _clock(wanted["start"] + -(-seconds // MINUTE))

    def of(*stages: str) -> str:
        return listed([*stages]) if len(found["stages"]) > 1 else ""

    until = None if of_event.free_play else wanted["until"]  # it goes on until then: it always fits
    end = found["end"]
    in_time = None if until is None else (until - wanted["start"]) * MINUTE
    happened = found.get("happened")  # None of a rehearsal that an earlier version made
    asked = Troubles(*(wanted[name] for name in Troubles._fields))
    missed = asked.without(Troubles(**happened))._asdict() if happened else {}
    return Result(
        days=found["days"],
        ends=at(end["median"]),
        nine_of_ten=at(end["nine_of_ten"]),
        until="" if until is None else _clock(until),
        fits=in_time is not None and end["nine_of_ten"] <= in_time,
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
        missed=[text for name, text in troubles() if missed.get(name)],
        free_play=of_event.free_play,
        played=[
            RehearsedRound(
                number,
                of(stage["stage"]),
                [RehearsedTable(_sides(table["sides"], names), _score(table["totals"])) for table in played["tables"]],
            )
            for stage in found["played"]
            for number, played in enumerate(stage["rounds"], stage["first"])
        ],
        standings=[(place, names.get(entrant, "")) for place, entrant in found["standings"]],
    )


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
        "totals": _score(told.get("totals")),
        "typed": _score(told.get("typed")),
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
    "missed": gettext_lazy("On the desk, choose them under Somebody did not come. They play from the next round on."),
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


def _score(totals: Sequence[int | None] | None) -> str:
    return _("forfeit") if totals is None else " : ".join("–" if each is None else str(each) for each in totals)
