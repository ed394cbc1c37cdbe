"""Players of the package ``dominoes``, for Domino Whist: each chooses a move in a hand as its seat knows it."""

import random
from random import Random

import dominoes

from games import Match
from games.laying import LayingState
from games.moves import Move, Play
from games.nestor.redeals import Redeals
from games.tiles import members
from tests.games.test_dominoes_agrees import DOMINO, TILE, listed, written

_SOLVING = dominoes.players.probabilistic_alphabeta(start_move=8, sample_size=10)


def bota_gorda(match: Match, state: LayingState, rng: Random) -> Move:
    """Lays its heaviest tile."""
    game = _game(state, rng)
    dominoes.players.bota_gorda(game)
    return _first(game)


def alphabeta(match: Match, state: LayingState, rng: Random) -> Move:
    """Lays its heaviest tile; from the eighth play on the one that is best most often in ten sampled deals."""
    game = _game(state, rng)
    dominoes.players.bota_gorda(game)
    random.seed(rng.random())  # the package has no generator of its own
    _SOLVING(game)
    return _first(game)


def _game(state: LayingState, rng: Random) -> dominoes.Game:
    """The hand in the package, in a deal that fits: its players look only at their own tiles, and deal the others
    anew."""
    hands = [dominoes.Hand(DOMINO[tile] for tile in members(hand)) for hand in Redeals(state.holdings).draw(rng)[:4]]
    ends = list(state.line.open.values()) if state.moves else [None, None]
    board = dominoes.SkinnyBoard(*ends, len(state.line.laid))
    moves = [written(move) for move in state.moves]
    return dominoes.Game(board, hands, moves, state.turn, tuple(listed(state)), state.opening.opener, None)


def _first(game: dominoes.Game) -> Move:
    """The play that it likes best."""
    domino, left = game.valid_moves[0]
    lead = not game.moves
    return Play(game.turn, TILE[domino], None if lead else "w" if left else "e")


PACKAGE = {"bota_gorda": bota_gorda, "alphabeta": alphabeta}
