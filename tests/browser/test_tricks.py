"""Tricks at a table: a deal by moves and others by tricks alone, tap by tap on a phone, compared with the engine."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import PHONE, Hall, Phone, Table, shows, version
from tests.browser.test_accessibility import NARROW, good

pytestmark = pytest.mark.browser

GAME = next(game for game in games.GAMES.values() if game.board == "tricks")
NAMES = ("Ana", "Bo", "Cleo")


def tap_move(phone: Phone, move: dict[str, Any]) -> None:
    """Taps a move of a record, and its suit if the page asks for it."""
    match, length = version(phone.page)
    suit = move.get("suit")
    value = json.dumps({"kind": "move", "move": {k: v for k, v in move.items() if k != "suit"}}, separators=(",", ":"))
    phone.tap(phone.page.locator(f".play button[value='{value}']"))
    if suit is not None:
        phone.tap(phone.page.locator(f".suits [data-suit='{suit}']"))
    shows(phone.page, match, length + 1)


def tap_tricks(phone: Phone, final: dict[str, Any]) -> None:
    """Enters the contract and the tricks of two players; the third has the rest."""
    page = phone.page
    called = "-".join(str(final[key]) for key in ("contract", "trump") if key in final)
    phone.tap(page.locator(f"label:has([name=contract][value='{called}'])"))
    for seat in (0, 1):
        phone.tap(page.locator(f"label:has([name=tricks-{seat}][value='{final['tricks'][seat]}'])"))
    expect(page.locator(f"[name=tricks-2][value='{final['tricks'][2]}']")).to_be_checked()
    phone.press("All agree: count it")


def ledger(page: Page) -> list[list[int]]:
    """The totals after each hand on the sheet."""
    rows = page.locator(".ledger tbody tr:not(.to-come)").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('.number b')].map(cell => cell.textContent))"
    )
    return [[int(cell.replace("−", "-")) for cell in row] for row in rows]


def agrees(hall: Hall, page: Page, match: int) -> dict[str, Any]:
    """The record is valid by the engine, and the sheet has the same points."""
    record = hall.record(match)
    verdict = games.verify(record)
    assert verdict["valid"], verdict
    assert verdict["totals"] == record["result"]["totals"]
    totals = [0] * len(NAMES)
    for row, hand in zip(ledger(page), verdict["hands"], strict=True):
        totals = [total + points for total, points in zip(totals, hand, strict=True)]
        assert row == totals
        assert sum(row) == 0
    return record


def test_a_whole_deal_by_moves_ends_a_match(hall: Hall, phone: Phone, table: Table) -> None:
    """The second of two deals, with an exchange, questions for suits, and one tap for each play."""
    page = phone.page
    told = games.random_match(GAME.slug, {"hands": 2}, list(NAMES), random.Random(5), 2)
    hand = told["hands"][1]
    assert any("suit" in move for move in hand["moves"])
    assert any(move["type"] == "discard" for move in hand["moves"])
    entries = games.entries(told)
    first = [at for at, entry in enumerate(entries) if entry["kind"] == "hand"][1]
    phone.hurry()
    match = hall.play(table, GAME.slug, NAMES, entries[:first], {"hands": 2})
    shows(page, match, first)
    phone.press("The tiles are dealt: play")
    shows(page, match, first + 1)
    phone.taps = 0
    for move in hand["moves"]:
        tap_move(phone, move)
    assert phone.taps == len(hand["moves"]) + sum("suit" in move for move in hand["moves"])
    expect(page.locator(".result h1")).to_contain_text("won")
    record = agrees(hall, page, match)
    assert [hand["moves"] for hand in record["hands"]] == [hand["moves"] for hand in told["hands"]]


def test_a_revoke_is_shown_the_moment_it_is_proved(hall: Hall, phone: Phone, table: Table) -> None:
    page = phone.page
    moves = [(0, "6-5", 5), (1, "4-4", None), (2, "4-3", None), (0, "6-6", None)]
    plays = [
        {"seat": seat, "type": "play", "tile": tile} | ({} if suit is None else {"suit": suit})
        for seat, tile, suit in moves
    ]
    call = {"seat": 0, "type": "contract", "contract": "zero"}
    entries = [{"kind": "move", "move": move} for move in (call, {"seat": 1, "type": "discard", "count": 5}, *plays)]
    match = hall.play(table, GAME.slug, NAMES, [{"kind": "hand", "opener": 2}, *entries])
    page.goto(table.path)
    shows(page, match, 7)
    phone.tap(page.locator(".tiles button[data-tile='5-1']"))
    expect(phone.refusal).to_contain_text("Bo did not follow suit with 4-4 in trick 1, and played 5-1 later.")
    expect(phone.refusal).to_contain_text("It contradicts: Bo played 4-4 (hand 1, move 4)")
    good(page)
    phone.tap(page.get_by_role("link", name="Fix this entry"))
    phone.tap(page.locator(".tiles button[data-tile='6-1']"))
    shows(page, match, 8)
    assert games.verify(hall.record(match))["errors"] == []


def test_a_match_by_its_tricks_alone(hall: Hall, phone: Phone) -> None:
    """Two deals by tricks, and a third one by moves until the players lose track."""
    page = phone.page
    finals = [
        {"contract": "odds", "trump": 5, "tricks": [5, 1, 1]},
        {"contract": "domizerka", "tricks": [0, 0, 7]},
        {"contract": "zero", "tricks": [2, 4, 1]},
    ]
    match = phone.start_match(str(GAME.name), NAMES, hands="3")
    for number, final in enumerate(finals):
        _match, length = version(page)
        phone.taps = 0
        if number == 2:
            phone.press("The tiles are dealt: play")
            shows(page, match, length + 1)
            tap_move(phone, {"seat": 0, "type": "contract", "contract": "zero"})
            tap_move(phone, {"seat": 0, "type": "play", "tile": "6-5", "suit": 6})
            length += 3
        phone.tap(page.locator("#final summary"))
        if not number:
            phone.tap(page.locator("label:has([name=opener][value='0'])"))
        if number == 2:
            expect(page.locator("[name=contract]:checked")).to_have_value("zero")
        tap_tricks(phone, final)
        shows(page, match, length + 1)
        assert number == 2 or phone.taps <= 8
    expect(page.locator(".result h1")).to_contain_text("won")
    agrees(hall, page, match)
    assert [hand["final"] for hand in hall.record(match)["hands"]] == finals


def test_what_is_called_before_is_closed(hall: Hall, visit: Callable[..., Page], table: Table) -> None:
    """On a narrow phone, in light and dark colours; everybody sees the same sheet of twelve deals."""
    told = games.random_match(GAME.slug, {}, list(NAMES), random.Random(7), 12)
    entries = games.entries(told)
    last = max(at for at, entry in enumerate(entries) if entry["kind"] == "hand")
    match = hall.play(table, GAME.slug, NAMES, entries[: last + 1])
    phone = Phone(visit(**NARROW))
    phone.join(table.link)
    page = phone.page
    shows(page, match, last + 1)
    call = next(move for move in told["hands"][-1]["moves"] if move["type"] == "contract")
    open_calls = page.locator(".calls button:enabled")
    values = [json.loads(value)["move"] for value in open_calls.evaluate_all("all => all.map(each => each.value)")]
    assert {each["contract"] for each in values} == {call["contract"]}
    expect(page.locator(".call.used")).to_have_count(3)
    good(page)
    first, last_move = entries[last + 1 : -1], entries[-1]["move"]
    assert first[0]["move"] == call
    tap_move(phone, call)
    good(page)
    hall.go_on(match, first[1:])
    shows(page, match, len(entries) - 1)
    tap_move(phone, last_move)
    expect(page.locator(".result h1")).to_contain_text("won")
    agrees(hall, page, match)
    expect(page.locator(".ledger .still")).to_have_count(0)
    other = visit(**PHONE)
    other.goto(f"/matches/{match}/")
    assert ledger(other) == ledger(page)
    good(other)


def test_the_whole_pad_is_in_sight_while_it_is_played(hall: Hall, phone: Phone) -> None:
    page = phone.page
    phone.start_match(str(GAME.name), NAMES)
    phone.open_hand("Cleo")
    in_sight(page)
    tap_move(phone, {"seat": 0, "type": "contract", "contract": "evens", "trump": 4})
    in_sight(page)
    tap_move(phone, {"seat": 0, "type": "discard", "count": 2})
    tap_move(phone, {"seat": 0, "type": "play", "tile": "6-5", "suit": 6})
    in_sight(page)
    tap_move(phone, {"seat": 1, "type": "play", "tile": "6-6"})
    tap_move(phone, {"seat": 2, "type": "play", "tile": "5-1"})
    expect(page.locator(".trick-seats .won")).to_contain_text("Bo")
    expect(page.locator(".trick-seats .won")).to_contain_text("1 of 2")
    phone.tap(page.locator(".tiles button[data-tile='3-1']"))
    expect(page.locator(".suits")).to_be_visible()
    in_sight(page)
    page.keyboard.press("Escape")
    expect(page.locator(".suits")).to_be_hidden()


def test_a_double_tap_chooses_no_suit_and_no_other_tile(hall: Hall, phone: Phone, table: Table) -> None:
    page = phone.page
    calls = {"seat": 0, "type": "contract", "contract": "evens", "trump": 4}
    match = hall.play(table, GAME.slug, NAMES, [{"kind": "hand", "opener": 2}, {"kind": "move", "move": calls}])
    shows(page, match, 2)
    tap_move(phone, {"seat": 0, "type": "discard", "count": 2})
    phone.double_tap(page.locator(".tiles button[data-tile='3-0']"))  # another tile comes to lie under the finger
    phone.tap(page.locator(".suits [data-suit='3']"))
    shows(page, match, 4)
    assert hall.record(match)["hands"][0]["moves"][-1] == {"seat": 0, "type": "play", "tile": "3-0", "suit": 3}


def test_a_pad_of_any_game_continues_without_network(phone: Phone) -> None:
    page = phone.page
    match = phone.start_match(str(GAME.name), NAMES)
    phone.open_hand("Cleo")
    shows(page, match, 1)
    expect(page.locator("html.quick")).to_be_attached()  # its scripts have started
    page.context.set_offline(True)
    phone.tap(page.locator("[data-call=evens-4]"))
    expect(page.locator(".exchanges")).to_be_visible()
    phone.press("Bo exchanges 3")
    expect(page.locator(".exchange [aria-label='Cleo exchanges 4']")).to_be_visible()
    phone.tap(page.locator(".tiles button[data-tile='6-5']"))
    phone.tap(page.locator(".suits [data-suit='6']"))
    for tile in ("6-6", "4-0"):
        phone.tap(page.locator(f".tiles button[data-tile='{tile}']"))
        expect(page.locator(f".trick-seats [data-tile='{tile}']")).to_be_visible()
    expect(page.locator(".trick-seats .won")).to_contain_text("Cleo")
    page.context.set_offline(False)
    shows(page, match, 6)
    expect(page.locator(".trick-seats .won")).to_contain_text("Cleo")
    expect(page.locator(".trick-seats .won")).to_contain_text("1 of 1")


def in_sight(page: Page) -> None:
    bottom = page.locator(".play").evaluate("form => form.getBoundingClientRect().bottom")
    assert bottom <= page.viewport_size["height"]  # type: ignore[index]
