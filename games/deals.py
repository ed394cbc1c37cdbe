"""How many deals fit what is known of hidden tiles.

Tiles that may have been in the same places (and have as many pips, where pips are told) count as one class, so only
numbers are shared out, class by class, among the seats they were dealt to and the boneyard. Of the ways in which these
tiles may lie with the holders of one seat none is counted: what is kept of each seat is the set of rooms that its
holders can have left, with the pips held, and in the end there must be one in which all are filled and the pips right.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import comb
from typing import NamedTuple

from games.tiles import PIPS, members, union

_Rooms = frozenset[tuple[tuple[int, ...], tuple[int, ...]]]
"""The numbers of tiles that some holders can still take, with the pips of the seats of which those are told, in each
way the tiles before may have been taken."""
_State = tuple[_Rooms, ...]
"""The rooms of each seat that was dealt tiles, then of all that was not dealt."""


class Holder(NamedTuple):
    """Some tiles nobody saw."""

    dealt_to: int | None
    """The seat they were dealt to; None: they lay in the boneyard."""
    owner: int
    """The place they are at, or were laid from."""
    may: int
    """The mask of tiles they may be."""
    room: int
    """How many they are."""


def number_of_deals(given: Iterable[Holder], unlaid: int, owed: Mapping[int, int]) -> int:
    """How many deals there are: what each seat was dealt, however the rest was drawn.

    ``unlaid`` is the mask of tiles not laid yet, ``owed`` the pips that those of some places are said to have.
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
"""What the tiles of a class have in common: their pips if those count, then whether each holder may have them."""


def _classes(holders: Sequence[Holder], counted: int) -> Counter[_Kind]:
    """How many tiles are of each kind; ``counted`` is the mask of those whose pips count."""
    return Counter(
        (PIPS[tile] if counted >> tile & 1 else 0, *(each.may >> tile & 1 for each in holders))
        for tile in members(union(each.may for each in holders))
    )


class _Question:
    """Who shares the tiles, and who owes pips."""

    def __init__(self, holders: Sequence[Holder], owed: Mapping[int, int]) -> None:
        self.holders = holders
        dealt = sorted({each.dealt_to for each in holders if each.dealt_to is not None})
        self.sharers = [[h for h, each in enumerate(holders) if each.dealt_to == seat] for seat in (*dealt, None)]
        """The holders of each seat that was dealt tiles, then those of all that was not dealt."""
        self.limits = tuple(owed.values())
        places = list(owed)
        self.pays = [places.index(each.owner) if each.owner in owed else None for each in holders]
        """For each holder the place in ``limits`` of whoever holds its pips; None where they do not count."""
        payers = Counter(each.owner for each in holders)
        self.alone = [payers[each.owner] == 1 for each in holders]
        """For each holder whether no other one has tiles of the same place."""

    def start(self) -> _State:
        """The rooms before any tile is shared out."""
        paid = (0,) * len(self.limits)
        return tuple(frozenset({(tuple(self.holders[h].room for h in hs), paid)}) for hs in self.sharers)

    def shares(self, kind: _Kind, rest: Sequence[tuple[_Kind, int]]) -> list["_Shares"]:
        """How each of the sharers can take tiles of this kind, when ``rest`` is still to come."""
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
        """For each of ``limits`` the pips of all tiles to come that its holders may have."""
        holders = [[h for h, payer in enumerate(self.pays) if payer == at] for at in range(len(self.limits))]
        return [
            sum(pips * number for (pips, *also), number in rest if any(also[h] for h in payers)) for payers in holders
        ]

    def paid_up(self, state: _State) -> bool:
        """Whether in one of the ways to get here all pips are right."""
        nothing = (0,) * len(self.limits)
        sums = (tuple(map(sum, zip(*paid, nothing, strict=True))) for paid in product(*map(_paid, state)))
        return self.limits in sums


def _merged(given: Iterable[Holder]) -> list[Holder]:
    """Holders of the same seat that may have the same tiles are one; those without room are none."""
    rooms: Counter[tuple[int | None, int, int]] = Counter()
    for dealt_to, owner, may, room in given:
        rooms[dealt_to, owner, may] += room
    return [Holder(*key, room) for key, room in rooms.items() if room]


def _shared_out(ways: Mapping[_State, int], size: int, shares: Sequence["_Shares"]) -> Counter[_State]:
    """In how many ways each state is reached once so many tiles of a kind are shared out."""
    following: Counter[_State] = Counter()
    for state, number in ways.items():
        for after, ways_to in _shared(state, size, shares):
            following[after] += number * ways_to
    return following


def _shared(state: _State, size: int, shares: Sequence["_Shares"]) -> list[tuple[_State, int]]:
    """What is left when so many tiles are shared out, in each way, and in how many ways these can be chosen."""
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
    """The same without what was drawn in a way that neither is paid up nor can be with the pips to come. (Where what a
    seat was dealt may lie with several holders it is left as it is.)"""
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
    """The pips held, in each way."""
    return [paid for _, paid in rooms]


class _Shares(dict[tuple[_Rooms, int], _Rooms]):
    """The rooms that some holders can have left once they have shared so many tiles of a class."""

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
        """For each holder whether it may have tiles of this class."""
        self.later = [sum(number for _, number in classes) for classes in later]
        """For each holder how many tiles it may have of the classes that follow, and so how much it must be full."""
        self.pays = pays
        """For each holder the place in ``limits`` of whoever holds its pips; None where they do not matter."""
        self.span = [
            (min((pips for pips, _ in classes), default=0), max((pips for pips, _ in classes), default=0))
            if only
            else None
            for classes, only in zip(later, alone, strict=True)
        ]
        """For each holder that alone pays somebody's pips between how many a tile of those classes has."""
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
