"""The page that replaces a result typed at the desk."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import games
from scorekeeper import words
from scorekeeper.models import Event, Match
from scorekeeper.pages.compared import Compared, compared
from scorekeeper.pages.corrections import score


@dataclass(frozen=True, slots=True)
class TotalField:
    side: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TypedResultPage:
    match: Match
    tournament: Event
    fields: list[TotalField]
    why: str
    compared: Compared | None
    shown: str
    """The totals that are compared; sent back to save exactly these."""
    message: str = ""
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def typed_result_page(
    found: Match,
    event: Event,
    state: games.Match,
    sent: Mapping[str, str],
    absent: Collection[int],
    *,
    after: games.Match | None = None,
) -> TypedResultPage:
    """With what was sent, else the present totals of the sides that came. `after`: the match with the other result."""
    return TypedResultPage(
        match=found,
        tournament=event,
        fields=[
            TotalField(
                number,
                words.together([state.present[seat] for seat in side]),
                sent.get(f"total-{number}", str(state.totals[side[0]])),
            )
            for number, side in enumerate(state.sides)
            if number not in absent
        ],
        why=sent.get("why", ""),
        compared=compared(found, state, after, None) if after else None,
        shown=score(after) if after else "",
    )
