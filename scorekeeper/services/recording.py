"""Recording what happens in a match. Every score comes from here, through `games`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

import games
from games.agreement import RESPONSES
from games.errors import GameError, Illegal, Malformed, marked
from scorekeeper import live
from scorekeeper.access import (
    Actor,
    Refusal,
    has_role,
    must_decide,
    must_host,
    must_not_be_past,
    must_not_be_settled,
    must_speak_for,
)
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import AuditEntry, Event, LogEntry, Match, Player, Role, Seat
from scorekeeper.names import folded
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.decisions import against_decision
from scorekeeper.selectors.ending import counted_hands, ending, stopped_if_short
from scorekeeper.selectors.events import tables_waiting_for
from scorekeeper.selectors.matches import keep_position, position, position_at, projection, replay
from scorekeeper.selectors.series import needless_in, next_in, series_of
from scorekeeper.selectors.steps import totals_text
from scorekeeper.selectors.tables import keep_table
from scorekeeper.selectors.tournaments import is_open
from scorekeeper.services import audit, calls, outlooks, results, seating, storable
from scorekeeper.services.changes import Announced, announce, in_one_transaction
from scorekeeper.services.errors import KeyUsed, Refused, Stale
from scorekeeper.services.people import Typist

KEY = 64
# Stored in English, translated for each reader.
NOT_SO = marked("The score is not right")
UNDO = {"kind": "undo"}
CACHED = ["length", "sheet", "offers", "status", "finished_at", "unverified"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of a recorded entry: its number, its change, and the match right after it."""

    seq: int
    announced: Announced
    length: int
    sheet: dict[str, Any]
    offers: dict[str, Any]
    repeated: bool = False

    @property
    def change(self) -> int:
        """The id of its change. 0 before the end of the transaction."""
        return self.announced.id


def record(
    *,
    match_id: int,
    seen: int,
    key: str,
    entry: Mapping[str, Any],
    by: Actor,
    now: datetime,
    typist: Typist | None = None,
) -> Recorded:
    """Appends one entry to the match's log, if the rules allow it after the `seen` entries that the sender knows.

    The entry that counts the last hand also ends the match. Players can confirm or dispute a sheet at the same time; a
    dispute calls the host. The same entry with the same key again gets the same answer again.

    Raises Stale, KeyUsed, Refused "time-up" for a hand after time is up and "nothing-counted" for the end of a match of
    a tournament without a counted hand, access.Refusal for a response that only others may give or a match that only
    hosts may change by now, games.GameError or Match.DoesNotExist, and Unsure as `people.named` does; then nothing has
    changed. A result that does not end the match by its rules, and does not say what did, is one of a match whose time
    is up; else it is refused as `hand-unfinished`.
    """
    entry = _checked(seen, key, entry)
    try:
        return _record(match_id, seen, key, entry, by, now, typist)
    except (Refused, Refusal, GameError, IntegrityError):
        # What cannot be entered now may have been entered before: the database takes each key only once.
        known = LogEntry.objects.select_related("match").filter(match=match_id, key=key).first()
        if known is None:
            raise
        return _again(known, _meant(known.match, entry, typist))


@in_one_transaction
def _record(
    match_id: int, seen: int, key: str, entry: Mapping[str, Any], by: Actor, now: datetime, typist: Typist | None
) -> Recorded:
    match = locked(match_id, "sheet", "offers")  # its position has both
    must_not_be_past(by, match, now)
    entry = _meant(match, entry, typist)
    before = position(match)
    entry, after = _enter(match, before, seen, entry, by, now)
    _must_be_allowed(match, entry, before, after, by)
    ends = _end_after(match, entry, before, after, now)
    if entry["kind"] == "dispute":
        _call_host(match, entry, after, now)
    if before.finished and not _answers(entry, before) and by.known and not has_role(by, match.club_id, Role.SCORER):
        _note_changed(match, entry, before, by, now)
    seq = match.length
    announced = append(match, entry, before, after, key, by, now)
    if ends:
        announced = append(match, ends, after, after.enter(ends), _key_of_stop(key), by, now)
    return Recorded(seq, announced, match.length, match.sheet, match.offers)


def preview(
    *, match_id: int, seen: int, entry: Mapping[str, Any], by: Actor, now: datetime, key: str = "preview"
) -> games.Match:
    """The match as it would be after the entry. Saves nothing. Raises like `record`."""
    entry = _checked(seen, key, entry)
    match = Match.objects.select_related("event", "table").get(pk=match_id)
    must_not_be_past(by, match, now)
    entry = _meant(match, entry, typist=None)
    before = position(match)
    entry, after = _enter(match, before, seen, entry, by, now)
    ends = _end_after(match, entry, before, after, now)
    return after.enter(ends) if ends else after


