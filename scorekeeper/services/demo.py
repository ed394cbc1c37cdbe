"""A demonstration club: random matches played through the same services as real ones."""

import random
from datetime import datetime, timedelta

import games
from scorekeeper.access import Actor
from scorekeeper.models import Club, Player, Table
from scorekeeper.services import clubs, matches

PLAYERS = (
    "Ada",
    "Bruno",
    "Carmen",
    "Dmitri",
    "Elena",
    "Farid",
    "Greta",
    "Hugo",
    "Ingrid",
    "Jamal",
    "Keiko",
    "Luis",
)
TABLES = 3
FINISHED_EACH = 3
HANDS = 4
ENTRY_TAKES = timedelta(seconds=12)
BREAK = timedelta(minutes=10)


def make(*, rng: random.Random, now: datetime) -> Club:
    """Twelve players, three tables; at each some finished matches of every game and one still going on.

    The same `rng` and `now` give the same club. Each step is a transaction of its own, as on a real evening.
    Refused if the demonstration is there already.
    """
    evening = now - timedelta(hours=5)
    club = clubs.demo_club(name="Demonstration", now=evening)
    players = [clubs.player_add(club=club, name=name, now=evening) for name in PLAYERS]
    tables = [clubs.table_add(club=club, now=evening) for _ in range(TABLES)]
    for table in tables:
        clock = evening
        for n in range(FINISHED_EACH):
            clock = _play(table, _game(table.number + n), players, rng, clock, whole=True) + BREAK
        _play(table, _game(table.number - 1), players, rng, clock, whole=False)
    return club


def _game(n: int) -> games.Game:
    """Every game in turn."""
    return list(games.GAMES.values())[n % len(games.GAMES)]


def _play(
    table: Table, game: games.Game, players: list[Player], rng: random.Random, clock: datetime, *, whole: bool
) -> datetime:
    """Plays a match, to its end or to somewhere in its last hand; the time of its last entry."""
    seated = rng.sample(players, game.seats[0])
    record = games.random_match(game.slug, {"hands": HANDS}, [player.name for player in seated], rng)
    entries = games.entries(record)
    if not whole:
        entries = entries[: -rng.randrange(5, 15)]
    by = Actor()
    match = matches.open_match(
        table=table,
        game=game.slug,
        options=record["options"],
        players=[player.pk for player in seated],
        by=by,
        now=clock,
    )
    for seen, entry in enumerate(entries):
        clock += ENTRY_TAKES
        matches.record(match_id=match.pk, seen=seen, key=f"demo-{seen}", entry=entry, by=by, now=clock)
    return clock
