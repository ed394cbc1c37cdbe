"""Measures how fast pages and plays are, compared with a bare Django view on the same server.

    python tests/bench/pages.py [--matches 10000] [--rounds 100]

Makes a club with 100 matches and one with 10,000 in a fresh data folder, between 60 players who have met at weekly
nights, and a match of each game. The server of `manage.py up` runs in its own process, with two more views: one answers
"ok", and one reads a row, writes a row and commits. One visitor requests the two pages of each ratio in turn over one
connection. The results are median response times and their ratios. DATABASE_URL selects another database, which must be
empty.
"""

import argparse
import http.client
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "scorekeeper.settings"
if "--serve" not in sys.argv:
    _folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
    os.environ["SCOREKEEPER_DATA"] = _folder.name

import django

django.setup()

from django.contrib.auth.decorators import login_not_required
from django.core.management import call_command
from django.db import connections, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

import games
from scorekeeper import urls
from scorekeeper.access import Actor
from scorekeeper.models import Club, Event, Match, Player, Seat, SeatResult, Table
from scorekeeper.services import matches, recording, tables
from scorekeeper.serving.server import Server
from tests.waiting import free_port

GAME = "domino-whist"
PEOPLE, AT_A_NIGHT = 60, 20


# --- the server --------------------------------------------------------------------------------------------
@login_not_required
def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


@login_not_required
def reads_and_writes(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=request.POST["table"])
        table.name = "" if table.name else "by the window"
        table.save(update_fields=["name"])
    return HttpResponse("ok")


def serve(port: int) -> None:
    urls.urlpatterns += [path("bare/", bare), path("reads-and-writes/", reads_and_writes)]
    server = Server(ready=lambda: print("ready", flush=True), ending=lambda: None)
    server.config.port = port
    server.run()


