"""What a player lays by habit: good plays without a look ahead, from what everybody sees.

A play is worth the points that it scores and the pips of which it rids its player, and more if the player can go on and
the opponents cannot. How much each of these counts was found by play: see docs/nestor.md.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from games.course import LayingRules
from games.solver import PIPS_OF, Choice
from games.tiles import DOUBLES


class Habits(NamedTuple):
    """What counts how much, in hundredths."""

    point: int
    """Each point that the play scores at once."""
    pip: int
    """Each pip of the tile."""
    double: int
    """A double."""
    stuck: int
    """If no tile left in the hand fits then."""
    follows: int
    """Each tile left in the hand that fits then."""
    locks: tuple[int, ...]
    """For each of the other seats, from the next one on: if it certainly has no tile that fits."""


_FOUR = Habits(0, 69, 304, -238, 115, (1016, -239, 1195))
_SCORING = Habits(269, -7, 125, -100, 40, (2233,))
_DRAWING = Habits(0, 22, 168, -106, 101, (1581,))
_BLOCKING = Habits(0, 39, 85, -74, 101, (1337,))


def habits_of(rules: LayingRules) -> Habits:
    """Those of players of a game with such rules, in which two sides lay tiles."""
    if len(rules.after) == 4:
        return _FOUR
    if rules.multiples:
        return _SCORING
    return _DRAWING if rules.draws else _BLOCKING


class Seen(NamedTuple):
    """What everybody sees at one moment of a hand. Its lists can change as the hand goes on."""

    lacks: list[int]
    """For each seat: tiles that it certainly does not have, as a mask."""
    held: list[int]
    """For each seat: the number of its tiles."""

    def copy(self) -> "Seen":
        return Seen([*self.lacks], [*self.held])

    def passed(self, seat: int, fitting: int, drawn: int) -> None:
        """This seat had none of the tiles that fit, and has drawn so many."""
        self.held[seat] += drawn
        self.lacks[seat] = 0 if drawn else self.lacks[seat] | fitting


def worths(
    habits: Habits, plays: Sequence[Choice], hand: int, unlaid: int, seen: Seen, others: Sequence[int]
) -> list[int]:
    """By play: how much a player with this ``hand`` likes it, in hundredths. ``unlaid``: all tiles that are not laid.
    ``others``: the other seats, from the next one on."""
    point, pip, double, stuck, follows, locks = habits
    unseen = unlaid & ~hand
    rivals = [
        (may, _without[may.bit_count(), seen.held[seat]], lock)
        for seat, lock in zip(others, locks, strict=True)
        for may in (unseen & ~seen.lacks[seat],)
    ]
    found = []
    for tile, points, front in plays:
        rest, fitting = hand ^ tile, front.fitting
        worth = point * points + pip * PIPS_OF[tile]
        if tile & DOUBLES:
            worth += double
        own = rest & fitting
        if own:
            worth += follows * own.bit_count()
        elif rest:
            worth += stuck
        for may, chances, lock in rivals:
            worth += lock * chances[(may & fitting).bit_count()] // 100
        found.append(worth)
    return found


class _Without(dict[tuple[int, int], tuple[int, ...]]):
    """By how many tiles a seat may have, and how many it has: for each number of these tiles that fit, the chance in
    per cent that it has none of them. Counted on the first request."""

    def __missing__(self, key: tuple[int, int]) -> tuple[int, ...]:
        may, held = key
        self[key] = tuple([100 * comb(may - fitting, held) // comb(may, held) for fitting in range(may + 1)])
        return self[key]


_without = _Without()
