"""The best line of play when all hands are open, and what it is worth: for games in which two sides lay tiles.

A search with null windows and remembered bounds, as Plaat and others describe it: Best-first fixed-depth minimax
algorithms, Artificial Intelligence 87 (1996). The rules say what may be laid and what a play scores, and the game says
what is paid at the end; the search only looks ahead.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from games.base import End, Game, State
from games.course import points_in_play
from games.errors import Malformed, marked
from games.laying import LayingState
from games.line import ENDS, Line
from games.moves import Draw, Move, Play
from games.tiles import COUNT, PIPS, members, names, union

FAR = 1 << 20
"""More points than any hand can give."""
NONE = -1
"""No play is the best one yet."""
MOST_IN_A_PLAY = 40
"""More than any table count: two ends and the spinner's sides, each with a double."""


class Solution(NamedTuple):
    """The points by which the side on turn will win more than the other one from now to the end of the hand, if
    everybody plays as well as possible (lower than 0 if it loses), and moves that lead there."""

    worth: int
    line: tuple[Move, ...]


def can_solve(game: Game[Any], seats: int) -> bool:
    """Whether hands of this game, played by so many, can be solved: two sides lay tiles in it."""
    return len(game.sides(seats)) == 2 and game.board == "line"


def solve(game: Game[Any], state: State, boneyard: Sequence[int] = ()) -> Solution:
    """The best play of a hand whose tiles are all known. ``boneyard``: the tiles that can be drawn, in their order.
    Malformed if tiles are not known, or this is no game of two sides that lay tiles."""
    if not can_solve(game, len(state.opening.players)):
        raise Malformed(marked("Only games in which two sides lay tiles can be solved."))
    assert isinstance(state, LayingState)
    solver = Solver(game, state, boneyard)
    return Solution(solver.worth(state), tuple(solver.line(state)))


