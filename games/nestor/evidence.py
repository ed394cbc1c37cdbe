"""What the tiles that the others have laid say about those that they hold.

Who lays by habit (``habits``) lays some tiles sooner than others. So a deal in which the others had better plays than
those that they made is less likely than one in which they had not.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from games.laying import LayingState
from games.line import Line
from games.moves import Draw, Play
from games.nestor.habits import Habits, Seen, habits_of, worths
from games.solver import Choice, Front, fronts_of
from games.tiles import ALL

CARE = 300
"""How much worse a play by habit must be, in hundredths, to be made about a third as often as another one."""
WHIM = 0.2
"""The part of all plays that say nothing, because somebody has a plan, or none."""


class Choosing(NamedTuple):
    """A play by somebody else, at a moment at which it may have been a choice."""

    seat: int
    front: Front
    """Where the line could go on."""
    made: Choice
    unlaid: int
    seen: Seen
    later: int
    """The tiles that the seat has laid from then on, this one included, as a mask."""


class Evidence:
    """What has been seen in a hand up to now."""

    def __init__(self, state: LayingState) -> None:
        """``state``: as the seat on turn knows it."""
        rules, opening = state.rules, state.opening
        seats = range(len(opening.players))
        self.habits: Habits = habits_of(rules)
        self.others = [[(seat + step) % len(seats) for step in seats[1:]] for seat in seats]
        self.seen = seen = Seen([0] * len(seats), [rules.dealt] * len(seats))
        """What everybody sees now."""
        self.choices: list[Choosing] = []
        """The plays of the others, those before the last draw of their seat excepted."""
        fronts, line, unlaid = fronts_of(rules.multiples), Line.of(rules.kind), ALL
        for at, move in enumerate(state.moves):
            seat, fitting = move.seat, line.ends.fitting
            if isinstance(move, Play):
                front = fronts.of(line) if line.laid else Front(fronts, line, ALL)
                forced = not line.laid and rules.lead_double
                line = line.lay(move.tile, move.end)
                tile, after = 1 << move.tile, fronts.of(line)
                if seat != state.turn and not forced:
                    made = next(play for play in front.plays_of(tile) if play[2] is after)
                    self.choices.append(Choosing(seat, front, made, unlaid, seen.copy(), 0))
                unlaid ^= tile
                seen.held[seat] -= 1
            elif isinstance(move, Draw):
                seen.passed(seat, fitting, move.number)
                self.choices = [each for each in self.choices if each.seat != seat]
            elif opening.proves(at):
                seen.passed(seat, fitting, 0)
        laid = [0 for _ in seats]
        for number, choice in reversed([*enumerate(self.choices)]):
            laid[choice.seat] |= choice.made[0]
            self.choices[number] = choice._replace(later=laid[choice.seat])

    def likelihood(self, hands: Sequence[int]) -> float:
        """How likely the others would have played as they did, if these were the tiles of the seats now (masks)."""
        found = 1.0
        for seat, front, made, unlaid, seen, later in self.choices:
            hand = hands[seat] | later
            plays = front.plays_of(hand)
            if len(plays) > 1:
                liked = worths(self.habits, plays, hand, unlaid, seen, self.others[seat])
                best = liked[plays.index(made)]
                share = 1 / sum(exp((each - best) / CARE) for each in liked)
                found *= (1 - WHIM) * share + WHIM / len(plays)
        return found
