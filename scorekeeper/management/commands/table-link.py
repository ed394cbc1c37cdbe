"""`manage.py table-link CLUB TABLE [--json]`: a table's address and a fresh token, for hosts without a browser."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.models import Club, Table
from scorekeeper.services.tables import TOKEN_LIVES, fresh_token
from scorekeeper.serving.lock import served

UNSERVED = "http://127.0.0.1:8000"


class Command(OnDataCommand):
    help = "Prints the address by which a phone joins a table, with a fresh token that lives 18 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("club", help="the club's name, or its name in addresses")
        parser.add_argument("table", help="the table's number")
        parser.add_argument("--json", action="store_true", dest="as_json", help="one JSON object, for programs")
        parser.add_argument("--public-url", default="", help="address under which the server is reached")

    def handle(self, *args: Any, club: str, table: str, as_json: bool, public_url: str, **options: Any) -> None:
        at = _table(_club(club), table)
        now = timezone.now()
        base = (public_url or settings.PUBLIC_URL or self._served()).rstrip("/")
        token = fresh_token(table=at, now=now, address=base)
        url = base + reverse("table_join", args=[token])
        expires = now + TOKEN_LIVES
        if as_json:
            answer = {"url": url, "token": token, "table": at.pk, "number": at.number, "club": at.club.slug}
            self.stdout.write(json.dumps(answer | {"expires": expires.isoformat()}))
        else:
            self.stdout.write(f"{at.club}, table {at.number}, until {expires:%F %R} UTC:\n{url}\ntoken: {token}")

    def _served(self) -> str:
        """The first address of the server that runs on this data, as it noted it down."""
        for address in served(settings.DATA):
            return address
        self.stderr.write(f"No server runs on this data now; {UNSERVED} is a guess (--public-url says better).")
        return UNSERVED


def _club(wanted: str) -> Club:
    found = list(Club.objects.filter(Q(slug=wanted) | Q(name__iexact=wanted)))
    if len(found) == 1:
        return found[0]
    there = ", ".join(Club.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
    problem = "Several clubs are" if found else "No club is"
    raise CommandError(f"{problem} called {wanted!r}. Clubs here: {there}.")


def _table(club: Club, wanted: str) -> Table:
    tables = {str(table.number): table for table in club.tables.select_related("club").order_by("number")}
    if wanted not in tables:
        there = ", ".join(tables) or "none yet"
        raise CommandError(f"{club} has no table {wanted!r}. Its tables: {there}.")
    if not tables[wanted].open:
        raise CommandError(f"Table {wanted} of {club} is closed: a token would do nothing there. Open it first.")
    return tables[wanted]
