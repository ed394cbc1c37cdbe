"""What a director sees while a round is played: which tables are missing, its clock, who may not have come."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext_lazy

from scorekeeper import words
from scorekeeper.models import Match, Table
from scorekeeper.pages.desk import ByPhones, by_phones, stamp
from scorekeeper.pages.match import TimedLine, timed_line
from scorekeeper.pages.tournament import RoundShown, TableShown, round_shown
from scorekeeper.selectors.clock import MINUTE
from scorekeeper.selectors.ending import clock_of
from scorekeeper.selectors.events import EventNow, in_play, of_the_first_round
from scorekeeper.selectors.tournaments import tournament_of, unsettled

MORE = 5  # minutes that the desk offers first
PARTS = {
    "tables": gettext_lazy("Tables and scores"),
    "seats": gettext_lazy("Who sits where"),
    "standings": gettext_lazy("Standings"),
    "bracket": gettext_lazy("Bracket"),
}
"""What a big screen can hold, by the end of its short address."""


@dataclass(frozen=True, slots=True)
class DayTable:
    """A table of a round that is played."""

    round: int
    shown: TableShown
    line: TimedLine | None
    """Its match, with how near its end it is; None if it is not in play."""
    state: str
    """For its tile: `missing` before the first entry, `playing`, `over`, `disputed` if a player disputes its score,
    `unconfirmed` while too few have confirmed it, `forfeit` if fewer than two came, or `given-up` if it ended without a
    winner."""
    no_show_from: datetime | None
    """From when on a forfeit is offered; None once there is an entry, or somebody has not come, and while its clock
    stands still."""
    no_show: bool
    """Whether that time has come."""

    @property
    def looks(self) -> tuple[Hashable, ...]:
        """Tables with equal looks are drawn alike, but for the fields of their forms that each reader has."""
        match, line = self.shown.match, self.line
        return (
            (
                self.round,
                self.shown.number,
                self.shown.sides,
                self.shown.group,
                self.state,
                self.no_show_from,
                self.no_show,
                self.shown.waits_for,
                self.shown.unverified,
            ),
            match and (match.pk, match.table_id, match.blank, match.length > 0),
            line and (line.hand, line.sides, line.ending, line.ending_words, line.then_words),
        )

    @property
    def waiting(self) -> bool:
        """Whether its result is missing."""
        return self.state in ("missing", "playing")

    @property
    def unsettled(self) -> bool:
        """Whether its result waits for confirmations, or is disputed."""
        return self.state in ("unconfirmed", "disputed")

    @property
    def silent(self) -> list[int]:
        """The seats of its match that have not confirmed."""
        sheet = self.shown.match.sheet if self.shown.match else {"totals": []}
        return [seat for seat in range(len(sheet["totals"])) if seat not in sheet.get("confirmed", ())]

    @property
    def more(self) -> str:
        """Where the desk tells more about it: in its list while the result is missing."""
        return f"#{self.anchor}" if self.waiting else self.page

    @property
    def anchor(self) -> str:
        return f"table-{self.round}-{self.shown.number}"

    @property
    def result_step(self) -> str:
        """The step that types its result."""
        return f"result:{self.round}:{self.shown.number}"

    @property
    def page(self) -> str:
        """The address of its table while it plays, then of its match."""
        match = self.shown.match
        if match is None:
            return ""
        if self.waiting and match.table_id:
            return reverse("table", args=[match.table_id])
        return reverse("match", args=[match.pk])


@dataclass(frozen=True, slots=True)
class ClockShown:
    """The clocks of a round's matches in play. A round with extra time at one table has several."""

    until: datetime | None
    """When the first one runs out; None if none is running."""
    last: datetime | None
    """When the last one runs out, if that is a minute later, the least extra time, or more."""
    left: str
    """What is left while they stand still; "" if they run."""
    waits: bool
    """Whether none has started yet."""
    late: bool
    """Whether some have not started yet, but others have."""
    up: bool
    """Whether time is up everywhere."""
    last_hand: bool
    """Whether the last hand is called in all of them."""


@dataclass(frozen=True, slots=True)
class DayRound:
    number: int
    tables: list[DayTable]
    byes: tuple[str, ...]
    away: tuple[str, ...]
    clock: ClockShown
    calls_last_hand: bool
    """Whether the last hand can be called here: it is, in the earliest round in play, and not in all its matches."""

    @property
    def missing(self) -> list[DayTable]:
        """The tables without a result."""
        return [table for table in self.tables if table.waiting]

    @property
    def disputed(self) -> list[DayTable]:
        return [table for table in self.tables if table.state == "disputed"]

    @property
    def unsettled(self) -> list[DayTable]:
        return [table for table in self.tables if table.unsettled]


