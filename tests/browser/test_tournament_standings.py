"""The standings of a tournament renew themselves while somebody looks at them."""

import random
from collections.abc import Callable
from datetime import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scorekeeper import models
from scorekeeper.pages.share import document
from scorekeeper.services import clubs, events, schedules, tournaments
from tests.browser.hall import PHONE, Club, Hall, OtherClub
from tests.nights import at, first, names_of
from tests.tournaments import played, setup_of

pytestmark = pytest.mark.browser


def _tournament(slug: str, now: datetime) -> int:
    club = models.Club.objects.get(slug=slug)
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in names_of(2)]
    event = tournaments.start(club=club, name="Duel", setup=setup_of("block", "heads"), step=first("duel", now))
    tournaments.enter(event_id=event.pk, entrants=[[pk] for pk in ids], step=at(event, "enter", now))
    event.refresh_from_db()
    schedules.schedule(event=event, rng=random.Random(1), step=at(event, "plan", now))
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft", now))
    events.seat(event_id=event.pk, step=at(event, "seat", now))
    return event.pk


def _play(pk: int) -> None:
    played(models.Match.objects.get(event=pk))


def test_standings_renew_themselves(club: Club, hall: Hall, visit: Callable[..., Page]) -> None:
    with OtherClub.opened(club, "Duel") as other:
        pk = hall.does(_tournament, other.slug, timezone.now())
        page = visit(**PHONE)
        page.clock.install()
        page.goto(f"{hall.url}/tournaments/{pk}/standings/")
        expect(page.locator("#standings")).to_contain_text("provisional: 1 result is open")
        page.get_by_role("link", name=names_of(1)[0]).focus()
        hall.does(_play, pk)
        page.clock.fast_forward(15_000)
        expect(page.locator("#standings")).not_to_contain_text("provisional")
        expect(page.get_by_role("link", name=names_of(1)[0])).to_be_focused()


def _file(pk: int) -> str:
    return "".join(document(models.Event.objects.get(pk=pk), "es", lambda _done, _total: None))


@pytest.mark.parametrize("width", [320, 390])
def test_the_standings_in_the_file_fit_on_a_phone(
    club: Club, hall: Hall, visit: Callable[..., Page], width: int
) -> None:
    with OtherClub.opened(club, f"Duel {width}") as other:
        pk = hall.does(_tournament, other.slug, timezone.now())
        hall.does(_play, pk)
        page = visit(viewport={"width": width, "height": 640})
        page.set_content(hall.does(_file, pk))
    expect(page.get_by_role("columnheader", name="Diferencia")).to_be_in_viewport(ratio=1)
    assert page.locator(".sideways").first.evaluate("box => box.scrollWidth <= box.clientWidth")
