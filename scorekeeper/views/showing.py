"""What the pages of a table and of a match show, made from the match; the templates only lay it out."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

import games
from games.moves import Draw, Move
from games.tiles import NAMES
from scorekeeper import words
from scorekeeper.models import Match
from scorekeeper.selectors.ending import Ending, ending_in_lists
from scorekeeper.selectors.matches import position
from scorekeeper.views.agreed import agreed
from scorekeeper.views.boards import board_counted, board_sheet, counts_moves


@dataclass(frozen=True, slots=True)
class Side:
    seats: tuple[int, ...]
    names: tuple[str, ...]
    points: int | None
    """None in a match that was given up before anything was scored."""
    won: bool
    by_hand: tuple[int, ...] = ()
    """The points of each hand up to now."""


@dataclass(frozen=True, slots=True)
class SeatShown:
    number: int
    name: str
    held: int | None
    turn: bool
    side: int


def match_shown(match: Match, *, recording: bool) -> dict[str, Any]:
    """Everything about the match as it stands; a known deal only to who records. The price is the position's."""
    state = position(match) if recording else position(match).public()
    sheet, offers = state.sheet(), state.offers()
    hand = state.hands[-1] if state.hands else None
    moves = hand.state.moves if hand else ()
    return ending_shown(match, timezone.now()) | {
        "match": match,
        "state": state,
        "game": state.game,
        "say": announced(state, position(match)),
        "players": state.present,
        "version": f"{match.pk}:{match.length}{_length(match)}",
        "sheet": sheet,
        "offers": offers,
        "over": state.finished,
        "sides": sides(state, whom(state), state.totals, state.winners, [hand.points for hand in state.hands]),
        "seats": seats(state, state.present, sheet["held"], sheet["turn"]),
        "hand_number": len(state.hands),
        "options_shown": words.options_words(state.game, state.options),
        "said": said(moves, state.seated(len(state.hands) - 1)),
        "turn": None if sheet["turn"] is None else state.present[sheet["turn"]],
        "hands": SimpleLazyObject(lambda: hands_shown(state, sheet)),  # not looked at while tiles are laid
        "own": board_sheet(state),
        "agreed": agreed(state) if state.finished else None,
    }


def _length(match: Match) -> str:
    """What of the length of a match may change without an entry; nothing where there is none."""
    return f":{match.minutes}:{match.last_hand}" if match.minutes or match.last_hand else ""


def ending_shown(match: Match, now: datetime) -> dict[str, Any]:
    """How long the match goes on; what changes by the clock alone beside what holds now. No query."""
    hands, end = match.sheet["hands"], ending_in_lists(match, now)
    between = not hands or hands[-1]["state"] == "counted"
    then = ending_in_lists(match, end.at) if end.at and now < end.at and not match.sheet["finished"] else None
    return {
        "ending": end,
        "ending_words": _ending_words(end, between),
        "then": then,
        "then_words": _ending_words(then, between) if then else "",
    }


def _ending_words(end: Ending, between: bool) -> str:
    """That the end is near; "" while it is not."""
    if end.over:
        return _("Time is up")
    if not end.last:
        return ""
    if between:
        return _("The next hand is the last")
    return _("Time is up: this is the last hand") if end.up else _("Last hand")


def announced(public: games.Match, whole: games.Match) -> str:
    """What happened last in short words, for who listens: a move and whose turn it is, or what a hand changed."""
    standing = words.standing(
        [(words.together([public.present[seat] for seat in side]), public.totals[side[0]]) for side in public.sides]
    )
    if public.finished:
        won = words.won([public.present[seat] for seat in public.winners]) if public.winners else _("The match is over")
        return f"{won}. {standing}"
    hand = public.hands[-1] if public.hands else None
    if hand is None:
        return ""
    if hand.outcome is not None:
        return _("Hand {n} counted: {standing}").format(n=len(public.hands), standing=standing)
    turn = public.sheet()["turn"]
    scored = whole.before is not None and whole.before.totals != whole.totals
    parts = [
        said(hand.state.moves, public.seated(len(public.hands) - 1)),
        standing if scored else "",
        _("The hand is over") if turn is None else words.to_play(public.present[turn]),
    ]
    return ". ".join(part for part in parts if part)


