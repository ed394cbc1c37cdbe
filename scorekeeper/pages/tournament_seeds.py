"""The page on which a director orders the seeds of a knock-out."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.models import Club, Event
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.tournaments import entrant_name, tournament_of


@dataclass(frozen=True, slots=True)
class SeedShown:
    entrant: int
    name: str
    rating: int | None
    seed: str
    """As it was typed, else as it is."""
    group: str = ""
    """Their group or final; "" where there are none."""


@dataclass(frozen=True, kw_only=True)
class SeedsPage:
    tournament: Event
    club: Club
    knock_out: bool
    begun: bool
    by_hand: bool
    """Whether the director ordered them before."""
    seeds: list[SeedShown]
    refusal: str
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def seeds_page(snapshot: EventNow, *, refusal: str = "", sent: Mapping[str, str] | None = None) -> SeedsPage:
    """With what was sent, else with the seeds now. No query."""
    state, typed = tournament_of(snapshot), sent or {}
    return SeedsPage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        knock_out=state.knock_out,
        begun=bool(state.seeded),
        by_hand=bool(state.by_hand),
        seeds=[
            SeedShown(
                entrant,
                entrant_name(snapshot, entrant),
                state.about[entrant].rating if entrant in state.about else None,
                typed.get(f"place-{entrant}", str(seed)),
                next((group.name for group in state.groups if entrant in group.entrants), ""),
            )
            for seed, entrant in enumerate(state.seeds, 1)
        ],
        refusal=refusal,
    )
