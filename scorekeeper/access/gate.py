"""Who is let in to a club, or to a table of it."""

from typing import Literal, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import CharField, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.http import Http404

from scorekeeper import place
from scorekeeper.access.actors import Actor
from scorekeeper.access.refusals import refusal
from scorekeeper.access.roles import has_role
from scorekeeper.models import Change, Club, Role, Table, shown

Need = Literal["see", "record", "host"]
T = TypeVar("T", bound=Model)


def let_in(actor: Actor, club: Club, table_id: int | None, need: Need, *, event: int | None = None) -> None:
    """Lets the actor in, or Refusal. What they see then is written as in the club; names are whole for those who may do
    more than look, and for phones at their table."""
    if not _sees(actor, club, table_id):
        raise refusal(actor.refused or (table_id and actor.revoked.get(table_id)) or "not-public")
    place.enter(club, event)
    if need == "see" and table_id not in actor.devices:
        return
    if need == "see" or (need == "record" and table_id in actor.tables):
        return place.trust(club)
    if has_role(actor, club.pk, Role.SCORER if need == "record" else Role.DIRECTOR):
        return place.trust(club)
    raise refusal(lacks(actor, table_id) if need == "record" else actor.refused or "not-allowed")


def _sees(actor: Actor, club: Club, table_id: int | None = None) -> bool:
    """Whether the actor may see what is in the club, or what is at this table of it. A club that is not public is seen
    by its members; by phones with the code of a table, what is at that. One query at most."""
    return club.public or table_id in actor.devices or has_role(actor, club.pk, Role.PLAYER)


def lacks(actor: Actor, table_id: int | None) -> str:
    """The code for why the actor may not record at the table. One query at most."""
    if actor.refused:
        return actor.refused
    if table_id is not None and Table.objects.filter(pk=table_id, open=False).exists():
        return "table-closed"
    if ended := table_id and actor.revoked.get(table_id):
        return ended
    if actor.revoked and not actor.devices:
        return "token-revoked"
    if table_id in actor.expired or (actor.expired and not actor.devices):
        return "token-expired"
    if table_id in actor.let_go:
        return "pad-elsewhere"
    return "other-table" if actor.devices else "not-allowed"


def row_numbered(rows: QuerySet[T], pk: int, missing: str) -> T:
    """The row with this id; else Http404 with the text `missing`."""
    try:
        with shown.showing(None):
            return rows.get(pk=pk)
    except ObjectDoesNotExist as error:
        raise Http404(missing) from error


def newest_change(kind: str, column: str) -> Subquery:
    """The id of the newest change of the topic of this kind, whose number is in the column."""
    topic = Concat(Value(f"{kind}:"), Cast(OuterRef(column), CharField()))
    return Subquery(Change.objects.filter(topic=topic).order_by("-pk").values("pk")[:1])
