"""A day of several stages: those that are played side by side, and the finals that follow from them."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from games.errors import marked
from scorekeeper.names import free
from scorekeeper.rehearsal.finals import Rule, finals
from scorekeeper.rehearsal.playing import ARRIVALS, Board, Part, Trouble, Troubles, What, play, shared
from scorekeeper.rehearsal.programme import Programme, programme, with_rounds
from scorekeeper.rehearsal.timetable import Conditions, Contest, Timetable, timetable
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.tournament import Stage, Tournament


@dataclass(frozen=True)
class Plan:
    """What is rehearsed."""

    stages: tuple[Programme, ...]
    """Played side by side: the first round of each, then the second, and so on."""
    rule: Rule | None = None
    """How finals follow from them; None: there are none."""
    before: int = 0
    """How many rounds of the tournament there were in earlier stages."""
    boards: tuple[Board, ...] = ()
    """Those of each meeting of teams; none if a table is a match."""

    @property
    def tournament(self) -> Tournament:
        return self.stages[0].tournament

    @property
    def by_results(self) -> bool:
        """Whether any round to come is drawn from results."""
        return any(each.by_results for each in self.stages)


def plan(
    file: Mapping[str, Any],
    names: Sequence[str],
    *,
    rule: Rule | None = None,
    before: int = 0,
    boards: Sequence[Board] = (),
) -> Plan:
    """Of the stages with these names. Raises Refused as `programme`, and "in-two-stages". A final whose name a stage of
    the file has gets a number."""
    stages = tuple(programme(file, name) for name in names)
    stage_of: dict[int, str] = {}
    for each in (part.stage for part in stages):
        for entrant in each.entrants:
            if before_it := stage_of.get(entrant):
                text = marked(
                    "{who} is in {one} and in {other}, which are played side by side. Leave them in one,"
                    " or choose one stage."
                )
                who = stages[0].tournament.entrants[entrant].name
                raise Refused("in-two-stages", text, "stages", who=who, one=before_it, other=each.name)
            stage_of[entrant] = each.name
    if rule:
        taken = {each.name for each in stages[0].tournament.stages}
        final, consolation = (free(name, taken) for name in rule.names)
        rule = replace(rule, names=(final, consolation))
    return Plan(stages, rule, before, tuple(boards))


def up_to(plan: Plan, number: int) -> Plan:
    """The plan with endless free play up to the round with this number, among all rounds of the tournament."""
    stages = (with_rounds(each, number - plan.before) if each.endless else each for each in plan.stages)
    return replace(plan, stages=tuple(stages))


class Seat(NamedTuple):
    """A table of a round."""

    part: int
    """Counted from 0 among the parts of the day."""
    place: int
    """Counted from 0 in the round of its stage."""


class SharedRound(NamedTuple):
    """A round of all stages that are played side by side."""

    number: int
    """From 1, among all rounds of the tournament."""
    contests: dict[Seat, Contest]


class Phase(NamedTuple):
    """Stages that were played side by side."""

    parts: tuple[Part, ...]
    rounds: list[SharedRound]


@dataclass(frozen=True)
class Day:
    plan: Plan
    phases: tuple[Phase, ...]

    @cached_property
    def parts(self) -> list[Part]:
        return [part for phase in self.phases for part in phase.parts]

    @cached_property
    def rounds(self) -> list[SharedRound]:
        return [each for phase in self.phases for each in phase.rounds]

    @property
    def troubles(self) -> list[tuple[int, Trouble]]:
        """Each with the number of its part."""
        return [(number, trouble) for number, part in enumerate(self.parts) for trouble in part.troubles]

    @property
    def happened(self) -> Troubles:
        """How many things of each kind went wrong."""
        late = {each.entrant for _part, each in self.troubles if each.what in ARRIVALS}
        whats = Counter(each.what for _part, each in self.troubles)
        return Troubles(len(late), *(whats[what] for what in (What.NO_SHOW, What.WRONG, What.DISPUTED)))

    @property
    def tournament(self) -> Tournament:
        """With all results."""
        return _with(self.plan.tournament, [part.stage for part in self.parts])

    def number_of(self, part: int, number: int) -> int:
        """The number in the whole tournament of the round that has this number in the stage of this part."""
        return self._befores[part] + number

    @cached_property
    def _befores(self) -> list[int]:
        found, before = [], self.plan.before
        for phase in self.phases:
            found += [before] * len(phase.parts)
            before += max(len(part.stage.rounds) for part in phase.parts)
        return found

    def timetable(self, conditions: Conditions) -> Timetable:
        """Finals begin when all groups are over."""
        found = Timetable((), ())
        for phase in self.phases:
            overlap = not any(part.programme.by_results for part in phase.parts)
            rounds = [[*each.contests.values()] for each in phase.rounds]
            begun = 0 if found.rounds else self.begun
            found = found.then(timetable(rounds, conditions._replace(overlap=overlap), begun), conditions.pause)
        return found

    @property
    def begun(self) -> int:
        """How many of the rounds had begun before: people play at their tables at the start."""
        seated = self.plan.before + max(each.begun for each in self.plan.stages)
        return sum(each.number <= seated for each in self.rounds)


def played_day(plan: Plan, sample: Sequence[int], troubles: Troubles, chance: random.Random, *, effort: int = 1) -> Day:
    """Who is late or does not come is so in the first stages. All else goes wrong in any of them."""
    later = Troubles(wrong=troubles.wrong, disputed=troubles.disputed)
    at_first, at_last = shared(later, 2, chance) if plan.rule else (later, Troubles())
    at_first = at_first._replace(late=troubles.late, no_shows=troubles.no_shows)
    day = Day(plan, ())
    day = _and_then(day, plan.stages, sample, at_first, chance, effort)
    if plan.rule:
        gone = {entrant for part in day.parts for entrant in part.gone}
        follow = finals(day.tournament, [part.stage for part in day.parts], plan.rule, gone)
        day = _and_then(day, follow, sample, at_last, chance, effort)
    return day


def _and_then(
    day: Day,
    stages: Sequence[Programme],
    sample: Sequence[int],
    troubles: Troubles,
    chance: random.Random,
    effort: int,
) -> Day:
    """The day with these stages, side by side."""
    shares = shared(troubles, len(stages), chance)
    parts = tuple(
        play(each, sample, share, chance, boards=day.plan.boards, effort=effort)
        for each, share in zip(stages, shares, strict=True)
    )
    whole = Day(day.plan, (*day.phases, Phase(parts, [])))
    rounds: dict[int, dict[Seat, Contest]] = {}
    for at, part in enumerate(parts, len(day.parts)):
        for played in part.rounds:
            seats = {Seat(at, place): contest for place, contest in played.contests.items()}
            rounds.setdefault(whole.number_of(at, played.number), {}).update(seats)
    shared_rounds = [SharedRound(number, rounds[number]) for number in sorted(rounds)]
    return Day(day.plan, (*day.phases, Phase(parts, shared_rounds)))


def _with(tournament: Tournament, stages: Sequence[Stage]) -> Tournament:
    """The tournament with these stages, in the place of those with their names or after all others."""
    by_name = {each.name: each for each in (*tournament.stages, *stages)}
    return replace(tournament, stages=tuple(by_name.values()))
