"""Finding with whom to compare a player, with scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Club
from tests.browser.test_accessibility import good

pytestmark = pytest.mark.browser


def test_people_appear_while_somebody_types(club: Club, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto("/players/")
    page.get_by_role("main").get_by_role("listitem").get_by_role("link").first.tap()
    page.wait_for_url("**/players/*/")
    name = page.get_by_role("heading", level=1).inner_text()
    field = page.get_by_role("searchbox", name="Compare with")
    found = page.locator("#fitting").get_by_role("link")
    field.press_sequentially("cle")
    expect(found.filter(has_text="Cleo").first).to_be_visible()
    expect(field).to_be_focused()
    good(page)
    field.fill("qqqqq")
    expect(page.get_by_text("Nobody on this server is called qqqqq.")).to_be_visible()
    field.fill("cle")
    found.filter(has_text="Cleo").first.tap()
    page.wait_for_url("**/against/*/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
