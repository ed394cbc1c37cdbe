"""The page that corrects wrong seats: who really sits where, and what that changes."""

import secrets
from dataclasses import dataclass, field
from typing import Any

import games
from games.base import Game
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.pages.compared import Compared, Pair, compared
from scorekeeper.selectors.matches import entries_since, position


@dataclass(frozen=True, slots=True)
class ChosenSeat:
    seat: int
    who: int
    """The seat of the player who really sits here."""


@dataclass(frozen=True, slots=True)
class SeatsPage:
    match: Match
    game: Game[Any]
    players: tuple[str, ...]
    chosen_seats: tuple[ChosenSeat, ...]
    why: str
    message: str = ""
    newer: tuple[str, ...] = ()
    compared: Compared | None = None
    seated: tuple[Pair, ...] = ()
    """Who sits where, by seat."""
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def seats_page(
    found: Match,
    state: games.Match,
    chosen: tuple[int, ...],
    why: str,
    *,
    after: games.Match | None = None,
    message: str = "",
    seen: int | None = None,
) -> SeatsPage:
    """`after`: the match with the seats as `chosen`; `seen`: how many entries the sender knew, if more came since."""
    newer = [] if seen is None else entries_since(found, max(seen, 0))
    now = position(found) if newer else state
    return SeatsPage(
        match=found,
        game=state.game,
        players=state.present,
        chosen_seats=tuple(ChosenSeat(seat, who) for seat, who in enumerate(chosen)),
        why=why,
        message=message,
        newer=tuple(words.entry_words(each, now) for each in newer),
        compared=compared(found, state, after, None, chosen) if after else None,
        seated=tuple(Pair(*both) for both in zip(state.present, after.present, strict=True)) if after else (),
    )
