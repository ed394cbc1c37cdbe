"""How long a search by name takes among many people, by the index and by reading all names.

    python tests/bench/search.py [--names 50000]

Makes clubs with people in a fresh database, on PostgreSQL if DATABASE_URL is set, and prints for texts of each kind the
milliseconds of a search for people, the best of five, with those of reading and judging all names, and their ratio;
then of whole pages.
"""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
_folder = tempfile.TemporaryDirectory(prefix="scorekeeper-bench-")
os.environ["SCOREKEEPER_DATA"] = _folder.name

import django

django.setup()

from django.db import connection
from django.test import Client
from django.utils import timezone

from scorekeeper.access import Actor, players_for
from scorekeeper.models import Club, FormerName, Player
from scorekeeper.names import fit, folded
from scorekeeper.selectors.search import known_people

CLUBS = 50
FORMER = 20  # one of so many has a former name
FIRST = [*"bcdfghjklmnprstvwz", "br", "gr", "kr", "sch", "st", "th", ""]
LAST = ["", "", "l", "n", "r", "s", "t", "nd"]
TEXTS = ("a", "an", "ros", "marno", "schani", "lutras kano", "brandolinu", "zqx")
PAGES = (
    "/search/?q=marno",
    "/search/?q=an",
    "/search/?q=marno+kela",
    "/search/?q=zarmu",
    "/search/?q=schnabu+kxlo",
    "/players/",
    "/players/?page=500",
    "/players/?q=ros",
)


def names(number: int, chance: random.Random) -> Iterator[str]:
    """Different names of a first and a last name, some first names more often than others."""
    firsts = sorted({_word(2, chance) for _name in range(400)})
    weights = [1 / rank for rank in range(1, len(firsts) + 1)]
    for count in range(number):
        (first,) = chance.choices(firsts, weights)
        last = _word(chance.choice((2, 2, 3, 3, 4)), chance)
        yield f"{first} {last} {count}" if count % 10 == 0 else f"{first} {last}"


def _word(syllables: int, chance: random.Random) -> str:
    parts = (chance.choice(FIRST) + chance.choice("aeiou") + chance.choice(LAST) for _syllable in range(syllables))
    return "".join(parts).capitalize()


def fill(number: int) -> None:
    chance, now = random.Random(1), timezone.now()
    clubs = Club.objects.bulk_create(
        Club(slug=f"club-{each}", name=f"Club {each}", created_at=now) for each in range(CLUBS)
    )
    found = {(chance.choice(clubs), name): None for name in names(number, chance)}
    players = Player.objects.bulk_create((Player(club=club, name=name) for club, name in found), batch_size=1000)
    former = zip(players[::FORMER], names(len(players), chance), strict=False)
    FormerName.objects.bulk_create(
        (FormerName(player=player, name=name, folded=folded(name), until=now) for player, name in former),
        batch_size=1000,
    )
    if connection.vendor == "postgresql":
        connection.cursor().execute("ANALYZE")


def by_reading(text: str) -> list[int]:
    """Who fits, found by reading and judging all names."""
    everybody = [*players_for(Actor()).values_list("pk", "name"), *FormerName.objects.values_list("player", "name")]
    fits = sorted((how, name, player) for player, name in everybody if (how := fit(text, name)) is not None)
    return [player for _how, _name, player in fits]


def by_index(text: str) -> list[int]:
    known = known_people(players_for(Actor()), text)
    return [player for player, _name in known.fits[text]]


def milliseconds(work: Callable[[str], object], about: str, rounds: int) -> float:
    """The least of some rounds."""
    times = []
    for _round in range(rounds):
        start = perf_counter()
        work(about)
        times.append(perf_counter() - start)
    return min(times) * 1000


def main(number: int) -> None:
    connection.creation.create_test_db(verbosity=0)
    try:
        fill(number)
        print(f"{connection.vendor}, {Player.objects.count()} people")
        for text in TEXTS:
            index, reading = milliseconds(by_index, text, 5), milliseconds(by_reading, text, 1)
            found, fitting = len(set(by_index(text))), len(set(by_reading(text)))
            times = f"{index:.0f} ms, by reading all {reading:.0f} ms, ratio {index / reading:.3f}"
            print(f"{text}: {times}, {found} of {fitting} found", flush=True)
        client = Client(headers={"host": "localhost"})
        for page in PAGES:
            print(f"{page}: {milliseconds(client.get, page, 5):.0f} ms")
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", type=int, default=50_000)
    main(parser.parse_args().names)
