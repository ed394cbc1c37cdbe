"""A second opinion on standings: slow, plain, and sharing no code with ``scorekeeper``.

Every function follows one sentence of the rules for standings, which its docstring gives. A valid file goes in; what
``manage.py standings FILE --why --json`` prints comes out. Rounds are numbered from 1, sides from 0. All numbers are
whole numbers or fractions.
"""

import hashlib
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

HALF = Fraction(1, 2)
MOST_ENDINGS = 10_000


class NotExactError(NotImplementedError):
    """There are rounds that are not drawn yet, or too many endings to try them all."""


def exact(written: int | str) -> Fraction:
    """A whole number, or a string in lowest terms such as "3/2"."""
    return Fraction(written)


def mean(values: Iterable[Fraction | int]) -> Fraction:
    """0 if there is none."""
    listed = [Fraction(value) for value in values]
    return sum(listed, Fraction(0)) / len(listed) if listed else Fraction(0)


# --- 1. The file -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Table:
    round: int
    sides: list[list[int]]
    totals: list[int | None] | None
    """None for the whole table: "null or missing: not over". None for a side: it has no total."""
    absent: list[int]
    places: list[int] | None


@dataclass
class Stage:
    name: str
    system: str
    entrants: list[int]
    ratings: dict[int, int]
    lower_wins: bool
    worth: dict[str, Any]
    order: list[str]
    minimum_played: int
    lots: str
    manual: list[int]
    double: bool
    rounds_planned: int
    rounds: list[list[Table]]
    unplayed: list[dict[int, str]]
    penalties: list[dict[str, Any]]
    adjusted: dict[int, Fraction] = field(default_factory=dict)
    """What adjusted_points has worked out already."""

    @property
    def by(self) -> str:
        return str(self.worth["by"])

    @property
    def round_robin(self) -> bool:
        return self.system == "round-robin"

    @property
    def numbers(self) -> list[int]:
        """*Rounds counted*: all rounds in the file (with ``--after N`` the first N), over or not."""
        return list(range(1, len(self.rounds) + 1))


def read_stage(file: dict[str, Any], given: dict[str, Any], after: int | None) -> Stage:
    """The rest may be left out (lists empty, ``lots`` the empty text, a stage's ``entrants``: all)."""
    rounds = given.get("rounds", [])
    if after is not None:
        rounds = rounds[:after]
    return Stage(
        name=given["name"],
        system=given["system"],
        entrants=list(given.get("entrants", [entrant["id"] for entrant in file["entrants"]])),
        ratings={e["id"]: e["rating"] for e in file["entrants"] if e.get("rating") is not None},
        lower_wins=file.get("lower_wins", False),
        worth=given["worth"],
        order=[] if given["system"] == "knock-out" else given["order"],
        minimum_played=given.get("minimum_played", 0),
        lots=given.get("lots", ""),
        manual=given.get("manual", []),
        double=given.get("double", False),
        rounds_planned=given.get("rounds_planned", 0),
        rounds=[[read_table(n, table) for table in r.get("tables", [])] for n, r in enumerate(rounds, 1)],
        unplayed=[{row["entrant"]: row["kind"] for row in r.get("unplayed", [])} for r in rounds],
        penalties=given.get("penalties", []),
    )


def read_table(number: int, given: dict[str, Any]) -> Table:
    return Table(number, given["sides"], given.get("totals"), given.get("absent", []), given.get("places"))


def came(table: Table) -> list[int]:
    """absent: sides (by index) that did not come."""
    return [side for side in range(len(table.sides)) if side not in table.absent]


def is_over(table: Table) -> bool:
    """totals null or missing: not over. If one side came, or none, such a table is over."""
    return len(came(table)) < 2 or table.totals is not None


def side_of(table: Table, who: int) -> int:
    return next(side for side, entrants in enumerate(table.sides) if who in entrants)


def others_at(table: Table, who: int) -> list[int]:
    """The entrants of the other sides."""
    return [other for entrants in table.sides if who not in entrants for other in entrants]


def who_came(table: Table, who: int) -> bool:
    return side_of(table, who) in came(table)


def total_of(table: Table, side: int) -> int | None:
    return None if table.totals is None else table.totals[side]


def table_of(stage: Stage, who: int, number: int) -> Table | None:
    """The table of an entrant in a round. Nobody is at two tables of a round."""
    for table in stage.rounds[number - 1]:
        if any(who in entrants for entrants in table.sides):
            return table
    return None


def kind_of(stage: Stage, who: int, number: int) -> str:
    """Who is not named in a round at all is ``absent``."""
    return stage.unplayed[number - 1].get(who, "absent")


def tables_of(stage: Stage, who: int) -> list[Table]:
    """All tables of an entrant in the rounds counted, over or not."""
    found = [table_of(stage, who, number) for number in stage.numbers]
    return [table for table in found if table is not None]


def tables_over(stage: Stage, who: int) -> list[Table]:
    return [table for table in tables_of(stage, who) if is_over(table)]


def tables_come_to(stage: Stage, who: int) -> list[Table]:
    """Tables that are over, to which the entrant came."""
    return [table for table in tables_over(stage, who) if who_came(table, who)]


