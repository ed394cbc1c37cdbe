"""A demonstration club: random matches played through the same services as real ones."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import games
from scorekeeper.access import Actor
from scorekeeper.models import Club, Table
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


@dataclass(frozen=True)
class Play:
    """A match to be played: its record, and the entries of it that are made."""

    record: dict[str, Any]
    entries: list[dict[str, Any]]


def make(*, rng: random.Random, now: datetime) -> Club:
    """Twelve players, three tables; at each some finished matches and one that goes on at `now`.

    The same `rng` and `now` give the same club. Each step is a transaction of its own, as on a real evening.
    Refused if the demonstration is there already.
    """
    club = clubs.demo_club(name="Demonstration", now=now)
    ids = {name: clubs.player_add(club=club, name=name, now=now).pk for name in PLAYERS}
    for _table in range(TABLES):
        table = clubs.table_add(club=club, now=now)
        plays = [_draw_up(table.number + n, rng, going_on=n == FINISHED_EACH) for n in range(FINISHED_EACH + 1)]
        clock = now - BREAK * FINISHED_EACH - ENTRY_TAKES * sum(len(play.entries) for play in plays)
        for play in plays:
            clock = _play(table, play, ids, clock) + BREAK
    return club


def _draw_up(n: int, rng: random.Random, *, going_on: bool) -> Play:
    """A random match of the n-th game (in turn, again and again); one that goes on stops in its last hand."""
    game = list(games.GAMES.values())[n % len(games.GAMES)]
    record = games.random_match(game.slug, {"hands": HANDS}, rng.sample(PLAYERS, game.seats[0]), rng)
    entries = games.entries(record)
    return Play(record, entries[: -rng.randrange(5, 12)] if going_on else entries)


def _play(table: Table, play: Play, ids: Mapping[str, int], clock: datetime) -> datetime:
    """Opens the match and makes its entries one by one; the time of the last."""
    by = Actor()
    match = matches.open_match(
        table=table,
        game=play.record["game"],
        options=play.record["options"],
        players=[ids[name] for name in play.record["players"]],
        by=by,
        now=clock,
    )
    for seen, entry in enumerate(play.entries):
        clock += ENTRY_TAKES
        matches.record(match_id=match.pk, seen=seen, key=f"demo-{seen}", entry=entry, by=by, now=clock)
    return clock
