"""What lies on the table and how people tap it: one module and one folder of templates for each `Game.board`.

`templates/scorekeeper/boards/<board>/shown.html` is for everybody, `pad.html` for the person who records.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from games import Match
from games.base import Game, State
from scorekeeper import words
from scorekeeper.pages.boards import line, square, star, tricks
from scorekeeper.pages.boards.base import BoardPad, BoardShown, PlayCounted, SheetShown


class Board(Protocol):
    def shown(self, game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> BoardShown:
        """A hand after `state.moves`; None is the table before the first hand. `slim`: for a phone only. The caller
        decides whether the state is public."""
        ...

    def pad(self, match: Match, typed: Mapping[str, str]) -> BoardPad:
        """The hand and its buttons while a move is due.

        `typed` holds values from the address or a form, so that the page works without scripts: a tile that waits for
        its end, a card that waits for its cell.
        """
        ...

    def own_hand(self, match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> BoardPad:
        """The hand of a player who plays against Nestor, with its tiles and cards while it is in play, and its buttons
        while the seat is on turn. `match` is what the seat knows. `counts`: whether what the table counts, and what a
        tile or card would count, is shown."""
        ...


@runtime_checkable
class GoesOn(Protocol):
    """A board whose script can continue without network. Others wait for the server."""

    def ahead(self, match: Match) -> dict[str, Any]:
        """JSON values for `after` and `show` of `static/scorekeeper/boards/<board>.js`, whatever is due: a move, the
        tiles left or the next hand. `board_ahead` adds the common ones."""
        ...

    def says(self, game: Game[Any]) -> dict[str, Any]:
        """Its sentences for entries made without network, by type of move or kind of entry. The script fills their
        places from the entry."""
        ...


@runtime_checkable
class Counts(Protocol):
    """A board where each move has its own arithmetic. The score sheet shows it move by move."""

    def counted(self, state: State, players: Sequence[str]) -> Sequence[PlayCounted]:
        """The moves of a hand and what each one scored."""
        ...


@runtime_checkable
class Lists(Protocol):
    """A board with its own score sheet."""

    def sheet(self, match: Match) -> SheetShown:
        """The sheet; `sheet.html` reads it as `own`."""
        ...


_BOARDS: Mapping[str, Board] = {"line": line, "star": star, "tricks": tricks, "square": square}


def board_shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> BoardShown:
    return _BOARDS[game.board].shown(game, state, players, slim=slim)


def board_pad(match: Match, typed: Mapping[str, str]) -> BoardPad:
    """A move is due."""
    return _BOARDS[match.game.board].pad(match, typed)


def board_own_hand(match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> BoardPad:
    """The hand of a player who sees only their own tiles. `match` is what they know."""
    return _BOARDS[match.game.board].own_hand(match, seat, typed, counts=counts)


def board_ahead(match: Match, own: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """The hand for a phone without network; None if it must wait. `own`: what the board's pad already gave."""
    board = _BOARDS[match.game.board]
    if own is None and isinstance(board, GoesOn):
        own = board.ahead(match)
    if own is None:
        return None
    state = match.hand.state if match.hand else None
    common = {
        "names": list(match.present),
        "seat": state.turn if state else None,
        "held": state.held() if state else None,
    }
    return {**common, **own, "says": _says(match.game)}


@words.once_a_language
def _says(game: Game[Any]) -> Mapping[str, Any]:
    board = _BOARDS[game.board]
    return words.sayings(game) | (board.says(game) if isinstance(board, GoesOn) else {})


def counts_moves(game: Game[Any]) -> bool:
    """Whether each move has its own arithmetic."""
    return isinstance(_BOARDS[game.board], Counts)


def board_counted(game: Game[Any], state: State, players: Sequence[str]) -> Sequence[PlayCounted]:
    """The moves of a hand with their arithmetic; empty if the scores of the hand say it all."""
    board = _BOARDS[game.board]
    return board.counted(state, players) if isinstance(board, Counts) else ()


def board_sheet(match: Match) -> SheetShown | None:
    """The board's own score sheet; None if the common one says it all."""
    board = _BOARDS[match.game.board]
    return board.sheet(match) if isinstance(board, Lists) else None
