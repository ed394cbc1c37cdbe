"""Opening a match and recording what happens in it. Every score comes from here, by way of `games`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

import games
from games.agreement import RESPONSES
from games.errors import Malformed, marked
from scorekeeper import live
from scorekeeper.access import Actor, must_speak_for, table_must_be_open
from scorekeeper.models import Club, Event, LogEntry, Match, Player, Seat, Table
from scorekeeper.names import folded
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.ending import counted_hands, ending, until
from scorekeeper.selectors.events import playing_in, seated
from scorekeeper.selectors.matches import keep_position, position, position_at, projection, replay
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import calls, clubs, plain, results, seating
from scorekeeper.services.changes import announce
from scorekeeper.services.errors import KeyUsed, Refused, Stale

KEY = 64
LONGEST = 24 * 60  # minutes a match may take
STOP = {"kind": "stop", "stopped": "time"}
# Kept as it stands here, read in the reader's language.
NOT_SO = marked("The score is not right")
UNDO = {"kind": "undo"}
CACHED = ["length", "sheet", "offers", "status", "finished_at", "unverified"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recorded entry gave: its number, the id of the change that tells of it, and the match right after it."""

    seq: int
    change: int
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
    minutes: int | None = None,
    event: Event | None = None,
    round_number: int | None = None,
    beside: bool = False,
) -> Match:
    """A new match at the table; `players` by seat, each a name or the id of a player of the club.

    A name that a player of the club has is that player, who plays under it as he spells it. `minutes`: how long it may
    take, with the hand in play then finished. It belongs to `event`, left out: to the club's open night; names that
    nobody has are its guests.
    `beside`: even while another match is in play there. Raises games.GameError for what the game does not allow,
    access.Refusal at a closed table, else like `table_must_be_free`, and in an event "playing-elsewhere" for somebody
    who plays at another table of the club.
    """
    table_must_be_open(table)
    plain.storable(game)
    plain.storable(options)
    _minutes_must_be_good(minutes)
    # Locked in this order by whoever seats a whole round too.
    event = event or _open_night(table.club_id)
    if not beside:
        table_must_be_free(Table.objects.select_for_update(no_key=True).get(pk=table.pk))
    seats = seats_of(table.club_id, players)
    start = games.Match.new(game, options, [name for name, _player in seats])
    if event:
        _must_not_play_elsewhere(event.club, table, seats)
        seats = with_guests(event.club, seats, now)
    match = Match(
        club_id=table.club_id,
        table=table,
        event=event,
        round=round_number,
        minutes=minutes,
        game=game,
        options=dict(start.options),
        created_at=now,
        length=0,
    )
    begin(match, start, seats, now)
    return match


def begin(match: Match, start: games.Match, seats: Sequence[tuple[str, Player | None]], now: datetime) -> None:
    """Saves a match before its first entry, with who sits where by seat."""
    _refresh(match, start, now)
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, number=number, begun=number, name=name, player=player)
        for number, (name, player) in enumerate(seats)
    )
    _tell(match, "opened", now)


def table_must_be_free(table: Table) -> None:
    """Refused "table-busy" while the table's current match goes on."""
    current = current_match(table)
    if current and current.status == Match.Status.PLAYING:
        raise Refused("table-busy", _("A match is in play at this table. Continue it, or end it first."))


@transaction.atomic
def record(*, match_id: int, seen: int, key: str, entry: Mapping[str, Any], by: Actor, now: datetime) -> Recorded:
    """Appends one entry to the match's log, if the rules allow it after the `seen` entries the sender knew.

    The entry that counts the last hand of a match ends it too. What somebody says of a sheet that is over may come
    beside what others say of it, and who says that it is not so calls the host. The same key with the same entry is
    answered as the first time. Raises Stale, KeyUsed, Refused "time-up" for a hand when none begins any more,
    access.Refusal for what only others may say, games.GameError or Match.DoesNotExist; then nothing has changed.
    """
    entry = _checked(seen, key, entry)
    match, known = _locked_with(match_id, seen, key)
    entry = _meant(match, entry)
    if known:
        return _again(match, known, entry)
    before = position(match)
    after = _enter(match, before, seen, entry, now)
    _must_be_allowed(match, entry, before, after, by)
    ends = _is_last(match, entry, before, after, now)
    if entry["kind"] == "dispute":
        _call_host(match, entry, after, now)
    seq = match.length
    change = append(match, entry, before, after, key, by, now)
    if ends:
        change = append(match, STOP, after, after.enter(STOP), _key_of_stop(key), by, now)
    return Recorded(seq, change, match.length, match.sheet, match.offers)


