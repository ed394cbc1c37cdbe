"""The table of a season: examples from docs/seasons.md, and a slow second opinion."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.standings.season import Result, by_place, by_worth, places, season_table

ANA, BO, CLEO, DAN = range(1, 5)
POINTS = (10, 7, 5, 3, 1)
Event = Mapping[int, Result]


def points_of(event: Event) -> dict[int, Fraction]:
    return {person: result.points for person, result in event.items()}


def test_those_who_share_a_place_share_the_points_of_the_places_they_cover() -> None:
    shared = by_place({ANA: 1, BO: 2, CLEO: 2, DAN: 2}, POINTS)
    assert points_of(shared) == {ANA: 10, BO: 5, CLEO: 5, DAN: 5}
    assert points_of(by_place({ANA: 1, BO: 1}, POINTS)) == {ANA: Fraction(17, 2), BO: Fraction(17, 2)}
    assert [each.won for each in by_place({ANA: 1, BO: 1, CLEO: 3}, POINTS).values()] == [True, True, False]


def test_places_after_the_last_point_are_worth_nothing() -> None:
    assert points_of(by_place({ANA: 1, BO: 2, CLEO: 2}, (4, 1))) == {ANA: 4, BO: Fraction(1, 2), CLEO: Fraction(1, 2)}
    assert points_of(by_place({ANA: 1, BO: 2, CLEO: 3}, (4,))) == {ANA: 4, BO: 0, CLEO: 0}


def test_without_points_everybody_gets_one_for_each_who_is_placed_lower() -> None:
    assert points_of(by_place({ANA: 1, BO: 2, CLEO: 2, DAN: 4}, ())) == {
        ANA: 3,
        BO: Fraction(3, 2),
        CLEO: Fraction(3, 2),
        DAN: 0,
    }


def test_who_won_nothing_has_not_won_the_event() -> None:
    assert [each.won for each in by_worth({ANA: Fraction(2), BO: Fraction(-2)}).values()] == [True, False]
    assert [each.won for each in by_worth({ANA: Fraction(0), BO: Fraction(0)}).values()] == [False, False]
    assert by_worth({}) == {}


def nights(*orders: str) -> list[dict[int, Result]]:
    """Events with the people in these orders, by the first letters of their names."""
    people = dict(zip("ABCD", (ANA, BO, CLEO, DAN), strict=True))
    return [by_place({people[name]: place for place, name in enumerate(order, 1)}, POINTS) for order in orders]


def test_only_the_best_results_count_and_the_older_of_equal_ones() -> None:
    ana, bo, cleo = season_table(nights("ABC", "ABC", "BCA", "AB"), best=2)
    assert (ana.person, ana.total, ana.dropped) == (ANA, 20, {2, 3})
    assert (bo.person, bo.total, bo.dropped) == (BO, 17, {1, 3})
    assert (cleo.person, cleo.total, cleo.dropped) == (CLEO, 12, {1})


def test_equal_totals_are_decided_by_events_won_then_by_the_best_event_then_shared() -> None:
    one, two = Fraction(1), Fraction(2)
    more_won = [{ANA: Result(two, False), BO: Result(two, True)}]
    assert [row.person for row in season_table(more_won, None)] == [BO, ANA]
    better_once = [{ANA: Result(one, False), BO: Result(two, False)}, {ANA: Result(one, False)}]
    assert [row.person for row in season_table(better_once, None)] == [BO, ANA]
    assert [row.place for row in season_table(nights("ABC", "BAC"), None)] == [1, 1, 3]


def test_the_last_event_moves_people_and_brings_new_ones() -> None:
    rows = {row.person: row for row in season_table(nights("ABC", "CBAD"), None)}
    assert {person: row.moved for person, row in rows.items()} == {ANA: 0, BO: -1, CLEO: 2, DAN: None}
    assert {row.moved for row in season_table(nights("ABC"), None)} == {None}


def test_the_example_of_the_documentation() -> None:
    shared = by_place({ANA: 1, BO: 1, CLEO: 3}, POINTS)
    rows = season_table([*nights("ABCD", "BAC"), shared], best=2)
    found = [(row.person, row.place, row.total, row.dropped) for row in rows]
    high = Fraction(37, 2)
    assert found == [(ANA, 1, high, {1}), (BO, 1, high, {0}), (CLEO, 3, 10, {2}), (DAN, 4, 3, frozenset())]


def test_a_season_without_events_has_no_rows() -> None:
    assert season_table([], 3) == []


# --- a second opinion ----------------------------------------------------------------------------------------
QUARTERS = st.integers(-36, 36).map(lambda number: Fraction(number, 4))
RESULTS = st.builds(Result, QUARTERS, st.booleans())
EVENTS = st.lists(st.dictionaries(st.integers(1, 5), RESULTS, max_size=5), max_size=6)
BEST = st.none() | st.integers(1, 7)


def best_total(results: Sequence[Fraction], best: int | None) -> Fraction:
    """The greatest sum of so many of the results, by trying all."""
    number = min(len(results), best or len(results))
    return max(sum(chosen, Fraction(0)) for chosen in combinations(results, number))


def places_slowly(events: Sequence[Event], best: int | None) -> dict[int, int]:
    def merit(person: int) -> tuple[Fraction, int, Fraction]:
        theirs = [event[person] for event in events if person in event]
        points = [each.points for each in theirs]
        return best_total(points, best), len([each for each in theirs if each.won]), max(points)

    people = {person for event in events for person in event}
    return {each: 1 + len([other for other in people if merit(other) > merit(each)]) for each in people}


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(EVENTS, BEST)
def test_a_second_opinion_agrees(events: list[dict[int, Result]], best: int | None) -> None:
    now, before = places_slowly(events, best), places_slowly(events[:-1], best)
    rows = season_table(events, best)
    assert {row.person: row.place for row in rows} == now
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    for row in rows:
        theirs = {number: event[row.person] for number, event in enumerate(events) if row.person in event}
        assert row.results == theirs
        assert row.total == best_total([each.points for each in theirs.values()], best)
        assert row.total == sum(each.points for number, each in theirs.items() if number not in row.dropped)
        assert len(theirs) - len(row.dropped) == min(len(theirs), best or len(theirs))
        assert row.moved == (before[row.person] - row.place if row.person in before else None)


@given(st.lists(st.integers(0, 20), max_size=6), st.dictionaries(st.integers(1, 8), st.integers(0, 4), max_size=8))
def test_nothing_is_lost_where_places_are_shared(points: list[int], merits: dict[int, int]) -> None:
    results = by_place(places(merits), points)
    alone = sorted(points_of(by_place(dict(zip(merits, range(1, 9), strict=False)), points)).values())
    assert sum(each.points for each in results.values()) == sum(alone)
    for one, other in combinations(merits, 2):
        assert (results[one].points == results[other].points) or merits[one] != merits[other]
