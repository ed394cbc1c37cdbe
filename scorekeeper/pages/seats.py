"""The page that corrects wrong seats: who really sits where, and what that changes."""

import secrets
from dataclasses import dataclass, field
from typing import Any

import games
from games.base import Game
from scorekeeper import words
from scorekeeper.models import Event, Match, Player
from scorekeeper.pages.compared import Compared, Pair, compared
from scorekeeper.selectors.clubs import players_named, players_of
from scorekeeper.selectors.matches import entries_since, position


@dataclass(frozen=True, slots=True)
class ChosenSeat:
    seat: int
    who: int
    """The seat of the player who really sits here."""


@dataclass(frozen=True, slots=True)
class Other:
    seat: int
    player: str
    """Who is recorded there from the first hand."""
    typed: str
    """Who else it was."""


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
    others: tuple[Other, ...] = ()
    """Where the visitor can say who else played; nowhere if they may not."""
    people: tuple[Player, ...] = ()
    """Whom these fields offer."""
    director: bool = False
    """Whether they can swap entrants of the tournament on their desk instead."""
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def seats_page(
    found: Match,
    state: games.Match,
    chosen: tuple[int, ...],
    why: str,
    *,
    others: tuple[str, ...] | None = None,
    after: games.Match | None = None,
    message: str = "",
    seen: int | None = None,
) -> SeatsPage:
    """`others`: by seat, who else played there, as typed; None if the visitor may not say that. `after`: the match with
    these seats; `seen`: how many entries the sender knew, if more came since."""
    of_rounds = found.event is not None and found.event.kind == Event.Kind.TOURNAMENT and found.round is not None
    may = others is not None and not of_rounds
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
        compared=compared(found, state, after, None, _seated(found, state, after)) if after else None,
        seated=tuple(Pair(*both) for both in zip(state.present, after.present, strict=True)) if after else (),
        others=tuple(Other(seat, *both) for seat, both in enumerate(zip(state.players, others, strict=True)))
        if others and may
        else (),
        people=tuple(players_of(found.club)) if may else (),
        director=others is not None and of_rounds,
    )


def _seated(found: Match, state: games.Match, after: games.Match) -> list[int | Player]:
    people = players_named(found.club_id, after.players)
    there = {name: seat for seat, name in enumerate(state.players)}
    return [there[name] if name in there else people.get(name) or Player(name=name) for name in after.players]
