"""How well the ratings predict, and how long they take, next to bare openskill on the same matches.

    python tests/bench/ratings.py [MATCHES]

Players of known strength; each match adds luck. Prints, for matches of each shape, the log loss of what was expected
before the match (lower is better; ln 2 = 0.693 is a coin), without the first tenth, and the processor time.
"""

import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import log
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from openskill.models import PlackettLuce

from scorekeeper.ratings import Contest, Ladder

PLAYERS = 500
LUCK = 1.2  # the spread of a side's luck in a match, where the strength of players spreads by 1
SEED = 1


def history(matches: int, shape: tuple[int, ...]) -> Iterator[Contest]:
    """Matches of random players of known strength, one every 20 minutes."""
    chance = random.Random(SEED)
    strength = [chance.gauss(0, 1) for _player in range(PLAYERS)]
    at = datetime(2026, 1, 5, tzinfo=UTC)
    for _match in range(matches):
        at += timedelta(minutes=20)
        drawn = iter(chance.sample(range(PLAYERS), sum(shape)))
        sides = tuple(tuple(next(drawn) for _partner in range(size)) for size in shape)
        totals = tuple(round(20 * (sum(strength[each] for each in side) + chance.gauss(0, LUCK))) for side in sides)
        yield Contest(at, "block", sides, totals)


class Bare:
    """openskill with nothing around it."""

    def __init__(self) -> None:
        self.model = PlackettLuce()
        self.ratings = [self.model.rating() for _player in range(PLAYERS)]

    def rate(self, contest: Contest) -> None:
        teams = [[self.ratings[player] for player in side] for side in contest.sides]
        after = self.model.rate(teams, ranks=[float(place) for place in contest.places])
        for side, team in zip(contest.sides, after, strict=True):
            for player, rating in zip(side, team, strict=True):
                self.ratings[player] = rating

    def expected(self, contest: Contest) -> float:
        return self.model.predict_win([[self.ratings[player] for player in side] for side in contest.sides])[0]


def seconds(rating: Bare | Ladder, contests: list[Contest]) -> float:
    start = process_time()
    for contest in contests:
        rating.rate(contest)
    return process_time() - start


def predicted(contests: list[Contest]) -> dict[str, float]:
    """The log loss of each rating."""
    ladder, bare = Ladder(), Bare()
    loss = {"rating": 0.0, "Elo": 0.0, "openskill": 0.0}
    counted = 0
    for number, contest in enumerate(contests):
        own = bare.expected(contest)
        bare.rate(contest)
        change = ladder.rate(contest)[0]
        if number < len(contests) // 10 or change.won == 1:
            continue
        counted += 1
        for name, chance in (("rating", change.expected), ("Elo", change.elo_expected / 100), ("openskill", own)):
            loss[name] -= log(min(1 - 1e-9, max(1e-9, chance if change.won else 1 - chance)))
    return {name: total / counted for name, total in loss.items()}


def main(matches: int) -> None:
    for shape in ((1, 1), (2, 2), (1, 1, 1), (1, 1, 1, 1)):
        contests = list(history(matches, shape))
        bare, ours = seconds(Bare(), contests), seconds(Ladder(), contests)
        words = " : ".join(map(str, shape))
        print(f"{words}: openskill {bare:.2f} s, ratings {ours:.2f} s, ratio {ours / bare:.2f}", end="")
        losses = predicted(contests) if len(shape) == 2 else {}
        print("".join(f", {name} {loss:.3f}" for name, loss in losses.items()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
