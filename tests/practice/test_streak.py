"""The streak of days whose puzzle was solved at the first try."""

from datetime import date, timedelta

from scorekeeper.practice.puzzle import puzzle_of
from scorekeeper.practice.streak import Tries

FIRST = date(2026, 3, 1)
# Only the day of a puzzle matters here, so all are the first one's.
PUZZLE = puzzle_of(FIRST)


def day(number: int) -> date:
    return FIRST + timedelta(days=number)


def after(*results: bool | None) -> Tries:
    """After so many days: solved, not solved, or not tried."""
    tries = Tries()
    for number, right in enumerate(results):
        if right is not None:
            puzzle = type(PUZZLE)(day(number), PUZZLE.match, PUZZLE.choices)
            tries = tries.tried(puzzle, PUZZLE.choices[0 if right else -1])
    return tries


def test_days_in_a_row_count() -> None:
    tries = after(True, True, True)
    assert (tries.streak(day(2)), tries.best) == (3, 3)


def test_the_streak_of_yesterday_is_alive_until_todays_puzzle_is_tried() -> None:
    assert after(True, True).streak(day(2)) == 2
    assert after(True, True, False).streak(day(2)) == 0
    assert after(True, True, False).best == 2


def test_a_day_without_a_try_ends_it() -> None:
    assert after(True, True, None).streak(day(3)) == 0
    tries = after(True, True, None, True)
    assert (tries.streak(day(3)), tries.best) == (1, 2)


def test_only_the_first_try_of_a_day_counts() -> None:
    wrong, right = after(False), after(True)
    assert wrong.tried(PUZZLE, PUZZLE.choices[0]) == wrong
    assert right.tried(PUZZLE, PUZZLE.choices[-1]) == right
    assert wrong.choice(PUZZLE) == PUZZLE.choices[-1]


def test_a_session_keeps_it() -> None:
    for tries in (Tries(), after(False), after(True, True, False, True, None)):
        assert Tries.read(tries.as_json()) == tries
    assert len(after(True, True, True).as_json()["laid"]) == 2
