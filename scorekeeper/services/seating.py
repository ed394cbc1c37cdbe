"""Seats and substitutes of a match, as rows that follow from its log."""

from datetime import datetime

from django.db.models import F

import games
from scorekeeper.models import Match, Player, Substitute
from scorekeeper.selectors.clubs import players_named
from scorekeeper.services import clubs


def keep(match: Match, state: games.Match, now: datetime) -> None:
    """Updates the match's seats and substitutes to those of its position."""
    _keep_seats(match, state)
    _keep_substitutes(match, state, now)


def _keep_seats(match: Match, state: games.Match) -> None:
    rows = {row.name: row for row in match.seats.all()}
    moved = {rows[name].pk: number for number, name in enumerate(state.players) if rows[name].number != number}
    # First move them all out of the way: seat numbers stay unique.
    match.seats.filter(pk__in=moved).update(number=F("number") + len(rows))
    for pk, number in moved.items():
        match.seats.filter(pk=pk).update(number=number)


def _keep_substitutes(match: Match, state: games.Match, now: datetime) -> None:
    """The players by name. On a night, an unknown name becomes a new guest. Players who already sit in the match stay
    the same, even in another seat, because they may have a new name by now."""
    said = {(each.seat, each.hand, each.player) for each in state.substitutes}
    there = {(row.number, row.from_hand, row.name): row for row in match.substitutes.select_related("player")}
    gone = {key[1:]: row for key, row in there.items() if key not in said}
    match.substitutes.filter(pk__in=[row.pk for row in gone.values()]).delete()
    for number, hand, name in sorted(said - there.keys()):
        before = gone.get((hand, name))
        player = before.player if before else _player(match, name, now)
        Substitute.objects.create(match=match, number=number, from_hand=hand, name=name, player=player)


def _player(match: Match, name: str, now: datetime) -> Player | None:
    found = players_named(match.club_id, [name]).get(name)
    if found is None and match.event_id is not None:
        return clubs.player_add(club=match.club, name=name, guest=True, now=now)
    return found
