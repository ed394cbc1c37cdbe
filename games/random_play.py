"""Random legal matches, as records: for tests, demonstrations and benchmarks."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games import cards
from games.errors import GameError
from games.match import Match
from games.moves import Discard, Draw, Move, unseen
from games.record import HandRecord
from games.tiles import COUNT, members


def random_match(
    slug: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    rng: Random,
    hands: int | None = None,
    *,
    observed: bool = True,
) -> dict[str, Any]:
    """A random legal match as a record, to its end or for at most this number of ``hands``.

    ``observed``: as people at the table see it, with hidden hands and draws, and with the tiles left at the end. If
    False, with all deals and draws.
    """
    match = Match.new(slug, options, list(players))
    if match.game.starts_with_cards and not observed:
        packs = dealt(rng, cards.COUNT, len(players), match.game.starts_with_cards)
        match = match.enter({"kind": "cards", "cards": [[cards.NAMES[n] for n in members(each)] for each in packs]})
    while not match.finished and (hands is None or len(match.hands) < hands):
        match = match.with_hand(_random_hand(match, rng, observed))
    return match.record()


def _random_hand(match: Match, rng: Random, observed: bool) -> HandRecord:
    """The next hand, dealt and played at random."""
    game, seats = match.game, len(match.players)
    openers = list(match.offers()["openers"])
    while True:
        deal = dealt(rng, cards.COUNT if game.deals_cards else COUNT, seats, game.dealt)
        rng.shuffle(openers)
        for opener in openers:
            try:
                state = match.opened(opener, deal)
            except GameError:
                # Another seat holds the heaviest double, or nobody has one. Try the next opener, or deal again.
                continue
            while state.end is None:
                state = state.play(_random_move(state, rng))
            return _observed(match, state) if observed else HandRecord(opener, deal, state.moves)


def dealt(rng: Random, pieces: int, seats: int, size: int) -> tuple[int, ...]:
    """A random deal of ``size`` tiles or cards (out of ``pieces``) to each seat, as masks."""
    order = sorted([1 << piece for piece in range(pieces)], key=lambda _: rng.random())
    return tuple([sum(order[at : at + size]) for at in range(0, seats * size, size)])


def _random_move(state: Any, rng: Random) -> Move:
    """A random legal move. Tiles that it draws are chosen too."""
    move: Move = rng.choice(state.legal())
    if isinstance(move, Draw):
        return move._replace(tiles=(rng.choice(_boneyard(state)),))
    if isinstance(move, Discard):
        held = list(members(state.holdings.known[move.seat]))
        discarded, drawn = rng.sample(held, move.number), rng.sample(_boneyard(state), move.number)
        return move._replace(tiles=tuple(discarded), drawn=tuple(drawn))
    return move


def _boneyard(state: Any) -> list[int]:
    """The tiles that can be drawn."""
    holdings = state.holdings
    return list(members(holdings.may[holdings.yard]))


def _observed(match: Match, state: Any) -> HandRecord:
    """The hand as people at the table see it."""
    moves = tuple(unseen(move) for move in state.moves)
    left = None
    if match.game.ending_key == "left":
        left = tuple(tuple(reversed(list(members(hand)))) for hand in state.holdings.known[:-1])
    return HandRecord(state.opening.opener, None, moves, left)
