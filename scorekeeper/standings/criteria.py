"""The criteria by which standings are ordered. Those for two sides are FIDE's tie-breaks (Handbook C.07, articles 6 to
10 and 14 to 16); what they mean at tables of three and four is in docs/tournament.md.

A criterion that is a sum is defined by its summands, which are also its explanation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

from scorekeeper.standings.exact import HALF, Number, mean, total
from scorekeeper.standings.results import Results, Turn
from scorekeeper.standings.tournament import By, System


class Summand(NamedTuple):
    """A part of a value: from which round and because of whom, or from which penalty."""

    round: int
    of: tuple[int, ...]
    value: Number
    cut: bool = False
    """Whether it is left out."""
    penalty: str | None = None
    instead: str = ""
    """What the round was if it was not played, as in `Turn.instead`."""


class Comparison(NamedTuple):
    """A step of `head-to-head`: those who were equal then, and an entrant's shares against the others of them. Of
    several tables with the same opponent each has its part of the mean."""

    among: tuple[int, ...]
    summands: tuple[Summand, ...]


Key = Number | str
"""By which entrants are ordered: less is better."""


class Value(NamedTuple):
    """The value of a criterion, and what explains it: `summands`: those not cut add up to it. `mean_of`: it is their
    mean. `best_of`: it is the best of them. `compared`: how a place was found, step by step. All are empty for a value
    that has no parts."""

    value: Number | str | None
    summands: Sequence[Summand] = ()
    mean_of: Sequence[Summand] = ()
    best_of: Sequence[Summand] = ()
    compared: Sequence[Comparison] = ()
    key: Key = 0
    """For the order: less is better."""


MANUAL = "manual"
"""The criterion that the director decides."""
Of = Callable[[Results, int], Value]
"""The value of a criterion for an entrant."""


@dataclass(frozen=True)
class Criterion:
    of: Of | None
    """None for `head-to-head`, which compares only those who are equal so far (`ranking.py`)."""
    not_by: frozenset[By] = field(default=frozenset())
    """Ways in which a round can be worth something that give this criterion no meaning."""
    across_groups: Callable[[Results, int], Key] | None = None
    """The same between entrants of different groups. None where it says nothing there: it counts what opponents did,
    compares only those of one group, or a larger group gives more chances."""


Summands = Callable[[Results, int], Iterable[Summand]]
FewestFirst = Callable[[Results], bool]
Counted = Callable[[Turn], bool]


def _sum(summands: Summands, *, fewest_first: FewestFirst = lambda _results: False) -> Of:
    """The value that is the sum of what is not cut."""

    def of(results: Results, entrant: int) -> Value:
        parts = tuple(summands(results, entrant))
        value = total([part.value for part in parts if not part.cut])
        return Value(value, parts, key=value if fewest_first(results) else -value)

    return of


def _by_tables(summands: Summands, *, fewest_first: FewestFirst = lambda _results: False) -> Criterion:
    """A sum of what each table shows by itself. Entrants of different groups are compared by its mean over the tables
    to which they came, so that neither byes nor the size of a group count."""

    def across_groups(results: Results, entrant: int) -> Number:
        tables = {turn.round for turn in results.turns[entrant] if turn.came and not turn.open}
        parts = summands(results, entrant)
        found = total([part.value for part in parts if part.penalty is not None or part.round in tables])
        per_table = Fraction(found, len(tables)) if tables else 0
        return per_table if fewest_first(results) else -per_table

    return Criterion(_sum(summands, fewest_first=fewest_first), across_groups=across_groups)


def _count(counted: Counted) -> Criterion:
    """The number of tables of this kind."""

    def summands(results: Results, entrant: int) -> Iterator[Summand]:
        return (Summand(turn.round, turn.others, 1) for turn in results.turns[entrant] if counted(turn))

    return _by_tables(summands)


def _without_play(of: Of) -> Criterion:
    """It asks for no table, so it is the same between groups."""
    return Criterion(of, across_groups=lambda results, entrant: of(results, entrant).key)


# --- points ------------------------------------------------------------------------------------------------
def _points(results: Results, entrant: int) -> Iterator[Summand]:
    sign = 1 if results.fewest_first else -1
    for turn, own in zip(results.turns[entrant], results.own[entrant], strict=True):
        if not turn.open:
            yield Summand(turn.round, turn.others, own, instead=turn.instead)
    for penalty in results.penalties.get(entrant, ()):
        yield Summand(penalty.round, (), sign * penalty.points, penalty=penalty.reason)


def _progressive(results: Results, entrant: int) -> Iterator[Summand]:
    running: Number = 0
    for turn, own in zip(results.turns[entrant], results.own[entrant], strict=True):
        running += own
        yield Summand(turn.round, (), running)


# --- tables won --------------------------------------------------------------------------------------------
def _won(turn: Turn) -> bool:
    return turn.contest is not None and turn.contest.won(turn.side)


def _rounds_won(results: Results, entrant: int) -> Iterator[Summand]:
    win = results.stage.worth.values.get("win")
    for turn, own in zip(results.turns[entrant], results.own[entrant], strict=True):
        if results.stage.worth.by is By.RESULT:
            won = own == win and not turn.open
        elif turn.contest:
            won = _won(turn) or turn.contest.won_by_forfeit(turn.side)
        else:
            won = turn.kind == "bye"
        if won:
            yield Summand(turn.round, turn.others, 1)


def _at_place(place: int) -> Counted:
    return lambda turn: turn.contest is not None and turn.contest.place[turn.side] == place


# --- opponents ---------------------------------------------------------------------------------------------
def _buchholz(results: Results, entrant: int, lowest: int = 0, highest: int = 0) -> Iterator[Summand]:
    """Leaves out the `lowest`, first of the rounds that the entrant gave up, then the `highest` of what is left."""
    rounds = results.opposing[entrant]
    if results.stage.system is System.ROUND_ROBIN:
        cheap_first = sorted(range(len(rounds)), key=lambda n: rounds[n].points)
    else:
        cheap_first = sorted(range(len(rounds)), key=lambda n: (not rounds[n].turn.given_up, rounds[n].points))
    left = sorted(cheap_first[lowest:], key=lambda n: -rounds[n].points)
    cut = {*cheap_first[:lowest], *left[:highest]}
    return (Summand(turn.round, of, points, n in cut) for n, (turn, of, points) in enumerate(rounds))


def _average_of_buchholz(results: Results, entrant: int) -> Value:
    met = [
        Summand(turn.round, (opponent,), results.buchholz[opponent])
        for turn in results.turns[entrant]
        for opponent in results.met_in_play(turn)
    ]
    value = mean([part.value for part in met]) if met else 0
    return Value(value, mean_of=met, key=-value)


def _sonneborn_berger(results: Results, entrant: int) -> Iterator[Summand]:
    adjusted, by_place = results.adjusted, results.stage.worth.by is By.PLACE
    rounds = zip(results.turns[entrant], results.own[entrant], results.opponents[entrant], strict=True)
    for turn, own, opponents in rounds:
        if opponents:
            value = mean([adjusted[opponent] * share for opponent, share in opponents])
            yield Summand(turn.round, tuple([opponent for opponent, _share in opponents]), value)
        elif (dummy := results.dummy(entrant, turn)) is not None:
            yield Summand(turn.round, (), dummy * (HALF if by_place else own))


def _koya(results: Results, entrant: int) -> Iterator[Summand]:
    """Only what was won from those who have at least half of what was to be had."""
    rounds = results.most_tables if results.stage.system is System.ROUND_ROBIN else results.after
    half = (results.stage.worth.values["win"] or 0) * rounds * HALF
    for turn in results.turns[entrant]:
        if turn.contest and turn.contest.over:
            shares = turn.contest.shares(turn.side)
            value = mean([share if results.totals[other] >= half else 0 for other, share in shares])
            yield Summand(turn.round, tuple([other for other, _share in shares]), value)


def _rating_average(results: Results, entrant: int) -> Value:
    met = [
        Summand(turn.round, (opponent,), rating)
        for turn in results.turns[entrant]
        for opponent in results.met_in_play(turn)
        if (rating := results.entrant(opponent).rating) is not None
    ]
    value = (2 * mean([part.value for part in met]) + 1) // 2 if met else 0  # rounded, a half up
    return Value(value, mean_of=met, key=-value)


# --- totals ------------------------------------------------------------------------------------------------
def _totals(results: Results, entrant: int) -> Iterator[tuple[Turn, int, list[int]]]:
    """For each table where the own side and another have totals: the own one, and those of the others."""
    for turn in results.turns[entrant]:
        if turn.contest and (own := turn.contest.totals[turn.side]) is not None:
            totals = enumerate(turn.contest.totals)
            others = [total for side, total in totals if side != turn.side and total is not None]
            if others:
                yield turn, own, others


def _difference(results: Results, entrant: int) -> Iterator[Summand]:
    """From the mean of the others."""
    sign = -1 if results.tournament.lower_wins else 1
    for turn, own, others in _totals(results, entrant):
        yield Summand(turn.round, turn.others, mean([sign * (own - each) for each in others]))


def _scored(results: Results, entrant: int) -> Iterator[Summand]:
    return (Summand(turn.round, turn.others, own) for turn, own, _others in _totals(results, entrant))


def _conceded(results: Results, entrant: int) -> Iterator[Summand]:
    """The mean of the others."""
    return (Summand(turn.round, turn.others, mean(others)) for turn, _own, others in _totals(results, entrant))


def _best_table(results: Results, entrant: int) -> Value:
    """None, which comes last, without a table played."""
    lower_wins = results.tournament.lower_wins
    totals = [
        Summand(turn.round, turn.others, total)
        for turn in results.turns[entrant]
        if turn.contest and turn.played and (total := turn.contest.totals[turn.side]) is not None
    ]
    if not totals:
        return Value(None, key=WORST)
    best = (min if lower_wins else max)(each.value for each in totals)
    return Value(best, best_of=totals, key=best if lower_wins else -best)


WORST = 10**100
"""Worse than any total."""


# --- boards of teams ---------------------------------------------------------------------------------------
def _shares_of_boards(results: Results, entrant: int) -> Iterator[tuple[Turn, list[Number]]]:
    """For each encounter that is over, the entrant's share at each board; 0 at a board that was not played."""
    for turn in results.turns[entrant]:
        if turn.contest and turn.contest.over and turn.contest.boards:
            yield turn, [shares[turn.side] if shares else 0 for shares in turn.contest.boards]


