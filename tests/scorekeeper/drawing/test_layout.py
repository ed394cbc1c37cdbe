"""The layout of a line is possible on a real table, whatever corners it turns."""

from collections import defaultdict
from itertools import pairwise
from random import Random

import pytest

from games.line import Kind, Line
from games.tiles import ALL, DOUBLES, high, is_double, low, members, tile
from scorekeeper.drawing.layout import NARROWEST, Half, Spot, lay_out

WIDTHS = (NARROWEST, 30, 34, 52)


def random_line(rng: Random, kind: Kind, prefer_doubles: bool) -> Line:
    """A random line, as long as possible or, half of the time, shorter."""
    line, stop = Line.of(kind), rng.randrange(1, 56)
    unlaid = set(members(ALL))
    starts = sorted(members(DOUBLES)) if kind is Kind.STAR else sorted(unlaid)
    line = line.lay(rng.choice(starts))
    unlaid.discard(line.laid[0].tile)
    while len(line.laid) < stop:
        plays = [(t, end) for t in sorted(unlaid) for end in line.fits(t)]
        doubles = [play for play in plays if is_double(play[0])]
        if not plays:
            break
        chosen = rng.choice(doubles if doubles and prefer_doubles else plays)
        line = line.lay(*chosen)
        unlaid.discard(chosen[0])
    return line


def squares(half: Half) -> tuple[int, int, int, int]:
    return half.x - 1, half.y - 1, half.x + 1, half.y + 1


def edge_shared(one: Half, other: Half) -> bool:
    """Whether two half-tiles touch along an edge, not only at a corner."""
    left, top, right, bottom = squares(one)
    left2, top2, right2, bottom2 = squares(other)
    wide, tall = min(right, right2) - max(left, left2), min(bottom, bottom2) - max(top, top2)
    return (wide == 0 and tall > 0) or (tall == 0 and wide > 0)


def overlap(one: Spot, other: Spot) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def check(line: Line, width: int) -> None:
    spots = lay_out(line, width)
    assert sorted(s.tile for s in spots if s.tile is not None) == sorted(laid.tile for laid in line.laid)
    assert {s.arm for s in spots if s.tile is None} == set(line.open)
    for spot in spots:
        assert -width // 2 <= spot.x, spot
        assert spot.x + spot.width <= width // 2, spot
        if spot.tile is not None:
            assert sorted(h.pips for h in spot.halves) == [low(spot.tile), high(spot.tile)]
        for half in spot.halves:
            assert spot.x + 1 <= half.x <= spot.x + spot.width - 1
            assert spot.y + 1 <= half.y <= spot.y + spot.height - 1
        assert edge_shared(*spot.halves)
    for at, spot in enumerate(spots):
        assert not any(overlap(spot, other) for other in spots[at + 1 :]), spot
    arms: dict[str, list[Spot]] = defaultdict(lambda: [spots[0]])
    for spot in spots[1:]:
        assert spot.arm is not None
        arms[spot.arm].append(spot)
    for arm in arms.values():
        for inner, outer in pairwise(arm):
            joined = [
                (a, b)
                for a in (inner.halves if inner is spots[0] else inner.halves[1:])
                for b in outer.halves[:1]
                if edge_shared(a, b)
            ]
            assert joined, (inner, outer)
            assert outer.tile is None or any(a.pips == b.pips for a, b in joined), (inner, outer)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("width", WIDTHS)
def test_tiles_never_overlap_and_touch_at_matching_halves(kind: Kind, width: int) -> None:
    rng = Random(f"{kind} {width}")
    for number in range(300):
        check(random_line(rng, kind, prefer_doubles=number % 2 == 0), width)


def test_a_tile_once_drawn_stays_where_it_is() -> None:
    rng = Random(5)
    for _ in range(100):
        line = random_line(rng, Kind.PLAIN, prefer_doubles=False)
        shorter = Line()
        for laid in line.laid[:-1]:
            shorter = shorter.lay(*((laid.tile,) if laid.at is None else (laid.tile, laid.end)))
        before = {s.tile: s for s in lay_out(shorter, 34) if s.tile is not None} if shorter.laid else {}
        after = {s.tile: s for s in lay_out(line, 34)}
        assert all(after[number] == spot for number, spot in before.items())


def test_doubles_lie_across_and_all_else_along() -> None:
    line = Line().lay(tile(6, 4)).lay(tile(6, 6), "w").lay(tile(4, 4), "e").lay(tile(6, 1), "w")
    assert [(s.tile, s.along) for s in lay_out(line, 34) if s.tile is not None] == [
        (tile(6, 4), True),
        (tile(6, 6), False),
        (tile(6, 1), True),
        (tile(4, 4), False),
    ]


def test_the_higher_half_of_a_first_tile_lies_west() -> None:
    west, east = lay_out(Line().lay(tile(6, 4)), 34)[0].halves
    assert (west.pips, east.pips) == (6, 4)
    assert west.x < east.x


def test_an_empty_table_has_one_free_place() -> None:
    (spot,) = lay_out(Line(), 34)
    assert (spot.tile, spot.arm) == (None, None)


def test_too_narrow_a_width_is_said() -> None:
    with pytest.raises(ValueError, match="24"):
        lay_out(Line(), NARROWEST - 2)
