"""What the rounds of a stage were worth to its entrants.

Terms (docs/tournament.md): a table is *played* if at least two sides came and its totals stand. It is *over* if it is
played, or if at most one side came.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scorekeeper.standings.exact import HALF, Number, mean, total
from scorekeeper.standings.tournament import By, Entrant, Kind, Penalty, Stage, System, Table, Tournament, Worth

Shares = Sequence[tuple[int, Number]]
"""Entrants, and the share against each of them."""


class Contest:
    """A table, and what it was worth to each side."""

    __slots__ = (
        "_others",
        "_worth",
        "abandoned",
        "best",
        "boards",
        "came",
        "open",
        "over",
        "place",
        "played",
        "sides",
        "totals",
        "worth",
    )

    def __init__(self, table: Table, worth: Worth, lower_wins: bool) -> None:
        sides = range(len(table.sides))
        self._worth = worth
        self.sides = table.sides
        self._others = [
            tuple([each for other in sides if other != side for each in table.sides[other]]) for side in sides
        ]
        self.boards = table.boards
        self.totals = table.totals or (None,) * len(sides)
        self.came = [side not in table.absent for side in sides]
        together = sum(self.came) >= 2
        self.played = together and table.totals is not None
        self.over = self.played or not together
        self.abandoned = table.abandoned and not self.over
        """Whether nobody plays on, though the table never counts."""
        self.open = not self.over and not self.abandoned
        """Whether its totals can still come."""
        scores = [total for total in self.totals if total is not None] if self.played else []
        order = sorted(scores, reverse=not lower_wins)
        self.place = [1 + order.index(total) if total is not None and order else None for total in self.totals]
        """Of each side: 1 + the number of sides that were better; None if it has not played."""
        self.best = self.place.count(1)
        """How many sides were the best."""
        self.worth = [self._worth_of(side) for side in sides]
        """To each side; None for the average of the entrant's played rounds. 0 while the table is not over."""

    def others(self, side: int, *, came: bool = False) -> tuple[int, ...]:
        """The entrants of the other sides; `came`: of those that came."""
        if not came or all(self.came):
            return self._others[side]
        there = (other for other, came in enumerate(self.came) if came and other != side)
        return tuple([each for other in there for each in self.sides[other]])

    def won(self, side: int) -> bool:
        """Whether the side played and was the only best one."""
        return self.place[side] == 1 and self.best == 1

    def forfeited(self, side: int) -> bool:
        """Whether the side lost by forfeit."""
        return self.over and not self.came[side]

    def won_by_forfeit(self, side: int) -> bool:
        return self.over and not self.played and self.came[side]

    def share(self, side: int, other: int) -> Number:
        """The share of a side against another one. The table must be over."""
        worth = self._worth
        by_result = worth.by is By.RESULT
        if not self.came[side]:
            return (worth.values["forfeit_loss"] or 0) if by_result else 0
        if not self.came[other]:
            return (worth.values["forfeit_win"] or 0) if by_result else 1
        own, theirs = self.place[side] or 0, self.place[other] or 0
        name = "win" if own < theirs else "draw" if own == theirs else "loss"
        return (worth.values[name] or 0) if by_result else _SHARES[name]

    def shares(self, side: int, *, came: bool = False) -> Shares:
        """Each entrant of the other sides (`came`: of those that came), and the share against them."""
        return [
            (entrant, share)
            for other, entrants in enumerate(self.sides)
            if other != side and (not came or self.came[other])
            for share in [self.share(side, other)]
            for entrant in entrants
        ]

    def _worth_of(self, side: int) -> Number | None:
        worth, place = self._worth, self.place[side]
        if not self.over:
            return 0
        if not self.came[side]:
            return worth.values["forfeit_loss"]
        if place is None:
            return worth.values["forfeit_win"]
        if worth.by is By.SCORE:
            return self.totals[side]
        if worth.by is By.PLACE:
            shared = self.place.count(place)
            return mean(worth.places[len(self.sides)][place - 1 : place - 1 + shared])
        return worth.values["loss" if place > 1 else "win" if self.best == 1 else "draw"]


_SHARES: dict[str, Number] = {"win": 1, "draw": HALF, "loss": 0}


