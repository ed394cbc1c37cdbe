"""Who confirmed and who disputed the score of a finished match."""

import secrets
from dataclasses import dataclass

from django.utils.translation import gettext as _

import games
from games.agreement import RESPONSES


@dataclass(frozen=True, slots=True)
class Voice:
    """What one player says about the score."""

    seat: int
    name: str
    right: bool
    wrong: bool
    why: str


@dataclass(frozen=True, slots=True)
class Agreed:
    voices: tuple[Voice, ...]
    missing: list[int]
    """Seats with no answer yet."""
    last: str
    words: str
    wrong: tuple[str, ...]
    """Names of the players who dispute the score."""
    any: bool
    all: bool
    reopened: str
    """Why the match was reopened."""
    key: str
    """The key of the next answer."""


def agreed(state: games.Match) -> Agreed:
    agreement, names = state.agreement, state.present
    why = {each.seat: each.why for each in agreement.disputed}
    return Agreed(
        voices=tuple(
            Voice(seat, name, seat in agreement.confirmed, seat in why, why.get(seat, ""))
            for seat, name in enumerate(names)
        ),
        missing=[seat for seat in agreement.missing(names) if seat not in why],
        last=_last(state),
        words=_words(len(agreement.confirmed), len(names)),
        wrong=tuple(names[seat] for seat in why),
        any=bool(agreement.confirmed or why),
        all=state.closed,
        reopened=agreement.reopened,
        key=secrets.token_hex(16),
    )


def _last(state: games.Match) -> str:
    """The last answer and whose it is; "" without one, or if nobody may take it back."""
    if state.before is None or state.did not in RESPONSES or state.closed:
        return ""
    now, then = state.agreement, state.before.agreement
    for each in now.disputed:
        if each not in then.disputed:
            return _("{name}: disputed").format(name=state.present[each.seat])
    names = [name for seat, name in enumerate(state.present) if seat in {*now.confirmed} - {*then.confirmed}]
    return _("{name}: correct").format(name=", ".join(names)) if names else ""


def _words(confirmed: int, seats: int) -> str:
    """How many players confirmed the score; "" if nobody did."""
    if confirmed == seats:
        return _("confirmed by all")
    return _("confirmed by {n} of {all}").format(n=confirmed, all=seats) if confirmed else ""
