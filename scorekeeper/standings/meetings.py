"""Who met whom in a stage, with which result; who were partners; and where everybody sat."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from scorekeeper.standings.exact import Number
from scorekeeper.standings.results import Contest, Results

Two = tuple[int, int]
"""Two entrants, the smaller start number first."""


class Encounter(NamedTuple):
    """One table from the point of view of a side."""

    round: int
    table: int
    """Its index in the round."""
    worth: Number | None
    """To the own side; None while the table is not over."""
    forfeit: bool
    abandoned: bool = False


class Meetings(NamedTuple):
    """Tables to which at least two sides came, over or not; only sides that came count."""

    opponents: Mapping[Two, int]
    """How often each two met on different sides."""
    partners: Mapping[Two, int]
    """How often each two were partners."""
    seats: Mapping[int, Counter[int]]
    """By entrant: how often in each seat, from 0. Who has seat 0 leads or deals the first hand."""

    @property
    def most_seats(self) -> int:
        return max((seat + 1 for counts in self.seats.values() for seat in counts), default=0)


def encounters(results: Results) -> Mapping[Two, list[Encounter]]:
    """By entrant and opponent, in this order: the tables at which they met on two sides, forfeits too."""
    found: dict[Two, list[Encounter]] = {}
    for number, contests in enumerate(results.contests, 1):
        for index, contest in enumerate(contests):
            forfeit = contest.over and not contest.played
            for side, entrants in enumerate(contest.sides if len(contest.sides) == 2 else ()):
                for entrant in entrants:
                    own = results.own[entrant][number - 1] if contest.over else None
                    for other in contest.others(side):
                        found.setdefault((entrant, other), []).append(
                            Encounter(number, index, own, forfeit, contest.abandoned)
                        )
    return found


def meetings(results: Results) -> Meetings:
    opponents: Counter[Two] = Counter()
    partners: Counter[Two] = Counter()
    seats: dict[int, Counter[int]] = {entrant: Counter() for entrant in results.entrants}
    for contest in (contest for contests in results.contests for contest in contests):
        came = [entrants for entrants, here in zip(contest.sides, contest.came, strict=True) if here]
        if len(came) < 2:
            continue
        for one, other in combinations(came, 2):
            opponents.update((min(a, b), max(a, b)) for a in one for b in other)
        for side in came:
            partners.update((min(two), max(two)) for two in combinations(side, 2))
        for entrant, seat in seated(contest):
            if any(entrant in side for side in came):
                seats[entrant][seat] += 1
    return Meetings(opponents, partners, seats)


def seated(contest: Contest) -> Iterator[tuple[int, int]]:
    """Each entrant with their seat, from 0 clockwise. The sides take turns; a fixed pair has its first seat."""
    for side, entrants in enumerate(contest.sides):
        for position, entrant in enumerate(entrants):
            yield entrant, position * len(contest.sides) + side


def ending(contest: Contest, side: int) -> str:
    """How a table ended for a side: `open`, `abandoned`, `did-not-come`, `forfeit` (won by it), `won`, `drawn` or
    `lost`. At a table for more than two, whoever shares the first place has drawn."""
    place = contest.place[side]
    if not contest.over:
        return "abandoned" if contest.abandoned else "open"
    if contest.forfeited(side):
        return "did-not-come"
    if place is None:
        return "forfeit"
    return "lost" if place > 1 else "won" if contest.best == 1 else "drawn"
