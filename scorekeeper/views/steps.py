"""What a page sends with every step of a host, and what it says of a step that was refused."""

import secrets

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games import GameError
from scorekeeper.access import Actor, Refusal
from scorekeeper.models import Event
from scorekeeper.pages import notices
from scorekeeper.pages.desk import undone_words
from scorekeeper.selectors.events import event_now
from scorekeeper.services import events
from scorekeeper.services.errors import Refused, TableBusy
from scorekeeper.services.events import Step
from scorekeeper.views.naming import typist_of
from scorekeeper.words import in_words


def step_of(request: HttpRequest, actor: Actor) -> Step:
    """The values that the page sends with every step. Without a count, the page has seen no steps."""
    seen = request.POST.get("seen", "")
    known = int(seen) if seen.isdecimal() and len(seen) < 10 else 0
    return Step(actor, key_of(request), known, timezone.now(), typist_of(request, host=True))


def undo(request: HttpRequest, event: Event, step: Step) -> None:
    """Undoes the last step, and the next page says what that did."""
    said = undone_words(event_now(event))
    for notice in notices.undone(events.undo(event_id=event.pk, step=step), said):
        messages.add_message(request, *notice)


def refusal_words(error: Refused | Refusal | GameError) -> str:
    """What a page says of a refused step; of a table where a match is in play, with the way to it."""
    if isinstance(error, GameError):
        return in_words(error)
    if not isinstance(error, TableBusy):
        return error.message
    text, url = _("See table {n}").format(n=error.table.number), reverse("table", args=[error.table.pk])
    return format_html('{} <a href="{}">{}</a>', error.message, url, text)


def key_of(request: HttpRequest) -> str:
    """The key that was sent, or a new one."""
    sent = request.POST.get("key", "")[:40]
    return sent if sent.isascii() and sent.isprintable() and sent else secrets.token_hex(16)
