"""A club's name, language and time zone, and whether everybody may look."""

import asyncio
import re
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client, TestCase
from django.utils import timezone

from scorekeeper.live import Topic
from scorekeeper.live.hub import Hub
from scorekeeper.models import AuditEntry, Club, Event, Match
from scorekeeper.services import archive, clubs, event_file, events, files, jobs
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at, first

PAGE = "/clubs/rovers/settings/"
AS_IT_IS = {"name": "Rovers", "language": "en", "time_zone": "UTC", "public": "on"}
LATE = datetime(2026, 7, 3, 22, 30, tzinfo=UTC)  # half past midnight in Madrid, on the next day


@pytest.fixture
def owner(as_user: Callable[[str], Client]) -> Client:
    return as_user("owner")


@pytest.fixture
def night(cast: Cast) -> Event:
    """A night with a match, closed, both late in the evening."""
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo"], step=first("start"))
    match = cast.open("block")
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    Match.objects.filter(pk=match.pk).update(created_at=LATE)
    Event.objects.filter(pk=night.pk).update(started_at=LATE)
    return Event.objects.select_related("club").get(pk=night.pk)


def set_to(club: Club, **changed: object) -> None:
    clubs.set_settings(club=club, new=clubs.settings_of(club) | changed, by=None, now=NOW)
    club.refresh_from_db()


