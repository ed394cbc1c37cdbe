"""A second opinion on Domizerka: slow, plain, and sharing no code with ``games``.

A tile is a pair of numbers, higher first. Matches, hands and moves come in and go out as a record writes them.

What nobody saw is told by *fates*: in one completion of a hand every tile is dealt to a seat and kept, dealt to it and
discarded, drawn by a seat from the boneyard, or stays there. ``completions`` tries every one and plays the hand through
with it, the slow way; ``fits`` and ``number_of_deals`` come to the same by counting, for hands of which less is known.
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

Tile = tuple[int, int]
Fate = tuple[str, int | None]
Answer = tuple[str, int | None, int | None]
"""An error: its code, the entry at fault, and the entry that proves it."""

TILES: list[Tile] = [(high, low) for high in range(7) for low in range(high + 1)]
SEATS = range(3)
TRUMPS = {"evens": (2, 4, 6), "odds": (1, 3, 5), "zero": (None,), "domizerka": (None,)}
OUT = 3
"""The holder of all tiles out of play, after the three seats."""
PLACED = {"kept", "drawn"}
DEALT = {"kept", "discarded"}


def tile(text: str) -> Tile:
    return int(text[0]), int(text[2])


def text(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def tiles(texts: Any) -> set[Tile]:
    return {tile(each) for each in texts}


# --- the rules of a hand, all tiles seen -------------------------------------------------------------------
def suits(tile: Tile, contract: str, trump: int | None) -> set[int]:
    special = {"evens": trump, "odds": trump, "zero": 0, "domizerka": None}[contract]
    return {special} if special in tile else set(tile)


def rank(tile: Tile, suit: int) -> int:
    """The rank of a tile in one of its suits."""
    high, low = tile
    if high == low:
        return 7
    return low if high == suit else high


def winner(trick: Sequence[tuple[int, Tile]], suit: int, contract: str, trump: int | None) -> int:
    """The seat that wins three tiles, given in the order of play."""
    for wanted in (trump, suit):
        followed = [(rank(t, wanted), seat) for seat, t in trick if wanted in suits(t, contract, trump)]
        if followed:
            return max(followed)[1]
    raise AssertionError(trick)


def places(dealer: int) -> tuple[int, int, int]:
    """The seats left and right of the dealer, then the dealer."""
    return (dealer + 1) % 3, (dealer + 2) % 3, dealer


def points(dealer: int, contract: str, tricks: Sequence[int]) -> list[int]:
    result = [0, 0, 0]
    for seat, quota in zip(places(dealer), (1, 2, 4) if contract == "domizerka" else (4, 2, 1), strict=True):
        result[seat] = quota - tricks[seat] if contract == "domizerka" else tricks[seat] - quota
    return result


def simulate(fates: Mapping[Tile, Fate], hand: dict[str, Any], noted: Sequence[int] = ()) -> bool:
    """Whether the moves of a hand are possible and legal if all tiles are face up."""
    hands: list[set[Tile]] = [{t for t in TILES if fates[t] in (("kept", s), ("discarded", s))} for s in SEATS]
    boneyard = set(TILES).difference(*hands)
    if any(known is not None and tiles(known) != hands[seat] for seat, known in enumerate(hand.get("deal") or ())):
        return False
    order, trick = places(hand["dealer"]), []
    call: tuple[str, int | None] | None = None
    suit = 0
    turn, exchanged = order[0], 0
    for at, move in enumerate(hand["moves"]):
        seat = move["seat"]
        if move["type"] == "contract":
            call = (move["contract"], move.get("trump"))
        elif move["type"] == "discard":
            thrown = {t for t in TILES if fates[t] == ("discarded", seat)}
            drawn = {t for t in TILES if fates[t] == ("drawn", seat)}
            if order.index(seat) < exchanged or not thrown <= hands[seat] or not drawn <= boneyard:
                return False
            if not len(thrown) == len(drawn) == move["count"]:
                return False
            if (
                tiles(move.get("tiles", map(text, thrown))) != thrown
                or tiles(move.get("drawn", map(text, drawn))) != drawn
            ):
                return False
            hands[seat] = (hands[seat] - thrown) | drawn
            boneyard -= drawn
            exchanged = order.index(seat) + 1
        else:
            played = tile(move["tile"])
            if call is None or seat != turn or played not in hands[seat]:
                return False
            mine = suits(played, *call)
            if not trick:
                suit = move["suit"] if len(mine) == 2 else min(mine)
            elif suit not in mine and at not in noted and any(suit in suits(t, *call) for t in hands[seat]):
                return False
            hands[seat].remove(played)
            trick.append((seat, played))
            turn = (seat + 1) % 3
            if len(trick) == 3:
                turn = winner(trick, suit, *call)
                trick = []
    return True


# --- a hand as a table sees it -----------------------------------------------------------------------------
@dataclass
class Seen:
    """What an onlooker learns from the moves of a hand, as long as they are legal."""

    call: tuple[str, int | None] | None = None
    counts: list[int] = field(default_factory=lambda: [0, 0, 0])
    """How many tiles each seat discarded and drew."""
    exchanged: list[int] = field(default_factory=list)
    thrown: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    """The tiles named in discards, with the seat and the entry."""
    drawn: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    laid: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    failed: list[tuple[int, int, int]] = field(default_factory=list)
    """Failures to follow: the entry, the seat, the suit led. Noted ones are left out."""
    trick: list[tuple[int, Tile]] = field(default_factory=list)
    suit: int = 0
    turn: int = 0
    tricks: list[int] = field(default_factory=lambda: [0, 0, 0])
    fault: tuple[int, set[Answer]] | None = None
    """Where the moves break a rule, and every answer that the record format allows."""

    @property
    def over(self) -> bool:
        return len(self.laid) == 21


def look(hand: dict[str, Any], noted: Sequence[int] = (), used: Sequence[str] = ()) -> Seen:
    """Follows the moves of a hand until one breaks a rule. ``used``: the contracts that the caller has called
    before."""
    order = places(hand["dealer"])
    known = [None if each is None else tiles(each) for each in hand.get("deal") or [None] * 3]
    seen = Seen(turn=order[0])
    for at, move in enumerate(hand["moves"]):
        faults = _faults(move, at, seen, order, known, noted, used)
        if faults:
            seen.fault = at, faults
            return seen
        seat = move["seat"]
        if move["type"] == "contract":
            seen.call = (move["contract"], move.get("trump"))
        elif move["type"] == "discard":
            seen.exchanged.append(seat)
            seen.counts[seat] = move["count"]
            seen.thrown |= {tile(t): (seat, at) for t in move.get("tiles", ())}
            seen.drawn |= {tile(t): (seat, at) for t in move.get("drawn", ())}
        else:
            _lay(move, at, seen, noted)
    return seen


def _lay(move: dict[str, Any], at: int, seen: Seen, noted: Sequence[int]) -> None:
    assert seen.call is not None
    seat, played = move["seat"], tile(move["tile"])
    mine = suits(played, *seen.call)
    if not seen.trick:
        seen.suit = move.get("suit", min(mine))
    elif seen.suit not in mine and at not in noted:
        seen.failed.append((at, seat, seen.suit))
    seen.laid[played] = (seat, at)
    seen.trick.append((seat, played))
    seen.turn = (seat + 1) % 3
    if len(seen.trick) == 3:
        seen.turn = winner(seen.trick, seen.suit, *seen.call)
        seen.tricks[seen.turn] += 1
        seen.trick = []


def _faults(
    move: dict[str, Any],
    at: int,
    seen: Seen,
    order: tuple[int, int, int],
    known: list[set[Tile] | None],
    noted: Sequence[int],
    used: Sequence[str],
) -> set[Answer]:
    """Every allowed answer to this move by itself; none if it breaks no rule."""

    def answers(*codes: str, proof: int | None = None) -> set[Answer]:
        """The error with each of these codes, with and without this proof."""
        return {(code, at, shown) for code in codes for shown in {None, proof}}

    seat = move["seat"]
    if seen.over:
        return answers("hand-over")
    if move["type"] == "discard":
        return _discard_faults(move, seen, order, known, answers)
    if seat != seen.turn:
        return answers("not-your-turn")
    if move["type"] == "contract":
        if seen.call is not None or move["contract"] not in TRUMPS:
            return answers("bad-contract")
        if move["contract"] in used:
            return answers("contract-used")
        return answers("bad-trump") if move.get("trump") not in TRUMPS[move["contract"]] else set()
    played = tile(move["tile"])
    if played in seen.laid:
        return answers("tile-already-laid", proof=seen.laid[played][1])
    named = seen.thrown.get(played) or seen.drawn.get(played)
    if played in seen.thrown or (named and named[0] != seat):
        return answers("tile-not-held", proof=named and named[1])
    if any(deal and played in deal for other, deal in enumerate(known) if other != seat):
        return answers("tile-not-held")
    own = known[seat]
    all_drawn_known = sum(who == seat for who, _ in seen.drawn.values()) == seen.counts[seat]
    if own is not None and played not in own and all_drawn_known and not named:
        return answers("tile-not-held")
    held = _surely_held(seat, seen, own)
    known_hand = len(held) == 7 - sum(who == seat for who, _ in seen.laid.values())
    if known_hand and played not in held:
        return answers("tile-not-held")
    if seen.call is None:
        return answers("bad-contract")
    mine, suit = suits(played, *seen.call), move.get("suit")
    if not seen.trick and suit is None and len(mine) == 2:
        return answers("suit-needed")
    if suit is not None and (seen.trick or suit not in mine):
        return answers("bad-suit")
    following = any(seen.suit in suits(t, *seen.call) for t in held)
    if seen.trick and seen.suit not in mine and at not in noted and known_hand and following:
        return {("revoke", at, None)}
    return set()


def _discard_faults(
    move: dict[str, Any], seen: Seen, order: tuple[int, int, int], known: list[set[Tile] | None], answers: Any
) -> set[Answer]:
    seat, count = move["seat"], move["count"]
    if seen.call is None:
        return answers("bad-discard", "bad-contract", *(["not-your-turn"] if seat != seen.turn else []))
    if seen.laid:
        return answers("bad-discard", *(["not-your-turn"] if seat != seen.turn else []))
    if seat in seen.exchanged:
        return answers("bad-discard")
    if any(order.index(seat) < order.index(other) for other in seen.exchanged):
        return answers("bad-discard", "not-your-turn")
    faults: set[Answer] = set()
    own = known[seat]
    for thrown in tiles(move.get("tiles", ())):
        named = seen.thrown.get(thrown) or seen.drawn.get(thrown)
        others = any(deal and thrown in deal for other, deal in enumerate(known) if other != seat)
        if named or others or (own is not None and thrown not in own):
            faults |= answers("tile-not-held", proof=named and named[1])
    for drawn in tiles(move.get("drawn", ())):
        named = seen.thrown.get(drawn) or seen.drawn.get(drawn)
        if named or any(deal and drawn in deal for deal in known) or drawn in tiles(move.get("tiles", ())):
            faults |= answers("tile-not-held", "bad-discard", "no-possible-deal", proof=named and named[1])
    if count > 7 - sum(seen.counts):
        faults |= answers("bad-discard")
    return faults


def _surely_held(seat: int, seen: Seen, own: set[Tile] | None) -> set[Tile]:
    """The tiles that are in this hand by the record alone, without any inference."""
    held = {t for t, (who, _) in seen.drawn.items() if who == seat}
    thrown = {t for t, (who, _) in seen.thrown.items() if who == seat}
    if own is not None and len(thrown) == seen.counts[seat]:
        held |= own - thrown
    return held - set(seen.laid)


# --- what may have happened unseen -------------------------------------------------------------------------
def room(seen: Seen) -> dict[Fate, int]:
    """The number of tiles with each fate."""
    counts = seen.counts
    return {
        **{("kept", seat): 7 - counts[seat] for seat in SEATS},
        **{("discarded", seat): counts[seat] for seat in SEATS},
        **{("drawn", seat): counts[seat] for seat in SEATS},
        ("boneyard", None): 7 - sum(counts),
    }


def fates(hand: dict[str, Any], seen: Seen, *, voids: bool) -> dict[Tile, list[Fate]]:
    """For each tile, the fates that the record does not exclude for it. With ``voids`` also those that a failure to
    follow excludes: no tile of that suit was in that hand."""
    known = [None if deal is None else tiles(deal) for deal in hand.get("deal") or [None] * 3]
    named = {"discarded": seen.thrown, "drawn": seen.drawn}

    def denied(each: Tile, how: str, seat: int | None) -> bool:
        for other, deal in enumerate(known):
            if deal is not None and (each in deal) != (how in DEALT and seat == other):
                return True
        for word, said in named.items():
            if each in said and (how, seat) != (word, said[each][0]):
                return True
            if how == word and each not in said and sum(who == seat for who, _ in said.values()) == seen.counts[seat]:
                return True
        if each in seen.laid and (how not in PLACED or seat != seen.laid[each][0]):
            return True
        held_until = seen.laid[each][1] if each in seen.laid else 99
        return voids and any(
            how in PLACED and who == seat and at < held_until and suit in suits(each, *_called(seen))
            for at, who, suit in seen.failed
        )

    return {each: [fate for fate, number in room(seen).items() if number and not denied(each, *fate)] for each in TILES}


def _called(seen: Seen) -> tuple[str, int | None]:
    assert seen.call is not None
    return seen.call


def completions(can: Mapping[Tile, Sequence[Fate]], space: Mapping[Fate, int]) -> Iterator[dict[Tile, Fate]]:
    """Every way to give each tile one of its fates, with the right number of tiles for each fate."""
    order = sorted(can, key=lambda t: len(can[t]))
    left, chosen = dict(space), {}

    def give(at: int) -> Iterator[dict[Tile, Fate]]:
        if at == len(order):
            yield dict(chosen)
            return
        for fate in can[order[at]]:
            if left[fate]:
                left[fate] -= 1
                chosen[order[at]] = fate
                yield from give(at + 1)
                left[fate] += 1

    return give(0)


@dataclass
class Possible:
    """Everything possible in a hand: the deals, and for each tile not played, the holders that may have it now."""

    deals: int
    holders: dict[Tile, set[int]]


def try_everything(hand: dict[str, Any], noted: Sequence[int] = (), limit: int = 50_000) -> Possible | None:
    """Everything possible after the moves of a hand, by playing through every completion; None if there are too
    many."""
    seen = look(hand, noted)
    assert seen.fault is None, seen.fault
    deals: set[tuple[frozenset[Tile], ...]] = set()
    holders: dict[Tile, set[int]] = {t: set() for t in TILES if t not in seen.laid}
    every = list(itertools.islice(completions(fates(hand, seen, voids=False), room(seen)), limit + 1))
    if len(every) > limit:
        return None
    for fate in every:
        if simulate(fate, hand, noted):
            deals.add(tuple(frozenset(t for t in TILES if fate[t] in (("kept", s), ("discarded", s))) for s in SEATS))
            for each in holders:
                holders[each].add(holder(fate[each]))
    return Possible(len(deals), holders)


def holder(fate: Fate) -> int:
    """The holder of a tile with this fate after the exchange."""
    how, seat = fate
    return seat if seat is not None and how in PLACED else OUT


def fits(can: Mapping[Tile, Sequence[Fate]], space: Mapping[Fate, int]) -> bool:
    """Whether there is any completion. Gives tiles a fate one by one, and changes those of others if needed."""
    given: dict[Fate, list[Tile]] = {fate: [] for fate in space}

    def give(each: Tile, tried: set[Fate]) -> bool:
        for fate in can[each]:
            if fate not in tried:
                tried.add(fate)
                if len(given[fate]) < space[fate]:
                    given[fate].append(each)
                    return True
                for other in list(given[fate]):
                    if give(other, tried):
                        given[fate].remove(other)
                        given[fate].append(each)
                        return True
        return False

    return all(give(each, set()) for each in can)


def possible_after(hand: dict[str, Any], upto: int, noted: Sequence[int], *, voids: bool = True) -> bool:
    """Whether any completion agrees with the first moves of a hand."""
    seen = look({**hand, "moves": hand["moves"][:upto]}, noted)
    return fits(fates(hand, seen, voids=voids), room(seen))


def whereabouts(hand: dict[str, Any], noted: Sequence[int] = ()) -> dict[Tile, set[int]]:
    """For each tile not played, the holders that may have it now."""
    seen = look(hand, noted)
    can, space = fates(hand, seen, voids=True), room(seen)
    return {
        each: {holder(fate) for fate in can[each] if fits({**can, each: [fate]}, space)}
        for each in TILES
        if each not in seen.laid
    }


def number_of_deals(hand: dict[str, Any], noted: Sequence[int] = (), limit: int = 100_000) -> int | None:
    """The number of deals that fit. Counts tiles with the same fates together. None if that takes too long."""
    seen = look(hand, noted)
    can, space = fates(hand, seen, voids=True), room(seen)
    for certain in (fate for may in can.values() if len(may) == 1 for fate in may):
        space[certain] -= 1
    if min(space.values()) < 0 or not all(can.values()):
        return 0
    kinds = Counter(tuple(may) for may in can.values() if len(may) > 1)
    if math.prod(number + 1 for number in kinds.values()) > limit:
        return None
    names = list(kinds)

    @cache
    def deal(seat: int, left: tuple[int, ...]) -> int:
        """The number of ways to deal to this seat and the next ones out of these numbers of each kind."""
        if seat == 3:
            return fits(
                {
                    (kind, number): [fate for fate in names[kind] if fate[0] not in DEALT]
                    for kind in range(len(names))
                    for number in range(left[kind])
                },
                {fate: space[fate] for fate in space if fate[0] not in DEALT},
            )
        may = [[fate[0] for fate in kind if fate[1] == seat and fate[0] in DEALT] for kind in names]
        ways, number = 0, space["kept", seat] + space["discarded", seat]
        for chosen in _choices(tuple(n if may[kind] else 0 for kind, n in enumerate(left)), number):
            kept = sum(n for kind, n in enumerate(chosen) if may[kind] == ["kept"])
            thrown = sum(n for kind, n in enumerate(chosen) if may[kind] == ["discarded"])
            if kept <= space["kept", seat] and thrown <= space["discarded", seat]:
                rest = deal(seat + 1, tuple(n - taken for n, taken in zip(left, chosen, strict=True)))
                ways += rest * math.prod(math.comb(n, taken) for n, taken in zip(left, chosen, strict=True))
        return ways

    return deal(0, tuple(kinds[kind] for kind in names))


def _choices(numbers: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    """Every way to take ``total`` things out of these numbers of each kind."""
    if not numbers:
        if total == 0:
            yield ()
        return
    for taken in range(max(0, total - sum(numbers[1:])), min(numbers[0], total) + 1):
        for rest in _choices(numbers[1:], total - taken):
            yield (taken, *rest)


# --- the verdict -------------------------------------------------------------------------------------------
@dataclass
class Opinion:
    """The judgement of a hand: the allowed answers, of which one must be given, or how it went."""

    answers: set[Answer] = field(default_factory=set)
    seen: Seen | None = None


def judge(hand: dict[str, Any], noted: Sequence[int] = (), used: Sequence[str] = ()) -> Opinion:
    """The first error in the moves of a hand, or none."""
    seen = look(hand, noted, used)
    fault = seen.fault
    read = len(hand["moves"]) if fault is None else fault[0]
    shown = _shown(seen)
    bound = min(read, read if shown is None else shown[2])
    if not possible_after(hand, bound, noted):
        first = next(n for n in range(bound) if not possible_after(hand, n + 1, noted))
        return Opinion(_impossible(hand, first, noted))
    if shown is not None and possible_after(hand, shown[2] + 1, noted, voids=False):
        return Opinion({shown})
    if shown is not None:
        # By numbers alone, the tile that proves it is not in that hand.
        return Opinion({shown, ("tile-not-held", shown[2], None)})
    return Opinion(fault[1]) if fault else Opinion(seen=seen)


def _shown(seen: Seen) -> Answer | None:
    """The first play that proves an earlier failure to follow; if there are several failures, the earliest one."""
    for each, (seat, at) in sorted(seen.laid.items(), key=lambda item: item[1][1]):
        for earlier, who, suit in seen.failed:
            if who == seat and earlier < at and suit in suits(each, *_called(seen)):
                return "revoke", earlier, at
    return None


def _impossible(hand: dict[str, Any], at: int, noted: Sequence[int]) -> set[Answer]:
    """The answers to an entry after which nothing fits any more, though no rule of the table is broken.

    Where what was told and played, without any other failure to follow, says that the tile is not in that hand, or
    that a tile of the suit is, the format leaves open which code tells it.
    """
    answers: set[Answer] = {("no-possible-deal", at, None)}
    if not possible_after(hand, at + 1, noted, voids=False):
        answers.add(("tile-not-held", at, None))
    elif not possible_after(hand, at + 1, [*noted, *range(at)]):
        answers.add(("revoke", at, None))
    return answers


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
        return [sum(column) for column in zip(*self.hands, strict=True)] or [0, 0, 0]


def judge_match(record: dict[str, Any]) -> Verdict:
    """The verdict on a whole match. A hand that is still open has no points yet."""
    verdict = Verdict()
    used: list[set[str]] = [set(), set(), set()]
    limit = min(12, record.get("options", {}).get("hands") or 12)
    for number, hand in enumerate(record["hands"]):
        noted = [each["move"] for each in record.get("noted", ()) if each["hand"] == number]
        caller, last = places(hand["dealer"])[0], number == len(record["hands"]) - 1
        verdict.hand = number
        if number >= limit:
            verdict.answers = {("match-over", None, None)}
        elif number and hand["dealer"] != (record["hands"][number - 1]["dealer"] + 1) % 3:
            verdict.answers = {("wrong-leader", None, None)}
        else:
            opinion = judge({"moves": [], **hand}, noted, tuple(used[caller]))
            verdict.answers = opinion.answers
            seen = opinion.seen
            if seen is not None and "final" in hand:
                verdict.answers = _final_faults(hand["final"], used[caller])
                contract, tricks = hand["final"]["contract"], hand["final"]["tricks"]
            elif seen is not None:
                contract, tricks = seen.call[0] if seen.call else "", seen.tricks
                if not seen.over and last:
                    verdict.hands.append([0, 0, 0])
                    break
                if not seen.over:
                    verdict.answers = {("hand-unfinished", None, None)}
                elif hand.get("tricks", tricks) != tricks:
                    verdict.answers = {("tricks-mismatch", None, None)}
        if verdict.answers:
            return verdict
        used[caller].add(contract)
        verdict.hands.append(points(hand["dealer"], contract, tricks))
    else:
        verdict.finished = len(record["hands"]) == limit
    if verdict.finished:
        verdict.winners = [seat for seat in SEATS if verdict.totals[seat] == max(verdict.totals)]
    return verdict


def _final_faults(final: dict[str, Any], used: set[str]) -> set[Answer]:
    if final["contract"] not in TRUMPS:
        return {("bad-contract", None, None)}
    if final["contract"] in used:
        return {("contract-used", None, None)}
    if final.get("trump") not in TRUMPS[final["contract"]]:
        return {("bad-trump", None, None)}
    return {("tricks-mismatch", None, None)} if sum(final["tricks"]) != 7 else set()


# --- random matches ----------------------------------------------------------------------------------------
def random_hand(rng: random.Random, dealer: int, contracts: Sequence[str], careless: float = 0.0) -> dict[str, Any]:
    """A random hand with everything known: deal, discards, draws. Plays do not follow suit with the probability
    ``careless``, and players hide that as long as they can."""
    shuffled = rng.sample(TILES, 28)
    deal = [set(shuffled[7 * seat : 7 * seat + 7]) for seat in SEATS]
    boneyard, hands = shuffled[21:], [set(held) for held in deal]
    order = places(dealer)
    contract = rng.choice(contracts)
    trump = rng.choice(TRUMPS[contract])
    moves: list[dict[str, Any]] = [{"seat": order[0], "type": "contract", "contract": contract}]
    if trump is not None:
        moves[0]["trump"] = trump
    for seat in order:
        count = min(len(boneyard), rng.choice((0, 0, 1, 1, 2, 3, rng.randint(0, 7))))
        thrown, drawn, boneyard = rng.sample(sorted(hands[seat]), count), boneyard[:count], boneyard[count:]
        hands[seat] = hands[seat].difference(thrown) | set(drawn)
        moves.append(
            {
                "seat": seat,
                "type": "discard",
                "count": count,
                "tiles": [text(t) for t in thrown],
                "drawn": [text(t) for t in drawn],
            }
        )
    turn = order[0]
    lacking: list[set[int]] = [set(), set(), set()]
    for _ in range(7):
        trick: list[tuple[int, Tile]] = []
        suit = 0
        for seat in ((turn + i) % 3 for i in range(3)):
            following = [t for t in hands[seat] if suit in suits(t, contract, trump)] if trick else []
            choice = sorted(following if following and rng.random() >= careless else hands[seat])
            hiding = [t for t in choice if not suits(t, contract, trump) & lacking[seat]]
            played = rng.choice(hiding or choice)
            hands[seat].remove(played)
            if trick and suit not in suits(played, contract, trump):
                lacking[seat].add(suit)
            move = {"seat": seat, "type": "play", "tile": text(played)}
            if not trick:
                mine = sorted(suits(played, contract, trump))
                suit = rng.choice(mine)
                if len(mine) == 2 or rng.random() < 0.3:
                    move["suit"] = suit
            trick.append((seat, played))
            moves.append(move)
        turn = winner(trick, suit, contract, trump)
    return {"dealer": dealer, "deal": [sorted(map(text, held)) for held in deal], "moves": moves}


def random_match(rng: random.Random, hands: int = 12, careless: float = 0.0) -> list[dict[str, Any]]:
    """The hands of a random match, with everything known."""
    dealer = rng.randrange(3)
    left = [sorted(TRUMPS) for _ in SEATS]
    played = []
    for number in range(hands):
        seat = (dealer + number) % 3
        played.append(random_hand(rng, seat, left[(seat + 1) % 3], careless))
        left[(seat + 1) % 3].remove(played[-1]["moves"][0]["contract"])
    return played


def told(hand: dict[str, Any], rng: random.Random, knowledge: float) -> dict[str, Any]:
    """The hand with some of the hidden tiles that a record can give, each with this probability."""
    deal = [held if rng.random() < knowledge else None for held in hand["deal"]]
    moves = []
    for move in hand["moves"]:
        if move["type"] == "discard":
            if not move["count"] and rng.random() < 0.5:
                continue
            hidden = [key for key in ("tiles", "drawn") if rng.random() >= knowledge]
            move = {key: value for key, value in move.items() if key not in hidden}
        moves.append(move)
    shown = {"deal": deal} if any(deal) or rng.random() < 0.2 else {}
    return {"dealer": hand["dealer"], **shown, "moves": moves}


def nearly_told(hand: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The hand up to some move, with everything known except one to three things, so that few tiles are hidden."""
    deal, moves = list(hand["deal"]), [dict(move) for move in hand["moves"]]
    secrets: list[tuple[Any, Any]] = [(deal, seat) for seat in SEATS]
    secrets += [(move, key) for move in moves for key in ("tiles", "drawn") if move.get(key)]
    for where, key in rng.sample(secrets, rng.randint(1, 3)):
        if where is deal:
            deal[key] = None
        else:
            del where[key]
    return {**hand, "deal": deal, "moves": moves[: rng.randint(5, len(moves))]}


