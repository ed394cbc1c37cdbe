"""Every page works with plain forms: a phone without scripts plays a hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import NAMES, PHONE, Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser


def test_a_short_hand_by_plain_forms(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    phone = Phone(visit(**PHONE, java_script_enabled=False))
    page = phone.page
    phone.join(table.link)
    match = phone.start_match("Domino Whist", NAMES, hands="1")
    phone.open_hand("Bo")
    phone.lay("6-6")
    shows(page, match, 2)
    phone.lay("6-1", "w")  # it fits two ends, so the page asks for one
    shows(page, match, 3)
    phone.tap(phone.pass_button)
    shows(page, match, 4)
    phone.tap(phone.undo_button)
    shows(page, match, 5)
    phone.lay("6-3", "e")
    shows(page, match, 6)
    assert board(page) == ["6-1", "6-3", "6-6"]

    phone.tap(phone.tile("5-5"))
    expect(phone.refusal).to_contain_text("5-5 does not fit")
    expect(phone.refusal).to_contain_text("Ana laid 5-5")
    phone.tap(phone.refusal.get_by_text("Fix this entry"))
    expect(phone.refusal).to_have_count(0)
    shows(page, match, 6)

    phone.tap(page.get_by_text("Lost track? Enter only the result"))
    phone.tap(page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Ana", exact=True))
    for seat, pips in enumerate(("14", "3", "9")):
        page.locator(f"#final-left-{seat}").fill(pips)
    phone.press("Work out the score")
    expect(page.locator("#preview-final")).to_contain_text("23")
    expect(page.locator("#final-left-1")).to_have_value("3")
    shows(page, match, 6)  # nothing counts until all agree
    phone.press("All agree: count it")
    expect(page.get_by_role("heading", name="Cleo + Ana won")).to_be_visible()
    shows(page, match, 7)
    assert hall.record(match)["result"] == {"totals": [23, 3, 23, 3], "winners": [1, 3]}
