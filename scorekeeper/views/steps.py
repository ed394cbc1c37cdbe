"""What a page sends with every step of a host, and what it says of a step that was refused."""

import secrets

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.models import Event
from scorekeeper.pages import notices
from scorekeeper.pages.desk import undone_words
from scorekeeper.selectors.events import event_now
from scorekeeper.services import events
from scorekeeper.services.events import Step
from scorekeeper.views.naming import typist_of


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


def key_of(request: HttpRequest) -> str:
    """The key that was sent, or a new one."""
    sent = request.POST.get("key", "")[:40]
    return sent if sent.isascii() and sent.isprintable() and sent else secrets.token_hex(16)
