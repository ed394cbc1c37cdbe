"""Typed line-ups: for each board, who plays."""

from collections.abc import Mapping

from scorekeeper.events.encounters import Fault, Form, LineUp

NOBODY = "nobody"
"""The board is left to the others."""


def field(board: int, place: int) -> str:
    """The name of a field. Boards and their places count from 1."""
    return f"board-{board}-{place}"


def line_up(posted: Mapping[str, str], form: Form) -> LineUp:
    """The chosen players by board; nobody where that was chosen, or nothing. Whoever is no number counts as missing."""
    return tuple(_players(posted, number, board.size) for number, board in enumerate(form.boards, 1))


def not_chosen(posted: Mapping[str, str], form: Form) -> list[Fault]:
    """The boards where nothing is chosen: nobody leaves a board to the others by oversight."""
    return [
        Fault(number, "missing")
        for number, board in enumerate(form.boards, 1)
        if not any(posted.get(field(number, place)) for place in range(1, board.size + 1))
    ]


def tables(posted: Mapping[str, str]) -> dict[int, int]:
    """The number of the table for each board that starts, by its number. A board without a table does not start."""
    named = {name.removeprefix("table-"): text.strip() for name, text in posted.items() if name.startswith("table-")}
    return {int(board): int(text) for board, text in named.items() if _is_small(board) and _is_small(text)}


def _is_small(text: str) -> bool:
    """Whether it is the number of a table or board, from 1."""
    return text.isascii() and text.isdecimal() and len(text) < 4 and int(text) > 0


def _players(posted: Mapping[str, str], board: int, size: int) -> tuple[int, ...]:
    chosen = [posted.get(field(board, place), "") for place in range(1, size + 1)]
    return tuple(int(each) for each in chosen if each.isascii() and each.isdecimal() and len(each) < 19)