class Turn(NamedTuple):
    """What an entrant did in a round: a side of a table, or the kind of a round without one."""

    round: int
    contest: Contest | None
    side: int
    kind: Kind | None

    @property
    def came(self) -> bool:
        """Whether they came to a table, over or not."""
        return self.contest is not None and self.contest.came[self.side]

    @property
    def played(self) -> bool:
        return self.contest is not None and self.contest.place[self.side] is not None

    @property
    def open(self) -> bool:
        return self.contest is not None and not self.contest.over

    @property
    def others(self) -> tuple[int, ...]:
        """The entrants of the other sides."""
        return self.contest.others(self.side) if self.contest else ()

    @property
    def instead(self) -> str:
        """What there was instead of play: the kind of a round without a table, or `forfeit`; "" if it is played, or
        still open."""
        if self.contest is None:
            return self.kind or ""
        return "forfeit" if self.contest.over and not self.contest.played else ""

    @property
    def given_up(self) -> bool:
        """Whether the entrant asked the round off, was absent or lost it by forfeit."""
        if self.contest is not None:
            return self.contest.forfeited(self.side)
        return self.kind is not Kind.BYE


class Opposing(NamedTuple):
    """The opponents of a round with the mean of their adjusted points, or nobody with those of the dummy."""

    turn: Turn
    of: tuple[int, ...]
    points: Number


