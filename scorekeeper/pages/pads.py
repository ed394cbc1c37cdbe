"""Who has a table's pad, and what a phone sees after it has handed the pad over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.template.loader import render_to_string

from scorekeeper import live
from scorekeeper.access import Actor
from scorekeeper.models import Call, Match, Pad, Table
from scorekeeper.pages import context
from scorekeeper.pages.calls import call_shown
from scorekeeper.pages.table import IdleTable, WatchPage, watch_page
from scorekeeper.selectors.matches import seated_now
from scorekeeper.selectors.tables import current_match, pads_held


def names_at(table: Table) -> list[str]:
    """Who sits in the table's current match now."""
    match = current_match(table)
    return [seat.name for seat in seated_now(match)] if match else []


@dataclass(frozen=True, kw_only=True)
class PadHolder:
    """Whose phone this is, one of those at the table."""

    pad: Pad | None
    holders: Sequence[str]
    """The names to choose from."""
    ask_holder: bool
    """Whether the phone is asked now."""


def holder(actor: Actor, table: Table, names: Sequence[str], *, asked: bool) -> PadHolder:
    """A phone is asked once, when there are names to choose from; `asked`: it was asked before. One query at most."""
    pad = table.pads.filter(phone=actor.phone).first() if actor.phone and names else None
    return PadHolder(pad=pad, holders=names, ask_holder=pad is not None and not pad.name and not asked)


@dataclass(frozen=True, kw_only=True)
class Handed:
    """Who has the pad of a table, and what the table may call for."""

    pads: list[Pad]
    entered_at: datetime | None
    """When the newest entry of the match in play was made."""
    call: Call | None
    reasons: Sequence[str]


def elsewhere_page(table: Table) -> tuple[WatchPage | IdleTable, Handed]:
    """What everybody may see of the table, and who has its pad."""
    match = current_match(table)
    shown, held = watch_page(match, table), pads_held(table)
    newest = match.log.order_by("-seq").first() if match and match.status == Match.Status.PLAYING else None
    version = ":".join([shown.version, *map(_mark, held)])
    return replace(shown, version=version), Handed(
        pads=held, entered_at=newest.at if newest else None, **context(call_shown(table))
    )


def _mark(pad: Pad) -> str:
    return f"{pad.pk} {pad.name}"


def elsewhere(kind: str, number: int) -> str:
    table = Table.objects.select_related("club").get(pk=number)
    page = context(*elsewhere_page(table))
    return "".join(render_to_string(f"scorekeeper/{each}.html", page) for each in ("_elsewhere", "_call"))


live.register("table", elsewhere=elsewhere)
