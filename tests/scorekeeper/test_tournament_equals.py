"""Entrants are equal in everything before the director's decision: the director decides, and everybody sees that."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.models import Event
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.services import events, tournaments
from scorekeeper.services.errors import Behind, Refused
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_tournament_corrections import typed
from tests.tournaments import commanded, file_of, released, scheduled, setup_of

Host = Callable[[str], Client]


def equal(cast: Cast) -> Event:
    """A round robin of four after one round. Two have won, two have lost, and nothing else counts yet."""
    event = scheduled(cast, setup_of("block", "heads", order=["points", "manual"]), 4)
    released(event)
    for table in (1, 2):
        typed(event, 1, table, [60, 10])
    return event


def places(event: Event) -> dict[int, int]:
    """By start number, as the command calculates them from the downloaded file."""
    file = Client().get(f"/tournaments/{event.pk}/file.json").content
    return {row["entrant"]: row["place"] for row in commanded(file)["stages"][0]["rows"]}


def test_the_director_decides_between_equals(cast: Cast, as_user: Host) -> None:
    event = equal(cast)

    winners, losers = ([each for each, place in places(event).items() if place == first] for first in (1, 3))
    assert len(winners) == len(losers) == 2
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").follow("Equal entrants")
    assert "Places 1 to 2" in host.words
    assert "Places 3 to 4" in host.words
    host.press("Save the places", **{f"place-{winners[1]}": "1", f"place-{winners[0]}": "1"})
    assert host.status == 422
    assert "Two entrants have the same place" in host.words
    host.press("Save the places", **{f"place-{winners[1]}": "1", f"place-{winners[0]}": "2"})
    assert host.path == f"/tournaments/{event.pk}/standings/"
    assert host.words.count("decided by the director") == 1
    assert places(event) == {winners[1]: 1, winners[0]: 2, losers[0]: 3, losers[1]: 3}
    host.open(f"/tournaments/{event.pk}/equals/").press("Save the places", **{f"place-{losers[1]}": "3"})
    assert places(event) == {winners[1]: 1, winners[0]: 2, losers[1]: 3, losers[0]: 4}
    assert Browser().open(f"/tournaments/{event.pk}/").words.count("decided by the director") == 2
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo: order of equal entrants")
    assert places(event)[losers[1]] == places(event)[losers[0]] == 3
    said = [trace.said for trace in traces(cast.club, Asked(log="nights"), None, 5) if trace.kind == "manual"]
    assert [len(each["entrants"]) for each in said] == [3, 2]
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    host.open(f"/tournaments/{event.pk}/equals/").press("Save the places", **{f"place-{losers[0]}": "3"})
    assert places(event)[losers[0]] == 3, "a correction after the end can make others equal"


def test_a_decision_needs_a_place_and_can_be_emptied(cast: Cast, as_user: Host) -> None:
    event = equal(cast)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/equals/").press("Save the places")
    assert host.status == 422
    assert "No place is typed, so nothing is decided." in host.words
    host.press("Save the places", **{"place-1": "1" if places(event)[1] == 1 else "3"})
    assert file_of(event)["stages"][0]["manual"] == [1]
    host.open(f"/tournaments/{event.pk}/equals/").press("Save the places", **{"place-1": ""})
    assert host.path.endswith("/standings/")
    assert file_of(event)["stages"][0]["manual"] == []


def test_the_page_says_whose_entrants_are_equal_and_leads_back_once(cast: Cast, as_user: Host) -> None:
    event = equal(cast)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/equals/")
    assert "Equal entrants Cup" in host.words
    assert host.words.count("Director's desk") == 1
    assert host.follow("Cup").path == f"/tournaments/{event.pk}/"


def test_a_decision_between_others_than_are_equal_now_is_not_saved(cast: Cast) -> None:
    event = equal(cast)
    numbers = list(range(1, 5))
    released(event)
    with pytest.raises(Behind):
        tournaments.decide(event_id=event.pk, places=dict.fromkeys(numbers[:2], 1) | {1: 2}, step=at(event, "some"))
    step = at(event, "late")
    typed(event, 2, 1, [70, 20])
    with pytest.raises(Behind):
        tournaments.decide(event_id=event.pk, places=dict(zip(numbers, numbers, strict=True)), step=step)
    assert file_of(event)["stages"][0]["manual"] == []


def test_without_the_criterion_there_is_no_decision(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", order=["points"]), 4)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert "Equal entrants" not in host.words
    assert "the director decides no places" in host.open(f"/tournaments/{event.pk}/equals/").words
    with pytest.raises(Refused, match="Under Setup"):
        tournaments.decide(event_id=event.pk, places={}, step=at(event, "decide"))
