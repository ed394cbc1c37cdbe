"""The page on which a director decides between entrants who are equal."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.models import Club, Event
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import director_decides, equals, open_results, tournament_of
from scorekeeper.standings.ranking import Standing


@dataclass(frozen=True, slots=True)
class EqualShown:
    entrant: int
    name: str
    place: str
    """As it was typed or decided; "" if it was not."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entrants who are equal, and the places for which they are."""

    first: int
    last: int
    entrants: list[EqualShown]


@dataclass(frozen=True, kw_only=True)
class EqualsPage:
    tournament: Event
    club: Club
    decides: bool
    """Whether the setup has this criterion."""
    groups: list[Group]
    open_results: int
    """How many results can still change without a director."""
    refusal: str
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def equals_page(snapshot: EventNow, *, refusal: str = "", sent: Mapping[str, str] | None = None) -> EqualsPage:
    """With what was sent, else with what is decided. No query."""
    state = tournament_of(snapshot)
    return EqualsPage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        decides=director_decides(state),
        groups=[_group(rows, state.manual, sent or {}) for rows in equals(snapshot)],
        open_results=open_results(snapshot),
        refusal=refusal,
    )


def _group(rows: Sequence[Standing], decided: Sequence[int], sent: Mapping[str, str]) -> Group:
    first = min(row.place for row in rows)
    shown = [
        EqualShown(
            row.entrant,
            row.name,
            sent.get(f"place-{row.entrant}", str(row.place) if row.entrant in decided else ""),
        )
        for row in rows
    ]
    return Group(first, first + len(rows) - 1, shown)
