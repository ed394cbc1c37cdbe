"""How quickly and how well rounds are paired, next to py4swiss (FIDE's Dutch system) on the same tournaments.

    pip install py4swiss
    python tests/bench/swiss.py [--tournaments 200] [--drawn 0] [--most 1000] [--small 900]

First the processor time for one round in the middle of a tournament, by the number of entrants, with its ratio. Then,
over simulated tournaments of 20 to 60 entrants and 5 to 9 rounds, in which better players win more often: repeats, who
had two byes, floats for each table and round, how many float as in the round before, the largest distance of anybody's
leads from even, and how well the standings (points, then Buchholz) agree with the true strength (Spearman). Then how
many small tournaments of 8 to 14 entrants and 6 rounds had a round without an answer.

Games to a number of points always have a winner, so nothing is drawn unless ``--drawn`` says so: how close a match is
that ends even, where the strength of players spreads by 1. With 0.15, one of thirteen does.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import mean
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.ranking import standings
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import By, Entrant, Kind, Round, Stage, System, Table, Tournament, Worth

WORTH = Worth(
    By.RESULT,
    {"win": 2, "draw": 1, "loss": 0, "bye": 2, "asked": 1, "absent": 0, "forfeit_win": 2, "forfeit_loss": 0},
    {},
)
UNPLAYED = {
    Kind.BYE: ResultToken.PAIRING_ALLOCATED_BYE,
    Kind.ASKED: ResultToken.HALF_POINT_BYE,
    Kind.ABSENT: ResultToken.ZERO_POINT_BYE,
}
TENTHS = {
    ResultToken.WIN: 10,
    ResultToken.FORFEIT_WIN: 10,
    ResultToken.PAIRING_ALLOCATED_BYE: 10,
    ResultToken.DRAW: 5,
    ResultToken.HALF_POINT_BYE: 5,
}
ORDER = ("points", "buchholz")

Pair = tuple[int, int]
"""The first leads."""
Pairer = Callable[[Tournament, Stage], tuple[list[Pair], int | None]]
"""The tables of the next round, and who has a bye."""


class NoRound(Exception):
    pass


def ours(tournament: Tournament, stage: Stage) -> tuple[list[Pair], int | None]:
    for found in paired(tournament, stage, random.Random(1)):
        drawn = found.best
    assert isinstance(drawn, NextRound)
    tables = [(one, other) for ((one,), (other,)) in (table.sides for table in drawn.tables)]
    return tables, next(iter(drawn.byes), None)


def dutch(_tournament: Tournament, stage: Stage) -> tuple[list[Pair], int | None]:
    """The start numbers follow the list `manual`, then the numbers of the entrants."""
    listed = {each: number for number, each in enumerate(stage.manual)}
    order = sorted(stage.entrants, key=lambda each: (listed.get(each, len(listed)), each))
    start = {each: number for number, each in enumerate(order, 1)}
    results: dict[int, list[RoundResult]] = {each: [] for each in order}
    for each in stage.rounds:
        for table in each.tables:
            (one,), (other,) = table.sides
            for own, against, color, token in (
                (one, other, ColorToken.WHITE, _token(table, 0)),
                (other, one, ColorToken.BLACK, _token(table, 1)),
            ):
                results[own].append(RoundResult(id=start[against], color=color, result=token))
        for entrant, kind in each.unplayed.items():
            results[entrant].append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=UNPLAYED[kind]))
    points = {each: sum(TENTHS.get(one.result, 0) for one in turns) for each, turns in results.items()}
    for entrant in stage.next.unplayed:
        missing = RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.ZERO_POINT_BYE)
        results[entrant].append(missing)
    trf = ParsedTrf(
        player_sections=[
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=start[each],
                points_times_ten=points[each],
                rank=start[each],
                results=results[each],
            )
            for each in order
        ],
        x_section=XSection(number_of_rounds=stage.rounds_planned or 9),
    )
    try:
        found = DutchEngine.generate_pairings(trf)
    except PairingError as error:
        raise NoRound from error
    tables = [(order[each.white - 1], order[each.black - 1]) for each in found if each.black]
    return tables, next((order[each.white - 1] for each in found if not each.black), None)


def _token(table: Table, side: int) -> ResultToken:
    if table.absent:
        return ResultToken.FORFEIT_LOSS if side in table.absent else ResultToken.FORFEIT_WIN
    assert table.totals is not None
    own, other = table.totals[side], table.totals[1 - side]
    assert own is not None
    assert other is not None
    return ResultToken.WIN if own > other else ResultToken.DRAW if own == other else ResultToken.LOSS


PAIRERS: dict[str, Pairer] = {"ours": ours, "py4swiss": dutch}


@dataclass(frozen=True)
class Simulated:
    tournament: Tournament
    stage: Stage
    strength: dict[int, float]
    seconds: float
    """Of processor time for the last round."""


def simulated(entrants: int, rounds: int, seed: int, pairer: Pairer, even: float = 0) -> Simulated:
    """A tournament with random results; the start numbers follow a rating that knows the strength roughly."""
    chance = random.Random(seed)
    drawn = {each: chance.gauss(0, 1) for each in range(entrants)}
    rated = {each: round(1500 + 200 * (value + chance.gauss(0, 0.3))) for each, value in drawn.items()}
    order = sorted(drawn, key=lambda each: -rated[each])
    strength = {number: drawn[each] for number, each in enumerate(order, 1)}
    known = {number: Entrant(number, str(number), rating=rated[each]) for number, each in enumerate(order, 1)}
    stage = Stage("Main", System.SWISS, tuple(known), WORTH, ORDER, rounds_planned=rounds)
    for _round in range(rounds):
        tournament = Tournament(known, (stage,))
        began = process_time()
        tables, bye = pairer(tournament, stage)
        seconds = process_time() - began
        played = Round(
            tuple(_played(two, strength, chance, even) for two in tables), {} if bye is None else {bye: Kind.BYE}
        )
        stage = replace(stage, rounds=(*stage.rounds, played))
    return Simulated(Tournament(known, (stage,)), stage, strength, seconds)


def _played(two: Pair, strength: dict[int, float], chance: random.Random, even: float) -> Table:
    ahead = strength[two[0]] - strength[two[1]] + chance.gauss(0, 1)
    won = 0 if abs(ahead) < even else 1 if ahead > 0 else -1
    return Table(((two[0],), (two[1],)), (1 + won, 1 - won))


# --- how good a tournament was -------------------------------------------------------------------------------
def quality(of: Simulated) -> dict[str, float]:
    met: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    leads: Counter[int] = Counter()
    for each in of.stage.rounds:
        met.update(frozenset((one, other)) for (one,), (other,) in (table.sides for table in each.tables))
        byes.update(list(each.unplayed))
        for (one,), (other,) in (table.sides for table in each.tables):
            leads.update({one: 1, other: -1})
    floats = [_floats(of, number) for number in range(len(of.stage.rounds))]
    tables = sum(len(each.tables) for each in of.stage.rounds)
    again = sum(before.get(each) == way for before, here in pairwise(floats) for each, way in here.items())
    return {
        "repeats": sum(times - 1 for times in met.values()),
        "two byes": sum(times > 1 for times in byes.values()),
        "floats a table": sum(len(each) for each in floats) / 2 / tables,
        "same float again": again / 2 / tables,
        "largest imbalance": max((abs(value) for value in leads.values()), default=0),
        "order": _order(of),
    }


def _floats(of: Simulated, number: int) -> dict[int, int]:
    points = Results.of(of.tournament, of.stage, number).points
    two = [(one, other) for (one,), (other,) in (table.sides for table in of.stage.rounds[number].tables)]
    return {
        each: 1 if points[against] > points[each] else -1
        for one, other in two
        for each, against in ((one, other), (other, one))
        if points[one] != points[other]
    }


def _order(of: Simulated) -> float:
    """Spearman's correlation of place and true strength."""
    rows = standings(Results.of(of.tournament, of.stage))
    one, other = _ranks({row.entrant: -float(row.place) for row in rows}), _ranks(of.strength)
    middle = (len(one) + 1) / 2
    together = sum((one[each] - middle) * (other[each] - middle) for each in one)
    spread = [sum((value - middle) ** 2 for value in ranks.values()) for ranks in (one, other)]
    return together / (spread[0] * spread[1]) ** 0.5


