"""Nestor in a seat of a real table: somebody says which tiles he holds, and lays what he names.

What is said of his tiles is no part of the match, so nobody else can see it.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from games import GAMES, Match, read
from games.errors import Malformed, marked
from games.laying import LayingState
from games.moves import Draw, Move, Play
from games.record import read_record
from games.tiles import ALL, NAMES, mask
from scorekeeper.practice.contest import seats_of


class Tiles(NamedTuple):
    """What Nestor was dealt in a hand, and what he drew since, in order."""

    hand: int
    dealt: tuple[int, ...]
    drawn: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"hand": self.hand, "dealt": _names(self.dealt), "drawn": _names(self.drawn)}

    @classmethod
    def read(cls, value: Any) -> Self:
        given = read.keyed(value, required=cls._fields)
        dealt, drawn = (tuple(read.tile(name) for name in read.listed(given[part])) for part in cls._fields[1:])
        return cls(read.whole(given["hand"]), dealt, drawn)


@dataclass(frozen=True, slots=True)
class StandIn:
    """Nestor's seat in a match, as whoever lays for him sees it. Immutable."""

    match: Match
    """As everybody may know it."""
    seat: int
    tiles: Tiles | None = None
    """Of the hand in play or the next one; None before somebody has said them."""

    @classmethod
    def of(cls, match: Match, seat: int, tiles: Tiles | None) -> Self:
        """Tiles of an earlier hand, and draws that were taken back, are left out."""
        now = cls(match, seat)
        if tiles is None or tiles.hand != now.hand:
            return now
        return cls(match, seat, tiles._replace(drawn=tiles.drawn[: now.draws]))

    @property
    def possible(self) -> bool:
        """Whether Nestor can play this match from a seat at a table."""
        return len(self.match.players) in seats_of(self.match.game)

    @property
    def hand(self) -> int:
        """The number of the hand in play, or of the next one."""
        return len(self.match.hands) - (self.match.hand is not None)

    @property
    def draws(self) -> int:
        """How many tiles Nestor has drawn in this hand."""
        moves = self.match.hand.state.moves if self.match.hand else ()
        return sum(move.number for move in moves if isinstance(move, Draw) and move.seat == self.seat)

    @property
    def missing(self) -> int:
        """How many tiles still have to be said: all that he was dealt, or those that he has drawn since."""
        return self.match.game.dealt if self.tiles is None else self.draws - len(self.tiles.drawn)

    @property
    def free(self) -> int:
        """The mask of tiles that the missing ones can be."""
        plays = [m for m in (self.match.hand.state.moves if self.match.hand else ()) if isinstance(m, Play)]
        if self.tiles is None:
            return ALL & ~mask(play.tile for play in plays if play.seat != self.seat)
        return ALL & ~mask(play.tile for play in plays) & ~mask((*self.tiles.dealt, *self.tiles.drawn))

    @property
    def known(self) -> Match:
        """The match as Nestor knows it. GameError if his tiles do not fit what was recorded, or some are missing."""
        if self.tiles is None or self.missing or self.match.hand is None:
            raise Malformed(marked("First enter Nestor’s tiles."))
        record = self.match.seen_by(self.seat).record()
        hand, drawn = record["hands"][-1], _names(self.tiles.drawn)
        seats = range(len(self.match.players))
        hand["deal"] = [_names(self.tiles.dealt) if seat == self.seat else None for seat in seats]
        for move in hand["moves"]:
            if move["type"] == "draw" and move["seat"] == self.seat:
                move["tiles"], drawn = drawn[: move["count"]], drawn[move["count"] :]
        return Match.of(read_record(record, GAMES))

    def having(self, tiles: list[str]) -> Self:
        """With the tiles that were missing. GameError if these are not as many, or do not fit what was recorded."""
        found = tuple(dict.fromkeys(read.tile(name) for name in tiles))
        if len(found) != self.missing:
            raise Malformed(marked("Choose exactly {count} tiles."), count=self.missing)
        before = self.tiles or Tiles(self.hand, ())
        after = before._replace(dealt=found) if self.tiles is None else before._replace(drawn=(*before.drawn, *found))
        stand_in = replace(self, tiles=after)
        if self.match.hand is not None and not stand_in.missing:
            _ = stand_in.known  # refuses what cannot be
        return stand_in

    def held(self) -> int:
        """The mask of tiles that Nestor holds; GameError as ``known``."""
        return self._state().holdings.known[self.seat]

    def moves(self) -> list[Move]:
        """What Nestor can do now; nothing if it is not his turn. GameError as ``known``."""
        state = self._state()
        return state.legal() if state.turn == self.seat else []

    def question(self, level: str, *, ms: int, seed: int) -> dict[str, Any]:
        """What Nestor is asked (``games.nestor.asked``): only what his seat may know. GameError as ``known``."""
        return {"record": self.known.record(), "seat": self.seat, "level": level, "ms": ms, "seed": seed}

    def _state(self) -> LayingState:
        known = self.known
        assert known.hand is not None
        assert isinstance(known.hand.state, LayingState)
        return known.hand.state


def _names(tiles: tuple[int, ...]) -> list[str]:
    return [NAMES[tile] for tile in tiles]
