"""The hidden fields of forms that enter something, and blocks that are drawn once for many entries."""

import re
import secrets
from collections.abc import Hashable
from typing import Any

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

from scorekeeper.place import reader

KEPT = 4096  # drawings of a block, mostly of about a kilobyte
# Stand for what a form carries of its moment while it is drawn for many moments. No text of a page contains them.
LATER = {name: f"{name}-{secrets.token_hex(8)}" for name in ("seen_later", "key", "csrf_token")}

STAND_INS = re.compile(f"({'|'.join(LATER.values())})")

kept: dict[tuple[Hashable, ...], list[str]] = {}
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
    """A block that is drawn again only when one of the values after the tag's name changes. It depends on nothing else
    but the reader's language, except for three values that are filled in later: the number of entries that the page
    shows, the key of the next one (`key` means nothing else in the block), and the visitor's CSRF token."""
    values = [parser.compile_filter(value) for value in token.split_contents()[1:]]
    block = parser.parse(["enddrawn_while"])
    parser.delete_first_token()
    return DrawnWhile(block, values)


class DrawnWhile(template.Node):
    def __init__(self, nodelist: template.NodeList, values: list[FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values

    def render(self, context: template.Context) -> SafeString:
        token = context.get("csrf_token", "")  # none in what is drawn for all followers
        same = self, bool(token), reader(), *(_hashable(value.resolve(context)) for value in self.values)
        inside = "seen_later" in context  # another such block fills in the values
        pieces = kept.get(same)
        if pieces is None:
            with context.push(**({} if inside else LATER if token else {**LATER, "csrf_token": ""})):
                pieces = STAND_INS.split(self.nodelist.render(context))
            if len(kept) >= KEPT:
                kept.clear()
            kept[same] = pieces
        if inside or len(pieces) == 1:
            return SafeString("".join(pieces))
        shown = context.get("match") or context["tournament"]
        now = {"seen_later": shown.length, "key": context["key"], "csrf_token": token}
        filled = {LATER[name]: escape(value) for name, value in now.items()}
        return SafeString("".join([filled.get(piece, piece) for piece in pieces]))


def _hashable(value: Any) -> Hashable:
    if isinstance(value, dict):
        return tuple((key, _hashable(each)) for key, each in value.items())
    return tuple(map(_hashable, value)) if isinstance(value, list | tuple) else value
