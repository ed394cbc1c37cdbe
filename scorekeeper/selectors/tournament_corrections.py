"""Reading the results of a tournament that were corrected, with the notes that say why."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from scorekeeper.events.tournament import Noted
from scorekeeper.models import LogEntry
from scorekeeper.selectors.corrections import taken_back
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import tournament_of

CORRECTS = Q(kind__in=("replace", "swap", "abandon", "reopen", "stop")) | Q(kind="undo", payload__has_key="to")


def corrections_noted(snapshot: EventNow) -> list[Noted]:
    """The newest first, without those that were undone. Two queries, one if there are none at the tables."""
    noted = [*tournament_of(snapshot).noted, *_recorded(snapshot)]
    return sorted(noted, key=lambda each: each.at, reverse=True)


def _recorded(snapshot: EventNow) -> list[Noted]:
    """The corrections in the logs of the matches."""
    of_rounds = LogEntry.objects.filter(CORRECTS, match__event=snapshot.event, match__round__isnull=False)
    why = of_rounds.filter(payload__has_key="why").order_by("match", "seq")
    rows = why.values_list("match", "seq", "at", "payload", "user__username")
    noted = [row for row in rows if row[3]["why"]]
    if not noted:
        return []
    logs: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    touched = LogEntry.objects.filter(match__in={row[0] for row in noted}).order_by("match", "seq")
    for number, payload in touched.values_list("match", "payload"):
        logs[number].append(payload)
    undone = {number: taken_back(log) for number, log in logs.items()}
    # A match with a typed result was reopened or undone only to enter it, and then the event's log has the note.
    at = {match.pk: match for match in snapshot.matches}
    found = [
        Noted(match.round, match.table.number, when, payload["why"], by or "")
        for number, seq, when, payload, by in noted
        if seq not in undone[number]
        and (match := at.get(number))
        and match.round
        and match.table
        and not (match.unverified and payload["kind"] in ("reopen", "undo"))
    ]
    return list(dict.fromkeys(found))  # what takes several entries is one correction
