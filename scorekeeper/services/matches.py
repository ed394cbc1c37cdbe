"""Opening a match and recording what happens in it. Every score comes from here, by way of `games`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import games
from games.errors import Malformed, marked
from scorekeeper.access import Actor, table_must_be_open
from scorekeeper.models import LogEntry, Match, Player, Seat, Table
from scorekeeper.selectors.matches import keep_position, position, position_at, projection, replay
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import plain
from scorekeeper.services.errors import KeyUsed, Refused, Stale
from scorekeeper.services.events import announce

KEY = 64


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recorded entry gave: its number, and the match right after it."""

    seq: int
    length: int
    sheet: dict[str, Any]
    offers: dict[str, Any]
    repeated: bool = False


@transaction.atomic
def open_match(
    *,
    table: Table,
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str | int],
    by: Actor,
    now: datetime,
    beside: bool = False,
) -> Match:
    """A new match at the table; `players` by seat, each a name or the id of a player of the club.

    A name that a player of the club has is that player. `beside`: even while another match goes on there. Raises
    games.GameError for what the game does not allow, access.Refusal at a closed table, else like `table_must_be_free`.
    """
    table_must_be_open(table)
    if not beside:
        table_must_be_free(Table.objects.select_for_update(no_key=True).get(pk=table.pk))
    plain.storable(game)
    plain.storable(options)
    seats = _seats(table.club_id, players)
    start = games.Match.new(game, options, [name for name, _player in seats])
    match = Match(club_id=table.club_id, table=table, game=game, options=dict(start.options), created_at=now, length=0)
    _refresh(match, start, now)
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, number=number, name=name, player=player) for number, (name, player) in enumerate(seats)
    )
    announce(kind="opened", club_id=match.club_id, table_id=match.table_id, match_id=match.pk, now=now)
    return match


def table_must_be_free(table: Table) -> None:
    """Refused "table-busy" while the table's current match goes on."""
    current = current_match(table)
    if current and current.status == Match.Status.PLAYING:
        raise Refused("table-busy", _("A match is in play at this table. Go on with it, or end it first."))


@transaction.atomic
def record(*, match_id: int, seen: int, key: str, entry: Mapping[str, Any], by: Actor, now: datetime) -> Recorded:
    """Appends one entry to the match's log, if the rules allow it after the `seen` entries the sender knew.

    The same key with the same entry is answered as the first time. Raises Stale, KeyUsed, games.GameError
    or Match.DoesNotExist; then nothing has changed.
    """
    _checked(seen, key, entry)
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    before = match.log.filter(key=key).first()
    if before:
        return _again(match, before, entry)
    after = _enter(match, seen, entry)
    LogEntry.objects.create(
        match=match,
        seq=match.length,
        kind=entry["kind"],
        payload=entry,
        user=by.user,
        device_id=by.devices.get(match.table_id) if match.table_id else None,
        at=now,
        key=key,
    )
    match.length += 1
    _refresh(match, after, now)
    match.save(update_fields=["length", "sheet", "offers", "status", "finished_at"])
    keep_position(match.pk, match.length, after)
    announce(
        kind=entry["kind"],
        club_id=match.club_id,
        table_id=match.table_id,
        match_id=match.pk,
        night_id=match.night_id,
        length=match.length,
        now=now,
    )
    return Recorded(match.length - 1, match.length, match.sheet, match.offers)


def preview(*, match_id: int, seen: int, entry: Mapping[str, Any]) -> games.Match:
    """The match as it would be after the entry, by the same engine; nothing is saved. Raises like `record`."""
    _checked(seen, "preview", entry)
    return _enter(Match.objects.get(pk=match_id), seen, entry)


@transaction.atomic
def rebuild(*, match_id: int) -> None:
    """Makes what is cached with the match anew from its log. Raises selectors.matches.Damaged."""
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    match.length, state = replay(match)
    last = match.log.order_by("-seq").first()
    _refresh(match, state, last.at if last else match.created_at)
    match.save(update_fields=["length", "sheet", "offers", "status", "finished_at"])


def _seats(club_id: int, players: Sequence[str | int]) -> list[tuple[str, Player | None]]:
    """Name and, where known, player of each seat. Malformed: no list, a stranger's id, somebody twice."""
    if not isinstance(players, list | tuple):
        raise Malformed(marked("The players are a list: a name or a player's number for each seat."))
    plain.storable(players)
    ids = [given for given in players if isinstance(given, int) and not isinstance(given, bool)]
    names = [plain.name(given) for given in players if not isinstance(given, int) or isinstance(given, bool)]
    club = Player.objects.filter(club_id=club_id)
    by_id = {player.pk: player for player in club.filter(pk__in=ids)}
    by_name = {player.name: player for player in club.filter(name__in=names)}
    seats: list[tuple[str, Player | None]] = []
    for given in players:
        if isinstance(given, int):
            if given not in by_id:
                raise Malformed(marked("There is no player {number} in this club."), number=given)
            seats.append((by_id[given].name, by_id[given]))
        else:
            name = plain.name(given)
            seats.append((name, by_name.get(name)))
    if len({name for name, _player in seats}) < len(seats):
        raise Malformed(marked("A player can sit in one seat only."))
    return seats


def _checked(seen: object, key: object, entry: object) -> None:
    if isinstance(seen, bool) or not isinstance(seen, int):
        raise Malformed(marked("seen is needed: the number of entries this phone knows of."))
    if not plain.readable(key, longest=KEY):
        raise Malformed(marked("key is needed: a text of the sender's own, new for each entry."))
    plain.storable(entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("kind"), str):
        raise Malformed(marked("kind is needed: what is entered, such as move or undo."))


def _again(match: Match, before: LogEntry, entry: Mapping[str, Any]) -> Recorded:
    """The answer the first sender of this key got."""
    if _text(before.payload) != _text(entry):
        raise KeyUsed(_("This entry's key was used for another entry. Send it again under a new key."))
    then = position_at(match, before.seq + 1)
    return Recorded(before.seq, before.seq + 1, then.sheet(), then.offers(), repeated=True)


def _enter(match: Match, seen: int, entry: Mapping[str, Any]) -> games.Match:
    if seen != match.length:
        raise Stale(
            _("Somebody else has entered something meanwhile. Look at what is there now, then enter again."),
            length=match.length,
            sheet=match.sheet,
            offers=match.offers,
        )
    return position(match).enter(entry)


def _refresh(match: Match, after: games.Match, now: datetime) -> None:
    """Puts what follows from the log beside it; an end that was undone loses its time."""
    match.sheet, match.offers, match.status = projection(after)
    ended = match.status != Match.Status.PLAYING
    match.finished_at = (match.finished_at or now) if ended else None


def _text(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, sort_keys=True)
