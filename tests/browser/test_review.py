"""A match is reviewed from the button on, and read on a phone: curve, play, chances, replay."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import PHONE, Club, Hall, Table
from tests.browser.test_accessibility import good

pytestmark = pytest.mark.browser

TWO = ("Bo", "Maximiliane-Charlotte")


def test_from_the_button_to_a_play(hall: Hall, club: Club, table: Table, visit: Callable[..., Page]) -> None:
    plan = games.entries(games.random_match("block", {"hands": 1}, TWO, random.Random(1)))
    match = hall.play(table, "block", TWO, plan, {"hands": 1})
    host, page = club.page, visit(**PHONE)
    host.goto(f"/matches/{match}/")
    host.get_by_role("link", name="Review by Nestor").click()
    good(host)
    host.get_by_role("button", name="Start the review").click()
    expect(host.get_by_role("heading", name="What the numbers mean")).to_be_visible(timeout=90_000)
    page.goto(f"/matches/{match}/review/")
    curve = page.get_by_role("group", name="How well each side stood in hand 1")
    plays = page.get_by_role("table", name="Plays of hand 1")
    expect(curve.get_by_role("link")).to_have_count(plays.get_by_role("link").count())
    dots = curve.get_by_role("link")
    dots.first.focus()
    for key, reached in (("ArrowRight", dots.nth(1)), ("End", dots.last), ("ArrowLeft", dots.nth(-2))):
        page.keyboard.press(key)
        expect(reached).to_be_focused()
    page.keyboard.press("Tab")
    expect(curve.locator(":focus")).to_have_count(0)
    dots.nth(1).tap()
    page.wait_for_url("**move=*#play")
    expect(curve.locator("a[aria-current]")).to_have_count(1)
    for summary in page.locator("#play summary").all():
        summary.tap()
    expect(page.get_by_role("table", name="The chances of each unseen tile")).to_be_visible()
    good(page)
    page.get_by_role("link", name="Replay from here").tap()
    page.wait_for_url(f"**/matches/{match}/?hand=0&move=*")
    expect(page.locator("#replay")).to_be_visible()