class Solver:
    """Solves a hand of two sides from any of its positions, and remembers what it has found for the next one.
    Malformed if tiles are not known."""

    def __init__(self, game: Game[Any], state: LayingState, boneyard: Sequence[int] = ()) -> None:
        seats = range(len(state.opening.players))
        if not all(map(state.holdings.knows, seats)):
            raise Malformed(marked("A hand can be solved when all its tiles are known: give its deal."))
        if sorted(boneyard) != [*members(_yard(state))]:
            raise _boneyard_needed(state)
        self.game, self.opening, self.rules = game, state.opening, state.rules
        self.side = [next(n for n, side in enumerate(game.sides(len(seats))) if seat in side) for seat in seats]
        self.from_seat = [[*seats[seat:], *seats[:seat]] for seat in seats]
        self.after_seat = [[*order[1:], order[0]] for order in self.from_seat]
        self.boneyard = tuple(boneyard)
        self.fronts = fronts_of(self.rules.multiples)
        self.known: dict[Front, dict[int, tuple[int, int, int]]] = defaultdict(dict)
        """By where the line can go on, and by what is left, whose turn it is and so on: the least and the most that is
        to come, and the number of the best play. Whole numbers only: the garbage collector follows anything else."""
        self._payments: dict[tuple[object, ...], int] = {}
        self.hands: list[int] = []
        self.left = 0
        self.drawn = 0
        self.table = [0, 0]
        self.ends_early = False
        self.steps = FAR
        """How many positions it may look at before it asks ``go_on``."""
        self.go_on: Callable[[], int] = lambda: FAR
        """Says how many more positions it may look at; an exception ends the search, and it can begin another one."""

    def redeal(self, boneyard: Sequence[int] = ()) -> None:
        """Forgets what it has found: the next position has other hands, with these tiles still to be drawn."""
        self.boneyard = tuple(boneyard)
        self.known.clear()

    # --- a position of the hand ----------------------------------------------------------------------------
    def worth(self, state: LayingState) -> int:
        """The points to come, as ``Solution`` says, after these moves; for the side that moved last once it is over."""
        front = self.place(state)
        if state.end is not None:
            by, seat = state.end
            return 0 if by == "reached" or seat is None else self.paid(by, seat, self.hands)
        seat = state.turn
        assert seat is not None
        mover = last_to_lay(state)
        least, most, guess = -FAR, FAR, 0
        while least < most:
            floor = guess if guess == least else guess - 1
            guess = self._turn(seat, mover, self.from_seat[seat], front, floor)
            if guess > floor:
                least = guess
            else:
                most = guess
        return guess

    def line(self, state: LayingState) -> Iterator[Move]:
        """Moves from here to the end, each of them the best one."""
        while state.end is None:
            move, state = max(self._moves(state), key=lambda each: self.gain(state, each[1]))
            yield move

    def gain(self, state: LayingState, after: LayingState) -> int:
        """The points to come for the side on turn in a state, if it goes on to the one ``after`` a move."""
        seat = state.turn
        assert seat is not None
        made = sum(score.points for score in after.scores[len(state.scores) :])
        mover = after.turn if after.end is None else after.end.seat
        assert mover is not None
        to_come = self.worth(after)
        return made + (to_come if self.side[mover] == self.side[seat] else -to_come)

    def _moves(self, state: LayingState) -> Iterator[tuple[Move, LayingState]]:
        for move in state.legal():
            if isinstance(move, Draw):
                move = move._replace(tiles=(self.boneyard[-state.boneyard()],))
            yield move, state.play(move)

    def place(self, state: LayingState) -> "Front":
        """Takes over what lies and who holds what. Returns where the line can go on."""
        known = state.holdings.known
        self.hands = list(known[: len(self.side)])
        self.drawn = len(self.boneyard) - state.boneyard() if state.rules.draws else 0
        self.left = union(self.hands) | sum(1 << tile for tile in self.boneyard[self.drawn :])
        points = [sum(s.points for s in state.scores if seat in s.seats) for seat in range(len(self.side))]
        self.table = [total + made for total, made in zip(self.opening.totals, points, strict=True)]
        target, plays = self.rules.target, len(list(members(self.left)))
        could = max(self.table) + MOST_IN_A_PLAY * plays
        self.ends_early = bool(self.rules.multiples) and target is not None and could >= target
        if state.end is not None or state.ends.begun:
            return self.fronts.of(state.line)
        return Front(self.fronts, state.line, state.playable())

    # --- the search ----------------------------------------------------------------------------------------
    def _turn(self, seat: int, mover: int, order: Sequence[int], front: "Front", floor: int) -> int:
        """The points to come for the side of ``seat``, when ``mover`` was the last to lay a tile (or is to begin) and
        the others may go on in this ``order``: exact if it is just above the ``floor``, else a bound beyond it."""
        hands, fitting, side = self.hands, front.fitting, self.side
        for following in order:
            if hands[following] & fitting:
                if side[following] == side[seat]:
                    return self._best(following, front, floor)
                return -self._best(following, front, -floor - 1)
            if self.drawn < len(self.boneyard):
                return self._drawing(following, seat, mover, order, front, floor)
        worth = self.paid("blocked", mover, hands)
        return worth if side[mover] == side[seat] else -worth

    def _drawing(self, drawer: int, seat: int, mover: int, order: Sequence[int], front: "Front", floor: int) -> int:
        """The same, when the ``drawer`` has to draw."""
        hand, drawn = self.hands[drawer], self.drawn
        while self.drawn < len(self.boneyard) and not self.hands[drawer] & front.fitting:
            self.hands[drawer] |= 1 << self.boneyard[self.drawn]
            self.drawn += 1
        worth = self._turn(seat, mover, order, front, floor)
        self.hands[drawer], self.drawn = hand, drawn
        return worth

    def _best(self, seat: int, front: "Front", floor: int) -> int:
        """The points to come for the side of ``seat``, who has a tile that fits."""
        hands, hand, left = self.hands, self.hands[seat], self.left
        self.steps -= 1
        if self.steps <= 0:  # also after an exception
            self.steps = self.go_on()
        key = ((hands[0] << COUNT | left) << 4 | self.drawn) << 2 | seat
        if self.ends_early:
            key = (key << 10 | self.table[0]) << 10 | self.table[1]
        known = self.known[front]
        bounds = known.get(key)
        if bounds is None:
            least, most, first = -FAR, FAR, NONE
        else:
            least, most, first = bounds
            if least > floor:
                return least
            if most <= floor:
                return most
        best, found, order = -FAR, first, self.after_seat[seat]
        # The one that was best before at first.
        plays = front.plays if first == NONE else (front.plays[first], *front.plays)
        for tile, points, after, number in plays:
            if not hand & tile:
                continue
            rest = hand ^ tile
            hands[seat], self.left = rest, left ^ tile
            if self.ends_early and points:
                worth = points + self._counting_down(seat, points, order, after, floor - points)
            elif rest:
                worth = points + self._turn(seat, seat, order, after, floor - points)
            else:
                worth = points + self.paid("out", seat, hands)
            if worth > best:
                best, found = worth, number
                if worth > floor:
                    break
        hands[seat], self.left = hand, left
        known[key] = (best, most, found) if best > floor else (least, best, found)
        return best

    def _counting_down(self, seat: int, points: int, order: Sequence[int], front: "Front", floor: int) -> int:
        """What comes after a play with points, in a match that points can end at once."""
        self.table[seat] += points
        if self.rules.target is not None and self.table[seat] >= self.rules.target:
            worth = 0
        elif self.hands[seat]:
            worth = self._turn(seat, seat, order, front, floor)
        else:
            worth = self.paid("out", seat, self.hands)
        self.table[seat] -= points
        return worth

    def paid(self, by: str, seat: int, hands: Sequence[int]) -> int:
        """The points of the side of ``seat`` above those of the other side, for the end of the hand by its last
        tile. ``hands``: the tiles left, as masks."""
        pips = tuple([PIPS_OF[hand] for hand in hands])
        found = self._payments.get((by, seat, pips))
        if found is None:
            points = self.game.paid(self.opening, End(by, seat), pips)
            sides = self.game.sides(len(self.side))
            own, other = (points[sides[n][0]] for n in (self.side[seat], 1 - self.side[seat]))
            found = self._payments[by, seat, pips] = other - own if self.game.lower_wins else own - other
        return found


