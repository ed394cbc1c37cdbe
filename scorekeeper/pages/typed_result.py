"""The page that types a result in place of another one or of hands."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

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
    title: str
    match: Match
    tournament: Event
    hands: int
    """Recorded hands that the result replaces."""
    fields: list[TotalField]
    lower_wins: bool
    why: str
    compared: Compared | None
    shown: str
    """The totals that are compared; sent back to save exactly these."""
    ask_early: bool
    """Whether to ask if the match ended early: its totals do not end it."""
    early: bool
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
        title=_("Type the result in place of its hands") if state.hands else _("Correct the typed result"),
        match=found,
        tournament=event,
        hands=len(state.hands),
        fields=[
            TotalField(
                number,
                words.together([state.present[seat] for seat in side]),
                sent.get(f"total-{number}", str(state.totals[side[0]])),
            )
            for number, side in enumerate(state.sides)
            if number not in absent
        ],
        lower_wins=state.game.lower_wins,
        why=sent.get("why", ""),
        compared=compared(found, state, after, None) if after else None,
        shown=score(after) if after else "",
        ask_early="early" in sent or state.stopped == "early",
        early=sent.get("early") == "yes" or (not sent and state.stopped == "early"),
    )