def truth(hand: dict[str, Any]) -> dict[Tile, Fate]:
    """What happened to each tile in a hand with everything known."""
    result: dict[Tile, Fate] = dict.fromkeys(TILES, ("boneyard", None))
    for seat, held in enumerate(hand["deal"]):
        result |= dict.fromkeys(tiles(held), ("kept", seat))
    for move in hand["moves"]:
        if move["type"] == "discard":
            result |= dict.fromkeys(tiles(move["tiles"]), ("discarded", move["seat"]))
            result |= dict.fromkeys(tiles(move["drawn"]), ("drawn", move["seat"]))
    return result


def tricks_of(hand: dict[str, Any]) -> list[int]:
    return look({**hand, "deal": None}, range(99)).tricks


def damaged(hand: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The hand with one random change."""
    moves = [dict(move) for move in hand["moves"]]
    at = rng.randrange(len(moves))
    plays = [n for n, move in enumerate(moves) if move["type"] == "play"]
    exchanges = [n for n, move in enumerate(moves) if move["type"] == "discard"]
    kind = rng.choice(
        ("drop", "twice", "swap", "seat", "tile", "suit", "trump", "contract", "count", "name", "swap tiles", "deal")
    )
    if kind == "drop":
        del moves[at]
    elif kind == "twice":
        moves.insert(rng.randint(at, len(moves)), dict(moves[at]))
    elif kind == "swap":
        other = rng.randrange(len(moves))
        moves[at], moves[other] = moves[other], moves[at]
    elif kind == "seat":
        moves[at]["seat"] = rng.randrange(3)
    elif kind == "tile" and plays:
        moves[rng.choice(plays)]["tile"] = text(rng.choice(TILES))
    elif kind == "suit" and plays:
        move = moves[rng.choice(plays)]
        if "suit" in move and rng.random() < 0.5:
            del move["suit"]
        else:
            move["suit"] = rng.randrange(7)
    elif kind == "trump" and moves[0]["type"] == "contract":
        if "trump" in moves[0] and rng.random() < 0.3:
            del moves[0]["trump"]
        else:
            moves[0]["trump"] = rng.randrange(7)
    elif kind == "contract" and moves[0]["type"] == "contract":
        moves[0]["contract"] = rng.choice([*TRUMPS, "all"])
    elif kind == "count" and exchanges:
        move = moves[rng.choice(exchanges)]
        move["count"] = rng.randint(0, 8)
        for key in ("tiles", "drawn"):
            move.pop(key, None)
    elif kind == "name" and exchanges:
        move = moves[rng.choice(exchanges)]
        named = [key for key in ("tiles", "drawn") if move.get(key)]
        if named:
            key = rng.choice(named)
            others = [t for t in map(text, TILES) if t not in move.get("tiles", []) + move.get("drawn", [])]
            move[key] = [rng.choice(others), *move[key][1:]]
    elif kind == "swap tiles" and len(plays) > 1:
        one, other = rng.sample(plays, 2)
        moves[one]["tile"], moves[other]["tile"] = moves[other]["tile"], moves[one]["tile"]
    elif kind == "deal" and any(hand.get("deal") or ()):
        deal = [None if held is None else list(held) for held in hand["deal"]]
        seat = rng.choice([s for s in SEATS if deal[s] is not None])
        free = set(map(text, TILES)).difference(*(held for held in deal if held is not None))
        if free:
            deal[seat][rng.randrange(7)] = rng.choice(sorted(free))
        hand = {**hand, "deal": deal}
    return {**hand, "moves": moves}
