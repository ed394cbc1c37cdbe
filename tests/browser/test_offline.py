"""Without network the page continues: entries are kept, the page says so clearly, and they are sent in order later.
Nothing is lost or entered twice."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from games import Match
from games.moves import move_json
from games.tiles import NAMES as NAMES_OF_TILES
from tests.browser.hall import NAMES, PHONE, RESTING, Club, Hall, Phone, Table, board, middle, shows
from tests.browser.radio import Radio

pytestmark = pytest.mark.browser

KEYS = """() => new Promise((resolve) => {
  const opening = indexedDB.open("scorekeeper");
  opening.onsuccess = () => {
    const all = opening.result.transaction("entries").objectStore("entries").getAll();
    all.onsuccess = () => { opening.result.close(); resolve(all.result.map(({ key }) => key)); };
  };
})"""


def cut_off(phone: Phone, off: bool = True) -> None:
    phone.page.context.set_offline(off)


def turn(phone: Phone, name: str) -> None:
    expect(phone.page.locator(".saying")).to_contain_text(f"{name} to play")


def passes(phone: Phone, then: str) -> None:
    phone.tap(phone.pass_button)
    turn(phone, then)


def play_on(phone: Phone) -> None:
    """Entries of Cleo, Dan and Ana without network."""
    cut_off(phone)
    phone.lay("6-4", "w")
    turn(phone, "Dan")
    phone.lay("6-5", "e")
    turn(phone, "Ana")
    passes(phone, "Bo")


def by_another(hall: Hall, table: Table, match: int, seen: int, move: dict[str, Any]) -> None:
    """Another program at the table is faster."""
    head = {"Authorization": f"Bearer {table.link.rstrip('/').rpartition('/')[2]}"}
    entry = {"seen": seen, "key": f"quicker-{seen}", "kind": "move", "move": move}
    status, text = hall.server.ask("POST", f"/api/v1/matches/{match}/entries/", entry, head)
    assert status == 201, text


def moves(hall: Hall, match: int) -> list[str]:
    """The hand in play by the server: for each turn the tile, or the type of move."""
    return [move.get("tile", move["type"]) for move in hall.record(match)["hands"][-1]["moves"]]


def log(hall: Hall, match: int) -> list[tuple[str, str]]:
    """The kind and the key of every entry, in order."""
    with closing(sqlite3.connect(hall.data / "db.sqlite3", timeout=20)) as database:
        return database.execute(
            "SELECT kind, key FROM scorekeeper_logentry WHERE match_id = ? ORDER BY seq", [match]
        ).fetchall()


def test_the_page_continues_and_sends_everything_in_order(hall: Hall, phone: Phone, match: int) -> None:
    play_on(phone)
    page = phone.page
    expect(phone.refusal).to_contain_text("3 entries are saved and will be sent automatically.")
    page.locator("#unsent summary").click()
    for words in ("Cleo laid 6-4 W", "Dan laid 6-5 E", "Ana passed"):
        expect(phone.refusal).to_contain_text(words)
    expect(phone.tile("6-5")).to_have_count(0)
    expect(phone.tile("5-4")).to_have_class("lit")
    expect(page.locator(".kind")).to_contain_text("not counted yet")
    shows(page, match, 2)
    keys = page.evaluate(KEYS)
    assert len(keys) == 3
    cut_off(phone, False)
    shows(page, match, 5)
    expect(phone.refusal).to_have_count(0)
    assert board(page) == ["6-4", "6-5", "6-6"]
    assert moves(hall, match) == ["6-6", "6-4", "6-5", "pass"]
    assert [key for _kind, key in log(hall, match)][2:] == keys
    assert page.evaluate(KEYS) == []


def test_while_the_server_is_gone(hall: Hall, phone: Phone, match: int) -> None:
    hall.stop()
    phone.lay("6-4", "w")
    turn(phone, "Dan")
    passes(phone, "Ana")
    hall.start()
    shows(phone.page, match, 4)
    assert moves(hall, match) == ["6-6", "6-4", "pass"]


def test_a_hand_ends_and_the_next_begins(hall: Hall, table: Table, phone: Phone) -> None:
    page, played, left = phone.page, *a_hand(random.Random(7))
    match = hall.play(table, "domino-whist", NAMES, [{"kind": "hand", "opener": 0}, *played[:-3]])
    shows(page, match, len(played) - 2)
    cut_off(phone)
    for number, entry in enumerate(played[-3:], 1):
        turn(phone, NAMES[entry["move"]["seat"]])
        phone.enter(entry["move"])
        expect(page.locator("#unsent li")).to_have_count(number)
    expect(page.get_by_text("Show what is left")).to_be_visible()
    for seat, pips in enumerate(left):
        if page.locator(f"#left-{seat}").count():
            page.locator(f"#left-{seat}").fill(str(pips))
    phone.press("Save it and continue")
    expect(page.get_by_text("Cleo opens the next hand")).to_be_visible()
    phone.press("The tiles are dealt: play")
    turn(phone, "Cleo")
    expect(page.locator(".kind")).to_contain_text("hand 2")
    expect(page.locator(".tiles .lit")).to_have_count(28)
    phone.lay("5-5")
    turn(phone, "Dan")
    cut_off(phone, False)
    shows(page, match, len(played) + 4)
    first, second = hall.record(match)["hands"]
    assert len(first["moves"]) == len(played)
    assert (second["opener"], [move["tile"] for move in second["moves"]]) == (1, ["5-5"])


def a_hand(rng: random.Random) -> tuple[list[dict[str, Any]], list[int]]:
    """The moves of a hand from a real deal, and the pips left in each hand."""
    tiles = rng.sample(NAMES_OF_TILES, 28)
    deal = [tiles[seat * 7 : seat * 7 + 7] for seat in range(4)]
    match = Match.new("domino-whist", {}, list(NAMES)).enter({"kind": "hand", "opener": 0, "deal": deal})
    entries = []
    while match.offers()["next"] == "move":
        entries.append({"kind": "move", "move": move_json(rng.choice(match.hand.state.legal()))})
        match = match.enter(entries[-1])
    laid = {entry["move"].get("tile") for entry in entries}
    return entries, [sum(int(tile[0]) + int(tile[2]) for tile in hand if tile not in laid) for hand in deal]


def test_an_answer_that_is_only_slow_is_no_alarm(phone: Phone, match: int) -> None:
    page, held = phone.page, list[Route]()
    page.route("**/entries/", lambda route: held.append(route))
    phone.lay("6-4", "w")
    expect(page.locator("#unsent [data-shown]")).to_have_text("Sending…")
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
    turn(phone, "Dan")
    expect(phone.refusal).to_contain_text("Not sent: no connection to the server.")  # after seconds
    held[0].continue_()
    shows(page, match, 3)
    expect(page.locator("#unsent")).to_be_hidden()


def test_a_refusal_that_comes_late_frees_the_pad(phone: Phone, match: int) -> None:
    """The page cannot guess what comes after somebody is replaced, so its pad waits for the answer."""
    page, held = phone.page, list[Route]()
    phone.tap(page.locator("#substitute > summary"))
    phone.tap(page.locator("#substitute .choice").filter(has_text="Dan"))
    page.get_by_label("Who replaces them?").fill("Bo")
    page.route("**/entries/", lambda route: held.append(route))
    phone.press("Replace")
    expect(page.locator("#sheet[data-waits]")).to_have_count(1)
    held[0].continue_()
    expect(phone.refusal).to_contain_text("Bo")
    page.unroute("**/entries/")
    phone.lay("6-4", "w")
    shows(page, match, 3)


def test_what_is_on_its_way_is_counted_down(phone: Phone, match: int) -> None:
    play_on(phone)
    page, held = phone.page, list[Route]()
    page.route("**/entries/", lambda route: held.append(route))
    with page.expect_request("**/entries/"):
        cut_off(phone, False)
    expect(phone.refusal).to_contain_text("3 entries are saved")
    for left in (2, 1):
        with page.expect_request("**/entries/"):
            held[-1].continue_()
        expect(page.locator("#unsent [data-shown]")).to_have_text(f"Sending: {left} of 3 to go")
        expect(phone.refusal).to_have_count(0)
    held[-1].continue_()
    shows(page, match, 5)


def test_what_is_kept_takes_the_place_of_a_refusal(phone: Phone, match: int) -> None:
    phone.tap(phone.tile("5-5"))
    expect(phone.refusal).to_contain_text("5-5 does not fit")
    cut_off(phone)
    phone.lay("6-4", "w")
    turn(phone, "Dan")
    expect(phone.page.locator("#refusal.loud, #sheet .blamed")).to_have_count(0)
    expect(phone.refusal).to_contain_text("Your entry is saved")


def test_what_the_phone_knows_is_shown_and_nothing_old(hall: Hall, table: Table, phone: Phone) -> None:
    """The phone counts the tiles in the boneyard, but not the points of the table."""
    page, lead = phone.page, {"seat": 0, "type": "play", "tile": "6-6"}
    entries = [{"kind": "hand", "opener": 0}, {"kind": "move", "move": lead}]
    match = hall.play(table, "all-fives", ("Ana", "Bo"), entries)
    shows(page, match, 2)
    expect(page.locator(".count")).to_have_text("Table count 12")
    cut_off(phone)
    phone.tap(phone.draw_button)
    expect(phone.draw_button).to_have_text("Bo draws a tile 13 left 1 drawn, faces unknown")
    expect(page.locator(".count")).to_have_count(0)
    phone.lay("6-5", "w")
    expect(phone.draw_button).to_have_text("Ana draws a tile 13 left")


def test_undo_takes_back_what_was_not_sent(hall: Hall, phone: Phone, match: int) -> None:
    play_on(phone)
    phone.tap(phone.undo_button)
    turn(phone, "Ana")
    phone.tap(phone.undo_button)
    turn(phone, "Dan")
    expect(phone.tile("6-5")).to_be_visible()
    phone.tap(phone.undo_button)  # this one may have arrived
    turn(phone, "Cleo")
    phone.lay("6-1", "e")
    turn(phone, "Dan")
    cut_off(phone, False)
    shows(phone.page, match, 5)
    assert [kind for kind, _key in log(hall, match)] == ["hand", "move", "move", "undo", "move"]
    assert moves(hall, match) == ["6-6", "6-1"]


def test_a_double_tap_is_one_entry(hall: Hall, phone: Phone, match: int) -> None:
    cut_off(phone)
    for then in ("Dan", "Ana"):
        phone.double_tap(phone.pass_button)
        turn(phone, then)
    assert len(phone.page.evaluate(KEYS)) == 2
    cut_off(phone, False)
    shows(phone.page, match, 4)


def test_fast_taps_are_as_many_entries_and_the_tray_stays_where_it_is(hall: Hall, phone: Phone, match: int) -> None:
    page, tile = phone.page, phone.tile("6-4")
    place = middle(tile)
    cut_off(phone)
    expect(page.locator(RESTING)).to_have_count(0)
    with phone.at_once():
        page.touchscreen.tap(*middle(phone.pass_button))
        turn(phone, "Dan")
        expect(page.locator("#unsent")).to_be_visible()
        page.touchscreen.tap(*place)
        page.touchscreen.tap(*middle(page.locator('button[data-at="w"]')))
        turn(phone, "Ana")
    assert middle(page.locator('.tiles > [data-tile="6-4"]')) == place
    cut_off(phone, False)
    shows(page, match, 4)
    assert moves(hall, match) == ["6-6", "pass", "6-4"]


def test_a_lost_answer_doubles_nothing(hall: Hall, table: Table, air: Radio, visit: Callable[..., Page]) -> None:
    phone = Phone(visit(**PHONE))
    phone.join(table.link.replace(str(hall.port), str(air.port)))
    match = hall.open_match(table, "6-6")
    shows(phone.page, match, 2)
    air.lose_the_next_answer()
    phone.lay("6-4", "w")
    shows(phone.page, match, 3)
    air.cut()
    passes(phone, "Ana")
    passes(phone, "Bo")
    air.heal()
    shows(phone.page, match, 5)
    assert moves(hall, match) == ["6-6", "6-4", "pass", "pass"]


def test_what_was_unsent_when_the_page_went_is_sent_by_any_other(
    hall: Hall, table: Table, phone: Phone, match: int
) -> None:
    play_on(phone)
    context = phone.page.context
    phone.page.close()
    cut_off_again = hall.page_of(context)
    cut_off_again.route("**/entries/", lambda route: route.abort())
    context.set_offline(False)
    cut_off_again.goto("/")
    expect(cut_off_again.get_by_role("alert")).to_contain_text("3 entries are unsent: Table")
    cut_off_again.unroute("**/entries/")
    cut_off_again.reload()
    expect(cut_off_again.locator("#unsent")).to_be_hidden()
    cut_off_again.goto(table.path)
    shows(cut_off_again, match, 5)
    assert moves(hall, match) == ["6-6", "6-4", "6-5", "pass"]


def test_two_tabs_send_nothing_twice(hall: Hall, table: Table, phone: Phone, match: int) -> None:
    other = hall.page_of(phone.page.context)
    other.goto(table.path)
    shows(other, match, 2)
    play_on(phone)
    keys = phone.page.evaluate(KEYS)
    cut_off(phone, False)
    for page in (phone.page, other):
        shows(page, match, 5)
    assert [key for _kind, key in log(hall, match)][2:] == keys


# --- somebody else was quicker -----------------------------------------------------------------------------
@pytest.fixture
def conflict(hall: Hall, table: Table, phone: Phone, match: int) -> int:
    """Three entries are not sent yet, and meanwhile Cleo's pass was entered elsewhere."""
    play_on(phone)
    by_another(hall, table, match, 2, {"seat": 1, "type": "pass"})
    cut_off(phone, False)
    expect(phone.refusal).to_contain_text("Entered by others")
    expect(phone.refusal).to_contain_text("Cleo passed")
    expect(phone.refusal).to_contain_text("Cleo laid 6-4 W")
    shows(phone.page, match, 3)
    return match


