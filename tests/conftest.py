"""The cast shared by all tests: a club with its people and tables, another club, and phones of every kind."""

import asyncio
import gc
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.http import StreamingHttpResponse
from django.test import Client, TestCase
from django.utils import timezone

import games
from scorekeeper.access import Actor
from scorekeeper.live import parts
from scorekeeper.models import Change, Club, LogEntry, Match, Membership, Player, Role, Table, User
from scorekeeper.selectors import matches as match_selectors
from scorekeeper.services import matches, recording, tables
from tests.running import running

if TYPE_CHECKING:  # the name that the stubs give to an answer of the test client
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytest_plugins = ["tests.services_needed", "tests.workers"]

NOW = datetime(2026, 5, 9, 19, 30, tzinfo=UTC)

# Tests leave few cycles behind, and looking for them so often takes a sixth of the time of a test of pages.
gc.set_threshold(100_000, 20, 100)


@dataclass
class Phone:
    """A program that sends JSON with this `token`, or without any."""

    token: str | None = None
    language: str = "en"
    client: Client = field(default_factory=Client)

    @property
    def headers(self) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {"Accept-Language": self.language, **bearer}

    def get(self, path: str) -> "Answer":
        return self.client.get(path, headers=self.headers)

    def post(self, path: str, body: Any, content_type: str = "application/json") -> "Answer":
        """Sends `body` unchanged if it is bytes, else as JSON."""
        sent = body if isinstance(body, bytes) else json.dumps(body)
        return self.client.post(path, sent, content_type=content_type, headers=self.headers)

    def verdicts(self, body: Any, content_type: str = "application/json") -> tuple[str, str]:
        """The type and the text of the answer to these records."""
        answer = self.post("/api/v1/records/verify/", body, content_type)
        assert answer.status_code == 200
        assert isinstance(answer, StreamingHttpResponse)

        async def read() -> bytes:
            return b"".join([part async for part in answer])

        return answer.headers["Content-Type"], asyncio.run(read()).decode()


@dataclass
class Cast:
    """A club with its people, tables and phones, and a second club."""

    club: Club
    other_club: Club
    table: Table
    other_table: Table
    users: Mapping[str, User]
    """The users by role; `stranger` owns the other club."""

    def phone(self, *, table: Table | None = None, ago: timedelta = timedelta(0), language: str = "en") -> Phone:
        """A phone that scanned the code of `table` (default: the first table) some time ago."""
        return Phone(tables.fresh_token(table=table or self.table, now=timezone.now() - ago), language)

    def browser(self, who: str) -> Client:
        """A browser in which this user is signed in."""
        client = Client()
        client.force_login(self.users[who], backend="django.contrib.auth.backends.ModelBackend")
        return client

    def open(self, game: str, *, table: Table | None = None, **options: Any) -> Match:
        """A match between people who are not players of the club, next to any other match at the table."""
        return matches.open_match(
            table=table or self.table,
            game=game,
            options=options,
            players=names_for(game),
            by=Actor(),
            now=NOW,
            parallel=True,
        )


def names_for(game: str) -> list[str]:
    """Names for the smallest number of players in this game."""
    return ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[game].seats[0]]


def totals_for(game: str, sides: int) -> list[int]:
    """Totals by side that a match can have, each different."""
    totals = [20, 0, -20] if game == "domizerka" else [90, 70, 50, 30]
    return totals[:sides]


def plan_for(game: str, seed: int = 1, **options: Any) -> list[dict[str, Any]]:
    """The entries of a random match."""
    plan: list[dict[str, Any]] = json.loads(_plan(game, seed, tuple(options.items())))
    return plan


@cache
def _plan(game: str, seed: int, options: tuple[tuple[str, Any], ...]) -> str:
    return json.dumps(games.entries(games.random_match(game, dict(options), names_for(game), random.Random(seed))))


PLAYED = ("hand", "move", "left", "note")


