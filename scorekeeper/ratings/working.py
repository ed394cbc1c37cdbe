"""The working of one contest: every number on the way from the ratings before it to those after it, for somebody who
checks them with a calculator. What counts is what the ladder says; tests hold this to it."""

from collections.abc import Mapping
from fractions import Fraction
from math import exp, sqrt
from typing import NamedTuple

from scorekeeper.ratings import elo
from scorekeeper.ratings.contest import FULL, Contest, halves_won
from scorekeeper.ratings.ladder import NEW, Rating
from scorekeeper.ratings.plackett_luce import BETA, TAU, Belief


class PlayerWorking(NamedTuple):
    """`last`: as known after the contest before; `days`: full days since then; `before`: as known on the day. `square`
    is σ² with τ², and `share` the part of the square of the side. `full` would be known after the contest if it counted
    fully. The rest is of Elo, which was `elo` before: `points`, and rounded the `gain`."""

    player: int
    last: Belief
    days: int
    before: Belief
    square: float
    share: float
    full: Belief
    after: Belief
    elo: int
    k: int
    points: Fraction
    gain: int


class Against(NamedTuple):
    """What Elo expects of a side against another one, which it is `ahead` of: `per_cent` of wins."""

    other: int
    ahead: Fraction
    per_cent: int


class SideWorking(NamedTuple):
    """`mu` and `square` are the sums over its players; `weight` is exp(μ / c), and `total` the sum of the weights of
    all sides with its place or a worse one; `equal` sides share its place. `parts` has for each side with the same or a
    better place, by number, the weight of this side as a part of that side's total. `expected`: by the rating, from 0
    to 1. `strength` and `against` are of Elo; `won` counts halves of wins."""

    players: tuple[PlayerWorking, ...]
    place: int
    mu: float
    square: float
    weight: float
    total: float
    equal: int
    parts: Mapping[int, float]
    omega: float
    gamma: float
    delta: float
    expected: float
    strength: Fraction
    against: tuple[Against, ...]
    won: int


class Working(NamedTuple):
    """`square` is c²; `weight` says how much the contest counts, in per cent."""

    square: float
    c: float
    sides: tuple[SideWorking, ...]
    weight: int


def working(ratings: Mapping[int, Rating], contest: Contest) -> Working:
    """Of a contest of players with these ratings after their last one."""
    known = [[ratings.get(player, NEW) for player in side] for side in contest.sides]
    places, numbers = contest.places, range(len(contest.sides))
    now = [[rating.on(contest.at) for rating in side] for side in known]
    squares = [sum(_square(rating) for rating in side) for side in now]
    square = sum(squares) + len(squares) * BETA**2
    c = sqrt(square)
    mus = [sum(rating.belief.mu for rating in side) for side in now]
    weights = [exp(mu / c) for mu in mus]
    totals = [sum(weights[each] for each in numbers if places[each] >= place) for place in places]
    strengths = [Fraction(sum(rating.elo for rating in side), len(side)) for side in now]
    sides = []
    for side in numbers:
        parts = {each: weights[side] / totals[each] for each in numbers if places[each] <= places[side]}
        equal = {each: places.count(places[each]) for each in parts}
        step = 1 / equal[side] - sum(part / equal[each] for each, part in parts.items())
        spread = sum(part * (1 - part) / equal[each] for each, part in parts.items())
        omega, gamma = squares[side] / c * step, sqrt(squares[side]) / c
        delta = gamma * squares[side] / square * spread
        others = [each for each in numbers if each != side]
        against = tuple(_against(each, strengths[side] - strengths[each]) for each in others)
        won = halves_won(places, side)
        expectation = sum(each.per_cent for each in against)
        players = tuple(
            _player(player, ratings.get(player, NEW), contest, squares[side], omega, delta, won, expectation)
            for player in contest.sides[side]
        )
        expected = sum(weights[side] / (weights[side] + weights[each]) for each in others) / len(others)
        sides.append(
            SideWorking(
                players=players,
                place=places[side],
                mu=mus[side],
                square=squares[side],
                weight=weights[side],
                total=totals[side],
                equal=equal[side],
                parts=parts,
                omega=omega,
                gamma=gamma,
                delta=delta,
                expected=expected,
                strength=strengths[side],
                against=against,
                won=won,
            )
        )
    return Working(square, c, tuple(sides), contest.weight)


def _player(
    player: int,
    last: Rating,
    contest: Contest,
    of_side: float,
    omega: float,
    delta: float,
    won: int,
    expectation: int,
) -> PlayerWorking:
    """`of_side`: the square of the side; `won` and `expectation`: by Elo."""
    rating, others = last.on(contest.at), len(contest.sides) - 1
    mu, square, k = rating.belief.mu, _square(rating), elo.most(rating.contests)
    share = square / of_side
    full = Belief(mu + share * omega, sqrt(square * (1 - share * delta)))
    return PlayerWorking(
        player=player,
        last=last.belief,
        days=(contest.at - last.last).days if last.last else 0,
        before=rating.belief,
        square=square,
        share=share,
        full=full,
        after=rating.belief.towards(full, contest.weight / FULL),
        elo=rating.elo,
        k=k,
        points=Fraction(k * contest.weight * (50 * won - expectation), 100 * FULL * others),
        gain=elo.change(k, won, expectation, others, contest.weight),
    )


def _square(rating: Rating) -> float:
    return rating.belief.sigma**2 + TAU**2


def _against(other: int, ahead: Fraction) -> Against:
    return Against(other, ahead, elo.expected(ahead.numerator, ahead.denominator))