def test_mine_go_after_theirs_and_the_refused_one_is_dropped(hall: Hall, phone: Phone, conflict: int) -> None:
    phone.press("Send mine after theirs")
    expect(phone.page.locator("#refusal")).to_contain_text("It is Dan's turn, not Cleo's.")
    expect(phone.page.locator("#unsent")).to_contain_text("The first entry was refused.")
    phone.press("Delete the first one")
    phone.press("Tap again to delete the first one")
    shows(phone.page, conflict, 5)
    assert moves(hall, conflict) == ["6-6", "pass", "6-5", "pass"]


def test_the_refused_one_is_replaced_and_the_others_follow(hall: Hall, table: Table, phone: Phone, match: int) -> None:
    """Dan's 6-5 would be laid at a 5 that does not exist."""
    cut_off(phone)
    phone.lay("6-4", "w")
    turn(phone, "Dan")
    passes(phone, "Ana")
    by_another(hall, table, match, 2, {"seat": 1, "type": "play", "tile": "6-2", "end": "w"})
    cut_off(phone, False)
    phone.press("Send mine after theirs")
    expect(phone.page.locator("#refusal")).to_contain_text("It is Dan's turn")
    phone.tap(phone.page.locator("#refusal [data-mend]"))
    phone.lay("6-5", "e")  # it replaces the refused one; then Dan's pass is refused, because it is Ana's turn
    shows(phone.page, match, 4)
    expect(phone.page.locator("#unsent li")).to_have_text(["Dan passed"])
    expect(phone.page.locator("#unsent button:visible")).to_have_text(["Delete mine"])
    phone.press("Delete mine")
    phone.press("Tap again to delete all of mine")
    expect(phone.page.locator("#unsent")).to_be_hidden()
    assert moves(hall, match) == ["6-6", "6-2", "6-5"]