# --- 2. What a round is worth ------------------------------------------------------------------------------
def better(stage: Stage, one: int, other: int) -> bool:
    """*better* means the greater total, the smaller one where ``lower_wins``."""
    return one < other if stage.lower_wins else one > other


def sides_better(stage: Stage, table: Table, side: int) -> int:
    """Of a table played: how many of the sides that came were better than this one, which came too."""
    own = table.totals[side]
    return sum(better(stage, table.totals[other], own) for other in came(table))


def sides_equal(stage: Stage, table: Table, side: int) -> int:
    """Of a table played: how many of the sides that came have this side's total, itself too."""
    return sum(table.totals[other] == table.totals[side] for other in came(table))


def won_alone(stage: Stage, table: Table, side: int) -> bool:
    """Of the sides that came, alone best."""
    return sides_better(stage, table, side) == 0 and sides_equal(stage, table, side) == 1


def by_result(stage: Stage, table: Table, side: int) -> Fraction:
    """Of the sides that came, alone best = win, several equally best = draw for them, all others = loss."""
    if won_alone(stage, table, side):
        return exact(stage.worth["win"])
    if sides_better(stage, table, side) == 0:
        return exact(stage.worth["draw"])
    return exact(stage.worth["loss"])


def by_place(stage: Stage, table: Table, side: int) -> Fraction:
    """By the number of sides of the table, the absent ones counted last; equal totals share the mean."""
    worths = stage.worth["places"][str(len(table.sides))]
    first = sides_better(stage, table, side)
    return mean(exact(worth) for worth in worths[first : first + sides_equal(stage, table, side)])


def played_worth(stage: Stage, table: Table, side: int) -> Fraction:
    """What a side that came gets of a table played."""
    if stage.by == "result":
        return by_result(stage, table, side)
    if stage.by == "place":
        return by_place(stage, table, side)
    return Fraction(table.totals[side])


def has_played(table: Table, who: int) -> bool:
    """*Played*: a table where at least two sides came and totals stand; who came has played."""
    return len(came(table)) >= 2 and table.totals is not None and who_came(table, who)


def tables_played(stage: Stage, who: int) -> list[Table]:
    return [table for table in tables_of(stage, who) if has_played(table, who)]


def mean_of_played(stage: Stage, who: int) -> Fraction:
    """The mean of that entrant's own played rounds counted, 0 if there is none."""
    return mean(played_worth(stage, table, side_of(table, who)) for table in tables_played(stage, who))


def fixed_worth(stage: Stage, who: int, key: str) -> Fraction:
    """By score each of the last five may be ``"average"``."""
    if stage.worth[key] == "average":
        return mean_of_played(stage, who)
    return exact(stage.worth[key])


def at_table_worth(stage: Stage, table: Table, who: int) -> Fraction:
    """At a table that is over, absent sides get ``forfeit_loss``, one side that came alone ``forfeit_win``."""
    side = side_of(table, who)
    if side not in came(table):
        return fixed_worth(stage, who, "forfeit_loss")
    if came(table) == [side]:
        return fixed_worth(stage, who, "forfeit_win")
    return played_worth(stage, table, side)


def round_worth(stage: Stage, who: int, number: int) -> Fraction | None:
    """What a round was worth; None at a table that is not over, which counts for nothing yet."""
    table = table_of(stage, who, number)
    if table is None:
        return fixed_worth(stage, who, kind_of(stage, who, number))
    return at_table_worth(stage, table, who) if is_over(table) else None


# --- 3. Terms ----------------------------------------------------------------------------------------------
def own_points(stage: Stage, who: int, until: int | None = None) -> Fraction:
    """*Own points*: what the rounds counted were worth."""
    counted = stage.numbers[:until]
    return sum((round_worth(stage, who, number) or Fraction(0) for number in counted), Fraction(0))


def forfeit_lost(table: Table, who: int) -> bool:
    return is_over(table) and not who_came(table, who)


def forfeit_won(table: Table, who: int) -> bool:
    return came(table) == [side_of(table, who)]


def met_at(table: Table, who: int) -> list[int]:
    """*Met in play*: the entrants of the other sides that came, for who has played."""
    return [other for other in others_at(table, who) if who_came(table, other)] if has_played(table, who) else []


def opponents_at(stage: Stage, table: Table, who: int) -> list[int]:
    """Those met in play; in a round robin those of all other sides, for everybody at a table that is over."""
    if stage.round_robin:
        return others_at(table, who) if is_over(table) else []
    return met_at(table, who)


def met_in_play(stage: Stage, who: int) -> list[int]:
    """All met in play, each as often as met."""
    return [other for table in tables_of(stage, who) for other in met_at(table, who)]


def share(stage: Stage, table: Table, who: int, other: int) -> Fraction:
    """*Share* against an opponent: by result the worths of the example, by place and score 1, 1/2, 0."""
    side, other_side = side_of(table, who), side_of(table, other)
    if side not in came(table):
        key, plain = "forfeit_loss", Fraction(0)
    elif other_side not in came(table):
        key, plain = "forfeit_win", Fraction(1)
    elif better(stage, table.totals[side], table.totals[other_side]):
        key, plain = "win", Fraction(1)
    elif table.totals[side] == table.totals[other_side]:
        key, plain = "draw", HALF
    else:
        key, plain = "loss", Fraction(0)
    return exact(stage.worth[key]) if stage.by == "result" else plain


