"""A match played through again: any move of any hand, as the table stood then."""

import secrets
from functools import partial, reduce
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import Match as GameMatch
from games.base import points_of
from games.moves import Play
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.views.boards import board_shown
from scorekeeper.views.corrections import corrections_shown
from scorekeeper.views.showing import seats, sides

FEW = 4  # moves: a round of the table


def replay_context(found: Match, state: GameMatch, hand: str | None, move: str | None) -> dict[str, Any]:
    """The position after `move` moves of `hand` (texts of an address; the newest where they say nothing good)."""
    corrections = partial(corrections_shown, found)  # read where they are shown
    if not state.hands:
        return {"match": found, "replay": None, "undo_key": secrets.token_hex(16), "corrections": corrections}
    number = _within(hand, len(state.hands) - 1)
    shown, players = state.hands[number], state.seated(number)
    moves = shown.state.moves
    at = _within(move, len(moves))
    then = reduce(lambda hand, move: hand.play(move), moves[:at], state.game.begin(shown.state.opening))
    last = moves[at - 1] if at else None
    whole = at == len(moves)
    points = shown.points if whole else points_of(len(state.players), then.scores)
    after = [before + now for before, now in zip(shown.state.opening.totals, points, strict=True)]
    turn = None if whole else moves[at].seat
    undo = {"kind": "undo", "to": {"hand": number, "move": at - 1 if at else None}}
    over = whole and number == len(state.hands) - 1 and state.finished
    return {
        "match": found,
        "game": state.game,
        "players": players,
        "version": f"{found.pk}:{found.length}",
        "undo_key": secrets.token_hex(16),
        "corrections": corrections,
        "closed": state.closed,
        "replay": {
            "hand": number,
            "move": at,
            "count": len(moves),
            "board": board_shown(state.game, then, players),
            "said": words.move_words(last, players)
            if last
            else words.opened(players[shown.opener], state.game.opener_word),
            "seats": seats(state, players, then.held(), turn),
            "sides": sides(
                state,
                players,
                after,
                state.winners if over else (),
                [*(h.points for h in state.hands[:number]), points],
            ),
            "over": over,
            "moves": _moves_shown(state, number),
            "hands": [{"number": n} for n in range(len(state.hands))],
            "previous": _before(state, number, at),
            "next": _after(state, number, at),
            "later": len(moves) - at,
            "later_hands": len(state.hands) - 1 - number,
            "undo": undo,
            "ask": reaches_far(state, undo),
        },
    }


def reaches_far(state: GameMatch, undo: dict[str, Any]) -> bool:
    """Whether going back there takes more than the last few moves of the hand in play: then it is asked twice."""
    to = undo["to"]
    hand = state.hands[to["hand"]]
    in_play = to["hand"] == len(state.hands) - 1 and hand.outcome is None and not state.finished
    return not in_play or len(hand.moves) - (to["move"] or 0) > FEW


def reach(before: GameMatch, after: GameMatch) -> list[str]:
    """What going back from `before` to `after` does to the totals, to counted hands and to moves."""
    old, new = (" : ".join(str(state.totals[side[0]]) for side in state.sides) for state in (before, after))
    hands = sum(hand.outcome is not None for hand in before.hands) - sum(h.outcome is not None for h in after.hands)
    moves = sum(len(hand.moves) for hand in before.hands) - sum(len(hand.moves) for hand in after.hands)
    changes = _("{old} stays") if old == new else _("{old} becomes {new}")
    return [
        changes.format(old=old, new=new),
        *([ngettext("{n} counted hand goes", "{n} counted hands go", hands).format(n=hands)] if hands > 0 else []),
        *([ngettext("{n} move goes", "{n} moves go", moves).format(n=moves)] if moves > 0 else []),
    ]


def _moves_shown(state: GameMatch, hand: int) -> list[dict[str, Any]]:
    players = state.seated(hand)
    noted = {n.move for n in state.noted if n.hand == hand}
    return [
        {
            "at": number + 1,
            "words": words.move_words(move, players),
            "name": players[move.seat],
            "tile": NAMES[move.tile] if isinstance(move, Play) else "",
            "end": words.end_letter(move.end) if isinstance(move, Play) else "",
            "claim": words.claim_words(move.claim) if isinstance(move, Play) and move.claim else "",
            "noted": number in noted,
        }
        for number, move in enumerate(state.hands[hand].state.moves)
    ]


def _within(text: str | None, last: int) -> int:
    return min(int(text), last) if text and text.isascii() and text.isdigit() and len(text) < 6 else last


def _before(state: GameMatch, hand: int, move: int) -> tuple[int, int] | None:
    if move > 0:
        return hand, move - 1
    return (hand - 1, len(state.hands[hand - 1].moves)) if hand else None


def _after(state: GameMatch, hand: int, move: int) -> tuple[int, int] | None:
    if move < len(state.hands[hand].moves):
        return hand, move + 1
    return (hand + 1, 0) if hand + 1 < len(state.hands) else None
