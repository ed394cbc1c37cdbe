"""Reading who did what when in a club, from all its logs."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from heapq import merge
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT

from games import GAMES
from scorekeeper.models import AuditEntry, Club, Event, EventEntry, Job, LogEntry, Membership, Role, User
from scorekeeper.models.job import REVIEW
from scorekeeper.models.match import AUDITED
from scorekeeper.selectors.jobs import DELETION, DRAW, REHEARSAL, RULES_TRIED, SCHEDULE
from scorekeeper.selectors.steps import Said, said_by, totals_text

AT_ONCE = 50
NIGHTS = 30
SAID = {
    "totals": r"\[[-0-9, ]+\]",
    "stopped": r"[-a-z]+",
    "points": r"[0-9/]+",
    "why": r"(?s:.+)",
    "reason": r"(?s:.+)",
}
"""What entries of matches may say, and how that looks. Entries of other kinds use some of these names for something
else."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The first two are steps of an event; a rehearsal, a review and a look at other rules change nothing; anybody may ask
# for a night's file or a mail; and a deletion has an entry.
NO_JOBS = [DRAW, SCHEDULE, REHEARSAL, REVIEW, RULES_TRIED, "event-file", "mail", DELETION]


@dataclass(frozen=True, slots=True)
class Trace:
    """An action, in one of the logs."""

    at: datetime
    log: str
    pk: int
    kind: str
    who: str
    """The name of the user; "" for the command line."""
    night: int | None
    match: int | None
    table: int | None
    """The table's number."""
    of_tournament: bool
    """Whether the night is a tournament."""
    of_league: bool
    of_ladder: bool
    what: str
    """The name of the event, the phone's owner, the role, or the network that guessed, if known."""
    said: Said
    """What the entry says, by its names in SAID, for a step of an event also as in `selectors.steps`. Without what it
    does not say."""
    removed: bool
    """Whether the match is removed now."""

    @property
    def place(self) -> "Place":
        return Place(self.at, list(LOGS).index(self.log), self.pk)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order of all actions, the newest first; actions at the same time are in the order of LOGS."""

    at: datetime
    log: int
    pk: int

    def __str__(self) -> str:
        return f"{(self.at - EPOCH) // timedelta(microseconds=1)}-{self.log}-{self.pk}"

    @classmethod
    def read(cls, text: str) -> "Place | None":
        """The place with this text; None if it is none."""
        found = re.fullmatch(r"([0-9]{1,16})-([0-9])-([0-9]{1,18})", text)
        if found is None:
            return None
        at, log, pk = map(int, found.groups())
        return cls(EPOCH + timedelta(microseconds=at), log, pk)

    def after(self, log: int, at: str) -> Q:
        """Which rows of a log come after this place; `at` is the column of its time."""
        now = Q(**{at: self.at})
        here = now & Q(pk__lt=self.pk) if log == self.log else now if log > self.log else Q(pk__in=[])
        return Q(**{f"{at}__lt": self.at}) | here


@dataclass(frozen=True, slots=True)
class Log:
    """Where the columns of a trace are in one of the logs. An empty column stays empty in the trace."""

    rows: QuerySet[Any]
    of: Callable[[Club], Q]
    """Which rows are of the club."""
    user: str = "user"
    at: str = "at"
    night: str = ""
    match: str = ""
    table: Any = ""
    what: Any = ""
    said: bool = False
    """Whether the payload of entries of this log can have what is in SAID."""


def _jobs(club: Club) -> Q:
    """The club's own, and those for the whole server: backups that one of its people asked for, and every restore,
    which does not know who asked, because it replaces that too."""
    of_the_server = Q(by__in=Membership.objects.filter(club=club).values("user")) | Q(kind="restore")
    return Q(club=club) | Q(club=None) & of_the_server


# By the name under which people filter them.
LOGS: Mapping[str, Log] = {
    "nights": Log(
        EventEntry.objects.all(),
        lambda club: Q(event__club=club),
        night="event",
        table=KT("payload__table"),
        what=F("event__name"),
    ),
    "matches": Log(
        LogEntry.objects.filter(user__isnull=False, kind__in=AUDITED),
        lambda club: Q(match__club=club),
        night="match__event",
        match="match",
        table="match__table__number",
        said=True,
    ),
    "tables": Log(
        AuditEntry.objects.all(),
        lambda club: Q(club=club),
        night="event",
        match="match",
        table="table__number",
        what=F("what"),
    ),
    "jobs": Log(Job.objects.exclude(kind__in=NO_JOBS), _jobs, user="by", at="made_at"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Which actions to show: of this user, of this night, in this log. None and "" mean all."""

    who: int | None = None
    night: int | None = None
    log: str = ""


