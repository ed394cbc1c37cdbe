"""Late acceptance (Burke and Bykov): the search that mixing, schedules and seats share, and how a search reports.

A state changes at random, one small change at a time. A change stays if the state is then no worse than before, or no
worse than it was a fixed number of steps ago. So the search can cross a hill of any height, and needs no temperature.
"""

import random
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from typing import Generic, NamedTuple, Protocol, TypeVar

STEPS_PER_REPORT = 2_000

Result = TypeVar("Result")
Best = TypeVar("Best", covariant=True)


class SearchState(Protocol[Best]):
    """Something that changes at random and remembers its best."""

    cost: int
    least: int
    """A lower bound: no state costs less."""

    def try_change(self, rng: random.Random, limit: int) -> int:
        """Makes a random change, unless the cost rises above ``limit``. Returns the cost after it."""
        ...

    def keep(self) -> None:
        """Remembers the present state as the best."""
        ...

    def best(self) -> Best: ...


class Found(NamedTuple, Generic[Result]):
    """The best result so far, and what it costs. ``optimal``: it reaches the lower bound."""

    best: Result
    cost: int
    optimal: bool


class Progress(NamedTuple, Generic[Result]):
    """What a running search reports: its best so far, and how much of its work (or time) is ``done``, out of ``total``.

    The search goes on as long as the caller asks for the next report. Whoever stops asking keeps ``best``.
    """

    best: Result
    done: int
    total: int


def improve(state: SearchState[Result], memory: int, rng: random.Random) -> Iterator[Found[Result]]:
    """Searches from ``state``: yields the best at the start and after every 2,000 steps, until it is optimal.

    A change is compared with the cost ``memory`` steps ago.
    """
    best = state.cost
    found = Found(state.best(), best, best <= state.least)
    yield found
    past = [state.cost] * memory
    slots = cycle(range(memory))
    while best > state.least:
        before = best
        for slot in islice(slots, STEPS_PER_REPORT):
            cost = state.try_change(rng, past[slot])
            past[slot] = min(past[slot], cost)
            if cost < best:
                best = cost
                state.keep()
                if best <= state.least:
                    break
        if best < before:
            found = Found(state.best(), best, best <= state.least)
        yield found


def last(reports: Iterable[Progress[Result]]) -> Result:
    """Runs a search to its end and returns its best."""
    *_earlier, final = reports
    return final.best
