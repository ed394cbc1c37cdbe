"""A second opinion on DOM: slow, simple, and without any code of ``games``. A card is its two letters, a cell a pair
(row, column) from 1. Matches, hands and moves are as in records."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]
Answer = tuple[str, int | None, int | None]
"""An error: its code, the entry at fault, and the entry that proves it."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
CELLS: list[Cell] = [(row, column) for row in range(1, 5) for column in range(1, 5)]
CORNERS = [(1, 1), (1, 4), (4, 1), (4, 4)]
LINES: list[list[Cell]] = [
    *([(row, column) for column in range(1, 5)] for row in range(1, 5)),
    *([(row, column) for row in range(1, 5)] for column in range(1, 5)),
    [(1, 1), (2, 2), (3, 3), (4, 4)],
    [(1, 4), (2, 3), (3, 2), (4, 1)],
]
# The points as the rules print them, for each pip count; pip counts that are not here score nothing.
PRINTED_TABLE = """
3:1 5:1 6:2 7:1 9:3 10:2 12:4 14:2 15:8 18:6 20:4 21:10 24:8 25:5 27:9 28:4 30:16 33:11 35:12 36:12 39:13 40:8 42:20
"""
PRINTED = {int(pips): int(points) for pips, points in (pair.split(":") for pair in PRINTED_TABLE.split())}
RUNS = [set("A23456789TJQKA"[at : at + 4]) for at in range(11)]


def cell(text: str) -> Cell:
    return int(text[1]), int(text[3])


