"""Keeps the ratings in step with the results of matches, by a job, so that no table waits for it.

A match that ends adds its lines. If the result of an older match changes, and its players have played since, all lines
from then on are calculated again as the next edition of the book. Until it is complete, the old edition counts.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.db.models import Min, Q, QuerySet

from scorekeeper.models import Job, Match, RatingBook, RatingDue, RatingLine
from scorekeeper.ratings import Contest, Ladder
from scorekeeper.selectors.ratings import all_before, before, contest_of, contests, groups_of, in_edition, stored
from scorekeeper.services import jobs
from scorekeeper.services.changes import announce, in_one_transaction

KIND = "ratings"
AT_ONCE = 1000  # matches or lines in one transaction, because plays wait for it on SQLite


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
def recalculate(matches: QuerySet[Match], *, now: datetime) -> None:
    """Has the ratings since these matches calculated again, because they count for other people."""
    first = matches.aggregate(first=Min("finished_at"))["first"]
    if first:
        _make_stale(_locked_book(), first)
        start(now=now)


# --- the job -------------------------------------------------------------------------------------------------
def work(run: jobs.Run) -> None:
    """Counts the matches that are due, and writes the next edition of the book if one is needed."""
    waiting = RatingDue.objects.order_by("match__finished_at", "match").values_list("match", flat=True)
    while todo := list(waiting[:AT_ONCE]):
        for done, match in enumerate(todo):
            run.progress(done, len(todo))
            _keep(match, now=run.clock())
    _calculate(run)


@in_one_transaction
def _keep(match_id: int, *, now: datetime) -> None:
    """Updates the lines of a match to its results."""
    book = _locked_book()
    RatingDue.objects.filter(match=match_id).delete()
    match = Match.every.only("finished_at", "game", "club").get(pk=match_id)
    old = list(in_edition(book.edition).filter(match=match))
    contest = contest_of(match)
    new = _lines_of(match, contest, book.edition) if contest else []
    if _essence(old) == _essence(new):
        return
    changed_from = min(line.at for line in (*old, *new))
    players = {line.player_id for line in (*old, *new)}
    later = Q(at__gt=changed_from) | Q(at=changed_from, match__gt=match.pk)
    is_last = not in_edition(book.edition).exclude(match=match).filter(later, player__in=players).exists()
    if is_last:
        RatingLine.objects.filter(pk__in=[line.pk for line in old]).delete()
        RatingLine.objects.bulk_create(new)
        announce(kind="ratings", club_id=match.club_id, now=now)
    if book.begun or not is_last:
        _make_stale(book, changed_from)


def _lines_of(match: Match, contest: Contest, edition: int) -> list[RatingLine]:
    players = [player for side in contest.sides for player in side]
    known = before(contest, match.pk, players, edition)
    return _rated(match, contest, {group: Ladder(ratings) for group, ratings in known.items()}, edition)


def _rated(match: Match, contest: Contest, ladders: Mapping[str, Ladder], edition: int) -> list[RatingLine]:
    """The lines of a match, which counts in the ladder of each of its groups."""
    after = {group: ladders[group].rate(contest) for group in groups_of(contest.game)}
    return [  # the person and the ratings everywhere are those of the club for now
        RatingLine(
            match_id=match.pk,
            player_id=changes[0].player,
            person_id=changes[0].player,
            club_id=match.club_id,
            game=contest.game,
            at=contest.at,
            values=stored({group: change.after for group, change in zip(after, changes, strict=True)}),
            everywhere={},
            since=edition,
        )
        for changes in zip(*after.values(), strict=True)
    ]


def _essence(lines: list[RatingLine]) -> list[tuple[int, datetime, object]]:
    return sorted((line.player_id, line.at, line.values) for line in lines)


def _locked_book() -> RatingBook:
    """The book, for this writer alone until the end of the transaction."""
    RatingBook.objects.get_or_create(pk=1)
    return RatingBook.objects.select_for_update(no_key=True).get(pk=1)


def _make_stale(book: RatingBook, since: datetime) -> None:
    """All lines from a time on must be calculated again. The book must be locked."""
    book.stale_from = min(since, book.stale_from or since)
    book.save(update_fields=["stale_from"])


# --- the next edition ----------------------------------------------------------------------------------------
def _calculate(run: jobs.Run) -> None:
    """Writes the next edition of the book, from where it is stale. Whoever reads ratings sees the old edition until the
    new one is complete; so they do if a worker dies, and the next one goes on."""
    while (todo := _next(run)) is not None:
        first, edition = todo
        for part in _parts(RatingLine.objects.filter(since__lt=edition, until=None, at__gte=first)):
            part.update(until=edition)
        for part in _parts(RatingLine.objects.filter(since=edition, at__gte=first)):
            part.delete()
        _write(run, first, edition)
    for part in _parts(RatingLine.objects.filter(until__lte=RatingBook.objects.get(pk=1).edition)):
        part.delete()


@in_one_transaction
def _next(run: jobs.Run) -> tuple[datetime, int] | None:
    """From when on lines must be written, and for which edition. If none are left, the new edition counts, and the job
    is done."""
    book = _locked_book()
    first = min((at for at in (book.stale_from, book.unwritten_from) if at), default=None)
    if first is None:
        if book.begun:
            book.edition, book.begun = book.edition + 1, False
            for club in RatingLine.objects.filter(since=book.edition).values_list("club", flat=True).distinct():
                announce(kind="ratings", club_id=club, now=run.clock())
        run.done()
    else:
        book.stale_from, book.unwritten_from, book.begun = None, first, True
    book.save()
    return None if first is None else (first, book.edition + 1)


def _write(run: jobs.Run, first: datetime, edition: int) -> None:
    """Writes the lines of all matches that ended since `first`."""
    todo = Match.objects.filter(finished_at__gte=first).order_by("finished_at", "pk")
    done, total = 0, todo.count()
    ladders = {group: Ladder(ratings) for group, ratings in all_before(first, edition).items()}
    after = Q()
    while matches := list(todo.filter(after).only("finished_at", "game", "club")[:AT_ONCE]):
        rated = contests(matches)
        RatingLine.objects.bulk_create(
            line for match in matches if match.pk in rated for line in _rated(match, rated[match.pk], ladders, edition)
        )
        done, last = done + len(matches), matches[-1]
        run.progress(done, max(done, total))
        after = Q(finished_at__gt=last.finished_at) | Q(finished_at=last.finished_at, pk__gt=last.pk)
    RatingBook.objects.filter(pk=1).update(unwritten_from=None)


def _parts(lines: QuerySet[RatingLine]) -> Iterator[QuerySet[RatingLine]]:
    """The lines in parts, until none is left: each must be changed so that it is no longer among them."""
    while part := list(lines.values_list("pk", flat=True)[:AT_ONCE]):
        yield RatingLine.objects.filter(pk__in=part)