def last_come(stage: Stage, who: int) -> int:
    """The last round in which the entrant came to a table (over or not) or had a bye; 0 if there is none."""
    last = 0
    for number in stage.numbers:
        table = table_of(stage, who, number)
        if (kind_of(stage, who, number) == "bye") if table is None else who_came(table, who):
            last = number
    return last


def adjusted_points(stage: Stage, who: int) -> Fraction:
    """Own points, but every round ``asked`` or ``absent`` without a table, after the last in which they came to a
    table or had a bye, counts as a draw (by place: as the mean of their played rounds). In a round robin: own points.
    """
    if who not in stage.adjusted:
        stage.adjusted[who] = _adjusted_points(stage, who)
    return stage.adjusted[who]


def _adjusted_points(stage: Stage, who: int) -> Fraction:
    if stage.round_robin:
        return own_points(stage, who)
    draw = exact(stage.worth["draw"]) if stage.by == "result" else mean_of_played(stage, who)
    points = Fraction(0)
    for each in stage.numbers:
        left = table_of(stage, who, each) is None and each > last_come(stage, who)
        points += draw if left else round_worth(stage, who, each) or Fraction(0)
    return points


def dummy(stage: Stage, who: int, number: int) -> Fraction | None:
    """*Dummy* of a round not played (a table that is not over has none, a round robin neither): own points, but with a
    forfeit not more than the mean adjusted points of the entrants of the other sides, else, by result, not more than a
    draw × the number of rounds counted.
    """
    table = table_of(stage, who, number)
    if stage.round_robin or (table is not None and (not is_over(table) or has_played(table, who))):
        return None
    own = own_points(stage, who)
    if table is not None:
        return min(own, mean(adjusted_points(stage, other) for other in others_at(table, who)))
    if stage.by == "result":
        return min(own, exact(stage.worth["draw"]) * len(stage.rounds))
    return own


# --- 3. Criteria that are sums -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Summand:
    round: int
    value: Fraction
    of: tuple[int, ...] = ()
    cut: bool = False
    penalty: str | None = None


def total(summands: list[Summand]) -> Fraction:
    """Those not cut add up to the value."""
    return sum((summand.value for summand in summands if not summand.cut), Fraction(0))


def fewest_first(stage: Stage) -> bool:
    """By score with ``lower_wins``: fewest first."""
    return stage.by == "score" and stage.lower_wins


def penalties_of(stage: Stage, who: int) -> list[dict[str, Any]]:
    """Points taken off from that round on; with ``"cancelled": true`` it counts for nothing."""
    return [
        penalty
        for penalty in stage.penalties
        if penalty["entrant"] == who and not penalty.get("cancelled", False) and penalty["round"] in stage.numbers
    ]


def points(stage: Stage, who: int) -> list[Summand]:
    """Own points less penalties. By score with ``lower_wins``: fewest first, penalties added."""
    sign = 1 if fewest_first(stage) else -1
    summands = []
    for each in stage.numbers:
        worth = round_worth(stage, who, each)
        if worth is not None:
            summands.append(Summand(each, worth))
    for penalty in penalties_of(stage, who):
        value = sign * exact(penalty["points"])
        summands.append(Summand(penalty["round"], value, penalty=penalty.get("reason", "")))
    return summands


def progressive(stage: Stage, who: int) -> list[Summand]:
    """The sum over all rounds of the own points after that round, an ``"average"`` with its final value."""
    return [Summand(each, own_points(stage, who, until=each)) for each in stage.numbers]


def buchholz_numbers(stage: Stage, who: int) -> list[Summand]:
    """A number a round: the mean adjusted points of its opponents, or the dummy."""
    numbers = []
    for each in stage.numbers:
        table = table_of(stage, who, each)
        opponents = opponents_at(stage, table, who) if table is not None else []
        stand_in = dummy(stage, who, each)
        if opponents:
            value = mean(adjusted_points(stage, other) for other in opponents)
            numbers.append(Summand(each, value, tuple(opponents)))
        elif stand_in is not None:
            numbers.append(Summand(each, stand_in))
    return numbers


def given_up(stage: Stage, who: int, number: int) -> bool:
    """Rounds asked off, absent or lost by forfeit (not in a round robin)."""
    if stage.round_robin:
        return False
    table = table_of(stage, who, number)
    return kind_of(stage, who, number) in ("asked", "absent") if table is None else forfeit_lost(table, who)


def leave_out(numbers: list[Summand], one: Summand) -> list[Summand]:
    return [replace(each, cut=True) if each is one else each for each in numbers]


def cut_lowest(stage: Stage, who: int, numbers: list[Summand]) -> list[Summand]:
    """First those of rounds asked off, absent or lost by forfeit, lowest first, then the lowest of the others."""
    left = [each for each in numbers if not each.cut]
    first = [each for each in left if given_up(stage, who, each.round)] or left
    return leave_out(numbers, min(first, key=lambda each: each.value)) if first else numbers


def cut_highest(numbers: list[Summand]) -> list[Summand]:
    """The highest of what is left."""
    left = [each for each in numbers if not each.cut]
    return leave_out(numbers, max(left, key=lambda each: each.value)) if left else numbers


