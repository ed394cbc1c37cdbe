"""Who took over a seat in mid-match: rows kept in step with what the match's log says."""

from datetime import datetime

import games
from scorekeeper.models import Match, Player, Substitute
from scorekeeper.selectors.clubs import players_named
from scorekeeper.services import clubs


def keep(match: Match, state: games.Match, now: datetime) -> None:
    """Makes the match's substitutes those of its position.

    A name that a player of the club has is that player; in a night a name that nobody has is a new guest. Rows that
    still hold are left alone: their player may have another name by now.
    """
    said = {(each.seat, each.hand, each.player) for each in state.substitutes}
    there = {(row.number, row.from_hand, row.name): row for row in match.substitutes.all()}
    match.substitutes.filter(pk__in=[row.pk for key, row in there.items() if key not in said]).delete()
    for number, hand, name in sorted(said - there.keys()):
        player = _player(match, name, now)
        Substitute.objects.create(match=match, number=number, from_hand=hand, name=name, player=player)


def _player(match: Match, name: str, now: datetime) -> Player | None:
    found = players_named(match.club_id, [name]).get(name)
    if found is None and match.night_id is not None:
        return clubs.player_add(club=match.club, name=name, guest=True, now=now)
    return found
