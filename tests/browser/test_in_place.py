"""Parts of a page that are drawn again without leaving it: the replay of a match, and the progress of work."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

import games
from tests.browser.hall import NAMES, PHONE, SCREEN, Club, Hall, Phone, Table
from tests.browser.test_bad_input import type_the_final_state
from tests.waiting import until

pytestmark = pytest.mark.browser

MOVES = 16


@pytest.fixture
def replay(hall: Hall, table: Table, visit: Callable[..., Page]) -> Page:
    """The replay of the first moves of a hand, at the last of them."""
    plan = games.entries(games.random_match("domino-whist", {"hands": 1}, NAMES, random.Random(1)))
    match = hall.play(table, "domino-whist", NAMES, plan[: MOVES + 1])
    page = visit(**SCREEN)
    page.goto(f"/matches/{match}/")
    expect(page.get_by_role("slider")).to_have_value(str(MOVES))
    page.evaluate("window.stayed = true")
    return page


def shows(page: Page, move: int) -> None:
    """Waits until the page shows the table after this number of moves: in its list, its slider and its address."""
    current = page.locator(".moves [aria-current]")
    expect(current).to_have_count(min(move, 1))
    if move:
        expect(current.locator("small").first).to_have_text(str(move))
    expect(page.get_by_role("slider")).to_have_value(str(move))
    expect(page).to_have_url(re.compile(rf"\?hand=0&move={move}$"))
    assert page.evaluate("window.stayed"), "the page was left"


def test_a_drag_asks_for_one_position_at_a_time_and_ends_where_the_finger_is(replay: Page) -> None:
    asked: list[Route] = []
    replay.route(re.compile(r"\?hand="), lambda route: asked.append(route))

    def wait_for(count: int) -> None:
        until(lambda: replay.title() and len(asked) >= count)  # the browser tells of its requests when it is asked
        assert len(asked) == count

    slider = replay.get_by_role("slider")
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    replay.mouse.move(box["x"] + box["width"] - 8, middle)
    replay.mouse.down()
    replay.mouse.move(box["x"] + box["width"] / 2, middle, steps=30)
    wait_for(1)
    asked[0].continue_()
    wait_for(2)
    half = slider.input_value()
    assert asked[1].request.url.endswith(f"move={half}"), "the newest, and none of those between"
    asked[1].continue_()
    expect(replay.locator(".moves [aria-current] small").first).to_have_text(half)
    replay.mouse.move(box["x"] + 4, middle, steps=30)  # the same drag continues
    wait_for(3)
    asked[2].continue_()
    wait_for(4)
    replay.mouse.up()
    asked[3].continue_()
    shows(replay, 0)
    assert len(asked) == 4


def test_keys_and_links_lead_through_the_match(replay: Page) -> None:
    replay.get_by_role("slider").focus()
    for key, move in (("ArrowLeft", MOVES - 1), ("Home", 0), ("ArrowRight", 1)):
        replay.keyboard.press(key)
        shows(replay, move)
    onward = replay.get_by_role("link", name="Next move")
    onward.focus()
    for move in (2, 3):
        replay.keyboard.press("Enter")
        shows(replay, move)
    expect(onward).to_be_focused()
    replay.locator(".moves a").nth(6).click()
    shows(replay, 7)
    expect(replay.locator(".moves a").nth(6)).to_be_focused()
    replay.reload()
    expect(replay.get_by_role("slider")).to_have_value("7")


def test_without_scripts_the_form_leads_to_a_move(replay: Page, visit: Callable[..., Page]) -> None:
    plain = visit(**PHONE, java_script_enabled=False)
    plain.goto(f"{replay.url}?hand=0&move=3")
    plain.get_by_role("link", name="Next move").click()
    expect(plain.get_by_role("slider")).to_have_value("4")
    plain.get_by_role("slider").press("Home")
    plain.get_by_role("button", name="Show").click()
    expect(plain).to_have_url(re.compile(r"\?hand=0&move=0$"))
    expect(plain.get_by_role("slider")).to_have_value("0")


def test_an_archive_shows_how_far_it_is_until_it_ends(hall: Hall, club: Club, visit: Callable[..., Page]) -> None:
    hall.open_match(club.make_table(), "6-6")
    page = club.page
    page.goto(club.address)
    page.get_by_role("button", name="Archive of all matches").click()
    expect(page.get_by_role("link", name="Download the archive")).to_be_visible()

    # Without a lease, no sweep takes the job back, however long this machine takes.
    job = "UPDATE scorekeeper_job SET lease_until = NULL, {} WHERE kind = 'archive'"
    hall.change(job.format("state = 'running', progress = 1, total = 3"))
    page.reload()
    plain = visit(**PHONE, storage_state=page.context.storage_state(), java_script_enabled=False)
    plain.goto(page.url)
    for each in (page, plain):
        expect(each.get_by_text("1 of 3 matches")).to_be_visible()
    page.evaluate("window.stayed = true")
    page.get_by_role("button", name="Cancel").focus()
    hall.change(job.format("progress = 2"))
    for each in (page, plain):
        expect(each.get_by_text("2 of 3 matches")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    plain.get_by_role("button", name="Cancel").click()
    for each in (page, plain):
        expect(each.get_by_role("button", name="Stopping…")).to_be_visible()
    hall.change(job.format("state = 'cancelled'"))
    plain.reload()
    for each in (page, plain):
        expect(each.get_by_text("Cancelled. Nothing was saved.")).to_be_visible()
    assert page.evaluate("window.stayed"), "the page was left"


def test_a_hidden_tab_lets_go_of_its_stream_until_it_is_seen_again(club: Club, visit: Callable[..., Page]) -> None:
    page = visit(**SCREEN)
    page.clock.install()
    with page.expect_request("**/live/**"):
        page.goto(club.address)
    hide = """hidden => {
        Object.defineProperty(document, "hidden", {configurable: true, value: hidden});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    ended: list[str] = []
    for how in ("requestfinished", "requestfailed"):
        page.on(how, lambda request: ended.append(request.url) if "/live/" in request.url else None)
    page.evaluate(hide, True)
    page.clock.run_for(4000)
    assert page.title()
    assert not ended
    page.clock.run_for(1001)
    until(lambda: page.title() and ended)
    with page.expect_request("**/live/**"):
        page.evaluate(hide, False)


def test_all_tabs_of_a_host_share_their_streams(club: Club, table: Table, phone: Phone) -> None:
    """A browser opens six connections to a server. Tabs that each keep some would leave none for the next page."""
    tabs = [club.page.context.new_page() for _each in range(7)]
    calling = re.compile(f"Table {table.number} calls")
    try:
        for tab in tabs:
            tab.goto(f"{club.address}tables/")
        phone.tap(phone.page.get_by_role("link", name="Call the host").first)
        phone.press("A rule")
        for tab in tabs:
            expect(tab.locator("#calls li").filter(has_text=calling)).to_have_count(1)
        tabs.pop(0).close()  # it may have been the one that followed
        phone.press("No longer needed")
        for tab in tabs:
            expect(tab.locator("#calls li").filter(has_text=calling)).to_have_count(0)
    finally:
        for tab in tabs:
            tab.close()


def test_a_result_after_a_result_is_shown_from_the_top(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    final = {"out": 3, "left": [14, 3, 9, 0]}
    hall.play(table, "domino-whist", NAMES, [{"kind": "hand", "opener": 0, "final": final}])
    phone = Phone(visit(**PHONE))
    phone.join(table.link)
    page = phone.page
    type_the_final_state(phone, "Already played? Enter only the result")
    assert page.evaluate("scrollY") > 0
    phone.press("All agree: count it")
    expect(page.get_by_role("heading", name="Score of hand 2")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
