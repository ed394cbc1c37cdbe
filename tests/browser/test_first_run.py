"""From the printed link to phones at a table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PLAYERS
from tests.browser.hall import JOIN, PHONE, SCREEN, Club, Hall, Table

pytestmark = pytest.mark.browser


def test_the_printed_link_makes_one_club(hall: Hall, club: Club, visit: Callable[..., Page]) -> None:
    page = visit(**SCREEN)
    page.goto(hall.setup_link)
    expect(page.get_by_role("heading", name="This link was already used or has expired.")).to_be_visible()
    page.get_by_role("link", name="Sign in as a host").first.click()
    page.get_by_label("Your name").fill(club.host)
    page.get_by_label("Password").fill(club.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.goto(club.address)  # whoever has one club is there already; other tests make more
    expect(page.get_by_role("link", name="Tables", exact=True)).to_be_visible()
    page.get_by_role("link", name="People", exact=True).click()
    for name in PLAYERS:
        expect(page.get_by_role("listitem").filter(has_text=name).first).to_be_visible()


def test_the_host_makes_a_table_and_a_phone_joins_by_its_code(club: Club, visit: Callable[..., Page]) -> None:
    host = club.page
    host.goto(f"{club.address}tables/")
    rows = host.get_by_role("listitem").filter(has=host.get_by_role("button", name="QR code"))
    expect(host.get_by_role("button", name="Make a table")).to_be_visible()
    before = rows.count()
    host.get_by_role("button", name="Make a table").click()
    expect(rows).to_have_count(before + 1)
    path = rows.last.get_by_role("link").first.get_attribute("href")
    rows.last.get_by_role("button", name="QR code").click()
    expect(host.get_by_text(JOIN)).to_be_visible()
    phone = visit(**PHONE)
    phone.goto(host.get_by_text(JOIN).inner_text().strip())
    expect(phone).to_have_url(f"{club.hall.url}{path}")
    expect(phone.get_by_role("heading", name="Start a match")).to_be_visible()


def test_a_phone_reaches_the_server_and_joins_its_table(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto("/reach/")
    expect(page.get_by_role("heading", name="This phone reaches the server.")).to_be_visible()
    assert not page.evaluate("window.isSecureContext")
    page.goto(table.link)
    expect(page).to_have_url(hall.url + table.path)
    expect(page.get_by_role("heading", name="Start a match")).to_be_visible()


def test_who_comes_without_the_code_may_only_watch(table: Table, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.goto(table.path)
    expect(page.get_by_text("No match here yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Domino Whist")).to_have_count(0)
