"""A demonstration club: nights of random matches, played through the same services as real ones."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import games
from scorekeeper.access import Actor
from scorekeeper.events.night import Wish
from scorekeeper.models import Club, Event
from scorekeeper.services import clubs, draws, events, matches
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
NIGHTS = (3, 2)  # rounds of each
ROUNDS = sum(NIGHTS)
HANDS = 3
ENTRY_TAKES = timedelta(seconds=12)
BREAK = timedelta(minutes=10)
A_WEEK = timedelta(days=7)

# The entries of a match, before it is known who sits down to it.
Plan = list[dict[str, Any]]


@dataclass(frozen=True)
class Drawn:
    """What is going to be played in a round: tables of each game, and what is entered at each of them."""

    wishes: tuple[Wish, ...]
    plans: tuple[Plan, ...]

    @property
    def takes(self) -> timedelta:
        """How long the round takes, with the break after it."""
        return ENTRY_TAKES * max(map(len, self.plans)) + BREAK


def make(*, rng: random.Random, now: datetime) -> Club:
    """Thirteen players, of whom one sits out in most rounds, and two nights a week apart: one that is over, and one
    whose last round goes on at `now`.

    The same `rng` and `now` give the same club. Each step is a transaction of its own, as on a real evening. Refused if
    the demonstration is there already.
    """
    club = clubs.demo_club(name="Demonstration", now=now)
    ids = [clubs.player_add(club=club, name=name, now=now).pk for name in PLAYERS]
    numbers = iter(range(ROUNDS))
    for weeks, rounds in zip(reversed(range(len(NIGHTS))), NIGHTS, strict=True):
        drawn = [_draw_up(next(numbers), rng) for _round in range(rounds)]
        ends = now - weeks * A_WEEK
        if not weeks:  # in the last round they stop in their last hand
            drawn[-1] = Drawn(drawn[-1].wishes, tuple(plan[: -rng.randrange(5, 12)] for plan in drawn[-1].plans))
        _play_night(club, ids, drawn, ends, rng, over=bool(weeks))
    return club


def _play_night(
    club: Club, ids: list[int], drawn: list[Drawn], ends: datetime, rng: random.Random, *, over: bool
) -> None:
    """Plays what was drawn up, so that the last entry is made at `ends`; closes the night if it is over then."""
    by = Actor()
    clock = ends + BREAK - sum((each.takes for each in drawn), timedelta())
    night = events.start(club=club, players=ids, step=Step(by, "start", 0, clock))
    for number, each in enumerate(drawn):

        def step(key: str, at: datetime = clock, night: Event = night) -> Step:
            night.refresh_from_db(fields=["length"])
            return Step(by, key, night.length, at)

        for wish in each.wishes:
            events.set_game(
                event_id=night.pk,
                game=wish.game,
                options={"hands": HANDS},
                minutes=None,
                step=step(f"{number}-set-{wish.game.slug}"),
            )
        draws.draw(event=night, wishes=each.wishes, rng=rng, step=step(f"{number}-draw"))
        for match, plan in zip(events.seat(event_id=night.pk, step=step(f"{number}-seat")), each.plans, strict=True):
            for seen, entry in enumerate(plan):
                then = clock + ENTRY_TAKES * (seen + 1)
                matches.record(match_id=match.pk, seen=seen, key=f"demo-{seen}", entry=entry, by=by, now=then)
        clock += each.takes
    if over:
        night.refresh_from_db(fields=["length"])
        events.close(event_id=night.pk, open_matches=None, step=Step(by, "close", night.length, ends))


def _draw_up(number: int, rng: random.Random) -> Drawn:
    """A round: so many tables of the game for most people, and one of each of two others, which change with the
    round."""
    first = max(games.GAMES.values(), key=lambda game: min(game.seats))
    others = [game for game in games.GAMES.values() if game is not first]
    wishes = [Wish(first, tables=MOST)]
    wishes += (Wish(others[at % len(others)], tables=1) for at in (number, number + ROUNDS))
    plans, left = [], len(PLAYERS)
    for wish in wishes:
        shapes = wish.fits(left)
        plans += [_plan(wish.game, shape.seats, rng) for shape in shapes]
        left -= sum(shape.seats for shape in shapes)
    return Drawn(tuple(wishes), tuple(plans))


def _plan(game: games.Game[Any], seats: int, rng: random.Random) -> Plan:
    names = [str(seat) for seat in range(seats)]
    return games.entries(games.random_match(game.slug, {"hands": HANDS}, names, rng))
