"""Reading tables."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, OuterRef, Subquery, When

from scorekeeper.models import Club, DeviceToken, Match, Pad, Table
from scorekeeper.selectors.matches import listed


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table and its current match: the newest opened there, None before the first."""

    table: Table
    match: Match | None


def tables_of(club: Club) -> list[TableRow]:
    """The club's tables by number. At most four queries, however many tables and matches."""
    newest = Match.objects.filter(table=OuterRef("pk")).order_by("-id").values("pk")[:1]
    tables = list(club.tables.annotate(current=Subquery(newest)).order_by("number"))
    current = {match.pk: match for match in listed(Match.objects.filter(pk__in=[t.current for t in tables]))}
    return [TableRow(table, current.get(table.current)) for table in tables]


def current_match(table: Table) -> Match | None:
    """The newest match opened at the table, with its seats; None before the first. Three queries."""
    return listed(Match.objects.filter(table=table)).first()


def table_now(table_id: int) -> tuple[Table, Match | None]:
    """The table with its current match, for who knows the rest from its position. One query, two before the first
    match."""
    matches = Match.objects.select_related("club", "table").defer("offers")
    match = matches.filter(table=table_id).order_by("-id").first()
    if match is None or match.table is None:
        return Table.objects.select_related("club").get(pk=table_id), None
    match.table.club = match.club
    return match.table, match


def played_last(table: Table, game: str) -> Match | None:
    """The match whose options are taken over when the game is played again: the newest at the table, else in the club.
    One query."""
    here = Case(When(table=table, then=1), default=0)
    return Match.objects.filter(club=table.club_id, game=game, unverified=False).order_by(here.desc(), "-id").first()


def pads_held(table: Table) -> list[Pad]:
    """The phones that record at the table, whoever took the pad last on top. One query."""
    return list(table.pads.filter(held=True).order_by("-since", "-pk"))


def passes_elsewhere(club: Club, reached: Collection[str], *, now: datetime) -> list[Table]:
    """Tables whose newest QR code that is still good leads to none of the addresses at which the server is reached. One
    query."""
    good = DeviceToken.objects.filter(table=OuterRef("pk"), revoked_at=None, expires_at__gt=now)
    newest = Subquery(good.order_by("-id").values("address")[:1])
    return list(club.tables.annotate(leads=newest).exclude(leads=None).exclude(leads__in=["", *reached]))
