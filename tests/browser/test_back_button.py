"""The form of a new match: names to tap, and what going back to it shows."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import Hall, Phone

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


def test_a_match_starts_with_exactly_the_names_on_its_page(hall: Hall, phone: Phone) -> None:
    """A tapped name replaces the one in the field with the focus, else fills an empty field, else the last one."""
    page = phone.page

    def tap(name: str) -> list[str]:
        phone.tap(page.locator("[data-quick]").get_by_role("button", name=name, exact=True))
        marked = page.locator("[data-quick] [aria-pressed=true]").all_inner_texts()
        names = [field.input_value() for field in fields.all()]
        assert {*marked} == {*names} & {*offered}
        return names

    phone.fill_names("All Fives", ("", ""))
    fields = page.locator("input[list=players]")
    expect(page.locator("[data-quick] button").nth(2)).to_be_visible()
    offered = page.locator("[data-quick] button").all_inner_texts()
    ana, bo, cleo = offered[:3]
    page.evaluate("document.activeElement.blur()")
    assert tap(ana) == [ana, ""]
    assert tap(bo) == [ana, bo]
    assert tap(cleo) == [ana, cleo]
    fields.first.tap()
    assert tap(bo) == [bo, cleo]
    assert tap(cleo) == [cleo, bo]  # it was in the other field
    assert tap(cleo) == ["", bo]
    fields.first.fill("Zoe of the day")  # no player of the club
    phone.tap(page.locator("button[name=do][value=start]"))
    expect(phone.sheet).to_have_attribute("data-version", re.compile(r"^\d+:0$"))
    match = int(str(phone.sheet.get_attribute("data-version")).partition(":")[0])
    assert hall.record(match)["players"] == ["Zoe of the day", bo]
    page.go_back()
    expect(page.get_by_role("link", name="Continue that match")).to_be_visible()
    assert [field.input_value() for field in fields.all()] == ["Zoe of the day", bo]
