"""Tables of points: examples by hand, and random nights checked by a slow second opinion."""

import random
from fractions import Fraction
from functools import reduce

from scorekeeper.standings import MatchResult, Row, Sitting, Sums, added, rows, sitting_results, sums_of

PAIRS = ((0, 2), (1, 3))
ALONE = ((0,), (1,), (2,))
NAMES = {1: "Ana", 2: "Bo", 3: "Cleo", 4: "Dan", 5: "Eva"}


def result(
    players: list[int],
    hands: list[tuple[int, ...]],
    *,
    sides: tuple[tuple[int, ...], ...] = PAIRS,
    came: tuple[tuple[int, int, int], ...] = (),
    fewer: bool = False,
    game: str = "whist",
) -> MatchResult:
    """``came``: substitutes as (seat, player, from hand)."""
    totals = sums(players, hands)
    best = min(totals) if fewer else max(totals)
    sat = [(seat, player, 0) for seat, player in enumerate(players)] + list(came)
    return MatchResult(
        game,
        sides,
        tuple(Sitting(seat, player, NAMES[player], first) for seat, player, first in sat),
        len(hands),
        totals,
        frozenset(seat for seat, total in enumerate(totals) if total == best),
        {first: sums(players, hands[:first]) for _seat, _player, first in came},
        fewer,
    )


def sums(players: list[int], hands: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sum(hand[seat] for hand in hands) for seat in range(len(players)))


def shown(row: Row) -> tuple[object, ...]:
    return row.place, row.name, row.played, row.won, row.shared, row.hands, row.points_for, row.points_against


def table(*results: MatchResult) -> list[Row]:
    """The table of one game, added up match by match."""
    nobody: Sums = {}
    return rows(reduce(added, (sums_of(sitting_results(each)) for each in results), nobody), results[0].fewer_is_better)


def rows_of(*results: MatchResult) -> list[tuple[object, ...]]:
    return [shown(row) for row in table(*results)]


def test_partners_have_the_points_of_their_side() -> None:
    assert rows_of(result([1, 2, 3, 4], [(10, 3, 10, 3), (0, 5, 0, 5)])) == [
        (1, "Ana", 1, 1, 0, 2, 10, 8),
        (1, "Cleo", 1, 1, 0, 2, 10, 8),
        (3, "Bo", 1, 0, 0, 2, 8, 10),
        (3, "Dan", 1, 0, 0, 2, 8, 10),
    ]


def test_where_fewer_is_better_the_difference_is_turned() -> None:
    found = table(result([1, 2, 3, 4], [(10, 3, 10, 3)], fewer=True))
    assert [(row.name, row.won, row.difference) for row in found] == [
        ("Bo", 1, 7),
        ("Dan", 1, 7),
        ("Ana", 0, -7),
        ("Cleo", 0, -7),
    ]


def test_a_shared_win_is_half_a_win() -> None:
    shared, won = result([1, 2, 3, 4], [(5, 5, 5, 5)]), result([1, 2, 5, 4], [(5, 6, 5, 6)])
    found = table(shared, shared, won)
    assert [(row.name, row.won, row.shared, row.wins) for row in found] == [
        ("Bo", 1, 2, 2),
        ("Dan", 1, 2, 2),
        ("Cleo", 0, 2, 1),
        ("Ana", 0, 2, 1),
        ("Eva", 0, 0, 0),
    ]
    assert [row.place for row in found] == [1, 1, 3, 4, 5]  # Cleo has two half wins in two matches, Ana in three


def test_of_several_others_the_average_is_the_points_against() -> None:
    assert rows_of(result([1, 2, 3], [(30, 20, 5)], sides=ALONE)) == [
        (1, "Ana", 1, 1, 0, 1, 30, Fraction(25, 2)),
        (2, "Bo", 1, 0, 0, 1, 20, Fraction(35, 2)),
        (3, "Cleo", 1, 0, 0, 1, 5, 25),
    ]


def test_a_substitute_and_the_replaced_player_keep_the_points_of_their_hands() -> None:
    """Ana leaves after the first of three hands with 10 to 0; Eva takes over and wins."""
    played = result([1, 2, 3, 4], [(10, 0, 10, 0), (0, 4, 0, 4), (3, 0, 3, 0)], came=((0, 5, 1),))
    assert rows_of(played) == [
        (1, "Cleo", 1, 1, 0, 3, 13, 4),
        (2, "Eva", 1, 1, 0, 2, 3, 4),
        (3, "Ana", 1, 0, 0, 1, 10, 0),
        (4, "Bo", 1, 0, 0, 3, 4, 13),
        (4, "Dan", 1, 0, 0, 3, 4, 13),
    ]


def test_who_came_back_played_one_match() -> None:
    hands = [(10, 0, 10, 0), (0, 4, 0, 4), (3, 0, 3, 0)]
    played = result([1, 2, 3, 4], hands, came=((0, 5, 1), (0, 1, 2)))
    by_name = {name: rest for _place, name, *rest in rows_of(played)}
    assert by_name["Ana"] == [1, 1, 0, 2, 13, 0]
    assert by_name["Eva"] == [1, 0, 0, 1, 0, 4]


