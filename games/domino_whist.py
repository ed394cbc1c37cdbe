"""Domino Whist: four players, partners opposite, all 28 tiles dealt; the side with fewer bad points wins.

Source: "Domino whist", the sections on rating the stones, the seating, the game and the count.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games import read, tiles
from games.base import (
    HANDS,
    End,
    FinalForm,
    Game,
    Left,
    Opening,
    Option,
    Outcome,
    Score,
    Term,
    common_outcome,
    points_of,
)
from games.course import LayingRules
from games.errors import Malformed, marked
from games.hand_end import PipsLeft, TilesLeft, can_be_left, check_left, counts_at_end, endings, terms, why_not_left
from games.laying import LayingState
from games.moves import read_draw, read_pass, read_play
from games.totals import check_end, check_somebody_has_points

SIDES = ((0, 2), (1, 3))
SEATS = 4
ANYBODY = tuple(range(SEATS))
DEALT = 7


LAYING = LayingRules(DEALT, (1, 2, 3, 0))


class DominoWhist(Game[LayingState]):
    slug = "domino-whist"
    name = marked("Domino Whist")
    seats = (SEATS,)
    lower_wins = True
    usual_minutes = 60
    draws_seats = True
    moves = {"play": read_play, "draw": read_draw, "pass": read_pass}
    dealt = DEALT
    options = (
        Option(
            "target",
            "whole",
            100,
            (50, 100, 150),
            marked("Bad points to reach"),
            marked("The match ends after the hand in which a side reaches this many."),
        ),
        Option(
            "debit",
            "choice",
            "both",
            ("both", "higher"),
            marked("Who gets bad points"),
            marked("both: each side gets its own pips; higher: only the side with more pips, or both if equal."),
        ),
        HANDS,
    )

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        return SIDES

    def seats_by_draw(self, tiles_drawn: Sequence[str]) -> tuple[int, ...]:
        """The highest tile is forehand (seat 0), the second is their partner opposite, the third sits on forehand's
        left."""
        drawn = [read.tile(text) for text in tiles_drawn]
        if len(drawn) != SEATS or len(set(drawn)) != SEATS:
            raise Malformed(marked("Each of the four players draws a different tile."))
        first, second, third, fourth = tiles.drawn_order(drawn)
        return first, third, second, fourth

    def final(self, options: Mapping[str, Any]) -> FinalForm:
        return FinalForm(left=True, bad=True)

    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """Any seat can open the first hand; after that the opening passes clockwise."""
        if opening.previous is None:
            return ANYBODY
        return ((opening.previous.opener + 1) % SEATS,)

    def begin(self, opening: Opening) -> LayingState:
        return LayingState.begin(opening, LAYING)

    def count(self, state: LayingState, ending: Left | None) -> Outcome | None:
        end = state.end
        assert end is not None
        if ending is not None:
            check_left(state, ending)
        return common_outcome(_outcome(state.opening, end, held) for held in endings(state, ending))

    def paid(self, opening: Opening, end: End, pips: Sequence[int]) -> tuple[int, ...]:
        return _outcome(opening, end, tuple((Term(seat, "", each),) for seat, each in enumerate(pips))).points

    def count_final(self, state: LayingState, final: Mapping[str, Any]) -> Outcome:
        out = final["out"]
        counts = counts_at_end(state, out)
        if "left" in final:
            check_left(state, final["left"], counts)
            return _outcome(state.opening, _end(out), terms(final["left"]))
        _check_bad(state, final["bad"], counts)
        held = [(Term(side[0], "", pips),) for side, pips in zip(SIDES, final["bad"], strict=True)]
        return _outcome(state.opening, _end(out), (held[0], held[1], (), ()))

    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        keys = ("bad", "out") if isinstance(value, dict) and "bad" in value else ("left", "out")
        final = read.keyed(value, required=keys)
        out = read.seat_or_none(final["out"], SEATS)
        if "bad" in final:
            return {"bad": read.whole_numbers(final["bad"], len(SIDES)), "out": out}
        return {"left": read.left(final["left"], SEATS), "out": out}

    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        return bool(max(totals) >= self.target(options))

    def target(self, options: Mapping[str, Any]) -> int:
        return int(options["target"])

    def check_totals(self, options: Mapping[str, Any], totals: Sequence[int]) -> None:
        super().check_totals(options, totals)
        check_somebody_has_points(totals)
        check_end(totals, self.target(options))


def _end(out: int | None) -> End:
    return End("blocked" if out is None else "out", out)


def _outcome(opening: Opening, end: End, held: tuple[tuple[Term, ...], ...]) -> Outcome:
    """Each side scores the pips left in its two hands as bad points. That includes the hand of the winner's partner."""
    scores = []
    for side in SIDES:
        parts = tuple(term for seat in side for term in held[seat])
        scores.append(Score(side, sum(term.value for term in parts), "bad-points", parts))
    if opening.options["debit"] == "higher":
        heavier = max(score.points for score in scores)
        scores = [s if s.points == heavier else Score(s.seats, 0, "not-debited", s.terms) for s in scores]
    return Outcome(end, points_of(SEATS, scores), tuple(scores))


def _check_bad(state: LayingState, bad: tuple[int, ...], counts: Sequence[TilesLeft]) -> None:
    """Illegal if the sides cannot hold these pips. If only the heavier side is debited, 0 for the other side means only
    that it holds fewer."""
    silent = state.opening.options["debit"] == "higher"
    sums = [
        PipsLeft(side, 0, max(bad) - 1) if silent and pips == 0 else PipsLeft(side, pips, pips)
        for side, pips in zip(SIDES, bad, strict=True)
    ]
    if not can_be_left(state, state.holdings, (0,) * SEATS, counts, sums):
        raise why_not_left(state, (0,) * SEATS, counts, sums)
