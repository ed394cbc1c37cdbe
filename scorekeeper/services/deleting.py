"""Deletes the name of somebody who asks for it. Their results stay under another name, so that those of everybody else
stay exactly as they are.

The name disappears at once from the people of the club, and from their account. A job then finds it everywhere else.
It can be killed at any time, and begins again; once nothing in the database has the name, only what removes copies is
left.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from scorekeeper.models import (
    Application,
    AuditEntry,
    Call,
    Club,
    Event,
    EventEntry,
    FormerName,
    Job,
    LogEntry,
    Match,
    Membership,
    OneTimeLink,
    Pad,
    Player,
    Role,
    SamePerson,
    Seat,
    SeatResult,
    SignIn,
    Substitute,
    User,
)
from scorekeeper.names import folded, renamed, rewritten
from scorekeeper.selectors.clubs import names_of
from scorekeeper.selectors.jobs import DELETION, deletion_of
from scorekeeper.selectors.persons import Parting, parting
from scorekeeper.services import (
    accounts,
    archive,
    backup,
    event_file,
    files,
    jobs,
    people,
    person_export,
    persons,
    tournament_import,
)
from scorekeeper.services.audit import WHAT, note
from scorekeeper.services.changes import announce, in_one_transaction
from scorekeeper.services.errors import Refused

KIND = DELETION
# What the database stores instead, in every language. Pages know it by `Player.deleted_at`.
STORED = "Deleted player {n}"
BACKUP = "after-deletion"
# What says whose account was which person, and who is the same person at another club.
CLAIMS = (AuditEntry.Kind.PLAYER_CLAIMED, AuditEntry.Kind.PLAYER_RELEASED)
LINKS = (AuditEntry.Kind.LINK_ASKED, AuditEntry.Kind.LINK_AGREED, AuditEntry.Kind.LINK_ENDED)
# The jobs that copy names to files, or from them.
COPYING = (archive.KIND, event_file.KIND, person_export.KIND, tournament_import.KIND)
WRITTEN: tuple[type[Model], ...] = (
    *(Player, FormerName, Seat, Substitute, SeatResult, Match, LogEntry, EventEntry, Application, AuditEntry),
    *(Call, Pad, Job, OneTimeLink, User, Membership, SignIn, Session, AccessAttempt, AccessLog),
)
AT_ONCE = 500  # rows read together, so that memory does not grow with their number

Others = Mapping[str, str]
"""The new names, by the old ones as `names.folded` has them."""


@in_one_transaction
def start(*, club: Club, player_id: int, now: datetime, by: User | None = None) -> Job:
    """Deletes the name of a person, and of everybody who was merged with them, and has a job remove it from everything
    that was ever written. Their account is theirs no longer; if it is nothing else, nobody signs in with it any more.
    `by`: None for the person themselves. Refused as `deletable`.
    """
    same = deletable(club=club, player_id=player_id)
    numbers = [player.pk for player in same]
    others, account = _new_names(club, same), parting(same[0])
    _forget_who_they_were(club, account, others)
    for player in same:
        player.name, player.deleted_at = others[folded(player.name)], now
        player.user = None
        player.initials, player.left = False, True
        player.save()
    FormerName.objects.filter(player__in=numbers).delete()
    SamePerson.objects.filter(Q(asked_by__in=numbers) | Q(asked_of__in=numbers)).delete()
    OneTimeLink.objects.filter(player__in=numbers).delete()
    if account:
        _part_with(account, club)
    accounts.forget_attempts(others)
    persons.settle(numbers, by=by, now=now)
    note(club=club, kind=AuditEntry.Kind.PLAYER_DELETED, by=by, now=now, what=same[0].name)
    announce(kind="players", club_id=club.pk, now=now)
    args = {"player": same[0].pk, "names": others}
    return jobs.start(kind=KIND, args=args, club=club, by=by, now=now)


@in_one_transaction
def start_own(*, player: Player, user: User, password: str, now: datetime) -> Job:
    """The same for the account that has claimed the person. Refused "wrong-password", and as `deletable`."""
    accounts.must_be_password(user, password)
    return start(club=player.club, player_id=player.pk, now=now)


@in_one_transaction
def deletable(*, club: Club, player_id: int) -> list[Player]:
    """The person and everybody who was merged with them, the person first, locked, if the name can be deleted.

    Refused "deleted" for the second time, "merged" if they count as somebody else, and "plays-now" while they take part
    in an open match or event. Player.DoesNotExist for a person of another club.
    """
    same = people.away(club=club, player_id=player_id)
    if same[0].deleted_at:
        raise Refused("deleted", _("This name was deleted already."))
    if same[0].merged_into_id:
        raise Refused("merged", _("This person counts as somebody else. Delete that name, or separate them first."))
    return same


@in_one_transaction
def again(*, club: Club, player_id: int, now: datetime, by: User | None = None) -> None:
    """Starts the job again if it failed. Player.DoesNotExist for a person of another club."""
    job = deletion_of(club.players.get(pk=player_id))
    if job and job.state in (Job.State.FAILED, Job.State.CANCELLED):
        jobs.start(kind=KIND, args=job.args, club=club, by=by, now=now)
        Job.objects.filter(pk=job.pk).update(args={})


def _new_names(club: Club, same: list[Player]) -> Others:
    """For every name that these people have or had, what each of them is called from now on."""
    taken = {folded(name) for name in club.players.values_list("name", flat=True)}
    number, found = club.players.filter(deleted_at__isnull=False).count(), dict[str, str]()
    for player in reversed(same):
        number += 1
        while folded(STORED.format(n=number)) in taken:
            number += 1
        names = {*map(folded, names_of([player.pk])), folded(player.name)}
        found |= dict.fromkeys(names, STORED.format(n=number))
    return found


def _forget_who_they_were(club: Club, account: Parting | None, others: Others) -> None:
    """The audit no longer says which account the person was: who claimed them, and what the account did with them; nor
    that they were renamed, from a deleted name to a deleted name. Nor does that of any club say whom they were linked
    with."""
    told = Q(kind__in=[*CLAIMS, *LINKS]) | (Q(user=account.user) if account else Q())
    naming = [each for each in AuditEntry.objects.filter(told, club=club) if rewritten(each.what, others) != each.what]
    links = {each.what for each in naming if each.kind in LINKS}  # both clubs have the same words
    renamed = AuditEntry.objects.filter(kind=AuditEntry.Kind.PLAYER_RENAMED, club=club)
    naming += [each for each in renamed if {folded(name) for name in each.what.split(" → ")} <= others.keys()]
    AuditEntry.objects.filter(Q(pk__in=[each.pk for each in naming]) | Q(kind__in=LINKS, what__in=links)).delete()


def _part_with(account: Parting, club: Club) -> None:
    """The account is no longer the person."""
    Membership.objects.filter(user=account.user, club=club, role=Role.PLAYER).delete()
    if account.closes:
        accounts.close(user=account.user, name=account.name)
    elif account.name:
        accounts.rename(user=account.user, name=account.name)


# --- the job -------------------------------------------------------------------------------------------------
def work(run: jobs.Run) -> None:
    """Removes the old names from everything that is stored, and from the copies of it."""
    club, others = run.job.club, run.job.args.get("names")
    assert club, "People belong to a club."
    if others is not None:
        _stop_copying(club, run.clock())
        players = set(club.players.filter(deleted_at__isnull=False).values_list("pk", flat=True))
        matches = _matches_naming(club, others)
        for done, match in enumerate(matches):
            run.progress(done, len(matches))
            _rename_in_match(match, others, players, run.clock())
        for event in club.events.order_by("pk"):
            _rename_in_event(event.pk, others, run.clock())
        _rename_elsewhere(club, others, run.job)
    for job in Job.objects.filter(club=club).exclude(result=""):
        (files.archives() / job.result).unlink(missing_ok=True)
    tournament_import.forget_files(club)
    _overwrite()
    _renew_backups(run)
    run.done()


def _stop_copying(club: Club, now: datetime) -> None:
    """What is being made of files, or in files, would still have the name."""
    for job in Job.objects.filter(club=club, kind__in=COPYING, state__in=[Job.State.NEW, Job.State.RUNNING]):
        jobs.cancel(job_id=job.pk, now=now)


def _matches_naming(club: Club, others: Others) -> list[int]:
    """The ids of all matches in which one of the names is or was written. Three queries."""
    here = {"match__club": club}
    rows = [*Seat.objects.filter(**here).order_by().values_list("match", "name", "first_name")]
    rows += Substitute.objects.filter(**here).order_by().values_list("match", "name", "name")
    found = {match for match, *names in rows if any(folded(name) in others for name in names)}
    said = Q(kind__in=["substitute", "swap"]) | Q(payload__has_key="why")
    entries = LogEntry.objects.filter(said, **here).order_by().values_list("match", "payload")
    found |= {match for match, payload in entries.iterator(AT_ONCE) if renamed(payload, lambda: others) != payload}
    return sorted(found)


@in_one_transaction
def _rename_in_match(match_id: int, others: Others, players: Collection[int], now: datetime) -> None:
    """Writes the new names into a match and all that follows from its log. Somebody else who sat there under the same
    name keeps it."""
    match = Match.every.select_for_update(no_key=True).get(pk=match_id)
    sat: list[Seat | Substitute] = [*match.seats.all(), *match.substitutes.all()]
    kept = {folded(row.name) for row in sat if row.player_id and row.player_id not in players}
    here = {name: new for name, new in others.items() if name not in kept}
    for row in sat:
        for column in {"name", "first_name"} & vars(row).keys():
            setattr(row, column, here.get(folded(getattr(row, column)), getattr(row, column)))
        row.save()
    _rename(match.results.filter(player=None), here, "name")
    _rename(match.log.all(), here, "payload")
    match.sheet, match.offers = (renamed(each, lambda: here) for each in (match.sheet, match.offers))
    match.edition += 1
    match.save(update_fields=["sheet", "offers", "edition"])
    announce(kind="players", club_id=match.club_id, table_id=match.table_id, match=match, event=match.event, now=now)


@in_one_transaction
def _rename_in_event(event_id: int, others: Others, now: datetime) -> None:
    """Writes the new names into the log of an event, and to those who asked to be entered."""
    event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
    # The name of the event itself stays.
    _rename(event.log.exclude(kind="setup"), others, "payload")
    for asked in event.applications.all():
        asked.players = [others.get(folded(name), name) for name in asked.players]
        asked.name = rewritten(asked.name, others)
        asked.save(update_fields=["players", "name"])
    announce(kind="players", club_id=event.club_id, event=event, now=now)


@in_one_transaction
def _rename_elsewhere(club: Club, others: Others, own: Job) -> None:
    """Writes the new names wherever else people are named. Then nobody needs the old ones any more."""
    _rename(AuditEntry.objects.filter(club=club).exclude(what=""), others, "what")
    _rename(Call.objects.filter(club=club), others, "name", "why")
    _rename(Pad.objects.filter(table__club=club), others, "name")
    _rename(Job.objects.filter(club=club).exclude(kind=KIND), others, "args", "best", "error")
    Job.objects.filter(pk=own.pk).update(args={"player": own.args["player"]})


def _rename(rows: QuerySet[Any], others: Others, *columns: str) -> None:
    """Writes the new names into these columns, which have JSON, a name, or what somebody wrote."""
    for pk, *values in rows.order_by().values_list("pk", *columns).iterator(AT_ONCE):
        new = [_renamed(value, others) for value in values]
        if new != values:
            rows.model.objects.filter(pk=pk).update(**dict(zip(columns, new, strict=True)))


def _renamed(value: Any, others: Others) -> Any:
    return rewritten(value, others)[:WHAT] if isinstance(value, str) else renamed(value, lambda: others)


# --- copies --------------------------------------------------------------------------------------------------
def _overwrite() -> None:
    """Has the database give up what it no longer shows: SQLite overwrites it, PostgreSQL lets new rows overwrite it."""
    if connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            tables = ", ".join(model._meta.db_table for model in WRITTEN)
            cursor.execute(f"VACUUM {tables}")


def _renew_backups(run: jobs.Run) -> None:
    """Makes a new backup. Then those go in which somebody still has the name."""
    deleted = dict(Player.objects.filter(deleted_at__isnull=False).values_list("pk", "name"))
    old = [file for file in backup.saved() if backup.names_otherwise(file, deleted)]
    backup.write(backup.named(BACKUP, run.clock()), now=run.clock(), progress=run.progress)
    for file in old:
        file.unlink(missing_ok=True)
    backup.tidy(run.clock())
