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
# Stand for what a form carries of its moment while it is drawn for many moments. No text of a page contains them.
LATER = {name: f"{name}-{secrets.token_hex(8)}" for name in ("seen_later", "key", "csrf_token")}

kept: dict[tuple[Hashable, ...], str] = {}
register = template.Library()


@register.simple_tag(takes_context=True)
def entry_fields(context: template.Context, seen: int, *key: object, **more: object) -> SafeString:
    """The number of entries that the page shows, the key that makes the same post count once, and other hidden fields.
    The parts of the key are joined; empty fields are left out."""
    fields: dict[str, object] = {"seen": context.get("seen_later", seen), "key": "".join(map(str, key))}
    fields |= {name: value for name, value in more.items() if value}
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items())


@register.tag
def drawn_while(parser: Parser, token: Token) -> template.Node:
    """A block of forms that is drawn again only when one of the values after the tag's name changes. The block depends
    on nothing else, except for three values that are filled in later: the number of entries that the page shows, the
    key of the next one, and the visitor's CSRF token."""
    values = [parser.compile_filter(value) for value in token.split_contents()[1:]]
    block = parser.parse(["enddrawn_while"])
    parser.delete_first_token()
    return DrawnWhile(block, values)


class DrawnWhile(template.Node):
    def __init__(self, nodelist: template.NodeList, values: list[FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values

    def render(self, context: template.Context) -> SafeString:
        token = context.get("csrf_token", "")  # none in what is drawn for all followers
        later = LATER if token else {**LATER, "csrf_token": ""}
        same = self, later["csrf_token"], get_language(), *(_hashable(value.resolve(context)) for value in self.values)
        text = kept.get(same)
        if text is None:
            with context.push(**later):
                text = self.nodelist.render(context)
            if len(kept) >= KEPT:
                kept.clear()
            kept[same] = text
        for name, value in {"seen_later": context["match"].length, "key": context["key"], "csrf_token": token}.items():
            text = text.replace(LATER[name], escape(value))
        return SafeString(text)


def _hashable(value: Any) -> Hashable:
    if isinstance(value, Mapping):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value
