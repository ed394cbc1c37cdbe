"""Which totals a match can have: the check of a result that somebody typed without its hands.

Only what no match can have is refused. Records of other programs are read without this check.
"""

from collections.abc import Sequence

from games import tiles
from games.errors import Code, Illegal, illegal, marked

ALL_PIPS = sum(tiles.PIPS)
"""More than any single score of a laying game."""


def check_none_below_zero(totals: Sequence[int]) -> None:
    """Illegal (``result-mismatch``) for negative points."""
    if min(totals) < 0:
        raise _impossible(marked("Nobody can have {points} points. Check the result."), points=min(totals))


def check_sum_is_zero(totals: Sequence[int]) -> None:
    """Illegal (``result-mismatch``) in a game in which every hand sums to 0, if the match does not."""
    if sum(totals):
        raise _impossible(
            marked("The points of all players add up to 0 in this game, but these add up to {sum}. Check the result."),
            sum=sum(totals),
        )


def check_between(totals: Sequence[int], least: int, most: int) -> None:
    """Illegal (``result-mismatch``) for points that no series of hands can give a player."""
    wrong = [total for total in totals if not least <= total <= most]
    if wrong:
        raise _impossible(
            marked("Nobody can have {points} points: a match gives {least} to {most}. Check the result."),
            points=wrong[0],
            least=least,
            most=most,
        )


def check_points(points: Sequence[int], most: int) -> None:
    """Illegal (``left-mismatch``) for more points of a player than one hand can give."""
    if max(points) > most:
        text = marked("Nobody can have {points} points: one game gives {most} at most. Check the points.")
        raise illegal(Code.LEFT_MISMATCH, text, None, points=max(points), most=most)


def check_end(totals: Sequence[int], target: int) -> None:
    """Illegal (``result-mismatch``) for more points than one score can add to a total below the ``target``."""
    most = target - 1 + ALL_PIPS
    if max(totals) > most:
        raise _impossible(
            marked("{points} points are not possible: the match ends at {target}. Check the result."),
            points=max(totals),
            target=target,
        )


def check_reached(totals: Sequence[int], target: int) -> None:
    """Illegal (``hand-unfinished``) if nobody has the ``target``."""
    if max(totals) < target:
        text = marked("Nobody has reached {target}. Correct the score, or say that the match ended early.")
        raise illegal(Code.HAND_UNFINISHED, text, None, target=target)


def check_one_reaches(totals: Sequence[int], target: int) -> None:
    """Illegal (``result-mismatch``) if more than one has the ``target``, in a game that ends at once when it is
    reached."""
    if sum(total >= target for total in totals) > 1:
        raise _impossible(
            marked("Only one player can reach {target}: that ends the match at once. Check the result."), target=target
        )


def check_table_points(points: Sequence[int], multiples: Sequence[int]) -> None:
    """Illegal (``left-mismatch``) for points in play that are no sum of these ``multiples``: one, or 5 and 3."""
    first, last = multiples[0], multiples[-1]
    for each in points:
        if not any(each >= rest and (each - rest) % last == 0 for rest in range(0, first * last, first)):
            text = {
                (5,): marked("Table points come in fives: {points} is not possible."),
                (3,): marked("Table points come in threes: {points} is not possible."),
                (5, 3): marked("Table points come in fives and threes: {points} is not possible."),
            }[tuple(multiples)]
            raise illegal(Code.LEFT_MISMATCH, text, None, points=each)


def check_somebody_has_points(totals: Sequence[int]) -> None:
    """Illegal (``result-mismatch``) in a game in which each hand gives points, if nobody has any."""
    if not any(totals):
        raise _impossible(
            marked("Every hand gives somebody bad points, so this result is not possible. Check the result.")
        )


def check_all_divisible(totals: Sequence[int], by: int) -> None:
    """Illegal (``result-mismatch``) in a game in which every score is a multiple of ``by``."""
    wrong = [total for total in totals if total % by]
    if wrong:
        raise _impossible(
            marked("With these options every score is a multiple of {number}. {points} is not possible."),
            number=by,
            points=wrong[0],
        )


def _impossible(template: str, **facts: int) -> Illegal:
    return illegal(Code.RESULT_MISMATCH, template, None, **facts)
