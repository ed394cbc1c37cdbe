"""Where each tile may be: what is known about hidden hands.

Every hidden tile is with a *holder*. Each seat is a holder of the tiles that it was dealt, and the boneyard is one too;
a draw of hidden tiles adds holders to its seat. A holder has a number of tiles (its room) and a mask of the tiles that
it may have. A tile of a known deal, or of a draw that was seen, has one known location and needs no holder. So a
known deal is the same kind of value, with no hidden tiles. A laid tile stays with the holders as long as more than one
holder of its seat may have had it.

The entries are possible if and only if the tiles can be shared out so that every holder's room is filled exactly.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.deals import Holder, number_of_deals
from games.tiles import ALL, COUNT, DOUBLES, PIPS, heavier_doubles, members, union


def possible(may: Sequence[int], room: Sequence[int]) -> bool:
    """Whether the tiles can be shared out so that every holder fills its room with tiles that it may have.

    There are as many tiles as room in all. By Hall's theorem this fails only if some holders together have more room
    than there are tiles that they may have. Holders that may have the same tiles count as one. Holders that together
    may have all tiles are never short of tiles, nor is any larger group.
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


class Holdings:
    """What is known about who holds which tiles. Immutable: every change returns a new value.

    A *location* is a seat, or the boneyard with everything else that is in no hand. The number of a seat is its
    location; the next number is the boneyard.
    """

    # Not a frozen dataclass: making one takes longer than checking a play.
    __slots__ = ("dealt_to", "hidden", "known", "may", "owner", "room", "unlaid")

    def __init__(
        self,
        unlaid: int,
        known: list[int],
        hidden: list[int],
        may: list[int],
        room: list[int],
        owner: tuple[int, ...],
        dealt_to: tuple[int | None, ...],
    ) -> None:
        self.unlaid = unlaid
        """The mask of tiles that are not laid yet."""
        self.known = known
        """For each location, the mask of tiles that it is known to have."""
        self.hidden = hidden
        """For each location, the number of its hidden tiles."""
        self.may = may
        """For each holder, the mask of hidden tiles that it may have, or may have had."""
        self.room = room
        """For each holder, the number of hidden tiles that it has, or had."""
        self.owner = owner
        """For each holder, the location where its tiles are, or from which they were laid."""
        self.dealt_to = dealt_to
        """For each holder, the seat to which its tiles were dealt; None if they were in the boneyard."""

    @staticmethod
    def of(seats: int, dealt: int, deal: Sequence[int | None]) -> "Holdings":
        """The start of a hand, with ``dealt`` tiles for each seat. ``deal`` has a mask for each seat, or None if its
        hand is not known."""
        yard, rest = COUNT - seats * dealt, ALL
        for hand in deal:
            if hand is not None:
                rest &= ~hand
        if not yard and rest.bit_count() == dealt:
            deal, rest = [rest if hand is None else hand for hand in deal], 0
        room = [dealt if hand is None else 0 for hand in deal] + [yard]
        known = [hand or 0 for hand in deal] + [0]
        may = [rest if space else 0 for space in room]
        return Holdings(ALL, known, room, may, room, _ONE_EACH[seats + 1], _DEALT_TO[seats])

    # --- what is asked -------------------------------------------------------------------------------------
    @property
    def yard(self) -> int:
        """The location after the seats, which is also the number of the holder of the tiles that were not dealt."""
        return len(self.known) - 1

    @property
    def whole(self) -> bool:
        """Whether each location has one holder, with the same number: until somebody draws or discards hidden tiles."""
        return self.owner == _ONE_EACH[len(self.known)]

    def knows(self, location: int) -> bool:
        """Whether every tile at this location is known."""
        return not self.hidden[location]

    @property
    def held(self) -> list[int]:
        """The number of tiles at each location now."""
        return [known.bit_count() + hidden for known, hidden in zip(self.known, self.hidden, strict=True)]

    def known_elsewhere(self, location: int, tile: int) -> bool:
        """Whether this tile is known not to be at this location: it is known to be elsewhere, or all tiles here are
        known and it is not one of them."""
        if self.known[location] >> tile & 1:
            return False
        return self.knows(location) or (any(self.known) and union(self.known) >> tile & 1 == 1)

    def may_have(self, location: int) -> int:
        """The mask of unlaid tiles that this location may have. A quick check: some of these tiles may fit no deal."""
        if self.whole:
            return self.known[location] | self.may[location] & self.unlaid
        result = self.known[location]
        for owner, tiles in zip(self.owner, self.may, strict=True):
            if owner == location:
                result |= tiles & self.unlaid
        return result

    def possible(self) -> bool:
        """Whether at least one deal fits every entry."""
        return possible(self.may, self.room)

    def can_have(self, location: int, tiles: int) -> int:
        """Those of these tiles that are at this location in at least one deal that fits every entry."""
        result = tiles & self.known[location]
        if not self.hidden[location]:
            return result
        verdicts: dict[tuple[bool, ...], bool] = {}
        for tile in members(tiles & self.may_have(location) & ~result):
            alike = tuple(m >> tile & 1 == 1 for m in self.may)
            if alike not in verdicts:
                verdicts[alike] = self.at(1 << tile, location).possible()
            if verdicts[alike]:
                result |= 1 << tile
        return result

    def whereabouts(self, pips: Mapping[int, int] | None = None) -> tuple[int, ...]:
        """For each location, the mask of unlaid tiles that it has in at least one deal that fits. ``pips``: what some
        seats hold now, if that is known."""
        locations = range(len(self.known))
        if not pips:
            return tuple(self.can_have(location, self.unlaid) for location in locations)
        tiles = [1 << tile for tile in members(self.unlaid)]
        return tuple(
            union(tile for tile in tiles if self.may_have(location) & tile and self.at(tile, location).deals(pips))
            for location in locations
        )

    def certain_hands(self) -> tuple[int | None, ...]:
        """What each seat holds, as a mask, if only one answer is possible; else None."""
        can, held = self.whereabouts()[:-1], self.held[:-1]
        return tuple(tiles if tiles.bit_count() == number else None for tiles, number in zip(can, held, strict=True))

    def leads(self, opener: int) -> list[tuple[int, "Holdings"]]:
        """Each double that this seat may lead as the heaviest one dealt, with the holdings after the lead."""
        result = []
        for tile in members(DOUBLES & self.may_have(opener)):
            heavier = heavier_doubles(tile)
            if not any(known & heavier for known in self.known[:-1]):
                led = self.undealt(heavier).at(1 << tile, opener)
                if led.possible():
                    result.append((tile, led))
        return result

    def hands(self) -> Iterator[tuple[int, ...]]:
        """Every possible position of the unlaid tiles now, as masks by location. The search has no dead ends, so the
        first results come at once, however many there are."""
        return self._hands([*members(self.unlaid & ~union(self.known))])

    def _hands(self, tiles: list[int]) -> Iterator[tuple[int, ...]]:
        if not tiles:
            yield tuple(self.may_have(location) for location in range(len(self.known)))
        for location in range(len(self.known)) if tiles else ():
            if self.may_have(location) >> tiles[0] & 1:
                there = self.at(1 << tiles[0], location)
                if there.possible():
                    yield from there._hands(tiles[1:])

    def deals(self, pips: Mapping[int, int] | None = None) -> int:
        """The number of deals that fit. Two deals differ in what a seat was dealt, not in what was drawn later.
        ``pips``: what some seats hold now, if that is known."""
        holders = zip(self.dealt_to, self.owner, self.may, self.room, strict=True)
        owed = {
            seat: total - sum(PIPS[tile] for tile in members(self.known[seat])) for seat, total in (pips or {}).items()
        }
        return number_of_deals([Holder(*each) for each in holders], self.unlaid, owed)

    # --- what happens --------------------------------------------------------------------------------------
    def lay(self, seat: int, tile: int) -> "Holdings":
        """After the seat lays this tile. The tile must be one that it may have."""
        bit = 1 << tile
        if self.known[seat] & bit:
            known = self.known.copy()
            known[seat] ^= bit
            return Holdings(self.unlaid ^ bit, known, self.hidden, self.may, self.room, self.owner, self.dealt_to)
        if self.whole:
            return self._settled(bit, seat, seat)
        sources = [h for h, tiles in enumerate(self.may) if tiles & bit and self.owner[h] == seat]
        if len(sources) == 1:
            return self._settled(bit, seat, sources[0])
        may = [tiles if h in sources else tiles & ~bit for h, tiles in enumerate(self.may)]
        hidden = _changed(self.hidden, seat, -1)
        return Holdings(self.unlaid ^ bit, self.known, hidden, may, self.room, self.owner, self.dealt_to)

    def _settled(self, bit: int, seat: int, holder: int) -> "Holdings":
        """After the seat lays a tile (``bit``) that can only come from this holder."""
        room, hidden = self.room.copy(), self.hidden.copy()
        room[holder] -= 1
        hidden[seat] -= 1
        may = [tiles & ~bit for tiles in self.may]
        if not room[holder]:
            may[holder] = 0
        return Holdings(self.unlaid ^ bit, self.known, hidden, may, room, self.owner, self.dealt_to)

    def at(self, tiles: int, *locations: int) -> "Holdings":
        """If each of these tiles is at one of these locations."""
        return self._kept([h for h, owner in enumerate(self.owner) if owner not in locations], tiles)

    def without(self, location: int, tiles: int) -> "Holdings":
        """If none of these tiles is at this location now."""
        return self._kept([h for h, owner in enumerate(self.owner) if owner == location], tiles & self.unlaid)

    def having(self, hands: Mapping[int, int]) -> "Holdings":
        """If each of these locations has exactly these unlaid tiles (masks)."""
        elsewhere = self.unlaid & ~union(hands.values())
        allowed = [hands.get(location, elsewhere) | ~self.unlaid for location in range(len(self.known))]
        may = [tiles & allowed[owner] for tiles, owner in zip(self.may, self.owner, strict=True)]
        return Holdings(self.unlaid, self.known, self.hidden, may, self.room, self.owner, self.dealt_to)

    def settled(self, tiles: Sequence[int]) -> "Holdings":
        """If each location has exactly these unlaid tiles (masks), those of the boneyard face down."""
        *hands, yard = tiles
        seats, number = len(hands), yard.bit_count()
        hidden, may = [0] * seats + [number], [0] * seats + [yard]
        return Holdings(self.unlaid, [*hands, 0], hidden, may, hidden, _ONE_EACH[seats + 1], _DEALT_TO[seats])

    def knowing(self, seat: int, tiles: int) -> "Holdings":
        """If this seat has exactly these unlaid tiles, and they are seen. Which of them it drew, and when, says nothing
        about the tiles of others, so it keeps one holder with no hidden tiles."""
        known, hidden = self.known.copy(), self.hidden.copy()
        known[seat], hidden[seat] = tiles, 0
        keep = [holder for holder, owner in enumerate(self.owner) if owner != seat or holder == seat]
        room = [0 if holder == seat else self.room[holder] for holder in keep]
        may = [self.may[holder] & ~tiles for holder in keep]
        owner, dealt_to = tuple(self.owner[h] for h in keep), tuple(self.dealt_to[h] for h in keep)
        return Holdings(self.unlaid, known, hidden, _roomy(may, room), room, owner, dealt_to)

    def undealt(self, tiles: int) -> "Holdings":
        """If none of these tiles was dealt to a seat."""
        return self._kept([h for h, seat in enumerate(self.dealt_to) if seat is not None], tiles)

    def _kept(self, holders: Sequence[int], tiles: int) -> "Holdings":
        """If these holders have none of these tiles."""
        if not any(self.may[holder] & tiles for holder in holders):
            return self
        may = self.may.copy()
        for holder in holders:
            may[holder] &= ~tiles
        return Holdings(self.unlaid, self.known, self.hidden, may, self.room, self.owner, self.dealt_to)

    def exchange(self, seat: int, number: int, discarded: int | None, drawn: int | None) -> "Holdings":
        """After the seat puts ``number`` tiles out of play and draws as many. ``discarded`` and ``drawn`` are masks, or
        None for hidden tiles. What the seat was dealt may then be in its hand or out of play."""
        if not number:
            return self
        yard = self.yard
        known, may, room = self.known.copy(), self.may.copy(), self.room.copy()
        owner, dealt_to = self.owner, self.dealt_to
        if discarded is not None:
            room[seat] -= (discarded & ~known[seat]).bit_count()
            known[seat] &= ~discarded
            known[yard] |= discarded
            may = [tiles & ~discarded for tiles in may]
        else:
            if known[seat]:
                may[seat], room[seat], known[seat] = known[seat], known[seat].bit_count(), 0
            may.append(may[seat])
            room[seat] -= number
            room.append(number)
            owner, dealt_to = (*owner, yard), (*dealt_to, seat)
        room[yard] -= number
        if drawn is not None:
            known[seat] |= drawn
            may = [tiles & ~drawn for tiles in may]
        else:
            may.append(may[yard])
            room.append(number)
            owner, dealt_to = (*owner, seat), (*dealt_to, None)
        hidden = [held - there.bit_count() for held, there in zip(self.held, known, strict=True)]
        return Holdings(self.unlaid, known, hidden, _roomy(may, room), room, owner, dealt_to)

    def draw_seen(self, seat: int, tiles: int) -> "Holdings":
        """After the seat draws these tiles from the boneyard. They must be tiles that the boneyard may have."""
        yard, number = self.yard, tiles.bit_count()
        hidden = _changed(self.hidden, yard, -number)
        known, room = _changed(self.known, seat, tiles), _changed(self.room, yard, -number)
        may = _roomy([mask & ~tiles for mask in self.may], room)
        return Holdings(self.unlaid, known, hidden, may, room, self.owner, self.dealt_to)

    def draw_unseen(self, seat: int, number: int, unlike: int) -> "Holdings":
        """After the seat draws ``number`` hidden tiles. Only the last one can be among the tiles ``unlike``, so it gets
        a holder of its own. The others share a holder with earlier drawn tiles that may be the same ones."""
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
        return Holdings(
            self.unlaid,
            self.known,
            _changed(_changed(self.hidden, seat, number), yard, -number),
            _roomy([self.may[h] for h in keep] + [tiles for tiles, _ in added], room),
            room,
            (*(self.owner[h] for h in keep), *(seat for _ in added)),
            (*(self.dealt_to[h] for h in keep), *(None for _ in added)),
        )


_ONE_EACH = tuple(tuple(range(locations)) for locations in range(6))
"""By the number of locations: the owners if each location has one holder."""
_DEALT_TO = tuple((*range(seats), None) for seats in range(5))
"""By the number of seats: to whom the tiles of each holder were dealt, at the start."""


def _roomy(may: list[int], room: list[int]) -> list[int]:
    """The same masks, but 0 for a holder without room."""
    return [tiles if space else 0 for tiles, space in zip(may, room, strict=True)] if 0 in room else may


def _changed(values: list[int], at: int, by: int) -> list[int]:
    result = values.copy()
    result[at] += by
    return result
