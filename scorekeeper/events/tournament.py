"""A tournament: entrants have start numbers, and each round follows the schedule."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from games import GAMES
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.rounds import Impossible, Pairing, Round
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.problem import Infeasible
from scorekeeper.schedule.proposals import number_of_rounds, propose
from scorekeeper.schedule.seating import FORMATS, Seating, Shape

FORMAT_NAMES = tuple(FORMATS)
"""How many sit at a table, and whether they have partners."""
Place = tuple[int, int]
"""A round, from 1, and the number of a table."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken off from a round on. `points` is a whole number, or a fraction as text."""

    entrant: int
    round: int
    points: int | str
    reason: str
    cancelled: bool = False
    cancelled_because: str = ""


@dataclass(frozen=True)
class Tournament(Program):
    """A tournament. An entrant is a player, a fixed pair or a team."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """How it is played: `game`, `options`, `minutes`; `size`, the players of an entrant; `format` (of FORMAT_NAMES),
    `rounds` (None: one cycle), `double`; and `worth`, `order`, `minimum_played`, `lots` as in the tournament file."""
    entrants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The players of each entrant, by start number."""
    withdrawn: frozenset[int] = frozenset()
    """The start numbers of entrants who have left. They may return."""
    plan: tuple[Seating, ...] = ()
    """The rounds to come, with start numbers."""
    forfeits: Mapping[Place, frozenset[int]] = field(default_factory=dict)
    """At which table of which round the sides with these indices did not come."""
    penalties: tuple[Penalty, ...] = ()
    no_show_after: int = 15
    """After how many minutes without an entry at a table the directors are asked whether somebody did not come."""

    INDEPENDENT = Program.INDEPENDENT | {"no-show"}

    @property
    def numbers(self) -> Mapping[int, int]:
        """By player: the start number of their entrant."""
        return {player: number for number, players in self.entrants.items() for player in players}

    @property
    def taking_part(self) -> tuple[int, ...]:
        """The start numbers of those who have not left."""
        return tuple(number for number in self.entrants if number not in self.withdrawn)

    def next_round(self, tables: Sequence[int]) -> Round:
        """The next round of the plan, at the tables with these numbers. Who meets an entrant who has left gets a bye.
        Impossible "nothing-planned"."""
        if not self.plan:
            raise Impossible("nothing-planned")
        seated, byes = self.plan[0]
        pairings = tuple(self._pairing(number, table) for number, table in zip(tables, seated, strict=False))
        drawn = Round(pairings, self._players(byes))
        for player in sorted(drawn.players.intersection(self._players(self.withdrawn))):
            drawn = drawn.giving_up(player)
        return drawn

    def sides_of(self, game: str, players: Sequence[int]) -> list[list[int]]:
        """The start numbers of the entrants of each side, for players by seat."""
        numbers = self.numbers
        sides = GAMES[game].sides(len(players))
        return [list(dict.fromkeys(numbers[players[seat]] for seat in side)) for side in sides]

    # --- the steps -----------------------------------------------------------------------------------------
    def _set_up(self, entry: Entry) -> Self:
        """Impossible "begun" after the first round is seated."""
        if self.rounds:
            raise Impossible("begun")
        return replace(self, setup={name: value for name, value in entry.items() if name != "kind"})

    def _enter(self, entry: Entry) -> Self:
        """Adds ``entrants`` (a list of players for each) under the next start numbers. Impossible "entered-twice"."""
        first = max(self.entrants, default=0) + 1
        new = {number: tuple(players) for number, players in enumerate(entry["entrants"], first)}
        everybody = [player for players in (*self.entrants.values(), *new.values()) for player in players]
        if len(set(everybody)) < len(everybody):
            raise Impossible("entered-twice")
        return self._with_entrants({**self.entrants, **new}, self.withdrawn)

    def _withdraw(self, entry: Entry) -> Self:
        """Removes entrants. Their tables in the draft are given up, because nobody else can take a place in a
        schedule."""
        return self._with_entrants(self.entrants, self.withdrawn | self._known(entry["entrants"]))

    def _return(self, entry: Entry) -> Self:
        return self._with_entrants(self.entrants, self.withdrawn - self._known(entry["entrants"]))

    def _plan(self, entry: Entry) -> Self:
        """Replaces the rounds to come. Impossible "not-entered", or "somebody-twice" in a round."""
        plan = tuple(Seating(tuple(map(tuple, each["tables"])), tuple(each["byes"])) for each in entry["rounds"])
        for seated, byes in plan:
            named = [*byes, *(entrant for table in seated for entrant in table)]
            if len(self._known(named)) < len(named):
                raise Impossible("somebody-twice")
        return replace(self, plan=plan, draft=None)

    def _seat(self, entry: Entry) -> Self:
        """A seated round is no longer to come."""
        return replace(Program._seat(self, entry), plan=self.plan[1:])

    def _forfeit(self, entry: Entry) -> Self:
        """The ``absent`` sides of a table did not come; none: they came after all. Impossible "no-such-table"."""
        place = entry["round"], entry["table"]
        absent = frozenset(entry["absent"])
        pairing = self._pairing_at(*place)
        if not absent <= frozenset(range(len(self.sides_of(pairing.game, pairing.players)))):
            raise Impossible("no-such-table")
        others = {each: sides for each, sides in self.forfeits.items() if each != place}
        return replace(self, forfeits={**others, place: absent} if absent else others)

    def _penalty(self, entry: Entry) -> Self:
        (entrant,) = self._known([entry["entrant"]])
        penalty = Penalty(entrant, entry["round"], entry["points"], entry["reason"])
        return replace(self, penalties=(*self.penalties, penalty))

    def _cancel_penalty(self, entry: Entry) -> Self:
        """``number`` counts the penalties from 0. Impossible "no-such-penalty"."""
        number, found = entry["number"], list(self.penalties)
        if not 0 <= number < len(found):
            raise Impossible("no-such-penalty")
        found[number] = replace(found[number], cancelled=True, cancelled_because=entry.get("reason", ""))
        return replace(self, penalties=tuple(found))

    def _at_table(self, entry: Entry) -> Self:
        """What happened at a table, or with its clock, is in the log of its match. Impossible "no-such-table"."""
        self._pairing_at(entry["round"], entry["table"])
        return self

    def _clock(self, entry: Entry) -> Self:
        """The clocks of a round, or that of one ``table``. Impossible "no-such-table"."""
        if not 0 < entry["round"] <= len(self.rounds):
            raise Impossible("no-such-table")
        return self if entry["table"] is None else self._at_table(entry)

    def _no_show(self, entry: Entry) -> Self:
        return replace(self, no_show_after=entry["minutes"])

    # --- their parts ---------------------------------------------------------------------------------------
    def _known(self, entrants: Iterable[int]) -> frozenset[int]:
        """Impossible "not-entered"."""
        numbers = frozenset(entrants)
        if not numbers <= self.entrants.keys():
            raise Impossible("not-entered")
        return numbers

    def _with_entrants(self, entrants: Mapping[int, tuple[int, ...]], withdrawn: frozenset[int]) -> Self:
        here = tuple(p for number, players in entrants.items() if number not in withdrawn for p in players)
        draft = self.draft
        for player in sorted((draft.players if draft else frozenset()) - set(here)):
            draft = draft and draft.giving_up(player)
        came = tuple(dict.fromkeys((*self.came, *here)))
        return replace(self, entrants=entrants, withdrawn=withdrawn, here=here, came=came, draft=draft)

    def _pairing(self, number: int, table: Sequence[int]) -> Pairing:
        """A table of the plan. Single players sit as the schedule says, pairs and teams side by side."""
        setup, people = self.setup, [self.entrants[entrant] for entrant in table]
        players = tuple(player for each in people for player in each)
        if len(players) > len(people):
            players = Shape(len(players), GAMES[setup["game"]].sides(len(players))).by_seat(players)
        return Pairing(number, setup["game"], setup["options"], setup["minutes"], players)

    def _players(self, entrants: Iterable[int]) -> tuple[int, ...]:
        return tuple(player for entrant in entrants for player in self.entrants[entrant])

    def _pairing_at(self, number: int, table: int) -> Pairing:
        if not 0 < number <= len(self.rounds):
            raise Impossible("no-such-table")
        for pairing in self.rounds[number - 1].pairings:
            if pairing.table == table:
                return pairing
        raise Impossible("no-such-table")

    STEPS = {
        **Program.STEPS,
        "setup": _set_up,
        "enter": _enter,
        "withdraw": _withdraw,
        "return": _return,
        "plan": _plan,
        "seat": _seat,
        "forfeit": _forfeit,
        "penalty": _penalty,
        "cancel-penalty": _cancel_penalty,
        "clock": _clock,
        "result": _at_table,
        "end": _at_table,
        "no-show": _no_show,
    }


