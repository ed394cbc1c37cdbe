"""How long the first page of the ranking of a large club takes.

    python tests/bench/ranking.py [--people 10000] [--matches 50000] [--turns 9]

Makes a club in a fresh data folder, with random ratings after matches of two people in two years. Prints the median
time until the first hundred people are found with their movements, in the club and on the server, and its ratio to
reading the newest ratings of everybody, now and a week ago, and sorting them in Python. DATABASE_URL selects another
database, which must be empty.
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "scorekeeper.settings"
_folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
os.environ["SCOREKEEPER_DATA"] = _folder.name

import django

django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games import GAMES
from scorekeeper.models import Club, Match, Player, RatingBook, RatingLine
from scorekeeper.ratings.plackett_luce import MU, SIGMA
from scorekeeper.selectors.rankings import Board, Wanted, of_club, of_server, ranking
from scorekeeper.selectors.ratings import CLUB, edition, groups_of, in_edition, newest

GAMES_PLAYED = [slug for slug, game in GAMES.items() if game.seats == (2,)][:2]
YEARS = timedelta(days=730)
WEEK = timedelta(days=7)


def club_of(people: int, matches: int, rng: random.Random, now: datetime) -> Club:
    """A club with random ratings after each of these matches."""
    club = Club.objects.create(slug="large", name="Large", created_at=now)
    players = Player.objects.bulk_create(Player(club=club, name=f"Player {n:05}") for n in range(people))
    ended = [now - YEARS * (matches - number) / matches for number in range(matches)]
    played = Match.objects.bulk_create(
        Match(
            club=club,
            game=rng.choice(GAMES_PLAYED),
            options={},
            sheet={},
            offers={},
            status=Match.Status.FINISHED,
            created_at=at,
            finished_at=at,
        )
        for at in ended
    )
    known: dict[tuple[int, str], list[float]] = {}
    RatingBook.objects.get_or_create(pk=1)
    RatingLine.objects.bulk_create(
        (line(match, player, known, rng) for match in played for player in rng.sample(players, 2)), batch_size=1000
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return club


def line(match: Match, player: Player, known: dict[tuple[int, str], list[float]], rng: random.Random) -> RatingLine:
    values = {}
    for group in groups_of(match.game):
        mu, sigma, elo, contests, *_before = known.get((player.pk, group), [MU, SIGMA, 1500, 0])
        won = rng.randint(-20, 20)
        values[group] = [mu + rng.gauss(0, 0.7), max(1.0, sigma * 0.97), elo + won, contests + 1, 1500, elo, 500]
        known[player.pk, group] = values[group]
    return RatingLine(
        match=match,
        player=player,
        person=player,
        game=match.game,
        at=match.finished_at,
        values=values,
        everywhere=values,
        since=1,
    )


def in_python(club: Club, group: str, now: datetime) -> None:
    """The baseline: everybody's ratings at both times."""
    for at in (now, now - WEEK):
        found = newest(in_edition(edition()).filter(at__lte=at), CLUB, group, club.players.values("pk"))
        sorted(found.items(), key=lambda each: -each[1].shown)


def milliseconds(work: Callable[[], Any], turns: int) -> float:
    times = []
    for _turn in range(turns):
        began = perf_counter()
        work()
        times.append(1000 * (perf_counter() - began))
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--matches", type=int, default=50_000)
    parser.add_argument("--turns", type=int, default=9)
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    now = timezone.now()
    club = club_of(asked.people, asked.matches, random.Random(1), now)
    boards: dict[str, Board] = {"club": of_club(club), "server": of_server(Player.objects.all())}
    for group in groups_of(GAMES_PLAYED[0]):
        wanted = Wanted(group=group, at=now, since=now - WEEK)
        baseline = milliseconds(lambda: in_python(club, group, now), asked.turns)  # noqa: B023 (called at once)
        for name, board in boards.items():
            ours = milliseconds(lambda: ranking(board, wanted, at_most=100), asked.turns)  # noqa: B023
            print(f"{connection.vendor}, {group}, {name}: {ours:.0f} ms, in Python {baseline:.0f} ms, ratio", end=" ")
            print(f"{ours / baseline:.2f}")


if __name__ == "__main__":
    main()
