"""Keeps the ratings in step with the results of matches, by a job, so that no table waits for it.

A match that ends adds its lines. If the result of an older match changes, and its players have played since, all lines
from then on are calculated again as the next edition of the book. Until it is complete, the old edition counts; then
the news say what it changed.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from operator import itemgetter, neg
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from scorekeeper.models import AuditEntry, Job, Match, Player, RatingBook, RatingDue, RatingLine, RatingNews
from scorekeeper.models.job import RATINGS
from scorekeeper.ratings import Change, Ladder, Rules
from scorekeeper.selectors.ratings import (
    CLUB,
    GROUPS,
    SCOPES,
    SERVER,
    Edition,
    Known,
    Rated,
    Scope,
    all_after,
    before,
    edition,
    groups_of,
    in_edition,
    rated,
    stored,
)
from scorekeeper.services import jobs
from scorekeeper.services.changes import announce, in_one_transaction

KIND = RATINGS
AT_ONCE = 1000  # matches or lines in one transaction, because plays wait for it on SQLite
IN_MEMORY = 10_000  # matches whose lines are calculated before they are written by player
LINES = 'scorekeeper_ratingline (at, match_id, player_id, person_id, game, "values", everywhere, since)'


class Cause(NamedTuple):
    """Why older ratings are calculated again. `kind`: a match was `entered`, its `result` changed, it was `removed`,
    `restored` or is `uncounted`; people were `merged` (the first into the second), `separated` or `linked`; other
    `rules` of what counts; a tournament, `event`, was `event-removed` or `event-restored`; a `repair`. With the club,
    and whatever it is about."""

    kind: str
    club: int | None
    match: int | None = None
    players: Sequence[int] = ()
    event: int | None = None


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
    stale = Q(stale_from__isnull=False) | Q(next_from__isnull=False)
    return RatingDue.objects.exists() or RatingBook.objects.filter(stale).exists()


@in_one_transaction
def recalculate(matches: QuerySet[Match], *, why: Cause, now: datetime) -> None:
    """Has the ratings since the oldest of these matches calculated again."""
    first = matches.aggregate(first=Min("finished_at"))["first"]
    if first:
        _make_stale(_locked_book(), first, why)
        for club in matches.order_by("club").values_list("club", flat=True).distinct():
            announce(kind="ratings", club_id=club, now=now)
        start(now=now)


def lock() -> None:
    """Lets no other writer change ratings, or who is one person, until the end of the transaction."""
    _locked_book()


# --- the job -------------------------------------------------------------------------------------------------
def work(run: jobs.Run) -> None:
    """Counts the matches that are due, and writes the next edition of the book, from where it is stale. Whoever reads
    ratings sees the old edition until the new one is complete; so they do if a worker dies, and the next one goes on.
    """
    _delete_old()
    now: Known | None = None
    while True:
        _keep_due(run)
        if (first := _next(run)) is not None:
            now = _write(run, first)
        elif _done(run, _moved(now)):
            break
    _delete_old()


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
    counting = edition()
    old = list(in_edition(counting).filter(match=match_id))
    found = rated(Match.objects.filter(pk=match_id))
    new = [line for match in found for line in _lines(match, _ladders(before(match, counting)), counting.number)]
    if _stored(old) == _calculated(new):
        return
    changed_from = min([each.at for each in old] + [each.at for each in found])
    players = {each.player_id for each in old}.union(*(each.players for each in found))
    persons = {each.person_id for each in old}.union(*(each.persons for each in found))
    later = Q(at__gt=changed_from) | Q(at=changed_from, match__gt=match_id)
    theirs = Q(player__in=players) | Q(person__in=persons)
    is_last = not in_edition(counting).exclude(match=match_id).filter(later, theirs).exists()
    if is_last:
        RatingLine.objects.filter(pk__in=[line.pk for line in old]).delete()
        _insert(new)
        announce(kind="ratings", club_id=club, now=now)
    if book.next_from or not is_last:
        _make_stale(book, changed_from, Cause(_what_happened(match_id, old, new), club, match_id))
        announce(kind="ratings", club_id=club, now=now)


Line = tuple[Any, ...]
"""What is written of a match for one of its players, in the columns of LINES, with the ratings in JSON. A class would
take longer: Python's garbage collector looks through its objects again and again."""

