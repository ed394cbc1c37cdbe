"""The cost of recording a play: this is the most frequent request, and everybody waits for it."""

import json
import sys
from types import FrameType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.access import Actor
from scorekeeper.live import Topic, parts
from scorekeeper.models import Table
from scorekeeper.services import events, matches, tables
from tests.conftest import NOW, Cast, Phone, enter, names_for, plan_for
from tests.nights import first

BY_PAGE, BY_PROGRAM = 10, 8  # queries, with the transaction's begin and end
ROOMS = 14  # among them models, whose manager leaves out what a host has removed, and place, the zone of the club

# A position is cached when its entries are committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[2, 20], ids=lambda number: f"{number} tables")
def hall(request: pytest.FixtureRequest, cast: Cast) -> list[Any]:
    """A night with a match in play at this number of tables."""
    pairs = [[f"Ana {number}", f"Bo {number}"] for number in range(1, request.param + 1)]
    people = [name for pair in pairs for name in pair]
    events.start(club=cast.club, players=[], guests=people, step=first("night"))
    numbers = range(3, request.param + 1)
    here = [cast.table, cast.other_table, *(Table.objects.create(club=cast.club, number=each) for each in numbers)]
    game = {"game": "block", "options": {}, "by": Actor(), "now": NOW}
    begun = [matches.open_match(table=table, players=pair, **game) for table, pair in zip(here, pairs, strict=True)]
    return [enter(match, plan_for("block")[:9]) for match in begun]


def test_a_play_from_a_page(hall: list[Any], cast: Cast, django_assert_max_num_queries: Any) -> None:
    phone, match = Client(), hall[0]
    phone.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/", follow=True)
    sent = {"seen": match.length, "key": "one more", "entry": json.dumps(plan_for("block")[match.length])}
    with django_assert_max_num_queries(BY_PAGE):
        answer = phone.post(f"/matches/{match.pk}/entries/", sent, headers={"X-Part": "sheet"})
    assert answer.status_code == 200
    assert 'id="sheet"' in answer.content.decode()


def test_a_play_by_a_program(hall: list[Any], cast: Cast, django_assert_max_num_queries: Any) -> None:
    phone, match = Phone(tables.fresh_token(table=cast.table, now=timezone.now())), hall[0]
    sent = {"seen": match.length, "key": "one more", **plan_for("block")[match.length]}
    with django_assert_max_num_queries(BY_PROGRAM):
        assert phone.post(f"/api/v1/matches/{match.pk}/entries/", sent).status_code == 201


def test_the_same_drawing_serves_the_answer_and_the_followers(
    hall: list[Any], cast: Cast, django_assert_num_queries: Any
) -> None:
    phone, match = Client(), hall[0]
    phone.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/", follow=True)
    sent = {"seen": match.length, "key": "one more", "entry": json.dumps(plan_for("block")[match.length])}
    answer = phone.post(f"/matches/{match.pk}/entries/", sent, headers={"X-Part": "sheet"})
    topic = Topic("table", cast.table.pk)
    newest = topic.newest()
    with django_assert_num_queries(0):
        drawing = parts.drawn(topic, "pad", "en", newest)
    assert drawing.text in answer.content.decode()


def test_few_rooms_lie_between_the_door_of_an_entry_and_its_answer(cast: Cast, game: str) -> None:
    """At a night."""
    events.start(club=cast.club, players=[], guests=names_for(game), step=first("night"))
    phone, match = Client(), enter(cast.open(game), plan_for(game)[:9])
    phone.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/", follow=True)
    sent = {"seen": match.length, "key": "one more", "entry": json.dumps(plan_for(game)[match.length])}
    entered = set()

    def enters(frame: FrameType, event: str, _argument: object) -> None:
        top, *inside = frame.f_globals.get("__name__", "").split(".")
        if top in ("games", "scorekeeper"):
            entered.add(inside[0] if top == "scorekeeper" else top)

    sys.setprofile(enters)
    try:
        answer = phone.post(f"/matches/{match.pk}/entries/", sent, headers={"X-Part": "sheet"})
    finally:
        sys.setprofile(None)
    assert answer.status_code == 200
    assert {"views", "services", "games", "pages"} <= entered
    assert len(entered) <= ROOMS, sorted(entered)
