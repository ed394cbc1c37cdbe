"""Nestor's seats, and what a phone keeps of his tiles."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from scorekeeper.models import Match
from scorekeeper.practice.standing_in import StandIn, Tiles
from scorekeeper.selectors.matches import position

KEY = "nestor"


def nestor_seats(match: Match | None) -> list[int]:
    """The numbers of his seats in a match in play. One query; none without one."""
    if match is None or match.finished_at is not None:
        return []
    return [*match.seats.filter(player__program=True).order_by("number").values_list("number", flat=True)]


def stand_in_of(session: SessionBase, match: Match, seat: int) -> StandIn:
    """Nestor in a seat of the match, with the tiles that this phone keeps. As `position`."""
    tiles = session.get(KEY, {}).get(key_of(match.pk, seat), {}).get("tiles")
    return StandIn.of(position(match), seat, Tiles.read(tiles) if tiles else None)


def advice_of(session: SessionBase, match: Match, seat: int) -> dict[str, Any] | None:
    """The move that Nestor named for the match as it is now, as a record has it; None before."""
    kept = session.get(KEY, {}).get(key_of(match.pk, seat), {})
    move: dict[str, Any] | None = kept["move"] if kept.get("length") == match.length else None
    return move


def key_of(match: int, seat: int) -> str:
    return f"{match}:{seat}"
