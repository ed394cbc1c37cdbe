"""Only the table gets what only the table may know: hands, cards, and tiles drawn or put out of play."""

import json
import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

import games
from scorekeeper import live
from scorekeeper.live import Topic
from scorekeeper.models import Match
from scorekeeper.selectors.matches import position
from scorekeeper.services.recording import rebuild
from tests.conftest import Cast, Phone, enter, names_for


def seen_by_the_table(game: str) -> list[dict[str, Any]]:
    """The entries of a random hand with everything known: the deal, the cards, every tile drawn."""
    record = games.random_match(game, {}, names_for(game), random.Random(3), 1, observed=False)
    return [entry for entry in games.entries(record) if entry["kind"] in ("cards", "hand", "move")]


def seen_by_all(entry: dict[str, Any]) -> dict[str, Any]:
    """The same entry without hands, and without tiles drawn or put out of play."""
    if entry["kind"] == "move":
        return entry | {"move": {key: said for key, said in entry["move"].items() if key not in ("tiles", "drawn")}}
    return {key: said for key, said in entry.items() if key != "deal"}


def told_to_a_stranger(match: Match) -> dict[str, str]:
    """Everything public about the match, except its number of entries and the secrets of each page."""
    paths = {name: reverse(name, args=[match.pk]) for name in ("api-match", "api-record", "match", "match_record")}
    paths |= {name: reverse(name, args=[match.table_id]) for name in ("table", "table_watch")}
    paths |= {"a move": paths["match"] + "?hand=0&move=2", "club": reverse("club", args=[match.club.slug])}
    told = {name: Client().get(path).content.decode() for name, path in paths.items()}
    with override("en"):
        told |= {part: live.renderers[part]("match", match.pk) for part in ["watch"]}
    told["for programs"] = json.dumps(Topic("match", match.pk).state())
    passing = re.compile(r'"length": ?\d+|data-version="[^"]*"|(data-csrf|name="csrfmiddlewaretoken" value)="[^"]*"')
    return {name: passing.sub("", text) for name, text in told.items()}


@pytest.mark.parametrize("part", [3, 10])
def test_strangers_learn_nothing_that_only_the_table_has_seen(cast: Cast, game: str, part: int) -> None:
    known = seen_by_the_table(game)
    known = known[: max(4, len(known) * part // 11)]
    unknown = [seen_by_all(entry) for entry in known if entry["kind"] != "cards"]
    match = enter(cast.open(game), known)
    told, kept = told_to_a_stranger(match), position(match).record()
    own = cast.phone().get(reverse("api-match", args=[match.pk])).json()
    assert own["offers"] == match.offers

    match.log.all().delete()
    rebuild(match_id=match.pk)
    match.refresh_from_db()
    enter(match, unknown)
    assert position(match).record() != kept, "there was something to hide"
    assert told_to_a_stranger(match) == told


def test_cards_stay_hidden_during_the_match(cast: Cast) -> None:
    """The same between hands, and when a hand and its tiles are shown."""
    game = next(slug for slug, game in games.GAMES.items() if game.starts_with_cards)
    record = games.random_match(game, {"hands": 3}, names_for(game), random.Random(3), 1, observed=False)
    match = enter(cast.open(game, hands=3), games.entries(record))
    assert match.offers["next"] == "hand"
    public = Phone().get(reverse("api-record", args=[match.pk])).json()
    assert "cards" not in public
    assert public["hands"] == record["hands"]
    assert games.verify(public)["errors"] == []
