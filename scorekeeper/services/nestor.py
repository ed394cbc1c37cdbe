"""Nestor in a seat of a club: he comes to a night, and a phone keeps what somebody says of his tiles."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from scorekeeper.models import Club, Match, Player
from scorekeeper.practice.standing_in import StandIn
from scorekeeper.selectors.clubs import players_named
from scorekeeper.selectors.nestor import KEY, key_of
from scorekeeper.services import events
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.events import Step

NAMES = ("Nestor", "Nestor (computer)")
"""The second one where a person has the first."""
KEPT = 4
"""Seats whose tiles a phone keeps."""


@in_one_transaction
def come(*, club: Club, event_id: int, step: Step) -> None:
    """Notes that Nestor is here, so that the next draw gives him a seat. Nothing if he is here."""
    events.tick(event_id=event_id, came=[_player(club, step).pk], left=[], guests=[], step=step)


def _player(club: Club, step: Step) -> Player:
    """Nestor, as a guest of the club."""
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club.pk)  # two hosts find the same one
    found = Player.objects.filter(club=club, program=True).first()
    if found is None:
        taken = players_named(club.pk, NAMES)
        name = next(name for name in NAMES if name not in taken)
        found = Player.objects.create(club=club, name=name, guest=True, program=True)
        announce(kind="players", club_id=club.pk, now=step.now)
    return found


def keep(session: SessionBase, match: Match, stand_in: StandIn) -> None:
    """Keeps Nestor's tiles, or forgets them if there are none."""
    _keep(session, match, stand_in.seat, {"tiles": stand_in.tiles and stand_in.tiles.as_json()})


def advise(session: SessionBase, match: Match, stand_in: StandIn, move: dict[str, Any]) -> None:
    """Keeps what Nestor named at this length of the log."""
    tiles = stand_in.tiles and stand_in.tiles.as_json()
    _keep(session, match, stand_in.seat, {"tiles": tiles, "length": match.length, "move": move})


def _keep(session: SessionBase, match: Match, seat: int, value: dict[str, Any]) -> None:
    key = key_of(match.pk, seat)
    others = {name: other for name, other in session.get(KEY, {}).items() if name != key}
    session[KEY] = {**dict([*others.items()][1 - KEPT :]), key: value}
