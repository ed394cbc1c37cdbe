"""What followers of a topic are sent: a part of a page, drawn by the function that draws it in the page."""

import functools
import json
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import translation

from scorekeeper.live.precedence import give_way, giving_way
from scorekeeper.live.topics import Topic

# Part → (kind of the topic, its id) → the fragment, in the active language. The views register theirs.
renderers: dict[str, Callable[[str, int], str]] = {}
SEATS = frozenset({"pad"})  # who plays is told of each change, who watches a few times a second at most
KEPT = 512  # drawings of a dozen kilobytes

_pieces: ContextVar[dict[str, bytes]] = ContextVar("pieces")


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


class Shared:
    """A part that several threads want at the same time: the first draws it for the others."""

    def __init__(self) -> None:
        self.turn = Lock()
        self.version = -1
        self.drawing: Drawing | None = None

    def drawn(self, version: int, draw: Callable[[], Drawing]) -> Drawing:
        with self.turn:
            if self.drawing is None or self.version < version:
                self.drawing, self.version = draw(), version
            return self.drawing


@functools.lru_cache(KEPT)
def shared(topic: Topic, part: str, language: str) -> Shared:
    return Shared()


def drawn(topic: Topic, part: str, language: str, version: int) -> Drawing:
    """The state of `topic` with its event `version`, or a newer one: the part of that name, or JSON where `part` is
    empty."""
    return shared(topic, part, language).drawn(version, lambda: _draw(topic, part, language))


def _draw(topic: Topic, part: str, language: str) -> Drawing:
    pieces: dict[str, bytes] = {}
    token = _pieces.set(pieces)
    try:
        with translation.override(language), nullcontext() if part in SEATS else giving_way():
            text = renderers[part](topic.kind, topic.id) if part else json.dumps(topic.state(), cls=DjangoJSONEncoder)
            return Drawing(text, _lines(text), pieces)
    finally:
        _pieces.reset(token)


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