def test_who_was_to_come_for_a_hand_that_never_was_did_not_play() -> None:
    played = result([1, 2, 3, 4], [(10, 0, 10, 0)], came=((0, 5, 1),))
    assert [name for _place, name, *_rest in rows_of(played)] == ["Ana", "Cleo", "Bo", "Dan"]
    before_the_first = result([1, 2, 3, 4], [(10, 0, 10, 0)], came=((0, 5, 0),))
    assert [name for _place, name, *_rest in rows_of(before_the_first)] == ["Cleo", "Eva", "Bo", "Dan"]


def test_a_bare_result_belongs_to_the_players_at_the_end() -> None:
    sat = (Sitting(0, 1, "Ana"), Sitting(1, 2, "Bo"), Sitting(0, None, "Guest", 2))
    found = table(MatchResult("block", ((0,), (1,)), sat, 0, (150, 90), frozenset({0}), unverified=True))
    assert [shown(row) for row in found] == [(1, "Guest", 1, 1, 0, 0, 150, 90), (2, "Bo", 1, 0, 0, 0, 90, 150)]
    assert [row.unverified for row in found] == [1, 1]


def test_people_are_known_by_number_and_else_by_name() -> None:
    """A renamed player is one person, as are two guests with the same name; a guest is never a player with that
    name."""

    def match(*seats: tuple[int | None, str]) -> MatchResult:
        sat = tuple(Sitting(seat, player, name) for seat, (player, name) in enumerate(seats))
        return MatchResult("block", ((0,), (1,)), sat, 1, (5, 3), frozenset({0}))

    found = table(match((1, "Ana"), (None, "Bo")), match((1, "Anna"), (None, "Bo")), match((2, "Bo"), (1, "Anna")))
    assert [(row.player, row.name, row.played) for row in found] == [
        (1, "Anna", 3),
        (2, "Bo", 1),
        (None, "Bo", 2),
    ]


def test_equals_stand_in_the_order_of_the_alphabet() -> None:
    names = ("Vera", "ulises", "Óscar", "Ana")
    sat = tuple(Sitting(seat, None, name) for seat, name in enumerate(names))
    found = table(MatchResult("whist", PAIRS, sat, 1, (5, 5, 5, 5), frozenset(range(4))))
    assert [row.name for row in found] == ["Ana", "Óscar", "ulises", "Vera"]
    assert {row.place for row in found} == {1}


# --- a second opinion --------------------------------------------------------------------------------------------
def random_result(rng: random.Random) -> tuple[MatchResult, list[tuple[int, ...]]]:
    fewer, sides = rng.choice([(True, PAIRS), (False, ALONE), (False, ((0,), (1,)))])
    seats = sum(map(len, sides))
    hands = []
    for _ in range(rng.randint(1, 5)):
        points = {seat: value for side in sides for value in [rng.randint(0, 9)] for seat in side}
        hands.append(tuple(points[seat] for seat in range(seats)))
    players = rng.sample(range(1, 6), seats)
    out = [each for each in NAMES if each not in players]
    came = ((rng.randrange(seats), out[0], rng.randint(0, len(hands))),) if out and rng.random() < 0.4 else ()
    return result(players, hands, sides=sides, came=came, fewer=fewer, game=f"{seats}"), hands


def second_opinion(results: list[tuple[MatchResult, list[tuple[int, ...]]]], game: str) -> list[tuple[object, ...]]:
    """Counts hand by hand: the person in a seat gets the points of their side. Finds the order by comparing all
    pairs."""
    reached = {name: [0, 0, 0, 0, 0, Fraction(0)] for name in NAMES.values()}
    better = {}
    for each, hands in results:
        if each.game != game:
            continue
        played = set()
        for number, hand in enumerate(hands):
            now = {}
            for sitting in each.sittings:
                if sitting.from_hand <= number:
                    now[sitting.seat] = sitting.name
            for seat, name in now.items():
                mine = next(side for side in each.sides if seat in side)
                others = [hand[side[0]] for side in each.sides if side != mine]
                played.add(name)
                reached[name][3] += 1
                reached[name][4] += hand[seat]
                reached[name][5] += Fraction(sum(others), len(others))
        for name in played:
            reached[name][0] += 1
        shared = len({each.totals[side[0]] for side in each.sides if side[0] in each.winners}) and (
            sum(side[0] in each.winners for side in each.sides) > 1
        )
        for seat, name in now.items():
            if seat in each.winners:
                reached[name][2 if shared else 1] += 1
        better["sign"] = -1 if each.fewer_is_better else 1

    def merit(name: str) -> tuple[Fraction, Fraction, Fraction]:
        matches, won, halves, _hands, made, against = reached[name]
        wins = won + Fraction(halves, 2)
        return Fraction(wins), wins / Fraction(matches), better["sign"] * (made - against)

    there = [name for name, numbers in reached.items() if numbers[0]]
    placed = [(1 + sum(merit(other) > merit(name) for other in there), name) for name in there]
    return [(place, name, *reached[name]) for place, name in sorted(placed)]


def test_random_nights() -> None:
    rng = random.Random(4)
    for _ in range(300):
        results = [random_result(rng) for _ in range(rng.randint(1, 8))]
        for game in {each.game for each, _hands in results}:
            assert rows_of(*(each for each, _hands in results if each.game == game)) == second_opinion(results, game)
