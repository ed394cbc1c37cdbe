"""Opens matches, and limits how long they last: by minutes, or by a last hand."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.errors import Malformed, marked
from scorekeeper.access import Actor, may_open_any_number, table_must_be_open
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import AuditEntry, Event, Match, Table, User
from scorekeeper.selectors.clock import Clock
from scorekeeper.selectors.ending import clock_of, counted_hands
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import recording, seating, storable
from scorekeeper.services.audit import note_at
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Behind, Refused, TableBusy, TooMany
from scorekeeper.services.people import Typist

LONGEST = 24 * 60  # minutes
# What the phones and programs of a table may open there. Hosts and scorers may open more.
IN_PLAY = 8
WITHIN_AN_HOUR = 30
HOUR = timedelta(hours=1)


@in_one_transaction
def open_match(
    *,
    table: Table,
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str | int],
    by: Actor,
    now: datetime,
    minutes: int | None = None,
    event: Event | None = None,
    round_number: int | None = None,
    parallel: bool = False,
    typist: Typist | None = None,
    clock_waits: bool = False,
    after: Collection[int] = frozenset(),
) -> Match:
    """Opens a match at the table. `players` are by seat, each a name or the id of a player of the club.

    A name of a player of the club means that player, with the club's spelling; an unknown name becomes a guest.
    `minutes` is the time limit; when it is over, the hand in play is finished. With `clock_waits`, the time counts from
    when a director starts the clock. The match belongs to `event`, by default to the club's open night. `parallel`
    allows it while another match is in play at the table. `after`: the ids of matches in which its players may still
    play.

    Raises games.GameError if the game does not allow it, access.Refusal at a closed table, Refused "table-busy" at a
    table with a match in play, "too-many-matches" for a token if its table has many, and in an event
    "playing-elsewhere" for somebody who plays at another table. Unsure as `people.named`.
    """
    table_must_be_open(table)
    storable.value(game)
    storable.value(options)
    _check_minutes(minutes)
    # Every writer locks in this order: event, table, match.
    event = event or _open_night(table.club_id)
    locked = Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    if not parallel:
        table_must_be_free(locked)
    if not may_open_any_number(by, locked):
        _must_not_be_too_many(locked, now)
    seats = seating.seats_of(table.club, players, typist=typist, now=now)
    start = games.Match.new(game, options, [name for name, _player in seats])
    if event:
        seating.must_not_play_elsewhere(event, table, [player for _name, player in seats], but=after)
    match = Match(
        club_id=table.club_id,
        table=table,
        event=event,
        round=round_number,
        minutes=minutes,
        game=game,
        options=dict(start.options),
        paused_at=Clock.waiting(now, minutes).paused_at if clock_waits else None,
        created_at=now,
        length=0,
    )
    recording.begin(match, start, seats, now)
    return match


def open_at(
    table: Table,
    pairing: Pairing,
    *,
    event: Event,
    round_number: int,
    by: Actor,
    now: datetime,
    minutes: int | None = None,
    clock_waits: bool = False,
    after: Collection[int] = frozenset(),
) -> Match:
    """Opens a match of a round, as `open_match`. `minutes`: if they are others than those of the pairing."""
    return open_match(
        table=table,
        game=pairing.game,
        options=pairing.options,
        players=list(pairing.players),
        minutes=minutes or pairing.minutes,
        event=event,
        round_number=round_number,
        clock_waits=clock_waits,
        after=after,
        by=by,
        now=now,
    )


def at_no_table(pairing: Pairing, *, event: Event, round_number: int, now: datetime) -> Match:
    """A match of an event for a result that is typed: it was played somewhere."""
    seats = seating.seats_of(event.club, list(pairing.players), typist=None, now=now)
    start = games.Match.new(pairing.game, pairing.options, [name for name, _player in seats])
    match = Match(
        club=event.club,
        event=event,
        round=round_number,
        minutes=pairing.minutes,
        game=pairing.game,
        options=dict(start.options),
        created_at=now,
        length=0,
    )
    recording.begin(match, start, seats, now)
    return match


def table_must_be_free(table: Table) -> None:
    """Refused "table-busy" while a match is in play at the table."""
    current = current_match(table)
    if current and current.status == Match.Status.PLAYING:
        text = _("A match is in play at table {n}. Continue it, or end it first.")
        if current.event and current.event.name:
            text = _("A match of {event} is in play at table {n}. Continue it, or end it first.")
        message = text.format(n=table.number, event=current.event and current.event.name)
        raise TableBusy(message, table=table)


def _must_not_be_too_many(table: Table, now: datetime) -> None:
    """Refused "too-many-matches" if the table has enough matches in play, or has opened enough within the hour."""
    lately = Q(created_at__gt=now - HOUR)
    counted = table.matches.filter(lately | Q(status=Match.Status.PLAYING)).aggregate(
        playing=Count("pk", filter=Q(status=Match.Status.PLAYING)),
        opened=Count("pk", filter=lately),
        first=Min("created_at", filter=lately),
    )
    if counted["playing"] >= IN_PLAY:
        text = _("{n} matches are in play at this table. End one of them, then start the next.")
        raise Refused("too-many-matches", text.format(n=counted["playing"]))
    if counted["opened"] >= WITHIN_AN_HOUR:
        minutes = -((now - HOUR - counted["first"]) // timedelta(minutes=1))
        text = ngettext(
            "This table has started {count} matches within an hour. Start the next one in {n} minute, or ask a host.",
            "This table has started {count} matches within an hour. Start the next one in {n} minutes, or ask a host.",
            minutes,
        )
        raise TooMany("too-many-matches", text.format(count=counted["opened"], n=minutes), seconds=60 * minutes)


@in_one_transaction
def call_last_hand(*, match_id: int, now: datetime, by: User | None = None) -> None:
    """Makes the hand in play the last one; between hands, the next one. Changes nothing if the last hand was called
    already, or the match has ended. `by`: the host, unless a step of the event has it."""
    match = recording.locked(match_id)
    if match.last_hand is None and match.status == Match.Status.PLAYING:
        match.last_hand = counted_hands(position(match)) + 1
        match.save(update_fields=["last_hand"])
        _note(match, AuditEntry.Kind.LAST_HAND_CALLED, by, now)
        recording.announce_match(match, "last-hand", now)


@in_one_transaction
def cancel_last_hand(*, match_id: int, now: datetime, by: User | None = None) -> None:
    """Cancels the last hand, so that the match continues after it."""
    match = recording.locked(match_id)
    if match.last_hand is not None:
        match.last_hand = None
        match.save(update_fields=["last_hand"])
        _note(match, AuditEntry.Kind.LAST_HAND_CANCELLED, by, now)
        recording.announce_match(match, "last-hand", now)


@in_one_transaction
def give_minutes(*, match_id: int, minutes: int | None, now: datetime, by: User | None = None) -> None:
    """Sets the time limit of the whole match, in minutes from its beginning; None for no limit."""
    match = recording.locked(match_id)
    set_clock(match=match, clock=Clock(match.created_at, minutes), now=now)
    _note(match, AuditEntry.Kind.TIME_SET, by, now, "–" if minutes is None else str(minutes))


@in_one_transaction
def give_more_minutes(*, match_id: int, more: int, seen: int | None, now: datetime, by: User | None = None) -> None:
    """Extends the time limit by `more` minutes. If time is up, or there was no limit: `more` minutes from now. Behind
    if the limit is no longer the one that the host has `seen`, so the same request twice does not count twice."""
    match = recording.locked(match_id)
    if match.minutes != seen:
        raise Behind(_("This page was not up to date: something has changed since. Check it, then try again."))
    set_clock(match=match, clock=clock_of(match).extended(more, now), now=now)
    _note(match, AuditEntry.Kind.TIME_SET, by, now, str(match.minutes))


@in_one_transaction
def set_clock(*, match: Match, clock: Clock, now: datetime) -> None:
    """Sets the clock of a match that is locked."""
    _check_minutes(clock.minutes)
    match.minutes, match.stood, match.paused_at = clock.minutes, clock.stood, clock.paused_at
    match.save(update_fields=["minutes", "stood", "paused_at"])
    recording.announce_match(match, "minutes", now)


def _note(match: Match, kind: AuditEntry.Kind, by: User | None, now: datetime, what: str = "") -> None:
    if by and match.table:
        note_at(table=match.table, kind=kind, by=by, now=now, what=what)


def _open_night(club_id: int) -> Event | None:
    """The club's open night, locked."""
    nights = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    return nights.filter(club_id=club_id, kind=Event.Kind.NIGHT, closed_at=None).first()


def _check_minutes(minutes: object) -> None:
    if minutes is None:
        return
    if isinstance(minutes, bool) or not isinstance(minutes, int) or not 0 < minutes <= LONGEST:
        raise Malformed(marked("The minutes of a match are a whole number from 1 to {longest}."), longest=LONGEST)
