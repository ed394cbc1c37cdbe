"""What followers may be sent instead of the whole part of a page, and what is drawn once for many drawings."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from scorekeeper.live import parts
from scorekeeper.live.precedence import give_way

KEPT = 8192  # fragments of about a kilobyte

register = template.Library()


@register.simple_block_tag
def piece(content: SafeString) -> SafeString:
    """An element with an id: who has the rest of the part is sent it alone. In a part that has pieces nothing else may
    change while their ids are the same."""
    parts.piece(content)
    return content


@register.simple_tag
def drawn_once(template_name: str, **values: Any) -> SafeString:
    """Includes a template that shows nothing but these values, and is drawn anew only when one of them is another.

    They are hashable, and equal only where they are drawn alike.
    """
    give_way()
    return _drawn(template_name, get_language(), tuple(values.items()))


@lru_cache(KEPT)
def _drawn(template_name: str, _language: str | None, values: tuple[tuple[str, Any], ...]) -> SafeString:
    return render_to_string(template_name, dict(values))
