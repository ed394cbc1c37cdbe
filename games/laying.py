"""A hand of any game in which tiles are laid to a line: what is known of it, what may come next.

Hands are usually unseen. Besides the line a state therefore holds where each tile may be (``games.places``): a pass
or a draw says its player has none that fits, a lead by the heaviest double says no heavier one was dealt to a hand, a
known deal says all of it.
"""

from collections.abc import Mapping
from typing import Any

from games.base import End, Left, Opening, Score, Term
from games.course import Course, Manner, listed
from games.errors import Code, Illegal, marked
from games.line import AT, ENDS, Ends, Kind, Line
from games.moves import Draw, Move, Pass, Play
from games.places import Places
from games.tiles import ALL, DOUBLES, NAMES, heavier_doubles, is_double, mask, members, names, union


class LayingState:
    """A value: ``play`` gives the next one."""

    __slots__ = ("_line", "end", "ends", "how", "moves", "opening", "passes", "places", "scores", "turn")

    # Not a frozen dataclass, as ``Places``.
    def __init__(
        self,
        opening: Opening,
        how: Manner,
        ends: Ends,
        places: Places,
        moves: tuple[Move, ...],
        turn: int | None,
        passes: int = 0,
        scores: tuple[Score, ...] = (),
        end: End | None = None,
        line: Line | None = None,
    ) -> None:
        self.opening = opening
        self.how = how
        self.ends = ends
        """What the line shows."""
        self.places = places
        self.moves = moves
        self.turn = turn
        self.passes = passes
        """How many passes in a row were the last moves."""
        self.scores = scores
        self.end = end
        self._line = line

    def __eq__(self, other: object) -> bool:
        """What a hand starts from and its moves say all."""
        if not isinstance(other, LayingState):
            return NotImplemented
        return (self.opening, self.how, self.moves) == (other.opening, other.how, other.moves)

    def __hash__(self) -> int:
        return hash((self.how, self.moves))

    # --- beginning -----------------------------------------------------------------------------------------
    @staticmethod
    def begin(opening: Opening, how: Manner) -> "LayingState":
        """The hand before its first move."""
        places = Places.of(len(opening.players), how.dealt, opening.deal)
        state = LayingState(opening, how, Ends.of(how.kind), places, (), opening.opener)
        if how.lead_double:
            state._check_leader()
        return state

    def _check_leader(self) -> None:
        """A known deal must hold a double at all, and the opener may have one heavier than those known elsewhere."""
        opener, places = self.opening.opener, self.places
        seats = range(len(self.opening.players))
        doubles = [places.told[seat] & DOUBLES for seat in seats]
        if not any(doubles) and all(places.knows(seat) for seat in seats):
            raise self._illegal(
                Code.MUST_LEAD_DOUBLE,
                marked("Nobody was dealt a double. This hand is void: deal again."),
                None,
            )
        for seat, held in enumerate(doubles):
            if seat != opener and held > DOUBLES & places.may_have(opener):
                raise self._illegal(
                    Code.WRONG_LEADER,
                    marked("{other} holds the heaviest double, {tile}, and leads."),
                    None,
                    other=self._player(seat),
                    tile=names(held)[0],
                )
        if not doubles[opener] and places.knows(opener):
            raise self._illegal(
                Code.WRONG_LEADER,
                marked("{player} was dealt no double and cannot lead."),
                None,
                player=self._player(opener),
            )

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> "LayingState":
        """The state after this move; Illegal or Contradiction if the rules or what is known forbid it."""
        if move.seat != self.turn:
            raise self._not_now(move)
        if not isinstance(move, Play):
            return self._without_tile(move)
        seat, tile, end, _ = move
        how, ends, places, moves, scores = self.how, self.ends, self.places, self.moves, self.scores
        told = places.told[seat] >> tile & 1
        may = told or places.may_have(seat) >> tile & 1
        if not may:
            self._check_place(seat, tile)
        at = AT[end] if end is not None and ends.begun else self._one_end(move)
        if ends.begun:
            if not ends.takes[at] >> tile & 1:
                raise self._no_match(marked("{tile} does not fit there. That end shows {ends}."), tile, ends.shown[at])
            if how.draws:
                self._check_drawn(move)
            if not may:
                raise self.course.disproved(seat, tile, len(moves))
        elif how.lead_double:
            places = places.undealt(heavier_doubles(tile))
        places = places.lay(seat, tile)
        if not (told and ends.begun):
            self._check_possible(places)
        moves += (move,)
        line = None if self._line is None else self._line.lay(tile, end)
        turn: int | None = how.after[seat]
        ended = None
        if not (places.told[seat] or places.hidden[seat]):
            turn, ended = None, End("out", seat)
        if how.multiples:
            line = self.line.lay(tile, end)
            scores = self._scored(seat, line)
            if scores is not self.scores and self._reached(seat, scores):
                turn, ended = None, End("reached", seat)
        return LayingState(self.opening, how, ends.after[tile * 4 + at], places, moves, turn, 0, scores, ended, line)

    def _without_tile(self, move: Move) -> "LayingState":
        if isinstance(move, Pass):
            return self._pass(move)
        assert isinstance(move, Draw), move
        return self._draw(move)

    def _not_now(self, move: Move) -> Illegal:
        at = len(self.moves)
        if self.turn is None:
            return self._illegal(Code.HAND_OVER, marked("This hand is over."), at)
        return self._illegal(
            Code.NOT_YOUR_TURN,
            marked("It is {turn}'s turn, not {player}'s."),
            at,
            turn=self._player(self.turn),
            player=self._player(move.seat),
        )

    def aside(self, move: Move) -> "LayingState":
        """The state after a move of this hand that is not about its tiles."""
        return self._after(move, self.places, self.turn, self.passes, self.end)

    def ended(self, end: End) -> "LayingState":
        """The state once something other than its tiles has ended the hand."""
        return LayingState(
            self.opening, self.how, self.ends, self.places, self.moves, None, 0, self.scores, end, self._line
        )

    @property
    def course(self) -> Course:
        return Course(self.opening, self.how, self.moves)

    @property
    def line(self) -> Line:
        """The line of play as it lies; put together when it is first asked for, and kept up from there on."""
        if self._line is None:
            self._line = self.course.line()
        return self._line

    def _check_possible(self, places: Places) -> None:
        """Contradiction if the tiles cannot be anywhere any more."""
        if not places.possible():
            raise self.course.impossible(len(self.moves))

    def _drew(self) -> Draw | None:
        """The draw just before, if its player now lays the tile drawn last."""
        draw = self.moves[-1] if self.moves else None
        return draw if isinstance(draw, Draw) and self.opening.claims(len(self.moves) - 1) else None

    def _check_drawn(self, move: Play) -> None:
        """After a draw that was seen its last tile is laid."""
        draw = self._drew()
        if draw and draw.tiles is not None and draw.tiles[-1] != move.tile:
            raise self._illegal(
                Code.MUST_PLAY,
                marked("{player} must lay the tile drawn last: {tile}."),
                len(self.moves),
                player=self._player(move.seat),
                tile=NAMES[draw.tiles[-1]],
            )

    def _check_place(self, seat: int, tile: int) -> None:
        """A tile that the seat is not known to hold must not be known to be anywhere else."""
        at = len(self.moves)
        if not self.places.unlaid >> tile & 1:
            raise self.opening.error(
                Illegal,
                Code.TILE_ALREADY_LAID,
                marked("{tile} is already on the table."),
                at,
                self.course.laid(tile),
                tile=NAMES[tile],
            )
        if self.places.known_elsewhere(seat, tile):
            raise self._illegal(
                Code.TILE_NOT_HELD,
                marked("{player} does not hold {tile}."),
                at,
                player=self._player(seat),
                tile=NAMES[tile],
            )

    def _check_lead(self, move: Play) -> None:
        """A double leads where one must, the heaviest that is known; the first tile goes to no end."""
        at = len(self.moves)
        if self.how.lead_double:
            if not is_double(move.tile):
                raise self._illegal(
                    Code.MUST_LEAD_DOUBLE,
                    marked("{tile} cannot lead. The heaviest double in any hand leads."),
                    at,
                    tile=NAMES[move.tile],
                )
            for seat, told in enumerate(self.places.told[:-1]):
                heavier = told & heavier_doubles(move.tile)
                if heavier:
                    raise self.course.heavier(Illegal, seat, max(members(heavier)), None)
        if move.end is not None:
            raise self._illegal(Code.NO_SUCH_END, marked("The first tile has no end to go to."), at)

    def _one_end(self, move: Play) -> int:
        """The place in ``ENDS`` of a move that names no end, and of a lead."""
        tile, at = move.tile, len(self.moves)
        if not self.ends.begun:
            self._check_lead(move)
            return 0
        fits = [place for place, tiles in enumerate(self.ends.takes) if tiles >> tile & 1]
        if len(fits) > 1:
            raise self._illegal(
                Code.END_NEEDED, marked("{tile} fits more than one end. Say which."), at, tile=NAMES[tile]
            )
        if not fits:
            raise self._no_match(marked("{tile} does not fit any open end: {ends}."), tile, *self.ends.shown)
        return fits[0]

    def _no_match(self, template: str, tile: int, *showing: int | None) -> Illegal:
        """The tile fits none of these ends; None is one that is not open."""
        if showing == (None,):
            return self._illegal(Code.NO_SUCH_END, _CLOSED[self.how.kind], len(self.moves))
        return self._illegal(
            Code.NO_MATCH,
            template,
            len(self.moves),
            tile=NAMES[tile],
            ends=listed(value for value in showing if value is not None),
        )

    def _pass(self, move: Pass) -> "LayingState":
        seat, at, places = move.seat, len(self.moves), self.places
        if not self.ends.begun:
            raise self._illegal(
                Code.MUST_PLAY, marked("{player} leads and cannot pass."), at, player=self._player(seat)
            )
        claims = self.opening.claims(at)
        fitting = self.ends.fitting
        if claims and places.told[seat] & fitting:
            raise self._holds(Code.MUST_PLAY, seat, fitting)
        if self.boneyard():
            raise self._illegal(
                Code.MUST_DRAW,
                marked("{player} must draw before passing. Tiles left in the boneyard: {count}."),
                at,
                player=self._player(seat),
                count=self.boneyard(),
            )
        if claims and not places.knows(seat):
            places = places.without(seat, fitting)
            self._check_possible(places)
        passes = self.passes + 1
        if passes == len(self.opening.players):
            last = next(m.seat for m in reversed(self.moves) if isinstance(m, Play))
            return self._after(move, places, None, passes, End("blocked", last))
        return self._after(move, places, self.how.after[seat], passes, None)

    def _draw(self, move: Draw) -> "LayingState":
        seat, at, places = move.seat, len(self.moves), self.places
        self._check_drawable(move)
        if not self.how.draws:
            raise self._illegal(
                Code.CANNOT_DRAW, marked("Nobody draws in this game. A player who cannot lay passes."), at
            )
        if not self.ends.begun:
            raise self._illegal(
                Code.CANNOT_DRAW, marked("{player} leads and cannot draw."), at, player=self._player(seat)
            )
        if move.number > self.boneyard():
            raise self._illegal(
                Code.CANNOT_DRAW,
                marked("There are not that many tiles to draw. Left in the boneyard: {count}."),
                at,
                count=self.boneyard(),
            )
        claims, fitting = self.opening.claims(at), self.ends.fitting
        if claims:
            if places.told[seat] & fitting:
                raise self._holds(Code.CANNOT_DRAW, seat, fitting)
            places = places.without(seat, fitting)
            self._check_possible(places)
        if move.tiles is None:
            # All but the last did not fit, or there would have been no more drawing.
            places = places.draw_unseen(seat, move.number, fitting if claims else 0)
        else:
            fits = mask(move.tiles[:-1]) & fitting if claims else 0
            if fits:
                raise self._holds(Code.CANNOT_DRAW, seat, fits)
            places = places.draw_seen(seat, mask(move.tiles))
        self._check_possible(places)
        return self._after(move, places, seat, self.passes, None)

    def _check_drawable(self, move: Draw) -> None:
        """Tiles that were seen in a draw are not on the table, nor known to be in a hand."""
        for tile in move.tiles or ():
            if not self.places.unlaid >> tile & 1:
                self._check_place(move.seat, tile)
            if union(self.places.told) >> tile & 1:
                raise self._illegal(
                    Code.TILE_NOT_HELD, marked("{tile} is not in the boneyard."), len(self.moves), tile=NAMES[tile]
                )

    def _after(self, move: Move, places: Places, turn: int | None, passes: int, end: End | None) -> "LayingState":
        """The state after a move that lays nothing."""
        moves = (*self.moves, move)
        return LayingState(self.opening, self.how, self.ends, places, moves, turn, passes, self.scores, end, self._line)

    def boneyard(self) -> int:
        """How many tiles can be drawn."""
        return self.places.hidden[-1] if self.how.draws else 0

    # --- what may come next --------------------------------------------------------------------------------
    def legal(self) -> list[Move]:
        """Every move that may come next, a draw as one tile that nobody saw."""
        seat, places, ends = self.turn, self.places, self.ends
        if seat is None:
            return []
        if not ends.begun:
            return [Play(seat, tile) for tile in members(self.playable())]
        known = not places.hidden[seat]
        playable = places.told[seat] & ends.fitting if known else places.can_have(seat, ends.fitting)
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
        """The mask of tiles the player on turn may lay now."""
        assert self.turn is not None
        seat, places = self.turn, self.places
        if self.ends.begun:
            return places.can_have(seat, self.ends.fitting)
        if not self.how.lead_double:
            return places.can_have(seat, ALL)
        return mask(tile for tile, _ in self.places.leads(self.opening.opener))

    def may_lack(self) -> bool:
        """Whether the player on turn may have no tile that fits."""
        assert self.turn is not None
        fitting = self.ends.fitting
        if not self.ends.begun or self.places.told[self.turn] & fitting:
            return False
        return self.places.knows(self.turn) or self.places.without(self.turn, fitting).possible()

    def offers(self) -> dict[str, Any]:
        """What may be true next: whose turn, which tiles where, whether a draw or a pass still can be."""
        if self.turn is None:
            return {
                "next": "left",
                "held": self.held(),
                "unseen": names(self.places.unlaid),
                "known": [None if hand is None else names(hand) for hand in self.places.certain_hands()],
            }
        lacks, boneyard, line = self.may_lack(), self.boneyard(), self.line
        plays = {tile: line.fits(tile) for tile in reversed(list(members(self.playable())))}
        return {
            "next": "move",
            "seat": self.turn,
            "plays": {NAMES[tile]: list(ends) for tile, ends in plays.items()},
            **(self._counted(plays) if self.how.multiples else {}),
            "pass": lacks and not boneyard,
            "draw": lacks and boneyard > 0,
            "boneyard": boneyard,
            "unseen": names(self.places.unlaid),
        }

    # --- what is known -------------------------------------------------------------------------------------
    def held(self) -> list[int]:
        """How many tiles each seat holds."""
        return self.places.held[:-1]

    def whereabouts(self, left: Left | None = None) -> tuple[int, ...]:
        """For each seat, then the boneyard, the mask of tiles not laid yet that it may have: those it has in at least
        one deal that fits all that was entered, and what is ``left`` at the end if that was told."""
        if not self.ends.begun and self.how.lead_double:
            leads = [places.whereabouts() for _, places in self.places.leads(self.opening.opener)]
            return tuple(union(masks) for masks in zip(*leads, strict=True))
        places, pips = self._with_left(left)
        return places.whereabouts(pips)

    def deals(self, left: Left | None = None) -> int:
        """How many deals fit all that was entered, and what is ``left`` at the end if that was told."""
        if not self.ends.begun and self.how.lead_double:
            return sum(places.deals() for _, places in self.places.leads(self.opening.opener))
        places, pips = self._with_left(left)
        return places.deals(pips)

    def _with_left(self, left: Left | None) -> tuple[Places, dict[int, int]]:
        """Where the tiles may be if the seats hold these tiles, and the pips of those of which only they are told."""
        said = dict(enumerate(left or ()))
        named = {seat: mask(tiles) for seat, tiles in said.items() if not isinstance(tiles, int)}
        return self.places.having(named), {seat: pips for seat, pips in said.items() if isinstance(pips, int)}

    # --- inner ---------------------------------------------------------------------------------------------
    def _scored(self, seat: int, line: Line) -> tuple[Score, ...]:
        total = self.how.worth(line)
        return (*self.scores, Score((seat,), total, "table", total_terms(seat, line))) if total else self.scores

    def _counted(self, plays: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
        """The table count, and what each of these plays would score: a number for each of its ends, one for a lead."""
        line = self.line
        return {
            "count": line.total,
            "worth": {
                NAMES[tile]: [self.how.worth(line.lay(tile, end)) for end in ends or (None,)]
                for tile, ends in plays.items()
            },
        }

    def _reached(self, seat: int, scores: tuple[Score, ...]) -> bool:
        if self.how.target is None:
            return False
        return self.opening.totals[seat] + sum(s.points for s in scores if seat in s.seats) >= self.how.target

    def _holds(self, code: Code, seat: int, fitting: int) -> Illegal:
        """One of these tiles is known to be in the hand and could be laid."""
        return self._illegal(
            code,
            marked("{player} holds {tile}, which fits, and must lay it."),
            len(self.moves),
            player=self._player(seat),
            tile=names((self.places.told[seat] & fitting) or fitting)[0],
        )

    def _illegal(self, code: Code, template: str, at: int | None, **facts: Any) -> Illegal:
        return self.opening.error(Illegal, code, template, at, **facts)

    def _player(self, seat: int) -> str:
        return self.opening.players[seat]


class _Plays(dict[int, tuple[Move, ...]]):
    """The plays of some tiles (a mask) by a seat to an end, made when they are first asked for."""

    def __init__(self, seat: int, end: str) -> None:
        self.seat = seat
        self.end = end

    def __missing__(self, tiles: int) -> tuple[Move, ...]:
        self[tiles] = tuple(Play(self.seat, tile, self.end) for tile in members(tiles))
        return self[tiles]


_PLAYS = tuple(tuple(_Plays(seat, end) for end in ENDS) for seat in range(4))
"""By seat and end."""
_PASSES = tuple(Pass(seat) for seat in range(4))

_CLOSED = {
    Kind.PLAIN: marked("A line without a spinner has two ends, left and right."),
    Kind.SPINNER: marked(
        "Nothing can be laid there yet: the spinner opens above and below once both its sides are taken."
    ),
    Kind.STAR: marked("There is no such end."),
}
"""Why an end is not open."""


def total_terms(seat: int, line: Line) -> tuple[Term, ...]:
    """The total of a line as summands: the tile at each end and what it counts."""
    return tuple(Term(seat, NAMES[tile], pips) for tile, pips in line.counts().values() if pips)
