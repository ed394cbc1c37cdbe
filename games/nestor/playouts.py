"""A hand of two sides played to its end in an imagined deal: everybody plays by habit (``habits``)."""

from collections.abc import Iterator, Sequence

from games.laying import LayingState
from games.moves import Draw, Move, Play
from games.nestor.evidence import Evidence
from games.nestor.habits import worths
from games.solver import Choice, Front, Solver, last_to_lay


class Playouts:
    """Plays on from one position, in any deal that fits."""

    def __init__(self, solver: Solver, state: LayingState, evidence: Evidence) -> None:
        """``solver``: of a deal of this position. It says what is paid."""
        assert state.turn is not None
        self.solver = solver
        self.evidence = evidence
        self.habits = [evidence.habits] * len(solver.side)
        """By seat."""
        self.seat = state.turn
        self.mover = last_to_lay(state)
        self.front: Front = solver.place(state)
        self.unlaid = state.holdings.unlaid
        self.table = [*solver.table]
        self.played: list[Choice] = []
        """All plays of the last one, in order."""

    def worth(self, hands: Sequence[int], boneyard: Sequence[int], first: Choice | None = None) -> int:
        """The points by which the side on turn wins more than the other one, from now on, in the deal with these
        ``hands`` (masks) and this ``boneyard``. ``first``: the next play."""
        solver, evidence = self.solver, self.evidence
        side, habits, others = solver.side, self.habits, evidence.others
        now, seen, table = [*hands], evidence.seen.copy(), [*self.table]
        own, front, mover, order = side[self.seat], self.front, self.mover, solver.from_seat[self.seat]
        target = solver.rules.target if solver.ends_early else None
        drawn, unlaid, won, self.played = 0, self.unlaid, 0, []
        while True:
            fitting = front.fitting
            for seat in order:
                hand = now[seat]
                if hand & fitting:
                    break
                if drawn < len(boneyard):
                    before = drawn
                    while not hand & fitting and drawn < len(boneyard):
                        hand |= 1 << boneyard[drawn]
                        drawn += 1
                    now[seat] = hand
                    seen.passed(seat, fitting, drawn - before)
                    if hand & fitting:
                        break
                seen.passed(seat, fitting, 0)
            else:
                paid = solver.paid("blocked", mover, now)
                return won + paid if side[mover] == own else won - paid
            if first is None:
                plays = front.plays_of(hand)
                play = plays[0]
                if len(plays) > 1:
                    liked = worths(habits[seat], plays, hand, unlaid, seen, others[seat])
                    play = plays[liked.index(max(liked))]
            else:
                play, first = first, None
            self.played.append(play)
            tile, points, front = play
            now[seat], unlaid, mover, order = hand ^ tile, unlaid ^ tile, seat, solver.after_seat[seat]
            seen.held[seat] -= 1
            if points:
                won += points if side[seat] == own else -points
                table[seat] += points
                if target is not None and table[seat] >= target:
                    return won
            if not now[seat]:
                paid = solver.paid("out", seat, now)
                return won + paid if side[seat] == own else won - paid

    def line(self, state: LayingState, boneyard: Sequence[int]) -> Iterator[Move]:
        """The moves of the last one, from this state on, in which all tiles are known."""
        plays = iter(self.played)
        play = next(plays, None)
        while state.end is None:
            move = next(move for move in state.legal() if play is None or self._is(move, state, play))
            if isinstance(move, Draw):
                move = move._replace(tiles=(boneyard[-state.boneyard()],))
            elif isinstance(move, Play):
                play = next(plays, None)
            yield move
            state = state.play(move)

    def _is(self, move: Move, state: LayingState, play: Choice) -> bool:
        """Whether this move is, or comes before, that play."""
        if not isinstance(move, Play):
            return True
        tile, _, after = play
        return 1 << move.tile == tile and self.solver.fronts.of(state.play(move).line) is after