def test_mine_are_dropped_at_the_second_tap(hall: Hall, phone: Phone, conflict: int) -> None:
    phone.press("Delete mine")
    expect(phone.page.locator("#unsent li")).to_have_count(3)
    phone.press("Tap again to delete all of mine")
    expect(phone.page.locator("#unsent")).to_be_hidden()
    passes(phone, "Ana")
    shows(phone.page, conflict, 4)


def test_mine_are_looked_at_one_by_one(hall: Hall, phone: Phone, conflict: int) -> None:
    phone.press("Look at each")
    phone.press("Delete the first one")
    phone.press("Tap again to delete the first one")
    expect(phone.page.locator("#unsent li")).to_have_text(["Dan laid 6-5 E", "Ana passed"])
    phone.press("Send the first one")
    shows(phone.page, conflict, 4)
    expect(phone.page.locator("#unsent li")).to_have_text(["Ana passed"])
    phone.press("Send the rest")
    shows(phone.page, conflict, 5)
    assert moves(hall, conflict) == ["6-6", "pass", "6-5", "pass"]


# --- what may not be sent any more -------------------------------------------------------------------------
def test_yesterdays_pass(hall: Hall, club: Club, table: Table, phone: Phone, match: int) -> None:
    play_on(phone)
    hall.a_day_passes()
    cut_off(phone, False)
    expect(phone.refusal).to_contain_text("This phone scanned the code of this table long ago")
    expect(phone.refusal).to_contain_text("Cleo laid 6-4 W")
    phone.join(club.fresh_link(table))
    shows(phone.page, match, 5)
    assert moves(hall, match) == ["6-6", "6-4", "6-5", "pass"]


