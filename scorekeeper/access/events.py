"""Nights and tournaments."""

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from scorekeeper.access.actors import Actor
from scorekeeper.access.gate import Need, let_in, newest_change, row_numbered
from scorekeeper.access.roles import clubs_for, clubs_hosted, has_role
from scorekeeper.models import Event, Role


def events_for(actor: Actor) -> QuerySet[Event]:
    """The nights and tournaments that `actor` may see in lists: none that are removed, and those that are not public
    only as a host."""
    seen = Event.objects.filter(club__in=clubs_for(actor).values("pk"), removed=False)
    return seen.filter(Q(public=True) | Q(club__in=clubs_hosted(actor).values("pk")))


def night_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The night with its club, if `actor` may see it, record at all its tables or host it; else Http404 or Refusal."""
    nights = Event.objects.filter(kind=Event.Kind.NIGHT).select_related("club")
    night = row_numbered(nights, event_id, _("This night does not exist."))
    let_in(actor, night.club, None, need, event=night.pk)
    return night


def event_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The night or tournament with its club, if `actor` may see it, record at all its tables or host it; else Http404
    or Refusal."""
    event = row_numbered(Event.objects.select_related("club"), event_id, _("This night does not exist."))
    let_in(actor, event.club, None, need, event=event.pk)
    return event


def tournament_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The tournament with its club and its newest change, if `actor` may see it or host it; else Http404 or Refusal.
    Only hosts see one that is not public."""
    missing = _("This tournament does not exist.")
    # Read at the same moment as the tournament, also the names in its club.
    of_event, of_club = newest_change(Event.Kind.TOURNAMENT, "pk"), newest_change("club", "club")
    tournaments = Event.objects.filter(kind=Event.Kind.TOURNAMENT).select_related("club")
    tournament = tournaments.annotate(of_event=of_event, of_club=of_club).filter(pk=event_id).first()
    if tournament is None:
        raise Http404(missing)
    tournament.newest_change = max(tournament.of_event or 0, tournament.of_club or 0)
    if not tournament.public and not has_role(actor, tournament.club_id, Role.DIRECTOR):
        raise Http404(missing)
    let_in(actor, tournament.club, None, need, event=tournament.pk)
    return tournament
