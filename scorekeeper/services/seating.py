"""Who sits where, and who took over a seat in mid-match: rows kept in step with what the match's log says."""

from datetime import datetime

from django.db.models import F

import games
from scorekeeper.models import Match, Player, Substitute
from scorekeeper.selectors.clubs import players_named
from scorekeeper.services import clubs


def keep(match: Match, state: games.Match, now: datetime) -> None:
    """Makes the match's seats and substitutes those of its position."""
    _keep_seats(match, state)
    _keep_substitutes(match, state, now)


def _keep_seats(match: Match, state: games.Match) -> None:
    rows = {row.name: row for row in match.seats.all()}
    moved = {rows[name].pk: number for number, name in enumerate(state.players) if rows[name].number != number}
    # Out of the way first: no two of a match ever have one number.
    match.seats.filter(pk__in=moved).update(number=F("number") + len(rows))
    for pk, number in moved.items():
        match.seats.filter(pk=pk).update(number=number)


def _keep_substitutes(match: Match, state: games.Match, now: datetime) -> None:
    """A name that a player of the club has is that player; in a night a name that nobody has is a new guest. Whoever
    came before stays who he is, also in another seat: he may have another name by now."""
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
    if found is None and match.night_id is not None:
        return clubs.player_add(club=match.club, name=name, guest=True, now=now)
    return found
