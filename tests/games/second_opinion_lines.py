"""A second opinion on the number of lines of play: slow, simple, and without any code of ``games``. A line is a list of
moves as in a record. For each possible next move, it is played again from the start."""

from collections.abc import Sequence
from typing import Any

from tests.games import second_opinion as whist
from tests.games import second_opinion_dom as dom
from tests.games import second_opinion_dominards as dominards
from tests.games import second_opinion_domizerka as domizerka
from tests.games import second_opinion_draws as draws
from tests.games.second_opinion import pips, tile

Case = dict[str, Any]
"""The start of every line: ``game``, ``options``, ``opener``, ``deal`` and the moves of ``start``. Then whatever chance
decides in this game: the tiles of the ``boneyard`` in the order of draws, the ``dice`` of each roll; ``cards``."""
Move = dict[str, Any]
Line = list[Move]


def lines_of_play(case: Case, depth: int) -> tuple[list[int], list[list[int]]]:
    """The number of lines with 1, 2, … ``depth`` legal moves after the start, and the points of each seat, added up
    over all of them. A line stops when the hand is over."""
    count = {"dom": Square, "domizerka": Tricks}.get(case["game"], Tiles)
    lines, numbers, points = [case["start"]], [], []
    for _ in range(depth):
        lines = [[*line, move] for line in lines for move in count(case, line).options()]
        numbers.append(len(lines))
        points.append([sum(column) for column in zip(*(count(case, line).points() for line in lines), strict=True)])
    return numbers, points


class Tiles:
    """A hand in which tiles are laid to a line."""

    def __init__(self, case: Case, line: Line) -> None:
        self.case = case
        deal = [{tile(text) for text in hand} for hand in case["deal"]]
        self.table = _table(case, deal)
        for move in line:
            self.table.make(move, [tile(text) for text in move.get("tiles", ())])
        self.rolls = sum(move["type"] == "roll" for move in line)
        self.drawn = sum(move["type"] == "draw" for move in line)

    def options(self) -> list[Move]:
        table, result = self.table, []
        if table.end is None and isinstance(table, dominards.OpenRound) and table.roll_due():
            return [{"seat": table.turn, "type": "roll", "dice": self.case["dice"][self.rolls]}]
        for move in table.legal():
            drawn = {"tiles": [self.case["boneyard"][self.drawn]]} if move["type"] == "draw" else {}
            result.append({**move, **drawn})
            if isinstance(table, dominards.OpenRound) and move["type"] == "play":
                result += [{**move, "claim": claim} for claim in table.claims(move)]
        return result

    def points(self) -> list[int]:
        table, options = self.table, self.case["options"]
        if self.case["game"] == "domino-whist":
            return whist.whist_points(table.hands, options.get("debit", "both")) if table.end else [0] * 4
        if self.case["game"] == "dominards":
            return table.points
        left = [pips(hand) for hand in table.hands]
        award = draws.award(table.end, table.last, left, draws.all_options(self.case["game"], options))
        return [table + more for table, more in zip(table.points, award, strict=True)]


def _table(case: Case, deal: Sequence[set[whist.Tile]]) -> draws.Table:
    if case["game"] == "dominards":
        cards = dominards.Cards(len(deal), case["cards"])
        return dominards.OpenRound(cards, dominards.Dominards(len(deal)), deal, case["opener"])
    if case["game"] == "domino-whist":
        return draws.Table(draws.Rules(4, draws=False, lead_double=False), deal, case["opener"])
    return draws.Table(draws.rules_of(draws.all_options(case["game"], case["options"])), deal, case["opener"])


class Tricks:
    """A hand of Domizerka after the exchange."""

    def __init__(self, case: Case, line: Line) -> None:
        self.hand = {"dealer": case["opener"], "deal": case["deal"], "moves": line}
        self.seen = domizerka.look(self.hand)

    def options(self) -> list[Move]:
        """Every tile in the hand with every suit in which it can be led; only tiles that follow suit if the player
        must."""
        seen, fates = self.seen, domizerka.truth(self.hand)
        assert seen.call is not None
        moves: list[Move] = []
        for each in domizerka.TILES:
            if fates[each] in (("kept", seen.turn), ("drawn", seen.turn)) and each not in seen.laid:
                suits = domizerka.suits(each, *seen.call)
                said = [{"suit": suit} for suit in suits] if len(suits) == 2 and not seen.trick else [{}]
                moves += [{"seat": seen.turn, "type": "play", "tile": domizerka.text(each), **suit} for suit in said]
        line = self.hand["moves"]
        return [move for move in moves if domizerka.simulate(fates, {**self.hand, "moves": [*line, move]})]

    def points(self) -> list[int]:
        seen = self.seen
        assert seen.call is not None
        return domizerka.points(self.hand["dealer"], seen.call[0], seen.tricks) if seen.over else [0] * 3


class Square:
    """A game of DOM."""

    def __init__(self, case: Case, line: Line) -> None:
        self.hand = {"dealer": case["opener"], "deal": case["deal"], "moves": line}

    def options(self) -> list[Move]:
        line = self.hand["moves"]
        seat = (self.hand["dealer"] + 1 + len(line)) % 2
        placed = {move["card"] for move in line}
        cells = [cell for cell in dom.CELLS if all(dom.text(cell) != move["at"] for move in line)]
        return [
            {"seat": seat, "type": "place", "card": card, "at": dom.text(cell)}
            for card in self.hand["deal"][seat]
            for cell in (cells if line else dom.CORNERS)
            if card not in placed
        ]

    def points(self) -> list[int]:
        return dom.judge(self.hand).points
