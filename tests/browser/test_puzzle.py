"""The puzzle of the day in a browser: the first try, then the lines move by move."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, RESTING

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_try_shows_the_answer_and_its_lines(visit: Callable[..., Page], scripts: bool) -> None:
    page = visit(**PHONE, java_script_enabled=scripts)
    page.goto("/practice/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    page.locator(".tiles .lit").first.click()
    expect(page.locator(RESTING)).to_have_count(0)
    if page.locator(".ends button:visible").count():
        page.locator(".ends button:visible").first.click()
    expect(page.locator(".worths [aria-current]")).to_contain_text("wins")
    expect(page.locator(".worths")).to_contain_text("your play")
    expect(page.locator("#move")).to_have_value("1")
    page.get_by_role("link", name="Next move").click()
    expect(page.locator("#move")).to_have_value("2")
    page.locator(".worths a").last.click()
    expect(page.locator(".worths [aria-current]")).to_contain_text("loses")
    page.reload()
    expect(page.locator(".worths")).to_be_visible()
