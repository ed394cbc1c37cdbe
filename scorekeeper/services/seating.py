"""Who sits at a match: the seats of a new one, and the rows of seats and substitutes that follow from its log."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.errors import Malformed, marked
from scorekeeper.models import Club, Event, Match, Player, Seat, Substitute, Table
from scorekeeper.names import folded
from scorekeeper.selectors.events import playing_in, seated, where_playing
from scorekeeper.services import people, storable
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Typist
from scorekeeper.words import some_of


def keep(match: Match, state: games.Match, now: datetime) -> None:
    """Updates the match's seats and substitutes to those of its position."""
    _keep_seats(match, state, now)
    _keep_substitutes(match, state, now)


def _keep_seats(match: Match, state: games.Match, now: datetime) -> None:
    """Whoever is recorded in place of somebody else gets their row, which still knows who was there first."""
    rows = list(match.seats.all())
    free = [row for row in rows if row.name not in state.players]
    came = [name for name in state.players if name not in {row.name for row in rows}]
    for name in sorted(came, key=lambda name: name not in {row.first_name for row in free}):
        row = next((each for each in free if each.first_name == name), free[0])
        free.remove(row)
        _give(row, name, match, now)
    moved = [row for row in rows if row.number != state.players.index(row.name)]
    # First move all of them out of the way, so that seat numbers stay unique.
    match.seats.filter(pk__in=[row.pk for row in moved]).update(number=F("number") + len(rows))
    for row in moved:
        match.seats.filter(pk=row.pk).update(number=state.players.index(row.name))


def _give(row: Seat, name: str, match: Match, now: datetime) -> None:
    """Writes this name into the row of a seat, and its player."""
    if name == row.first_name:
        row.name, row.player_id, row.first_name, row.first_player_id = name, row.first_player_id, "", None
    else:
        if not row.first_name:
            row.first_name, row.first_player_id = row.name, row.player_id
        row.name = name
        [row.player] = people.named(match.club, [name], typist=None, now=now)
    row.save()


def _keep_substitutes(match: Match, state: games.Match, now: datetime) -> None:
    """Finds substitutes by name; an unknown name becomes a new guest. People who already were substitutes in the match
    stay the same players, even in another seat, because they may have a new name in the club by now."""
    wanted = {(each.seat, each.hand, each.player) for each in state.substitutes}
    there = {(row.number, row.from_hand, row.name): row for row in match.substitutes.select_related("player")}
    gone = {key[1:]: row for key, row in there.items() if key not in wanted}
    match.substitutes.filter(pk__in=[row.pk for row in gone.values()]).delete()
    for number, hand, name in sorted(wanted - there.keys()):
        before = gone.get((hand, name))
        [player] = [before.player] if before else people.named(match.club, [name], typist=None, now=now)
        Substitute.objects.create(match=match, number=number, from_hand=hand, name=name, player=player)


def seats_of(
    club: Club, given: Sequence[str | int], *, typist: Typist | None, now: datetime
) -> list[tuple[str, Player]]:
    """The name of each seat and its player: a name, which means a person as in `people.named`, or a player's number.

    Malformed if it is not a list, has an id of another club, or names somebody twice. Unsure as `people.named`.
    """
    if not isinstance(given, list | tuple):
        raise Malformed(marked("Expected a list of players: a name or a player's number for each seat."))
    storable.value(given)
    ids = [each for each in given if _is_id(each)]
    names = [storable.name(each) for each in given if not _is_id(each)]
    by_id = {player.pk: player for player in club.players.filter(pk__in=ids, merged_into=None)}
    for number in ids:
        if number not in by_id:
            raise Malformed(marked("There is no player {number} in this club."), number=number)
    if len({folded(name) for name in names}) < len(names):
        raise _sits_twice()
    typed = iter(people.named(club, names, typist=typist, now=now, apart=True))
    players = [by_id[each] if isinstance(each, int) else next(typed) for each in given]
    if len(set(players)) < len(players):
        raise _sits_twice()
    return [(player.name, player) for player in players]


def names_of(club: Club, given: Sequence[str], *, typist: Typist | None) -> list[str]:
    """Typed names as the club spells them; nobody is added. Malformed if they are no names, or name somebody twice.
    Unsure as `people.named`."""
    if not isinstance(given, list | tuple):
        raise Malformed(marked("Expected a list of players: a name or a player's number for each seat."))
    names = [storable.name(each) for each in given]
    there = people.meant(club, names, typist=typist, apart=True)
    if len({there[name].pk or folded(name) for name in names}) < len(names):
        raise _sits_twice()
    return [there[name].name for name in names]


def _is_id(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _sits_twice() -> Malformed:
    return Malformed(marked("A player can sit in one seat only."))


def must_not_be_of_a_round(match: Match) -> None:
    """Refused "entrants-sit" in a round of a tournament: its entrants have their places."""
    if match.event and match.event.kind == Event.Kind.TOURNAMENT and match.round:
        text = _(
            "In a tournament, entrants have their places. On the director's desk, swap two of them. If somebody sits in"
            " for a player, replace the player on the page of the table."
        )
        raise Refused("entrants-sit", text)


def must_not_play_elsewhere(
    event: Event, table: Table | None, players: Iterable[Player], *, but: Collection[int] = frozenset()
) -> None:
    """Refused "playing-elsewhere" if some of the players, who are to play in the event, sit in matches of the club at
    other tables than this one, except in those with the ids `but`. Until the end of the transaction, nobody else in the
    club is seated: two events may want the same player at the same moment."""
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=event.club_id)
    playing = playing_in(event.club).exclude(table=table).exclude(pk__in=but).defer("offers")
    where = {player: match for match in playing for player in seated(match)}
    busy = [where_playing(each.name, where[each.pk], event) for each in players if each.pk in where]
    if busy:
        text = ngettext(
            "Still playing: {who}. End that match first, or choose somebody else.",
            "Still playing: {who}. End these matches first, or choose others.",
            len(busy),
        )
        raise Refused("playing-elsewhere", text.format(who=some_of(busy)))
