"""A match with tiles, dice and cards, recorded tap by tap on a phone: every roll, end and claim; and by final
states."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import games
from tests.browser.hall import PHONE, SCREEN, Hall, Phone, Table, board, shows

pytestmark = pytest.mark.browser

NAMES = ("Bo", "Cleo", "Dan")
# What is tapped as soon as it is offered: every kind of claim once, then anything.
WISHES = ("virtual", "multiple", "card")


class Star(Phone):
    """Taps a move of a record."""

    def roll(self, dice: list[int]) -> None:
        number = self.page.locator(f'[data-number="{len(dice)}"]')
        if number.get_attribute("aria-pressed") != "true":
            self.tap(number)
        for die in dice:
            self.tap(self.page.locator(f'[data-face="{die}"]'))

    def play(self, move: dict[str, Any], made: dict[str, Any], ends: int) -> None:
        """Returns the number of taps: one, another one for an end, another one for a claim."""
        self.tap(self.page.locator(f'button[data-tile="{move["tile"]}"]'))
        if ends > 1:
            self.tap(self.page.locator(f'button[data-at="{move["end"]}"]'))
        if made["total"] and (made["cards"] or made["multiple"] or made["virtual"]):
            expect(self.page.locator("[data-claim-total]")).to_have_text(str(made["total"]))
            self.claim(move.get("claim", {"by": "none"}))

    def claim(self, claim: dict[str, str]) -> None:
        if claim["by"] == "card":
            self.tap(self.page.locator(f'.claims [data-card="{claim["card"]}"]:not(svg)'))
            return
        self.tap(self.page.locator(f'[data-claim="{claim["by"]}"]'))
        if claim["by"] == "virtual":
            self.tap(
                self.page.locator(".claims .suits-of label", has=self.page.locator(f'[value="{claim["drop"][1]}"]'))
            )
            self.tap(self.page.locator(f'.claims [data-card="{claim["drop"]}"]:not(svg)'))


def chosen(offers: dict[str, Any], wanted: list[str], dropped: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The next play to tap, with its total: one with a wanted claim, if there is any."""
    for by in wanted:
        for made in offers["totals"]:
            if made["total"] and (made["cards"] if by == "card" else made[by]):
                seat_cards = offers["cards"][offers["seat"]]["droppable"]
                claim = {"by": by} | (
                    {"card": made["cards"][-1]} if by == "card" else {"drop": seat_cards[-1]} if by == "virtual" else {}
                )
                return made, claim
    return offers["totals"][dropped % len(offers["totals"])], {}


def test_a_match_by_its_moves(hall: Hall, visit: Callable[..., Page], table: Table) -> None:
    phone, watch = Star(visit(**PHONE)), visit(**SCREEN)
    phone.join(table.link)
    phone.hurry()
    match = phone.start_match("Dominards", NAMES[:2], hands="1")
    phone.open_hand("Bo")
    shows(phone.page, match, 1)
    watch.goto(f"{table.path}watch/")
    state = games.Match.new("dominards", {"hands": 1}, NAMES[:2]).enter({"kind": "hand", "opener": 0})
    wanted, rolls, length = list(WISHES), [[6, 6], [1, 1, 1, 6], [3, 4]], 1
    taps = {}
    while not state.finished:
        offers, before = state.offers(), phone.taps
        seat = offers["seat"]
        if offers["roll"] and not rolls:
            phone.tap(phone.page.locator("button[name=roll]"))
            shows(phone.page, match, length + 1)
            move = hall.record(match)["hands"][0]["moves"][-1]
            kind = "rolled by the phone"
        elif offers["roll"]:
            # The second roll makes a virtual card with the total that the next player can make.
            dice = rolls.pop(0)
            if len(dice) == 4:
                dice = four_dice(state, seat)
            phone.roll(dice)
            move, kind = {"seat": seat, "type": "roll", "dice": dice}, "roll"
        elif offers["totals"]:
            made, claim = chosen(offers, wanted, length)
            move = {"seat": seat, "type": "play", "tile": made["tile"]}
            move |= ({"end": made["end"]} if made["end"] else {}) | ({"claim": claim} if claim else {})
            phone.play(move, made, len(offers["plays"][made["tile"]]))
            kind = claim.get("by", "play")
            wanted = [by for by in wanted if by != kind]
        else:
            move = {"seat": seat, "type": "draw", "count": 1} if offers["boneyard"] else {"seat": seat, "type": "pass"}
            phone.tap(phone.page.locator("[data-lacking]"))
            kind = move["type"]
        taps.setdefault(kind, phone.taps - before)
        state, length = state.enter({"kind": "move", "move": move}), length + 1
        shows(phone.page, match, length)
        sees(phone.page, state)
    assert {"roll", "rolled by the phone", "card", "multiple", "virtual"} <= taps.keys(), taps
    shows(watch, match, length)
    assert board(watch) == sorted(each["tile"] for each in state.record()["hands"][0]["moves"] if "tile" in each)
    assert hall.record(match)["hands"] == state.record()["hands"]
    assert hall.record(match)["result"] == state.record()["result"]
    assert games.verify(hall.record(match))["valid"]


