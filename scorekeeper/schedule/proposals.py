"""The best schedule for a format, players and rounds: from theory if that is as even as counting allows, else searched
from the best that theory has."""

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle
from operator import attrgetter

from scorekeeper.schedule.candidate import MEMORY, Candidate
from scorekeeper.schedule.cyclic import cyclic_rounds
from scorekeeper.schedule.late_acceptance import STEPS_PER_REPORT, Found, Progress, improve
from scorekeeper.schedule.measures import Measures, measure
from scorekeeper.schedule.problem import NO_WISHES, Infeasible, Problem, Wishes
from scorekeeper.schedule.round_order import reordered
from scorekeeper.schedule.seating import Format, Schedule, Seating, Table
from scorekeeper.schedule.seats import seated, seated_as_before
from scorekeeper.schedule.starts import adapted
from scorekeeper.schedule.theory import cycle_length, heads_rounds, known_rounds

MOST_PLAYERS = 200
MOST_CYCLES = 4
_WHOLE = 1000
"""Progress counts the time in thousandths."""
_TOO_LATE = 250
"""If rating the known rounds takes so much of the time, the rest is needed for seats and measures."""
_CYCLIC_UNTIL = 500
"""The share of the time after which the search of cyclic schedules ends."""
_TRIAL_ROUNDS = 200
"""How many rounds get seats and measures in a trial, to see how long that takes."""
_SPARE = 2
"""The time kept for seats and measures, as a multiple of the trial's: a machine is not equally fast all the time."""
_LAST_STEPS = 0.02
"""The part of the time kept for the last steps."""
_PATIENCE = 100
"""The steps for each place of a schedule after which a search that found nothing better begins again."""


@dataclass(frozen=True)
class Proposal:
    """One schedule for a problem. Seats are settled only when ``schedule`` is asked for."""

    problem: Problem
    rounds: tuple[Seating, ...]
    """Who meets whom. The order of rounds, the tables and the seats may still change."""
    optimal: bool
    """Counting allows nothing more even."""
    seed: int
    before: tuple[Seating, ...] = ()
    """An earlier schedule. Its rounds done, and its tables that stay, keep their seats."""

    @cached_property
    def schedule(self) -> Schedule:
        """With seats and tables. Rounds done stay exactly as they are. Equal rounds get equal seats."""
        problem, done = self.problem, len(self.problem.done)
        rng = random.Random(self.seed)
        rounds = reordered(problem, self.before, self.rounds)
        to_come = seated(problem.format, rounds[done:], rng)
        if self.before:
            to_come = seated_as_before(problem.format, self.before, to_come, done, rng)
        return Schedule(problem.format, problem.players, (*problem.done, *_at_fixed_tables(problem.wishes, to_come)))

    @cached_property
    def measures(self) -> Measures:
        return measure(self.schedule)


def propose(
    format: Format,
    players: int,
    rounds: int | None = None,
    *,
    double: bool = False,
    wishes: Wishes = NO_WISHES,
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float = 10.0,
) -> Iterator[Progress[Proposal]]:
    """Yields better and better schedules, until one is optimal or the time is used.

    Progress is the time used, in thousandths. To stop early, stop asking and keep the last ``best``. ``rounds``: one
    cycle if None. The same ``rng`` gives the same schedule, from theory or after the same number of steps. Raises
    Infeasible before it searches.
    """
    problem = Problem(format, players, number_of_rounds(format, players, rounds, double), wishes)
    problem.check()
    # Heads keep the sides that Berger gives them.
    before = heads_rounds(players, problem.rounds, double) if format.size == 2 else ()
    starts = (start for start in chain([before], known_rounds(problem)) if start)
    yield from search(problem, starts, before=before, rng=rng, clock=clock, seconds=seconds)


def number_of_rounds(format: Format, players: int, rounds: int | None, double: bool) -> int:
    """The number of rounds to play, one cycle by default. Raises Infeasible if no schedule has these numbers."""
    if players < min(format.sizes):
        raise Infeasible("too-few-players", players=players, needed=min(format.sizes))
    if players > MOST_PLAYERS:
        raise Infeasible("too-many-players", players=players, most=MOST_PLAYERS)
    if double and format.size != 2:
        raise Infeasible("double-needs-heads", format=format.name)
    cycle = cycle_length(format, players, double)
    if rounds is None:
        return cycle
    if not 1 <= rounds <= MOST_CYCLES * cycle:
        raise Infeasible("rounds", rounds=rounds, most=MOST_CYCLES * cycle)
    return rounds


