"""Where a player plays next: in tournaments that are not over, the rounds to come that everybody may see."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from games import GAMES
from scorekeeper.events import Tournament
from scorekeeper.events.rounds import Pairing
from scorekeeper.models import Event
from scorekeeper.pages.tournament_seats import NextLine
from scorekeeper.selectors.players import names_of
from scorekeeper.selectors.tournaments import tournaments_in

ROUNDS = 3  # of each tournament


@dataclass(frozen=True, slots=True)
class NextRounds:
    """A tournament in which they play, and their released rounds to come, the next one first."""

    event: Event
    lines: Sequence[NextLine]


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
