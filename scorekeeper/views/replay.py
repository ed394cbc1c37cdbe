"""A match played through again: any move of any hand, as the table stood then."""

import secrets
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import Match as GameMatch
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.views.showing import WIDE, line_shown, seats, sides

FEW = 4  # moves: a round of the table


def replay_context(found: Match, state: GameMatch, hand: str | None, move: str | None) -> dict[str, Any]:
    """The position after `move` moves of `hand` (texts of an address; the newest where they say nothing good)."""
    if not state.hands:
        return {"match": found, "replay": None, "undo_key": secrets.token_hex(16)}
    number = _within(hand, len(state.hands) - 1)
    shown = state.hands[number]
    moves, lines = shown.moves, shown.lines()
    at = _within(move, len(moves))
    last = moves[at - 1] if at else None
    played = [sum(m["seat"] == seat and m["type"] == "play" for m in moves[:at]) for seat in range(len(state.players))]
    before = [sum(h.points[seat] for h in state.hands[:number]) for seat in range(len(state.players))]
    whole = at == len(moves)
    after = [b + p for b, p in zip(before, shown.points, strict=True)] if whole else before
    turn = None if whole else moves[at]["seat"]
    undo = {"kind": "undo", "to": {"hand": number, "move": at - 1 if at else None}}
    over = whole and number == len(state.hands) - 1 and state.finished
    return {
        "match": found,
        "game": state.game,
        "players": state.players,
        "version": f"{found.pk}:{found.length}",
        "undo_key": secrets.token_hex(16),
        "replay": {
            "hand": number,
            "move": at,
            "count": len(moves),
            "line": line_shown(lines[at], last),
            "wide_line": line_shown(lines[at], last, width=WIDE),
            "said": words.move_words(last, state.players) if last else words.opened(state.players[shown.opener]),
            "seats": seats(state, [state.game.dealt - n for n in played], turn),
            "sides": sides(state, after, state.winners if over else ()),
            "over": over,
            "moves": _moves_shown(state, number),
            "hands": [{"number": n, "moves": len(h.moves)} for n, h in enumerate(state.hands)],
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
    old, new = (" : ".join(str(side.points) for side in sides(state, state.totals)) for state in (before, after))
    hands = sum(hand.outcome is not None for hand in before.hands) - sum(h.outcome is not None for h in after.hands)
    moves = sum(len(hand.moves) for hand in before.hands) - sum(len(hand.moves) for hand in after.hands)
    changes = _("{old} stays") if old == new else _("{old} becomes {new}")
    return [
        changes.format(old=old, new=new),
        *([ngettext("{n} counted hand goes", "{n} counted hands go", hands).format(n=hands)] if hands > 0 else []),
        *([ngettext("{n} move goes", "{n} moves go", moves).format(n=moves)] if moves > 0 else []),
    ]


def _moves_shown(state: GameMatch, hand: int) -> list[dict[str, Any]]:
    noted = {n.move for n in state.noted if n.hand == hand}
    return [
        {
            "at": number + 1,
            "move": move,
            "name": state.players[move["seat"]],
            "arrow": words.ARROWS.get(move.get("end", ""), ""),
            "noted": number in noted,
        }
        for number, move in enumerate(state.hands[hand].moves)
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
