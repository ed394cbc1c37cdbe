"""Many phones at once: real threads, on the real database."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connections, transaction
from django.urls import reverse

import games
from scorekeeper.access import Actor
from scorekeeper.models import Change, Club, LogEntry, Match, User
from scorekeeper.selectors.matches import differences, position, replay
from scorekeeper.services.clubs import found_club, setup_link, table_add
from scorekeeper.services.errors import Refused
from scorekeeper.services.matches import open_match
from scorekeeper.services.tables import table_set_open
from tests.conftest import NOW, Cast, Phone, enter, names_for, plan_for

PHONES = 200
GAME = sorted(games.GAMES)[0]


def together(do: Callable[[int], Any], phones: int) -> list[Any]:
    """The results of `do` for this number of phones, each in a thread of its own, all started at the same moment."""
    gate = Barrier(phones)

    def one(number: int) -> Any:
        gate.wait()
        try:
            return do(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(phones) as threads:
        return list(threads.map(one, range(phones)))


@pytest.mark.django_db(transaction=True)
def test_two_hundred_posts_leave_exactly_the_accepted_ones(cast: Cast) -> None:
    match, plan = cast.open(GAME), plan_for(GAME)
    phone = cast.phone()
    path, entries = reverse("api-match", args=[match.pk]), reverse("api-entries", args=[match.pk])

    def post(number: int) -> tuple[int, str]:
        mine = Phone(phone.token)
        seen = mine.get(path).json()["length"]
        answer = mine.post(entries, {"seen": seen, "key": f"phone-{number}", **plan[seen % len(plan)]})
        return answer.status_code, f"phone-{number}"

    answers = together(post, PHONES)
    accepted = {key for status, key in answers if status == 201}
    log = LogEntry.objects.filter(match=match).order_by("seq")
    match.refresh_from_db()
    assert {status for status, _key in answers} <= {201, 409}
    assert accepted
    assert {entry.key for entry in log} == accepted
    assert [entry.seq for entry in log] == list(range(len(accepted)))
    assert [entry.payload for entry in log] == plan[: len(accepted)]
    assert match.length == len(accepted)
    assert differences(match) == []
    changes = Change.objects.filter(topic=f"match:{match.pk}").exclude(kind="opened").order_by("id")
    assert [event.length for event in changes] == list(range(1, len(accepted) + 1))


@pytest.mark.django_db(transaction=True)
def test_the_same_key_from_many_threads_is_one_entry(cast: Cast) -> None:
    match, phone = cast.open(GAME), cast.phone()
    path, body = reverse("api-entries", args=[match.pk]), {"seen": 0, "key": "once", **plan_for(GAME)[0]}
    answers = together(lambda _number: Phone(phone.token).post(path, body), 20)
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert LogEntry.objects.filter(match=match).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_entries_on_the_same_state_the_second_gets_the_newer_sheet(cast: Cast) -> None:
    match, phone = cast.open(GAME), cast.phone()
    path = reverse("api-entries", args=[match.pk])
    bodies = [{"seen": 0, "key": "a", **plan_for(GAME)[0]}, {"seen": 0, "key": "b", "kind": "stop", "stopped": "time"}]
    answers = together(lambda number: Phone(phone.token).post(path, bodies[number]), 2)
    first, second = sorted(answers, key=lambda answer: answer.status_code)
    assert (first.status_code, second.status_code, second.json()["code"]) == (201, 409, "stale")
    for name in ("length", "sheet", "offers"):
        assert second.json()[name] == first.json()[name]


@pytest.mark.django_db(transaction=True)
def test_new_tables_at_once_get_numbers_of_their_own(cast: Cast) -> None:
    tables = together(lambda _number: table_add(club=cast.club, now=NOW).number, 10)
    assert sorted(tables) == list(range(3, 13))


@pytest.mark.django_db(transaction=True)
def test_of_many_phones_that_start_a_match_one_does(cast: Cast) -> None:
    def start(number: int) -> str:
        try:
            open_match(table=cast.table, game=GAME, options={}, players=names_for(GAME), by=Actor(), now=NOW)
        except Refused as error:
            return error.code
        return "opened"

    assert sorted(together(start, 8)) == ["opened", *["table-busy"] * 7]


@pytest.mark.django_db(transaction=True)
def test_the_one_time_link_makes_one_club_however_often_it_is_pressed() -> None:
    token = setup_link(NOW)

    def press(number: int) -> str:
        try:
            club, _user = found_club(
                token=token, club_name="Rovers", host_name=f"Host {number}", password="sets-of-28-tiles", now=NOW
            )
        except Refused as error:
            return error.code
        return club.slug

    assert sorted(together(press, 8)) == ["link-used"] * 7 + ["rovers"]
    assert (Club.objects.count(), User.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_a_position_read_before_a_rollback_is_forgotten_with_it(cast: Cast) -> None:
    match = cast.open(GAME)
    with transaction.atomic():
        inside = enter(Match.objects.get(pk=match.pk), plan_for(GAME, seed=1)[:3])
        rolled_back = position(inside)
        transaction.set_rollback(True)
    after = enter(Match.objects.get(pk=match.pk), plan_for(GAME, seed=2)[:3])
    assert position(after).record() == replay(after)[1].record() != rolled_back.record()


@pytest.mark.django_db(transaction=True)
def test_a_reader_of_newer_changes_misses_nothing(cast: Cast) -> None:
    plan = plan_for(GAME)[:15]

    def play(match: Match, turn: int) -> Match:
        return enter(match, plan[turn : turn + 1])

    work: list[Callable[[int], object]] = [
        *(partial(play, cast.open(GAME)) for _ in range(3)),
        lambda turn: table_add(club=cast.club, now=NOW),
        lambda turn: table_set_open(table=cast.table, is_open=turn % 2 == 1, now=NOW),
    ]
    ended: list[int] = []
    seen: list[int] = []

    def write(number: int) -> None:
        try:
            for turn in range(len(plan)):
                work[number](turn)
        finally:
            ended.append(number)

    beat = threading.Event()

    def read() -> None:
        last_round = False
        while not last_round:
            last_round = len(ended) == len(work)
            last = seen[-1] if seen else 0
            seen.extend(Change.objects.filter(id__gt=last).order_by("id").values_list("pk", flat=True))
            beat.wait(0.005)  # otherwise this thread leaves the others too little processor time

    together(lambda number: write(number) if number < len(work) else read(), len(work) + 1)
    assert seen == list(Change.objects.order_by("id").values_list("pk", flat=True))