def _ranks(values: dict[int, float]) -> dict[int, float]:
    """Equal values share the mean of their ranks."""
    ordered = sorted(values.values())
    return {each: ordered.index(value) + (ordered.count(value) + 1) / 2 for each, value in values.items()}


def tournaments(number: int) -> Iterator[tuple[int, int, int]]:
    chance = random.Random(7)
    for seed in range(number):
        yield chance.randint(20, 60), chance.randint(5, 9), seed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--drawn", type=float, default=0, help="how close a match is that ends even")
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--small", type=int, default=900)
    asked = parser.parse_args()
    for entrants in (each for each in (40, 100, 200, 400, 1000) if each <= asked.most):
        of = simulated(entrants, 4, 1, ours)
        before = replace(of.stage, rounds=of.stage.rounds[:3])
        times = {}
        for name, pairer in PAIRERS.items():
            began = process_time()
            pairer(Tournament(of.tournament.entrants, (before,)), before)
            times[name] = process_time() - began
        ratio = times["ours"] / times["py4swiss"]
        print(f"{entrants} entrants: {times['ours']:.3f} s, py4swiss {times['py4swiss']:.3f} s, ratio {ratio:.2f}")
    for name, pairer in PAIRERS.items():
        found: list[dict[str, float]] = []
        stuck = 0
        for entrants, rounds, seed in tournaments(asked.tournaments):
            try:
                found.append(quality(simulated(entrants, rounds, seed, pairer, asked.drawn)))
            except NoRound:
                stuck += 1
        means = ", ".join(f"{each} {mean(one[each] for one in found):.3f}" for each in found[0])
        print(f"{name}, {len(found)} tournaments: {means}; without an answer: {stuck}")
    for name, pairer in PAIRERS.items():
        stuck = 0
        for seed in range(asked.small):
            try:
                simulated(8 + seed % 7, 6, seed, pairer)
            except NoRound:
                stuck += 1
        print(f"{name}, 8 to 14 entrants, 6 rounds: {stuck} of {asked.small} without an answer")


if __name__ == "__main__":
    main()
