"""What a host corrects from the laptop appears on the phones at the table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import SCREEN, Club, Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser


def test_a_host_goes_back_and_ends_the_match_early(hall: Hall, club: Club, table: Table, phone: Phone) -> None:
    match = hall.open_match(table, "6-6", "6-4 w", "6-3 e")
    shows(phone.page, match, 4)

    host = club.page
    host.goto(f"/matches/{match}/")
    host.get_by_role("link", name="Cleo 6-4").click()
    expect(host.get_by_text("Is “Cleo laid 6-4 W” wrong? One move follows it.")).to_be_visible()
    host.get_by_role("button", name="Undo it and everything after it").click()
    shows(phone.page, match, 5)
    assert board(phone.page) == ["6-6"]
    expect(phone.sheet).to_contain_text("Cleo to play")

    host.goto(table.path)
    host.get_by_text("End early").click()
    host.get_by_text("Abandon the match: nobody wins").click()
    expect(host.get_by_text("The match ends now and counts for nobody.")).to_be_visible()
    host.get_by_role("button", name="Abandon the match").click()
    expect(phone.page.get_by_role("heading", name="The match is over")).to_be_visible()
    assert hall.record(match)["stopped"] == "abandoned"
    for page, hosts in ((host, True), (phone.page, False)):
        expect(page.get_by_text("A host entered this, so only a host can take it back.")).to_be_visible(
            visible=not hosts
        )
        expect(page.get_by_role("button", name="Wrong? Undo the last entry")).to_be_visible(visible=hosts)


def test_the_address_keeps_step_with_the_slider(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    match = hall.open_match(table, "6-6", "6-4 w", "6-3 e")
    page = visit(**SCREEN)
    page.goto(f"/matches/{match}/")
    slider = page.get_by_role("slider", name="Move")
    slider.focus()
    for shown in ("2", "1", "0"):
        slider.press("ArrowLeft")
        page.wait_for_url(f"**/matches/{match}/?hand=0&move={shown}")
        expect(slider).to_have_value(shown)
        expect(slider).to_be_focused()
    assert board(page) == []
