"""The square of cards, and the pad that places cards on it: a cell and a card, then what they count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import GameError, Match, cards
from games.base import Game, Score, State
from games.dom import (
    CORNERS,
    GAMES_IN_MATCH,
    LINES_OF,
    SIDE,
    Count,
    DomState,
    Placing,
    bonuses,
    counts,
    lying,
    parted,
    pips_of,
    placings,
    worth,
)
from games.moves import CELLS, Place, move_entry
from scorekeeper import words
from scorekeeper.drawing import card_svg
from scorekeeper.services.errors import in_words
from scorekeeper.views.boards.line import drawn

COUNTED = "scorekeeper/boards/square/counted.html"


@dataclass(frozen=True, slots=True)
class CellShown:
    name: str
    row: int
    column: int
    svg: SafeString
    """The card on it; "" where it is open."""
    where: str
    words: str
    last: bool
    """Whether its card is the last that was placed."""
    scored: bool
    """Whether it lies on a line of that card."""
    lit: bool = False
    chosen: bool = False
    address: str = ""
    """What is added to the page's address when it is tapped."""
    refused: str = ""
    """Why no card can go there now."""


@dataclass(frozen=True, slots=True)
class CardShown:
    name: str
    svg: SafeString
    words: str
    lit: bool
    gone: bool
    chosen: bool
    address: str


# --- what everybody sees -----------------------------------------------------------------------------------
def shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> dict[str, Any]:
    placed = list(placings(state)) if isinstance(state, DomState) else []
    return {
        "cells": list(cells_shown(placed[-1] if placed else None)),
        "margins": margins(placed[-1] if placed else None),
        "label": _("The square, {n} of 16 cards").format(n=len(placed)),
        "last": play_shown(placed[-1]) if placed and not slim else None,
    }


def cells_shown(last: Placing | None) -> Iterator[CellShown]:
    """The square as it lay after this card; None: before the first."""
    scored = {cell for _name, cells in LINES_OF[last.move.cell] for cell in cells} if last else set()
    for cell, name in enumerate(CELLS):
        card = last.square[cell] if last else None
        row, column = divmod(cell, SIDE)
        yield CellShown(
            name,
            row + 1,
            column + 1,
            drawn("" if card is None else card_svg(card)),
            cell_words(cell, None),
            cell_words(cell, card),
            last is not None and last.move.cell == cell,
            cell in scored,
        )


def cell_words(cell: int, card: int | None) -> str:
    row, column = divmod(cell, SIDE)
    where = _("row {row}, column {column}").format(row=row + 1, column=column + 1)
    return where if card is None else f"{where}: {cards.shown(card)}"


def margins(last: Placing | None) -> dict[str, int]:
    """What each line of the last card scored, to stand at its end: by `row2`, `column3`, `down` or `up`."""
    if last is None:
        return {}
    lines = LINES_OF[last.move.cell]
    return {_place(*line): score.points for line, score in zip(lines, last.scores, strict=True)}


def _place(name: str, cells: Sequence[int]) -> str:
    """Which line it is, in a word for the page's grid: a diagonal goes down or up from the left."""
    row, column = divmod(cells[0], SIDE)
    return {"row": f"row{row + 1}", "column": f"column{column + 1}"}.get(name, "up" if column else "down")


# --- what the cards scored ---------------------------------------------------------------------------------
def counted(state: State, players: Sequence[str]) -> list[dict[str, Any]]:
    """Every card with the arithmetic of its lines, in the order they were placed."""
    assert isinstance(state, DomState)
    return [play_shown(each) | {"name": players[each.move.seat]} for each in placings(state)]


def play_shown(placing: Placing) -> dict[str, Any]:
    _seat, card, cell = placing.move
    lines = zip(LINES_OF[cell], placing.scores, strict=True)
    return {
        "template": COUNTED,
        "card": cards.NAMES[card],
        "where": cell_words(cell, None),
        "points": sum(score.points for score in placing.scores),
        "lines": [line_shown(line, placing.square, score) for line, score in lines],
    }


def line_shown(line: tuple[str, Sequence[int]], square: Sequence[int | None], score: Score) -> dict[str, Any]:
    """The sum of a line as it lay: its cards, each count of their pips with what divides it, and what else it has."""
    cells = line[1]
    there = lying(tuple(square), cells)
    return {
        "name": line_words(*line),
        "points": score.points,
        "cards": [cards.NAMES[card] for card in there],
        "counts": [_count_shown(count, there) for count in counts(there)],
        "bonuses": bonuses(there),
    }


def line_words(name: str, cells: Sequence[int]) -> str:
    row, column = divmod(cells[0], SIDE)
    if name == "row":
        return _("Row {n}").format(n=row + 1)
    if name == "column":
        return _("Column {n}").format(n=column + 1)
    return _("Diagonal ↙") if column else _("Diagonal ↘")


