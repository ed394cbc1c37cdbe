"""The line of a rating is honest, small, and says every match without a script."""

import re
from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest

from scorekeeper.drawing.rating_line import (
    BOTTOM,
    DAY,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Point,
    _curve,
    curves,
    grid,
    plot_of,
    rating_line_svg,
    spans,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"


def points(count: int, rng: Random) -> list[Point]:
    shown, found = 1500, []
    for number in range(count):
        shown += rng.randrange(-40, 41)
        says = f"{number}: <{shown}>", "beat A & B"
        found.append(Point(number * DAY, shown, 40, says, f"/matches/{number}/?a&b", 40))
    return found


def test_each_point_is_a_link_that_says_its_match() -> None:
    drawn = ElementTree.fromstring(rating_line_svg(points(30, Random(1)), label="Ana & Bo", days=[(DAY, "2 Nov")]))
    assert drawn.get("aria-label") == "Ana & Bo"
    links = list(drawn.iter("a"))
    assert [link.get("href") for link in links] == [f"/matches/{number}/?a&b" for number in range(30)]
    for link in links:
        assert link[0].tag == "title"
        assert (link[0].text or "").endswith("beat A & B")
        assert "".join(link[-1].itertext()).endswith("beat A & B")
    assert "2 Nov" in [text.text for text in drawn.iter("text")]


def test_all_dots_are_in_the_plot() -> None:
    rng = Random(2)
    for count in (1, 2, 3, 100):
        drawn = rating_line_svg(points(count, rng), label="", days=())
        for x, y in re.findall(r'class="dot" cx="([\d.]+)" cy="([\d.]+)"', drawn):
            assert LEFT <= float(x) <= RIGHT
            assert TOP <= float(y) <= BOTTOM


def test_the_band_is_widest_at_the_end_of_a_pause() -> None:
    before, after = (Point(at * DAY, 1500, 40, ("", ""), "", awaited) for at, awaited in ((0, 40), (300, 90)))
    plot = plot_of([before, after], left=0, right=100, top=0, bottom=100)
    band = curves([before, after], plot)[1]
    # Each part of a path ends with the point that it leads to.
    corners = [tuple(map(float, re.findall(r"[\d.]+", part)[-2:])) for part in re.split("[MCL]", band)[1:]]
    edges = ((0, 1540), (100, 1590), (100, 1540), (100, 1460), (100, 1410), (0, 1460))
    assert corners == [pytest.approx((x, plot.y(shown)), abs=0.1) for x, shown in edges]


def test_a_date_at_the_edge_stays_in_the_picture() -> None:
    drawn = rating_line_svg(points(30, Random(1)), label="", days=[(DAY, "2 Nov"), (29 * DAY, "30 Nov 2026")])
    assert f'class="day last" x="{WIDTH}"' in drawn
    assert drawn.count("day last") == 1


def test_nothing_is_drawn_without_a_point() -> None:
    with pytest.raises(ValueError, match="needs a point"):
        rating_line_svg([], label="", days=())


def test_between_two_values_the_line_stays_between_them() -> None:
    rng = Random(3)
    for _ in range(100):
        spots = [(10.0 * at, float(rng.randrange(100))) for at in range(8)]
        numbers = re.findall(r"-?[\d.]+ -?[\d.]+", _curve(spots, "M"))
        ys = [float(pair.split()[1]) for pair in numbers]
        for at, ((_x, one), (_x2, other)) in enumerate(pairwise(spots)):
            first, second = ys[1 + 3 * at], ys[2 + 3 * at]
            for part in (number / 20 for number in range(21)):
                rest = 1 - part
                y = rest**3 * one + 3 * rest**2 * part * first + 3 * rest * part**2 * second + part**3 * other
                assert min(one, other) - 0.2 <= y <= max(one, other) + 0.2


@pytest.mark.parametrize(("lowest", "highest"), [(1500, 1500), (1421, 1579), (1499, 1501), (900, 2300), (-5, 5)])
def test_the_grid_is_round_and_holds_all_values(lowest: int, highest: int) -> None:
    lines = grid(lowest, highest)
    assert lines[0] <= lowest <= highest <= lines[-1]
    assert 2 < len(lines) <= 7
    assert lines.step % 10 == 0
    assert all(value % lines.step == 0 for value in lines)


def test_matches_of_one_evening_stay_apart_and_those_of_many_days_become_one_point_each() -> None:
    assert spans([], 100) == []
    assert spans([5, 10, 10], 100) == [range(1), range(1, 2), range(2, 3)]
    assert spans([0, 5, DAY, DAY + 5, 3 * DAY], 100) == [range(2), range(2, 4), range(4, 5)]


def test_a_thousand_matches_stay_small() -> None:
    times = [number * DAY for number in range(1000)]
    found = spans(times, 100)
    assert len(found) <= 100
    assert [at for span in found for at in span] == list(range(1000))
    assert len(rating_line_svg(points(len(found), Random(4)), label="", days=())) < 64_000


def test_an_evening_with_too_many_matches_is_one_point() -> None:
    assert spans(list(range(200)), 100) == [range(200)]
