"""How long it takes to solve a hand with all tiles open, next to the search of the package ``dominoes``.

    python tests/bench/solver.py [--hands 20] [--race 3]

Solves random whole hands of each game, and prints the median and the longest processor time. Then it solves hands of
Domino Whist from their eighth play on in turn with ``dominoes.search.alphabeta``, which looks for the same plays, and
prints the ratio of the medians; from the first play on the package needs hours for some hands.
"""

import argparse
import random
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

import dominoes.search

from games import GAMES
from games.domino_whist import DominoWhist
from games.solver import Solver
from tests.games.test_dominoes_agrees import played, random_deal
from tests.games.test_solver import dealt_hand

GAMES_OF_TWO_SIDES = ("domino-whist", *(slug for slug, game in GAMES.items() if game.family == "two-player"))
BEGUN = 8


def timed(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def whole_hands(slug: str, hands: int) -> None:
    rng, times = random.Random(slug), []
    for _ in range(hands):
        state, boneyard = dealt_hand(slug, {}, rng)
        times.append(timed(lambda state=state, boneyard=boneyard: Solver(GAMES[slug], state, boneyard).worth(state)))
    print(f"{slug}: median {1000 * median(times):.1f} ms, longest {1000 * max(times):.1f} ms, {hands} hands")


def race(hands: int) -> None:
    rng, ours, theirs = random.Random("race"), [], []
    for _ in range(hands):
        state, game = next(islice(played(random_deal(rng), 0, rng.choice), BEGUN, None))
        ours.append(timed(lambda state=state: Solver(DominoWhist(), state).worth(state)))
        theirs.append(timed(lambda game=game: dominoes.search.alphabeta(game)))
    mine, other = median(ours), median(theirs)
    print(
        f"after {BEGUN} plays: {1000 * mine:.1f} ms, dominoes {1000 * other:.1f} ms: {other / mine:.0f} times as long"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--race", type=int, default=3)
    given = parser.parse_args()
    for slug in GAMES_OF_TWO_SIDES:
        whole_hands(slug, given.hands)
    race(given.race)


if __name__ == "__main__":
    main()
