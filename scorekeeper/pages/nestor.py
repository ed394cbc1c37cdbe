"""The phone of somebody who lays for Nestor: what he holds, and what he lays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.base import Game
from games.moves import Move
from games.record import read_move
from games.tiles import mask, names
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.pages.advice import advice
from scorekeeper.pages.boards import board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.boards.line import in_tray_order
from scorekeeper.pages.puzzle import HandOpen
from scorekeeper.practice.standing_in import StandIn


@dataclass(frozen=True, kw_only=True)
class NestorPage:
    match: Match
    seat: int
    game: Game[Any]
    practice: bool = True
    player: str
    next: str
    """``impossible``, ``over``, ``tiles`` (some are to be entered), ``wait``, ``ask`` or ``move``."""
    board: BoardShown
    hand: HandOpen
    due: str
    """What is to be done now, in a sentence."""
    missing: int
    """How many tiles are to be entered."""
    unlaid: Sequence[str]
    """The tiles that they can be."""
    ticked: Sequence[str]
    """Those of them that were chosen before they were refused."""
    entered: bool
    """Whether some tiles are known, and can be entered anew."""
    refusal: str
    wrong: str
    """Why the tiles that were known cannot be right; "" if they can."""


def nestor_page(
    match: Match,
    stand_in: StandIn,
    found: Mapping[str, Any] | None,
    refusal: str = "",
    ticked: Sequence[str] = (),
    wrong: str = "",
) -> NestorPage:
    """`stand_in`: with the tiles that this phone keeps. `found`: what Nestor has named for the match as it is now."""
    state, tiles = stand_in.match, stand_in.tiles
    due, hand = _next(stand_in, found), state.hand
    in_hand = stand_in.held() if hand and tiles and not stand_in.missing else mask(tiles.dealt) if tiles else 0
    shown, name = hand or state.last, state.present[stand_in.seat]
    return NestorPage(
        match=match,
        seat=stand_in.seat,
        game=state.game,
        player=name,
        next=due,
        board=board_shown(state.game, shown.state if shown else None, state.present),
        hand=HandOpen(name, [*in_tray_order(names(in_hand))], due in ("ask", "move")),
        due=_due(stand_in, due, found),
        missing=stand_in.missing,
        unlaid=[*in_tray_order(names(stand_in.free))],
        ticked=ticked,
        entered=tiles is not None,
        refusal=refusal,
        wrong=wrong,
    )


def _due(stand_in: StandIn, due: str, found: Mapping[str, Any] | None) -> str:
    match due:
        case "tiles":
            return _missing(stand_in)
        case "wait":
            hand = stand_in.match.hand
            if hand is None or hand.state.turn is None:
                return _("Wait until the hand begins on the pad of the table.")
            return words.to_play(stand_in.match.present[hand.state.turn])
        case "move":
            return advice(_move(stand_in, found))
    return ""


def _next(stand_in: StandIn, found: Mapping[str, Any] | None) -> str:
    match = stand_in.match
    if not stand_in.possible:
        return "impossible"
    if match.finished:
        return "over"
    if stand_in.missing:
        return "tiles"
    if match.hand is None or match.hand.state.turn != stand_in.seat:
        return "wait"
    return "move" if found or len(stand_in.moves()) == 1 else "ask"


def _move(stand_in: StandIn, found: Mapping[str, Any] | None) -> Move:
    if found is None:
        return stand_in.moves()[0]
    return read_move(found, stand_in.match.game.moves, len(stand_in.match.players))


def _missing(stand_in: StandIn) -> str:
    number = stand_in.missing
    if stand_in.tiles is None:
        return ngettext(
            "Tap the {n} tile that Nestor was dealt.", "Tap the {n} tiles that Nestor was dealt.", number
        ).format(n=number)
    return ngettext("Tap the {n} tile that Nestor drew.", "Tap the {n} tiles that Nestor drew.", number).format(
        n=number
    )
