"""Matches: who sees, records, confirms and corrects them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from scorekeeper.access.actors import Actor
from scorekeeper.access.events import events_for
from scorekeeper.access.gate import Need, lacks, let_in, row_numbered
from scorekeeper.access.refusals import Refusal, refusal
from scorekeeper.access.roles import clubs_for, has_role, may_try_out
from scorekeeper.models import Event, Match, Pad, Role, Seat, shown

# How long after the end of a match the phones of its table may still correct and confirm it.
AFTER_THE_END = timedelta(hours=1)


def matches_for(actor: Actor) -> QuerySet[Match]:
    """The matches that `actor` may see in lists, without those of events that they may not see there."""
    seen = Match.objects.filter(club__in=clubs_for(actor).values("pk"))
    return seen.filter(Q(event=None) | Q(event__in=events_for(actor).values("pk")))


def match_for(actor: Actor, match_id: int, *, need: Need = "see", removed: bool = False) -> Match:
    """The match with club and table, if `actor` may see, record or host it; else Http404 or Refusal. `removed`: also
    one that a host has removed."""
    matches = (Match.every if removed else Match.objects).select_related("club", "table")
    if need == "record":  # recording reads the row again under its lock
        columns = ("table_id", "event_id", "game", "options", "length", "edition", "finished_at")
        of_club = ("club__public", "club__language", "club__time_zone")
        matches = Match.objects.select_related("club").only(*columns, *of_club)
    match = row_numbered(matches, match_id, _("This match does not exist."))
    let_in(actor, match.club, match.table_id, need, event=match.event_id)
    shown.as_shown(match)
    return match


def sheet_for(actor: Actor, match_id: int) -> Match:
    """The match with club and table, if `actor` may confirm or dispute its sheet: they may record there, or scanned the
    table's code, with or without the pad; else Http404 or Refusal. `must_speak_for` decides for which players."""
    match = match_for(actor, match_id)
    return match if match.table_id in actor.devices else match_for(actor, match_id, need="record")


def nestor_for(actor: Actor, match_id: int, seat: int) -> Match:
    """The match in which Nestor has this seat, for whoever may lay his tiles: as `sheet_for`. Http404 if the seat is
    not his."""
    match = sheet_for(actor, match_id)
    if not match.seats.filter(number=seat, player__program=True).exists():
        raise Http404(_("Nestor has no such seat."))
    return match


def must_speak_for(
    actor: Actor, match: Match, kind: str, names: Sequence[str], withdrawn: Sequence[str], players: Sequence[str]
) -> None:
    """Refusal unless the actor may confirm or dispute the match's sheet for the players with these names. The phone
    with the pad speaks for everybody at the table, any other phone only for its owner; whoever is signed in with the
    account that claimed a player speaks for that player. Only hosts and scorers open a confirmed match again
    (`reopen`).

    The `withdrawn` are the `players` whose dispute this entry withdraws. A phone that belongs to a player may
    withdraw only that player's dispute. A phone without an owner, the table's, withdraws one dispute at
    a time and says nothing else in the same entry. Hosts and scorers may withdraw all.
    """
    if has_role(actor, match.club_id, Role.SCORER):
        return
    if kind == "reopen":
        raise refusal("not-allowed")
    if {*names, *withdrawn} <= {seat.name for seat in _own_seats(actor, match)}:
        return
    if match.table_id not in actor.devices:
        raise refusal(lacks(actor, match.table_id))
    pads = Pad.objects.filter(table=match.table_id, phone=actor.phone)
    holder = pads.values_list("name", flat=True).first() if actor.phone else None
    if match.table_id not in actor.tables and {*names} != {holder}:
        raise refusal("whose-phone")
    if withdrawn and ({*withdrawn} != {holder} if holder in players else {*names} != {*withdrawn[:1]}):
        raise refusal("whose-word")


def seats_to_speak_for(actor: Actor, match: Match) -> list[int]:
    """The seats that have not confirmed the sheet, and for which the actor may answer wherever they are: all of them as
    a host or scorer, else those of their own player. Two queries at most."""
    seats = match.seats.all() if has_role(actor, match.club_id, Role.SCORER) else _own_seats(actor, match)
    return [seat.number for seat in seats if seat.number not in match.sheet.get("confirmed", ())]


def _own_seats(actor: Actor, match: Match) -> QuerySet[Seat]:
    """Those of the player that the actor's account has claimed. A program speaks for nobody."""
    if actor.user is None or actor.program:
        return Seat.objects.none()
    return match.seats.filter(player__user=actor.user)


def may_record(actor: Actor, match: Match, now: datetime) -> bool:
    """Whether the actor may record in the match now: with the table's token, or as a scorer of its club."""
    by_table = match.table_id in actor.tables and not is_past(match, now)
    return by_table or has_role(actor, match.club_id, Role.SCORER)


def may_correct(actor: Actor, match: Match, now: datetime) -> bool:
    """Whether the actor may record in the match now, also in one that is over. Four queries at most."""
    over = match.finished_at is not None
    return may_record(actor, match, now) and not (over and _settled_for(actor, match))


def may_review(actor: Actor, match: Match) -> bool:
    """Whether the actor may have the match reviewed, which takes a worker minutes: as a member of its club, with the
    pad of its table, or to try it out. Two queries at most."""
    member = match.table_id in actor.tables or has_role(actor, match.club_id, Role.PLAYER)
    return member or may_try_out(actor, match.club)


def must_review(actor: Actor, match: Match) -> None:
    """Refusal for everybody who may not have the match reviewed. Two queries at most."""
    if not may_review(actor, match):
        raise refusal(actor.refused or "members-review")


def is_past(match: Match, now: datetime) -> bool:
    """Whether the match ended so long ago that only hosts and scorers may change it."""
    return match.finished_at is not None and now - match.finished_at > AFTER_THE_END


def must_not_be_past(actor: Actor, match: Match, now: datetime) -> None:
    """Refusal if the actor may record in the match only with a table's token, and it ended too long ago for that. One
    query for such a match, else none."""
    if is_past(match, now) and match.table_id in actor.devices and not has_role(actor, match.club_id, Role.SCORER):
        raise refusal("match-past")


def must_not_be_settled(actor: Actor, match: Match) -> None:
    """Refusal for the phones of a table if the match, which is over, counts as it is for everybody but hosts and
    scorers. Three queries at most."""
    if refusal := _settled_for(actor, match):
        raise refusal


def _settled_for(actor: Actor, match: Match) -> Refusal | None:
    if match.event_id is None or match.table_id not in actor.devices or has_role(actor, match.club_id, Role.SCORER):
        return None
    return settled(match)


def settled(match: Match) -> Refusal | None:
    """Why the phones of its table leave a match that is over as it is: its event is closed, or its tournament plays the
    next round. Two queries at most."""
    if match.event_id is None:
        return None
    if Event.objects.filter(pk=match.event_id, closed_at__isnull=False).exists():
        return refusal("event-closed")
    newer = Match.objects.filter(event=match.event_id, event__kind=Event.Kind.TOURNAMENT, round__gt=match.round or 0)
    return refusal("next-round") if match.round and newer.exists() else None


def must_host(actor: Actor, match: Match) -> None:
    """Refusal unless the actor hosts the club of the match. One query at most."""
    if not has_role(actor, match.club_id, Role.DIRECTOR):
        raise refusal("hosts-only")


def must_decide(actor: Actor, match: Match) -> None:
    """Refusal for everybody known who does not host the club of the match: only hosts take back what a host decided.
    One query at most."""
    if actor.known and not has_role(actor, match.club_id, Role.DIRECTOR):
        raise refusal("host-decided")