Ladders = dict[tuple[Scope, str], Ladder]


def _ladders(known: Known) -> Ladders:
    return {each: Ladder(ratings) for each, ratings in known.items()}


def _lines(match: Rated, ladders: Ladders, since: int) -> list[Line]:
    """The lines of a match, which counts in the ladders of each of its scopes and groups, since an edition."""
    groups = groups_of(match.game)
    club, server = (match.contests.get(scope) for scope in SCOPES)
    of_club = {group: ladders[CLUB, group].rate(club) for group in groups} if club else {}
    known = of_club if server is club else {}
    of_server = {group: ladders[SERVER, group].rate(server, known.get(group, ())) for group in groups} if server else {}
    here = _values(match, of_club)
    # For nearly everybody the same objects, so that they are calculated, compared and written as text once.
    everywhere = here if of_server == of_club else _values(match, of_server)
    return [
        (match.at, match.match, player, person, match.game, values, others, since)
        for player, person, values, others in zip(match.players, match.persons, here, everywhere, strict=True)
    ]


def _values(match: Rated, changes: Mapping[str, Sequence[Change]]) -> Sequence[str | None]:
    """Of each player, by group; None if the match does not count. In JSON by orjson, because most of the time that json
    takes is for the digits of floats."""
    if not changes:
        return [None] * len(match.players)
    by_group = [[stored(change) for change in each] for each in changes.values()]
    return [orjson.dumps(dict(zip(changes, each, strict=True))).decode() for each in zip(*by_group, strict=True)]


def _stored(lines: Iterable[RatingLine]) -> list[tuple[Any, ...]]:
    return sorted([(line.player_id, line.at, line.values, line.everywhere) for line in lines])


def _calculated(lines: Iterable[Line]) -> list[tuple[Any, ...]]:
    return sorted([(player, at, *map(_read, values)) for at, _match, player, _person, _game, *values, _since in lines])


def _read(values: str | None) -> Any:
    return None if values is None else json.loads(values)


def _what_happened(match_id: int, old: Collection[RatingLine], new: Collection[Line]) -> str:
    """The kind of cause, by the lines of the match before and now."""
    if old and new:
        return "result"
    removed, restored = AuditEntry.Kind.MATCH_REMOVED, AuditEntry.Kind.MATCH_RESTORED
    last = AuditEntry.objects.filter(match=match_id, kind__in=[removed, restored]).order_by("-pk").first()
    if old:
        return "removed" if last and last.kind == removed else "uncounted"
    return "restored" if last else "entered"


def _insert(lines: Sequence[Line]) -> None:
    """In SQL, because a calculation writes hundreds of thousands: rows of models take three times as long."""
    with connection.cursor() as cursor:
        INSERTING[connection.vendor](cursor, lines)


def _inserted(cursor: CursorWrapper, lines: Sequence[Line]) -> None:
    adapted = connection.ops.adapt_datetimefield_value
    rows = [(adapted(at), *others) for at, *others in lines]
    cursor.executemany(f"INSERT INTO {LINES} VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", rows)  # noqa: S608


def _copied(cursor: CursorWrapper, lines: Sequence[Line]) -> None:
    with cursor.copy(f"COPY {LINES} FROM STDIN") as copy:
        for line in lines:
            copy.write_row(line)


INSERTING = {"sqlite": _inserted, "postgresql": _copied}


def _locked_book() -> RatingBook:
    """The book, for this writer alone until the end of the transaction."""
    RatingBook.objects.get_or_create(pk=1)
    return RatingBook.objects.select_for_update(no_key=True).get(pk=1)