@dataclass(frozen=True)
class Results:
    """The rounds of a stage, up to one of them."""

    tournament: Tournament
    stage: Stage
    after: int
    """The number of rounds that count."""

    @classmethod
    def of(cls, tournament: Tournament, stage: Stage, after: int | None = None) -> "Results":
        """`after`: as if the file had no more rounds than these."""
        rounds = len(stage.rounds)
        return cls(tournament, stage, rounds if after is None else min(after, rounds))

    @property
    def entrants(self) -> Sequence[int]:
        return self.stage.entrants

    def entrant(self, number: int) -> Entrant:
        return self.tournament.entrants[number]

    @cached_property
    def contests(self) -> list[list[Contest]]:
        """By round."""
        worth, lower_wins = self.stage.worth, self.tournament.lower_wins
        return [
            [Contest(table, worth, lower_wins) for table in each.tables] for each in self.stage.rounds[: self.after]
        ]

    @cached_property
    def begun(self) -> bool:
        """Whether a table is over. Before that, nobody has earned a place."""
        return any(contest.over for contests in self.contests for contest in contests)

    @cached_property
    def turns(self) -> dict[int, list[Turn]]:
        """By entrant and round."""
        turns: dict[int, list[Turn]] = {entrant: [] for entrant in self.entrants}
        for number, (contests, each) in enumerate(zip(self.contests, self.stage.rounds, strict=False), 1):
            here = {entrant: Turn(number, None, 0, kind) for entrant, kind in each.unplayed.items()}
            for contest in contests:
                for side, entrants in enumerate(contest.sides):
                    for entrant in entrants:
                        here[entrant] = Turn(number, contest, side, None)
            absent = Turn(number, None, 0, Kind.ABSENT)
            for entrant, before in turns.items():
                before.append(here.get(entrant, absent))
        return turns

    @cached_property
    def own(self) -> dict[int, list[Number]]:
        """What each round was worth, by entrant and round."""
        return {entrant: self._own(turns) for entrant, turns in self.turns.items()}

    def _own(self, turns: Sequence[Turn]) -> list[Number]:
        values = self.stage.worth.values
        worth = [turn.contest.worth[turn.side] if turn.contest else values[turn.kind or ""] for turn in turns]
        if None not in worth:
            return [each for each in worth if each is not None]
        average = self._mean_of_played(turns, worth)
        return [average if each is None else each for each in worth]

    @staticmethod
    def _mean_of_played(turns: Sequence[Turn], worth: Sequence[Number | None]) -> Number:
        played = [each for turn, each in zip(turns, worth, strict=True) if turn.played and each is not None]
        return mean(played) if played else 0

    @cached_property
    def totals(self) -> dict[int, Number]:
        """The sum of each entrant's own points, without penalties."""
        return {entrant: total(own) for entrant, own in self.own.items()}

    @cached_property
    def adjusted(self) -> dict[int, Number]:
        """The adjusted points of each entrant."""
        if self.stage.system is System.ROUND_ROBIN:
            return self.totals
        return {entrant: self._adjusted(entrant) for entrant in self.entrants}

    def _adjusted(self, entrant: int) -> Number:
        """Rounds that an entrant gave up beforehand or did not come to, after the last one to which they came, count as
        a draw."""
        turns, points = self.turns[entrant], self.totals[entrant]
        here = max((turn.round for turn in turns if turn.came or turn.kind is Kind.BYE), default=0)
        left = [turn for turn in turns[here:] if turn.contest is None]
        if not left:
            return points
        own, by = self.own[entrant], self.stage.worth.by
        draw = self._mean_of_played(turns, own) if by is By.PLACE else self.stage.worth.values.get("draw") or 0
        return points + total(draw - own[turn.round - 1] for turn in left)

    def met_in_play(self, turn: Turn) -> tuple[int, ...]:
        """The entrants of the other sides that came, for those who have played."""
        return turn.contest.others(turn.side, came=True) if turn.contest and turn.played else ()

    @cached_property
    def opponents(self) -> dict[int, list[Shares]]:
        """By entrant and round: the opponents, and the share against each of them."""
        return {entrant: [self._opponents(turn) for turn in turns] for entrant, turns in self.turns.items()}

    def _opponents(self, turn: Turn) -> Shares:
        contest = turn.contest
        if contest is None or not contest.over:
            return ()
        if self.stage.system is System.ROUND_ROBIN:
            return contest.shares(turn.side)
        return contest.shares(turn.side, came=True) if turn.played else ()

    @cached_property
    def opposing(self) -> dict[int, list["Opposing"]]:
        """By entrant, for each round that has it: who opposed them, and with how many points."""
        return {entrant: list(self._opposing(entrant)) for entrant in self.entrants}

    def _opposing(self, entrant: int) -> Iterator["Opposing"]:
        adjusted = self.adjusted
        for turn, opponents in zip(self.turns[entrant], self.opponents[entrant], strict=True):
            if opponents:
                of = tuple([opponent for opponent, _share in opponents])
                yield Opposing(turn, of, mean([adjusted[each] for each in of]))
            elif (dummy := self.dummy(entrant, turn)) is not None:
                yield Opposing(turn, (), dummy)

    @cached_property
    def buchholz(self) -> dict[int, Number]:
        """The sum of the points of those who opposed an entrant."""
        return {entrant: total([each.points for each in rounds]) for entrant, rounds in self.opposing.items()}

    def dummy(self, entrant: int, turn: Turn) -> Number | None:
        """What stands for the points of an opponent in a round that was not played; None if nothing does."""
        if self.stage.system is System.ROUND_ROBIN or turn.open:
            return None
        own = self.totals[entrant]
        if turn.contest:
            return min(own, mean([self.adjusted[other] for other in turn.others]))
        if self.stage.worth.by is By.RESULT:
            return min(own, (self.stage.worth.values["draw"] or 0) * self.after)
        return own

    @cached_property
    def tables_come_to(self) -> dict[int, int]:
        """How many tables that are over each entrant came to."""
        return {entrant: sum(turn.came and not turn.open for turn in turns) for entrant, turns in self.turns.items()}

    @cached_property
    def most_tables(self) -> int:
        """The most tables that are over which anybody had, forfeits too."""
        had = (sum(turn.contest is not None and turn.contest.over for turn in turns) for turns in self.turns.values())
        return max(had, default=0)

    @cached_property
    def out(self) -> frozenset[int]:
        """The entrants who came to too few tables to be placed with the others."""
        least = self.stage.minimum_played
        return frozenset(entrant for entrant, number in self.tables_come_to.items() if number < least)

    @cached_property
    def penalties(self) -> dict[int, list[Penalty]]:
        """The penalties that count, by entrant."""
        found: dict[int, list[Penalty]] = {}
        for penalty in self.stage.penalties:
            if not penalty.cancelled and penalty.round <= self.after:
                found.setdefault(penalty.entrant, []).append(penalty)
        return found

    @property
    def fewest_first(self) -> bool:
        """Whether fewer points are better."""
        return self.stage.worth.by is By.SCORE and self.tournament.lower_wins

    @cached_property
    def points(self) -> dict[int, Number]:
        """The points of each entrant with penalties."""
        sign = 1 if self.fewest_first else -1
        return {
            entrant: total([points, *(sign * penalty.points for penalty in self.penalties.get(entrant, ()))])
            for entrant, points in self.totals.items()
        }
