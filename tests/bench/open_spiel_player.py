"""The player of the package ``open_spiel`` for games with hidden hands (Information Set Monte Carlo Tree Search).

    pip install open_spiel

The search and its random playouts are the package's; deals that fit, and the rules, are ours. It thinks as long as
Nestor.
"""

from random import Random
from time import process_time
from typing import Any

import numpy as np
from open_spiel.python.algorithms import mcts
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from games import Match
from games.base import Game
from games.laying import LayingState
from games.moves import Move, Play
from games.nestor.redeals import Redeals
from games.tiles import NAMES, PIPS, members

MARGIN = 50
"""Points in a hand that count as much as one in the search: it wants results between -1 and 1."""
EXPLORATION = 1.0


class Position:
    """A hand with its deal, as the package asks about it."""

    def __init__(self, game: Game[Any], state: LayingState) -> None:
        self.game, self.state = game, state

    def clone(self) -> "Position":
        return Position(self.game, self.state)

    def current_player(self) -> int:
        assert self.state.turn is not None
        return self.state.turn

    def is_terminal(self) -> bool:
        return self.state.end is not None

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        return [*range(len(self.state.legal()))]

    def apply_action(self, action: int) -> None:
        self.state = self.state.play(self.state.legal()[action])

    def information_state_string(self) -> str:
        seat = self.current_player()
        moves = " ".join(
            f"{NAMES[move.tile]}{move.end}" if isinstance(move, Play) else "-" for move in self.state.moves
        )
        return f"{self.state.holdings.known[seat]} {moves}"

    def returns(self) -> list[float]:
        """By how much each seat's side has won the hand."""
        game, state = self.game, self.state
        assert state.end is not None
        seats = range(len(state.opening.players))
        pips = [sum(PIPS[tile] for tile in members(state.holdings.known[seat])) for seat in seats]
        points = game.paid(state.opening, state.end, pips)
        mean = sum(points) / len(points)
        sign = -1 if game.lower_wins else 1
        return [sign * 2 * (each - mean) / MARGIN for each in points]


class Timed(ISMCTSBot):
    """The package's search, until its time is over."""

    def best(self, game: Game[Any], state: LayingState, rng: Random, ms: int) -> int:
        """The number of the best move of a state as its seat knows it."""
        until, redeals = process_time() + ms / 1000, Redeals(state.holdings)
        self.reset()
        root = None
        while root is None or process_time() < until or root.total_visits < 1:
            deal = Position(game, state.settled(redeals.draw(rng)))
            root = root or self.create_new_node(deal)
            self.run_simulation(deal)
        return int(max(root.child_info, key=lambda action: root.child_info[action].visits))


def ismcts(ms: int, match: Match, state: LayingState, rng: Random) -> Move:
    """For games without a boneyard to draw from."""
    numbers = np.random.RandomState(rng.getrandbits(32))
    bot = Timed(None, mcts.RandomRolloutEvaluator(1, numbers), EXPLORATION, 1, random_state=numbers)
    return state.legal()[bot.best(match.game, state, rng, ms)]