def text(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def noted() -> list[tuple[str, str]]:
    entries = AuditEntry.objects.exclude(kind=AuditEntry.Kind.SIGNED_IN).order_by("pk")
    return [*entries.values_list("kind", "what")]


def test_an_owner_changes_the_settings_and_the_audit_has_each(cast: Cast, owner: Client) -> None:
    assert f'href="{PAGE}"' in owner.get("/clubs/rovers/").content.decode()
    assert f'href="{PAGE}"' in owner.get("/clubs/rovers/members/").content.decode()
    new = {"name": " Los  Rovers ", "language": "es", "time_zone": "Europe/Madrid"}
    assert owner.post(PAGE, new).status_code == 302
    cast.club.refresh_from_db()
    assert clubs.settings_of(cast.club) == new | {"name": "Los Rovers", "public": False}
    changes = [
        ("club-renamed", "Rovers → Los Rovers"),
        ("language-set", "es"),
        ("zone-set", "Europe/Madrid"),
        ("club-closed", ""),
    ]
    assert noted() == changes
    page = owner.get(PAGE).content.decode()
    assert '<option value="Europe/Madrid" selected>Madrid</option>' in page
    owner.post(PAGE, new)
    assert noted() == changes, "nothing has changed"


@pytest.mark.parametrize("wrong", [{"name": " "}, {"name": "a\0b"}, {"language": "xx"}, {"time_zone": "Mars/Base"}])
def test_what_is_wrong_changes_nothing(cast: Cast, owner: Client, wrong: dict[str, str]) -> None:
    assert owner.post(PAGE, AS_IT_IS | {"name": "New"} | wrong).status_code == 422
    cast.club.refresh_from_db()
    assert cast.club.name == "Rovers"
    assert not noted()


def test_times_are_those_of_the_club(cast: Cast, owner: Client, night: Event) -> None:
    def check(time: str, day: str, iso: str) -> None:
        assert time in text(f"/nights/{night.pk}/")
        assert time in text("/clubs/rovers/")
        assert day in text(f"/nights/{night.pk}/results.txt")
        assert iso in Client().get(f"/matches/{night.matches.get().pk}/record/")["Content-Disposition"]

    check("3 Jul, 22:30", "3 Jul 2026", "2026-07-03")
    set_to(cast.club, time_zone="Europe/Madrid")
    check("4 Jul, 00:30", "4 Jul 2026", "2026-07-04")
    AuditEntry.objects.update(at=LATE)
    assert re.search(r"4 Jul 2026.*00:30", owner.get("/clubs/rovers/audit/").content.decode(), re.DOTALL)
    assert timezone.get_current_timezone_name() == "UTC", "nothing is left behind"


def test_jobs_write_the_times_of_the_club_in_its_language(
    cast: Cast, night: Event, settings: Any, tmp_path: Path
) -> None:
    settings.DATA = tmp_path
    set_to(cast.club, time_zone="Europe/Madrid", language="es")
    file = event_file.start(event=night, version="1", language="en", now=NOW)
    whole = archive.start(club=cast.club, by=None, now=NOW, night=night)
    for job in (file, whole):
        jobs.run(job.pk, WORK)
        job.refresh_from_db()
        assert job.result == job.result.replace("2026-07-03", "2026-07-04")
    made = files.file_of(file)
    assert made
    assert "4 Jul 2026" in made.read_text()


@pytest.mark.parametrize(
    ("headers", "cookie", "language"),
    [
        ({}, "", "es"),
        ({"Accept-Language": "fi,sv;q=0.8,*;q=0.5"}, "", "es"),
        ({"Accept-Language": "fi,en-GB;q=0.5"}, "", "en"),
        ({}, "en", "en"),
    ],
)
def test_who_asks_for_no_language_gets_that_of_the_club(
    cast: Cast, headers: dict[str, str], cookie: str, language: str
) -> None:
    set_to(cast.club, language="es")
    browser = Client()
    if cookie:
        browser.cookies["django_language"] = cookie
    answer = browser.get("/clubs/rovers/", headers=headers)
    assert f'<html lang="{language}"' in answer.content.decode()
    assert answer["Content-Language"] == language
    other = browser.get("/clubs/wanderers/", headers=headers)
    assert '<html lang="en"' in other.content.decode()


def test_a_page_is_new_after_a_change_of_the_settings(cast: Cast, night: Event) -> None:
    for path in (f"/nights/{night.pk}/", f"/matches/{night.matches.get().pk}/", f"/tables/{cast.table.pk}/"):
        visitor = Client()
        visitor.get(path)
        tag = {"If-None-Match": visitor.get(path).headers["ETag"]}
        assert visitor.get(path, headers=tag).status_code == 304
        for changed in ({"time_zone": "Europe/Madrid"}, {"language": "es"}):
            set_to(cast.club, **changed)
            assert visitor.get(path, headers=tag).status_code == 200
        set_to(cast.club, time_zone="UTC", language="en", public=False)
        assert visitor.get(path, headers=tag).status_code == 403
        set_to(cast.club, public=True)


def test_the_pages_of_an_open_night_get_a_new_name_at_once(cast: Cast) -> None:
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo"], step=first("start"))
    topic, owner = Topic.of_event(night), cast.users["owner"]
    before = topic.newest()
    with TestCase.captureOnCommitCallbacks(execute=True):
        clubs.set_settings(club=cast.club, new={**AS_IT_IS, "name": "Roamers", "public": True}, by=owner, now=NOW)
    assert topic.newest() > before


def test_a_new_club_has_the_language_of_its_first_page_and_the_chosen_time_zone(db: None) -> None:
    path = f"/setup/{clubs.setup_link(timezone.now())}/"
    page = Browser(language="es").open(path)
    assert '<option value="UTC" selected>' in page.markup
    typed = {"club_name": "Rovers", "host_name": "Ana", "password": "sets-of-28-tiles"}
    page.press("Crear el club", **typed, time_zone="America/Chicago")
    assert page.path == "/clubs/rovers/"
    club = Club.objects.get()
    assert (club.language, club.time_zone, club.public) == ("es", "America/Chicago", True)


# --- not public ----------------------------------------------------------------------------------------------------
def test_a_club_that_is_not_public_is_in_no_list_of_strangers(cast: Cast, owner: Client, night: Event) -> None:
    Event.objects.filter(pk=night.pk).update(closed_at=None)
    screen = f"/nights/{night.pk}/screen/"
    assert "Rovers" in text("/")
    assert Client().get("/tv/").url == screen
    set_to(cast.club, public=False)
    assert "Rovers" not in text("/")
    assert "Rovers" not in text("/tv/")
    assert "Rovers" in owner.get("/").content.decode()
    assert owner.get("/tv/").url == screen
    Event.objects.filter(pk=night.pk).update(closed_at=NOW)
    assert "Rovers" not in text("/tv/")


def test_the_address_for_a_tv_says_that_a_club_is_not_public_whether_it_plays_or_not(cast: Cast, night: Event) -> None:
    set_to(cast.club, public=False)
    said = []
    for closed in (None, NOW):
        Event.objects.filter(pk=night.pk).update(closed_at=closed)
        screen = Browser().open("/tv/")
        said.append(screen.words)
        assert "when one of its members signs in here" in screen.words
        assert "No club night right now" in screen.words, "the other club is public"
        assert screen.follow("Sign in on this screen").path == "/login/?next=/tv/"
    assert said[0] == said[1]
    Club.objects.update(public=False)
    screen = Browser().open("/tv/")
    assert "This club is not public" in screen.words
    assert "No club night right now" not in screen.words


def test_a_page_of_it_says_to_sign_in_and_no_more(cast: Cast, night: Event) -> None:
    set_to(cast.club, public=False)
    answer = Client().get(f"/nights/{night.pk}/")
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "This club is not public. Sign in as a member." in page
    assert f"/login/?next=/nights/{night.pk}/" in page
    assert not re.search("Rovers|Ana|Bo\\b", page)
    refused = Client().get(f"/api/v1/matches/{night.matches.get().pk}/")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-public")


@pytest.mark.django_db(transaction=True)
def test_streams_end_when_the_club_is_no_longer_for_everybody(cast: Cast) -> None:
    """Also those of its tables and matches, which have no change of their own."""
    hub, may, topic = Hub(), [True], Topic("table", cast.table.pk)

    async def story() -> None:
        async with aclosing(hub.subscribe(topic, may=lambda: may[0])) as stream:
            await anext(stream)
            assert b"event: change" in await anext(stream)
            may[0] = False
            await sync_to_async(set_to)(cast.club, public=False)
            async with asyncio.timeout(10):
                assert b"event: reset" in await anext(stream)

    asyncio.run(story())