@in_one_transaction
def rebuild(*, match_id: int) -> None:
    """Rebuilds from the log everything that is cached with the match. Raises selectors.matches.Damaged."""
    match = locked(match_id)
    match.length, state = replay(match)
    last = match.log.order_by("-seq").first()
    then = last.at if last else match.created_at
    refresh(match, state, then)
    match.save(update_fields=CACHED)
    seating.keep(match, state, then)
    results.keep(match, state, now=then)
    announce_match(match, "rebuilt", then)


def begin(match: Match, start: games.Match, seats: Sequence[tuple[str, Player]], now: datetime) -> None:
    """Saves a match before its first entry, with its seats (names and players)."""
    refresh(match, start, now)
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, number=number, begun=number, name=name, player=player)
        for number, (name, player) in enumerate(seats)
    )
    announce_match(match, "opened", now)


def append(
    match: Match,
    entry: Mapping[str, Any],
    before: games.Match,
    after: games.Match,
    key: str,
    by: Actor,
    now: datetime,
) -> Announced:
    """Writes an entry to the log, and everything that follows from it. `before` and `after` are the match before and
    after the entry. The match's row must be locked, or new."""
    moved = before.players != after.players
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
    sheet, had_ended = before.sheet(), match.finished_at is not None
    refresh(match, after, now)
    match.save(update_fields=CACHED)
    moved = moved or match.sheet.get("substitutes") != sheet.get("substitutes")
    if moved:
        seating.keep(match, after, now)
    if had_ended or match.finished_at:
        results.keep(match, after, now=now)
        _go_on_at_table(match, now)
    if moved or had_ended != (match.finished_at is not None):
        _announce_where_they_wait(match, now)
    keep_position(match, match.length, after)
    minor = not moved and _in_lists(match.sheet) == _in_lists(sheet)
    announced = announce_match(match, entry["kind"], now, minor=minor)
    outlooks.follow(match, now=now, minor=minor)
    announced.then.append(partial(keep_table, match))
    return announced


def refresh(match: Match, after: games.Match, now: datetime) -> None:
    """Updates the cached columns to the state `after`. A match whose end was undone has no time of its end any more."""
    match.sheet, match.offers, match.status = projection(after)
    match.unverified = after.result is not None
    ended = match.status != Match.Status.PLAYING
    match.finished_at = (match.finished_at or now) if ended else None


def announce_match(match: Match, kind: str, now: datetime, *, minor: bool = False) -> Announced:
    return announce(
        kind=kind,
        club_id=match.club_id,
        table_id=match.table_id,
        match=match,
        event=None if minor else match.event,
        minor=minor,
        now=now,
    )


def _go_on_at_table(match: Match, now: datetime) -> None:
    """Where who wins most of several matches goes on: begins the next match of the table, or takes one back that is not
    needed any more. Refused "played-on" if an earlier match would be open, but the next one has entries."""
    series = series_of(match)
    if series is None or (match.event and match.event.closed_at):
        return
    if needless := needless_in(series):
        if match.status == Match.Status.PLAYING and not needless.blank:
            text = _("The next match of this table has begun. Correct this one so that it is still over.")
            raise Refused("played-on", text)
        if needless.blank and not needless.length:
            needless.delete()
            announce(kind="unseated", club_id=match.club_id, table_id=match.table_id, event=match.event, now=now)
    elif not is_open(series.state, series.matches[-1]) and (pairing := next_in(series)):
        _open_next(series.matches[-1], pairing, now)


def _open_next(last: Match, pairing: Pairing, now: datetime) -> None:
    """Begins the next match where the last one was played."""
    assert last.event
    there = last.club.players.in_bulk(pairing.players)
    seats = [(there[player].name, there[player]) for player in pairing.players]
    seating.must_not_play_elsewhere(last.event, last.table, there.values())
    start = games.Match.new(pairing.game, pairing.options, [name for name, _player in seats])
    following = Match(
        club_id=last.club_id,
        table=last.table,
        event=last.event,
        round=last.round,
        minutes=pairing.minutes,
        game=pairing.game,
        options=dict(start.options),
        created_at=now,
        length=0,
    )
    begin(following, start, seats, now)


def _announce_where_they_wait(match: Match, now: datetime) -> None:
    """Tells the phones of a later round of the tournament: they may wait for somebody who sits in the match."""
    for table in tables_waiting_for(match):
        announce(kind="waits", club_id=match.club_id, table_id=table, minor=True, now=now)


