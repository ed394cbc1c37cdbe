"""What a rehearsal plays: a stage of a tournament's file, with the rounds that are there, and with those to come."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

from games.errors import marked
from scorekeeper.events.setup import usual_rounds
from scorekeeper.pairing.knock_out import seeded
from scorekeeper.pairing.pairing import must_fill_a_table
from scorekeeper.schedule.late_acceptance import last
from scorekeeper.schedule.problem import Infeasible
from scorekeeper.schedule.proposals import propose
from scorekeeper.schedule.seating import FORMATS, Seating
from scorekeeper.standings.qualifying import entered
from scorekeeper.standings.reading import Refused, read_value
from scorekeeper.standings.tournament import By, Kind, Play, Round, Stage, System, Table, Tournament

STEPS = 50.0
"""How many reports the search of a schedule makes at most."""


@dataclass(frozen=True)
class Programme:
    tournament: Tournament
    stage: Stage
    """With the rounds of the file."""
    to_come: tuple[Round, ...]
    """The rounds that follow them, as far as they do not depend on results."""
    wanted: int
    """How many rounds there are in all; 0 where the tree says it."""

    @property
    def begun(self) -> int:
        """How many of the rounds have begun: all but these are to come."""
        return len(self.stage.rounds)

    @property
    def by_results(self) -> bool:
        """Whether the rounds to come are drawn from results."""
        return self.stage.system is not System.ROUND_ROBIN

    @property
    def endless(self) -> bool:
        """Whether it is free play that goes on as long as people like."""
        return self.stage.system is System.FREE and not self.stage.rounds_planned

    @property
    def knock_out(self) -> bool:
        return self.stage.system is System.KNOCK_OUT

    def with_stage(self, stage: Stage) -> Tournament:
        stages = (stage if each.name == stage.name else each for each in self.tournament.stages)
        return replace(self.tournament, stages=tuple(stages))


def programme(file: Mapping[str, Any], name: str) -> Programme:
    """Of the stage with this name, which must exist. A round robin without rounds gets a schedule, as
    the desk makes it. Raises Refused for a file that cannot be read, "too-few", "no-schedule", and
    "missing" if tables of a size that will be played are worth nothing."""
    before = read_value(file)
    number = next(at for at, each in enumerate(before.stages) if name == each.name)
    stage = seeded(before, before.stages[number])
    stage = stage if stage.system is System.KNOCK_OUT else entered(before, stage)
    to_come = _with_rounds_to_come(file, number).stages[number].rounds[len(stage.rounds) :]
    return planned(before, stage, to_come if stage.system is System.ROUND_ROBIN else (), f"stages[{number}]")


def planned(tournament: Tournament, stage: Stage, to_come: tuple[Round, ...], at: str) -> Programme:
    """As `programme`, of a stage that stands at this place of the file."""
    played = len(stage.rounds)
    must_fill_a_table(stage, stage.entrants, at)
    _must_be_worth_something(stage, at)
    if stage.system is System.ROUND_ROBIN:
        if not played and not to_come:
            to_come = _schedule(stage, at)
        wanted = played + len(to_come)
    elif stage.system is System.KNOCK_OUT:
        wanted = 0
    else:
        usual = usual_rounds(len(stage.entrants), FORMATS[stage.play])
        # Free play goes on as long as people like.
        wanted = stage.rounds_planned or usual + (played if stage.system is System.FREE else 0)
    return Programme(tournament, replace(stage, qualified=None, next=_next(stage)), to_come, wanted)


def is_open(table: Table) -> bool:
    """Whether the table still has to be played."""
    came = len(table.sides) - len(table.absent)
    return table.totals is None and not table.abandoned and came >= 2


def open_tables(stage: Stage) -> list[Table]:
    return [table for each in stage.rounds for table in each.tables if is_open(table)]


def with_rounds(programme: Programme, last: int) -> Programme:
    """With no round after this one; with one more than have begun if no table is open."""
    return replace(programme, wanted=max(last, programme.begun + (0 if open_tables(programme.stage) else 1)))


def people(table: Table) -> Iterator[int]:
    return (entrant for side in table.sides for entrant in side)


def _next(stage: Stage) -> Round:
    """What is settled about the next round. In free play, the people at open tables are free once these are over."""
    if stage.system is not System.FREE:
        return stage.next
    busy = {entrant for table in open_tables(stage) for entrant in people(table)}
    away = stage.next.unplayed.items()
    return replace(
        stage.next, unplayed={each: kind for each, kind in away if kind is not Kind.ASKED or each not in busy}
    )


def _with_rounds_to_come(file: Mapping[str, Any], number: int) -> Tournament:
    """The tournament with the rounds to come of this stage after its rounds."""
    stage = file["stages"][number]
    rounds, to_come = stage.get("rounds", []), stage.get("to_come", [])
    at = f"stages[{number}].rounds"
    if not isinstance(to_come, list):
        raise Refused("wrong-kind", marked("Expected a list."), f"stages[{number}].to_come")
    whole = {**stage, "rounds": [*rounds, *to_come]}
    try:
        return read_value({**file, "stages": [*file["stages"][:number], whole, *file["stages"][number + 1 :]]})
    except Refused as error:
        # The rounds themselves were read before, so the fault is in one to come.
        place, rest = error.at.removeprefix(f"{at}[").split("]", 1)
        there = f"stages[{number}].to_come[{int(place) - len(rounds)}]{rest}"
        raise Refused(error.code, error.template, there, **error.facts) from error


def _must_be_worth_something(stage: Stage, at: str) -> None:
    """By place, each size of table that will occur needs the worth of its places."""
    if stage.worth.by is not By.PLACE:
        return
    heads = stage.system is System.KNOCK_OUT or stage.play in (Play.HEADS, Play.PARTNERS)
    for sides in (2,) if heads else FORMATS[stage.play].sizes:
        if sides not in stage.worth.places and (stage.system is not System.ROUND_ROBIN or not stage.rounds):
            text = marked("The worth of the places at a table of {sides} is missing.")
            raise Refused("missing", text, f"{at}.worth.places", sides=sides)


def _schedule(stage: Stage, at: str) -> tuple[Round, ...]:
    # A file says 1 as long as nobody may know more. Nobody plays a round robin of one round.
    wanted = stage.rounds_planned if stage.rounds_planned != 1 else None
    try:
        seatings = _seatings(stage.play, len(stage.entrants), wanted)
    except Infeasible as error:
        text = marked("No schedule has {n} entrants and this number of rounds. Change rounds_planned.")
        raise Refused("no-schedule", text, f"{at}.rounds_planned", n=len(stage.entrants)) from error
    return tuple(_round(seating, stage.entrants, partners=FORMATS[stage.play].partners) for seating in seatings)


@lru_cache(maxsize=64)
def _seatings(play: Play, entrants: int, wanted: int | None) -> tuple[Seating, ...]:
    """A schedule. The finals of many days need the same one."""
    ticks = count()
    reports = propose(
        FORMATS[play], entrants, wanted, rng=random.Random(0), clock=lambda: float(next(ticks)), seconds=STEPS
    )
    return tuple(last(reports).schedule.rounds)


def _round(seating: Seating, entrants: Sequence[int], *, partners: bool) -> Round:
    def sides(table: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        named = tuple(entrants[player] for player in table)
        return (named[0::2], named[1::2]) if partners else tuple((each,) for each in named)

    return Round(
        tuple(Table(sides(table)) for table in seating.tables), {entrants[each]: Kind.BYE for each in seating.byes}
    )
