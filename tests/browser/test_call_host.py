"""A table calls the host with one tap. Hosts see the call at once, until it is settled."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Club, Phone, Table, shows
from tests.browser.test_bad_input import still_typed, type_the_final_state

pytestmark = pytest.mark.browser


def call(phone: Phone, why: str) -> None:
    phone.tap(phone.page.get_by_role("link", name="Call the host").first)
    phone.press(why)
    expect(phone.page.locator("#call")).to_contain_text(re.compile(r"Called at \d\d:\d\d"))


def test_a_call_is_seen_answered_and_settled_without_losing_what_is_typed(
    club: Club, table: Table, phone: Phone, match: int
) -> None:
    host = club.page.context.new_page()
    host.add_init_script("delete window.SharedWorker")  # as on some phones: the page follows by itself
    # An answer at which the browser gives up: the page connects again by itself.
    host.route("**/live/**", lambda route: route.fulfill(status=503), times=1)
    with host.expect_response("**/live/**"):
        host.goto(f"{club.address}tables/")
    title = host.title()
    called = host.locator("#calls li").filter(has_text=f"Table {table.number} calls")
    type_the_final_state(phone)
    call(phone, "A rule")
    expect(called).to_contain_text("a rule")
    assert host.title() == f"(1) {title}"
    called.get_by_role("button", name="On my way").click()
    expect(phone.page.locator("#call")).to_contain_text(f"{club.host} is on the way")
    expect(called.get_by_role("button", name="On my way")).to_have_count(0)
    called.get_by_role("button", name="Settled").click()
    expect(called).to_have_count(0)
    assert host.title() == title
    expect(phone.page.locator("#call")).not_to_contain_text("on the way")
    still_typed(phone)
    shows(phone.page, match, 2)
    host.close()


def test_a_table_needs_nobody_any_more(club: Club, table: Table, phone: Phone) -> None:
    """Calling before the first match; two taps are one call."""
    host = club.page
    host.goto(club.address)
    phone.tap(phone.page.get_by_role("link", name="Call the host"))
    phone.page.get_by_label("Something else").fill("The lamp is broken")
    phone.page.get_by_label("Something else").press("Enter")
    called = host.locator("#calls li").filter(has_text=f"Table {table.number} calls")
    expect(called).to_contain_text("The lamp is broken")
    phone.press("No longer needed")
    expect(called).to_have_count(0)
    expect(phone.page.get_by_text("No longer needed")).to_have_count(0)


def test_who_handed_the_pad_over_calls_and_both_phones_say_so(
    table: Table, phone: Phone, match: int, visit: Callable[..., Page]
) -> None:
    other = Phone(visit(**PHONE))
    other.join(table.link)
    expect(phone.page.locator("[data-part=elsewhere]")).to_be_visible()
    call(phone, "A mistake")
    expect(other.page.locator("#call")).to_contain_text("Called at")
    other.press("No longer needed")
    expect(phone.page.locator("#call")).not_to_contain_text("Called at")


def test_a_refusal_leads_to_the_host(phone: Phone, match: int) -> None:
    phone.tap(phone.tile("5-5"))
    expect(phone.refusal).to_contain_text("You entered: Cleo laid 5-5")
    phone.tap(phone.refusal.get_by_role("link", name="Call the host"))
    phone.press("A rule")
    expect(phone.page.locator("#call")).to_contain_text("Called at")
    expect(phone.refusal).to_contain_text("You entered: Cleo laid 5-5")


def test_without_scripts_a_call_is_a_form_and_a_page(table: Table, visit: Callable[..., Page]) -> None:
    phone = Phone(visit(**PHONE, java_script_enabled=False))
    phone.join(table.link)
    phone.page.locator("#call summary").click()
    phone.press("A missing tile")
    expect(phone.page.locator("#call")).to_contain_text("a missing tile")
    phone.press("No longer needed")
    expect(phone.page.locator("#call summary")).to_have_text("Call the host")


def test_what_cannot_be_sent_is_said(phone: Phone, match: int) -> None:
    phone.page.route("**/call/", lambda route: route.abort())
    phone.tap(phone.page.get_by_role("link", name="Call the host").first)
    phone.press("A rule")
    expect(phone.refusal).to_contain_text("Wave to the host")
    phone.page.unroute("**/call/")
    phone.press("A rule")
    expect(phone.page.locator("#call")).to_contain_text("Called at")
