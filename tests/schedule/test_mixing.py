"""Mixing: whole nights with people coming and going, and single rounds against every possible seating."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from scorekeeper.schedule.late_acceptance import Progress, last
from scorekeeper.schedule.meetings import History, PlayedMatch
from scorekeeper.schedule.mixing import Repeats, draw, repeats, tables_for
from scorekeeper.schedule.seating import Seating, Shape
from tests.schedule.mixing_second_opinion import every_seating, judged, table_of

FOUR = Shape(4, ((0, 2), (1, 3)))
THREE = Shape(3, ((0,), (1,), (2,)))
TWO = Shape(2, ((0,), (1,)))
TWO_AGAINST_ONE = Shape(3, ((0, 2), (1,)))
KINDS: dict[str, list[tuple[Shape, int | None]]] = {
    "fours": [(FOUR, None)],
    "twos": [(TWO, None)],
    "threes": [(THREE, None)],
    "fours and the rest in twos": [(FOUR, None), (TWO, None)],
    "one three, fours, a two": [(THREE, 1), (FOUR, None), (TWO, 1)],
    "two against one": [(TWO_AGAINST_ONE, None)],
}


def seated(drawn: Seating, shapes: Sequence[Shape]) -> tuple[PlayedMatch, ...]:
    return tuple(PlayedMatch(shape.sides_of(players)) for players, shape in zip(drawn.tables, shapes, strict=True))


def after(history: History, drawn: Seating, shapes: Sequence[Shape]) -> History:
    return History(history.played + seated(drawn, shapes), (*history.byes, drawn.byes))


def night(
    people: Sequence[int], kinds: list[tuple[Shape, int | None]], rounds: int, seed: int
) -> Iterator[tuple[History, list[Shape], Seating]]:
    """Each round, with the history before it."""
    rng, history = random.Random(seed), History((), ())
    shapes = tables_for(len(people), kinds)
    for _ in range(rounds):
        drawn = last(draw(people, shapes, history, rng))
        yield history, shapes, drawn
        history = after(history, drawn, shapes)


def random_history(rng: random.Random, people: Sequence[int], shapes: Sequence[Shape], rounds: int) -> History:
    """Rounds with random seats. One of the players has left since."""
    history = History((), ())
    for _ in range(rounds):
        there = rng.sample([*people, 1000], len(people))
        tables = []
        for shape in shapes:
            tables.append(tuple(there[: shape.seats]))
            del there[: shape.seats]
        history = after(history, Seating(tuple(tables), tuple(there)), shapes)
    return history


# --- what everybody can see --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("people", "kinds", "seats"),
    [
        (22, [(FOUR, None)], [4] * 5),
        (22, [(FOUR, None), (TWO, None)], [4] * 5 + [2]),
        (23, [(FOUR, None), (TWO, None)], [4] * 5 + [2]),
        (23, [(FOUR, 4), (TWO, 2), (THREE, None)], [4] * 4 + [2, 2, 3]),
        (3, [(FOUR, None)], []),
        (0, [(FOUR, None)], []),
    ],
)
def test_tables_for_a_number_of_people(people: int, kinds: list[tuple[Shape, int | None]], seats: list[int]) -> None:
    assert [shape.seats for shape in tables_for(people, kinds)] == seats


@pytest.mark.parametrize("people", range(5, 61))
def test_a_night_with_everybody_there(people: int) -> None:
    """Everybody gets one place, byes are shared, and partners stay new while that is easy."""
    byes: Counter[int] = Counter(dict.fromkeys(range(people), 0))
    for number, (history, shapes, drawn) in enumerate(night(range(people), KINDS["fours"], 5, people), 1):
        assert sorted([*drawn.byes, *(each for table in drawn.tables for each in table)]) == list(range(people))
        assert len(drawn.byes) == people % 4
        byes.update(drawn.byes)
        assert max(byes.values()) - min(byes.values()) <= 1
        again = repeats(drawn, shapes, history)
        assert not again.early_byes
        if people >= 8:
            assert not again.partners
            assert number > 3 or not again.opponents or people < 9


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("people", [7, 10, 13])
def test_every_kind_of_table(kind: str, people: int) -> None:
    byes: Counter[int] = Counter(dict.fromkeys(range(people), 0))
    for _history, shapes, drawn in night(range(people), KINDS[kind], 4, people):
        assert [len(table) for table in drawn.tables] == [shape.seats for shape in shapes]
        assert sorted([*drawn.byes, *(each for table in drawn.tables for each in table)]) == list(range(people))
        byes.update(drawn.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("people", range(5, 61))
def test_a_night_with_people_coming_and_going(people: int) -> None:
    """A bye goes to people with the fewest byes; among them, to those who played most; then to those without a bye in
    the last round."""
    rng, history = random.Random(people), History((), ())
    away = set(rng.sample(range(people), people // 4))
    for _ in range(5 if people % 6 else 9):
        here = [each for each in range(people) if each not in away]
        shapes = tables_for(len(here), KINDS["fours" if people % 2 else "fours and the rest in twos"])
        drawn = last(draw(here, shapes, history, rng))
        playing = [each for table in drawn.tables for each in table]
        assert sorted([*drawn.byes, *playing]) == here
        so_far = Counter(each for out in history.byes for each in out)
        matches = Counter(each for played in history.played for side in played.sides for each in side)
        just_now = history.byes[-1] if history.byes else ()
        for out in drawn.byes:
            for each in playing:
                assert (so_far[out], -matches[out], out in just_now) <= (so_far[each], -matches[each], each in just_now)
        history = after(history, drawn, shapes)
        moved = rng.sample(range(people), max(1, people // 8))
        away = away.symmetric_difference(moved) if people - len(away.symmetric_difference(moved)) > 4 else away


def test_a_late_arrival_plays_first() -> None:
    played = (PlayedMatch(((1, 2), (3, 4))), PlayedMatch(((1, 3), (2, 4))))
    drawn = last(draw([1, 2, 3, 4, 9], [FOUR], History(played, ((), ())), random.Random(1)))
    assert 9 not in drawn.byes


def test_the_same_seed_draws_the_same_round() -> None:
    """Other seeds draw others: each of twelve people sits in the first seat of the first table at some time."""
    rounds = [last(draw(range(12), [FOUR] * 3, History((), ()), random.Random(seed))) for seed in [*range(60), 7]]
    assert rounds[7] == rounds[-1]
    assert {drawn.tables[0][0] for drawn in rounds} == set(range(12))


def test_tables_and_seats_change_during_a_night() -> None:
    """Each of twelve people sits in at least four different places in eight rounds."""
    places: dict[int, set[tuple[int, int]]] = {}
    for _history, _shapes, drawn in night(range(12), KINDS["fours"], 8, 2):
        for number, table in enumerate(drawn.tables):
            for seat, player in enumerate(table):
                places.setdefault(player, set()).add((number, seat))
    assert min(map(len, places.values())) >= 4


@pytest.mark.parametrize(("people", "rounds", "opponents_new"), [(8, 7, 3), (12, 9, 3), (16, 12, 4), (24, 10, 6)])
def test_how_long_partners_and_opponents_stay_new(people: int, rounds: int, opponents_new: int) -> None:
    """At most 7, 11, 15 and 23 rounds can have new partners, and 3, 5, 7 and 11 new opponents, by counting. The draw
    does not look ahead, so the test asks for fewer. docs/mixing.md has figures with other seeds."""
    for number, (history, shapes, drawn) in enumerate(night(range(people), KINDS["fours"], rounds, 1), 1):
        again = repeats(drawn, shapes, history)
        assert not again.partners
        assert number > opponents_new or not again.opponents


def test_repeats_of_a_round_made_by_hand() -> None:
    history = History((PlayedMatch(((1, 2), (3, 4))), PlayedMatch(((1, 3), (2, 4)))), ((5,), (6,)))
    assert repeats(Seating(((2, 6, 1, 4),), (3, 5)), [FOUR], history) == Repeats(
        partners=((1, 2),), opponents=((1, 4), (2, 4)), met=((1, 2), (1, 4), (2, 4)), byes=(5,), early_byes=(5,)
    )
    assert repeats(Seating((), (5,)), [], History((), ())) == Repeats((), (), (), (), ())


def test_substitutes_meet_the_others_too() -> None:
    """All who played together have met, once for the match; and it is one match for each of them."""
    history = History((PlayedMatch(((1, 2), (3, 4)), (((5, 2), (3, 4)),)),), ())
    pair = Shape(2, ((0, 1),))
    for partners in ((1, 2), (5, 2), (3, 4)):
        assert repeats(Seating((partners,)), [pair], history).partners == (tuple(sorted(partners)),)
    assert repeats(Seating(((1, 5),)), [TWO], history).met == ()
    assert repeats(Seating(((5, 3),)), [TWO], history).opponents == ((3, 5),)
    both = [PlayedMatch(((1, 6), (7, 8))), PlayedMatch(((1, 2), (3, 4)), (((5, 2), (3, 4)),))]
    # Player 1 played two matches and gets the bye; player 2 played one, with and without the substitute.
    history, alone = History(tuple(both), ()), Shape(1, ((0,),))
    assert {last(draw([1, 2], [alone], history, random.Random(seed))).byes for seed in range(20)} == {(1,)}


def test_too_few_people_or_somebody_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="3 people cannot fill tables for 4"):
        draw([1, 2, 3], [FOUR], History((), ()), random.Random(1))
    with pytest.raises(ValueError, match="somebody is listed twice"):
        draw([1, 2, 3, 1], [FOUR], History((), ()), random.Random(1))


def test_no_people_or_no_tables() -> None:
    drawn = last(draw([], [], History((), ()), random.Random(1)))
    assert (drawn.tables, drawn.byes) == ((), ())
    assert last(draw([3], [], History((), ()), random.Random(1))).byes == (3,)


@pytest.mark.parametrize("shapes", [[TWO], [FOUR], [FOUR, TWO]])
def test_few_tables_for_a_crowd(shapes: list[Shape]) -> None:
    """Nobody plays twice before everybody has played once."""
    rng, history = random.Random(5), History((), ())
    seats = sum(shape.seats for shape in shapes)
    for number in range(1, 60 // seats + 1):
        drawn = last(draw(range(60), shapes, history, rng))
        history = after(history, drawn, shapes)
        assert len({each for played in history.played for side in played.sides for each in side}) == number * seats


# --- progress ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("people", [0, 3, 8, 12, 18, 40])
def test_progress_rises_to_its_total_and_every_report_is_a_whole_round(people: int) -> None:
    """Whoever stops at any report keeps a round in which everybody has one place."""
    *_rounds, (history, shapes, _drawn) = night(range(people), KINDS["fours"], 4, 1)
    reports: list[Progress[Seating]] = [*draw(range(people), shapes, history, random.Random(1))]
    steps = [report.done for report in reports]
    assert steps == sorted(steps)
    assert {report.total for report in reports} == {steps[-1]}
    for tables, byes in (report.best for report in reports):
        assert sorted([*byes, *(player for table in tables for player in table)]) == list(range(people))


def test_the_best_so_far_gets_no_worse() -> None:
    *_rounds, (history, shapes, _drawn) = night(range(18), KINDS["fours"], 8, 1)
    reports = [*draw(range(18), shapes, history, random.Random(1))]
    costs = [
        judged((best.byes, [table_of(*each) for each in zip(best.tables, shapes, strict=True)]), history)
        for best, _done, _total in reports
    ]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]


# --- against every seating ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("people", "kind"),
    [
        *((people, kind) for kind in KINDS for people in (5, 7, 8)),
        (6, "fours"),
        (9, "fours"),
        (9, "threes"),
        (9, "fours and the rest in twos"),
        (10, "fours"),
    ],
)
def test_no_seating_is_better(people: int, kind: str) -> None:
    rng = random.Random(f"{people} {kind}")
    numbers = rng.sample(range(100), people)
    shapes = tables_for(people, KINDS[kind])
    seatings = list(every_seating(numbers, shapes))
    nights = [history for history, _shapes, _drawn in night(numbers, KINDS[kind], 6, people)]
    wild = random_history(rng, numbers, shapes, 7)
    for history in (nights[3], nights[5], wild) if people < 9 else (rng.choice([nights[5], wild]),):
        drawn = last(draw(numbers, shapes, history, rng))
        tables = [table_of(players, shape) for players, shape in zip(drawn.tables, shapes, strict=True)]
        assert judged((drawn.byes, tables), history) == min(judged(each, history) for each in seatings)


def test_no_seating_of_twelve_people_is_better() -> None:
    """Out of 155,925."""
    history = [history for history, _shapes, _drawn in night(range(12), KINDS["fours"], 7, 3)][-1]
    drawn = last(draw(range(12), [FOUR] * 3, history, random.Random(3)))

    @cache
    def cost(sides: tuple[tuple[int, ...], ...]) -> int:
        _turns, partners, opponents, met = judged(((), [sides]), history)
        return (partners * 1000 + opponents) * 1000 + met

    costs = [sum(map(cost, tables)) for _out, tables in every_seating(range(12), [FOUR] * 3)]
    assert len(costs) == 155_925
    assert sum(cost(table_of(players, FOUR)) for players in drawn.tables) == min(costs)
