"""The last hand and the time limit of a match, on all pages of the table at once."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scorekeeper.models import Match
from scorekeeper.services import matches
from tests.browser.hall import NAMES, PHONE, SCREEN, Club, Hall, Phone, Table, shows
from tests.browser.test_accessibility import good

pytestmark = pytest.mark.browser

GAME = "domino-whist"
WHOLE = {"kind": "hand", "opener": 0, "final": {"out": 0, "left": [0, 5, 6, 7]}}


def call_last_hand(hall: Hall, match: int) -> None:
    """Does what the host's desk would do, from another process."""
    hall.does(matches.call_last_hand, match_id=match, now=timezone.now())


def rings_in(hall: Hall, match: int, seconds: int) -> None:
    """Gives the match one minute, of which only this much is left."""

    def change() -> None:
        now = timezone.now()
        Match.objects.filter(pk=match).update(created_at=now - timedelta(seconds=60 - seconds))
        matches.give_minutes(match_id=match, minutes=1, now=now)

    hall.does(change)


def test_the_last_hand_reaches_phone_and_screen(
    hall: Hall, table: Table, phone: Phone, visit: Callable[..., Page]
) -> None:
    match = hall.open_match(table, "6-6")
    shows(phone.page, match, 2)
    screen = visit(**SCREEN)
    screen.goto(f"{table.path}watch/")
    for page in (phone.page, screen):
        expect(page.get_by_text("Last hand", exact=True)).to_have_count(0)
    call_last_hand(hall, match)
    for page in (phone.page, screen):
        expect(page.locator(".ending").get_by_text("Last hand", exact=True)).to_be_visible()
        expect(page.locator("#announce")).to_have_text("Last hand")
        good(page)
    phone.tap(phone.page.get_by_text("Lost track? Enter only the result"))
    phone.tap(phone.page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Dan", exact=True))
    for seat, pips in ((0, "14"), (1, "3"), (3, "9")):
        phone.page.locator(f"#final-left-{seat}").fill(pips)
    expect(phone.page.locator("#preview-final")).to_contain_text("won")
    phone.press("All agree: count it")
    for page in (phone.page, screen):
        expect(page.locator("[data-live]")).to_contain_text("Cleo + Ana won")
        expect(page.locator("#announce")).to_contain_text("won. Bo + Dan 14, Cleo + Ana 12")
    expect(phone.page.get_by_text("ended after the last hand", exact=False).first).to_be_visible()


def test_the_clock_rings_without_a_word_from_the_server(
    hall: Hall, table: Table, phone: Phone, visit: Callable[..., Page]
) -> None:
    match = hall.play(table, GAME, NAMES, [WHOLE])
    screen = visit(**SCREEN)
    phone.page.clock.install()
    screen.clock.install(time=timezone.now() + timedelta(hours=1))  # its clock is wrong
    phone.page.reload()
    screen.goto(f"{table.path}watch/")
    rings_in(hall, match, 60)
    for page in (phone.page, screen):
        expect(page.locator(".left")).to_have_text(re.compile("^0:[3-5]"))
    expect(phone.page.get_by_role("button", name="The tiles are dealt: play")).to_be_visible()
    expect(screen.locator("#announce")).not_to_have_text("Time is up")
    for page in (phone.page, screen):
        page.clock.fast_forward("01:01")
        expect(page.locator(".ending").filter(visible=True)).to_have_text("Time is up")
        expect(page.locator("#announce")).to_have_text("Time is up")
    expect(phone.page.get_by_role("button", name="The tiles are dealt: play")).to_be_hidden()
    good(phone.page)
    phone.press("Count the current score")
    for page in (phone.page, screen):
        expect(page.locator("[data-live]")).to_contain_text("won")


def test_a_hand_begun_too_late_is_refused_with_the_way_on(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    """A phone without scripts sees the clock only when it loads the page."""
    match = hall.play(table, GAME, NAMES, [WHOLE])
    phone = Phone(visit(**PHONE, java_script_enabled=False))
    phone.join(table.link)
    rings_in(hall, match, 0)
    phone.press("The tiles are dealt: play")
    expect(phone.refusal).to_contain_text("Do not start a new hand. Count the current score, or ask the host")
    phone.press("Count the current score")
    expect(phone.page.get_by_role("heading", name="Bo + Dan won")).to_be_visible()


def test_the_host_gives_more_time(hall: Hall, club: Club, table: Table, phone: Phone) -> None:
    match = hall.play(table, GAME, NAMES, [WHOLE])
    rings_in(hall, match, 0)
    expect(phone.page.get_by_text("Time is up. Do not start a new hand.")).to_be_visible()
    page = club.page
    page.goto(table.path)
    page.get_by_text("More time, last hand").click()
    good(page)
    page.get_by_role("button", name="5 minutes").first.click()
    for each in (phone.page, page):
        expect(each.locator(".left")).to_have_text(re.compile("^[45]:"))
        expect(each.get_by_role("button", name="The tiles are dealt: play")).to_be_visible()
