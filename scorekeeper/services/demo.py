"""A demonstration club: nights of random matches, played through the same services as real ones."""

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

import games
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Club, Event, Season
from scorekeeper.services import clubs, draws, events, recording, seasons
from scorekeeper.services.events import Step

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
    "Maren",
)
MOST = 2  # tables of the game for most people in each round
NIGHTS = ((2, 1), (2, 1), (2, 1), (3, 1), (2, 3))  # of each the rounds, and the hands of a match
ROUNDS = sum(rounds for rounds, _hands in NIGHTS)
ENTRY_TAKES = timedelta(seconds=12)
BREAK = timedelta(minutes=10)
A_WEEK = timedelta(days=7)

# The entries of a match, made before its players are drawn.
Plan = list[dict[str, Any]]


@dataclass(frozen=True)
class PlannedRound:
    """A round to be played: the hands of its matches, the wish for its draw, and the entries of each match."""

    hands: int
    wishes: tuple[Wish, ...]
    plans: tuple[Plan, ...]

    @property
    def takes(self) -> timedelta:
        """How long the round takes, with the break after it."""
        return ENTRY_TAKES * max(map(len, self.plans)) + BREAK


def make(*, rng: random.Random, now: datetime) -> Club:
    """Makes a club with thirteen players, of whom one sits out in most rounds, with nights a week apart and a season of
    them. All nights but the last are over; the last round of the last is in play at `now`.

    The same `rng` and `now` make the same club. Each step is a separate transaction, as on a real night. Refused if the
    demonstration club exists.
    """
    club = clubs.demo_club(name="Demonstration", now=now)
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in PLAYERS]
    numbers = iter(range(ROUNDS))
    for weeks, (rounds, hands) in zip(reversed(range(len(NIGHTS))), NIGHTS, strict=True):
        planned = [_draw_up(next(numbers), hands, rng) for _round in range(rounds)]
        ends = now - weeks * A_WEEK
        if not weeks:  # the matches of the last round stop in their last hand
            stopped = tuple(plan[: -rng.randrange(5, 12)] for plan in planned[-1].plans)
            planned[-1] = replace(planned[-1], plans=stopped)
        _play_night(club, ids, planned, ends, rng, over=bool(weeks))
    seasons.make(club=club, new=_season(now), by=None, now=now)
    return club


def _season(now: datetime) -> dict[str, Any]:
    """From the first night to some weeks after the last."""
    weeks = len(NIGHTS) * A_WEEK
    starts_on, ends_on = timezone.localdate(now - weeks), timezone.localdate(now + weeks)
    return {
        "name": f"{starts_on:%Y}",
        "starts_on": starts_on,
        "ends_on": ends_on,
        "of": Season.Of.NIGHTS,
        "by": Season.By.WINS,
        "group": "",
        "points": [],
        "best": None,
    }


def _play_night(
    club: Club, ids: list[int], planned: list[PlannedRound], ends: datetime, rng: random.Random, *, over: bool
) -> None:
    """Plays the planned rounds so that the last entry is made at `ends`. Then closes the night if `over`."""
    by = Actor()
    clock = ends + BREAK - sum((each.takes for each in planned), timedelta())
    night = events.start(club=club, players=ids, step=Step(by, "start", 0, clock))
    for number, each in enumerate(planned):

        def step(key: str, at: datetime = clock, night: Event = night) -> Step:
            night.refresh_from_db(fields=["length"])
            return Step(by, key, night.length, at)

        for wish in each.wishes:
            events.set_game(
                event_id=night.pk,
                game=wish.game,
                options={"hands": each.hands},
                minutes=None,
                step=step(f"{number}-set-{wish.game.slug}"),
            )
        draws.draw(event=night, wishes=each.wishes, rng=rng, step=step(f"{number}-draw"))
        for match, plan in zip(events.seat(event_id=night.pk, step=step(f"{number}-seat")), each.plans, strict=True):
            for seen, entry in enumerate(plan):
                then = clock + ENTRY_TAKES * (seen + 1)
                recording.record(match_id=match.pk, seen=seen, key=f"demo-{seen}", entry=entry, by=by, now=then)
        clock += each.takes
    if over:
        night.refresh_from_db(fields=["length"])
        events.close(event_id=night.pk, open_matches=None, step=Step(by, "close", night.length, ends))


def _draw_up(number: int, hands: int, rng: random.Random) -> PlannedRound:
    """Plans a round: some tables of the game with most seats, and one table each of two other games, which change from
    round to round."""
    first = max(games.GAMES.values(), key=lambda game: min(game.seats))
    others = [game for game in games.GAMES.values() if game is not first]
    wishes = [Wish(first, tables=MOST)]
    wishes += (Wish(others[at % len(others)], tables=1) for at in (number, number + ROUNDS))
    plans, left = [], len(PLAYERS)
    for wish in wishes:
        shapes = wish.fits(left)
        plans += [_plan(wish.game, shape.seats, hands, rng) for shape in shapes]
        left -= sum(shape.seats for shape in shapes)
    return PlannedRound(hands, tuple(wishes), tuple(plans))


def _plan(game: games.Game[Any], seats: int, hands: int, rng: random.Random) -> Plan:
    names = [str(seat) for seat in range(seats)]
    return games.entries(games.random_match(game.slug, {"hands": hands}, names, rng))
