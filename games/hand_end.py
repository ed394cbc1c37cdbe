"""What is left in the hands at the end: whether it can be, and what it says of the moves before.

Each seat's tiles are named, or only their pips are told. ``can_be_left`` decides whether the tiles nobody has seen can
be shared out so that everything told is true.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from games.base import Left, Opening, Term
from games.course import Manner
from games.errors import Code, Illegal, marked
from games.laying import LayingState
from games.line import Ends
from games.moves import Draw, Play
from games.places import Places
from games.tiles import ALL, COUNT, NAMES, PIPS, mask, members, names, union


class Counts(NamedTuple):
    """Between how many and how many tiles a seat has left."""

    least: int
    most: int


class Sum(NamedTuple):
    """What some seats have left together is between ``least`` and ``most`` pips."""

    seats: tuple[int, ...]
    least: int
    most: int


def counts_at_end(state: LayingState, out: int | None) -> list[Counts]:
    """How many tiles each seat may have left when ``out`` went out, or the hand was blocked (None).

    Exact once the moves have ended the hand. Before that every other seat has at least one, and no more than it has
    now and could still draw.
    """
    if state.end is None:
        drawn = state.boneyard()
        return [Counts(0, 0) if seat == out else Counts(1, n + drawn) for seat, n in enumerate(state.held())]
    if out != (state.end.seat if state.end.by == "out" else None):
        raise _mismatch(state, marked("In the moves, this hand ends differently."))
    return [Counts(n, n) for n in state.held()]


def check_left(state: LayingState, left: Left, counts: Sequence[Counts] | None = None) -> None:
    """Checks what is said to be left, each seat having so many tiles (None: as many as it holds now).

    Raises ``left-mismatch`` for what cannot be by itself, ``wrong-pass`` (or what the draw or lead claimed) for a tile
    that disproves an earlier entry, ``no-possible-deal`` for what no deal allows.
    """
    counts = counts or [Counts(n, n) for n in state.held()]
    _check_named(state, left, counts)
    places = state.places
    for seat, said in enumerate(left):
        if isinstance(said, int):
            continue
        reachable = _reachable(state, places, seat)
        for tile in said:
            if not reachable >> tile & 1:
                raise state.course.disproved(seat, tile, None)
        kept = 0 if state.end is None else places.told[seat] & ~mask(said)
        if kept:
            player = state.opening.players[seat]
            raise _mismatch(state, marked("{player} still holds {tile}."), player=player, tile=names(kept)[0])
    sums = [Sum((seat,), said, said) for seat, said in enumerate(left) if isinstance(said, int)]
    named = [0 if isinstance(said, int) else mask(said) for said in left]
    # The lead at least was laid.
    if union(named) == ALL or not can_be_left(state, places, named, counts, sums):
        if state.moves and can_be_left(state, _unclaimed(state), named, counts, sums):
            raise state.course.impossible(None)
        raise _mismatch(state, marked("These tiles or pips cannot all be left. Count them again."))


def can_be_left(
    state: LayingState, places: Places, named: Sequence[int], counts: Sequence[Counts], sums: Sequence[Sum]
) -> bool:
    """Whether the seats can have these tiles left (a mask a seat) and the others these pips, each so many tiles.

    Before the moves end the hand, what is left may also be drawn later, and tiles held now may be laid.
    """
    if sum(places.room) == COUNT and all(
        tiles == ALL for tiles, space in zip(places.may, places.room, strict=True) if space
    ):
        return _can_be_left_of_all(state.how, tuple(named), tuple(counts), tuple(sums))
    return _can_be_left(state, places, named, counts, sums)


@lru_cache(maxsize=4096)
def _can_be_left_of_all(how: Manner, named: tuple[int, ...], counts: tuple[Counts, ...], sums: tuple[Sum, ...]) -> bool:
    """The same for a hand of which no more is known than how it ended: there the same is asked again and again."""
    places = Places.of(len(named), how.dealt, (None,) * len(named))
    opening = Opening({}, (), 0, 0, (), frozenset(), (), None)
    return _can_be_left(LayingState(opening, how, Ends.of(how.kind), places, (), None), places, named, counts, sums)


def _can_be_left(
    state: LayingState, places: Places, named: Sequence[int], counts: Sequence[Counts], sums: Sequence[Sum]
) -> bool:
    if state.end is not None:
        by_pips = {seat for each in sums for seat in each.seats}
        places = places.having({seat: tiles for seat, tiles in enumerate(named) if seat not in by_pips})
    else:
        for seat, tiles in enumerate(named):
            places = places.at(tiles, *_sources(state, seat))
    if not places.possible():
        return False
    if not sums:
        return True
    rest = places.unlaid & ~union(named)
    for each in sorted(sums, key=lambda each: each.most)[:1]:
        if len(each.seats) == 1 and each.most <= FEW:
            # So few pips leave few choices: with each of them the others are looked at.
            (seat,), others = each.seats, [other for other in sums if other is not each]
            held = places.told[seat] if state.end is not None else 0
            light = [tile for tile in members(_reachable(state, places, seat) & rest) if PIPS[tile] <= FEW]
            return any(
                _can_be_left(state, places, [*named[:seat], chosen, *named[seat + 1 :]], counts, others)
                for chosen in _sets(light, *counts[seat], each.least, each.most)
                if not held & ~chosen
            )
    nobody = (0,) * len(named)
    return _Sharing(state, places, union(named), counts, sums).goes_on(0, nobody, (0,) * len(sums), (), places)


FEW = 9
"""Pips of so few the possible sets of tiles can all be tried."""


def _sets(tiles: Sequence[int], least: int, most: int, low: int, high: int) -> Iterator[int]:
    """The sets (masks) of between ``least`` and ``most`` of these tiles with between ``low`` and ``high`` pips."""
    if least <= 0 and low <= 0:
        yield 0
    for at, tile in enumerate(tiles):
        if most > 0 and PIPS[tile] <= high:
            for others in _sets(tiles[at + 1 :], least - 1, most - 1, low - PIPS[tile], high - PIPS[tile]):
                yield others | 1 << tile


class _Sharing:
    """The search for hands of which only the pips are told: tile by tile, heaviest first. The same need is never met
    twice, and a branch ends where the pips to come cannot give what is said, or no deal is left."""

    def __init__(
        self, state: LayingState, places: Places, named: int, counts: Sequence[Counts], sums: Sequence[Sum]
    ) -> None:
        self.counts, self.sums = counts, sums
        self.ended = state.end is not None
        self.yard = places.yard
        self.seats = [(number, seat) for number, each in enumerate(sums) for seat in each.seats]
        self.sources = {seat: _sources(state, seat) for _, seat in self.seats}
        self.reach = {seat: _reachable(state, places, seat) for _, seat in self.seats}
        self.known = union(places.told[seat] for _, seat in self.seats)
        self.tiles = tuple(sorted(members(places.unlaid & ~named), key=lambda tile: PIPS[tile], reverse=True))
        # What holds for each sum holds for any of them together, and that is often where it fails.
        self.groups = [group for size in range(1, len(sums) + 1) for group in combinations(range(len(sums)), size)]
        self.gives = [
            _gives(self.tiles, union(self.reach[seat] for number in group for seat in sums[number].seats))
            for group in self.groups
        ]
        # Tiles that may be in the same places are alike. Where all are, only their numbers matter.
        question = union(places.may)
        self.free = all(tiles == question for tiles, space in zip(places.may, places.room, strict=True) if space)
        self.alike = {tile: tuple(tiles >> tile & 1 for tiles in places.may) for tile in self.tiles}
        self.failed: set[tuple[int, tuple[int, ...], tuple[int, ...], tuple[tuple[Any, int], ...]]] = set()

    def goes_on(
        self,
        at: int,
        have: tuple[int, ...],
        paid: tuple[int, ...],
        went: tuple[tuple[tuple[int, ...], int], ...],
        places: Places,
    ) -> bool:
        """Whether the tiles from this one on can be shared out when each seat has so many of those before, each sum is
        paid so far, and ``went`` says to which place the tiles of each kind went."""
        if not self._can_be(at, have, paid) or not (self.free or places.possible()):
            return False
        if at == len(self.tiles):
            return True
        need = (at, have, paid, went)
        if need in self.failed:
            return False
        tile = self.tiles[at]
        for number, seat in sorted(self.seats, key=lambda each: paid[each[0]] - self.sums[each[0]].most):
            if have[seat] < self.counts[seat].most and self.reach[seat] >> tile & 1:
                more = _more(have, seat, 1), _more(paid, number, PIPS[tile])
                if self.goes_on(at + 1, *more, *self._gone(went, tile, seat, places, self.sources[seat])):
                    return True
        if not (self.ended and self.known >> tile & 1):
            # Once the hand is over a tile nobody has left is in the boneyard; before that it may also be laid.
            elsewhere = (self.yard,) if self.ended else range(self.yard + 1)
            if self.goes_on(at + 1, have, paid, *self._gone(went, tile, self.yard, places, elsewhere)):
                return True
        self.failed.add(need)
        return False

    def _can_be(self, at: int, have: tuple[int, ...], paid: tuple[int, ...]) -> bool:
        """Whether the tiles to come can give each sum, and any of the sums together, what it still needs."""
        needs = [
            (
                sum(max(self.counts[seat].least - have[seat], 0) for seat in each.seats),
                sum(self.counts[seat].most - have[seat] for seat in each.seats),
                each.least - so_far,
                each.most - so_far,
            )
            for each, so_far in zip(self.sums, paid, strict=True)
        ]
        return all(
            gives[at].can_be(*map(sum, zip(*(needs[number] for number in group), strict=True)))
            for group, gives in zip(self.groups, self.gives, strict=True)
        )

    def _gone(
        self,
        went: tuple[tuple[tuple[int, ...], int], ...],
        tile: int,
        to: int,
        places: Places,
        sources: Sequence[int],
    ) -> tuple[tuple[tuple[tuple[int, ...], int], ...], Places]:
        """What is known once this tile is among those of one place."""
        if self.free:
            return went, places
        return tuple(sorted((*went, (self.alike[tile], to)))), places.at(1 << tile, *sources)


class _Gives(NamedTuple):
    """For each number of tiles the sums that so many of some tiles can have: bit n for n pips."""

    sums: tuple[int, ...]

    def can_be(self, least: int, most: int, low: int, high: int) -> bool:
        """Whether between ``least`` and ``most`` of the tiles may have between ``low`` and ``high`` pips."""
        if high < 0:
            return False
        low = max(low, 0)
        wanted = (1 << (high - low + 1)) - 1
        return any(sums >> low & wanted for sums in self.sums[least : most + 1])


@lru_cache(maxsize=256)
def _gives(tiles: tuple[int, ...], among: int) -> list[_Gives]:
    """What those of the tiles from each place on that are in the mask ``among`` can give."""
    gives = [_Gives((1,))]
    for tile in reversed(tiles):
        sums = gives[-1].sums
        if among >> tile & 1:
            without, pips = (*sums, 0), PIPS[tile]
            sums = (1, *(without[n] | without[n - 1] << pips for n in range(1, len(without))))
        gives.append(_Gives(sums))
    return gives[::-1]


def endings(state: LayingState, left: Left | None) -> Iterator[tuple[tuple[Term, ...], ...]]:
    """What each seat may hold at the end, as summands: what is told, or else what each deal that fits leaves it."""
    if left is not None:
        yield terms(left)
        return
    for hands in state.places.hands():
        yield terms(tuple(tuple(reversed(list(members(hand)))) for hand in hands[:-1]))


def terms(left: Left) -> tuple[tuple[Term, ...], ...]:
    """What is left, as summands by seat."""
    return tuple(
        (Term(seat, "", said),) if isinstance(said, int) else tuple(Term(seat, NAMES[t], PIPS[t]) for t in said)
        for seat, said in enumerate(left)
    )


def _check_named(state: LayingState, left: Left, counts: Sequence[Counts]) -> None:
    """The tiles that are named can be where they are said to be, whatever the moves before say."""
    places, shown = state.places, 0
    for seat, said in enumerate(left):
        if isinstance(said, int):
            continue
        player = state.opening.players[seat]
        if not counts[seat].least <= len(said) <= counts[seat].most:
            raise _mismatch(state, marked("{player} cannot have {count} tiles left."), player=player, count=len(said))
        for tile in said:
            if not places.unlaid >> tile & 1:
                raise _mismatch(state, marked("{tile} was laid, so it cannot be left."), tile=NAMES[tile])
            if shown >> tile & 1:
                raise _mismatch(state, marked("{tile} appears twice."), tile=NAMES[tile])
            if all(places.known_elsewhere(place, tile) for place in _sources(state, seat)):
                raise _mismatch(state, marked("{player} does not hold {tile}."), player=player, tile=NAMES[tile])
            shown |= 1 << tile


def _sources(state: LayingState, seat: int) -> tuple[int, ...]:
    """Where the tiles a seat has left are now: with it, or in the boneyard if it may still draw them."""
    return (seat,) if state.end is not None or not state.boneyard() else (seat, len(state.held()))


def _reachable(state: LayingState, places: Places, seat: int) -> int:
    """The mask of tiles this seat may have left, each looked at by itself."""
    return union(places.may_have(place) for place in _sources(state, seat))


def _unclaimed(state: LayingState) -> Places:
    """Where the tiles may be by the known deal and the plays alone, whatever passes, draws and the lead say."""
    opening = state.opening
    places = Places.of(len(opening.players), state.how.dealt, opening.deal)
    for move in state.moves:
        if isinstance(move, Play):
            places = places.lay(move.seat, move.tile)
        elif isinstance(move, Draw):
            places = (
                places.draw_unseen(move.seat, move.number, 0)
                if move.tiles is None
                else places.draw_seen(move.seat, mask(move.tiles))
            )
    return places


def _more(values: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    return (*values[:at], values[at] + more, *values[at + 1 :])


def _mismatch(state: LayingState, template: str, **facts: Any) -> Illegal:
    return state.opening.error(Illegal, Code.LEFT_MISMATCH, template, None, **facts)
