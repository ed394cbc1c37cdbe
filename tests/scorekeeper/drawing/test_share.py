"""Pictures to share hold together whatever people and clubs are called."""

from random import Random
from xml.etree import ElementTree

import pytest

from scorekeeper.drawing import match_picture, player_picture, ranking_picture
from scorekeeper.drawing.rating_line import DAY, Point
from scorekeeper.drawing.share import BEST, BOTTOM, HEIGHT, TOP, WIDTH, Line, Place, Record, SideEnd
from scorekeeper.drawing.text import shortened
from scorekeeper.serving.png import png

NAMESPACE = "{http://www.w3.org/2000/svg}"
NAMES = [
    "Ana & <b>Bo</b>",
    "\"quoted\" 'twice'",
    "שלום עולם",
    "مرحبا \N{RIGHT-TO-LEFT OVERRIDE}txet",
    "日本語の名前",
    "a\x00b\x1bc\ud800d\ufffe",
    "Zoë \N{GRINNING FACE}",
    "a name that goes on " * 20,
]


def points(count: int) -> list[Point]:
    rng = Random(1)
    return [Point(at * DAY, 1500 + rng.randrange(-90, 90), 60, ("", ""), "", 60) for at in range(count)]


def pictures(name: str) -> list[str]:
    line = Line(points(9), "1 Nov 2026", "9 Nov 2026")
    return [
        ranking_picture(name, name, [Place(at + 1, name, 1600 - at, 90 + at, at - 3) for at in range(12)], name),
        ranking_picture(name, name, [], name),
        player_picture(
            name, name, games=name, rating="1534", uncertainty="± 41", record=[Record(name, name)] * 9, line=line
        ),
        player_picture(name, name, games=name, rating="", uncertainty="", record=[], line=None),
        *(match_picture(name, name, [SideEnd(name, "-120", "won")] * sides) for sides in (1, 2, 3, 4, 6)),
    ]


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in read(svg).iter(f"{NAMESPACE}text")]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_gives_a_picture(name: str) -> None:
    for svg in pictures(name):
        drawn = read(svg)
        assert (drawn.get("width"), drawn.get("height")) == (str(WIDTH), str(HEIGHT))
        assert not [*drawn.iter(f"{NAMESPACE}b")]
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in svg
        assert all(len(text) < 200 for text in texts(svg))


def test_everything_is_within_the_picture() -> None:
    for svg in pictures("Ana"):
        for rect in list(read(svg).iter(f"{NAMESPACE}rect"))[1:]:
            if rect.get("rx") == "12":
                y, height = int(rect.get("y", "")), int(rect.get("height", ""))
                assert height > 0
                assert TOP <= y <= y + height <= BOTTOM + 4


def test_a_ranking_has_its_best_people() -> None:
    drawn = texts(ranking_picture("Club", "Games", [Place(at, f"P{at}", 1500, 60, 0) for at in range(20)], ""))
    assert [text for text in drawn if text.startswith("P")] == [f"P{at}" for at in range(BEST)]
    assert drawn.count("± 60") == BEST


def test_movements_up_and_down_differ() -> None:
    up, down, none = (ranking_picture("", "", [Place(1, "Ana", 1500, 60, places)], "") for places in (2, -2, None))
    assert len({up, down, none}) == 3
    assert texts(up) == texts(down)


def test_a_text_that_fits_stays_and_another_one_ends_in_dots() -> None:
    assert shortened("Ana", 3000) == "Ana"
    assert shortened("Ana Bo and Cleo", 5000) == "Ana Bo…"
    assert len(shortened("名" * 90, 5000)) < len(shortened("a" * 90, 5000)) < 10


def test_two_partners_with_ordinary_names_have_two_lines() -> None:
    sides = [SideEnd("Ingrid Sørensen + Nils Holm", "20", "won"), SideEnd("Ana + Bo", "48", "")]
    drawn = texts(match_picture("", "", sides))
    assert {"Ingrid Sørensen", "+ Nils Holm", "Ana + Bo"} <= {*drawn}


def test_a_long_name_is_smaller_before_it_is_cut() -> None:
    name = "Maximilian-Alexander von Hohenstein-Württemberg"
    assert name in texts(ranking_picture("", "", [Place(at, name, 1500, 60, 0) for at in range(BEST)], ""))
    assert name in texts(player_picture(name, "", games="", rating="", uncertainty="", record=[], line=None))


def test_a_letter_is_not_parted_from_its_accents() -> None:
    accented = "e\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}"
    for room in range(900, 9000, 70):
        assert shortened(accented * 40, room).removesuffix("…") in (accented * count for count in range(20))


def test_a_line_of_one_point_has_one_day() -> None:
    svg = player_picture(
        "Ana", "", games="", rating="", uncertainty="", record=[], line=Line(points(1), "1 Nov", "1 Nov")
    )
    assert texts(svg).count("1 Nov") == 1


def test_the_png_has_its_size_and_its_words() -> None:
    blank, named = (png(ranking_picture(name, "", [], "")) for name in ("", "Ana"))
    for drawn in (blank, named):
        assert drawn[:8] == b"\x89PNG\r\n\x1a\n"
        assert (int.from_bytes(drawn[16:20], "big"), int.from_bytes(drawn[20:24], "big")) == (WIDTH, HEIGHT)
    assert len(named) > len(blank)


def test_every_script_becomes_a_png() -> None:
    everything = ranking_picture("Club", "", [Place(at, name, 1500, 60, at) for at, name in enumerate(NAMES)], "")
    assert len(png(everything)) > len(png(ranking_picture("Club", "", [], "")))
