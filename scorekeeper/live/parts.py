"""What followers of a topic are sent: a part of a page, drawn by the function that draws it in the page."""

import functools
import json
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import translation

from scorekeeper.live.precedence import give_way, giving_way
from scorekeeper.live.topics import Topic

# Part → (kind of the topic, its id) → the fragment, in the active language. The views register theirs.
renderers: dict[str, Callable[[str, int], str]] = {}
SEATS = frozenset({"pad"})  # who plays is told of each change, who watches a few times a second at most
KEPT = 512  # drawings of a dozen kilobytes
T = TypeVar("T")

_pieces: ContextVar[dict[str, bytes]] = ContextVar("pieces")
_made_of: ContextVar[tuple[Topic, int] | None] = ContextVar("made of", default=None)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part as it was drawn, and the same in the lines of server-sent events."""

    text: str
    whole: bytes
    pieces: Mapping[str, bytes]
    """By id, the elements that hold all that can change while their ids are the same; none where it is sent whole."""

    def since(self, before: "Drawing | None") -> bytes:
        """What to send to who has `before`: the pieces that are not the same, nothing where all are; else the whole."""
        if before is None or not self.pieces or self.pieces.keys() != before.pieces.keys():
            return self.whole
        return b"".join(piece for id, piece in self.pieces.items() if piece != before.pieces[id])


def known(part: str) -> bool:
    return not part or part in renderers


class Shared(Generic[T]):
    """What several threads or parts want of the same state: the first makes it for the others."""

    def __init__(self) -> None:
        self.turn = Lock()
        self.made: tuple[int, T] | None = None

    def of(self, version: int, make: Callable[[T | None], T]) -> T:
        """As it was made of the event `version`, or of a newer one; `make` is given what was made before."""
        with self.turn:
            if self.made is None or self.made[0] < version:
                self.made = version, make(self.made and self.made[1])
            return self.made[1]


@functools.lru_cache(KEPT)
def shared(topic: Topic, *what: str) -> Shared[Any]:
    return Shared()


def drawn(topic: Topic, part: str, language: str, version: int) -> Drawing:
    """The state of `topic` with its event `version`, or a newer one: the part of that name, or JSON where `part` is
    empty."""
    drawing: Drawing = shared(topic, part, language).of(version, lambda _before: _draw(topic, part, language, version))
    return drawing


def made_of(topic: Topic) -> int:
    """The event of `topic` that what is drawn now is to show, or a newer one. One query, none while a part of the topic
    is drawn for its followers."""
    drawing, version = _made_of.get() or (None, 0)
    return version if drawing == topic else topic.newest()


def _draw(topic: Topic, part: str, language: str, version: int) -> Drawing:
    pieces: dict[str, bytes] = {}
    tokens = _pieces.set(pieces), _made_of.set((topic, version))
    try:
        with translation.override(language), nullcontext() if part in SEATS else giving_way():
            text = renderers[part](topic.kind, topic.id) if part else json.dumps(topic.state(), cls=DjangoJSONEncoder)
            return Drawing(text, _lines(text), pieces)
    finally:
        _pieces.reset(tokens[0])
        _made_of.reset(tokens[1])


def piece(element: str) -> None:
    """Notes an element with an id, while a part is drawn that it may be sent instead of."""
    pieces = _pieces.get(None)
    if pieces is not None:
        found = re.match(r'<\w+ id="([^"]+)"', element)
        assert found, f"A piece begins with an element's id: {element[:40]!r}"
        pieces[found[1]] = _lines(element)
        give_way()


def message(event_id: int, event: str, data: bytes = b"data: \n") -> bytes:
    """As server-sent events are written."""
    return f"id: {event_id}\nevent: {event}\n".encode() + data + b"\n"


def _lines(text: str) -> bytes:
    return "".join(f"data: {line}\n" for line in text.splitlines()).encode()
