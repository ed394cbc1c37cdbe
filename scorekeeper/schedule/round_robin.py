"""The best schedule for a format, a number of players and of rounds: from theory where that is as even as counting
allows, else searched, from the best that theory has."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import ceil
from operator import attrgetter

from scorekeeper.schedule import berger, designs
from scorekeeper.schedule.order import in_turn
from scorekeeper.schedule.rounds import Format, Round, Schedule, Table
from scorekeeper.schedule.search import Draft, fitted, improved
from scorekeeper.schedule.seats import as_before, seated
from scorekeeper.schedule.task import NOTHING, Impossible, Task, Wishes, sizes_of
from scorekeeper.schedule.turned import turned
from scorekeeper.schedule.verify import Measures, measure

MOST_PLAYERS = 200
CYCLES = 4
"""More rounds than so many cycles are more than anybody plays."""
_TOO_LATE = 250
"""Where so much of the time was used to rate what theory has, the rest is needed to seat and to measure that."""
_TRIAL = 200
"""With so many rounds is tried how long it takes to seat and to measure them."""
_LAST = 0.02
"""The part of the time that is kept for the last steps."""
_SPARE = 2
"""So much more time is kept for that than it took: a machine is not always as fast, more rounds take longer each."""


@dataclass(frozen=True)
class Proposal:
    """The best so far; `share` is how much of the time is used, in thousandths."""

    task: Task
    rounds: tuple[Round, ...]
    """Who meets whom; in which seats, at which table, and, drawn anew, in which order, only the ``schedule`` says."""
    share: int
    least: bool
    """Whether counting allows nothing more even."""
    seed: int
    before: tuple[Round, ...] = ()
    """Rounds of which those that are done, and tables to come that are still there, keep their seats."""

    @cached_property
    def schedule(self) -> Schedule:
        """With everybody in a seat and at his table; rounds that are done stay to the letter. Two proposals of the same
        rounds have the same."""
        task, new = self.task, len(self.task.done)
        rng = random.Random(self.seed)  # noqa: S311 (no secret)
        rounds = in_turn(task, self.before, self.rounds)
        to_come = seated(task.format, rounds[new:], rng)
        if self.before:
            to_come = as_before(task.format, self.before, to_come, new, rng)
        return Schedule(task.format, task.players, (*task.done, *_at_their_tables(task.wishes, to_come)))

    @cached_property
    def measures(self) -> Measures:
        """What the verifier says of it."""
        return measure(self.schedule)


def propose(
    format: Format,
    players: int,
    rounds: int | None = None,
    *,
    double: bool = False,
    wishes: Wishes = NOTHING,
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float = 10.0,
) -> Iterator[Proposal]:
    """Better and better schedules; who wants no better one stops asking. ``rounds``: a cycle if none are named.

    The same ``rng`` gives the same schedule where it comes from theory, or as far as the search has come. Impossible,
    before anything is searched, for a wish that cannot be.
    """
    task = Task(format, players, check(format, players, rounds, double), wishes)
    task.check()
    # Two at a table sit as Berger has them.
    before = _heads(players, task.rounds, double) if format.size == 2 else ()
    starts = (each for each in chain([before], _from_theory(task)) if each)
    yield from proposed(task, starts, before=before, rng=rng, clock=clock, seconds=seconds)


def proposed(
    task: Task,
    starts: Iterable[Sequence[Round]],
    *,
    before: tuple[Round, ...] = (),
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float,
) -> Iterator[Proposal]:
    """Better and better schedules for the task, from the best of ``starts`` on, or from nothing, until the time is
    used."""
    began, end, seed = clock(), seconds, rng.getrandbits(64)

    def used() -> int:
        return min(1000, int(1000 * (clock() - began) / end)) if end > 0 else 1000

    def proposal(rounds: Sequence[Round], share: int, *, least: bool = False) -> Proposal:
        return Proposal(task, tuple(rounds), share, least, seed, before)

    drafts: list[Draft] = []
    for start in chain(starts, [()]):
        drafts.append(fitted(task, start, rng))
        if not drafts[-1].excess:
            break
    best = min(drafts, key=attrgetter("excess"))
    turning = not (task.done or task.wishes.present)
    shown = best.best() if len(drafts) > 1 or not turning else ()  # nothing at random, where better is near
    if best.excess and shown:
        yield proposal(shown, share := used())
        if share >= _TOO_LATE:
            return
    if best.excess and turning:
        # One round that is turned comes first: half of the time, then all rounds from the best there is on.
        one: tuple[Round, ...] = ()
        for one, _least in turned(task, rng=rng):
            yield proposal(shown or one, share := used())
            if share >= 500:
                break
        best = min(best, Draft(task, one), key=attrgetter("excess")) if one else best
    if best.excess and end > 0:
        # Everybody is seated last, which takes longest where there is no order in who meets whom.
        trial = drafts[-1].best()[: len(task.done) + _TRIAL]
        end -= _SPARE * task.rounds / len(trial) * _took(clock, lambda: proposal(trial, 0).measures) + _LAST * seconds
    for rounds, least in improved(best, task.players, rng):
        yield proposal(rounds, share := used(), least=least)
        if share >= 1000:
            return


def _took(clock: Callable[[], float], work: Callable[[], object]) -> float:
    began = clock()
    work()
    return clock() - began


def _at_their_tables(wishes: Wishes, rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Tables changed about within each round, so that who cannot move sits at his own."""
    return tuple(Round(_numbered(wishes, each.tables), each.byes) for each in rounds)


