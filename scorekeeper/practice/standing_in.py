"""Nestor in a seat of a real table: somebody says which tiles he holds, and lays what he names.

What is said of his tiles is no part of the match, so nobody else can see it.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from games import GameError, Match, read
from games.errors import Malformed, marked
from games.laying import LayingState
from games.moves import Draw, Move, Play, move_json, unseen
from games.solver import can_solve
from games.tiles import ALL, NAMES, mask, names


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
        return can_solve(self.match.game, len(self.match.players))

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
    def state(self) -> LayingState:
        """The hand in play as Nestor knows it. GameError if his tiles do not fit what was recorded, or some are
        missing."""
        if self.tiles is None or self.missing or self.match.hand is None:
            raise Malformed(marked("First enter Nestor’s tiles."))
        hand = self.match.hand.state
        seats = range(len(self.match.players))
        deal = tuple(mask(self.tiles.dealt) if seat == self.seat else None for seat in seats)
        state, drawn = self.match.game.begin(hand.opening._replace(deal=deal)), self.tiles.drawn
        for move in hand.moves:
            made = unseen(move)
            if isinstance(made, Draw) and made.seat == self.seat:
                made, drawn = made._replace(tiles=drawn[: made.number]), drawn[made.number :]
            state = state.play(made)
        assert isinstance(state, LayingState)
        return state

    def without_wrong(self) -> Self:
        """Without the tiles if a later entry shows that they cannot be right."""
        try:
            _ = self.state if self.match.hand and not self.missing else None
        except GameError:
            return replace(self, tiles=None)
        return self

    def having(self, tiles: list[str]) -> Self:
        """With the tiles that were missing, in any order. GameError if these are not as many, or do not fit what was
        recorded."""
        found = tuple(dict.fromkeys(read.tile(name) for name in tiles))
        if len(found) != self.missing:
            text = marked("Choose exactly {count} tiles, not {given}.")
            raise Malformed(text, count=self.missing, given=len(found))
        if self.tiles is None:
            after = replace(self, tiles=Tiles(self.hand, found))
        else:
            drawn = (*self.tiles.drawn, *sorted(found, key=self._drawn_late))
            after = replace(self, tiles=self.tiles._replace(drawn=drawn))
        if self.match.hand is not None and not after.missing:
            _ = after.state  # refuses what cannot be
        return after

    def _drawn_late(self, tile: int) -> int:
        """Who draws goes on until a tile fits: that one came last, and may be laid by now."""
        assert self.match.hand is not None
        state = self.match.hand.state
        assert isinstance(state, LayingState)
        laid = any(isinstance(move, Play) and move.tile == tile for move in state.moves)
        return 2 * laid + (state.ends.fitting >> tile & 1)

    def held(self) -> int:
        """The mask of tiles that Nestor holds. GameError as ``state``."""
        return self.state.holdings.known[self.seat]

    def moves(self) -> list[Move]:
        """What Nestor can do now; nothing if it is not his turn. GameError as ``state``."""
        state = self.state
        return state.legal() if state.turn == self.seat else []

    def question(self, level: str, *, ms: int, seed: int) -> dict[str, Any]:
        """What Nestor is asked (``games.nestor.asked``): only what his seat may know. GameError as ``state``."""
        state, record = self.state, self.match.public().record()
        deal = [None if hand is None else names(hand) for hand in state.opening.deal]
        record["hands"][-1] |= {"deal": deal, "moves": [move_json(move) for move in state.moves]}
        return {"record": record, "seat": self.seat, "level": level, "ms": ms, "seed": seed}


def _names(tiles: tuple[int, ...]) -> list[str]:
    return [NAMES[tile] for tile in tiles]
