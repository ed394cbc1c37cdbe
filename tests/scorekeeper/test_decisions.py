"""What a host typed or corrected: no phone of the table takes it back, and the desk brings back exactly what was."""

from collections.abc import Callable
from dataclasses import replace as other
from typing import Any

import pytest
from django.test import Client

from scorekeeper.access import Actor, Refusal
from scorekeeper.models import Event, Match
from scorekeeper.selectors.audit import Asked, traces
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import position
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import corrections, directing, events, recording
from scorekeeper.services.events import Step
from tests.browsing import Browser
from tests.conftest import NOW, Cast, Phone, enter
from tests.nights import at, night_of
from tests.nights import played as night_played
from tests.tournaments import played, released, scheduled, setup_of

Host = Callable[[str], Client]
UNDO = {"kind": "undo"}
ONE_HAND = {"kind": "hand", "opener": 0, "final": {"table": [0, 0], "left": [[], 30], "out": 0}}


def by_director(cast: Cast, event: Event, key: str) -> Step:
    return other(at(event, key), by=Actor(cast.users["director"]))


def of_four(cast: Cast, **options: Any) -> tuple[Event, Match]:
    """A round robin of four with its first round on, and the match at table 1."""
    event = scheduled(cast, setup_of("block", "heads", options=options or {"points_to_win": 50}), 4)
    released(event)
    return event, event.matches.get(table__number=1)


def typed(cast: Cast, event: Event, totals: list[int], key: str = "typed", why: str = "") -> None:
    where: Any = {"event_id": event.pk, "round_number": 1, "table": 1, "totals": totals}
    step = by_director(cast, event, key)
    if why:
        directing.replace_result(**where, why=why, early=True, step=step)
    else:
        directing.type_result(**where, step=step)


def now_of(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def phone_at(cast: Cast, match: Match) -> Phone:
    assert match.table
    return cast.phone(table=match.table)


def entered_by(phone: Phone, match: Match, key: str = "phone", **entry: Any) -> Any:
    body = {"seen": now_of(match).length, "key": key, **entry}
    return phone.post(f"/api/v1/matches/{match.pk}/entries/", body)


def places(event: Event) -> list[tuple[str, int]]:
    return [(row.name, row.place) for row in standings_now(event_now(Event.objects.get(pk=event.pk))).stages[0].rows]


# --- phones ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("in_place_of_hands", [False, True])
def test_no_phone_takes_back_what_the_director_typed(cast: Cast, in_place_of_hands: bool) -> None:
    event, match = of_four(cast)
    if in_place_of_hands:
        enter(match, [ONE_HAND])
        typed(cast, event, [40, 60], why="The phone lost a hand")
    else:
        typed(cast, event, [60, 10])
    before, phone = now_of(match), phone_at(cast, match)
    answer = entered_by(phone, match, **UNDO)
    assert (answer.status_code, answer.json()["code"]) == (403, "host-decided")
    assert "Call the host" in answer.json()["message"]
    back = entered_by(phone, match, kind="undo", to={"hand": 0, "move": None})
    assert back.status_code in (403, 422)
    preview = phone.post(f"/api/v1/matches/{match.pk}/entries/?preview=1", {"seen": before.length, **UNDO})
    assert preview.status_code == 403
    assert phone.get(f"/api/v1/matches/{match.pk}/").json()["offers"]["undo"] is False
    assert now_of(match).length == before.length
