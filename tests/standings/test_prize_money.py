"""Prize money is shared by rule, to the last cent, and nobody with a worse place gets more."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from scorekeeper.standings.criteria import Value
from scorekeeper.standings.prize_money import SHARING, Ranked, shares
from scorekeeper.standings.ranking import Standing

APART = [Ranked(1, 5), Ranked(2, 4), Ranked(3, 3)]
TWO_FIRST = [Ranked(1, 5), Ranked(2, 5), Ranked(3, 3)]
SAME_PLACE = [Ranked(1, 5), Ranked(1, 5), Ranked(3, 5), Ranked(4, 1)]


@pytest.mark.parametrize(
    ("amounts", "ranked", "sharing", "paid"),
    [
        ([100, 60, 40], APART, "place", [100, 60, 40]),
        ([100, 60, 40], APART, "equal", [100, 60, 40]),
        ([100, 60, 40], APART, "hort", [100, 60, 40]),
        ([100, 60, 40], TWO_FIRST, "place", [100, 60, 40]),
        ([100, 60, 40], TWO_FIRST, "equal", [80, 80, 40]),
        ([100, 60, 40], TWO_FIRST, "hort", [90, 70, 40]),
        # Whoever shares a place shares its amounts by every rule.
        ([100, 60, 40], SAME_PLACE, "place", [80, 80, 40, 0]),
        ([100, 60, 40], SAME_PLACE, "equal", [67, 67, 66, 0]),
        ([100, 60, 40], SAME_PLACE, "hort", [74, 73, 53, 0]),
        # Equal to the last one with a prize: they share that, and nobody else's.
        ([100, 60], [Ranked(1, 5), Ranked(2, 4), Ranked(3, 4), Ranked(4, 4)], "equal", [100, 20, 20, 20]),
        ([100, 60], [Ranked(1, 5), Ranked(2, 4), Ranked(3, 4), Ranked(4, 4)], "hort", [100, 40, 10, 10]),
        # Amounts of places that nobody has are not paid.
        ([100, 60, 40], APART[:2], "equal", [100, 60]),
        ([], APART, "hort", [0, 0, 0]),
        ([100], [], "equal", []),
        # The unit that is left goes to who was rounded down, not to who has a whole number already.
        ([3, 2, 2], [Ranked(1, 1), Ranked(2, 1), Ranked(3, 1)], "equal", [3, 2, 2]),
        ([1], [Ranked(1, 1), Ranked(1, 1)], "place", [1, 0]),
        ([100, 50, 50, 20], [Ranked(at, 1) for at in (1, 2, 3, 4)], "hort", [78, 53, 52, 37]),
    ],
)
def test_examples(amounts: list[int], ranked: list[Ranked], sharing: str, paid: list[int]) -> None:
    assert shares(amounts, ranked, sharing) == paid


def test_who_is_equal_follows_from_the_first_criterion() -> None:
    values = {"points": Value(Fraction(3, 2)), "wins": Value(1)}
    assert Ranked.of(Standing(2, 7, "Ana", values=values)) == Ranked(2, Fraction(3, 2))
    assert Ranked.of(Standing(3, 7, "Ana")) == Ranked(3, 3), "in a knock-out"


def slowly(amounts: Sequence[int], ranked: Sequence[Ranked], sharing: str) -> list[Fraction]:
    """The exact shares, each by its own definition."""

    def amount(at: int) -> int:
        return amounts[at] if at < len(amounts) else 0

    def mean_of(places: Sequence[int]) -> Fraction:
        return Fraction(sum(map(amount, places)), len(places))

    everybody = range(len(ranked))
    found = []
    for each in ranked:
        own = mean_of([at for at in everybody if ranked[at].place == each.place])
        equal = mean_of([at for at in everybody if ranked[at].first == each.first])
        found.append({"place": own, "equal": equal, "hort": Fraction(own + equal, 2)}[sharing])
    return found


def some_ranking(rng: random.Random) -> list[Ranked]:
    ranked: list[Ranked] = []
    place, first = 1, 99
    for at in range(rng.randint(0, 12)):
        same_place = ranked and rng.random() < 0.3
        if not same_place:
            place = at + 1
            first -= rng.random() < 0.5
        ranked.append(Ranked(place, first))
    return ranked


@pytest.mark.parametrize("sharing", SHARING)
def test_random_rankings_against_the_definition(sharing: str) -> None:
    rng = random.Random(20)
    for _again in range(2000):
        ranked = some_ranking(rng)
        amounts = sorted((rng.randint(1, 30) for _place in range(rng.randint(0, 8))), reverse=True)
        paid, exact = shares(amounts, ranked, sharing), slowly(amounts, ranked, sharing)
        at = (amounts, ranked, paid)
        assert sum(paid) == sum(amounts[: len(ranked)]), at
        assert paid == sorted(paid, reverse=True), at
        assert all(abs(one - other) < 1 for one, other in zip(paid, exact, strict=True)), at
        for key in {each.first for each in ranked}:
            here = [number for number, each in enumerate(ranked) if each.first == key]
            assert sum(paid[each] for each in here) == sum(exact[each] for each in here), at
