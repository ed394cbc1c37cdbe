"""A director makes a schedule, keeps the best so far, and swaps entrants by two taps and by a drag."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import PHONE, Club, OtherClub, drag
from tests.nights import names_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def planners(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Planners") as planners:
        yield planners


def set_up(page: Page, club: Club, preset: str, entrants: int, rounds: int = 0) -> None:
    """Leads to the desk of a new tournament."""
    page.goto(f"{club.address}tournaments/new/?preset={preset}")
    page.get_by_label("Name of the tournament").fill("Plan cup")
    if rounds:
        page.get_by_label("This number of rounds:").check()
        page.get_by_role("spinbutton", name="Number of rounds").fill(str(rounds))
    page.get_by_role("button", name="Set up the tournament").click()
    page.get_by_label("Names, one per line").fill("\n".join(names_of(entrants)))
    page.get_by_role("button", name="Enter", exact=True).click()


def test_the_best_so_far_is_shown_and_kept(planners: OtherClub) -> None:
    page = planners.page
    set_up(page, planners, "dominards:fours", 42, rounds=14)
    page.get_by_role("button", name="Make the schedule").click()
    expect(page.get_by_text("The best so far:")).to_be_visible()
    page.get_by_role("button", name="Stop and keep this").click()
    expect(page.get_by_text("The schedule has 14 more rounds.")).to_be_visible()
    page.get_by_role("link", name="See and change the schedule").click()
    expect(page.get_by_role("heading", name="Change round 1")).to_be_visible()


def test_a_seated_round_stands_with_the_others_and_a_swap_in_it_asks_first(planners: OtherClub) -> None:
    page = planners.page
    set_up(page, planners, "block:heads", 4)
    page.get_by_role("button", name="Make the schedule").click()
    page.get_by_role("button", name="Draft the first round").click()
    page.get_by_role("button", name="Release round 1").click()
    page.get_by_text("The wrong people sat down", exact=True).click()
    form = page.locator("#reseat-form")
    form.locator("[name=one]").select_option(index=1)
    form.locator("[name=other]").select_option(index=2)
    page.get_by_role("button", name="Put it right").click()
    expect(page.get_by_text("Nothing is saved yet. This is what will change:")).to_be_visible()
    page.get_by_role("button", name="Put it right").click()
    expect(page.get_by_role("button", name="Undo: swap in round 1")).to_be_visible()
    page.get_by_role("link", name="Schedule", exact=True).click()
    headings = page.locator(".rounds h3")
    expect(headings).to_have_count(3)
    assert len({box["height"] for heading in headings.all() if (box := heading.bounding_box())}) == 1
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("link", name="Rounds and tables").click()
    sides = page.locator(".plan-grid .sides > span")
    expect(sides).to_have_count(12)
    assert sides.evaluate_all("all => all.every(each => each.scrollWidth <= each.clientWidth)"), "no name is overlaid"


def test_what_is_typed_while_a_search_ends_is_not_lost(planners: OtherClub) -> None:
    page = planners.page
    set_up(page, planners, "dominards:fours", 10, rounds=4)
    page.get_by_role("button", name="Make the schedule").click()
    page.get_by_label("Names, one per line").fill("Zoe")
    schedule = planners.hall.browser.new_page(storage_state=page.context.storage_state())
    schedule.goto(page.url)
    expect(schedule.get_by_text("The schedule has 4 more rounds.")).to_be_visible()
    schedule.close()
    expect(page.get_by_label("Names, one per line")).to_have_value("Zoe")
    # Before the field loses the focus: after that, the page is redrawn, and the step would be a good one.
    page.get_by_role("button", name="Enter", exact=True).dispatch_event("click")
    expect(page.get_by_text("something has changed since")).to_be_visible()
    expect(page.get_by_label("Names, one per line")).to_have_value("Zoe")


def test_two_entrants_are_swapped_by_taps_and_by_a_drag(planners: OtherClub, visit: Callable[..., Page]) -> None:
    page = planners.page
    set_up(page, planners, "block:heads", 6)
    page.get_by_role("button", name="Make the schedule").click()
    page.get_by_role("link", name="See and change the schedule").click()
    chips = page.locator("[data-exchange] .name-chip")
    first, second = (chips.nth(at).inner_text() for at in (0, 2))
    chips.nth(0).click()
    chips.nth(2).click()
    expect(page.get_by_role("heading", name="What the change does")).to_be_visible()
    expect(page.get_by_text("now meet twice; before, once.").first).to_be_visible()
    assert [chips.nth(at).inner_text() for at in (0, 2)] == [second, first]
    page.get_by_role("button", name="Undo: change in round 1").click()
    expect(page.get_by_role("heading", name="What the change does")).to_be_hidden()
    drag(chips.nth(0), chips.nth(2))
    expect(page.get_by_role("heading", name="What the change does")).to_be_visible()
    assert chips.nth(0).inner_text() == second
    page.get_by_role("button", name="Release the whole schedule").click()
    expect(page.get_by_text("Everybody can see the whole schedule.")).to_be_visible()
    phone = visit(**PHONE)
    phone.goto(page.url.partition("?")[0].replace("schedule/", ""))
    expect(phone.get_by_role("heading", name="Rounds to come")).to_be_visible()
    phone.get_by_role("link", name="The whole schedule").click()
    expect(phone.get_by_role("heading", name="Round 5")).to_be_visible()


def test_a_swiss_round_is_drawn_says_why_and_is_changed_by_a_drag(planners: OtherClub) -> None:
    page = planners.page
    page.set_viewport_size({"width": 1280, "height": 900})  # both names are in sight, as for who drags one
    set_up(page, planners, "block:swiss", 6, rounds=3)
    page.get_by_role("button", name="Draw round 1").click()
    page.get_by_role("link", name="Why they meet, and change who meets whom").click()
    expect(page.get_by_text("Nobody has met before.")).to_be_visible()
    chips = page.locator("[data-exchange] .name-chip")
    second = chips.nth(2).inner_text()
    drag(chips.nth(0), chips.nth(2))
    effect = page.locator("#effect")
    expect(effect.get_by_role("heading", name="What the change does")).to_be_visible()
    expect(effect.get_by_role("listitem")).to_have_count(3)  # the two pairs, and what gets worse
    assert chips.nth(0).inner_text() == second
    page.get_by_role("link", name="Director's desk").click()
    # Not its button: the people may still play in the tournament of another test.
    expect(page.get_by_role("heading", name="Draft of round 1")).to_be_visible()
