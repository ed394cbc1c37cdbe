"""The part of a tournament that is about rounds to come: its plan, what of it is public, and what people wish."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from games import GAMES
from scorekeeper.events.entrants import Entered
from scorekeeper.events.program import Entry
from scorekeeper.events.records import Proposed
from scorekeeper.events.rounds import Impossible, Pairing, Round
from scorekeeper.events.setup import FREE, KNOCK_OUT, SWISS, by_seat
from scorekeeper.events.wishes import Wish
from scorekeeper.schedule.seating import Seating


@dataclass(frozen=True)
class Planned(Entered):
    """An event whose rounds are planned, or drawn from the results of those before."""

    setup: Mapping[str, Any] = field(default_factory=dict)
    """Its `name`, and how it is played: `game`, `options`, `minutes`; `size`, how many players of an entrant sit at
    a table, and whether `teams` may have more; `in_groups`, whether groups are meant to come first, then finals;
    `format` (of FORMAT_NAMES), `system` (of SYSTEMS), `rounds` (None: one cycle; in Swiss as many as usual),
    `double`; for Swiss `pairing` and `first` as in the tournament file, `apart`, in how many first rounds people of
    one club do not meet, and `first_by_lots`, whether lots draw the first round even if there are ratings; for a
    knock-out `bracket` (of BRACKETS), and `best_of` and `final_best_of` (of BEST_OF, or 0); `worth`, `order`,
    `minimum_played`, `lots` as in the tournament file; `confirm`, the number of seats that must confirm a result;
    `prizes`, how many places get one; `fund`, what these get, with `amounts` by place (whole numbers; of hundredths
    if it has `cents`), their `unit`, and `sharing`, how equals share them, or None; `date` (as in 2026-05-09, or
    None); `until`, the time in which the rounds must fit, with `start`, `end` (as in 19:30) and the `pause` between
    rounds in minutes, or None; whether it is `public`, whether people may ask to be entered (`self_entry`), whether
    the clock of a round waits until a director starts it (`clock_waits`), and whether spectators see who stands better
    (`outlook`)."""
    withdrawn: frozenset[int] = frozenset()
    """The start numbers of entrants who have left. They may return."""
    plan: tuple[Seating, ...] = ()
    """The rounds to come, with start numbers."""
    tables: tuple[int, ...] = ()
    """The numbers of the tables of these rounds, in their order."""
    wishes: tuple[Wish, ...] = ()
    later: tuple[Seating, ...] = ()
    """Where some finals play by a schedule and others by results, only the next round can be planned for all. These are
    the rounds after it of those with a schedule."""
    published: tuple[Seating, ...] = ()
    """The rounds to come that everybody can see, as they were released; none before that."""
    public_tables: tuple[int, ...] = ()
    """The numbers of the tables of these rounds, in their order."""
    changed: frozenset[int] = frozenset()
    """The numbers of rounds that were released once more, in another form."""
    proposal: Proposed | None = None
    """Other rounds to come, which only directors see until they take or drop them."""
    asked: tuple[frozenset[int], ...] = ()
    """Who asked not to play in each seated round, and did not."""

    @property
    def free_play(self) -> bool:
        """Whether whoever is free plays: tables begin and end one by one, and rounds only order them."""
        return bool(self.setup["system"] == FREE)

    @property
    def rounds_overlap(self) -> bool:
        """Who meets whom does not depend on results, but on a schedule."""
        return not self.by_results and not self.free_play

    @property
    def systems(self) -> frozenset[str]:
        """Those by which is played now, of SYSTEMS."""
        return frozenset({self.setup["system"]})

    @property
    def by_results(self) -> bool:
        """Whether each round is drawn from the results of those before, of some finals at least."""
        return not self.systems.isdisjoint((SWISS, KNOCK_OUT))

    @property
    def knock_out(self) -> bool:
        """Whether it is one, or one of its finals is."""
        return KNOCK_OUT in self.systems

    @property
    def scheduled(self) -> tuple[Seating, ...]:
        """All rounds to come that are known, also those of which only some finals are."""
        return (*self.plan, *self.later)

    @property
    def no_longer_drawn(self) -> frozenset[int]:
        """The start numbers of those who have left and get no table."""
        return self.withdrawn

    def rounds_in_all(self, *, public: bool) -> int:
        """How many rounds are seated or to come; `public`: only those that everybody can see."""
        return len(self.rounds) + len(self.published if public else self.scheduled)

    def away(self, number: int) -> list[int]:
        """The entrants who asked not to play in the round with this number. What was wished later, or no more, changes
        no seated round."""
        if 0 < number <= len(self.rounds):
            return sorted(self.asked[number - 1])
        return [entrant for wish in self.wishes if wish.is_away(number) for entrant in wish.entrants]

    def settled(self, number: int) -> list[tuple[int, ...]]:
        """The tables of the round with this number that directors settled before it is drawn. Only of those who play
        in it."""
        out = self.withdrawn.union(self.away(number))
        wished = (wish.entrants for wish in self.wishes if wish.what == "meet" and wish.first == number)
        return [table for table in wished if out.isdisjoint(table)]

    def next_round(self, tables: Sequence[int]) -> Round:
        """The next round of the plan, at its own tables, or at others of these that are free. Impossible
        "nothing-planned"."""
        if not self.plan:
            raise Impossible("nothing-planned")
        planned = self.tables[: len(self.plan[0].tables)]
        spare = (number for number in tables if number not in planned)
        numbers = [number if number in tables else next(spare, number) for number in planned]
        return self.round_of(self.plan[0], [*numbers, *spare])

    def round_of(self, seating: Seating, tables: Sequence[int]) -> Round:
        """A round at the tables with these numbers. Who meets an entrant who has left gets a bye."""
        pairings = tuple(self._pairing(number, table) for number, table in zip(tables, seating.tables, strict=False))
        drawn = Round(pairings, self._players(seating.byes))
        for player in sorted(drawn.players.intersection(self._players(self.no_longer_drawn))):
            drawn = drawn.giving_up(player)
        return drawn

    def of_these(self, rounds: Sequence[Seating]) -> tuple[Seating, ...]:
        """The part that the entrants have in rounds to come of a whole tournament."""
        return self._among(rounds, frozenset(self.entrants))

    @staticmethod
    def _among(rounds: Sequence[Seating], here: frozenset[int]) -> tuple[Seating, ...]:
        """These rounds to come as far as they are theirs, without those at the end in which nobody of them is."""
        found = [
            Seating(
                tuple(table for table in each.tables if here.issuperset(table)),
                tuple(entrant for entrant in each.byes if entrant in here),
            )
            for each in rounds
        ]
        while found and not (found[-1].tables or found[-1].byes):
            found.pop()
        return tuple(found)

    # --- the steps -----------------------------------------------------------------------------------------
    def _plan(self, entry: Entry) -> Self:
        """Replaces the rounds to come, and notes the numbers of their ``at`` tables, and the ``later`` rounds. A
        ``round`` that is drawn from the results is drafted with it; earlier versions did that by a step of its own.
        Impossible "not-entered", or "somebody-twice" in a round."""
        proposed = self._proposed(entry)
        after = replace(self._with_plan(proposed.plan), tables=proposed.tables, later=proposed.later)
        return after._draft(entry) if "round" in entry else after

    def _propose(self, entry: Entry) -> Self:
        """Keeps other rounds to come for the directors to look at. Impossible as `_plan`."""
        return replace(self, proposal=self._proposed(entry))

    def _take(self, entry: Entry) -> Self:
        """The proposal becomes the plan; if all rounds to come were public, these are. Impossible "no-proposal"."""
        if not self.proposal:
            raise Impossible("no-proposal")
        plan, tables, later = self.proposal
        after = replace(self._with_plan(plan), tables=tables, later=later)
        return after._publish(entry) if self.published else after

    def _drop_proposal(self, entry: Entry) -> Self:
        if not self.proposal:
            raise Impossible("no-proposal")
        return replace(self, proposal=None)

    def _publish(self, entry: Entry) -> Self:
        """Everybody may see all rounds to come. Impossible "nothing-planned"."""
        if not self.plan:
            raise Impossible("nothing-planned")
        changed = self.changed | self._other_than_public(self.plan)
        return replace(self, published=self.plan, public_tables=self.tables, changed=changed)

    def _wish(self, entry: Entry) -> Self:
        """A wish replaces one of the same kind for the same entrants. Impossible "not-entered", "not-two" or
        "leaves-first"."""
        wish = Wish.of(entry)
        self._known(wish.entrants)
        return replace(self, wishes=(*(each for each in self.wishes if each.about != wish.about), wish))

    def _remove_wish(self, entry: Entry) -> Self:
        """``number`` counts the wishes from 0. Impossible "no-such-wish"."""
        number = entry["number"]
        if not 0 <= number < len(self.wishes):
            raise Impossible("no-such-wish")
        return replace(self, wishes=self.wishes[:number] + self.wishes[number + 1 :])

    # --- their parts ---------------------------------------------------------------------------------------
    def _proposed(self, entry: Entry) -> Proposed:
        plan, later = (
            tuple(Seating(tuple(map(tuple, each["tables"])), tuple(each["byes"])) for each in rounds)
            for rounds in (entry["rounds"], entry.get("later", ()))
        )
        for seated, byes in (*plan, *later):
            named = [*byes, *(entrant for table in seated for entrant in table)]
            if len(self._known(named)) < len(named):
                raise Impossible("somebody-twice")
        return Proposed(plan, tuple(entry.get("at", ())), later)

    def _with_plan(self, plan: tuple[Seating, ...]) -> Self:
        """With other rounds to come. A draft of a round that is another one now is discarded."""
        return replace(self, plan=plan, proposal=None, draft=self.draft if plan[:1] == self.plan[:1] else None)

    def _without_plan(self) -> Self:
        return replace(self, plan=(), tables=(), later=(), published=(), public_tables=(), proposal=None, draft=None)

    def _other_than_public(self, plan: Sequence[Seating]) -> frozenset[int]:
        """The numbers of those rounds to come that are public in another form."""
        first = len(self.rounds) + 1
        both = zip(plan, self.published, strict=False)
        return frozenset(number for number, (now, was) in enumerate(both, first) if now != was)

    def _pairing(self, number: int, table: Sequence[int]) -> Pairing:
        """A table of the plan. Single players sit as the schedule says, pairs and teams side by side."""
        setup = self.setup
        people = [self.entrants[entrant][: setup["size"]] for entrant in table]
        players = tuple(player for each in people for player in each)
        if len(players) > len(people):
            players = by_seat(GAMES[setup["game"]], players)
        return Pairing(number, setup["game"], setup["options"], setup["minutes"], players)

    STEPS = {
        **Entered.STEPS,
        "plan": _plan,
        "propose": _propose,
        "take": _take,
        "drop-proposal": _drop_proposal,
        "publish": _publish,
        "wish": _wish,
        "remove-wish": _remove_wish,
    }
