"""The puzzle of a day: a late position with open hands, in which one play wins the hand and every other one loses it.

The same day gives the same puzzle to everybody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, reduce
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.laying import LayingState
from games.line import ENDS
from games.match import Match
from games.moves import Draw, Move, Play, move_entry
from games.nestor import LEVELS
from games.registry import GAMES
from games.solver import Solver, can_solve
from games.tiles import COUNT, NAMES, PIPS, members
from scorekeeper.practice.contest import MOST, Contest, Setting

LEFT = range(8, 13)
"""How many tiles all hands together have left: enough to go wrong, few enough to think it through."""
EACH = 2
"""The fewest tiles that anybody has left."""
CHOICES = range(3, 7)
"""How many plays there are to choose from."""
LINE = range(4, COUNT)
"""How many moves follow the winning one."""
POSITIONS = range(150, 1001)
"""How many positions the solver looks at. With fewer it is too easy; what needs more is too deep for a head, and would
take long to make."""
DAYS = 8
"""Puzzles that this process remembers."""


class Choice(NamedTuple):
    """A play, and what comes of it if everybody then plays as well as possible."""

    move: Play
    worth: int
    """The points by which its side wins more than the other one, from here to the end of the hand."""
    line: tuple[Move, ...]
    """What follows it, to the end of the hand."""

    @property
    def name(self) -> str:
        """The tile and its end."""
        return f"{NAMES[self.move.tile]} {self.move.end}"


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    day: date
    match: Match
    """Up to the moment at which the visitor is to lay a tile. All tiles are known."""
    choices: tuple[Choice, ...]
    """All that can be laid: first the only one that wins, then the others, the better ones first."""

    @property
    def game(self) -> Game[Any]:
        return self.match.game

    @property
    def state(self) -> LayingState:
        assert self.match.hand is not None
        assert isinstance(self.match.hand.state, LayingState)
        return self.match.hand.state

    @property
    def seat(self) -> int:
        """The visitor's."""
        assert self.state.turn is not None
        return self.state.turn

    def named(self, name: str) -> Choice | None:
        """The choice with this name, if there is one."""
        return next((choice for choice in self.choices if choice.name == name), None)

    def chosen(self, move: Move) -> Choice:
        """The choice that is this move; its end may be left out if only one takes the tile. GameError if the rules
        forbid it."""
        self.state.play(move)
        return next(
            c for c in self.choices if isinstance(move, Play) and c.move in (move, move._replace(end=c.move.end))
        )

    def after(self, choice: Choice, moves: int) -> LayingState:
        """The hand after so many of the moves that begin with this choice, or all of them if there are fewer."""
        return reduce(LayingState.play, (choice.move, *choice.line)[:moves], self.state)


ASKED = [game for game in GAMES.values() if can_solve(game, game.seats[0])]
"""The games of the puzzles."""


@lru_cache(DAYS)
def puzzle_of(day: date) -> Puzzle:
    """The puzzle of this day. The games take turns."""
    game, rng = ASKED[day.toordinal() % len(ASKED)], Random(day.isoformat())
    while True:
        contest = Contest.begun(1, _setting(game), [str(seat) for seat in range(game.seats[0])], rng)
        assert contest.state is not None
        for state in _played(contest.state, rng):
            if _asks(state) and (choices := _choices(game, state)):
                moves = state.moves[len(contest.state.moves) :]
                match = reduce(lambda match, move: match.enter(move_entry(move)), moves, contest.match)
                return Puzzle(day, match, choices)


def _setting(game: Game[Any]) -> Setting:
    """With these rules, no match ends within a hand."""
    long = {option.name: MOST for option in game.options if option.kind == "whole" and option.default}
    return Setting(game.slug, game.read_options(long), game.seats[0], next(iter(LEVELS)))


def _played(state: LayingState, rng: Random) -> Iterator[LayingState]:
    """The moments of a hand from here on. Everybody lays what leaves the next player the fewest tiles to lay, so that
    boneyards become empty."""
    while state.end is None:
        yield state
        moves = state.legal()
        rng.shuffle(moves)
        state = state.play(_drawn(state, min(moves, key=lambda move: _leaves(state, move)), rng))


def _leaves(state: LayingState, move: Move) -> int:
    """How many tiles the next player can lay after this move."""
    if not isinstance(move, Play) or not state.ends.begun:
        return 0
    after = state.ends.after[move.tile * len(ENDS) + ENDS.index(move.end or "w")]
    return (after.fitting & state.holdings.known[state.rules.after[move.seat]]).bit_count()


def _drawn(state: LayingState, move: Move, rng: Random) -> Move:
    """The move; if it is a draw, with the tile that it takes."""
    if not isinstance(move, Draw):
        return move
    return move._replace(tiles=(rng.choice([*members(state.holdings.may[state.holdings.yard])]),))


def _asks(state: LayingState) -> bool:
    """Whether there is a choice now, late enough in the hand, with nothing left to chance."""
    held = state.held()
    return (
        sum(held) in LEFT
        and min(held) >= EACH
        and not state.boneyard()
        and state.ends.begun
        and len(state.legal()) in CHOICES
    )


class TooDeep(Exception):
    """The solver would have to look at too many positions."""


def _choices(game: Game[Any], state: LayingState) -> tuple[Choice, ...]:
    """The plays, if this is a puzzle; else none. One of them wins, all others lose, and it is not the obvious one."""
    solver, worth = Solver(game, state), dict[Play, int]()
    solver.steps, solver.go_on = POSITIONS.stop, _give_up
    plays = [move for move in state.legal() if isinstance(move, Play)]
    try:
        for move in sorted(plays, key=lambda move: _appeal(state, move), reverse=True):
            worth[move] = solver.gain(state, state.play(move))
            if not _one_may_win([*worth.values()]):
                return ()
        best_first = sorted(worth, key=worth.__getitem__, reverse=True)
        choices = [Choice(move, worth[move], tuple(solver.line(state.play(move)))) for move in best_first]
    except TooDeep:
        return ()
    deep = POSITIONS.stop - solver.steps in POSITIONS and len(choices[0].line) in LINE
    return tuple(choices) if choices[0].worth > 0 and deep else ()


def _one_may_win(worth: Sequence[int]) -> bool:
    """Whether the first play loses, none draws, and at most one wins, as far as they are known."""
    return worth[0] < 0 and 0 not in worth and sum(points > 0 for points in worth) <= 1


def _appeal(state: LayingState, move: Play) -> tuple[int, int]:
    """How good a play looks at first sight: the points that it scores, then its pips."""
    return sum(score.points for score in state.play(move).scores[len(state.scores) :]), PIPS[move.tile]


def _give_up() -> int:
    raise TooDeep