class _Pips(dict[int, int]):
    """The pips of each set of tiles, counted on the first request."""

    def __missing__(self, tiles: int) -> int:
        self[tiles] = sum(PIPS[tile] for tile in members(tiles))
        return self[tiles]


PIPS_OF = _Pips()


class Front:
    """Where a line can go on: the tiles that fit, and what comes after each. What comes after is found on the first
    request."""

    __slots__ = ("_fronts", "_line", "_of", "_plays", "fitting")

    def __init__(self, fronts: "Fronts", line: Line, fitting: int) -> None:
        self.fitting = fitting
        self._fronts = fronts
        self._line = line
        self._of: dict[int, tuple[Choice, ...]] = {}
        self._plays: tuple[_Numbered, ...] = ()

    def plays_of(self, hand: int) -> "list[Choice]":
        """The plays of the tiles of a hand that fit, in no special order."""
        return [play for tile in members(hand & self.fitting) for play in self._of.get(tile) or self._found(tile)]

    @property
    def plays(self) -> "tuple[_Numbered, ...]":
        """The plays of all tiles that fit: first those that score most, then those with the most pips."""
        if not self._plays:
            tiles = sorted(members(self.fitting), key=PIPS.__getitem__, reverse=True)
            plays = [play for tile in tiles for play in self._of.get(tile) or self._found(tile)]
            plays.sort(key=lambda play: play[1], reverse=True)
            self._plays = tuple([(*play, number) for number, play in enumerate(plays)])
        return self._plays

    def _found(self, tile: int) -> "tuple[Choice, ...]":
        afters = (self._line.lay(tile, end) for end in (self._line.fits(tile) if self._line.laid else (None,)))
        plays = {play[2]: play for after in afters for play in (self._play(tile, after),)}
        self._of[tile] = tuple(plays.values())
        return self._of[tile]

    def _play(self, tile: int, after: Line) -> "Choice":
        return 1 << tile, self._fronts.points(after), self._fronts.of(after)


Choice = tuple[int, int, Front]
"""A play: the tile (as a mask), the points that it scores, and where the line goes on."""
_Numbered = tuple[int, int, Front, int]
"""A play, and its number among those of its front."""


class Fronts(dict[object, Front]):
    """Where lines can go on, in games in which these multiples score, for all hands that are solved."""

    def __init__(self, multiples: tuple[int, ...]) -> None:
        self.multiples = multiples

    def of(self, line: Line) -> Front:
        """Where the line can go on. Lines that go on in the same way have the same one."""
        counts = line.counts() if self.multiples else {}
        ends = [
            (value, counts[name][1] if name in counts else 0, at < 2 and line.ends.sides[at])
            for at, (name, value) in enumerate(zip(ENDS, line.ends.shown, strict=True))
            if value is not None
        ]
        alone = len(line.laid) == 1 and bool(self.multiples)
        key = (line.kind, *sorted(ends[:2]), *sorted(ends[2:]), line.ends.spinner, alone)
        found = self.get(key)
        if found is None:
            found = self[key] = Front(self, line, line.ends.fitting)
        return found

    def points(self, line: Line) -> int:
        """The points of the play that made this line."""
        return points_in_play(line, self.multiples)


fronts_of = cache(Fronts)


def last_to_lay(state: LayingState) -> int:
    """The seat that has laid the last tile; the one that is to lead, if nobody has."""
    return next((move.seat for move in reversed(state.moves) if isinstance(move, Play)), state.opening.opener)


def _boneyard_needed(state: LayingState) -> Malformed:
    """The error if a boneyard is missing, or is another one."""
    if not (yard := _yard(state)):
        return Malformed(marked("Nobody can draw a tile in this hand. Give no boneyard."))
    text = marked("The boneyard has {tiles}. Give each of these tiles once, in the order in which they will be drawn.")
    tiles = ", ".join(names(yard))
    return Malformed(text, tiles=tiles)


def _yard(state: LayingState) -> int:
    """The tiles that can be drawn."""
    return state.holdings.may[state.holdings.yard] if state.rules.draws else 0
