"""Tables, and the phones at them."""

from django.utils.translation import gettext as _

from scorekeeper.access.actors import Actor
from scorekeeper.access.gate import Need, lacks, let_in, row_numbered
from scorekeeper.access.refusals import Refusal, refusal
from scorekeeper.access.roles import has_role
from scorekeeper.models import Role, Table


def table_for(actor: Actor, table_id: int, *, need: Need = "see") -> Table:
    """The table with its club, if `actor` may see, record at or host it; else Http404 or Refusal."""
    table = row_numbered(Table.objects.select_related("club"), table_id, _("This table does not exist."))
    let_in(actor, table.club, table.pk, need)
    return table


def pad_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for a phone that scanned its code, with or without the pad; else Http404 or Refusal."""
    table = table_for(actor, table_id)
    if not actor.phone or table.pk not in actor.devices:
        raise refusal(lacks(actor, table.pk))
    return table


def without_pad_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, for a phone that scanned its code while another phone has the pad; else Http404 or
    Refusal."""
    table = pad_for(actor, table_id)
    if table.pk not in actor.let_go:
        raise refusal("pad-here")
    return table


def caller_for(actor: Actor, table_id: int) -> Table:
    """The table with its club, if `actor` may call the host to it: they scanned its code, or may record there; else
    Http404 or Refusal."""
    table = table_for(actor, table_id)
    return table if table.pk in actor.devices else table_for(actor, table_id, need="record")


def may_at(actor: Actor, table: Table, need: Need) -> bool:
    """Whether the actor may see, record at or host the table. One query at most."""
    try:
        let_in(actor, table.club, table.pk, need)
    except Refusal:
        return False
    return True


def may_open_any_number(actor: Actor, table: Table) -> bool:
    """Whether no limit applies to how many matches the actor opens at the table: only tokens have one. One query at
    most."""
    return table.pk not in actor.devices or has_role(actor, table.club_id, Role.SCORER)


def why_put_out(actor: Actor, table: Table) -> str:
    """Why a phone does not record at the table any more, and what to do; "" if it never did. One query at most."""
    out = not table.open or table.pk in actor.revoked or table.pk in actor.expired
    return refusal(lacks(actor, table.pk)).message if out else ""


def must_not_be_revoked(actor: Actor, table: Table) -> None:
    """Refusal for a phone that scanned a code of the table which lets others in, but not this phone."""
    if table.pk in actor.revoked:
        raise refusal(actor.revoked[table.pk])


def table_must_be_open(table: Table) -> None:
    """Refusal for everybody while the table is closed."""
    if not table.open:
        raise refusal("table-closed")
