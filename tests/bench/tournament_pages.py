"""How long the pages with the results of a large tournament take.

    python tests/bench/tournament_pages.py [--entrants 1000] [--rounds 15]

Makes a tournament for two at a table with random results in a fresh data folder, and prints for each page the processor
time, the number of queries and the size: for the first visitor, for the next one, after a play that changes no result,
and after a result that was corrected; then the same for the other pages, and for a result that is confirmed.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "scorekeeper.settings"
_folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
os.environ["SCOREKEEPER_DATA"] = _folder.name

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import games
from scorekeeper.access import Actor
from scorekeeper.live.parts import kept
from scorekeeper.models import Club, Event, EventEntry, Match, Membership, Player, Role, Seat, Table, User
from scorekeeper.services import clubs, matches, tournaments
from scorekeeper.services.changes import announce, in_one_transaction
from tests.conftest import enter
from tests.nights import at, first
from tests.tournaments import setup_of

ORDER = ["points", "head-to-head", "buchholz-cut-1", "sonneborn-berger", "difference"]
HAND = {"points": [0, 12], "left": [12, 0], "out": 0, "state": "counted"}  # the sheet of a match has one for each hand
HANDS = 8


def tournament(entrants: int, rounds: int, rng: random.Random) -> Event:
    """Everybody plays in each round against somebody chosen at random."""
    now = timezone.now()
    club = Club.objects.create(slug="big", name="Big", created_at=now)
    players = Player.objects.bulk_create(Player(club=club, name=f"Player {n}") for n in range(1, entrants + 1))
    tables = Table.objects.bulk_create(Table(club=club, number=n) for n in range(1, entrants // 2 + 1))
    event = tournaments.start(club=club, name="Big", setup=setup_of("block", "heads", order=ORDER), step=first("start"))
    tournaments.enter(event_id=event.pk, entrants=[[each.pk] for each in players], step=at(event, "enter"))
    event.refresh_from_db()
    steps: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        order = rng.sample(players, entrants)
        pairs = list(zip(order[::2], order[1::2], strict=True))
        steps += [_draft(tables, pairs), {"kind": "seat"}]
        _play(event, number, tables, pairs, rng)
    EventEntry.objects.bulk_create(
        EventEntry(event=event, seq=seq, kind=step["kind"], payload=step, at=now, key=str(seq))
        for seq, step in enumerate(steps, event.length)
    )
    Event.objects.filter(pk=event.pk).update(length=event.length + len(steps))
    return event


def _draft(tables: list[Table], pairs: list[tuple[Player, Player]]) -> dict[str, Any]:
    match = {"game": "block", "options": {"hands": 1}, "minutes": None}
    pairings = [
        match | {"table": table.number, "players": [one.pk, other.pk]}
        for table, (one, other) in zip(tables, pairs, strict=True)
    ]
    return {"kind": "draft", "planned": True, "round": {"pairings": pairings, "byes": []}}


def _play(
    event: Event, number: int, tables: list[Table], pairs: list[tuple[Player, Player]], rng: random.Random
) -> None:
    now = timezone.now()
    made = Match.objects.bulk_create(
        Match(
            club=event.club,
            table=table,
            event=event,
            round=number,
            game="block",
            options={"hands": 1},
            status=Match.Status.FINISHED,
            length=20,
            sheet=_sheet(rng),
            offers={},
            created_at=now,
            finished_at=now,
        )
        for table in tables
    )
    Seat.objects.bulk_create(
        Seat(match=match, number=seat, begun=seat, player=player, name=player.name)
        for match, pair in zip(made, pairs, strict=True)
        for seat, player in enumerate(pair)
    )


def _sheet(rng: random.Random) -> dict[str, Any]:
    totals = rng.choice(([50, 30], [30, 30], [20, 90]))
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    return {"totals": totals, "winners": winners, "hands": [HAND] * HANDS, "finished": True, "stopped": ""}


def begun(event: Event, number: int) -> None:
    """Every table of the round is in play, before its first hand is over."""
    sheet = {"totals": [0, 0], "winners": [], "hands": [], "finished": False, "stopped": ""}
    event.matches.filter(round=number).update(status=Match.Status.PLAYING, finished_at=None, sheet=sheet, minutes=20)
    kept.cache_clear()  # this was no step


@in_one_transaction
def changed(event: Event) -> None:
    match = event.matches.order_by("pk")[0]
    announce(kind="entry", club_id=event.club_id, now=timezone.now(), event=event, match=match)


def over(event: Event, rounds: int) -> Match:
    """A match of the last round that two more players have just played, with its log."""
    now = timezone.now()
    players = [clubs.player_add(club=event.club, name=name, now=now).pk for name in ("Ana", "Bo")]
    table = clubs.table_add(club=event.club, now=now)
    match = matches.open_match(
        table=table,
        game="block",
        options={"hands": 1},
        players=players,
        by=Actor(),
        now=now,
        event=event,
        round_number=rounds,
    )
    record = games.random_match("block", match.options, ["Ana", "Bo"], random.Random(1))
    return enter(match, games.entries(record))


def director_of(club: Club) -> Client:
    user = User.objects.create_user("director")
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def timed(what: str, address: str, visitor: Client | None = None, status: int = 200, **more: Any) -> HttpResponse:
    visitor = visitor or Client()
    with CaptureQueriesContext(connection) as queries:
        began = process_time()
        page: HttpResponse = (visitor.post if "data" in more else visitor.get)(address, **more)
        spent = process_time() - began
    assert page.status_code == status, page.content
    print(f"{what:44}{1000 * spent:8.0f} ms{len(queries):5} queries{len(page.content) / 1000:8.0f} kB")
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    event = tournament(options.entrants // 2 * 2, options.rounds, random.Random(1))
    at_it = f"/tournaments/{event.pk}/"
    timed("standings, the first visitor", f"{at_it}standings/")
    timed("standings, the next one", f"{at_it}standings/")
    changed(event)
    timed("standings after a play without a result", f"{at_it}standings/")
    match = event.matches.order_by("pk")[0]
    match.sheet |= {"totals": [99, 0], "winners": [0]}
    match.save()
    changed(event)
    timed("standings after a corrected result", f"{at_it}standings/")
    for what in (
        "standings/?after=1",
        "entrants/1/",
        "cross-table/",
        "standings.csv",
        "results.csv",
        "file.json",
        "schedule/",
        "print/schedule/",
        "print/standings/",
        "print/cross-table/",
    ):
        timed(what, f"{at_it}{what}")
    director = director_of(event.club)
    for what in ("", "seats/", "screen/", "desk/"):
        timed(f"{what or 'first page'}, the first visitor", f"{at_it}{what}", director if what == "desk/" else None)
        page = timed("    the next one", f"{at_it}{what}", director if what == "desk/" else None)
        if tag := page.headers.get("ETag"):
            timed("    who has it already", f"{at_it}{what}", status=304, headers={"If-None-Match": tag})
    begun(event, options.rounds)
    timed("desk/ with a round in play, the first visitor", f"{at_it}desk/", director)
    timed("    the next one", f"{at_it}desk/", director)
    match = over(event, options.rounds)
    address = f"/matches/{match.pk}/confirm/"
    for seat in (0, 1):
        entry = json.dumps({"kind": "confirm", "seats": [seat]})
        sent = {"entry": entry, "seen": match.length + seat, "key": f"confirm-{seat}"}
        timed("a result confirmed", address, director, status=303, data=sent)


if __name__ == "__main__":
    main()
