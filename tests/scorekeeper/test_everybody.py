"""The list of everybody on the server."""

import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from scorekeeper.models import Club, Player
from tests.browsing import Browser
from tests.conftest import Cast


def listed(query: str = "", browser: Browser | None = None) -> list[str]:
    page = (browser or Browser()).open(f"/players/?{query}")
    assert page.status == 200
    return re.findall(r'<a href="/players/\d+/">.*?<bdi>([^<]+)</bdi>', page.markup, re.DOTALL)


def test_people_are_listed_by_name_club_and_letter(
    cast: Cast, as_user: Callable[[str], Client], django_assert_num_queries: Any
) -> None:
    cast.club.players.create(name="Émile")
    cast.club.players.create(name="Hidden", hidden=True)
    ana, bo = Player.objects.get(name="Ana"), cast.club.players.create(name="Ana Roe")
    assert listed() == ["Ana", "Ana Roe", "Bo", "Cleo", "Dan", "Émile"]
    assert listed(f"club={cast.club.pk}") == ["Ana Roe", "Émile"]
    assert listed("letter=e") == listed("q=emlie") == ["Émile"]
    assert "Hidden" in listed("", Browser(as_user("director")))
    Player.objects.filter(pk__in=[ana.pk, bo.pk]).update(person=ana)
    assert listed("letter=a") == listed("letter=A") == ["Ana"]
    for query, said in (
        ("letter=q", "Nobody’s name begins with this letter."),
        ("club=none", "This club does not exist."),
        ("page=99", "The list ends before this page."),
        ("page=99999", "There is no such page. Choose another one."),
    ):
        assert said in Browser().open(f"/players/?{query}").words
    assert "The list ends before this page." in Browser().open(f"/players/{ana.pk}/matches/?page=99").words
    with django_assert_num_queries(6):
        listed()
    Club.objects.filter(pk=cast.club.pk).update(public=False)
    assert listed() == ["Ana", "Bo", "Cleo", "Dan"]