def enter(
    match: Match, entries: list[dict[str, Any]], *, by: Actor | None = None, prefix: str = "k", now: datetime = NOW
) -> Match:
    """Enters all this after the existing entries, and returns the match. What was played goes into the log at once,
    except for the last entry; that one and other kinds are recorded one by one, and callbacks on commit run after each,
    not at the end of the test."""
    by = by or Actor()
    written = list(takewhile(lambda entry: entry["kind"] in PLAYED, entries[:-1]))
    if len(written) > 1:
        rows = [(seq, f"{prefix}{seq}", entry) for seq, entry in enumerate(written, match.length)]
        LogEntry.objects.bulk_create(
            LogEntry(match=match, seq=seq, key=key, kind=entry["kind"], payload=entry, user=by.user, at=now)
            for seq, key, entry in rows
        )
        with TestCase.captureOnCommitCallbacks(execute=True):
            recording.rebuild(match_id=match.pk)
        match.refresh_from_db()
        entries = entries[len(written) :]
    for seen, entry in enumerate(entries, match.length):
        with TestCase.captureOnCommitCallbacks(execute=True):
            recording.record(match_id=match.pk, seen=seen, key=f"{prefix}{seen}", entry=entry, by=by, now=now)
    match.refresh_from_db()
    return match


def last_change() -> tuple[str, set[str]]:
    """The kind of the last change, and its topics."""
    topics: set[str] = set()
    newest = Change.objects.latest("pk")
    for row in Change.objects.order_by("-pk"):
        if (row.kind, row.match_id, row.length) != (newest.kind, newest.match_id, newest.length) or row.topic in topics:
            break
        topics.add(row.topic)
    return newest.kind, topics


def snapshot(match: Match) -> tuple[Any, ...]:
    """Everything that a refused entry must leave unchanged."""
    match = Match.objects.get(pk=match.pk)
    log = LogEntry.objects.filter(match=match).values_list("seq", "key", "payload")
    return match.length, match.status, match.sheet, match.offers, match.finished_at, list(log)


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    """Clears what is cached by id, because after a rollback the next test gets the same ids."""
    yield
    match_selectors._positions.clear()
    parts.kept.cache_clear()


@pytest.fixture(params=sorted(games.GAMES))
def game(request: pytest.FixtureRequest) -> str:
    """The slug of every game in turn."""
    slug: str = request.param
    return slug


@pytest.fixture(params=sorted(slug for slug, game in games.GAMES.items() if game.board == "line"))
def tapped_game(request: pytest.FixtureRequest) -> str:
    """In turn, the slug of every game in which tiles are laid to a line of play and nothing else happens."""
    slug: str = request.param
    return slug


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a server that was started with --demo and stopped cleanly, for copying."""
    data = tmp_path_factory.mktemp("demonstration") / "data"
    with running(data, "--demo") as server:
        assert f"{server.port}/clubs/demo/" in server.output
        server.ctrl_c()
        assert server.ended() == 0
    return data


@pytest.fixture
def cast(db: None) -> Cast:
    return cast_of_two_clubs()


@contextmanager
def lasting_cast(database: Any) -> Iterator[Cast]:
    """One cast for all tests of a module that undo what they do. `database`: the fixture `django_db_blocker`."""
    with database.unblock(), transaction.atomic():
        yield cast_of_two_clubs()
        transaction.set_rollback(True)


def cast_of_two_clubs() -> Cast:
    club = Club.objects.create(slug="rovers", name="Rovers", created_at=NOW)
    other_club = Club.objects.create(slug="wanderers", name="Wanderers", created_at=NOW)
    users = {str(role): User.objects.create_user(str(role)) for role in Role}
    for role in Role:
        Membership.objects.create(user=users[role], club=club, role=role)
    users["stranger"] = User.objects.create_user("stranger")
    Membership.objects.create(user=users["stranger"], club=other_club, role=Role.OWNER)
    for name in ("Ana", "Bo", "Cleo", "Dan"):
        Player.objects.create(club=other_club, name=name)
    table, other_table = (Table.objects.create(club=club, number=number) for number in (1, 2))
    return Cast(club, other_club, table, other_table, users)


@pytest.fixture
def as_user(cast: Cast) -> Callable[[str], Client]:
    """A browser in which a person of the cast is signed in."""
    return cast.browser
