"""Reading free play: who is free, since when, and whom they can meet."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from scorekeeper.events import Tournament
from scorekeeper.models import Event
from scorekeeper.pairing import free_play
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.rounds import Drawn, NextRound, next_round
from scorekeeper.schedule.seating import Seating
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.pairings import seating_of, sides_at
from scorekeeper.selectors.tournaments import at_tables_now, tournament_file, tournament_of
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.tournament import Kind, Round, Table


class Waiting(NamedTuple):
    """An entrant who can play at once."""

    entrant: int
    since: datetime
    """When their last match ended, or when they came; at the earliest, when the first table began."""
    played: int
    """How many tables they have had."""


def waiting(snapshot: EventNow) -> list[Waiting]:
    """Those who are free, whoever waits longest first. One query."""
    state = tournament_of(snapshot)
    since = _present_since(snapshot.event)
    began = min((match.created_at for match in snapshot.matches), default=snapshot.event.started_at)
    for match in snapshot.matches:
        for seat in match.seats.all() if match.finished_at else ():
            entrant = state.numbers.get(seat.player_id or 0)
            if entrant in since and match.finished_at:
                since[entrant] = max(since[entrant], match.finished_at)
    tables = Counter(
        state.numbers[player] for each in state.rounds for pairing in each.pairings for player in pairing.players
    )
    size = state.setup["size"]
    found = [Waiting(each, max(since[each], began), tables[each] // size) for each in free(snapshot)]
    return sorted(found, key=lambda each: (each.since, each.played, each.entrant))


def free(snapshot: EventNow) -> list[int]:
    """The entrants who are here, play nowhere and do not rest, by start number. No query."""
    state = tournament_of(snapshot)
    busy = state.resting.union(at_tables_now(snapshot))
    elsewhere = {state.numbers[player] for player in snapshot.elsewhere if player in state.numbers}
    return sorted({*state.taking_part}.difference(busy, elsewhere))


def _present_since(event: Event) -> dict[int, datetime]:
    """By entrant who takes part and does not rest: since when. One query."""
    state, since = Tournament(), dict[int, datetime]()
    for at, entry in event.log.order_by("seq").values_list("at", "payload"):
        state = state.enter(entry)
        since = {each: since.get(each, at) for each in state.taking_part if each not in state.resting}
    return since


def field_of(snapshot: EventNow, playing: Sequence[int], drawn: Seating | None = None) -> Field:
    """Just these entrants, whoever waits longest first, with the results so far; `drawn`: the tables at which they
    play. No query."""
    tournament = read_value(tournament_file(snapshot))
    (stage,) = tournament.stages
    out = {each: Kind.ASKED for each in stage.entrants if each not in playing}
    format = tournament_of(snapshot).setup["format"]
    tables = tuple(Table(sides_at(format, table)) for table in drawn.tables) if drawn else ()
    byes = dict.fromkeys(drawn.byes, Kind.BYE) if drawn else {}
    return Field(tournament, replace(stage, next=Round(tables, {**out, **byes})), tuple(reversed(playing)))


def drawn_tables(
    snapshot: EventNow,
    playing: Sequence[int],
    *,
    only_new: bool,
    rng: random.Random,
    clock: Callable[[], float],
    seconds: float,
) -> Seating:
    """The best tables for these entrants, whoever waits longest first, and who goes on waiting. No query."""
    field = field_of(snapshot, playing)
    found = free_play.drawn(field, only_new=only_new, chance=rng, clock=clock, seconds=seconds)
    return seating_of(found, tournament_of(snapshot).setup["format"])


class Drafted(NamedTuple):
    """A draft, judged by what was known when it was drawn."""

    field: Field
    drawn: NextRound
    passed_over: frozenset[int]
    """Who goes on waiting by the draw, not because of what has happened since."""


def drafted(snapshot: EventNow) -> Drafted:
    """What the draft is worth. No query."""
    state = tournament_of(snapshot)
    assert state.draft, "only a draft has reasons"
    at_first: Tournament | None = state
    while at_first and not (at_first.did and "waiting" in at_first.did):
        at_first = at_first.before
    # A draft that an earlier version made says nothing of who waited.
    longest_first = at_first.did["waiting"] if at_first and at_first.did else ()
    passed_over = _entrants(state, at_first.draft.byes) if at_first and at_first.draft else ()
    tables = tuple(_entrants(state, pairing.players) for pairing in state.draft.pairings)
    byes = _entrants(state, state.draft.byes)
    there = {*byes, *(each for table in tables for each in table)}
    order = [*(each for each in longest_first if each in there), *sorted(there.difference(longest_first))]
    field = field_of(snapshot, order, Seating(tables, byes))
    return Drafted(field, next_round(field, Drawn((), ())), frozenset(passed_over))


def _entrants(state: Tournament, players: Sequence[int]) -> tuple[int, ...]:
    """Of these players, each once."""
    return tuple(dict.fromkeys(state.numbers[player] for player in players))


def met_among(snapshot: EventNow, entrants: Collection[int]) -> dict[int, list[tuple[int, int]]]:
    """By entrant: whom of the others they have met, and how often. No query."""
    met = field_of(snapshot, [*entrants]).met
    return {
        one: [(other, times) for other in entrants if (times := met.get((min(one, other), max(one, other)), 0))]
        for one in entrants
    }
