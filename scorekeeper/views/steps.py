"""What a page sends with every step of a host."""

import secrets

from django.http import HttpRequest
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.services.events import Step
from scorekeeper.views.naming import typist_of


def step_of(request: HttpRequest, actor: Actor) -> Step:
    """The values that the page sends with every step. Without a count, the page has seen no steps."""
    seen = request.POST.get("seen", "")
    known = int(seen) if seen.isdecimal() and len(seen) < 10 else 0
    return Step(actor, key_of(request), known, timezone.now(), typist_of(request, host=True))


def key_of(request: HttpRequest) -> str:
    """The key that was sent, or a new one."""
    sent = request.POST.get("key", "")[:40]
    return sent if sent.isascii() and sent.isprintable() and sent else secrets.token_hex(16)
