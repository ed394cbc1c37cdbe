"""Where hidden tiles may be, compared with trying every position. There are few tiles, so that this is possible."""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest

from games.holdings import Holdings
from games.tiles import ALL, COUNT, PIPS, mask, members, union


def some(rng: random.Random, tiles: Iterable[int], likely: float | None = None) -> int:
    """A random mask of some of these tiles, each with this probability; by default few or many."""
    likely = likely or rng.choice((0.1, 0.3, 0.6))
    return mask(tile for tile in tiles if rng.random() < likely)


def pips(tiles: int) -> int:
    return sum(PIPS[tile] for tile in members(tiles))


def some_pips(rng: random.Random, lie: Sequence[int]) -> dict[int, int]:
    """The pips that some seats have in this position, sometimes one more or less."""
    seats = rng.sample(range(len(lie) - 1), rng.randint(1, len(lie) - 1))
    return {seat: max(0, pips(lie[seat]) + rng.choice((-1, 0, 0, 0, 1))) for seat in seats}


def fits(lie: Sequence[int], said: Mapping[int, int]) -> bool:
    """Whether the seats have these pips in this position."""
    return all(pips(lie[seat]) == told for seat, told in said.items())


def columns(rows: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The union of the rows, for each column."""
    return tuple(map(union, zip(*rows, strict=True)))


# --- any holders at all ------------------------------------------------------------------------------------
def random_holdings(rng: random.Random) -> tuple[Holdings, list[int]]:
    """Up to seven hidden tiles, also as a list, and two to five holders with random masks and rooms."""
    seats, holders = rng.randint(1, 3), rng.randint(2, 5)
    tiles = rng.sample(range(COUNT), 10)
    question, others = tiles[: rng.randint(1, 7)], tiles[7:]
    everywhere = range(seats + 1)
    owner = tuple(rng.choice(everywhere) for _ in range(holders))
    dealt_to = tuple(rng.choice((*range(seats), None)) for _ in range(holders))
    filled = [rng.randrange(holders) for _ in question]
    room = [filled.count(holder) for holder in range(holders)]
    likely = rng.choice((0.3, 0.6, 0.8, 1))
    may = [some(rng, question, likely) for _ in range(holders)]
    laid = 0
    hidden = [sum(space for space, location in zip(room, owner, strict=True) if location == p) for p in everywhere]
    for tile in rng.sample(question, rng.randint(0, len(question) // 2)):
        location = rng.choice(everywhere)
        if hidden[location]:
            hidden[location] -= 1
            laid |= 1 << tile
            may = [tiles if by == location else tiles & ~(1 << tile) for by, tiles in zip(owner, may, strict=True)]
    told = [0] * (seats + 1)
    for tile in others:
        told[rng.choice(everywhere)] |= 1 << tile
    may = [tiles if space else 0 for tiles, space in zip(may, room, strict=True)]
    unlaid = mask(question) & ~laid | union(told)
    return Holdings(unlaid, told, hidden, may, room, owner, dealt_to), question


def sharings(holdings: Holdings, tiles: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to give each of these tiles to a holder that may have it and has room, as pairs of tile and holder."""
    given: list[tuple[int, int]] = []
    room = list(holdings.room)

    def share(at: int) -> Iterator[list[tuple[int, int]]]:
        if at == len(tiles):
            yield given.copy()
            return
        for holder, may in enumerate(holdings.may):
            if may >> tiles[at] & 1 and room[holder]:
                room[holder] -= 1
                given.append((tiles[at], holder))
                yield from share(at + 1)
                given.pop()
                room[holder] += 1

    return share(0)


def test_whatever_the_holders_the_answers_are_those_of_trying_every_sharing_out() -> None:
    rng = random.Random("holders")
    impossible, most = 0, 0
    for _ in range(600):
        holdings, question = random_holdings(rng)
        ways = list(sharings(holdings, question))
        assert holdings.possible() == bool(ways)
        if not ways:
            impossible += 1
            continue
        deals = [[mask(t for t, h in way if holdings.dealt_to[h] == s) for s in range(holdings.yard)] for way in ways]
        lies = [
            tuple(
                told | mask(t for t, h in way if holdings.owner[h] == location and holdings.unlaid >> t & 1)
                for location, told in enumerate(holdings.known)
            )
            for way in ways
        ]
        assert sorted(holdings.hands()) == sorted(set(lies))
        assert holdings.whereabouts() == columns(lies)
        assert holdings.deals() == len(set(map(tuple, deals)))
        said = some_pips(rng, rng.choice(lies))
        assert holdings.deals(said) == len(
            {tuple(deal) for deal, lie in zip(deals, lies, strict=True) if fits(lie, said)}
        )
        most = max(most, holdings.deals())
    assert impossible > 100
    assert most > 100


# --- what happens ------------------------------------------------------------------------------------------
class World(NamedTuple):
    """One possible history of the tiles."""

    dealt: tuple[int, ...]
    """What each seat was dealt, as masks."""
    now: tuple[int, ...]
    """What each seat has, then the tiles that can be drawn."""
    out: int = 0
    """What was put out of play."""

    def lie(self) -> tuple[int, ...]:
        """Where the tiles are now, as masks by location."""
        return (*self.now[:-1], self.now[-1] | self.out)

    def moved(self, tiles: int, source: int, to: int | None = None) -> "World":
        """The world after these tiles moved from one location to another, or to the table."""
        now = [each & ~tiles if location == source else each for location, each in enumerate(self.now)]
        if to is not None:
            now[to] |= tiles
        return self._replace(now=tuple(now))

    def draw(self, seat: int, number: int) -> Iterator[tuple[int, "World"]]:
        """Every way to draw this number of tiles, with a mask of all but the last."""
        for last in members(self.now[-1]):
            for others in itertools.combinations(members(self.now[-1] & ~(1 << last)), number - 1):
                drawn = mask(others)
                yield drawn, self.moved(drawn | 1 << last, -1 % len(self.now), seat)

    def exchange(self, seat: int, number: int) -> Iterator[tuple[int, int, "World"]]:
        """Every way to put this number of tiles out of play and draw as many, as two masks."""
        for thrown in map(mask, itertools.combinations(members(self.now[seat]), number)):
            for drawn in map(mask, itertools.combinations(members(self.now[-1]), number)):
                after = self.moved(thrown, seat).moved(drawn, len(self.now) - 1, seat)
                yield thrown, drawn, after._replace(out=self.out | thrown)


class Known(NamedTuple):
    """The ``Holdings`` after some events, and every world that agrees with them."""

    holdings: Holdings
    worlds: list[World]

    def check(self, rng: random.Random) -> None:
        holdings, worlds = self
        assert holdings.possible() == bool(worlds)
        if not worlds:
            return
        lies = {world.lie() for world in worlds}
        can_have = columns(lies)
        assert holdings.whereabouts() == can_have
        assert holdings.deals() == len({world.dealt for world in worlds})
        said = some_pips(rng, rng.choice(worlds).lie())
        assert holdings.deals(said) == len({world.dealt for world in worlds if fits(world.lie(), said)})
        assert holdings.held == [tiles.bit_count() for tiles in worlds[0].lie()]
        if len(lies) <= 40:
            assert sorted(holdings.hands()) == sorted(lies)
        for location, tiles in enumerate(can_have):
            assert not tiles & ~holdings.may_have(location)
            assert all(holdings.known[location] & lie[location] == holdings.known[location] for lie in lies)
            told_elsewhere = union(told for other, told in enumerate(holdings.known) if other != location)
            if holdings.knows(location):
                assert tiles == holdings.known[location]
                told_elsewhere = holdings.unlaid & ~tiles
            assert mask(t for t in members(holdings.unlaid) if holdings.known_elsewhere(location, t)) == told_elsewhere


def start(rng: random.Random, seats: int, dealt: int, yard: int) -> Known:
    """A deal of few tiles, with some hands known."""
    tiles = rng.sample(range(COUNT), seats * dealt + yard)
    hands = [mask(tiles[seat * dealt : (seat + 1) * dealt]) for seat in range(seats)]
    told = [hand if rng.random() < 0.2 else 0 for hand in hands] + [0]
    room = [0 if hand else dealt for hand in told[:-1]] + [yard]
    rest = mask(tiles) & ~union(told)
    may = [rest if space else 0 for space in room]
    holdings = Holdings(mask(tiles), told, room, may, room, tuple(range(seats + 1)), (*range(seats), None))
    worlds = []
    for way in sharings(holdings, [*members(rest)]):
        now = tuple(told | mask(t for t, location in way if location == at) for at, told in enumerate(holdings.known))
        worlds.append(World(now[:-1], now))
    return Known(holdings, worlds)


Step = Callable[[random.Random, Known], Known]
"""A random event or statement that is true in one of the worlds."""


def lay(rng: random.Random, known: Known) -> Known:
    seat = rng.randrange(known.holdings.yard)
    held = rng.choice(known.worlds).now[seat]
    return laid(known, seat, rng.choice([*members(held)])) if held else known


def guess(rng: random.Random, known: Known) -> Known:
    """Lays a tile that this seat may have by itself, although perhaps no deal fits."""
    seat = rng.randrange(known.holdings.yard)
    may = known.holdings.may_have(seat)
    return laid(known, seat, rng.choice([*members(may)])) if may else known


def laid(known: Known, seat: int, tile: int) -> Known:
    worlds = [world.moved(1 << tile, seat) for world in known.worlds if world.now[seat] >> tile & 1]
    return Known(known.holdings.lay(seat, tile), worlds)


def draw(rng: random.Random, known: Known) -> Known:
    """Draws one or two hidden tiles, sometimes because no other tile fits."""
    truth, seat = rng.choice(known.worlds), rng.randrange(known.holdings.yard)
    number = min(rng.randint(1, 2), truth.now[-1].bit_count())
    if not number:
        return known
    others, _ = rng.choice([*truth.draw(seat, number)])
    unlike = some(rng, members(ALL & ~others & ~truth.now[seat]))
    if rng.random() < 0.7:
        known = lacking(known, seat, unlike)
    holdings = known.holdings.draw_unseen(seat, number, unlike)
    worlds = [after for world in known.worlds for drawn, after in world.draw(seat, number) if not drawn & unlike]
    return Known(holdings, [*dict.fromkeys(worlds)])


def draw_seen(rng: random.Random, known: Known) -> Known:
    seat, drawn = rng.randrange(known.holdings.yard), some(rng, members(rng.choice(known.worlds).now[-1]), 0.3)
    yard = known.holdings.yard
    worlds = [world.moved(drawn, yard, seat) for world in known.worlds if drawn & world.now[yard] == drawn]
    return Known(known.holdings.draw_seen(seat, drawn), worlds)


def exchange(rng: random.Random, known: Known, seat: int) -> Known:
    """A seat puts tiles out of play and draws as many, hidden or seen."""
    truth = rng.choice(known.worlds)
    number = rng.randint(0, min(truth.now[seat].bit_count(), truth.now[-1].bit_count()))
    thrown, drawn, _ = rng.choice([*truth.exchange(seat, number)])
    said = [tiles if rng.random() < 0.3 else None for tiles in (thrown, drawn)]
    worlds = [
        after
        for world in known.worlds
        for *tiles, after in world.exchange(seat, number)
        if all(each in (None, tile) for each, tile in zip(said, tiles, strict=True))
    ]
    return Known(known.holdings.exchange(seat, number, *said), [*dict.fromkeys(worlds)])


def without(rng: random.Random, known: Known) -> Known:
    location = rng.randrange(known.holdings.yard + 1)
    return lacking(known, location, some(rng, members(ALL & ~rng.choice(known.worlds).lie()[location])))


def lacking(known: Known, location: int, tiles: int) -> Known:
    worlds = [world for world in known.worlds if not world.lie()[location] & tiles]
    return Known(known.holdings.without(location, tiles), worlds)


def undealt(rng: random.Random, known: Known) -> Known:
    tiles = some(rng, members(ALL & ~union(rng.choice(known.worlds).dealt)))
    return Known(known.holdings.undealt(tiles), [world for world in known.worlds if not union(world.dealt) & tiles])


def at(rng: random.Random, known: Known) -> Known:
    there = rng.sample(range(known.holdings.yard + 1), rng.randint(1, 2))
    truth = rng.choice(known.worlds).lie()
    tiles = some(rng, members(union(truth[location] for location in there)), 0.4)
    worlds = [world for world in known.worlds if not tiles & ~union(world.lie()[location] for location in there)]
    return Known(known.holdings.at(tiles, *there), worlds)


def rumour(rng: random.Random, known: Known) -> Known:
    """A statement that may be true in no world."""
    location = rng.randrange(known.holdings.yard + 1)
    return lacking(known, location, some(rng, members(ALL & ~known.holdings.known[location])))


def goes_on(rng: random.Random, known: Known, steps: Sequence[Step]) -> bool:
    """Makes random events and checks the holdings after each. Returns whether a world is left."""
    for _ in range(7):
        deals = known.holdings.deals()
        known = rng.choice(steps)(rng, known)
        known.check(rng)
        if not known.worlds:
            return False
        assert known.holdings.deals() <= deals, "who hears more never knows less"
    return True


def story_of_draws(rng: random.Random) -> bool:
    known = start(rng, *rng.choice([(2, 2, 3), (2, 3, 1), (3, 1, 3), (3, 2, 0), (4, 1, 2)]))
    return goes_on(rng, known, (lay, guess, draw, draw, draw_seen, without, undealt, at, rumour))


def story_of_an_exchange(rng: random.Random) -> bool:
    known = start(rng, 3, *rng.choice([(1, 3), (1, 4), (2, 1)]))
    for seat in range(3):
        known = exchange(rng, known, seat)
        known.check(rng)
    return goes_on(rng, known, (lay, guess, without, at, rumour))


@pytest.mark.parametrize(("story", "number"), [(story_of_draws, 60), (story_of_an_exchange, 25)])
def test_tiles_are_where_they_are_in_some_world(story: Callable[[random.Random], bool], number: int) -> None:
    rng = random.Random(number)
    went_on = [story(rng) for _ in range(number)]
    assert True in went_on
    assert False in went_on


# --- all tiles ---------------------------------------------------------------------------------------------
def random_deal(rng: random.Random, seats: int, dealt: int) -> Known:
    """All 28 tiles, but only the world that is true."""
    tiles = rng.sample(range(COUNT), COUNT)
    hands = tuple(mask(tiles[seat * dealt : (seat + 1) * dealt]) for seat in range(seats))
    told = [hand if rng.random() < 0.2 else None for hand in hands]
    return Known(Holdings.of(seats, dealt, told), [World(hands, (*hands, ALL & ~union(hands)))])


@pytest.mark.parametrize(("seats", "dealt"), [(2, 7), (3, 7), (4, 7), (2, 6), (3, 6), (4, 6)])
def test_the_truth_is_always_among_what_may_be(seats: int, dealt: int) -> None:
    rng = random.Random(f"{seats}.{dealt}")
    for _ in range(5):
        known = random_deal(rng, seats, dealt)
        deals = known.holdings.deals()
        exchanges = 3 if seats == 3 and dealt == 7 else 0
        steps = (lay, lay, without, at) if exchanges else (lay, lay, draw, draw_seen, without, undealt, at)
        for number in range(16):
            known = exchange(rng, known, number) if number < exchanges else rng.choice(steps)(rng, known)
            holdings, truth = known.holdings, rng.choice(known.worlds)
            known = Known(holdings, [truth])
            assert holdings.possible()
            assert holdings.held == [tiles.bit_count() for tiles in truth.lie()]
            for location, (can_have, tiles) in enumerate(zip(holdings.whereabouts(), truth.lie(), strict=True)):
                assert not tiles & ~can_have
                assert not can_have & ~holdings.may_have(location)
                assert not holdings.known[location] & ~tiles
            deals, before = holdings.deals(), deals
            assert 1 <= deals <= before
