"""Rounds of real tournaments: ours are never worse than those that were played."""

import pytest

from scorekeeper.pairing.field import Field
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.reading import read_value
from tests.pairing.played import EVENTS, compared
from tests.pairing.second_opinion import Position


def people(of: NextRound) -> list[int]:
    return [each for table in of.tables for side in table.sides for each in side]


@pytest.mark.parametrize("event", EVENTS)
def test_no_round_is_worse_than_the_one_that_was_played(event: str) -> None:
    rounds = list(compared(event))
    for each in rounds:
        tournament = read_value(each.before)
        [stage] = tournament.stages
        field = Field(tournament, stage)
        here = sorted([*people(each.drawn), *each.drawn.byes, *stage.next.unplayed])
        assert here == [*stage.entrants]
        assert len(each.drawn.tables) == len(each.played.tables)
        assert each.drawn.rating["again"] == 0
        given = {entrant for entrant, turns in field.results.turns.items() if any(turn.kind == "bye" for turn in turns)}
        assert not given & {*each.drawn.byes}
        assert [*each.drawn.rating.values()] <= [*each.played.rating.values()]
    first = rounds[0]
    assert first.drawn.rating == first.played.rating


@pytest.mark.parametrize("event", EVENTS)
def test_the_numbers_of_both_rounds_have_a_second_opinion(event: str) -> None:
    for each in compared(event):
        second = Position(each.before)
        for one in (each.drawn, each.played):
            tables = [[[*side] for side in table.sides] for table in one.tables]
            byes = [who for who in second.here if who not in people(one)]
            assert [*one.rating.values()] == second.rating(tables, byes)