def buchholz(stage: Stage, who: int, lowest: int = 0, highest: int = 0) -> list[Summand]:
    """Cut-n leaves out n of them; median-n then also the n highest of what is left."""
    numbers = buchholz_numbers(stage, who)
    for _ in range(lowest):
        numbers = cut_lowest(stage, who, numbers)
    for _ in range(highest):
        numbers = cut_highest(numbers)
    return numbers


def sonneborn_berger(stage: Stage, who: int) -> list[Summand]:
    """The sum of a number a round: the mean over its opponents of adjusted points × share, or the dummy × what the
    round was worth (by place × 1/2).
    """
    numbers = []
    for each in stage.numbers:
        table = table_of(stage, who, each)
        opponents = opponents_at(stage, table, who) if table is not None else []
        stand_in = dummy(stage, who, each)
        if table is not None and opponents:
            products = [adjusted_points(stage, other) * share(stage, table, who, other) for other in opponents]
            numbers.append(Summand(each, mean(products), tuple(opponents)))
        elif stand_in is not None:
            times = HALF if stage.by == "place" else round_worth(stage, who, each)
            numbers.append(Summand(each, stand_in * times))
    return numbers


def koya_limit(stage: Stage) -> Fraction:
    """Half of ``win`` × the rounds counted (round robin: × the most tables over that anybody had)."""
    times = len(stage.rounds)
    if stage.round_robin:
        times = max(len(tables_over(stage, who)) for who in stage.entrants)
    return HALF * exact(stage.worth["win"]) * times


def koya(stage: Stage, who: int) -> list[Summand]:
    """The sum over tables that are over, forfeits too, of the mean over the entrants of the other sides of the share,
    taken as 0 against those whose own points are less than the limit.
    """
    numbers = []
    for table in tables_over(stage, who):
        others = others_at(table, who)
        shares = [
            share(stage, table, who, other) if own_points(stage, other) >= koya_limit(stage) else Fraction(0)
            for other in others
        ]
        numbers.append(Summand(table.round, mean(shares), tuple(others)))
    return numbers


def totals_compared(stage: Stage, who: int) -> list[tuple[Table, int, Fraction]]:
    """Tables where the own side and another have totals: the own total, and the mean of the others'."""
    found = []
    for table in tables_of(stage, who):
        side = side_of(table, who)
        own = total_of(table, side)
        theirs = [total_of(table, other) for other in range(len(table.sides)) if other != side]
        stated = [each for each in theirs if each is not None]
        if own is not None and stated:
            found.append((table, own, mean(stated)))
    return found


def with_totals(table: Table, who: int) -> tuple[int, ...]:
    return tuple(other for other in others_at(table, who) if total_of(table, side_of(table, other)) is not None)


def difference(stage: Stage, who: int) -> list[Summand]:
    """Own total less the mean of the others', summed, turned round where ``lower_wins``."""
    sign = -1 if stage.lower_wins else 1
    return [
        Summand(table.round, sign * (own - theirs), with_totals(table, who))
        for table, own, theirs in totals_compared(stage, who)
    ]


def scored(stage: Stage, who: int) -> list[Summand]:
    """The first half of ``difference`` as it is."""
    return [Summand(table.round, Fraction(own)) for table, own, _ in totals_compared(stage, who)]


def conceded(stage: Stage, who: int) -> list[Summand]:
    """The second half of ``difference`` as it is."""
    return [Summand(table.round, theirs, with_totals(table, who)) for table, _, theirs in totals_compared(stage, who)]


SUMS: dict[str, Callable[[Stage, int], list[Summand]]] = {
    "points": points,
    "progressive": progressive,
    "buchholz": buchholz,
    "buchholz-cut-1": lambda stage, who: buchholz(stage, who, lowest=1),
    "buchholz-cut-2": lambda stage, who: buchholz(stage, who, lowest=2),
    "buchholz-median-1": lambda stage, who: buchholz(stage, who, lowest=1, highest=1),
    "buchholz-median-2": lambda stage, who: buchholz(stage, who, lowest=2, highest=2),
    "sonneborn-berger": sonneborn_berger,
    "koya": koya,
    "difference": difference,
    "scored": scored,
    "conceded": conceded,
}


# --- 3. Criteria that are means ----------------------------------------------------------------------------
def average_of_buchholz(stage: Stage, who: int) -> Fraction:
    """The mean buchholz of all met in play, each as often as met; 0 without."""
    return mean(total(buchholz(stage, other)) for other in met_in_play(stage, who))


def rated_met(stage: Stage, who: int) -> list[int]:
    """All met in play who have a rating, each as often as met."""
    return [other for other in met_in_play(stage, who) if other in stage.ratings]


def rating_average(stage: Stage, who: int) -> Fraction:
    """The mean rating, rounded to a whole number, a half up; 0 without."""
    return Fraction(math.floor(mean(stage.ratings[other] for other in rated_met(stage, who)) + HALF))


# --- 3. Criteria that are counts, and the rest -------------------------------------------------------------
def wins(stage: Stage, who: int) -> int:
    """Tables played and won alone."""
    return sum(won_alone(stage, table, side_of(table, who)) for table in tables_played(stage, who))


