"""What is drawn of a knock-out, after every round of brackets played to their end."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.pairing.chart import Chart, ChartMatch, ChartSide, Forfeit, PartKind, State, chart
from scorekeeper.standings.reading import Refused, read_value
from tests.pairing.second_bracket import size_for
from tests.pairing.test_knock_out import KINDS, SIZES, a_bracket, add, places, play, with_groups
from tests.pairing.test_rounds import ours
from tests.standings.random_tournaments import random_tournament

File = dict[str, Any]


def charted(file: File) -> Chart:
    tournament = read_value(file)
    return chart(tournament, tournament.stages[0])


def matches(drawn: Chart) -> list[ChartMatch]:
    return sorted((each for part in drawn.parts for each in part.matches), key=lambda each: each.number)


def after_each_round(file: File, rng: random.Random, *, odd: float = 0.0) -> Iterator[Chart]:
    """Plays to the end. The rounds are also there before their tables are over."""
    yield charted(file)
    for _ in range(300):
        found = ours(file)
        if not found["tables"] and not found["unplayed"]:
            return
        add(file, found)
        yield charted(file)
        for table in found["tables"]:
            play(rng, table, odd=odd)
        yield charted(file)
    pytest.fail("It never ends.")


def from_the_file(file: File) -> Counter[object]:
    """Every table that is over: what each of its sides has from it."""
    found: Counter[object] = Counter()
    for table in (table for each in file["stages"][0].get("rounds", []) for table in each.get("tables", [])):
        absent, sides = table.get("absent", []), [*map(tuple, table["sides"])]
        totals = table.get("totals") or [None] * len(sides)
        came = len(sides) - len(absent)
        if came < 2:
            totals = [Forfeit.WON] * len(sides)
        scores = [Forfeit.LOST if side in absent else total for side, total in enumerate(totals)]
        if None not in scores:
            found[frozenset(zip(sides, scores, strict=True))] += 1
    return found


def drawn_tables(drawn: Chart) -> Counter[object]:
    found: Counter[object] = Counter()
    for match in matches(drawn):
        lengths = {len(side.scores) for side in match.sides}
        assert len(lengths) == 1
        for at in range(lengths.pop()):
            found[frozenset((side.entrants, side.scores[at]) for side in match.sides)] += 1
    return found


def check(file: File, drawn: Chart) -> None:
    found = matches(drawn)
    assert [each.number for each in found] == [*range(1, len(found) + 1)]
    assert [each.round for each in found] == sorted(each.round for each in found)
    assert drawn_tables(drawn) == from_the_file(file)
    came_from = Counter(side.source for match in found for side in match.sides if side.source)
    assert {*came_from.values()} <= {1}
    for match in found:
        assert sum(side.won for side in match.sides) <= (match.state is State.OVER)
        for side in match.sides:
            check_source(match, side, found)
    assert all(each.kind is not PartKind.OTHERS for each in drawn.parts)


def check_source(match: ChartMatch, side: ChartSide, found: list[ChartMatch]) -> None:
    """Whoever is in a match is a seed, or won or lost the match that they come from."""
    if side.source is None:
        assert len(side.entrants) == 1
        return
    before = found[side.source.match - 1]
    assert before.round < match.round
    assert bool(side.entrants or side.nobody) == (before.state is State.OVER)
    if side.entrants:
        assert any(side.entrants == each.entrants and each.won == side.source.won for each in before.sides)


def to_play(drawn: Chart, number: int) -> set[frozenset[int]]:
    """Who has a table in this round."""
    return {
        frozenset(who for side in match.sides for who in side.entrants)
        for match in matches(drawn)
        if match.state is not State.OVER and match.round <= number and all(side.entrants for side in match.sides)
    }


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("odd", [0.0, 0.3])
def test_every_table_is_drawn_once_and_everybody_comes_from_where_it_says(kind: str, odd: float) -> None:
    for entrants in SIZES:
        file = a_bracket(entrants, **KINDS[kind])
        for drawn in after_each_round(file, random.Random(f"{kind} {entrants}"), odd=odd):
            check(file, drawn)
            number = len(file["stages"][0]["rounds"]) + 1
            tables = {frozenset(who for [who] in table["sides"]) for table in ours(file)["tables"]}
            assert to_play(drawn, number) == tables


@pytest.mark.parametrize("kind", [*KINDS])
def test_at_the_end_places_are_those_of_the_standings(kind: str) -> None:
    for entrants in SIZES:
        file = a_bracket(entrants, **KINDS[kind])
        for drawn in after_each_round(file, random.Random(f"{kind} {entrants}")):
            last = drawn
        assert all(each.state is State.OVER for each in matches(last))
        found = places(file)
        for part in last.parts:
            if part.kind in (PartKind.UPPER, PartKind.LOWER):
                continue
            first = part.places[0] if part.places else 1
            decided = {side.entrants[0]: first + (not side.won) for side in part.matches[-1].sides}
            assert decided == {who: found[who] for who in decided}


@pytest.mark.parametrize("kind", [*KINDS])
def test_how_many_matches_there_are(kind: str) -> None:
    for entrants in range(1, 65):
        found = matches(charted(a_bracket(entrants, **KINDS[kind])))
        if kind == "single":
            assert len(found) == entrants - 1
        elif kind == "third place":
            assert len(found) == entrants - 1 + (entrants >= 4)
        elif kind == "double":
            # One of them only if it is needed.
            assert len(found) == max(2 * entrants - 1, 0) - (entrants == 1)
            assert [each.state for each in found[:-1]] == [State.WAITING] * (len(found) - 1)
            assert entrants == 1 or found[-1].state is State.IF_NEEDED
        elif entrants == size_for(entrants):
            assert len(found) == entrants // 2 * (entrants.bit_length() - 1)


def test_parts_are_named_by_the_places_that_they_decide() -> None:
    def found(entrants: int) -> list[tuple[str, list[int]]]:
        drawn = charted(a_bracket(entrants, placement=True))
        return [(part.kind.value, [*part.places][:1] + [*part.places][-1:]) for part in drawn.parts]

    assert found(8) == [("main", []), ("places", [3, 4]), ("places", [5, 8]), ("places", [7, 8])]
    assert found(7) == [("main", []), ("places", [3, 4]), ("places", [5, 7])]
    assert found(6) == [("main", []), ("places", [3, 4]), ("places", [5, 6])]
    assert found(5) == [("main", []), ("places", [3, 4])]
    assert found(2) == [("main", [])]
    assert found(1) == []


def test_the_second_final_is_left_out_once_nobody_needs_it() -> None:
    for winner, second in ((1, False), (2, True)):
        file = a_bracket(2, double=True)
        for better in (1, winner):
            drawn = ours(file)
            [table] = drawn["tables"]
            table["totals"] = [1, 0] if table["sides"][0] == [better] else [0, 1]
            add(file, drawn)
        assert len(matches(charted(file))) == (3 if second else 2)


def test_tables_that_are_nowhere_in_the_tree_are_other_matches() -> None:
    file = a_bracket(4)
    played = [
        [{"sides": [[1], [2]], "totals": [3, 1]}, {"sides": [[3], [4]]}],
        [{"sides": [[1], [4]], "absent": [1]}, {"sides": [[2], [3]], "totals": [2, 2]}],
        [{"sides": [[2, 3], [1, 4]], "totals": [5, 6]}],
        [{"sides": [[1], [4]], "absent": [0, 1]}],
        [{"sides": [[2], [3], [4]], "absent": [2], "totals": [1, 2, None]}],
    ]
    file["stages"][0]["rounds"] = [{"tables": tables} for tables in played]
    *_tree, others = charted(file).parts
    assert others.kind is PartKind.OTHERS
    assert [(each.round, [side.entrants for side in each.sides], each.state) for each in others.matches] == [
        (1, [(1,), (2,)], State.OVER),
        (1, [(3,), (4,)], State.OPEN),
        (3, [(2, 3), (1, 4)], State.OVER),
        (4, [(1,), (4,)], State.OVER),
        (5, [(2,), (3,), (4,)], State.OVER),
    ]
    assert [[side.scores for side in each.sides] for each in others.matches] == [
        [(3,), (1,)],
        [(), ()],
        [(5,), (6,)],
        [(Forfeit.LOST,), (Forfeit.LOST,)],
        [(1,), (2,), (Forfeit.LOST,)],
    ]
    assert [[side.won for side in each.sides] for each in others.matches] == [
        [True, False],
        [False, False],
        [False, True],
        [False, False],
        [False, True, False],
    ]


def test_whatever_tables_a_file_has_each_is_drawn_once() -> None:
    outside = 0
    for seed in range(400):
        rng = random.Random(seed)
        file = random_tournament(rng, stages=1, entrants=rng.choice([2, 3, 5, 8, 13]), system="knock-out")
        file["stages"][0] |= {key: True for key in ("double", "third_place", "placement") if rng.random() < 0.3}
        drawn = charted(file)
        assert drawn_tables(drawn) == from_the_file(file)
        outside += any(part.kind is PartKind.OTHERS for part in drawn.parts)
    assert 0 < outside < 400


def test_a_table_that_was_abandoned_is_waited_for_again() -> None:
    file = a_bracket(2)
    file["stages"][0]["rounds"] = [{"tables": [{"sides": [[1], [2]], "abandoned": True}]}]
    [match] = matches(charted(file))
    assert (match.state, match.sides[0].scores) == (State.WAITING, ())


def test_the_seeds_are_those_who_go_on() -> None:
    file = with_groups(random.Random(3), 3, 1)
    drawn = charted(file)
    assert [*drawn.stage.entrants] == ours(file)["entrants"]
    assert len(matches(drawn)) == 2


def test_only_a_knock_out_has_a_bracket() -> None:
    file = with_groups(random.Random(3), 3, 1)
    tournament = read_value(file)
    with pytest.raises(Refused, match="no-knock-out") as refused:
        chart(tournament, tournament.stages[1])
    assert (refused.value.code, refused.value.at) == ("no-knock-out", "stages[1].system")
