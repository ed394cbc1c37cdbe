"""The pad moves from phone to phone: by a scan, during a hand, and back with one tap."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hall import NAMES, PHONE, Club, Hall, Phone, Table, shows
from tests.browser.test_accessibility import good
from tests.browser.test_bad_input import still_typed, type_the_final_state

pytestmark = pytest.mark.browser


@pytest.fixture
def other(visit: Callable[..., Page]) -> Phone:
    """A phone that has not scanned anything yet."""
    return Phone(visit(**PHONE))


def watches(phone: Phone) -> Locator:
    """The page of a phone without the pad."""
    expect(phone.page.locator("[data-part=elsewhere]")).to_be_visible()
    expect(phone.pass_button).to_have_count(0)
    return phone.page.locator(".handed")


def test_a_scan_takes_the_pad_and_the_hand_continues(table: Table, phone: Phone, other: Phone, match: int) -> None:
    other.join(table.link)
    expect(watches(phone)).to_contain_text("Another phone has had the pad since")
    shows(other.page, match, 2)
    other.press("Cleo")
    expect(watches(phone)).to_contain_text("Cleo has had the pad since")
    assert not phone.page.get_by_text("UTC").count()
    other.lay("6-4", "w")
    shows(other.page, match, 3)
    expect(phone.sheet).to_contain_text("Cleo laid 6-4")

    phone.press("Take the pad")
    shows(phone.page, match, 3)
    expect(watches(other)).to_contain_text("Another phone has had the pad since")
    phone.tap(phone.pass_button)
    shows(phone.page, match, 4)
    expect(other.sheet).to_contain_text("Dan passed")


def test_a_phone_that_was_scrolled_down_shows_that_the_pad_is_gone(
    table: Table, phone: Phone, other: Phone, match: int
) -> None:
    phone.page.set_viewport_size({"width": 390, "height": 420})  # much of the page is below
    phone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    other.join(table.link)
    expect(watches(phone)).to_be_in_viewport(ratio=1)


def test_two_phones_record_side_by_side(table: Table, phone: Phone, other: Phone, match: int) -> None:
    other.join(table.link)
    watches(phone)
    phone.press("Record here too")
    phone.lay("6-4", "w")
    shows(other.page, match, 3)
    other.tap(other.pass_button)
    shows(phone.page, match, 4)
    other.join(table.link)  # the phone with the pad finds back to it
    shows(other.page, match, 4)
    phone.tap(phone.pass_button)
    shows(other.page, match, 5)


def test_a_flat_battery_costs_nothing(table: Table, phone: Phone, other: Phone, match: int) -> None:
    phone.page.context.close()
    other.join(table.link)
    other.lay("6-4", "w")
    shows(other.page, match, 3)


def test_what_is_typed_stays_when_the_pad_goes(table: Table, phone: Phone, other: Phone, match: int) -> None:
    type_the_final_state(phone)
    other.join(table.link)
    expect(phone.refusal).to_contain_text("Another phone has had the pad since")
    still_typed(phone)
    phone.press("All agree: count it")
    expect(phone.refusal).to_contain_text("You entered: Bo 14, Cleo 3, Dan 0, Ana 9")
    expect(phone.refusal).to_contain_text("Another phone has had the pad since")
    still_typed(phone)
    phone.press("Record here too")
    expect(phone.refusal).to_have_count(0)
    still_typed(phone)
    phone.press("All agree: count it")
    shows(phone.page, match, 3)
    shows(other.page, match, 3)
    expect(other.page.get_by_text("Score of hand 1")).to_be_visible()


def test_an_entry_of_a_phone_that_slept_is_not_lost(table: Table, phone: Phone, other: Phone, match: int) -> None:
    """The phone sends before it knows of the other phone."""
    phone.page.route("**/live/**", lambda route: route.abort())
    phone.page.reload()
    other.join(table.link)
    expect(other.pass_button).to_be_visible()
    phone.lay("6-4", "w")
    expect(phone.refusal).to_contain_text("You entered: Cleo laid 6-4")
    phone.page.unroute("**/live/**")
    phone.press("Take the pad")
    expect(phone.refusal).to_have_count(0)
    phone.tap(phone.page.locator('button[data-at="w"]'))  # the tile still waits for its end
    shows(phone.page, match, 3)
    watches(other)


def test_without_scripts(table: Table, visit: Callable[..., Page], other: Phone, hall: Hall) -> None:
    match = hall.open_match(table, "6-6")
    phone = Phone(visit(**PHONE, java_script_enabled=False))
    phone.join(table.link)
    other.join(table.link)
    phone.tap(phone.tile("6-4"))
    expect(phone.refusal).to_contain_text("You entered: Cleo laid 6-4")
    phone.press("Record here too")
    phone.lay("6-4", "w")
    shows(phone.page, match, 3)


def test_who_holds_the_phone_is_asked_once(table: Table, phone: Phone, match: int) -> None:
    page = phone.page
    page.reload()
    expect(page.locator("[data-until-entered]").get_by_role("button", name="Cleo")).to_be_visible()
    phone.lay("6-4", "w")
    shows(page, match, 3)
    expect(page.locator("[data-until-entered]")).to_have_count(0)
    page.reload()
    expect(page.locator("[data-until-entered]")).to_have_count(0)
    phone.tap(page.get_by_text("Whose phone is this?"))
    phone.tap(page.locator(".beneath").get_by_role("button", name="Dan"))
    expect(page.get_by_text("This phone: Dan", exact=True)).to_be_visible()


def test_a_phone_says_where_its_owner_sits_in_the_next_match(
    hall: Hall, club: Club, table: Table, phone: Phone, match: int
) -> None:
    page, other = phone.page, club.make_table()
    page.reload()
    phone.press("Dan")
    hall.go_on(match, [{"kind": "stop", "stopped": "abandoned"}])
    hall.open_match(other, "6-6")
    hall.play(table, "domino-whist", ["Eva", "Fay", "Gus", "Hal"], [{"kind": "hand", "opener": 0}])
    expect(page.get_by_role("link", name=f"You sit at table {other.number} now")).to_be_visible()
    padding = page.locator("#sits-elsewhere").evaluate("each => parseFloat(getComputedStyle(each).paddingLeft)")
    assert padding >= 8, "not at the edge of the screen"


def test_who_took_over_a_seat_may_hold_the_phone(
    hall: Hall, club: Club, table: Table, visit: Callable[..., Page]
) -> None:
    club.add_players("Vera")
    match = hall.open_match(table, "6-6")
    phone = Phone(visit(**PHONE))
    phone.join(table.link)
    page = phone.page
    expect(page.locator(".holder button")).to_have_count(2 * len(NAMES))
    phone.tap(page.get_by_text("Replace a player"))
    form = page.locator("#substitute")
    phone.tap(form.locator("label", has_text="Dan"))
    expect(form.get_by_role("button", name="Dan")).to_have_count(0)
    phone.tap(form.get_by_role("button", name="Vera"))
    expect(form.get_by_label("Who replaces them?")).to_have_value("Vera")
    phone.press("Replace")
    shows(page, match, 3)
    expect(page.locator(".holder button[value=Dan]")).to_have_count(0)
    phone.tap(page.get_by_text("Whose phone is this?"))
    phone.tap(page.locator(".beneath").get_by_role("button", name="Vera"))
    expect(page.get_by_text("This phone: Vera", exact=True)).to_be_visible()


def test_names_typed_for_a_match_stay_when_the_pad_goes(
    club: Club, table: Table, phone: Phone, other: Phone, hall: Hall
) -> None:
    page = phone.page
    page.goto(f"{table.path}matches/?game=domino-whist")
    for name in NAMES:
        phone.press(name)
    other.join(table.link)
    phone.press("Start with these seats")
    expect(phone.refusal).to_contain_text("Another phone has had the pad since")
    expect(page.get_by_label("Player 1")).to_have_value("Bo")
    good(page)
    phone.press("Take the pad")
    expect(phone.refusal).to_have_count(0)
    expect(page.get_by_label("Player 4")).to_have_value("Ana")
    phone.press("Start with these seats")
    expect(phone.opener("Bo")).to_be_visible()


def test_its_pages_are_good(table: Table, phone: Phone, other: Phone, match: int) -> None:
    phone.page.set_viewport_size({"width": 360, "height": 740})
    phone.page.reload()
    good(phone.page)
    other.join(table.link)
    watches(phone)
    good(phone.page)
    phone.press("Record here too")
    type_the_final_state(phone)
    other.join(table.link)  # nothing changes, because it has the pad too
    other.page.context.clear_cookies()
    other.join(table.link)
    expect(phone.refusal).to_contain_text("Another phone has had the pad since")
    good(phone.page)
