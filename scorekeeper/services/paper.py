"""Matches typed in from paper. They were over before anybody entered them: no clock and no last hand ends them here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import games
from games.errors import Malformed, marked
from scorekeeper.access import Actor
from scorekeeper.models import Club, LogEntry, Match, Night, Table
from scorekeeper.selectors.matches import beginning
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import matches, plain
from scorekeeper.services.errors import Refused

SHEET = 20  # characters of a sheet's number


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sheet comes from, as far as it says so."""

    night: Night | None = None
    table: Table | None = None
    drawn: Match | None = None
    """The match that was opened for it, in which nothing is entered yet."""

    def at(self, time: datetime) -> "Place":
        """The same for a match of that time: what was played before the night began is the club's alone."""
        if self.night is None:
            return self
        began = min(self.night.started_at, self.drawn.created_at if self.drawn else self.night.started_at)
        # The time on a sheet is known to the minute.
        return self if time >= began.replace(second=0, microsecond=0) else Place(table=self.table)


@transaction.atomic
def type_in(
    *,
    club: Club,
    place: Place,
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    entries: Sequence[Mapping[str, Any]],
    sheet: str,
    at: datetime,
    by: Actor,
    key: str,
    now: datetime,
) -> Match:
    """A whole match from paper, dated `at`: its hands or its bare result as `entries`.

    It goes into the match that was drawn for it; one that was drawn otherwise is called off. In a night a name that
    nobody has is a new guest; a match from before the night is none of it. The same key again is the same match.
    Raises games.GameError, and Refused "in-the-future" or, where the entries do not end the match, "not-over"; then
    nothing has changed.
    """
    if at > now:
        raise Refused("in-the-future", _("This match has not been played yet: look at its date and time."))
    plain.readable(sheet, longest=SHEET)
    plain.readable(key, longest=matches.KEY // 2)
    for text in (game, options, entries):
        plain.storable(text)
    place = place.at(at)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = LogEntry.objects.filter(match__club=club, match__created_at=at, key=f"{key}-0").first()
    if before:
        return before.match
    seats = matches.seats_of(club.pk, players)
    state = games.Match.new(game, options, [name for name, _player in seats])
    if place.night:
        seats = matches.with_guests(club, seats, now)
    drawn = _locked(place.drawn)
    round_number = drawn.round if drawn else None
    if drawn and beginning(drawn) != state:
        _call_off(drawn, f"{key}-off", by, now)
        drawn = None
    match = drawn or Match(
        club=club,
        night=place.night,
        table=place.table if place.table and _is_free(place.table) else None,
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
        state = state.enter(entry)
        matches.append(match, entry, state, f"{key}-{number}", by, now)
    if not state.finished:
        raise Refused("not-over", _("By these hands the match is not over. Add what is missing, or say how it ended."))
    match.finished_at = at
    match.save(update_fields=["finished_at"])
    return match


def _locked(drawn: Match | None) -> Match | None:
    """The match, for this writer alone. Malformed if something is entered in it by now."""
    if drawn is None:
        return None
    match = Match.objects.select_for_update(no_key=True, of=("self",)).get(pk=drawn.pk)
    if match.length:
        raise Malformed(marked("Something is entered in this match already. Correct it on its own page."))
    return match


def _call_off(match: Match, key: str, by: Actor, now: datetime) -> None:
    stop = {"kind": "stop", "stopped": "abandoned"}
    matches.record(match_id=match.pk, seen=match.length, key=key, entry=stop, by=by, now=now)


def _is_free(table: Table) -> bool:
    """Whether no other match goes on there: what was over long ago does not take its place."""
    current = current_match(table)
    return current is None or current.status != Match.Status.PLAYING
