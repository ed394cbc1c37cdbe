"""A second opinion on Dominards: the star, dice, claims and cards; what is hidden as in ``second_opinion_draws``.

A card is two letters, rank and suit. Dice in force are a list of numbers; nothing is in force before the first roll.
"""

import copy
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from tests.games import second_opinion_draws as draws
from tests.games.second_opinion import Tile, text, tile
from tests.games.second_opinion_draws import Hand, Judged, Move, Onlooker, Opinion, Rules, Table, opinion

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "SHCD"]


class Star:
    """The first double and the four arms that start at it, each from the inside out."""

    def __init__(self) -> None:
        self.tiles: list[Tile] = []
        self.arms: dict[str, list[Tile]] = {"w": [], "e": [], "n": [], "s": []}

    def ends(self) -> dict[str, int]:
        return {end: arm[-1][1] if arm else self.tiles[0][0] for end, arm in self.arms.items()} if self.tiles else {}

    def fits(self, t: Tile) -> list[str]:
        return [end for end, value in self.ends().items() if value in t]

    def lay(self, t: Tile, end: str | None) -> None:
        if self.tiles:
            end = end or self.fits(t)[0]
            self.arms[end].append(t if t[0] == self.ends()[end] else (t[1], t[0]))
        self.tiles.append(t)

    def count(self) -> int:
        """The total."""
        total = sum(self.tiles[0][0] for end in "ns" if not self.arms[end])
        for arm in self.arms.values():
            if arm:
                total += 2 * arm[-1][1] if arm[-1][0] == arm[-1][1] else arm[-1][1]
        return total


@dataclass(frozen=True)
class Dominards(Rules):
    dealt: int = 6

    def line(self) -> Any:
        return Star()


# --- cards and dice ----------------------------------------------------------------------------------------
def values(card: str) -> tuple[int, ...]:
    return {"A": (1, 14), "T": (10,), "J": (11,), "Q": (12,), "K": (13,)}.get(card[0]) or (int(card[0]),)


class Cards:
    """The five cards of each seat for a whole game; None if not known."""

    def __init__(self, seats: int, cards: Sequence[Collection[str] | None] | None = None) -> None:
        self.known = [None if held is None else set(held) for held in cards or [None] * seats]
        self.dropped: list[list[str]] = [[] for _ in range(seats)]

    def held(self, seat: int) -> int:
        return 5 - len(self.dropped[seat])

    def can_drop(self, seat: int, card: str) -> bool:
        own = self.known[seat]
        if any(card in dropped for dropped in self.dropped):
            return False
        if own is not None:
            return card in own
        return not any(card in held for held in self.known if held is not None)

    def over(self) -> bool:
        return any(self.held(seat) == 0 for seat in range(len(self.known)))


def dropped_by(claim: dict[str, str]) -> str | None:
    return claim.get("card") or claim.get("drop")


def faults_of_claim(claim: dict[str, str], seat: int, total: int, dice: Sequence[int], cards: Cards) -> set[str]:
    """The errors of a claim: one code, or both."""
    card = dropped_by(claim)
    good = {
        "card": card is not None and total in values(card),
        "multiple": len(dice) == 2 and total % (sum(dice) or 1) == 0,
        "virtual": len(dice) == 4 and total == sum(dice),
    }[claim["by"]]
    wrong = set() if good else {"bad-claim"}
    return wrong | {"card-not-held"} if card and not cards.can_drop(seat, card) else wrong


