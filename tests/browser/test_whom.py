"""The page that asks whom a typed name means, and the list of who is here, as a host's browser shows them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import SCREEN, Club, OtherClub

pytestmark = pytest.mark.browser

LONG = "Wilhelmina Featherstonehaugh"


@pytest.fixture(scope="module")
def strangers(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Strangers") as strangers:
        yield strangers


def test_the_question_has_the_focus_and_then_what_was_done(strangers: OtherClub) -> None:
    page = strangers.page
    page.set_viewport_size(SCREEN["viewport"])
    page.goto(f"{strangers.address}nights/new/")
    names = [LONG, "Bo Lund", "Cy Marsh", "David Evans"]
    page.locator("#guests").fill("\n".join(names))
    page.get_by_role("radio", name="Domino Whist").check()
    page.get_by_role("button", name="Fill the tables").click()
    page.wait_for_url("**/desk/")
    page.get_by_role("heading", name="4 people here").click()

    name = page.locator(".ticks bdi", has_text=LONG)
    words = name.evaluate(UNBROKEN)
    assert words == ["Wilhelmina", "Featherstonehaugh"]

    page.get_by_label("Add somebody, one name per line").fill("Davd Evans\nNew Person")
    draw_again(page)
    expect(page.get_by_label("Use David Evans")).to_be_focused()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("Add somebody, one name per line")).to_have_value("Davd Evans\nNew Person")
    draw_again(page)
    page.get_by_label("Add as a new person").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#said")).to_contain_text("Davd Evans + New Person came.")
    expect(page.locator("#said")).to_contain_text("There is a new draw.")
    expect(page.locator("#said")).to_be_focused()
    expect(page.locator("#said")).to_be_in_viewport()


def draw_again(page: Page) -> None:
    page.locator("summary", has_text="Draw again").click()
    page.get_by_role("button", name="Draw again").click()


def test_several_guests_become_members(strangers: OtherClub) -> None:
    page = strangers.page
    page.goto(f"{strangers.address}players/")
    page.get_by_label("Names, one per line").fill("Gus Guest\nGina Guest")
    page.get_by_label("They are guests").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#said")).to_contain_text("2 players added.")
    for name in ("Gus Guest", "Gina Guest"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Make members").click()
    expect(page.locator("#said")).to_contain_text("Now members: Gina Guest + Gus Guest.")


UNBROKEN = """(bdi) => bdi.textContent.split(" ").filter((word) => {
  const range = document.createRange();
  const at = bdi.textContent.indexOf(word);
  range.setStart(bdi.firstChild, at);
  range.setEnd(bdi.firstChild, at + word.length);
  return range.getClientRects().length === 1;
})"""
