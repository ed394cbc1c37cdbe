"""The best schedule for a format, a number of players and of rounds: from theory where that is as even as counting
allows, else searched, from the best that theory has."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from scorekeeper.schedule import berger, designs
from scorekeeper.schedule.rounds import Format, Round, Schedule
from scorekeeper.schedule.search import price, search
from scorekeeper.schedule.seats import seated

MOST_PLAYERS = 200
CYCLES = 4
"""More rounds than so many cycles are more than anybody plays."""


class Impossible(Exception):
    """What was wished for cannot be: a code, and what it is about."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True, slots=True)
class Proposal:
    """The best so far; `share` is how much of the time is used, in thousandths."""

    schedule: Schedule
    share: int
    least: bool
    """Whether counting allows nothing more even."""


def propose(
    format: Format,
    players: int,
    rounds: int | None = None,
    *,
    double: bool = False,
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float = 10.0,
) -> Iterator[Proposal]:
    """Better and better schedules; who wants no better one stops asking. ``rounds``: a cycle if none are named.

    The same ``rng`` gives the same schedule where it comes from theory, or as far as the search has come. Impossible,
    before anything is searched, for a wish that cannot be.
    """
    rounds = check(format, players, rounds, double)
    if format.size == 2:
        found = _heads(players, rounds, double)
        yield Proposal(Schedule(format, players, found), 1000, least=True)
        return
    sizes = [_sizes(format, players)] * rounds
    start = min(_from_theory(format, players, rounds), key=lambda each: price(format, players, each), default=())
    for better in search(format, players, sizes, start=start, rng=rng, clock=clock, seconds=seconds):
        yield Proposal(Schedule(format, players, seated(format, better.rounds, rng)), better.share, better.least)


def cycle(format: Format, players: int, double: bool = False) -> int:
    """How many rounds it takes until everybody has met everybody, or as nearly as may be."""
    if format.size == 2:
        return (players - 1 + players % 2) * (1 + double)
    if format.partners:
        return players - (players % 4 == 0)
    known = designs.kirkman(players) if format.size == 3 else None
    if known:
        return len(known)
    if format.size == 3 and players % 3:
        return players
    return ceil((players - 1) / (format.size - 1))


def check(format: Format, players: int, rounds: int | None, double: bool) -> int:
    """The number of rounds, if all that is wished for can be; Impossible otherwise."""
    if players < min(format.sizes):
        raise Impossible("too-few-players", players=players, needed=min(format.sizes))
    if players > MOST_PLAYERS:
        raise Impossible("too-many-players", players=players, most=MOST_PLAYERS)
    if double and format.size != 2:
        raise Impossible("double-needs-heads", format=format.name)
    whole = cycle(format, players, double)
    if rounds is None:
        return whole
    if not 1 <= rounds <= CYCLES * whole:
        raise Impossible("rounds", rounds=rounds, most=CYCLES * whole)
    return rounds


def _heads(players: int, rounds: int, double: bool) -> tuple[Round, ...]:
    """Cycle after cycle, each with the lead of the other side."""
    if double:
        whole = berger.double(players)
        return tuple(whole[number % len(whole)] for number in range(rounds))
    once = berger.single(players)
    return tuple(
        _reversed(once[number % len(once)]) if number // len(once) % 2 else once[number % len(once)]
        for number in range(rounds)
    )


def _reversed(round: Round) -> Round:
    return Round(tuple((b, a) for a, b in round.tables), round.byes)


def _sizes(format: Format, players: int) -> list[int]:
    """The tables of a round: as few sit out as can be, and the most at tables of the usual size."""
    usual = format.size
    if len(format.sizes) == 1:
        return [usual] * (players // usual)
    smaller = format.sizes[0]
    ways = [(a, (players - usual * a) // smaller) for a in range(players // usual + 1)]
    most, rest = min(ways, key=lambda way: (players - usual * way[0] - smaller * way[1], -way[0]))
    return [usual] * most + [smaller] * rest


def _from_theory(format: Format, players: int, rounds: int) -> Iterator[Sequence[Round]]:
    """What is known for so many players, cut off after so many rounds, or begun again."""
    for known in _known(format, players):
        if known and len(known[0].tables) == len(_sizes(format, players)):
            yield tuple(known[number % len(known)] for number in range(rounds))


def _known(format: Format, players: int) -> Iterator[tuple[Round, ...] | None]:
    if format.partners:
        yield designs.whist(players)
        yield designs.near_whist(players)
    elif format.sizes == (3,):
        yield designs.kirkman(players)
        more = designs.kirkman(players + 1)
        yield more and designs.without(more, players)
        yield designs.near_resolvable(players)
        yield designs.transversal(players, 3)
    elif format.sizes == (4,):
        yield designs.golf(players)
        yield designs.transversal(players, 4)
        yield designs.whist(players)
        yield designs.near_whist(players)
