"""What the seats say of the sheet of a match that is over, as pages show it."""

import secrets
from typing import Any

from django.utils.translation import gettext as _

import games
from games.agreement import SAYING


def agreed(state: games.Match) -> dict[str, Any]:
    """Seat by seat and in all, with a key for what more is said."""
    said, names = state.agreement, state.present
    why = {each.seat: each.why for each in said.disputed}
    return {
        "voices": [
            {
                "seat": seat,
                "name": name,
                "right": seat in said.confirmed,
                "wrong": seat in why,
                "why": why.get(seat, ""),
            }
            for seat, name in enumerate(names)
        ],
        "missing": [seat for seat in said.missing(names) if seat not in why],
        "last": _last(state),
        "words": _words(len(said.confirmed), len(names)),
        "wrong": [names[seat] for seat in why],
        "any": bool(said.confirmed or why),
        "all": state.closed,
        "reopened": said.reopened,
        "key": secrets.token_hex(16),
    }


def _last(state: games.Match) -> str:
    """What was said last, with whose word it is; "" where nothing was, or nobody may take it back."""
    if state.before is None or state.did not in SAYING or state.closed:
        return ""
    now, then = state.agreement, state.before.agreement
    for each in now.disputed:
        if each not in then.disputed:
            return _("{name}: not so").format(name=state.present[each.seat])
    names = [name for seat, name in enumerate(state.present) if seat in {*now.confirmed} - {*then.confirmed}]
    return _("{name}: it is right").format(name=", ".join(names)) if names else ""


def _words(confirmed: int, seats: int) -> str:
    """How many say that the sheet is right; "" while nobody does."""
    if confirmed == seats:
        return _("confirmed by all")
    return _("confirmed by {n} of {all}").format(n=confirmed, all=seats) if confirmed else ""