@contextmanager
def served() -> Iterator[int]:
    """The port of a server in a process of its own."""
    port = free_port()
    with Popen([sys.executable, __file__, "--serve", str(port)], stdout=PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        try:
            yield port
        finally:
            process.terminate()


# --- the clubs ---------------------------------------------------------------------------------------------
def club_of(slug: str, number: int, rng: random.Random) -> Club:
    """A club with so many finished matches, the last of them today."""
    now = timezone.now()
    club = Club.objects.create(slug=slug, name=slug.title(), created_at=now)
    people = [Player.objects.create(club=club, name=f"{slug} {n:02}") for n in range(PEOPLE)]
    hall = [Table.objects.create(club=club, number=n + 1) for n in range(5)]
    plan = [{"kind": "hand", "opener": 0, "final": {"bad": [110, 30], "out": 1}}]
    one = matches.open_match(
        table=hall[0], game=GAME, options={}, players=[each.pk for each in people[:4]], by=Actor(), now=now
    )
    for seen, entry in enumerate(plan):
        recording.record(match_id=one.pk, seen=seen, key=str(seen), entry=entry, by=Actor(), now=now)
    one.refresh_from_db()
    results = list(one.results.order_by("number"))
    for start in range(1, number, AT_A_NIGHT):
        began = now - timedelta(days=7 * (number - start) // AT_A_NIGHT)
        night = Event.objects.create(club=club, kind="night", started_at=began, closed_at=began)
        made = Match.objects.bulk_create(
            copy_of(one, Match, table=hall[n % 5], event=night, created_at=began, finished_at=began)
            for n in range(min(AT_A_NIGHT, number - start))
        )
        seats, sums = [], []
        for match in made:
            who = rng.sample(people, 4)
            seats += [Seat(match=match, number=n, begun=n, player=p, name=p.name) for n, p in enumerate(who)]
            sums += [copy_of(each, SeatResult, match=match, player=who[each.seat]) for each in results]
        Seat.objects.bulk_create(seats)
        SeatResult.objects.bulk_create(sums)
    return club


def copy_of(row: Any, model: Any, **other: Any) -> Any:
    fields = {field.attname: getattr(row, field.attname) for field in model._meta.fields if not field.primary_key}
    for name, value in other.items():
        field = model._meta.get_field(name)
        fields[field.attname] = value.pk if field.is_relation else value
    return model(**fields)


# --- the visitor -------------------------------------------------------------------------------------------
class Visitor:
    """A browser with one connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, sent: dict[str, Any] | None = None, **headers: str) -> tuple[int, str, str]:
        """Status, text and ETag of an answer."""
        body = None if sent is None else urlencode(sent)
        form = {} if sent is None else {"Content-Type": "application/x-www-form-urlencoded"}
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            more["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request("GET" if sent is None else "POST", path, body, form | more)
        answer = self.connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _equals, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        text = answer.read().decode()
        if answer.status == 303 and answer.headers["Location"]:
            return self.ask(answer.headers["Location"])
        return answer.status, text, answer.headers.get("ETag", "")


def times(asks: list[Callable[[], object]], rounds: int, between: Callable[[], object] = lambda: None) -> list[float]:
    """Milliseconds until the answer to each of the `asks`: medians of as many answers, asked for in turn. What is done
    `between` two rounds is not timed."""
    found: list[list[float]] = [[] for _ in asks]
    for number in range(rounds + 3):  # the first three warm the server up
        between()
        for ask, each in zip(asks, found, strict=True):
            began = perf_counter()
            ask()
            if number > 2:
                each.append(perf_counter() - began)
    return [1000 * median(each) for each in found]


def page(visitor: Visitor, address: str) -> None:
    good(visitor.ask(address))


def good(answer: tuple[int, str, str], status: int = 200) -> tuple[int, str, str]:
    assert answer[0] == status, answer[0]
    return answer


def two_clubs(visitor: Visitor, young: Club, old: Club, rounds: int) -> None:
    half = {club: club.matches.order_by("pk")[club.matches.count() // 2].pk for club in (young, old)}
    pages: dict[str, Callable[[Club], str]] = {
        "club page": lambda club: f"/clubs/{club.slug}/",
        "points of a game": lambda club: f"/clubs/{club.slug}/?game={GAME}",
        "older matches": lambda club: f"/clubs/{club.slug}/?before={half[club]}",
    }
    number = old.matches.count()
    for name, of in pages.items():
        few, many = times([partial(page, visitor, of(young)), partial(page, visitor, of(old))], rounds)
        print(f"{name:17} 100 matches {few:6.1f} ms;  {number} matches {many:6.1f} ms;  ratio {many / few:.2f}")


def a_page(visitor: Visitor, rounds: int) -> None:
    address = "/clubs/young/"
    good(visitor.ask(address))
    tag = good(visitor.ask(address))[2]  # with the cookies of the first answer
    ok, full, unchanged = times(
        [
            lambda: good(visitor.ask("/bare/")),
            lambda: good(visitor.ask(address)),
            lambda: good(visitor.ask(address, If_None_Match=tag), 304),
        ],
        rounds,
    )
    print(f"bare view         {ok:6.2f} ms, {1000 / ok:.0f} a second")
    print(f"club page, full   {full:6.2f} ms, {1000 / full:.0f} a second, {full / ok:.1f} times the bare view")
    print(f"club page, 304    {unchanged:6.2f} ms, {unchanged / ok:.1f} times the bare view")


class Phone(Visitor):
    """A phone that records random matches of a game at a table of its own, one after the other, entry by entry."""

    def __init__(self, port: int, slug: str, number: int) -> None:
        super().__init__(port)
        self.slug, self.rng = slug, random.Random(number)
        self.table = Table.objects.create(club=Club.objects.get(slug="young"), number=number)
        self.begin()
        page = good(self.ask(f"/t/{tables.fresh_token(table=self.table, now=timezone.now())}/"))[1]
        token = re.search(r'data-csrf="(\w+)"', page)
        assert token
        self.csrf = token[1]

    def begin(self) -> None:
        """Opens the next match."""
        names = ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[self.slug].seats[0]]
        self.plan = games.entries(games.random_match(self.slug, {"hands": 12}, names, self.rng))
        self.match = matches.open_match(
            table=self.table,
            game=self.slug,
            options={"hands": 12},
            players=names,
            by=Actor(),
            now=timezone.now(),
            parallel=True,
        )
        self.seen = 0

    def go_on(self) -> None:
        if self.seen == len(self.plan):
            self.begin()

    def play(self) -> None:
        body = {"seen": self.seen, "key": f"k{self.seen}", "entry": json.dumps(self.plan[self.seen])}
        good(self.ask(f"/matches/{self.match.pk}/entries/", body, X_Part="sheet", X_CSRFToken=self.csrf))
        self.seen += 1

    def write(self) -> None:
        good(self.ask("/reads-and-writes/", {"table": self.table.pk}, X_CSRFToken=self.csrf))


def plays(port: int, rounds: int) -> None:
    """Times plays of each game from a page, in turn with the view that reads and writes a row. As many plays come
    first, as on a night after its first minutes."""
    for number, slug in enumerate(games.GAMES):
        before, phone = Phone(port, slug, 100 + number), Phone(port, slug, 200 + number)
        for _ in range(rounds):
            before.go_on()
            before.play()
        wrote, played = times([phone.write, phone.play], rounds, between=phone.go_on)
        print(f"{slug:17} a row read and written {wrote:5.2f} ms; a play {played:5.2f} ms, {played / wrote:.2f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    call_command("migrate", verbosity=0)
    rng = random.Random(1)
    young, old = club_of("young", 100, rng), club_of("old", options.matches, rng)
    connections.close_all()
    with served() as port:
        two_clubs(Visitor(port), young, old, options.rounds)
        a_page(Visitor(port), options.rounds)
        plays(port, options.rounds)


if __name__ == "__main__":
    main()
