"""Removes matches that were entered by mistake, and restores them."""

from datetime import datetime

from django.utils.translation import gettext as _

from scorekeeper.models import AuditEntry, Event, Match, User
from scorekeeper.selectors.matches import position
from scorekeeper.services import recording, results, storable
from scorekeeper.services.audit import WHAT, note_of
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused


@in_one_transaction
def remove(*, match_id: int, why: str, now: datetime, by: User | None) -> None:
    """Removes the match: it is in no list and counts nowhere until it is restored. Nothing happens if it is removed
    already.

    Raises Refused "no-reason" without a reason, and "of-a-round" for a match of a round of a tournament, which needs a
    result; games.GameError for a reason that cannot be stored.
    """
    why = " ".join(storable.text(why, longest=WHAT).split())
    match = _locked(match_id)
    if match.removed:
        return
    if not why:
        raise Refused("no-reason", _("Say why you remove this match, then try again."))
    if match.round and Event.objects.filter(matches=match, kind=Event.Kind.TOURNAMENT).exists():
        text = _("This match belongs to a round of a tournament. Correct its result, or undo the round at the desk.")
        raise Refused("of-a-round", text)
    match.removed = True
    match.save(update_fields=["removed"])
    results.keep(match, position(match), now=now)
    match.calls.update(match=None)  # the table still calls
    note_of(match=match, kind=AuditEntry.Kind.MATCH_REMOVED, by=by, now=now, what=why)
    recording.announce_match(match, "removed", now)


@in_one_transaction
def restore(*, match_id: int, now: datetime, by: User | None) -> None:
    """Restores a removed match, with everything that follows from its log. Nothing happens if it is not removed."""
    match = _locked(match_id)
    if not match.removed:
        return
    match.removed = False
    match.save(update_fields=["removed"])
    note_of(match=match, kind=AuditEntry.Kind.MATCH_RESTORED, by=by, now=now)
    recording.rebuild(match_id=match_id)


def _locked(match_id: int) -> Match:
    return Match.every.select_for_update(no_key=True).get(pk=match_id)
