"""Corrections of a recorded match: several entries, recorded together or not at all."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Any

import games
from scorekeeper.access import Actor
from scorekeeper.services import recording
from scorekeeper.services.changes import in_one_transaction

Entries = Sequence[Mapping[str, Any]]


@in_one_transaction
def correct(*, match_id: int, seen: int, key: str, entries: Entries, by: Actor, now: datetime) -> recording.Recorded:
    """Records all of these entries or none. Their keys are made from the first one. Raises like `recording.record`."""
    first, *others = entries
    done = recording.record(match_id=match_id, seen=seen, key=key, entry=first, by=by, now=now)
    for number, entry in enumerate(others, 1):
        done = recording.record(
            match_id=match_id, seen=done.length, key=f"{key[:60]}+{number}", entry=entry, by=by, now=now
        )
    return done


def preview(*, match_id: int, seen: int, entries: Entries, by: Actor, now: datetime) -> games.Match:
    """The match as it would be after all of these entries. Saves nothing. Raises like `recording.record`."""
    first, *others = entries
    after = recording.preview(match_id=match_id, seen=seen, entry=first, by=by, now=now)
    return reduce(lambda state, entry: state.enter(entry), others, after)
