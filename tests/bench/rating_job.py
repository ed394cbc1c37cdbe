"""How long the job takes that calculates the ratings of all matches: the first time, and again when the oldest result
has changed, so that everybody's lines are written anew while the old ones still count.

    python tests/bench/rating_job.py [--matches 20000] [--people 1000] [--profile]

Makes a club with random results in a fresh data folder. Prints the time of the worker and its processor time, with two
ratios to bare openskill in memory: to one that rates each match once, and to one that calculates the same ratings, once
for each group of games of the match. DATABASE_URL selects another database, which must be empty; its server's processor
time is not counted.
"""

import argparse
import cProfile
import os
import pstats
import random
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "scorekeeper.settings"
_folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
os.environ["SCOREKEEPER_DATA"] = _folder.name

import django

django.setup()

from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from openskill.models import PlackettLuce

from scorekeeper.models import Club, Job, Match, Player, RatingLine, SeatResult
from scorekeeper.ratings import Contest
from scorekeeper.selectors.ratings import SERVER, groups_of
from scorekeeper.services import jobs, ratings
from scorekeeper.serving.garbage import skip_what_stays

SEATS = {"block": 2, "all-fives": 2, "domino-whist": 4, "domizerka": 3}
YEARS = timedelta(days=730)


def fill(matches: int, people: int, rng: random.Random) -> Club:
    """A club with random results of two, three and four people: more of those who have a higher number."""
    now = timezone.now()
    club = Club.objects.create(slug="large", name="Large", created_at=now)
    players = Player.objects.bulk_create(Player(club=club, name=f"Player {n:05}") for n in range(people))
    ended = [now - YEARS * (matches - number) / matches for number in range(matches)]
    played = Match.objects.bulk_create(
        (
            Match(
                club=club,
                game=rng.choice([*SEATS, "block"]),
                options={},
                sheet={},
                offers={},
                status=Match.Status.FINISHED,
                created_at=at,
                finished_at=at,
            )
            for at in ended
        ),
        batch_size=1000,
    )
    SeatResult.objects.bulk_create((each for match in played for each in results(match, players, rng)), batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return club


def results(match: Match, players: list[Player], rng: random.Random) -> list[SeatResult]:
    seats = SEATS[match.game]
    sides = 3 if seats == 3 else 2
    drawn = rng.sample(range(len(players)), seats)
    luck = [sum(drawn[side::sides]) / len(players) + rng.gauss(0, 1) for side in range(sides)]
    return [
        SeatResult(
            match=match,
            club_id=match.club_id,
            game=match.game,
            number=seat,
            seat=seat,
            player=players[number],
            side=seat % sides,
            hands=5,
            points=0,
            against=0,
            others=sides - 1,
            place=1 + sum(other > luck[seat % sides] for other in luck),
            counts=True,
            unverified=False,
            figures={},
        )
        for seat, number in enumerate(drawn)
    ]


def bare(contests: list[tuple[str, Contest]]) -> float:
    """The processor time of openskill with nothing around it, in seconds. Each contest with the name of its rating."""
    model = PlackettLuce()
    known = {(of, player): model.rating() for of, contest in contests for side in contest.sides for player in side}
    began = process_time()
    for of, contest in contests:
        teams = [[known[of, player] for player in side] for side in contest.sides]
        after = model.rate(teams, ranks=[float(place) for place in contest.places])
        for side, team in zip(contest.sides, after, strict=True):
            known.update(zip([(of, player) for player in side], team, strict=True))
    return process_time() - began


def work(profile: bool) -> tuple[float, float]:
    """The time of the worker, and its processor time, in seconds."""
    waiting = Job.objects.get(kind=ratings.KIND, state=Job.State.NEW)
    profiler = cProfile.Profile()
    began, busy = perf_counter(), process_time()
    if profile:
        profiler.enable()
    jobs.run(waiting.pk, {ratings.KIND: ratings.work})
    profiler.disable()
    took = perf_counter() - began, process_time() - busy
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(35)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    club = fill(asked.matches, asked.people, random.Random(1))
    contests = [
        match.contests[SERVER] for match in ratings.in_order(Match.objects.all(), progress=lambda _done, _total: None)
    ]
    same = [(group, contest) for contest in contests for group in groups_of(contest.game)]
    alone = [("all", contest) for contest in contests]
    print(f"{len(alone)} matches, {len(same)} ratings of them, {connection.vendor}")
    skip_what_stays()  # as a worker does; so it does not look through the contests either, which no worker has
    oldest = Match.objects.filter(pk=Match.objects.order_by("finished_at").values("pk")[:1])
    for name in ("the first time", "again"):
        if name == "again":  # the worst side of the oldest match wins after all
            first = SeatResult.objects.filter(match=oldest.get())
            places = dict(first.values_list("pk", "place"))
            for pk, place in places.items():
                first.filter(pk=pk).update(place=1 + max(places.values()) - place)
        ratings.recalculate(oldest, why=ratings.Cause("rules", club.pk), now=timezone.now())
        before = bare(alone), bare(same)
        wall, busy = work(asked.profile)
        # The machine may be slower in one minute than in the next one.
        once, peer = map(mean, zip(before, (bare(alone), bare(same)), strict=True))
        print(
            f"{name}: {wall:.1f} s, of the processor {busy:.1f} s, {RatingLine.objects.count()} lines; bare openskill: "
            f"{once:.1f} s for `rate` once a match, {peer:.1f} s for the same ratings; "
            f"{busy / once:.1f} and {busy / peer:.1f} times as long"
        )


if __name__ == "__main__":
    main()
