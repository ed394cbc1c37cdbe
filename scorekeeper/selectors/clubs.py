"""Reading clubs and their people."""

from django.db.models import Count, Q, QuerySet

from scorekeeper.models import Club, Match, Player


def clubs() -> QuerySet[Club]:
    """All clubs by name, each with `matches_playing`: how many go on there now. One query."""
    return Club.objects.annotate(
        matches_playing=Count("matches", filter=Q(matches__status=Match.Status.PLAYING))
    ).order_by("name", "pk")


def players_of(club: Club) -> QuerySet[Player]:
    """The club's players by name. One query."""
    return club.players.order_by("name")
