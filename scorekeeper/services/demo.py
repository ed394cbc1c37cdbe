"""A demonstration club: random matches played through the same services as real ones."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import games
from scorekeeper.access import Actor
from scorekeeper.models import Club, Table
from scorekeeper.selectors.matches import recordable
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
ROUNDS = 4
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

    The tables play in rounds, so that nobody sits at two of them at once. The same `rng` and `now` give the same
    club. Each step is a transaction of its own, as on a real evening. Refused if the demonstration is there already.
    """
    club = clubs.demo_club(name="Demonstration", now=now)
    ids = {name: clubs.player_add(club=club, name=name, now=now).pk for name in PLAYERS}
    tables = [clubs.table_add(club=club, now=now) for _number in range(TABLES)]
    rounds = [_draw_up(number, rng) for number in range(ROUNDS)]
    clock = now + BREAK - sum(map(_takes, rounds), timedelta())
    for plays in rounds:
        for table, play in zip(tables, plays, strict=True):
            _play(table, play, ids, clock)
        clock += _takes(plays)
    return club


def _draw_up(number: int, rng: random.Random) -> list[Play]:
    """A random match for each table, of the games that a table can record in turn; in the last round they stop in
    their last hand."""
    plays, free = [], rng.sample(PLAYERS, len(PLAYERS))
    known = [game for game in games.GAMES.values() if recordable(game)]
    for table in range(TABLES):
        game = known[(number + table) % len(known)]
        seated, free = free[: game.seats[0]], free[game.seats[0] :]
        record = games.random_match(game.slug, {"hands": HANDS}, seated, rng)
        entries = games.entries(record)
        plays.append(Play(record, entries[: -rng.randrange(5, 12)] if number == ROUNDS - 1 else entries))
    return plays


def _takes(plays: list[Play]) -> timedelta:
    """How long a round takes, with the break after it."""
    return ENTRY_TAKES * max(len(play.entries) for play in plays) + BREAK


def _play(table: Table, play: Play, ids: Mapping[str, int], clock: datetime) -> None:
    """Opens the match and makes its entries one by one."""
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