def locked(match_id: int, *unread: str) -> Match:
    """The match, for this writer alone until the end of the transaction. Columns in `unread` are read on first use."""
    matches = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("event")
    return matches.defer(*unread).get(pk=match_id)


def _checked(seen: object, key: object, entry: object) -> Mapping[str, Any]:
    """The entry for storage, with a clean name in it. Malformed if it cannot be stored."""
    if isinstance(seen, bool) or not isinstance(seen, int):
        raise Malformed(marked("seen is required: the number of entries this phone knows."))
    if not storable.text(key, longest=KEY):
        raise Malformed(marked("key is required: a text that the sender chooses, new for each entry."))
    storable.value(entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("kind"), str):
        raise Malformed(marked("kind is required: what is entered, such as move or undo."))
    return {**entry, "player": storable.name(entry.get("player"))} if entry["kind"] == "substitute" else entry


def _meant(match: Match, entry: Mapping[str, Any], typist: Typist | None) -> Mapping[str, Any]:
    """The entry. The names of people who come in are spelt as before in this match, else as in the club, or as the
    people whom the typist means."""
    if entry["kind"] != "substitute" and not _seats_others(entry):
        return entry
    known = {folded(each.name): each.name for rows in (match.seats, match.substitutes) for each in rows.all()}

    def spelt(given: Any) -> list[str]:
        return [known.get(folded(name), name) for name in seating.names_of(match.club, given, typist=typist)]

    if entry["kind"] == "substitute":
        return {**entry, "player": spelt([entry["player"]])[0]}
    return {**entry, "players": spelt(entry["players"])}


def _seats_others(entry: Mapping[str, Any]) -> bool:
    """Whether the entry says that other people sat at the match."""
    return entry["kind"] == "swap" and "players" in entry


def _again(known: LogEntry, entry: Mapping[str, Any]) -> Recorded:
    """The answer that the first sender of this key got. KeyUsed if that was another entry."""
    match = known.match
    sent = [entry, {**entry, "stopped": "time"}] if entry["kind"] == "result" and "stopped" not in entry else [entry]
    if _text(known.payload) not in map(_text, sent):
        raise KeyUsed(_("This entry's key was used for another entry. Send it again under a new key."))
    length = known.seq + 1 + match.log.filter(key=_key_of_stop(known.key)).count()
    then = position_at(match, length)
    announced = Announced(live.Topic("match", match.pk).newest())
    return Recorded(known.seq, announced, length, then.sheet(), then.offers(), repeated=True)


def _must_be_allowed(
    match: Match, entry: Mapping[str, Any], before: games.Match, after: games.Match, by: Actor
) -> None:
    """Raises access.Refusal if somebody responds for a player they may not speak for, or undoes such a response.
    Players respond for themselves, hosts for everybody. Only hosts say that other people sat there (Refused in
    a round of a tournament), abandon a match that is over, or type a result in place of what is there. Other entries
    need no more than the right to record."""
    in_place = entry["kind"] == "result" and "why" in entry
    if _seats_others(entry) or in_place or (entry["kind"] == "stop" and before.finished):
        must_host(by, match)
    if _seats_others(entry):
        seating.must_not_be_of_a_round(match)
    if not _answers(entry, before):
        return
    still = [each.seat for each in after.agreement.disputed]
    withdrawn = [before.present[each.seat] for each in before.agreement.disputed if each.seat not in still]
    seats = entry.get("seats", [entry["seat"]] if "seat" in entry else [])
    names = withdrawn if entry == UNDO else [after.present[seat] for seat in seats]
    if names or entry != UNDO:
        must_speak_for(by, match, entry["kind"], names, withdrawn, before.present)


def _call_host(match: Match, entry: Mapping[str, Any], after: games.Match, now: datetime) -> None:
    """Calls the host because of a dispute."""
    if match.table:
        name, why = after.present[entry["seat"]], entry.get("why") or NOT_SO
        calls.call(table=match.table, match=match, name=name, why=why, now=now)


def _note_changed(match: Match, entry: Mapping[str, Any], before: games.Match, by: Actor, now: datetime) -> None:
    """Notes for the hosts that a phone took back or corrected this result of a match."""
    kind = AuditEntry.Kind.RESULT_UNDONE if entry == UNDO else AuditEntry.Kind.RESULT_CORRECTED
    result = totals_text([before.totals[side[0]] for side in before.sides])
    audit.note_of(match=match, kind=kind, by=by.user, now=now, what=result)


def _answers(entry: Mapping[str, Any], before: games.Match) -> bool:
    """Whether the entry is a response to the sheet, opens it for other ones, or takes a response back."""
    return entry["kind"] in (*RESPONSES, "reopen") or (entry == UNDO and before.did in RESPONSES)