def text(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


# --- the value of a line -----------------------------------------------------------------------------------
def count(cards: Sequence[str], ace: int) -> int:
    """The pips of these cards."""
    return sum(ace if card[0] == "A" else int(card[0]) if card[0] in "23456789" else 10 for card in cards)


def bonus(cards: Sequence[str]) -> int:
    ranks = [card[0] for card in cards]
    result = sum({2: 2, 3: 6, 4: 12}.get(ranks.count(rank), 0) for rank in set(ranks))
    if len(cards) == 4:
        result += 4 * (set(ranks) in RUNS)
        result += 4 * (len({card[1] for card in cards}) == 1)
    return result


def value(cards: Sequence[str]) -> int:
    aces = (1, 11) if any(card[0] == "A" for card in cards) else (0,)
    return sum(PRINTED.get(count(cards, ace), 0) for ace in aces) + bonus(cards)


# --- a hand ------------------------------------------------------------------------------------------------
@dataclass
class Opinion:
    """The judgement of a hand: the allowed answers, of which one must be given, or its points."""

    answers: set[Answer] = field(default_factory=set)
    points: list[int] = field(default_factory=lambda: [0, 0])
    scores: list[int] = field(default_factory=list)
    """The points of each card."""
    over: bool = False


def judge(hand: dict[str, Any]) -> Opinion:
    opinion = Opinion()
    square: dict[Cell, str] = {}
    known = hand.get("deal") or [None, None]
    for at, move in enumerate(hand["moves"]):
        seat, card, where = move["seat"], move["card"], cell(move["at"])
        other = known[1 - seat]
        earlier = {each["card"]: n for n, each in enumerate(hand["moves"][:at])}
        taken = {cell(each["at"]): n for n, each in enumerate(hand["moves"][:at])}
        code, proof = None, None
        if len(square) == 16:
            code = "hand-over"
        elif seat != (hand["dealer"] + 1 + at) % 2:
            code = "not-your-turn"
        elif card in earlier:
            code, proof = "card-already-placed", earlier[card]
        elif (known[seat] is not None and card not in known[seat]) or (other is not None and card in other):
            code = "card-not-held"
        elif where in taken:
            code, proof = "cell-taken", taken[where]
        elif not square and where not in CORNERS:
            code = "corner-first"
        if code:
            opinion.answers = {(code, at, shown) for shown in {None, proof}}
            return opinion
        square[where] = card
        opinion.scores.append(score(square, where))
        opinion.points[seat] += opinion.scores[-1]
    opinion.over = len(square) == 16
    return opinion


def score(square: dict[Cell, str], placed: Cell) -> int:
    """The points of the card on this cell, if it was placed last: those of all its lines."""
    return sum(value([square[each] for each in line if each in square]) for line in LINES if placed in line)


@dataclass
class Verdict:
    """The judgement of a match. ``hand``: the hand with the error."""

    answers: set[Answer] = field(default_factory=set)
    hand: int | None = None
    hands: list[list[int]] = field(default_factory=list)
    finished: bool = False
    winners: list[int] = field(default_factory=list)

    @property
    def totals(self) -> list[int]:
        return [sum(column) for column in zip(*self.hands, strict=True)] or [0, 0]


def judge_match(record: dict[str, Any]) -> Verdict:
    verdict = Verdict()
    limit = min(2, record.get("options", {}).get("hands") or 2)
    for number, hand in enumerate(record["hands"]):
        verdict.hand = number
        if number >= limit:
            verdict.answers = {("match-over", None, None)}
            return verdict
        if number and hand["dealer"] == record["hands"][0]["dealer"]:
            verdict.answers = {("wrong-leader", None, None)}
            return verdict
        opinion = judge({"moves": [], **hand})
        if "final" in hand and not opinion.answers:
            verdict.hands.append(hand["final"]["points"])
            continue
        verdict.answers = opinion.answers
        if not opinion.answers and not opinion.over and number < len(record["hands"]) - 1:
            verdict.answers = {("hand-unfinished", None, None)}
        if verdict.answers:
            return verdict
        verdict.hands.append(opinion.points)
        if not opinion.over:
            return verdict
    verdict.finished = len(record["hands"]) == limit
    if verdict.finished:
        verdict.winners = [seat for seat in (0, 1) if verdict.totals[seat] == max(verdict.totals)]
    return verdict


# --- random matches ----------------------------------------------------------------------------------------
def random_hand(rng: random.Random, dealer: int) -> dict[str, Any]:
    """A random hand with its deal. Some packs are arranged so that pairs, runs and flushes are frequent."""
    ranks = rng.choice((RANKS, RANKS, "A23K", "A2TJQK", "3456", "JQKA5", "A9TJQK"))
    suits = rng.choice((SUITS, SUITS, "SH", "DC", "C"))
    pack = [card for card in CARDS if card[0] in ranks and card[1] in suits]
    rng.shuffle(pack)
    pack += rng.sample([card for card in CARDS if card not in pack], len(CARDS) - len(pack))
    dealt = pack[:16]
    rng.shuffle(dealt)
    deal = [dealt[:8], dealt[8:]]
    hands = [list(held) for held in deal]
    first = rng.choice(CORNERS)
    cells = [first, *rng.sample([c for c in CELLS if c != first], 15)]
    moves = []
    for at, where in enumerate(cells):
        seat = (dealer + 1 + at) % 2
        moves.append({"seat": seat, "type": "place", "card": hands[seat].pop(), "at": text(where)})
    return {"dealer": dealer, "deal": deal, "moves": moves}


def random_match(rng: random.Random) -> list[dict[str, Any]]:
    dealer = rng.randrange(2)
    return [random_hand(rng, dealer), random_hand(rng, 1 - dealer)]


def told(hand: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The hand with both deals known, one of them, or none."""
    deal = [held if rng.random() < 0.5 else None for held in hand["deal"]]
    rest = {key: value for key, value in hand.items() if key != "deal"}
    return {**rest, "deal": deal} if any(deal) or rng.random() < 0.2 else rest


def damaged(hand: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The hand with one random change."""
    moves = [dict(move) for move in hand["moves"]]
    at = rng.randrange(len(moves))
    kind = rng.choice(("drop", "twice", "swap", "seat", "card", "cell", "swap cards", "first", "deal", "cut"))
    if kind == "drop":
        del moves[at]
    elif kind == "twice":
        moves.insert(rng.randint(at, len(moves)), dict(moves[at]))
    elif kind == "swap":
        other = rng.randrange(len(moves))
        moves[at], moves[other] = moves[other], moves[at]
    elif kind == "seat":
        moves[at]["seat"] = 1 - moves[at]["seat"]
    elif kind == "card":
        moves[at]["card"] = rng.choice(CARDS)
    elif kind == "cell":
        moves[at]["at"] = text(rng.choice(CELLS))
    elif kind == "swap cards":
        other = rng.randrange(len(moves))
        moves[at]["card"], moves[other]["card"] = moves[other]["card"], moves[at]["card"]
    elif kind == "first":
        moves[0]["at"] = text(rng.choice(CELLS))
    elif kind == "deal" and any(hand.get("deal") or ()):
        deal = [None if held is None else list(held) for held in hand["deal"]]
        seat = rng.choice([s for s in (0, 1) if deal[s] is not None])
        free = sorted(set(CARDS).difference(*(held for held in deal if held is not None)))
        deal[seat][rng.randrange(8)] = rng.choice(free)
        hand = {**hand, "deal": deal}
    elif kind == "cut":
        moves = moves[:at]
    return {**hand, "moves": moves}
