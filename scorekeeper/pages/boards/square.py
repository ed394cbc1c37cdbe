"""The square of cards, and the pad that places cards on it: a cell and a card, then what they count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
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
    ScoredCard,
    bonuses,
    counts,
    lying,
    parted,
    pips_of,
    scored,
    scored_cards,
    worth,
)
from games.moves import CELLS, PlaceCard, move_entry
from games.tiles import members
from scorekeeper import words
from scorekeeper.drawing import card_svg
from scorekeeper.pages import context
from scorekeeper.pages.boards.base import BoardPad, BoardShown, PlayCounted, PlayPreview
from scorekeeper.pages.boards.line import drawn
from scorekeeper.templatetags.tiles import as_entry, as_json
from scorekeeper.words import in_words

SUITS = {suit: [rank + suit for rank in cards.RANKS] for suit in words.SUITS}


@dataclass(frozen=True, slots=True)
class SquareCell:
    name: str
    row: int
    column: int
    svg: SafeString
    """The card on it; "" where it is open."""
    where: str
    words: str
    last: bool
    """Whether its card was placed last."""
    scored: bool
    """Whether it lies on a line of that card."""
    lit: bool = False
    chosen: bool = False
    address: str = ""
    """What is added to the page's address when it is tapped."""
    refused: str = ""
    """Why no card can go there now."""
    entry: str = ""
    """What puts the chosen card of a hand there."""
    worth: str = ""
    """What it would score there; "" if that is not shown."""


@dataclass(frozen=True, slots=True, eq=False)  # made once, so that keeping what is drawn of it is quick
class SquareCard:
    name: str
    svg: SafeString
    words: str
    lit: bool
    gone: bool
    chosen: bool
    address: str
    worth: str = ""
    """By open cell, what it would score there, as JSON; "" if that is not shown."""


# --- what everybody sees -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CountShown:
    """A count of the pips of a line, with what divides it."""

    ace: int | None
    sum: str
    pips: int
    divided: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class LineCounted:
    """The sum of a line as it lay."""

    name: str
    points: int
    cards: tuple[str, ...]
    counts: tuple[CountShown, ...]
    bonuses: Sequence[tuple[str, int]]


@dataclass(frozen=True, kw_only=True)
class CardCounted(PlayCounted):
    template: str = "scorekeeper/boards/square/counted.html"
    name: str = ""
    lines: tuple[LineCounted, ...]


@dataclass(frozen=True, kw_only=True)
class SquareShown(BoardShown):
    template: str = "scorekeeper/boards/square/shown.html"
    cells: list[SquareCell]
    margins: Mapping[str, int]
    label: str
    last: CardCounted | None
    """The arithmetic of the last card, where there is room."""


@dataclass(frozen=True, kw_only=True)
class SquarePad(SquareShown, BoardPad):
    taps: str = "scorekeeper/boards/square/pad.html"
    suits: list[tuple[str, str]]
    tray: list[tuple[str, list[SquareCard]]]
    """All 52 cards by suit."""
    corner: bool
    """Whether the first card, in a corner, is due."""
    cell: str
    """The cell that waits for its card; "" for none."""
    card: str
    """The card that waits for its cell; "" for none."""
    another: str
    """What is added to the address to choose another card."""
    refused: str = ""
    blamed: tuple[str, ...] = ()
    """The cells and cards that the refusal is about."""
    preview: PlayPreview | None = None


@dataclass(frozen=True, kw_only=True)
class SquareHand(SquareShown, BoardPad):
    template: str = "scorekeeper/boards/square/own.html"
    taps: str = "scorekeeper/boards/square/hand.html"
    seat: int
    card: str
    """The card that waits for its cell; "" for none."""
    hand: list[SquareCard]
    """The cards of one player."""
    turn: bool
    """Whether they are to place one."""


def shown(game: Game[Any], state: State | None, players: Sequence[str], *, slim: bool = False) -> SquareShown:
    placed = list(scored_cards(state)) if isinstance(state, DomState) else []
    last = placed[-1] if placed else None
    return SquareShown(
        cells=list(cells_shown(last)),
        margins=margins(last),
        label=_("The square, {n} of 16 cards").format(n=len(placed)),
        last=play_shown(last) if last and not slim else None,
    )


def cells_shown(last: ScoredCard | None) -> Iterator[SquareCell]:
    """The square after this card; None is the empty square."""
    scored = {cell for _name, cells in LINES_OF[last.move.cell] for cell in cells} if last else set()
    for cell, (name, where) in enumerate(zip(CELLS, cell_words(), strict=True)):
        card = last.square[cell] if last else None
        row, column = divmod(cell, SIDE)
        yield SquareCell(
            name,
            row + 1,
            column + 1,
            drawn("" if card is None else card_svg(card)),
            where,
            where if card is None else f"{where}: {cards.shown(card)}",
            last is not None and last.move.cell == cell,
            cell in scored,
        )


