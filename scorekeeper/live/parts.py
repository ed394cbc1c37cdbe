"""The parts of pages that followers get, drawn by the same functions as in the page."""

import functools
import json
import re
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import translation
from django.utils.timezone import get_current_timezone_name

from scorekeeper.live.precedence import give_way, giving_way
from scorekeeper.live.topics import Topic
from scorekeeper.models import shown

Render = Callable[[str, int], str]
"""From the kind of the topic and an id to the fragment in the active language."""
renderers: dict[str, Render] = {}
_kinds: dict[str, tuple[str, ...]] = {}
FOR_PLAYERS = frozenset({"pad"})  # players get every change; people who watch get at most a few each second
OF_PHONES = frozenset({"pad", "elsewhere"})  # only phones of the table get these
KEPT = 512  # drawings of about a dozen kilobytes
PIECES = 4096  # of about a kilobyte
T = TypeVar("T")

_pieces: ContextVar[dict[str, "Piece"]] = ContextVar("pieces")
_made_of: ContextVar[tuple[Topic, int] | None] = ContextVar("made of", default=None)


@dataclass(frozen=True, slots=True)
class Piece:
    """An element that can change by itself."""

    lines: bytes
    """As lines of server-sent events."""
    among: str
    """The id of the list that it belongs to, which can grow; "" for none."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Drawing:
    """A part as text, and in the lines of server-sent events."""

    text: str
    whole: bytes
    pieces: Mapping[str, Piece]
    """The changeable elements by id. Empty if the part is always sent as a whole."""
    _since: WeakKeyDictionary["Drawing", bytes] = field(default_factory=WeakKeyDictionary, init=False)

    def since(self, before: "Drawing | None") -> bytes:
        """What to send after `before`: only the pieces that changed, or came to a list that has others already. The
        whole if anything else is different. Found once for all followers who have the same."""
        if before is None:
            return self.whole
        if before not in self._since:
            self._since[before] = self._difference(before.pieces)
        return self._since[before]

    def _difference(self, before: Mapping[str, Piece]) -> bytes:
        lists = {piece.among for piece in before.values()} - {""}
        if not before or [id for id in self.pieces if id in before] != [*before]:
            return self.whole
        found, last_of = [], dict[str, str]()
        for id, piece in self.pieces.items():
            if id not in before:
                if piece.among not in lists:
                    return self.whole
                found += [_lines(_grown(piece.among, last_of.get(piece.among, ""))), piece.lines, _lines("</template>")]
            elif piece != before[id]:
                found.append(piece.lines)
            last_of[piece.among] = id
        return b"".join(found)


def register(*kinds: str, **parts: Render) -> None:
    """Lets these parts be followed in topics of these kinds. Each page registers its own parts."""
    renderers.update(parts)
    _kinds.update(dict.fromkeys(parts, kinds))


def has(part: str, kind: str) -> bool:
    """Whether a topic of this kind has the part."""
    return not part or kind in _kinds.get(part, ())


class Shared(Generic[T]):
    """A value that several threads or parts need for the same state. The first one makes it for the others."""

    def __init__(self) -> None:
        self.turn = Lock()
        self.made: tuple[int, T] | None = None

    def of(self, version: int, make: Callable[[T | None], T]) -> T:
        """The value for the change `version` or a newer one. `make` gets the value from before."""
        with self.turn:
            if self.made is None or self.made[0] < version:
                self.made = version, make(self.made and self.made[1])
            return self.made[1]

    def known(self, version: int) -> T | None:
        """The value for the change `version` or a newer one, if it is made already."""
        made = self.made
        return made[1] if made and made[0] >= version else None

    def follow(self, before: int, version: int, step: Callable[[T], T]) -> None:
        """Makes the value for the change `version` from the one before, if that includes the change `before`, the last
        one before `version` that matters here."""
        with self.turn:
            if self.made is not None and before <= self.made[0] < version:
                self.made = version, step(self.made[1])


def shared(topic: Topic, *what: str) -> Shared[Any]:
    """The value for all who read the same names."""
    return kept(topic, what, shown.audience())


@functools.lru_cache(KEPT)
def kept(topic: Topic, what: tuple[str, ...], audience: Hashable) -> Shared[Any]:
    return Shared()


def drawn(topic: Topic, part: str, language: str, version: int) -> Drawing:
    """A part of `topic` that includes the change `version`, or a newer one, with times in the active time zone; JSON if
    `part` is empty."""
    key = topic, part, language, get_current_timezone_name()
    drawing: Drawing = shared(*key).of(version, lambda _before: _draw(topic, part, language, version))
    return drawing


def known_drawing(topic: Topic, part: str, language: str, version: int) -> Drawing | None:
    """Like `drawn`, but None if that is not drawn yet."""
    drawing: Drawing | None = shared(topic, part, language, get_current_timezone_name()).known(version)
    return drawing


def made_of(topic: Topic) -> int:
    """The newest change of `topic` that a drawing must include. One query; none while a part of the topic is drawn for
    its followers."""
    drawing, version = _made_of.get() or (None, 0)
    return version if drawing == topic else topic.newest()


def _draw(topic: Topic, part: str, language: str, version: int) -> Drawing:
    pieces: dict[str, Piece] = {}
    tokens = _pieces.set(pieces), _made_of.set((topic, version))
    try:
        precedence = nullcontext() if part in FOR_PLAYERS else giving_way()
        with translation.override(language), precedence, _shown_to_followers(topic, part):
            text = renderers[part](topic.kind, topic.id) if part else json.dumps(topic.state(), cls=DjangoJSONEncoder)
            return Drawing(text, _lines(text), pieces)
    finally:
        _pieces.reset(tokens[0])
        _made_of.reset(tokens[1])


def _shown_to_followers(topic: Topic, part: str) -> AbstractContextManager[None]:
    """Phones of a table read whole names, all others are the public."""
    if part in OF_PHONES:
        return shown.showing(None)
    return nullcontext() if shown.is_public() else shown.showing(functools.cache(topic.initials))


def piece(element: str, among: str) -> None:
    """Saves an element with an id as a piece of the part that is being drawn, if any."""
    pieces = _pieces.get(None)
    if pieces is not None:
        id, lines = _element(element)
        pieces[id] = Piece(lines, among)
        give_way()


@functools.lru_cache(PIECES)
def _element(text: str) -> tuple[str, bytes]:
    """The id of an element, and its lines. Most elements of a large page are the same the next time."""
    start = re.match(r'<\w+ id="([^"]+)"', text)
    assert start, f"A piece must start with an element and its id: {text[:40]!r}"
    return start[1], _lines(text)


def message(change_id: int, event: str, data: bytes = b"data: \n") -> bytes:
    """A server-sent event."""
    return f"id: {change_id}\nevent: {event}\n".encode() + data + b"\n"


def _grown(among: str, after: str) -> str:
    """The beginning of what tells the page where to put new elements; the other half is in swap.js."""
    return f'<template data-among="{among}" data-after="{after}">'


def _lines(text: str) -> bytes:
    return "".join(f"data: {line}\n" for line in text.splitlines()).encode()
