"""Why a move in a hand of laying is illegal. These functions raise the error, or return it for the caller to raise.

``course`` is the hand before the move, ``holdings`` where its tiles may be.
"""

from typing import Any

from games.base import Opening
from games.course import Course, numbers_listed
from games.errors import Code, Illegal, marked
from games.holdings import Holdings
from games.line import Ends, Kind
from games.moves import Draw, Move, Play
from games.tiles import DOUBLES, NAMES, heavier_doubles, is_double, members, names, union


def check_leader(opening: Opening, holdings: Holdings) -> None:
    """Illegal if a known deal has no double, or if another seat is known to hold the heaviest one."""
    opener = opening.opener
    seats = range(len(opening.players))
    doubles = [holdings.known[seat] & DOUBLES for seat in seats]
    if not any(doubles) and all(holdings.knows(seat) for seat in seats):
        raise opening.error(
            Illegal, Code.MUST_LEAD_DOUBLE, marked("Nobody was dealt a double. This hand is void: deal again."), None
        )
    for seat, held in enumerate(doubles):
        if seat != opener and held > DOUBLES & holdings.may_have(opener):
            raise opening.error(
                Illegal,
                Code.WRONG_LEADER,
                marked("{other} holds the heaviest double, {tile}, and leads."),
                None,
                other=opening.players[seat],
                tile=names(held)[0],
            )
    if not doubles[opener] and holdings.knows(opener):
        raise opening.error(
            Illegal,
            Code.WRONG_LEADER,
            marked("{player} was dealt no double and cannot lead."),
            None,
            player=opening.players[opener],
        )


def check_lead(course: Course, holdings: Holdings, move: Play) -> None:
    """Illegal if the lead must be a double and this is none, if a heavier one is known, or if the play names an end."""
    if course.rules.lead_double:
        if not is_double(move.tile):
            raise illegal(
                course,
                Code.MUST_LEAD_DOUBLE,
                marked("{tile} cannot lead. The heaviest double in any hand leads."),
                tile=NAMES[move.tile],
            )
        for seat, known in enumerate(holdings.known[:-1]):
            heavier = known & heavier_doubles(move.tile)
            if heavier:
                raise course.heavier(Illegal, seat, max(members(heavier)), None)
    if move.end is not None:
        raise illegal(course, Code.NO_SUCH_END, marked("The first tile has no end to go to."))


def check_held(course: Course, holdings: Holdings, seat: int, tile: int) -> None:
    """Illegal if a tile is laid already, or is known not to be in the hand of this seat."""
    if not holdings.unlaid >> tile & 1:
        raise course.opening.error(
            Illegal,
            Code.TILE_ALREADY_LAID,
            marked("{tile} is already on the table."),
            len(course.moves),
            course.laid(tile),
            tile=NAMES[tile],
        )
    if holdings.known_elsewhere(seat, tile):
        raise illegal(
            course,
            Code.TILE_NOT_HELD,
            marked("{player} does not hold {tile}."),
            player=course.player(seat),
            tile=NAMES[tile],
        )


def check_in_boneyard(course: Course, holdings: Holdings, move: Draw) -> None:
    """Illegal if a tile seen in a draw is on the table, or known to be in a hand."""
    for tile in move.tiles or ():
        if not holdings.unlaid >> tile & 1:
            check_held(course, holdings, move.seat, tile)
        if union(holdings.known) >> tile & 1:
            raise illegal(course, Code.TILE_NOT_HELD, marked("{tile} is not in the boneyard."), tile=NAMES[tile])


def not_now(course: Course, turn: int | None, move: Move) -> Illegal:
    """The hand is over, or another seat is on turn."""
    if turn is None:
        return illegal(course, Code.HAND_OVER, marked("This hand is over."))
    return illegal(
        course,
        Code.NOT_YOUR_TURN,
        marked("It is {turn}'s turn, not {player}'s."),
        turn=course.player(turn),
        player=course.player(move.seat),
    )


def not_drawn_last(course: Course, seat: int, drawn: int) -> Illegal:
    """The player must lay the tile that was drawn last."""
    return illegal(
        course,
        Code.MUST_PLAY,
        marked("{player} must lay the tile drawn last: {tile}."),
        player=course.player(seat),
        tile=NAMES[drawn],
    )


def must_lay(course: Course, holdings: Holdings, code: Code, seat: int, fitting: int) -> Illegal:
    """The player is known to hold one of these tiles, which fit, and so cannot pass or draw."""
    return illegal(
        course,
        code,
        marked("{player} holds {tile}, which fits, and must lay it."),
        player=course.player(seat),
        tile=names((holdings.known[seat] & fitting) or fitting)[0],
    )


def no_end(course: Course, ends: Ends, tile: int) -> Illegal:
    """The tile fits several open ends, so the play must name one; or it fits none."""
    if ends.fitting >> tile & 1:
        return illegal(course, Code.END_NEEDED, marked("{tile} fits more than one end. Say which."), tile=NAMES[tile])
    return _no_match(course, marked("{tile} does not fit any open end: {ends}."), tile, *ends.shown)


def wrong_end(course: Course, ends: Ends, tile: int, at: int) -> Illegal:
    """The tile does not fit at the end with this index, or that end is not open."""
    if ends.shown[at] is None:
        return illegal(course, Code.NO_SUCH_END, _CLOSED[course.rules.kind])
    return _no_match(course, marked("{tile} does not fit there. That end shows {ends}."), tile, ends.shown[at])


def _no_match(course: Course, template: str, tile: int, *shown: int | None) -> Illegal:
    pips = numbers_listed(value for value in shown if value is not None)
    return illegal(course, Code.NO_MATCH, template, tile=NAMES[tile], ends=pips)


_CLOSED = {
    Kind.PLAIN: marked("A line without a spinner has two ends, left and right."),
    Kind.SPINNER: marked(
        "Nothing can be laid there yet: the spinner opens above and below once both its sides are taken."
    ),
    Kind.STAR: marked("This end does not exist."),
}
"""Why an end is not open."""


def illegal(course: Course, code: Code, template: str, **facts: Any) -> Illegal:
    """An error in the next move."""
    return course.opening.error(Illegal, code, template, len(course.moves), **facts)