class Round:
    """What a round has besides its tiles: whose roll it is, what is in force, what claims and the end give.

    A base for the open table and for the onlooker; both count turns and points in the same words.
    """

    def __init__(self, cards: Cards, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = cards
        self.dice: list[int] = []
        self.turns = 0
        """The number of turns played in this round."""
        self.rolled = False
        """Whether the dice were rolled in this turn."""

    rules: Rules
    row: Any
    turn: int
    end: str | None
    points: list[int]

    def tiles_in_hand(self, seat: int) -> int:
        raise NotImplementedError

    def roll_due(self) -> bool:
        return self.turns % (self.rules.seats + 1) == 0 and not self.rolled

    def faults_of_roll(self, move: Move) -> set[str]:
        if move["seat"] != self.turn:
            return {"not-your-roll"}
        if not self.roll_due():
            return {"not-your-roll", "bad-roll"}
        return set() if len(move["dice"]) in (2, 4) else {"bad-roll"}

    def total_after(self, move: Move) -> int:
        """The total after this play."""
        row = copy.deepcopy(self.row)
        row.lay(tile(move["tile"]), move.get("end"))
        return row.count()

    def claim_faults(self, move: Move) -> set[str]:
        """The errors in the claim of a play that is correct otherwise."""
        if "claim" not in move:
            return set()
        return faults_of_claim(move["claim"], move["seat"], self.total_after(move), self.dice, self.cards)

    def make(self, move: Move, *drawn: Any) -> None:
        if move["type"] == "roll":
            self.dice, self.rolled = list(move["dice"]), True
            return
        super().make(move, *drawn)  # type: ignore[misc]
        if move["type"] != "draw":
            self.turns, self.rolled = self.turns + 1, False

    def score(self, move: Move) -> None:
        seat, claim = move["seat"], move.get("claim")
        others = [other for other in range(self.rules.seats) if other != seat]
        if claim:
            self.points[seat] += self.row.count()
        if self.end == "out":
            self.points[seat] += sum(self.tiles_in_hand(other) for other in others)
        card = dropped_by(claim) if claim else None
        if card:
            self.cards.dropped[seat].append(card)
            if self.cards.over():
                self.points[seat] += 2 * sum(self.cards.held(other) for other in others)
                self.end = self.end or "no cards"


class OpenRound(Round, Table):
    """A round with all tiles and cards face up."""

    def tiles_in_hand(self, seat: int) -> int:
        return len(self.hands[seat])

    def fault(self, move: Move, drawn: Sequence[Tile] = ()) -> str | None:
        if self.end:
            return "hand-over"
        if move["type"] == "roll":
            return min(self.faults_of_roll(move), default=None)
        if move["seat"] == self.turn and self.roll_due():
            return "roll-needed"
        return super().fault(move, drawn) or (
            min(self.claim_faults(move), default=None) if move["type"] == "play" else None
        )

    def claims(self, move: Move) -> list[dict[str, str]]:
        """Every possible claim with this play."""
        held = sorted(card for card in self.cards.known[self.turn] or () if self.cards.can_drop(self.turn, card))
        every = [{"by": "card", "card": card} for card in held] + [{"by": "virtual", "drop": card} for card in held]
        every.append({"by": "multiple"})
        total = self.total_after(move)
        return [c for c in every if not faults_of_claim(c, self.turn, total, self.dice, self.cards)]


class WatchedRound(Round, Onlooker):
    """A round as known from its record."""

    def tiles_in_hand(self, seat: int) -> int:
        return self.held[seat]

    def faults(self, move: Move) -> set[str]:
        if self.end:
            return {"hand-over"}
        if move["type"] == "roll":
            return self.faults_of_roll(move)
        if move["seat"] == self.turn and self.roll_due():
            return {"roll-needed"}
        faults = super().faults(move)
        if move["type"] == "play" and faults <= {"must-play"}:
            faults = faults | self.claim_faults(move)
        return faults

    def make(self, move: Move, *drawn: Any) -> None:
        if move["type"] == "roll":
            self.moves.append(move)
            self.ends.append(list(self.row.ends().values()))
        super().make(move, *drawn)


# --- a verdict on a game -----------------------------------------------------------------------------------
def judge_match(record: dict[str, Any]) -> Judged:
    """The judgement of a record of Dominards without result and final states."""
    seats = len(record["players"])
    limit = record.get("options", {}).get("hands")
    cards = Cards(seats, record.get("cards"))
    judged = Judged()
    waiting = False
    for number, hand in enumerate(record["hands"]):
        if waiting:
            judged.hands.pop()
            return judged.refused(number - 1, [opinion("hand-unfinished")])
        if cards.over() or (limit and number >= limit):
            return judged.refused(number, [opinion("match-over")])
        looker, errors = judge_round(hand, seats, cards, draws.noted_in(record, number))
        if errors:
            return judged.refused(number, errors)
        judged.hands.append(looker.points)
        waiting = looker.end is None
    return judged.ended(seats) if not waiting and (cards.over() or len(judged.hands) == limit) else judged


def judge_round(hand: Hand, seats: int, cards: Cards, noted: Collection[int]) -> tuple[WatchedRound, list[Opinion]]:
    looker = WatchedRound(cards, Dominards(seats), hand, noted)
    errors = draws.judge(looker, hand)
    if not errors and "left" in hand:
        errors = draws.judge_left(looker, hand["left"]) if looker.end else [opinion("hand-unfinished")]
    return looker, errors


# --- random games ------------------------------------------------------------------------------------------
def deal_cards(rng: random.Random, seats: int) -> list[list[str]]:
    cards = rng.sample(PACK, 5 * seats)
    return [sorted(cards[5 * seat : 5 * seat + 5]) for seat in range(seats)]


def play_out(rng: random.Random, table: OpenRound, eager: float = 0.8) -> list[Move]:
    """Random legal moves to the end of the round. Possible claims are made with this probability."""
    moves: list[Move] = []
    while table.end is None:
        drawn: list[Tile] = []
        if table.roll_due():
            move: Move = {
                "seat": table.turn,
                "type": "roll",
                "dice": [rng.randint(1, 6) for _ in range(rng.choice((2, 4)))],
            }
        else:
            move = rng.choice(table.legal())
        if move["type"] == "draw":
            drawn = [rng.choice(sorted(table.boneyard))]
            move["tiles"] = [text(drawn[0])]
        claims = table.claims(move) if move["type"] == "play" else []
        if claims and rng.random() < eager:
            move["claim"] = rng.choice(claims)
        fault = table.fault(move, drawn)
        assert fault is None, (fault, move)
        table.make(move, drawn)
        if drawn and moves and moves[-1]["type"] == "draw" and rng.random() < 0.5:
            move = {**move, "count": moves[-1]["count"] + 1, "tiles": [*moves.pop()["tiles"], *move["tiles"]]}
        moves.append(move)
    return moves


def random_round(rng: random.Random, seats: int, cards: Cards, eager: float = 0.8) -> tuple[Hand, OpenRound]:
    """A random round as a record with everything known, and the table after it."""
    rules = Dominards(seats)
    deal = draws.random_deal(rng, rules)
    leader = draws.heaviest_holder(deal)
    table = OpenRound(cards, rules, deal, leader)
    return {"leader": leader, "deal": draws.written(deal), "moves": play_out(rng, table, eager)}, table


def random_match(
    rng: random.Random, seats: int, hands: int | None = None
) -> tuple[list[list[str]], list[tuple[Hand, OpenRound]], Judged]:
    """The cards, random rounds up to the end of a game (or so many), each with its table, and how the game went."""
    dealt = deal_cards(rng, seats)
    cards = Cards(seats, dealt)
    rounds: list[tuple[Hand, OpenRound]] = []
    while not cards.over() and len(rounds) != hands:
        rounds.append(random_round(rng, seats, cards))
    judged = Judged(hands=[table.points for _, table in rounds])
    return dealt, rounds, judged.ended(seats)


def guess(rng: random.Random, watched: WatchedRound) -> Move | None:
    """A random next entry in which no onlooker can see an error; None if none was found."""
    if watched.roll_due():
        return {"seat": watched.turn, "type": "roll", "dice": [rng.randint(1, 6) for _ in range(rng.choice((2, 4)))]}
    return draws.guess(rng, watched)


def damaged(rng: random.Random, hand: Hand, seats: int) -> Hand:
    """The hand with one random change of its tiles, rolls or claims. It can still be valid."""
    moves = [dict(move) for move in hand["moves"]]
    rolls = [at for at, move in enumerate(moves) if move["type"] == "roll"]
    plays = [at for at, move in enumerate(moves) if move["type"] == "play"]
    claims = [at for at in plays if "claim" in moves[at]]
    kind = rng.choice(("tiles", "tiles", "tiles", "roll", "claim"))
    if kind == "roll" and rolls:
        at = rng.choice(rolls)
        change = rng.choice(("dice", "number", "seat", "drop", "move"))
        if change == "dice":
            moves[at]["dice"] = [rng.randint(1, 6) for _ in moves[at]["dice"]]
        elif change == "number":
            moves[at]["dice"] = [rng.randint(1, 6) for _ in range(rng.randint(1, 5))]
        elif change == "seat":
            moves[at]["seat"] = rng.randrange(seats)
        else:
            roll = moves.pop(at)
            if change == "move":
                moves.insert(rng.randrange(len(moves) + 1), roll)
        return {**hand, "moves": moves}
    if kind == "claim" and plays:
        at = rng.choice(claims or plays)
        card = rng.choice(PACK)
        moves[at]["claim"] = rng.choice(
            ({"by": "card", "card": card}, {"by": "multiple"}, {"by": "virtual", "drop": card})
        )
        if claims and rng.random() < 0.3:
            del moves[at]["claim"]
        return {**hand, "moves": moves}
    return draws.damaged(rng, hand, seats)
