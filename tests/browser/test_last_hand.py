"""The last hand and the time limit of a match, on all pages of the table at once."""

import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import NAMES, PHONE, SCREEN, Club, Hall, Phone, Table, shows
from tests.browser.test_accessibility import good
from tests.running import ROOT

pytestmark = pytest.mark.browser

GAME = "domino-whist"
WHOLE = {"kind": "hand", "opener": 0, "final": {"out": 0, "left": [0, 5, 6, 7]}}


def host_does(hall: Hall, match: int, what: str) -> None:
    """Does to the match what the host's desk would do, from another process."""
    code = (
        "from datetime import timedelta; from django.utils import timezone; from scorekeeper.models import Match; "
        "from scorekeeper.services import matches; now = timezone.now(); "
        f"match = Match.objects.filter(pk={match}); {what}"
    )
    environment = os.environ | {"SCOREKEEPER_DATA": str(hall.data)}
    subprocess.run([sys.executable, "manage.py", "shell", "-c", code], cwd=ROOT, env=environment, check=True)


def call_last_hand(hall: Hall, match: int) -> None:
    host_does(hall, match, f"matches.call_last_hand(match_id={match}, now=now)")


def rings_in(hall: Hall, match: int, seconds: int) -> None:
    """Gives the match one minute, of which only this much is left."""
    begun = f"match.update(created_at=now - timedelta(seconds=60 - {seconds}))"
    host_does(hall, match, f"{begun}; matches.give_minutes(match_id={match}, minutes=1, now=now)")


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
    expect(phone.page.get_by_text("time was up", exact=False).first).to_be_visible()


def test_the_clock_rings_without_a_word_from_the_server(
    hall: Hall, table: Table, phone: Phone, visit: Callable[..., Page]
) -> None:
    match = hall.play(table, GAME, NAMES, [WHOLE])
    screen = visit(**SCREEN)
    screen.add_init_script("const now = Date.now; Date.now = () => now() + 3600 * 1000")  # its clock is wrong
    screen.goto(f"{table.path}watch/")
    rings_in(hall, match, 8)
    for page in (phone.page, screen):
        expect(page.locator(".left")).to_have_text("0:05")
    expect(phone.page.get_by_role("button", name="The tiles are dealt: play")).to_be_visible()
    expect(screen.locator("#announce")).not_to_have_text("Time is up")
    for page in (phone.page, screen):
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