@dataclass(frozen=True, kw_only=True)
class DayShown:
    """The part of the desk about the rounds that are played."""

    day_rounds: list[DayRound]
    """The newest round, and older ones with a table that is missing or not settled; the newest first."""
    forfeits: list[DayTable]
    """Those of their tables at which somebody did not come, but for those that never had a match."""
    stopped: list[DayTable]
    """Those at which several matches decide, and the last one was abandoned."""
    missing: int
    """How many tables are missing in all of them."""
    unsettled: int
    """How many results in all of them wait for confirmations, or are disputed."""
    by_phones: ByPhones
    minutes: int | None
    """For each match, by the setup."""
    more: int
    no_show_after: int
    stamp: str
    base: str
    """The address at which phones and screens reach this server."""
    moved: list[Table]
    """Tables whose printed code leads elsewhere."""
    screen_parts: dict[str, str]
    """What a screen can hold, by the end of its short address."""


def day_shown(snapshot: EventNow, now: datetime, *, base: str, moved: list[Table]) -> DayShown:
    """One query."""
    state = tournament_of(snapshot)
    newest = len(state.rounds)
    unfinished = {match.round for match in snapshot.matches if in_play(match) or unsettled(state, match)}
    rounds = [_round(snapshot, each, now) for each in range(newest, 0, -1) if each == newest or each in unfinished]
    shown = [each for each in rounds if each.number == newest or each.missing or each.unsettled]
    if state.free_play:
        shown = [_open_tables(snapshot, now)]
    return DayShown(
        day_rounds=shown,
        forfeits=[each for day in shown for each in day.tables if each.shown.absent and each.shown.match],
        stopped=[each for day in shown for each in day.tables if each.shown.next_by_hand],
        missing=sum(len(each.missing) for each in shown),
        unsettled=sum(len(each.unsettled) for each in shown),
        by_phones=by_phones(snapshot),
        minutes=state.setup["minutes"],
        more=MORE,
        no_show_after=state.no_show_after,
        stamp=stamp(snapshot.event, snapshot.matches),
        base=base,
        moved=moved,
        screen_parts={name: str(title) for name, title in PARTS.items() if state.knock_out or name != "bracket"},
    )


def clock_shown(matches: Iterable[Match], now: datetime) -> ClockShown:
    """The clocks of these matches, as far as they are in play."""
    playing = [match for match in matches if in_play(match)]
    clocks = [*map(clock_of, playing)]
    running = sorted(clock.until for clock in clocks if clock.until)
    waiting = [clock for clock in clocks if clock.waits]
    standing = [clock for clock in clocks if clock.left_in_pause and not (clock.waits and len(waiting) < len(clocks))]
    paused = [clock.left_in_pause for clock in standing if clock.left_in_pause]
    return ClockShown(
        until=running[0] if running else None,
        last=running[-1] if running and running[-1] - running[0] >= MINUTE else None,
        left=words.minutes_and_seconds(min(paused)) if paused else "",
        waits=bool(standing) and all(clock.waits for clock in standing),
        late=0 < len(waiting) < len(clocks),
        up=bool(running) and not paused and now >= running[-1],
        last_hand=bool(playing) and all(match.last_hand is not None for match in playing),
    )


def _round(snapshot: EventNow, number: int, now: datetime) -> DayRound:
    wait = timedelta(minutes=tournament_of(snapshot).no_show_after)
    shown: RoundShown = round_shown(snapshot, number)
    tables = [_table(number, table, wait, now) for table in shown.tables]
    # The clock of a table that waits for somebody does not start with those of the others.
    matches = [each.shown.match for each in tables if each.shown.match and not each.shown.waits_for]
    first = of_the_first_round([*filter(in_play, snapshot.matches)])
    uncalled = any(match.round == number and match.last_hand is None for match in first)
    return DayRound(number, tables, shown.byes, shown.away, clock_shown(matches, now), uncalled)


def _open_tables(snapshot: EventNow, now: datetime) -> DayRound:
    """In free play, the newest match at each table, and earlier ones that are not settled, by table."""
    state = tournament_of(snapshot)
    rounds = [_round(snapshot, number, now) for number in range(len(state.rounds), 0, -1)]
    everything = [table for each in rounds for table in each.tables]
    newest = {table.shown.number: table for table in reversed(everything)}
    shown = [each for each in everything if each is newest[each.shown.number] or each.waiting or each.unsettled]
    matches = [each.shown.match for each in shown if each.shown.match]
    uncalled = any(in_play(match) and match.last_hand is None for match in matches)
    tables = sorted(shown, key=lambda each: (each.shown.number, each.round))
    return DayRound(len(rounds), tables, (), (), clock_shown([], now), uncalled)


def _table(number: int, table: TableShown, wait: timedelta, now: datetime) -> DayTable:
    match = table.match
    since = clock_of(match).after(wait) if match and table.silent and not table.waits_for else None
    line = timed_line(match, now) if match and in_play(match) else None
    line = line and replace(line, sides=table.sides_of_match(line.sides))
    return DayTable(number, table, line, _state(table), since, since is not None and now >= since)


def _state(table: TableShown) -> str:
    if table.forfeited:
        return "forfeit"
    if table.over:
        if table.disputed:
            return "disputed"
        return "unconfirmed" if table.unconfirmed else "over"
    if table.match is None or table.abandoned:
        return "given-up"
    return "missing" if table.match.blank and not table.absent else "playing"
