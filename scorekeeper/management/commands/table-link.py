"""`manage.py table-link CLUB TABLE [--json]`: a table's address with its token, for hosts without a browser."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.models import Club, Table
from scorekeeper.services.tables import code


class Command(OnDataCommand):
    help = "Prints the address at which a phone joins a table, its token and its short code."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("club", help="the club's name, or its short name in addresses")
        parser.add_argument("table", help="the table's number")
        parser.add_argument("--json", action="store_true", dest="as_json", help="one JSON object, for programs")
        parser.add_argument("--public-url", default="", help="address at which phones reach the server")

    def handle(self, *args: Any, club: str, table: str, as_json: bool, public_url: str, **options: Any) -> None:
        chosen = _table(_club(club), table)
        base = self.base_address(public_url)
        made = code(table=chosen, now=timezone.now(), address=base)
        url = base + reverse("table_join", args=[made.token])
        if as_json:
            answer = {"url": url, "token": made.token, "short": made.short, "table": chosen.pk}
            self.stdout.write(json.dumps(answer | {"number": chosen.number, "club": chosen.club.slug}))
        else:
            self.stdout.write(
                f"{chosen.club}, table {chosen.number}:\n{url}\ntoken: {made.token}\nshort code: {made.short}"
            )


def _club(wanted: str) -> Club:
    clubs = list(Club.objects.filter(Q(slug=wanted) | Q(name__iexact=wanted)))
    if len(clubs) == 1:
        return clubs[0]
    slugs = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
    problem = "Several clubs are" if clubs else "No club is"
    raise CommandError(f"{problem} called {wanted!r}. Clubs here: {slugs}.")


def _table(club: Club, wanted: str) -> Table:
    tables = {str(table.number): table for table in club.tables.select_related("club").order_by("number")}
    if wanted not in tables:
        numbers = ", ".join(tables) or "none yet"
        raise CommandError(f"{club} has no table {wanted!r}. Its tables: {numbers}.")
    if not tables[wanted].open:
        raise CommandError(f"Table {wanted} of {club} is closed, so no phone can join it. Open the table first.")
    return tables[wanted]
