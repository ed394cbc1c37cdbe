"""Drawing the next round of a Swiss tournament or a knock-out from the results, and what a Swiss round is worth."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Count

import games
from scorekeeper.events import Tournament
from scorekeeper.events.plan import Rounds, Together, beside, together
from scorekeeper.events.records import Place
from scorekeeper.events.setup import KNOCK_OUT, SWISS
from scorekeeper.models import LogEntry
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.knock_out import NextGames, last_round, next_games
from scorekeeper.pairing.pairing import paired
from scorekeeper.pairing.rounds import Drawn, NextRound, NextTable, next_round
from scorekeeper.schedule.late_acceptance import Progress
from scorekeeper.schedule.seating import FORMATS, Seating
from scorekeeper.schedule.side_by_side import PARTS
from scorekeeper.selectors.corrections import standing
from scorekeeper.selectors.events import EventNow, in_play
from scorekeeper.selectors.matches import position, position_at
from scorekeeper.selectors.schedules import hall
from scorekeeper.selectors.tournaments import parts, tournament_file, tournament_of, unsettled
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Kind, Round, Table


def field_of(snapshot: EventNow, seating: Seating | None = None) -> Field:
    """Everybody who plays in the next round, with the results so far and the tables that are settled; `seating`: the
    round as it is drawn. No query."""
    state, tournament = tournament_of(snapshot), read_value(tournament_file(snapshot))
    (stage,) = tournament.stages
    seated, byes = seating or Seating(tuple(state.settled(len(state.rounds) + 1)), ())
    tables = tuple(Table(sides_at(state.setup["format"], table)) for table in seated)
    # Who asked not to play after the round was drawn has a table or a bye in it, until it is drawn again.
    drawn = {*byes, *(entrant for table in seated for entrant in table)}
    out = {entrant: kind for entrant, kind in stage.next.unplayed.items() if entrant not in drawn}
    stage = replace(stage, next=Round(tables, {**dict.fromkeys(byes, Kind.BYE), **out}))
    return Field(tournament, stage)


class DrawnRound(NamedTuple):
    """The best next round so far, as a search of a schedule reports its rounds."""

    rounds: tuple[Seating]

    def in_short(self) -> dict[str, Any]:
        """Pages say nothing about it before it is drawn."""
        return {}


def drawn_rounds(
    snapshot: EventNow, *, rng: random.Random, clock: Callable[[], float], seconds: float
) -> Iterator[Progress[Together]]:
    """Looks for better and better next rounds, for at most these `seconds` of the `clock`. Finals that play by a
    schedule next to the others have all their rounds to come. No query."""
    begun = tournament_of(snapshot).begun
    return together(
        [
            _drawn_in(part, rng, clock, seconds)
            if (state := tournament_of(part)).by_results
            else beside(state, begun=begun, rng=rng, clock=clock, seconds=seconds)
            for part in to_draw(snapshot)
        ]
    )


def to_draw(snapshot: EventNow) -> list[EventNow]:
    """The parts of this stage that have a next round to draw, or one by a schedule next to those. No query."""
    state = tournament_of(snapshot)
    if not state.by_results:
        return []
    return [part.snapshot for part in parts(snapshot) if part.now and _plays_on(part.snapshot, begun=state.begun)]


def _plays_on(snapshot: EventNow, *, begun: bool) -> bool:
    state = tournament_of(snapshot)
    if not state.by_results:
        return bool(state.scheduled) or not begun
    return _next_in(snapshot) > 0 and (state.knock_out or len(state.taking_part) >= state.fewest)


def _drawn_in(
    snapshot: EventNow, rng: random.Random, clock: Callable[[], float], seconds: float
) -> Iterator[Progress[Rounds]]:
    field, format = field_of(snapshot), tournament_of(snapshot).setup["format"]
    began = clock()
    for report in paired(field.tournament, field.stage, rng):
        best = DrawnRound((seating_of(report.best, format),))
        done = clock() - began
        if report.done == report.total or done >= seconds:
            yield Progress(best, PARTS, PARTS)
            return
        yield Progress(best, int(PARTS * done / seconds), PARTS)


def worth(snapshot: EventNow, seating: Seating) -> tuple[Field, NextRound]:
    """What this next round is worth, with who plays in it. Somebody who has left since then has no part in it. No
    query."""
    left = tournament_of(snapshot).withdrawn
    field = field_of(snapshot, seating.without(left))
    return field, next_round(field, Drawn((), ()))


def next_to_draw(snapshot: EventNow) -> int:
    """The number of the next round that is drawn from the results; 0 if there is none. No query."""
    return tournament_of(snapshot).next_to_draw if to_draw(snapshot) else 0


def _next_in(snapshot: EventNow) -> int:
    """As `next_to_draw`, in a part."""
    state = tournament_of(snapshot)
    number = state.next_to_draw
    if not (state.knock_out and state.rounds):
        return number
    field = field_of(snapshot)
    if tables_not_over(snapshot):
        return number if number <= last_round(field.results) else 0
    return number if next_games(field).tables else 0


def drafted_finals(snapshot: EventNow) -> list[int]:
    """The numbers of the tables in the draft at which a final of a knock-out, or a match for third place, is played. No
    query."""
    found = []
    for part in to_draw(snapshot):
        state = tournament_of(part)
        if state.knock_out and state.draft:
            meeting = {frozenset(game.sides) for game in next_games(field_of(part)).tables if game.final}
            sides = ((each.table, state.sides_of(each.game, each.players)) for each in state.draft.pairings)
            found += [table for table, each in sides if frozenset(map(tuple, each)) in meeting]
    return found


def seating_of(drawn: NextRound | NextGames, format: str) -> Seating:
    """The round as tournaments keep it: at each table the one who leads sits first, and partners face each other."""
    found = drawn.tables if isinstance(drawn, NextRound) else [NextTable(each.sides, {}) for each in drawn.tables]
    tables = [tuple(each for seats in zip(*table.sides, strict=True) for each in seats) for table in found]
    assert all(sides_at(format, each) == table.sides for each, table in zip(tables, found, strict=True))
    return Seating(tuple(tables), tuple(drawn.byes))


def sides_at(format: str, table: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The sides of a table, with the one that leads first."""
    return (tuple(table[0::2]), tuple(table[1::2])) if FORMATS[format].partners else tuple((each,) for each in table)


