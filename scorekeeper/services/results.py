"""The result rows of a match's seats, which follow from its sheet."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

import games
from scorekeeper.models import Match, Seat, SeatResult, Substitute
from scorekeeper.selectors.standings import result_rows
from scorekeeper.services import ratings


def keep(match: Match, state: games.Match, *, now: datetime) -> None:
    """Updates the result rows to the match's sheet and position; a match in play and one that is removed have none. A
    job does the same with the ratings."""
    match.results.all().delete()
    SeatResult.objects.bulk_create(result_rows(match, state))
    ratings.due(match, now=now)


def count_as(people: Collection[int], player: int) -> None:
    """Gives the player the results of all seats in which these people sat. One query."""
    seats, substitutes = Seat.objects.filter(player__in=people), Substitute.objects.filter(player__in=people)
    at = {"match": OuterRef("match"), "number": OuterRef("seat")}
    # The first sittings of a match have the numbers of their seats, those of substitutes higher ones.
    began = Q(match__in=seats.values("match"), number=F("seat")) & Q(Exists(seats.filter(**at)))
    took_over = Q(match__in=substitutes.values("match")) & ~Q(number=F("seat"))
    took_over &= Q(Exists(substitutes.filter(**at, from_hand=OuterRef("from_hand"))))
    SeatResult.objects.filter(began | took_over).update(player=player)
