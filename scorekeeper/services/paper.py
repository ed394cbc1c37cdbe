"""Matches copied from paper. They were over before anybody entered them, so time limits and last hands do not apply."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.errors import Malformed, marked
from scorekeeper import words
from scorekeeper.access import Actor
from scorekeeper.models import Club, LogEntry, Match, Table
from scorekeeper.selectors.matches import beginning, position, with_seats
from scorekeeper.selectors.paper import Origin
from scorekeeper.selectors.tables import current_match
from scorekeeper.services import recording, seating, storable
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Typist

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SHEET = 20  # characters of a sheet's number


class SavedBefore(Refused):
    """A sheet that looks like the `match`, which was saved before."""

    def __init__(self, match: Match, message: str) -> None:
        super().__init__("saved-before", message)
        self.match = match


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
    again: bool = False,
    typist: Typist | None = None,
) -> Match:
    """Saves a whole match from paper, played at the time `at`. `entries` are its hands, or only its result.

    If a match was drawn for this sheet, the entries go into it. If it differs in the game, the options or the players,
    it is abandoned, and the sheet becomes a match of its own. Unknown names become guests; a match from before the
    event does not belong to it. The same key again is the same match.

    Raises games.GameError, Unsure as `people.named`, Refused "in-the-future", Refused "not-over" if the entries do not
    end the match, and "saved-before" if it looks like one that was saved already, unless it is meant to be saved
    `again`; then nothing has changed.
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
    earlier = LogEntry.objects.filter(
        match__club=club, match__created_at=at, match__removed=False, key=f"{key}-0"
    ).first()
    if earlier:
        return earlier.match
    seats = seating.seats_of(club, players, typist=typist, now=now)
    state = games.Match.new(game, options, [name for name, _player in seats])
    if drawn and not drawn.blank:
        raise Malformed(marked("This match already has entries. Correct it on its own page."))
    round_number = drawn.round if drawn else None
    if drawn and (beginning(drawn) != state or position(drawn).present != state.present):
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
        state = position(drawn)
        match.save(update_fields=["created_at", "paper"])
    else:
        recording.begin(match, state, seats, now)
    for number, entry in enumerate(entries):
        before, state = state, state.enter(entry)
        recording.append(match, entry, before, state, f"{key}-{number}", by, now)
    if not state.finished:
        raise Refused("not-over", _("These hands do not finish the match. Add what is missing, or say how it ended."))
    if not again:
        _must_be_new(match, state, now)
    match.finished_at = at
    match.save(update_fields=["finished_at"])
    return match


def _must_be_new(match: Match, state: games.Match, now: datetime) -> None:
    """Refused "saved-before" if a sheet with this number was saved, or within an hour this score of these players."""
    others = with_seats(Match.objects.filter(club=match.club_id).exclude(pk=match.pk))
    if match.paper and (same := others.filter(_same_sheets(match), paper=match.paper).first()):
        text = _("Sheet {number} was saved before: {players}, {score}. Save it again?")
        names, score = words.contest(position(same))
        raise SavedBefore(same, text.format(number=match.paper, players=names, score=score))
    lately = LogEntry.objects.filter(match=OuterRef("pk"), at__gt=now - HOUR)
    for same in others.filter(Exists(lately), game=match.game, finished_at__isnull=False):
        if _scores(position(same)) == _scores(state):
            last = same.log.latest("seq")
            minutes = max(1, (now - last.at) // timedelta(minutes=1))
            text = ngettext(
                "{players}, {score}, was saved {n} minute ago. Save it again?",
                "{players}, {score}, was saved {n} minutes ago. Save it again?",
                minutes,
            )
            names, score = words.contest(state)
            raise SavedBefore(same, text.format(players=names, score=score, n=minutes))


def _same_sheets(match: Match) -> Q:
    """The sheets that are numbered together: those of the event, or outside events those of the day."""
    if match.event_id:
        return Q(event=match.event_id)
    return Q(event=None, created_at__range=(match.created_at - DAY, match.created_at + DAY))


def _scores(state: games.Match) -> set[tuple[frozenset[str], int]]:
    """The players of each side with their total."""
    return {(frozenset(state.present[seat] for seat in side), state.totals[side[0]]) for side in state.sides}


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
