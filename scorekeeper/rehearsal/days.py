"""Many days of one plan: when they end, round by round, and what would end them earlier."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from games.errors import marked
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.phases import Day, Plan, played_day, up_to
from scorekeeper.rehearsal.playing import Troubles
from scorekeeper.rehearsal.timetable import Conditions, Timetable
from scorekeeper.schedule.late_acceptance import Progress, last
from scorekeeper.standings.reading import Refused

SEARCH = 20
"""How many reports the search of a round makes on the day that is told. All days only need times to be counted."""
TRIED = 20
"""On how many days it is tried how much free play fits into them."""
LIMITS = range(60 * MINUTE, 14 * MINUTE, -5 * MINUTE)
"""The time limits that may help, in seconds."""


class Times(NamedTuple):
    """When something ended on many days, in seconds from the start."""

    earliest: int
    median: int
    nine_of_ten: int
    """In at least nine of ten days it ended by then."""

    @classmethod
    def of(cls, ends: Iterable[int]) -> "Times":
        ordered = sorted(ends)
        return cls(ordered[0], *(ordered[-(-len(ordered) * tenths // 10) - 1] for tenths in (5, 9)))


class Help(NamedTuple):
    """Something that would end the day earlier."""

    of: str
    """``tables``, ``limit`` (in seconds) or ``rounds``."""
    number: int
    end: Times


@dataclass(frozen=True)
class Rehearsal:
    plan: Plan
    sample: Sequence[int]
    """How long matches last, in seconds."""
    conditions: Conditions
    troubles: Troubles
    seed: int
    days: tuple[Day, ...] = ()

    def and_one_more(self) -> "Rehearsal":
        return replace(self, days=(*self.days, self._played(len(self.days))))

    def _played(self, run: int, effort: int = 1) -> Day:
        chance = random.Random(f"{self.seed}:{run}")
        return played_day(self.plan, self.sample, self.troubles, chance, effort=effort)

    @cached_property
    def timetables(self) -> list[Timetable]:
        return [day.timetable(self.conditions) for day in self.days]

    @cached_property
    def day(self) -> Day:
        """A typical one, which is told. It is played again, so that its rounds are drawn as well as at the desk."""
        return self._played(min(range(len(self.days)), key=self._off), SEARCH)

    def _off(self, run: int) -> tuple[int, bool, int, int]:
        """How far a day is from a typical one: what did not go wrong, then how many rounds it has, then those that end
        later than in 9 of 10 days, then how far all of them are from the median."""
        missed = sum(self.troubles.without(self.days[run].happened))
        ends = [end for _begin, end in self.timetables[run].rounds]
        known = [*zip(ends, self.rounds, strict=False)]
        late = sum(end > times.nine_of_ten for end, times in known)
        return missed, len(ends) != self._usual_rounds, late, sum(abs(end - times.median) for end, times in known)

    @cached_property
    def _usual_rounds(self) -> int:
        [(number, _days)] = Counter(len(each.rounds) for each in self.timetables).most_common(1)
        return number

    @cached_property
    def timetable(self) -> Timetable:
        return self.day.timetable(self.conditions)

    @property
    def end(self) -> Times:
        return Times.of(each.end for each in self.timetables)

    @cached_property
    def rounds(self) -> list[Times]:
        """When each round ended. A day without it was over by then."""
        longest = max(len(each.rounds) for each in self.timetables)
        return [
            Times.of(each.rounds[number][1] if number < len(each.rounds) else each.end for each in self.timetables)
            for number in range(longest)
        ]

    @property
    def tables_used(self) -> int:
        """The most tables that a round needs at a time."""
        contests = max((len(each.contests) for day in self.days for each in day.rounds), default=0)
        return contests * max(self.conditions.meeting, 1)

    def helps(self, until: int) -> list[Help]:
        """For each thing that can be changed, the least that lets nine of ten days end by then, in seconds; if nothing
        does, the most. Nothing that helps nobody."""
        found = [self._least(of, options, until) for of, options in self._options().items()]
        return [each for each in found if each and each.end.nine_of_ten < self.end.nine_of_ten]

    def _options(self) -> dict[str, Sequence[int]]:
        now = self.conditions
        longest = now.limit or LIMITS[0] + 1
        # A tree has as many as it needs, and finals follow from all rounds of the groups.
        fixed = self.plan.rule or any(each.knock_out for each in self.plan.stages)
        rounds = 0 if fixed else len(self.rounds)
        return {
            "tables": range(now.tables + 1, self.tables_used + 1),
            # Boards of a meeting follow each other, so a limit of one board is not a limit of the meeting.
            "limit": [] if now.meeting else [limit for limit in LIMITS if limit < longest],
            "rounds": range(rounds - 1, 0, -1),
        }

    def _least(self, of: str, options: Sequence[int], until: int) -> Help | None:
        found = None
        for number in options:
            found = Help(of, number, self._end_with(of, number))
            if found.end.nine_of_ten <= until:
                return found
        return found

    def _end_with(self, of: str, number: int) -> Times:
        if of == "rounds":
            return self.rounds[number - 1]
        now = self.conditions
        changed = now._replace(tables=number) if of == "tables" else now._replace(limit=number)
        return Times.of(day.timetable(changed).end for day in self.days)


def until(
    plan: Plan, seconds: int, sample: Sequence[int], conditions: Conditions, troubles: Troubles, *, seed: int
) -> Plan:
    """The plan with as many rounds of endless free play as end within these seconds on nine of ten days."""
    if not any(each.endless for each in plan.stages):
        return plan
    quickest = min(sample[0], conditions.limit or sample[0]) + conditions.pause
    begun = plan.before + max(each.begun for each in plan.stages)
    more = up_to(plan, begun + max(seconds // quickest, 1))
    tried = last(rehearse(more, sample, conditions, troubles, seed=seed, runs=TRIED))
    in_time = [
        each.number
        for each, times in zip(tried.days[0].rounds, tried.rounds, strict=False)
        if times.nine_of_ten <= seconds
    ]
    return up_to(plan, max(in_time, default=0))


def rehearse(
    plan: Plan,
    sample: Sequence[int],
    conditions: Conditions,
    troubles: Troubles,
    *,
    seed: int,
    runs: int,
) -> Iterator[Progress[Rehearsal]]:
    """Plays one day after the other. Whoever stops asking keeps the days played so far. The same seed gives the same
    days. Raises Refused "nothing-to-play" once all rounds are played."""
    found = Rehearsal(plan, sample, conditions, troubles, seed)
    for run in range(runs):
        found = found.and_one_more()
        if not found.days[0].rounds:
            raise Refused("nothing-to-play", marked("All rounds are played. There is nothing to rehearse."), "stages")
        yield Progress(found, run + 1, runs)
