"""The archive of a club with five thousand matches, made by a real worker process, which is also cancelled and
killed."""

import csv
import json
import os
import random
import signal
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.utils import timezone

import games
from scorekeeper.models import Club, Job, LogEntry, Match, Seat, Table
from scorekeeper.selectors.matches import projection
from scorekeeper.services import archive, files, jobs
from scorekeeper.serving.worker import Worker
from tests.conftest import NOW, names_for
from tests.job_worker import job_worker
from tests.waiting import until

MATCHES = 2000
DIFFERENT = 20  # the first ones; the rest are the shortest of them again


def played(number: int) -> tuple[games.Match, list[dict]]:
    """A random match and its entries; every second one stops in the middle."""
    game = sorted(games.GAMES)[number % len(games.GAMES)]
    rng = random.Random(number)
    record = games.random_match(game, {}, names_for(game), rng, hands=1 if number % 2 else 2)
    entries, state = [{"kind": "hand", **hand} for hand in record["hands"]], games.Match.new(game, {}, names_for(game))
    for entry in entries:
        state = state.enter(entry)
    return state, entries


@pytest.fixture(scope="module")
def club(django_db_setup, django_db_blocker) -> Iterator[Club]:
    """A club with MATCHES matches, committed so that a worker process can see them."""
    with django_db_blocker.unblock():
        club = Club.objects.create(slug="thousands", name="Thousands", created_at=NOW)
        table = Table.objects.create(club=club, number=3)
        different = [played(number) for number in range(DIFFERENT)]
        shortest = min(different, key=lambda each: len(str(each[1])))
        plan = different + [shortest] * (MATCHES - DIFFERENT)
        matches = []
        for state, entries in plan:
            sheet, offers, status = projection(state)
            matches.append(
                Match(
                    club=club,
                    table=table,
                    game=state.game.slug,
                    options=dict(state.options),
                    sheet=sheet,
                    offers=offers,
                    status=status,
                    length=len(entries),
                    created_at=NOW,
                    finished_at=None if status == Match.Status.PLAYING else NOW,
                )
            )
        Match.objects.bulk_create(matches)
        seats, log = [], []
        for match, (state, entries) in zip(matches, plan, strict=True):
            seats += [Seat(match=match, number=seat, begun=seat, name=name) for seat, name in enumerate(state.players)]
            log += [
                LogEntry(match=match, seq=seq, kind="hand", payload=entry, at=NOW, key=str(seq))
                for seq, entry in enumerate(entries)
            ]
        Seat.objects.bulk_create(seats)
        LogEntry.objects.bulk_create(log)
        yield club
        call_command("flush", verbosity=0, interactive=False)  # the worker has its own duties, and writes for them


@pytest.fixture
def worker(club: Club, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    with job_worker(monkeypatch) as worker:
        yield worker


def now_of(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def in_the_middle(job: Job) -> int:
    """The progress of the job, once it has begun but not finished."""
    current = until(lambda: (found := now_of(job)).progress and found)
    assert current.state == "running"
    assert 0 < current.progress < MATCHES
    return current.progress


def started(club: Club) -> Job:
    return archive.start(club=club, by=None, now=timezone.now())


def ended(job: Job) -> Job:
    return until(lambda: (found := now_of(job)).state not in ("new", "running") and found, within=120)


def left_over() -> list[Path]:
    return list(files.archives().glob(".*"))


def check(file: Path) -> None:
    """Checks that the file has every match once, as a valid record and as rows that agree with it."""
    with ZipFile(file) as whole:
        assert whole.testzip() is None
        with whole.open("records.ndjson") as lines:
            records = [json.loads(line) for line in lines]
        with whole.open("matches.csv") as table:
            rows = list(csv.DictReader(TextIOWrapper(table, encoding="utf-8-sig", newline="")))
    assert len({record["meta"]["id"] for record in records}) == len(records) == MATCHES
    assert len(rows) == sum(len(record["players"]) for record in records)
    for record in records[:DIFFERENT]:
        answer = games.verify(record)
        assert answer["valid"], answer
        mine = [row for row in rows if row["match"] == record["meta"]["id"]]
        assert [row["player"] for row in mine] == record["players"]
        assert [int(row["points"]) for row in mine] == answer["totals"]
        assert [row["seat"] for row in mine if row["won"] == "yes"] == [str(seat) for seat in answer["winners"]]
        assert {(row["date"], row["table"], row["game"]) for row in mine} == {("2026-05-09", "3", record["game"])}


def test_the_archive_of_two_thousand_matches(club: Club, worker: Worker) -> None:
    job = started(club)
    assert started(club) == job, "one that is on its way is not begun again"
    seen = []

    def has_ended() -> bool:
        seen.append(now_of(job).progress)
        return now_of(job).state not in ("new", "running")

    until(has_ended, within=120)
    job.refresh_from_db()
    assert (job.state, job.error, job.progress, job.total) == ("done", "", MATCHES, MATCHES)
    assert seen == sorted(seen)
    assert len(set(seen)) > 5, "progress was seen to rise"
    file = files.file_of(job)
    assert file
    check(file)
    assert left_over() == []


def test_cancelled_in_the_middle_it_leaves_nothing(club: Club, worker: Worker) -> None:
    job = started(club)
    far = in_the_middle(job)
    jobs.cancel(job_id=job.pk, now=timezone.now())
    job = ended(job)
    assert job.state == "cancelled"
    assert far <= job.progress < MATCHES
    assert files.file_of(job) is None
    assert left_over() == []


def test_killed_in_the_middle_it_is_finished_by_the_next_worker(club: Club, worker: Worker) -> None:
    job = started(club)
    in_the_middle(job)
    assert worker.child
    os.kill(worker.child.pid, signal.SIGKILL)
    worker.child.wait()
    assert now_of(job).state == "running", "the dead tell nobody"
    assert left_over() != []
    assert jobs.sweep(now=timezone.now() + jobs.LEASE) >= 1  # on a slow machine, the beat has begun a backup, too
    job = ended(job)
    assert (job.state, job.tries) == ("done", 2)
    file = files.file_of(job)
    assert file
    check(file)
    assert left_over() == []
