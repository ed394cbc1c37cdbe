"""The stored ratings: in step with the results, whatever changes in whatever order, and complete at any moment."""

from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import GAMES
from games.errors import GameError
from scorekeeper.access import Actor
from scorekeeper.models import Event, Job, Match, Player, RatingBook, RatingLine, SamePerson, Table
from scorekeeper.ratings import DEFAULT, Ladder, Rules
from scorekeeper.selectors.matches import _positions
from scorekeeper.selectors.rankings import Ranked, Wanted, of_club, of_server, players_ranked, ranking
from scorekeeper.selectors.ratings import SCOPES, Scope, edition, groups_of, in_edition, rated, stored
from scorekeeper.services import claims, jobs, matches, people, persons, rating_rules, ratings, removing
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, enter

TWO, OTHER = [slug for slug, game in GAMES.items() if game.seats == (2,)][:2]
FAMILY = GAMES[TWO].family
PARTNERS = next(slug for slug, game in GAMES.items() if len(game.sides(4)) == 2)
NAMES = ("Ana", "Bo", "Cleo", "Dan")
HOUR = timedelta(hours=1)


def played(cast: Cast, game: str, names: tuple[str, ...], totals: list[int], at: datetime = NOW) -> Match:
    match = matches.open_match(
        table=cast.table, game=game, options={}, players=names, by=Actor(), now=at, parallel=True
    )
    return enter(match, [{"kind": "result", "totals": totals, "stopped": "time"}], now=at)


def at_the_other_club(cast: Cast) -> Cast:
    """The same people and tables, with whom somebody plays at the other club."""
    table, _new = Table.objects.get_or_create(club=cast.other_club, number=1)
    return replace(cast, table=table)


def linked(cast: Cast, *names: str) -> None:
    """Who has one of these names in both clubs is one person."""
    for name in names:
        person = cast.club.players.get(name=name)
        Player.objects.filter(name=name).update(person=person)


def work_off() -> None:
    """Runs the jobs that wait."""
    while job := Job.objects.filter(kind=ratings.KIND, state=Job.State.NEW).first():
        jobs.run(job.pk, WORK)


def kept() -> dict[int, dict[int, Any]]:
    """The lines that count, by match and player: the person, the ratings in the club and those on the server."""
    found: dict[int, dict[int, Any]] = {}
    for line in in_edition(edition()):
        assert line.player_id not in found.setdefault(line.match_id, {})
        found[line.match_id][line.player_id] = [line.person_id, line.values, line.everywhere]
    return found


def calculated() -> dict[int, dict[int, Any]]:
    """The same from the results alone, from the oldest to the newest."""
    ladders: dict[tuple[Scope, str], Ladder] = defaultdict(Ladder)
    found: dict[int, dict[int, Any]] = {}
    for match in rated(Match.objects.order_by("finished_at", "pk")):
        people = zip(match.players, match.persons, strict=True)
        found[match.match] = {player: [person, None, None] for player, person in people}
        for place, scope in enumerate(SCOPES, 1):
            for group in groups_of(match.game) if scope in match.contests else ():
                changes = ladders[scope, group].rate(match.contests[scope])
                for player, change in zip(match.players, changes, strict=True):
                    values = found[match.match][player][place] or {}
                    found[match.match][player][place] = {**values, group: stored(change)}
    return found


def shown(cast: Cast, group: str = TWO, at: datetime = NOW) -> dict[str, int]:
    names = dict(cast.club.players.values_list("pk", "name"))
    return {names[each.person]: each.rating.shown for each in ranked(cast, group, at)}


def ranked(cast: Cast, group: str, at: datetime) -> list[Ranked]:
    return ranking(of_club(cast.club), Wanted(group=group, at=at, since=at))[0]


