"""A sound or a vibration for somebody's turn, for people who want it, on pad and watch page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Hall, Phone, Table, shows
from tests.browser.test_accessibility import good

pytestmark = pytest.mark.browser

# Notes what the page asks the browser to do.
LISTEN = """
window.given = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function () { given.push("sound"); return start.call(this); };
navigator.vibrate = () => given.push("shake");
"""


@pytest.fixture
def watcher(hall: Hall, table: Table, visit: Callable[..., Page]) -> Page:
    """The phone of a spectator; Bo has opened with 6-6, and Cleo is on turn."""
    hall.open_match(table, "6-6")
    page = visit(**PHONE)
    page.add_init_script(LISTEN)
    page.goto(f"{table.path}watch/")
    expect(page.locator("[data-live]")).to_contain_text("Cleo to play")
    return page


def given(page: Page) -> list[Any]:
    """The cues since the last question."""
    return list(page.evaluate("given.splice(0)"))


def choose(page: Page, whose: str) -> None:
    if not page.get_by_label("Whose turn?").is_visible():
        page.get_by_text("Tell me when it is my turn").tap()
    page.get_by_label("Whose turn?").select_option(label=whose)


def test_it_is_off_until_somebody_wants_it(watcher: Page, phone: Phone) -> None:
    phone.lay("6-4", "w")
    expect(watcher.locator("[data-live]")).to_contain_text("Dan to play")
    phone.tap(phone.pass_button)
    expect(watcher.locator("[data-live]")).to_contain_text("Ana to play")
    assert given(watcher) == []
    watcher.get_by_text("Tell me when it is my turn").tap()
    expect(watcher.get_by_label("Whose turn?")).to_have_value("")
    good(watcher)


def test_a_players_turn_and_nobody_elses(watcher: Page, phone: Phone) -> None:
    choose(watcher, "Ana")
    assert sorted(given(watcher)) == ["shake", "sound"], "as it will be"
    phone.lay("6-4", "w")
    expect(watcher.locator("[data-live]")).to_contain_text("Dan to play")
    assert given(watcher) == []
    phone.tap(phone.pass_button)
    expect(watcher.locator("[data-live]")).to_contain_text("Ana to play")
    assert sorted(given(watcher)) == ["shake", "sound"]
    watcher.get_by_label("by sound").uncheck()
    given(watcher)
    watcher.reload()
    expect(watcher.get_by_label("Whose turn?")).to_have_value("Ana")
    watcher.locator(".saying").tap()  # browsers make no sound before that
    phone.tap(phone.undo_button)
    expect(watcher.locator("[data-live]")).to_contain_text("Dan to play")
    phone.tap(phone.pass_button)
    expect(watcher.locator("[data-live]")).to_contain_text("Ana to play")
    assert given(watcher) == ["shake"]


def test_everybodys_turn(watcher: Page, phone: Phone, hall: Hall) -> None:
    choose(watcher, "everybody")
    watcher.get_by_label("by vibration").uncheck()
    given(watcher)
    for number, name in enumerate(("Dan", "Ana", "Bo"), 1):
        phone.tap(phone.pass_button)
        expect(watcher.locator("[data-live]")).to_contain_text(f"{name} to play")
        assert given(watcher) == ["sound"], number


def test_on_the_pad_itself(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    page = visit(**PHONE)
    page.add_init_script(LISTEN)
    phone = Phone(page)
    phone.join(table.link)
    match = hall.open_match(table, "6-6")
    shows(page, match, 2)
    choose(page, "Dan")
    given(page)
    phone.lay("6-4", "w")
    shows(page, match, 3)
    assert sorted(given(page)) == ["shake", "sound"]
    expect(page.locator("#announce")).to_have_text("Cleo laid 6-4 W. Dan to play")
