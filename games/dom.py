"""DOM: two players place eight cards each on a square of four by four. A card scores every line it is on.

Source: "DOM", the sections on the basis, the scoring, the bonus scores and the play.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, islice
from typing import Any, NamedTuple

from games import cards, read
from games.base import HANDS, End, FinalForm, Game, Opening, Outcome, Score, Term, points_of
from games.errors import Code, Illegal, marked
from games.moves import CELLS, Move, PlaceCard, read_place
from games.tiles import members
from games.totals import check_between, check_points

SEATS = 2
DEALT = 8
SIDE = 4
"""Cells in a row, rows in the square, cards in a whole line."""
GAMES_IN_MATCH = 2
PACK = (1 << cards.COUNT) - 1

# --- the square --------------------------------------------------------------------------------------------
# A cell is a number from 0 to 15, row by row. A square has a card or None for each cell.
CORNERS = (0, 3, 12, 15)
LINES = (
    *(("row", tuple(range(first, first + SIDE))) for first in range(0, SIDE * SIDE, SIDE)),
    *(("column", tuple(range(first, SIDE * SIDE, SIDE))) for first in range(SIDE)),
    ("diagonal", (0, 5, 10, 15)),
    ("diagonal", (3, 6, 9, 12)),
)
"""The kind of each line, and its cells."""
LINES_OF = tuple(tuple(line for line in LINES if cell in line[1]) for cell in range(SIDE * SIDE))
"""The lines through each cell."""

Square = tuple[int | None, ...]


# --- the value of a line -----------------------------------------------------------------------------------
PARTS = (3, 5, 7)
PAIRS = {2: ("pair", 2), 3: ("three", 6), 4: ("four", 12)}
"""By the number of cards of equal rank: their name, and their points."""
RUN = ("run", 4)
FLUSH = ("flush", 4)


def parted(pips: int) -> list[tuple[int, int]]:
    """The divisors 3, 5 and 7 of a pip count, each with its quotient. Divisors that leave a remainder are left out."""
    return [(part, pips // part) for part in PARTS if pips % part == 0]


def worth(pips: int) -> int:
    """The points of a pip count: a third, a fifth and a seventh of it, each only if it is a whole number."""
    return sum(given for _part, given in parted(pips))


class Count(NamedTuple):
    """A pip count of a line, and the value of an ace in it (None in a line without aces)."""

    ace: int | None
    pips: int


def counts(line: Sequence[int]) -> list[Count]:
    """The pip counts of a line: one, or two if it has aces, which all count 1 or all count 11."""
    ranks = [cards.rank(card) for card in line]
    values = (1, 11) if 1 in ranks else (None,)
    return [Count(ace, sum(pips_of(card, ace) for card in line)) for ace in values]


def pips_of(card: int, ace: int | None) -> int:
    """The pips of a card, in a count with this value of an ace: its rank for 2 to 10, and 10 for court cards."""
    rank = cards.rank(card)
    return ace if rank == 1 and ace is not None else min(rank, 10)


def bonuses(line: Sequence[int]) -> list[tuple[str, int]]:
    """The bonuses of a line, by name. They score only once, even if the line has two pip counts."""
    ranks = [cards.rank(card) for card in line]
    result = [PAIRS[number] for number in Counter(ranks).values() if number in PAIRS]
    if len(line) == SIDE:
        result += [RUN] * _is_run(ranks)
        result += [FLUSH] * (len({cards.suit(card) for card in line}) == 1)
    return result


def value(line: Sequence[int]) -> list[tuple[str, int]]:
    """The points of a line, as terms: each pip count, labelled with its number, then each bonus with its name."""
    return [*((str(count.pips), worth(count.pips)) for count in counts(line)), *bonuses(line)]


@cache
def best_line(size: int) -> int:
    """The most points of a line with this number of cards. Cards of different ranks are of one suit: that is never
    less."""
    ranks_in_pack = cards.COUNT // len(cards.SUITS)
    lines = (
        [ranks_in_pack * (suit if len({*ranks}) < size else 0) + rank for suit, rank in enumerate(ranks)]
        for ranks in combinations_with_replacement(range(ranks_in_pack), size)
    )
    return max(sum(points for _name, points in value(line)) for line in lines)


@cache
def most_points() -> int:
    """No player has more points in a game: a card is on three lines at most, and each line has each number of cards
    only once."""
    lines = sorted((best_line(size) for size in range(1, SIDE + 1) for _line in LINES), reverse=True)
    return sum(lines[: DEALT * max(map(len, LINES_OF))])


def _is_run(ranks: Sequence[int]) -> bool:
    """Whether these ranks are a run. An ace is below the two or above the king."""
    return any(
        len(set(order)) == max(order) - min(order) + 1 == SIDE
        for order in (ranks, [14 if rank == 1 else rank for rank in ranks])
    )


# --- a game ------------------------------------------------------------------------------------------------
class DomState(NamedTuple):
    """A game at one moment. Immutable: ``play`` returns the next state."""

    opening: Opening
    square: Square = (None,) * (SIDE * SIDE)
    moves: tuple[Move, ...] = ()
    scores: tuple[Score, ...] = ()
    """One score for each line of each card, in the order of moves."""
    line: None = None

    @property
    def turn(self) -> int | None:
        """The seat on turn; the non-dealer begins. None once the game is over."""
        return None if self.end else (self.opening.opener + 1 + len(self.moves)) % SEATS

    @property
    def end(self) -> End | None:
        return End("played", self.moves[-1].seat) if len(self.moves) == SEATS * DEALT else None

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> "DomState":
        """The state after this card. Illegal if the card or the cell is not possible."""
        assert isinstance(move, PlaceCard), move
        self._check(move)
        square = (*self.square[: move.cell], move.card, *self.square[move.cell + 1 :])
        return self._replace(
            square=square, moves=(*self.moves, move), scores=(*self.scores, *scored(square, move.seat, move.cell))
        )

    def _check(self, move: PlaceCard) -> None:
        seat, card, cell = move
        if self.turn is None:
            raise self._illegal(Code.HAND_OVER, marked("This hand is over."))
        if seat != self.turn:
            raise self._illegal(
                Code.NOT_YOUR_TURN,
                marked("It is {turn}'s turn, not {player}'s."),
                turn=self.opening.players[self.turn],
                player=self.opening.players[seat],
            )
        if card in self.square:
            raise self._illegal(
                Code.CARD_ALREADY_PLACED,
                marked("{card} is already on the square."),
                self._placed(self.square.index(card)),
                card=cards.shown(card),
            )
        if not self.playable(seat) >> card & 1:
            raise self._illegal(
                Code.CARD_NOT_HELD,
                marked("{player} does not hold {card}."),
                player=self.opening.players[seat],
                card=cards.shown(card),
            )
        if (there := self.square[cell]) is not None:
            row, column = divmod(cell, SIDE)
            raise self._illegal(
                Code.CELL_TAKEN,
                marked("{card} is already in row {row}, column {column}."),
                self._placed(cell),
                card=cards.shown(there),
                row=row + 1,
                column=column + 1,
                cell=CELLS[cell],
            )
        if cell not in self.cells():
            raise self._illegal(Code.CORNER_FIRST, marked("The first card must go to a corner."), cell=CELLS[cell])

    def _placed(self, cell: int) -> int:
        """The move that put the card on this cell."""
        return next(at for at, move in enumerate(self.moves) if isinstance(move, PlaceCard) and move.cell == cell)

    def _illegal(self, code: Code, template: str, proof: int | None = None, **facts: Any) -> Illegal:
        return self.opening.error(Illegal, code, template, len(self.moves), proof, **facts)

    # --- what may come next --------------------------------------------------------------------------------
    def playable(self, seat: int) -> int:
        """The mask of cards that this seat may have: what it was dealt if known, else all cards except what the other
        seat was dealt; without the cards on the square."""
        dealt, other = self.opening.deal[seat], self.opening.deal[1 - seat]
        return (PACK & ~(other or 0) if dealt is None else dealt) & ~self.placed()

    def placed(self) -> int:
        """The mask of cards on the square."""
        return sum(1 << card for card in self.square if card is not None)

    def cells(self) -> list[int]:
        """The cells for the next card: a corner for the first card, else any free cell."""
        return [cell for cell, card in enumerate(self.square) if card is None] if self.moves else [*CORNERS]

    def legal(self) -> list[Move]:
        """Every card that may be in the hand on turn, on every cell that is allowed."""
        if self.turn is None:
            return []
        return [PlaceCard(self.turn, card, cell) for card in members(self.playable(self.turn)) for cell in self.cells()]

    def offers(self) -> dict[str, Any]:
        """The possible cards and cells, and the cards on the square, by cell."""
        square = {CELLS[cell]: cards.NAMES[card] for cell, card in enumerate(self.square) if card is not None}
        if self.turn is None:
            return {"next": "over", "square": square}
        return {
            "next": "move",
            "seat": self.turn,
            "cards": [cards.NAMES[card] for card in members(self.playable(self.turn))],
            "cells": [CELLS[cell] for cell in self.cells()],
            "square": square,
        }

    def held(self) -> list[int]:
        """How many cards each seat holds."""
        return [DEALT - sum(move.seat == seat for move in self.moves) for seat in range(SEATS)]


def scored(square: Square, seat: int, cell: int) -> tuple[Score, ...]:
    """The scores of the card just placed on this cell, one for each of its lines."""
    result = []
    for name, cells in LINES_OF[cell]:
        terms = tuple(Term(seat, *part) for part in value(lying(square, cells)))
        result.append(Score((seat,), sum(term.value for term in terms), name, terms))
    return tuple(result)


def lying(square: Square, cells: Sequence[int]) -> list[int]:
    """The cards on these cells."""
    return [card for card in map(square.__getitem__, cells) if card is not None]


class ScoredCard(NamedTuple):
    """A card just placed: the square with this card, and the scores of its lines in the order of ``LINES_OF``."""

    move: PlaceCard
    square: Square
    scores: tuple[Score, ...]


def scored_cards(state: DomState) -> Iterator[ScoredCard]:
    """The cards of a game in order, each with its scores."""
    square: list[int | None] = [None] * (SIDE * SIDE)
    scores = iter(state.scores)
    for move in state.moves:
        assert isinstance(move, PlaceCard), move
        square[move.cell] = move.card
        yield ScoredCard(move, tuple(square), tuple(islice(scores, len(LINES_OF[move.cell]))))


class Dom(Game[DomState]):
    slug = "dom"
    name = marked("DOM")
    seats = (SEATS,)
    options = (HANDS,)
    opener_word = "dealer"
    hand_word = "game"
    moves = {"place": read_place}
    dealt = DEALT
    board = "square"
    deals_cards = True
    ending_key = None
    scored_by_moves = True

    def final(self, options: Mapping[str, Any]) -> FinalForm:
        return FinalForm(points=True)

    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """Either seat deals the first game; after that they alternate."""
        return (0, 1) if opening.previous is None else (1 - opening.previous.opener,)

    def begin(self, opening: Opening) -> DomState:
        return DomState(opening)

    def count(self, state: DomState, ending: None) -> Outcome | None:
        assert state.end is not None
        return Outcome(state.end, points_of(SEATS, state.scores), state.scores)

    def count_final(self, state: DomState, final: Mapping[str, Any]) -> Outcome:
        for seat, made in enumerate(points_of(SEATS, state.scores)):
            if final["points"][seat] < made or (state.end is not None and final["points"][seat] > made):
                raise state.opening.error(
                    Illegal,
                    Code.LEFT_MISMATCH,
                    marked("In the moves, {player} scored {points} points."),
                    None,
                    player=state.opening.players[seat],
                    points=made,
                )
        scores = tuple(
            Score((seat,), points, "points", (Term(seat, "", points),)) for seat, points in enumerate(final["points"])
        )
        return Outcome(End("played", None), points_of(SEATS, scores), scores)

    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        return {"points": read.whole_numbers(read.keyed(value, required=("points",))["points"], SEATS)}

    def check_final(self, opening: Opening, final: Mapping[str, Any]) -> None:
        check_points(final["points"], most_points())

    def check_totals(self, options: Mapping[str, Any], totals: Sequence[int]) -> None:
        check_between(totals, 0, most_points() * min(options["hands"] or GAMES_IN_MATCH, GAMES_IN_MATCH))

    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        return hands >= GAMES_IN_MATCH
