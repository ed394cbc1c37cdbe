"""Keeps the ratings in step with the results of matches, by a job, so that no table waits for it.

A match that ends adds its lines. If the result of an older match changes, and its players have played since, all lines
from then on are calculated again as the next edition of the book. Until it is complete, the old edition counts; then
the news say what it changed.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Min, Q, QuerySet

from scorekeeper.models import Job, Match, RatingBook, RatingDue, RatingLine, RatingNews
from scorekeeper.models.job import RATINGS
from scorekeeper.ratings import Ladder, Rules
from scorekeeper.ratings.plackett_luce import Belief
from scorekeeper.selectors.ratings import (
    CLUB,
    GROUPS,
    SCOPES,
    SERVER,
    Known,
    Rated,
    Scope,
    all_before,
    before,
    ends,
    groups_of,
    in_edition,
    rated,
    stored,
)
from scorekeeper.services import jobs
from scorekeeper.services.changes import announce, in_one_transaction

KIND = RATINGS
AT_ONCE = 1000  # matches or lines in one transaction, because plays wait for it on SQLite
LINES = 'scorekeeper_ratingline (match_id, player_id, person_id, club_id, game, at, "values", everywhere, since)'


class Cause(NamedTuple):
    """Why older ratings are calculated again: because of a `result`, of `people` who are now one or two, of `rules` of
    what counts, of an `event` that was removed or restored, or as a `repair`; with the club and the match, if it is
    about one."""

    kind: str
    club: int | None
    match: int | None = None


def due(match: Match, *, now: datetime) -> None:
    """Has a job count the match, whose results have just changed, in the transaction of the change."""
    RatingDue.objects.create(match=match)
    start(now=now)


def start(*, now: datetime) -> None:
    """Starts the job if none waits. One that begins in this moment may miss what is due: then the sweep starts it."""
    if not Job.objects.filter(kind=KIND, state=Job.State.NEW).exists():
        jobs.start(kind=KIND, args={}, club=None, by=None, now=now)


def is_due() -> bool:
    """Whether something waits for the job. Two queries."""
    stale = Q(stale_from__isnull=False) | Q(unwritten_from__isnull=False) | Q(begun=True)
    return RatingDue.objects.exists() or RatingBook.objects.filter(stale).exists()


@in_one_transaction
def recalculate(matches: QuerySet[Match], *, why: Cause, now: datetime) -> None:
    """Has the ratings since the oldest of these matches calculated again."""
    first = matches.aggregate(first=Min("finished_at"))["first"]
    if first:
        _make_stale(_locked_book(), first, why)
        start(now=now)


def lock() -> None:
    """Lets no other writer change ratings, or who is one person, until the end of the transaction."""
    _locked_book()


# --- the job -------------------------------------------------------------------------------------------------
def work(run: jobs.Run) -> None:
    """Counts the matches that are due, and writes the next edition of the book, from where it is stale. Whoever reads
    ratings sees the old edition until the new one is complete; so they do if a worker dies, and the next one goes on.
    """
    while True:
        _keep_due(run)
        if (first := _next(run)) is not None:
            _write(run, first)
        elif _done(run, _moved()):
            break
    for part in _parts(RatingLine.objects.filter(until__lte=RatingBook.objects.get(pk=1).edition)):
        part.delete()


def _keep_due(run: jobs.Run) -> None:
    waiting = RatingDue.objects.order_by("match__finished_at", "match").values_list("match", flat=True)
    while todo := list(waiting[:AT_ONCE]):
        for done, match in enumerate(todo):
            run.progress(done, len(todo))
            _keep(match, now=run.clock())


@in_one_transaction
def _keep(match_id: int, *, now: datetime) -> None:
    """Updates the lines of a match to its results."""
    book = _locked_book()
    RatingDue.objects.filter(match=match_id).delete()
    club = Match.every.values_list("club", flat=True).get(pk=match_id)
    old = list(in_edition(book.edition).filter(match=match_id))
    found = rated(Match.objects.filter(pk=match_id))
    new = [line for match in found for line in _lines(match, _ladders(before(match, book.edition)))]
    if sorted(_essence(old)) == sorted((line.player, line.at, line.values, line.everywhere) for line in new):
        return
    changed_from = min([each.at for each in old] + [each.at for each in new])
    players = {each.player_id for each in old} | {each.player for each in new}
    persons = {each.person_id for each in old} | {each.person for each in new}
    later = Q(at__gt=changed_from) | Q(at=changed_from, match__gt=match_id)
    theirs = Q(player__in=players) | Q(person__in=persons)
    is_last = not in_edition(book.edition).exclude(match=match_id).filter(later, theirs).exists()
    if is_last:
        RatingLine.objects.filter(pk__in=[line.pk for line in old]).delete()
        _insert(new, book.edition)
        announce(kind="ratings", club_id=club, now=now)
    if book.begun or not is_last:
        _make_stale(book, changed_from, Cause("result", club, match_id))


Values = dict[str, list[float]]


class Line(NamedTuple):
    """What is stored of a match for one of its players."""

    match: int
    player: int
    person: int
    club: int
    game: str
    at: datetime
    values: Values | None
    everywhere: Values | None


Ladders = dict[tuple[Scope, str], Ladder]


def _ladders(known: Known) -> Ladders:
    return {each: Ladder(ratings) for each, ratings in known.items()}


def _lines(match: Rated, ladders: Ladders) -> list[Line]:
    """The lines of a match, which counts in the ladders of each of its scopes and groups."""
    values: dict[Scope, list[Values | None]] = {scope: [None] * len(match.players) for scope in SCOPES}
    for scope, contest in match.contests.items():
        groups = groups_of(contest.game)
        changes = zip(*(ladders[scope, group].rate(contest) for group in groups), strict=True)
        values[scope] = [dict(zip(groups, map(stored, each), strict=True)) for each in changes]
    return [
        Line(match.match, player, person, match.club, match.game, match.at, here, everywhere)
        for player, person, here, everywhere in zip(
            match.players, match.persons, values[CLUB], values[SERVER], strict=True
        )
    ]


def _essence(lines: Iterable[RatingLine]) -> list[tuple[int, datetime, object, object]]:
    return [(line.player_id, line.at, line.values, line.everywhere) for line in lines]


def _insert(lines: Iterable[Line], edition: int) -> None:
    """In SQL, because a calculation writes hundreds of thousands: rows of models take three times as long."""
    rows = [(*line[:6], _json(line.values), _json(line.everywhere), edition) for line in lines]
    with connection.cursor() as cursor:
        INSERTING[connection.vendor](cursor, rows)


def _inserted(cursor: CursorWrapper, rows: list[tuple[Any, ...]]) -> None:
    adapted = connection.ops.adapt_datetimefield_value
    cursor.executemany(
        f"INSERT INTO {LINES} VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",  # noqa: S608
        [(*row[:5], adapted(row[5]), *row[6:]) for row in rows],
    )


def _copied(cursor: CursorWrapper, rows: list[tuple[Any, ...]]) -> None:
    with cursor.copy(f"COPY {LINES} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


INSERTING = {"sqlite": _inserted, "postgresql": _copied}


def _json(values: Values | None) -> str | None:
    return None if values is None else json.dumps(values)


def _locked_book() -> RatingBook:
    """The book, for this writer alone until the end of the transaction."""
    RatingBook.objects.get_or_create(pk=1)
    return RatingBook.objects.select_for_update(no_key=True).get(pk=1)


def _make_stale(book: RatingBook, since: datetime, why: Cause) -> None:
    """All lines from a time on must be calculated again. The book must be locked."""
    book.stale_from = min(since, book.stale_from or since)
    cause = {**why._asdict(), "since": since.isoformat()}
    book.causes = [*(each for each in book.causes if each != cause), cause]
    book.save(update_fields=["stale_from", "causes"])


# --- the next edition ----------------------------------------------------------------------------------------
@in_one_transaction
def _next(run: jobs.Run) -> datetime | None:
    """From when on the lines of the next edition must be written; None if none are left."""
    book = _locked_book()
    run.hold()
    first = min((at for at in (book.stale_from, book.unwritten_from) if at), default=None)
    if first is not None:
        book.stale_from, book.unwritten_from, book.begun = None, first, True
        book.save()
    return first


def _write(run: jobs.Run, first: datetime) -> None:
    """Writes the lines of all matches that ended since `first`, for the next edition."""
    edition = RatingBook.objects.get(pk=1).edition + 1
    for part in _parts(RatingLine.objects.filter(since__lt=edition, until=None, at__gte=first)):
        with _held(run):
            part.update(until=edition)
    for part in _parts(RatingLine.objects.filter(since=edition, at__gte=first)):
        with _held(run):
            part.delete()
    ladders = _ladders(all_before(first, edition))
    lines: list[Line] = []
    for match in in_order(Match.objects.filter(finished_at__gte=first), progress=run.progress):
        lines += _lines(match, ladders)
        if len(lines) > AT_ONCE:
            with _held(run):
                _insert(lines, edition)
            lines.clear()
    with transaction.atomic():
        book = _locked_book()
        run.hold()
        _insert(lines, edition)
        book.unwritten_from = None
        book.save(update_fields=["unwritten_from"])


@contextmanager
def _held(run: jobs.Run) -> Iterator[None]:
    """A transaction of the worker that has the job: one that was given up writes nothing any more."""
    with transaction.atomic():
        run.hold()
        yield


def wrong(*, progress: Callable[[int, int], None]) -> list[int]:
    """The matches whose lines are not those of a calculation of everything, from the oldest result on."""
    edition = RatingBook.objects.get_or_create(pk=1)[0].edition
    ladders: Ladders = {(scope, group): Ladder() for scope in SCOPES for group in GROUPS}
    counted: set[int] = set()
    found: list[int] = []
    matches = in_order(Match.objects.all(), progress=progress)
    while part := list(islice(matches, AT_ONCE)):
        stored: dict[int, list[RatingLine]] = defaultdict(list)
        for line in in_edition(edition).filter(match__in=[match.match for match in part]):
            stored[line.match_id].append(line)
        for match in part:
            lines = [(line.player, line.at, line.values, line.everywhere) for line in _lines(match, ladders)]
            if sorted(lines) != sorted(_essence(stored[match.match])):
                found.append(match.match)
            counted.add(match.match)
    there = in_edition(edition).order_by("match").values_list("match", flat=True).distinct()
    return [*found, *(match for match in there if match not in counted)]


def in_order(
    matches: QuerySet[Match], *, rules: Rules | None = None, progress: Callable[[int, int], None]
) -> Iterator[Rated]:
    """Those of the matches that count, from the oldest to the newest, as `rated` says. `progress` gets the number of
    matches that are done, and of all."""
    todo = matches.filter(finished_at__isnull=False).order_by("finished_at", "pk")
    done, total = 0, todo.count()
    after = Q()
    while ended := list(todo.filter(after).values_list("pk", "finished_at")[:AT_ONCE]):
        part = Match.objects.filter(pk__in=[pk for pk, _at in ended])
        yield from rated(part.order_by("finished_at", "pk"), rules)
        done, (pk, at) = done + len(ended), ended[-1]
        progress(done, max(done, total))
        after = Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=pk)


Moved = dict[int | None, dict[str, list[tuple[int, int | None, int | None]]]]
"""By club (None: on the whole server) and group: the player, and the rating before and now; None for no rating."""


def _moved() -> Moved:
    """Whose rating the next edition changes; nobody's, if the old one has no lines. Five queries."""
    found: Moved = defaultdict(lambda: defaultdict(list))
    book = RatingBook.objects.filter(begun=True).first()
    if book is None or not RatingLine.objects.filter(since__lte=book.edition).exists():
        return found
    changed = RatingLine.objects.filter(Q(since=book.edition + 1) | Q(until=book.edition + 1))
    changed = changed.annotate(new=Q(since=book.edition + 1))
    for scope in SCOPES:
        columns = ("club", scope.who, scope.values, "new")
        began: dict[tuple[int | None, str, int], int | None] = {}
        ended: dict[tuple[int | None, str, int, bool], int] = {}
        # Before its first line, a rating was the same in both editions.
        for club, player, values, _new in ends(changed, scope, "", "new").values_list(*columns):
            for group, each in values.items():
                began.setdefault((club if scope is CLUB else None, group, player), each[4] if each[3] > 1 else None)
        for club, player, values, new in ends(changed, scope, "-", "new").values_list(*columns):
            for group, each in values.items():
                ended[club if scope is CLUB else None, group, player, new] = Belief(*each[:2]).shown
        for key, first in began.items():
            was, now = (ended.get((*key, new), first) for new in (False, True))
            if was != now:
                found[key[0]][key[1]].append((key[2], was, now))
    return found


@in_one_transaction
def _done(run: jobs.Run, moved: Moved) -> bool:
    """Makes the next edition count, if there is one, and ends the job. False if there is more to write."""
    book = _locked_book()
    if book.stale_from or book.unwritten_from or RatingDue.objects.exists():
        return False
    if book.begun:
        now = run.clock()
        book.edition, book.begun = book.edition + 1, False
        if moved:
            since = min(datetime.fromisoformat(each["since"]) for each in book.causes)
            RatingNews.objects.bulk_create(
                RatingNews(club_id=club, edition=book.edition, at=now, since=since, causes=book.causes, moved=groups)
                for club, groups in moved.items()
            )
        for club in RatingLine.objects.filter(since=book.edition).values_list("club", flat=True).distinct():
            announce(kind="ratings", club_id=club, now=now)
        book.causes = []
        book.save()
    run.done()
    return True


def _parts(lines: QuerySet[RatingLine]) -> Iterator[QuerySet[RatingLine]]:
    """The lines in parts, until none is left: each must be changed so that it is no longer among them."""
    while part := list(lines.values_list("pk", flat=True)[:AT_ONCE]):
        yield RatingLine.objects.filter(pk__in=part)
