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
from scorekeeper.selectors.tables import current_match, pads_held, tables_of_player


@dataclass(frozen=True, kw_only=True)
class PadHolder:
    """Whose phone this is, one of those at the table."""

    pad: Pad | None
    holders: Sequence[str]
    """The names to choose from."""
    mine: str
    """Who holds this phone, if they sit here."""
    sits_at: Table | None
    """Where they play now, if that is another table."""
    ask_holder: bool
    """Whether the phone is asked now."""


def holder(actor: Actor, table: Table, names: Sequence[str], *, asked: bool) -> PadHolder:
    """A phone is asked once, when there are names to choose from; `asked`: it was asked before. One query, and at most
    three more for a phone whose owner is known."""
    pad = table.pads.filter(phone=actor.phone).first() if actor.phone and names else None
    name = pad.name if pad else ""
    at = tables_of_player(table.club_id, name) if name else []
    return PadHolder(
        pad=pad,
        holders=names,
        mine=name if name in names else "",
        sits_at=at[0] if at and table not in at else None,
        ask_holder=pad is not None and not name and not asked,
    )


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
