"""Calls for the host: a table's own, and the list of who waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.template.loader import render_to_string

from games.errors import marked
from scorekeeper import live
from scorekeeper.models import Call, Club, Table
from scorekeeper.selectors.calls import call_at, open_calls

# Reasons to call a host. Stored in English, translated when shown.
REASONS = (marked("a rule"), marked("a mistake"), marked("a missing tile"), marked("somebody is missing"))


@dataclass(frozen=True, slots=True)
class CallShown:
    """A table's own call, perhaps one that a host has settled, and what a table may call for."""

    call: Call | None
    reasons: Sequence[str] = REASONS


@dataclass(frozen=True, slots=True)
class CallPage:
    """The form of a table that calls, with what was typed and refused."""

    table: Table
    call_refusal: str
    typed_why: str
    recording: bool = True


def call_shown(table: Table) -> CallShown:
    """Three queries at most."""
    match = table.matches.order_by("-pk").values_list("pk", flat=True).first()
    return CallShown(call_at(table.pk, match))


@dataclass(frozen=True, kw_only=True)
class CallsShown:
    """The tables that call, for hosts and scorers."""

    calls: list[Call]
    calling: frozenset[int]
    """The ids of those tables."""
    calls_stamp: str
    """A text that changes whenever the calls look different."""
    keeps: bool = True


def calls_shown(club: Club) -> CallsShown:
    """One query."""
    found = list(open_calls(club.pk))
    answers = [
        (each.match.sheet.get("disputed"), each.match.offers.get("confirm")) if each.match else () for each in found
    ]
    shown = [(each.pk, each.seen_at, each.why, each.name) for each in found], answers
    stamp = sha256(repr(shown).encode()).hexdigest()[:16]
    calling = frozenset(each.table_id for each in found)
    return CallsShown(calls=found, calling=calling, calls_stamp=stamp)


def stamp(kind: str, number: int) -> str:
    """A stamp. The pages of hosts and scorers fetch the calls again when it changes."""
    shown = calls_shown(Club.objects.get(pk=number))
    return render_to_string("scorekeeper/_desk_stamp.html", {"stamp": shown.calls_stamp})


live.register("club", calls=stamp)
