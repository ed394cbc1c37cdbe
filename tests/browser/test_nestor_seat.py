"""A phone that lays for Nestor, who fills the second seat of a table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scorekeeper import models
from tests.browser.hall import PHONE, Hall, Table

pytestmark = pytest.mark.browser
HAND = ("6-3", "6-5", "5-0", "4-3", "3-2", "2-1", "1-0")


def _nestor(table: int) -> None:
    club = models.Table.objects.get(pk=table).club
    models.Player.objects.create(club=club, name="Nestor", guest=True, program=True)


def test_it_enters_his_tiles_and_shows_what_he_lays(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    hall.does(_nestor, table.pk)
    lead = {"kind": "move", "move": {"seat": 0, "type": "play", "tile": "5-3"}}
    names = ("Bo", "Nestor", "Dan", "Ana")
    match = hall.play(table, "domino-whist", names, [{"kind": "hand", "opener": 0}, lead])
    page = visit(**PHONE)
    page.goto(table.link)
    page.get_by_role("link", name="Lay for Nestor").click()
    for tile in HAND:
        page.get_by_role("checkbox", name=tile).check(force=True)
    page.get_by_role("button", name="Save").click()
    held = page.locator(".open-hand li")
    expect(held).to_have_count(len(HAND))
    page.get_by_role("button", name="What does Nestor lay?").click()
    order = page.locator(".next-move .due b")
    expect(order).to_contain_text("Lay ")
    tile, end = order.inner_text().removeprefix("Lay ").strip(".").split()
    move = {"seat": 1, "type": "play", "tile": tile, "end": end.lower()}
    hall.go_on(match, [{"kind": "move", "move": move}])
    expect(page.locator(".due b")).to_have_text("Dan to play")
    expect(held).to_have_count(len(HAND) - 1)
