"""The rules of the games: tiles, the line of play, records, deduction. Standard library only, no I/O.

Ask ``GAMES`` for a game by its name, ``Match`` for what happens at a table, ``verify`` for a verdict on a record.
"""

from typing import Any

from games.base import FinalForm, Game, Option
from games.entries import entries_of
from games.errors import Code, Contradiction, GameError, Illegal, Malformed
from games.hand import Hand
from games.match import Match
from games.random_play import random_match
from games.record import read_record
from games.registry import GAMES
from games.remedies import remedies
from games.verify import verify, verify_line


def entries(record: Any) -> list[dict[str, Any]]:
    """A record, as the value of its JSON, as the entries that make it."""
    return entries_of(read_record(record, GAMES))


__all__ = [
    "GAMES",
    "Code",
    "Contradiction",
    "FinalForm",
    "Game",
    "GameError",
    "Hand",
    "Illegal",
    "Malformed",
    "Match",
    "Option",
    "entries",
    "random_match",
    "remedies",
    "verify",
    "verify_line",
]
