"""Many phones at once: real threads, on the real database."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.urls import reverse
from django.utils import timezone

import games
from scorekeeper.access import Actor
from scorekeeper.live import Topic
from scorekeeper.live.reading import NewChanges
from scorekeeper.models import Change, Club, Event, Job, LogEntry, Match, Table, User
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.matches import position, replay
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import calls, events, jobs, pads, recording, schedules
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.clubs import found_club, setup_link, table_add
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.services.matches import open_match
from scorekeeper.services.tables import table_set_open
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, Phone, enter, names_for, plan_for
from tests.nights import at, first
from tests.tournaments import entered, setup_of

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
    assert out_of_date(match) == []
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
    before, new = Change.objects.count(), NewChanges()

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
            seen.extend(change.id for change in new.read())
            beat.wait(0.005)  # otherwise this thread leaves the others too little processor time

    together(lambda number: write(number) if number < len(work) else read(), len(work) + 1)
    assert sorted(seen) == list(Change.objects.order_by("id").values_list("pk", flat=True)[before:])


@pytest.mark.django_db(transaction=True)
def test_a_reader_leaves_out_what_was_there_before_it(cast: Cast) -> None:
    """Even if another transaction is busy all the time. On PostgreSQL, it can be one of another database."""
    with closing(connection.copy()) as busy:
        busy.set_autocommit(False)
        with busy.cursor() as cursor:
            cursor.execute("SELECT pg_current_xact_id()" if connection.vendor == "postgresql" else "SELECT 1")
        match = cast.open(GAME)
        new = NewChanges()
        assert new.read() == []
        enter(match, plan_for(GAME)[:1])
        assert {Topic.read(change.topic) for change in new.read()} >= {Topic("match", match.pk)}
        assert new.read() == []
        busy.rollback()


@pytest.mark.django_db(transaction=True)
def test_the_changes_of_a_topic_become_visible_in_the_order_of_their_ids(cast: Cast) -> None:
    """Tables of one club change its page at the same time."""
    topic, ended, seen = Topic("club", cast.club.pk), threading.Event(), [0]

    def write(_number: int) -> None:
        for _turn in range(10):
            table_add(club=cast.club, now=NOW)

    def read() -> None:
        while not ended.is_set():
            newer = topic.changes().filter(pk__gt=seen[-1])
            seen.extend(sorted(newer.values_list("pk", flat=True)))

    def writers() -> None:
        try:
            together(write, 3)
        finally:
            ended.set()

    together(lambda number: (writers, read)[number](), 2)
    seen.extend(sorted(topic.changes().filter(pk__gt=seen[-1]).values_list("pk", flat=True)))
    assert seen[1:] == sorted(topic.changes().values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
def test_an_evening_ends_while_all_tables_play(cast: Cast) -> None:
    """The last hand is called, the night closed, reopened and closed again, while every table records, phones scan and
    call the host: nobody gets an error, and every acknowledged entry is there once."""
    tables = [cast.table, cast.other_table, table_add(club=cast.club, now=NOW)]
    matches = [cast.open(GAME, table=table) for table in tables]
    night = events.start(club=cast.club, players=[], guests=["Eve", "Fay"], step=first("night"))
    plan = plan_for(GAME, hands=9)
    accepted: list[tuple[int, str]] = []

    def play(number: int) -> None:
        match, phone = matches[number], cast.phone(table=tables[number])
        path, seen, to_play = reverse("api-entries", args=[match.pk]), 0, plan[::-1]
        for turn in range(20):
            answer = phone.post(path, {"seen": seen, "key": f"{number}-{turn}", **to_play[-1]})
            assert answer.status_code in (201, 409, 422), answer.content
            seen = answer.json().get("length", seen)
            if answer.status_code == 201:
                accepted.append((match.pk, f"{number}-{turn}"))
                to_play.pop()

    def scan_and_call(number: int) -> None:
        table = tables[number]
        for turn in range(8):
            pads.scan(table=table, phone=f"{turn}", now=timezone.now())
            calls.call(table=table, match=None, name="", why=f"{turn}", now=timezone.now())

    def host(_number: int) -> None:
        by = Actor()
        for turn in range(3):
            step = partial(Step, by, seen=Event.objects.get(pk=night.pk).length, now=timezone.now())
            with suppress(Refused):
                events.call_last_hand(event_id=night.pk, step=step(key=f"last {turn}"))
            step = partial(Step, by, seen=Event.objects.get(pk=night.pk).length, now=timezone.now())
            events.close(event_id=night.pk, open_matches="count", step=step(key=f"close {turn}"))
            step = partial(Step, by, seen=Event.objects.get(pk=night.pk).length, now=timezone.now())
            events.undo(event_id=night.pk, step=step(key=f"undo {turn}"))

    # Together with this thread, no more than there are connections to PostgreSQL: each keeps its own to the end.
    people = [*(partial(play, n) for n in range(3)), *(partial(scan_and_call, n) for n in range(3)), partial(host, 0)]
    together(lambda number: people[number](), len(people))
    for match in matches:
        match.refresh_from_db()
        assert out_of_date(match) == []
    log = set(LogEntry.objects.filter(match__in=matches).values_list("match", "key"))
    assert accepted
    assert set(accepted) <= log


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_on_one_schedule_one_makes_it(cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads"), 18)
    job = schedules.schedule(event=event, rng=random.Random(1), step=at(event, "schedule"))
    together(lambda _worker: jobs.run(job.pk, WORK), 2)
    job.refresh_from_db()
    event.refresh_from_db()
    assert (job.state, job.tries, len(state_of(event).plan), event.length) == (Job.State.DONE, 1, 17, 3)


@pytest.mark.django_db(transaction=True)
def test_entries_keep_their_order_when_the_clock_goes_back(cast: Cast) -> None:
    match, plan = cast.open(GAME), plan_for(GAME)[:12]
    for seen, entry in enumerate(plan):
        recording.record(
            match_id=match.pk, seen=seen, key=f"{seen}", entry=entry, by=Actor(), now=NOW - timedelta(hours=seen)
        )
    match.refresh_from_db()
    assert list(match.log.order_by("seq").values_list("payload", flat=True)) == plan
    assert out_of_date(match) == []
    assert position(match).record() == replay(match)[1].record()


@pytest.mark.django_db(transaction=True)
def test_late_and_repeated_requests_in_any_order_change_nothing(cast: Cast) -> None:
    """Every request comes three times, some long after the next ones."""
    match, phone, plan = cast.open(GAME), cast.phone(), plan_for(GAME)[:10]
    path = reverse("api-entries", args=[match.pk])
    requests = [{"seen": seen, "key": f"{seen}", **entry} for seen, entry in enumerate(plan)]
    answers: dict[str, set[bytes]] = {}
    for late in (
        *(each for number in range(10) for each in requests[: number + 1][::-1]),
        *requests[::3],
        *requests[::-1],
    ):
        answer = phone.post(path, late)
        assert answer.status_code in (200, 201)
        answers.setdefault(late["key"], set()).add(answer.content)
    assert all(len(same) == 1 for same in answers.values())
    match.refresh_from_db()
    assert list(match.log.order_by("seq").values_list("payload", flat=True)) == plan
    assert out_of_date(match) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_who_wait_for_each_other_one_starts_again(cast: Cast) -> None:
    """On SQLite the second writer waits before its first statement. On PostgreSQL, who starts again can lock its table
    before the other wakes up, so that they wait for each other once more."""
    pair, began = (cast.table, cast.other_table), [0, 0]
    both = Barrier(2)

    @in_one_transaction
    def write(number: int) -> None:
        began[number] += 1
        for place in (number, 1 - number):
            Table.objects.select_for_update().get(pk=pair[place].pk)
            Table.objects.filter(pk=pair[place].pk).update(name=f"{number}")
            if connection.vendor == "postgresql" and began[number] == 1 and place == number:
                both.wait(30)

    together(write, 2)
    assert sum(began) >= 3 if connection.vendor == "postgresql" else sum(began) == 2
    assert len(set(Table.objects.values_list("name", flat=True))) == 1