def test_a_match_that_ends_moves_its_players_in_its_game_and_its_family(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    work_off()
    assert FAMILY
    assert shown(cast) == shown(cast, FAMILY) == {"Ana": 1579, "Bo": 1421}
    assert shown(cast, OTHER) == {}
    played(cast, OTHER, ("Ana", "Bo"), [90, 10], NOW + HOUR)
    work_off()
    assert shown(cast, OTHER, NOW + HOUR) == {"Ana": 1579, "Bo": 1421}
    assert shown(cast, FAMILY, NOW + HOUR)["Ana"] > 1579
    assert kept() == calculated()
    assert edition().number == 1


def test_partners_rise_and_fall_together(cast: Cast) -> None:
    played(cast, PARTNERS, NAMES, [10, 60, 10, 60])
    work_off()
    values = shown(cast, PARTNERS)
    assert values["Ana"] == values["Cleo"]
    assert values["Bo"] == values["Dan"]
    assert (values["Ana"] > 1500) is GAMES[PARTNERS].lower_wins


def test_what_does_not_count_moves_nobody(cast: Cast) -> None:
    abandoned = matches.open_match(
        table=cast.table, game=TWO, options={}, players=NAMES[:2], by=Actor(), now=NOW, parallel=True
    )
    enter(abandoned, [{"kind": "stop", "stopped": "abandoned"}])
    replaced = matches.open_match(
        table=cast.table, game=TWO, options={}, players=NAMES[:2], by=Actor(), now=NOW, parallel=True
    )
    substitute = {"kind": "substitute", "seat": 0, "player": "Cleo", "from": 0}
    enter(replaced, [substitute, {"kind": "result", "totals": [90, 10], "stopped": "time"}])
    work_off()
    assert RatingLine.objects.count() == 0


def test_the_last_match_can_be_undone_and_played_again(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    last = played(cast, TWO, ("Ana", "Cleo"), [90, 10], NOW + HOUR)
    work_off()
    enter(last, [{"kind": "undo"}], prefix="u", now=NOW + 2 * HOUR)
    work_off()
    assert set(shown(cast, at=NOW + 3 * HOUR)) == {"Ana", "Bo"}
    enter(last, [{"kind": "result", "totals": [10, 90], "stopped": "time"}], prefix="v", now=NOW + 3 * HOUR)
    work_off()
    assert kept() == calculated()
    assert edition().number == 1


def test_an_older_result_that_changes_moves_everything_after_it_at_once(cast: Cast) -> None:
    first = played(cast, TWO, ("Ana", "Bo"), [90, 10])
    played(cast, TWO, ("Bo", "Cleo"), [90, 10], NOW + HOUR)
    played(cast, TWO, ("Cleo", "Dan"), [90, 10], NOW + 2 * HOUR)
    later = NOW + 3 * HOUR
    work_off()
    before, lines = shown(cast, at=later), kept()
    removing.remove(match_id=first.pk, why="Twice", now=later, by=None)
    assert (shown(cast, at=later), kept()) == (before, lines)  # until all is calculated
    work_off()
    assert edition().number == 2
    assert kept() == calculated() != lines
    assert set(shown(cast, at=later)) == {"Bo", "Cleo", "Dan"}
    assert RatingLine.objects.count() == len(kept()) * 2  # nothing of the old edition is left
    removing.restore(match_id=first.pk, now=later, by=None)
    work_off()
    assert kept() == lines


def test_a_match_of_an_earlier_day_finds_its_place(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    played(cast, TWO, ("Cleo", "Dan"), [90, 10], NOW - 2 * HOUR)
    work_off()
    assert edition().number == 1  # nobody of them has played since
    played(cast, TWO, ("Ana", "Cleo"), [10, 90], NOW - HOUR)
    work_off()
    assert edition().number == 2
    assert kept() == calculated()


def test_a_merge_carries_ratings_and_separating_gives_them_back(cast: Cast) -> None:
    played(cast, TWO, ("Ana", "Bo"), [90, 10])
    played(cast, TWO, ("Annie", "Cleo"), [90, 10], NOW + HOUR)
    work_off()
    later, lines = NOW + 2 * HOUR, kept()
    ana, annie = (Player.objects.get(club=cast.club, name=name) for name in ("Ana", "Annie"))
    people.merge(club=cast.club, player_id=annie.pk, into_id=ana.pk, now=later)
    work_off()
    assert set(shown(cast, at=later)) == {"Ana", "Bo", "Cleo"}
    assert kept() == calculated()
    people.separate(club=cast.club, player_id=annie.pk, now=later)
    work_off()
    assert kept() == lines


def test_the_old_rankings_stay_until_who_was_merged_or_linked_is_calculated(cast: Cast) -> None:
    for hours, names in enumerate((("Ana", "Bo"), ("Annie", "Cleo"))):
        played(cast, TWO, names, [90, 10], NOW + hours * HOUR)
    played(at_the_other_club(cast), TWO, ("Ana", "Bo"), [90, 10], NOW)
    work_off()
    boards = of_club(cast.club), of_server(Player.objects.all())
    wanted = Wanted(group=TWO, at=NOW + HOUR, since=NOW)

    def rankings() -> list[list[tuple[Ranked, str]]]:
        found = [(board, ranking(board, wanted)[0]) for board in boards]
        return [
            [(each, players_ranked(board, [each.person])[each.person][0].name) for each in people]
            for board, people in found
        ]

    ana, away = (Player.objects.get(club=club, name="Ana") for club in (cast.club, cast.other_club))
    annie = Player.objects.get(club=cast.club, name="Annie")
    old = rankings()
    who, now = {"club": cast.club, "player_id": ana.pk}, NOW + HOUR
    for change in (
        lambda: people.merge(club=cast.club, player_id=annie.pk, into_id=ana.pk, now=now),
        lambda: people.separate(club=cast.club, player_id=annie.pk, now=now),
        lambda: persons.ask(**who, other_id=away.pk, at_once=True, by=None, now=now),
        lambda: persons.end(club=cast.club, link_id=SamePerson.objects.get().pk, by=None, now=now),
    ):
        change()
        assert rankings() == old
        work_off()
        assert rankings() != old
        old = rankings()


class Killed(BaseException):
    """The end of a worker."""


def test_a_worker_that_is_killed_leaves_the_old_ranking(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    games = [played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + hour * HOUR) for hour in range(7)]
    later = NOW + 10 * HOUR
    work_off()
    removing.remove(match_id=games[0].pk, why="Twice", now=later, by=None)
    before = shown(cast, at=later)
    for checks in range(1, 10):
        job = Job.objects.get(kind=ratings.KIND, state=Job.State.NEW)
        left = iter(range(checks))

        def clock(left: Any = left) -> datetime:
            """The worker asks for the time when it writes its progress."""
            if next(left, None) is None:
                raise Killed
            return later

        with pytest.raises(Killed):
            jobs.run(job.pk, WORK, clock=clock)
        assert shown(cast, at=later) == before
        Job.objects.filter(pk=job.pk).update(state=Job.State.NEW, run_after=NOW, tries=0)
        # meanwhile, play goes on
        played(cast, TWO, ("Cleo", "Dan"), [90, 10], later + checks * HOUR)
    work_off()
    assert kept() == calculated()
    assert shown(cast, at=later) != before


def test_a_worker_that_comes_back_late_writes_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stood still for so long that another worker has done its job."""
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    games = [played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + hour * HOUR) for hour in range(7)]
    later = NOW + 10 * HOUR
    work_off()
    for moment in count(1):
        removing.remove(match_id=games[0].pk, why="Twice", now=later, by=None)
        job = Job.objects.get(kind=ratings.KIND, state=Job.State.NEW)
        left = iter(range(moment))

        def clock(job: Job = job, left: Any = left) -> datetime:
            mine = Job.objects.filter(pk=job.pk, tries=1, state=Job.State.RUNNING)
            # Not in a transaction of the worker, which would undo all of it.
            if not connection.savepoint_ids and next(left, None) is None and mine.exists():
                removing.restore(match_id=games[0].pk, now=later, by=None)
                jobs.sweep(now=later + 2 * jobs.LEASE)
                work_off()
            return later

        jobs.run(job.pk, WORK, clock=clock)
        work_off()
        assert kept() == calculated()
        if len(kept()) < len(games):  # it had ended before this moment
            break
    assert moment > 5


def test_old_lines_do_not_count_while_they_wait_for_deletion(cast: Cast) -> None:
    games = [played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + hour * HOUR) for hour in range(5)]
    work_off()

    at_the_end = iter([False, False, True])

    def killed(execute: Any, sql: str, *rest: Any) -> Any:
        """The worker looks for old lines when it begins (two queries for none), and when the new ones count."""
        if '"scorekeeper_ratingline"."since" < ' in sql and next(at_the_end):
            raise Killed
        return execute(sql, *rest)

    removing.remove(match_id=games[2].pk, why="Twice", now=NOW + 9 * HOUR, by=None)
    with pytest.raises(Killed), connection.execute_wrapper(killed):
        work_off()
    assert edition().number == 2
    assert RatingLine.objects.count() == 2 * (5 + 2)  # those of the last two matches twice
    assert kept() == calculated()
    there = shown(cast, at=NOW + 9 * HOUR)
    removing.remove(match_id=games[4].pk, why="Twice", now=NOW + 9 * HOUR, by=None)
    work_off()
    assert kept() == calculated()
    assert shown(cast, at=NOW + 9 * HOUR) != there
    assert RatingLine.objects.count() == 2 * 3


def test_lines_that_are_missing_or_wrong_are_found_and_calculated_again(cast: Cast) -> None:
    games = [played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + hour * HOUR) for hour in range(5)]
    work_off()
    good = kept()
    assert rebuilt("--check") == "ratings: 0 differ"
    RatingLine.objects.filter(match=games[1]).delete()
    line = RatingLine.objects.filter(match=games[3]).latest("pk")
    line.values[TWO][0] += 1
    line.save()
    with pytest.raises(CommandError, match=r"the ratings after 2"):
        rebuilt("--check")
    assert rebuilt() == "ratings: 2 to calculate again"
    assert rebuilt() == "ratings: not compared, because they wait for the worker"
    work_off()
    assert kept() == good
    assert rebuilt("--check") == "ratings: 0 differ"


def rebuilt(*options: str) -> str:
    """What `manage.py rebuild` says about ratings."""
    out = StringIO()
    call_command("rebuild", *options, stdout=out)
    return out.getvalue().splitlines()[-1]


# --- all of it in any order -----------------------------------------------------------------------------------
CLUBS = ("rovers", "wanderers")
SIX = ("Ana", "Annie", "Bo", "Bob", "Cleo", "Dan")
CLUB = st.sampled_from(CLUBS)
TOTALS = st.sampled_from([(90, 10), (10, 90), (50, 50)])
NUMBER = st.integers(0, 12)  # an hour, or which one of those that are there
RULES = (DEFAULT, Rules(agreed=50), Rules(agreed=0), Rules(nights=200), Rules(unverified=False))
PLAY = st.tuples(
    st.just("play"),
    CLUB,
    st.permutations(SIX),
    st.sampled_from([TWO, TWO, TWO, OTHER, OTHER, PARTNERS]),
    NUMBER,
    TOTALS,
    st.booleans(),
)
STEPS = st.lists(
    st.one_of(
        PLAY,
        st.tuples(st.sampled_from(["remove", "restore", "take_back", "separate", "end", "release"]), NUMBER),
        st.tuples(st.just("correct"), NUMBER, NUMBER, TOTALS),
        st.tuples(st.just("rules"), CLUB, st.sampled_from(RULES)),
        st.tuples(st.just("merge"), CLUB, NUMBER, NUMBER),
        st.tuples(st.just("merge"), CLUB, NUMBER, NUMBER),
        st.tuples(st.just("link"), NUMBER, NUMBER),
        st.tuples(st.just("claim"), CLUB, NUMBER),
        st.tuples(st.just("work")),
        st.tuples(st.just("kill"), st.integers(0, 15)),
    ),
    min_size=8,
    max_size=16,
)


class Mixture:
    """Everything that changes ratings, in two clubs. A step that is refused changes nothing."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.tables = {table.club.slug: table for table in (cast.table, Table(club=cast.other_club, number=1))}
        self.tables["wanderers"].save()
        self.nights = {
            slug: Event.objects.create(club=table.club, kind="night", started_at=NOW, closed_at=NOW + 99 * HOUR)
            for slug, table in self.tables.items()
        }
        self.number = 0

    def do(self, what: str, *about: Any) -> bool:
        """Whether the step was done, not refused."""
        self.number += 1
        try:
            getattr(self, what)(*about)
        except (Refused, GameError, ObjectDoesNotExist):
            return False
        return True

    def play(self, club: str, names: list[str], game: str, hour: int, totals: tuple[int, int], at_night: bool) -> None:
        seats = GAMES[game].seats[0]
        match = matches.open_match(
            table=self.tables[club],
            game=game,
            options={},
            players=names[:seats],
            by=Actor(),
            now=NOW,
            event=self.nights[club] if at_night else None,
            parallel=True,
        )
        self._end(match, hour, totals)

    def correct(self, which: int, hour: int, totals: tuple[int, int]) -> None:
        """Another result, which may also come at another time."""
        match = chosen(Match.every.all(), which)
        if match.finished_at and not match.removed:
            self._enter(match, {"kind": "undo"}, match.finished_at)
        self._end(match, hour, totals)

    def take_back(self, which: int) -> None:
        """The match is in play again."""
        self._enter(chosen(Match.every.all(), which), {"kind": "undo"}, NOW)

    def remove(self, which: int) -> None:
        removing.remove(match_id=chosen(Match.every.all(), which).pk, why="Twice", now=NOW, by=None)

    def restore(self, which: int) -> None:
        removing.restore(match_id=chosen(Match.every.all(), which).pk, now=NOW, by=None)

    def rules(self, club: str, rules: Rules) -> None:
        rating_rules.choose(club=self.tables[club].club, rules=rules, by=None, now=NOW)

    def merge(self, club: str, one: int, into: int) -> None:
        player, other = self._player(club, one), self._player(club, into)
        people.merge(club=player.club, player_id=player.pk, into_id=other.pk, now=NOW)

    def separate(self, which: int) -> None:
        player = chosen(Player.objects.exclude(merged_into=None), which)
        people.separate(club=player.club, player_id=player.pk, now=NOW)

    def link(self, one: int, there: int) -> None:
        player, other = (self._player(*each) for each in zip(CLUBS, (one, there), strict=True))
        persons.ask(club=player.club, player_id=player.pk, other_id=other.pk, at_once=True, by=None, now=NOW)

    def end(self, which: int) -> None:
        link = chosen(SamePerson.objects.all(), which)
        persons.end(club=link.asked_by.club, link_id=link.pk, by=None, now=NOW)

    def claim(self, club: str, one: int) -> None:
        player = self._player(club, one)
        token = claims.make_link(club=player.club, player_id=player.pk, by=None, now=timezone.now())
        claims.claim(token=token, user=self.cast.users["player"], now=timezone.now())

    def release(self, which: int) -> None:
        claims.release(player_id=chosen(Player.objects.exclude(user=None), which).pk, by=None, now=NOW)

    def work(self) -> None:
        work_off()

    def kill(self, checks: int) -> None:
        """A worker ends while it writes; the sweep sends its job again."""
        job = Job.objects.filter(kind=ratings.KIND, state=Job.State.NEW).first()
        left = iter(range(checks))

        def clock() -> datetime:
            if next(left, None) is None:
                raise Killed
            return NOW

        if job:
            with suppress(Killed):
                jobs.run(job.pk, WORK, clock=clock)
            Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(state=Job.State.NEW, tries=0)

    def _end(self, match: Match, hour: int, totals: tuple[int, int]) -> None:
        result = {"kind": "result", "totals": [*totals] * (match.seats.count() // 2), "stopped": "time"}
        self._enter(match, result, NOW + hour * HOUR)

    def _enter(self, match: Match, entry: dict[str, Any], at: datetime) -> None:
        enter(match, [entry], prefix=f"{self.number}-", now=at)

    def _player(self, club: str, which: int) -> Player:
        return chosen(Player.objects.filter(club__slug=club, merged_into=None), which)


def chosen(rows: QuerySet[Any], which: int) -> Any:
    """One of the rows. ObjectDoesNotExist if there is none."""
    numbers = [*rows.order_by("pk").values_list("pk", flat=True)]
    return rows.get(pk=numbers[which % len(numbers)] if numbers else None)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PLAY, min_size=4, max_size=8), STEPS)
def test_in_any_order_the_lines_are_those_of_a_whole_calculation(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, plays: list[tuple[Any, ...]], steps: list[tuple[Any, ...]]
) -> None:
    monkeypatch.setattr(ratings, "AT_ONCE", 2)
    with transaction.atomic():
        mixture = Mixture(cast)
        for step in [*plays, ("work",), *steps]:
            mixture.do(*step)
        work_off()
        RatingBook.objects.get_or_create(pk=1)
        assert kept() == calculated()
        transaction.set_rollback(True)
    _positions.clear()  # after a rollback, the next match has the same id


def test_ratings_of_any_day(cast: Cast) -> None:
    for day in range(3):
        played(cast, TWO, ("Ana", "Bo"), [90, 10], NOW + day * 24 * HOUR)
    work_off()
    values = [shown(cast, at=NOW + day * 24 * HOUR)["Ana"] for day in range(3)]
    assert values == sorted(values)
    assert len({*values}) == 3
    assert shown(cast, at=NOW - HOUR) == {}
    ana, _bo = ranked(cast, TWO, NOW + 900 * 24 * HOUR)
    assert ana.rating.shown == values[-1]
    assert ana.rating.uncertainty > 200