def search(
    problem: Problem,
    starts: Iterable[Sequence[Seating]],
    *,
    before: tuple[Seating, ...] = (),
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float,
) -> Iterator[Progress[Proposal]]:
    """Yields better and better schedules for the problem, from the best of ``starts`` or from random rounds."""
    time, seed = _Time(clock, seconds), rng.getrandbits(64)

    def proposal(rounds: Sequence[Seating], *, optimal: bool = False) -> Proposal:
        return Proposal(problem, tuple(rounds), optimal, seed, before)

    def report(rounds: Sequence[Seating]) -> Progress[Proposal]:
        return Progress(proposal(rounds), time.used(), _WHOLE)

    candidates = _candidates(problem, starts, rng)
    best = min(candidates, key=attrgetter("excess"))
    can_rotate = not (problem.done or problem.wishes.present)
    # A random start is not worth showing if a cyclic schedule comes soon.
    shown = best.best() if len(candidates) > 1 or not can_rotate else ()
    if best.excess and shown:
        yield (first := report(shown))
        # The rounds there are may be good enough, but not for those who ask to be kept apart.
        if first.done >= _TOO_LATE and not problem.wishes.apart:
            return
    if best.excess and can_rotate:
        best = yield from _rotated(best, shown, report, rng)
    if best.excess and seconds > 0:
        # Seats come last. They take longest when there is no order in who meets whom.
        trial = candidates[-1].best()[: len(problem.done) + _TRIAL_ROUNDS]
        needed = time.of(lambda: proposal(trial).measures) * problem.rounds / len(trial)
        time.keep(_SPARE * needed + _LAST_STEPS * seconds)
    for found in _improved(best, rng):
        used = _WHOLE if found.optimal else time.used()
        yield Progress(proposal(found.best, optimal=found.optimal), used, _WHOLE)
        if used >= _WHOLE:
            return


def _improved(first: Candidate, rng: random.Random) -> Iterator[Found[tuple[Seating, ...]]]:
    """Yields the best of many searches: as `improve`, but one that has found nothing better for long begins again, in
    turn from the same rounds and from random ones."""
    problem = first.problem
    patience = 1 + _PATIENCE * sum(map(len, first.rows)) // STEPS_PER_REPORT
    again = (adapted(problem, start, rng) for start in cycle([first.best(), ()]))
    best: Found[tuple[Seating, ...]] | None = None
    for candidate in chain([first], again):
        for found in _until_stuck(improve(candidate, MEMORY * problem.players, rng), patience):
            best = min(best or found, found, key=attrgetter("cost"))
            yield best


def _until_stuck(reports: Iterable[Found[tuple[Seating, ...]]], patience: int) -> Iterator[Found[tuple[Seating, ...]]]:
    """The reports of a search, until more than `patience` of them in a row are no better than the one before."""
    cost, idle = None, 0
    for found in reports:
        idle = idle + 1 if found.cost == cost else 0
        cost = found.cost
        yield found
        if idle > patience:
            return


def _candidates(problem: Problem, starts: Iterable[Sequence[Seating]], rng: random.Random) -> list[Candidate]:
    """One for every start, the last from random rounds; none after an optimal one."""
    candidates: list[Candidate] = []
    for start in chain(starts, [()]):
        candidates.append(adapted(problem, start, rng))
        if not candidates[-1].excess:
            break
    return candidates


def _rotated(
    best: Candidate,
    shown: Sequence[Seating],
    report: Callable[[Sequence[Seating]], Progress[Proposal]],
    rng: random.Random,
) -> Generator[Progress[Proposal], None, Candidate]:
    """Searches cyclic schedules for half of the time. Returns the better one: ``best``, or the best of these.

    Meanwhile it reports the rounds ``shown``, if there are any.
    """
    rounds: tuple[Seating, ...] = ()
    for found in cyclic_rounds(best.problem, rng=rng):
        rounds = found.best
        yield (progress := report(shown or rounds))
        if progress.done >= _CYCLIC_UNTIL:
            break
    return min(best, Candidate(best.problem, rounds), key=attrgetter("excess")) if rounds else best


class _Time:
    """The time a search may use, in seconds by ``clock``."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self.clock, self.seconds, self.began = clock, seconds, clock()

    def used(self) -> int:
        """In thousandths."""
        if self.seconds <= 0:
            return _WHOLE
        return min(_WHOLE, int(_WHOLE * (self.clock() - self.began) / self.seconds))

    def keep(self, seconds: float) -> None:
        """Keeps this much for the end."""
        self.seconds -= seconds

    def of(self, work: Callable[[], object]) -> float:
        """How long some work takes."""
        began = self.clock()
        work()
        return self.clock() - began


def _at_fixed_tables(wishes: Wishes, rounds: Sequence[Seating]) -> tuple[Seating, ...]:
    """The rounds with tables reordered so that players with a fixed table sit there."""
    return tuple(Seating(_numbered(wishes, seating.tables), seating.byes) for seating in rounds)


def _numbered(wishes: Wishes, tables: Sequence[Table]) -> tuple[Table, ...]:
    wanted = {table: number for player, number in wishes.fixed.items() for table in tables if player in table}
    placed = {number: table for table, number in wanted.items()}
    rest = (table for table in tables if table not in wanted)
    return tuple(placed[number] if number in placed else next(rest) for number in range(len(tables)))
