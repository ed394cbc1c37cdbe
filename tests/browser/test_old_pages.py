"""Outdated pages: after the back button, and of a match that was deleted."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.hall import Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser


def delete(hall: Hall, table: Table, match: int) -> None:
    """Deletes the match with everything that belongs to it, and announces it, as undoing a round does."""
    with closing(sqlite3.connect(hall.data / "db.sqlite3", timeout=20)) as database, database:
        for row in ("change", "logentry", "substitute", "seatresult", "seat"):
            database.execute(f"DELETE FROM scorekeeper_{row} WHERE match_id = ?", [match])
        database.execute("DELETE FROM scorekeeper_match WHERE id = ?", [match])
        database.execute(
            "INSERT INTO scorekeeper_change (topic, kind, length, at) VALUES (?, 'undo', 0, datetime('now'))",
            [f"table:{table.pk}"],
        )


def test_a_page_from_the_history_shows_what_came_meanwhile_and_enters_after_it(
    hall: Hall, table: Table, phone: Phone, match: int
) -> None:
    page = phone.page
    page.goto(f"/matches/{match}/")
    head = {"Authorization": f"Bearer {table.link.rstrip('/').rpartition('/')[2]}"}
    move = {"seat": 1, "type": "play", "tile": "6-4", "end": "w"}
    entry = {"seen": 2, "key": "meanwhile", "kind": "move", "move": move}
    assert hall.server.ask("POST", f"/api/v1/matches/{match}/entries/", entry, head)[0] == 201
    page.go_back()
    shows(page, match, 3)
    phone.lay("6-5")
    shows(page, match, 4)
    assert board(page) == ["6-4", "6-5", "6-6"]
    page.go_back()
    page.go_forward()
    shows(page, match, 4)
    assert [move["tile"] for move in hall.record(match)["hands"][0]["moves"]] == ["6-6", "6-4", "6-5"]


def test_the_page_of_a_deleted_match_says_so_and_keeps_what_is_typed(
    hall: Hall, table: Table, phone: Phone, match: int
) -> None:
    page = phone.page
    page.route("**/live/**", lambda route: route.abort())  # this phone does not get the change
    page.reload()
    delete(hall, table, match)
    phone.lay("6-4", "w")
    expect(phone.refusal).to_contain_text("no longer exists")
    expect(phone.refusal).to_contain_text("Cleo laid 6-4")
    page.once("dialog", lambda asked: asked.accept())  # the browser asks whether to leave with an unsent entry
    page.unroute("**/live/**")
    page.reload()
    expect(page.get_by_role("heading", name="Start a match")).to_be_visible()
    expect(phone.refusal).to_contain_text("Cleo laid 6-4")
    drop = phone.refusal.get_by_role("button")
    drop.tap()
    drop.tap()
    expect(phone.refusal).to_have_count(0)
