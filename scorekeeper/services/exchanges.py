"""What it does to matches that two entrants of a round change places."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.events import Tournament
from scorekeeper.models import Match, Player
from scorekeeper.selectors.matches import position
from scorekeeper.services import recording
from scorekeeper.services.steps import Step


def instead(
    state: Tournament, entrants: Sequence[int], matches: Sequence[Match], people: Mapping[int, Player]
) -> dict[int, Player]:
    """By player who sits at these matches for one of two entrants: who of the other entrant has this place then."""
    size = state.setup["size"]

    def sitting(entrant: int) -> list[int]:
        seats = [seat.player_id for match in matches for seat in match.seats.all() if seat.player_id]
        own = [player for player in dict.fromkeys(seats) if player in state.entrants[entrant]]
        return own or [*state.entrants[entrant][:size]]

    one, other = map(sitting, entrants)
    pairs = zip([*one, *other], [*other, *one], strict=True)
    return {player: people[their] for player, their in pairs}


def rename(match: Match, others: Mapping[int, Player], why: str, step: Step) -> None:
    """Records that others sat there from the first hand, by the ids of those who are recorded. The match must be
    locked. If all have confirmed it, it is open again. What undoes the last entry is an undo, not a correction."""
    seats = ((seat.name, others.get(seat.player_id or 0)) for seat in match.seats.all())
    names = [other.name if other else name for name, other in seats]
    state = position(match)
    if state.did == "swap" and not state.closed and state.before and [*state.before.players] == names:
        _enter(match, {"kind": "undo"}, why, step)
    else:
        _enter(match, {"kind": "swap", "players": names, **_noted(why)}, why, step)


def set_aside(match: Match, why: str, step: Step) -> bool:
    """Abandons the match, also if it is over: it counts for nobody. The match must be locked. False if it was abandoned
    before."""
    if position(match).stopped == "abandoned":
        return False
    _enter(match, {"kind": "stop", "stopped": "abandoned", **_noted(why)}, why, step)
    return True


def _enter(match: Match, entry: Mapping[str, Any], why: str, step: Step) -> None:
    reopen = [{"kind": "reopen", "why": why}] if position(match).closed else []
    for number, each in enumerate([*reopen, entry]):
        before = position(match)
        after = before.enter(each)
        recording.append(match, each, before, after, f"{step.key}-swap-{number}", step.by, step.now)


def _noted(why: str) -> dict[str, str]:
    return {"why": why} if why else {}