def _make_stale(book: RatingBook, since: datetime, why: Cause) -> None:
    """All lines from a time on must be calculated again. The book must be locked."""
    book.stale_from = min(since, book.stale_from or since)
    cause = {**why._asdict(), "players": [*why.players], "since": since.isoformat()}
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
        book.stale_from, book.unwritten_from = None, first
        book.next_from = min(first, book.next_from or first)
        book.save()
    return first


def _write(run: jobs.Run, first: datetime) -> Known:
    """Writes the lines of all matches that ended since `first`, for the next edition. Returns everybody's ratings after
    the last one."""
    following = _following(RatingBook.objects.get(pk=1))
    for part in _parts(RatingLine.objects.filter(since=following.number, at__gte=first)):
        with _held(run):
            part.delete()
    ladders = _ladders(all_after(in_edition(following).filter(at__lt=first)))
    matches = in_order(Match.objects.filter(finished_at__gte=first), progress=run.progress)
    while lines := [line for match in islice(matches, IN_MEMORY) for line in _lines(match, ladders, following.number)]:
        # Those of a player are neighbours in the indexes: each transaction changes fewer pages, and so does each
        # that deletes them one day.
        lines.sort(key=itemgetter(2))
        for done in range(0, len(lines), AT_ONCE):
            with _held(run):
                _insert(lines[done : done + AT_ONCE])
    with transaction.atomic():
        book = _locked_book()
        run.hold()
        book.unwritten_from = None
        book.save(update_fields=["unwritten_from"])
    return {each: ladder.ratings for each, ladder in ladders.items()}


@contextmanager
def _held(run: jobs.Run) -> Iterator[None]:
    """A transaction of the worker that has the job: one that was given up writes nothing any more."""
    with transaction.atomic():
        run.hold()
        yield


def wrong(*, progress: Callable[[int, int], None]) -> list[int]:
    """The matches whose lines are not those of a calculation of everything, from the oldest result on."""
    counting = edition()
    ladders: Ladders = {(scope, group): Ladder() for scope in SCOPES for group in GROUPS}
    counted: set[int] = set()
    found: list[int] = []
    matches = in_order(Match.objects.all(), progress=progress)
    while part := list(islice(matches, AT_ONCE)):
        stored: dict[int, list[RatingLine]] = defaultdict(list)
        for line in in_edition(counting).filter(match__in=[match.match for match in part]):
            stored[line.match_id].append(line)
        for match in part:
            if _calculated(_lines(match, ladders, counting.number)) != _stored(stored[match.match]):
                found.append(match.match)
            counted.add(match.match)
    there = in_edition(counting).order_by("match").values_list("match", flat=True).distinct()
    return [*found, *(match for match in there if match not in counted)]


def in_order(
    matches: QuerySet[Match], *, rules: Rules | None = None, progress: Callable[[int, int], None]
) -> Iterator[Rated]:
    """Those of the matches that count, from the oldest to the newest, as `rated` says. `progress` gets the number of
    matches that are done, and of all."""
    todo = matches.filter(finished_at__isnull=False).order_by("finished_at", "pk")
    total, since = todo.count(), Q()
    # Only the times at which a part ends: to read all of them would take a twentieth of the job.
    number = Window(RowNumber(), order_by=["finished_at", "pk"])
    ends = todo.annotate(beyond=number % AT_ONCE).filter(beyond=0).values_list("finished_at", flat=True)
    for part, end in enumerate([*ends, None], start=1):
        yield from rated(todo.filter(since & Q(finished_at__lte=end) if end else since), rules)
        since = Q(finished_at__gt=end)
        progress(min(part * AT_ONCE, total), total)


