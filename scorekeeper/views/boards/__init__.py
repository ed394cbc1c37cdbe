"""What lies on the table and how it is tapped: one module, and one folder of templates, for each `Game.board`.

`templates/scorekeeper/boards/<board>/shown.html` is what everybody sees, `pad.html` what who records taps.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from games import Match
from games.base import Game, State
from scorekeeper import words
from scorekeeper.views.boards import line, square, star, tricks


class Board(Protocol):
    def shown(
        self, game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False
    ) -> dict[str, Any]:
        """What is shown of a hand as it stands after `state.moves` (None: before the first hand). `slim`: only as on
        a phone. Whether it is for everybody is for who gives the state to know."""
        ...

    def pad(self, match: Match, typed: Mapping[str, str]) -> dict[str, Any]:
        """What the pad needs while a move is due, beside what is shown; of one name it is this that holds.

        `typed` are values of the address or of a form, by which the page works without scripts: a tile that waits for
        its end, a card that waits for its cell.
        """
        ...


@runtime_checkable
class GoesOn(Protocol):
    """A board whose script can go on while the server cannot be reached; one without this waits for the server."""

    def ahead(self, match: Match) -> dict[str, Any]:
        """What `after` and `show` of `static/scorekeeper/boards/<board>.js` need besides what `board_ahead` adds, as
        JSON values, whether a move, what is left or the next hand is due."""
        ...

    def says(self, game: Game[Any]) -> dict[str, Any]:
        """Its sentences for what is entered meanwhile, by the type of the move or the kind of the entry; their places
        are filled with what the entry says of itself."""
        ...


@runtime_checkable
class Counts(Protocol):
    """A board on which each move scores by an arithmetic of its own, which the score sheet shows move by move."""

    def counted(self, state: State, players: Sequence[str]) -> list[dict[str, Any]]:
        """The moves of a hand with what each scored; `template` is what lays one of them out, as `play`."""
        ...


@runtime_checkable
class Lists(Protocol):
    """A board whose score sheet is laid out in its own way."""

    def sheet(self, match: Match) -> dict[str, Any]:
        """What its `sheet.html` needs, as `own`."""
        ...


_BOARDS: Mapping[str, Board] = {"line": line, "star": star, "tricks": tricks, "square": square}


def board_shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> dict[str, Any]:
    """The context of `shown.html`; `template` is its name."""
    shown = _BOARDS[game.board].shown(game, state, players, slim=slim)
    return {"template": f"scorekeeper/boards/{game.board}/shown.html"} | shown


def board_pad(match: Match, typed: Mapping[str, str]) -> dict[str, Any]:
    """What is shown and what `pad.html` needs besides; `taps` is the name of that template. A move is due."""
    assert match.hand is not None
    shown = board_shown(match.game, match.hand.state, match.present, slim=True)
    taps = {"taps": f"scorekeeper/boards/{match.game.board}/pad.html"}
    return shown | taps | _BOARDS[match.game.board].pad(match, typed)


def board_ahead(match: Match, own: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
    """The hand as a phone goes on with it while the server cannot be reached; None where it cannot. `own` is what the
    board's pad said of it already."""
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
    """Whether each move scores by an arithmetic of its own."""
    return isinstance(_BOARDS[game.board], Counts)


def board_counted(game: Game[Any], state: State, players: Sequence[str]) -> list[dict[str, Any]]:
    """The moves of a hand with the arithmetic of each; none where the scores of the hand say all."""
    board = _BOARDS[game.board]
    return board.counted(state, players) if isinstance(board, Counts) else []


def board_sheet(match: Match) -> dict[str, Any] | None:
    """The score sheet of the match; `template` lays it out. None where the common one says all."""
    board = _BOARDS[match.game.board]
    if not isinstance(board, Lists):
        return None
    return {"template": f"scorekeeper/boards/{match.game.board}/sheet.html"} | board.sheet(match)
