"""What somebody is in the clubs."""

from django.db.models import Exists, Q, QuerySet

from scorekeeper.access.actors import Actor
from scorekeeper.access.refusals import refusal
from scorekeeper.models import Club, Membership, Role


def has_role(actor: Actor, club_id: int, need: Role) -> bool:
    """Whether the actor's membership of the club covers `need`. One query, none without a user."""
    role = role_in(actor, club_id)
    return role is not None and role.covers(need)


def role_in(actor: Actor, club_id: int) -> Role | None:
    """The actor's role in the club; None without a membership. One query, none without a user."""
    if actor.user is None:
        return None
    found = memberships(actor).filter(club_id=club_id).values_list("role", flat=True).first()
    role = Role(found) if found else None
    return Role.DIRECTOR if actor.program and role and role.covers(Role.DIRECTOR) else role


def memberships(actor: Actor) -> QuerySet[Membership]:
    """The memberships of the user; for a program, only that in its club."""
    own = Membership.objects.filter(user=actor.user)
    return own.filter(club=actor.program.club_id) if actor.program else own


def clubs_for(actor: Actor) -> QuerySet[Club]:
    """The clubs that `actor` may see: those that are public, and their own."""
    return Club.objects.filter(Q(public=True) | Q(pk__in=clubs_joined(actor).values("pk")))


def clubs_listed(actor: Actor) -> QuerySet[Club]:
    """Those of them whose people and events are listed, ranked and found together: not the demonstration, as soon as
    there is another club."""
    return clubs_for(actor).filter(~Q(slug=Club.DEMO) | ~Exists(Club.objects.exclude(slug=Club.DEMO)))


def clubs_joined(actor: Actor) -> QuerySet[Club]:
    """The clubs in which `actor` has a role. No query without a user."""
    if actor.user is None:
        return Club.objects.none()
    return Club.objects.filter(pk__in=memberships(actor).values("club"))


def clubs_hosted(actor: Actor) -> QuerySet[Club]:
    """The clubs where `actor` is a host."""
    roles = [role for role in Role if role.covers(Role.DIRECTOR)]
    return Club.objects.filter(pk__in=memberships(actor).filter(role__in=roles).values("club"))


def keeps_data(actor: Actor) -> bool:
    """Whether the actor may have all data of the server: they own every club that has an owner. No program may. At most
    two queries."""
    if actor.user is None or actor.program:
        return False
    owners = Membership.objects.filter(role=Role.OWNER)
    mine = owners.filter(user=actor.user).values("club")
    return mine.exists() and not owners.exclude(club__in=mine).exists()


def must_keep_data(actor: Actor) -> None:
    """Refusal for everybody who may not have all data of the server."""
    if not keeps_data(actor):
        raise refusal("not-keeper")


def may_make_demo() -> bool:
    """Whether anybody may create the demonstration club, which nobody owns: only while there is no other club."""
    return not Club.objects.exists()


def may_try_out(actor: Actor, club: Club) -> bool:
    """Whether the actor may do in this club what members may and nobody needs to undo: in the demonstration, which has
    no members, as somebody who is signed in, or as anybody while there is no other club. One query at most."""
    return club.slug == Club.DEMO and (actor.user is not None or not Club.objects.exclude(slug=Club.DEMO).exists())


def may_start_club(actor: Actor) -> bool:
    """Whether the actor may start another club without a link: they own one already. No program may. One query at most,
    none without a user."""
    if actor.user is None or actor.program:
        return False
    return memberships(actor).filter(role=Role.OWNER).exists()


def must_start_clubs(actor: Actor) -> None:
    """Refusal for everybody who may not start another club without a link."""
    if not may_start_club(actor):
        raise refusal("not-owner")
