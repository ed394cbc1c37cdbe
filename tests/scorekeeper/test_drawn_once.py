"""A drawing that is kept for many pages looks the same as a new one."""

import re

import pytest

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.pages.table import pad
from scorekeeper.services import matches
from scorekeeper.templatetags import entries, live
from tests.conftest import NOW, Cast, enter, names_for, plan_for

KEY = re.compile(r"[0-9a-f]{32}")

# What is known of a match is kept when it is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("game", GAMES)
def test_the_pads_of_a_match(game: str, cast: Cast) -> None:
    players = names_for(game)
    match = matches.open_match(table=cast.table, game=game, options={}, players=players, by=Actor(), now=NOW)
    for entry in plan_for(game)[:30]:
        match = enter(match, [entry], prefix=f"k{match.length}-")
        drawn, kept = pad("table", cast.table.pk), dict(entries.kept)
        live._drawn.cache_clear()
        entries.kept.clear()
        assert KEY.sub("key", pad("table", cast.table.pk)) == KEY.sub("key", drawn)
        entries.kept.update(kept)
        assert f'name="seen" value="{match.length}"' in drawn