def test_the_pad_went_to_another_phone(
    hall: Hall, table: Table, phone: Phone, match: int, visit: Callable[..., Page]
) -> None:
    play_on(phone)
    visit(**PHONE).goto(hall.table_link(table.pk))
    cut_off(phone, False)
    expect(phone.page.locator("#unsent")).to_contain_text("Ana passed")
    phone.tap(phone.page.locator("[data-take] [value=take]").first)
    shows(phone.page, match, 5)


def test_the_match_is_deleted_meanwhile(hall: Hall, phone: Phone, match: int) -> None:
    play_on(phone)
    with closing(sqlite3.connect(hall.data / "db.sqlite3", timeout=20)) as database, database:
        for name, column in (("logentry", "match_id"), ("seat", "match_id"), ("match", "id")):
            database.execute(f"DELETE FROM scorekeeper_{name} WHERE {column} = ?", [match])
    cut_off(phone, False)
    expect(phone.refusal).to_contain_text("Their match no longer exists.")
    with phone.page.expect_download() as saved:
        phone.page.get_by_text("Save them as text").click()
    assert "Dan laid 6-5 E" in saved.value.path().read_text()
    phone.press("Delete mine")
    phone.press("Tap again to delete all of mine")
    expect(phone.page.locator("#unsent")).to_be_hidden()


