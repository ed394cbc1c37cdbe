"""The hidden fields of forms that enter something, and forms that are drawn once for many entries."""

import secrets
from collections.abc import Hashable, Mapping
from typing import Any

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

KEPT = 1024  # drawings of a block, of a few kilobytes
NOBODY = "NOTPROVIDED"  # what Django has for a CSRF token where no visitor asks
# What a form carries of its moment, while it is drawn for many moments: no text of a page has these in it.
LATER = {name: f"{name}-{secrets.token_hex(8)}" for name in ("seen", "key", "csrf_token")}

kept: dict[tuple[Hashable, ...], str] = {}
register = template.Library()


@register.simple_tag(takes_context=True)
def entry_fields(context: template.Context, seen: int, *key: object, **more: object) -> SafeString:
    """How many entries the page shows, the key under which the same post is entered only once, and what else a form
    carries. The parts of the key are joined; what is empty is left out."""
    shown = LATER["seen"] if "drawn_for_later" in context else seen
    fields: dict[str, object] = {"seen": shown, "key": "".join(map(str, key))}
    fields |= {name: value for name, value in more.items() if value}
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items())


@register.tag
def drawn_while(parser: Parser, token: Token) -> template.Node:
    """A block of forms that is drawn again only when one of the values after the tag's name changes. They are
    all that the block depends on, beside what its forms carry: how many entries the page shows, the key of the next
    one, and the visitor's CSRF token."""
    values = [parser.compile_filter(value) for value in token.split_contents()[1:]]
    block = parser.parse(["enddrawn_while"])
    parser.delete_first_token()
    return DrawnWhile(block, values)


class DrawnWhile(template.Node):
    def __init__(self, nodelist: template.NodeList, values: list[FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values

    def render(self, context: template.Context) -> SafeString:
        token = context.get("csrf_token", NOBODY)
        later = {name: text for name, text in LATER.items() if name != "csrf_token" or token != NOBODY}
        same = self, len(later), get_language(), *(_hashable(value.resolve(context)) for value in self.values)
        text = kept.get(same)
        if text is None:
            with context.push(**later, drawn_for_later=True):
                text = self.nodelist.render(context)
            if len(kept) >= KEPT:
                kept.clear()
            kept[same] = text
        for name, value in (("seen", context["match"].length), ("key", context["key"]), ("csrf_token", token)):
            text = text.replace(LATER[name], escape(value))
        return SafeString(text)


def _hashable(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
