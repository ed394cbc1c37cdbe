"""Club nights for tests, made by the same services as real ones: people come, are drawn, and play."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Event, Match
from scorekeeper.services import clubs, draws, events, jobs
from scorekeeper.services.events import Step
from scorekeeper.tasks import WORK
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
    """This number of different names."""
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
) -> Event:
    """A night with this number of people at as many tables as they fill. Draws and seats `rounds` rounds, and plays the
    matches of all but the last to their end, with `hands` hands each."""
    ids = [clubs.player_add(club=cast.club, name=name, now=now).pk for name in names or names_of(players)]
    night = events.start(club=cast.club, players=ids, step=first("start", now))
    for number in range(rounds):
        for match in night.matches.filter(status=Match.Status.PLAYING):
            played(match, seed=match.pk)
        seated(night, games=games, hands=hands, minutes=minutes, now=now + timedelta(minutes=40 * number))
    night.refresh_from_db()
    return night


def seated(
    night: Event,
    *,
    games: Sequence[str] = ("domino-whist",),
    hands: int = 1,
    minutes: int | None = None,
    now: datetime = NOW,
) -> list[Match]:
    """Draws and seats the next round: one table of each game except the first, and the rest of the first game."""
    drawn(night, games=games, hands=hands, minutes=minutes, now=now)
    return events.seat(event_id=night.pk, step=at(night, f"seat-{_seen(night)}", now))


def drawn(
    night: Event,
    *,
    games: Sequence[str] = ("domino-whist",),
    hands: int = 1,
    minutes: int | None = None,
    now: datetime = NOW,
) -> None:
    """Draws the next round, but does not seat it."""
    for game in games:
        events.set_game(
            event_id=night.pk,
            game=GAMES[game],
            options={"hands": hands},
            minutes=minutes,
            step=at(night, f"set-{_seen(night)}", now),
        )
    first, *others = games
    wishes = [*(Wish(GAMES[game], tables=1) for game in others), Wish(GAMES[first])]
    job = draws.draw(event=night, wishes=wishes, rng=random.Random(1), step=at(night, f"draw-{_seen(night)}", now))
    jobs.run(job.pk, WORK)  # what a worker does when many people are drawn; a draw that is done stays as it is


def played(match: Match, *, seed: int = 1, moves: int | None = None) -> Match:
    """Plays a match of a night to its end, or only the first entries."""
    plan: list[dict[str, Any]] = plan_for(match.game, seed, hands=match.options["hands"])
    return enter(match, plan[:moves])


def first(key: str, now: datetime = NOW) -> Step:
    """The first step of an event, made by nobody in particular."""
    return Step(Actor(), key, 0, now)


def at(event: Event, key: str, now: datetime = NOW) -> Step:
    """A step by somebody who has seen the whole log."""
    return Step(Actor(), key, _seen(event), now)


def _seen(night: Event) -> int:
    return Event.objects.get(pk=night.pk).length
