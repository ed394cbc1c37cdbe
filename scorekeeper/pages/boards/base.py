"""The fields that every board has. Each board adds its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class BoardShown:
    """A hand as everybody sees it."""

    template: str
    due: str = ""
    """What is waited for; "" if it is simply a player's turn."""


@dataclass(frozen=True, kw_only=True)
class BoardPad(BoardShown):
    """A hand for the person who records it; `taps` is the template of the buttons."""

    taps: str
    thumb: str = ""
    """The template of its own buttons within reach of the thumb; "" if there are none."""
    ahead: Mapping[str, Any] | None = None
    """The hand for a phone without network, if the pad already has it."""


@dataclass(frozen=True, kw_only=True)
class SheetShown:
    """The score sheet of a board that lays out its own."""

    template: str


@dataclass(frozen=True, kw_only=True)
class PlayCounted:
    """A move with its own arithmetic, which the template lays out as `play`."""

    template: str
    name: str
    """The player; "" if the page names them elsewhere."""
    points: int
    card: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class PlayPreview:
    """What a single move would count."""

    form: str
    entry: Mapping[str, Any]
    play: PlayCounted
    totals: tuple[int, ...]