def rounds_won(stage: Stage, who: int) -> int:
    """By result: rounds worth just as much as a win, played or not; else tables played and won alone, forfeits won,
    byes.
    """
    if stage.by == "result":
        return sum(round_worth(stage, who, each) == exact(stage.worth["win"]) for each in stage.numbers)
    forfeits = sum(forfeit_won(table, who) for table in tables_of(stage, who))
    byes = sum(table_of(stage, who, n) is None and kind_of(stage, who, n) == "bye" for n in stage.numbers)
    return wins(stage, who) + forfeits + byes


def games_second(stage: Stage, who: int) -> int:
    """Tables played as another side than side 0."""
    return sum(side_of(table, who) != 0 for table in tables_played(stage, who))


def wins_second(stage: Stage, who: int) -> int:
    """Tables played, and won alone, as another side than side 0."""
    second = [table for table in tables_played(stage, who) if side_of(table, who) != 0]
    return sum(won_alone(stage, table, side_of(table, who)) for table in second)


def times_at_place(stage: Stage, who: int, place: int) -> int:
    """How often at that place of a table played (1 + the sides that were better)."""
    return sum(1 + sides_better(stage, table, side_of(table, who)) == place for table in tables_played(stage, who))


def best_table(stage: Stage, who: int) -> int | None:
    """The best own total of a table played; None without."""
    totals = [total_of(table, side_of(table, who)) for table in tables_played(stage, who)]
    stated = [each for each in totals if each is not None]
    if not stated:
        return None
    return min(stated) if stage.lower_wins else max(stated)


def manual(stage: Stage, who: int) -> int:
    """The place in the list ``manual``; who is not in it has the length of the list + 1."""
    return stage.manual.index(who) + 1 if who in stage.manual else len(stage.manual) + 1


def lots(stage: Stage, who: int) -> str:
    """SHA-256 (hexadecimal) of the text ``<lots>:<id>`` in UTF-8."""
    return hashlib.sha256(f"{stage.lots}:{who}".encode()).hexdigest()


REST: dict[str, Callable[[Stage, int], Fraction | int | str | None]] = {
    "average-of-buchholz": average_of_buchholz,
    "rating-average": rating_average,
    "wins": wins,
    "rounds-won": rounds_won,
    "games-second": games_second,
    "wins-second": wins_second,
    "firsts": lambda stage, who: times_at_place(stage, who, 1),
    "seconds": lambda stage, who: times_at_place(stage, who, 2),
    "thirds": lambda stage, who: times_at_place(stage, who, 3),
    "best-table": best_table,
    "start": lambda stage, who: who,
    "manual": manual,
    "lots": lots,
}


# --- 3. Head-to-head ---------------------------------------------------------------------------------------
def shares_between(stage: Stage, who: int, other: int) -> list[Fraction]:
    """The shares over their tables as opponents."""
    return [
        share(stage, table, who, other) for table in tables_of(stage, who) if other in opponents_at(stage, table, who)
    ]


def have_met(stage: Stage, who: int, other: int) -> bool:
    return bool(shares_between(stage, who, other))


def all_have_met(stage: Stage, group: list[int]) -> bool:
    """All have met (in a round robin: always)."""
    return stage.round_robin or all(have_met(stage, one, two) for one, two in itertools.combinations(group, 2))


def sum_of_shares(stage: Stage, who: int, group: list[int], missing: Fraction) -> Fraction:
    """For each other of the group the mean share; ``missing`` where the two have not met."""
    met = {other: shares_between(stage, who, other) for other in group if other != who}
    return sum((mean(shares) if shares else missing for shares in met.values()), Fraction(0))


def parts_by_sum(stage: Stage, group: list[int]) -> list[list[int]]:
    """If all have met: by the sum."""
    sums = {who: sum_of_shares(stage, who, group, Fraction(0)) for who in group}
    return [[who for who in group if sums[who] == value] for value in sorted(set(sums.values()), reverse=True)]


def parts_for_certain(stage: Stage, group: list[int]) -> list[list[int]]:
    """If not: whoever's sum, each missing meeting lost, is greater than every other's, each missing meeting won, is
    first; then likewise the next place by the same sums; the others stay equal.
    """
    lost = exact(stage.worth["loss"]) if stage.by == "result" else Fraction(0)
    won = exact(stage.worth["win"]) if stage.by == "result" else Fraction(1)
    least = {who: sum_of_shares(stage, who, group, lost) for who in group}
    most = {who: sum_of_shares(stage, who, group, won) for who in group}
    parts: list[list[int]] = []
    rest = list(group)
    while rest:
        first = [who for who in rest if all(least[who] > most[other] for other in rest if other != who)]
        if not first:
            return [*parts, rest]
        parts.append(first)
        rest = [who for who in rest if who not in first]
    return parts


def separated(stage: Stage, group: list[int]) -> list[list[int]]:
    """Every group so separated is looked at anew, by itself, until nothing more separates."""
    parts = parts_by_sum(stage, group) if all_have_met(stage, group) else parts_for_certain(stage, group)
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in separated(stage, part)]


def places_in_order(groups: list[list[int]]) -> dict[int, int]:
    """Who is equal in all shares a place, and the next place is that much further."""
    places: dict[int, int] = {}
    for group in groups:
        place = 1 + len(places)
        places.update(dict.fromkeys(group, place))
    return places


