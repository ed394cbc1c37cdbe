"""Where a player plays next: in tournaments that are not over, the rounds to come that everybody may see, in leagues
the fixtures to come, and on ladders their rung and the open challenges."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from games import GAMES
from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import Event
from scorekeeper.pages.ladder import ChallengeLine, challenge_lines
from scorekeeper.pages.tournament_seats import NextLine
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.ladders import ladder_of, rungs_at
from scorekeeper.selectors.leagues import leagues_in
from scorekeeper.selectors.players import names_of
from scorekeeper.selectors.tournaments import tournaments_in

ROUNDS = 3  # of each tournament or league


@dataclass(frozen=True, slots=True)
class NextRounds:
    """A tournament in which they play, and their released rounds to come, the next one first."""

    event: Event
    lines: Sequence[NextLine]


@dataclass(frozen=True, slots=True)
class NextFixture:
    number: int
    at: datetime | None
    opponents: str
    at_home: bool


@dataclass(frozen=True, slots=True)
class NextFixtures:
    """A league in which they play, and their next fixtures."""

    event: Event
    entrant: int
    lines: Sequence[NextFixture]
    own: bool
    """Whether the visitor is that player, and may start and type them."""


@dataclass(frozen=True, slots=True)
class NextChallenges:
    """A ladder on which they stand, and their open challenges."""

    event: Event
    entrant: int
    rung: int
    lines: Sequence[ChallengeLine]
    own: bool
    """Whether the visitor is that player, and may answer them."""


def next_challenges(
    rows: AbstractSet[int], ladders: Sequence[Event], *, you: bool, now: datetime
) -> list[NextChallenges]:
    """Of a person with these ids, on ladders that they have not left. Five queries for each ladder, and as
    `rungs_at`."""
    found = []
    for snapshot in map(results_now, ladders):
        state, rungs = ladder_of(snapshot), rungs_at(snapshot, now)
        for entrant in {state.numbers[player] for player in rows if player in state.here}:
            theirs = {each.number for each in rungs.open if entrant in each.sides}
            lines = [line for line in challenge_lines(snapshot, rungs) if line.number in theirs]
            rung = rungs.order.index(entrant) + 1
            found.append(NextChallenges(snapshot.event, entrant, rung, lines, you and state.setup["by_players"]))
    return found


def next_fixtures(rows: AbstractSet[int], leagues: Sequence[Event], *, you: bool) -> list[NextFixtures]:
    """Of a person with these ids, in leagues that they have not left. Two queries, none without leagues."""
    known = leagues_in(leagues)
    states = {event: known[event.pk] for event in leagues if rows & {*known[event.pk].here}}
    names = names_of({*chain.from_iterable(state.came for state in states.values())}) if states else {}
    found = []
    for event, state in states.items():
        entrant = next(state.numbers[player] for player in rows if player in state.here)
        theirs = [each for each in state.fixtures_of(entrant) if not each.begun and not state.absent_at(each)]
        dated = sorted(theirs, key=lambda each: (each.at is None, each.at or each.planned, each.number))
        lines = [
            NextFixture(
                each.number,
                each.at,
                state.named(each.away if each.home == entrant else each.home, lambda player: names.get(player, "–")),
                each.home == entrant,
            )
            for each in dated[:ROUNDS]
        ]
        found.append(NextFixtures(event, entrant, lines, you and state.setup["by_players"] and state.form is None))
    return found


def next_rounds(rows: AbstractSet[int], tournaments: Sequence[Event]) -> list[NextRounds]:
    """Of a person with these ids, in tournaments that they have not left. Two queries, none without tournaments."""
    states = tournaments_in(tournaments) if tournaments else {}
    tables = {event: _tables(states[event.pk], rows) for event in tournaments if rows & {*states[event.pk].here}}
    players = {player for those in tables.values() for _round, table in those if table for player in table.players}
    names = names_of(players) if tables else {}
    return [
        NextRounds(event, [_line(number, table, rows, names, states[event.pk]) for number, table in those])
        for event, those in tables.items()
    ]


def _tables(state: Tournament, rows: AbstractSet[int]) -> list[tuple[int, Pairing | None]]:
    """Their next released rounds: the number of each, and their table, None with a bye."""
    found = []
    for number in range(len(state.rounds) + 1, state.rounds_in_all(public=True) + 1)[:ROUNDS]:
        drawn = state.round_to_come(number, public=True)
        table = next((pairing for pairing in drawn.pairings if rows & {*pairing.players}), None)
        if table or rows & {*drawn.byes}:
            found.append((number, table))
    return found


def _line(
    number: int, table: Pairing | None, rows: AbstractSet[int], names: Mapping[int, str], state: Tournament
) -> NextLine:
    changed = number in state.changed
    if table is None:
        return NextLine(number, None, (), (), changed)
    sides = [[table.players[seat] for seat in side] for side in GAMES[table.game].sides(len(table.players))]
    partners = tuple(names[each] for side in sides if rows & {*side} for each in side if each not in rows)
    opponents = tuple(names[each] for side in sides if not rows & {*side} for each in side)
    return NextLine(number, table.table, partners, opponents, changed)