def traces(club: Club, asked: Asked, after: Place | None = None, at_most: int = AT_ONCE) -> list[Trace]:
    """The club's actions after a place, the newest first. One query for each log, and two for what steps say."""
    found = [_read(name, club, asked, after, at_most) for name in LOGS if asked.log in ("", name)]
    newest = merge(*found, key=lambda trace: (trace.at, -trace.place.log, trace.pk), reverse=True)
    chosen = [trace for trace, _place in zip(newest, range(at_most), strict=False)]
    steps = {trace.pk: trace.night for trace in chosen if trace.log == "nights" and trace.night}
    said = said_by(club, {*steps.values()}, steps)
    return [replace(trace, said=said[trace.pk]) if trace.log == "nights" else trace for trace in chosen]


def all_traces(club: Club, asked: Asked, at_once: int = 500) -> Iterator[list[Trace]]:
    """All of them in batches, so that memory does not grow with their number."""
    after = None
    while found := traces(club, asked, after, at_once):
        yield found
        after = found[-1].place


def _read(name: str, club: Club, asked: Asked, after: Place | None, at_most: int) -> list[Trace]:
    log = LOGS[name]
    if asked.night is not None and not log.night:
        return []
    which = log.of(club)
    which &= Q(**{log.user: asked.who}) if asked.who is not None else Q()
    which &= Q(**{log.night: asked.night}) if asked.night is not None else Q()
    which &= after.after(list(LOGS).index(name), log.at) if after else Q()
    columns = {"night": log.night, "match": log.match, "table": log.table}
    columns |= {"removed": log.match and f"{log.match}__removed", "game": log.said and f"{log.match}__game"}
    columns |= {"kind_of_event": log.night and f"{log.night}__kind"}
    columns |= {"what": log.what, **({name: KT(f"payload__{name}") for name in SAID} if log.said else {})}
    named = {f"its_{column}": F(path) if isinstance(path, str) else path for column, path in columns.items() if path}
    rows = log.rows.filter(which).annotate(its_at=F(log.at), who=F(f"{log.user}__username"), **named)
    return [
        Trace(
            at=row["its_at"],
            log=name,
            pk=row["pk"],
            kind=row["kind"],
            who=row["who"] or "",
            night=row.get("its_night"),
            match=row.get("its_match"),
            removed=bool(row.get("its_removed")),
            table=_number(row.get("its_table")),
            of_tournament=row.get("its_kind_of_event") == Event.Kind.TOURNAMENT,
            of_league=row.get("its_kind_of_event") == Event.Kind.LEAGUE,
            of_ladder=row.get("its_kind_of_event") == Event.Kind.LADDER,
            what=row.get("its_what") or "",
            said={name: said for name in SAID if (said := _said(name, row.get(f"its_{name}"), row.get("its_game")))},
        )
        for row in rows.order_by(f"-{log.at}", "-pk").values("pk", "kind", "its_at", "who", *named)[:at_most]
    ]


def _number(value: str | int | None) -> int | None:
    """None without one. SQLite gives the null of a step for a whole round as a text."""
    text = str(value)
    return int(text) if text.isdecimal() else None


def _said(name: str, value: str | int | None, game: str | None) -> str:
    """As text; "" if the entry does not say it. Databases give lists and objects as JSON. Matches have a total for each
    seat; what is said is that of each side."""
    text = "" if value is None else str(value)
    if not re.fullmatch(SAID[name], text):
        return ""
    return _by_side(json.loads(text), game) if name == "totals" else text


def _by_side(totals: Sequence[int], game: str | None) -> str:
    sides = GAMES[game].sides(len(totals)) if game else [(seat,) for seat in range(len(totals))]
    return totals_text([totals[side[0]] for side in sides])


@dataclass(frozen=True, slots=True)
class Changed:
    """A result that a phone of its table took back or corrected."""

    match: int
    before: str
    """The result before that."""
    corrected: bool
    looked_into: bool
    """Whether a host or scorer has made an entry in the match since."""


def results_changed(event: Event) -> list[Changed]:
    """By the phones of the event's tables, in order. One query."""
    since = LogEntry.objects.filter(match=OuterRef("match"), user__in=_hosts(event.club_id), at__gte=OuterRef("at"))
    kinds = [AuditEntry.Kind.RESULT_UNDONE, AuditEntry.Kind.RESULT_CORRECTED]
    noted = AuditEntry.objects.filter(event=event, kind__in=kinds, match__isnull=False).order_by("pk")
    rows = noted.values_list("match", "what", "kind", Exists(since))
    return [
        Changed(match, before, kind == AuditEntry.Kind.RESULT_CORRECTED, looked_into)
        for match, before, kind, looked_into in rows
    ]


def hosts_of(club: Club) -> list[User]:
    """The club's hosts and scorers, by name. One query."""
    return list(_hosts(club.pk).order_by("username"))


def _hosts(club_id: int) -> QuerySet[User]:
    """The club's hosts and scorers."""
    roles = [role for role in Role if role.covers(Role.SCORER)]
    return User.objects.filter(memberships__club=club_id, memberships__role__in=roles)


def nights_of(club: Club) -> list[Event]:
    """The club's newest events. One query."""
    return list(club.events.order_by("-id")[:NIGHTS])
