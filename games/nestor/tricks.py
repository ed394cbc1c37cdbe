"""Nestor's thoughts in Domizerka.

He imagines deals that fit all that the seat on turn knows, plays each of his moves in them, and lets everybody go on by
simple rules with open hands. A move is worth what it brings on average.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from random import Random
from typing import Any, NamedTuple

from games.base import Game
from games.contracts import CONTRACT_RULES, SEATS, ContractRules, around
from games.domizerka import DEALT, DomizerkaState, dealt_first
from games.moves import Contract, Discard, Follow, Move
from games.nestor.laying import Thought
from games.nestor.redeals import Redeals, merged
from games.nestor.trials import ALONE, Trials
from games.tiles import ALL, COUNT, HALVES, mask, members

OTHERS = SEATS - 1
POOR = 5
"""Where tricks are wanted, tiles weaker than this are poor; where not, the others are."""


# --- the suits of a contract -------------------------------------------------------------------------------
class Table:
    """What a contract says about tiles, as tables."""

    def __init__(self, rules: ContractRules) -> None:
        self.rules = rules
        self.suits = rules.suits
        self.trumps = 0 if rules.trump is None else rules.suits[rules.trump]
        self.wants = rules.trick > 0
        """Whether tricks are wanted."""
        strength = [[rules.strength(tile, led) for tile in range(COUNT)] for led in HALVES]
        self.over = [
            [mask(t for t in range(COUNT) if strength[led][t] > max(strength[led][tile], 0)) for tile in range(COUNT)]
            for led in HALVES
        ]
        """By the suit led and the best tile so far: the tiles that take the trick from it."""
        self.power = [max(strength[led][tile] for led in rules.suits_of[tile]) for tile in range(COUNT)]
        """How strong a tile is in its best suit."""
        self.weakest = tuple(sorted(range(COUNT), key=lambda tile: (self.power[tile], tile)))
        """All tiles, the weakest first."""
        self.leads: list[tuple[tuple[int, int], ...]] = [
            tuple((tile, led) for led in rules.suits_of[tile]) for tile in range(COUNT)
        ]
        """The ways to lead a tile: with each of its suits."""

    def poor(self, hand: int, most: int) -> int:
        """The tiles of a hand, at most so many, that a simple rule puts out of play."""
        if self.wants:
            tiles = [tile for tile in self.weakest if hand >> tile & 1 and self.power[tile] < POOR]
        else:
            tiles = [tile for tile in reversed(self.weakest) if hand >> tile & 1 and self.power[tile] >= POOR]
        return mask(tiles[:most])


@cache
def table(contract: str, trump: int | None) -> Table:
    return Table(CONTRACT_RULES[contract, trump])


# --- a deal with open hands --------------------------------------------------------------------------------
class Open:
    """The play of a deal with open hands, which changes with every tile."""

    __slots__ = ("best", "hands", "led", "lies", "player", "table", "taker", "tricks")

    def __init__(
        self,
        table: Table,
        hands: list[int],
        player: int,
        tricks: Sequence[int] = (0,) * SEATS,
        trick: Sequence[Follow] = (),
        led: int = 0,
    ) -> None:
        self.table = table
        self.hands = hands
        self.player = player
        self.tricks = [*tricks]
        self.lies = 0
        """The number of tiles of the trick on the table."""
        self.led = self.best = self.taker = 0
        """The suit led, the best tile of the trick, and who played it."""
        for each in trick:
            self._lie(each.seat, each.tile, led)

    def play(self, tile: int, led: int) -> None:
        """The player plays this tile to the suit led."""
        seat = self.player
        self.hands[seat] ^= 1 << tile
        self._lie(seat, tile, led)
        if self.lies == SEATS:
            self.tricks[self.taker] += 1
            self.player, self.lies = self.taker, 0
        else:
            self.player = (seat + 1) % SEATS

    def _lie(self, seat: int, tile: int, led: int) -> None:
        if not self.lies:
            self.led, self.best, self.taker = led, tile, seat
        elif self.table.over[led][self.best] >> tile & 1:
            self.best, self.taker = tile, seat
        self.lies += 1

    # --- simple rules --------------------------------------------------------------------------------------
    def rule(self) -> tuple[int, int]:
        """The tile that a simple rule plays, with the suit led."""
        if self.table.wants:
            return self._following() if self.lies else self._leading()
        return self._ducking() if self.lies else self._leading_low()

    def _takes(self, seat: int, led: int, best: int) -> bool:
        """Whether this seat can take the trick from the best tile."""
        hand, table = self.hands[seat], self.table
        return bool((hand & table.suits[led] or hand) & table.over[led][best])

    def _leading(self) -> tuple[int, int]:
        """A tile that nobody can take, the weakest such; else the weakest tile."""
        seat, table = self.player, self.table
        hand, left, right = self.hands[seat], (seat + 1) % SEATS, (seat + 2) % SEATS
        for tile in table.weakest:
            if hand >> tile & 1:
                for lead in table.leads[tile]:
                    if not (self._takes(left, lead[1], tile) or self._takes(right, lead[1], tile)):
                        return lead
        return table.leads[self._weakest(hand)][-1]

    def _following(self) -> tuple[int, int]:
        """The weakest tile that takes the trick for good; else the weakest tile."""
        table, led, hand = self.table, self.led, self.hands[self.player]
        may = hand & table.suits[led] or hand
        taking, last = may & table.over[led][self.best], (self.player + 1) % SEATS
        if taking:
            for tile in table.weakest:
                if taking >> tile & 1 and (self.lies == OTHERS or not self._takes(last, led, tile)):
                    return tile, led
        return self._weakest(may), led

    def _leading_low(self) -> tuple[int, int]:
        """The weakest tile that somebody must take; else the weakest."""
        seat, table = self.player, self.table
        hand, left, right = self.hands[seat], self.hands[(seat + 1) % SEATS], self.hands[(seat + 2) % SEATS]
        for tile in table.weakest:
            if hand >> tile & 1:
                for lead in table.leads[tile]:
                    suit, over = table.suits[lead[1]], table.over[lead[1]][tile]
                    for other in (left, right):
                        if other & suit and not other & suit & ~over:
                            return lead
        return table.leads[self._weakest(hand)][-1]

    def _ducking(self) -> tuple[int, int]:
        """The strongest tile that does not take the trick. Who must take it as the last one takes it with the strongest
        tile, before that with the weakest."""
        table, led, hand = self.table, self.led, self.hands[self.player]
        may = hand & table.suits[led] or hand
        below = may & ~table.over[led][self.best]
        if below:
            return self._strongest(below), led
        return (self._strongest(may) if self.lies == OTHERS else self._weakest(may)), led

    def _weakest(self, tiles: int) -> int:
        for tile in self.table.weakest:
            if tiles >> tile & 1:
                return tile
        raise AssertionError(tiles)

    def _strongest(self, tiles: int) -> int:
        for tile in reversed(self.table.weakest):
            if tiles >> tile & 1:
                return tile
        raise AssertionError(tiles)

    def finish(self) -> None:
        """Plays on by the rules to the end of the deal."""
        hands = self.hands
        while hands[self.player]:
            self.play(*self.rule())

    def line(self) -> list[Move]:
        """Plays on by the rules to the end of the deal. Returns the moves."""
        moves: list[Move] = []
        while self.hands[self.player]:
            tile, led = self.rule()
            named = led if not self.lies and len(self.table.leads[tile]) > 1 else None
            moves.append(Follow(self.player, tile, named))
            self.play(tile, led)
        return moves


# --- the deals that fit ------------------------------------------------------------------------------------
class Deal(NamedTuple):
    """The tiles of each seat, as masks, and the tiles that can be drawn, the next one last."""

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]


def _deals(state: DomizerkaState, redeals: Redeals, few: bool, rng: Random) -> Iterator[Deal]:
    """Deals that fit: each once in random order if they are ``few``, else random ones without end."""
    if few:
        for hands in rng.sample(all_ := [*state.holdings.hands()], len(all_)):
            yield Deal(hands[:SEATS], ())
        return
    known = state.holdings.known[state.holdings.yard]
    while True:
        *others, yard = redeals.draw(rng)
        drawable = [*members(yard & ~known)]
        yield Deal((*others,), tuple(rng.sample(drawable, state.boneyard)))


def _first_deals(seat: int, seen: int, rng: Random) -> Iterator[Deal]:
    """Random deals for a seat that has seen these of its tiles, without end."""
    rest, more = [*members(ALL & ~seen)], DEALT - seen.bit_count()
    while True:
        rng.shuffle(rest)
        hands = [seen | mask(rest[:more])] * SEATS
        for n in range(1, SEATS):
            hands[(seat + n) % SEATS] = mask(rest[more + (n - 1) * DEALT : more + n * DEALT])
        yield Deal(tuple(hands), tuple(rest[more + OTHERS * DEALT :]))


# --- the thinker -------------------------------------------------------------------------------------------
def at_once(state: DomizerkaState, rng: Random) -> Thought:
    """The tile that takes the trick as it lies, or leaves it if tricks are not wanted; any contract; no exchange."""
    seat = state.turn
    assert seat is not None
    worths: dict[Move, int]
    if state.rules is None:
        worths = dict.fromkeys(state.legal(), 0)
    elif state.waiting and state.boneyard:
        worths = {Discard(seat, 0, ()): 0}
    else:
        nobody = Deal((*state.holdings.known[:-1],), ())
        moves = _follows(state)
        takes = [_played(state, state.rules, move, nobody).taker == seat for move in moves]
        worths = {move: state.rules.trick * take for move, take in zip(moves, takes, strict=True)}
    return Thought.best_of([(move, Fraction(worth)) for move, worth in worths.items()], 0, rng)


def think(
    game: Game[Any],
    state: DomizerkaState,
    *,
    rng: Random,
    clock: Callable[[], float],
    ms: int,
    only: Sequence[Move] = (),
) -> Thought:
    """A move for the seat on turn, whose own tiles must be known. Looks at nothing that this seat does not know.

    Who calls a contract has seen three tiles of the seven. A contract is worth what it brings more than with other
    tiles, because each must be called once. In an exchange the move names the tiles to put out of play. ``only``: see
    ``Trials``.
    """
    assert state.turn is not None
    trials = Trials(rng, clock, ms, only)
    if state.rules is None:
        return _call(state, state.turn, trials)
    if state.waiting and state.boneyard:
        return _exchange(state, state.rules, state.turn, trials)
    return _follow(state, state.rules, state.turn, trials)


def _call(state: DomizerkaState, seat: int, trials: Trials) -> Thought:
    calls = [move for move in state.legal() if isinstance(move, Contract)]
    seen = dealt_first(state.holdings.known[seat])
    tables = [table(call.contract, call.trump) for call in calls]
    order = around(state.opening.opener)

    def brings(deals: tuple[Deal, Deal], at: int) -> int:
        mine, other = (_opened(state, tables[at], deal, dict.fromkeys(order)) for deal in deals)
        return _won(mine, seat, order) - _won(other, seat, order)

    deals = zip(_first_deals(seat, seen, trials.rng), _first_deals(seat, 0, trials.rng), strict=True)
    return trials.best(calls, deals, brings, OTHERS)


def _exchange(state: DomizerkaState, rules: ContractRules, seat: int, trials: Trials) -> Thought:
    held = [*members(state.holdings.known[seat])]
    chosen = [move.tiles or () for move in trials.only if isinstance(move, Discard)] or [
        tiles for n in range(min(len(held), state.boneyard) + 1) for tiles in combinations(held, n)
    ]
    away = [mask(tiles) for tiles in chosen]
    known, order = table(rules.contract, rules.trump), around(state.opening.opener)

    def brings(deal: Deal, at: int) -> int:
        given = {each: away[at] if each == seat else None for each in state.waiting}
        return _won(_opened(state, known, deal, given), seat, order)

    moves = [Discard(seat, len(tiles), tiles) for tiles in chosen]
    return trials.best(moves, _deals(state, Redeals(merged(state.holdings)), False, trials.rng), brings, OTHERS)


def _opened(state: DomizerkaState, known: Table, deal: Deal, given: Mapping[int, int | None]) -> Open:
    """The first trick of a deal, after these seats have put these tiles out of play; None: by the simple rule."""
    hands, boneyard = [*deal.hands], [*deal.boneyard]
    for seat, away in given.items():
        tiles = known.poor(hands[seat], len(boneyard)) if away is None else away
        hands[seat] &= ~tiles
        for _ in range(tiles.bit_count()):
            hands[seat] |= 1 << boneyard.pop()
    return Open(known, hands, state.player)


def _won(play: Open, seat: int, order: tuple[int, ...]) -> int:
    """The points of this seat if all play on by the rule, less those of the others on average, times two."""
    play.finish()
    rules = play.table.rules
    return SEATS * rules.trick * (play.tricks[seat] - rules.quotas[order.index(seat)])


def _follow(state: DomizerkaState, rules: ContractRules, seat: int, trials: Trials) -> Thought:
    moves = [move for move in trials.only if isinstance(move, Follow)] or _follows(state)
    order = around(state.opening.opener)

    def brings(deal: Deal, at: int) -> int:
        return _won(_played(state, rules, moves[at], deal), seat, order)

    redeals, last = Redeals(merged(state.holdings)), state.held()[seat] == 1
    few = last and state.holdings.whole and redeals.number <= ALONE
    deals = _deals(state, redeals, few, trials.rng)
    first = next(deals)
    thought = trials.best(moves, chain([first], deals), brings, OTHERS)
    assert isinstance(thought.move, Follow)
    line = (thought.move, *_played(state, rules, thought.move, first).line())
    return thought._replace(line=line, exact=few and thought.deals == redeals.number)


def _follows(state: DomizerkaState) -> list[Follow]:
    return [move for move in state.legal() if isinstance(move, Follow)]


def _played(state: DomizerkaState, rules: ContractRules, move: Follow, deal: Deal) -> Open:
    """The hand in a deal after this play."""
    play = Open(table(rules.contract, rules.trump), [*deal.hands], state.player, state.tricks, state.trick, state.led)
    play.play(move.tile, _led(state, rules, move))
    return play


def _led(state: DomizerkaState, rules: ContractRules, move: Follow) -> int:
    """The suit led in the trick of this play."""
    if state.trick:
        return state.led
    return rules.suits_of[move.tile][0] if move.suit is None else move.suit
