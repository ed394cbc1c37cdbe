"""Nestor fills a seat at a club night: somebody lays for him, nobody else sees his tiles, nothing is rated."""

import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from scorekeeper.access import Actor
from scorekeeper.models import Match, Player
from scorekeeper.selectors.events import state_of
from scorekeeper.selectors.ratings import rated
from scorekeeper.services import clubs, matches, tables
from tests.conftest import NOW, Cast, enter
from tests.nights import night_of
from tests.scorekeeper.test_practice import whole

pytestmark = pytest.mark.django_db(transaction=True)  # Nestor's moves are written by a thread of their own
WHIST = "domino-whist"
HAND = ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0"]


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match with Nestor in the second seat, who leads."""
    names = ["Ana", "Cleo", "Dan"]
    people = [clubs.player_add(club=cast.club, name=name, now=NOW).pk for name in names]
    nestor = Player.objects.create(club=cast.club, name="Nestor", guest=True, program=True).pk
    seats = [people[0], nestor, *people[1:]]
    opened = matches.open_match(table=cast.table, game=WHIST, options={"hands": 1}, players=seats, by=Actor(), now=NOW)
    return enter(opened, [{"kind": "hand", "opener": 1}])


@pytest.fixture
def phone(cast: Cast) -> Client:
    """A phone that scanned the code of the table."""
    return scanned(cast)


def scanned(cast: Cast) -> Client:
    client = Client()
    token = tables.fresh_token(table=cast.table, now=NOW)
    assert client.get(reverse("table_join", args=[token])).status_code == 303
    return client


def page(client: Client, match: Match, **data: Any) -> str:
    address = reverse("match_nestor", args=[match.pk, 1])
    answer = client.post(address, data, headers={"X-Part": "sheet"}) if data else client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_host_lets_nestor_fill_a_seat(cast: Cast) -> None:
    night, host = night_of(cast, 3, rounds=0), cast.browser("owner")
    desk = reverse("night_desk", args=[night.pk])
    assert "Let Nestor fill a seat" in host.get(desk).content.decode()
    for key in ("a", "b"):
        night.refresh_from_db()
        here = [str(player) for player in state_of(night).here]
        sent = {"do": "nestor", "key": key, "seen": str(night.length), "was": here, "here": here}
        assert host.post(reverse("night_entry", args=[night.pk]), sent).status_code == 302
        night.refresh_from_db()
        nestor = Player.objects.get(club=cast.club, program=True)
        assert nestor.pk in state_of(night).here
    assert "Let Nestor fill a seat" not in host.get(desk).content.decode()


def test_a_match_with_nestor_is_not_rated(match: Match) -> None:
    enter(match, [{"kind": "final", "final": {"bad": [10, 20], "out": 0}}], prefix="f")
    assert Match.objects.get(pk=match.pk).finished_at
    assert rated(Match.objects.all()) == []
    Player.objects.update(program=False)
    assert len(rated(Match.objects.all())) == 1


def test_somebody_lays_what_nestor_names(match: Match, phone: Client) -> None:
    assert "Tap the 7 tiles that Nestor was dealt." in page(phone, match)
    shown = page(phone, match, do="tiles", tile=HAND)
    assert "What does Nestor lay?" in shown
    answer = phone.post(reverse("match_nestor_move", args=[match.pk, 1]), headers={"X-Part": "sheet"})
    assert isinstance(answer, StreamingHttpResponse)
    found = async_to_sync(whole)(answer)
    tile = found.partition("Lay ")[2][:3]
    assert tile in HAND
    assert f"Lay {tile}" in page(phone, match), "it is still there after a reload"
    enter(match, [{"kind": "move", "move": {"seat": 1, "type": "play", "tile": tile}}], prefix="m")
    assert "Cleo to play" in page(phone, match)


def test_only_this_phone_shows_his_tiles(cast: Cast, match: Match, phone: Client) -> None:
    page(phone, match, do="tiles", tile=HAND)
    other = scanned(cast)
    assert "Tap the 7 tiles" in page(other, match)
    for client in (other, Client(), cast.browser("owner")):
        for address in (f"/tables/{cast.table.pk}/", f"/matches/{match.pk}/", f"/matches/{match.pk}/record/"):
            assert '"deal"' not in client.get(address).content.decode()
    assert "Lay for Nestor" in other.get(f"/tables/{cast.table.pk}/").content.decode()
    assert "Lay for Nestor" in phone.get(f"/tables/{cast.table.pk}/").content.decode()


def test_nestor_holds_no_phone(cast: Cast, match: Match, phone: Client) -> None:
    asked = phone.get(f"/tables/{cast.table.pk}/").content.decode().partition("Who holds this phone?")[2]
    assert re.findall('name="name" value="([^"]*)"', asked.partition("</form>")[0]) == ["Ana", "Cleo", "Dan"]


def test_wrong_tiles_are_refused_and_can_be_entered_again(match: Match, phone: Client) -> None:
    address = reverse("match_nestor", args=[match.pk, 1])
    refused = phone.post(address, {"do": "tiles", "tile": HAND[:6]})
    assert refused.status_code == 422
    assert "Choose exactly 7 tiles, not 6." in refused.content.decode()
    kept = re.findall('value="(...)" checked', refused.content.decode())
    assert sorted(kept) == sorted(HAND[:6])
    page(phone, match, do="tiles", tile=HAND)
    enter(match, [{"kind": "move", "move": {"seat": 1, "type": "play", "tile": "0-0"}}], prefix="m")
    shown = page(phone, match)
    assert 'role="alert"' in shown
    assert "Nestor does not hold 0-0. Undo that on the pad" in " ".join(shown.split())
    assert "Tap the 7 tiles" in shown
    refused = phone.post(address, {"do": "tiles", "tile": HAND})
    assert "Nestor does not hold 0-0." in refused.content.decode(), "the same tiles are as wrong as before"
    assert len(re.findall('value="(...)" checked', refused.content.decode())) == 7
    enter(match, [{"kind": "undo", "to": {"hand": 0, "move": 0}}], prefix="u")
    assert "What does Nestor lay?" in page(phone, match, do="tiles", tile=HAND), "sent when nothing was wrong any more"
    enter(match, [{"kind": "move", "move": {"seat": 1, "type": "play", "tile": "0-0"}}], prefix="n")
    assert "Cleo to play" in page(phone, match, do="tiles", tile=["0-0", *HAND[1:]])
    assert "Tap the 7 tiles" in page(phone, match, do="again")


def test_it_is_for_the_phones_of_the_table_and_for_nestors_seat(cast: Cast, match: Match, phone: Client) -> None:
    address = reverse("match_nestor", args=[match.pk, 1])
    assert Client().get(address).status_code == 403
    assert cast.browser("player").get(address).status_code == 403
    assert cast.browser("scorer").get(address).status_code == 200
    assert phone.get(reverse("match_nestor", args=[match.pk, 0])).status_code == 404
    assert phone.post(reverse("match_nestor_move", args=[match.pk, 0])).status_code == 404
    assert phone.post(reverse("match_nestor_move", args=[match.pk, 1])).status_code == 422
