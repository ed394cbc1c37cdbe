"""The tiles left at the end of a hand: whether they are possible, and whether they contradict earlier moves.

Players enter the tiles of each seat, or only their pips. ``can_be_left`` decides whether the hidden tiles can be
shared out so that all of that is true.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from games.base import Left, Opening, Term
from games.course import LayingRules
from games.errors import Code, Illegal, marked
from games.holdings import Holdings
from games.laying import LayingState
from games.line import Ends
from games.moves import Draw, Play
from games.tiles import ALL, COUNT, NAMES, PIPS, mask, members, names, union


class TilesLeft(NamedTuple):
    """The least and the most tiles that a seat can have left."""

    least: int
    most: int


class PipsLeft(NamedTuple):
    """The least and the most pips that some seats have left together."""

    seats: tuple[int, ...]
    least: int
    most: int


def counts_at_end(state: LayingState, out: int | None) -> list[TilesLeft]:
    """How many tiles each seat can have left if ``out`` went out, or if the hand was blocked (None).

    Exact once the moves have ended the hand. Before that, every other seat has at least one tile, and at most its tiles
    now and those it could still draw. Illegal if the moves ended the hand in another way.
    """
    if state.end is None:
        drawn = state.boneyard()
        return [TilesLeft(0, 0) if seat == out else TilesLeft(1, n + drawn) for seat, n in enumerate(state.held())]
    if out != (state.end.seat if state.end.by == "out" else None):
        raise _mismatch(state, marked("In the moves, this hand ends differently."))
    return [TilesLeft(n, n) for n in state.held()]


def check_left(state: LayingState, left: Left, counts: Sequence[TilesLeft] | None = None) -> None:
    """Checks what each seat has left. ``counts``: how many tiles that can be, by default as many as it holds now.

    Illegal ``left-mismatch`` if it is impossible by itself. Contradiction ``wrong-pass`` (or the code for a draw or a
    lead) if a tile proves an earlier entry wrong, ``no-possible-deal`` if no deal allows it.
    """
    counts = counts or [TilesLeft(n, n) for n in state.held()]
    _check_named(state, left, counts)
    holdings = state.holdings
    for seat, rest in enumerate(left):
        if isinstance(rest, int):
            continue
        reachable = _reachable(state, holdings, seat)
        for tile in rest:
            if not reachable >> tile & 1:
                raise state.course.disproved(seat, tile, None)
        kept = 0 if state.end is None else holdings.known[seat] & ~mask(rest)
        if kept:
            player = state.opening.players[seat]
            raise _mismatch(state, marked("{player} still holds {tile}."), player=player, tile=names(kept)[0])
    sums = [PipsLeft((seat,), rest, rest) for seat, rest in enumerate(left) if isinstance(rest, int)]
    named = [0 if isinstance(rest, int) else mask(rest) for rest in left]
    # All tiles cannot be left, because at least the lead was laid.
    if union(named) == ALL or not can_be_left(state, holdings, named, counts, sums):
        if state.moves and can_be_left(state, _by_plays_alone(state), named, counts, sums):
            raise state.course.impossible(None)
        raise why_not_left(state, named, counts, sums)


def can_be_left(
    state: LayingState, holdings: Holdings, named: Sequence[int], counts: Sequence[TilesLeft], sums: Sequence[PipsLeft]
) -> bool:
    """Whether the seats can have these tiles left (``named``, a mask for each seat), these pips (``sums``), and these
    numbers of tiles (``counts``).

    If the moves have not ended the hand, a seat may still draw tiles that it has left, and lay tiles that it holds now.
    """
    if sum(holdings.room) == COUNT and all(
        tiles == ALL for tiles, space in zip(holdings.may, holdings.room, strict=True) if space
    ):
        return _can_be_left_of_all(state.rules, tuple(named), tuple(counts), tuple(sums))
    return _can_be_left(state, holdings, named, counts, sums)


@lru_cache(maxsize=4096)
def _can_be_left_of_all(
    rules: LayingRules, named: tuple[int, ...], counts: tuple[TilesLeft, ...], sums: tuple[PipsLeft, ...]
) -> bool:
    """The same for a hand of which only the end is known. The cache helps because such questions repeat often."""
    holdings = Holdings.of(len(named), rules.dealt, (None,) * len(named))
    opening = Opening({}, (), 0, 0, (), frozenset(), (), None)
    return _can_be_left(
        LayingState(opening, rules, Ends.of(rules.kind), holdings, (), None), holdings, named, counts, sums
    )


def _can_be_left(
    state: LayingState, holdings: Holdings, named: Sequence[int], counts: Sequence[TilesLeft], sums: Sequence[PipsLeft]
) -> bool:
    if state.end is not None:
        by_pips = {seat for each in sums for seat in each.seats}
        holdings = holdings.having({seat: tiles for seat, tiles in enumerate(named) if seat not in by_pips})
    else:
        for seat, tiles in enumerate(named):
            holdings = holdings.at(tiles, *_sources(state, seat))
    if not holdings.possible():
        return False
    if not sums:
        return True
    rest = holdings.unlaid & ~union(named)
    for each in sorted(sums, key=lambda each: each.most)[:1]:
        if len(each.seats) == 1 and each.most <= FEW:
            # Few pips leave few choices, so try each of them together with the other sums.
            (seat,), others = each.seats, [other for other in sums if other is not each]
            held = holdings.known[seat] if state.end is not None else 0
            light = [tile for tile in members(_reachable(state, holdings, seat) & rest) if PIPS[tile] <= FEW]
            return any(
                _can_be_left(state, holdings, [*named[:seat], chosen, *named[seat + 1 :]], counts, others)
                for chosen in _sets(light, *counts[seat], each.least, each.most)
                if not held & ~chosen
            )
    nobody = (0,) * len(named)
    return _Sharing(state, holdings, union(named), counts, sums).can_go_on(0, nobody, (0,) * len(sums), (), holdings)


FEW = 9
"""For at most this many pips, all possible sets of tiles are tried."""


def _sets(tiles: Sequence[int], least: int, most: int, low: int, high: int) -> Iterator[int]:
    """The sets (masks) of between ``least`` and ``most`` of these tiles with between ``low`` and ``high`` pips."""
    if least <= 0 and low <= 0:
        yield 0
    for at, tile in enumerate(tiles):
        if most > 0 and PIPS[tile] <= high:
            for others in _sets(tiles[at + 1 :], least - 1, most - 1, low - PIPS[tile], high - PIPS[tile]):
                yield others | 1 << tile


class _Sharing:
    """Searches for hands with given pips: gives out the tiles one by one, the heaviest first.

    A branch ends if the tiles to come cannot give the right pips, if no deal is left, or if the same position has
    failed before.
    """

    def __init__(
        self, state: LayingState, holdings: Holdings, named: int, counts: Sequence[TilesLeft], sums: Sequence[PipsLeft]
    ) -> None:
        self.counts, self.sums = counts, sums
        self.ended = state.end is not None
        self.yard = holdings.yard
        self.seats = [(number, seat) for number, each in enumerate(sums) for seat in each.seats]
        self.sources = {seat: _sources(state, seat) for _, seat in self.seats}
        self.reach = {seat: _reachable(state, holdings, seat) for _, seat in self.seats}
        self.known = union(holdings.known[seat] for _, seat in self.seats)
        self.tiles = tuple(sorted(members(holdings.unlaid & ~named), key=lambda tile: PIPS[tile], reverse=True))
        # Several sums together can be impossible even if each of them alone is possible. That is often the case.
        self.groups = [group for size in range(1, len(sums) + 1) for group in combinations(range(len(sums)), size)]
        self.gives = [
            _gives(self.tiles, union(self.reach[seat] for number in group for seat in sums[number].seats))
            for group in self.groups
        ]
        # Tiles are alike if they may be in the same locations. If all are alike, only their numbers matter.
        question = union(holdings.may)
        self.free = all(tiles == question for tiles, space in zip(holdings.may, holdings.room, strict=True) if space)
        self.alike = {tile: tuple(tiles >> tile & 1 for tiles in holdings.may) for tile in self.tiles}
        self.failed: set[tuple[int, tuple[int, ...], tuple[int, ...], tuple[tuple[Any, int], ...]]] = set()

    def can_go_on(
        self,
        at: int,
        have: tuple[int, ...],
        paid: tuple[int, ...],
        went: tuple[tuple[tuple[int, ...], int], ...],
        holdings: Holdings,
    ) -> bool:
        """Whether the tiles from ``at`` on can be shared out. Of the earlier tiles, ``have`` is the number that each
        seat has, ``paid`` the pips of each sum, and ``went`` the location to which each kind of tile went."""
        if not self._can_be(at, have, paid) or not (self.free or holdings.possible()):
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
                if self.can_go_on(at + 1, *more, *self._given(went, tile, seat, holdings, self.sources[seat])):
                    return True
        if not (self.ended and self.known >> tile & 1):
            # A tile that nobody has left is in the boneyard; if the hand is not over, it can also be laid later.
            elsewhere = (self.yard,) if self.ended else range(self.yard + 1)
            if self.can_go_on(at + 1, have, paid, *self._given(went, tile, self.yard, holdings, elsewhere)):
                return True
        self.failed.add(need)
        return False

    def _can_be(self, at: int, have: tuple[int, ...], paid: tuple[int, ...]) -> bool:
        """Whether the tiles to come can give what each sum, and each group of sums together, still needs."""
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

    def _given(
        self,
        went: tuple[tuple[tuple[int, ...], int], ...],
        tile: int,
        to: int,
        holdings: Holdings,
        sources: Sequence[int],
    ) -> tuple[tuple[tuple[tuple[int, ...], int], ...], Holdings]:
        """``went`` and ``holdings`` after this tile was given to a location."""
        if self.free:
            return went, holdings
        return tuple(sorted((*went, (self.alike[tile], to)))), holdings.at(1 << tile, *sources)


class _Gives(NamedTuple):
    """By number of tiles, the pips that this many of some tiles can have together: bit n stands for n pips."""

    sums: tuple[int, ...]

    def can_be(self, least: int, most: int, low: int, high: int) -> bool:
        """Whether between ``least`` and ``most`` of the tiles can have between ``low`` and ``high`` pips."""
        if high < 0:
            return False
        low = max(low, 0)
        wanted = (1 << (high - low + 1)) - 1
        return any(sums >> low & wanted for sums in self.sums[least : most + 1])


@lru_cache(maxsize=256)
def _gives(tiles: tuple[int, ...], among: int) -> list[_Gives]:
    """For each position in ``tiles``, what the tiles from there on can give. Only those in the mask ``among`` count."""
    gives = [_Gives((1,))]
    for tile in reversed(tiles):
        sums = gives[-1].sums
        if among >> tile & 1:
            without, pips = (*sums, 0), PIPS[tile]
            sums = (1, *(without[n] | without[n - 1] << pips for n in range(1, len(without))))
        gives.append(_Gives(sums))
    return gives[::-1]


def endings(state: LayingState, left: Left | None) -> Iterator[tuple[tuple[Term, ...], ...]]:
    """What each seat can have left, as terms by seat: ``left`` if it is known, else one for each deal that fits."""
    if left is not None:
        yield terms(left)
        return
    for hands in state.holdings.hands():
        yield terms(tuple(tuple(reversed(list(members(hand)))) for hand in hands[:-1]))


def terms(left: Left) -> tuple[tuple[Term, ...], ...]:
    """What is left, as terms by seat."""
    return tuple(
        (Term(seat, "", rest),) if isinstance(rest, int) else tuple(Term(seat, NAMES[t], PIPS[t]) for t in rest)
        for seat, rest in enumerate(left)
    )


def _check_named(state: LayingState, left: Left, counts: Sequence[TilesLeft]) -> None:
    """Illegal if a named tile cannot be left there, whatever the passes and draws prove."""
    holdings, shown = state.holdings, 0
    for seat, rest in enumerate(left):
        if isinstance(rest, int):
            continue
        player = state.opening.players[seat]
        if not counts[seat].least <= len(rest) <= counts[seat].most:
            raise wrong_number(state.opening, seat, len(rest), counts[seat])
        for tile in rest:
            if not holdings.unlaid >> tile & 1:
                raise _mismatch(state, marked("{tile} was laid, so it cannot be left."), tile=NAMES[tile])
            if shown >> tile & 1:
                raise _mismatch(state, marked("{tile} appears twice."), tile=NAMES[tile])
            if all(holdings.known_elsewhere(location, tile) for location in _sources(state, seat)):
                raise _mismatch(state, marked("{player} does not hold {tile}."), player=player, tile=NAMES[tile])
            shown |= 1 << tile


def wrong_number(opening: Opening, seat: int, number: int, can_be: TilesLeft) -> Illegal:
    """The error for a wrong ``number`` of tiles left with a seat, with the right one."""
    if can_be.most == 0:
        text = marked("{player} went out, so they have no tiles left.")
    elif can_be.least == can_be.most:
        text = marked("Tiles left with {player}: {most}, not {count}.")
    elif number < can_be.least:
        text = marked("{player} did not go out, so they have at least one tile left.")
    else:
        text = marked("Tiles left with {player}: at most {most}, not {count}.")
    player = opening.players[seat]
    return opening.error(Illegal, Code.LEFT_MISMATCH, text, None, player=player, most=can_be.most, count=number)


def why_not_left(
    state: LayingState, named: Sequence[int], counts: Sequence[TilesLeft], sums: Sequence[PipsLeft]
) -> Illegal:
    """The error for tiles and pips for which ``can_be_left`` is false by the plays alone, with the reason."""
    holdings = _by_plays_alone(state)
    for each in sums:
        reach = union(_reachable(state, holdings, seat) for seat in each.seats) & ~union(named)
        pips = sorted(PIPS[tile] for tile in members(reach))
        fewest, most = (sum(numbers) for numbers in zip(*(counts[seat] for seat in each.seats), strict=True))
        lightest, heaviest = sum(pips[:fewest]), sum(pips[-most:] if most else ())
        if most == 0 < each.least:
            return wrong_number(state.opening, each.seats[0], 1, TilesLeft(0, 0))
        players = " + ".join(state.opening.players[seat] for seat in each.seats)
        if each.least > heaviest:
            heavy = (
                marked("One tile cannot count {pips}: the heaviest that can be left counts {limit}."),
                marked("{count} tiles cannot count {pips}: the heaviest that can be left count {limit}."),
                marked("{player} cannot have {pips} pips left: all the tiles they can have count {limit}."),
            )
            at = 2 if fewest < most else most > 1
            return _mismatch(state, heavy[at], player=players, count=most, pips=each.least, limit=heaviest)
        if each.most < lightest:
            light = (
                marked("One tile cannot count {pips}: the lightest that can be left counts {limit}."),
                marked("{count} tiles cannot count {pips}: the lightest that can be left count {limit}."),
            )
            return _mismatch(state, light[fewest > 1], count=fewest, pips=each.most, limit=lightest)
        if not can_be_left(state, holdings, named, counts, [each]):
            text = marked("No tiles that {player} can have left count {pips}. Count them again.")
            return _mismatch(state, text, player=players, pips=each.least)
    pips_left = sum(each.least for each in sums) + sum(PIPS[tile] for tile in members(union(named)))
    unlaid = sum(PIPS[tile] for tile in members(holdings.unlaid))
    if pips_left > unlaid:
        text = marked("These count {sum} in all, but only {rest} pips are not on the table. Count them again.")
        return _mismatch(state, text, sum=pips_left, rest=unlaid)
    if sums:
        text = marked("Each count is possible, but not all of them: no tile can be in two hands. Count them again.")
        return _mismatch(state, text)
    return _mismatch(state, marked("No deal leaves all these tiles: others must be left or laid. Count them again."))


def _sources(state: LayingState, seat: int) -> tuple[int, ...]:
    """The locations where the tiles that a seat has left may be now: with the seat, or in the boneyard if it can still
    draw."""
    return (seat,) if state.end is not None or not state.boneyard() else (seat, len(state.held()))


def _reachable(state: LayingState, holdings: Holdings, seat: int) -> int:
    """The mask of tiles that this seat may have left. Each tile is possible by itself, but maybe not together."""
    return union(holdings.may_have(location) for location in _sources(state, seat))


def _by_plays_alone(state: LayingState) -> Holdings:
    """Where the tiles may be by the known deal and the plays alone. Ignores what passes, draws and the lead prove."""
    opening = state.opening
    holdings = Holdings.of(len(opening.players), state.rules.dealt, opening.deal)
    for move in state.moves:
        if isinstance(move, Play):
            holdings = holdings.lay(move.seat, move.tile)
        elif isinstance(move, Draw):
            holdings = (
                holdings.draw_unseen(move.seat, move.number, 0)
                if move.tiles is None
                else holdings.draw_seen(move.seat, mask(move.tiles))
            )
    return holdings


def _more(values: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    return (*values[:at], values[at] + more, *values[at + 1 :])


def _mismatch(state: LayingState, template: str, **facts: Any) -> Illegal:
    return state.opening.error(Illegal, Code.LEFT_MISMATCH, template, None, **facts)
