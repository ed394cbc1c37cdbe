"""What a server for years deletes, and what it must keep."""

import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.db.models import Max

from scorekeeper.access import Actor
from scorekeeper.models import Change, DeviceToken, Job, OneTimeLink, Pad, ProgramToken
from scorekeeper.selectors.events import event_now
from scorekeeper.services import files, jobs, programs, pruning, tables, upkeep
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, enter, plan_for
from tests.nights import night_of, played

pytestmark = pytest.mark.django_db
GAME = "block"
DAY = timedelta(days=1)
LATER = NOW + 400 * DAY


@pytest.fixture(autouse=True)
def own_data(settings: Any, tmp_path: Path) -> None:
    """All files of the folder count, so it has none of other tests."""
    settings.DATA = tmp_path


def prune(now: datetime = LATER) -> str:
    """Prunes at this time. Returns what the job says."""
    job = jobs.start(kind=pruning.KIND, args={}, club=None, by=None, now=now, send=False)
    jobs.run(job.pk, WORK, clock=lambda: now)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    return job.result


def change(topic: str, *, ago: float) -> int:
    return Change.objects.create(topic=topic, kind="club", at=LATER - ago * DAY).pk


def left() -> Sequence[int]:
    return Change.objects.order_by("pk").values_list("pk", flat=True)


# --- Changes -------------------------------------------------------------------------------------------------
def test_the_newest_change_of_each_topic_stays_and_those_of_a_week() -> None:
    _old, only = change("match:1", ago=300), change("match:2", ago=200)
    _older, newest = change("match:1", ago=100), change("match:1", ago=9)
    _last, this_week, now = change("club:1", ago=8), change("club:1", ago=6), change("club:1", ago=0)
    assert prune() == "3 rows, 0 files"
    assert list(left()) == [only, newest, this_week, now]


def test_a_clock_that_was_set_back_leaves_no_gap() -> None:
    """Whoever finds the change that they know must find all that followed it."""
    change("match:1", ago=1)
    wrong = change("match:1", ago=300)
    newer = change("match:1", ago=1)
    prune()
    assert list(left()) == [newer]
    assert wrong < newer


def test_a_night_that_was_read_long_ago_is_read_again_as_a_whole(cast: Cast) -> None:
    night = night_of(cast, 8, rounds=1)
    known = event_now(night)
    for match in night.matches.all():
        played(match)
    night.refresh_from_db()
    prune()
    prune(LATER + DAY)
    assert Change.objects.filter(topic=f"night:{night.pk}").count() == 1
    assert [match.sheet for match in event_now(night, known).matches] == [
        match.sheet for match in event_now(night).matches
    ]


def test_a_batch_is_small_and_a_day_does_only_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "AT_ONCE", 2)
    monkeypatch.setattr(pruning, "MOST", 4)
    for _ in range(7):
        change("club:1", ago=300)
    batches = pruning._batches(Change.objects.filter(kind="club"))
    assert next(batches) == 2
    assert len(left()) == 5
    assert prune() == "4 rows, 0 files"
    assert len(left()) == 1
    assert prune() == "0 rows, 0 files"


# --- Who came, and how ---------------------------------------------------------------------------------------
def test_sessions_and_attempts_to_sign_in() -> None:
    for days in (-1, 1):
        Session.objects.create(session_key=f"s{days}", session_data="", expire_date=LATER + days * DAY)
    for days in (29, 31):
        for model in (AccessAttempt, AccessLog):
            extra = {"failures_since_start": 1} if model is AccessAttempt else {}
            made = model.objects.create(username=f"{days}", ip_address="192.0.2.1", user_agent="", **extra)
            model.objects.filter(pk=made.pk).update(attempt_time=LATER - days * DAY)
    assert prune() == "3 rows, 0 files"
    assert Session.objects.get().session_key == "s1"
    assert AccessAttempt.objects.get().username == AccessLog.objects.get().username == "29"


def test_links_codes_and_phones(cast: Cast) -> None:
    OneTimeLink.objects.create(sha256="a", purpose="found-club", made_at=NOW, expires_at=NOW, used_at=NOW)
    OneTimeLink.objects.create(sha256="b", purpose="found-club", made_at=LATER, expires_at=LATER + DAY)
    for at in (NOW, NOW, LATER):
        tables.fresh_token(table=cast.table, now=at)
    used, unused, fresh = DeviceToken.objects.order_by("pk")
    tables.revoke_token(device=unused, now=NOW)
    match = cast.open(GAME)
    enter(match, plan_for(GAME)[:1], by=Actor(devices={cast.table.pk: used.pk}))
    for phone, held, since in (("gone", False, NOW), ("holds", True, NOW), ("new", False, LATER)):
        Pad.objects.create(table=cast.table, phone=phone, held=held, since=since)
    for name, days in (("expired", 300), ("revoked", 500), ("valid", 500)):
        user, lives = cast.users["director"], days * DAY
        programs.add(user=user, club=cast.club, name=name, lives=lives, now=NOW)
    programs.revoke(user=user, pk=ProgramToken.objects.get(name="revoked").pk, now=NOW)
    prune()
    assert ProgramToken.objects.get().name == "valid"
    assert OneTimeLink.objects.get().sha256 == "b"
    assert set(DeviceToken.objects.all()) == {used, fresh}
    assert set(Pad.objects.values_list("phone", flat=True)) == {"holds", "new"}


# --- Jobs ----------------------------------------------------------------------------------------------------
def ended(kind: str, *, ago: int, **values: Any) -> Job:
    at = LATER - ago * DAY
    state = Job.State.DONE
    return Job.objects.create(kind=kind, state=state, made_at=at, run_after=at, finished_at=at, **values)


def test_jobs_of_the_server_go_and_those_of_people_stay(cast: Cast) -> None:
    host = cast.users["director"]
    for ago in (200, 100):
        ended(upkeep.BACKUP, ago=ago)
    kept = [
        ended("archive", ago=200, by=host, club=cast.club),  # the audit page shows it
        ended("archive", ago=100, by=host, club=cast.club),
        ended(upkeep.REBUILD, ago=200),  # what is due next depends on the newest of each kind
        ended(upkeep.BACKUP, ago=80),
    ]
    unfinished = Job.objects.create(kind=upkeep.BACKUP, made_at=NOW, run_after=NOW)
    prune()
    assert set(Job.objects.exclude(kind=pruning.KIND)) == {*kept, unfinished}


def test_files_of_old_archives_go(tmp_path: Path, settings: Any) -> None:
    settings.DATA = tmp_path
    files.archives().mkdir()
    for name, ago in (("old.zip", 91), ("new.zip", 89)):
        file = files.archives() / name
        file.touch()
        os.utime(file, times=2 * ((LATER - ago * DAY).timestamp(),))
    assert prune() == "0 rows, 1 files"
    assert [file.name for file in files.archives().iterdir()] == ["new.zip"]


# --- When ----------------------------------------------------------------------------------------------------
def test_once_a_day_on_a_server_older_than_a_week() -> None:
    def started(now: datetime) -> int:
        before = Job.objects.aggregate(last=Max("pk"))["last"] or 0
        upkeep.start_due(now=now)
        return Job.objects.filter(kind=pruning.KIND, pk__gt=before).count()

    change("club:1", ago=0)
    assert [started(LATER + days * DAY) for days in (0, 7, 8, 8.9, 9, -300)] == [0, 0, 1, 0, 1, 0]
