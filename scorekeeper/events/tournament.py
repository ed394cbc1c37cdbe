"""A tournament: entrants have start numbers, and each round follows the schedule."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count
from typing import Any, Self

from games import GAMES
from scorekeeper.events import free_play
from scorekeeper.events.groups import MAIN, Group, Stage, has_series, joined
from scorekeeper.events.planned import Planned
from scorekeeper.events.program import Entry, Program
from scorekeeper.events.records import About, Advance, Category, Noted, Place
from scorekeeper.events.rounds import Impossible, Pairing, Round
from scorekeeper.events.setup import (
    ALWAYS_FIXED,
    FREE,
    KNOCK_OUT,
    SHAPE,
    SWISS,
    USUAL,
    fixed,
    rounds_of_bracket,
    usual_rounds,
)
from scorekeeper.schedule.seating import FORMATS, Seating


@dataclass(frozen=True)
class Tournament(Planned):
    """A tournament: a field of entrants, divided into groups or not, and the rounds that they play."""

    groups: tuple[Group, ...] = ()
    """Who meets only each other in this stage, each with standings of their own; none: everybody may meet everybody.
    Whoever is in none of them does not play any more."""
    earlier: tuple[Stage, ...] = ()
    """The stages that are over."""
    carried: Mapping[int, int | str] = field(default_factory=dict)
    """The points that entrants brought along into this stage."""
    forfeits: Mapping[Place, frozenset[int]] = field(default_factory=dict)
    """At which table of which round the sides with these indices did not come."""
    noted: tuple[Noted, ...] = ()
    """Corrections of results that were typed at the desk, and those that came with an import."""
    finals: frozenset[Place] = frozenset()
    """Where a final of a knock-out, or a match for third place, is played."""
    by_hand: tuple[int, ...] = ()
    """Seeds in the order that the director gave them."""
    seeded: tuple[int, ...] = ()
    """The seeds of a knock-out, since its first round was seated."""
    advances: tuple[Advance, ...] = ()
    """What was decided about who goes on to the finals."""
    resting: frozenset[int] = frozenset()
    """The start numbers of entrants who take a break in free play."""
    no_show_after: int = 15
    """After how many minutes without an entry at a table the directors are asked whether somebody did not come."""

    INDEPENDENT = Program.INDEPENDENT | {"no-show", "rest", "play-on"}

    @property
    def public(self) -> bool:
        return bool(self.setup["public"]) and not self.removed

    @property
    def clock_waits(self) -> bool:
        return bool(self.setup["clock_waits"]) and not self.free_play

    @property
    def outlook(self) -> bool:
        return bool(self.setup["outlook"])

    @property
    def first_setup(self) -> Mapping[str, Any]:
        """That of the first stage."""
        return self.earlier[0].setup if self.earlier else self.setup

    @property
    def rounds_before(self) -> int:
        """How many rounds the earlier stages had."""
        return sum(stage.rounds for stage in self.earlier)

    @property
    def begun(self) -> bool:
        """Whether a round of this stage is seated."""
        return len(self.rounds) > self.rounds_before

    @property
    def stage(self) -> Stage:
        """This stage, as far as it is played."""
        groups = self.groups or (Group(MAIN, self.seeded or tuple(self.entrants)),)
        return Stage(self.setup, groups, len(self.rounds) - self.rounds_before, self.carried, self.manual)

    @property
    def systems(self) -> frozenset[str]:
        usual = self.setup["system"]
        return frozenset({group.own.get("system", usual) for group in self.groups} or {usual})

    def setup_at(self, number: int, pairing: Pairing) -> Mapping[str, Any]:
        """How those at this table of the round with this number play: the setup of their stage, or of their final."""
        return self.stage_of(number).setup_with(self.numbers[pairing.players[0]])

    def best_of(self, number: int, pairing: Pairing) -> int:
        """Of how many matches at this table of the round with this number who wins most has won there."""
        setup = self.setup_at(number, pairing)
        if not has_series(setup):
            return 1
        final = setup["final_best_of"] if (number, pairing.table) in self.finals else 0
        return int(final or setup["best_of"])

    @property
    def rounds_wanted(self) -> int:
        """How many rounds the setup asks for, with those of earlier stages; 0 if it does not say it."""
        if self.groups:
            here = max(group.rounds_wanted for group in self.fields)
            return self.rounds_before + here if here else 0
        wanted: int | None = self.setup["rounds"]
        if self.knock_out:
            return rounds_of_bracket(len(self.seeds), self.setup["bracket"])
        if wanted is None and self.by_results:
            return usual_rounds(len(self.entrants), FORMATS[self.setup["format"]])
        return wanted or 0

    @property
    def seeds(self) -> tuple[int, ...]:
        """Who takes part in a knock-out, in the order of its tree: as in its groups; else as the director ordered them,
        and who came later after them; else as `usual_seeds`. It stays once a round is seated."""
        if self.seeded:
            return self.seeded
        if self.groups:
            trees = (group.entrants for group in self.groups if self._is_tree(group))
            return tuple(each for entrants in trees for each in entrants if each not in self.withdrawn)
        ordered = [entrant for entrant in self.by_hand if entrant in self.taking_part]
        return (*ordered, *(entrant for entrant in self.usual_seeds if entrant not in ordered))

    @property
    def can_change_ways(self) -> bool:
        """Whether it is between the beginning of the finals and their first round."""
        return bool(self.earlier) and not self.begun and not self.closed

    def final_to_begin(self, number: int) -> Group:
        """The final with this number, from 0. Impossible "no-such-group", "final-begun" once somebody of it is in a
        round."""
        if not (self.earlier and 0 <= number < len(self.groups)):
            raise Impossible("no-such-group")
        final = self.groups[number]
        if not frozenset(final.entrants).isdisjoint(self._numbers_in(self.rounds[self.rounds_before :])):
            raise Impossible("final-begun")
        return final

    @property
    def order(self) -> Sequence[str]:
        """The criteria of this stage; of a knock-out, which needs none, those of the last stage that has some."""
        setups = (self.setup, *(stage.setup for stage in reversed(self.earlier)))
        return next((setup["order"] for setup in setups if setup["order"]), [])

    @property
    def wants_groups(self) -> bool:
        """Whether groups are to be drawn next. Rounds that are planned for everybody are played without groups."""
        return bool(self.setup["in_groups"]) and not (self.groups or self.plan or self.rounds or self.free_play)

    @property
    def decided(self) -> Mapping[frozenset[int], Advance]:
        """What was decided in this stage about who goes on, by the entrants who were equal."""
        return {frozenset(each.entrants): each for each in self.advances if each.stage == len(self.earlier)}

    @property
    def usual_seeds(self) -> tuple[int, ...]:
        """Who takes part: by strength, or by lots."""
        if self.setup["first_by_lots"]:
            return by_lots(self.setup["lots"], self.taking_part)
        return self.by_strength

    @property
    def by_strength(self) -> tuple[int, ...]:
        """Those who take part, by rating if all have one, else by start number."""
        ratings = {entrant: about.rating for entrant, about in self.about.items() if about.rating is not None}
        if not ratings.keys() >= {*self.taking_part}:
            return self.taking_part
        return tuple(sorted(self.taking_part, key=lambda entrant: -ratings[entrant]))

    def enter(self, entry: Entry) -> Self:
        """Impossible "removed" until that is undone, "nothing-to-undo" for the first setup: there is no tournament
        without one."""
        if self.removed and entry["kind"] != "undo":
            raise Impossible("removed")
        if entry["kind"] == "undo" and not self.can_undo:
            raise Impossible("nothing-to-undo")
        return super().enter(entry)

    @property
    def can_undo(self) -> bool:
        return self.before is not None and bool(self.before.setup)

    @property
    def taking_part(self) -> tuple[int, ...]:
        """The start numbers of those who play in this stage and have not left."""
        return self._of_this_stage(but=self.withdrawn)

    @property
    def no_longer_drawn(self) -> frozenset[int]:
        """The start numbers of those who have left and get no table. The tree of a knock-out that has begun keeps them:
        they lose the tables that come."""
        return self.withdrawn.difference(self.seeded)

    def walk_over(self, pairing: Pairing) -> frozenset[int]:
        sides = enumerate(self.sides_of(pairing.game, pairing.players)) if self.seeded else ()
        return frozenset(at for at, side in sides if not self.withdrawn.intersection(self.seeded).isdisjoint(side))

    def can_return(self, entrant: int) -> bool:
        """Whether somebody who has left can come back: nobody gets into the tree of a knock-out once it has begun."""
        return not self.seeded or entrant in self.seeded or not self.in_tree(entrant)

    def in_tree(self, entrant: int) -> bool:
        """Whether it is a knock-out that the entrant plays in this stage."""
        return bool(self.stage.setup_with(entrant)["system"] == KNOCK_OUT)

    def _is_tree(self, group: Group) -> bool:
        return bool(group.own.get("system", self.setup["system"]) == KNOCK_OUT)

    @property
    def movable(self) -> tuple[int, ...]:
        """Who takes part and can still play in another group: those who are in no round of this stage."""
        seated = {*self._numbers_in(self.rounds[self.rounds_before :])}
        return tuple(number for number in self.taking_part if self.groups and number not in seated)

    def _numbers_in(self, rounds: Iterable[Round]) -> Iterator[int]:
        return (self.numbers[player] for each in rounds for player in (*each.players, *each.byes))

    @property
    def next_to_draw(self) -> int:
        """The number of the next round that is drawn from the results; 0 if the setup asks for no more. A knock-out may
        be over before: a round that was played again makes it longer."""
        more = self.knock_out or len(self.rounds) < self.rounds_wanted
        return len(self.rounds) + 1 if self.by_results and more else 0

    @property
    def rounds_left(self) -> int:
        """How many rounds of the schedule are to come; in a Swiss tournament, of those that the setup asks for."""
        return max(len(self.plan), self.rounds_wanted - len(self.rounds) if self.by_results else 0)

    @property
    def rounds_announced(self) -> int:
        """How many rounds everybody knows of. The first round that is seated says of how many it is; before that a
        schedule is a secret until it is released, and only the setup is known. 0 if that does not say it. Once the
        tournament is over, no more rounds follow."""
        if self.closed:
            return len(self.rounds)
        if self.by_results:
            return max(self.rounds_in_all(public=False), self.rounds_wanted)
        if self.rounds:
            return self.rounds_in_all(public=False)
        return self.rounds_in_all(public=True) or self.rounds_wanted

    @property
    def fewest(self) -> int:
        """How many entrants a table needs."""
        return FORMATS[self.setup["format"]].sizes[0]

    def round_to_come(self, number: int, *, public: bool) -> Round:
        """The round with this number at its tables; `public`: as it was released. The only way from a table of the
        plan to the number that stands on it."""
        rounds, tables = (self.published, self.public_tables) if public else (self.scheduled, self.tables)
        return self.round_of(rounds[number - len(self.rounds) - 1], tables)

    def number_of(self, pairing: Pairing) -> int:
        return free_play.round_of(self.rounds, pairing) if self.free_play else super().number_of(pairing)

    def sides_of(self, game: str, players: Sequence[int]) -> list[list[int]]:
        """The start numbers of the entrants of each side, for players by seat."""
        numbers = self.numbers
        sides = GAMES[game].sides(len(players))
        return [list(dict.fromkeys(numbers[players[seat]] for seat in side)) for side in sides]

    def pairing_at(self, number: int, table: int) -> Pairing:
        """The table of a seated round. Impossible "no-such-table"."""
        if not 0 < number <= len(self.rounds):
            raise Impossible("no-such-table")
        for pairing in self.rounds[number - 1].pairings:
            if pairing.table == table:
                return pairing
        raise Impossible("no-such-table")

    def newest_round_of(self, entrant: int) -> int:
        """The number of the last round with a table of this entrant; 0 without one."""
        players = {*self.entrants.get(entrant, ())}
        sat = (
            number
            for number, each in enumerate(self.rounds, 1)
            for table in each.pairings
            if players & {*table.players}
        )
        return max(sat, default=0)

    def met_before(self, number: int, players: Collection[int]) -> Iterator[tuple[int, Pairing]]:
        """The tables of exactly these players in the rounds of its stage before this one, the newest first."""
        before = next((before for before, stage in self.stages if number <= before + stage.rounds), self.rounds_before)
        for earlier in range(number - 1, before, -1):
            for pairing in self.rounds[earlier - 1].pairings:
                if {*pairing.players} == {*players}:
                    yield earlier, pairing

    def absent_at(self, number: int, table: int) -> frozenset[int]:
        """The sides at a table of a round, by index, that did not come."""
        return self.forfeits.get((number, table), frozenset())

    AFTER_THE_END = frozenset({"remove", "result", "manual", "category", "remove-category"})

    @property
    def stages(self) -> Iterator[tuple[int, Stage]]:
        """The earlier stages and this one, each with the number of rounds before it."""
        before = 0
        for stage in (*self.earlier, self.stage):
            yield before, stage
            before += stage.rounds

    def stage_of(self, number: int) -> Stage:
        """The stage to which the round with this number belongs; one that is not seated yet belongs to this one."""
        return next((stage for before, stage in self.stages if number <= before + stage.rounds), self.stage)

    def group_at(self, number: int, players: Sequence[int]) -> str:
        """The name of the group or final to which a table of these players belongs, in the round with this number; ""
        where there are none."""
        if not (self.groups or self.earlier):
            return ""
        entrant = self.numbers[players[0]]
        groups = self.stage_of(number).groups
        name = next((group.name for group in groups if entrant in group.entrants), MAIN)
        return "" if name == MAIN else name

    @property
    def fields(self) -> list[Self]:
        """Who meets only each other in this stage, each as a tournament of its own: the groups, or everybody."""
        stage, before = self.stage, self.rounds_before
        return [self.within(group, stage, before) for group in self.groups] or [self]

    def field_with(self, number: int, entrant: int) -> Self:
        """Who meets only each other in the stage of the round with this number, and has this entrant among them."""
        if not (self.groups or self.earlier):
            return self
        found = self.stage_of(number)
        before = next(before for before, stage in self.stages if stage == found)
        (group,) = (group for group in found.groups if entrant in group.entrants)
        return self.within(group, found, before)

    def within(self, group: Group, stage: Stage, before: int) -> Self:
        """A group in a stage as a tournament of its own. Its rounds begin after the first `before` of the whole
        tournament, and have their numbers from 1 here. Rounds at the end in which nobody of it is are left out."""
        here = frozenset(group.entrants)
        entrants = {number: self.entrants[number] for number in sorted(here)}
        players = frozenset(player for each in entrants.values() for player in each)
        over = before < self.rounds_before
        rounds = [each.among(players) for each in self.rounds[before : before + stage.rounds]]
        while rounds and not rounds[-1].players:
            rounds.pop()
        last = before + len(rounds)
        wishes = (wish.after(before) for wish in self.wishes if wish.what != "meet" or here.issuperset(wish.entrants))
        setup = {**stage.setup, **group.own}
        return replace(
            self,
            setup=setup,
            entrants=entrants,
            groups=(),
            earlier=(),
            carried={entrant: points for entrant, points in stage.carried.items() if entrant in here},
            withdrawn=self.withdrawn & here,
            here=tuple(player for player in self.here if player in players),
            came=tuple(player for player in self.came if player in players),
            rounds=tuple(rounds),
            draft=self.draft.among(players) if self.draft and not over else None,
            plan=() if over else self._among(self.plan, here),
            later=() if over else self._among(self.later, here),
            published=() if over else self._among(self.published, here),
            changed=frozenset(),
            proposal=None,
            wishes=tuple(wish for wish in wishes if wish),
            forfeits={
                (at - before, table): sides for (at, table), sides in self.forfeits.items() if before < at <= last
            },
            penalties=tuple(
                replace(each, round=each.round - before)
                for each in self.penalties
                if each.entrant in here and before < each.round and not (over and each.round > before + stage.rounds)
            ),
            noted=(),
            finals=frozenset((at - before, table) for at, table in self.finals if before < at <= last),
            asked=tuple(each & here for each in self.asked[before:last]),
            seeded=tuple(entrant for entrant in group.entrants if over or self.seeded or entrant not in self.withdrawn)
            if setup["system"] == KNOCK_OUT
            else (),
            manual=tuple(entrant for entrant in stage.manual if entrant in here),
            advances=(),
            categories=(),
            closed=self.closed or over,
        )

    # --- the steps -----------------------------------------------------------------------------------------
    def _set_up(self, entry: Entry) -> Self:
        """Impossible "begun" if something of FIXED changes after the first round is seated, "entrants-of-other-size"
        if the entrants cannot play like that. The schedule of another game or format is given up."""
        setup = {**USUAL, **{name: value for name, value in entry.items() if name != "kind"}}
        if self.rounds and any(setup[name] != self.setup[name] for name in fixed(self.setup, begun=self.begun)):
            raise Impossible("begun")
        wanted = setup["rounds"]
        after = replace(self, setup=setup)
        fewest = max((field.rounds_in_all(public=False) for field in after.fields if field.setup == setup), default=0)
        if setup["system"] == SWISS and wanted is not None and wanted < fewest:
            raise Impossible("too-few-rounds")
        if after.groups and after.free_play:
            raise Impossible("free-play")
        after._must_have_size(self.taking_part)
        if self.setup and any(setup[name] != self.setup[name] for name in SHAPE):
            return after._without_plan()
        return after

    def _enter(self, entry: Entry) -> Self:
        """Adds ``entrants`` (a list of players for each) under the next start numbers, or under these ``numbers``;
        ``about`` has for each what is known. Where there are groups, they join the smallest ones. Impossible
        "entered-twice", "finals" once the first stage is over, and "bracket-begun" in a knock-out that has."""
        if self.earlier:
            raise Impossible("finals")
        if self.seeded:
            raise Impossible("bracket-begun")
        numbers = entry.get("numbers") or count(max(self.entrants, default=0) + 1)
        new = {number: tuple(players) for number, players in zip(numbers, entry["entrants"], strict=False)}
        known = {number: About(**about) for number, about in zip(new, entry.get("about", ()), strict=False)}
        everybody = [player for players in (*self.entrants.values(), *new.values()) for player in players]
        if len(set(everybody)) < len(everybody) or not self.entrants.keys().isdisjoint(new):
            raise Impossible("entered-twice")
        groups = joined(self.groups, new)
        after = replace(self, about={**self.about, **known}, groups=groups)
        return after._with_entrants({**self.entrants, **new}, self.withdrawn)

    def _remove_entrant(self, entry: Entry) -> Self:
        """Before the first round, takes out an ``entrant`` who was entered by mistake. The others keep their start
        numbers; a schedule with this one is given up. Impossible "not-entered" or "begun"."""
        (entrant,) = self._known([entry["entrant"]])
        if self.rounds:
            raise Impossible("begun")
        left = {number: players for number, players in self.entrants.items() if number != entrant}
        after = replace(self, groups=tuple(group.without(entrant) for group in self.groups))
        after = after._with_entrants(left, self.withdrawn - {entrant})
        came = tuple(player for player in after.came if player in after.numbers)
        about = {number: each for number, each in self.about.items() if number != entrant}
        wishes = tuple(wish for wish in self.wishes if entrant not in wish.entrants)
        penalties = tuple(each for each in self.penalties if each.entrant != entrant)
        categories = tuple(Category(name, theirs - {entrant}) for name, theirs in self.categories)
        after = replace(after, came=came, about=about, wishes=wishes, penalties=penalties, categories=categories)
        rounds = (*self.plan, *self.published)
        planned = {number for seated, byes in rounds for table in (*seated, byes) for number in table}
        return after._without_plan() if entrant in planned else after

    def _replace_players(self, entry: Entry) -> Self:
        """Before the first round, an ``entrant`` gets other ``players``. A draft is given up. Impossible "not-entered",
        "begun", "entered-twice" or "entrants-of-other-size"."""
        (entrant,) = self._known([entry["entrant"]])
        if self.rounds:
            raise Impossible("begun")
        entrants = {**self.entrants, entrant: tuple(entry["players"])}
        everybody = [player for players in entrants.values() for player in players]
        if len(set(everybody)) < len(everybody):
            raise Impossible("entered-twice")
        after = replace(self, draft=None)._with_entrants(entrants, self.withdrawn)
        after._must_have_size([entrant])
        return replace(after, came=tuple(player for player in after.came if player in after.numbers))

    def _withdraw(self, entry: Entry) -> Self:
        """Removes entrants. Their tables in the draft are given up, because nobody else can take a place in a
        schedule. In a knock-out that has begun they lose these tables (``lost``: the round, the number and the sides of
        each, by index), and those that come. Impossible "not-entered" or "no-such-table"."""
        gone = self._known(entry["entrants"])
        after = replace(self, resting=self.resting - gone)
        for number, table, sides in entry.get("lost", ()):
            after = after._with_absent(number, table, after.absent_at(number, table).union(sides))
        return after._with_entrants(self.entrants, self.withdrawn | gone)

    def _rest(self, entry: Entry) -> Self:
        """Entrants take a break from free play. Impossible "not-entered"."""
        gone = self._known(entry["entrants"])
        return replace(self, resting=self.resting | gone, draft=self._draft_without(self._players(sorted(gone))))

    def _play_on(self, entry: Entry) -> Self:
        """The end of their break. Impossible "not-entered"."""
        return replace(self, resting=self.resting - self._known(entry["entrants"]))

    def _start(self, entry: Entry) -> Self:
        """In free play, a ``pairing`` plays."""
        pairing = Pairing.of(entry["pairing"])
        return replace(self, draft=self._draft_without(pairing.players))._with_tables([pairing])

    def _return(self, entry: Entry) -> Self:
        """Impossible "entrants-of-other-size" if the setup has changed meanwhile, "bracket-begun" in a knock-out that
        began without them."""
        back = self._known(entry["entrants"])
        if not all(map(self.can_return, back)):
            raise Impossible("bracket-begun")
        self._must_have_size(back)
        ungrouped = back.difference(*(group.entrants for group in self.groups)) if not self.earlier else ()
        after = replace(self, groups=joined(self.groups, sorted(ungrouped)))
        return after._with_entrants(self.entrants, self.withdrawn - back)

    def _exchange(self, entry: Entry) -> Self:
        """Two ``entrants`` swap places in a ``round`` to come; one of them may have a bye. Impossible "round-over" or
        "not-in-the-round", "other-group", and "knock-out" where the tree says who meets whom."""
        if any(map(self.in_tree, entry["entrants"])):
            raise Impossible("knock-out")
        self._must_be_of_one_group(self.groups, entry["entrants"])
        at, (one, other) = entry["round"] - len(self.rounds) - 1, entry["entrants"]
        if not 0 <= at < len(self.plan):
            raise Impossible("round-over")
        instead = {one: other, other: one}
        seated, byes = self.plan[at]
        if not {one, other} <= {*byes, *(entrant for table in seated for entrant in table)} or one == other:
            raise Impossible("not-in-the-round")
        tables = tuple(tuple(instead.get(entrant, entrant) for entrant in table) for table in seated)
        changed = Seating(tables, tuple(sorted(instead.get(entrant, entrant) for entrant in byes)))
        after = self._with_plan((*self.plan[:at], changed, *self.plan[at + 1 :]))
        if self.draft and self.by_results:  # the round that was drawn is drafted again, at the same tables
            after = replace(after, draft=after.next_round([each.table for each in self.draft.pairings]))
        return after

    def _seeds(self, entry: Entry) -> Self:
        """The director's order of all ``entrants`` who take part replaces the earlier one; none: seeds are as usual. In
        groups, it is the order within each. A round that was drawn from others is given up. Impossible "not-seeds", and
        "begun" in a knock-out that has."""
        if self.seeded:
            raise Impossible("begun")
        ordered = tuple(entry["entrants"])
        if not self.knock_out or ((ordered or self.groups) and sorted(ordered) != sorted(self.seeds)):
            raise Impossible("not-seeds")
        groups = tuple(group.among(ordered) if self._is_tree(group) else group for group in self.groups)
        return replace(self, groups=groups, by_hand=() if groups else ordered)._without_plan()

    def _seat(self, entry: Entry) -> Self:
        """A seated round is no longer to come. ``finals``: the tables of a knock-out at which one is played. The log of
        an import names who ``asked`` not to play in it, and has the ``whole`` rounds of free play."""
        if self.free_play and "whole" not in entry:
            return replace(self, draft=None)._with_tables(self._drawn().pairings)
        after = Program._seat(self, entry)
        there = {self.numbers[player] for player in after.rounds[-1].players}
        asked = frozenset(entry.get("asked") or self.away(len(after.rounds))) - there
        seeds = self.seeds if self.knock_out else ()
        for pairing in after.rounds[-1].pairings:
            after = after._with_absent(len(after.rounds), pairing.table, self.walk_over(pairing))
        return replace(
            after,
            asked=(*self.asked, asked),
            finals=self.finals.union((len(after.rounds), table) for table in entry.get("finals", ())),
            seeded=seeds,
            groups=tuple(group.among(seeds) if self._is_tree(group) else group for group in self.groups),
            plan=self.plan[1:],
            published=self.published[1:],
            proposal=None,
            changed=self.changed | self._other_than_public(self.plan[:1]),
        )

    def _reseat(self, entry: Entry) -> Self:
        """Two ``entrants`` swap places in a seated ``round``; one of them may have a bye, and in a knock-out be out. If
        they play again "as-drawn" (``how``), the round stays as it is. Impossible "no-such-round", "not-in-the-round"
        or "other-group"."""
        at, (one, other) = entry["round"] - 1, entry["entrants"]
        if not 0 <= at < len(self.rounds):
            raise Impossible("no-such-round")
        stage = self.stage_of(at + 1)
        self._must_be_of_one_group(stage.groups, entry["entrants"])
        numbers, was = self.numbers, self.rounds[at]
        seated = [player for pairing in was.pairings for player in pairing.players]
        byes = [*dict.fromkeys(numbers[player] for player in was.byes)]
        at_tables = {numbers[player] for player in seated}
        in_tree = stage.setup_with(one)["system"] == KNOCK_OUT
        out = [entrant for group in stage.groups for entrant in group.entrants] if in_tree else []
        if one == other or not {one, other} <= {*byes, *at_tables, *out} or at_tables.isdisjoint((one, other)):
            raise Impossible("not-in-the-round")
        if entry["how"] == "as-drawn":
            return self
        theirs = [
            [player for player in seated if numbers[player] == entrant] or self.entrants[entrant][: self.setup["size"]]
            for entrant in (one, other)
        ]
        swapped = {one: other, other: one}
        now = was.with_others(dict(zip([*theirs[0], *theirs[1]], [*theirs[1], *theirs[0]], strict=True)))
        now = replace(now, byes=self._players(swapped.get(entrant, entrant) for entrant in byes))
        return replace(self, rounds=(*self.rounds[:at], now, *self.rounds[at + 1 :]))

    def _forfeit(self, entry: Entry) -> Self:
        """The ``absent`` sides of a table did not come; none: they came after all. Impossible "no-such-table"."""
        return self._with_absent(entry["round"], entry["table"], frozenset(entry["absent"]))

    def _remove(self, entry: Entry) -> Self:
        return replace(self, removed=True)

    def _at_table(self, entry: Entry) -> Self:
        """What happened at a table, or with its clock, is in the log of its match. Impossible "no-such-table"."""
        self.pairing_at(entry["round"], entry["table"])
        return self

    def _result(self, entry: Entry) -> Self:
        """A result typed at the desk. Impossible "no-such-table". Earlier versions noted one in place of another here,
        with its time; now the log of the match has it."""
        after = self._at_table(entry)
        if "at" not in entry:
            return after
        return replace(after, noted=(*self.noted, Noted.of(entry)))

    def _corrections(self, entry: Entry) -> Self:
        """Corrections of an imported tournament, from before its import."""
        return replace(self, noted=(*self.noted, *map(Noted.of, entry["noted"])))

    def _advance(self, entry: Entry) -> Self:
        """Equal ``entrants`` go on to the finals in this order, by ``lots`` with this word, or for the reason ``why``.
        Impossible "not-entered" or "decided"."""
        if self._known(entry["entrants"]) in self.decided:
            raise Impossible("decided")
        entrants = tuple(entry["entrants"])
        advance = Advance(len(self.earlier), entrants, entry.get("lots", ""), entry.get("why", ""))
        return replace(self, advances=(*self.advances, advance))

    def _group(self, entry: Entry) -> Self:
        """Everybody who takes part is in one of these ``groups``; none: there are no groups, and none are meant. Gives
        up the rounds to come. Impossible "begun", "finals", "twice-in-groups", "not-entered", "in-no-group",
        "small-group" or "same-name"."""
        groups = tuple(map(Group.of, entry["groups"]))
        if groups and self.free_play:
            raise Impossible("free-play")
        if self.earlier:
            raise Impossible("finals")
        if self.rounds:
            raise Impossible("begun")
        self._must_be_groups(groups)
        in_groups = bool(groups) and self.setup["in_groups"]
        after = replace(self, groups=groups, setup={**self.setup, "in_groups": in_groups})
        if groups and not {*self.taking_part} <= {*after.taking_part}:
            raise Impossible("in-no-group")
        return after._with_entrants(after.entrants, after.withdrawn)._without_plan()

    def _move(self, entry: Entry) -> Self:
        """An ``entrant`` who is in no round of this stage yet plays in the ``group`` with this number, from 0. Their
        tables in rounds to come are given up. Impossible "bracket-begun" in a knock-out that has, "not-entered",
        "no-such-group", "has-played" or "small-group"."""
        (entrant,) = self._known([entry["entrant"]])
        if self.seeded:
            raise Impossible("bracket-begun")
        if not 0 <= entry["group"] < len(self.groups):
            raise Impossible("no-such-group")
        if entrant not in self.movable:
            raise Impossible("has-played")
        groups = [group.without(entrant) for group in self.groups]
        groups[entry["group"]] = groups[entry["group"]].with_late(entrant)
        self._must_be_large_enough(groups)
        plan = tuple(each.without({entrant}) for each in self.plan)
        return replace(self, groups=tuple(groups), proposal=None)._with_plan(plan)

    def _next_stage(self, entry: Entry) -> Self:
        """A new stage begins with these ``groups``, played by this ``setup`` unless they have their ``own``; whoever is
        in none of them has ended. ``carried``: the points that they bring along. Rounds that are not seated are given
        up. Impossible "not-begun", and as `_group`."""
        groups = tuple(map(Group.of, entry["groups"]))
        setup = {**self.setup, **entry["setup"]}
        if not self.begun:
            raise Impossible("not-begun")
        for group in groups:
            self._must_be_a_way({**setup, **group.own})
        if not groups:
            raise Impossible("in-no-group")
        carried = dict(entry["carried"])
        after = replace(self._without_plan(), earlier=(*self.earlier, self.stage), setup=setup, groups=groups)
        after._must_be_groups(groups)
        after = replace(after, carried=carried, seeded=(), by_hand=(), manual=(), wishes=())
        return after._with_entrants(after.entrants, after.withdrawn)

    def _way(self, entry: Entry) -> Self:
        """The final with this number (``group``, from 0) is played in its ``own`` way; without one, as its stage. A
        knock-out counts no points that were brought along. Rounds to come are given up. Impossible "no-such-group",
        "final-begun" once somebody of it is in a round, and as `_next_stage`."""
        final = replace(self.final_to_begin(entry["group"]), own=entry["own"])
        self._must_be_a_way({**self.setup, **final.own})
        self._must_be_large_enough([final])
        groups = tuple(final if at == entry["group"] else group for at, group in enumerate(self.groups))
        lost = final.entrants if self._is_tree(final) else ()
        carried = {entrant: points for entrant, points in self.carried.items() if entrant not in lost}
        return replace(self, groups=groups, carried=carried)._without_plan()

    def _clock(self, entry: Entry) -> Self:
        """The clocks of a round, or that of one ``table``. Impossible "no-such-table"."""
        if not 0 < entry["round"] <= len(self.rounds):
            raise Impossible("no-such-table")
        return self if entry["table"] is None else self._at_table(entry)

    def _no_show(self, entry: Entry) -> Self:
        return replace(self, no_show_after=entry["minutes"])

    # --- their parts ---------------------------------------------------------------------------------------
    def _with_absent(self, number: int, table: int, absent: frozenset[int]) -> Self:
        """With these sides of a table, by index, absent. Impossible "no-such-table"."""
        place, pairing = (number, table), self.pairing_at(number, table)
        if not absent <= frozenset(range(len(self.sides_of(pairing.game, pairing.players)))):
            raise Impossible("no-such-table")
        others = {each: sides for each, sides in self.forfeits.items() if each != place}
        return replace(self, forfeits={**others, place: absent} if absent else others)

    def _of_this_stage(self, *, but: frozenset[int]) -> tuple[int, ...]:
        """The start numbers of those who play in this stage, without some."""
        here = {entrant for group in self.groups for entrant in group.entrants} if self.groups else self.entrants
        return tuple(number for number in self.entrants if number in here and number not in but)

    def _must_be_groups(self, groups: Sequence[Group]) -> None:
        """Impossible "twice-in-groups", "not-entered", "small-group", or "same-name" as another group, also of an
        earlier stage."""
        named = [entrant for group in groups for entrant in group.entrants]
        if len(self._known(named)) < len(named):
            raise Impossible("twice-in-groups")
        self._must_be_large_enough(groups)
        names = [group.name for group in (*(each for stage in self.earlier for each in stage.groups), *groups)]
        if len(set(names)) < len(names):
            raise Impossible("same-name")

    def _must_be_large_enough(self, groups: Iterable[Group]) -> None:
        """Impossible "small-group" if too few for a table are left in one."""
        for group in groups:
            format = FORMATS[{**self.setup, **group.own}["format"]]
            if len({*group.entrants} - self.withdrawn) < format.sizes[0]:
                raise Impossible("small-group")

    def _must_be_a_way(self, setup: Mapping[str, Any]) -> None:
        """Impossible "begun" or "free-play" for what no later stage can be."""
        if any(setup[name] != self.setup[name] for name in ALWAYS_FIXED):
            raise Impossible("begun")
        if setup["system"] == FREE:
            raise Impossible("free-play")

    @staticmethod
    def _must_be_of_one_group(groups: Sequence[Group], entrants: Iterable[int]) -> None:
        """Impossible "other-group"."""
        if len({group.name for group in groups for entrant in entrants if entrant in group.entrants}) > 1:
            raise Impossible("other-group")

    def _must_have_size(self, entrants: Iterable[int]) -> None:
        """Impossible "entrants-of-other-size" unless each of them has the players that sit at a table; a team may have
        more."""
        size, teams = self.setup["size"], self.setup["teams"]
        for entrant in entrants:
            players = len(self.entrants[entrant])
            if players < size or (players > size and not teams):
                raise Impossible("entrants-of-other-size")

    def _with_entrants(self, entrants: Mapping[int, tuple[int, ...]], withdrawn: frozenset[int]) -> Self:
        after = replace(self, entrants=entrants, withdrawn=withdrawn)
        playing = after._of_this_stage(but=after.no_longer_drawn)
        here = tuple(player for number in playing for player in entrants[number])
        draft = self._draft_without(sorted((self.draft.players if self.draft else frozenset()) - set(here)))
        came = tuple(dict.fromkeys((*self.came, *here)))
        after = replace(self, entrants=entrants, withdrawn=withdrawn, here=here, came=came, draft=draft)
        return replace(after, proposal=None)

    def _draft_without(self, players: Iterable[int]) -> Round | None:
        """Their tables in the draft are given up."""
        draft = self.draft
        for player in players:
            draft = draft and draft.giving_up(player)
        return draft

    def _with_tables(self, pairings: Iterable[Pairing]) -> Self:
        """With these tables of free play."""
        rounds = free_play.with_tables(self.rounds, pairings)
        nobody: tuple[frozenset[int], ...] = (frozenset(),) * (len(rounds) - len(self.rounds))
        return replace(self, rounds=rounds, asked=(*self.asked, *nobody))

    STEPS = {
        **Planned.STEPS,
        "setup": _set_up,
        "enter": _enter,
        "remove-entrant": _remove_entrant,
        "replace-players": _replace_players,
        "withdraw": _withdraw,
        "return": _return,
        "rest": _rest,
        "play-on": _play_on,
        "start": _start,
        "exchange": _exchange,
        "seeds": _seeds,
        "seat": _seat,
        "reseat": _reseat,
        "forfeit": _forfeit,
        "remove": _remove,
        "clock": _clock,
        "result": _result,
        "corrections": _corrections,
        "advance": _advance,
        "group": _group,
        "move": _move,
        "stage": _next_stage,
        "way": _way,
        "end": _at_table,
        "next-match": _at_table,
        "no-show": _no_show,
    }


def by_lots(word: str, entrants: Iterable[int]) -> tuple[int, ...]:
    """The entrants in the order of the lots with this word, as in the standings (docs/tournament.md)."""
    return tuple(sorted(entrants, key=lambda entrant: sha256(f"{word}:{entrant}".encode()).hexdigest()))
