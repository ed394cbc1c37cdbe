"""How much slower the pages of an old club are than those of a young one, and how quick a club's page is at all.

    python tests/bench/old_club.py [--matches 10000] [--rounds 30]

Makes a club with 100 matches and one with 10,000 in a fresh SQLite folder, between 60 players who have met at weekly
nights, and asks for each page in turn. Prints the processor time of one answer, when the page has been drawn once, and
the ratio of the two clubs; then the ratio to a bare Django view that answers "ok", and to one that reads a row, writes
a row and commits, with a play recorded from a page.
"""

import argparse
import json
import os
import random
import tempfile
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from time import process_time
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
_folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
os.environ["SCOREKEEPER_DATA"] = _folder.name

import django
from django.test.utils import setup_test_environment

django.setup()
setup_test_environment()

from django.contrib.auth.decorators import login_not_required
from django.core.management import call_command
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone

from scorekeeper import urls
from scorekeeper.access import Actor
from scorekeeper.models import Club, Event, LogEntry, Match, Player, Seat, SeatResult, Table
from scorekeeper.services import matches, recording, tables

GAME = "domino-whist"
PEOPLE, AT_A_NIGHT = 60, 20


@login_not_required
def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


@login_not_required
def reads_and_writes(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=request.GET["table"])
        table.name = "" if table.name else "by the window"
        table.save(update_fields=["name"])
    return HttpResponse("ok")


urls.urlpatterns += [path("bare/", bare), path("reads-and-writes/", reads_and_writes)]


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


def cost(ask: Callable[[], HttpResponse], rounds: int) -> float:
    """Milliseconds of processor time of one answer, the median of many."""
    ask()
    assert ask().status_code == 200
    times = []
    for _ in range(rounds):
        began = process_time()
        ask()
        times.append(process_time() - began)
    return 1000 * median(times)


def plays(rounds: int) -> float:
    """The same for a play from a page, of a line that grows."""
    club = Club.objects.get(slug="young")
    table = Table.objects.create(club=club, number=99)
    now = timezone.now()
    match = matches.open_match(
        table=table, game="dom", options={}, players=["Ana", "Bo"], by=Actor(), now=now, beside=True
    )
    phone = Client()
    phone.get(f"/t/{tables.fresh_token(table=table, now=now)}/", follow=True)
    import games

    plan = games.entries(games.random_match("dom", {"hands": 30}, ["Ana", "Bo"], random.Random(1)))
    sent = iter(enumerate(plan))

    def play() -> HttpResponse:
        seen, entry = next(sent)
        body = {"seen": seen, "key": f"k{seen}", "entry": json.dumps(entry)}
        return phone.post(f"/matches/{match.pk}/entries/", body, headers={"X-Part": "sheet"})

    found = cost(play, rounds)
    assert LogEntry.objects.filter(match=match).count() == rounds + 2
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    rng = random.Random(1)
    young, old = club_of("young", 100, rng), club_of("old", options.matches, rng)
    visitor = Client()
    half = {club: club.matches.order_by("pk")[club.matches.count() // 2].pk for club in (young, old)}
    pages: dict[str, Callable[[Club], str]] = {
        "club page": lambda club: f"/clubs/{club.slug}/",
        "points of a game": lambda club: f"/clubs/{club.slug}/?game={GAME}",
        "older matches": lambda club: f"/clubs/{club.slug}/?before={half[club]}",
    }
    for name, of in pages.items():
        few, many = (cost(lambda club=club, of=of: visitor.get(of(club)), options.rounds) for club in (young, old))
        print(
            f"{name:17} 100 matches {few:6.1f} ms;  {options.matches} matches {many:6.1f} ms;  ratio {many / few:.2f}"
        )
    plain = cost(lambda: visitor.get("/bare/"), 20 * options.rounds)
    page = cost(lambda: visitor.get("/clubs/young/"), options.rounds)
    print(f"bare view {plain:.2f} ms; the club page is {page / plain:.1f} times that")
    writes = cost(lambda: visitor.get(f"/reads-and-writes/?table={young.tables.all()[0].pk}"), options.rounds)
    play = plays(min(options.rounds, 30))
    print(
        f"a row read, a row written {writes:.2f} ms; a play from a page {play:.2f} ms, {play / writes:.1f} times that"
    )


if __name__ == "__main__":
    main()
