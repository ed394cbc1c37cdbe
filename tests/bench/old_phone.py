"""How long an old phone takes from a tap to the next sheet, at every kind of board.

    python tests/bench/old_phone.py [--slower 6] [--taps 20]

Starts `manage.py up`, has a hand of one game of each board recorded to its middle, and opens the table's page in
Chromium at phone size. Each tap takes back the last entry, which another program at the table made. The time runs from
the tap to the new sheet that can be tapped again. Then Chromium slows its processor down by the factor `--slower`, and
the same taps are given as a ratio to the first run.
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import django
from playwright.sync_api import Page, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

import games
from tests.browser.hall import PHONE, SCREEN, Club, Hall, Phone, launch, version

READY = "([match, length]) => document.querySelector(`#sheet:not([data-rests])[data-version='${match}:${length}']`)"


def boards() -> Iterator[games.Game]:
    """For each board, the game with most players."""
    seen: set[str] = set()
    for game in sorted(games.GAMES.values(), key=lambda game: -max(game.seats)):
        if game.board not in seen:
            seen.add(game.board)
            yield game


def taps(hall: Hall, page: Page, link: str, entry: dict[str, Any], count: int) -> list[float]:
    """The seconds of each tap."""
    took = []
    head = {"Authorization": f"Bearer {link.rstrip('/').rpartition('/')[2]}"}
    for _ in range(count):
        match, length = version(page)
        sent = {"seen": length, "key": f"again-{length}"} | entry
        status, text = hall.server.ask("POST", f"/api/v1/matches/{match}/entries/", sent, head)
        assert status == 201, text
        length += 1
        page.wait_for_function(READY, arg=[match, length])
        began = perf_counter()
        page.locator("#sheet button[name=entry][value*='\"undo\"']").first.tap()
        page.wait_for_function(READY, arg=[match, length + 1])
        took.append(perf_counter() - began)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slower", type=int, default=6)
    parser.add_argument("--taps", type=int, default=20)
    options = parser.parse_args()
    rng = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        hall = Hall(browser, Path(folder) / "data")
        print(f"{'milliseconds':24}{'p50':>8}{'max':>8}{'slowed p50':>12}{'max':>8}{'ratio':>8}{'page kB':>9}")
        try:
            with hall.visitor(**SCREEN) as host:
                club = Club(hall, host)
                for game in boards():
                    names = [f"Player {seat}" for seat in range(game.seats[0])]
                    table = club.make_table()
                    entries = games.entries(games.random_match(game.slug, {"hands": 1}, names, rng))
                    middle = len(entries) // 2
                    hall.play(table, game.slug, names, entries[:middle])
                    with hall.visitor(**PHONE) as page:
                        Phone(page).join(table.link)
                        measured = partial(taps, hall, page, table.link, entries[middle])
                        measured(2)
                        quick = sorted(measured(options.taps))
                        page.context.new_cdp_session(page).send(
                            "Emulation.setCPUThrottlingRate", {"rate": options.slower}
                        )
                        slow = sorted(measured(options.taps))
                        size = len(page.content().encode())
                    usual, slowed = (
                        [1000 * took for took in (each[len(each) // 2], each[-1])] for each in (quick, slow)
                    )
                    print(
                        f"{game.board:24}{usual[0]:8.0f}{usual[1]:8.0f}{slowed[0]:12.0f}{slowed[1]:8.0f}"
                        f"{slowed[0] / usual[0]:8.1f}{size / 1000:9.0f}"
                    )
        finally:
            hall.stop()
            browser.close()


if __name__ == "__main__":
    main()