def preview(*, match_id: int, seen: int, entry: Mapping[str, Any], now: datetime) -> games.Match:
    """The match as it would be after the entry, by the same engine; nothing is saved. Raises like `record`."""
    entry = _checked(seen, "preview", entry)
    match = Match.objects.select_related("event", "table").get(pk=match_id)
    entry = _meant(match, entry)
    before = position(match)
    after = _enter(match, before, seen, entry, now)
    return after.enter(STOP) if _is_last(match, entry, before, after, now) else after


@transaction.atomic
def call_last_hand(*, match_id: int, now: datetime) -> None:
    """The hand in play is the last; where none is, the next. A match that knows of its last hand or has ended stays
    as it is."""
    match = _locked(match_id)
    if match.last_hand is None and match.status == Match.Status.PLAYING:
        match.last_hand = counted_hands(position(match)) + 1
        match.save(update_fields=["last_hand"])
        _tell(match, "last-hand", now)


@transaction.atomic
def cancel_last_hand(*, match_id: int, now: datetime) -> None:
    """The match continues after this hand."""
    match = _locked(match_id)
    if match.last_hand is not None:
        match.last_hand = None
        match.save(update_fields=["last_hand"])
        _tell(match, "last-hand", now)


@transaction.atomic
def give_minutes(*, match_id: int, minutes: int | None, now: datetime) -> None:
    """How long the match may take in all, from its beginning; None: as long as its options say."""
    _minutes_must_be_good(minutes)
    match = _locked(match_id)
    match.minutes = minutes
    match.save(update_fields=["minutes"])
    _tell(match, "minutes", now)