def _board_points(results: Results, entrant: int) -> Iterator[Summand]:
    """Higher boards count more: of n boards, board 1 counts n times and the last one once."""
    for turn, shares in _shares_of_boards(results, entrant):
        yield Summand(turn.round, turn.others, total([share * (len(shares) - at) for at, share in enumerate(shares)]))


def _board_wins(results: Results, entrant: int) -> Value:
    """The shares at board 1, then at board 2, and so on. As the digits of one number they give the order."""
    encounters = [shares for _turn, shares in _shares_of_boards(results, entrant)]
    wins = [total(at_board) for at_board in zip_longest(*encounters, fillvalue=0)]
    most = 2 + 2 * results.after  # more than all halves that anybody can have at a board
    return Value(" ".join(map(str, wins)), key=-total([Fraction(won, most**at) for at, won in enumerate(wins)]))


OF_BOARDS = frozenset({"board-points", "board-wins"})
"""The criteria that count the boards of encounters of teams."""


# --- without play ------------------------------------------------------------------------------------------
def _start(_results: Results, entrant: int) -> Value:
    return Value(entrant, key=entrant)


def _manual(results: Results, entrant: int) -> Value:
    places = results.stage.manual
    place = 1 + (places.index(entrant) if entrant in places else len(places))
    return Value(place, key=place)


