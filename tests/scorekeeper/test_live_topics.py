"""Topics: which followers learn of which change."""

from django.test import Client

from scorekeeper.live import Topic, topics
from scorekeeper.models import Change, Event
from scorekeeper.services import events
from scorekeeper.views.live import SEEN
from tests.conftest import Cast, enter, last_change, plan_for
from tests.nights import first


def test_a_night_is_a_topic(cast: Cast) -> None:
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo"], step=first("k"))
    topic = Topic.parse(f"night:{night.pk}")
    assert str(topic) in last_change()[1]
    assert topic.newest() == Change.objects.filter(topic=str(topic)).latest("pk").pk
    assert topic.state() == {"topic": str(topic), "kind": "night"}
    match = cast.open("block")
    assert match.event == night
    assert topic.state()["match"] == match.pk


def test_access_knows_who_may_follow_each_kind_of_topic() -> None:
    assert SEEN.keys() == topics.KINDS.keys()


def test_an_event_is_a_topic_of_its_own_kind_only(cast: Cast) -> None:
    night = events.start(club=cast.club, players=[], guests=["Ana", "Bo"], step=first("k"))
    answers = {kind: Client().get(f"/live/?topic={kind}:{night.pk}").status_code for kind in Event.Kind.values}
    assert answers == {"night": 200, "tournament": 404, "league": 404, "ladder": 404}


def test_lists_learn_of_points_and_hands_but_not_of_every_tile(cast: Cast, game: str) -> None:
    """Lists of matches learn of an entry exactly if the sheet shows something new besides the turn and the tiles
    held."""
    match = cast.open(game)
    club, table = Topic("club", cast.club.pk), Topic("table", cast.table.pk)
    for number, entry in enumerate([*plan_for(game, hands=2), {"kind": "undo"}]):
        before = match.sheet
        match = enter(match, [entry], prefix=f"{number}-")
        _kind, topics = last_change()
        shown = {name for name in match.sheet if match.sheet[name] != before.get(name)}
        assert topics >= {str(table), f"match:{match.pk}"}
        assert (str(club) in topics) == bool(shown - {"turn", "held"})
        assert Change.objects.get(pk=table.newest()).length == match.length
