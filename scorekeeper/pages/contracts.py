"""The contracts of a hand in games with calls: which exist, which were called, which are left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import Match
from games.base import Game
from scorekeeper.forms.typed import typed_contract


def calls_of(game: Game[Any], options: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, int | None]]]]:
    """Every contract with its calls: as a form writes them, and their trump number."""
    found: dict[str, list[tuple[str, int | None]]] = {}
    for name, trump in game.final(options).contracts:
        found.setdefault(name, []).append((typed_contract(name, trump), trump))
    return list(found.items())


def called_before(match: Match, seat: int) -> dict[str, int]:
    """The contracts this seat has called in counted hands, each with the number of its hand, from 1."""
    counted = ((number, hand.outcome) for number, hand in enumerate(match.hands, 1) if hand.outcome)
    return {o.called.contract: number for number, o in counted if o.called and o.called.seat == seat}


@dataclass(frozen=True, slots=True)
class ContractChoice:
    """What one seat can still call in a hand that is counted by its final state."""

    caller: str
    before: tuple[tuple[str, int], ...]
    """What the caller called, each with the number of its hand."""
    now: str | None
    """The call of this hand, as a form writes it."""

    @property
    def hand_of(self) -> dict[str, int]:
        """What the caller called → the number of its hand."""
        return dict(self.before)


def calling(match: Match) -> ContractChoice | None:
    """None in games without calls, or while the caller is unknown: then nobody has called anything."""
    if not match.game.final(match.options).contracts:
        return None
    offers = match.offers()
    if offers["next"] not in ("hand", "move"):
        return None
    if offers["next"] == "hand" and len(offers["openers"]) > 1:
        return None
    hand = offers if offers["next"] == "move" else match.opened(offers["openers"][0]).offers()
    caller = hand["order"][0]
    return ContractChoice(
        match.present[caller],
        tuple(called_before(match, caller).items()),
        hand["contract"] and typed_contract(hand["contract"], hand["trump"]),
    )