def test_wrong_dice_are_removed(visit: Callable[..., Page], table: Table) -> None:
    """One by one, or the last one by Undo; nothing else changes."""
    phone = Star(visit(**PHONE))
    phone.join(table.link)
    match = phone.start_match("Dominards", NAMES)
    phone.open_hand("Bo")
    shows(phone.page, match, 1)
    page, slots = phone.page, phone.page.locator(".slots button")
    entry = page.locator(".thumb [data-undo]")
    faces, thumb = page.locator(".faces").bounding_box(), page.locator(".thumb").bounding_box()
    assert faces
    assert thumb
    assert faces["y"] + faces["height"] <= thumb["y"], "the dice to tap are in sight"
    phone.tap(page.locator('[data-number="4"]'))
    for die in (1, 2, 3):
        phone.tap(page.locator(f'[data-face="{die}"]'))
    expect(slots).to_have_count(3)
    expect(entry).to_be_hidden()
    phone.tap(slots.nth(1))
    expect(slots.locator("svg")).to_have_count(2)
    assert slots.locator("svg").evaluate_all("dice => dice.map(die => die.dataset.die)") == ["1", "3"]
    for left in (1, 0):
        phone.tap(page.locator("[data-untap]"))
        expect(slots).to_have_count(left)
    expect(entry).to_be_visible()
    assert page.evaluate("visualViewport.scale") == 1, "quick taps do not zoom"
    phone.roll([6, 6])
    shows(page, match, 2)
    state = games.Match.new("dominards", {}, NAMES)
    for entry in (
        {"kind": "hand", "opener": 0},
        {"kind": "move", "move": {"seat": 0, "type": "roll", "dice": [6, 6]}},
    ):
        state = state.enter(entry)
    sees(page, state)


def four_dice(state: games.Match, seat: int) -> list[int]:
    """Four dice with the sum that the first possible play makes."""
    trial = state.enter({"kind": "move", "move": {"seat": seat, "type": "roll", "dice": [1, 1, 1, 1]}})
    total = next(made["total"] for made in trial.offers()["totals"] if 4 <= made["total"] <= 24)
    dice = [1, 1, 1, 1]
    for at in range(4):
        dice[at] += min(5, total - sum(dice))
    return dice


