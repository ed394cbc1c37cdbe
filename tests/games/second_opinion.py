"""A second opinion on Domino Whist and Block: slow, plain, and sharing no code with ``games``.

A tile is a pair of numbers, higher first; the line of play is a row of turned tiles; a deal is a list of sets, one
a seat, then the boneyard if there is one. Hands come in and go out as a record writes them.
"""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Tile = tuple[int, int]
TILES: list[Tile] = [(high, low) for high in range(7) for low in range(high + 1)]


def tile(text: str) -> Tile:
    return int(text[0]), int(text[2])


def text(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def pips(tiles: Any) -> int:
    return sum(high + low for high, low in tiles)


# --- the line of play --------------------------------------------------------------------------------------
@dataclass
class Row:
    """The tiles from west to east, each with its western half first, and the branches of the spinner."""

    branching: bool = False
    tiles: list[Tile] = field(default_factory=list)
    north: list[Tile] = field(default_factory=list)
    south: list[Tile] = field(default_factory=list)
    spinner: Tile | None = None

    def ends(self) -> dict[str, int]:
        if not self.tiles:
            return {}
        ends = {"w": self.tiles[0][0], "e": self.tiles[-1][1]}
        if self.spinner and self.spinner != self.tiles[0] and self.spinner != self.tiles[-1]:
            ends["n"] = self.north[-1][1] if self.north else self.spinner[0]
            ends["s"] = self.south[-1][1] if self.south else self.spinner[0]
        return ends

    def fits(self, tile: Tile) -> list[str]:
        return [end for end, value in self.ends().items() if value in tile]

    def lay(self, tile: Tile, end: str | None) -> None:
        if self.branching and self.spinner is None and tile[0] == tile[1]:
            self.spinner = tile
        if not self.tiles:
            self.tiles.append(tile)
            return
        end = end or self.fits(tile)[0]
        value = self.ends().get(end)
        outwards = tile if tile[0] == value else (tile[1], tile[0])
        if end == "w":
            self.tiles.insert(0, (outwards[1], outwards[0]))
        else:
            {"e": self.tiles, "n": self.north, "s": self.south}[end].append(outwards)

    def count(self) -> int:
        """The pips at the ends, both halves of a double, nothing for an empty branch."""
        if len(self.tiles) == 1:
            return sum(self.tiles[0])
        at_ends = [self.tiles[0], self.tiles[-1], *self.north[-1:], *self.south[-1:]]
        showing = [self.tiles[0][0], self.tiles[-1][1], *(arm[-1][1] for arm in (self.north, self.south) if arm)]
        return sum(2 * pip if end[0] == end[1] else pip for end, pip in zip(at_ends, showing, strict=True))

    def points(self, multiples: Sequence[int]) -> int:
        """The points of the last play: the count, if it is a multiple of one of these numbers."""
        count = self.count() if multiples else 0
        return count if any(count % multiple == 0 for multiple in multiples) else 0


# --- the rules of a hand -----------------------------------------------------------------------------------
@dataclass
class Rules:
    seats: int
    lead_double: bool = False
    spinner: bool = False
    multiples: tuple[int, ...] = ()
    target: int | None = None
    """The points that end the match in mid-hand."""

    @property
    def boneyard(self) -> int:
        return 28 - 7 * self.seats


WHIST = Rules(4)
BLOCK = Rules(2, lead_double=True, target=150)


@dataclass
class Played:
    """A hand after its moves. ``fault``: where and how the moves break the rules, as any onlooker can see."""

    ends: list[dict[str, int]] = field(default_factory=list)
    """The open ends before each move."""
    laid: dict[Tile, tuple[int, int]] = field(default_factory=dict)
    """For each tile laid, the seat and the number of the move."""
    table: list[int] = field(default_factory=list)
    end: str | None = None
    last: int | None = None
    turn: int = 0
    fault: tuple[int, str] | None = None


def completed(deal: Sequence[Any] | None, rules: Rules) -> list[set[Tile] | None]:
    hands = [None if hand is None else {tile(t) for t in hand} for hand in deal or [None] * rules.seats]
    if hands.count(None) == 1 and not rules.boneyard:
        hands[hands.index(None)] = set(TILES).difference(*(hand for hand in hands if hand is not None))
    return hands


def play(hand: dict[str, Any], opener: int, rules: Rules, noted: Sequence[int] = ()) -> Played:
    """Follows the moves of a hand until one of them breaks a rule. Checks them against known hands too."""
    known = completed(hand.get("deal"), rules)
    row, played = Row(rules.spinner), Played(table=[0] * rules.seats, turn=opener)
    passes = 0
    for at, move in enumerate(hand["moves"]):
        played.ends.append(row.ends())
        played.fault = _fault(move, at, row, played, known, rules, noted)
        if played.fault:
            return played
        seat = move["seat"]
        if move["type"] == "pass":
            passes += 1
            played.end = "blocked" if passes == rules.seats else None
        else:
            passes, played.last = 0, seat
            row.lay(tile(move["tile"]), move.get("end"))
            played.laid[tile(move["tile"])] = (seat, at)
            played.table[seat] += row.points(rules.multiples)
            if sum(who == seat for who, _ in played.laid.values()) == 7:
                played.end = "out"
            if rules.target and played.table[seat] >= rules.target:
                played.end = "reached"
        played.turn = (seat + 1) % rules.seats
    return played


def _fault(
    move: dict[str, Any],
    at: int,
    row: Row,
    played: Played,
    known: list[set[Tile] | None],
    rules: Rules,
    noted: Sequence[int],
) -> tuple[int, str] | None:
    seat, own = move["seat"], known[move["seat"]]
    if played.end:
        return at, "hand-over"
    if seat != played.turn:
        return at, "not-your-turn"
    if move["type"] == "pass":
        if not row.tiles:
            return at, "must-play"
        held = [t for t in own or () if t not in played.laid]
        return (at, "must-play") if at not in noted and any(row.fits(t) for t in held) else None
    laying, end = tile(move["tile"]), move.get("end")
    if laying in played.laid:
        return at, "tile-already-laid"
    if (own is not None and laying not in own) or any(h and laying in h for s, h in enumerate(known) if s != seat):
        return at, "tile-not-held"
    if not row.tiles:
        if rules.lead_double and laying[0] != laying[1]:
            return at, "must-lead-double"
        return (at, "no-such-end") if end else None
    if end and end not in row.ends():
        return at, "no-such-end"
    if not end and len(row.fits(laying)) > 1:
        return at, "end-needed"
    return None if (end in row.fits(laying) if end else row.fits(laying)) else (at, "no-match")


# --- which deals fit ---------------------------------------------------------------------------------------
def may_hold(hand: dict[str, Any], played: Played, upto: int, rules: Rules, noted: Sequence[int]) -> list[set[Tile]]:
    """For each holder, the tiles that it may have been dealt by the first ``upto`` moves. Checks each tile by itself: a
    player who passes has no tile that fits, of those still held."""
    known = completed(hand.get("deal"), rules)
    shown = set().union(*(h for h in known if h is not None))
    laid = {t: who for t, (who, at) in played.laid.items() if at < upto}
    holders: list[set[Tile]] = []
    for seat in range(rules.seats):
        own = known[seat]
        can = {t for t in TILES if laid.get(t, seat) == seat and (t in own if own is not None else t not in shown)}
        for at, move in enumerate(hand["moves"][:upto]):
            if move["type"] == "pass" and move["seat"] == seat and at not in noted:
                ends = played.ends[at].values()
                can -= {t for t in can if set(t) & set(ends) and not (t in laid and played.laid[t][1] < at)}
        if rules.lead_double and upto:
            lead = tile(hand["moves"][0]["tile"])
            can -= {t for t in can if t[0] == t[1] and t > lead}
        holders.append(can)
    if rules.boneyard:
        holders.append(set(TILES) - shown - set(laid))
    return holders


def rooms(rules: Rules) -> list[int]:
    return [7] * rules.seats + ([rules.boneyard] if rules.boneyard else [])


def fits_some_deal(can: Sequence[set[Tile]], room: Sequence[int], tiles: Sequence[Tile] = TILES) -> bool:
    """Whether every tile can go to a holder that may have it and has room. Places tiles one by one, and moves others if
    needed."""
    held: list[list[Tile]] = [[] for _ in room]

    def place(tile: Tile, tried: set[int]) -> bool:
        for holder in range(len(room)):
            if tile in can[holder] and holder not in tried:
                tried.add(holder)
                if len(held[holder]) < room[holder]:
                    held[holder].append(tile)
                    return True
                for other in list(held[holder]):
                    if place(other, tried):
                        held[holder].remove(other)
                        held[holder].append(tile)
                        return True
        return False

    return all(place(tile, set()) for tile in sorted(tiles, key=lambda t: sum(t in c for c in can)))


def deals(can: Sequence[set[Tile]], room: Sequence[int], tiles: Sequence[Tile] = TILES) -> Iterator[list[set[Tile]]]:
    """Every way to share out the tiles, one tile after the other."""
    held: list[set[Tile]] = [set() for _ in room]

    def share(at: int) -> Iterator[list[set[Tile]]]:
        if at == len(tiles):
            yield [set(h) for h in held]
            return
        for holder, can_have in enumerate(can):
            if tiles[at] in can_have and len(held[holder]) < room[holder]:
                held[holder].add(tiles[at])
                yield from share(at + 1)
                held[holder].remove(tiles[at])

    yield from share(0)


def accepts(
    deal: Sequence[set[Tile]], hand: dict[str, Any], upto: int, rules: Rules, noted: Sequence[int] = ()
) -> bool:
    """Whether the first ``upto`` moves are possible with exactly this deal, by simulating them."""
    opener = hand.get("opener", hand.get("leader"))
    if rules.lead_double and upto:
        doubles = [t for seat in range(rules.seats) for t in deal[seat] if t[0] == t[1]]
        if not doubles or tile(hand["moves"][0]["tile"]) != max(doubles):
            return False
    open_hands = {
        "deal": [[text(t) for t in deal[seat]] for seat in range(rules.seats)],
        "moves": hand["moves"][:upto],
    }
    return play(open_hands, opener, rules, noted).fault is None


@dataclass
class Opinion:
    """The judgement of a hand: its first error, or how its moves went."""

    code: str | None = None
    move: int | None = None
    proof: int | None = None
    played: Played | None = None


def judge(hand: dict[str, Any], rules: Rules, noted: Sequence[int] = ()) -> Opinion:
    opener = hand.get("opener", hand.get("leader"))
    played = play(hand, opener, rules, noted)
    leader = _wrong_leader(hand, opener, rules)
    if leader and not (leader.move == 0 and played.fault == (0, "tile-not-held")):
        return leader
    first = _first_impossible(hand, played, rules, noted)
    shown = _disproved_by_play(hand, played, rules, noted)
    fault = played.fault
    at = [place for place in (first, shown and shown[0], fault and fault[0]) if place is not None]
    if at:
        # For the same entry, errors by the rules come before errors about hidden tiles.
        here = min(at)
        if fault and fault[0] == here:
            return Opinion(fault[1], here)
        if shown and shown[0] == here:
            return Opinion(shown[1], shown[2], here)
        return Opinion("no-possible-deal", here)
    if "left" in hand:
        if not played.end:
            return Opinion("hand-unfinished")
        return _judge_left(hand, played, rules, noted)
    return Opinion(played=played)


def _wrong_leader(hand: dict[str, Any], opener: int, rules: Rules) -> Opinion | None:
    """If the heaviest double must lead: the error that the known hands prove about the leader or the lead."""
    if not rules.lead_double:
        return None
    known = completed(hand.get("deal"), rules)
    doubles = [None if h is None else {t for t in h if t[0] == t[1]} for h in known]
    others = set().union(*(d for s, d in enumerate(doubles) if d is not None and s != opener))
    own = doubles[opener]
    if own is None:
        own = {t for t in TILES if t[0] == t[1]} - others
    if all(d is not None and not d for d in doubles):
        return Opinion("must-lead-double")
    if not own or (others and max(others) > max(own)):
        return Opinion("wrong-leader")
    lead = next((tile(move["tile"]) for move in hand["moves"][:1] if move["type"] == "play"), None)
    if lead is None or lead[0] != lead[1] or hand["moves"][0]["seat"] != opener:
        return None
    if any(t > lead for t in others):
        return Opinion("wrong-leader")
    if known[opener] is not None and lead in own and any(t > lead for t in own):
        return Opinion("must-lead-double", 0)
    return None


def _first_impossible(hand: dict[str, Any], played: Played, rules: Rules, noted: Sequence[int]) -> int | None:
    """The first move after which no deal fits. Later moves cannot make a deal fit again, so bisection finds it."""

    def fits(upto: int) -> bool:
        return fits_some_deal(may_hold(hand, played, upto, rules, noted), rooms(rules))

    low, high = 0, len(played.ends) - (played.fault is not None)
    if fits(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return high - 1


def _disproved_by_play(
    hand: dict[str, Any], played: Played, rules: Rules, noted: Sequence[int]
) -> tuple[int, str, int | None] | None:
    """The first play that proves an earlier entry wrong: its number, the code, and the entry at fault."""
    moves, opener = hand["moves"], hand.get("opener", hand.get("leader"))
    for tile_laid, (seat, at) in sorted(played.laid.items(), key=lambda item: item[1][1]):
        disproved = disproves(tile_laid, seat, moves[:at], played, rules, opener, noted)
        if disproved:
            return at, *disproved
    return None


def disproves(
    held: Tile, seat: int, moves: Sequence[Any], played: Played, rules: Rules, opener: int, noted: Sequence[int]
) -> tuple[str, int | None] | None:
    """What this tile proves by being in this hand during all these moves: the code and the entry at fault."""
    if rules.lead_double and moves and held[0] == held[1] and held > tile(moves[0]["tile"]):
        return ("must-lead-double", 0) if seat == opener else ("wrong-leader", None)
    for at, move in enumerate(moves):
        if (
            move["type"] == "pass"
            and move["seat"] == seat
            and at not in noted
            and set(held) & set(played.ends[at].values())
        ):
            return "wrong-pass", at
    return None


def _judge_left(hand: dict[str, Any], played: Played, rules: Rules, noted: Sequence[int]) -> Opinion:
    mismatch = Opinion("left-mismatch")
    opener, said = hand.get("opener", hand.get("leader")), hand["left"]
    known = completed(hand.get("deal"), rules)
    unseen = [t for t in TILES if t not in played.laid]
    room = [7 - sum(who == seat for who, _ in played.laid.values()) for seat in range(rules.seats)]
    named = [t for each in said if isinstance(each, list) for t in map(tile, each)]
    if len(set(named)) < len(named) or set(named) & set(played.laid):
        return mismatch
    for seat, each in enumerate(said):
        if isinstance(each, list):
            tiles = {tile(t) for t in each}
            others = set().union(*(h for s, h in enumerate(known) if h is not None and s != seat))
            if len(tiles) != room[seat] or tiles & others or (known[seat] is not None and not tiles <= known[seat]):
                return mismatch
    for seat, each in enumerate(said):
        for t in each if isinstance(each, list) else ():
            disproved = disproves(tile(t), seat, hand["moves"], played, rules, opener, noted)
            if disproved:
                return Opinion(*disproved)

    def shares(can: Sequence[set[Tile]]) -> bool:
        return any(True for _ in _held_at_the_end(said, can, [*room, rules.boneyard][: len(can)], unseen))

    nothing_said = may_hold({**hand, "moves": []}, Played(), 0, rules, ())
    if not shares(nothing_said):
        return mismatch
    if not shares(may_hold(hand, played, len(hand["moves"]), rules, noted)):
        return Opinion("no-possible-deal")
    return Opinion(played=played)


def _held_at_the_end(
    said: Sequence[Any], can: Sequence[set[Tile]], room: Sequence[int], unseen: Sequence[Tile], seat: int = 0
) -> Iterator[None]:
    """One item for each way to give the seats what they have left, so that the other tiles find holders too."""
    if seat == len(said):
        rest = range(seat, len(room))
        if fits_some_deal([can[h] for h in rest], [room[h] for h in rest], unseen):
            yield
        return
    if isinstance(said[seat], list):
        hands: Any = [{tile(t) for t in said[seat]}]
    else:
        mine = [t for t in unseen if t in can[seat]]
        hands = (set(held) for held in itertools.combinations(mine, room[seat]) if pips(held) == said[seat])
    for held in hands:
        if held <= can[seat] & set(unseen):
            yield from _held_at_the_end(said, can, room, [t for t in unseen if t not in held], seat + 1)


def endings(hand: dict[str, Any], played: Played, rules: Rules, noted: Sequence[int] = ()) -> Iterator[list[set[Tile]]]:
    """Every possible position of the remaining tiles after the moves of a hand."""
    unseen = [t for t in TILES if t not in played.laid]
    can = [c & set(unseen) for c in may_hold(hand, played, len(hand["moves"]), rules, noted)]
    room = [n - sum(who == h for who, _ in played.laid.values()) for h, n in enumerate(rooms(rules))]
    return deals(can, room, unseen)


# --- scores ------------------------------------------------------------------------------------------------
def whist_points(left: Sequence[set[Tile]], debit: str = "both") -> list[int]:
    ours, theirs = pips(left[0] | left[2]), pips(left[1] | left[3])
    if debit == "higher" and ours != theirs:
        ours, theirs = (ours, 0) if ours > theirs else (0, theirs)
    return [ours, theirs, ours, theirs]


def block_points(played: Played, left: Sequence[set[Tile]], options: dict[str, Any]) -> list[int]:
    points = list(played.table)
    held = [pips(left[0]), pips(left[1])]
    if played.end == "reached":
        return points
    if played.end == "out":
        paid, amount = played.last, held[1 - played.last]
    else:
        lighter = None if held[0] == held[1] else held.index(min(held))
        paid = lighter if options.get("block_award", "low") == "low" else played.last
        amount = 0
        if paid is not None:
            amount = {
                "difference": abs(held[0] - held[1]),
                "opponent": held[1 - paid],
                "both": sum(held),
            }[options.get("block_amount", "difference")]
    if options.get("rounding"):
        amount = {0: 0, 1: -1, 2: -2, 3: 2, 4: 1}[amount % 5] + amount
    if paid is not None:
        points[paid] += amount
    return points


# --- random hands ------------------------------------------------------------------------------------------
def random_hand(rng: random.Random, rules: Rules, opener: int | None = None) -> tuple[list[set[Tile]], dict[str, Any]]:
    """A random deal (with the boneyard last, if there is one), and a random legal hand with it, as in a record."""
    while True:
        tiles = TILES[:]
        rng.shuffle(tiles)
        deal = [set(tiles[7 * seat : 7 * seat + 7]) for seat in range(rules.seats)]
        doubles = [(max(d), seat) for seat in range(rules.seats) if (d := [t for t in deal[seat] if t[0] == t[1]])]
        if rules.lead_double and not doubles:
            continue
        leads = max(doubles)[1] if rules.lead_double else rng.randrange(rules.seats)
        if opener is None or opener == leads or not rules.lead_double:
            return [*deal, set(tiles[7 * rules.seats :])], _play_out(
                rng, deal, leads if opener is None else opener, rules
            )


def options_at(
    deal: Sequence[set[Tile]], moves: list[dict[str, Any]], opener: int, rules: Rules
) -> list[dict[str, Any]]:
    """Every legal next move of a hand with a known deal, in any order; none once it is over."""
    row, passes = Row(rules.spinner), 0
    held = [set(hand) for hand in deal]
    for move in moves:
        passes = passes + 1 if move["type"] == "pass" else 0
        if move["type"] == "play":
            row.lay(tile(move["tile"]), move.get("end"))
            held[move["seat"]].remove(tile(move["tile"]))
    return _options((opener + len(moves)) % rules.seats, row, held, passes, rules)


def _options(seat: int, row: Row, held: Sequence[set[Tile]], passes: int, rules: Rules) -> list[dict[str, Any]]:
    """The legal moves of this seat with these hands, after this number of passes in a row."""
    if passes == rules.seats or not all(held[: rules.seats]):
        return []
    if not row.tiles:
        leads = [max(t for t in held[seat] if t[0] == t[1])] if rules.lead_double else sorted(held[seat])
        return [{"seat": seat, "type": "play", "tile": text(t)} for t in leads]
    plays = [
        {"seat": seat, "type": "play", "tile": text(t), "end": end} for t in sorted(held[seat]) for end in row.fits(t)
    ]
    return plays or [{"seat": seat, "type": "pass"}]


def _play_out(rng: random.Random, deal: Sequence[set[Tile]], opener: int, rules: Rules) -> dict[str, Any]:
    moves: list[dict[str, Any]] = []
    row, passes = Row(rules.spinner), 0
    held = [set(hand) for hand in deal]
    table = [0] * rules.seats
    seat = opener
    while options := _options(seat, row, held, passes, rules):
        move = rng.choice(options)
        moves.append(move)
        passes = passes + 1 if move["type"] == "pass" else 0
        if move["type"] == "play":
            row.lay(tile(move["tile"]), move.get("end"))
            held[seat].remove(tile(move["tile"]))
            table[seat] += row.points(rules.multiples)
            if rules.target and table[seat] >= rules.target:
                break
        seat = (seat + 1) % rules.seats
    return {"opener" if rules.seats == 4 else "leader": opener, "moves": moves}


def left_after(deal: Sequence[set[Tile]], hand: dict[str, Any]) -> list[set[Tile]]:
    laid = {tile(move["tile"]) for move in hand["moves"] if move["type"] == "play"}
    return [held - laid for held in deal]
