"""Seats and pairs come out even, whatever the tables."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.schedule.edge_colouring import coloured
from scorekeeper.schedule.euler import oriented
from scorekeeper.schedule.seating import Table


@given(data=st.data(), seats=st.integers(2, 5))
def test_every_player_has_every_seat_equally_often_or_once_more(data: st.DataObject, seats: int) -> None:
    table = st.lists(st.integers(0, 8), min_size=seats, max_size=seats, unique=True).map(tuple)
    tables: list[Table] = data.draw(st.lists(table, min_size=1, max_size=20))
    result = coloured(tables, seats)
    assert [sorted(table) for table in result] == [sorted(table) for table in tables]
    times = Counter((player, seat) for table in result for seat, player in enumerate(table))
    for player in {player for table in tables for player in table}:
        numbers = [times[player, seat] for seat in range(seats)]
        assert max(numbers) - min(numbers) <= 1


@given(pairs=st.lists(st.lists(st.integers(0, 7), min_size=2, max_size=2, unique=True).map(tuple), max_size=30))
def test_every_player_is_first_in_half_of_their_pairs(pairs: list[tuple[int, int]]) -> None:
    result = oriented(pairs)
    assert [sorted(pair) for pair in result] == [sorted(pair) for pair in pairs]
    more = Counter(one for one, _other in result)
    more.subtract(other for _one, other in result)
    assert all(-1 <= difference <= 1 for difference in more.values())
