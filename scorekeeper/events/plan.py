"""The schedule of a tournament: all its rounds as one schedule, better ones, and what the directors wish of it.

Tournaments know entrants by start number, schedules know players by number from 0. Here one becomes the other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, Protocol

from scorekeeper.events.program import Entry
from scorekeeper.events.records import Proposed
from scorekeeper.events.rounds import Impossible
from scorekeeper.events.tournament import Tournament
from scorekeeper.events.wishes import Wish
from scorekeeper.schedule.faults import Fault, faults
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.measures import Measures, measure
from scorekeeper.schedule.problem import Apart, Infeasible, Problem, Wishes
from scorekeeper.schedule.proposals import Proposal, number_of_rounds, propose
from scorekeeper.schedule.repair import repair
from scorekeeper.schedule.seating import FORMATS, Format, Schedule, Seating
from scorekeeper.schedule.side_by_side import merged, searched
from scorekeeper.schedule.tally import Tally, tally


@dataclass(frozen=True)
class Plan:
    """All rounds of a tournament as one schedule: the seated ones, then those to come."""

    schedule: Schedule
    people: tuple[int, ...]
    """The start number of each player of the schedule."""
    wishes: Wishes
    seated: int
    """How many rounds are seated."""

    @cached_property
    def faults(self) -> list[Fault]:
        """What the verifier finds."""
        return faults(self.schedule, self.wishes, self.schedule.rounds[: self.seated])

    @cached_property
    def tally(self) -> Tally:
        return tally(self.schedule)

    @cached_property
    def measures(self) -> Measures:
        return measure(self.schedule)

    @property
    def to_come(self) -> tuple[Seating, ...]:
        return self.schedule.rounds[self.seated :]


@dataclass(frozen=True)
class Found:
    """The best schedule that a search has found so far."""

    proposal: Proposal
    people: tuple[int, ...]
    seated: int

    @property
    def rounds(self) -> tuple[Seating, ...]:
        """The rounds to come, with start numbers. It takes a while: seats are settled now."""
        return named(self.proposal.schedule.rounds[self.seated :], self.people)

    @property
    def tally(self) -> Tally:
        """Who meets whom how often. Quick: seats do not matter."""
        return _tally(self._unseated)

    @property
    def keeps_apart(self) -> bool:
        """Whether it keeps those apart who should be."""
        wishes = Wishes(self.proposal.problem.wishes.apart)
        if not wishes.apart:
            return True
        found = faults(self._unseated, wishes, self.proposal.problem.done)
        return all(fault.code != "met-too-early" for fault in found)

    def in_short(self) -> dict[str, Any]:
        """What pages say about it."""
        return {**self.tally.frequencies.as_json(), "kept": self.keeps_apart}

    @property
    def _unseated(self) -> Schedule:
        problem = self.proposal.problem
        return Schedule(problem.format, problem.players, self.proposal.rounds)


class Rounds(Protocol):
    """Rounds to come that a search has found."""

    @property
    def rounds(self) -> tuple[Seating, ...]: ...

    def in_short(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Together:
    """What was found for each group, or for everybody."""

    found: tuple[Rounds, ...]

    @property
    def rounds(self) -> tuple[Seating, ...]:
        """The rounds to come of all groups."""
        return merged([each.rounds for each in self.found])

    def in_short(self) -> dict[str, Any]:
        """What pages say about it; nothing about several groups."""
        return self.found[0].in_short() if len(self.found) == 1 else {}


Reports = Iterator[Progress[Together]]
"""Better and better schedules, as a search reports them."""


def together(searches: Sequence[Iterator[Progress[Any]]]) -> Reports:
    """The searches for several groups as one."""
    return (Progress(Together(best), done, total) for best, done, total in searched(searches))


def drawn(state: Tournament, other: Proposed | None = None) -> Plan:
    """The schedule as it was drawn, or another one, which the verifier can check. Whoever is in no round to come has
    left."""
    to_come, tables, later = other or Proposed(state.plan, state.tables, state.later)
    plan = _plan_of(state, [*to_come, *later], tables)
    gone = set(range(len(plan.people))) - players_in(plan.to_come) if to_come else set()
    return _leaving(plan, gone)


def played(state: Tournament, to_come: Sequence[Seating] | None = None) -> Plan:
    """The schedule as it will be played: whoever meets an entrant who has left has a bye. `to_come`: other rounds than
    those of the plan."""
    rest = [*(state.plan if to_come is None else to_come), *state.later]
    return _plan_of(state, [seating.without(state.no_longer_drawn) for seating in rest], state.tables)


def seated_rounds(state: Tournament) -> list[Seating]:
    """The rounds that are seated, with start numbers."""
    numbers = state.numbers
    return [
        Seating(
            tuple(tuple(dict.fromkeys(numbers[player] for player in each.players)) for each in drawn.pairings),
            tuple(sorted({numbers[player] for player in drawn.byes})),
        )
        for drawn in state.rounds
    ]


def named(rounds: Sequence[Seating], people: Sequence[int]) -> tuple[Seating, ...]:
    """With start numbers instead of the numbers of the schedule."""
    return tuple(
        Seating(
            tuple(tuple(people[player] for player in table) for table in each.tables),
            tuple(people[player] for player in each.byes),
        )
        for each in rounds
    )


def players_in(rounds: Sequence[Seating]) -> frozenset[int]:
    """Everybody in these rounds, by the numbers that these use."""
    return frozenset(
        player for each in rounds for player in (*each.byes, *(seat for table in each.tables for seat in table))
    )


def unplanned(state: Tournament) -> tuple[int, ...]:
    """Who takes part and is in no round to come of their group; in a Swiss tournament, without having asked for a bye.
    Nobody in a knock-out that has begun, where many are out."""
    there = players_in(state.plan).union(state.away(len(state.rounds) + 1) if state.by_results else ())
    fields = state.fields if state.by_results else [field for field, *_asked in _to_be_repaired(state, ())]
    drawn = [field for field in fields if field.plan and not (field.knock_out and field.begun)]
    return tuple(number for field in drawn for number in field.taking_part if number not in there)


def needless(state: Tournament) -> tuple[int, ...]:
    """Who has left and is still in a round to come; who asked not to play in one after it was drawn from the
    results."""
    away = state.away(len(state.rounds) + 1) if state.by_results else ()
    # A schedule next to rounds that are drawn from results stays as it is.
    plan = [each for field in state.fields if field.by_results for each in field.plan] if state.later else state.plan
    return tuple(sorted(state.no_longer_drawn.union(away) & players_in(plan)))


def came_or_left(state: Tournament) -> tuple[int, ...]:
    """Who takes part in a knock-out and was not there when its first round was drawn, or the other way round: its tree
    is another one now. Nobody once that round is seated."""
    drawn = [field for field in state.fields if field.knock_out and not field.begun and field.plan]
    return tuple(
        sorted(who for field in drawn for who in players_in(field.plan[:1]).symmetric_difference(field.taking_part))
    )


def rounds_asked(state: Tournament) -> int | None:
    """How many rounds a schedule made now would have; None if there is none, or a round is seated. In a Swiss
    tournament, how many there should be."""
    if state.by_results:
        return state.rounds_wanted or None
    if state.begun:
        return None
    try:
        return state.rounds_before + max(_rounds(field, len(field.taking_part)) for field in state.fields)
    except Infeasible:
        return None


def must_have_schedule(state: Tournament, tables: Sequence[int]) -> None:
    """Impossible "begun" after the first round is seated, "no-schedule" if no schedule has this number of entrants and
    rounds, "wishes-clash" if none can keep the wishes. Rounds that are drawn from results need none."""
    if state.begun:
        raise Impossible("begun")
    for field, own in _at_tables(state.fields, tables):
        if not field.by_results:
            _must_be_possible(_asked_anew, field, own)


def must_be_repairable(state: Tournament, tables: Sequence[int], rounds: int | None = None) -> None:
    """`rounds` as in `repairs`. Impossible "nothing-planned" without rounds to come, else as `must_have_schedule`."""
    if not state.plan:
        raise Impossible("nothing-planned")
    for field, own, wanted in _to_be_repaired(state, tables, rounds):
        _must_be_possible(partial(_asked_to_repair, rounds=wanted), field, own)


class Clash(NamedTuple):
    """Why no schedule can be made, and the start number of each player that the error names."""

    error: Infeasible
    people: tuple[int, ...]


class WishesClash(Impossible):
    """Has why no schedule can keep all wishes."""

    def __init__(self, clash: Clash) -> None:
        super().__init__("wishes-clash")
        self.clash = clash


def clash(state: Tournament, tables: Sequence[int]) -> Clash | None:
    """Whether no schedule to come of a group can keep all wishes, as far as anybody knows."""
    return next((found for field, own in _at_tables(state.fields, tables) if (found := _clash_in(field, own))), None)


def _clash_in(state: Tournament, tables: Sequence[int]) -> Clash | None:
    if state.rounds and not state.plan:
        return None
    try:
        asked = (_asked_to_repair if state.plan else _asked_anew)(state, tables)
    except Infeasible:
        return None  # it is not for the wishes
    return _clash_of(asked)


def never_met(state: Tournament) -> Iterator[tuple[Wish, ...]]:
    """Wishes to stay apart that cannot all be kept if everybody meets, in a round robin that is long enough for that.
    It only counts, so there can be others."""
    for field in state.fields:
        if not (field.by_results or field.free_play or field.setup["rounds"] is not None):
            yield from _never_met_in(field)


def _never_met_in(state: Tournament) -> Iterator[tuple[Wish, ...]]:
    rounds, size = max(_rounds_now(state), 0 if state.begun else _rounds_needed(state)), _format(state).size
    seated, here = seated_rounds(state), {*state.taking_part}
    met = {two for each in seated for table in each.tables for two in combinations(sorted(table), 2)}
    apart = [wish for wish in state.wishes if wish.what == "apart"]
    for last in sorted({min(wish.last or rounds, rounds) for wish in apart}):
        left = rounds - max(last, len(seated))
        until = [wish for wish in apart if min(wish.last or rounds, rounds) >= last]
        to_meet = {two for wish in until for two in combinations(sorted(here.intersection(wish.entrants)), 2)} - met
        for people in _linked(to_meet):
            pairs = [two for two in to_meet if people.issuperset(two)]
            tables, more = divmod(len(people), size)
            too_many = len(pairs) > left * (tables * comb(size, 2) + comb(more, 2))
            most = max(Counter(each for two in pairs for each in two).values())
            if too_many or most > left * (size - 1):
                yield tuple(wish for wish in until if len(people.intersection(wish.entrants)) > 1)


def _linked(pairs: Collection[tuple[int, int]]) -> list[frozenset[int]]:
    """Everybody in these pairs, with all with whom others link them."""
    found: list[frozenset[int]] = []
    for two in pairs:
        linked = [each for each in found if not each.isdisjoint(two)]
        found = [each for each in found if each not in linked] + [frozenset(two).union(*linked)]
    return found


def schedules(state: Tournament, tables: Sequence[int], **search: Any) -> Reports:
    """Better and better schedules for those who take part, at the tables with these numbers, as
    `schedule.proposals.propose` reports them."""
    return together([_schedules(field, own, **search) for field, own in _at_tables(state.fields, tables)])


@dataclass(frozen=True)
class Made:
    """Rounds to come of a schedule that was made before."""

    rounds: tuple[Seating, ...]

    def in_short(self) -> dict[str, Any]:
        return {}


def beside(state: Tournament, *, begun: bool, **search: Any) -> Iterator[Progress[Rounds]]:
    """The schedule of a field next to others whose rounds are drawn from results: once its stage has `begun` the rest
    of it, before that a search as in `schedules`, at any tables."""
    if begun:
        yield Progress(Made(state.scheduled), 1, 1)
    else:
        for best, done, total in _schedules(state, range(1, len(state.taking_part)), **search):
            yield Progress(best, done, total)


def _schedules(state: Tournament, tables: Sequence[int], **search: Any) -> Iterator[Progress[Found]]:
    problem, people = _asked_anew(state, tables)
    double, wishes = _twice_by_berger(state), problem.wishes
    reports = propose(problem.format, problem.players, problem.rounds, double=double, wishes=wishes, **search)
    for report in reports:
        yield Progress(Found(report.best, people, 0), report.done, report.total)


def repairs(state: Tournament, tables: Sequence[int], *, rounds: int | None = None, **search: Any) -> Reports:
    """Better and better rounds to come for those who take part now, with as many of the planned tables as possible, as
    `schedule.repair.repair` reports them. `rounds`: how many there are then, with the seated ones, if more than now.
    Only a group that needs them gets more than it had."""
    return together([_repairs(*asked, **search) for asked in _to_be_repaired(state, tables, rounds)])


def _repairs(state: Tournament, tables: Sequence[int], rounds: int, **search: Any) -> Iterator[Progress[Found]]:
    plan = _to_repair(state, tables, rounds)
    for report in repair(plan.schedule, plan.seated, plan.wishes, rounds=rounds, players=len(plan.people), **search):
        yield Progress(Found(report.best, plan.people, plan.seated), report.done, report.total)


def rounds_of(kind: str, rounds: Sequence[Seating], **more: Any) -> Entry:
    """The step of this kind with these rounds to come."""
    return {"kind": kind, "rounds": listed_rounds(rounds), **more}


def listed_rounds(rounds: Sequence[Seating]) -> list[dict[str, Any]]:
    """As a step has them."""
    return [{"tables": [list(table) for table in each.tables], "byes": list(each.byes)} for each in rounds]


def _to_be_repaired(
    state: Tournament, tables: Sequence[int], rounds: int | None = None
) -> Iterator[tuple[Tournament, Sequence[int], int]]:
    """The groups that get rounds to come, each with its tables and with how many rounds it has then: as many as now, or
    as everybody in it needs, but not more than the others have. If no group needs as many `rounds` as are asked, all
    get them."""
    seated = len(state.rounds) - state.rounds_before
    in_all = seated + len(state.plan) if rounds is None else rounds - state.rounds_before
    fields = state.fields
    wanted = [max(_rounds_now(field), min(in_all, _rounds_needed(field))) for field in fields]
    if max(wanted) < in_all:
        wanted = [in_all] * len(fields)
    # A group that did not play in the last seated round stays as it is: its rounds go on without a gap.
    both = zip(fields, wanted, strict=True)
    going_on = [(field, number) for field, number in both if len(field.rounds) == seated < number]
    at_tables = _at_tables([field for field, _number in going_on], tables)
    for (field, own), (_field, number) in zip(at_tables, going_on, strict=True):
        yield field, own, number


def _rounds_now(state: Tournament) -> int:
    return len(state.rounds) + len(state.plan)


def _rounds_needed(state: Tournament) -> int:
    """As a schedule made now would have; none if there is no such schedule."""
    try:
        return _rounds(state, len(state.taking_part))
    except Infeasible:
        return 0


def _at_tables(fields: Sequence[Tournament], tables: Sequence[int]) -> Iterator[tuple[Tournament, Sequence[int]]]:
    """Each group with the tables at which it plays: those of the first come first, and the last has all the rest."""
    for number, field in enumerate(fields, 1):
        own = len(field.taking_part) // field.fewest if number < len(fields) else len(tables)
        yield field, tables[:own]
        tables = tables[own:]


# --- what is asked of a search ------------------------------------------------------------------------------
class Asked(NamedTuple):
    """A schedule to make, and the start number of each of its players."""

    problem: Problem
    people: tuple[int, ...]


def _asked_anew(state: Tournament, tables: Sequence[int]) -> Asked:
    """A schedule of all rounds. Infeasible if no schedule has these numbers."""
    people = state.taking_part
    rounds = _rounds(state, len(people))
    return Asked(Problem(_format(state), len(people), rounds, _wishes(state, people, rounds, tables)), people)


def _rounds(state: Tournament, players: int) -> int:
    """How many rounds are wanted: a number, a cycle, or two. Infeasible if no schedule has that many."""
    wanted, format = state.setup["rounds"], _format(state)
    cycle = number_of_rounds(format, players, wanted, _twice_by_berger(state))
    both = state.setup["double"] and wanted is None and not _twice_by_berger(state)
    return number_of_rounds(format, players, 2 * cycle, double=False) if both else cycle


def _twice_by_berger(state: Tournament) -> bool:
    """Whether everybody meets everybody twice, with other sides the second time: only where two sit at a table."""
    return bool(state.setup["double"]) and _format(state).size == 2


def _asked_to_repair(state: Tournament, tables: Sequence[int], rounds: int | None = None) -> Asked:
    """Other rounds to come. Infeasible if no schedule has these numbers."""
    plan = _to_repair(state, tables, rounds)
    wanted = number_of_rounds(_format(state), len(plan.people), rounds or len(plan.schedule.rounds), double=False)
    done = plan.schedule.rounds[: plan.seated]
    return Asked(Problem(_format(state), len(plan.people), wanted, plan.wishes, done), plan.people)


def _must_be_possible(
    ask: Callable[[Tournament, Sequence[int]], Asked], state: Tournament, tables: Sequence[int]
) -> None:
    try:
        asked = ask(state, tables)
    except Infeasible as error:
        raise Impossible("no-schedule") from error
    if found := _clash_of(asked):
        raise Impossible("no-schedule") if found.error.code == "too-few-players" else WishesClash(found)


def _clash_of(asked: Asked) -> Clash | None:
    try:
        asked.problem.check()
    except Infeasible as error:
        return Clash(error, asked.people)
    return None


# --- their parts -------------------------------------------------------------------------------------------
def _plan_of(
    state: Tournament,
    to_come: Sequence[Seating],
    tables: Sequence[int],
    late: Collection[int] = (),
    last: int | None = None,
) -> Plan:
    """These rounds to come after the seated ones. `late` entrants are in no round yet, and get the last numbers. Wishes
    are for all rounds up to the `last`, if that is still to be made."""
    done = seated_rounds(state)
    people = (*sorted(players_in([*done, *to_come])), *late)
    at = {entrant: player for player, entrant in enumerate(people)}
    rounds = tuple(_numbered(seating, at) for seating in (*done, *to_come))
    wishes = _wishes(state, people, last or len(rounds), tables)
    return Plan(Schedule(_format(state), len(people), rounds), people, wishes, len(done))


def _to_repair(state: Tournament, tables: Sequence[int], rounds: int | None) -> Plan:
    """The schedule as it was drawn, without those who left before they played, and with those who came late. Whoever
    played and left is present only in the seated rounds."""
    done = players_in(seated_rounds(state))
    late = [number for number in state.taking_part if number not in done | players_in(state.plan)]
    gone = sorted(state.withdrawn & players_in(state.plan))
    # Late entrants take the chairs of those who have left, so that the other tables can stay.
    chairs = dict(zip(gone, late, strict=False))
    to_come = [_renamed(seating, chairs).without(state.withdrawn - done) for seating in state.plan]
    late = [number for number in late if number not in chairs.values()]
    plan = _plan_of(state, to_come, tables, late, rounds)
    return _leaving(plan, [player for player, number in enumerate(plan.people) if number in state.withdrawn])


def _leaving(plan: Plan, players: Collection[int]) -> Plan:
    """With these players only in the seated rounds."""
    left = Wishes(present=dict.fromkeys(players, (0, plan.seated)))
    return replace(plan, wishes=plan.wishes | left)


def _wishes(state: Tournament, people: Sequence[int], rounds: int, tables: Sequence[int]) -> Wishes:
    """The wishes about these people, as the schedule knows them. A table that does not exist has a number that no
    table of the schedule has."""
    at = {number: player for player, number in enumerate(people)}
    apart, fixed, present = [], {}, {}
    for wish in state.wishes:
        players = tuple(at[number] for number in wish.entrants if number in at)
        last = min(wish.last or rounds, rounds)
        if wish.what == "apart" and len(players) > 1:
            apart.append(Apart(players, last))
        elif wish.what == "table" and players:
            fixed[players[0]] = tables.index(wish.table) if wish.table in tables else len(tables)
        elif wish.what == "present" and players:
            present[players[0]] = wish.first - 1, last
    return Wishes(tuple(apart), fixed, present)


@lru_cache(maxsize=1)
def _tally(schedule: Schedule) -> Tally:
    """Kept, because a search often reports the same schedule."""
    return tally(schedule)


def _format(state: Tournament) -> Format:
    return FORMATS[state.setup["format"]]


def _renamed(seating: Seating, instead: Mapping[int, int]) -> Seating:
    """With other entrants in the places of some."""
    tables = tuple(tuple(instead.get(entrant, entrant) for entrant in table) for table in seating.tables)
    return Seating(tables, tuple(sorted(instead.get(entrant, entrant) for entrant in seating.byes)))


def _numbered(seating: Seating, at: Mapping[int, int]) -> Seating:
    tables = tuple(tuple(at[entrant] for entrant in table) for table in seating.tables)
    return Seating(tables, tuple(sorted(at[entrant] for entrant in seating.byes)))
