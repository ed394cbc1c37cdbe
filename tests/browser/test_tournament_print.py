"""What a tournament prints, by Chromium: the number of pages, their size, and nothing beyond their edges."""

import random
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scorekeeper import models
from scorekeeper.services import clubs, events, jobs, schedules, tournaments
from scorekeeper.tasks import WORK
from tests.browser.hall import PHONE, Club, Hall, OtherClub
from tests.nights import at, first, names_of
from tests.tournaments import played, setup_of
from tests.waiting import until

pytestmark = pytest.mark.browser

ENTRANTS = 24
LONG = "Maximiliana Wolfeschlegelsteinhausenbergerdorff de la Santísima Trinidad"
SIZES = {"A4": (210, 297), "Letter": (216, 279)}  # mm
POINT = 25.4 / 72
ORDER = ["points", "head-to-head", "wins", "buchholz", "sonneborn-berger", "difference"]


def _tournament(slug: str, now: datetime) -> int:
    """24 people, each for themselves, with all results of the first round and a second one in play."""
    club = models.Club.objects.get(slug=slug)
    names = [LONG, *names_of(ENTRANTS - 1)]
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in names]
    event = tournaments.start(
        club=club, name="Spring cup", setup=setup_of("block", "heads", rounds=3, order=ORDER), step=first("cup", now)
    )
    tournaments.enter(event_id=event.pk, entrants=[[pk] for pk in ids], step=at(event, "enter", now))
    event.refresh_from_db()
    job = schedules.schedule(event=event, rng=random.Random(1), step=at(event, "plan", now))
    jobs.run(job.pk, WORK)
    until(lambda: models.Job.objects.get(pk=job.pk).state == "done")  # the worker of the hall can be quicker
    for number in range(2):
        tournaments.draft_next(event_id=event.pk, step=at(event, f"draft-{number}", now))
        for match in events.seat(event_id=event.pk, step=at(event, f"seat-{number}", now)):
            if not number:
                played(match)
    return event.pk


@pytest.fixture(scope="module")
def cup(club: Club) -> Iterator[tuple[Page, str]]:
    """The director's laptop, and the address of the tournament."""
    with OtherClub.opened(club, "Cup") as other:
        pk = other.hall.does(_tournament, other.slug, timezone.now())
        yield other.page, f"{other.hall.url}/tournaments/{pk}/"


def printed(page: Page, file: Path, paper: str = "A4") -> int:
    """The number of pages of this size when the page is printed. Nothing is cut off at their sides."""
    pdf = page.pdf(path=file, format=paper, prefer_css_page_size=True)
    sizes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    assert {tuple(round(float(side) * POINT) for side in size) for size in sizes} == {SIZES[paper]}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})  # 186 mm
    try:
        wide = page.evaluate(
            "[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1)"
            ".map((e) => e.outerHTML.slice(0, 80))"
        )
        assert not [each for each in wide if "hear" not in each]
    finally:
        page.emulate_media(media="null")
        page.set_viewport_size({"width": 1280, "height": 800})
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize(
    ("what", "pages", "says"),
    [
        ("schedule/", 1, "Round 3 to come"),
        ("pairings/", 2, "Round 2, by name"),
        ("pairings/?round=1", 2, "Round 1, by table"),
        ("standings/", 1, "provisional: 12 results are open"),
        ("standings/?after=1", 1, "Standings after round 1"),
        ("cross-table/", 2, "Cross-table"),
        ("prizes/?places=6", 1, "Prize list"),
        ("certificates/", 0, "Certificate"),
    ],
)
def test_a_paper_is_so_many_pages(
    cup: tuple[Page, str], hall: Hall, tmp_path: Path, what: str, pages: int, says: str
) -> None:
    page, address = cup
    page.goto(f"{address}print/{what}")
    expect(page.locator(".a4")).to_contain_text(re.compile(says.replace(" ", r"\s+")))
    many = pages or page.locator(".certificate").count()
    assert printed(page, tmp_path / "paper.pdf") == many
    assert not hall.trouble


def test_score_sheets_have_the_seats(cup: tuple[Page, str], hall: Hall, tmp_path: Path) -> None:
    page, address = cup
    page.goto(f"{address}print/")
    page.get_by_role("link", name="Score sheets of the newest round").click()
    page.get_by_role("button", name="For the tables of round 2").click()
    sheets = page.locator(".score-sheet")
    expect(sheets).to_have_count(ENTRANTS // 2)
    for sheet in sheets.all():
        expect(sheet.locator(".sheet-players b")).to_have_count(2)
        expect(sheet).to_contain_text("Spring cup")
    assert printed(page, tmp_path / "sheets.pdf") == ENTRANTS // 4
    assert not hall.trouble


def test_cards_for_the_tables(cup: tuple[Page, str], hall: Hall, tmp_path: Path) -> None:
    page, address = cup
    page.goto(f"{address}print/")
    page.get_by_role("button", name="Cards with QR codes for all open tables").click()
    expect(page.locator(".card")).to_have_count(ENTRANTS // 2)
    for paper in SIZES:
        assert printed(page, tmp_path / f"{paper}.pdf", paper) == ENTRANTS // 2 // 2
    expect(page.get_by_role("button", name="Print", exact=True)).to_be_visible()
    assert not hall.trouble


def test_pages_fit_a_phone(cup: tuple[Page, str], hall: Hall, visit: Callable[..., Page]) -> None:
    """A wide table or paper scrolls inside the page, and the page itself never sideways."""
    page = visit(**PHONE)
    for what in ("", "standings/", "entrants/1/", "cross-table/", "print/", "print/prizes/", "print/cross-table/"):
        page.goto(f"{cup[1]}{what}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
    assert page.locator(".a4").evaluate("(paper) => paper.clientWidth") > 600, "a paper looks as it is printed"
