"""Going back from a new match to its form shows that the match has begun."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import Phone

pytestmark = pytest.mark.browser


def offered_as_typed(page: Page) -> bool:
    """Whether exactly the offered number that is in the field is marked."""
    field = page.get_by_label("Points to win")
    buttons = field.locator("xpath=following-sibling::*//button")
    marked = buttons.evaluate_all("all => all.filter(each => each.ariaPressed === 'true').map(each => each.value)")
    offered = buttons.evaluate_all("all => all.map(each => each.value)")
    return bool(offered) and marked == [each for each in offered if each == field.input_value()]


def test_back_from_a_started_match_says_that_it_has_begun(phone: Phone) -> None:
    page = phone.page
    phone.fill_names("All Fives", ("Ana", "Bo"))
    page.get_by_label("Points to win").fill("50")
    phone.tap(page.locator("button[name=do][value=start]"))
    expect(phone.sheet).to_have_attribute("data-version", re.compile(r"^\d+:0$"))
    page.go_back()
    expect(page.get_by_role("link", name="Continue that match")).to_be_visible()
    assert offered_as_typed(page)
