"""Who sees who stands better: only those who do not play. Nobody at a table gets help from it."""

from django.db.models import Q

from scorekeeper.access.actors import Actor
from scorekeeper.access.events import night_for, tournament_for
from scorekeeper.access.refusals import refusal
from scorekeeper.access.tables import table_for
from scorekeeper.models import Event, Match, Player, Seat, Substitute, Table


def onlooker_at(actor: Actor, table_id: int) -> Table:
    """The table with its club, if `actor` may see it and who stands better there; else Http404 or Refusal."""
    table = table_for(actor, table_id)
    if not looks_on_at(actor, table):
        raise refusal("plays-here")
    return table


def looks_on_at(actor: Actor, table: Table) -> bool:
    """Whether the actor has nothing to do with the table, as far as the server can know: no phone that scanned its
    code, and nobody who sits in its newest match. Three queries at most, and those of `_players`."""
    if table.pk in actor.scanned:
        return False
    newest = Match.objects.filter(table=table).order_by("-pk").values_list("pk", flat=True).first()
    own, named = _players(actor), Q(name__in=actor.owners)
    if newest is None or not (own or actor.owners):
        return True
    return not any(rows.objects.filter(Q(player__in=own) | named, match=newest).exists() for rows in (Seat, Substitute))


def onlooker_of(actor: Actor, event_id: int) -> Event:
    """The night or tournament with its club, if `actor` may see it and who stands better in its matches; else Http404
    or Refusal."""
    kind = Event.objects.filter(pk=event_id).values_list("kind", flat=True).first()
    event = (night_for if kind == Event.Kind.NIGHT else tournament_for)(actor, event_id)
    if not looks_on(actor, event):
        raise refusal("plays-here")
    return event


def looks_on(actor: Actor, event: Event) -> bool:
    """Whether the actor takes no part in the event, as far as the server can know: no phone that scanned the code of a
    table of the club, and nobody who was ever entered. Two queries at most, and those of `_players`."""
    if actor.scanned and Table.objects.filter(pk__in=actor.scanned, club=event.club_id).exists():
        return False
    own = _players(actor)
    return not (own and event.entrants.filter(player__in=own).exists())


def _players(actor: Actor) -> set[int]:
    """The ids of the player whom the actor chose as themselves, of those whom their account has claimed, and of all who
    are the same person. None for somebody unknown without a query, else mostly two."""
    if actor.user is None and actor.chosen is None:
        return set()
    of = Q(pk=actor.chosen) | Q(user=actor.user) if actor.user else Q(pk=actor.chosen)
    found: set[int] = set()
    while new := {*Player.objects.filter(of).values_list("pk", flat=True)} - found:
        found |= new
        known = Player.objects.filter(pk__in=found)
        persons = known.exclude(person=None).values("person")
        of = Q(merged_into__in=found) | Q(merged__in=found) | Q(person__in=persons)
    return found
