"""The page of a club's ranking, on any day."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.models import Player
from tests.browsing import Browser
from tests.conftest import Cast
from tests.scorekeeper.test_ratings_kept import NAMES, OTHER, TWO, played, work_off

DAY = timedelta(days=1)


@pytest.fixture
def address(cast: Cast) -> str:
    return reverse("club_ranking", args=[cast.club.slug])


def rows(address: str) -> list[list[str]]:
    """The name, the rating and the movement in each row."""
    page = Client().get(address).content.decode()
    cells = r'<bdi>(\w+)</bdi>.*?<b>(\d+)</b>.*?<td class="number won">\s*(\S+?)\s*</td>'
    return [list(row) for row in re.findall(cells, page.partition("<tbody>")[2], re.S)]


@pytest.fixture
def history(cast: Cast) -> None:
    """Ana beat Bo a month ago, and Cleo today; Bo and Cleo played another game."""
    now = timezone.now()
    played(cast, TWO, ("Ana", "Bo"), [90, 10], now - 30 * DAY)
    played(cast, TWO, ("Ana", "Cleo"), [90, 10], now)
    played(cast, OTHER, ("Bo", "Cleo"), [90, 10], now)
    work_off()


def test_a_club_without_matches_says_what_will_be_there(cast: Cast, address: str) -> None:
    assert "No ratings yet." in Browser(Client()).open(address).words


@pytest.mark.usefixtures("history")
def test_the_best_come_first_with_what_the_last_week_moved(cast: Cast, address: str) -> None:
    assert [row[0] for row in rows(f"{address}?of={TWO}")] == ["Ana", "Cleo", "Bo"]
    (_ana, *ana), (_bo, *bo), (_cleo, *cleo) = rows(address)  # the family comes first
    assert ana[0] > bo[0] > cleo[0]
    assert int(ana[1]) > 0
    assert int(bo[1]) > 0
    assert cleo[1] == "new"


@pytest.mark.usefixtures("history")
def test_the_ranking_of_a_day_has_what_was_played_until_its_end(cast: Cast, address: str) -> None:
    day = timezone.localdate() - 10 * DAY
    page = Client().get(f"{address}?of={TWO}&on={day.isoformat()}").content.decode()
    assert "Ana" in page
    assert "Cleo" not in page
    before = timezone.localdate() - 40 * DAY
    assert "Nobody had a rating" in Client().get(f"{address}?of={TWO}&on={before.isoformat()}").content.decode()


@pytest.mark.usefixtures("history")
def test_a_day_to_come_and_games_that_are_none_are_refused(cast: Cast, address: str) -> None:
    tomorrow = timezone.localdate() + 2 * DAY
    assert "This day has not come yet." in Client().get(f"{address}?on={tomorrow.isoformat()}").content.decode()
    assert "There is no ranking of these games." in Client().get(f"{address}?of=chess").content.decode()


@pytest.mark.usefixtures("history")
def test_hidden_people_are_not_ranked(cast: Cast, address: str) -> None:
    Player.objects.filter(club=cast.club, name="Ana").update(hidden=True)
    assert "Ana" not in Client().get(address).content.decode()


@pytest.mark.usefixtures("history")
def test_a_visitor_who_has_the_page_gets_it_again_only_after_a_change(cast: Cast, address: str) -> None:
    first = Client().get(address)
    again = {"HTTP_IF_NONE_MATCH": first.headers["ETag"]}
    assert Client().get(address, **again).status_code == 304
    played(cast, TWO, ("Bo", "Cleo"), [90, 10], timezone.now())
    assert Client().get(address, **again).status_code == 200


@pytest.mark.parametrize("people", [4, 40])
def test_the_number_of_queries_does_not_grow(
    cast: Cast, address: str, people: int, django_assert_max_num_queries: Callable[..., DjangoAssertNumQueries]
) -> None:
    names = [*NAMES, *(f"Guest {number}" for number in range(people - len(NAMES)))]
    for one, other in zip(names[::2], names[1::2], strict=True):
        played(cast, TWO, (one, other), [90, 10], timezone.now())
    work_off()
    with django_assert_max_num_queries(8):
        page = Client().get(f"{address}?of={TWO}").content.decode()
    assert page.count("<tr") == people + 1
