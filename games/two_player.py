"""The two-player family: seven tiles each, fourteen in the boneyard. Its games are presets of the same options.

Source: "Electrum Dominoes", the sections on the game, the scoring of All Fives and the settings menu.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games import read
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
from games.errors import Code, Illegal, Malformed, marked
from games.hand_end import check_left, counts_at_end, endings, terms
from games.laying import LayingState
from games.line import Kind
from games.moves import read_draw, read_pass, read_play
from games.totals import check_all_divisible, check_end, check_one_reaches, check_table_points

SEATS = 2
DEALT = 7
ROUNDED = 5  # awards are rounded to multiples of this


class TwoPlayer(Game[LayingState]):
    seats = (SEATS,)
    opener_word = "leader"
    double_leads_first = True
    family = "two-player"
    family_name = marked("Dominoes for two")
    moves = {"play": read_play, "draw": read_draw, "pass": read_pass}
    dealt = DEALT
    preset = ("draws", "spinner", "fives", "threes")

    def __init__(
        self,
        slug: str,
        name: str,
        *,
        draws: bool = True,
        spinner: bool = False,
        fives: bool = False,
        threes: bool = False,
    ) -> None:
        self.slug = slug
        self.name = name
        self.options = (
            Option(
                "draws",
                "flag",
                draws,
                (),
                marked("Drawing from the boneyard"),
                marked("Off: a player who cannot lay passes, and the boneyard is out of play."),
            ),
            Option(
                "spinner",
                "flag",
                spinner,
                (),
                marked("Spinner"),
                marked("Tiles can be laid on all four sides of the first double."),
            ),
            Option(
                "fives", "flag", fives, (), marked("Fives"), marked("A table count that is a multiple of five scores.")
            ),
            Option(
                "threes",
                "flag",
                threes,
                (),
                marked("Threes"),
                marked("A table count that is a multiple of three scores."),
            ),
            Option(
                "points_to_win",
                "whole",
                150,
                (50, 100, 150, 200, 250, 305, 500),
                marked("Points to win"),
                marked("The match ends as soon as a player has this many."),
            ),
            Option(
                "rounding",
                "flag",
                False,
                (),
                marked("Rounding"),
                marked("Points at the end of a hand go to the nearest multiple of five."),
            ),
            Option(
                "block_award",
                "choice",
                "low",
                ("low", "last"),
                marked("Blocked hand: who is paid"),
                marked("low: the lighter hand; last: the player who laid last."),
            ),
            Option(
                "block_amount",
                "choice",
                "difference",
                ("difference", "opponent", "both"),
                marked("Blocked hand: how much"),
                marked("The difference of the hands, the other hand's pips, or the pips of both."),
            ),
            Option(
                "leader",
                "choice",
                "doublet",
                ("doublet", "winner", "loser", "alternate"),
                marked("Leader of the next hand"),
                marked("The heaviest double, the winner or the loser of the last hand, or each in turn."),
            ),
            HANDS,
        )

    def final(self, options: Mapping[str, Any]) -> FinalForm:
        scores = bool(_multiples(options))
        return FinalForm(left=True, table=scores, last=options["block_award"] == "last", reached=True)

    def leaders(self, opening: Opening) -> tuple[int, ...]:
        previous = opening.previous
        if previous is None or _doublet(opening):
            return (0, 1)
        if opening.options["leader"] == "alternate":
            return (1 - previous.opener,)
        winner = previous.outcome.end.seat
        assert winner is not None, previous
        return (winner if opening.options["leader"] == "winner" else 1 - winner,)

    def lead(self, opening: Opening) -> str:
        return "doublet" if _doublet(opening) else str(opening.options["leader"])

    def begin(self, opening: Opening) -> LayingState:
        options = opening.options
        how = LayingRules(
            DEALT,
            (1, 0),
            Kind.SPINNER if options["spinner"] else Kind.PLAIN,
            lead_double=_doublet(opening),
            draws=options["draws"],
            multiples=_multiples(options),
            target=options["points_to_win"],
        )
        return LayingState.begin(opening, how)

    def count(self, state: LayingState, ending: Left | None) -> Outcome | None:
        end = state.end
        assert end is not None
        if ending is not None:
            check_left(state, ending)
        if end.by == "reached":
            return Outcome(end, points_of(SEATS, state.scores), state.scores)
        return common_outcome(
            _outcome(state.opening, end, state.scores, held, end.seat) for held in endings(state, ending)
        )

    def paid(self, opening: Opening, end: End, pips: Sequence[int]) -> tuple[int, ...]:
        held = tuple((Term(seat, "", each),) for seat, each in enumerate(pips))
        return _outcome(opening, end, (), held, end.seat).points

    def count_final(self, state: LayingState, final: Mapping[str, Any]) -> Outcome:
        opening = state.opening
        table = tuple(
            Score((seat,), points, "table", (Term(seat, "", points),))
            for seat, points in enumerate(final["table"])
            if points
        )
        _check_table(state, final, table)
        _check_last(state, final)
        if "reached" in final:
            return Outcome(End("reached", final["reached"]), points_of(SEATS, table), table)
        out, left = final["out"], final["left"]
        check_left(state, left, counts_at_end(state, out))
        if out is not None and opening.totals[out] + final["table"][out] >= opening.options["points_to_win"]:
            return Outcome(End("reached", out), points_of(SEATS, table), table)
        return _outcome(
            opening, End("out" if out is not None else "blocked", out), table, terms(left), final.get("last")
        )

    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        if isinstance(value, dict) and "reached" in value:
            final = read.keyed(value, required=("table", "reached"))
            return {
                "table": read.whole_numbers(final["table"], SEATS),
                "reached": read.seat(final["reached"], SEATS),
            }
        final = read.keyed(value, required=("table", "left", "out"), optional=("last",))
        result = {
            "table": read.whole_numbers(final["table"], SEATS),
            "left": read.left(final["left"], SEATS),
            "out": read.seat_or_none(final["out"], SEATS),
        }
        if "last" in final:
            result["last"] = read.seat_or_none(final["last"], SEATS)
        elif result["out"] is None and options["block_award"] == "last":
            raise Malformed(marked("Choose who laid the last tile. That decides who is paid."))
        return result

    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        return bool(max(totals) >= self.target(options))

    def target(self, options: Mapping[str, Any]) -> int:
        return int(options["points_to_win"])

    def check_final(self, opening: Opening, final: Mapping[str, Any]) -> None:
        if multiples := _multiples(opening.options):
            check_table_points(final["table"], multiples)
            after = [before + points for before, points in zip(opening.totals, final["table"], strict=True)]
            check_end(after, self.target(opening.options))

    def check_totals(self, options: Mapping[str, Any], totals: Sequence[int]) -> None:
        super().check_totals(options, totals)
        check_end(totals, self.target(options))
        check_one_reaches(totals, self.target(options))
        if options["rounding"] and not options["threes"]:
            check_all_divisible(totals, ROUNDED)


def _multiples(options: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(multiple for multiple, name in ((5, "fives"), (3, "threes")) if options[name])


def _doublet(opening: Opening) -> bool:
    """Whether the heaviest double must lead this hand: always in the first hand, by the option ``doublet``, and after a
    blocked hand that has no winner or loser to lead."""
    rule, previous = opening.options["leader"], opening.previous
    if rule == "doublet" or previous is None:
        return True
    return bool(rule != "alternate" and previous.outcome.end.by == "blocked")


def _outcome(
    opening: Opening, end: End, table: tuple[Score, ...], held: tuple[tuple[Term, ...], ...], last: int | None
) -> Outcome:
    """The outcome with the award for the end of the hand: to the player who is out, or by the options if it is
    blocked."""
    options = opening.options
    pips = [sum(term.value for term in hand) for hand in held]
    if end.by == "out":
        paid, summands = end.seat, held[1 - end.seat] if end.seat is not None else ()
    else:
        lighter = None if pips[0] == pips[1] else int(pips[1] < pips[0])
        paid = lighter if options["block_award"] == "low" else last
        summands = _block_terms(options["block_amount"], held, paid) if paid is not None else ()
    if paid is None:
        return Outcome(end, points_of(SEATS, table), table)
    amount = sum(term.value for term in summands)
    if options["rounding"]:
        rounded = (amount + ROUNDED // 2) // ROUNDED * ROUNDED
        if rounded != amount:
            summands, amount = (*summands, Term(paid, "rounding", rounded - amount)), rounded
    award = Score((paid,), amount, end.by, summands)
    scores = (*table, award) if amount else table
    return Outcome(end, points_of(SEATS, scores), scores)


def _block_terms(amount: str, held: tuple[tuple[Term, ...], ...], paid: int) -> tuple[Term, ...]:
    """The terms of the award for a blocked hand, those of the opponent's hand first."""
    other, own = held[1 - paid], held[paid]
    if amount == "opponent":
        return other
    if amount == "both":
        return (*other, *own)
    heavy, light = sorted((other, own), key=lambda hand: sum(t.value for t in hand), reverse=True)
    return (*heavy, *(Term(t.seat, t.label, -t.value) for t in light))


