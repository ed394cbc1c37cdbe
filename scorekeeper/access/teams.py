"""Captains of teams."""

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from scorekeeper import place
from scorekeeper.access.actors import SESSION_TEAMS, Actor, digest
from scorekeeper.access.gate import let_in, row_numbered
from scorekeeper.access.people import has_claimed
from scorekeeper.access.refusals import refusal
from scorekeeper.access.roles import has_role
from scorekeeper.models import CaptainLink, Event, Player, Role

MOST_TEAMS = 20  # that a session remembers


def league_of_teams(event_id: int) -> Event:
    """The league with its club, for doors that ask about a team next; Http404. Nobody is let in yet."""
    leagues = Event.objects.filter(kind=Event.Kind.LEAGUE).select_related("club")
    return row_numbered(leagues, event_id, _("This league does not exist."))


def stands_in_for(actor: Actor, event_id: int) -> Event:
    """The league with its club, for a host who types the line-up of a team that has submitted none; Refusal for
    everybody else."""
    league = league_of_teams(event_id)
    if not has_role(actor, league.club_id, Role.DIRECTOR):
        raise refusal("not-captain")
    let_in(actor, league.club, None, "host", event=league.pk)
    return league


def captain_link(token: str) -> CaptainLink:
    """The link with this token, with its event; Http404 if it does not exist or was revoked."""
    links = CaptainLink.objects.filter(sha256=digest(token), revoked_at=None).select_related("event")
    link = links.first()
    if link is None:
        raise Http404(_("This link is not valid any more. Ask the host of the league for a new one."))
    return link


def remember_team(request: HttpRequest, link: CaptainLink) -> None:
    """The visitor acts as the captain of the link's team from now on, until the link is revoked."""
    others = [pk for pk in request.session.get(SESSION_TEAMS, []) if pk != link.pk]
    request.session[SESSION_TEAMS] = [*others[-MOST_TEAMS:], link.pk]


def captain_for(actor: Actor, event: Event, entrant: int, captain: int) -> None:
    """Lets in whoever may act for a team: the account that claimed the player `captain`, or who opened the secret link
    of the team. Refusal for everybody else, hosts too: a line-up is a secret."""
    if not is_captain(actor, event, entrant, captain):
        raise refusal("not-captain")
    place.enter(event.club, event.pk)
    place.trust(event.club)


def is_captain(actor: Actor, event: Event, entrant: int, captain: int) -> bool:
    """Whether the actor acts for the team. Two queries at most, and one for each merge; none for the public."""
    links = CaptainLink.objects.filter(pk__in=actor.teams, event=event, entrant=entrant, revoked_at=None)
    if actor.teams and links.exists():
        return True
    if actor.user is None or actor.program:
        return False
    return has_claimed(actor, Player.objects.get(pk=captain))
