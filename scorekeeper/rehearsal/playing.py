"""Plays the rounds of a stage on a day: draws them as the desk does, lets the stronger side win more often, and lets
things go wrong."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from scorekeeper.pairing.knock_out import NextGame, NextGames
from scorekeeper.pairing.pairing import paired
from scorekeeper.rehearsal.lengths import MINUTE
from scorekeeper.rehearsal.programme import Programme, is_open, people
from scorekeeper.rehearsal.timetable import Contest
from scorekeeper.standings.tournament import Kind, Round, Stage, System, Table

WAITING = 15 * MINUTE
"""How long a table waits for somebody, before the desk notes that they did not come."""
LATEST = 40
"""Minutes after the start of a round at which a late entrant arrives at the latest."""
SETTLING = 10 * MINUTE
"""How long it takes to settle a disputed result."""
NEW_STRENGTH = range(1300, 1701)
"""The strength of somebody without a rating."""
FORM = 350
"""How much better or worse than their strength a side can be. So 400 points more win ten of eleven matches."""
BEST_TOTAL = 100
MOST_ROUNDS = 1000


class What(StrEnum):
    """What went wrong."""

    LATE = "late"
    """Their table waited for them."""
    MISSED = "missed"
    """They arrived too late for their table, and lost it."""
    ENTERED_LATE = "entered-late"
    """They were not drawn before they arrived."""
    NO_SHOW = "no-show"
    """They never came."""
    WRONG = "wrong"
    """A result was typed the wrong way round, and corrected a round later."""
    DISPUTED = "disputed"


ARRIVALS = (What.LATE, What.MISSED, What.ENTERED_LATE)
"""What happens to somebody who is late."""


class Trouble(NamedTuple):
    what: What
    round: int
    """From 1, among all rounds of the stage."""
    table: int | None = None
    """Its place in the round, from 0."""
    entrant: int | None = None
    seconds: int = 0
    """After the round began, somebody arrives."""


class Troubles(NamedTuple):
    """How many things of each kind go wrong."""

    late: int = 0
    no_shows: int = 0
    wrong: int = 0
    disputed: int = 0

    def without(self, others: "Troubles") -> "Troubles":
        """Those of these that are not among the others."""
        return Troubles(*(max(one - other, 0) for one, other in zip(self, others, strict=True)))


class Board(NamedTuple):
    """What a board of a meeting of teams is worth, in whole points."""

    won: int
    lost: int


class Ended(NamedTuple):
    table: Table
    """With its result."""
    matches: int
    """How many were played there."""


class PlayedRound(NamedTuple):
    number: int
    """From 1, among all rounds of the stage."""
    contests: Mapping[int, Contest]
    """Those that were played on this day, by the place of their table in the round."""


@dataclass(frozen=True)
class Part:
    """What was played of a stage on a day."""

    programme: Programme
    stage: Stage
    """With all rounds and results."""
    rounds: tuple[PlayedRound, ...]
    """Those that were played on this day."""
    troubles: tuple[Trouble, ...]

    @property
    def gone(self) -> frozenset[int]:
        """Who never came."""
        return _noticed(self.troubles)


def play(
    programme: Programme,
    sample: Sequence[int],
    troubles: Troubles,
    chance: random.Random,
    *,
    boards: Sequence[Board] = (),
    effort: int = 1,
) -> Part:
    """A stage on one day. Matches take a length of the `sample`, in seconds. With `boards`, they are meetings of teams
    at these. Where the best round is not known at once, the desk searches; `effort` is the number of reports of this
    search."""
    return _Playing(programme, sample, troubles, chance, boards, effort).part()


def shared(troubles: Troubles, places: int, chance: random.Random) -> list[Troubles]:
    """The troubles of each of several `places`: every one happens at a single place, chosen by lot."""
    at = [[chance.randrange(places) if places > 1 else 0 for _ in range(number)] for number in troubles]
    return [Troubles(*(each.count(place) for each in at)) for place in range(places)]


@dataclass
class _Playing:
    programme: Programme
    sample: Sequence[int]
    wanted: Troubles
    chance: random.Random
    boards: Sequence[Board]
    effort: int
    rounds: list[Round] = field(default_factory=list)
    played: list[PlayedRound] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    arrivals: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By late entrant: in which round of the day they arrive, from 0, and how many seconds after its beginning."""
    absent: tuple[int, ...] = ()
    """Who never comes."""
    typed: Round | None = None
    """The round before as it was typed, if a result of it is wrong."""

    def part(self) -> Part:
        stage = self.programme.stage
        self.strength = {entrant: self._strength(entrant) for entrant in stage.entrants}
        over = sum(not any(map(is_open, each.tables)) for each in stage.rounds)
        expected = max((self.programme.wanted or (len(stage.entrants) - 1).bit_length()) - over, 1)
        self.wrong, self.disputed = (
            [self.chance.randrange(expected) for _ in range(number)]
            for number in (self.wanted.wrong, self.wanted.disputed)
        )
        for number in range(1, MOST_ROUNDS):
            drawn = self._drawn(number)
            if drawn is None:
                break
            if any(map(is_open, drawn.tables)):
                self._play(number, self._with_latecomers(number, drawn))
            else:
                self.rounds.append(drawn)
        after = replace(stage, rounds=tuple(self.rounds), next=Round())
        return Part(self.programme, after, tuple(self.played), tuple(self.troubles))

    # --- who plays whom --------------------------------------------------------------------------------------
    def _drawn(self, number: int) -> Round | None:
        """None after the last round."""
        programme = self.programme
        seated = len(programme.stage.rounds)
        known = (*programme.stage.rounds, *programme.to_come)
        if number <= len(known):
            gone = self._gone if number > seated else ()
            return _without(known[number - 1], gone)
        if not programme.by_results or 0 < programme.wanted < number:
            return None
        drawn = self._next(self._gone)
        return drawn if drawn.tables else None

    @property
    def _gone(self) -> frozenset[int]:
        """Who has left: they did not come to their first table. Somebody with a bye is not missed before they have
        one."""
        return _noticed(self.troubles)

    def _next(self, missing: Collection[int]) -> Round:
        """The next round, as the desk draws it from the results that it knows."""
        stage, rounds = self.programme.stage, self.rounds
        if self.typed:
            rounds = [*rounds[:-1], self.typed]
        settled = stage.next if len(rounds) == len(stage.rounds) else Round(unplayed=_left(stage.next))
        tables = tuple(table for table in settled.tables if {*people(table)}.isdisjoint(missing))
        away = {**settled.unplayed, **dict.fromkeys(missing, Kind.ABSENT)}
        stage = replace(stage, rounds=tuple(rounds), next=Round(tables, away))
        lots = random.Random(self.chance.getrandbits(64))  # its own, so that no search changes how long matches last
        reports = paired(self.programme.with_stage(stage), stage, lots)
        *_, best = (report.best for report in islice(reports, self.effort))
        if isinstance(best, NextGames):
            gone = {entrant for entrant, kind in away.items() if kind is Kind.ABSENT}
            games = tuple(_table(game, stage, gone) for game in best.tables)
            return Round(games, dict.fromkeys(best.byes, Kind.BYE))
        drawn = tuple(Table(table.sides) for table in best.tables)
        return Round(drawn, {**dict.fromkeys(best.byes, Kind.BYE), **away})

    # --- who comes -------------------------------------------------------------------------------------------
    def _with_latecomers(self, number: int, drawn: Round) -> Round:
        """Before the first round it turns out who is late and who does not come at all. Where rounds are drawn from
        results, those who are not there are not drawn."""
        if not self.played:
            self._miss([each for table in drawn.tables if is_open(table) for each in people(table)])
        if not self._enter_late or number <= len(self.programme.stage.rounds):
            return drawn
        at = len(self.played)
        missing = [
            entrant
            for entrant, (arrives, seconds) in self.arrivals.items()
            if at < arrives or (at == arrives and (at or seconds > WAITING))
        ]
        if not missing:
            return drawn
        self.troubles += [
            Trouble(What.ENTERED_LATE, number, entrant=entrant, seconds=self.arrivals[entrant][1])
            for entrant in missing
            if self.arrivals[entrant][0] == at
        ]
        return self._next([*self._gone, *missing])

    @property
    def _enter_late(self) -> bool:
        return self.programme.stage.system in (System.SWISS, System.FREE)

    def _miss(self, here: Sequence[int]) -> None:
        wanted = min(self.wanted.late + self.wanted.no_shows, len(here))
        chosen = self.chance.sample(list(here), wanted)
        late = chosen[: self.wanted.late]
        self.arrivals = {each: (self.chance.randrange(2), MINUTE * self.chance.randint(1, LATEST)) for each in late}
        self.absent = tuple(chosen[len(late) :])

    def _waits(self, number: int, place: int, table: Table) -> tuple[int, frozenset[int]]:
        """How long a table waits, and which of its sides do not come."""
        at, waits, sides = len(self.played), 0, set(table.absent)
        for side, there in enumerate(table.sides):
            for entrant in there:
                arrives, seconds = self.arrivals.get(entrant, (-1, 0))
                if entrant in self.absent:
                    what, wait = What.NO_SHOW, WAITING
                elif at > arrives:
                    continue
                elif at == arrives and seconds <= WAITING:
                    what, wait = What.LATE, seconds
                else:
                    what, wait = What.MISSED, WAITING
                if what is not What.LATE:
                    sides.add(side)
                waits = max(waits, wait)
                self.troubles.append(Trouble(what, number, place, entrant, seconds if at == arrives else 0))
        return waits, frozenset(sides)

    # --- how it ends -----------------------------------------------------------------------------------------
    def _play(self, number: int, drawn: Round) -> None:
        tables, contests = list(drawn.tables), {}
        for place, table in enumerate(tables):
            if not is_open(table):
                continue
            waits, absent = self._waits(number, place, table)
            table = replace(table, absent=absent)
            played = self._ended(table) if is_open(table) else Ended(table, 0)
            tables[place] = played.table
            matches = tuple(self.chance.choice(self.sample) for _ in range(played.matches))
            contests[place] = Contest(tuple(people(table)), waits, matches, 0)
        at = len(self.played)
        for _ in range(self.disputed.count(at)):
            self._dispute(number, contests, tables)
        done = Round(tuple(tables), drawn.unplayed)
        self.rounds.append(done)
        self.played.append(PlayedRound(number, contests))
        self.typed = self._typed(number, done, contests) if at in self.wrong else None

    def _dispute(self, number: int, contests: dict[int, Contest], tables: Sequence[Table]) -> None:
        if played := [place for place in contests if tables[place].totals and not contests[place].after]:
            place = self.chance.choice(played)
            contests[place] = contests[place]._replace(after=SETTLING)
            self.troubles.append(Trouble(What.DISPUTED, number, place))

    def _typed(self, number: int, done: Round, contests: Collection[int]) -> Round | None:
        """The round with wrong results; None in a knock-out, where they are found before the next round is drawn."""
        tables = list(done.tables)
        places = [place for place in contests if self._can_be_typed_wrongly(tables[place])]
        for place in self.chance.sample(places, min(self.wrong.count(len(self.played) - 1), len(places))):
            tables[place] = replace(tables[place], totals=wrong_way_round(tables[place]))
            self.troubles.append(Trouble(What.WRONG, number, place))
        return None if self.programme.knock_out else Round(tuple(tables), done.unplayed)

    def _can_be_typed_wrongly(self, table: Table) -> bool:
        """Whether a single result turns its totals round: of several matches, the one that decided."""
        if not table.totals:
            return False
        one, *others = [total for total in table.totals if total is not None]
        return self._most(table) == 1 or any(abs(one - other) == 1 for other in others)

    def _most(self, table: Table) -> int:
        return table.best_of or self.programme.stage.best_of

    def _ended(self, table: Table) -> "Ended":
        """The better a side plays in a match, the better its total. No two are equal."""
        most = self._most(table)
        if most > 1:
            return self._series(table, most)
        worst_first = self._match(table)
        if self.boards and len(table.sides) == 2:
            return Ended(self._met(table, more=self._lowest_first(worst_first)[1]), 1)
        totals = sorted(self.chance.sample(range(BEST_TOTAL + 1), len(worst_first)))
        by_side = dict(zip(self._lowest_first(worst_first), totals, strict=True))
        return Ended(replace(table, totals=tuple(by_side.get(side) for side in range(len(table.sides)))), 1)

    def _series(self, table: Table, most: int) -> "Ended":
        """Matches until one side has won most of so many; its total is how many it won."""
        won = [0, 0]
        while 2 * max(won) < most:
            won[self._match(table)[-1]] += 1
        return Ended(replace(table, totals=tuple(self._lowest_first(won))), sum(won))

    def _lowest_first(self, worst_first: list[int]) -> list[int]:
        return worst_first[:: -1 if self.programme.tournament.lower_wins else 1]

    def _match(self, table: Table) -> list[int]:
        """The sides that came, the worst first."""
        came = [side for side in range(len(table.sides)) if side not in table.absent]
        forms = {
            side: sum(self.strength[each] for each in table.sides[side]) // len(table.sides[side])
            + self.chance.randint(-FORM, FORM)
            for side in came
        }
        return sorted(came, key=forms.__getitem__)

    def _met(self, table: Table, more: int) -> Table:
        """A meeting of teams: lots say who wins each board, until the side `more` has more points."""
        points = [0, 0]
        while points[more] <= points[1 - more]:
            won = [self.chance.randrange(2) for _board in self.boards]
            points = [
                sum(worth.won if winner == side else worth.lost for worth, winner in zip(self.boards, won, strict=True))
                for side in (0, 1)
            ]
        return replace(table, totals=tuple(points), boards=tuple((1 - winner, winner) for winner in won))

    def _strength(self, entrant: int) -> int:
        rating = self.programme.tournament.entrants[entrant].rating
        return self.chance.choice(NEW_STRENGTH) if rating is None else rating


