"""Topics: who is told of what."""

from scorekeeper.access import Actor
from scorekeeper.live import Topic
from scorekeeper.models import Event
from scorekeeper.services import nights
from tests.conftest import NOW, Cast, enter, plan_for


def test_a_night_is_a_topic(cast: Cast) -> None:
    night = nights.start(club=cast.club, players=[], guests=["Ana", "Bo"], by=Actor(), key="k", now=NOW)
    topic = Topic.parse(f"night:{night.pk}")
    assert topic.exists()
    assert not Topic("night", night.pk + 1).exists()
    assert topic in Topic.of(Event.objects.latest("pk"))
    assert topic.newest() == Event.objects.latest("pk").pk
    assert topic.state() == {"topic": str(topic), "kind": "night"}
    match = cast.open("block")
    assert match.night == night
    assert topic.state()["match"] == match.pk


def test_lists_are_told_of_points_and_hands_and_not_of_every_tile(cast: Cast, game: str) -> None:
    """Exactly when the sheet shows something else than whose turn it is and what is held."""
    match = cast.open(game)
    club, table = Topic("club", cast.club.pk), Topic("table", cast.table.pk)
    for number, entry in enumerate([*plan_for(game, hands=2), {"kind": "undo"}]):
        before = match.sheet
        match = enter(match, [entry], prefix=f"{number}-")
        event = Event.objects.latest("pk")
        shown = {name for name in match.sheet if match.sheet[name] != before.get(name)}
        assert (club in Topic.of(event)) == bool(shown - {"turn", "held"})
        assert table in Topic.of(event)
        assert (club.newest() == event.pk) == (club in Topic.of(event))
        assert table.newest() == event.pk
