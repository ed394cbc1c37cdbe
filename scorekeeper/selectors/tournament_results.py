"""The results of a tournament, read once for all pages that show them."""

import json
from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import Any

from scorekeeper.events import Tournament
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.tournament_exports import file_for_everybody
from scorekeeper.selectors.tournaments import is_open, tournament_file, tournament_of
from scorekeeper.standings.calculation import StageStandings, calculate
from scorekeeper.standings.reading import read_value

Sheet = Mapping[str, Any]
"""A table of the file: its `table`, `sides`, `totals`, and `match`, the id of its match."""


class TournamentResults:
    """A tournament at one moment, as its file. Standings are calculated when somebody asks for them, once."""

    def __init__(self, snapshot: EventNow, version: int, before: "TournamentResults | None" = None) -> None:
        self.snapshot = snapshot
        self.state: Tournament = tournament_of(snapshot)
        self.file = tournament_file(snapshot)
        self.going = frozenset(place for place, match in snapshot.at_tables.items() if is_open(self.state, match))
        """Where results of rounds may still change: round and number of the table."""
        kept = before if before and before._facts == self._facts else None
        self.version: int = kept.version if kept else version
        """The change since which pages show the same: most plays change no result."""
        self._made: dict[int, StageStandings] = before._made if before and before.file == self.file else {}
        self._turn = Lock()

    @property
    def _facts(self) -> tuple[object, ...]:
        """All that pages with results show."""
        state = self.state
        return (
            self.file,
            self.going,
            state.withdrawn,
            state.wishes,
            state.changed,
            state.draft,
            (state.plan, state.tables),
            (state.published, state.public_tables),
            self.event.closed_at,
            self.event.club.name,
        )

    @property
    def event(self) -> Event:
        return self.snapshot.event

    @property
    def rounds(self) -> int:
        """The number of rounds that have been released."""
        return len(self.state.rounds)

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of the entrants, by start number."""
        return {each["id"]: each["name"] for each in self.file["entrants"]}

    def tables(self, number: int) -> list[Sheet]:
        """The tables of a round, from 1."""
        found: list[Sheet] = self.file["stages"][0]["rounds"][number - 1]["tables"]
        return found

    def standings(self, after: int | None = None) -> StageStandings | None:
        """The standings after a round, by default the last one; None before somebody is entered."""
        if not self.state.entrants:
            return None
        number = self.rounds if after is None else after
        with self._turn:
            if number not in self._made:
                self._made[number] = calculate(read_value(self.file), after=number).stages[0]
            return self._made[number]


def tournament_results(event: Event) -> TournamentResults:
    """The newest results of a tournament from `access.tournament_for`. Six queries; none if somebody has just read
    them."""

    def read(before: TournamentResults | None) -> TournamentResults:
        snapshot = results_now(event, before.snapshot if before else None)
        return TournamentResults(snapshot, event.newest_change, before)

    found: TournamentResults = shared(Topic.of_event(event), "results").of(event.newest_change, read)
    return found


def file_text(results: TournamentResults) -> str:
    """The file as JSON, written once for everybody after each change: a correction may change nothing else in it."""
    kept = shared(Topic.of_event(results.event), "file")

    def write(_before: str | None) -> str:
        return json.dumps(file_for_everybody(results.snapshot), ensure_ascii=False)

    text: str = kept.of(results.event.newest_change, write)
    return text