def cell_words() -> list[str]:
    """Where each cell is."""
    return [*map(words.cell_words, range(len(CELLS)))]


def margins(last: ScoredCard | None) -> dict[str, int]:
    """What each line of the last card scored, by its position at the edge: `row2`, `column3`, `down` or `up`."""
    if last is None:
        return {}
    lines = LINES_OF[last.move.cell]
    return {_edge(*line): score.points for line, score in zip(lines, last.scores, strict=True)}


def _edge(name: str, cells: Sequence[int]) -> str:
    """The name of a line in the page's grid. A diagonal goes down or up from the left."""
    row, column = divmod(cells[0], SIDE)
    return {"row": f"row{row + 1}", "column": f"column{column + 1}"}.get(name, "up" if column else "down")


# --- what the cards scored ---------------------------------------------------------------------------------
def counted(state: State, players: Sequence[str]) -> list[CardCounted]:
    """Every card with the arithmetic of its lines, in the order they were placed."""
    assert isinstance(state, DomState)
    return [play_shown(each, players[each.move.seat]) for each in scored_cards(state)]


def play_shown(scored_card: ScoredCard, name: str = "") -> CardCounted:
    _seat, card, cell = scored_card.move
    lines = zip(LINES_OF[cell], scored_card.scores, strict=True)
    return CardCounted(
        name=name,
        card=cards.NAMES[card],
        where=cell_words()[cell],
        points=sum(score.points for score in scored_card.scores),
        lines=tuple(_line_counted(line, scored_card.square, score) for line, score in lines),
    )


def _line_counted(line: tuple[str, Sequence[int]], square: Sequence[int | None], score: Score) -> LineCounted:
    there = lying(tuple(square), line[1])
    return LineCounted(
        name=line_words(*line),
        points=score.points,
        cards=tuple(cards.NAMES[card] for card in there),
        counts=tuple(_count_shown(count, there) for count in counts(there)),
        bonuses=bonuses(there),
    )


def line_words(name: str, cells: Sequence[int]) -> str:
    row, column = divmod(cells[0], SIDE)
    if name == "row":
        return _("Row {n}").format(n=row + 1)
    if name == "column":
        return _("Column {n}").format(n=column + 1)
    return _("Diagonal ↙") if column else _("Diagonal ↘")


def _count_shown(count: Count, there: Sequence[int]) -> CountShown:
    return CountShown(
        ace=count.ace,
        sum=" + ".join(str(pips_of(card, count.ace)) for card in there) if len(there) > 1 else "",
        pips=count.pips,
        divided=tuple(f"{count.pips} ÷ {part} = {given}" for part, given in parted(count.pips)),
        points=worth(count.pips),
    )


# --- the pad -----------------------------------------------------------------------------------------------
def pad(match: Match, typed: Mapping[str, str]) -> SquarePad:
    assert match.hand is not None
    offers = match.offers()
    closed = _closed(match, offers)
    tapped = typed.get("cell", "") if typed.get("cell") in CELLS else ""
    cell = "" if tapped in closed else tapped
    card = typed.get("card", "") if typed.get("card") in cards.NAMES else ""
    board = shown(match.game, match.hand.state, match.present, slim=True)
    cells = [_tapped(each, closed, cell, card) for each in board.cells]
    page = SquarePad(
        **context(board) | {"cells": cells},
        suits=[*words.SUITS.items()],
        tray=_tray(offers, cell, card),
        corner=len(offers["cells"]) == len(CORNERS) and not offers["square"],
        cell=cell,
        card=card,
        another=urlencode({"cell": cell}),
    )
    if tapped in closed:
        return replace(page, refused=closed[tapped], blamed=(tapped,))
    return _judged(page, match, offers["seat"])


def own_hand(match: Match, seat: int, typed: Mapping[str, str], *, counts: bool) -> SquareHand:
    """The hand of a player who sees only their own cards: a card waits for its cell. `counts`: whether cards say what
    they would score in each cell."""
    assert match.hand is not None
    state = match.hand.state
    assert isinstance(state, DomState)
    board, turn = shown(match.game, state, match.present, slim=True), state.turn == seat
    held = [cards.NAMES[card] for card in sorted(members(state.playable(seat)), key=_by_suit)]
    card = typed.get("card", "") if turn and typed.get("card") in held else held[0] if turn and len(held) == 1 else ""
    free = [CELLS[cell] for cell in state.cells()] if turn else []
    worths = {name: _worths(state, seat, name, free) if turn and counts else {} for name in held}
    due = _("Choose a card, then a cell.") if state.moves else _("Choose a card, then a corner.")
    return SquareHand(
        **context(board)
        | {
            "template": SquareHand.template,
            "due": due if turn else "",
            "cells": [_own_cell(each, seat, card, worths.get(card, {}), lit=each.name in free) for each in board.cells],
        },
        seat=seat,
        card=card,
        hand=[_own_card(name, worths[name], turn=turn, chosen=name == card) for name in held],
        turn=turn,
    )


