"""What the server does by itself: a backup a day, seven kept, and caches of an earlier version rebuilt."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.models import Change, Job, Match, Membership
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.services import backup, jobs, upkeep
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, enter, plan_for

pytestmark = pytest.mark.django_db
GAME = "block"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA = tmp_path
    return tmp_path


def due(now: datetime) -> list[str]:
    """The kinds of the jobs that are started, and run, at this time."""
    before = set(Job.objects.values_list("pk", flat=True))
    upkeep.start_due(now=now)
    started = Job.objects.exclude(pk__in=before).order_by("pk")
    return [job.kind for job in started]


def ended(kind: str, state: Job.State = Job.State.DONE) -> None:
    Job.objects.filter(kind=kind).update(state=state)


def changed() -> None:
    Change.objects.create(topic="home:0", kind="club", at=NOW)


# --- Once a day ----------------------------------------------------------------------------------------------
def test_a_backup_is_due_a_day_after_the_last_if_something_changed() -> None:
    hour = timedelta(hours=1)
    assert due(NOW) == []  # nothing was ever recorded
    changed()
    assert due(NOW) == [upkeep.BACKUP]
    ended(upkeep.BACKUP)
    changed()
    assert due(NOW + 23 * hour) == []
    assert due(NOW + 24 * hour) == [upkeep.BACKUP]
    ended(upkeep.BACKUP)
    assert due(NOW + 72 * hour) == []


def test_a_backup_that_failed_is_tried_again_after_an_hour() -> None:
    changed()
    due(NOW)
    ended(upkeep.BACKUP, Job.State.FAILED)
    assert due(NOW + timedelta(minutes=59)) == []
    assert due(NOW + timedelta(minutes=61)) == [upkeep.BACKUP]


def test_a_clock_that_was_set_back_does_not_stop_backups() -> None:
    changed()
    due(NOW)
    ended(upkeep.BACKUP)
    changed()
    assert due(NOW - timedelta(days=300)) == [upkeep.BACKUP]


def test_the_newest_seven_of_each_kind_are_kept(data: Path) -> None:
    for day in range(1, 11):
        for kind in ("daily", "before-upgrade"):
            backup.named(kind, NOW.replace(day=day)).touch()
    (backup.folder() / "mine.zip").touch()
    backup.tidy(NOW)
    kept = sorted(file.name for file in backup.folder().iterdir())
    assert kept == sorted(
        [f"{kind}-2026-05-{day:02}-193000.zip" for kind in ("daily", "before-upgrade") for day in range(4, 11)]
        + ["mine.zip"]
    )


@pytest.mark.django_db(transaction=True)
def test_a_job_makes_the_backup_and_leaves_nothing_when_cancelled(data: Path) -> None:
    changed()
    job = upkeep.start_backup(by=None, now=NOW)
    assert upkeep.start_backup(by=None, now=NOW) == job
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", "by-hand-2026-05-09-193000.zip")
    assert backup.check(data / "backups" / job.result).rows
    assert job.progress == job.total > 0
    second = upkeep.start_backup(by=None, now=NOW + timedelta(days=1))
    run = jobs.Run.claim(second.pk, lambda: NOW + timedelta(days=2))
    assert run
    jobs.cancel(job_id=second.pk, now=NOW)
    with run:
        upkeep.back_up(run)
    assert [file.name for file in (data / "backups").iterdir()] == [job.result]


# --- Caches of an earlier version ----------------------------------------------------------------------------
def test_another_engine_rebuilds_what_an_earlier_one_cached(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [cast.open(GAME, table=table) for table in (cast.table, cast.other_table, cast.table)]
    right = enter(matches[0], plan_for(GAME)).sheet
    Match.objects.filter(pk=matches[0].pk).update(sheet={"totals": []})
    monkeypatch.setattr(upkeep, "AT_ONCE", 2)
    upkeep.start_due(now=NOW)
    first = Job.objects.get(kind=upkeep.REBUILD)
    jobs.run(first.pk, WORK)
    first.refresh_from_db()
    assert (first.state, first.result) == ("done", "1 rebuilt, 0 broken")
    assert Match.objects.get(pk=matches[0].pk).sheet == right
    rest = Job.objects.filter(kind=upkeep.REBUILD).latest("pk")
    assert rest.args["after"] == matches[1].pk
    jobs.run(rest.pk, WORK)
    assert not any(out_of_date(match) for match in Match.objects.all())
    assert upkeep.REBUILD not in due(NOW)
    Job.objects.filter(kind=upkeep.REBUILD).update(args={"engine": "of an earlier version", "after": 0})
    assert upkeep.REBUILD in due(NOW)


# --- The owner's page ----------------------------------------------------------------------------------------
@pytest.fixture
def owner(cast: Cast, as_user: Callable[[str], Client]) -> Client:
    """The browser of the owner of all clubs."""
    Membership.objects.filter(club=cast.other_club).update(user=cast.users["owner"])
    return as_user("owner")


def test_only_the_owner_of_every_club_may_have_the_data(cast: Cast, as_user: Callable[[str], Client]) -> None:
    address = reverse("backups").encode()
    club = reverse("club", args=["rovers"])
    file = backup.named("daily", NOW)
    file.touch()
    pages = [reverse("backups"), reverse("backup_file", args=[file.name])]
    for who in ("owner", "stranger"):  # each of them owns one of two clubs
        assert [as_user(who).get(page).status_code for page in pages] == [403, 403]
    assert address not in as_user("owner").get(club).content
    Membership.objects.filter(club=cast.other_club).update(user=cast.users["owner"])
    assert [as_user("owner").get(page).status_code for page in pages] == [200, 200]
    assert address in as_user("owner").get(club).content
    assert [as_user("director").get(page).status_code for page in pages] == [403, 403]


@pytest.mark.django_db(transaction=True)
def test_the_owner_makes_a_backup_follows_it_and_downloads_it(owner: Client, data: Path) -> None:
    page = reverse("backups")
    assert owner.post(page).status_code == 302
    assert b"Waiting to start" in owner.get(page).content
    owner.post(page, {"do": "cancel"})
    assert [job.state for job in Job.objects.all()] == ["cancelled"]
    owner.post(page)
    jobs.run(Job.objects.latest("pk").pk, WORK)
    (file,) = backup.saved()
    shown = owner.get(page).content.decode()
    assert f"manage.py restore {file}" in shown
    link = reverse("backup_file", args=[file.name])
    assert link in shown
    downloaded = owner.get(link)
    assert b"".join(downloaded.streaming_content) == file.read_bytes()  # type: ignore[attr-defined]
    assert owner.get(reverse("backup_file", args=["secret_key"])).status_code == 404


def test_the_page_leads_back_to_the_club_or_to_all(owner: Client, cast: Cast) -> None:
    def where() -> str:
        (nav,) = re.findall(r'class="where" href="([^"]+)"', owner.get(reverse("backups")).content.decode())
        return str(nav)

    assert where() == reverse("home")
    cast.other_club.delete()
    assert where() == reverse("club", args=["rovers"])


def test_a_backup_that_failed_says_why(owner: Client) -> None:
    job = upkeep.start_backup(by=None, now=NOW)
    Job.objects.filter(pk=job.pk).update(state="failed", error="Its worker ended.")
    assert b"Its worker ended." in owner.get(reverse("backups")).content