Moved = dict[int | None, dict[str, list[tuple[int, int | None, int | None, int | None, int | None]]]]
"""By club (None: on the whole server) and group: the player, the rating before and now, and the place in the ranking
before and now; None for no rating."""
Table = dict[tuple[int | None, str], dict[int, int]]
"""By club and group: the rating that is shown of each player."""


def _following(book: RatingBook) -> Edition:
    """The next edition, which must have been begun."""
    assert book.next_from
    return Edition(book.edition + 1, book.next_from)


def _moved(now: Known | None) -> Moved:
    """Whose rating the next edition changes; nobody's, if the old one has no lines. `now`: everybody's ratings at its
    end; None reads them. Seven queries at most."""
    found: Moved = defaultdict(lambda: defaultdict(list))
    book = RatingBook.objects.filter(next_from__isnull=False).first()
    old = in_edition(edition())
    if book is None or not old.exists():
        return found
    players = dict(Player.objects.values_list("pk", "club"))
    hidden = set(Player.objects.filter(hidden=True).values_list("pk", flat=True))
    olds = _shown(all_after(old), players)
    news = _shown(all_after(in_edition(_following(book))) if now is None else now, players)
    for key in sorted(olds.keys() | news.keys(), key=str):
        earlier, later = olds.get(key, {}), news.get(key, {})
        if earlier == later:
            continue
        before, after = _places(earlier, hidden), _places(later, hidden)
        found[key[0]][key[1]] = [
            (player, one, other, before.get(one), after.get(other))
            for player in sorted(earlier.keys() | later.keys())
            if (one := earlier.get(player)) != (other := later.get(player))
        ]
    return found


def _shown(known: Known, club_of: Mapping[int, int]) -> Table:
    found: Table = defaultdict(dict)
    for (scope, group), ratings in known.items():
        for player, rating in ratings.items():
            found[club_of[player] if scope is CLUB else None, group][player] = rating.shown
    return found


def _places(shown: Mapping[int, int], hidden: Collection[int]) -> dict[int | None, int]:
    """The place for each rating: 1 and the number of people with a better one, of those who are not hidden."""
    order = sorted((rating for player, rating in shown.items() if player not in hidden), reverse=True)
    return {rating: 1 + bisect_left(order, -rating, key=neg) for rating in set(order)}


@in_one_transaction
def _done(run: jobs.Run, moved: Moved) -> bool:
    """Makes the next edition count, if there is one, and ends the job. False if there is more to write."""
    book = _locked_book()
    if book.stale_from or book.unwritten_from or RatingDue.objects.exists():
        return False
    if book.next_from:
        now = run.clock()
        changed = RatingLine.objects.filter(at__gte=book.next_from)
        for club in changed.order_by("player__club").values_list("player__club", flat=True).distinct():
            announce(kind="ratings", club_id=club, now=now)
        book.edition, book.old_from, book.next_from = book.edition + 1, book.next_from, None
        if moved:
            since = min(datetime.fromisoformat(each["since"]) for each in book.causes)
            RatingNews.objects.bulk_create(
                RatingNews(club_id=club, edition=book.edition, at=now, since=since, causes=book.causes, moved=groups)
                for club, groups in moved.items()
            )
        book.causes = []
        book.save()
    run.done()
    return True


def _delete_old() -> None:
    """Deletes the lines that a newer edition has written anew."""
    counting = edition()
    for part in _parts(RatingLine.objects.filter(since__lt=counting.number, at__gte=counting.own_from)):
        part.delete()
    RatingBook.objects.filter(edition=counting.number).update(old_from=None)


def _parts(lines: QuerySet[RatingLine]) -> Iterator[QuerySet[RatingLine]]:
    """The lines in parts, until none is left."""
    after = 0
    while ends := lines.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[AT_ONCE - 1 : AT_ONCE]:
        yield lines.filter(pk__gt=after, pk__lte=ends[0])
        after = ends[0]
    if (rest := lines.filter(pk__gt=after)).exists():
        yield rest