def whom(state: games.Match) -> list[str]:
    """Who sits where now, with whom he sits there for."""
    return [words.seated(now, first) for now, first in zip(state.present, state.players, strict=True)]


def unplayed(stopped: str | None, totals: Sequence[int]) -> bool:
    """Whether a match was given up before anything was scored: it has no points, not even 0."""
    return stopped == "abandoned" and not any(totals)


def sides(
    state: games.Match,
    players: Sequence[str],
    totals: Sequence[int],
    winners: Sequence[int] = (),
    hands: Sequence[Sequence[int]] = (),
) -> list[Side]:
    """Each side under the names of `players`, by seat; `hands` are the points of each hand, by seat."""
    return [
        Side(
            side,
            tuple(players[seat] for seat in side),
            None if unplayed(state.stopped, totals) else totals[side[0]],
            side[0] in winners,
            tuple(points[side[0]] for points in hands),
        )
        for side in state.sides
    ]


def seats(state: games.Match, players: Sequence[str], held: Sequence[int] | None, turn: int | None) -> list[SeatShown]:
    side_of = {seat: number for number, side in enumerate(state.sides) for seat in side}
    return [
        SeatShown(seat, name, held[seat] if held else None, seat == turn, side_of[seat])
        for seat, name in enumerate(players)
    ]


def said(moves: Sequence[Move], players: Sequence[str]) -> str:
    """The last thing that happened in the hand, for the line above the tray. Draws one after another are one."""
    if not moves:
        return ""
    last = moves[-1]
    if isinstance(last, Draw):
        draws = itertools.takewhile(lambda move: isinstance(move, Draw) and move.seat == last.seat, reversed(moves))
        last = Draw(last.seat, sum(draw.number for draw in draws))
    return words.move_words(last, players)


def hands_shown(state: games.Match, sheet: dict[str, Any]) -> list[dict[str, Any]]:
    """Every hand with its points by side and the sums they come from; `plays`, worked out when it is asked for, are
    its moves with the arithmetic of each where it is counted `by_move`."""
    shown, running = [], [0] * len(state.players)
    for number, (hand, row) in enumerate(zip(state.hands, sheet["hands"], strict=True)):
        running = [total + points for total, points in zip(running, row["points"], strict=True)]
        end, players = row["end"], state.seated(number)
        shown.append(
            {
                "number": number,
                "opener": players[row["opener"]],
                "state": row["state"],
                "points": [row["points"][side[0]] for side in state.sides],
                "totals": [running[side[0]] for side in state.sides],
                "scores": [_score_shown(score, players) for score in row["scores"]],
                "by_move": counts_moves(state.game) and bool(hand.moves or hand.outcome),
                "plays": partial(board_counted, state.game, hand.state, players),
                "by_final": hand.final is not None,
                "end": end and words.word(end["by"]),
                "out": players[end["seat"]] if end and end["by"] == "out" and end["seat"] is not None else "",
                "moves": len(hand.moves),
                "noted": [n["move"] for n in sheet["irregularities"] if n["hand"] == number],
            }
        )
    return shown


def _score_shown(score: dict[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """The sum of a score by player: Bo 6-4 10 + 1-0 1. A single number that is the score says nothing more,
    but where it is another's.

    A summand is labelled by a tile, or by a word: of the engine's, or how it reads.
    """
    by_player: dict[int, list[dict[str, Any]]] = {}  # in the order of the sum: 41 less 9
    for term in score["terms"]:
        terms = by_player.setdefault(term["seat"], [])
        if terms and terms[-1]["label"] == term["label"] in NAMES:
            # A tile that lies alone is both ends: it counts twice, and is shown once.
            terms[-1] = term | {"value": terms[-1]["value"] + term["value"]}
        else:
            terms.append(term)
    return {
        "names": words.together([players[seat] for seat in score["seats"]]),
        "points": score["points"],
        "reason": score["reason"],
        "parts": [
            {
                "name": players[seat],
                "terms": [term | {"tile": term["label"] in NAMES, "size": abs(term["value"])} for term in terms],
                "pips": sum(term["value"] for term in terms),
            }
            for seat, terms in by_player.items()
            if terms and not (len(score["terms"]) == 1 and not terms[0]["label"] and seat in score["seats"])
        ],
        "nothing": not score["terms"],
    }
