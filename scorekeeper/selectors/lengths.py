"""Reading how long recorded matches took."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.models import Match

NEWEST = 2000  # matches


def recorded_lengths(game: str, options: Mapping[str, Any] | None = None) -> list[int]:
    """The seconds from the beginning to the end of the newest matches of a game that were recorded and played to an
    end on this server; `options`: only those played with these. One query."""
    played = Match.objects.filter(game=game, status=Match.Status.FINISHED, unverified=False, finished_at__isnull=False)
    rows = played.order_by("-pk").values_list("options", "created_at", "finished_at")[:NEWEST]
    return [
        int((end - begin).total_seconds())
        for found, begin, end in rows
        if end and (options is None or found == dict(options))
    ]
