"""How long the matches of a rehearsal last: a sample, from which each match draws its length."""

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games import GAMES

FEWEST = 20
"""With fewer recorded matches, the usual lengths of the game count."""
SHORTEST = 60
"""Seconds. Who recorded a match in less time entered it later."""
TIMES_THE_MEDIAN = 3
"""A match that took longer was left open, perhaps until the next day."""
USUAL_MINUTES = 30
SPREAD = (70, 80, 85, 90, 95, 100, 105, 110, 120, 145)
"""The usual lengths, in hundredths of the usual length of the game."""
MINUTE = 60
MEETINGS = 1000
"""How many meetings of teams make a sample."""


class Lengths(NamedTuple):
    sample: tuple[int, ...]
    """In seconds, the shortest first."""
    recorded: int
    """From how many recorded matches; 0: the usual lengths of the game."""

    @property
    def median(self) -> int:
        return self.sample[len(self.sample) // 2]


def lengths(game: str, recorded: Iterable[int]) -> Lengths:
    """From the lengths of recorded matches, in seconds, without those that say nothing about play."""
    played = sorted(each for each in recorded if each >= SHORTEST)
    longest = TIMES_THE_MEDIAN * played[len(played) // 2] if played else 0
    kept = tuple(each for each in played if each <= longest)
    return Lengths(kept, len(kept)) if len(kept) >= FEWEST else Lengths(usual(game), 0)


class Boards(NamedTuple):
    """Boards of a meeting of teams that are played at the same time, with the sample of each."""

    samples: tuple[Sequence[int], ...]


def meeting_lengths(parts: Sequence[Boards], recorded: int) -> Lengths:
    """How long whole meetings last: one part after the other, each as long as its longest board."""
    chance = random.Random(0)
    meetings = (sum(max(map(chance.choice, part.samples)) for part in parts) for _meeting in range(MEETINGS))
    return Lengths(tuple(sorted(meetings)), recorded)


def usual(game: str) -> tuple[int, ...]:
    """The lengths that matches of a game usually have, in seconds; of 30 minutes for a game that nobody knows."""
    minutes = GAMES[game].usual_minutes if game in GAMES else USUAL_MINUTES
    return tuple(minutes * MINUTE * share // 100 for share in SPREAD)
