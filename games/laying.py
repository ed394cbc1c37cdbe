"""A hand of any game in which tiles are laid to a line: what is known of it, what may come next.

Hands are usually unseen. A state therefore holds, besides the line, for every holder (the seats, then the
boneyard) the tiles it cannot have: a pass says its player has none that fits, a lead by the heaviest double
says no heavier one was dealt to a hand, a known deal says all of it. See ``games.deduce`` for what follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

from games.base import End, Left, Move, Opening, Pass, Play, Score, Term
from games.deduce import Holding, Sum, deals, possible, possible_with, shareable, whereabouts
from games.errors import Code, Contradiction, Illegal, marked
from games.line import Kind, Line
from games.tiles import ALL, COUNT, DOUBLES, NAMES, PIPS, heavier_doubles, is_double, mask, members, names


@dataclass(frozen=True, slots=True)
class Manner:
    """How tiles are laid in this hand."""

    dealt: int
    """Tiles each seat is dealt; what is over is the boneyard, out of play."""
    kind: Kind = Kind.PLAIN
    lead_double: bool = False
    """Whether the hand must be led with the heaviest double held."""
    multiples: tuple[int, ...] = ()
    """A play that makes the table count a multiple of one of these scores it."""
    target: int | None = None
    """The total that ends the match in mid-hand."""


@dataclass(frozen=True, slots=True)
class LayingState:
    opening: Opening
    how: Manner
    line: Line
    unseen: int
    """The mask of tiles not laid yet."""
    room: tuple[int, ...]
    """How many tiles each holder has: the seats, then the boneyard if there is one."""
    cannot: tuple[int, ...]
    """For each holder the mask of tiles it cannot have."""
    known: tuple[int | None, ...]
    """What each seat still holds of a known deal."""
    moves: tuple[Move, ...] = ()
    turn: int | None = None
    passes: int = 0
    scores: tuple[Score, ...] = ()
    end: End | None = None

    # --- beginning -----------------------------------------------------------------------------------------
    @classmethod
    def begin(cls, opening: Opening, how: Manner) -> Self:
        """The hand before its first move."""
        seats = len(opening.players)
        boneyard = COUNT - seats * how.dealt
        room = (how.dealt,) * seats + ((boneyard,) if boneyard else ())
        known = _completed(opening.deal, boneyard)
        shown = mask(t for hand in known if hand is not None for t in members(hand))
        cannot = tuple(ALL & ~hand if hand is not None else shown for hand in known) + ((shown,) if boneyard else ())
        state = cls(opening, how, Line(how.kind), ALL, room, cannot, known, turn=opening.opener)
        if how.lead_double:
            state._check_leader()
        return state

    def _check_leader(self) -> None:
        """A known deal must hold a double at all, and the opener may have one heavier than those known elsewhere."""
        opener = self.opening.opener
        doubles = [None if hand is None else hand & DOUBLES for hand in self.known]
        if not any(held != 0 for held in doubles):
            raise self._illegal(
                Code.MUST_LEAD_DOUBLE,
                marked("Nobody was dealt a double: this hand is void and dealt again."),
                None,
            )
        for seat, held in enumerate(doubles):
            if seat != opener and held and held > DOUBLES & ~self.cannot[opener]:
                raise self._illegal(
                    Code.WRONG_LEADER,
                    marked("{other} holds {tile}, the heaviest double, and leads."),
                    None,
                    other=self._player(seat),
                    tile=names(held)[0],
                )
        if doubles[opener] == 0:
            raise self._illegal(
                Code.WRONG_LEADER,
                marked("{player} was dealt no double and does not lead."),
                None,
                player=self._player(opener),
            )

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> Self:
        """The state after this move; Illegal or Contradiction if the rules or what is known forbid it."""
        at = len(self.moves)
        if self.end is not None:
            raise self._illegal(Code.HAND_OVER, marked("This hand is over."), at)
        if move.seat != self.turn:
            assert self.turn is not None
            raise self._illegal(
                Code.NOT_YOUR_TURN,
                marked("It is {turn}'s turn, not {player}'s."),
                at,
                turn=self._player(self.turn),
                player=self._player(move.seat),
            )
        if isinstance(move, Play):
            return self._lay(move, at)
        if isinstance(move, Pass):
            return self._pass(move, at)
        raise self._illegal(Code.CANNOT_DRAW, marked("Nothing is drawn from the boneyard in this game."), at)

    def _lay(self, move: Play, at: int) -> Self:
        seat, tile = move.seat, move.tile
        bit = 1 << tile
        if not self.unseen & bit:
            raise self.opening.error(
                Illegal,
                Code.TILE_ALREADY_LAID,
                marked("{tile} is on the table already."),
                at,
                next(n for n, m in enumerate(self.moves) if isinstance(m, Play) and m.tile == tile),
                tile=NAMES[tile],
            )
        if self._not_dealt(seat, tile):
            raise self._illegal(
                Code.TILE_NOT_HELD,
                marked("{player} does not hold {tile}."),
                at,
                player=self._player(seat),
                tile=NAMES[tile],
            )
        cannot = self.cannot if self.line.laid else self._lead(move, at)
        line = self.line.lay(tile, self._end_for(move, at))
        if cannot[seat] & bit:
            raise self._disproved(seat, tile, at)
        room = tuple(n - (holder == seat) for holder, n in enumerate(self.room))
        unseen = self.unseen & ~bit
        if not possible(unseen, room, cannot):
            raise self._impossible(at)
        known = tuple(hand if hand is None or s != seat else hand & ~bit for s, hand in enumerate(self.known))
        scores = self._scored(seat, line)
        state = self._next(
            move, line=line, unseen=unseen, room=room, cannot=cannot, known=known, scores=scores, passes=0
        )
        if self._reached(seat, scores):
            return state._ended(End("reached", seat))
        if room[seat] == 0:
            return state._ended(End("out", seat))
        return state

    def _lead(self, move: Play, at: int) -> tuple[int, ...]:
        """What nobody can hold after this lead; checks that a double leads where one must."""
        if not self.how.lead_double:
            return self.cannot
        if not is_double(move.tile):
            raise self._illegal(Code.MUST_LEAD_DOUBLE, marked("This hand is led with the heaviest double."), at)
        heavier = heavier_doubles(move.tile)
        for seat, hand in enumerate(self.known):
            if hand is not None and hand & heavier:
                raise self._heavier(seat, max(members(hand & heavier)), None)
        seats = len(self.opening.players)
        return tuple(c | heavier if holder < seats else c for holder, c in enumerate(self.cannot))

    def _end_for(self, move: Play, at: int) -> str | None:
        """The end this tile goes to; None for the first tile."""
        tile = NAMES[move.tile]
        if not self.line.laid:
            if move.end is not None:
                raise self._illegal(Code.NO_SUCH_END, marked("The first tile goes to no end."), at)
            return None
        ends = self.line.ends()
        if move.end is not None and move.end not in ends:
            raise self._illegal(Code.NO_SUCH_END, marked("There is no such end to play to yet."), at)
        fits = self.line.fits(move.tile)
        if not fits or (move.end is not None and move.end not in fits):
            showing = _listed(sorted(set(ends.values()) if move.end is None else {ends[move.end]}, reverse=True))
            raise self._illegal(
                Code.NO_MATCH,
                marked("{tile} does not match. Open there: {ends}."),
                at,
                tile=tile,
                ends=showing,
            )
        if move.end is None and len(fits) > 1:
            raise self._illegal(Code.END_NEEDED, marked("{tile} fits more than one end: say which."), at, tile=tile)
        return move.end or fits[0]

    def _pass(self, move: Pass, at: int) -> Self:
        if not self.line.laid:
            raise self._illegal(
                Code.MUST_PLAY, marked("{player} leads and cannot pass."), at, player=self._player(move.seat)
            )
        cannot = self.cannot
        if at not in self.opening.noted:
            fitting = self.line.fitting()
            held = self.known[move.seat]
            if held is not None and held & fitting:
                raise self._illegal(
                    Code.MUST_PLAY,
                    marked("{player} holds {tile}, which can be laid."),
                    at,
                    player=self._player(move.seat),
                    tile=names(held & fitting)[0],
                )
            cannot = tuple(c | fitting if holder == move.seat else c for holder, c in enumerate(cannot))
            if not possible(self.unseen, self.room, cannot):
                raise self._impossible(at)
        state = self._next(move, cannot=cannot, passes=self.passes + 1)
        if state.passes == len(self.opening.players):
            last = next(m.seat for m in reversed(self.moves) if isinstance(m, Play))
            return state._ended(End("blocked", last))
        return state

    # --- what follows --------------------------------------------------------------------------------------
    def offers(self) -> dict[str, Any]:
        """What may be true next: whose turn, which tiles where, whether a pass still can be."""
        if self.end is not None:
            return {
                "next": "left",
                "held": self.held(),
                "unseen": names(self.unseen),
                "known": [None if hand is None else names(hand) for hand in self.hands_at_end()],
            }
        assert self.turn is not None
        seat, begun = self.turn, bool(self.line.laid)
        plays = {}
        candidates = self.unseen & (self.line.fitting() if begun else DOUBLES if self.how.lead_double else ALL)
        for tile in reversed(list(members(candidates))):
            if self._can_be_laid(seat, tile):
                plays[NAMES[tile]] = list(self.line.fits(tile)) if begun else []
        return {
            "next": "move",
            "seat": seat,
            "plays": plays,
            "pass": begun and self._can_pass(seat),
            "draw": False,
            "unseen": names(self.unseen),
        }

    def _can_be_laid(self, seat: int, tile: int) -> bool:
        cannot = self.cannot
        if not self.line.laid and self.how.lead_double:
            heavier = heavier_doubles(tile)
            if any(hand is not None and hand & heavier for hand in self.known):
                return False
            cannot = tuple(c | heavier if h < len(self.known) else c for h, c in enumerate(cannot))
        return possible_with(tile, seat, self.unseen, self.room, cannot)

    def _can_pass(self, seat: int) -> bool:
        fitting = self.line.fitting()
        cannot = tuple(c | fitting if holder == seat else c for holder, c in enumerate(self.cannot))
        return possible(self.unseen, self.room, cannot)

    def held(self) -> list[int]:
        """How many tiles each seat holds."""
        return list(self.room[: len(self.opening.players)])

    def hands_at_end(self) -> tuple[int | None, ...]:
        """What each seat still holds, where the deal or the moves leave only one answer."""
        if all(hand is not None for hand in self.known):
            return self.known
        can = whereabouts(self.unseen, self.room, self.cannot)
        return tuple(can[seat] if can[seat].bit_count() == self.room[seat] else None for seat in range(len(self.known)))

    # --- what is left at the end ---------------------------------------------------------------------------
    def counts_at_end(self, out: int | None) -> list[tuple[int, int]]:
        """Between how many and how many tiles each seat has left when ``out`` went out, or the hand was blocked (None).

        Exact once the moves have ended the hand; before that every other seat has at least one, and has laid the
        others after the last recorded move.
        """
        if self.end is None:
            return [(0, 0) if seat == out else (1, n) for seat, n in enumerate(self.held())]
        if out != (self.end.seat if self.end.by == "out" else None):
            raise self._left(marked("The moves end this hand in another way."))
        return [(n, n) for n in self.held()]

    def check_left(self, left: Left, counts: list[tuple[int, int]]) -> None:
        """Checks what is said to be left, each seat having between ``counts`` many tiles.

        Raises ``left-mismatch`` for what cannot be by itself, ``wrong-pass`` (or what the lead claimed) for a tile
        that disproves an earlier entry, ``no-possible-deal`` for what no deal allows.
        """
        shown = 0
        for seat, said in enumerate(left):
            if isinstance(said, int):
                continue
            least, most = counts[seat]
            if not least <= len(said) <= most:
                raise self._left(
                    marked("{player} cannot have {count} tiles left."),
                    player=self._player(seat),
                    count=len(said),
                )
            for tile in said:
                if not self.unseen >> tile & 1:
                    raise self._left(marked("{tile} was laid and cannot be left."), tile=NAMES[tile])
                if shown >> tile & 1:
                    raise self._left(marked("{tile} is held twice."), tile=NAMES[tile])
                if self._not_dealt(seat, tile):
                    raise self._left(
                        marked("{player} does not hold {tile}."), player=self._player(seat), tile=NAMES[tile]
                    )
                shown |= 1 << tile
        for seat, said in enumerate(left):
            for tile in () if isinstance(said, int) else said:
                if self.cannot[seat] >> tile & 1:
                    raise self._disproved(seat, tile, None)
        rest = self.unseen & ~shown
        sums = [Sum((seat,), said, said) for seat, said in enumerate(left) if isinstance(said, int)]
        if not shareable(rest, self._holdings(left, counts, self._dealt_cannot()), sums):
            raise self._left(marked("These tiles or pips cannot be left together."))
        if not shareable(rest, self._holdings(left, counts, self.cannot), sums):
            raise self._impossible(None)

    def can_be_left(self, counts: list[tuple[int, int]], sums: list[Sum]) -> bool:
        """Whether the seats can have these pips left, each between ``counts`` many tiles."""
        nothing_named: Left = (0,) * len(counts)
        return shareable(self.unseen, self._holdings(nothing_named, counts, self.cannot), sums)

    def _holdings(self, left: Left, counts: list[tuple[int, int]], cannot: tuple[int, ...]) -> list[Holding]:
        """What each holder has besides the tiles that are named."""
        seats = [
            Holding(cannot[seat], room, *counts[seat])
            if isinstance(said, int)
            else Holding(cannot[seat], room - len(said))
            for seat, (said, room) in enumerate(zip(left, self.held(), strict=True))
        ]
        return seats + [Holding(cannot[-1], room) for room in self.room[len(seats) :]]

    def _dealt_cannot(self) -> tuple[int, ...]:
        """For each holder what it cannot have by the known deal alone."""
        shown = mask(t for hand in self.known if hand is not None for t in members(hand))
        return tuple(
            ALL & ~hand if holder < len(self.known) and (hand := self.known[holder]) is not None else shown
            for holder in range(len(self.room))
        )

    def endings(self, left: Left | None) -> Iterator[tuple[tuple[Term, ...], ...]]:
        """What each seat may hold at the end, as summands: what is told, or else what each deal that fits leaves it."""
        if left is not None:
            yield terms(left)
            return
        for deal in deals(self.unseen, self.room, self.cannot):
            hands = deal[: len(self.known)]
            yield terms(tuple(tuple(reversed(list(members(hand)))) for hand in hands))

    # --- inner ---------------------------------------------------------------------------------------------
    def _next(self, move: Move, **changes: Any) -> Self:
        turn = (move.seat + 1) % len(self.opening.players)
        return replace(self, moves=(*self.moves, move), turn=turn, **changes)

    def _ended(self, end: End) -> Self:
        return replace(self, turn=None, end=end)

    def _scored(self, seat: int, line: Line) -> tuple[Score, ...]:
        count = line.table_count() if self.how.multiples else 0
        if count == 0 or all(count % multiple for multiple in self.how.multiples):
            return self.scores
        return (*self.scores, Score((seat,), count, "table", (Term(seat, NAMES[line.laid[-1].tile], count),)))

    def _reached(self, seat: int, scores: tuple[Score, ...]) -> bool:
        if self.how.target is None:
            return False
        return self.opening.totals[seat] + sum(s.points for s in scores if seat in s.seats) >= self.how.target

    def _not_dealt(self, seat: int, tile: int) -> bool:
        """Whether the known deal says that this seat does not hold this tile."""
        hand = self.known[seat]
        if hand is not None:
            return not hand >> tile & 1
        return any(other is not None and other >> tile & 1 for other in self.known)

    def _disproved(self, seat: int, tile: int, at: int | None) -> Illegal:
        """The earlier entry that says this seat cannot have this tile. ``at`` None: shown by what is left."""
        if self.how.lead_double and is_double(tile) and tile > self.line.laid[0].tile:
            return self._heavier(seat, tile, at)
        line = Line(self.how.kind)
        for number, move in enumerate(self.moves):
            if isinstance(move, Play):
                line = line.lay(move.tile, move.end)
            elif move.seat == seat and number not in self.opening.noted and line.fitting() >> tile & 1:
                return self.opening.error(
                    Contradiction,
                    Code.WRONG_PASS,
                    marked("{player} passed with {ends} open, and laid {tile} later.")
                    if at is not None
                    else marked("{player} passed with {ends} open, and has {tile} left."),
                    number,
                    at,
                    player=self._player(seat),
                    tile=NAMES[tile],
                    ends=_listed(sorted(set(line.ends().values()), reverse=True)),
                )
        raise AssertionError((seat, NAMES[tile], self))

    def _heavier(self, seat: int, tile: int, proof: int | None) -> Illegal:
        """A double heavier than the lead was in this seat's hand."""
        if seat == self.opening.opener:
            return self.opening.error(
                Contradiction,
                Code.MUST_LEAD_DOUBLE,
                marked("{player} held {tile} and had to lead it."),
                0,
                proof,
                player=self._player(seat),
                tile=NAMES[tile],
            )
        return self.opening.error(
            Contradiction,
            Code.WRONG_LEADER,
            marked("{player} held {tile}, a heavier double, and had to lead."),
            None,
            proof,
            player=self._player(seat),
            tile=NAMES[tile],
        )

    def _impossible(self, at: int | None) -> Illegal:
        return self.opening.error(
            Contradiction,
            Code.NO_POSSIBLE_DEAL,
            marked("No deal of the tiles fits all that was entered up to here."),
            at,
        )

    def _illegal(self, code: Code, template: str, at: int | None, **facts: Any) -> Illegal:
        return self.opening.error(Illegal, code, template, at, **facts)

    def _left(self, template: str, **facts: Any) -> Illegal:
        return self.opening.error(Illegal, Code.LEFT_MISMATCH, template, None, **facts)

    def _player(self, seat: int) -> str:
        return self.opening.players[seat]


def terms(left: Left) -> tuple[tuple[Term, ...], ...]:
    """What is left, as summands by seat."""
    return tuple(
        (Term(seat, "", said),) if isinstance(said, int) else tuple(Term(seat, NAMES[t], PIPS[t]) for t in said)
        for seat, said in enumerate(left)
    )


def _completed(deal: tuple[int | None, ...], boneyard: int) -> tuple[int | None, ...]:
    """The deal, with the one hand that all others leave where there is no boneyard."""
    unknown = [seat for seat, hand in enumerate(deal) if hand is None]
    if boneyard or len(unknown) != 1:
        return deal
    rest = ALL & ~mask(t for hand in deal if hand is not None for t in members(hand))
    return tuple(rest if seat == unknown[0] else hand for seat, hand in enumerate(deal))


def _listed(values: list[int]) -> str:
    """Numbers for a sentence that is translated as a whole: ``5, 2``."""
    return ", ".join(str(value) for value in values)
