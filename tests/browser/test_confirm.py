"""Four phones at a table: each confirms its seat, one disputes the sheet, and what follows."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import games
from games.record import read_record
from tests.browser.hall import NAMES, PHONE, Club, Hall, Phone, Table
from tests.browser.test_accessibility import good
from tests.browser.test_bad_input import type_the_final_state

pytestmark = pytest.mark.browser

PLAYED = [
    {"kind": "hand", "opener": 0},
    {"kind": "final", "final": {"bad": [31, 12], "out": 0}},
    {"kind": "stop", "stopped": "time"},
]


def right(phone: Phone, name: str) -> Locator:
    return phone.page.get_by_role("button", name=f"{name}: correct", exact=True)


def sheet(hall: Hall, match: int) -> dict[str, Any]:
    return dict(json.loads(hall.server.ask("GET", f"/api/v1/matches/{match}/")[1])["sheet"])


def come(table: Table, visit: Callable[..., Page], *names: str) -> dict[str, Phone]:
    """The phones of these players, at the table."""
    phones = {name: Phone(visit(**PHONE)) for name in names}
    for name, phone in phones.items():
        phone.join(table.link)
        phone.press(name)
        expect(phone.page.get_by_text(f"This phone: {name}", exact=True)).to_be_visible()
    return phones


def confirm_in_turn(phones: dict[str, Phone], watched_by: Iterable[Phone]) -> None:
    """Each phone has the news of the answer before: what has just changed on a page ignores taps for a moment."""
    for answers, (name, phone) in enumerate(phones.items(), start=1):
        phone.tap(right(phone, name))
        for watching in watched_by:
            expect(watching.sheet).to_contain_text(f"Confirmed by {answers} of 4")


def test_four_phones_confirm(hall: Hall, table: Table, visit: Callable[..., Page]) -> None:
    match = hall.play(table, "domino-whist", NAMES, PLAYED)
    phones = come(table, visit, *NAMES)
    *others, last = NAMES
    for name in others:
        expect(right(phones[name], last)).to_be_hidden()
    confirm_in_turn({name: phones[name] for name in others}, watched_by=phones.values())
    phones[last].tap(right(phones[last], last))
    for phone in phones.values():
        expect(phone.page.get_by_role("heading", name="Everybody says the score is correct")).to_be_visible()
        expect(phone.undo_button).to_have_count(0)
    assert sheet(hall, match)["confirmed"] == [0, 1, 2, 3]
    assert (
        sheet(hall, match)["totals"] == games.Match.of(read_record(hall.record(match), games.GAMES)).sheet()["totals"]
    )
    good(phones[last].page)


@pytest.mark.parametrize("width", [390, 320])
def test_a_long_name_that_won_stays_whole(hall: Hall, table: Table, visit: Callable[..., Page], width: int) -> None:
    name = "Mary-Jane Watson-Featherstonehaugh"
    hall.play(table, "domino-whist", ("Bo", name, "Dan", "Ana"), PLAYED)
    phone = Phone(visit(**PHONE | {"viewport": {"width": width, "height": 844}}))
    phone.join(table.link)
    heading = phone.page.get_by_role("heading", name=f"{name} + Ana won")
    expect(heading).to_be_visible()
    lines = heading.evaluate("""(heading) => {
      const text = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT).nextNode();
      const from = text.data.indexOf("Featherstonehaugh");
      const word = document.createRange();
      word.setStart(text, from);
      word.setEnd(text, from + "Featherstonehaugh".length);
      return word.getClientRects().length;
    }""")
    assert lines == 1
    phone.page.locator("summary", has_text="Score sheet").click()
    head = phone.page.get_by_role("columnheader", name=name)
    expect(head).to_be_visible()
    assert head.evaluate("(head) => head.scrollWidth <= head.clientWidth"), "nothing of it is cut off"
    good(phone.page)


def test_a_dispute_calls_the_host(hall: Hall, club: Club, table: Table, visit: Callable[..., Page]) -> None:
    hall.play(table, "domino-whist", NAMES, [*PLAYED, {"kind": "confirm", "seats": [0]}])
    phones = come(table, visit, "Dan", "Ana")
    ana = phones["Ana"]
    phones["Dan"].tap(right(phones["Dan"], "Dan"))
    for phone in phones.values():
        expect(phone.sheet).to_contain_text("Confirmed by 2 of 4")
    ana.tap(ana.page.get_by_text("Dispute", exact=False).filter(visible=True).first)
    ana.page.get_by_label("What is wrong?").filter(visible=True).fill("We had 12, they had 31")
    ana.press("Ana: dispute and call the host")
    for phone in phones.values():
        expect(phone.page.get_by_text("When it is settled, tap “correct”")).to_be_visible()
    good(ana.page)

    host = club.page
    host.goto(table.path)
    expect(host.get_by_text("We had 12, they had 31").first).to_be_visible()
    host.get_by_role("button", name="No longer needed").click()
    expect(ana.page.get_by_role("button", name="No longer needed")).to_have_count(0)


def test_a_host_reopens_the_match_for_corrections(
    hall: Hall, club: Club, table: Table, visit: Callable[..., Page]
) -> None:
    dispute = {"kind": "dispute", "seat": 3, "why": "We had 12, they had 31"}
    match = hall.play(table, "domino-whist", NAMES, [*PLAYED, {"kind": "confirm", "seats": [0]}, dispute])
    phones = come(table, visit, "Bo", "Ana")
    host, ana = club.page, phones["Ana"]
    host.goto(table.path)
    host.get_by_text("Reopen the match", exact=True).click()
    host.get_by_label("Why? Everybody can read this.").filter(visible=True).fill("The sides were mixed up")
    host.get_by_role("button", name="Reopen for corrections").click()
    for phone in phones.values():
        expect(phone.sheet).to_contain_text("Reopened by a host: The sides were mixed up")

    ana.press("Wrong? Undo the last entry")
    ana.press("Undo")
    type_the_final_state(ana)
    ana.press("All agree: count it")
    expect(ana.page.get_by_role("heading", name="Score of hand 1")).to_be_visible()
    ana.tap(ana.page.get_by_text("End early"))
    ana.tap(ana.page.get_by_text("Count the current score"))
    ana.press("End the match")
    expect(ana.page.get_by_role("heading", name="Is the score correct?")).to_be_visible()
    assert {"confirmed", "disputed", "reopened"}.isdisjoint(sheet(hall, match))
    confirm_in_turn(phones, watched_by=phones.values())
    assert sheet(hall, match)["confirmed"] == [0, 3]
