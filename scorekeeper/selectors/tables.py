"""Reading tables."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Q, Subquery, When

from scorekeeper.live import Topic
from scorekeeper.live.parts import Shared, shared
from scorekeeper.models import Call, Club, DeviceToken, Match, Pad, Table
from scorekeeper.selectors.calls import call_at
from scorekeeper.selectors.matches import matches_of, position, projection, seated_now, with_people, with_seats


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table and its current match, which is the newest one there; None before the first."""

    table: Table
    match: Match | None


def tables_of(club: Club) -> list[TableRow]:
    """The club's tables by number. At most four queries, however many tables and matches."""
    tables = list(club.tables.annotate(current=_newest()).order_by("number"))
    current = {match.pk: match for match in with_seats(Match.objects.filter(pk__in=[t.current for t in tables]))}
    return [TableRow(table, current.get(table.current)) for table in tables]


def _newest() -> Subquery:
    """The id of the newest match at a table."""
    return Subquery(Match.objects.filter(table=OuterRef("pk")).order_by("-id").values("pk")[:1])


def tables_and_matches(club: Club, *, below: int | None, at_most: int) -> tuple[list[TableRow], list[Match]]:
    """The club's tables by number with their current matches, and a slice of `matches_of`. Three queries, four if there
    are substitutes; two more with `below`."""
    tables = list(club.tables.annotate(current=_newest()).order_by("number"))
    current = [table.current for table in tables]
    page = matches_of(club, below=below).values_list("pk", flat=True)[:at_most]
    found = with_people(matches_of(club).filter(Q(pk__in=current) | Q(pk__in=page)))
    by_id = {match.pk: match for match in found}
    # Without `below` the slice is the head of the same order.
    shown = found[:at_most] if below is None else [by_id[pk] for pk in page]
    return [TableRow(table, by_id.get(table.current)) for table in tables], shown


def current_match(table: Table) -> Match | None:
    """The newest match at the table, with its seats; None before the first. Three queries."""
    return with_seats(Match.objects.filter(table=table)).first()


def names_at(table: Table) -> list[str]:
    """Who sits in the table's current match now. As `current_match`."""
    match = current_match(table)
    return [seat.name for seat in seated_now(match)] if match else []


def tables_of_player(club_id: int, name: str) -> list[Table]:
    """The tables of the club where somebody with this name plays now: mostly one or none. At most three queries."""
    playing = Match.objects.filter(club=club_id, finished_at=None, table__isnull=False)
    theirs = playing.filter(Q(seats__name=name) | Q(substitutes__name=name)).values("pk")
    found = with_seats(Match.objects.filter(pk__in=theirs).defer("offers"))
    return [match.table for match in found if match.table and name in {seat.name for seat in seated_now(match)}]


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table with its current match and its open call."""

    table: Table
    match: Match | None
    call: Call | None


# Its table still shows that a host settled it.
_SETTLED = Q(settled_by__isnull=False, match=OuterRef("pk"))
# Written once: Django takes longer to make the question than the database to answer it.
_NOW = (
    Match.objects.select_related("club", "table")
    .defer("sheet", "offers")
    .annotate(calls_host=Exists(Call.objects.filter(Q(settled_at=None) | _SETTLED, table=OuterRef("table"))))
    .order_by("-id")
)


def table_at(table_id: int, change: int) -> TableNow:
    """The table after this change of it, or a newer one. No query if it is known, else those of `_table_now`."""
    return _known(table_id).of(change, lambda _before: _table_now(table_id))


def keep_table(match: Match, change: int) -> None:
    """Caches the table of a match after an entry, once its transaction is committed, if the table was known before.
    `match` has been read in the transaction, and `change` is its last one. One query at most."""
    if match.table_id is None:
        return
    known = _known(match.table_id)
    if known.made is None:
        return
    before = Topic("table", match.table_id).before_newest()

    def after_entry(now: TableNow) -> TableNow:
        if now.match is None or now.match.pk != match.pk:
            return now  # a correction of an earlier match
        match.club, match.table = now.table.club, now.table
        return replace(now, match=match)

    transaction.on_commit(lambda: known.follow(before, change, after_entry))


def _known(table_id: int) -> Shared[TableNow]:
    return shared(Topic("table", table_id), "now")


def _table_now(table_id: int) -> TableNow:
    """The table with its current match and open call. One query, one more for an open call, two more before the first
    match. The position of the match has its seats, its sheet and its offers: mostly it is known."""
    match = _NOW.filter(table=table_id).first()
    if match is None or match.table is None:
        return TableNow(Table.objects.select_related("club").get(pk=table_id), None, call_at(table_id, None))
    match.table.club = match.club
    match.sheet, match.offers, match.status = projection(position(match))
    calls_host: bool = match.calls_host  # type: ignore[attr-defined]  # by the annotation
    return TableNow(match.table, match, call_at(table_id, match.pk) if calls_host else None)


def played_last(table: Table, game: str) -> Match | None:
    """The newest match of this game at the table, else in the club. A new match gets the same options. One query."""
    here = Case(When(table=table, then=1), default=0)
    return Match.objects.filter(club=table.club_id, game=game, unverified=False).order_by(here.desc(), "-id").first()


def pads_held(table: Table) -> list[Pad]:
    """The phones that hold the table's pad, the last one first. One query."""
    return list(table.pads.filter(held=True).order_by("-since", "-pk"))


@dataclass(frozen=True, slots=True)
class TablesInUse:
    """What goes on at some tables now."""

    phones: int
    """How many record there."""
    tables: int
    """At how many of the tables."""
    matches: list[Match]
    """Those in play."""


def in_use(tables: Collection[Table], *, since: datetime) -> TablesInUse:
    """Phones that scanned a code before `since` do not record any more. Two queries, four if a match is in play."""
    held = Pad.objects.filter(table__in=tables, table__open=True, held=True, since__gt=since)
    at = held.values_list("table", flat=True)
    return TablesInUse(len(at), len({*at}), list(with_seats(Match.objects.filter(table__in=tables, finished_at=None))))


def passes_elsewhere(club: Club, reached: Collection[str]) -> list[Table]:
    """The tables whose newest valid QR code has none of the addresses by which phones now reach the server. One
    query."""
    good = DeviceToken.objects.filter(table=OuterRef("pk"), revoked_at=None)
    newest = Subquery(good.order_by("-id").values("address")[:1])
    return list(club.tables.annotate(leads=newest).exclude(leads=None).exclude(leads__in=["", *reached]))
