"""The puzzle of the day: the question with all hands open, then each play with what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.base import Game
from games.laying import LayingState
from games.moves import Play
from games.tiles import NAMES, members
from scorekeeper import words
from scorekeeper.pages.boards import board_own_hand, board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.replay import Scrub, within
from scorekeeper.practice.puzzle import Choice, Puzzle
from scorekeeper.practice.streak import Tries


class HandOpen(NamedTuple):
    """What somebody holds."""

    name: str
    tiles: Sequence[str]
    turn: bool


class ChoiceShown(NamedTuple):
    """A play that was possible, and what it is worth."""

    number: int
    tile: str
    end: str
    worth: str
    wins: bool
    laid: bool
    """Whether the visitor laid it."""
    shown: bool
    """Whether its line is on the board."""


class LineShown(NamedTuple):
    """The board after some moves of a line."""

    play: int
    """The number of the choice that begins it."""
    words: str
    """The last move."""
    result: str
    """How the hand ends, after its last move; else ""."""
    scrub: Scrub


@dataclass(frozen=True, kw_only=True)
class PuzzlePage:
    day: date
    practice: bool = True
    old: bool
    """Whether it is yesterday's."""
    game: Game[Any]
    question: str
    rules: Sequence[str]
    board: BoardShown
    others: Sequence[HandOpen]
    own: HandOpen
    answered: bool
    """Whether the answer is shown."""
    right: bool
    verdict: Sequence[str]
    choices: Sequence[ChoiceShown]
    line: LineShown | None
    streak: int
    best: int
    say: str
    refusal: str


def puzzle_page(
    puzzle: Puzzle, tries: Tries, typed: Mapping[str, str], *, today: date, refusal: str = ""
) -> PuzzlePage:
    """The page of today's puzzle, or of an older one. Nothing of the answer is in it before the visitor has tried it,
    or its day is over. `typed`, from the address: a tile that waits for its end; then which play is shown, and how many
    moves of its line."""
    laid, old = tries.choice(puzzle), puzzle.day < today
    answered = old or laid is not None
    players, state, line = _players(puzzle), puzzle.state, None
    board: BoardShown
    if answered:
        shown = puzzle.choices[_number(typed.get("play"), len(puzzle.choices) - 1, 0)]
        at = _number(typed.get("move"), len(shown.line) + 1, 1)
        state = puzzle.after(shown, at)
        line = _line(puzzle, shown, at, state, players)
        board = board_shown(puzzle.game, state, players)
    else:
        board = board_own_hand(puzzle.match, puzzle.seat, typed, counts=True)
    hands = [_hand(state, seat, players) for seat in range(len(players))]
    verdict = _verdict(puzzle, laid) if answered else []
    return PuzzlePage(
        day=puzzle.day,
        old=old,
        game=puzzle.game,
        question=_question(puzzle),
        rules=_rules(puzzle),
        board=board,
        others=[hands[seat] for seat in _around(puzzle)],
        own=hands[puzzle.seat],
        answered=answered,
        right=laid is not None and laid.worth > 0,
        verdict=verdict,
        choices=[_choice(puzzle, number, laid, line) for number in range(len(puzzle.choices))] if line else [],
        line=line,
        streak=tries.streak(today),
        best=tries.best,
        say=" ".join(verdict),
        refusal=refusal,
    )


def share_text(puzzle: Puzzle, tries: Tries, address: str) -> str:
    """How the visitor did, in short lines of plain text without the answer."""
    laid, streak = tries.choice(puzzle), tries.streak(puzzle.day)
    day = date_format(puzzle.day, "j M Y")
    lines = [_("Domino puzzle of {day}: {game}").format(day=day, game=_(puzzle.game.name))]
    if laid is None:
        lines.append(_("All hands are open. Which play wins?"))
    elif laid.worth > 0:
        lines.append("✓ " + _("Solved at the first try"))
    else:
        lines.append("✗ " + _("Not solved"))
    if streak > 1:
        lines.append(_in_a_row(streak))
    return "\n".join([*lines, address]) + "\n"


def _in_a_row(days: int) -> str:
    return ngettext("{n} day in a row", "{n} days in a row", days).format(n=days)


def _number(text: str | None, last: int, usual: int) -> int:
    """A number of the address, at most the last one; the usual one without it."""
    return within(text, last) if text else min(usual, last)


# --- who plays ---------------------------------------------------------------------------------------------
def _around(puzzle: Puzzle) -> list[int]:
    """The seats of the others, clockwise from the visitor's left."""
    seats = len(puzzle.match.players)
    return [(puzzle.seat + step) % seats for step in range(1, seats)]