def _by_suit(card: int) -> tuple[int, int]:
    """Orders a hand as people do: by suit, then by rank."""
    return cards.suit(card), cards.rank(card)


def _worths(state: DomState, seat: int, card: str, cells: Sequence[str]) -> dict[str, int]:
    """What this card would score in each of these cells."""
    number, at = cards.parse(card), {name: CELLS.index(name) for name in cells}
    squares = {name: (*state.square[:cell], number, *state.square[cell + 1 :]) for name, cell in at.items()}
    return {name: sum(score.points for score in scored(square, seat, at[name])) for name, square in squares.items()}


def _own_card(name: str, worths: Mapping[str, int], *, turn: bool, chosen: bool) -> SquareCard:
    """A card of the hand; a tap chooses it, or puts it back."""
    number = cards.parse(name)
    address = "" if chosen else urlencode({"card": name})
    worth = as_json(worths) if worths else ""
    return SquareCard(name, drawn(card_svg(number)), cards.shown(number), turn, False, chosen, address, worth)


def _own_cell(cell: SquareCell, seat: int, card: str, worths: Mapping[str, int], *, lit: bool) -> SquareCell:
    entry = move_entry(PlaceCard(seat, cards.parse(card), CELLS.index(cell.name))) if card and lit else None
    worth = str(worths.get(cell.name, ""))
    return replace(cell, scored=cell.scored and not card, lit=lit, entry=as_entry(entry) if entry else "", worth=worth)


def _closed(match: Match, offers: dict[str, Any]) -> dict[str, str]:
    """The cells that take no card now, and why."""
    assert match.hand is not None
    card, closed = cards.parse(offers["cards"][0]), {}
    for name in (name for name in CELLS if name not in offers["cells"]):
        try:
            match.hand.state.play(PlaceCard(offers["seat"], card, CELLS.index(name)))
        except GameError as error:
            closed[name] = in_words(error)
    return closed


def _tapped(shown: SquareCell, closed: Mapping[str, str], cell: str, card: str) -> SquareCell:
    """The cell on the pad. A card that waits for it is already shown there."""
    chosen = shown.name == cell
    return SquareCell(
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


def _tray(offers: dict[str, Any], cell: str, card: str) -> list[tuple[str, list[SquareCard]]]:
    held, placed = set(offers["cards"]), set(offers["square"].values())
    return [
        (suit, [_card_shown(name, cell, lit=name in held, gone=name in placed, chosen=name == card) for name in names])
        for suit, names in SUITS.items()
    ]


@lru_cache(4096)
def _card_shown(name: str, cell: str, *, lit: bool, gone: bool, chosen: bool) -> SquareCard:
    number = cards.parse(name)
    address = urlencode(({"cell": cell} if cell else {}) | {"card": name})
    return SquareCard(name, drawn(card_svg(number)), cards.shown(number), lit, gone, chosen, address)


def _judged(page: SquarePad, match: Match, seat: int) -> SquarePad:
    """With what the card would score in its cell, or why it cannot go there. The engine decides."""
    if not (page.cell and page.card):
        return page
    entry = move_entry(PlaceCard(seat, cards.parse(page.card), CELLS.index(page.cell)))
    try:
        after = match.enter(entry)
    except GameError as error:
        return replace(page, refused=in_words(error), blamed=words.pieces(entry, error, match))
    play = counted(after.hands[-1].state, match.present)[-1]
    totals = tuple(after.totals[side[0]] for side in after.sides)
    return replace(page, preview=PlayPreview("move", entry, play, totals))


def ahead(match: Match) -> dict[str, Any]:
    """The game for `boards/square.js`: the square, who deals next, how many games remain, and the known cards of each
    player."""
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
        "taken": _("{card} is already in row {row}, column {column}."),
        "spoken": {cards.NAMES[card]: cards.shown(card) for card in range(cards.COUNT)}
        | dict(zip(CELLS, cell_words(), strict=True)),
    }


def _asks(none: str, card: str) -> dict[str, str]:
    """What the player on turn is asked for, by what they have chosen."""
    sentences = {"none": none, "card": card, "cell": _("%(turn)s: now the card")}
    return {chosen: sentence % {"turn": "{player}"} for chosen, sentence in sentences.items()}


def _known(match: Match, seat: int) -> list[str] | None:
    """The cards dealt to this seat, if they are known."""
    dealt = match.hand.state.opening.deal[seat] if match.hand else None
    return None if dealt is None else [cards.NAMES[card] for card in range(cards.COUNT) if dealt >> card & 1]