@transaction.atomic
def give_more_minutes(*, match_id: int, more: int, now: datetime) -> None:
    """The match ends so many minutes later; one that is over its time, or had none, so many from now on."""
    match = _locked(match_id)
    so_far = max(until(match) or now, now) - match.created_at
    give_minutes(match_id=match_id, minutes=-(-so_far // timedelta(minutes=1)) + more, now=now)


@transaction.atomic
def rebuild(*, match_id: int) -> None:
    """Makes what is cached with the match anew from its log. Raises selectors.matches.Damaged."""
    match = _locked(match_id)
    match.length, state = replay(match)
    last = match.log.order_by("-seq").first()
    then = last.at if last else match.created_at
    _refresh(match, state, then)
    match.save(update_fields=CACHED)
    seating.keep(match, state, then)
    results.keep(match)
    _tell(match, "rebuilt", then)


def seats_of(club_id: int, players: Sequence[str | int]) -> list[tuple[str, Player | None]]:
    """Name and, where known, player of each seat: a name that a player of the club has is his, however it is
    capitalized. Malformed: no list, a stranger's id, somebody twice."""
    if not isinstance(players, list | tuple):
        raise Malformed(marked("Expected a list of players: a name or a player's number for each seat."))
    plain.storable(players)
    ids = [given for given in players if isinstance(given, int) and not isinstance(given, bool)]
    names = [plain.name(given) for given in players if not isinstance(given, int) or isinstance(given, bool)]
    by_id = {player.pk: player for player in Player.objects.filter(club_id=club_id, pk__in=ids)}
    by_name = players_named(club_id, names)
    seats: list[tuple[str, Player | None]] = []
    for given in players:
        if isinstance(given, int):
            if given not in by_id:
                raise Malformed(marked("There is no player {number} in this club."), number=given)
            seats.append((by_id[given].name, by_id[given]))
        else:
            name = plain.name(given)
            player = by_name.get(name)
            seats.append((player.name if player else name, player))
    if len({player or folded(name) for name, player in seats}) < len(seats):
        raise Malformed(marked("A player can sit in one seat only."))
    return seats


def with_guests(
    club: Club, seats: Sequence[tuple[str, Player | None]], now: datetime
) -> list[tuple[str, Player | None]]:
    """The seats with a guest of the club for every name that nobody has."""
    return [(name, player or clubs.player_add(club=club, name=name, guest=True, now=now)) for name, player in seats]


def _open_night(club_id: int) -> Event | None:
    """The club's open night, locked: before tables and matches, as everywhere."""
    nights = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club")
    return nights.filter(club_id=club_id, kind=Event.Kind.NIGHT, closed_at=None).first()


def _locked(match_id: int) -> Match:
    """The match with its event and table, for this writer alone until the end of the transaction."""
    matches = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("event", "table")
    return matches.get(pk=match_id)


def _locked_with(match_id: int, seen: int, key: str) -> tuple[Match, LogEntry | None]:
    """The match, locked, and the entry that came before under the key. Mostly there is none, and one query says so. An
    entry that came while this writer waited for the lock is not in that answer, but then the log is longer than the
    sender has seen."""
    same = LogEntry.objects.filter(match=OuterRef("pk"), key=key)
    matches = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("event", "table")
    match = matches.annotate(key_known=Exists(same)).get(pk=match_id)
    return match, match.log.filter(key=key).first() if match.key_known or match.length != seen else None


def _must_not_play_elsewhere(club: Club, table: Table, seats: Sequence[tuple[str, Player | None]]) -> None:
    playing = playing_in(club).exclude(table=table).defer("offers")
    where = {player: match for match in playing for player in seated(match)}
    for name, player in seats:
        if player and (match := where.get(player.pk)):
            raise Refused(
                "playing-elsewhere",
                _("{player} is still playing at table {number}. End that match first, or choose somebody else.").format(
                    player=name, number=match.table.number if match.table else "–"
                ),
            )


def _minutes_must_be_good(minutes: object) -> None:
    if minutes is None:
        return
    if isinstance(minutes, bool) or not isinstance(minutes, int) or not 0 < minutes <= LONGEST:
        raise Malformed(marked("The minutes of a match are a whole number from 1 to {longest}."), longest=LONGEST)


def _checked(seen: object, key: object, entry: object) -> Mapping[str, Any]:
    """The entry as it is kept: a name in it without blanks around."""
    if isinstance(seen, bool) or not isinstance(seen, int):
        raise Malformed(marked("seen is required: the number of entries this phone knows."))
    if not plain.readable(key, longest=KEY):
        raise Malformed(marked("key is required: a text that the sender chooses, new for each entry."))
    plain.storable(entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("kind"), str):
        raise Malformed(marked("kind is required: what is entered, such as move or undo."))
    return {**entry, "player": plain.name(entry.get("player"))} if entry["kind"] == "substitute" else entry


def _meant(match: Match, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The entry with the name of who takes over a seat as this match knows him, else as he spells it himself."""
    if entry["kind"] != "substitute":
        return entry
    [(name, _player)] = seats_of(match.club_id, [entry["player"]])
    known = {folded(each.name): each.name for rows in (match.seats, match.substitutes) for each in rows.all()}
    return {**entry, "player": known.get(folded(name), name)}


def _again(match: Match, known: LogEntry, entry: Mapping[str, Any]) -> Recorded:
    """The answer the first sender of this key got."""
    if _text(known.payload) != _text(entry):
        raise KeyUsed(_("This entry's key was used for another entry. Send it again under a new key."))
    length = known.seq + 1 + match.log.filter(key=_key_of_stop(known.key)).count()
    then = position_at(match, length)
    change = live.Topic("match", match.pk).newest()
    return Recorded(known.seq, change, length, then.sheet(), then.offers(), repeated=True)


def _must_be_allowed(
    match: Match, entry: Mapping[str, Any], before: games.Match, after: games.Match, by: Actor
) -> None:
    """What is said of a sheet is said, and taken back, by whom it is about, or by a host. What was played enters
    whoever may record."""
    if entry["kind"] not in (*RESPONSES, "reopen") and not (entry == UNDO and before.did in RESPONSES):
        return
    still = [each.seat for each in after.agreement.disputed]
    withdrawn = [before.present[each.seat] for each in before.agreement.disputed if each.seat not in still]
    seats = entry.get("seats", [entry["seat"]] if "seat" in entry else [])
    names = withdrawn if entry == UNDO else [after.present[seat] for seat in seats]
    if names or entry != UNDO:
        must_speak_for(by, match, entry["kind"], names, withdrawn, before.present)


def _call_host(match: Match, entry: Mapping[str, Any], after: games.Match, now: datetime) -> None:
    """Before anything is announced: it locks the table."""
    if match.table:
        name, why = after.present[entry["seat"]], entry.get("why") or NOT_SO
        calls.call(table=match.table, match=match, name=name, why=why, now=now)


def _spoken_beside(match: Match, seen: int, entry: Mapping[str, Any]) -> bool:
    """Whether both the entry and all that its sender did not know of only say something of the sheet."""
    newer = match.log.filter(seq__gte=seen).exclude(kind__in=RESPONSES)
    return entry["kind"] in RESPONSES and seen < match.length and not newer.exists()


def _enter(match: Match, before: games.Match, seen: int, entry: Mapping[str, Any], now: datetime) -> games.Match:
    if seen != match.length and not _spoken_beside(match, seen, entry):
        raise Stale(
            _("Somebody else has made an entry. Check it, then enter yours again."),
            length=match.length,
            sheet=match.sheet,
            offers=match.offers,
        )
    if entry["kind"] == "hand" and _is_too_late(match, before, entry, now):
        raise Refused(
            "time-up",
            _("Time is up. Do not start a new hand. Count the current score, or ask the host for more time."),
        )
    after = before.enter(entry)
    if entry["kind"] == "substitute" and match.event_id and match.table:
        _must_not_play_elsewhere(match.club, match.table, seats_of(match.club_id, [entry["player"]]))
    return after


def _is_too_late(match: Match, before: games.Match, hand: Mapping[str, Any], now: datetime) -> bool:
    """Whether the hand may not begin any more. Told by its final state alone it may have been in play when the minutes
    were over, but not after a last hand that is counted."""
    end = ending(match, before, now)
    return end.over and ("final" not in hand or end.played)


def _is_last(match: Match, entry: Mapping[str, Any], before: games.Match, after: games.Match, now: datetime) -> bool:
    """Whether the entry counts the last hand. What an undo brings back was ended, or not, when it was entered."""
    more = counted_hands(after) > counted_hands(before)
    return more and entry["kind"] != "undo" and ending(match, after, now).over


def _key_of_stop(key: str) -> str:
    """The key of the end that comes by itself after the entry of this key."""
    return f"end {sha256(key.encode()).hexdigest()}"[:KEY]


def append(
    match: Match,
    entry: Mapping[str, Any],
    before: games.Match,
    after: games.Match,
    key: str,
    by: Actor,
    now: datetime,
) -> int:
    """Writes an entry into the log that leads the match from `before` to `after`, and all that follows from it; the id
    of its change. The match's row is locked, or new."""
    moved = entry["kind"] in ("swap", "undo") and before.players != after.players
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
    sheet, had_ended = match.sheet, match.finished_at is not None
    _refresh(match, after, now)
    match.save(update_fields=CACHED)
    if moved or match.sheet.get("substitutes") != sheet.get("substitutes"):
        seating.keep(match, after, now)
    if had_ended or match.finished_at:
        results.keep(match)
    keep_position(match.pk, match.length, after)
    return _tell(match, entry["kind"], now, minor=not moved and _in_lists(match.sheet) == _in_lists(sheet))


def _in_lists(sheet: Mapping[str, Any]) -> str:
    """What lists of matches may show of a sheet: not what is another one with every tile."""
    return _text({name: sheet[name] for name in sheet.keys() - {"turn", "held"}})


def _tell(match: Match, kind: str, now: datetime, *, minor: bool = False) -> int:
    return announce(
        kind=kind,
        club_id=match.club_id,
        table_id=match.table_id,
        match=match,
        event=match.event,
        minor=minor,
        now=now,
    )


def _refresh(match: Match, after: games.Match, now: datetime) -> None:
    """Puts what follows from the log beside it; an end that was undone loses its time."""
    match.sheet, match.offers, match.status = projection(after)
    match.unverified = after.result is not None
    ended = match.status != Match.Status.PLAYING
    match.finished_at = (match.finished_at or now) if ended else None


def _text(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, sort_keys=True)