# --- 3. The order ------------------------------------------------------------------------------------------
Value = Fraction | int | str | None


def value_of(stage: Stage, criterion: str, who: int) -> Value:
    if criterion in SUMS:
        return total(SUMS[criterion](stage, who))
    return REST[criterion](stage, who)


def less_is_better(stage: Stage, criterion: str) -> bool:
    """More is better unless said otherwise."""
    if criterion in ("points", "progressive"):
        return fewest_first(stage)
    if criterion in ("scored", "best-table"):
        return stage.lower_wins
    if criterion == "conceded":
        return not stage.lower_wins
    return criterion in ("start", "manual", "lots")


def split(stage: Stage, criterion: str, group: list[int], values: dict[int, Value]) -> list[list[int]]:
    """The parts of a group by one criterion, the best first. Who has no value (``best-table``) comes last."""
    if criterion == "head-to-head":
        return separated(stage, group)
    stated = {values[who] for who in group if values[who] is not None}
    ordered: list[Value] = sorted(stated, reverse=not less_is_better(stage, criterion))
    parts = [[who for who in group if values[who] == value] for value in [*ordered, None]]
    return [part for part in parts if part]


def is_out(stage: Stage, who: int) -> bool:
    """Who came to fewer tables that are over than ``minimum_played`` is ``out``."""
    return stage.system != "knock-out" and len(tables_come_to(stage, who)) < stage.minimum_played


def ranked(stage: Stage) -> tuple[list[list[int]], dict[int, dict[str, Value]]]:
    """The groups of equal entrants, the best first, and the values. Who is out is placed after all others, by the same
    order; ``head-to-head`` never compares those who are out with those who are not.
    """
    groups = [[who for who in stage.entrants if is_out(stage, who) == out] for out in (False, True)]
    groups = [group for group in groups if group]
    values: dict[int, dict[str, Value]] = {who: {} for who in stage.entrants}
    for criterion in stage.order:
        parts = []
        for group in groups:
            if criterion == "head-to-head":
                found: dict[int, Value] = dict(places_in_order(separated(stage, group)))
            else:
                found = {who: value_of(stage, criterion, who) for who in group}
            for who in group:
                values[who][criterion] = found[who]
            parts += split(stage, criterion, group, found)
        groups = parts
    return groups, values


# --- 3. A knock-out ----------------------------------------------------------------------------------------
@dataclass
class Course:
    through: int = 0
    """The last round they got through."""
    losses: int = 0
    out_in: int | None = None
    place: int | None = None
    """The place that a table with ``places`` gave."""

    def reached(self) -> tuple[int, bool]:
        """The round they went out in or, not out, the one after the last they got through; in the same round who is
        not out is further.
        """
        return (self.through + 1, True) if self.out_in is None else (self.out_in, False)


def finishing(stage: Stage, table: Table, side: int) -> int:
    """How many sides of a table that is over were better. Absent sides are equal, after those that came."""
    if side not in came(table):
        return len(came(table))
    return 0 if len(came(table)) == 1 else sides_better(stage, table, side)


def best_sides(stage: Stage, table: Table) -> list[int]:
    """The equally best of those that came. If one side came, it wins by forfeit; if none, all lose by it."""
    return [side for side in came(table) if finishing(stage, table, side) == 0]


def take_places(stage: Stage, table: Table, courses: dict[int, Course]) -> None:
    """The sides of a table with ``places`` take these, best first, equal ones the better."""
    for side, entrants in enumerate(table.sides):
        for who in entrants:
            courses[who].place = sorted(table.places or [])[finishing(stage, table, side)]


def decide(stage: Stage, table: Table, courses: dict[int, Course]) -> None:
    """A table won alone takes into the next round; who loses a table is out (``"double"``: only the second loss puts
    out). A table with several equally best puts nobody out.
    """
    best = best_sides(stage, table)
    if len(best) > 1:
        return
    for side, entrants in enumerate(table.sides):
        for who in entrants:
            course = courses[who]
            if side in best:
                course.through = table.round
                continue
            course.losses += 1
            if course.losses == (2 if stage.double else 1):
                course.out_in = table.round


def knock_out_courses(stage: Stage) -> dict[int, Course]:
    """A bye takes into the next round. A table where somebody sits who is out decides nothing but ``places``."""
    courses = {who: Course() for who in stage.entrants}
    for number in stage.numbers:
        for who in stage.entrants:
            if table_of(stage, who, number) is None and kind_of(stage, who, number) == "bye":
                courses[who].through = number
        for table in stage.rounds[number - 1]:
            if not is_over(table):
                continue
            somebody_out = any(courses[who].out_in is not None for entrants in table.sides for who in entrants)
            if table.places:
                take_places(stage, table, courses)
            if not somebody_out:
                decide(stage, table, courses)
    return courses


def knock_out_places(stage: Stage) -> dict[int, int]:
    """Otherwise the place is 1 + the number who came further. Equally far = one place: the best of theirs that no table
    with places has given to one of them."""
    courses = knock_out_courses(stage)
    places = {}
    for who, course in courses.items():
        first = 1 + sum(other.reached() > course.reached() for other in courses.values())
        alike = [other for other in courses.values() if other.reached() == course.reached()]
        left = {*range(first, first + len(alike))} - {other.place for other in alike}
        places[who] = course.place or min(left, default=first)
    return places


