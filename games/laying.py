"""A hand of any game in which tiles are laid to a line: what is known, and what may come next.

Hands are usually hidden. So a state has not only the line but also who may hold each tile (``games.holdings``). A pass
or a draw proves that its player has no tile that fits. A lead with the heaviest double proves that nobody was dealt a
heavier one. A known deal leaves nothing open.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games import refusals
from games.base import End, Left, Opening, Score, Term
from games.course import Course, LayingRules
from games.errors import Code, marked
from games.holdings import Holdings
from games.line import AT, ENDS, Ends, Line
from games.moves import Draw, Move, Pass, Play
from games.tiles import ALL, NAMES, heavier_doubles, mask, members, names, union


class LayingState:
    """A hand at one moment. Immutable: ``play`` returns the next state."""

    # A class with slots, as ``Holdings``: a frozen dataclass takes much longer to make.
    __slots__ = ("_line", "end", "ends", "holdings", "moves", "opening", "passes", "rules", "scores", "turn")

    def __init__(
        self,
        opening: Opening,
        rules: LayingRules,
        ends: Ends,
        holdings: Holdings,
        moves: tuple[Move, ...],
        turn: int | None,
        passes: int = 0,
        scores: tuple[Score, ...] = (),
        end: End | None = None,
        line: Line | None = None,
    ) -> None:
        self.opening = opening
        self.rules = rules
        self.ends = ends
        """The ends of the line."""
        self.holdings = holdings
        self.moves = moves
        self.turn = turn
        self.passes = passes
        """The number of passes since the last tile or draw."""
        self.scores = scores
        self.end = end
        self._line = line

    def __eq__(self, other: object) -> bool:
        """Compares opening, rules and moves; everything else follows from them."""
        if not isinstance(other, LayingState):
            return NotImplemented
        return (self.opening, self.rules, self.moves) == (other.opening, other.rules, other.moves)

    def __hash__(self) -> int:
        return hash((self.rules, self.moves))

    # --- beginning -----------------------------------------------------------------------------------------
    @staticmethod
    def begin(opening: Opening, rules: LayingRules) -> "LayingState":
        """The hand before its first move. Illegal if a double must lead and the opener cannot have the heaviest."""
        holdings = Holdings.of(len(opening.players), rules.dealt, opening.deal)
        if rules.lead_double:
            refusals.check_leader(opening, holdings)
        return LayingState(opening, rules, Ends.of(rules.kind), holdings, (), opening.opener)

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> "LayingState":
        """The state after this move. Illegal if the rules forbid it, Contradiction if known facts exclude it."""
        if move.seat != self.turn:
            raise refusals.not_now(self.course, self.turn, move)
        if not isinstance(move, Play):
            return self._without_tile(move)
        seat, tile, end, _ = move
        rules, ends, holdings, moves, scores = self.rules, self.ends, self.holdings, self.moves, self.scores
        known = holdings.known[seat] >> tile & 1
        may = known or holdings.may_have(seat) >> tile & 1
        if not may:
            refusals.check_held(self.course, holdings, seat, tile)
        at = AT[end] if end is not None and ends.begun else self._only_end(move)
        if ends.begun:
            if not ends.takes[at] >> tile & 1:
                raise refusals.wrong_end(self.course, ends, tile, at)
            if rules.draws:
                self._check_drawn(move)
            if not may:
                raise self.course.disproved(seat, tile, len(moves))
        elif rules.lead_double:
            holdings = holdings.undealt(heavier_doubles(tile))
        holdings = holdings.lay(seat, tile)
        if not (known and ends.begun):
            self._check_possible(holdings)
        moves += (move,)
        line = None if self._line is None else self._line.lay(tile, end)
        ended = None if holdings.known[seat] or holdings.hidden[seat] else End("out", seat)
        if rules.multiples:
            line = self.line.lay(tile, end)
            scores = self._scored(seat, line)
            if scores is not self.scores and self._reached(seat, scores):
                ended = End("reached", seat)
        turn = None if ended else rules.after[seat]
        return LayingState(
            self.opening, rules, ends.after[tile * 4 + at], holdings, moves, turn, 0, scores, ended, line
        )

    def _without_tile(self, move: Move) -> "LayingState":
        if isinstance(move, Pass):
            return self._pass(move)
        assert isinstance(move, Draw), move
        return self._draw(move)

    def aside(self, move: Move) -> "LayingState":
        """The state after a move that does not concern tiles."""
        return self._after(move, self.holdings, self.turn, self.passes, self.end)

    def settled(self, tiles: Sequence[int]) -> "LayingState":
        """The same moment if each location has exactly these tiles (masks): the seats, then the boneyard."""
        return self._holding(self.holdings.settled(tiles))

    def knowing(self, seat: int, tiles: int) -> "LayingState":
        """The same moment for a seat that has exactly these tiles (a mask) and sees them."""
        return self._holding(self.holdings.knowing(seat, tiles))

    def _holding(self, holdings: Holdings) -> "LayingState":
        return LayingState(
            self.opening,
            self.rules,
            self.ends,
            holdings,
            self.moves,
            self.turn,
            self.passes,
            self.scores,
            self.end,
            self._line,
        )

    def ended(self, end: End) -> "LayingState":
        """The state after something other than tiles has ended the hand."""
        return LayingState(
            self.opening, self.rules, self.ends, self.holdings, self.moves, None, 0, self.scores, end, self._line
        )

    @property
    def course(self) -> Course:
        return Course(self.opening, self.rules, self.moves)

    @property
    def line(self) -> Line:
        """The line of play. Made on the first request; later states then extend it."""
        if self._line is None:
            self._line = self.course.line()
        return self._line

    def _check_possible(self, holdings: Holdings) -> None:
        """Contradiction if no deal fits any more."""
        if not holdings.possible():
            raise self.course.impossible(len(self.moves))

    def _check_drawn(self, move: Play) -> None:
        """Illegal if the player has just drawn, the last tile drawn is known, and this play lays another one."""
        draw = self.moves[-1] if self.moves else None
        if not isinstance(draw, Draw) or draw.tiles is None or draw.tiles[-1] == move.tile:
            return
        if self.opening.proves(len(self.moves) - 1):
            raise refusals.not_drawn_last(self.course, move.seat, draw.tiles[-1])

    def _only_end(self, move: Play) -> int:
        """The index in ``ENDS`` for a play that names no end: the only one where the tile fits, 0 for the lead."""
        if not self.ends.begun:
            refusals.check_lead(self.course, self.holdings, move)
            return 0
        fits = [at for at, tiles in enumerate(self.ends.takes) if tiles >> move.tile & 1]
        if len(fits) != 1:
            raise refusals.no_end(self.course, self.ends, move.tile)
        return fits[0]

    def _pass(self, move: Pass) -> "LayingState":
        seat, at, holdings = move.seat, len(self.moves), self.holdings
        if not self.ends.begun:
            raise refusals.illegal(
                self.course,
                Code.MUST_PLAY,
                marked("{player} leads and cannot pass."),
                player=self.opening.players[seat],
            )
        proves = self.opening.proves(at)
        fitting = self.ends.fitting
        if proves and holdings.known[seat] & fitting:
            raise refusals.must_lay(self.course, holdings, Code.MUST_PLAY, seat, fitting)
        if self.boneyard():
            raise refusals.illegal(
                self.course,
                Code.MUST_DRAW,
                marked("{player} must draw before passing. Tiles left in the boneyard: {count}."),
                player=self.opening.players[seat],
                count=self.boneyard(),
            )
        if proves and not holdings.knows(seat):
            holdings = holdings.without(seat, fitting)
            self._check_possible(holdings)
        passes = self.passes + 1
        if passes == len(self.opening.players):
            last = next(m.seat for m in reversed(self.moves) if isinstance(m, Play))
            return self._after(move, holdings, None, passes, End("blocked", last))
        return self._after(move, holdings, self.rules.after[seat], passes, None)

    def _draw(self, move: Draw) -> "LayingState":
        seat, at, holdings = move.seat, len(self.moves), self.holdings
        refusals.check_in_boneyard(self.course, holdings, move)
        if not self.rules.draws:
            raise refusals.illegal(
                self.course, Code.CANNOT_DRAW, marked("Nobody draws in this game. A player who cannot lay passes.")
            )
        if not self.ends.begun:
            raise refusals.illegal(
                self.course,
                Code.CANNOT_DRAW,
                marked("{player} leads and cannot draw."),
                player=self.opening.players[seat],
            )
        if move.number > self.boneyard():
            raise refusals.illegal(
                self.course,
                Code.CANNOT_DRAW,
                marked("There are not that many tiles to draw. Left in the boneyard: {count}."),
                count=self.boneyard(),
            )
        proves, fitting = self.opening.proves(at), self.ends.fitting
        if proves:
            if holdings.known[seat] & fitting:
                raise refusals.must_lay(self.course, holdings, Code.CANNOT_DRAW, seat, fitting)
            holdings = holdings.without(seat, fitting)
            self._check_possible(holdings)
        if move.tiles is None:
            # Only the last tile can fit: the player stops drawing once a tile fits.
            holdings = holdings.draw_unseen(seat, move.number, fitting if proves else 0)
        else:
            fits = mask(move.tiles[:-1]) & fitting if proves else 0
            if fits:
                raise refusals.must_lay(self.course, holdings, Code.CANNOT_DRAW, seat, fits)
            holdings = holdings.draw_seen(seat, mask(move.tiles))
        self._check_possible(holdings)
        return self._after(move, holdings, seat, self.passes, None)

    def _after(self, move: Move, holdings: Holdings, turn: int | None, passes: int, end: End | None) -> "LayingState":
        """The state after a move that lays no tile."""
        moves = (*self.moves, move)
        return LayingState(
            self.opening, self.rules, self.ends, holdings, moves, turn, passes, self.scores, end, self._line
        )

    def boneyard(self) -> int:
        """How many tiles can be drawn."""
        return self.holdings.hidden[-1] if self.rules.draws else 0

    # --- what may come next --------------------------------------------------------------------------------
    def legal(self) -> list[Move]:
        """Every possible next move. A draw is listed as one hidden tile."""
        seat, holdings, ends = self.turn, self.holdings, self.ends
        if seat is None:
            return []
        if not ends.begun:
            return [Play(seat, tile) for tile in members(self.playable())]
        known = not holdings.hidden[seat]
        playable = holdings.known[seat] & ends.fitting if known else holdings.can_have(seat, ends.fitting)
        result: list[Move] = []
        plays = _PLAYS[seat]
        for at, takes in ends.taking:
            tiles = playable & takes
            if tiles:
                result += plays[at][tiles]
        if not (known and playable) and self.may_lack():
            result.append(Draw(seat, 1) if self.boneyard() else _PASSES[seat])
        return result

    def playable(self) -> int:
        """The mask of tiles that the player on turn may lay now."""
        assert self.turn is not None
        seat, holdings = self.turn, self.holdings
        if self.ends.begun:
            return holdings.can_have(seat, self.ends.fitting)
        if not self.rules.lead_double:
            return holdings.can_have(seat, ALL)
        return mask(tile for tile, _ in self.holdings.leads(self.opening.opener))

    def may_lack(self) -> bool:
        """Whether the player on turn may have no tile that fits."""
        assert self.turn is not None
        fitting = self.ends.fitting
        if not self.ends.begun or self.holdings.known[self.turn] & fitting:
            return False
        return self.holdings.knows(self.turn) or self.holdings.without(self.turn, fitting).possible()

    def offers(self) -> dict[str, Any]:
        """The seat on turn, the tiles it may lay and at which ends, and whether it may draw or pass. Once the hand is
        over: what each seat has left, as far as that is known."""
        if self.turn is None:
            return {
                "next": "left",
                "held": self.held(),
                "unseen": names(self.holdings.unlaid),
                "known": [None if hand is None else names(hand) for hand in self.holdings.certain_hands()],
            }
        lacks, boneyard, line = self.may_lack(), self.boneyard(), self.line
        plays = {tile: line.fits(tile) for tile in reversed(list(members(self.playable())))}
        return {
            "next": "move",
            "seat": self.turn,
            "plays": {NAMES[tile]: list(ends) for tile, ends in plays.items()},
            **(self._counted(plays) if self.rules.multiples else {}),
            "pass": lacks and not boneyard,
            "draw": lacks and boneyard > 0,
            "boneyard": boneyard,
            "unseen": names(self.holdings.unlaid),
        }

    # --- what is known -------------------------------------------------------------------------------------
    def held(self) -> list[int]:
        """How many tiles each seat holds."""
        return self.holdings.held[:-1]

    def whereabouts(self, left: Left | None = None) -> tuple[int, ...]:
        """For each seat, then the boneyard: the mask of unlaid tiles that it has in at least one deal that fits every
        entry, and what is ``left`` if that is known."""
        if not self.ends.begun and self.rules.lead_double:
            leads = [holdings.whereabouts() for _, holdings in self.holdings.leads(self.opening.opener)]
            return tuple(union(masks) for masks in zip(*leads, strict=True))
        holdings, pips = self._with_left(left)
        return holdings.whereabouts(pips)

    def deals(self, left: Left | None = None) -> int:
        """The number of deals that fit every entry, and what is ``left`` if that is known."""
        if not self.ends.begun and self.rules.lead_double:
            return sum(holdings.deals() for _, holdings in self.holdings.leads(self.opening.opener))
        holdings, pips = self._with_left(left)
        return holdings.deals(pips)

    def _with_left(self, left: Left | None) -> tuple[Holdings, dict[int, int]]:
        """Where the tiles may be if this is left, and the pips of each seat for which only the pips are known."""
        leftover = dict(enumerate(left or ()))
        named = {seat: mask(tiles) for seat, tiles in leftover.items() if not isinstance(tiles, int)}
        return self.holdings.having(named), {seat: pips for seat, pips in leftover.items() if isinstance(pips, int)}

    # --- inner ---------------------------------------------------------------------------------------------
    def _scored(self, seat: int, line: Line) -> tuple[Score, ...]:
        total = self.rules.worth(line)
        return (*self.scores, Score((seat,), total, "table", total_terms(seat, line))) if total else self.scores

    def _counted(self, plays: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
        """The table count, and the points of each play: one number for each end, or one for a lead."""
        line = self.line
        return {
            "count": line.total,
            "worth": {
                NAMES[tile]: [self.rules.worth(line.lay(tile, end)) for end in ends or (None,)]
                for tile, ends in plays.items()
            },
        }

    def _reached(self, seat: int, scores: tuple[Score, ...]) -> bool:
        if self.rules.target is None:
            return False
        return self.opening.totals[seat] + sum(s.points for s in scores if seat in s.seats) >= self.rules.target


class _Plays(dict[int, tuple[Move, ...]]):
    """The plays of some tiles (a mask) by a seat at an end, made on the first request."""

    def __init__(self, seat: int, end: str) -> None:
        self.seat = seat
        self.end = end

    def __missing__(self, tiles: int) -> tuple[Move, ...]:
        self[tiles] = tuple(Play(self.seat, tile, self.end) for tile in members(tiles))
        return self[tiles]


_PLAYS = tuple(tuple(_Plays(seat, end) for end in ENDS) for seat in range(4))
"""By seat, then by end."""
_PASSES = tuple(Pass(seat) for seat in range(4))


def total_terms(seat: int, line: Line) -> tuple[Term, ...]:
    """The total of a line as terms: the tile at each end, and the pips that it counts."""
    return tuple(Term(seat, NAMES[tile], pips) for tile, pips in line.counts().values() if pips)
