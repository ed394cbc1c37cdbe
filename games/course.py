"""The course of a hand of laying: how tiles are laid in it, its moves, and which of them a tile shows to be wrong."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.base import Opening
from games.errors import Code, Contradiction, Illegal, marked
from games.line import Kind, Line
from games.moves import Draw, Move, Pass, Play
from games.tiles import NAMES, is_double


@dataclass(frozen=True, slots=True)
class Manner:
    """How tiles are laid in this hand."""

    dealt: int
    """Tiles each seat is dealt; the rest is the boneyard."""
    after: tuple[int, ...]
    """For each seat the next one clockwise."""
    kind: Kind = Kind.PLAIN
    lead_double: bool = False
    """Whether the hand must be led with the heaviest double held."""
    draws: bool = False
    """Whether a player who cannot lay draws; otherwise the boneyard is out of play."""
    multiples: tuple[int, ...] = ()
    """A play that makes the table count a multiple of one of these scores it."""
    target: int | None = None
    """The total that ends the match in mid-hand."""

    def worth(self, line: Line) -> int:
        """The points of the play that made this line."""
        total = line.total
        return total if any(total % multiple == 0 for multiple in self.multiples) else 0


class Course(NamedTuple):
    """What a hand starts from and its moves. They say everything else about it, also who is to blame."""

    opening: Opening
    how: Manner
    moves: tuple[Move, ...]

    def line(self, upto: int | None = None) -> Line:
        """The line that these moves lay, or the first ``upto`` of them."""
        line = Line.of(self.how.kind)
        for move in self.moves[:upto]:
            if isinstance(move, Play):
                line = line.lay(move.tile, move.end)
        return line

    def laid(self, tile: int) -> int:
        """The move that laid this tile."""
        return next(at for at, move in enumerate(self.moves) if isinstance(move, Play) and move.tile == tile)

    # --- what a tile shows ---------------------------------------------------------------------------------
    def disproved(self, seat: int, tile: int, at: int | None) -> Illegal:
        """The entry that says this seat cannot have this tile. ``at`` is the play that shows it, None if what is left
        does.

        Of several entries the one to blame is wrong whenever the tile came to this hand: none before the last draw
        that may have brought it, and from there on the first.
        """
        line, guilty, drawn = Line.of(self.how.kind), None, False
        for number, move in enumerate(self.moves):
            if isinstance(move, Play):
                line = line.lay(move.tile, move.end)
            elif isinstance(move, Pass | Draw) and move.seat == seat:
                denied = bool(self.opening.claims(number) and line.ends.fitting >> tile & 1)
                kept = isinstance(move, Draw) and self._kept_last(number)
                if isinstance(move, Draw) and move.tiles is None and (kept or move.number > 1):
                    # A tile that fits may be the last it brought; if it was another, this draw went on too long.
                    guilty, drawn = number if denied and not kept else None, True
                elif denied and guilty is None:
                    guilty = number
        if not drawn and self.how.lead_double and is_double(tile) and tile > (line.first or 0):
            return self.heavier(Contradiction, seat, tile, at)
        if guilty is None:
            # A draw may have brought this tile, but all it brought are known to be others.
            return self.impossible(at)
        drew = isinstance(self.moves[guilty], Draw)
        return self.opening.error(
            Contradiction,
            Code.CANNOT_DRAW if drew else Code.WRONG_PASS,
            _DISPROVED[drew, at is None],
            guilty,
            at,
            player=self.player(seat),
            tile=NAMES[tile],
            ends=listed(self.line(guilty).open.values()),
        )

    def _kept_last(self, number: int) -> bool:
        """Whether the last tile of this draw may have stayed in the hand: it was not laid right after."""
        after = self.moves[number + 1] if number + 1 < len(self.moves) else None
        return not isinstance(after, Play) or not self.opening.claims(number)

    def heavier(self, kind: type[Illegal], seat: int, tile: int, proof: int | None) -> Illegal:
        """A double heavier than the lead was dealt to this seat."""
        if seat == self.opening.opener:
            return self.opening.error(
                kind,
                Code.MUST_LEAD_DOUBLE,
                marked("{player} held {tile} and had to lead it."),
                next((n for n, m in enumerate(self.moves) if isinstance(m, Play)), len(self.moves)),
                proof,
                player=self.player(seat),
                tile=NAMES[tile],
            )
        return self.opening.error(
            kind,
            Code.WRONG_LEADER,
            marked("{player} held {tile}, a heavier double, and had to lead."),
            None,
            proof,
            player=self.player(seat),
            tile=NAMES[tile],
        )

    def impossible(self, at: int | None) -> Illegal:
        """No deal fits any more after this move; None: with what is left."""
        return self.opening.error(
            Contradiction,
            Code.NO_POSSIBLE_DEAL,
            marked("No deal of the tiles fits everything entered so far."),
            at,
        )

    def player(self, seat: int) -> str:
        return self.opening.players[seat]


_DISPROVED = {
    (False, False): marked("{player} passed with {ends} open, and laid {tile} later."),
    (False, True): marked("{player} passed with {ends} open, and has {tile} left."),
    (True, False): marked("{player} drew with {ends} open, and laid {tile} later."),
    (True, True): marked("{player} drew with {ends} open, and has {tile} left."),
}
"""Whether it was a draw, and whether what is left shows it."""


def listed(values: Iterable[int]) -> str:
    """Numbers for a sentence that is translated as a whole: ``5, 2``."""
    return ", ".join(str(value) for value in sorted(set(values), reverse=True))
