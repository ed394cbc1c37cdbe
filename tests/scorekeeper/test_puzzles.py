"""The puzzle of the day: its pages, what they refuse, and that nobody sees an answer too early."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.moves import Pass, move_entry
from scorekeeper.practice.puzzle import Choice, puzzle_of
from scorekeeper.selectors.puzzles import KEY, tries_of

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 5)
TOMORROW = DAY + timedelta(days=1)
TWO_ENDS = date(2026, 11, 7)
"""A day whose winning tile fits two ends."""


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch) -> Client:
    is_now(monkeypatch, DAY)
    return Client()


def is_now(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(day.year, day.month, day.day, 12, tzinfo=UTC))


def lay(visitor: Client, choice: Choice, day: date = DAY, script: bool = False) -> HttpResponse:
    sent = {"day": day.isoformat(), "entry": json.dumps(move_entry(choice.move))}
    headers = {"X-Part": "sheet"} if script else {}
    return visitor.post(reverse("puzzle_play"), sent, headers=headers)


def page(visitor: Client, route: str = "puzzle", query: str = "") -> str:
    answer = visitor.get(reverse(route) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def sheet(visitor: Client, query: str = "") -> str:
    """The puzzle on the page, without the token that each page has anew."""
    return re.sub(r'csrfmiddlewaretoken" value="\w+"', "", page(visitor, query=query).partition('id="sheet"')[2])


def test_the_answer_comes_after_the_first_try(visitor: Client) -> None:
    best, *others = puzzle_of(DAY).choices
    assert lay(visitor, others[-1]).status_code == 302
    shown = page(visitor)
    assert "Not this one." in shown
    assert f"wins the hand by {best.worth} point" in shown
    assert f"loses the hand by {-others[-1].worth} point" in shown
    assert tries_of(visitor.session).streak(DAY) == 0
    lay(visitor, best)
    assert "Not this one." in page(visitor), "the first try counts"


def test_a_script_gets_the_part_that_changes(visitor: Client) -> None:
    answer = lay(visitor, puzzle_of(DAY).choices[0], script=True)
    assert answer.status_code == 200
    assert "Right!" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert tries_of(visitor.session).streak(DAY) == 1


def test_every_line_is_shown_move_by_move(visitor: Client) -> None:
    puzzle = puzzle_of(DAY)
    lay(visitor, puzzle.choices[0])
    for number, choice in enumerate(puzzle.choices):
        whole = page(visitor, query=f"?play={number}&move=999")
        count = len(puzzle.state.line.laid) + sum(not isinstance(move, Pass) for move in (choice.move, *choice.line))
        assert f"Line of play, {count} tiles" in whole
        assert ("Your side wins by" if number == 0 else "Your side loses by") in whole
        assert "Your turn." in page(visitor, query=f"?play={number}&move=0")


def test_nothing_of_the_answer_is_shown_before(visitor: Client) -> None:
    before = sheet(visitor)
    assert "wins the hand by" not in before
    assert "worths" not in before
    for query in ("?play=0", "?play=0&move=3", f"?day={TOMORROW}", "?answered=1"):
        assert sheet(visitor, query) == before
    assert KEY not in visitor.session


def test_tomorrow_cannot_be_tried_or_seen(visitor: Client) -> None:
    answer = lay(visitor, puzzle_of(TOMORROW).choices[0], TOMORROW)
    assert answer.status_code == 409
    assert "Here is today’s." in answer.content.decode()
    assert DAY.isoformat() in answer.content.decode()
    assert KEY not in visitor.session
    assert visitor.get(reverse("puzzle") + f"{TOMORROW}/").status_code == 404


def test_a_page_left_open_over_midnight_changes_nothing(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    is_now(monkeypatch, TOMORROW)
    assert lay(visitor, puzzle_of(DAY).choices[0], DAY, script=True).status_code == 409
    assert KEY not in visitor.session


def test_yesterdays_puzzle_has_its_answer(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    best = puzzle_of(DAY).choices[0]
    lay(visitor, best)
    is_now(monkeypatch, TOMORROW)
    shown = page(visitor, "puzzle_yesterday")
    assert DAY.isoformat() in shown
    assert "Right!" in shown
    assert "wins the hand by" not in page(visitor)
    assert "wins the hand by" in page(Client(), "puzzle_yesterday")


@pytest.mark.parametrize("entry", ["", "{", '{"kind":"move"}', '{"kind":"move","move":{"seat":0,"type":"pass"}}'])
def test_what_cannot_be_laid_is_refused(visitor: Client, entry: str) -> None:
    answer = visitor.post(reverse("puzzle_play"), {"day": DAY.isoformat(), "entry": entry})
    assert answer.status_code == 422
    assert KEY not in visitor.session


def test_without_scripts_a_tile_for_two_ends_waits_for_one(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    is_now(monkeypatch, TWO_ENDS)
    tiles = [choice.move.tile for choice in puzzle_of(TWO_ENDS).choices]
    [both] = [choice for choice in puzzle_of(TWO_ENDS).choices[:1] if tiles.count(choice.move.tile) == 2]
    answer = lay(visitor, both._replace(move=both.move._replace(end=None)), TWO_ENDS)
    assert answer.status_code == 302
    assert "At which end?" in visitor.get(answer["Location"]).content.decode()
    assert KEY not in visitor.session


def test_the_text_to_share_says_nothing_of_the_answer(visitor: Client) -> None:
    best = puzzle_of(DAY).choices[0]
    lay(visitor, best)
    answer = visitor.get(reverse("puzzle_text"))
    assert answer["Content-Type"].startswith("text/plain")
    assert "Solved at the first try" in answer.content.decode()
    assert reverse("puzzle") in answer.content.decode()
    assert best.name[:3] not in answer.content.decode()
    assert "Not solved" not in Client().get(reverse("puzzle_text")).content.decode()
