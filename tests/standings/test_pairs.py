"""Partners and opponents, against a slow count that goes through all matches again for every two people."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from scorekeeper.standings.pairs import LOST, SHARED, WON, Meeting, Played, Streak, longest, meetings, record, streaks

PEOPLE = range(1, 9)
SHAPES = ([1, 1], [2, 2], [1, 1, 1], [1, 1, 1, 1])


def match_of(
    number: int, sides: Sequence[Sequence[int]], totals: Sequence[int], expected: Sequence[int]
) -> list[Played]:
    """The parts of everybody in a match in which the higher total wins; `expected`: of each side, or nothing."""
    places = [1 + sum(other > total for other in totals) for total in totals]
    return [
        Played(
            match=number,
            game="chess",
            player=player,
            side=side,
            others=len(sides) - 1,
            place=places[side],
            sharing=places.count(places[side]),
            points=totals[side],
            against=sum(totals) - totals[side],
            expected=expected[side] if expected else None,
        )
        for side, players in enumerate(sides)
        for player in players
    ]


def random_matches(seed: int) -> list[list[Played]]:
    rng = random.Random(seed)
    found = []
    for number in range(60):
        shape = rng.choice(SHAPES)
        people = rng.sample(PEOPLE, sum(shape))
        sides = [[people.pop() for _player in range(size)] for size in shape]
        totals = [rng.randrange(4) for _side in sides]
        parts = [rng.randrange(1, 100) for _side in sides]
        expected = [1000 * part // sum(parts) for part in parts] if rng.random() < 0.8 else []
        found.append(match_of(number, sides, totals, expected))
    return found


def slowly(matches: Sequence[Sequence[Played]], one: int, other: int, together: bool) -> list[Fraction]:
    """Matches, wins, points, points of the others, matches that are rated, and wins in these, counted one by one."""
    counted = [Fraction(0)] * 6
    for match in matches:
        here = {part.player: part for part in match}
        if one not in here or other not in here or (here[one].side == here[other].side) != together:
            continue
        totals = {part.side: part.points for part in match}
        mine = totals[here[one].side]
        rivals = [total for side, total in totals.items() if side != here[one].side]
        if not together:
            rivals = [totals[here[other].side]]
        best = max(rivals)
        wins = Fraction(1) if mine > best else Fraction(1, 2) if mine == best else Fraction(0)
        rated = here[one].expected is not None
        counted[0] += 1
        counted[1] += wins
        counted[2] += mine
        counted[3] += Fraction(sum(rivals), len(rivals))
        counted[4] += rated
        counted[5] += wins if rated else 0
    return counted


@pytest.mark.parametrize("seed", range(20))
def test_every_two_people_have_the_record_of_a_slow_count(seed: int) -> None:
    matches = random_matches(seed)
    for one in PEOPLE:
        partners, opponents = meetings(one, [part for match in matches for part in match])
        for together, found in ((True, partners), (False, opponents)):
            for other in {*PEOPLE} - {one}:
                own = record(found.get(other, []))
                fast = [own.matches, own.wins, own.points, own.against, own.rated, own.rated_wins]
                assert fast == slowly(matches, one, other, together)
                assert own.won + own.shared + own.lost == own.matches


@pytest.mark.parametrize("seed", range(20))
def test_both_see_the_same_meetings_from_two_sides(seed: int) -> None:
    played = [part for match in random_matches(seed) for part in match]
    for one in PEOPLE:
        _partners, opponents = meetings(one, played)
        for other, found in opponents.items():
            _partners, theirs = meetings(other, played)
            mine, back = record(found), record(theirs[one])
            assert (mine.won, mine.shared, mine.lost) == (back.lost, back.shared, back.won)
            assert (mine.points, mine.against) == (back.against, back.points)


def test_what_is_expected_of_all_others_is_shared_out_among_them() -> None:
    match = match_of(1, [[1], [2], [3]], [30, 20, 10], [600, 500, 400])
    parts = {other: record(found).expected for other, found in meetings(1, match)[1].items()}
    assert parts == {2: Fraction(17, 30), 3: Fraction(19, 30)}
    assert sum(parts.values()) / 2 == Fraction(600, 1000)
    assert record(meetings(2, match)[1][1]).expected == 1 - parts[2]


def test_nobody_is_expected_to_win_more_than_a_match() -> None:
    match = match_of(1, [[1], [2], [3], [4]], [40, 30, 20, 10], [1000, 667, 333, 0])
    assert record(meetings(1, match)[1][4]).expected == 1
    assert record(meetings(4, match)[1][1]).expected == 0


def test_expectations_of_partners_and_of_two_are_those_of_their_side() -> None:
    match = match_of(1, [[1, 2], [3, 4]], [10, 20], [625, 375])
    partners, opponents = meetings(1, match)
    assert record(partners[2]).expected == record(opponents[3]).expected == Fraction(5, 8)
    assert record(partners[2]).difference == Fraction(-5, 8)
    assert record(opponents[3]).unexpected == Fraction(3, 8)


def test_matches_without_ratings_expect_nothing() -> None:
    found = meetings(1, [*match_of(1, [[1], [2]], [20, 10], []), *match_of(2, [[1], [2]], [10, 20], [700, 300])])[1][2]
    both = record(found)
    assert (both.matches, both.rated, both.expected, both.difference) == (2, 1, Fraction(7, 10), Fraction(-7, 10))


def test_a_streak_is_every_run_of_the_same_end() -> None:
    found = [Meeting(number, "chess", halves, 0, 0, None, 2) for number, halves in enumerate([2, 2, 1, 0, 2, 2, 2, 0])]
    runs = streaks(found)
    assert runs[0] == Streak(WON, 2)
    assert runs[-1] == Streak(LOST, 1)
    assert [longest(runs, halves) for halves in (WON, SHARED, LOST)] == [3, 1, 1]
    assert longest([], WON) == 0
