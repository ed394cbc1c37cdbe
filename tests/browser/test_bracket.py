"""A bracket in a browser: letters stay in their boxes, a phone can read it, and a printer needs one sheet."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, expect

from scorekeeper.pages.bracket import bracket_picture, bracket_shown
from scorekeeper.pairing.chart import Chart, chart
from scorekeeper.standings.reading import read_value
from tests.browser.hall import PHONE
from tests.pairing.test_knock_out import a_bracket, add, play
from tests.pairing.test_rounds import ours

STYLES = Path(__file__).parent.parent.parent / "scorekeeper" / "static" / "scorekeeper"
VIEWPORT = '<meta name="viewport" content="width=device-width">'
NAMES = [
    "Ana",
    "Bartholomew Featherstonehaugh",
    "MAXIMILIANE WIMMERSWALD",
    "Ömer Günaydın-Şahin & Søren Æbelø",
    "Владимир Александрович",
    "gggggggggggggggggggggggg",
    "Anna Wannamaker-Hammond",
    "illi lilli tilli filli jilli rilli",
]


pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(**PHONE)
    yield page
    page.close()


def charted(entrants: int, rounds: int, **keys: Any) -> Chart:
    rng, file = random.Random(entrants), a_bracket(entrants, **keys)
    for each in file["entrants"]:
        each["name"] = NAMES[each["id"] % len(NAMES)]
    for _ in range(rounds):
        found = ours(file)
        for table in found["tables"]:
            play(rng, table, odd=0.2)
            table["totals"] = [100 * total for total in table["totals"]] if table["totals"] else None
        add(file, found)
    tournament = read_value(file)
    return chart(tournament, tournament.stages[0])


def test_names_stay_in_their_boxes(page: Page) -> None:
    page.set_content(bracket_picture(charted(32, 4, placement=True)))
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".name")].filter((name) => {
            const { x, width } = name.getBBox();
            const next = name.nextElementSibling;
            const box = name.parentElement.querySelector(".box").getBBox();
            return x + width > (next?.matches(".score") ? next.getBBox().x : box.width - 10);
        }).map((name) => name.textContent)"""
    )
    assert outside == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_phone_scrolls_the_drawing_and_lists_the_rounds(page: Page, colours: Any) -> None:
    page.emulate_media(color_scheme=colours)
    shown = render_to_string("scorekeeper/_bracket.html", {"shown": bracket_shown(charted(13, 3, double=True))})
    page.set_content(f"<html lang=en><title>Cup</title>{VIEWPORT}<main><h1>Cup</h1><h2>Bracket</h2>{shown}</main>")
    for name in ("theme", "base", "controls", "lists", "bracket"):
        page.add_style_tag(path=STYLES / f"{name}.css")
    wide, narrow = page.evaluate(
        """[document.querySelector(".bracket-now").scrollWidth, document.documentElement.scrollWidth]"""
    )
    expect(page.locator(".bracket-whole")).to_be_hidden()
    expect(page.locator(".bracket-now .round").first).to_have_text(page.locator("details[open] h3").first.inner_text())
    assert narrow <= page.viewport_size["width"] < wide  # type: ignore[index]
    page.get_by_role("link", name="Matches by round").click()
    page.locator("summary", has_text="Round 1").click()
    expect(page.get_by_role("group", name="Matches by round").get_by_text("Ana", exact=True).first).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("entrants", [8, 64])
def test_a_printer_needs_one_sheet(page: Page, entrants: int, tmp_path: Path) -> None:
    file = tmp_path / "cup.svg"
    file.write_text(bracket_picture(charted(entrants, 2, third_place=True)))
    page.goto(file.as_uri())
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
