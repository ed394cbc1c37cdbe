"""For every tile the places it may be: what is known of hands nobody has seen.

Tiles lie with *holders*. A seat has what it was dealt; where there is a boneyard it is a holder too, and a draw of
tiles nobody saw adds holders to its seat. A holder has a number of tiles (its room) and the mask of tiles it may have.
A tile somebody was told of (a known deal, a draw that was seen) has one place and is not in question, so a known deal
is this same value with nothing left open. A tile that was laid stays in question as long as more than one holder of
its seat may be where it came from.

What was entered is possible if and only if the tiles in question can be shared out so that every holder has its room.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.deals import Holder, number_of_deals
from games.tiles import ALL, COUNT, DOUBLES, PIPS, heavier_doubles, members, union


def possible(may: Sequence[int], room: Sequence[int]) -> bool:
    """Whether every tile in question can go to a holder that may have it, each holder getting exactly its room.

    The rooms together are the number of tiles. By Hall's theorem it fails only if some holders together have more
    room than there are tiles they may have. Holders that may have the same tiles count as one; holders that may have
    every tile among them are never short, whoever joins them.
    """
    total = sum(room)
    rooms: dict[int, int] = {}
    for tiles, space in zip(may, room, strict=True):
        if space and tiles.bit_count() < total:
            rooms[tiles] = rooms.get(tiles, 0) + space
    groups: tuple[tuple[int, int], ...] = ((0, 0),)
    for tiles, space in rooms.items():
        for others, taken in groups:
            together, needed = others | tiles, taken + space
            number = together.bit_count()
            if number < needed:
                return False
            if number < total:
                groups += ((together, needed),)
    return True


class Places:
    """What is known of where the tiles are. A value: every change gives the next one.

    A *place* is a seat, or the number after the last seat for the boneyard and all else that is out of the hands.
    """

    # Not a frozen dataclass: making one costs more than all the rules of a play.
    __slots__ = ("dealt_to", "hidden", "may", "owner", "room", "told", "unlaid")

    def __init__(
        self,
        unlaid: int,
        told: list[int],
        hidden: list[int],
        may: list[int],
        room: list[int],
        owner: tuple[int, ...],
        dealt_to: tuple[int | None, ...],
    ) -> None:
        self.unlaid = unlaid
        """The mask of tiles not laid yet."""
        self.told = told
        """For each place the mask of tiles it is known to have."""
        self.hidden = hidden
        """How many tiles each place has besides."""
        self.may = may
        """For each holder the mask of tiles in question it may have had."""
        self.room = room
        """For each holder how many of the tiles in question it had."""
        self.owner = owner
        """For each holder the place its tiles are at, or were laid from."""
        self.dealt_to = dealt_to
        """For each holder the seat its tiles were dealt to; None: they lay in the boneyard."""

    @staticmethod
    def of(seats: int, dealt: int, deal: Sequence[int | None]) -> "Places":
        """The start: ``dealt`` tiles a seat; a hand of ``deal`` is a mask, or None where it is not known."""
        yard, rest = COUNT - seats * dealt, ALL
        for hand in deal:
            if hand is not None:
                rest &= ~hand
        if not yard and rest.bit_count() == dealt:
            deal, rest = [rest if hand is None else hand for hand in deal], 0
        room = [dealt if hand is None else 0 for hand in deal] + [yard]
        told = [hand or 0 for hand in deal] + [0]
        may = [rest if space else 0 for space in room]
        return Places(ALL, told, room, may, room, _ONE_EACH[seats + 1], _DEALT_TO[seats])

    # --- what is asked -------------------------------------------------------------------------------------
    @property
    def yard(self) -> int:
        """The place that is no seat, and the holder of the tiles that were not dealt."""
        return len(self.told) - 1

    @property
    def whole(self) -> bool:
        """Whether each place has one holder, of the same number: nobody drew or put away a tile unseen."""
        return self.owner == _ONE_EACH[len(self.told)]

    def knows(self, place: int) -> bool:
        """Whether every tile at this place is known."""
        return not self.hidden[place]

    @property
    def held(self) -> list[int]:
        """How many tiles each place has now."""
        return [told.bit_count() + hidden for told, hidden in zip(self.told, self.hidden, strict=True)]

    def known_elsewhere(self, place: int, tile: int) -> bool:
        """Whether this tile is known to be somewhere else, or all at this place are known and it is none of them."""
        if self.told[place] >> tile & 1:
            return False
        return self.knows(place) or (any(self.told) and union(self.told) >> tile & 1 == 1)

    def may_have(self, place: int) -> int:
        """The mask of tiles not laid yet that nothing said so far denies this place, each looked at by itself."""
        if self.whole:
            return self.told[place] | self.may[place] & self.unlaid
        result = self.told[place]
        for owner, tiles in zip(self.owner, self.may, strict=True):
            if owner == place:
                result |= tiles & self.unlaid
        return result

    def possible(self) -> bool:
        """Whether there is a deal that fits everything."""
        return possible(self.may, self.room)

    def can_have(self, place: int, tiles: int) -> int:
        """Those of these tiles that are at this place in some deal that fits everything."""
        result = tiles & self.told[place]
        if not self.hidden[place]:
            return result
        verdicts: dict[tuple[bool, ...], bool] = {}
        for tile in members(tiles & self.may_have(place) & ~result):
            alike = tuple(m >> tile & 1 == 1 for m in self.may)
            if alike not in verdicts:
                verdicts[alike] = self.at(1 << tile, place).possible()
            if verdicts[alike]:
                result |= 1 << tile
        return result

    def whereabouts(self, pips: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """For each place the mask of tiles not laid yet that it has in some deal that fits. ``pips`` is what some
        seats are said to hold now."""
        places = range(len(self.told))
        if not pips:
            return tuple(self.can_have(place, self.unlaid) for place in places)
        tiles = [1 << tile for tile in members(self.unlaid)]
        return tuple(
            union(tile for tile in tiles if self.may_have(place) & tile and self.at(tile, place).deals(pips))
            for place in places
        )

    def certain_hands(self) -> tuple[int | None, ...]:
        """What each seat holds, a mask, where only one answer fits."""
        can, held = self.whereabouts()[:-1], self.held[:-1]
        return tuple(tiles if tiles.bit_count() == number else None for tiles, number in zip(can, held, strict=True))

    def leads(self, opener: int) -> list[tuple[int, "Places"]]:
        """Each double this seat may lead as the heaviest that was dealt, with what that says of all hands."""
        result = []
        for tile in members(DOUBLES & self.may_have(opener)):
            heavier = heavier_doubles(tile)
            if not any(told & heavier for told in self.told[:-1]):
                led = self.undealt(heavier).at(1 << tile, opener)
                if led.possible():
                    result.append((tile, led))
        return result

    def hands(self) -> Iterator[tuple[int, ...]]:
        """Every way the tiles not laid yet may lie now, a mask a place. None is begun that leads nowhere, so the first
        few come at once however many there are."""
        return self._hands([*members(self.unlaid & ~union(self.told))])

    def _hands(self, tiles: list[int]) -> Iterator[tuple[int, ...]]:
        if not tiles:
            yield tuple(self.may_have(place) for place in range(len(self.told)))
        for place in range(len(self.told)) if tiles else ():
            if self.may_have(place) >> tiles[0] & 1:
                there = self.at(1 << tiles[0], place)
                if there.possible():
                    yield from there._hands(tiles[1:])

    def deals(self, pips: Mapping[int, int] | None = None) -> int:
        """How many deals fit: what each seat was dealt, however the rest was drawn. ``pips`` is what some seats are
        said to hold now.
        """
        holders = zip(self.dealt_to, self.owner, self.may, self.room, strict=True)
        owed = {
            seat: told - sum(PIPS[tile] for tile in members(self.told[seat])) for seat, told in (pips or {}).items()
        }
        return number_of_deals([Holder(*each) for each in holders], self.unlaid, owed)

    # --- what happens --------------------------------------------------------------------------------------
    def lay(self, seat: int, tile: int) -> "Places":
        """The seat lays this tile, which it may have."""
        bit = 1 << tile
        if self.told[seat] & bit:
            told = self.told.copy()
            told[seat] ^= bit
            return Places(self.unlaid ^ bit, told, self.hidden, self.may, self.room, self.owner, self.dealt_to)
        if self.whole:
            return self._settled(bit, seat, seat)
        sources = [h for h, tiles in enumerate(self.may) if tiles & bit and self.owner[h] == seat]
        if len(sources) == 1:
            return self._settled(bit, seat, sources[0])
        may = [tiles if h in sources else tiles & ~bit for h, tiles in enumerate(self.may)]
        hidden = _changed(self.hidden, seat, -1)
        return Places(self.unlaid ^ bit, self.told, hidden, may, self.room, self.owner, self.dealt_to)

    def _settled(self, bit: int, seat: int, holder: int) -> "Places":
        """The seat lays a tile that is known to come from this holder."""
        room, hidden = self.room.copy(), self.hidden.copy()
        room[holder] -= 1
        hidden[seat] -= 1
        may = [tiles & ~bit for tiles in self.may]
        if not room[holder]:
            may[holder] = 0
        return Places(self.unlaid ^ bit, self.told, hidden, may, room, self.owner, self.dealt_to)

    def at(self, tiles: int, *places: int) -> "Places":
        """These tiles are at one of these places and no other."""
        return self._kept([h for h, owner in enumerate(self.owner) if owner not in places], tiles)

    def without(self, place: int, tiles: int) -> "Places":
        """None of these tiles is at this place now."""
        return self._kept([h for h, owner in enumerate(self.owner) if owner == place], tiles & self.unlaid)

    def having(self, hands: Mapping[int, int]) -> "Places":
        """Each of these places has just these of the tiles not laid yet, a mask a place."""
        elsewhere = self.unlaid & ~union(hands.values())
        allowed = [hands.get(place, elsewhere) | ~self.unlaid for place in range(len(self.told))]
        may = [tiles & allowed[owner] for tiles, owner in zip(self.may, self.owner, strict=True)]
        return Places(self.unlaid, self.told, self.hidden, may, self.room, self.owner, self.dealt_to)

    def undealt(self, tiles: int) -> "Places":
        """None of these tiles was dealt to a seat."""
        return self._kept([h for h, seat in enumerate(self.dealt_to) if seat is not None], tiles)

    def _kept(self, holders: Sequence[int], tiles: int) -> "Places":
        """These holders have none of these tiles."""
        if not any(self.may[holder] & tiles for holder in holders):
            return self
        may = self.may.copy()
        for holder in holders:
            may[holder] &= ~tiles
        return Places(self.unlaid, self.told, self.hidden, may, self.room, self.owner, self.dealt_to)

    def exchange(self, seat: int, number: int, discarded: int | None, drawn: int | None) -> "Places":
        """The seat puts so many tiles of its hand out of play and takes as many from the boneyard: these (masks) where
        they were seen, None where they were not. What it was dealt may then be in its hand or out of play."""
        if not number:
            return self
        yard = self.yard
        told, may, room = self.told.copy(), self.may.copy(), self.room.copy()
        owner, dealt_to = self.owner, self.dealt_to
        if discarded is not None:
            room[seat] -= (discarded & ~told[seat]).bit_count()
            told[seat] &= ~discarded
            told[yard] |= discarded
            may = [tiles & ~discarded for tiles in may]
        else:
            if told[seat]:
                may[seat], room[seat], told[seat] = told[seat], told[seat].bit_count(), 0
            may.append(may[seat])
            room[seat] -= number
            room.append(number)
            owner, dealt_to = (*owner, yard), (*dealt_to, seat)
        room[yard] -= number
        if drawn is not None:
            told[seat] |= drawn
            may = [tiles & ~drawn for tiles in may]
        else:
            may.append(may[yard])
            room.append(number)
            owner, dealt_to = (*owner, seat), (*dealt_to, None)
        hidden = [held - known.bit_count() for held, known in zip(self.held, told, strict=True)]
        return Places(self.unlaid, told, hidden, _roomy(may, room), room, owner, dealt_to)

    def draw_seen(self, seat: int, tiles: int) -> "Places":
        """The seat takes these tiles from the boneyard, which may have them."""
        yard, number = self.yard, tiles.bit_count()
        hidden = _changed(self.hidden, yard, -number)
        told, room = _changed(self.told, seat, tiles), _changed(self.room, yard, -number)
        may = _roomy([mask & ~tiles for mask in self.may], room)
        return Places(self.unlaid, told, hidden, may, room, self.owner, self.dealt_to)

    def draw_unseen(self, seat: int, number: int, unlike: int) -> "Places":
        """The seat takes so many tiles from the boneyard, all but the last none of ``unlike``. Drawn tiles of which the
        same is known share a holder; the last has one of its own."""
        yard = self.yard
        drawn: dict[int, int] = {}
        keep = []
        for holder, owner in enumerate(self.owner):
            if owner == seat and self.dealt_to[holder] is None:
                drawn[self.may[holder]] = drawn.get(self.may[holder], 0) + self.room[holder]
            else:
                keep.append(holder)
        misfits = self.may[yard] & ~unlike
        drawn[misfits] = drawn.get(misfits, 0) + number - 1
        added = [(tiles, space) for tiles, space in drawn.items() if space] + [(self.may[yard], 1)]
        room = _changed(self.room, yard, -number)
        room = [room[h] for h in keep] + [space for _, space in added]
        return Places(
            self.unlaid,
            self.told,
            _changed(_changed(self.hidden, seat, number), yard, -number),
            _roomy([self.may[h] for h in keep] + [tiles for tiles, _ in added], room),
            room,
            (*(self.owner[h] for h in keep), *(seat for _ in added)),
            (*(self.dealt_to[h] for h in keep), *(None for _ in added)),
        )


_ONE_EACH = tuple(tuple(range(places)) for places in range(6))
"""The owners where each place has one holder, by the number of places."""
_DEALT_TO = tuple((*range(seats), None) for seats in range(5))
"""At the start, by the number of seats, to whom the tiles of each holder were dealt."""


def _roomy(may: list[int], room: list[int]) -> list[int]:
    """The same masks; nothing for a holder that has no room."""
    return [tiles if space else 0 for tiles, space in zip(may, room, strict=True)] if 0 in room else may


def _changed(values: list[int], at: int, by: int) -> list[int]:
    result = values.copy()
    result[at] += by
    return result
