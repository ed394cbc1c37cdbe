"""Games of the square on a phone: by cell, card and points; and by final points."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import games
from tests.browser.hall import SCREEN, SLOW_DOUBLE_TAP, Hall, Phone, Table, middle, shows, version

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo")
RECORD = games.random_match("dom", {}, NAMES, random.Random(11))


def choose(phone: Phone, move: dict[str, Any]) -> int:
    """Places a card with two taps, three if another suit is open. Returns the number of taps."""
    page, card = phone.page, move["card"]
    phone.tap(page.locator(f'a[data-cell="{move["at"]}"]'))
    suit = page.locator(f'[data-suit="{card[1]}"][aria-pressed="false"]')
    closed = suit.count()
    if closed:
        phone.tap(suit)
    phone.tap(page.locator(f'a[data-card="{card}"]'))
    return 2 + closed


def place(phone: Phone, move: dict[str, Any]) -> None:
    """Places a card, and agrees to its points."""
    choose(phone, move)
    phone.tap(phone.page.locator("#preview-move button"))


def square(page: Page) -> dict[str, str]:
    """The cards on the square that the page shows, by cell."""
    cells = page.locator("[data-cell]:has(svg:not(.ghost))")
    return dict(cells.evaluate_all("all => all.map(c => [c.dataset.cell, c.querySelector('svg').dataset.card])"))


def put(phone: Phone, before: games.Match, move: dict[str, Any]) -> games.Match:
    """Places a card, after the page has shown its points."""
    page, after = phone.page, before.enter({"kind": "move", "move": move})
    match, length = version(page)
    gain = sum(after.totals) - sum(before.totals)
    taps = phone.taps + choose(phone, move) + 1
    expect(page.locator("#preview-move .gain")).to_have_text(f"+{gain}")
    assert [int(points) for points in page.locator("#preview-move .counted .points").all_inner_texts()] == [
        score.points for score in after.hands[-1].state.scores[len(before.hands[-1].state.scores) :]
    ]
    phone.tap(page.locator("#preview-move button"))
    shows(page, match, length + 1)
    assert phone.taps == taps
    return after


def points(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".score .points").all_inner_texts()]


def test_a_whole_game_card_by_card(hall: Hall, phone: Phone, table: Table, visit: Callable[..., Page]) -> None:
    page, watch, hand = phone.page, visit(**SCREEN), RECORD["hands"][0]
    phone.hurry()
    match = phone.start_match("DOM 2 players", NAMES)
    expect(page.get_by_text("Who deals?")).to_be_visible()
    phone.open_hand(NAMES[hand["dealer"]])
    shows(page, match, 1)
    lit = page.locator("a[data-cell].lit").evaluate_all("all => all.map(each => each.dataset.cell)")
    assert lit == ["r1c1", "r1c4", "r4c1", "r4c4"]
    expected = games.Match.new("dom", {}, NAMES).enter({"kind": "hand", "opener": hand["dealer"]})
    for move in hand["moves"]:
        expected = put(phone, expected, move)
    assert points(page) == list(expected.totals)
    watch.goto(f"{table.path}watch/")
    shows(watch, match, 17)
    assert square(watch) == expected.hands[0].state.offers()["square"]
    assert hall.record(match)["hands"] == expected.record()["hands"]


def test_the_second_game_ends_the_match(hall: Hall, phone: Phone, table: Table, visit: Callable[..., Page]) -> None:
    """Taps its first and its last card on a phone, and follows it on a screen."""
    page, watch = phone.page, visit(**SCREEN)
    first, second = RECORD["hands"]
    one, *others = [{"kind": "move", "move": move} for move in second["moves"]]
    entries = [{"kind": "hand", "opener": first["dealer"]}, *({"kind": "move", "move": m} for m in first["moves"])]
    match, expected = hall.play(table, "dom", NAMES, entries), games.Match.new("dom", {}, NAMES)
    for entry in entries:
        expected = expected.enter(entry)
    watch.goto(f"{table.path}watch/")
    expect(page.get_by_text(f"{NAMES[second['dealer']]} deals the next hand")).to_be_visible()
    phone.press("The cards are dealt: play")
    expected = expected.enter({"kind": "hand", "opener": second["dealer"]})
    shows(page, match, len(entries) + 1)
    expected = put(phone, expected, one["move"])
    hall.go_on(match, others[:-1])
    for entry in others[:-1]:
        expected = expected.enter(entry)
    for each in (page, watch):
        shows(each, match, len(entries) + 16)
        assert square(each) == expected.hands[1].state.offers()["square"]
    expected = put(phone, expected, others[-1]["move"])
    shows(watch, match, len(entries) + 17)
    assert points(page) == list(expected.totals)
    assert square(watch) == expected.hands[1].state.offers()["square"]
    for each in (page, watch):
        for seat in (0, 1):
            made = [hand.points[seat] for hand in expected.hands]
            expect(each.locator(".score .side").nth(seat)).to_contain_text(f"game 1: {made[0]} + game 2: {made[1]}")
    got = hall.record(match)
    assert got["hands"] == expected.record()["hands"]
    verdict = games.verify(got)
    assert verdict["valid"], verdict
    assert verdict["totals"] == got["result"]["totals"] == list(expected.totals)

    page.goto(f"/matches/{match}/?hand=0&move=5")
    assert sorted(square(page).values()) == sorted(move["card"] for move in first["moves"][:5])


def test_a_match_by_its_final_hands_after_they_lost_track(hall: Hall, phone: Phone) -> None:
    page, match = phone.page, phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    place(phone, {"at": "r1c1", "card": "KH"})
    shows(page, match, 2)
    for number, points in enumerate(([61, 58], [44, 70])):
        if number:
            expect(page.get_by_text("Ana deals the next hand")).to_be_visible()
            phone.press("The cards are dealt: play")
            shows(page, match, 4)
        if not page.locator("#final").evaluate("details => details.open"):
            phone.tap(page.locator("#final summary"))
        for seat, made in enumerate(points):
            page.locator(f"#points-{seat}").fill(str(made))
        phone.press("All agree: count it")
        shows(page, match, 3 + 2 * number)
    record = hall.record(match)
    assert [hand["final"] for hand in record["hands"]] == [{"points": [61, 58]}, {"points": [44, 70]}]
    verdict = games.verify(record)
    assert (verdict["valid"], verdict["totals"], verdict["winners"]) == (True, [105, 128], [1])
    expect(page.get_by_role("heading", name="Bo won")).to_be_visible()


@pytest.mark.parametrize("height", [640, 844])
def test_square_and_pack_are_in_sight_at_once(phone: Phone, height: int) -> None:
    page = phone.page
    page.set_viewport_size({"width": 360, "height": height})
    phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    expect(page.locator(".deck")).to_be_visible()
    _x, above = edges(page.locator(".score"))
    top, _x = edges(page.locator(".square"))
    _x, pack = edges(page.locator(".deck"))
    thumb, bottom = edges(page.locator(".thumb"))
    assert above <= top
    assert pack <= thumb + 1
    assert bottom <= height
    assert page.evaluate("scrollY") == 0


def edges(part: Locator) -> tuple[float, float]:
    """The top and the bottom edge on the screen."""
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def test_a_double_tap_on_a_card_does_not_place_it(hall: Hall, phone: Phone, table: Table) -> None:
    page = phone.page
    match = hall.play(table, "dom", NAMES, [{"kind": "hand", "opener": 0}])
    shows(page, match, 1)
    phone.tap(page.locator("a[data-cell=r1c1]"))
    place = page.locator("#preview-move button")
    phone.double_tap(page.locator("a[data-card='5S']"))
    place.wait_for()
    phone.tap(page.locator("a.another"))
    with phone.at_once():
        page.locator("a[data-card='5S']").tap()
        place.wait_for()
        page.clock.run_for(SLOW_DOUBLE_TAP)
        page.touchscreen.tap(*middle(place))
    phone.tap(page.locator("a.another"))
    phone.tap(page.locator("a[data-card='7S']"))
    phone.tap(place)
    shows(page, match, 2)
    assert [move["card"] for move in hall.record(match)["hands"][0]["moves"]] == ["7S"]


def test_a_first_card_off_the_corners_is_refused_at_its_cell(phone: Phone) -> None:
    page, match = phone.page, phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    choose(phone, {"at": "r2c2", "card": "KH"})
    expect(phone.refusal).to_contain_text("The first card must go to a corner.")
    expect(page.locator('a[data-cell="r2c2"]')).to_have_class(re.compile(r"\bblamed\b"))
    phone.tap(page.locator('a[data-cell="r1c1"]'))
    phone.tap(page.locator("#preview-move button"))
    shows(page, match, 2)
    expect(phone.refusal).to_have_count(0)


def test_cards_are_as_large_as_a_finger(phone: Phone) -> None:
    page = phone.page
    page.set_viewport_size({"width": 360, "height": 640})
    phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    expect(page.locator("a[data-card]:visible")).to_have_count(13)
    for target in page.locator("[data-suit], a[data-card]:visible, a[data-cell]").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_a_suit_stays_open_and_a_taken_cell_says_so_at_once(phone: Phone) -> None:
    page, match = phone.page, phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    place(phone, {"at": "r1c4", "card": "KH"})
    shows(page, match, 2)
    expect(page.locator(".margin").first).to_be_visible()
    phone.tap(page.locator('a[data-cell="r1c4"]'))
    expect(phone.refusal).to_have_text("K♥ is already in row 1, column 4.")
    expect(page.locator(".choosing-what b")).to_have_text("Bo: tap a cell and a card")
    assert choose(phone, {"at": "r1c3", "card": "QH"}) == 2
    expect(phone.refusal).to_have_count(0)
    expect(page.locator("#preview-move .gain")).to_be_visible()
    expect(page.locator(".margin").first).to_be_hidden()


def test_cards_are_placed_without_network_and_counted_when_it_is_back(hall: Hall, phone: Phone) -> None:
    page, match = phone.page, phone.start_match("DOM 2 players", NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    page.context.set_offline(True)
    moves = [
        {"seat": seat, "type": "place", "card": card, "at": at}
        for seat, card, at in ((0, "KH", "r1c4"), (1, "TS", "r1c3"), (0, "4D", "r2c3"), (0, "7D", "r4c4"))
    ]
    for number, move in enumerate(moves):
        if number == 3:
            phone.tap(phone.undo_button)
            expect(page.locator(".saying")).to_contain_text("Bo put 10♠ in row 1, column 3")
            assert square(page) == {"r1c4": "KH", "r1c3": "TS"}
        choose(phone, move)
        phone.press("Place it anyway")
        expect(page.locator(".ahead .saying")).to_contain_text(NAMES[1 - move["seat"]] + " to play")
        assert square(page)[move["at"]] == move["card"]
        expect(page.locator(".choosing-what b")).to_have_text(f"{NAMES[1 - move['seat']]}: tap a cell and a card")
        expect(page.locator(f'a[data-card="{move["card"]}"]')).to_have_count(0)
        if number == 0:
            phone.tap(page.locator('a[data-cell="r1c4"]'))
            expect(page.locator(".choosing-what .why")).to_have_text("K♥ is already in row 1, column 4.")
    page.locator("#unsent summary").click()
    for words in ("Ana put K♥ in row 1, column 4", "Bo put 10♠ in row 1, column 3", "Ana put 7♦ in row 4, column 4"):
        expect(page.locator("#unsent")).to_contain_text(words)
    shows(page, match, 1)
    page.context.set_offline(False)
    shows(page, match, 4)
    expect(page.locator("#unsent")).to_be_hidden()
    placed = [moves[0], moves[1], moves[3]]
    assert hall.record(match)["hands"][0]["moves"] == placed
    assert square(page) == {move["at"]: move["card"] for move in placed}
