"""Reading the results of a tournament that were corrected, with the notes that say why."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.db.models import Q

import games
from scorekeeper.events.records import Noted
from scorekeeper.models import EventEntry, LogEntry, Match
from scorekeeper.selectors.corrections import Correction, corrections_in
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import tournament_of

KINDS = ("replace", "swap", "abandon", "reopen", "stop", "result")
CORRECTS = Q(kind__in=KINDS) | Q(kind="undo", payload__has_key="to")


def corrections_noted(snapshot: EventNow) -> list[Noted]:
    """The newest first, without those that were undone. One query if there are none at the tables, else three, or four
    if two may have changed places."""
    earlier = tournament_of(snapshot).noted
    known = {(each.round, each.table, each.at) for each in earlier}
    recorded = [each for each in _recorded(snapshot) if (each.round, each.table, each.at) not in known]
    return sorted([*earlier, *recorded], key=lambda each: each.at, reverse=True)


def _recorded(snapshot: EventNow) -> list[Noted]:
    """The corrections in the logs of the matches."""
    of_rounds = LogEntry.objects.filter(CORRECTS, match__event=snapshot.event, match__round__isnull=False)
    noted = {*of_rounds.filter(payload__has_key="why").values_list("match", flat=True)}
    matches = [match for match in reversed(snapshot.matches) if match.pk in noted]
    if not matches:
        return []
    found = corrections_in(matches)
    moved = any(_moves_others(each) for match in matches for each in found[match.pk])
    swaps = _swaps(snapshot) if moved else {}
    lines = (line for match in matches for line in _lines(match, found[match.pk], swaps))
    return list(dict.fromkeys(lines))  # what takes several entries is one correction


def _moves_others(each: Correction) -> bool:
    """Whether two who changed places can be behind it: other people sat there, or the match was set aside."""
    return "players" in each.entry or each.entry["kind"] == "stop"


def _swaps(snapshot: EventNow) -> Mapping[tuple[int, datetime], tuple[int, ...]]:
    """The start numbers of two who changed places, by round and time. One query."""
    steps = EventEntry.objects.filter(event=snapshot.event, kind="reseat").values_list("payload", "at")
    return {(step["round"], at): tuple(step["entrants"]) for step, at in steps if step["how"] != "as-drawn"}


def _lines(
    match: Match, corrections: Sequence[Correction], swaps: Mapping[tuple[int, datetime], tuple[int, ...]]
) -> Iterator[Noted]:
    """Those with a note. Entries without one just before it, at the same time, are part of the correction."""
    assert match.round
    assert match.table
    first: Correction | None = None
    for each in corrections:
        first = first if first and first.at == each.at else each
        why = each.entry.get("why")
        if each.stands and why and each.entry["kind"] in (*KINDS, "undo"):
            old, new = _totals(first.before), () if each.after.stopped == "abandoned" else _totals(each.after)
            swapped = swaps.get((match.round, each.at), ())
            yield Noted(match.round, match.table.number, each.at, why, each.user, old, new, swapped)
            first = None


def _totals(state: games.Match) -> tuple[int, ...]:
    """None before the first hand."""
    return tuple(state.totals[side[0]] for side in state.sides) if state.hands or state.finished else ()
