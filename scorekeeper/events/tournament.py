"""A tournament: entrants have start numbers, and each round follows the schedule."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from games import GAMES, Game
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
USUAL: Mapping[str, Any] = {
    "date": None,
    "confirm": 0,
    "until": None,
    "teams": False,
    "public": True,
    "self_entry": False,
}
"""What the setup has if it does not say otherwise."""
FIXED = ("game", "size", "teams", "format", "rounds", "double")
"""What the setup cannot change once a round is seated: the rounds played would not belong to it."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken off from a round on. `points` is a whole number, or a fraction as text."""

    entrant: int
    round: int
    points: int | str
    reason: str
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """What people want to know about an entrant."""

    name: str = ""
    """Empty: the names of the players."""
    club: str = ""
    rating: int | None = None


@dataclass(frozen=True)
class Tournament(Program):
    """A tournament. An entrant is a player, a fixed pair or a team."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """Its `name`, and how it is played: `game`, `options`, `minutes`; `size`, how many players of an entrant sit at a
    table, and whether `teams` may have more; `format` (of FORMAT_NAMES), `rounds` (None: one cycle), `double`; `worth`,
    `order`, `minimum_played`, `lots` as in the tournament file; `confirm`, the number of seats that must confirm a
    result; `date` (as in 2026-05-09, or None); `until`, the time in which the rounds must fit, with `start`, `end` (as
    in 19:30) and the `pause` between rounds in minutes, or None; whether it is `public`, and whether people may ask to
    be entered (`self_entry`)."""
    entrants: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The players of each entrant, by start number. Of a team, the first ones sit."""
    about: Mapping[int, About] = field(default_factory=dict)
    """By start number, of those about whom something is known."""
    withdrawn: frozenset[int] = frozenset()
    """The start numbers of entrants who have left. They may return."""
    plan: tuple[Seating, ...] = ()
    """The rounds to come, with start numbers."""
    forfeits: Mapping[Place, frozenset[int]] = field(default_factory=dict)
    """At which table of which round the sides with these indices did not come."""
    penalties: tuple[Penalty, ...] = ()
    removed: bool = False
    """Whether it is only kept in case somebody restores it, by undoing this."""

    @property
    def public(self) -> bool:
        return bool(self.setup["public"]) and not self.removed

    def enter(self, entry: Entry) -> Self:
        """Impossible "removed" until that is undone."""
        if self.removed and entry["kind"] != "undo":
            raise Impossible("removed")
        return super().enter(entry)

    @cached_property
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

    def sides_to_come(self, table: Sequence[int]) -> list[list[int]]:
        """The start numbers of the entrants of each side, for a table of the plan."""
        pairing = self._pairing(0, table)
        return self.sides_of(pairing.game, pairing.players)

    AFTER_THE_END = frozenset({"remove"})

    # --- the steps -----------------------------------------------------------------------------------------
    def _set_up(self, entry: Entry) -> Self:
        """Impossible "begun" if something of FIXED changes after the first round is seated."""
        setup = {**USUAL, **{name: value for name, value in entry.items() if name != "kind"}}
        if self.rounds and any(setup[name] != self.setup[name] for name in FIXED):
            raise Impossible("begun")
        return replace(self, setup=setup)

    def _enter(self, entry: Entry) -> Self:
        """Adds ``entrants`` (a list of players for each) under the next start numbers; ``about`` has for each what is
        known. Impossible "entered-twice"."""
        first = max(self.entrants, default=0) + 1
        new = {number: tuple(players) for number, players in enumerate(entry["entrants"], first)}
        known = {number: About(**about) for number, about in enumerate(entry.get("about", ()), first)}
        everybody = [player for players in (*self.entrants.values(), *new.values()) for player in players]
        if len(set(everybody)) < len(everybody):
            raise Impossible("entered-twice")
        return replace(self, about={**self.about, **known})._with_entrants({**self.entrants, **new}, self.withdrawn)

    def _describe(self, entry: Entry) -> Self:
        """Replaces what is known ``about`` an ``entrant``. Impossible "not-entered"."""
        (entrant,) = self._known([entry["entrant"]])
        return replace(self, about={**self.about, entrant: About(**entry["about"])})

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
        found[number] = replace(found[number], cancelled=True)
        return replace(self, penalties=tuple(found))

    def _remove(self, entry: Entry) -> Self:
        return replace(self, removed=True)

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
        setup = self.setup
        people = [self.entrants[entrant][: setup["size"]] for entrant in table]
        players = tuple(player for each in people for player in each)
        if len(players) > len(people):
            players = by_seat(GAMES[setup["game"]], players)
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
        "describe": _describe,
        "withdraw": _withdraw,
        "return": _return,
        "plan": _plan,
        "seat": _seat,
        "forfeit": _forfeit,
        "penalty": _penalty,
        "cancel-penalty": _cancel_penalty,
        "remove": _remove,
    }


def by_seat(game: Game[Any], players: Sequence[int]) -> tuple[int, ...]:
    """The players of a table by seat, from its players side after side."""
    return Shape(len(players), game.sides(len(players))).by_seat(players)


def fits(game: Game[Any], format: str, size: int) -> bool:
    """Whether the game can be played in this format, with this number of players of each entrant at a table."""
    wanted = FORMATS[format]
    return all(
        entrants * size in game.seats and len(game.sides(entrants * size)) == (2 if wanted.partners else entrants)
        for entrants in wanted.sizes
    )


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
