"""A phone on the table turns towards the player on turn; a phone at a seat says when it is that player's turn."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Hall, Phone, Table, shows

pytestmark = pytest.mark.browser


def lay_down(phone: Phone, bottom: str = "") -> None:
    """Switches turning on, with this player at the lower edge."""
    phone.page.get_by_text("One phone for all").tap()
    phone.page.get_by_label("Turn towards the player whose turn it is").tap()
    if bottom:
        phone.page.get_by_label("Who sits at the lower edge").select_option(bottom)


def turned(phone: Phone, quarter: int) -> None:
    """The page is rotated by this number of quarters clockwise, and everything to tap is on the screen."""
    expect(phone.page.locator("html")).to_have_attribute("data-turned", str(quarter))
    for part in (phone.pass_button, phone.tile("6-0"), phone.tile("5-0")):
        box = part.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844


def test_the_page_turns_to_each_in_turn(phone: Phone, match: int) -> None:
    expect(phone.page.locator("html")).to_have_attribute("data-turned", "0")
    lay_down(phone)
    turned(phone, 1)
    phone.lay("6-4", "w")
    shows(phone.page, match, 3)
    turned(phone, 2)
    phone.tap(phone.pass_button)
    shows(phone.page, match, 4)
    turned(phone, 3)
    phone.page.reload()
    turned(phone, 3)
    phone.tap(phone.pass_button)
    shows(phone.page, match, 5)
    turned(phone, 0)


def test_whose_edge_is_whose_can_be_said(phone: Phone, match: int) -> None:
    lay_down(phone, "Cleo")
    turned(phone, 0)
    phone.tap(phone.pass_button)
    shows(phone.page, match, 3)
    turned(phone, 1)


def test_two_sit_face_to_face(hall: Hall, table: Table, phone: Phone) -> None:
    entries = [{"kind": "hand", "opener": 0}, {"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-6"}}]
    match = hall.play(table, "block", ["Ana", "Bo"], entries)
    shows(phone.page, match, 2)
    lay_down(phone)
    turned(phone, 2)


def test_without_a_network_it_turns_all_the_same(phone: Phone, match: int) -> None:
    lay_down(phone)
    turned(phone, 1)
    phone.page.context.set_offline(True)
    phone.tap(phone.pass_button)
    expect(phone.page.locator("html")).to_have_attribute("data-turned", "2")
    phone.page.context.set_offline(False)
    shows(phone.page, match, 3)


def test_a_phone_at_its_own_seat_says_when_it_is_its_turn(
    table: Table, phone: Phone, match: int, visit: Callable[..., Page]
) -> None:
    phone.page.reload()  # now that there are names it is asked
    phone.page.locator(".holder").first.get_by_role("button", name="Dan").tap()
    expect(phone.page.locator(".seats .mine")).to_contain_text("Dan")
    expect(phone.page.locator(".saying")).to_contain_text("Cleo to play")
    other = Phone(visit(**PHONE))
    other.join(table.link)
    phone.record_here_too()
    other.tap(other.pass_button)
    expect(phone.page.locator(".saying")).to_contain_text("Your turn")
    expect(phone.page.locator("html.my-turn")).to_have_count(1)
    phone.tap(phone.pass_button)
    shows(phone.page, match, 4)
    expect(phone.page.locator("html.my-turn")).to_have_count(0)
