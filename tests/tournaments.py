"""Tournaments for tests, made and played by the same services as real ones."""

import json
import random
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.management import call_command

import games
from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.tournaments import tournament_file
from scorekeeper.services import clubs, events, jobs, schedules, tournaments
from scorekeeper.standings.worths import RESULT
from scorekeeper.tasks import WORK
from tests.conftest import NOW, Cast, enter
from tests.nights import at, first, names_of


def setup_of(game: str, format: str, **other: Any) -> dict[str, Any]:
    return {
        "game": game,
        "options": {"hands": 1},
        "minutes": None,
        "format": format,
        "size": 1,
        "rounds": None,
        "double": False,
        "worth": RESULT,
        "order": ["points", "head-to-head", "difference", "start"],
        "minimum_played": 0,
        "lots": "",
        **other,
    }


def entered(cast: Cast, setup: Mapping[str, Any], entrants: int, size: int = 1) -> Event:
    """A tournament with this number of entrants of `size` players each, before its schedule."""
    ids = [clubs.player_add(club=cast.club, name=name, now=NOW).pk for name in names_of(entrants * size)]
    event = tournaments.start(club=cast.club, name="Cup", setup=setup, step=first("start"))
    teams = [ids[at : at + size] for at in range(0, len(ids), size)]
    tournaments.enter(event_id=event.pk, entrants=teams, step=at(event, "enter"))
    return event


def scheduled(cast: Cast, setup: Mapping[str, Any], entrants: int, size: int = 1) -> Event:
    event = entered(cast, setup, entrants, size)
    made(event)
    return event


def made(event: Event, key: str = "schedule") -> None:
    job = schedules.schedule(event=Event.objects.get(pk=event.pk), rng=random.Random(1), step=at(event, key))
    jobs.run(job.pk, WORK)  # what a worker does for many entrants; a job that is done stays as it is


def released(event: Event) -> list[Match]:
    """Drafts and seats the next round of the schedule."""
    number = len(state_of(event).rounds)
    tournaments.draft_next(event_id=event.pk, step=at(event, f"draft-{number}"))
    return events.seat(event_id=event.pk, step=at(event, f"seat-{number}"))


def played(match: Match, moves: int | None = None) -> None:
    """Plays a random match to its end, or only the first entries."""
    names = [seat.name for seat in match.seats.all()]
    record = games.random_match(match.game, match.options, names, random.Random(match.pk))
    enter(match, games.entries(record)[:moves])


def played_out(event: Event) -> None:
    """Releases and plays all rounds that are left."""
    while state_of(event).plan:
        for match in released(event):
            played(match)


def commanded(file: bytes, *words: str) -> Any:
    """What `manage.py standings --json` says of a downloaded tournament file."""
    out = StringIO()
    with NamedTemporaryFile(suffix=".json") as stored:
        Path(stored.name).write_bytes(file)
        call_command("standings", stored.name, "--json", *words, stdout=out)
    return json.loads(out.getvalue())


def file_of(event: Event) -> dict[str, Any]:
    return tournament_file(event_now(Event.objects.select_related("club").get(pk=event.pk)))
