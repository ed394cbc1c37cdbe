"""Putting right what was recorded: a few entries that stand or fall together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Any

from django.db import transaction

import games
from scorekeeper.access import Actor
from scorekeeper.services import matches

Entries = Sequence[Mapping[str, Any]]


@transaction.atomic
def correct(*, match_id: int, seen: int, key: str, entries: Entries, by: Actor, now: datetime) -> matches.Recorded:
    """Records all of these entries or none, each under a key that follows from the first. Raises like
    `matches.record`."""
    first, *others = entries
    done = matches.record(match_id=match_id, seen=seen, key=key, entry=first, by=by, now=now)
    for number, entry in enumerate(others, 1):
        done = matches.record(
            match_id=match_id, seen=done.length, key=f"{key[:60]}+{number}", entry=entry, by=by, now=now
        )
    return done


def preview(*, match_id: int, seen: int, entries: Entries, now: datetime) -> games.Match:
    """The match as it would be after all of these; nothing is saved. Raises like `matches.record`."""
    first, *others = entries
    after = matches.preview(match_id=match_id, seen=seen, entry=first, now=now)
    return reduce(lambda state, entry: state.enter(entry), others, after)
