"""The QR codes of tables, to show and to print."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from scorekeeper.models import Table, User
from scorekeeper.pages.codes import CodeCard, qr, reachable
from scorekeeper.services import tables
from scorekeeper.serving import addresses


def qr_cards(request: HttpRequest, found: list[Table], *, renewed: bool = False) -> list[CodeCard]:
    """The code of each table, with the address under which phones reach this server. `renewed`: new ones, and the old
    ones stop."""
    base, now = reachable(request), timezone.now()
    by = request.user if isinstance(request.user, User) else None
    cards = []
    for each in found:
        code = (tables.renew if renewed else tables.code)(table=each, now=now, address=base, by=by)
        url = base + reverse("table_join", args=[code.token])
        type_at = base.partition("://")[2] + reverse("table_type").rstrip("/")
        cards.append(CodeCard(each, qr(url), url, code.short, type_at, addresses.only_here(url)))
    return cards
