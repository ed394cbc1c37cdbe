"""What the players can do after an entry was refused, so that they are never stuck."""

from collections.abc import Mapping
from typing import Any

from games.errors import Code, GameError, Reference
from games.match import Match
from games.moves import move_type
from games.record import NOTED, Noted


def remedies(match: Match, entry: Mapping[str, Any], error: GameError) -> list[dict[str, Any]]:
    """The ways to continue after ``match`` refused ``entry`` with ``error``, as JSON values."""
    ways: list[dict[str, Any]] = [{"way": "mend"}]
    ways += [{"way": "go-back", **entry_at.as_json()} for entry_at in _earlier(match, error)]
    ways += [{"way": "note", **noted.as_json()} for noted in _notable(match, entry, error)]
    if match.hand is not None and entry.get("kind") not in ("final", "substitute"):
        ways.append({"way": "final", "hand": len(match.hands) - 1})
    return ways


def _earlier(match: Match, error: GameError) -> list[Reference]:
    """The earlier entries that the error names. One of them may be wrong."""
    named = [Reference(error.hand, error.move)] if error.hand is not None else []
    if error.proof is not None:
        named.append(error.proof)
    return [each for each in named if _exists(match, each) and (each.move is not None or error.proof)]


def _exists(match: Match, entry: Reference) -> bool:
    return entry.hand < len(match.hands) and (
        entry.move is None or entry.move < len(match.hands[entry.hand].state.moves)
    )


def _notable(match: Match, entry: Mapping[str, Any], error: GameError) -> list[Noted]:
    """The irregularities that would make this entry possible, if the players leave them as they are."""
    if error.code not in (*NOTED, Code.NO_POSSIBLE_DEAL) or match.hand is None:
        return []
    number = len(match.hands) - 1
    every = [
        Noted(number, at, str(code))
        for at, move in enumerate(match.hand.state.moves)
        for code, kind in NOTED.items()
        if kind == move_type(move)
    ]
    return [noted for noted in every if noted not in match.noted and _allows(match, noted, entry)]


def _allows(match: Match, noted: Noted, entry: Mapping[str, Any]) -> bool:
    try:
        match.enter({"kind": "note", **noted.as_json()}).enter(entry)
    except GameError:
        return False
    return True
