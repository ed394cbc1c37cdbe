"""The course of a hand in which tiles are laid: its rules, its moves, and the move to blame for a contradiction."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from games.base import Opening
from games.errors import Code, Contradiction, Illegal, marked
from games.line import Kind, Line
from games.moves import Draw, Move, Pass, Play
from games.tiles import NAMES, is_double


@dataclass(frozen=True, slots=True)
class LayingRules:
    """The rules for laying tiles in a hand."""

    dealt: int
    """The number of tiles dealt to each seat; the rest is the boneyard."""
    after: tuple[int, ...]
    """For each seat, the next one clockwise."""
    kind: Kind = Kind.PLAIN
    lead_double: bool = False
    """Whether the heaviest double in any hand must lead."""
    draws: bool = False
    """Whether a player who cannot lay a tile draws. If not, the boneyard is out of play."""
    multiples: tuple[int, ...] = ()
    """A play scores the table count if that is a multiple of one of these numbers."""
    target: int | None = None
    """The number of points that ends the match in mid-hand; None if nothing does."""

    def worth(self, line: Line) -> int:
        """The points of the play that made this line."""
        return points_in_play(line, self.multiples)


def points_in_play(line: Line, multiples: tuple[int, ...]) -> int:
    """The points of the play that made this line: its table count, if that is a multiple of one of these numbers."""
    total = line.total
    return total if any(total % multiple == 0 for multiple in multiples) else 0


class Course(NamedTuple):
    """The opening, the rules and the moves of a hand. Everything else follows from them."""

    opening: Opening
    rules: LayingRules
    moves: tuple[Move, ...]

    def line(self, upto: int | None = None) -> Line:
        """The line after all moves, or after the first ``upto`` of them."""
        line = Line.of(self.rules.kind)
        for move in self.moves[:upto]:
            if isinstance(move, Play):
                line = line.lay(move.tile, move.end)
        return line

    def laid(self, tile: int) -> int:
        """The number of the move that laid this tile."""
        return next(at for at, move in enumerate(self.moves) if isinstance(move, Play) and move.tile == tile)

    # --- which move to blame -------------------------------------------------------------------------------
    def disproved(self, seat: int, tile: int, at: int | None) -> Illegal:
        """The error for an earlier entry, by which this seat cannot have this tile.

        ``at`` is the play that proves the entry wrong; None if the tiles left prove it. If several entries exclude
        the tile, the one to blame must be wrong whenever the player got the tile. So it is the first one that is not
        before the last draw which may have brought the tile.
        """
        line, guilty, drawn = Line.of(self.rules.kind), None, False
        for number, move in enumerate(self.moves):
            if isinstance(move, Play):
                line = line.lay(move.tile, move.end)
            elif isinstance(move, Pass | Draw) and move.seat == seat:
                denied = bool(self.opening.proves(number) and line.ends.fitting >> tile & 1)
                kept = isinstance(move, Draw) and self._kept_last(number)
                if isinstance(move, Draw) and move.tiles is None and (kept or move.number > 1):
                    # A tile that fits can only be the last one of a draw. If it was an earlier one, the player should
                    # have stopped there, so this draw is to blame.
                    guilty, drawn = number if denied and not kept else None, True
                elif denied and guilty is None:
                    guilty = number
        if not drawn and self.rules.lead_double and is_double(tile) and tile > (line.first or 0):
            return self.heavier(Contradiction, seat, tile, at)
        if guilty is None:
            # A draw could have brought this tile, but all the tiles it brought are known to be others.
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
            ends=numbers_listed(self.line(guilty).open.values()),
        )

    def _kept_last(self, number: int) -> bool:
        """Whether the last tile of this draw may have stayed in the hand, because it was not laid at once."""
        after = self.moves[number + 1] if number + 1 < len(self.moves) else None
        return not isinstance(after, Play) or not self.opening.proves(number)

    def heavier(self, kind: type[Illegal], seat: int, tile: int, proof: int | None) -> Illegal:
        """The error for a lead when this seat was dealt a heavier double."""
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
        """The error for the move after which no deal fits any more; None if the tiles left exclude every deal."""
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
"""By two facts: whether the entry to blame is a draw, and whether the tiles left prove it wrong."""


def numbers_listed(values: Iterable[int]) -> str:
    """Numbers for a sentence, each once, the highest first: ``5, 2``."""
    return ", ".join(str(value) for value in sorted(set(values), reverse=True))
