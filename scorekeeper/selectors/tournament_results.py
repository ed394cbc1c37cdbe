"""The results of a tournament, read once for all pages that show them."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from scorekeeper.events import Tournament
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event
from scorekeeper.selectors.events import EventNow, results_now
from scorekeeper.selectors.tournament_exports import file_for_everybody
from scorekeeper.selectors.tournaments import is_open, match_at, parts, tournament_file, tournament_of
from scorekeeper.standings.calculation import Calculated, StageStandings, calculate
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import read_value

STAGE = "stage"  # in an address: the name of a part
Sheet = Mapping[str, Any]
"""A table of the file: its `table`, `sides`, `totals`, and `match`, the id of its match."""


class TournamentResults:
    """A tournament at one moment, as its file. Standings are calculated when somebody asks for them, once."""

    def __init__(
        self,
        snapshot: EventNow,
        version: int,
        before: "TournamentResults | None" = None,
        whole: "TournamentResults | None" = None,
    ) -> None:
        self.whole = whole or self
        """The whole tournament, if this is a part of it."""
        self.snapshot = snapshot
        self.state: Tournament = tournament_of(snapshot)
        self.file = tournament_file(snapshot)
        self.going = frozenset(
            (number, pairing.table)
            for number, played in enumerate(self.state.rounds, 1)
            for pairing in played.pairings
            if (match := match_at(snapshot, number, pairing.table)) and is_open(self.state, match)
        )
        """Where results of rounds may still change: round and number of the table."""
        kept = before if before and before._facts == self._facts else None
        self.version: int = kept.version if kept else version
        """The change since which pages show the same: most plays change no result."""
        self._made: dict[int, Calculated] = before._made if before and before.file == self.file else {}
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

    def numbered(self, number: int) -> int:
        """The number that a round of this part, from 1, has in the whole tournament; 0 for none."""
        return number and number + self.snapshot.rounds_before

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of the entrants, by start number."""
        return {each["id"]: each["name"] for each in self.file["entrants"]}

    @cached_property
    def parts(self) -> list["TournamentResults"]:
        """Those of each stage of the file. A tournament without groups and finals is its only part."""
        found = parts(self.snapshot)
        if len(found) == 1:
            return [self]
        return [TournamentResults(part.snapshot, self.version, whole=self.whole) for part in found]

    @cached_property
    def last_parts(self) -> Mapping[int, "TournamentResults"]:
        """By start number: the last of the parts that they reached, which decides their place."""
        return {entrant: part for part in self.parts for entrant in part.state.entrants}

    @property
    def newest_first(self) -> list["TournamentResults"]:
        """The parts, those of the newest stage first."""
        return sorted(self.parts, key=lambda part: -part.snapshot.rounds_before)

    @property
    def name(self) -> str:
        """Of this part; "" of a tournament that has no others."""
        return self.snapshot.part

    @property
    def query(self) -> str:
        """What names this part in an address; "" for a tournament that has no others."""
        return urlencode({STAGE: self.name}) if self.name else ""

    @property
    def now(self) -> bool:
        """Whether this part belongs to the stage that is played."""
        return self.snapshot.rounds_before == self.whole.state.rounds_before

    def part(self, name: str = "") -> "TournamentResults | None":
        """The part with this name, by default the first one of the stage that is played; None if there is none."""
        return next((each for each in self.parts if (each.name == name if name else each.now)), None)

    def tables(self, number: int) -> list[Sheet]:
        """The tables of a round, from 1."""
        return [table for played in self._of_round(number) for table in played["tables"]]

    def unplayed(self, number: int) -> list[Sheet]:
        """Who has no table in a round, from 1."""
        return [each for played in self._of_round(number) for each in played["unplayed"]]

    def _of_round(self, number: int) -> Iterator[Mapping[str, Any]]:
        """The round in each part that has it."""
        for part, stage in zip(parts(self.snapshot), self.file["stages"], strict=True):
            at = number + self.snapshot.rounds_before - part.snapshot.rounds_before
            yield from stage["rounds"][at - 1 : at] if at > 0 else ()

    def standings(self, after: int | None = None) -> StageStandings | None:
        """The standings of its first part after a round, by default the last one; None before somebody is entered."""
        return self._calculated(self.rounds if after is None else after).stages[0] if self.state.entrants else None

    @property
    def places(self) -> list[Standing]:
        """Everybody's place in the whole tournament. Where it has several stages, the rows have no values."""
        if not self.state.entrants:
            return []
        found = self._calculated(self.rounds)
        if len(found.stages) == 1:
            return found.stages[0].rows
        return [Standing(*each) for each in found.overall]

    @property
    def begun(self) -> bool:
        """Whether there is a result."""
        return (
            any(stage.results.begun for stage in self._calculated(self.rounds).stages) if self.state.entrants else False
        )

    def _calculated(self, after: int) -> Calculated:
        with self._turn:
            if after not in self._made:
                self._made[after] = calculate(read_value(self.file), after=after)
            return self._made[after]


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
