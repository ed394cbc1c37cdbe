"""What followers of a topic are sent: a part of a page, drawn by the function that draws it in the page."""

import json
from collections.abc import Callable

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import translation

from scorekeeper.live.topics import Topic

# Part → (kind of the topic, its id) → the fragment, in the active language. The views register theirs.
renderers: dict[str, Callable[[str, int], str]] = {}
SEATS = frozenset({"pad"})  # who plays is told of each change, who watches a few times a second at most


def known(part: str) -> bool:
    return not part or part in renderers


def rendered(topic: Topic, part: str, language: str) -> str:
    """The present state of `topic`: the part of that name, or JSON where `part` is empty."""
    if not part:
        return json.dumps(topic.state(), cls=DjangoJSONEncoder)
    with translation.override(language):
        return renderers[part](topic.kind, topic.id)


def message(event_id: int, event: str, data: str) -> bytes:
    """As server-sent events are written."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"id: {event_id}\nevent: {event}\n{lines}\n".encode()
