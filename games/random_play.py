"""Random legal matches, as records: for tests, demonstrations and benchmarks."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.base import Move, Pass, Play
from games.errors import GameError
from games.match import Match
from games.record import HandRecord
from games.tiles import mask, names, parse, shuffled


def random_match(
    slug: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    rng: Random,
    hands: int | None = None,
    *,
    observed: bool = True,
) -> dict[str, Any]:
    """A random legal match as a record, to its end or for so many hands.

    ``observed``: as a table sees it, hands unknown and what is left shown; otherwise with its deals.
    """
    match = Match.new(slug, options, list(players))
    while not match.finished and (hands is None or len(match.hands) < hands):
        match = match.enter({"kind": "hand", **_written(_random_hand(match, rng), observed)})
    return match.record()


def _random_hand(match: Match, rng: Random) -> Match:
    """The match with one more hand, dealt and played at random with its deal known."""
    while True:
        deal = shuffled(rng, len(match.players), match.game.dealt)
        openers = list(match.offers()["openers"])
        rng.shuffle(openers)
        for opener in openers:
            try:
                return _play_out(match._with_hand(HandRecord(opener, deal, ())), rng)
            except GameError:
                # Another seat holds the heaviest double, or nobody has one: the hand is led otherwise, or dealt again.
                continue


def _play_out(match: Match, rng: Random) -> Match:
    while match.hand is not None:
        offers = match.hand.state.offers()
        match = match._played(_random_move(offers, rng))
    return match


def _random_move(offers: Mapping[str, Any], rng: Random) -> Move:
    if not offers["plays"]:
        return Pass(offers["seat"])
    tile, ends = rng.choice(list(offers["plays"].items()))
    return Play(offers["seat"], parse(tile), rng.choice(ends) if ends else None)


def _written(match: Match, observed: bool) -> dict[str, Any]:
    """The last hand as the content of an entry."""
    written = dict(match.record()["hands"][-1])
    if observed:
        laid = mask(move.tile for move in match.hands[-1].state.moves if isinstance(move, Play))
        written["left"] = [names((dealt or 0) & ~laid) for dealt in match.hands[-1].deal or ()]
        del written["deal"]
    return written
