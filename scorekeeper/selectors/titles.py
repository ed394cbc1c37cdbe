"""Who won the nights, tournaments and leagues that are over. Read once for everybody, until something changes in one
of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.events import Program
from scorekeeper.live.parts import shared
from scorekeeper.live.topics import Topic
from scorekeeper.models import Event, Match
from scorekeeper.selectors.clubs import everybody_of
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.leagues import league_of, leagues_in, tables_now
from scorekeeper.selectors.standings import tables_of_events
from scorekeeper.selectors.tournaments import standings_now, tournament_of, tournaments_in
from scorekeeper.standings import Row

BEST = 3
"""The last place of a tournament, or of the first division of a league, that is a title."""


class Place(NamedTuple):
    """Of a player in an event; at a night, in a game of it."""

    player: int
    game: str
    """"" in a tournament or league."""
    place: int
    of: int
    """The number of places."""


@dataclass(frozen=True, slots=True)
class Title:
    event: Event
    won: Place


def titles_of(rows: Collection[int], events: Sequence[Event]) -> list[Title]:
    """The nights of these events that somebody won, and the tournaments and leagues in which they came to the first
    three places; a ladder has no winner. In the order of the events, which are over, of one club, and known with their
    newest changes. `rows`: the ids of a person. No query, but at most six if something has changed in these events,
    however many they are."""
    best = _best_in(events)
    return [Title(event, place) for event in events for place in best[event.pk] if place.player in rows]


def _best_in(events: Sequence[Event]) -> dict[int, tuple[Place, ...]]:
    """The best in each event, by its id."""
    versions = {event.pk: event.newest_change for event in events}
    kept = {event.pk: shared(Topic.of_event(event), "best") for event in events}
    known = {pk: each.known(versions[pk]) for pk, each in kept.items()}
    read = _read([event for event in events if known[event.pk] is None])

    def keep(pk: int) -> tuple[Place, ...]:
        best: tuple[Place, ...] = kept[pk].of(versions[pk], lambda _before: read[pk])
        return best

    return {pk: keep(pk) if best is None else best for pk, best in known.items()}


def _read(events: Sequence[Event]) -> dict[int, tuple[Place, ...]]:
    nights = [event.pk for event in events if event.kind == Event.Kind.NIGHT]
    tables = tables_of_events(nights) if nights else {}
    found = {event.pk: _of_night(tables[event.pk]) if event.pk in tables else () for event in events}
    ranked = [event for event in events if event.kind in OF_EVENT]
    return found | {now.event.pk: OF_EVENT[Event.Kind(now.event.kind)](now) for now in _snapshots(ranked)}


def _of_night(tables: Mapping[str, Sequence[Row]]) -> tuple[Place, ...]:
    """A night is won in the game that was played most, or in each of several."""
    played = {game: sum(row.played for row in rows) for game, rows in tables.items()}
    return tuple(
        Place(row.player, game, row.place, len(rows))
        for game, rows in tables.items()
        if played[game] == max(played.values())
        for row in rows
        if row.player and row.place == 1
    )


def _of_tournament(now: EventNow) -> tuple[Place, ...]:
    state = tournament_of(now)
    found = standings_now(now) if state.entrants else None
    if found is None or not any(stage.results.begun for stage in found.stages):
        return ()
    return tuple(
        Place(player, "", row.place, len(found.overall))
        for row in found.overall
        if row.place <= BEST
        for player in state.entrants[row.entrant]
    )


def _of_league(now: EventNow) -> tuple[Place, ...]:
    state = league_of(now)
    if not state.entrants:
        return ()
    first, *_lower = tables_now(now).stages
    return tuple(
        Place(player, "", row.place, len(first.rows))
        for row in first.rows
        if 0 < row.place <= BEST and row.entrant not in state.withdrawn
        for player in state.entrants[row.entrant].players
    )


OF_EVENT: Mapping[Event.Kind, Callable[[EventNow], tuple[Place, ...]]] = {
    Event.Kind.TOURNAMENT: _of_tournament,
    Event.Kind.LEAGUE: _of_league,
}


def _snapshots(events: Sequence[Event]) -> list[EventNow]:
    """Snapshots of tournaments and leagues of one club, as `results_now`. Five queries at most."""
    if not events:
        return []
    matches: Mapping[int, list[Match]] = {event.pk: [] for event in events}
    rows = Match.objects.filter(event__in=events).select_related("table").prefetch_related("seats").defer("offers")
    for match in rows.order_by("-pk"):
        assert match.event_id is not None
        matches[match.event_id].append(match)
    leagues = leagues_in([event for event in events if event.kind == Event.Kind.LEAGUE])
    tournaments = [event for event in events if event.kind == Event.Kind.TOURNAMENT]
    states: Mapping[int, Program] = {**leagues, **(tournaments_in(tournaments) if tournaments else {})}
    people = {player.pk: player for player in everybody_of(events[0].club)}
    return [EventNow(event, states[event.pk], (), tuple(matches[event.pk]), {}, {}, people, 0) for event in events]
