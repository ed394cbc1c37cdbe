"""Corrections of a recorded match: several entries, recorded together or not at all."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce
from typing import Any

from django.utils.translation import gettext as _

import games
from scorekeeper.access import Actor
from scorekeeper.models import Event, Match
from scorekeeper.services import recording
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Typist

Entries = Sequence[Mapping[str, Any]]


@in_one_transaction
def correct(
    *,
    match_id: int,
    seen: int,
    key: str,
    entries: Entries,
    by: Actor,
    now: datetime,
    typist: Typist | None = None,
) -> recording.Recorded:
    """Records all of these entries or none. Their keys are made from the first one. Raises like `recording.record`;
    also Refused "no-note" if they change a result of an event other than a night and do not say why."""
    over = Match.objects.filter(pk=match_id, event__isnull=False, finished_at__isnull=False)
    over = over.exclude(event__kind=Event.Kind.NIGHT)
    if not any(entry.get("why") for entry in entries) and over.exists():
        raise no_note()
    first, *others = entries
    done = recording.record(match_id=match_id, seen=seen, key=key, entry=first, by=by, now=now, typist=typist)
    for number, entry in enumerate(others, 1):
        done = recording.record(
            match_id=match_id,
            seen=done.length,
            key=f"{key[:60]}+{number}",
            entry=entry,
            by=by,
            now=now,
            typist=typist,
        )
    return done


def no_note() -> Refused:
    return Refused("no-note", _("Everybody has seen this result. Say why it changes, then save it."))


def preview(*, match_id: int, seen: int, entries: Entries, by: Actor, now: datetime) -> games.Match:
    """The match as it would be after all of these entries. Saves nothing. Raises like `recording.record`."""
    first, *others = entries
    after = recording.preview(match_id=match_id, seen=seen, entry=first, by=by, now=now)
    return reduce(lambda state, entry: state.enter(entry), others, after)
