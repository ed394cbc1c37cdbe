"""A match typed in from paper."""

import pytest
from django.urls import reverse

import games
from tests.browsing import Browser
from tests.conftest import Cast


@pytest.mark.parametrize("game", sorted(games.GAMES))
def test_every_game_has_its_sheet(cast: Cast, as_user, game: str) -> None:
    page = Browser(as_user("scorer")).open(reverse("paper", args=["rovers"]) + f"?game={game}")
    assert page.status == 200
    page.press("Work out")
    assert page.status == 200
    assert page.open(reverse("paper", args=["rovers"])).status == 200
