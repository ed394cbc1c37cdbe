"""The ranking of a club, kept open while matches end: it moves by itself."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from games import GAMES
from scorekeeper import models
from scorekeeper.access import Actor
from scorekeeper.services import jobs, matches, ratings, recording
from scorekeeper.tasks import WORK
from tests.browser.hall import SCREEN, Club, Hall, OtherClub, Table

pytestmark = pytest.mark.browser

GAME = next(slug for slug, game in GAMES.items() if game.seats == (2,))
NAMES = ["Rita", "Sven"]


def _rated(table: int, totals: list[int], at: datetime) -> None:
    """A match of an earlier day, which is in the ranking already."""
    place = models.Table.objects.get(pk=table)
    match = matches.open_match(table=place, game=GAME, options={}, players=NAMES, by=Actor(), now=at)
    result = {"kind": "result", "totals": totals, "stopped": "time"}
    recording.record(match_id=match.pk, seen=0, key="result", entry=result, by=Actor(), now=at)
    for job in models.Job.objects.filter(kind=ratings.KIND, state=models.Job.State.NEW):
        jobs.run(job.pk, WORK)


@pytest.fixture
def climbers(club: Club) -> Iterator[OtherClub]:
    with OtherClub.opened(club, "Climbers") as other:
        yield other


def ends(hall: Hall, table: Table, totals: list[int]) -> None:
    """A match that a program of the table opens and ends."""
    bearer = {"Authorization": f"Bearer {table.link.rstrip('/').rpartition('/')[2]}"}

    def posted(path: str, body: dict[str, Any]) -> Any:
        status, text = hall.server.ask("POST", f"/api/v1/{path}/", body, bearer)
        assert status == 201, text
        return json.loads(text)

    match = posted(f"tables/{table.pk}/matches", {"game": GAME, "players": NAMES})["id"]
    result = {"kind": "result", "totals": totals, "stopped": "time"}
    posted(f"matches/{match}/entries", {"seen": 0, "key": "result", **result})


def test_a_match_that_ends_moves_the_ranking_that_is_open(
    hall: Hall, climbers: OtherClub, visit: Callable[..., Page]
) -> None:
    table = climbers.make_table()
    hall.does(_rated, table.pk, [90, 10], timezone.now() - timedelta(days=10))
    page = visit(**SCREEN)
    page.goto(f"{climbers.address}ranking/?of={GAME}")
    rows = page.locator("#ranking tbody tr")
    rita, sven = (rows.filter(has_text=name) for name in NAMES)
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Rita")
    expect(sven.locator(".won")).to_have_text("0")
    before = rating(rita), rating(sven)
    page.evaluate("window.stayed = true")
    for _match in range(2):
        ends(hall, table, [10, 90])
    expect(rows.first).to_contain_text("Sven")
    expect(sven.locator(".place")).to_contain_text("up 1 place")
    expect(rita.locator(".place")).to_contain_text("down 1 place")
    expect(sven.locator(".roomy").nth(1)).to_have_text("3")
    expect(sven.locator(".won")).to_have_text(f"+{rating(sven) - before[1]}")
    expect(rita.locator(".won")).to_have_text(f"−{before[0] - rating(rita)}")
    expect(page.locator("#announce")).to_have_text("Sven is now in place 1.")
    assert page.evaluate("window.stayed"), "the page was left"


def rating(row: Locator) -> int:
    return int(row.locator(".rating b").inner_text())