def wrong_way_round(table: Table) -> tuple[int | None, ...]:
    """The totals of those who came in reverse order."""
    assert table.totals is not None
    there = iter([total for total in table.totals if total is not None][::-1])
    return tuple(None if total is None else next(there) for total in table.totals)


def _noticed(troubles: Iterable[Trouble]) -> frozenset[int]:
    """Who did not come, as far as a table waited for them."""
    return frozenset(each.entrant for each in troubles if each.what is What.NO_SHOW and each.entrant is not None)


def _table(game: NextGame, stage: Stage, gone: Collection[int]) -> Table:
    """Of a knock-out. Who has left stays in the tree, and loses by forfeit."""
    absent = frozenset(side for side, (entrant,) in enumerate(game.sides) if entrant in gone)
    final = stage.final_best_of if game.final and stage.final_best_of != stage.best_of else 0
    return Table(game.sides, absent=absent, places=game.places, best_of=final or None)


def _left(settled: Round) -> dict[int, Kind]:
    """Who has left, of those who do not play in the next round."""
    return {entrant: kind for entrant, kind in settled.unplayed.items() if kind is Kind.ABSENT}


def _without(drawn: Round, gone: Collection[int]) -> Round:
    """Tables of those who have left are given up; the others there have a bye."""
    kept = tuple(table for table in drawn.tables if not is_open(table) or {*people(table)}.isdisjoint(gone))
    byes = {entrant: Kind.BYE for table in drawn.tables if table not in kept for entrant in people(table)}
    unplayed = {entrant: kind for entrant, kind in {**drawn.unplayed, **byes}.items() if entrant not in gone}
    return Round(kept, unplayed)