def _numbered(wishes: Wishes, tables: Sequence[Table]) -> tuple[Table, ...]:
    wanted = {table: number for player, number in wishes.fixed.items() for table in tables if player in table}
    placed = {number: table for table, number in wanted.items()}
    rest = (table for table in tables if table not in wanted)
    return tuple(placed[number] if number in placed else next(rest) for number in range(len(tables)))


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
    """Cycle after cycle, the second with the lead of the other side. An even number of rounds of a first cycle are
    those from its second round on: in Berger's tables somebody is on one side twice in a row from a round of odd number
    to the next, and from there on has been first as often as second."""
    once = berger.single(players)
    twice = berger.double(players) if double else (*once, *map(_reversed, once))
    times, left = divmod(rounds, len(twice))
    first = 1 if left % 2 == 0 and left < len(once) else 0
    return (*twice * times, *twice[first : first + left])


def _reversed(round: Round) -> Round:
    return Round(tuple((b, a) for a, b in round.tables), round.byes)


def _from_theory(task: Task) -> Iterator[Sequence[Round]]:
    """What is known for so many players, cut off after so many rounds, or begun again."""
    for known in _known(task.format, task.players):
        if known and len(known[0].tables) == len(sizes_of(task.format, task.players)):
            yield tuple(known[number % len(known)] for number in range(task.rounds))
            if task.apart:
                late = sorted(known, key=lambda round: _meetings(task, round))
                yield tuple(late[number % len(late)] for number in range(task.rounds))


def _meetings(task: Task, round: Round) -> int:
    """How many meet who are to be kept apart for a while: such rounds come late."""
    return sum(any(one in table and other in table for table in round.tables) for one, other in task.apart)


def _known(format: Format, players: int) -> Iterator[tuple[Round, ...] | None]:
    if format.size == 2:
        yield berger.single(players)
    elif format.partners:
        yield designs.whist(players)
        yield designs.near_whist(players)
        yield from _nobody_twice(players)
    elif format.sizes == (3,):
        yield designs.kirkman(players)
        more = designs.kirkman(players + 1)
        yield more and designs.without(more, players)
        yield designs.near_resolvable(players)
        yield designs.transversal(players, 3)
    elif format.sizes == (4,):
        yield from _nobody_twice(players)
        yield from (more and designs.without(more, players) for more in _nobody_twice(players + 1))
        yield designs.whist(players)
        yield designs.near_whist(players)
    else:
        yield from _nobody_twice(players)
        yield from (more and designs.shortened(more, players) for more in _nobody_twice(players + 1))


def _nobody_twice(players: int) -> Iterator[tuple[Round, ...] | None]:
    """Four at a table."""
    yield designs.affine_lines(players, 4)
    yield designs.golf(players)
    yield designs.transversal(players, 4)
