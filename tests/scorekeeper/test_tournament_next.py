"""“Where do I sit?” shows a player their rounds to come, as far as they are released."""

from collections.abc import Callable

from django.test import Client

from scorekeeper.models import Event
from scorekeeper.pages.tournament_seats import PlaceShown, seats_shown
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.services import jobs, schedules, tournaments
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at
from tests.scorekeeper.test_schedules import asked
from tests.tournaments import entered, released, scheduled, setup_of


def places(event: Event) -> dict[str, PlaceShown]:
    shown = seats_shown(event_now(Event.objects.select_related("club").get(pk=event.pk)))
    return {place.seat.name: place for place in shown.places}


def test_only_released_rounds_are_shown(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 5)
    assert {place.coming for place in places(event).values()} == {()}
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    now = places(event)
    for place in now.values():
        assert [line.round for line in place.coming] == [1, 2, 3, 4, 5]
        assert sum(line.table is None for line in place.coming) == 1, "one bye each"
        met = sorted(name for line in place.coming for name in line.opponents)
        assert met == sorted(set(now) - {place.seat.name})
        for line in place.coming:
            for name in line.opponents:
                (other,) = [each for each in now[name].coming if each.round == line.round]
                assert (other.table, other.opponents) == (line.table, (place.seat.name,))
    released(event)
    assert {line.round for place in places(event).values() for line in place.coming} == {2, 3, 4, 5}


def test_partners_and_opponents_are_named_on_the_phone(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 4)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    ada = places(event)["Ada"]
    phone = Browser().open(f"/tournaments/{event.pk}/seats/?me={ada.seat.player}")
    mine = phone.words[: phone.words.index("Before the first round")]
    assert "Next rounds" in mine
    assert len(ada.coming) == 3
    for line in ada.coming:
        assert len(line.partners) == 1
        against = " and ".join(line.opponents)
        assert f"Round {line.round} with {line.partners[0]} , against {against}" in mine


def test_partners_and_opponents_are_named_on_the_big_screen(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 4)
    released(event)
    ada = places(event)["Ada"].seat
    screen = Browser().open(f"/tournaments/{event.pk}/screen/").words
    assert f"Ada with {ada.partners[0]} , against {' and '.join(ada.opponents)}" in screen


def test_who_would_meet_a_leaver_has_a_bye(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    before = places(event)
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    after = places(event)
    assert after["Ada"].coming == ()
    for line in before["Ada"].coming:
        (now,) = [each for each in after[line.opponents[0]].coming if each.round == line.round]
        assert now.table is None


def test_a_changed_round_says_so(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    old = places(event)["Ada"].coming
    seated = state_of(event).plan[0].tables
    one, other = seated[0][0], seated[1][0]
    step = at(event, "exchange")
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(one, other), step=step)
    assert places(event)["Ada"].coming == old, "the public sees the old rounds until the next release"
    schedules.publish(event_id=event.pk, step=at(event, "publish again"))
    assert [line.changed for line in places(event)["Ada"].coming] == [True, False, False]


def test_who_asked_not_to_play_in_a_round_is_named_in_it(cast: Cast, as_user: Callable[[str], Client]) -> None:
    event = entered(cast, setup_of("block", "heads"), 5)
    wish = {"what": "present", "entrants": [2], "first": 2, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    jobs.run(asked(event).pk, WORK)
    released(event)
    [player] = state_of(event).entrants[2]
    name = event_now(event).name(player)
    director = Browser(as_user("director"))
    for page in (Browser().open(f"/tournaments/{event.pk}/"), director.open(f"/tournaments/{event.pk}/desk/")):
        assert f"Asked not to play: {name}" in page.words, page.path
    place = Browser().open(f"/tournaments/{event.pk}/seats/?player={player}")
    assert "You do not play in this round." in place.words
    released(event)
    assert Browser().open(f"/tournaments/{event.pk}/").words.count("Asked not to play") == 1, "in round 1"
