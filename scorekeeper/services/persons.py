"""Who is one person on the whole server: links between players of different clubs, and as whom everybody counts."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from scorekeeper.access import Actor, clubs_hosted, players_for
from scorekeeper.models import AuditEntry, Club, Match, Player, SamePerson, SeatResult, User
from scorekeeper.selectors.clubs import same_people
from scorekeeper.selectors.persons import counting, persons_of
from scorekeeper.services import initials, ratings
from scorekeeper.services.audit import WHAT, note
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused


@in_one_transaction
def ask(*, club: Club, player_id: int, other_id: int, at_once: bool, by: User | None, now: datetime) -> bool:
    """Asks the club of another player whether they are the same person as this player of the club. Whether they are now
    linked: `at_once` if who asks also hosts the other club, and whenever the other club has asked the same.

    Refused "deleted", "same-club", "linked-already", "asked-already", "two-in-a-club". Player.DoesNotExist for a player
    of another club.
    """
    player = counting(club.players.select_related("club").get(pk=player_id))
    other = counting(Player.objects.select_related("club").get(pk=other_id))
    _lock(player, other)
    if gone := [each for each in (player, other) if each.deleted_at]:
        raise Refused(
            "deleted", _("The name of {name} was deleted. Nobody can be linked with them.").format(name=gone[0])
        )
    if player.club_id == other.club_id:
        text = _("{name} and {other} play at the same club. If they are one person, merge them.")
        raise Refused("same-club", text.format(name=player.name, other=other.name))
    persons = persons_of([player.pk, other.pk])
    if len(persons) == 1:
        text = _("{name} and {other} are linked already.")
        raise Refused("linked-already", text.format(name=player.name, other=other.name))
    _must_fit([row for person in persons for row in person if row.merged_into_id is None], by)
    mine, theirs = (same_people(each.club_id, each.pk) for each in (player, other))
    asked = SamePerson.objects.filter(asked_by__in=mine, asked_of__in=theirs).first()
    if asked and not at_once:
        text = _("{club} was asked already, and has not answered yet.")
        raise Refused("asked-already", text.format(club=other.club.name))
    link = SamePerson.objects.filter(asked_by__in=theirs, asked_of__in=mine).first() or asked
    if link or at_once:
        link = link or SamePerson(asked_by=player, asked_of=other, asked_at=now)
        _agree(link, by, now)
        return True
    _note(SamePerson.objects.create(asked_by=player, asked_of=other, asked_at=now), AuditEntry.Kind.LINK_ASKED, by, now)
    return False


@in_one_transaction
def agree(*, club: Club, link_id: int, by: User | None, now: datetime) -> SamePerson:
    """The club that was asked agrees. Refused "two-in-a-club". SamePerson.DoesNotExist if it was not asked, or has
    answered."""
    link = _with_clubs().get(pk=link_id, asked_of__club=club, agreed_at=None)
    _lock(link.asked_by, link.asked_of)
    _agree(_with_clubs().get(pk=link_id, agreed_at=None), by, now)
    return link


@in_one_transaction
def end(*, club: Club, link_id: int, by: User | None, now: datetime) -> SamePerson:
    """Either club ends a link, or the question about it: who asked takes it back, who was asked declines.
    SamePerson.DoesNotExist for a link of other clubs."""
    link = _with_clubs().get(Q(asked_by__club=club) | Q(asked_of__club=club), pk=link_id)
    _lock(link.asked_by, link.asked_of)
    link.delete()
    _note(link, AuditEntry.Kind.LINK_ENDED, by, now)
    settle([link.asked_by_id, link.asked_of_id], by=by, now=now)
    return link


@in_one_transaction
def settle(players: Collection[int], *, by: User | None, now: datetime) -> None:
    """Writes as whom these players, and everybody who is or was the same person, count on the whole server, after any
    change of merges, accounts or links; shows their initials accordingly, and has their ratings calculated again. A
    person is the oldest of the players who count as them; whoever is in one club only needs none.

    Refused "two-in-a-club" if somebody would then be in a club twice.
    """
    ratings.lock()
    near = [row for person in persons_of(players) for row in person]
    before = Player.objects.filter(person__in={row.person_id for row in near if row.person_id})
    changed, clubs = set[Player](), set[int]()
    for rows in persons_of([*(row.pk for row in near), *before.values_list("pk", flat=True)]):
        clubs |= {row.club_id for row in rows}
        count = [row for row in rows if row.merged_into_id is None]
        _must_fit(count, by)
        person = count[0].pk if len(count) > 1 else None
        for row in rows:
            counts_as = person if row in count else None
            if row.person_id != counts_as:
                row.person_id = counts_as
                row.save(update_fields=["person"])
                changed.add(row)
    initials.follow(clubs, now=now)
    played = Match.objects.filter(pk__in=SeatResult.objects.filter(player__in=changed).values("match"))
    for club in sorted({row.club_id for row in changed}):
        who = sorted(row.pk for row in changed if row.club_id == club)
        ratings.recalculate(played.filter(club=club), why=ratings.Cause("linked", club, players=who), now=now)
        announce(kind="players", club_id=club, now=now)


def _agree(link: SamePerson, by: User | None, now: datetime) -> None:
    link.agreed_at = now
    link.save()
    _note(link, AuditEntry.Kind.LINK_AGREED, by, now)
    settle([link.asked_by_id, link.asked_of_id], by=by, now=now)


def _must_fit(people: Iterable[Player], by: User | None) -> None:
    """Refused "two-in-a-club" if two of these people are of the same club. It names only whom `by` may know of."""
    actor, first = Actor(by), dict[int, Player]()
    for row in people:
        there = first.setdefault(row.club_id, row)
        if there == row:
            continue
        named = players_for(actor).filter(Q(initials=False) | Q(club__in=clubs_hosted(actor).values("pk")))
        if named.filter(pk__in=[there.pk, row.pk]).count() == 2:
            text = _("{name} and {other} would be the same person, but both play at {club}. Ask a host to merge them.")
            raise Refused("two-in-a-club", text.format(name=there.name, other=row.name, club=row.club.name))
        text = _("Two people of one club would then be the same person. Ask the hosts of all clubs where they play.")
        raise Refused("two-in-a-club", text)


def _with_clubs() -> QuerySet[SamePerson]:
    return SamePerson.objects.select_related("asked_by__club", "asked_of__club")


def _lock(*players: Player) -> None:
    """Locks the clubs of the players, and who is one person on the server: links reach over clubs."""
    clubs = {player.club_id for player in players}
    list(Club.objects.select_for_update(no_key=True).filter(pk__in=clubs).order_by("pk").values_list("pk"))
    ratings.lock()


def _note(link: SamePerson, kind: AuditEntry.Kind, by: User | None, now: datetime) -> None:
    """In the audit of both clubs."""
    sides = [link.asked_by, link.asked_of]
    what = " = ".join(f"{each.name} ({each.club.name})" for each in sides)[:WHAT]
    for each in sides:
        note(club=each.club, kind=kind, by=by, now=now, what=what)