def must_have_schedule(setup: Mapping[str, Any], entrants: int) -> None:
    """Impossible "no-schedule" if no schedule has this number of entrants and of rounds."""
    try:
        number_of_rounds(FORMATS[setup["format"]], entrants, setup["rounds"], setup["double"])
    except Infeasible as error:
        raise Impossible("no-schedule") from error


def schedules(
    setup: Mapping[str, Any],
    entrants: Sequence[int],
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float,
) -> Iterator[Progress[tuple[Seating, ...]]]:
    """Better and better schedules for these start numbers, as `schedule.proposals.propose` reports them."""
    reports = propose(
        FORMATS[setup["format"]],
        len(entrants),
        setup["rounds"],
        double=setup["double"],
        rng=rng,
        clock=clock,
        seconds=seconds,
    )
    for report in reports:
        rounds = report.best.schedule.rounds
        yield Progress(tuple(_named(entrants, each) for each in rounds), report.done, report.total)


def plan_of(rounds: Sequence[Seating]) -> Entry:
    """The step that makes these the rounds to come."""
    return {
        "kind": "plan",
        "rounds": [{"tables": [list(table) for table in each.tables], "byes": list(each.byes)} for each in rounds],
    }


def _named(entrants: Sequence[int], seating: Seating) -> Seating:
    """With start numbers instead of the numbers of the schedule."""
    tables = tuple(tuple(entrants[player] for player in table) for table in seating.tables)
    return Seating(tables, tuple(entrants[player] for player in seating.byes))
