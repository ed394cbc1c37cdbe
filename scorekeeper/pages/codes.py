"""QR codes, and the address in them."""

from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from scorekeeper.models import Club, Table
from scorekeeper.serving import addresses
from scorekeeper.serving.lock import noted_addresses


@dataclass(frozen=True, slots=True)
class CodeCard:
    """A table's QR code and the address in it."""

    table: Table
    svg: SafeString
    url: str
    short: str
    """The code to type instead of scanning."""
    type_at: str
    """Where to type it, without the scheme."""
    only_here: bool
    """Whether no phone can reach this address."""


@dataclass(frozen=True, slots=True)
class CardsPage:
    """The codes of several tables, to print."""

    club: Club
    cards: list[CodeCard]


@dataclass(frozen=True, slots=True)
class CodePage:
    """The code of one table, once somebody has asked for it."""

    table: Table
    club: Club
    cards: list[CodeCard]


@dataclass(frozen=True, slots=True)
class TypePage:
    """Where people type the short code of a table."""

    typed: str = ""
    wrong: bool = False
    locked: str = ""
    """Why nobody on this network may type one now."""


def qr(url: str) -> SafeString:
    """The address as a QR code to be shown on a page."""
    svg = segno.make(url, error="m").svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(svg)  # noqa: S308 (segno's drawing of our own address)


def reachable(request: HttpRequest) -> str:
    """The address for phones, without a slash at its end. The server's own screen may use another one."""
    here = request.build_absolute_uri("/").rstrip("/")
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    return next(iter(noted_addresses(settings.DATA)), here) if addresses.only_here(here) else here
