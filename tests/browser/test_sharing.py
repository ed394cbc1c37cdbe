"""A link to a page is shared, or copied where the browser has no share menu."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import NAMES, PHONE, Hall, Table
from tests.browser.test_accessibility import good

pytestmark = pytest.mark.browser


@pytest.fixture
def page(hall: Hall, table: Table, visit: Callable[..., Page]) -> Page:
    """Of a match that is over."""
    plan = games.entries(games.random_match("domino-whist", {"hands": 1}, NAMES, random.Random(1)))
    match = hall.play(table, "domino-whist", NAMES, plan, {"hands": 1})
    page = visit(**PHONE)
    page.goto(f"/matches/{match}/")
    return page


def test_the_link_of_a_match_is_copied_on_plain_http(page: Page) -> None:
    assert page.evaluate("navigator.clipboard === undefined && navigator.share === undefined")
    page.get_by_role("link", name="Share the link").tap()
    expect(page.get_by_text("Copied. Paste it into the chat.")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == page.get_by_label("Link to this page").input_value()
    assert page.get_by_label("Link to this page").input_value() == page.url
    good(page)


def test_the_share_menu_gets_the_link(page: Page) -> None:
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    page.get_by_role("link", name="Share the link").tap()
    page.wait_for_function("window.shared")
    assert page.evaluate("window.shared") == {"url": page.url}
    expect(page.get_by_label("Link to this page")).to_be_hidden()
