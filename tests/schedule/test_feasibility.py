"""Whether a round can be seated: compared with trying every seating."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.schedule.feasibility import can_be_seated
from scorekeeper.schedule.problem import sizes_of
from scorekeeper.schedule.seating import FOURS, HEADS, MIXED, TRIPLES


@settings(deadline=None)
@given(data=st.data())
def test_feasibility_agrees_with_trying_every_seating(data: st.DataObject) -> None:
    format = data.draw(st.sampled_from([HEADS, TRIPLES, FOURS, MIXED]))
    there = tuple(range(data.draw(st.integers(format.size, 8))))
    tables = sizes_of(format, len(there))
    pairs = data.draw(st.sets(st.sampled_from([*combinations(there, 2)])))
    fixed = data.draw(st.dictionaries(st.sampled_from(there), st.integers(0, len(tables) - 1), max_size=2))

    def seated(left: frozenset[int], table: int) -> bool:
        if table == len(tables):
            return True
        return any(
            seated(left - {*those}, table + 1)
            for those in combinations(sorted(left), tables[table])
            if not pairs & {*combinations(those, 2)} and all(fixed.get(player, table) == table for player in those)
        )

    apart: dict[int, set[int]] = {}
    for one, other in pairs:
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    assert can_be_seated(there, tables, apart, fixed) is seated(frozenset(there), 0)
