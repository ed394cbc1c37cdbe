"""Tiles, points and words in templates."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext

from games import cards
from games.base import Game
from games.moves import Move, move_entry
from games.tiles import parse
from scorekeeper import words
from scorekeeper.drawing import card_svg, half_svg, tile_svg
from scorekeeper.forms.typed import typed_contract
from scorekeeper.names import initials

as_json = json.JSONEncoder(separators=(",", ":")).encode  # one encoder, because every tile has such a value
register = template.Library()


@register.simple_tag
def tile(name: str, along: bool = True) -> SafeString:
    """The picture of the tile with this name."""
    return mark_safe(tile_svg(parse(name), along=along))  # noqa: S308 (our own numbers, no text from outside)


@register.simple_tag
def half(pips: int) -> SafeString:
    """The picture of one half of a tile, with its number for screen readers."""
    drawn = mark_safe(half_svg(pips))  # noqa: S308 (our own number, no text from outside)
    return format_html('<span class="pip">{}<span class="hear">{}</span></span>', drawn, pips)


@register.simple_tag
def card(name: str) -> SafeString:
    """The picture of the playing card with this name."""
    return mark_safe(card_svg(cards.parse(name)))  # noqa: S308 (our own numbers, no text from outside)


@register.simple_tag
def suits() -> list[tuple[str, str]]:
    """The suits, each with its letter and its sign."""
    return [*words.SUITS.items()]


@register.simple_tag
def clock(moment: datetime) -> SafeString:
    """The time of day."""
    shown = date_format(localtime(moment), "H:i")
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), shown)


@register.simple_tag
def typed_number(typed: Mapping[str, str], key: str, number: int) -> str:
    """The text in the field with this key and number."""
    return typed.get(f"{key}-{number}", "")


register.filter(initials)
register.filter(words.ended)
register.filter(words.stopped)
register.filter(words.signed)
register.filter(words.tenths)
register.filter(words.signed_tenths)
register.simple_tag(typed_contract, name="contract_value")


@register.filter
def through(last: int) -> range:
    """The numbers from 0 to `last`."""
    return range(last + 1)


@register.filter
def translated(text: str) -> str:
    """A text of the engine, in the reader's language."""
    return gettext(text) if text else ""


@register.filter
def fills_lines(text: str) -> bool:
    """Whether a text or one of its words is too long for the largest letters on a phone."""
    return len(text) > 40 or any(len(word) > 10 for word in text.replace("-", " ").split())


@register.filter
def word(value: object) -> str:
    """A word of the engine (a reason, an ending) for people."""
    return words.word(value)


@register.filter
def as_entry(value: Mapping[str, Any]) -> str:
    """An entry as the value of a button."""
    return as_json(value)


@register.filter
def as_move(move: Move) -> str:
    """The entry with this move, as the value of a button."""
    return as_entry(move_entry(move))


@register.filter
def item(values: Any, key: Any) -> Any:
    """`values[key]`; None if there is no such key."""
    try:
        return values[key]
    except (KeyError, IndexError, TypeError):
        return None


@register.filter
def column(rows: Sequence[object], name: str) -> str:
    """That attribute of each of them, with spaces between."""
    return " ".join(str(getattr(row, name)) for row in rows)


@register.filter
def names(seats: Sequence[int], players: Sequence[str]) -> str:
    """The names of the players in these seats."""
    return words.together([players[seat] for seat in seats])


@register.filter
def together(names: Sequence[str]) -> SafeString:
    """The names of one side. Each has its own direction, so that a name in Arabic does not move the others."""
    return format_html_join(" + ", "<bdi>{}</bdi>", ((name,) for name in names))


@register.filter
def listed(names: Sequence[str]) -> SafeString:
    """Names in a sentence, each with its own direction: Ana, Bo and Cleo."""
    return mark_safe(words.listed([format_html("<bdi>{}</bdi>", name) for name in names]))  # noqa: S308 (escaped here)


def exact(value: int | Fraction) -> SafeString:
    """As `words.number`, but all fractions look alike."""
    sign, whole, rest = words.mixed(value)
    if not rest:
        return format_html("{}{}", sign, whole)
    above, below = rest.as_integer_ratio()
    return format_html("{}{}<sup>{}</sup>⁄<sub>{}</sub>", sign, words.apart(whole), above, below)


@register.filter
def number(points: int | Fraction | None) -> str:
    """As people write it: −3 or 2½; – if there is none."""
    return "–" if points is None else words.number(points)


@register.filter
def first_seat(game: Game[Any]) -> str:
    """What the seat that a draw names first does in the first hand."""
    return words.first_seat(game)


@register.filter
def one_more(number: int) -> int:
    """The number for people: records count seats, hands and moves from 0."""
    return number + 1