def _players(puzzle: Puzzle) -> list[str]:
    """The players by seat, as the visitor calls them."""
    others, names = _around(puzzle), {puzzle.seat: _("You")}
    [own] = [side for side in puzzle.match.sides if puzzle.seat in side]
    for seat in others:
        if seat in own:
            names[seat] = _("Your partner")
        else:
            names[seat] = "Nestor" if len(others) == 1 else _("Left") if seat == others[0] else _("Right")
    return [names[seat] for seat in sorted(names)]


def _hand(state: LayingState, seat: int, players: Sequence[str]) -> HandOpen:
    held = [NAMES[tile] for tile in reversed([*members(state.holdings.known[seat])])]
    return HandOpen(players[seat], held, state.turn == seat)


# --- the question ------------------------------------------------------------------------------------------
def _question(puzzle: Puzzle) -> str:
    if len(puzzle.match.players) > len(puzzle.match.sides):
        return _("You and your partner play against Left and Right. One play wins the hand. Every other one loses it.")
    return _("You play against Nestor. One play wins the hand. Every other one loses it.")


def _rules(puzzle: Puzzle) -> list[str]:
    """What wins a hand."""
    state, lines = puzzle.state, [_("Everybody sees all hands and plays as well as possible.")]
    if puzzle.game.lower_wins:
        lines.append(_("At the end, the pips left in the two hands of a side are its bad points. Fewer win."))
    else:
        lines.append(_("Whoever goes out gets the pips left in the other hand."))
        lines.append(_("If nobody can lay, the lighter hand gets the difference."))
    if multiples := state.rules.multiples:
        numbers = _("{one} or {other}").format(one=multiples[0], other=multiples[-1])
        text = _("A play scores the table count if it is a multiple of {number}. Points count from here on.")
        lines.append(text.format(number=numbers if len(multiples) > 1 else multiples[0]))
    if state.rules.draws:
        lines.append(_("The boneyard is empty: whoever cannot lay passes."))
    else:
        lines.append(_("Whoever cannot lay passes."))
    return lines


# --- the answer --------------------------------------------------------------------------------------------
def _verdict(puzzle: Puzzle, laid: Choice | None) -> list[str]:
    best = puzzle.choices[0]
    wins = ngettext("{tile} wins the hand by {n} point.", "{tile} wins the hand by {n} points.", best.worth).format(
        tile=words.tile_words(best.move), n=best.worth
    )
    if laid is None:
        return [wins]
    if laid.worth > 0:
        return [_("Right!"), wins]
    loses = ngettext("{tile} loses the hand by {n} point.", "{tile} loses the hand by {n} points.", -laid.worth)
    return [_("Not this one."), loses.format(tile=words.tile_words(laid.move), n=-laid.worth), wins]


def _choice(puzzle: Puzzle, number: int, laid: Choice | None, line: LineShown) -> ChoiceShown:
    choice = puzzle.choices[number]
    move = choice.move
    return ChoiceShown(
        number,
        NAMES[move.tile],
        words.end_letter(move.end),
        words.signed(choice.worth),
        choice.worth > 0,
        choice == laid,
        number == line.play,
    )


def _line(puzzle: Puzzle, choice: Choice, at: int, state: LayingState, players: Sequence[str]) -> LineShown:
    number, count = puzzle.choices.index(choice), len(choice.line) + 1
    said = _move(puzzle, state, players) if at else _("Your turn.")
    before, after = (number, at - 1) if at else None, (number, at + 1) if at < count else None
    return LineShown(
        play=number,
        words=said,
        result=_result(choice.worth) if at == count else "",
        scrub=Scrub("play", number, at, count, said, before, after),
    )


def _move(puzzle: Puzzle, state: LayingState, players: Sequence[str]) -> str:
    """The last move, and what it scores at once."""
    move = state.moves[-1]
    you, player = move.seat == puzzle.seat, players[move.seat]
    if not isinstance(move, Play):
        return _("You pass.") if you else _("{player} passes.").format(player=player)
    lays = _("You lay {tile}.") if you else _("{player} lays {tile}.")
    points = state.rules.worth(state.line)
    said = lays.format(player=player, tile=words.tile_words(move))
    return f"{said} {ngettext('{n} point.', '{n} points.', points).format(n=points)}" if points else said


def _result(worth: int) -> str:
    if worth > 0:
        return ngettext("Your side wins by {n} point.", "Your side wins by {n} points.", worth).format(n=worth)
    return ngettext("Your side loses by {n} point.", "Your side loses by {n} points.", -worth).format(n=-worth)
