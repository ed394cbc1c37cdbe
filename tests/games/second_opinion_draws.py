"""A second opinion on hands in which tiles are drawn: slow, plain, and sharing no code with ``games``.

``Table`` follows a hand in which every tile lies open. ``Onlooker`` follows what a record tells and knows no more.
Two ways lead from there to the hidden tiles. ``worlds`` tries every deal and every draw that could lie behind a record
and plays each through. ``Onlooker.can`` asks of each tile and each place it may have come from (somebody's deal, one
draw, or the boneyard to the end) what speaks against it; then every tile must find a place. The first is so plain that
it cannot well be wrong, but works only where few tiles are hidden; the second is held against it.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, islice, product
from math import comb
from typing import Any

from tests.games.second_opinion import TILES, Row, Tile, fits_some_deal, pips, text, tile

Move = dict[str, Any]
Hand = dict[str, Any]

PRESETS: dict[str, dict[str, Any]] = {
    "draw": {"draws": True, "spinner": False, "fives": False, "threes": False},
    "block": {"draws": False, "spinner": False, "fives": False, "threes": False},
    "all-fives": {"draws": True, "spinner": True, "fives": True, "threes": False},
    "all-threes": {"draws": True, "spinner": True, "fives": False, "threes": True},
    "fives-and-threes": {"draws": True, "spinner": True, "fives": True, "threes": True},
}
DEFAULTS = {
    "points_to_win": 150,
    "rounding": False,
    "block_award": "low",
    "block_amount": "difference",
    "leader": "doublet",
    "hands": None,
}


def all_options(game: str, options: dict[str, Any]) -> dict[str, Any]:
    return {**DEFAULTS, **PRESETS[game], **options}


@dataclass(frozen=True)
class Rules:
    """The rules of one hand."""

    seats: int = 2
    dealt: int = 7
    draws: bool = True
    lead_double: bool = True
    spinner: bool = False
    multiples: tuple[int, ...] = ()
    target: int | None = None

    @property
    def boneyard(self) -> int:
        return 28 - self.seats * self.dealt

    def line(self) -> Row:
        return Row(self.spinner)


def rules_of(options: dict[str, Any], *, lead_double: bool = True) -> Rules:
    multiples = tuple(number for number, name in ((5, "fives"), (3, "threes")) if options[name])
    return Rules(2, 7, options["draws"], lead_double, options["spinner"], multiples, options["points_to_win"])


def double(t: Tile) -> bool:
    return t[0] == t[1]


def doubles(tiles: Collection[Tile]) -> set[Tile]:
    return {t for t in tiles if double(t)}


def matches(t: Tile, ends: Collection[int]) -> bool:
    return t[0] in ends or t[1] in ends


# --- every tile open ---------------------------------------------------------------------------------------
class Table:
    """A hand with all tiles face up: the errors of a move, and the state after it."""

    def __init__(
        self, rules: Rules, hands: Sequence[Collection[Tile]], leader: int, totals: Sequence[int] | None = None
    ) -> None:
        self.rules = rules
        self.hands = [set(held) for held in hands]
        self.boneyard = set(TILES).difference(*self.hands)
        self.turn = leader
        self.totals = list(totals or [0] * rules.seats)
        self.points = [0] * rules.seats
        self.row = rules.line()
        self.laid: list[Tile] = []
        self.latest: Tile | None = None
        """The tile drawn last in this turn."""
        self.passes = 0
        self.end: str | None = None
        self.last: int | None = None

    def playable(self, seat: int) -> set[Tile]:
        return {t for t in self.hands[seat] if self.row.fits(t)}

    def pool(self) -> int:
        """How many tiles may be drawn."""
        return len(self.boneyard) if self.rules.draws else 0

    def fault(self, move: Move, drawn: Sequence[Tile] = ()) -> str | None:
        """The error of a move; None if it is legal. ``drawn``: the tiles that a draw takes, in order."""
        if self.end:
            return "hand-over"
        if move["seat"] != self.turn:
            return "not-your-turn"
        if move["type"] == "play":
            return self.fault_of_play(tile(move["tile"]), move.get("end"))
        if move["type"] == "pass":
            if not self.row.tiles or self.playable(self.turn):
                return "must-play"
            return "must-draw" if self.pool() else None
        if not self.row.tiles or self.playable(self.turn) or len(drawn) > self.pool():
            return "cannot-draw"
        assert self.boneyard.issuperset(drawn), drawn
        return "cannot-draw" if any(self.row.fits(t) for t in drawn[:-1]) else None

    def fault_of_play(self, t: Tile, end: str | None) -> str | None:
        if t in self.laid:
            return "tile-already-laid"
        if t not in self.hands[self.turn]:
            return "tile-not-held"
        if not self.laid:
            if self.rules.lead_double and t != max(doubles(self.hands[self.turn]), default=None):
                return "must-lead-double"
            if self.rules.lead_double and any(d > t for held in self.hands for d in doubles(held)):
                return "wrong-leader"
            return "no-such-end" if end else None
        if end and end not in self.row.ends():
            return "no-such-end"
        fits = self.row.fits(t)
        if not end and len(fits) > 1:
            return "end-needed"
        if (end not in fits) if end else not fits:
            return "no-match"
        return "must-play" if self.latest not in (None, t) else None

    def make(self, move: Move, drawn: Sequence[Tile] = ()) -> None:
        seat = move["seat"]
        if move["type"] == "draw":
            self.hands[seat].update(drawn)
            self.boneyard.difference_update(drawn)
            self.latest = drawn[-1]
            return
        if move["type"] == "play":
            t = tile(move["tile"])
            self.hands[seat].remove(t)
            self.laid.append(t)
            self.row.lay(t, move.get("end"))
            self.passes, self.last = 0, seat
            if not self.hands[seat]:
                self.end = "out"
            self.score(move)
        else:
            self.passes += 1
            self.end = "blocked" if self.passes == self.rules.seats else None
        self.latest = None
        self.turn = (seat + 1) % self.rules.seats

    def score(self, move: Move) -> None:
        seat, count = move["seat"], self.row.count()
        if any(count % multiple == 0 for multiple in self.rules.multiples):
            self.points[seat] += count
        if self.rules.target and self.totals[seat] + self.points[seat] >= self.rules.target:
            self.end = "reached"

    def legal(self) -> list[Move]:
        """Every legal next move (a draw takes one tile); none once the hand is over."""
        if self.end:
            return []
        seat = self.turn
        held = self.hands[seat] if self.latest is None else {self.latest}
        if not self.laid:
            leads = {max(doubles(held))} if self.rules.lead_double else held
            return [{"seat": seat, "type": "play", "tile": text(t)} for t in sorted(leads)]
        plays = [
            {"seat": seat, "type": "play", "tile": text(t), "end": end}
            for t in sorted(held)
            for end in self.row.fits(t)
        ]
        if plays:
            return plays
        return [{"seat": seat, "type": "draw", "count": 1} if self.pool() else {"seat": seat, "type": "pass"}]


def simulate(
    table: Table, moves: Sequence[Move], drawn: dict[int, Sequence[Tile]] | None = None
) -> tuple[int, str] | None:
    """Plays the moves on an open table. Returns the number and the code of the first error; None if there is none.
    ``drawn``: the tiles of each draw that the move does not name."""
    for at, move in enumerate(moves):
        tiles = [tile(t) for t in move["tiles"]] if "tiles" in move else (drawn or {}).get(at, ())
        fault = table.fault(move, tiles)
        if fault:
            return at, fault
        table.make(move, tiles)
    return None


def award(end: str | None, last: int | None, left: Sequence[int], options: dict[str, Any]) -> list[int]:
    """The points that the end of a hand adds to the table points; ``left`` in pips."""
    paid, amount = None, 0
    if end == "out":
        assert last is not None
        paid, amount = last, left[1 - last]
    elif end == "blocked":
        paid = last
        if options["block_award"] == "low":
            paid = None if left[0] == left[1] else left.index(min(left))
        if paid is not None:
            amount = {"difference": abs(left[0] - left[1]), "opponent": left[1 - paid], "both": sum(left)}[
                options["block_amount"]
            ]
    if options["rounding"]:
        amount = next(near for near in (amount, amount - 1, amount + 1, amount - 2, amount + 2) if near % 5 == 0)
    return [amount if seat == paid else 0 for seat in range(2)]


# --- a record, and nothing else ----------------------------------------------------------------------------
@dataclass(frozen=True)
class Place:
    """Where tiles come from: the deal of a seat (``at`` -1), one tile of a draw (``at`` is its move), or the boneyard
    for tiles that nobody had (``seat`` None)."""

    seat: int | None
    at: int
    nth: int = 0
    last: bool = True
    """Whether it is the last tile of a draw."""
    room: int = 1
    said: frozenset[Tile] | None = None


LEAD = -1
"""Stands for the lead among the numbers of moves. The lead claims that nobody was dealt a heavier double."""


class Onlooker:
    """A hand as the record tells it. ``faults`` and ``make`` follow its moves, the rest looks back on them."""

    def __init__(
        self, rules: Rules, hand: Hand, noted: Collection[int] = (), totals: Sequence[int] | None = None
    ) -> None:
        self.rules = rules
        self.noted = noted
        self.leader = self.turn = hand["leader"]
        self.deal = [
            None if held is None else frozenset(map(tile, held)) for held in hand.get("deal") or [None] * rules.seats
        ]
        self.totals = list(totals or [0] * rules.seats)
        self.points = [0] * rules.seats
        self.row = rules.line()
        self.moves: list[Move] = []
        self.ends: list[list[int]] = []
        """The pips of the open ends before each move."""
        self.laid: dict[Tile, tuple[int, int]] = {}
        """For each tile laid, the seat and the move, in order."""
        self.drawn: list[Place] = []
        """A place for each tile drawn."""
        self.said = {t for held in self.deal for t in held or ()}
        """The tiles whose origin the record gives."""
        self.held = [rules.dealt] * rules.seats
        self.pool = rules.boneyard if rules.draws else 0
        self.passes = 0
        self.end: str | None = None
        self.last: int | None = None

    # --- where tiles come from
    def places(self) -> list[Place]:
        dealt = [Place(seat, -1, room=self.rules.dealt, said=said) for seat, said in enumerate(self.deal)]
        return [*dealt, *self.drawn, Place(None, len(self.moves), room=self.rules.boneyard - len(self.drawn))]

    def of(self, seat: int) -> list[Place]:
        return [place for place in self.places() if place.seat == seat]

    def told(self, place: Place) -> frozenset[Tile] | None:
        """The tiles of a place, if the record gives them: named, or laid after a draw in the same turn. (After a wrong
        draw that was noted, any tile can be laid.)"""
        if place.said is None and place.last and 0 <= place.at < len(self.moves) - 1 and place.at not in self.noted:
            after = self.moves[place.at + 1]
            return frozenset({tile(after["tile"])}) if after["type"] == "play" else None
        return place.said

    def against(self, t: Tile, place: Place) -> list[int]:
        """The entries that would be wrong if this tile came from there: its player must not draw or pass while it
        fits."""
        if place.seat is None:
            return []
        wrong = [LEAD] if place.at == -1 and self.heavier_than_lead(t) else []
        until = self.laid[t][1] if t in self.laid else len(self.moves)
        for at in range(place.at + 1 if place.last else place.at, until):
            move = self.moves[at]
            if move["type"] in ("draw", "pass") and move["seat"] == place.seat and at not in self.noted:
                wrong += [at] if matches(t, self.ends[at]) else []
        return wrong

    def heavier_than_lead(self, t: Tile) -> bool:
        return self.rules.lead_double and bool(self.laid) and double(t) and t > next(iter(self.laid))

    def may_come_from(self, t: Tile, place: Place) -> bool:
        """Whether a tile can come from there by the tiles in the record, ignoring passes and draws."""
        told = self.told(place)
        if told is not None:
            return t in told
        if t in self.said:
            return False
        if t not in self.laid:
            return True
        seat, at = self.laid[t]
        drawn_for_it = at > 0 and self.moves[at - 1]["type"] == "draw" and at - 1 not in self.noted
        return place.seat == seat and place.at < at and not drawn_for_it

    def choices(self, *, said_alone: bool = False) -> list[tuple[Place, set[Tile]]]:
        """For each place, the tiles that it can hold. ``said_alone``: ignores what passes, draws and the lead prove."""
        return [
            (
                place,
                {t for t in TILES if self.may_come_from(t, place) and (said_alone or not self.against(t, place))},
            )
            for place in self.places()
        ]

    def possible(self) -> bool:
        """Whether every tile finds a place."""
        return spread_out(self.choices())

    def holders(self) -> list[int | None]:
        """The holders that may have a tile that is not laid: the seats, then the boneyard."""
        return [*range(self.rules.seats), None]

    def hidden(self) -> list[Tile]:
        return [t for t in TILES if t not in self.laid]

    def whereabouts(self) -> list[set[Tile]]:
        """For each holder, the unlaid tiles that it may have now."""
        choices = self.choices()
        return [{t for t in self.hidden() if spread_out(choices, {t: holder})} for holder in self.holders()]

    def endings(self) -> Iterator[list[set[Tile]]]:
        """Every possible position of the unlaid tiles now: a set for each seat."""
        choices, hidden = self.choices(), self.hidden()

        def spread(at: int, now: dict[Tile, int | None]) -> Iterator[list[set[Tile]]]:
            if not spread_out(choices, now):
                return
            if at == len(hidden):
                yield [{t for t in now if now[t] == seat} for seat in range(self.rules.seats)]
                return
            for holder in self.holders():
                yield from spread(at + 1, {**now, hidden[at]: holder})

        yield from spread(0, {})

    # --- the rules of a move
    def surely_held(self, seat: int) -> set[Tile]:
        """The tiles that the record itself puts into this hand."""
        return {t for place in self.of(seat) for t in place.said or () if t not in self.laid}

    def said_elsewhere(self, t: Tile, seat: int) -> bool:
        return any(place.said is not None and t in place.said for place in self.places() if place.seat != seat)

    def latest(self) -> Place | None:
        """The tile drawn last, if it was drawn in this turn and must be laid."""
        drew = bool(self.moves) and self.moves[-1]["type"] == "draw" and len(self.moves) - 1 not in self.noted
        return self.drawn[-1] if drew else None

    def faults(self, move: Move) -> set[str]:
        """The errors of a move by the rules and by the tiles in the record. Has several codes if the record format does
        not say which comes first."""
        if self.end:
            return {"hand-over"}
        if move["seat"] != self.turn:
            return {"not-your-turn"}
        return {"play": self.faults_of_play, "pass": self.faults_of_pass, "draw": self.faults_of_draw}[move["type"]](
            move
        )

    def faults_of_play(self, move: Move) -> set[str]:
        seat, t, end = move["seat"], tile(move["tile"]), move.get("end")
        if t in self.laid:
            return {"tile-already-laid"}
        if self.said_elsewhere(t, seat):
            return {"tile-not-held"}
        held = self.surely_held(seat)
        if len(held) == self.held[seat] and t not in held:
            # The whole hand is known, but maybe only by inference: from tiles laid after draws, or from numbers.
            said = all(place.said is not None for place in self.of(seat))
            return {"tile-not-held"} if said else {"tile-not-held", "no-possible-deal"}
        if not self.row.tiles:
            if self.rules.lead_double and not double(t):
                return {"must-lead-double"}
            return {"no-such-end"} if end else set()
        if end and end not in self.row.ends():
            return {"no-such-end"}
        fits = self.row.fits(t)
        if not end and len(fits) > 1:
            return {"end-needed"}
        if (end not in fits) if end else not fits:
            return {"no-match"}
        latest = self.latest()
        if latest is not None and (t in held if latest.said is None else t not in latest.said):
            return {"must-play"}
        return set()

    def faults_of_pass(self, move: Move) -> set[str]:
        if not self.row.tiles:
            return {"must-play", "must-draw"} if self.pool else {"must-play"}
        return ({"must-draw"} if self.pool else set()) | ({"must-play"} if self._holds_playable(move) else set())

    def faults_of_draw(self, move: Move) -> set[str]:
        drawn = [tile(t) for t in move.get("tiles", ())]
        faults = set()
        if any(t in self.laid or t in self.said for t in drawn):
            faults = {"tile-already-laid", "tile-not-held", "cannot-draw", "no-possible-deal"}
        if not self.row.tiles or move["count"] > self.pool or self._holds_playable(move):
            faults.add("cannot-draw")
        if len(self.moves) not in self.noted and any(self.row.fits(t) for t in drawn[:-1]):
            faults.add("cannot-draw")
        return faults

    def _holds_playable(self, move: Move) -> bool:
        noted = len(self.moves) in self.noted
        return not noted and any(self.row.fits(t) for t in self.surely_held(move["seat"]))

    def make(self, move: Move) -> None:
        seat, at = move["seat"], len(self.moves)
        self.moves.append(move)
        self.ends.append(list(self.row.ends().values()))
        if move["type"] == "draw":
            number = move["count"]
            tiles = [frozenset({tile(t)}) for t in move["tiles"]] if "tiles" in move else [None] * number
            self.said |= {t for said in tiles for t in said or ()}
            self.drawn += [Place(seat, at, nth, nth == number - 1, 1, said) for nth, said in enumerate(tiles)]
            self.pool -= number
            self.held[seat] += number
            return
        if move["type"] == "play":
            self.laid[tile(move["tile"])] = (seat, at)
            self.held[seat] -= 1
            self.row.lay(tile(move["tile"]), move.get("end"))
            self.passes, self.last = 0, seat
            self.end = None if self.held[seat] else "out"
            self.score(move)
        else:
            self.passes += 1
            self.end = "blocked" if self.passes == self.rules.seats else None
        self.turn = (seat + 1) % self.rules.seats

    def score(self, move: Move) -> None:
        seat, count = move["seat"], self.row.count()
        if any(count % multiple == 0 for multiple in self.rules.multiples):
            self.points[seat] += count
        if self.rules.target and self.totals[seat] + self.points[seat] >= self.rules.target:
            self.end = "reached"

    def disproved(self, t: Tile, seat: int) -> int | None:
        """The earliest entry that is wrong wherever this tile of this seat came from; None if there is no such
        entry."""
        ways = [set(self.against(t, place)) for place in self.of(seat) if self.may_come_from(t, place)]
        return min(set.intersection(*ways), default=None) if ways else None


def spread_out(choices: Sequence[tuple[Place, set[Tile]]], now: dict[Tile, int | None] | None = None) -> bool:
    """Whether every tile finds a place. Those in ``now`` must be with this seat now (None: in the boneyard)."""
    can = [{t for t in tiles if now is None or t not in now or now[t] == place.seat} for place, tiles in choices]
    return fits_some_deal(can, [place.room for place, _ in choices])


# --- every deal and every draw -----------------------------------------------------------------------------
Deal = tuple[frozenset[Tile], ...]


def _dealt_options(looker: Onlooker) -> dict[Tile, list[int | None]]:
    """The seats to which each tile may have been dealt (None: nobody), by the plays and the tiles named in the
    record."""
    options: dict[Tile, list[int | None]] = {}
    drawn = {t for place in looker.drawn for t in place.said or ()}
    for t in TILES:
        told = [seat for seat, said in enumerate(looker.deal) if said is not None and t in said]
        others: list[int | None] = [seat for seat, said in enumerate(looker.deal) if said is None]
        if told or t in drawn:
            options[t] = [told[0]] if told else [None]
        elif t in looker.laid:
            seat, at = looker.laid[t]
            may_be_drawn = any(p.seat == seat and p.at < at and p.said is None for p in looker.drawn)
            options[t] = [s for s in others if s == seat] + ([None] if may_be_drawn else [])
        else:
            options[t] = [*others, None]
    return options


def every_deal(looker: Onlooker) -> Iterator[Deal]:
    """Every deal with which each seat could lay what it laid."""
    options = _dealt_options(looker)
    tiles = sorted(TILES, key=lambda t: len(options[t]))
    dealt: list[set[Tile]] = [set() for _ in range(looker.rules.seats)]

    def share(at: int) -> Iterator[Deal]:
        if sum(looker.rules.dealt - len(held) for held in dealt) > len(tiles) - at:
            return
        if at == len(tiles):
            yield tuple(map(frozenset, dealt))
            return
        for seat in options[tiles[at]]:
            if seat is None:
                yield from share(at + 1)
            elif len(dealt[seat]) < looker.rules.dealt:
                dealt[seat].add(tiles[at])
                yield from share(at + 1)
                dealt[seat].remove(tiles[at])

    yield from share(0)


def few(looker: Onlooker, most: int) -> bool:
    """Whether there are few deals to try, and few unseen draws in each."""
    unseen = sum(place.said is None for place in looker.drawn)
    return unseen <= 5 and sum(1 for _ in islice(every_deal(looker), most + 1)) <= most


def worlds(looker: Onlooker) -> Iterator[tuple[Deal, set[Deal]]]:
    """Every deal with which the moves are possible, and for each the hands that may be held now. Plays each deal
    through, with every tile that each unseen draw can have taken."""
    takable = {(place.at, place.nth): _takable(looker, place) for place in looker.drawn}
    for deal in every_deal(looker):
        heaviest = max((d for held in deal for d in doubles(held)), default=None)
        if looker.rules.lead_double and looker.laid and next(iter(looker.laid)) != heaviest:
            continue
        positions: set[Position] = {(deal, None)}
        for at, move in enumerate(looker.moves):
            sees = set() if at in looker.noted else set(looker.ends[at])
            if move["type"] == "draw":
                for nth in range(move["count"]):
                    positions = set(_draw_one(positions, move["seat"], sees, takable[at, nth]))
                if at in looker.noted:
                    positions = {(hands, None) for hands, _ in positions}
            elif move["type"] in ("play", "pass"):
                positions = set(_play_or_pass(positions, move, sees))
        if positions:
            yield deal, {hands for hands, _ in positions}


Position = tuple[Deal, Tile | None]
"""The hands, and the tile drawn last in this turn."""


def _takable(looker: Onlooker, place: Place) -> list[Tile]:
    """The tiles that a draw may have taken, by the record: a tile laid later was taken by the seat that laid it."""
    if place.said is not None:
        return list(place.said)
    laid = {t for t, (seat, at) in looker.laid.items() if seat != place.seat or at < place.at}
    return [t for t in TILES if t not in looker.said | laid]


def _play_or_pass(positions: set[Position], move: Move, ends: Collection[int]) -> Iterator[Position]:
    seat = move["seat"]
    for hands, latest in positions:
        if move["type"] == "pass":
            if not any(matches(t, ends) for t in hands[seat]):
                yield hands, None
        elif (t := tile(move["tile"])) in hands[seat] and latest in (None, t):
            yield _with(hands, seat, hands[seat] - {t}), None


def _draw_one(
    positions: set[Position], seat: int, ends: Collection[int], takable: Collection[Tile]
) -> Iterator[Position]:
    for hands, _ in positions:
        if not any(matches(t, ends) for t in hands[seat]):
            for t in takable:
                if not any(t in held for held in hands):
                    yield _with(hands, seat, hands[seat] | {t}), t


def _with(hands: Deal, seat: int, held: frozenset[Tile]) -> Deal:
    return (*hands[:seat], held, *hands[seat + 1 :])


def count(looker: Onlooker) -> tuple[int, list[set[Tile]]]:
    """The number of deals that fit; and for each holder (the boneyard last), the tiles that it has now in at least one
    of them."""
    deals, whereabouts = 0, [set[Tile]() for _ in looker.holders()]
    for _, positions in worlds(looker):
        deals += 1
        for hands in positions:
            for holder, held in enumerate([*hands, set(TILES).difference(looker.laid, *hands)]):
                whereabouts[holder] |= held
    return deals, whereabouts


def count_deals(looker: Onlooker, effort: int = 20_000) -> int | None:
    """How many deals fit, where they are too many to be tried; None if that takes more than ``effort`` steps.

    Tiles that can come from the same places are of one kind. However each kind is shared out among the deals, what is
    over must find room in the draws and the boneyard.
    """
    choices = looker.choices()
    seats, over = range(looker.rules.seats), choices[looker.rules.seats :]
    kinds = list(Counter(tuple(n for n, (_, tiles) in enumerate(choices) if t in tiles) for t in TILES).items())
    room = [place.room for place, _ in over]
    steps = 0

    @cache
    def fits(numbers: tuple[int, ...]) -> bool:
        """Whether this many tiles of the first kinds find room outside the deals."""
        rest = [(kind, nth) for (kind, _), number in zip(kinds, numbers, strict=False) for nth in range(number)]
        can = [{t for t in rest if len(seats) + n in t[0]} for n in range(len(over))]
        return fits_some_deal(can, room, rest)

    @cache
    def share(numbers: tuple[int, ...], free: tuple[int, ...]) -> int:
        """The number of ways to continue if ``numbers`` of the first kinds were not dealt, with this room in each
        deal."""
        nonlocal steps
        steps += 1
        if steps > effort or not fits(numbers):
            return 0
        if len(numbers) == len(kinds):
            return int(not any(free))
        kind, tiles = kinds[len(numbers)]
        ways = 0
        for dealt in product(*(range(min(free[seat], tiles) + 1 if seat in kind else 1) for seat in seats)):
            if sum(dealt) <= tiles:
                left = tuple(room - number for room, number in zip(free, dealt, strict=True))
                ways += multinomial(tiles, dealt) * share((*numbers, tiles - sum(dealt)), left)
        return ways

    deals = share((), tuple(place.room for place, _ in choices[: looker.rules.seats]))
    return deals if steps <= effort else None


def multinomial(tiles: int, dealt: Sequence[int]) -> int:
    """The ways to give each seat this number of these tiles."""
    ways = 1
    for number in dealt:
        ways *= comb(tiles, number)
        tiles -= number
    return ways


# --- a verdict on a hand -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Opinion:
    """An error of a hand. Has several codes if the record format does not say which comes first."""

    codes: frozenset[str]
    move: int | None = None
    proof: int | None = None


def opinion(*codes: str, move: int | None = None, proof: int | None = None) -> Opinion:
    return Opinion(frozenset(codes), move, proof)


def wrong_by_deal(looker: Onlooker) -> Opinion | None:
    """The errors about the leader that the known hands prove, if the heaviest double must lead."""
    known = [None if held is None else doubles(held) for held in looker.deal]
    if all(held is not None and not held for held in known):
        return opinion("must-lead-double")
    others = {d for seat, held in enumerate(known) if seat != looker.leader for d in held or ()}
    own = known[looker.leader]
    can_have = doubles(TILES) - others if own is None else own
    return opinion("wrong-leader") if not can_have or max(others, default=(-1, -1)) > max(can_have) else None


def wrong_by_lead(looker: Onlooker, at: int, move: Move) -> Opinion | None:
    """The error that the known hands prove about this lead of a double."""
    led = tile(move["tile"])
    heavier = {seat for seat, held in enumerate(looker.deal) if any(d > led for d in doubles(held or ()))}
    if looker.leader in heavier:
        # Nobody else is known to hold a heavier one, so the leader must lead another double.
        return opinion("must-lead-double", move=at)
    return opinion("wrong-leader") if heavier else None


BEFORE_THE_LEAD = {"hand-over", "not-your-turn", "roll-needed", "tile-already-laid", "tile-not-held"}
"""These errors come before the check that the heaviest double leads."""


def judge(looker: Onlooker, hand: Hand) -> list[Opinion]:
    """The first error in the moves of a hand, or several if any of them may be named; none if the moves are fine. The
    looker follows the moves up to there."""
    by_deal = wrong_by_deal(looker) if looker.rules.lead_double else None
    if by_deal:
        return [by_deal]
    for at, move in enumerate(hand["moves"]):
        faults = looker.faults(move)
        by_lead = None
        if looker.rules.lead_double and not looker.laid and move["type"] == "play" and double(tile(move["tile"])):
            by_lead = wrong_by_lead(looker, at, move)
        if by_lead and by_lead.move is not None and not faults & BEFORE_THE_LEAD:
            return [by_lead]
        if faults:
            errors = [Opinion(frozenset(faults), at, None)]
            if "tile-already-laid" in faults:
                again = [tile(t) for t in [move.get("tile"), *move.get("tiles", ())] if t and tile(t) in looker.laid]
                errors = [Opinion(frozenset(faults), at, looker.laid[t][1]) for t in again] + (
                    errors if move["type"] == "draw" else []
                )
            # The wrong leader is an error of the hand, but it shows only when this tile is led.
            return [*errors, by_lead] if by_lead and by_lead.move is None else errors
        if by_lead:
            return [by_lead]
        looker.make(move)
        wrong = looker.disproved(tile(move["tile"]), move["seat"]) if move["type"] == "play" else None
        if wrong is not None:
            return [placed(looker, wrong, move["seat"], at)]
        if not looker.possible():
            return [opinion("no-possible-deal", move=at)]
    return []


def placed(looker: Onlooker, wrong: int, seat: int, proof: int | None) -> Opinion:
    """The error of an earlier entry that a tile of this seat disproves."""
    if wrong != LEAD:
        code = {"pass": "wrong-pass", "draw": "cannot-draw"}[looker.moves[wrong]["type"]]
        return opinion(code, move=wrong, proof=proof)
    lead = next(at for _, at in looker.laid.values())
    if seat == looker.leader:
        return opinion("must-lead-double", move=lead, proof=proof)
    return opinion("wrong-leader", proof=proof)


def judge_left(looker: Onlooker, said: Sequence[Any]) -> list[Opinion]:
    """The errors in what is left once the moves have ended the hand; none if it is fine. If several tiles disprove an
    entry, any of them may be named."""
    mismatch = [opinion("left-mismatch")]
    hands = {seat: [tile(t) for t in each] for seat, each in enumerate(said) if isinstance(each, list)}
    named = [t for held in hands.values() for t in held]
    if len(set(named)) < len(named) or any(t in looker.laid for t in named):
        return mismatch
    for seat, held in hands.items():
        if len(held) != looker.held[seat] or any(looker.said_elsewhere(t, seat) for t in held):
            return mismatch
        all_said = all(place.said is not None for place in looker.of(seat))
        if all_said and not looker.surely_held(seat).issuperset(held):
            return mismatch
    shown = [
        placed(looker, wrong, seat, None)
        for seat, held in hands.items()
        for t in held
        if (wrong := looker.disproved(t, seat)) is not None
    ]
    if shown:
        # A hand can be known from the tiles laid from it, even if its deal is hidden.
        known = [seat for seat in hands if len(looker.surely_held(seat)) == looker.held[seat]]
        return (
            shown + mismatch if any(not looker.surely_held(seat).issuperset(hands[seat]) for seat in known) else shown
        )
    if not can_be_left(looker, said, said_alone=True):
        # Only inference shows which tiles an unseen draw cannot have taken.
        follows = any(place.said is None for place in looker.drawn)
        return [opinion("left-mismatch", "no-possible-deal")] if follows else mismatch
    return [] if can_be_left(looker, said) else [opinion("no-possible-deal")]


def can_be_left(looker: Onlooker, said: Sequence[Any], *, said_alone: bool = False) -> bool:
    """Whether the seats can have this left: these tiles, or this number of tiles with these pips."""
    choices = looker.choices(said_alone=said_alone)

    def search(seat: int, now: dict[Tile, int | None]) -> bool:
        if not spread_out(choices, now):
            return False
        if seat == len(said):
            return True
        if isinstance(said[seat], list):
            return search(seat + 1, now)
        return any(
            search(seat + 1, {**now, **dict.fromkeys(held, seat)})
            for held in combinations([t for t in looker.hidden() if t not in now], looker.held[seat])
            if pips(held) == said[seat]
        )

    return search(0, {tile(t): seat for seat, each in enumerate(said) if isinstance(each, list) for t in each})


# --- a verdict on a match of the two-player family ---------------------------------------------------------
@dataclass
class Judged:
    """The judgement of a record: its first error (any of ``errors``) and the hand with it, or how it went."""

    errors: list[Opinion] = field(default_factory=list)
    hand: int | None = None
    hands: list[list[int]] = field(default_factory=list)
    finished: bool = False
    winners: list[int] = field(default_factory=list)

    def totals(self, seats: int = 2) -> list[int]:
        return [sum(points[seat] for points in self.hands) for seat in range(seats)]

    def refused(self, hand: int, errors: list[Opinion]) -> "Judged":
        return Judged(errors, hand, self.hands)

    def ended(self, seats: int = 2) -> "Judged":
        totals = self.totals(seats)
        return Judged([], None, self.hands, True, [seat for seat in range(seats) if totals[seat] == max(totals)])


def who_leads(options: dict[str, Any], before: Onlooker | Table | None, leader: int | None) -> tuple[set[int], bool]:
    """The seats that may lead the hand after this one, which ``leader`` led; and whether with the heaviest double."""
    rule = options["leader"]
    if before is None or rule == "doublet" or (rule != "alternate" and before.end == "blocked"):
        return {0, 1}, True
    assert leader is not None
    assert before.last is not None
    return {{"alternate": 1 - leader, "winner": before.last, "loser": 1 - before.last}[rule]}, False


def awarded(looker: Onlooker, hand: Hand, options: dict[str, Any]) -> list[int] | None:
    """The award for the end of this hand; None if it is not known yet."""
    if looker.end == "reached":
        return [0, 0]
    if looker.end is None:
        return None
    if "left" in hand:
        left = [each if isinstance(each, int) else pips(map(tile, each)) for each in hand["left"]]
        return award(looker.end, looker.last, left, options)
    first = None
    for ending in looker.endings():
        points = award(looker.end, looker.last, [pips(held) for held in ending], options)
        if first not in (None, points):
            return None
        first = points
    return first


def noted_in(record: dict[str, Any], number: int) -> list[int]:
    """The entries of this hand whose irregularity was noted."""
    return [note["move"] for note in record.get("noted", ()) if note["hand"] == number]


def judge_match(record: dict[str, Any]) -> Judged:
    """The judgement of a record of the two-player family without result and final states."""
    options = all_options(record["game"], record.get("options", {}))
    judged = Judged()
    looker, leader, waiting = None, None, False
    for number, hand in enumerate(record["hands"]):
        if waiting:
            assert looker is not None
            judged.hands.pop()
            return judged.refused(number - 1, [opinion("left-mismatch" if looker.end else "hand-unfinished")])
        if over(judged, options):
            return judged.refused(number, [opinion("match-over")])
        leaders, lead_double = who_leads(options, looker, leader)
        if hand["leader"] not in leaders:
            return judged.refused(number, [opinion("wrong-leader")])
        rules = rules_of(options, lead_double=lead_double)
        looker = Onlooker(rules, hand, noted_in(record, number), judged.totals())
        errors = judge(looker, hand)
        if not errors and "left" in hand:
            errors = judge_left(looker, hand["left"]) if looker.end else [opinion("hand-unfinished")]
        if errors:
            return judged.refused(number, errors)
        end = awarded(looker, hand, options)
        judged.hands.append([a + b for a, b in zip(looker.points, end or [0, 0], strict=True)])
        leader, waiting = hand["leader"], end is None
    return judged.ended() if over(judged, options) and not waiting else judged


def over(judged: Judged, options: dict[str, Any]) -> bool:
    limit = options["hands"]
    return max(judged.totals()) >= options["points_to_win"] or (limit is not None and len(judged.hands) >= limit)


# --- random hands ------------------------------------------------------------------------------------------
def random_deal(rng: random.Random, rules: Rules) -> list[set[Tile]]:
    """A deal, as a set for each seat; with a double if a double must lead."""
    while True:
        tiles = rng.sample(TILES, len(TILES))
        deal = [set(tiles[rules.dealt * seat : rules.dealt * (seat + 1)]) for seat in range(rules.seats)]
        if not rules.lead_double or any(doubles(held) for held in deal):
            return deal


def heaviest_holder(deal: Sequence[Collection[Tile]]) -> int:
    return max((d, seat) for seat, held in enumerate(deal) for d in doubles(held))[1]


def play_out(rng: random.Random, table: Table) -> list[Move]:
    """Random legal moves to the end of the hand. The draws of one turn are one entry or several."""
    moves: list[Move] = []
    while options := table.legal():
        move = rng.choice(options)
        drawn = []
        if move["type"] == "draw":
            drawn = [rng.choice(sorted(table.boneyard))]
            move["tiles"] = [text(drawn[0])]
        fault = table.fault(move, drawn)
        assert fault is None, (fault, move)
        table.make(move, drawn)
        if drawn and moves and moves[-1]["type"] == "draw" and rng.random() < 0.5:
            move = {**move, "count": moves[-1]["count"] + 1, "tiles": [*moves.pop()["tiles"], *move["tiles"]]}
        moves.append(move)
    return moves


def written(deal: Sequence[Collection[Tile] | None]) -> list[list[str] | None]:
    return [None if held is None else [text(t) for t in sorted(held)] for held in deal]


def random_hand(
    rng: random.Random, rules: Rules, leader: int | None = None, totals: Sequence[int] | None = None
) -> tuple[Hand, Table]:
    """A random hand as a record with everything known, and the table after it. ``leader`` None: the holder of the
    heaviest double, or anybody if no double must lead."""
    deal = random_deal(rng, rules)
    if leader is None:
        leader = heaviest_holder(deal) if rules.lead_double else rng.randrange(rules.seats)
    table = Table(rules, deal, leader, totals)
    return {"leader": leader, "deal": written(deal), "moves": play_out(rng, table)}, table


def random_match(rng: random.Random, game: str, options: dict[str, Any]) -> tuple[list[tuple[Hand, Table]], Judged]:
    """Random hands up to the end of a match, each with its table, and how the match went."""
    chosen = all_options(game, options)
    hands: list[tuple[Hand, Table]] = []
    judged = Judged()
    table, leader = None, None
    while not over(judged, chosen):
        leaders, lead_double = who_leads(chosen, table, leader)
        rules = rules_of(chosen, lead_double=lead_double)
        hand, table = random_hand(rng, rules, None if lead_double else min(leaders), judged.totals())
        leader = hand["leader"]
        end = award(table.end, table.last, [pips(held) for held in table.hands], chosen)
        judged.hands.append([a + b for a, b in zip(table.points, end, strict=True)])
        hands.append((hand, table))
    return hands, judged.ended()


# --- what a record tells of a hand -------------------------------------------------------------------------
def without_tiles(move: Move) -> Move:
    return {key: value for key, value in move.items() if key != "tiles"}


def told(rng: random.Random, hand: Hand, table: Table, *, left: str | None = None) -> Hand:
    """The hand with some of its hidden tiles. ``left``: adds ``tiles`` or ``pips`` at the end; None adds nothing."""
    degree = rng.choice(("all", "one deal", "one deal and all draws", "all draws", "some draws", "nothing"))
    hand = {**hand, "deal": list(hand["deal"]), "moves": list(hand["moves"])}
    known = rng.randrange(len(hand["deal"]))
    if degree.startswith("one deal"):
        hand["deal"] = [held if seat == known else None for seat, held in enumerate(hand["deal"])]
    elif degree != "all":
        del hand["deal"]
    for at, move in enumerate(hand["moves"]):
        seen = {"one deal": rng.random() < 0.3, "some draws": rng.random() < 0.6, "nothing": False}.get(degree, True)
        hand["moves"][at] = move if seen else without_tiles(move)
    if left:
        hand["left"] = [
            pips(held)
            if left == "pips" or (left == "mixed" and rng.random() < 0.5)
            else [text(t) for t in sorted(held)]
            for held in table.hands
        ]
    return hand


def few_hidden(rng: random.Random, hand: Hand, follow: Callable[[Hand], Onlooker], most: int) -> Hand:
    """The hand with random deals and drawn tiles hidden, as long as there are ``few`` deals to try at its end."""
    hand = {**hand, "deal": list(hand["deal"]), "moves": list(hand["moves"])}
    seats = [("deal", seat) for seat in range(len(hand["deal"]))]
    drawn = [("moves", at) for at, move in enumerate(hand["moves"]) if move["type"] == "draw"]
    for key, at in rng.sample(seats + drawn, len(seats + drawn)):
        before = hand[key][at]
        hand[key][at] = None if key == "deal" else without_tiles(before)
        if not few(follow(hand), most):
            hand[key][at] = before
    return hand


def followed(looker: Onlooker, moves: Sequence[Move]) -> Onlooker:
    """The looker after these moves, even if they have errors."""
    for move in moves:
        looker.make(move)
    return looker


def guess(rng: random.Random, looker: Onlooker) -> Move | None:
    """A random next entry in which no onlooker can see an error; None if none was found."""
    seat, free = looker.turn, looker.hidden()
    moves: list[Move] = [
        {"seat": seat, "type": "play", "tile": text(t), "end": rng.choice(looker.row.fits(t))}
        for t in rng.sample(free, len(free))
        if looker.row.fits(t)
    ][:2]
    if looker.pool:
        drawn = rng.sample(free, rng.randint(1, min(3, looker.pool)))
        moves.append({"seat": seat, "type": "draw", "count": len(drawn)})
        moves.append({**moves[-1], "tiles": [text(t) for t in drawn]})
    moves.append({"seat": seat, "type": "pass"})
    rng.shuffle(moves)
    return next((move for move in moves if not looker.faults(move)), None)


def damaged(rng: random.Random, hand: Hand, seats: int) -> Hand:
    """The hand with one random change. It can still be valid."""
    hand = {**hand, "moves": [dict(move) for move in hand["moves"]]}
    for key in ("deal", "left"):
        if key in hand:
            hand[key] = [list(each) if isinstance(each, list) else each for each in hand[key]]
    moves = hand["moves"]
    at = rng.randrange(len(moves))
    if rng.random() < 0.6:
        # Prefer draws and passes, because most follows from them.
        at = rng.choice([n for n, move in enumerate(moves) if move["type"] in ("draw", "pass")] or [at])
    move = moves[at]
    seat = move["seat"]
    some = text(rng.choice(TILES))
    kinds = ["play", "pass", "draw", "drop", "twice", "cut", "leader", "other seat"]
    kinds += ["count", "count", "tiles", "order"] if move["type"] == "draw" else []
    kinds += ["tile", "end"] if move["type"] == "play" else []
    kinds += ["deal", "deal", "no deal"] if "deal" in hand else []
    kinds += ["left"] * 4 if "left" in hand else []
    kind = rng.choice(kinds)
    if kind == "play":
        moves[at] = {"seat": seat, "type": "play", "tile": some}
    elif kind == "pass":
        moves[at] = {"seat": seat, "type": "pass"}
    elif kind == "draw":
        moves.insert(at, {"seat": seat, "type": "draw", "count": 1})
    elif kind == "drop":
        del moves[at]
    elif kind == "twice":
        moves.insert(at, move)
    elif kind == "cut":
        del moves[at + 1 :]
    elif kind == "leader":
        hand["leader"] = rng.randrange(seats)
    elif kind == "other seat":
        move["seat"] = rng.randrange(seats)
    elif kind == "count":
        moves[at] = without_tiles({**move, "count": max(1, move["count"] + rng.choice((-2, -1, 1, 1, 2)))})
    elif kind == "tiles":
        moves[at] = {**move, "tiles": [text(t) for t in rng.sample(TILES, move["count"])]}
        if rng.random() < 0.5:
            moves[at] = without_tiles(move)
    elif kind == "order" and "tiles" in move:
        rng.shuffle(move["tiles"])
    elif kind == "tile":
        move["tile"] = some
    elif kind == "end":
        move["end"] = rng.choice("wens")
        if rng.random() < 0.3:
            del move["end"]
    elif kind == "no deal":
        hand["deal"] = [None if rng.random() < 0.5 else held for held in hand["deal"]]
    elif kind == "deal":
        dealt = [held for held in hand["deal"] if held is not None]
        held = rng.choice(dealt or [[]])
        if held:
            mine = rng.randrange(len(held))
            other = next((each for each in dealt if some in each), None)
            if other is not None:
                other[other.index(some)] = held[mine]
            held[mine] = some
    elif kind == "left":
        one, other = rng.randrange(seats), rng.randrange(seats)
        left = hand["left"]
        if rng.random() < 0.4:
            left[one], left[other] = left[other], left[one]
        elif isinstance(left[one], int):
            left[one] = max(0, left[one] + rng.choice((-3, -1, 1, 1, 40)))
        elif left[one]:
            left[one][rng.randrange(len(left[one]))] = some
    return hand


def some_noted(rng: random.Random, hands: Sequence[Hand]) -> list[dict[str, Any]]:
    """Sometimes notes an entry of the last hand that can be irregular."""
    codes = {"pass": "wrong-pass", "draw": "cannot-draw"}
    entries = [(at, codes[move["type"]]) for at, move in enumerate(hands[-1]["moves"]) if move["type"] in codes]
    if not entries or rng.random() < 0.8:
        return []
    at, code = rng.choice(entries)
    return [{"hand": len(hands) - 1, "move": at, "code": code}]