def _check_last(state: LayingState, final: Mapping[str, Any]) -> None:
    """Illegal if ``last`` is not the player who went out, or who laid the last tile by the moves."""
    last = final.get("last")
    laid_last = state.end.seat if state.end is not None else final.get("out")
    if last is not None and laid_last is not None and last != laid_last:
        raise state.opening.error(
            Illegal,
            Code.LEFT_MISMATCH,
            marked("In the moves, {player} laid the last tile."),
            None,
            player=state.opening.players[laid_last],
        )


def _check_table(state: LayingState, final: Mapping[str, Any], table: tuple[Score, ...]) -> None:
    """Illegal if the game has no table points, if there are fewer than the moves scored, or if they do not agree with
    who reached the target."""
    opening = state.opening
    if table and not state.rules.multiples:
        raise opening.error(Illegal, Code.LEFT_MISMATCH, marked("There are no table points in this game."), None)
    for seat, made in enumerate(points_of(SEATS, state.scores)):
        if final["table"][seat] < made or (state.end is not None and final["table"][seat] > made):
            raise opening.error(
                Illegal,
                Code.LEFT_MISMATCH,
                marked("In the moves of this hand, {player} scored {points} table points."),
                None,
                player=opening.players[seat],
                points=made,
            )
    target = opening.options["points_to_win"]
    reached = [seat for seat in range(SEATS) if opening.totals[seat] + final["table"][seat] >= target]
    if "reached" in final:
        if final["reached"] not in reached:
            raise opening.error(
                Illegal,
                Code.HAND_UNFINISHED,
                marked("With these table points {player} has {points}. The target is {target}."),
                None,
                player=opening.players[final["reached"]],
                points=opening.totals[final["reached"]] + final["table"][final["reached"]],
                target=target,
            )
        reached.remove(final["reached"])
    if reached and reached != [final.get("out")]:
        raise opening.error(
            Illegal,
            Code.MATCH_OVER,
            marked(
                "With these table points {player} reached {target}, and the match ended there. "
                "Choose who reached the target."
            ),
            None,
            player=opening.players[reached[0]],
            target=target,
        )


FAMILY = (
    TwoPlayer("draw", marked("Draw")),
    TwoPlayer("block", marked("Block"), draws=False),
    TwoPlayer("all-fives", marked("All Fives"), spinner=True, fives=True),
    TwoPlayer("all-threes", marked("All Threes"), spinner=True, threes=True),
    TwoPlayer("fives-and-threes", marked("Fives & Threes"), spinner=True, fives=True, threes=True),
)