# --- 3. Overall --------------------------------------------------------------------------------------------
def points_per_table(stage: Stage, who: int) -> Fraction:
    """``points`` per table over that they came to (0 without); the sign makes more the better."""
    tables = len(tables_come_to(stage, who))
    average = total(points(stage, who)) / tables if tables else Fraction(0)
    return -average if fewest_first(stage) else average


def keys_in_list(stages: list[Stage], placed: Iterable[int]) -> dict[int, tuple[Fraction, ...]]:
    """One stage: by its places. Several: by place, then by points per table; who is in several of these stages counts
    in the one the list names first.
    """
    keys: dict[int, tuple[Fraction, ...]] = {}
    for stage in stages:
        for who, place in stage_places(stage).items():
            if who in keys or who in placed:
                continue
            keys[who] = (Fraction(place),)
            if len(stages) > 1:
                keys[who] += (-points_per_table(stage, who),)
    return keys


def overall_places(lists: list[list[Stage]]) -> dict[int, int]:
    """Those placed in the first list's stages, then those of the next not placed yet."""
    places: dict[int, int] = {}
    for stages in lists:
        keys = keys_in_list(stages, places)
        before = len(places)
        for who, key in keys.items():
            places[who] = 1 + before + sum(other < key for other in keys.values())
    return places


# --- 5. What is possible -----------------------------------------------------------------------------------
def ways_to_end(stage: Stage, table: Table) -> list[dict[int, Fraction]]:
    """A table ends in any way, equal totals too, absent sides as they are: what each entrant gets, each way once."""
    ways: list[dict[int, Fraction]] = []
    for heights in itertools.product(range(len(table.sides)), repeat=len(table.sides)):
        ended = replace(table, totals=[None if s in table.absent else height for s, height in enumerate(heights)])
        way = {who: at_table_worth(stage, ended, who) for entrants in table.sides for who in entrants}
        if way not in ways:
            ways.append(way)
    return ways


def open_tables(stage: Stage) -> list[Table]:
    return [table for tables in stage.rounds for table in tables if not is_over(table)]


def all_ways(stage: Stage, most: int = MOST_ENDINGS) -> Iterator[tuple[dict[int, Fraction], ...]]:
    """Each way in which the open tables can end together, with what each table is worth to its entrants."""
    if stage.rounds_planned > len(stage.rounds):
        raise NotExactError("Rounds are not drawn yet.")
    ways = [ways_to_end(stage, table) for table in open_tables(stage)]
    if math.prod(len(each) for each in ways) > most:
        raise NotExactError("Too many endings.")
    yield from itertools.product(*ways)


def ended(now: dict[int, Fraction], chosen: Iterable[dict[int, Fraction]]) -> dict[int, Fraction]:
    end = dict(now)
    for way in chosen:
        for who, worth in way.items():
            end[who] += worth
    return end


def endings(stage: Stage, most: int = MOST_ENDINGS) -> Iterator[dict[int, Fraction]]:
    """The points of everybody in the end, for each way in which the open tables can end together."""
    now = {who: total(points(stage, who)) for who in stage.entrants}
    return (ended(now, chosen) for chosen in all_ways(stage, most))


def best_and_worst(stage: Stage) -> dict[int, tuple[int, int]]:
    """1 + the least and the greatest number of entrants who can have more points in the end, ``out`` or not."""
    if len({table.round for table in open_tables(stage)}) == 1 and stage.rounds_planned <= len(stage.rounds):
        return {who: best_and_worst_in_a_round(stage, who) for who in stage.entrants}
    return best_and_worst_of_all(stage)


def best_and_worst_in_a_round(stage: Stage, who: int) -> tuple[int, int]:
    """The open tables are all of one round: nobody sits at two of them. For each way in which the own table ends, the
    other tables can have the fewest with more points all at once, or the most.
    """
    now = {each: total(points(stage, each)) for each in stage.entrants}
    tables = [ways_to_end(stage, table) for table in open_tables(stage)]
    own = next((ways for ways in tables if who in ways[0]), [{}])
    others = [ways for ways in tables if who not in ways[0]]
    at_no_table = {each: Fraction(0) for each in stage.entrants if not any(each in ways[0] for ways in tables)}
    fewest, most = [], []
    for way in own:
        mine = now[who] + way.get(who, Fraction(0))

        def with_more(gained: dict[int, Fraction], mine: Fraction = mine) -> int:
            return sum(now[each] + worth > mine for each, worth in gained.items())

        settled = 1 + with_more(at_no_table) + with_more(way)
        fewest.append(settled + sum(min(with_more(each) for each in ways) for ways in others))
        most.append(settled + sum(max(with_more(each) for each in ways) for ways in others))
    return min(fewest), max(most)


def best_and_worst_of_all(stage: Stage, most: int = MOST_ENDINGS) -> dict[int, tuple[int, int]]:
    """By trying every ending."""
    places: dict[int, set[int]] = {who: set() for who in stage.entrants}
    for end in endings(stage, most):
        for who in stage.entrants:
            places[who].add(place_by_points(end, who))
    return {who: (min(found), max(found)) for who, found in places.items()}


def place_by_points(end: dict[int, Fraction], who: int) -> int:
    return 1 + sum(other > end[who] for other in end.values())


