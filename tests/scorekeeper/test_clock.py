"""The clock of a match: it runs, stands still, goes on, and gets more time."""

from datetime import UTC, datetime, timedelta

import pytest

from scorekeeper.selectors.clock import Clock

BEGAN = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)


def after(minutes: int, seconds: int = 0) -> datetime:
    return BEGAN + timedelta(minutes=minutes, seconds=seconds)


def test_a_pause_moves_the_end() -> None:
    clock = Clock(BEGAN, 30)
    paused = clock.paused(after(10, 30))
    assert (clock.until, paused.until) == (after(30), None)
    assert paused.left_in_pause == timedelta(minutes=19, seconds=30)
    assert paused.paused(after(12)) is paused
    assert paused.resumed(after(12)).until == after(31, 30)
    again = paused.resumed(after(12)).paused(after(31))
    assert again.resumed(after(41)).until == after(41, 30)


def test_it_waits_until_somebody_starts_it() -> None:
    clock = Clock.waiting(BEGAN, 20)
    assert (clock.waits, clock.until, clock.left_in_pause) == (True, None, timedelta(minutes=20))
    assert clock.paused(after(2)) is clock
    assert clock.extended(5, after(2)).left_in_pause == timedelta(minutes=25)
    started = clock.resumed(after(3))
    assert (started.waits, started.until) == (False, after(23))
    assert not started.paused(after(4)).waits, "a pause is none"
    assert not Clock.waiting(BEGAN, None).waits, "there is nothing to start"


def test_it_never_shows_more_time_than_it_was_given() -> None:
    moment = timedelta(milliseconds=999)
    assert Clock.waiting(BEGAN, 20).resumed(after(1) + moment).until == after(21)
    assert Clock(BEGAN, 30).paused(after(1)).resumed(after(2) + moment).until == after(31)
    assert Clock(BEGAN, 30).started(20, after(2) + moment).until == after(22)
    assert Clock(BEGAN, 30).extended(5, after(40) + moment).until == after(45)


def test_it_says_how_long_it_has_run() -> None:
    quarter = timedelta(minutes=15)
    assert Clock.waiting(BEGAN, 20).after(quarter) is None
    assert Clock.waiting(BEGAN, 20).resumed(after(3)).after(quarter) == after(18)
    assert Clock(BEGAN, None).after(quarter) == after(15)


@pytest.mark.parametrize("clock", [Clock(BEGAN, None), Clock(BEGAN, 30)])
def test_without_time_left_nothing_is_paused(clock: Clock) -> None:
    assert clock.paused(after(30)) is clock
    assert clock.resumed(after(30)) is clock


def test_more_time_is_added_to_what_is_left() -> None:
    assert Clock(BEGAN, 30).extended(5, after(29)).until == after(35)
    assert Clock(BEGAN, 30).extended(5, after(40, 10)).until == after(45, 10), "time was up: from now on"
    assert Clock(BEGAN, None).extended(5, after(40)).until == after(45)
    paused = Clock(BEGAN, 30).paused(after(10)).extended(5, after(50))
    assert paused.left_in_pause == timedelta(minutes=25)


def test_it_starts_again_from_now() -> None:
    paused = Clock(BEGAN, 30).paused(after(10))
    assert paused.started(20, after(50)).until == after(70)


@pytest.mark.parametrize("clock", [Clock(BEGAN, None), Clock(BEGAN, 30, 61).paused(after(3, 1))])
def test_it_reads_what_it_writes(clock: Clock) -> None:
    assert Clock.of(BEGAN, clock.as_json()) == clock