def _count_shown(count: Count, there: Sequence[int]) -> dict[str, Any]:
    parts = parted(count.pips)
    return {
        "ace": count.ace,
        "sum": " + ".join(str(pips_of(card, count.ace)) for card in there) if len(there) > 1 else "",
        "pips": count.pips,
        "divided": [f"{count.pips} ÷ {part} = {given}" for part, given in parts],
        "points": worth(count.pips),
    }


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> dict[str, Any]:
    assert match.hand is not None
    offers = match.offers()
    closed = _closed(match, offers)
    tapped = typed.get("cell", "") if typed.get("cell") in CELLS else ""
    cell = "" if tapped in closed else tapped
    card = typed.get("card", "") if typed.get("card") in cards.NAMES else ""
    held = set(offers["cards"])
    board = shown(match.game, match.hand.state, match.present, slim=True)
    return {
        "cells": [_tapped(each, closed, cell, card) for each in board["cells"]],
        "suits": [*words.SUITS.items()],
        "tray": [[_card_shown(suit, rank, held, offers, cell, card) for rank in cards.RANKS] for suit in words.SUITS],
        "corner": len(offers["cells"]) == len(CORNERS) and not offers["square"],
        "cell": cell,
        "card": card,
        "another": urlencode({"cell": cell}),
    } | (
        {"refused": closed[tapped], "blamed": (tapped,)}
        if tapped in closed
        else _told(match, offers["seat"], cell, card)
    )


def _closed(match: Match, offers: dict[str, Any]) -> dict[str, str]:
    """The cells that take no card now, whichever it is, with what the rules have against it."""
    assert match.hand is not None
    card, closed = cards.parse(offers["cards"][0]), {}
    for name in (name for name in CELLS if name not in offers["cells"]):
        try:
            match.hand.state.play(Place(offers["seat"], card, CELLS.index(name)))
        except GameError as error:
            closed[name] = in_words(error)
    return closed


def _tapped(shown: CellShown, closed: Mapping[str, str], cell: str, card: str) -> CellShown:
    """The cell as the pad has it: a card that waits for it lies there already."""
    chosen = shown.name == cell
    return CellShown(
        shown.name,
        shown.row,
        shown.column,
        drawn(card_svg(cards.parse(card))) if chosen and card and not shown.svg else shown.svg,
        shown.where,
        shown.words,
        shown.last,
        scored=False,
        lit=shown.name not in closed,
        chosen=chosen,
        address=urlencode({"cell": shown.name} | ({"card": card} if card else {})),
        refused=closed.get(shown.name, ""),
    )


def _card_shown(suit: str, rank: str, held: set[str], offers: dict[str, Any], cell: str, card: str) -> CardShown:
    name = rank + suit
    number = cards.parse(name)
    return CardShown(
        name,
        drawn(card_svg(number)),
        cards.shown(number),
        lit=name in held,
        gone=name in offers["square"].values(),
        chosen=name == card,
        address=urlencode(({"cell": cell} if cell else {}) | {"card": name}),
    )


def _told(match: Match, seat: int, cell: str, card: str) -> dict[str, Any]:
    """What the card would count there, by the engine that will count it, or what it has against it."""
    if not (cell and card):
        return {}
    entry = move_entry(Place(seat, cards.parse(card), CELLS.index(cell)))
    try:
        after = match.enter(entry)
    except GameError as error:
        return {"refused": in_words(error), "blamed": words.pieces(entry, error, match)}
    return {
        "preview": {
            "form": "move",
            "entry": entry,
            "play": counted(after.hands[-1].state, match.present)[-1],
            "totals": [after.totals[side[0]] for side in after.sides],
        }
    }


def ahead(match: Match) -> dict[str, Any]:
    """The game for `boards/square.js`: how the square lies, who deals the next one, how many are still to be
    dealt, and the cards of each where they are known."""
    games = min(match.options["hands"] or GAMES_IN_MATCH, GAMES_IN_MATCH)
    offers = match.offers()
    return {
        "opener": match.hand and match.hand.opener,
        "openers": offers.get("openers"),
        "square": offers.get("square", {}),
        "deals": [_known(match, seat) for seat in range(len(match.players))],
        "rest": games - len(match.hands),
    }


def says(game: Game[Any]) -> dict[str, Any]:
    """The sentences of `boards/square.js`."""
    return {
        "place": _("{player} put {card} in {at}"),
        "asks": _asks(_("%(turn)s: tap a cell and a card"), _("%(turn)s: now the cell")),
        "corner": _asks(_("%(turn)s: tap a corner and a card"), _("%(turn)s: now a corner")),
        "taken": _("{card} lies in row {row}, column {column} already."),
        "spoken": {cards.NAMES[card]: cards.shown(card) for card in range(cards.COUNT)}
        | {name: cell_words(cell, None) for cell, name in enumerate(CELLS)},
    }


def _asks(none: str, card: str) -> dict[str, str]:
    """What who is on turn is asked for, by what is chosen already."""
    sentences = {"none": none, "card": card, "cell": _("%(turn)s: now the card")}
    return {chosen: sentence % {"turn": "{player}"} for chosen, sentence in sentences.items()}


def _known(match: Match, seat: int) -> list[str] | None:
    """The cards this seat was dealt, where that is known."""
    dealt = match.hand.state.opening.deal[seat] if match.hand else None
    return None if dealt is None else [cards.NAMES[card] for card in range(cards.COUNT) if dealt >> card & 1]