def chance(stage: Stage, who: int, first: int) -> str | None:
    """Of one of the ``first`` places, by trying every ending. ``sure``: at most so many ever have as many points,
    whoever of equal ones is put first. ``out``: always so many others have more. ``needs a win``: so they have whenever
    the next table that can be worth something else to this entrant is worth less than the most.
    """
    now = {each: total(points(stage, each)) for each in stage.entrants}
    ways = [ways_to_end(stage, table) for table in open_tables(stage)]
    worths = [{way[who] for way in each if who in way} for each in ways]
    number = next((number for number, each in enumerate(worths) if len(each) > 1), None)
    sure = out = True
    out_without = number is not None
    for chosen in all_ways(stage):
        end = ended(now, chosen)
        sure = sure and sum(other >= end[who] for other in end.values()) <= first
        above = place_by_points(end, who) > first
        out = out and above
        out_without = out_without and (above or chosen[number or 0][who] == max(worths[number or 0]))
    return "sure" if sure else "out" if out else "needs a win" if out_without else None


def worths_of_a_round(stage: Stage) -> list[Fraction]:
    """All that a round can be worth to an entrant, ties between places left out."""
    plain = [value for key, value in stage.worth.items() if key not in ("by", "places")]
    by_places = [value for values in stage.worth.get("places", {}).values() for value in values]
    return [exact(value) for value in [*plain, *(by_places if stage.by == "place" else [])]]


def a_possible_end(file: dict[str, Any], stage: str, rng: random.Random, *, after: int | None = None) -> dict[int, int]:
    """For each entrant the place by points in one end drawn at random: never better than ``best``, never worse than
    ``worst``, exact or not. Rounds not drawn yet give each entrant something that a round can be worth.
    """
    seen = read_stage(file, next(each for each in file["stages"] if each["name"] == stage), after)
    end = {who: total(points(seen, who)) for who in seen.entrants}
    for table in open_tables(seen):
        for who, worth in rng.choice(ways_to_end(seen, table)).items():
            end[who] += worth
    for _ in range(seen.rounds_planned - len(seen.rounds)):
        for who in end:
            end[who] += rng.choice(worths_of_a_round(seen))
    return {who: place_by_points(end, who) for who in end}


# --- 5. What the command prints ----------------------------------------------------------------------------
def stage_places(stage: Stage) -> dict[int, int]:
    return knock_out_places(stage) if stage.system == "knock-out" else places_in_order(ranked(stage)[0])


def printed_summand(summand: Summand) -> dict[str, Any]:
    """``{"round": 2, "of": [7], "value": "5/2", "cut": true}``; a penalty: ``{"penalty": "late", …}``."""
    if summand.penalty is not None:
        return {"penalty": summand.penalty, "round": summand.round, "value": str(summand.value)}
    printed = {"round": summand.round, "of": list(summand.of), "value": str(summand.value)}
    return {**printed, "cut": True} if summand.cut else printed


def why(stage: Stage, criterion: str, who: int) -> Any:
    """``why`` lists the summands. Of a mean, ``{"mean_of": […]}``; of the rest, ``[]``."""
    if criterion in SUMS:
        return [printed_summand(summand) for summand in SUMS[criterion](stage, who)]
    if criterion == "average-of-buchholz":
        return {"mean_of": met_in_play(stage, who)}
    if criterion == "rating-average":
        return {"mean_of": rated_met(stage, who)}
    return []


def stage_rows(stage: Stage, names: dict[int, str], possible: bool) -> list[dict[str, Any]]:
    """Rows by place, then start number; values as strings. ``--possible``: not by score, not in a knock-out."""
    _, values = ranked(stage)
    places = stage_places(stage)
    bounds = best_and_worst(stage) if possible and stage.by != "score" and stage.system != "knock-out" else None
    rows = []
    for who in sorted(stage.entrants, key=lambda each: (places[each], each)):
        row: dict[str, Any] = {
            "place": places[who],
            "entrant": who,
            "name": names[who],
            "out": is_out(stage, who),
            "values": {name: None if value is None else str(value) for name, value in values[who].items()},
            "why": {criterion: why(stage, criterion, who) for criterion in stage.order},
        }
        if bounds is not None:
            row["best"], row["worst"] = bounds[who]
            row["exact"] = True
        rows.append(row)
    return rows


def standings(
    file: dict[str, Any], *, stage: str | None = None, after: int | None = None, possible: bool = False
) -> dict[str, Any]:
    """What ``standings FILE --why --json`` prints, with ``--stage``, ``--after`` and ``--possible``."""
    names = {entrant["id"]: entrant["name"] for entrant in file["entrants"]}
    stages = {given["name"]: read_stage(file, given, after) for given in file["stages"]}
    shown = list(stages.values()) if stage is None else [stages[stage]]
    lists = [[stages[name] for name in listed] for listed in file.get("overall", [])] if stage is None else []
    places = overall_places(lists)
    return {
        "stages": [
            {"name": each.name, "after": len(each.rounds), "rows": stage_rows(each, names, possible)} for each in shown
        ],
        "overall": [
            {"place": places[who], "entrant": who, "name": names[who]}
            for who in sorted(places, key=lambda each: (places[each], each))
        ],
    }
