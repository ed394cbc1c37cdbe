"""Nights, tournaments, leagues and ladders."""

from collections.abc import Collection

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from scorekeeper import place
from scorekeeper.access.actors import Actor
from scorekeeper.access.gate import Need, let_in, newest_change, row_numbered
from scorekeeper.access.people import claimed_in
from scorekeeper.access.refusals import refusal
from scorekeeper.access.roles import clubs_for, clubs_hosted, has_role
from scorekeeper.models import Event, Role


def events_for(actor: Actor) -> QuerySet[Event]:
    """The nights, tournaments, leagues and ladders that `actor` may see in lists: none that are removed, and those that
    are not public only as a host."""
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
    return _of_kind(Event.Kind.TOURNAMENT, actor, event_id, need, _("This tournament does not exist."))


def league_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The season of a league, as `tournament_for`."""
    return _of_kind(Event.Kind.LEAGUE, actor, event_id, need, _("This league does not exist."))


def ladder_for(actor: Actor, event_id: int, *, need: Need = "see") -> Event:
    """The ladder, as `tournament_for`."""
    return _of_kind(Event.Kind.LADDER, actor, event_id, need, _("This ladder does not exist."))


def plays(actor: Actor, event: Event, players: Collection[int]) -> bool:
    """Whether the actor hosts the event, or is signed in as one of these players of its club. Two queries at most, and
    one for each merge."""
    if has_role(actor, event.club_id, Role.DIRECTOR):
        return True
    return playing_as(actor, event) in players


def playing_as(actor: Actor, event: Event) -> int | None:
    """The id of the player of its club as whom the actor is signed in. A program plays for nobody."""
    own = None if actor.program else claimed_in(actor, event.club_id)
    return None if own is None else own.pk


def must_play(actor: Actor, event: Event, players: Collection[int]) -> None:
    """Refusal unless the actor `plays`."""
    if not plays(actor, event, players):
        raise refusal(actor.refused or "not-allowed")
    place.trust(event.club)


def _of_kind(kind: Event.Kind, actor: Actor, event_id: int, need: Need, missing: str) -> Event:
    # Read at the same moment as the event, also the names in its club.
    of_event, of_club = newest_change(kind, "pk"), newest_change("club", "club")
    events = Event.objects.filter(kind=kind).select_related("club")
    event = events.annotate(of_event=of_event, of_club=of_club).filter(pk=event_id).first()
    if event is None:
        raise Http404(missing)
    event.newest_change = max(event.of_event or 0, event.of_club or 0)
    if not event.public and not has_role(actor, event.club_id, Role.DIRECTOR):
        raise Http404(missing)
    let_in(actor, event.club, None, need, event=event.pk)
    return event
