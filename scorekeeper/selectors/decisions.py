"""Reading what hosts decided in a match: what they typed or corrected, and the phones of its table cannot take back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery

import games
from games.agreement import RESPONSES
from scorekeeper.models import Event, LogEntry, Match, Membership, Role
from scorekeeper.selectors.corrections import standing
from scorekeeper.selectors.matches import entries_since

Entry = Mapping[str, Any]
DECIDES = ("result", "stop", "undo", "replace", "swap", "note", "abandon")
"""The kinds of entries that decide or correct something. An undo does so only if it goes back to an earlier entry."""


@dataclass(frozen=True, slots=True)
class Decisions:
    in_force: tuple[Entry, ...]
    """The entries by hosts that nothing later has taken back."""
    last: bool
    """Whether the last entry that stands is one of them."""


def decisions_in(match: Match) -> Decisions:
    """One query if hosts have decided nothing, else two."""
    hosts = [role for role in Role if role.covers(Role.DIRECTOR)]
    of_club = Membership.objects.filter(club=match.club_id, role__in=hosts).values("user")
    theirs = {*match.log.filter(kind__in=DECIDES, user__in=of_club).values_list("seq", flat=True)}
    if not theirs:
        return Decisions((), last=False)
    entries = entries_since(match, 0)
    stand = standing(entries)
    in_force: list[Entry] = []
    for seq in stand:
        in_force = [each for each in in_force if not _takes_back(entries[seq], each)]
        in_force += [entries[seq]] if seq in theirs else []
    return Decisions(tuple(in_force), last=bool(stand) and stand[-1] in theirs)


def recorded_by_scorers(event: Event) -> frozenset[int]:
    """The ids of the matches of the event whose newest entry, but for answers to the sheet, a host or scorer made. One
    query."""
    roles = [role for role in Role if role.covers(Role.SCORER)]
    scorers = Membership.objects.filter(club=event.club_id, role__in=roles).values("user")
    recorded = LogEntry.objects.filter(match=OuterRef("pk")).exclude(kind__in=(*RESPONSES, "reopen")).order_by("-seq")
    found = event.matches.annotate(by=Subquery(recorded.values("user")[:1])).filter(by__in=scorers)
    return frozenset(found.values_list("pk", flat=True))


def undoes_decision(match: Match, state: games.Match) -> bool:
    """Whether an undo would take back what a host decided. No query after a move or an answer, else as
    `decisions_in`."""
    return state.did in DECIDES and decisions_in(match).last


def against_decision(match: Match, state: games.Match, entry: Entry) -> bool:
    """Whether this entry, the next one, would take back what a host decided. No query for play, else as
    `decisions_in`."""
    if entry == {"kind": "undo"}:
        return undoes_decision(match, state)
    corrects = entry["kind"] in ("undo", "replace", "swap")
    return corrects and any(_opposes(entry, each) for each in decisions_in(match).in_force)


def _opposes(entry: Entry, decided: Entry) -> bool:
    """Whether a correction changes what a host decided, or for whom: other seats make a result that of others."""
    return entry["kind"] == "swap" or _takes_back(entry, decided)


def _takes_back(entry: Entry, decided: Entry) -> bool:
    """Whether a correction takes back an earlier entry, or puts another in its place."""
    match entry, decided:
        case {"kind": "undo"}, {"kind": "result" | "stop"}:
            return True
        case {"kind": "undo", "to": {"hand": int(back)}}, {"kind": "replace" | "note", "hand": int(hand)}:
            return hand >= back
        case {"kind": "replace", "hand": int(hand)}, {"kind": "replace" | "note", "hand": int(other)}:
            return hand == other
        case {"kind": "swap"}, {"kind": "swap"}:
            return True
    return False
