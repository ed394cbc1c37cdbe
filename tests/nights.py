"""Club nights for tests: people come, are drawn and play, by the same services as in a hall."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import Match, Night
from scorekeeper.services import clubs, nights
from tests.conftest import NOW, Cast, enter, plan_for

NAMES = (
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
    "Marta",
    "Nils",
    "Olga",
    "Pedro",
    "Quirin",
    "Rosa",
    "Samuel",
    "Teresa",
    "Umberto",
    "Vera",
    "Walter",
    "Xenia",
    "Yusuf",
    "Zoe",
)


def names_of(count: int) -> list[str]:
    """As many different names as wanted."""
    return [f"{name} {'ABCDEFGHIJ'[turn]}." if turn else name for turn in range(10) for name in NAMES][:count]


def night_of(
    cast: Cast,
    players: int = 24,
    *,
    names: Sequence[str] | None = None,
    games: Sequence[str] = ("domino-whist",),
    rounds: int = 1,
    hands: int = 1,
    minutes: int | None = None,
    now: datetime = NOW,
) -> Night:
    """A night of the club of `cast` with so many people, at as many tables as fit.

    `rounds` are drawn and seated; of all but the last the matches are played to their end, `hands` each.
    """
    ids = [clubs.player_add(club=cast.club, name=name, now=now).pk for name in names or names_of(players)]
    night = nights.start(club=cast.club, players=ids, by=Actor(), key="start", now=now)
    for number in range(rounds):
        for match in night.matches.filter(status=Match.Status.PLAYING):
            played(match, seed=match.pk)
        seated(night, games=games, hands=hands, minutes=minutes, now=now + timedelta(minutes=40 * number))
    night.refresh_from_db()
    return night


def seated(
    night: Night,
    *,
    games: Sequence[str] = ("domino-whist",),
    hands: int = 1,
    minutes: int | None = None,
    now: datetime = NOW,
) -> list[Match]:
    """Draws and seats the next round: one table of each game but the first, all others of the first."""
    drawn(night, games=games, hands=hands, minutes=minutes, now=now)
    return nights.seat(night_id=night.pk, by=Actor(), key=f"seat-{_seen(night)}", now=now)


def drawn(
    night: Night,
    *,
    games: Sequence[str] = ("domino-whist",),
    hands: int = 1,
    minutes: int | None = None,
    now: datetime = NOW,
) -> None:
    """Draws the next round, which only the host sees yet."""
    for game in games:
        nights.set_game(
            night_id=night.pk,
            game=GAMES[game],
            options={"hands": hands},
            minutes=minutes,
            by=Actor(),
            key=f"set-{_seen(night)}",
            now=now,
        )
    first, *others = games
    wishes = [*(nights.Wish(GAMES[game], tables=1) for game in others), nights.Wish(GAMES[first])]
    nights.draw_round(
        night_id=night.pk, wishes=wishes, rng=random.Random(1), by=Actor(), key=f"draw-{_seen(night)}", now=now
    )


def played(match: Match, *, seed: int = 1, moves: int | None = None) -> Match:
    """Plays a match of a night to its end, or its first so many entries."""
    plan: list[dict[str, Any]] = plan_for(match.game, seed, hands=match.options["hands"])
    return enter(match, plan[:moves])


def _seen(night: Night) -> int:
    return Night.objects.get(pk=night.pk).length