def _are_responses(match: Match, seen: int, entry: Mapping[str, Any]) -> bool:
    """Whether the entry is a response to the sheet, and so are all entries that its sender has not seen."""
    newer = match.log.filter(seq__gte=seen).exclude(kind__in=RESPONSES)
    return entry["kind"] in RESPONSES and seen < match.length and not newer.exists()


def _enter(
    match: Match, before: games.Match, seen: int, entry: Mapping[str, Any], by: Actor, now: datetime
) -> tuple[Mapping[str, Any], games.Match]:
    """The entry as it is stored, and the match after it."""
    if seen != match.length and not _are_responses(match, seen, entry):
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
    entry, after = _ended(match, entry, before.enter(entry), before, now)
    after.check_typed(entry)
    if against_decision(match, before, entry):
        must_decide(by, match)
    confirmed_before = entry == UNDO and before.did == "confirm"
    if before.finished and (confirmed_before or not _answers(entry, before)):
        must_not_be_settled(by, match)
    if before.finished and not after.finished:
        _must_have_a_table(match, after)
    if entry["kind"] == "stop" and entry["stopped"] != "abandoned":
        _must_have_a_score(match, before)
    if entry["kind"] == "substitute" and match.event and match.table:
        who = players_named(match.club_id, [entry["player"]]).values()
        seating.must_not_play_elsewhere(match.event, match.table, who)
    return entry, after


def _ended(
    match: Match, entry: Mapping[str, Any], after: games.Match, before: games.Match, now: datetime
) -> tuple[Mapping[str, Any], games.Match]:
    """The entry with what ended the match, if it is a result that does not say so and does not end it by the rules.
    Illegal if nothing did."""
    if entry["kind"] != "result":
        return entry, after
    ended = ended_by(entry, after, stopped_if_short(match, early=False, now=now))
    return ended, before.enter(ended)


def ended_by(result: Mapping[str, Any], after: games.Match, stopped: str | None) -> Mapping[str, Any]:
    """The entry of a result, with what ended the match if its totals do not. `after`: the match after it. GameError for
    totals that the game does not allow, and `hand-unfinished` if nothing ended the match."""
    after.check_result()
    try:
        after.check_ended()
    except Illegal:
        if stopped is None:
            raise
        return {**result, "stopped": stopped}
    return result


def _is_too_late(match: Match, before: games.Match, hand: Mapping[str, Any], now: datetime) -> bool:
    """Whether it is too late for another hand. A hand entered by its final state may have begun before time was up, but
    not after the last hand was counted."""
    end = ending(match, before, now)
    return end.over and ("final" not in hand or end.played)


def _must_have_a_score(match: Match, state: games.Match) -> None:
    """Refused "nothing-counted" if no hand of a match of an event other than a night is counted: its end would
    be a tie that nobody played."""
    if not counted_hands(state) and match.event and match.event.kind != Event.Kind.NIGHT:
        text = _("No hand is counted yet, so there is no score. Call the director, also if somebody did not come.")
        raise Refused("nothing-counted", text)


def _must_have_a_table(match: Match, after: games.Match) -> None:
    """Refused "table-taken" if the match would be in play again, but no table shows it: its own has had another one
    since, or it has none. A director has all matches of a tournament on the desk, and what is blank is typed again."""
    if not after.hands or (match.event and match.event.kind == Event.Kind.TOURNAMENT):
        return
    newest = match.table.matches.order_by("-pk").values_list("pk", flat=True).first() if match.table else None
    if newest != match.pk:
        text = _(
            "Then this match would be in play again, but no table plays it now. Correct a hand so that the match is"
            " still over, or remove the match and enter it again as a paper sheet."
        )
        raise Refused("table-taken", text)


def _end_after(
    match: Match, entry: Mapping[str, Any], before: games.Match, after: games.Match, now: datetime
) -> dict[str, str] | None:
    """The entry that ends the match after this one, which counts the last hand; None if it does not. An undo never
    does: the hands it restores were checked when entered."""
    if entry["kind"] == "undo" or counted_hands(after) <= counted_hands(before):
        return None
    end = ending(match, after, now)
    return {"kind": "stop", "stopped": end.stopped} if end.over else None


def _key_of_stop(key: str) -> str:
    """The key of the automatic stop after the entry with this key."""
    return f"end {sha256(key.encode()).hexdigest()}"[:KEY]


def _in_lists(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a sheet that lists of matches can show: all but those that change with every tile."""
    return {name: value for name, value in sheet.items() if name not in ("turn", "held")}


def _text(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, sort_keys=True)
