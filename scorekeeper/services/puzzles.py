"""Writes what a visitor does with the puzzle of the day to their session."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.utils.translation import gettext as _

from games import read
from games.record import read_move
from scorekeeper.practice.puzzle import puzzle_of
from scorekeeper.selectors.puzzles import KEY, tries_of
from scorekeeper.services.errors import Refused


def try_play(session: SessionBase, entry: Mapping[str, Any], *, day: str, today: date) -> None:
    """Notes what the visitor lays in today's puzzle. Only their first try counts. ``day`` is the one that their page
    shows: Refused (``stale``) if it is over. GameError if the play cannot be read or made."""
    if day != today.isoformat():
        raise Refused("stale", _("This puzzle is no longer the newest. Here is today’s."))
    puzzle = puzzle_of(today)
    move = read_move(read.mapping(entry).get("move"), puzzle.game.moves, len(puzzle.match.players))
    session[KEY] = tries_of(session).tried(puzzle, puzzle.chosen(move)).as_json()
