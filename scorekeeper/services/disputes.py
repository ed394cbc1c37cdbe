"""How a host ends a dispute about the score of a match."""

from datetime import datetime

from scorekeeper.access import Actor
from scorekeeper.models import Call, Match
from scorekeeper.services import calls, recording
from scorekeeper.services.changes import in_one_transaction


@in_one_transaction
def settle(*, call_id: int, by: Actor, now: datetime) -> None:
    """A host settles the call. If its score is still disputed, it stays: the host confirms it for those who dispute it.
    Call.DoesNotExist if there is no such call."""
    call = Call.objects.get(pk=call_id)
    if call.settled_at is None and call.match_id is not None:
        match = Match.objects.select_for_update(no_key=True).get(pk=call.match_id)
        if seats := [each["seat"] for each in match.sheet.get("disputed", [])]:
            stays = {"kind": "confirm", "seats": seats}
            recording.record(match_id=match.pk, seen=match.length, key=f"call-{call_id}", entry=stays, by=by, now=now)
    calls.settle(call_id=call_id, by=by, now=now)
