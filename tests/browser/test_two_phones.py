"""Two phones record at one table: at the same moment, and with one of them without network."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.hall import PHONE, Hall, Phone, Table, shows
from tests.waiting import until

pytestmark = pytest.mark.browser


@pytest.fixture
def phones(hall: Hall, table: Table, visit: Callable[..., Page]) -> tuple[Phone, Phone]:
    """Two phones that both have the pad."""
    first, second = Phone(visit(**PHONE)), Phone(visit(**PHONE))
    first.join(table.link)
    second.join(table.link)
    first.record_here_too()
    return first, second


@pytest.fixture
def match(hall: Hall, table: Table, phones: tuple[Phone, Phone]) -> int:
    """A match in which Bo has opened with 6-6: two entries, and Cleo's turn."""
    match = hall.open_match(table, "6-6")
    for phone in phones:
        shows(phone.page, match, 2)
    return match


def told(phones: tuple[Phone, Phone]) -> list[Phone]:
    """The phones that say that another one was faster."""
    return [phone for phone in phones if phone.page.locator("#refusal [data-others]").count()]


def moves(hall: Hall, match: int) -> list[str]:
    return [move.get("tile", move["type"]) for move in hall.record(match)["hands"][0]["moves"]]


def test_both_tap_at_once_and_one_gets_the_newer_sheet(hall: Hall, phones: tuple[Phone, Phone], match: int) -> None:
    """The same turn on both phones, again and again: each turn is entered once."""
    held: list[Route] = []
    for turn in range(3):
        for phone in phones:
            phone.page.route("**/entries/", lambda route: held.append(route), times=1)
            expect(phone.page.locator("#sheet:not([data-rests])")).to_be_visible()
        # Almost at the same moment, because a phone that waits for seconds continues without the server.
        for phone in phones:
            phone.pass_button.tap()
        until(lambda: all(phone.page.evaluate("document.body.dataset.sending") for phone in phones) and len(held) == 2)
        while held:
            held.pop().continue_()
        for phone in phones:
            shows(phone.page, match, 3 + turn)
        until(lambda: told(phones))
        (late,) = told(phones)
        late.tap(late.page.locator("#refusal [data-mend]"))
    assert moves(hall, match) == ["6-6", "pass", "pass", "pass"]


def test_one_phone_without_network_while_the_other_records(hall: Hall, phones: tuple[Phone, Phone], match: int) -> None:
    """What the second phone could not send is entered after the first phone's entries, if the rules allow it."""
    near, far = phones
    far.page.context.set_offline(True)
    far.tap(far.pass_button)
    expect(far.page.locator(".saying")).to_contain_text("Dan to play")
    far.lay("6-3", "e")
    expect(far.page.locator(".saying")).to_contain_text("Ana to play")
    near.tap(near.pass_button)
    shows(near.page, match, 3)
    far.page.context.set_offline(False)
    unsent = far.page.locator("#unsent")
    expect(unsent).to_contain_text("Entered by others")
    expect(unsent.locator("li")).to_have_text(["Cleo passed", "Dan laid 6-3 E"])
    for name in ("Look at each", "Delete the first one", "Tap again to delete the first one", "Send the rest"):
        far.press(name)
    for phone in phones:
        shows(phone.page, match, 4)
    expect(unsent).to_be_hidden()
    assert moves(hall, match) == ["6-6", "pass", "6-3"]
