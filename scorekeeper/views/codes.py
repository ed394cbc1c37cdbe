"""Fresh QR codes for tables; each is a new pass."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from scorekeeper.models import Table, User
from scorekeeper.pages.codes import CodeCard, qr, reachable
from scorekeeper.services import tables
from scorekeeper.serving import addresses


def qr_cards(request: HttpRequest, found: list[Table]) -> list[CodeCard]:
    """A fresh QR code for each table, with the address under which phones reach this server."""
    base, now = reachable(request), timezone.now()
    by = request.user if isinstance(request.user, User) else None
    cards = []
    for each in found:
        url = base + reverse("table_join", args=[tables.fresh_token(table=each, now=now, address=base, by=by)])
        cards.append(CodeCard(each, qr(url), url, addresses.only_here(url), now + tables.TOKEN_LIVES))
    return cards
