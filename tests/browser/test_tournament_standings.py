"""The standings of a tournament renew themselves while somebody looks at them."""

import random
from collections.abc import Callable, Sequence
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


def _tournament(slug: str, now: datetime, order: Sequence[str] = ("points", "difference", "start")) -> int:
    club = models.Club.objects.get(slug=slug)
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in names_of(2)]
    event = tournaments.start(
        club=club, name="Duel", setup=setup_of("block", "heads", order=[*order]), step=first("duel", now)
    )
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
def test_no_figure_is_cut_on_a_phone(club: Club, hall: Hall, visit: Callable[..., Page], width: int) -> None:
    order = ["points", "wins", "difference", "scored", "conceded", "best-table", "sonneborn-berger", "koya", "start"]
    with OtherClub.opened(club, f"Duel {width}") as other:
        pk = hall.does(_tournament, other.slug, timezone.now(), order)
        hall.does(_play, pk)
        page = visit(viewport={"width": width, "height": 640})
        page.goto(f"{hall.url}/tournaments/{pk}/standings/")
        _all_figures_are_whole(page)
        page.goto("about:blank")
        page.set_content(hall.does(_file, pk))
        _all_figures_are_whole(page)


def _all_figures_are_whole(page: Page) -> None:
    figures = page.locator(".standings td.figure")
    expect(figures).to_have_count(2 * 8)
    assert page.locator(".sideways:has(.standings)").evaluate("box => box.scrollWidth <= box.clientWidth")
    assert figures.evaluate_all("all => all.every(each => each.getBoundingClientRect().right <= innerWidth)")
    label = figures.nth(2).evaluate("each => getComputedStyle(each, '::before').content")
    assert "Difference" in label or "Diferencia" in label
