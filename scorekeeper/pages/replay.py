"""A replay of a match: the table after any move of any hand."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import games
from games.base import points_of
from games.moves import Play
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.models import Match, Player
from scorekeeper.pages.boards import board_shown
from scorekeeper.pages.boards.base import BoardShown
from scorekeeper.pages.corrections import CorrectionShown, corrections_shown
from scorekeeper.pages.hands import FinalShown, final_shown
from scorekeeper.pages.match import SeatShown, Side, seats, sides

FEW = 4  # moves: a round of the table


@dataclass(frozen=True, slots=True)
class ReplayMove:
    at: int
    """From 1."""
    words: str
    name: str
    tile: str
    end: str
    claim: str
    noted: bool


class Scrub(NamedTuple):
    """The way through the moves of a hand or a line, one by one or at once to any of them."""

    key: str
    """What names the hand or the line in the address."""
    of: int
    """Its number."""
    at: int
    last: int
    """The number of its moves."""
    said: str
    """The move that is shown."""
    before: tuple[int, int] | None
    """The number and the move of the position before it."""
    after: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Replay:
    """The position after the first `move` moves of a hand."""

    hand: int
    move: int
    count: int
    """Moves of the hand."""
    board: BoardShown
    final: FinalShown | None
    """At the end of a hand that is known by its final state."""
    move_words: str
    seats: list[SeatShown]
    sides: list[Side]
    over: bool
    moves: tuple[ReplayMove, ...]
    hands: range
    scrub: Scrub
    later: int
    """Moves of the hand that follow."""
    later_hands: int
    undo: Mapping[str, Any]
    """The entry that takes back the last move and all after it."""
    ask: bool
    """Whether the page first shows what that takes back."""


@dataclass(frozen=True, slots=True)
class ReplayPage:
    undo_key: str
    corrections: Callable[[], list[CorrectionShown]]
    """Read where they are shown."""
    closed: bool
    replay: Replay | None
    """None before the first hand."""


@dataclass(frozen=True, kw_only=True)
class AroundReplay:
    """What the page of a match shows around its replay."""

    recording: bool
    """Whether the visitor may correct the match."""
    host: bool
    people: Iterable[Player]
    """For the names that are typed."""
    types: bool = False
    """Whether the visitor may type paper sheets."""
    reviewed: bool = False
    """Whether Nestor can review the match."""
    decided: bool = False
    """Whether going back to the move shown would take back what only a host may take back."""


def replay_page(found: Match, state: games.Match, hand: str | None, move: str | None) -> ReplayPage:
    """The position after `move` moves of `hand`: numbers from an address, else the newest."""
    number = within(hand, len(state.hands) - 1)
    return ReplayPage(
        undo_key=secrets.token_hex(16),
        corrections=partial(corrections_shown, found),
        closed=bool(state.hands) and state.closed,
        replay=_replay(state, number, move) if state.hands else None,
    )


def _replay(state: games.Match, number: int, move: str | None) -> Replay:
    shown, players = state.hands[number], state.seated(number)
    moves = shown.state.moves
    at = within(move, len(moves))
    then = reduce(lambda hand, move: hand.play(move), moves[:at], state.game.begin(shown.state.opening))
    whole = at == len(moves)
    points = shown.points if whole else points_of(len(state.players), then.scores)
    after = [before + now for before, now in zip(shown.state.opening.totals, points, strict=True)]
    undo = {"kind": "undo", "to": {"hand": number, "move": at - 1 if at else None}}
    final = final_shown(state, number) if whole else None
    over = whole and number == len(state.hands) - 1 and state.finished
    by_hand = [*(hand.points for hand in state.hands[:number]), points]
    opened = words.opened(players[shown.opener], state.game.opener_word)
    said = words.move_words(moves[at - 1], players) if at else opened
    return Replay(
        hand=number,
        move=at,
        count=len(moves),
        board=board_shown(state.game, then, players),
        final=final,
        move_words=said,
        seats=seats(state, players, None if final else then.held(), None if whole else moves[at].seat),
        sides=sides(state, players, after, state.winners if over else (), by_hand),
        over=over,
        moves=tuple(_moves_shown(state, number)),
        hands=range(len(state.hands)),
        scrub=Scrub("hand", number, at, len(moves), said, _before(state, number, at), _after(state, number, at)),
        later=len(moves) - at,
        later_hands=len(state.hands) - 1 - number,
        undo=undo,
        ask=reaches_far(state, undo),
    )


def reaches_far(state: games.Match, undo: dict[str, Any]) -> bool:
    """Whether this takes back more than the last few moves of the hand in play. The page then asks twice."""
    to = undo["to"]
    hand = state.hands[to["hand"]]
    in_play = to["hand"] == len(state.hands) - 1 and hand.outcome is None and not state.finished
    return not in_play or len(hand.moves) - (to["move"] or 0) > FEW


def reach(before: games.Match, after: games.Match) -> list[str]:
    """What taking back from `before` to `after` changes: totals, counted hands, moves."""
    old, new = (words.totals(state.totals[side[0]] for side in state.sides) for state in (before, after))
    hands = sum(hand.outcome is not None for hand in before.hands) - sum(h.outcome is not None for h in after.hands)
    moves = sum(len(hand.moves) for hand in before.hands) - sum(len(hand.moves) for hand in after.hands)
    changes = _("{old} stays") if old == new else _("{old} becomes {new}")
    return [
        changes.format(old=old, new=new),
        *(
            [ngettext("{n} counted hand is undone", "{n} counted hands are undone", hands).format(n=hands)]
            if hands > 0
            else []
        ),
        *([ngettext("{n} move is undone", "{n} moves are undone", moves).format(n=moves)] if moves > 0 else []),
    ]


def _moves_shown(state: games.Match, hand: int) -> Iterator[ReplayMove]:
    players = state.seated(hand)
    noted = {n.move for n in state.noted if n.hand == hand}
    for number, move in enumerate(state.hands[hand].state.moves):
        laid = move if isinstance(move, Play) else None
        yield ReplayMove(
            at=number + 1,
            words=words.move_words(move, players),
            name=players[move.seat],
            tile=NAMES[laid.tile] if laid else "",
            end=words.end_letter(laid.end) if laid else "",
            claim=words.claim_words(laid.claim) if laid and laid.claim else "",
            noted=number in noted,
        )


def within(text: str | None, last: int) -> int:
    """The number in an address, at most the last one; the last one for anything else."""
    return min(int(text), last) if text and text.isascii() and text.isdigit() and len(text) < 6 else last


def _before(state: games.Match, hand: int, move: int) -> tuple[int, int] | None:
    if move > 0:
        return hand, move - 1
    return (hand - 1, len(state.hands[hand - 1].moves)) if hand else None


def _after(state: games.Match, hand: int, move: int) -> tuple[int, int] | None:
    if move < len(state.hands[hand].moves):
        return hand, move + 1
    return (hand + 1, 0) if hand + 1 < len(state.hands) else None
