"""Who acts for a team: the captain, by a secret link or by an account."""

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from scorekeeper.access import digest
from scorekeeper.events.rounds import Impossible
from scorekeeper.models import AuditEntry, CaptainLink, Event, User
from scorekeeper.selectors.leagues import league_in
from scorekeeper.selectors.teams import linked_teams
from scorekeeper.services import events
from scorekeeper.services.audit import note_in
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step


@in_one_transaction
def make_link(*, event_id: int, entrant: int, by: User | None, now: datetime) -> str:
    """The token of a new secret link of a team; an earlier one stops working. Its line-ups that are not open are
    withdrawn: whoever makes the link could read them. Refused "not-entered"."""
    event = _locked(event_id, entrant)
    for fixture in league_in(event).fixtures_of(entrant):
        event.line_ups.filter(fixture=fixture.number, side=fixture.sides.index(entrant)).delete()
    _revoke(event, entrant, now)
    token = secrets.token_urlsafe(32)
    CaptainLink.objects.create(event=event, entrant=entrant, sha256=digest(token), made_at=now, by=by)
    note_in(event=event, kind=AuditEntry.Kind.CAPTAIN_LINK_MADE, by=by, now=now, what=[str(entrant)])
    return token


@in_one_transaction
def make_links(*, event_id: int, by: User | None, now: datetime) -> Mapping[int, str]:
    """The token of a new secret link for each team without one, by its start number. As `make_link`. Refused
    "linked-already" if every team has one."""
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    there = linked_teams(event)
    missing = [entrant for entrant in league_in(event).entrants if entrant not in there]
    if not missing:
        raise Refused("linked-already", _("Every team has a link already. Replace one on the page of its team."))
    return {entrant: make_link(event_id=event_id, entrant=entrant, by=by, now=now) for entrant in missing}


@in_one_transaction
def revoke_link(*, event_id: int, entrant: int, by: User | None, now: datetime) -> None:
    """The secret link of a team stops working, for those who have opened it too. Refused "not-entered", "no-link"."""
    event = _locked(event_id, entrant)
    if not _revoke(event, entrant, now):
        raise Refused("no-link", _("This team has no link that works."))
    note_in(event=event, kind=AuditEntry.Kind.CAPTAIN_LINK_REVOKED, by=by, now=now, what=[str(entrant)])


@in_one_transaction
def appoint(*, event_id: int, entrant: int, player: int, step: Step) -> None:
    """Another player of the squad is its captain. The secret link of the one before stops working, and line-ups that
    are not open are withdrawn. Refused "not-entered", "not-in-squad", "captain-already"."""
    asked = {"kind": "captain", "entrant": entrant, "player": player}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    _must_be_entered(event, entrant)
    if league_in(event).captain_of(entrant) == player:
        raise Refused("captain-already", _("This player is the captain already. Choose another one."))
    events.append(event, asked, step)
    if _revoke(event, entrant, step.now):
        note_in(
            event=event,
            kind=AuditEntry.Kind.CAPTAIN_LINK_REVOKED,
            by=step.by.user,
            now=step.now,
            what=[str(entrant)],
        )


def _locked(event_id: int, entrant: int) -> Event:
    event = Event.objects.select_for_update(no_key=True, of=("self",)).select_related("club").get(pk=event_id)
    _must_be_entered(event, entrant)
    return event


def _must_be_entered(event: Event, entrant: int) -> None:
    try:
        league_in(event).squad_of(entrant)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error


def _revoke(event: Event, entrant: int, now: datetime) -> int:
    return CaptainLink.objects.filter(event=event, entrant=entrant, revoked_at=None).update(revoked_at=now)
