"""Errors at a phone: they are shown clearly, nothing is changed, and typed text stays."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import NAMES, PHONE, RESTING, Club, Hall, Phone, Table, board, shows, version
from tests.browser.radio import Radio

pytestmark = pytest.mark.browser


@pytest.fixture
def far_phone(hall: Hall, air: Radio, table: Table, visit: Callable[..., Page]) -> Phone:
    """A phone that is connected only through the radio."""
    phone = Phone(visit(**PHONE))
    phone.join(table.link.replace(str(hall.port), str(air.port)))
    return phone


def type_the_final_state(phone: Phone, under: str = "Lost track? Enter only the result") -> None:
    """Dan went out with 14, 3 and 9 pips left in the other hands. The hand is not counted yet."""
    page = phone.page
    phone.tap(page.get_by_text(under))
    phone.tap(page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Dan", exact=True))
    for seat, pips in ((0, "14"), (1, "3"), (3, "9")):
        page.locator(f"#final-left-{seat}").fill(pips)
    expect(page.get_by_role("button", name="All agree: count it")).to_be_visible()


def still_typed(phone: Phone) -> None:
    for seat, pips in ((0, "14"), (1, "3"), (3, "9")):
        expect(phone.page.locator(f"#final-left-{seat}")).to_have_value(pips)
    expect(phone.page.get_by_role("radio", name="Dan", exact=True).first).to_be_checked()


def test_a_tile_that_does_not_fit(hall: Hall, phone: Phone, match: int) -> None:
    phone.tap(phone.tile("5-5"))
    expect(phone.refusal).to_contain_text("5-5 does not fit")
    expect(phone.refusal).to_contain_text("Cleo laid 5-5")
    shows(phone.page, match, 2)
    phone.tap(phone.refusal.get_by_text("Fix this entry"))
    expect(phone.refusal).to_have_count(0)
    assert len(hall.record(match)["hands"][0]["moves"]) == 1


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_tile_that_disproves_a_pass_at_either_end(
    hall: Hall, table: Table, visit: Callable[..., Page], scripts: bool
) -> None:
    match = hall.open_match(table, "6-5", "pass", "5-4 e", "6-4 e", "pass")
    phone = Phone(visit(**PHONE, java_script_enabled=scripts))
    phone.join(table.link)
    shows(phone.page, match, 6)
    phone.lay("6-3", "w")
    expect(phone.refusal).to_contain_text("Cleo passed with 6, 5 open, and laid 6-3 later.")
    phone.press("It happened: note it and continue")
    shows(phone.page, match, 8)
    assert hall.record(match)["hands"][0]["moves"][-1] == {"seat": 1, "type": "play", "tile": "6-3", "end": "w"}


def test_pips_that_cannot_be(phone: Phone, match: int) -> None:
    type_the_final_state(phone)
    phone.page.locator("#final-left-3").fill("99")
    expect(phone.page.locator("#preview-final")).to_contain_text("Ana cannot have 99 pips left")
    expect(phone.page.get_by_role("button", name="All agree: count it")).to_have_count(0)
    phone.press("Work out the score")
    expect(phone.refusal).to_contain_text("You entered: Bo 14, Cleo 3, Dan 0, Ana 99")
    phone.page.locator("#final-left-3").fill("9")
    expect(phone.page.get_by_role("button", name="All agree: count it")).to_be_visible()
    expect(phone.refusal).to_have_count(0)
    still_typed(phone)


def test_a_hand_counted_long_ago_is_taken_back_at_the_second_tap(phone: Phone, match: int) -> None:
    page = phone.page
    type_the_final_state(phone)
    phone.press("All agree: count it")
    shows(page, match, 3)
    page.goto(f"/matches/{match}/?hand=0&move=1")
    phone.press("Undo it and everything after it")
    expect(phone.refusal).to_contain_text("14 : 12 becomes 0 : 0, 1 counted hand is undone, 1 move is undone")
    phone.press("Undo it all")
    page.wait_for_url(f"**/matches/{match}/")
    expect(page.get_by_text("Something wrong in hand 1?")).to_be_visible()


def test_a_closed_table(club: Club, table: Table, phone: Phone, match: int) -> None:
    type_the_final_state(phone)
    club.close_during_a_match(table)
    phone.press("All agree: count it")
    expect(phone.refusal).to_contain_text("This table is closed. Ask a host to open it again.")
    shows(phone.page, match, 2)
    still_typed(phone)
    club.open_again(table)
    phone.press("All agree: count it")
    shows(phone.page, match, 3)


@pytest.mark.parametrize("typing", [True, False], ids=["typing", "not typing"])
def test_a_code_that_was_renewed(hall: Hall, club: Club, table: Table, phone: Phone, match: int, typing: bool) -> None:
    if typing:
        type_the_final_state(phone)
    club.renew_code(table)
    notice = phone.page.get_by_text("The code of this table was renewed. Scan the new card on the table")
    expect(notice).to_be_in_viewport()
    if typing:
        still_typed(phone)
    phone.join(club.fresh_link(table))
    expect(notice).to_have_count(0)
    phone.lay("6-4", "w")
    shows(phone.page, match, 3)


def test_a_scan_of_yesterday(hall: Hall, table: Table, phone: Phone, match: int) -> None:
    type_the_final_state(phone)
    hall.a_day_passes()
    phone.press("All agree: count it")
    expect(phone.refusal).to_contain_text("This phone scanned the code of this table long ago")
    shows(phone.page, match, 2)
    still_typed(phone)
    phone.join(table.link)  # the code on the table is the same
    phone.lay("6-4", "w")
    shows(phone.page, match, 3)


def test_another_tables_code(hall: Hall, club: Club, phone: Phone, match: int) -> None:
    context = phone.page.context
    context.clear_cookies(name="sessionid")  # a phone that was given to another table
    elsewhere = Phone(hall.page_of(context))
    elsewhere.join(club.make_table().link)
    phone.tap(phone.pass_button)
    expect(phone.refusal).to_contain_text("This phone belongs to another table. Scan the QR code on this table")
    shows(phone.page, match, 2)
    assert len(hall.record(match)["hands"][0]["moves"]) == 1


def test_a_double_tap_is_one_entry(hall: Hall, phone: Phone, match: int) -> None:
    """A double tap on a pass, where the button then belongs to the next player, and on a tile."""
    for length, button in ((3, phone.pass_button), (4, phone.pass_button), (5, phone.undo_button)):
        phone.double_tap(button)
        shows(phone.page, match, length)
    expect(phone.page.locator(RESTING)).to_have_count(0)
    shows(phone.page, match, 5)
    assert [move["type"] for move in hall.record(match)["hands"][0]["moves"]] == ["play", "pass"]


def test_a_double_tap_chooses_no_end_and_takes_nothing_back(hall: Hall, phone: Phone, match: int) -> None:
    """A double tap on a tile that fits both ends, and on Undo while the tile waits for its end."""
    ends = phone.page.locator(".ends")
    for button, asks in ((phone.tile("6-4"), True), (phone.undo_button, False), (phone.tile("6-4"), True)):
        phone.double_tap(button)
        expect(ends).to_be_visible(visible=asks)
    phone.tap(ends.locator('[data-at="e"]'))
    shows(phone.page, match, 3)
    assert [move.get("end") for move in hall.record(match)["hands"][0]["moves"]] == [None, "e"]


def test_an_entry_that_does_not_get_out_is_kept_and_sent_once(
    hall: Hall, table: Table, air: Radio, far_phone: Phone
) -> None:
    phone = far_phone
    match = hall.open_match(table)
    shows(phone.page, match, 1)
    type_the_final_state(phone)
    air.cut()
    phone.press("All agree: count it")
    expect(phone.refusal).to_contain_text("Not sent: no connection to the server.")
    still_typed(phone)
    assert hall.record(match)["hands"][0].get("final") is None
    air.heal()
    shows(phone.page, match, 2)
    expect(phone.refusal).to_have_count(0)
    assert len(hall.record(match)["hands"]) == 1


def test_an_entry_whose_answer_is_lost_is_one_entry(hall: Hall, table: Table, air: Radio, far_phone: Phone) -> None:
    phone = far_phone
    match = hall.open_match(table)
    shows(phone.page, match, 1)
    air.lose_the_next_answer()
    phone.lay("6-6")
    shows(phone.page, match, 2)
    expect(phone.refusal).to_have_count(0)
    assert len(hall.record(match)["hands"][0]["moves"]) == 1


def test_a_reload_does_not_lose_what_was_not_sent(hall: Hall, phone: Phone, match: int) -> None:
    page = phone.page
    page.on("dialog", lambda asks: asks.accept())  # the browser asks before it leaves the page
    page.route("**/entries/", lambda route: route.abort())
    phone.lay("6-4", "w")
    expect(phone.refusal).to_contain_text("Not sent: no connection to the server.")
    page.unroute("**/entries/")
    page.reload()
    shows(page, match, 3)
    assert board(page) == ["6-4", "6-6"]
    assert len(hall.record(match)["hands"][0]["moves"]) == 2


def test_another_phone_does_not_take_away_what_is_typed(
    table: Table, phone: Phone, match: int, visit: Callable[..., Page]
) -> None:
    other = Phone(visit(**PHONE))
    other.join(table.link)
    phone.record_here_too()
    type_the_final_state(phone)
    other.lay("6-4", "w")
    shows(other.page, match, 3)
    expect(phone.page.get_by_text("Another phone made a newer entry.")).to_be_visible()
    still_typed(phone)
    shows(phone.page, match, 2)

    phone.press("All agree: count it")
    expect(phone.refusal).to_contain_text("Another phone was quicker. Your entry was not recorded.")
    expect(phone.refusal).to_contain_text("Cleo laid 6-4")
    shows(phone.page, match, 3)
    still_typed(phone)
    phone.press("Work out the score")
    phone.press("All agree: count it")
    shows(phone.page, match, 4)


def test_what_is_typed_of_one_hand_does_not_turn_up_in_the_next(
    table: Table, phone: Phone, match: int, visit: Callable[..., Page]
) -> None:
    """Two phones count the same hand at the same moment: it counts once."""
    other = Phone(visit(**PHONE))
    other.join(table.link)
    phone.record_here_too()
    for each in (phone, other):
        type_the_final_state(each)
    phone.press("All agree: count it")
    shows(other.page, match, 2)
    other.press("All agree: count it")
    expect(other.refusal).to_contain_text("Another phone was quicker. Your entry was not recorded.")
    shows(other.page, match, 3)
    expect(other.page.get_by_text("Score of hand 1")).to_be_visible()
    expect(other.page.locator("#final-left-0")).to_have_value("")


def test_a_double_tap_on_start_is_one_match(hall: Hall, phone: Phone) -> None:
    page = phone.page
    phone.fill_names("Domino Whist", NAMES)
    phone.double_tap(page.get_by_role("button", name="Start with these seats"))
    expect(page.get_by_text("The tiles are dealt. Who opens?")).to_be_visible()
    status, _text = hall.server.ask("GET", f"/matches/{version(page)[0] + 1}/record/")
    assert status == 404
