"""Rounds: who plays whom at which table, and who has a bye."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self


class Impossible(Exception):
    """A step that the event does not allow as it is now; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Setting:
    """How a game is played at an event."""

    options: Mapping[str, Any]
    minutes: int | None
    """How long a match may take; None: as long as its options say."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits at a table for a match: ``table`` is the table's number, ``players`` are by seat, clockwise."""

    table: int
    game: str
    options: Mapping[str, Any]
    minutes: int | None
    """How long the match may take; None: as long as its options say."""
    players: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "game": self.game,
            "options": dict(self.options),
            "minutes": self.minutes,
            "players": list(self.players),
        }

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        return cls(value["table"], value["game"], value["options"], value["minutes"], tuple(value["players"]))


@dataclass(frozen=True, slots=True)
class Round:
    """The tables that are drawn together, and the players with a bye."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...]

    @property
    def players(self) -> frozenset[int]:
        """Everybody in the round, with a seat or a bye."""
        return frozenset(self.byes).union(*(pairing.players for pairing in self.pairings))

    def as_json(self) -> dict[str, Any]:
        return {"pairings": [pairing.as_json() for pairing in self.pairings], "byes": list(self.byes)}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        return cls(tuple(map(Pairing.of, value["pairings"])), tuple(value["byes"]))

    def swapped(self, one: int, other: int) -> "Round":
        """The round after two players swap seats."""
        return self.with_others({one: other, other: one})

    def with_others(self, instead: Mapping[int, int]) -> "Round":
        """The round with others in the places of these players."""
        return Round(
            tuple(replace(pairing, players=_renamed(pairing.players, instead)) for pairing in self.pairings),
            _renamed(self.byes, instead),
        )

    def with_another_game(self, table: int, game: str, setting: Setting) -> "Round":
        """The round with another game at one of its tables. Impossible "not-in-the-draw"."""
        if table not in {pairing.table for pairing in self.pairings}:
            raise Impossible("not-in-the-draw")
        pairings = tuple(
            Pairing(table, game, setting.options, setting.minutes, each.players) if each.table == table else each
            for each in self.pairings
        )
        return replace(self, pairings=pairings)

    def played_as(self, game: str, setting: Setting) -> "Round":
        """The round with this setting at every table of the game."""
        pairings = tuple(
            replace(each, options=setting.options, minutes=setting.minutes) if each.game == game else each
            for each in self.pairings
        )
        return replace(self, pairings=pairings)

    def among(self, players: Collection[int]) -> "Round":
        """The tables and byes of these players, who meet nobody else."""
        kept = tuple(pairing for pairing in self.pairings if pairing.players[0] in players)
        return Round(kept, tuple(player for player in self.byes if player in players))

    def without(self, player: int) -> "Round":
        """The round without this player. The first player with a bye takes the seat; if there is none, the table is
        given up, and the others there get byes."""
        if player in self.byes:
            return replace(self, byes=tuple(each for each in self.byes if each != player))
        if self.byes:
            return self.swapped(player, self.byes[0]).without(player)
        return self.giving_up(player)

    def giving_up(self, player: int) -> "Round":
        """The round without this player and their table. The others there get byes."""
        kept = tuple(pairing for pairing in self.pairings if player not in pairing.players)
        left = (each for pairing in self.pairings if player in pairing.players for each in pairing.players)
        return Round(kept, tuple(each for each in (*self.byes, *left) if each != player))

    def again(self, free: Sequence[int], tables: Sequence[int]) -> "Round":
        """The round again, with the pairings at these ``tables`` and the players who are ``free``.

        Other free players get byes. They fill the seats of players who are missing.
        """
        kept = tuple(pairing for pairing in self.pairings if pairing.table in set(tables))
        seated = {player for pairing in kept for player in pairing.players}
        again = Round(kept, tuple(player for player in free if player not in seated))
        for player in sorted(seated - set(free)):
            again = again.without(player)
        return again


def _renamed(players: tuple[int, ...], instead: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(instead.get(player, player) for player in players)
