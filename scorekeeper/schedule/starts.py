"""Where a search starts: rounds at random, or known rounds adapted to the players who are present."""

import random
from collections.abc import Sequence
from itertools import islice

from scorekeeper.schedule.candidate import Candidate
from scorekeeper.schedule.problem import Problem
from scorekeeper.schedule.seating import Seating


def random_rounds(problem: Problem, rng: random.Random) -> list[Seating]:
    """The rounds done, then random ones with byes in turn."""
    order = rng.sample(range(problem.players), problem.players)
    byes = [sum(player in seating.byes for seating in problem.done) for player in range(problem.players)]
    rounds = list(problem.done)
    for present, sizes in islice(zip(problem.present, problem.sizes, strict=True), len(problem.done), None):
        by_turn = sorted(
            (player for player in order if player in present),
            key=lambda player: byes[player] - problem.bye_shares[player],
        )
        out = by_turn[: len(present) - sum(sizes)]
        for player in out:
            byes[player] += 1
        rest = iter(rng.sample(sorted({*present} - {*out}), sum(sizes)))
        rounds.append(Seating(tuple(tuple(next(rest) for _seat in range(size)) for size in sizes), tuple(sorted(out))))
    return rounds


def adapted(problem: Problem, known: Sequence[Seating], rng: random.Random) -> Candidate:
    """A candidate from ``known`` rounds. In rounds to come, a table stays if all its players are present; players left
    over fill the gaps. Then byes are shared out, round by round. Missing rounds are random."""
    rounds = list(known[: problem.rounds])
    rounds += random_rounds(problem, rng)[len(rounds) :] if len(rounds) < problem.rounds else []
    for number in range(len(problem.done), min(problem.rounds, len(known))):
        rounds[number] = _refilled(known[number], problem.present[number], problem.sizes[number])
    candidate = Candidate(problem, rounds)
    while candidate.share_byes():
        candidate.keep()
    return candidate


def _refilled(seating: Seating, present: Sequence[int], sizes: Sequence[int]) -> Seating:
    """The tables whose players are all present, and tables of the players left over."""
    missing, kept, left = list(sizes), [], {*present}
    for table in seating.tables:
        if left.issuperset(table) and len(table) in missing:
            missing.remove(len(table))
            kept.append(table)
            left -= {*table}
    rest = iter(sorted(left, key=lambda player: (player in seating.byes, player)))
    kept += [tuple(next(rest) for _seat in range(size)) for size in missing]
    by_size = {size: iter([table for table in kept if len(table) == size]) for size in {*sizes}}
    return Seating(tuple(next(by_size[size]) for size in sizes), tuple(sorted(rest)))
