"""Reads the figures of one seat out of a match."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import games
from scorekeeper.figures.counts import Count, tallied
from scorekeeper.figures.laying import line, star
from scorekeeper.figures.seen import Seen, common
from scorekeeper.figures.square import square
from scorekeeper.figures.tricks import tricks

READERS: Mapping[str, Callable[[Seen], Iterator[Count]]] = {
    "line": line,
    "star": star,
    "tricks": tricks,
    "square": square,
}
"""By ``Game.board``."""


def figures_of(match: games.Match, seat: int, first: int, number: int) -> dict[str, Any]:
    """What a seat did in this ``number`` of hands from the ``first`` on, as JSON values: ``counts`` with its figures,
    and ``best``, the number of its best hand (from 0 in the match) with what was gained in it. Empty without hands."""
    seen = [Seen(match.game, match.sides, hand, seat) for hand in match.hands[first : first + number]]
    read = READERS[match.game.board]
    counts = tallied(count for each in seen for reader in (common, read) for count in reader(each))
    gained = [each.gained for each in seen]
    best = max(gained, default=0)
    return {
        **({"counts": counts} if counts else {}),
        **({"best": [first + gained.index(best), best]} if best > 0 else {}),
    }
