"""What decides about the next round of a stage: who plays, and what each of them brings along.

The terms are those of docs/pairing.md: place, group, met, led, uneven, queue, float.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from math import lcm

from scorekeeper.standings.criteria import CRITERIA
from scorekeeper.standings.exact import Number
from scorekeeper.standings.meetings import Two, meetings
from scorekeeper.standings.ranking import standings
from scorekeeper.standings.results import Results, Turn
from scorekeeper.standings.tournament import Kind, Pairing, Play, Stage, System, Table, Tournament


class Float(IntEnum):
    """Against whom somebody played in a round: somebody with better points is up."""

    DOWN = -1
    NONE = 0
    UP = 1


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays in the next round."""

    entrant: int
    place: int
    """From 1, among all who play."""
    points: int
    """In parts of `Field.unit`. More is better."""
    half: int
    """Half the size of their group, rounded down: how far away their partner in a fold is."""
    queue: int
    """When it is their turn to have a bye: 1 is first."""
    uneven: int
    """How often they led more than their share."""
    led: tuple[bool, ...]
    """Whether they led, table by table."""
    led_last: int
    """The round in which they led last; 0: never."""
    float: Float
    """In the round before."""
    threes: int
    """How often they were one of just three at a table."""
    club: str | None


@dataclass(frozen=True)
class Field:
    """Everybody who plays in the next round of a stage."""

    tournament: Tournament
    stage: Stage
    byes_first: tuple[int, ...] = ()
    """Everybody in the order in which they get a bye, if it does not follow from the rounds."""

    @property
    def round(self) -> int:
        """The number of the next round."""
        return len(self.stage.rounds) + 1

    @property
    def settled(self) -> tuple[Table, ...]:
        """The tables that stand already."""
        return self.stage.next.tables

    @cached_property
    def results(self) -> Results:
        return Results.of(self.tournament, self.stage)

    @cached_property
    def players(self) -> dict[int, Player]:
        """Everybody who plays by their number, the best place first."""
        return {player.entrant: player for player in map(self._player, self._by_place)}

    @cached_property
    def free(self) -> list[int]:
        """Those for whom nothing is settled yet, the best place first."""
        seated = {each for table in self.settled for side in table.sides for each in side}
        return [each for each in self.players if each not in seated and each not in self.stage.next.unplayed]

    @cached_property
    def given_byes(self) -> list[int]:
        """Who has a bye that is settled."""
        return [each for each, kind in self.stage.next.unplayed.items() if kind is Kind.BYE]

    @cached_property
    def unit(self) -> int:
        """Points are counted in parts of this size, so that they are whole numbers."""
        return lcm(*(each.denominator for each in self._points.values()))

    @cached_property
    def met(self) -> Mapping[Two, int]:
        """How often each two met on different sides."""
        return meetings(self.results).opponents

    @cached_property
    def partners(self) -> Mapping[Two, int]:
        """How often each two were partners."""
        return meetings(self.results).partners

    @property
    def clubs_apart(self) -> bool:
        """Whether people of one club should not meet in this round."""
        apart = self.stage.apart
        return apart is not None and apart.by == "club" and self.round <= apart.rounds

    @property
    def random(self) -> bool:
        return self.stage.pairing is Pairing.RANDOM

    @property
    def play(self) -> Play:
        return self.stage.play

    # --- what the players bring along ------------------------------------------------------------------------
    @cached_property
    def _playing(self) -> list[int]:
        if self.stage.system is System.KNOCK_OUT:
            return [*self.stage.entrants]  # Its tree says who plays.
        unplayed = self.stage.next.unplayed
        return [each for each in self.stage.entrants if unplayed.get(each, Kind.BYE) is Kind.BYE]

    @cached_property
    def _points(self) -> dict[int, Number]:
        """More is better."""
        sign = -1 if self.results.fewest_first else 1
        return {each: sign * self.results.points[each] for each in self._playing}

    @cached_property
    def _ratings(self) -> dict[int, int]:
        """Of those who have one."""
        ratings = ((each, self.results.entrant(each).rating) for each in self._playing)
        return {each: rating for each, rating in ratings if rating is not None}

    @property
    def rated(self) -> bool:
        """Whether ratings order those who have equal points."""
        return len(self._ratings) == len(self._playing)

    @cached_property
    def _by_place(self) -> list[int]:
        if self.stage.system is System.KNOCK_OUT:
            return self._playing
        then: Mapping[int, Number]
        if self.rated:
            then = {each: -rating for each, rating in self._ratings.items()}
        else:
            whole = Results.of(self.tournament, replace(self.stage, minimum_played=0))
            then = {row.entrant: row.place for row in standings(whole)}
        lots = CRITERIA["lots"].of
        assert lots is not None
        drawn = {each: str(lots(self.results, each).value) for each in self._playing}
        return sorted(self._playing, key=lambda each: (-self._points[each], then[each], drawn[each]))

    @cached_property
    def _places(self) -> dict[int, int]:
        return {each: place for place, each in enumerate(self._by_place, 1)}

    @cached_property
    def _queue(self) -> dict[int, int]:
        if self.byes_first:
            return {each: number for number, each in enumerate(self.byes_first, 1)}
        turns = self.results.turns

        def due(entrant: int) -> tuple[int, Number, int, int]:
            given = sum(_is_given(turn) for turn in turns[entrant])
            missed = sum(not (turn.played or turn.open) for turn in turns[entrant])
            return given, self._points[entrant], missed, -self._places[entrant]

        return {each: number for number, each in enumerate(sorted(self._playing, key=due), 1)}

    @cached_property
    def _groups(self) -> Counter[Number]:
        """How many have these points."""
        return Counter(self._points.values())

    def _player(self, entrant: int) -> Player:
        tables = [
            (turn.round, turn.contest, turn.side)
            for turn in self.results.turns[entrant]
            if turn.contest and turn.came and sum(turn.contest.came) >= 2
        ]
        led = [contest.came.index(True) == side for _round, contest, side in tables]
        there = [contest.came.count(True) for _round, contest, _side in tables]
        people = [
            sum(len(side) for side, came in zip(contest.sides, contest.came, strict=True) if came)
            for _round, contest, _side in tables
        ]
        points = self._points[entrant]
        return Player(
            entrant,
            self._places[entrant],
            int(points * self.unit),
            self._groups[points] // 2,
            self._queue[entrant],
            sum(sides - 1 if first else -1 for first, sides in zip(led, there, strict=True)),
            tuple(led),
            max((number for (number, *_rest), first in zip(tables, led, strict=True) if first), default=0),
            self._float(entrant),
            people.count(3),
            self.results.entrant(entrant).club,
        )

    @cached_property
    def _points_before(self) -> dict[int, Number]:
        """Everybody's points before the round that was the last."""
        before = Results.of(self.tournament, self.stage, max(0, self.results.after - 1))
        sign = -1 if before.fewest_first else 1
        return {each: sign * points for each, points in before.points.items()}

    def _float(self, entrant: int) -> Float:
        turns = self.results.turns[entrant]
        if not turns or self.stage.system is System.KNOCK_OUT:  # Nobody floats in a tree.
            return Float.NONE
        return self._floated(turns[-1], entrant)

    def _floated(self, turn: Turn, entrant: int) -> Float:
        if _is_given(turn):
            return Float.DOWN
        contest = turn.contest
        if contest is None or not all(contest.came) or [len(side) for side in contest.sides] != [1, 1]:
            return Float.NONE
        (other,) = turn.others
        return floating(self._points_before[entrant], self._points_before[other])


def floating(own: Number, other: Number) -> Float:
    """Of somebody with these points against somebody with the other ones, where more is better."""
    return Float((other > own) - (other < own))


def _is_given(turn: Turn) -> bool:
    """Whether the round gave its points without play: a bye, or a table that the others did not come to."""
    if turn.contest is None:
        return turn.kind is Kind.BYE
    return turn.contest.won_by_forfeit(turn.side)
