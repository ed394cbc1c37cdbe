"""What the pages of a table and of a match show, made from the match; the templates only lay it out."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

import games
from games.line import Line
from games.moves import Draw, Move, Play, move_json
from games.tiles import NAMES, tile
from scorekeeper import words
from scorekeeper.drawing import board_svg, tile_svg
from scorekeeper.models import Match
from scorekeeper.selectors.ending import Ending, ending_in_lists
from scorekeeper.selectors.matches import position

# Rows of seven that keep the suits together: sixes; fives and the blank; fours and ones; threes and twos.
TRAY = tuple(tile(high, low) for row in ((6,), (5, 0), (4, 1), (3, 2)) for high in row for low in range(high, -1, -1))
WIDE = 60  # units of a line of play on a large screen


@dataclass(frozen=True, slots=True)
class Side:
    seats: tuple[int, ...]
    names: tuple[str, ...]
    points: int | None
    """None in a match that was given up before anything was scored."""
    won: bool


@dataclass(frozen=True, slots=True)
class SeatShown:
    number: int
    name: str
    held: int | None
    turn: bool
    side: int


@dataclass(frozen=True, slots=True)
class TileShown:
    name: str
    svg: SafeString
    lit: bool
    gone: bool
    ends: tuple[str, ...]
    entry: dict[str, Any]


def match_shown(match: Match, *, recording: bool) -> dict[str, Any]:
    """Everything about the match as it stands; a known deal only to who records. The price is the position's."""
    state = position(match) if recording else position(match).public()
    sheet, offers = state.sheet(), state.offers()
    hand = state.hands[-1] if state.hands else None
    line, moves = line_of(state), hand.state.moves if hand else ()
    last_move = moves[-1] if moves else None
    return ending_shown(match, timezone.now()) | {
        "match": match,
        "game": state.game,
        "say": announced(state, position(match)),
        "players": state.present,
        "version": f"{match.pk}:{match.length}{_length(match)}",
        "sheet": sheet,
        "offers": offers,
        "over": state.finished,
        "sides": sides(state, whom(state), state.totals, state.winners),
        "seats": seats(state, state.present, sheet["held"], sheet["turn"]),
        "hand_number": len(state.hands),
        "hand_line": line,
        "last_move": last_move,
        "options_shown": words.options_words(state.game, state.options),
        "line": line_shown(line, last_move),
        "wide_line": line_shown(line, last_move, width=WIDE),
        "said": said(moves, state.seated(len(state.hands) - 1)),
        "turn": None if sheet["turn"] is None else state.present[sheet["turn"]],
        "hands": hands_shown(state, sheet),
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


def sides(state: games.Match, players: Sequence[str], totals: Sequence[int], winners: Sequence[int] = ()) -> list[Side]:
    """Each side under the names of `players`, by seat."""
    return [Side(side, tuple(players[s] for s in side), totals[side[0]], side[0] in winners) for side in state.sides]


def seats(state: games.Match, players: Sequence[str], held: Sequence[int] | None, turn: int | None) -> list[SeatShown]:
    side_of = {seat: number for number, side in enumerate(state.sides) for seat in side}
    return [
        SeatShown(seat, name, held[seat] if held else None, seat == turn, side_of[seat])
        for seat, name in enumerate(players)
    ]


def line_of(state: games.Match) -> Line | None:
    """The line of play as it lies, before the first hand an empty one; None in a game that has none."""
    if state.hands:
        return state.hands[-1].line
    # What is left in the hands is told where tiles are laid out of them, and nowhere else.
    return Line() if state.game.told == "left" else None


def line_shown(line: Line | None, move: Move | None, *, width: int = 34, lit: Sequence[str] = ()) -> SafeString:
    """The line of play drawn; `move` is the last one, whose tile is pointed out. Nothing where there is no line."""
    if line is None:
        return SafeString()
    last = move.tile if isinstance(move, Play) else None
    label = _("Line of play, {count} tiles. Open ends: {ends}.").format(
        count=len(line.laid), ends=", ".join(str(pips) for pips in line.open.values()) or "–"
    )
    svg = board_svg(line, width=width, lit=lit, last=last, label=label)
    return mark_safe(svg)  # noqa: S308 (our own drawing; the label is escaped there)


def said(moves: Sequence[Move], players: Sequence[str]) -> str:
    """The last thing that happened in the hand, for the line above the tray. Draws one after another are one."""
    if not moves:
        return ""
    last = moves[-1]
    if isinstance(last, Draw):
        draws = itertools.takewhile(lambda move: isinstance(move, Draw) and move.seat == last.seat, reversed(moves))
        last = Draw(last.seat, sum(draw.number for draw in draws))
    return words.move_words(last, players)


def tray(offers: dict[str, Any], line: Line) -> list[TileShown]:
    """All 28 tiles: what can be laid is lit, what was laid is gone.

    One that fits though it cannot be there knows its ends too: laid all the same, it shows which entry was wrong.
    """
    plays, unseen, seat = offers["plays"], set(offers["unseen"]), offers["seat"]
    return [
        _tile_shown(number, seat, line.fits(number), lit=NAMES[number] in plays, gone=NAMES[number] not in unseen)
        for number in TRAY
    ]


def _tile_shown(number: int, seat: int, ends: tuple[str, ...], *, lit: bool, gone: bool) -> TileShown:
    move = move_json(Play(seat, number, ends[0] if len(ends) == 1 else None))
    svg = mark_safe(tile_svg(number))  # noqa: S308 (our own numbers, no text from outside)
    return TileShown(NAMES[number], svg, lit, gone, ends, {"kind": "move", "move": move})


def unseen_tray(unseen: Sequence[str]) -> list[str]:
    """Tile names in the order of the tray, without those laid."""
    left = set(unseen)
    return [NAMES[number] for number in TRAY if NAMES[number] in left]


def hands_shown(state: games.Match, sheet: dict[str, Any]) -> list[dict[str, Any]]:
    """Every hand with its points by side and the sums they come from."""
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
                "end": end and words.word(end["by"]),
                "out": players[end["seat"]] if end and end["by"] == "out" and end["seat"] is not None else "",
                "moves": len(hand.moves),
                "noted": [n["move"] for n in sheet["irregularities"] if n["hand"] == number],
            }
        )
    return shown


def _score_shown(score: dict[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """The sum of a score by player: Bo 6-4 10 + 1-0 1. A single number that is the score says nothing more.

    A summand is labelled by a tile, or by a word: of the engine's, or how it reads.
    """
    by_player: dict[int, list[dict[str, Any]]] = {seat: [] for seat in score["seats"]}
    for term in score["terms"]:
        by_player.setdefault(term["seat"], []).append(term)
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
            if terms and not (len(score["terms"]) == 1 and not terms[0]["label"])
        ],
        "nothing": not score["terms"],
    }
