"""A move is corrected on a phone, and everybody who watches sees the new points without reloading."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import games
from tests.browser.hall import PHONE, SCREEN, Club, Hall, Phone, Table
from tests.scorekeeper.test_corrections import change_of

NAMES = ("Ana", "Bo")


@pytest.fixture(scope="module")
def evening(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hall, Table]]:
    """A separate hall with an open night, night 1."""
    hall = Hall(browser, tmp_path_factory.mktemp("correction") / "data")
    with hall.visitor(**SCREEN) as page:
        club = Club(hall, page)
        table = club.make_table()
        page.goto(club.address)
        page.get_by_role("link", name="Start a night").click()
        page.get_by_label("Who is here? One name per line").fill("\n".join(NAMES))
        page.get_by_role("button", name="Fill the tables").click()
        page.wait_for_url("**/nights/1/desk/**")
    yield hall, table
    hall.stop()


@pytest.fixture
def hall(evening: tuple[Hall, Table]) -> Hall:
    return evening[0]


def points(state: games.Match) -> list[str]:
    return [str(total) for total in state.totals]


def of_night(page: Page, name: str) -> Any:
    """The points of a player in the table of the night."""
    return page.locator("#night-points tr", has_text=name).locator("td").nth(3)


def test_a_move_is_corrected_then_the_seats(evening: tuple[Hall, Table], visit: Callable[..., Page]) -> None:
    hall, table = evening
    plan, number, hand = change_of("dom")
    match = hall.play(table, "dom", NAMES, plan)
    before = games.Match.new("dom", {}, NAMES)
    for entry in plan:
        before = before.enter(entry)
    after = before.enter({"kind": "replace", "hand": number, "with": hand})
    moves = zip(before.hands[number].moves, hand["moves"], strict=True)
    at, new = next((at, new) for at, (old, new) in enumerate(moves) if old != new)

    watch, night = visit(**PHONE), visit(**SCREEN)
    watch.goto(f"{table.path}watch/")
    night.goto("/nights/1/")
    expect(watch.locator(".score .points")).to_have_text(points(before))
    expect(of_night(night, "Ana")).to_have_text(points(before)[0])

    phone = Phone(visit(**PHONE))
    phone.join(table.link)
    page = phone.page
    page.goto(f"/matches/{match}/?hand={number}&move={at + 1}")
    page.get_by_role("link", name="Change this move").tap()
    page.wait_for_url("**/hands/*/**")
    expect(page.locator("main")).to_have_count(1)
    assert page.evaluate("scrollY") == 0
    for key in ("card", "at"):
        page.locator(f'[name={key}][value="{new[key]}"]').check(force=True)
    page.get_by_role("button", name="Show what it changes").tap()
    total = page.locator(".compared tbody").nth(1)
    expect(total.locator(".was.number")).to_have_text(points(before))
    expect(total.locator(".becomes.number")).to_have_text(points(after))
    expect(page.locator(".moved")).to_contain_text("→")
    expect(watch.locator(".score .points")).to_have_text(points(before))
    page.get_by_label("Why?").fill("misread")
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.locator("#corrections")).to_contain_text("misread")

    expect(watch.locator(".score .points")).to_have_text(points(after))
    for name, total_now in zip(NAMES, points(after), strict=True):
        expect(of_night(night, name)).to_have_text(total_now)

    late: list[Route] = []
    page.route("**/corrections*.js", lambda route: late.append(route))
    page.get_by_role("link", name="The seats are wrong").tap()
    page.get_by_label("Seat 1").select_option(label="Bo")
    late[0].continue_()  # a tap that comes before the script works too
    expect(page.get_by_label("Seat 2").locator("option:checked")).to_have_text("Ana")
    page.get_by_role("button", name="Show what it changes").tap()
    expect(page.locator(".compared .becomes").first).to_have_text("Bo")
    page.get_by_role("button", name="Save the correction").tap()
    expect(page.locator("#corrections")).to_contain_text("Seats changed from Ana, Bo to Bo, Ana")
    expect(watch.locator(".score .side").first).to_contain_text("Bo")
    expect(watch.locator(".score .points")).to_have_text(points(after))
    for name, total_now in zip(reversed(NAMES), points(after), strict=True):
        expect(of_night(night, name)).to_have_text(total_now)
    assert hall.record(match)["players"] == ["Bo", "Ana"]
