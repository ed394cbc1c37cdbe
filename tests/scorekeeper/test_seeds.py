"""Seeds that a director orders by hand, before the first round."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.models import Event
from scorekeeper.services import clubs, seeds, tournaments
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_knock_out import TREE, drawn
from tests.scorekeeper.test_swiss import state
from tests.tournaments import entered, file_of, made

Host = Callable[[str], Client]


def order(event: Event, *entrants: int, key: str = "order") -> None:
    given = {entrant: seed for seed, entrant in enumerate(entrants, 1)}
    seeds.order(event_id=event.pk, seeds=given, step=at(event, key))


def test_a_director_orders_them_and_who_comes_later_is_last(cast: Cast) -> None:
    event = entered(cast, TREE, 4)
    made(event)
    assert state(event).plan
    order(event, 3, 1, 4, 2)
    assert state(event).seeds == (3, 1, 4, 2)
    assert not state(event).plan, "the round was drawn from other seeds"
    late = clubs.player_add(club=cast.club, name="Late", now=NOW).pk
    tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late"))
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    assert state(event).seeds == (3, 4, 2, 5)
    drawn(event)
    assert file_of(event)["stages"][0]["entrants"] == [3, 4, 2, 5]
    with pytest.raises(Refused, match="can no longer change"):
        order(event, 2, 3, 4, 5, key="too late")


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({1: 1, 2: 1, 3: 2}, "same-seed", "Seed 1 is there twice: .* and "),
        ({1: 1, 2: 2, 3: None}, "no-seed", "No seed: "),
        ({1: 1, 2: 2}, "no-seed", "No seed: "),
        ({1: 1, 2: 2, 3: 99}, "no-such-seed", "Seed 99 is too high: number the entrants from 1 to 3"),
        ({1: 1, 2: 2, 3: 3, 9: 4}, "not-seeds", "needs one seed"),
    ],
)
def test_a_seed_twice_or_missing_is_refused(cast: Cast, given: dict[int, int | None], code: str, words: str) -> None:
    event = entered(cast, TREE, 3)
    with pytest.raises(Refused, match=words) as refused:
        seeds.order(event_id=event.pk, seeds=given, step=at(event, "bad"))
    assert refused.value.code == code
    assert state(event).seeds == (1, 2, 3)


def test_the_page_orders_them_and_forgets_it(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE, 3)
    desk = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    page = desk.follow("Order the seeds").press("Save the seeds", **{"place-1": "2", "place-2": "2"})
    assert page.status == 422
    assert "Seed 2 is there twice" in page.words
    saved = page.press("Save the seeds", **{"place-1": "3", "place-2": "2", "place-3": "1"})
    assert saved.path == f"/tournaments/{event.pk}/desk/", "where the link to them is"
    assert state(event).seeds == (3, 2, 1)
    desk.open(f"/tournaments/{event.pk}/seeds/").press("Seed them as the setup says")
    assert state(event).seeds == (1, 2, 3)
    assert "Seeds" in desk.open(f"/tournaments/{event.pk}/seeds/").words


def test_only_a_knock_out_has_seeds(cast: Cast) -> None:
    event = entered(cast, TREE | {"system": "swiss", "order": ["points"]}, 3)
    with pytest.raises(Refused):
        order(event, 1, 2, 3)
