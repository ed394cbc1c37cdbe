"""Domizerka: three players, seven tricks a deal, twelve deals; each player calls each of four contracts once.

Source: "Domizerka", the sections on the deal, the contracts, the discard, the play and the scoring.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from games import read
from games.base import HANDS, End, FinalForm, Game, Opening, Outcome, Score, Term, points_of
from games.contracts import (
    CONTRACT_RULES,
    CONTRACTS,
    DEALS,
    SEATS,
    ContractRules,
    around,
    extreme_totals,
    rules_of,
    trumps,
    used,
)
from games.errors import Code, Contradiction, Illegal, marked
from games.holdings import Holdings
from games.moves import Contract, Discard, Follow, Move, read_contract, read_discard, read_follow
from games.tiles import ALL, NAMES, mask, members, names
from games.totals import check_between, check_sum_is_zero

DEALT = 7
FIRST = 3
"""The number of tiles that each player has seen when the contract is called."""


def dealt_first(hand: int) -> int:
    """Those tiles of a hand (masks) that came before the contract. A record does not say which; so the hand itself
    decides, and says the same whenever it is asked. Any three are as likely as any other."""
    return mask(Random(hand).sample([*members(hand)], FIRST))


# --- a deal ------------------------------------------------------------------------------------------------
class Failure(NamedTuple):
    """A seat that did not follow suit: since this move it has none of the tiles in the mask ``suit``."""

    move: int
    seat: int
    suit: int


class Trick(NamedTuple):
    """The tiles of a trick, the suit led, and the seat that won it."""

    led: int
    plays: tuple[Follow, ...]
    winner: int


class DomizerkaState(NamedTuple):
    """A deal at one moment. Immutable: ``play`` returns the next state."""

    opening: Opening
    holdings: Holdings
    player: int
    """The seat that calls, or plays next."""
    moves: tuple[Move, ...] = ()
    rules: ContractRules | None = None
    waiting: tuple[int, ...] = ()
    """The seats that may still exchange tiles, in order."""
    boneyard: int = DEALT
    """The number of tiles that can still be drawn."""
    trick: tuple[Follow, ...] = ()
    """The tiles of the trick on the table."""
    led: int = 0
    """The suit led in that trick."""
    tricks: tuple[int, ...] = (0,) * SEATS
    """The number of tricks that each seat has won."""
    taken: Trick | None = None
    """The last complete trick."""
    failures: tuple[Failure, ...] = ()
    end: End | None = None
    line: None = None
    scores: tuple[Score, ...] = ()
    """Empty until the end: a missing quota costs nothing while tricks can still be won."""

    @property
    def turn(self) -> int | None:
        """The seat that is next. During the exchange that is the next seat that may exchange, although a seat can be
        skipped."""
        if self.end is not None:
            return None
        return self.waiting[0] if self.waiting and self.boneyard else self.player

    # --- one move ------------------------------------------------------------------------------------------
    def play(self, move: Move) -> "DomizerkaState":
        """The state after this move. Illegal if the rules forbid it, Contradiction if known facts exclude it."""
        if self.end is not None:
            raise self._illegal(Code.HAND_OVER, marked("This hand is over."))
        if isinstance(move, Discard):
            return self._exchange(move)
        if move.seat != self.player:
            raise self._illegal(
                Code.NOT_YOUR_TURN,
                marked("It is {turn}'s turn, not {player}'s."),
                turn=self._name(self.player),
                player=self._name(move.seat),
            )
        if isinstance(move, Contract):
            return self._call(move)
        assert isinstance(move, Follow), move
        return self._follow(move)

    def _call(self, move: Contract) -> "DomizerkaState":
        if self.rules is not None:
            raise self._illegal(
                Code.BAD_CONTRACT, marked("{contract} has already been called."), contract=self.rules.contract
            )
        rules = rules_of(self.opening, move.contract, move.trump, len(self.moves))
        return self._replace(moves=(*self.moves, move), rules=rules, waiting=around(self.opening.opener))

    def _exchange(self, move: Discard) -> "DomizerkaState":
        if move.seat not in self.waiting:
            raise self._illegal(
                Code.BAD_DISCARD,
                marked(
                    "Exchange tiles after the contract and before the first play: once each, first the player left of "
                    "the dealer, the dealer last."
                ),
            )
        if move.number > self.boneyard:
            raise self._illegal(Code.BAD_DISCARD, marked("The boneyard has only {count} tiles."), count=self.boneyard)
        self._check_seen(move)
        return self._replace(
            holdings=_exchanged(self.holdings, move),
            moves=(*self.moves, move),
            waiting=self.waiting[self.waiting.index(move.seat) + 1 :],
            boneyard=self.boneyard - move.number,
        )

    def _check_seen(self, move: Discard) -> None:
        """Illegal if a tile that was seen cannot come from this hand, or from the boneyard."""
        holdings, discarded = self.holdings, move.tiles or ()
        for tile in discarded:
            if not holdings.may_have(move.seat) >> tile & 1:
                raise self._not_held(move.seat, tile)
        drawable = holdings.may[holdings.yard] & ~mask(discarded)
        for tile in move.drawn or ():
            if not drawable >> tile & 1:
                raise self._illegal(Code.TILE_NOT_HELD, marked("{tile} is not in the boneyard."), tile=NAMES[tile])

    def _follow(self, move: Follow) -> "DomizerkaState":
        seat, tile, holdings = move.seat, move.tile, self.holdings
        known = holdings.known[seat] >> tile & 1
        if not known:
            self._check_held(seat, tile)
        if self.rules is None:
            raise self._illegal(
                Code.BAD_CONTRACT, marked("{player} must call a contract first."), player=self._name(seat)
            )
        led = self._suit(self.rules, move)
        holdings = holdings.lay(seat, tile) if known else self._laid(seat, tile)
        failures, suit = self.failures, self.rules.suits[led]
        if not suit >> tile & 1 and self.opening.proves(len(self.moves)):
            holdings = self._lacking(holdings, seat, tile, suit)
            failures = (*failures, Failure(len(self.moves), seat, suit))
        after = self._replace(
            holdings=holdings,
            player=(seat + 1) % SEATS,
            moves=(*self.moves, move),
            waiting=(),
            trick=(*self.trick, move),
            led=led,
            failures=failures,
        )
        return after._taken(self.rules) if len(after.trick) == SEATS else after

    def _taken(self, rules: ContractRules) -> "DomizerkaState":
        """The state after the trick on the table is won."""
        winner = max(self.trick, key=lambda each: rules.strength(each.tile, self.led)).seat
        tricks = tuple(won + (seat == winner) for seat, won in enumerate(self.tricks))
        end = End("played", self.trick[-1].seat) if sum(tricks) == DEALT else None
        taken = Trick(self.led, self.trick, winner)
        return self._replace(player=winner, trick=(), tricks=tricks, taken=taken, end=end)

    def _check_held(self, seat: int, tile: int) -> None:
        """Illegal if the tile was played already, or is known to be elsewhere."""
        if not self.holdings.unlaid >> tile & 1:
            laid = next(at for at, each in enumerate(self.moves) if isinstance(each, Follow) and each.tile == tile)
            raise self.opening.error(
                Illegal,
                Code.TILE_ALREADY_LAID,
                marked("{tile} is already on the table."),
                len(self.moves),
                laid,
                tile=NAMES[tile],
            )
        if not (self.holdings.may_have(seat) >> tile & 1 or self._facts().may_have(seat) >> tile & 1):
            raise self._not_held(seat, tile)

    def _followed(self, at: int) -> Follow:
        """The play that is this move."""
        move = self.moves[at]
        assert isinstance(move, Follow)
        return move

    def _suit(self, rules: ContractRules, move: Follow) -> int:
        """The suit led in this trick. Illegal if the leader names no suit of two, or if anybody else names one."""
        suits = (self.led,) if self.trick else rules.suits_of[move.tile]
        if move.suit is None and len(suits) > 1:
            raise self._illegal(
                Code.SUIT_NEEDED, marked("{tile} has two suits. Say which one is led."), tile=NAMES[move.tile]
            )
        if move.suit is not None and (self.trick or move.suit not in suits):
            raise self._illegal(
                Code.BAD_SUIT,
                marked("Only the leader of a trick names the suit.")
                if self.trick
                else marked("{tile} is not of the suit {suit}."),
                tile=NAMES[move.tile],
                suit=move.suit,
            )
        return suits[0] if move.suit is None else move.suit

    def _laid(self, seat: int, tile: int) -> Holdings:
        """Where the tiles may be after this play. Contradiction if an earlier failure to follow suit excludes it."""
        if not self.holdings.may_have(seat) >> tile & 1:
            denied = next(each for each in self.failures if each.seat == seat and each.suit >> tile & 1)
            raise self.opening.error(
                Contradiction,
                Code.REVOKE,
                marked("{player} did not follow suit with {first} in trick {trick}, and played {tile} later."),
                denied.move,
                len(self.moves),
                player=self._name(seat),
                first=NAMES[self._followed(denied.move).tile],
                trick=1 + sum(isinstance(move, Follow) for move in self.moves[: denied.move]) // SEATS,
                tile=NAMES[tile],
            )
        holdings = self.holdings.lay(seat, tile)
        if not holdings.possible():
            raise self._impossible()
        return holdings

    def _lacking(self, holdings: Holdings, seat: int, tile: int, suit: int) -> Holdings:
        """Where the tiles may be when this seat has no tile of the suit led. Illegal (``revoke``) if it has one by the
        deal, the exchange and the plays alone; Contradiction if it has one only because others did not follow suit."""
        lacking = _without(holdings, seat, suit)
        if lacking is not None:
            return lacking
        if _without(self._facts().lay(seat, tile), seat, suit) is None:
            raise self._illegal(
                Code.REVOKE, marked("{player} can follow suit and must do so."), player=self._name(seat)
            )
        raise self._impossible()

    def _facts(self) -> Holdings:
        """Where the tiles may be by the deal, the exchange and the plays alone."""
        holdings = Holdings.of(SEATS, DEALT, self.opening.deal)
        for move in self.moves:
            if isinstance(move, Discard):
                holdings = _exchanged(holdings, move)
            elif isinstance(move, Follow):
                holdings = holdings.lay(move.seat, move.tile)
        return holdings

    # --- what may come next --------------------------------------------------------------------------------
    def legal(self) -> list[Move]:
        """Every possible next move. A discard is a number of hidden tiles; a lead names its suit only if it has two."""
        if self.end is not None:
            return []
        if self.rules is None:
            return [
                Contract(self.player, contract, trump)
                for contract, trump in CONTRACT_RULES
                if contract in self._contracts()
            ]
        exchanges: list[Move] = [Discard(seat, number) for seat in self.waiting for number in range(self.boneyard + 1)]
        return exchanges + [
            Follow(self.player, tile, suit)
            for tile in members(self.playable())
            for suit in self._choices(self.rules, tile) or (None,)
        ]

    def playable(self) -> int:
        """The mask of tiles that the player may play now: tiles of the suit led, and others if the player may have none
        of that suit."""
        assert self.rules is not None
        suit = self.rules.suits[self.led] if self.trick else ALL
        lacking = _without(self.holdings, self.player, suit)
        return self.holdings.can_have(self.player, suit) | (
            lacking.can_have(self.player, ALL & ~suit) if lacking else 0
        )

    def _choices(self, rules: ContractRules, tile: int) -> tuple[int, ...]:
        """The suits from which a player who leads this tile must choose; empty if there is no choice."""
        suits = () if self.trick else rules.suits_of[tile]
        return suits if len(suits) > 1 else ()

    def _contracts(self) -> list[str]:
        """The contracts the caller has not called yet."""
        taken = used(self.opening)[self.player]
        return [contract for at, contract in enumerate(CONTRACTS) if not taken >> at & 1]

    def offers(self) -> dict[str, Any]:
        """The possible contracts, exchanges and plays.

        ``plays``: for each tile, the suits from which its leader must choose. ``suits``: for every tile not played
        yet, the suits to which it belongs.
        """
        rules = self.rules
        if self.end is not None:
            return {"next": "over"} | self._public()
        return self._public() | {
            "next": "move",
            "stage": "contract" if rules is None else "exchange" if self.turn in self.waiting else "play",
            "seat": self.turn,
            "contracts": {contract: trumps(contract) for contract in self._contracts()} if rules is None else {},
            "exchange": {"seats": list(self.waiting), "most": self.boneyard},
            "player": self.player,
            "plays": {NAMES[tile]: list(self._choices(rules, tile)) for tile in reversed([*members(self.playable())])}
            if rules
            else {},
            "unseen": names(self.holdings.unlaid),
            "suits": {NAMES[tile]: list(rules.suits_of[tile]) for tile in members(self.holdings.unlaid)}
            if rules
            else {},
        }

    def _public(self) -> dict[str, Any]:
        """What everybody sees: the contract, the trick on the table, and the one before it. ``special`` as in
        ``ContractRules``."""
        rules, order, taken = self.rules, around(self.opening.opener), self.taken
        return {
            "contract": rules.contract if rules else None,
            "trump": rules.trump if rules else None,
            "special": rules.special if rules else None,
            "order": list(order),
            "quotas": [rules.quotas[order.index(seat)] for seat in range(SEATS)] if rules else None,
            "led": self.led if self.trick else None,
            "table": _on_table(self.trick),
            "taken": {"led": taken.led, "table": _on_table(taken.plays), "winner": taken.winner} if taken else None,
            "tricks": list(self.tricks),
        }

    # --- what is known -------------------------------------------------------------------------------------
    def held(self) -> list[int]:
        """How many tiles each seat holds."""
        return self.holdings.held[:-1]

    def whereabouts(self) -> tuple[int, ...]:
        """For each seat, then for the tiles out of play: the mask of tiles not played yet that it may have."""
        return self.holdings.whereabouts()

    def deals(self) -> int:
        """The number of deals that fit every entry."""
        return self.holdings.deals()

    # --- inner ---------------------------------------------------------------------------------------------
    def _not_held(self, seat: int, tile: int) -> Illegal:
        return self._illegal(
            Code.TILE_NOT_HELD,
            marked("{player} does not hold {tile}."),
            player=self._name(seat),
            tile=NAMES[tile],
        )

    def _impossible(self) -> Illegal:
        return self.opening.error(
            Contradiction,
            Code.NO_POSSIBLE_DEAL,
            marked("No deal of the tiles fits everything entered so far."),
            len(self.moves),
        )

    def _illegal(self, code: Code, template: str, **facts: Any) -> Illegal:
        return self.opening.error(Illegal, code, template, len(self.moves), **facts)

    def _name(self, seat: int) -> str:
        return self.opening.players[seat]


def _on_table(plays: Sequence[Follow]) -> list[dict[str, Any]]:
    return [{"seat": each.seat, "tile": NAMES[each.tile]} for each in plays]


def _exchanged(holdings: Holdings, move: Discard) -> Holdings:
    return holdings.exchange(
        move.seat,
        move.number,
        None if move.tiles is None else mask(move.tiles),
        None if move.drawn is None else mask(move.drawn),
    )


def _without(holdings: Holdings, seat: int, suit: int) -> Holdings | None:
    """The holdings if this hand has none of these tiles; None if that is impossible."""
    if holdings.known[seat] & suit:
        return None
    lacking = holdings.without(seat, suit)
    return lacking if lacking is holdings or lacking.possible() else None


# --- the game ----------------------------------------------------------------------------------------------
class Domizerka(Game[DomizerkaState]):
    slug = "domizerka"
    name = marked("Domizerka")
    seats = (SEATS,)
    options = (HANDS,)
    opener_word = "dealer"
    moves = {"contract": read_contract, "discard": read_discard, "play": read_follow}
    dealt = DEALT
    board = "tricks"
    ending_key = "tricks"
    scored_by_moves = True

    def final(self, options: Mapping[str, Any]) -> FinalForm:
        return FinalForm(tricks=DEALT, contracts=tuple(CONTRACT_RULES))

    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """Any seat can deal first; after that the deal passes clockwise."""
        return tuple(range(SEATS)) if opening.previous is None else ((opening.previous.opener + 1) % SEATS,)

    def begin(self, opening: Opening) -> DomizerkaState:
        return DomizerkaState(opening, Holdings.of(SEATS, DEALT, opening.deal), around(opening.opener)[0])

    def count(self, state: DomizerkaState, ending: tuple[int, ...] | None) -> Outcome | None:
        assert state.end is not None
        assert state.rules is not None
        if ending is not None and ending != state.tricks:
            raise _other_tricks(state)
        return _outcome(state.opening, state.end, state.rules, state.tricks)

    def count_final(self, state: DomizerkaState, final: Mapping[str, Any]) -> Outcome:
        opening, tricks = state.opening, final["tricks"]
        rules = rules_of(opening, final["contract"], final.get("trump"), None)
        if state.rules not in (None, rules):
            assert state.rules is not None
            raise opening.error(
                Illegal,
                Code.BAD_TRUMP if rules.contract == state.rules.contract else Code.BAD_CONTRACT,
                marked("In the moves, {player} called something else."),
                None,
                player=opening.players[around(opening.opener)[0]],
            )
        if sum(tricks) != DEALT:
            raise opening.error(
                Illegal,
                Code.TRICKS_MISMATCH,
                marked("There are seven tricks in a hand, not {tricks}."),
                None,
                tricks=sum(tricks),
            )
        if any(entered < won for entered, won in zip(tricks, state.tricks, strict=True)):
            raise _other_tricks(state)
        return _outcome(opening, End("played", None), rules, tricks)

    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        final = read.keyed(value, required=("contract", "tricks"), optional=("trump",))
        return {
            "contract": read.text(final["contract"]),
            **({"trump": read.number(final["trump"])} if "trump" in final else {}),
            "tricks": read.whole_numbers(final["tricks"], SEATS),
        }

    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        return hands >= DEALS

    def check_totals(self, options: Mapping[str, Any], totals: Sequence[int]) -> None:
        check_between(totals, *extreme_totals())
        check_sum_is_zero(totals)


def _outcome(opening: Opening, end: End, rules: ContractRules, tricks: Sequence[int]) -> Outcome:
    """Each seat scores its tricks against its quota."""
    scores = []
    order = around(opening.opener)
    for seat, quota in sorted(zip(order, rules.quotas, strict=True)):
        terms = (Term(seat, "tricks", rules.trick * tricks[seat]), Term(seat, "quota", -rules.trick * quota))
        # The positive term comes first: 3 tricks - quota 4; in domizerka, quota 4 - 3 tricks.
        scores.append(Score((seat,), sum(t.value for t in terms), "tricks", terms[:: rules.trick]))
    bit = 1 << CONTRACTS.index(rules.contract)
    carried = tuple(taken | bit * (seat == order[0]) for seat, taken in enumerate(used(opening)))
    called = Contract(order[0], rules.contract, rules.trump)
    return Outcome(end, points_of(SEATS, scores), tuple(scores), carried, called)


def _other_tricks(state: DomizerkaState) -> Illegal:
    return state.opening.error(
        Illegal,
        Code.TRICKS_MISMATCH,
        marked("In the moves, the tricks are {tricks}."),
        None,
        tricks=", ".join(map(str, state.tricks)),
    )
