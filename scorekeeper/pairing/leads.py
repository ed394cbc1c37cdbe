"""Who leads the first hand at a table."""

from collections.abc import Sequence

from scorekeeper.pairing.field import Field, Player
from scorekeeper.pairing.measures import OF_TABLE, Seated, measures

BY_LEADER = ("thrice", "leads")
"""The numbers that depend on who leads."""


def leaders(field: Field, sides: Sequence[Sequence[Player]]) -> list[int]:
    """The sides that may lead, by their number: those who make the least of the numbers that depend on it, and of these
    those who led longest ago, or never."""
    names = [name for name in measures(field) if name in BY_LEADER]

    def price(side: int) -> tuple[int, ...]:
        table = led_by(field, sides, side)
        return *(OF_TABLE[name](table) for name in names), max(player.led_last for player in sides[side])

    prices = [price(side) for side in range(len(sides))]
    return [side for side, each in enumerate(prices) if each == min(prices)]


def led_by(field: Field, sides: Sequence[Sequence[Player]], side: int) -> Seated:
    """The table with this side in front of the others."""
    return Seated(field, [sides[side], *(each for number, each in enumerate(sides) if number != side)])


def seated(field: Field, sides: Sequence[Sequence[Player]], number: int) -> Seated:
    """The table with this number, from 1, by the best place at them. Of several who may lead, each does at one table
    after the other, by place."""
    ordered = sorted((sorted(side, key=_place) for side in sides), key=lambda side: side[0].place)
    possible = leaders(field, ordered)
    return led_by(field, ordered, possible[(number - 1) % len(possible)])


def _place(player: Player) -> int:
    return player.place