def tables_for(snapshot: EventNow, seating: Seating) -> list[int]:
    """The numbers of the tables of a drawn round: the best at the first, but at their own who always sit at one. No
    query."""
    numbers = sorted(hall(snapshot)[: len(seating.tables)])
    for wish in tournament_of(snapshot).wishes:
        for at, table in enumerate(seating.tables if wish.what == "table" else ()):
            if wish.entrants[0] in table and wish.table in numbers:
                other = numbers.index(wish.table)
                numbers[at], numbers[other] = numbers[other], numbers[at]
    return numbers


def tables_not_over(snapshot: EventNow) -> list[int]:
    """The numbers of the tables whose results can still change without a director, or are disputed. No query."""
    state = tournament_of(snapshot)
    waiting = (match for match in snapshot.matches if in_play(match) or unsettled(state, match))
    return sorted(match.table.number for match in waiting if match.table)


DRAWS = ("plan", "take")
"""The kinds of steps by which a round is drawn."""


def _as_drawn(state: Tournament) -> Tournament | None:
    """The tournament when its newest round was drawn; None if it came with an import."""
    drawn: Tournament | None = state
    while drawn and drawn.did and drawn.did["kind"] not in DRAWS:
        drawn = drawn.before
    return drawn if drawn and drawn.did else None


def tables_by_hand(snapshot: EventNow) -> frozenset[frozenset[int]]:
    """The tables of the next round that it had not when it was drawn: the directors have swapped places. No query."""
    state = tournament_of(snapshot)
    drawn = _as_drawn(state)
    now, then = (
        frozenset(frozenset(table) for seating in plan[:1] for table in seating.tables)
        for plan in (state.plan, drawn.plan if drawn else state.plan)
    )
    return now - then


def changed_since_draw(snapshot: EventNow) -> list[Place]:
    """The tables of this stage whose results are no longer those from which the newest round was drawn, as long as it
    is not over. At most two queries, and two for each table with entries since then."""
    state = tournament_of(snapshot)
    number = len(state.rounds) + bool(state.plan)
    goes_on = state.plan or any(map(in_play, snapshot.matches))
    if not (state.by_results and goes_on and number > state.rounds_before + 1):
        return []
    drawn = _as_drawn(state)
    if not (drawn and drawn.before and len(drawn.before.rounds) == number - 1):
        return []  # it came with an import
    steps = list(snapshot.event.log.order_by("seq").values("kind", "at"))
    at = next(steps[seq]["at"] for seq in reversed(standing(steps)) if steps[seq]["kind"] in DRAWS)
    earlier = {
        match.pk: match for match in snapshot.matches if match.round and state.rounds_before < match.round < number
    }
    since = LogEntry.objects.filter(match__in=earlier, at__gt=at).values_list("match").annotate(Count("pk"))
    changed = [
        match
        for match, entries in ((earlier[pk], entries) for pk, entries in since)
        if _outcome(position_at(match, match.length - entries)) != _outcome(position(match))
    ]
    was, now = drawn.before.forfeits, state.forfeits
    found = {(match.round, match.table.number) for match in changed if match.round and match.table}
    found |= {place for place in was.keys() | now.keys() if was.get(place) != now.get(place) and place[0] < number}
    # Where a tree is in play, the desk says who should sit where; a schedule follows from no result.
    systems = (SWISS, KNOCK_OUT) if state.plan else (SWISS,)
    return sorted(
        (at, table)
        for at, table in found
        if len(state.systems) == 1 or state.setup_at(at, state.pairing_at(at, table))["system"] in systems
    )


def _outcome(match: games.Match) -> tuple[object, ...]:
    """Who sat there, and how it ended."""
    return match.players, match.totals, match.winners
