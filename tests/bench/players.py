"""Measures how fast the page of a player is, compared with the ranking of their club on the same computer.

    python tests/bench/players.py [--matches 1000] [--rounds 20]

Makes a club with nights of random matches in a fresh data folder, all of them played by one person, and calculates the
ratings. Both pages are asked for in turn, within this process. The results are the number of queries, the size, the
median of the processor times, and the ratio of these.
"""

import argparse
import random
from statistics import median
from time import process_time

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pages import club_of

from scorekeeper.models import Club, Job, Match, Player, Seat, SeatResult
from scorekeeper.services import jobs, ratings
from scorekeeper.tasks import WORK


def somebody_in_all_of(club: Club) -> Player:
    """Who plays in all matches of the club: in a seat of their own, or the first one."""
    player = Player.objects.filter(club=club).earliest("pk")
    others = Match.objects.filter(club=club).exclude(seats__player=player)
    Seat.objects.filter(match__in=others, number=0).update(player=player, name=player.name)
    SeatResult.objects.filter(match__in=others.values("pk"), seat=0).update(player=player)
    return player


def rated(club: Club) -> None:
    ratings.recalculate(Match.objects.filter(club=club), why=ratings.Cause("people", club.pk), now=timezone.now())
    while job := Job.objects.filter(kind=ratings.KIND, state=Job.State.NEW).first():
        jobs.run(job.pk, WORK)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    club = club_of("busy", options.matches, random.Random(1))
    player = somebody_in_all_of(club)
    rated(club)
    visitor = Client(HTTP_HOST="127.0.0.1")
    found: dict[str, list[float]] = {f"/clubs/{club.slug}/ranking/": [], f"/players/{player.pk}/": []}
    for _round in range(options.rounds):
        for address, times in found.items():
            began = process_time()
            answer = visitor.get(address)
            times.append(1000 * (process_time() - began))
            assert answer.status_code == 200, answer.status_code
    for address, times in found.items():
        with CaptureQueriesContext(connection) as queries:
            size = len(visitor.get(address).content)
        first, rest = times[0], median(times[1:])
        print(f"{address:28} {len(queries):2} queries {size:7} bytes  first {first:6.1f} ms  then {rest:6.1f} ms")
    plain, of_player = (median(times[1:]) for times in found.values())
    print(f"ratio {of_player / plain:.2f}")


if __name__ == "__main__":
    main()