def sees(page: Page, state: games.Match) -> None:
    """The dice in force, the total and the player on turn are visible on one screen of the phone."""
    if state.finished:
        return
    offers = state.offers()
    shown = page.locator(".in-force [data-die]").evaluate_all("dice => dice.map(die => Number(die.dataset.die))")
    assert shown == offers["dice"]
    if state.hand.line.laid:
        expect(page.locator("[data-total]")).to_have_text(str(offers["total"]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "?" not in page.url, "what is asked is asked in place"


def test_the_pad_continues_without_network(hall: Hall, visit: Callable[..., Page], table: Table) -> None:
    phone = Star(visit(**PHONE))
    page = phone.page
    phone.join(table.link)
    phone.hurry()
    match = phone.start_match("Dominards", NAMES)
    phone.open_hand("Bo")
    shows(page, match, 1)
    expected = games.Match.new("dominards", {}, NAMES).enter({"kind": "hand", "opener": 0})
    page.context.set_offline(True)
    for move in (
        {"seat": 0, "type": "roll", "dice": [3, 4]},
        {"seat": 0, "type": "play", "tile": "6-6", "claim": {"by": "card", "card": "QH"}},
        {"seat": 1, "type": "play", "tile": "6-2", "end": "w", "claim": {"by": "multiple"}},
        {"seat": 2, "type": "draw", "count": 1},
        {"seat": 2, "type": "play", "tile": "6-1", "end": "n"},
        {"seat": 0, "type": "play", "tile": "6-5", "end": "e"},
        {"seat": 1, "type": "roll", "dice": [1, 1, 6, 6]},
    ):
        offers = expected.offers()
        if move["type"] == "roll":
            expect(page.locator(".rolling")).to_be_visible()
            phone.roll(move["dice"])
        elif move["type"] == "draw":
            phone.tap(page.locator("[data-lacking]"))
        else:
            end = move.get("end")
            made = next(each for each in offers["totals"] if (each["tile"], each["end"]) == (move["tile"], end))
            guessed = page.locator(f'button[data-tile="{move["tile"]}"]').get_attribute("data-made") or ""
            assert made in json.loads(guessed)
            phone.play(move, made, len(offers["plays"][move["tile"]]))
        expected = expected.enter({"kind": "move", "move": move})
        expect(page.locator(".in-force .turns")).to_have_text(turns(expected))
    assert not hall.record(match)["hands"][0]["moves"], "nothing has arrived"
    page.context.set_offline(False)
    shows(page, match, 8)
    assert hall.record(match)["hands"] == expected.record()["hands"]
    sees(page, expected)


def test_a_double_tap_chooses_no_end_and_no_other_tile(hall: Hall, phone: Phone, table: Table) -> None:
    page = phone.page
    moves = [{"type": "roll", "dice": [6, 6]}, {"type": "play", "tile": "6-6"}]
    entries = [{"kind": "hand", "opener": 0}, *({"kind": "move", "move": {"seat": 0} | move} for move in moves)]
    match = hall.play(table, "dominards", NAMES, entries)
    shows(page, match, 3)
    ends, claims = page.locator(".ends"), page.locator(".claims")
    for button, asks in (
        (page.locator("button[data-tile='6-0']"), ends),  # it makes 12: a multiple
        (ends.locator("[data-at=s]"), claims),
        (page.locator("[data-back]"), page.locator(".tray")),
        (page.locator("button[data-tile='6-0']"), ends),
        (ends.locator("[data-at=s]"), claims),
    ):
        phone.double_tap(button)
        expect(asks).to_be_visible()
        shows(page, match, 3)
    phone.tap(claims.locator("[data-claim=none]"))
    shows(page, match, 4)
    assert hall.record(match)["hands"][0]["moves"][-1] == {"seat": 1, "type": "play", "tile": "6-0", "end": "s"}


def turns(state: games.Match) -> str:
    offers = state.offers()
    then = NAMES[offers["rolls_next"]]
    if offers["roll"]:
        return f"{then} rolls now"
    return f"last turn, then {then} rolls" if offers["turns"] == 1 else f"{offers['turns']} turns, then {then} rolls"


def test_a_match_by_final_states(hall: Hall, phone: Phone, table: Table) -> None:
    page = phone.page
    match = phone.start_match("Dominards", NAMES[:2], hands="1")
    phone.tap(page.get_by_text("Enter the cards (optional)"))
    cards = page.locator("form:has(#cards-0)")
    held = {0: ["KD", "TH", "2C", "3C", "4C"], 1: ["AS", "5S", "6S", "7S", "8S"]}
    for names in held.values():
        for name in names:
            pick(phone, cards.locator(".cards-to-tap"), name)
    expect(page.locator("#cards-1")).to_have_value("AS 5S 6S 7S 8S")
    phone.press("Save these cards")
    shows(page, match, 1)
    phone.tap(page.get_by_text("Already played? Enter only the result"))
    phone.tap(page.get_by_role("group", name="Who opened?").get_by_role("radio", name="Cleo"))
    for seat, points in enumerate(("30", "12")):
        page.locator(f"#points-{seat}").fill(points)
    pick(phone, page.locator("#final .cards-to-tap"), "KD")
    page.locator("#dropped-1").fill("as")
    phone.tap(page.get_by_role("group", name="Who went out?").get_by_role("radio", name="Bo", exact=True))
    expect(page.locator("#tiles-0")).to_be_disabled()
    page.locator("#tiles-1").fill("3")
    expect(page.locator("#preview-final")).to_contain_text("1 for each tile")
    phone.press("All agree: count it")
    expect(page.get_by_role("heading", name="Bo won")).to_be_visible()
    final = {"points": [30, 12], "dropped": [["KD"], ["AS"]], "tiles": [0, 3], "out": 0}
    expected = games.Match.new("dominards", {"hands": 1}, NAMES[:2])
    for entry in ({"kind": "cards", "cards": list(held.values())}, {"kind": "hand", "opener": 1, "final": final}):
        expected = expected.enter(entry)
    record = hall.record(match)
    assert record["hands"] == expected.record()["hands"]
    assert record["result"] == {"totals": [33, 12], "winners": [0]}
    assert games.verify(record)["valid"]


def pick(phone: Phone, pack: Any, name: str) -> None:
    suit = pack.locator(f'.suits-of [value="{name[1]}"]')
    if not suit.is_checked():
        phone.tap(pack.locator(".suits-of label", has=phone.page.locator(f'[value="{name[1]}"]')))
    phone.tap(pack.locator(f'[data-card="{name}"]:not(svg)'))
