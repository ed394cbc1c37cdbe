"""Pieces of a page that can be sent to followers separately, and fragments that are drawn once for many pages."""

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from scorekeeper.live import parts
from scorekeeper.live.precedence import give_way
from scorekeeper.place import reader

KEPT = 8192  # fragments of about a kilobyte

register = template.Library()


@register.simple_block_tag
def piece(content: SafeString, among: str = "") -> SafeString:
    """An element with an id. A follower who has the rest of the part gets only the changed pieces. A part with pieces
    must not change outside them, as long as their ids stay the same.

    `among`: the id of a list that contains only pieces. A follower who has some of them gets just the new ones.
    """
    element = SafeString(content.strip())  # templates have it on lines of its own
    parts.piece(element, among)
    return element


@register.simple_tag(takes_context=True)
def one_line(context: template.Context, template_name: str) -> SafeString:
    """Includes a template for what is read out, without the line breaks that it is written with."""
    values = {str(name): value for name, value in context.flatten().items()}
    text = render_to_string(template_name, values)
    return SafeString(" ".join(text.split()))  # escaped already


@register.simple_tag
def drawn_once(template_name: str, **values: Any) -> SafeString:
    """Includes a template that depends only on these values, and draws it again only if one of them changes.

    The values are hashable, and equal values look the same.
    """
    give_way()
    return _drawn(template_name, reader(), tuple(values.items()))


@register.simple_tag
def drawn_each(template_name: str, name: str, items: Iterable[Hashable], **values: Any) -> SafeString:
    """`drawn_once` for each of the `items`, which the template knows under this name: a tray has 28 tiles."""
    give_way()
    now, others = reader(), tuple(values.items())
    return SafeString(" ".join([_drawn(template_name, now, ((name, item), *others)) for item in items]))


@register.simple_tag
def pieces(template_name: str, name: str, items: Iterable[Hashable], among: str) -> SafeString:
    """`drawn_each`, with each as a piece of the list `among`."""
    return SafeString("".join([piece(drawn_once(template_name, **{name: item}), among) for item in items]))


@lru_cache(KEPT)
def _drawn(template_name: str, _reader: tuple[str, str], values: tuple[tuple[str, Any], ...]) -> SafeString:
    return render_to_string(template_name, dict(values))
