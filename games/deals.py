"""How many deals fit what is known of hidden tiles.

Tiles are put into classes: tiles of one class can be in the same locations, with the same pips where pips matter. Then
it is enough to share out numbers of tiles, class by class, among the seats to which they were dealt and the boneyard.

A deal says what each seat was dealt, not where those tiles went later. So the different ways to place a seat's tiles
with its holders do not count as different deals. For each seat the search keeps a set: the rooms (free spaces) that its
holders can have left, with the pips they hold. A deal fits if, in the end, one way in the set fills every room and has
the right pips.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import comb
from typing import NamedTuple

from games.tiles import PIPS, members, union

_Rooms = frozenset[tuple[tuple[int, ...], tuple[int, ...]]]
"""For each way to place the tiles shared out so far: the free spaces of some holders, and the pips that they hold for
each seat whose pips are known."""
_State = tuple[_Rooms, ...]
"""The rooms of each seat that was dealt hidden tiles, then of the tiles that were not dealt."""


class Holder(NamedTuple):
    """Some hidden tiles that have the same history."""

    dealt_to: int | None
    """The seat to which they were dealt; None if they were in the boneyard."""
    owner: int
    """The location where they are now, or from which they were laid."""
    may: int
    """The mask of tiles that they may be."""
    room: int
    """The number of these tiles."""


def number_of_deals(given: Iterable[Holder], unlaid: int, owed: Mapping[int, int]) -> int:
    """The number of possible deals. Two deals differ in what a seat was dealt, not in what was drawn later.

    ``unlaid`` is the mask of tiles that are not laid yet. ``owed``: for some locations, the pips of their unlaid hidden
    tiles.
    """
    holders = _merged(given)
    classes = _classes(holders, unlaid if owed else 0)
    if classes.total() != sum(each.room for each in holders):
        return 0
    question = _Question(holders, owed)
    ways = Counter({question.start(): 1})
    rest = sorted(classes.items())
    while rest:
        kind, size = rest.pop()
        ways = _shared_out(ways, size, question.shares(kind, rest))
        if owed:
            ways = _payable(ways, question.limits, question.to_come(rest))
    return sum(number for state, number in ways.items() if question.paid_up(state))


_Kind = tuple[int, ...]
"""What the tiles of a class have in common: their pips (0 if these do not matter), then whether each holder may have
them."""


def _classes(holders: Sequence[Holder], counted: int) -> Counter[_Kind]:
    """The number of tiles of each kind. ``counted`` is the mask of tiles whose pips matter."""
    return Counter(
        (PIPS[tile] if counted >> tile & 1 else 0, *(each.may >> tile & 1 for each in holders))
        for tile in members(union(each.may for each in holders))
    )


class _Question:
    """Among whom the tiles are shared out, and which locations owe pips."""

    def __init__(self, holders: Sequence[Holder], owed: Mapping[int, int]) -> None:
        self.holders = holders
        dealt = sorted({each.dealt_to for each in holders if each.dealt_to is not None})
        self.sharers = [[h for h, each in enumerate(holders) if each.dealt_to == seat] for seat in (*dealt, None)]
        """The holders of each seat that was dealt tiles, then those of the tiles that were not dealt."""
        self.limits = tuple(owed.values())
        locations = list(owed)
        self.pays = [locations.index(each.owner) if each.owner in owed else None for each in holders]
        """For each holder, the index in ``limits`` of its location; None if the pips of that location do not matter."""
        payers = Counter(each.owner for each in holders)
        self.alone = [payers[each.owner] == 1 for each in holders]
        """For each holder, whether it is the only one of its location."""

    def start(self) -> _State:
        """The rooms before any tile is shared out."""
        paid = (0,) * len(self.limits)
        return tuple(frozenset({(tuple(self.holders[h].room for h in hs), paid)}) for hs in self.sharers)

    def shares(self, kind: _Kind, rest: Sequence[tuple[_Kind, int]]) -> list["_Shares"]:
        """For each sharer, how it can take tiles of this kind while those of ``rest`` are still to come."""
        worth, *takes = kind
        later = [[(pips, number) for (pips, *also), number in rest if also[h]] for h in range(len(self.holders))]
        return [
            _Shares(
                [takes[h] for h in hs],
                [later[h] for h in hs],
                [self.pays[h] for h in hs],
                [self.alone[h] for h in hs],
                worth,
                self.limits,
            )
            for hs in self.sharers
        ]

    def to_come(self, rest: Sequence[tuple[_Kind, int]]) -> list[int]:
        """For each of ``limits``, the pips of all tiles to come that its holders may have."""
        holders = [[h for h, payer in enumerate(self.pays) if payer == at] for at in range(len(self.limits))]
        return [
            sum(pips * number for (pips, *also), number in rest if any(also[h] for h in payers)) for payers in holders
        ]

    def paid_up(self, state: _State) -> bool:
        """Whether the pips are right in one of the ways that lead to this state."""
        nothing = (0,) * len(self.limits)
        sums = (tuple(map(sum, zip(*paid, nothing, strict=True))) for paid in product(*map(_paid, state)))
        return self.limits in sums


def _merged(given: Iterable[Holder]) -> list[Holder]:
    """Merges holders that differ in nothing but their room, and leaves out those without room."""
    rooms: Counter[tuple[int | None, int, int]] = Counter()
    for dealt_to, owner, may, room in given:
        rooms[dealt_to, owner, may] += room
    return [Holder(*key, room) for key, room in rooms.items() if room]


def _shared_out(ways: Mapping[_State, int], size: int, shares: Sequence["_Shares"]) -> Counter[_State]:
    """The states after ``size`` tiles of a kind are shared out, each with the number of ways that lead to it."""
    following: Counter[_State] = Counter()
    for state, number in ways.items():
        for after, ways_to in _shared(state, size, shares):
            following[after] += number * ways_to
    return following


def _shared(state: _State, size: int, shares: Sequence["_Shares"]) -> list[tuple[_State, int]]:
    """Every state after ``size`` tiles of a kind are shared out, each with the number of ways to choose the tiles."""
    shared: list[tuple[_State, int, int]] = [((), size, 1)]
    for share, room in zip(shares, state, strict=True):
        shared = [
            ((*done, left), tiles - part, number * comb(tiles, part))
            for done, tiles, number in shared
            for part in (range(tiles + 1) if share is not shares[-1] else (tiles,))
            if (left := share[room, part])
        ]
    return [(done, number) for done, _, number in shared]


def _payable(ways: Mapping[_State, int], limits: Sequence[int], to_come: Sequence[int]) -> Counter[_State]:
    """Drops every way to draw tiles that can no longer give the right pips, with all pips to come.

    Keeps a state as it is if the tiles dealt to a seat may be with several holders.
    """
    result: Counter[_State] = Counter()
    for (*dealt, drawn), number in ways.items():
        if any(len(rooms) > 1 for rooms in dealt):
            result[(*dealt, drawn)] += number
            continue
        paid = [sum(each) for each in zip((0,) * len(limits), *(_paid(rooms)[0] for rooms in dealt), strict=True)]
        needs = [limit - had for limit, had in zip(limits, paid, strict=True)]
        kept = frozenset(
            (room, more)
            for room, more in drawn
            if all(need - most <= pips <= need for need, most, pips in zip(needs, to_come, more, strict=True))
        )
        if kept:
            result[(*dealt, kept)] += number
    return result


def _paid(rooms: _Rooms) -> list[tuple[int, ...]]:
    """The pips held in each way."""
    return [paid for _, paid in rooms]


class _Shares(dict[tuple[_Rooms, int], _Rooms]):
    """By the rooms of some holders and a number of tiles of one class: their rooms once they have taken these tiles."""

    def __init__(
        self,
        takes: Sequence[int],
        later: Sequence[Sequence[tuple[int, int]]],
        pays: Sequence[int | None],
        alone: Sequence[bool],
        worth: int,
        limits: tuple[int, ...],
    ) -> None:
        self.takes = takes
        """For each holder, whether it may have tiles of this class."""
        self.later = [sum(number for _, number in classes) for classes in later]
        """For each holder, how many tiles of later classes it may have. It can leave no more room than that."""
        self.pays = pays
        """For each holder, the index of its location in ``limits``; None if its pips do not matter."""
        self.span = [
            (min((pips for pips, _ in classes), default=0), max((pips for pips, _ in classes), default=0))
            if only
            else None
            for classes, only in zip(later, alone, strict=True)
        ]
        """For each holder that is the only one of its location, least and most pips of a tile of later classes. None
        for others."""
        self.worth = worth
        """The pips of a tile of this class."""
        self.limits = limits

    def __missing__(self, key: tuple[_Rooms, int]) -> _Rooms:
        rooms, tiles = key
        self[key] = frozenset(left for room, paid in rooms for left in self._left(room, paid, tiles))
        return self[key]

    def _left(
        self, room: tuple[int, ...], paid: tuple[int, ...], tiles: int, holder: int = 0
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if holder == len(room):
            if not tiles:
                yield room, paid
            return
        space, payer = room[holder], self.pays[holder]
        most = min(space, tiles) if self.takes[holder] else 0
        for number in range(max(space - self.later[holder], 0), most + 1):
            left, more = (*room[:holder], space - number, *room[holder + 1 :]), paid
            if payer is not None:
                more = (*paid[:payer], paid[payer] + number * self.worth, *paid[payer + 1 :])
                owed, span = self.limits[payer] - more[payer], self.span[holder]
                if owed < 0:
                    break
                if span and not (space - number) * span[0] <= owed <= (space - number) * span[1]:
                    continue
            yield from self._left(left, more, tiles - number, holder + 1)
