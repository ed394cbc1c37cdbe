"""The fixtures of a league: everybody at home and away as evenly as possible."""

from collections import Counter
from datetime import date
from itertools import combinations, islice, pairwise, permutations

import pytest

from scorekeeper.events.league import Division, days, meetings


@pytest.mark.parametrize("entrants", range(2, 21))
def test_home_and_away_are_even_and_breaks_as_few_as_can_be(entrants: int) -> None:
    everybody = range(1, entrants + 1)
    once = meetings([Division("First", tuple(everybody))], 1)
    assert sorted(tuple(sorted((each.home, each.away))) for each in once) == [*combinations(everybody, 2)]
    sides = {who: [each.home == who for each in once if who in (each.home, each.away)] for who in everybody}
    assert all(abs(2 * sum(at_home) - len(at_home)) <= 1 for at_home in sides.values())
    breaks = sum(one == other for at_home in sides.values() for one, other in pairwise(at_home))
    assert breaks == (0 if entrants % 2 else entrants - 2)
    twice = meetings([Division("First", tuple(everybody))], 2)
    assert sorted((each.home, each.away) for each in twice) == [*permutations(everybody, 2)]
    assert Counter(each.home for each in twice) == Counter(each.away for each in twice)


def test_days_without_play_move_a_round_on() -> None:
    found = islice(days(date(2026, 12, 10), 7, [date(2026, 12, 24), date(2026, 12, 31)]), 3)
    assert [each.isoformat() for each in found] == ["2026-12-10", "2026-12-17", "2027-01-07"]
