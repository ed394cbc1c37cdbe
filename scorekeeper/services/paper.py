"""Matches copied from paper. They were over before anybody entered them, so time limits and last hands do not apply."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

import games
from games.errors import Malformed, marked
from scorekeeper.access import Actor
from scorekeeper.models import Club, LogEntry, Match, Table
from scorekeeper.selectors.matches import beginning
from scorekeeper.selectors.paper import Origin
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import matches, recording, seating, storable
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Typist

SHEET = 20  # characters of a sheet's number


@in_one_transaction
def type_in(
    *,
    club: Club,
    origin: Origin,
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    entries: Sequence[Mapping[str, Any]],
    sheet: str,
    at: datetime,
    by: Actor,
    key: str,
    now: datetime,
    typist: Typist | None = None,
) -> Match:
    """Saves a whole match from paper, played at the time `at`. `entries` are its hands, or only its result.

    If a match was drawn for this sheet, the entries go into it. If it differs in the game, the options or the players,
    it is abandoned, and the sheet becomes a match of its own. Unknown names become guests; a match from before the
    event does not belong to it. The same key again is the same match.

    Raises games.GameError, Unsure as `people.named`, Refused "in-the-future", and Refused "not-over" if the entries do
    not end the match; then nothing has changed.
    """
    if at > now:
        raise Refused("in-the-future", _("The date and time are in the future. Check them."))
    storable.text(sheet, longest=SHEET)
    storable.text(key, longest=recording.KEY // 2)
    for text in (game, options, entries):
        storable.value(text)
    origin = origin.at(at)
    drawn = _locked(origin.drawn)  # a match before its club, as everywhere
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    earlier = LogEntry.objects.filter(match__club=club, match__created_at=at, key=f"{key}-0").first()
    if earlier:
        return earlier.match
    seats = seating.seats_of(club, players, typist=typist, now=now)
    state = games.Match.new(game, options, [name for name, _player in seats])
    if drawn and drawn.length:
        raise Malformed(marked("This match already has entries. Correct it on its own page."))
    round_number = drawn.round if drawn else None
    if drawn and beginning(drawn) != state:
        _call_off(drawn, f"{key}-off", by, now)
        drawn = None
    match = drawn or Match(
        club=club,
        event=origin.event,
        table=origin.table if origin.table and _is_free(origin.table) else None,
        round=round_number,
        game=game,
        options=dict(state.options),
        length=0,
    )
    match.created_at, match.paper = at, sheet
    if drawn:
        match.save(update_fields=["created_at", "paper"])
    else:
        matches.begin(match, state, seats, now)
    for number, entry in enumerate(entries):
        before, state = state, state.enter(entry)
        recording.append(match, entry, before, state, f"{key}-{number}", by, now)
    if not state.finished:
        raise Refused("not-over", _("These hands do not finish the match. Add what is missing, or say how it ended."))
    match.finished_at = at
    match.save(update_fields=["finished_at"])
    return match


def _locked(drawn: Match | None) -> Match | None:
    """The match as it is now, locked."""
    return drawn and Match.objects.select_for_update(no_key=True).get(pk=drawn.pk)


def _call_off(match: Match, key: str, by: Actor, now: datetime) -> None:
    stop = {"kind": "stop", "stopped": "abandoned"}
    recording.record(match_id=match.pk, seen=match.length, key=key, entry=stop, by=by, now=now)


def _is_free(table: Table) -> bool:
    """Whether no match is in play at the table. Otherwise the sheet gets no table: it must not replace that match."""
    current = current_match(table)
    return current is None or current.status != Match.Status.PLAYING
