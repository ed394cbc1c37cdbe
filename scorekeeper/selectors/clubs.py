"""Reading clubs and their people."""

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from scorekeeper.models import Club, Match, Night, Player, Seat


def clubs() -> QuerySet[Club]:
    """All clubs by name, each with `matches_playing`: how many go on there now. One query."""
    return Club.objects.annotate(
        matches_playing=Count("matches", filter=Q(matches__status=Match.Status.PLAYING))
    ).order_by("name", "pk")


def players_of(club: Club) -> QuerySet[Player]:
    """The club's players by name. One query."""
    return club.players.order_by("name")


def nights_in_numbers(club: Club) -> QuerySet[Night]:
    """The club's nights, the newest first, each with `match_count` and `player_count`: how many played. One query."""
    counted = Count("match", distinct=True), Count("player", distinct=True)
    seats = (
        Seat.objects.filter(match__night=OuterRef("pk")).order_by().annotate(night=F("match__night")).values("night")
    )
    matches, players = (Subquery(seats.annotate(number=number).values("number")) for number in counted)
    return club.nights.annotate(match_count=matches, player_count=players).order_by("-id")