def _lots(results: Results, entrant: int) -> Value:
    drawn = sha256(f"{results.stage.lots}:{entrant}".encode()).hexdigest()
    return Value(drawn, key=drawn)


_NOT_BY_SCORE = frozenset({By.SCORE})
CRITERIA: Mapping[str, Criterion] = {
    "points": _by_tables(_points, fewest_first=lambda results: results.fewest_first),
    "head-to-head": Criterion(None),
    "wins": _count(_won),
    "rounds-won": _by_tables(_rounds_won),
    "games-second": _count(lambda turn: turn.played and turn.side > 0),
    "wins-second": _count(lambda turn: _won(turn) and turn.side > 0),
    "progressive": Criterion(_sum(_progressive, fewest_first=lambda results: results.fewest_first)),
    **{
        f"buchholz{name}": Criterion(_sum(partial(_buchholz, lowest=lowest, highest=highest)), _NOT_BY_SCORE)
        for name, lowest, highest in (
            ("", 0, 0),
            ("-cut-1", 1, 0),
            ("-cut-2", 2, 0),
            ("-median-1", 1, 1),
            ("-median-2", 2, 2),
        )
    },
    "average-of-buchholz": Criterion(_average_of_buchholz, _NOT_BY_SCORE),
    "sonneborn-berger": Criterion(_sum(_sonneborn_berger), _NOT_BY_SCORE),
    "koya": Criterion(_sum(_koya), frozenset({By.SCORE, By.PLACE})),
    "rating-average": Criterion(_rating_average),
    "difference": _by_tables(_difference),
    "scored": _by_tables(_scored, fewest_first=lambda results: results.tournament.lower_wins),
    "conceded": _by_tables(_conceded, fewest_first=lambda results: not results.tournament.lower_wins),
    **{name: _count(_at_place(place)) for place, name in enumerate(("firsts", "seconds", "thirds"), 1)},
    "best-table": Criterion(_best_table),
    "board-points": _by_tables(_board_points),
    "board-wins": Criterion(_board_wins),
    "start": _without_play(_start),
    MANUAL: Criterion(_manual),
    "lots": _without_play(_lots),
}
"""By name."""