def test_the_final_state_is_kept_too(hall: Hall, phone: Phone, match: int) -> None:
    """If players lose track without network, they enter the final state. It is counted when the server is back."""
    page = phone.page
    cut_off(phone)
    phone.lay("6-4", "w")
    turn(phone, "Dan")
    phone.tap(page.get_by_text("Lost track? Enter only the result"))
    phone.tap(page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Dan", exact=True))
    for seat, pips in ((0, "14"), (1, "3"), (3, "9")):
        page.locator(f"#final-left-{seat}").fill(pips)
    phone.press("Work out the score")
    phone.press("Save it and continue")
    expect(page.locator("#sheet[data-waits]")).to_be_visible()
    cut_off(phone, False)
    expect(page.locator("#unsent")).to_be_hidden()
    assert hall.record(match)["hands"][0]["final"] == {"left": [14, 3, [], 9], "out": 2}
    assert log(hall, match)[-1][0] == "final"


# --- where the browser trusts the address ------------------------------------------------------------------
def test_with_a_secure_address_the_page_opens_without_network(
    hall: Hall, table: Table, visit: Callable[..., Page]
) -> None:
    """Browsers trust the machine of the server without TLS."""
    phone = Phone(visit(**PHONE))
    page = phone.page
    phone.join(table.link.replace("hall.test", "127.0.0.1"))
    match = hall.open_match(table, "6-6")
    shows(page, match, 2)
    page.wait_for_function("async () => await (await caches.open('pages')).match(location.pathname)")
    phone.lay("6-4", "w")
    shows(page, match, 3)
    page.wait_for_function(
        "async () => (await (await (await caches.open('pages')).match(location.pathname)).text()).includes(':3\"')"
    )
    cut_off(phone)
    passes(phone, "Ana")
    page.reload()
    turn(phone, "Ana")
    phone.lay("6-5", "e")
    turn(phone, "Bo")
    cut_off(phone, False)
    shows(page, match, 5)
    assert moves(hall, match) == ["6-6", "6-4", "pass", "6-5"]
