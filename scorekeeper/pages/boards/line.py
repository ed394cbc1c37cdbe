"""The line of play, and the pad that lays tiles to it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import Match
from games.base import End, Game, Opening, Outcome, Previous, State
from games.laying import LayingState
from games.line import Line
from games.moves import Draw, Move, Pass, Play, move_entry
from games.tiles import NAMES, high, mask, names, parse, tile
from scorekeeper import words
from scorekeeper.drawing import board_svg, tile_svg
from scorekeeper.pages import context
from scorekeeper.pages.boards.base import BoardPad, BoardShown
from scorekeeper.templatetags.tiles import as_entry

# Rows of seven that keep the suits together: sixes; fives and the blank; fours and ones; threes and twos.
TRAY = tuple(tile(high, low) for row in ((6,), (5, 0), (4, 1), (3, 2)) for high in row for low in range(high, -1, -1))
WIDE = 60  # units of a line of play on a large screen


@dataclass(frozen=True, slots=True, eq=False)  # made once, so that keeping what is drawn of it is quick
class LineTile:
    name: str
    svg: SafeString
    lit: bool
    gone: bool
    ends: tuple[str, ...]
    worth: tuple[int, ...]
    """What it would score at each end, or as the lead; empty if it would score nothing."""
    points: str
    """The points before an end is chosen: 10, or 0/15 if it depends on the end."""
    entry: str
    """What lays it, without an end if several take it."""
    data_ends: str
    data_worth: str


@dataclass(frozen=True, slots=True)
class LineEnd:
    """A button for an open end."""

    end: str
    letter: str
    where: str
    pips: int
    worth: int | None
    """What the waiting tile scores there."""
    entry: Mapping[str, Any] | None
    """What lays the waiting tile there; None if it does not fit."""


# --- what everybody sees -----------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class LineShown(BoardShown):
    template: str = "scorekeeper/boards/line/shown.html"
    line: SafeString
    wide_line: SafeString | None
    """For a large screen; None on a phone."""
    count: int | None
    """The count of the open ends, in games that score by it."""


@dataclass(frozen=True, kw_only=True)
class LinePad(LineShown, BoardPad):
    taps: str = "scorekeeper/boards/line/pad.html"
    tray: list[LineTile]
    chosen: str
    """The tile that waits for its end; "" for none."""
    ends: list[LineEnd]
    drew: int
    begun: bool
    lacking: Mapping[str, Any]
    """The entry of a player who cannot lay: draws as long as there are tiles, then passes."""


def shown(
    game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False, own: int | None = None
) -> LineShown:
    """`own`: the seat of the reader."""
    line, last = line_of(state), last_move(state)
    counts = state is not None and game.final(state.opening.options).table
    laid = 0 if own is None or state is None else laid_by(own, state)
    return LineShown(
        line=line_shown(line, last, own=laid),
        wide_line=None if slim else line_shown(line, last, width=WIDE, own=laid),
        count=line.total if counts else None,
    )


def line_of(state: State | None) -> Line:
    """The line on the table; empty before the first hand."""
    return (state and state.line) or Line()


def last_move(state: State | None) -> Move | None:
    return state.moves[-1] if state and state.moves else None


def line_shown(line: Line, move: Move | None, *, width: int = 34, lit: Sequence[str] = (), own: int = 0) -> SafeString:
    """A drawing of the line of play. It marks the tile of `move`, the last move, and the mask of `own` tiles."""
    last = move.tile if isinstance(move, Play) else None
    count, ends = len(line.laid), ", ".join(str(pips) for pips in line.open.values()) or "–"
    label = ngettext(
        "Line of play, {count} tile. Open ends: {ends}.", "Line of play, {count} tiles. Open ends: {ends}.", count
    ).format(count=count, ends=ends)
    svg = board_svg(line, width=width, lit=lit, last=last, label=label, letters=words.end_letters(), own=own)
    return drawn(svg)


def drawn(svg: str) -> SafeString:
    """One of our drawings, safe for a template: the code that draws it escapes its texts."""
    return mark_safe(svg)  # noqa: S308 (our own drawings)


# --- while the server cannot be reached --------------------------------------------------------------------
def ahead(match: Match) -> dict[str, Any]:
    """The hand for `boards/line.js`: the line, where each tile may be, and who opens the next hand for each ending."""
    last = match.last
    came = Previous(last.opener, last.outcome) if last and last.outcome else None
    fresh = _Next.of(match.game, match.options, len(match.players), came)
    state = fresh.state
    if match.hand:
        assert isinstance(match.hand.state, LayingState)
        state = match.hand.state
    ends, seats = state.ends, range(len(match.players))
    return {
        "opener": match.hand and state.opening.opener,
        "openers": None if match.hand else fresh.openers,
        "over": state.end and {"by": state.end.by, "seat": state.end.seat if state.end.by == "out" else None},
        "kind": ends.kind,
        "shown": Line(ends).open,
        "spinner": None if ends.spinner is None else high(ends.spinner),
        "sides": ends.sides,
        "double": state.rules.lead_double,
        "laid": [],
        "unseen": names(state.holdings.unlaid),
        "known": bool(match.hand) and all(state.holdings.knows(seat) for seat in seats),
        "lacks": [names(state.holdings.unlaid & ~state.holdings.may_have(seat)) for seat in seats],
        "boneyard": state.boneyard(),
        "passes": state.passes,
        "drew": drawn_by(state.turn, state) if match.hand and state.turn is not None else 0,
        "dealt": match.game.dealt,
        "stock": fresh.state.boneyard(),
        "next": _next(match.game, tuple(match.options.items()), len(match.players)),
    }


def says(game: Game[Any]) -> dict[str, Any]:
    """The sentences of `boards/line.js`."""
    return {
        "passes": _("{player} passes"),
        "draws": _("{player} draws a tile"),
        "remain": [ngettext("%(n)s left", "%(n)s left", n) % {"n": "{n}"} for n in (1, 2)],
        "drew": [
            ngettext("%(n)s drawn, faces unknown", "%(n)s drawn, faces unknown", n) % {"n": "{n}"} for n in (1, 2)
        ],
        "at": _("at the {pips}"),
        "unlit": _("cannot be laid now"),
        "ends": {end: [letter, words.end_words(end)] for end, letter in words.end_letters().items()},
    }


class _Next(NamedTuple):
    """The hand after another one."""

    openers: Sequence[int]
    state: LayingState

    @classmethod
    def of(cls, game: Game[Any], options: Mapping[str, Any], seats: int, previous: Previous | None) -> "_Next":
        nobody = ("",) * seats
        opening = Opening(options, nobody, 0, 0, (None,) * seats, frozenset(), (0,) * seats, previous)
        openers = game.leaders(opening)
        return cls(openers, game.begin(opening._replace(opener=openers[0])))


@cache
def _next(game: Game[Any], options: tuple[tuple[str, Any], ...], seats: int) -> list[dict[str, Any]]:
    """For each opener: who opens the next hand if a seat goes out, or if the hand is blocked."""

    def after(opener: int, by: str, seat: int | None) -> dict[str, Any]:
        outcome = Outcome(End(by, seat), (0,) * seats, ())
        following = _Next.of(game, dict(options), seats, Previous(opener, outcome))
        return {"openers": following.openers, "double": following.state.rules.lead_double}

    return [
        {"out": [after(opener, "out", seat) for seat in range(seats)], "blocked": after(opener, "blocked", None)}
        for opener in range(seats)
    ]


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> LinePad:
    assert match.hand is not None
    offers, state = match.offers(), match.hand.state
    line, seat = line_of(state), offers["seat"]
    tiles, tapped = tray(offers, line), typed.get("tile", "")
    waiting = next((each for each in tiles if each.name == tapped and each.ends and not each.gone), None)
    page = LinePad(
        **context(shown(match.game, state, match.present, slim=True)),
        tray=tiles,
        chosen=tapped if waiting else "",
        ends=ends_shown(line, seat, waiting),
        drew=drawn_by(seat, state),
        begun=bool(line.laid),
        lacking=move_entry(Draw(seat, 1) if offers["boneyard"] else Pass(seat)),
    )
    return replace(page, line=line_shown(line, last_move(state), lit=waiting.ends)) if waiting else page


def own_hand(match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> LinePad:
    """The hand of a player who sees only their own tiles, with its buttons while it is their turn. `match` is what they
    know; a hand is in play. `counts`: whether what the table counts is shown."""
    assert match.hand is not None
    state = match.hand.state
    assert isinstance(state, LayingState)
    held, laid = state.holdings.known[seat], laid_by(seat, state)
    waits = {"next": "move", "seat": seat, "plays": {}, "unseen": names(held), "boneyard": state.boneyard()}
    turn = state.turn == seat
    page = pad(match, typed) if turn else _waiting(match, waits)
    mine = [tile for tile in page.tray if held >> parse(tile.name) & 1]
    lit = next((tile.ends for tile in mine if tile.name == page.chosen), ())
    line, last = line_of(state), last_move(state)
    if not counts:
        mine = [replace(tile, worth=(), data_worth="") for tile in mine]
    return replace(
        page,
        count=page.count if counts else None,
        taps="scorekeeper/boards/line/hand.html",
        tray=mine,
        line=line_shown(line, last, lit=lit, own=laid),
        wide_line=line_shown(line, last, width=WIDE, lit=lit, own=laid),
    )


def laid_by(seat: int, state: State) -> int:
    """The mask of tiles that this seat has laid."""
    return mask(move.tile for move in state.moves if isinstance(move, Play) and move.seat == seat)


def _waiting(match: Match, offers: dict[str, Any]) -> LinePad:
    """The pad of a player who is not on turn."""
    assert match.hand is not None
    state = match.hand.state
    return LinePad(
        **context(shown(match.game, state, match.present)),
        tray=[replace(tile, ends=(), data_ends="") for tile in tray(offers, line_of(state))],
        chosen="",
        ends=[],
        drew=0,
        begun=bool(line_of(state).laid),
        lacking={},
    )


def tray(offers: dict[str, Any], line: Line) -> list[LineTile]:
    """All 28 tiles. Tiles that can be laid are lit, tiles already laid are gone.

    A tile that fits but cannot be in the player's hand has ends too: laying it shows which entry was wrong.
    """
    plays, unseen, seat, worth = offers["plays"], set(offers["unseen"]), offers["seat"], offers.get("worth", {})
    return [
        _tile_shown(
            number,
            seat,
            line.fits(number),
            tuple(worth.get(NAMES[number], ())),
            lit=NAMES[number] in plays,
            gone=NAMES[number] not in unseen,
        )
        for number in TRAY
    ]


@lru_cache(4096)
def _tile_shown(
    number: int, seat: int, ends: tuple[str, ...], worth: tuple[int, ...], *, lit: bool, gone: bool
) -> LineTile:
    worth = worth if any(worth) else ()
    return LineTile(
        NAMES[number],
        drawn(tile_svg(number)),
        lit,
        gone,
        ends,
        worth,
        "/".join(map(str, sorted(set(worth)))),
        as_entry(move_entry(Play(seat, number, ends[0] if len(ends) == 1 else None))),
        " ".join(ends),
        " ".join(map(str, worth)),
    )


def in_tray_order(tiles: Sequence[str]) -> Iterator[str]:
    """The tile names in the order of the tray."""
    there = set(tiles)
    return (NAMES[number] for number in TRAY if NAMES[number] in there)


def drawn_by(seat: int, state: State) -> int:
    """How many tiles the player on turn has drawn this turn."""
    turn = itertools.takewhile(lambda move: isinstance(move, Draw) and move.seat == seat, reversed(state.moves))
    return sum(move.number for move in turn if isinstance(move, Draw))


def ends_shown(line: Line, seat: int, waiting: LineTile | None) -> list[LineEnd]:
    letters = words.end_letters()
    tile, fitting = (parse(waiting.name), waiting.ends) if waiting else (0, ())
    worth = dict(zip(fitting, waiting.worth, strict=False)) if waiting else {}
    return [
        LineEnd(
            end,
            letters[end],
            words.end_words(end),
            pips,
            worth.get(end),
            move_entry(Play(seat, tile, end)) if end in fitting else None,
        )
        for end, pips in line.open.items()
    ]
