"""A bracket is drawn without overlaps, with every connector between two boxes, whatever the names are."""

import random
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from scorekeeper.drawing.bracket import bracket_file, bracket_svg
from scorekeeper.drawing.bracket_layout import HEAD, WIDTH, Bracket, Layout, Line, Match, Section, lay_out
from scorekeeper.pages.bracket import bracket_picture, in_words
from scorekeeper.pairing.chart import Chart, chart
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import KINDS, a_bracket, add, play
from tests.pairing.test_rounds import ours

File = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"


class Area(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: "Area") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def charted(file: File) -> Chart:
    tournament = read_value(file)
    return chart(tournament, tournament.stages[0])


def laid_out(drawn: Chart) -> Layout:
    return lay_out(in_words(drawn))


def played(entrants: int, kind: str, rounds: int) -> File:
    file, rng = a_bracket(entrants, **KINDS[kind]), random.Random(f"{entrants} {kind}")
    for _ in range(rounds):
        found = ours(file)
        for table in found["tables"]:
            play(rng, table, odd=0.3)
        add(file, found)
    return file


def segments(layout: Layout) -> Iterator[tuple[Area, int, int]]:
    """Every straight piece of a connector, a line as an area without a width, and the connector's two ends."""
    for each in layout.connectors:
        if each.y == each.to_y:
            yield Area(each.x, each.y, each.to_x, each.y), each.x, each.to_x
            continue
        yield Area(each.x, each.y, each.turn, each.y), each.x, each.to_x
        yield Area(each.turn, min(each.y, each.to_y), each.turn, max(each.y, each.to_y)), each.x, each.to_x
        yield Area(each.turn, each.to_y, each.to_x, each.to_y), each.x, each.to_x


def check(layout: Layout) -> None:
    boxes = [Area(box.x, box.y, box.x + WIDTH, box.y + box.height) for box in layout.boxes]
    words = [Area(each.x, each.y - 14, each.x + WIDTH, each.y + 4) for each in (*layout.headings, *layout.titles)]
    for one, other in combinations([*boxes, *words], 2):
        assert not one.meets(other)
    for area in (*boxes, *words):
        assert area.left >= 0
        assert area.top >= 0
        assert area.right <= layout.width
        assert area.bottom <= layout.height
    for line, _start, _end in segments(layout):
        assert not any(line.meets(area) for area in (*boxes, *words))
    check_connectors(layout)
    check_columns(layout)


def check_connectors(layout: Layout) -> None:
    """One for each winner who goes on, from the middle of one box to the middle of another."""
    left = {(box.x, box.middle): box for box in layout.boxes}
    right = {(box.x + WIDTH, box.middle): box for box in layout.boxes}
    found = [(right[each.x, each.y], left[each.to_x, each.to_y]) for each in layout.connectors]
    for start, end in found:
        assert start.match.round < end.match.round
    assert sorted((start.match.number, end.match.number) for start, end in found) == sorted(
        (line.source, box.match.number) for box in layout.boxes for line in box.match.lines if line.source
    )
    for each in layout.connectors:
        assert each.x < each.turn < each.to_x


def check_columns(layout: Layout) -> None:
    columns = [each.x for each in layout.headings]
    assert columns == sorted({*columns})
    for box in layout.boxes:
        assert box.x == columns[box.match.round - 1]
        assert box.y >= HEAD
        before = [
            each.middle for each in layout.boxes if each.match.number in {line.source for line in box.match.lines}
        ]
        if before:
            assert box.middle == sum(before) // len(before)


@pytest.mark.parametrize("kind", [*KINDS])
def test_nothing_overlaps_and_connectors_end_at_boxes(kind: str) -> None:
    for entrants in range(2, 65):
        drawn = charted(a_bracket(entrants, **KINDS[kind]))
        layout = laid_out(drawn)
        check(layout)
        assert [box.match.number for box in layout.boxes] == sorted(
            match.number for part in drawn.parts for match in part.matches
        )


@pytest.mark.parametrize("kind", [*KINDS])
def test_a_bracket_keeps_its_shape_while_it_is_played(kind: str) -> None:
    for entrants in (3, 6, 11, 16, 24):
        empty = laid_out(charted(a_bracket(entrants, **KINDS[kind])))
        for rounds in (1, 3, 12):
            layout = laid_out(charted(played(entrants, kind, rounds)))
            check(layout)
            before = {box.match.number: (box.x, box.y) for box in empty.boxes}
            now = {box.match.number: (box.x, box.y) for box in layout.boxes}
            # Only the second final of a double knock-out can go.
            assert now.items() <= before.items()
            assert len(before) - len(now) <= (kind == "double")


def test_tables_outside_the_tree_stand_below_it() -> None:
    file = a_bracket(8, third_place=True)
    tables = [{"sides": [[1], [2]], "totals": [1, 0]}, {"sides": [[3], [4], [5]], "totals": [3, 2, 1]}]
    file["stages"][0]["rounds"] = [{"tables": tables} for _ in range(5)]
    layout = laid_out(charted(file))
    check(layout)
    others = layout.boxes[8:]
    assert len(others) == 10
    assert min(box.y for box in others) > max(box.y for box in layout.boxes[:8])
    assert {box.height for box in others} == {48, 72}


def test_the_lower_bracket_is_below_and_the_final_at_the_right() -> None:
    drawn = charted(a_bracket(13, double=True))
    upper, lower, final = (
        [box for box in laid_out(drawn).boxes if box.match.number in {each.number for each in part.matches}]
        for part in drawn.parts
    )
    assert max(box.y for box in upper) < min(box.y for box in lower)
    assert max(box.x for box in (*upper, *lower)) < min(box.x for box in final)
    assert len({box.y for box in final}) == 1


def test_a_bracket_of_64_is_as_high_as_its_first_round() -> None:
    layout = laid_out(charted(a_bracket(64, third_place=True)))
    assert layout.height < HEAD + 32 * 60


# --- the drawing ---------------------------------------------------------------------------------------------
NAMES = [
    "Ana & <b>Bo</b>",
    "\"quoted\" 'twice'",
    "שלום \N{RIGHT-TO-LEFT OVERRIDE}txet",
    "ab\ufffec",
    "日本語の名前がとても長い場合はどうなりますか",
    "a name that goes on " * 20,
    "]]>",
    "Zoë \N{GRINNING FACE}",
]


def texts(root: ElementTree.Element, kind: str) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text") if kind in (each.get("class") or "").split()]


def the_names(**keys: Any) -> File:
    file = a_bracket(8, **keys)
    for entrant, name in zip(file["entrants"], NAMES, strict=True):
        entrant["name"] = name
    return file | {"name": NAMES[0]}


def test_names_are_escaped_and_whole_in_the_title() -> None:
    drawn = ElementTree.fromstring(bracket_picture(charted(the_names(double=True))))
    shown = texts(drawn, "name")
    assert NAMES[0] in shown
    assert NAMES[6] in shown
    assert "abc" in shown
    [long] = [name for name in shown if name.startswith("a name")]
    assert long.endswith("…")
    titles = [each.text or "" for each in drawn.iter(f"{SVG}title")]
    assert titles[0] == f"{NAMES[0]} · Cup"
    assert any(NAMES[5] in title for title in titles[1:])
    assert not any("\N{RIGHT-TO-LEFT OVERRIDE}" in text for text in drawn.itertext())


def test_every_match_is_there_once_with_its_number_and_state() -> None:
    drawn = charted(played(8, "double", 2))
    root = ElementTree.fromstring(bracket_picture(drawn))
    found = {each.get("data-match"): each.get("data-state") for each in root.iter(f"{SVG}g") if each.get("data-match")}
    assert found == {str(match.number): match.state for part in drawn.parts for match in part.matches}
    assert len(texts(root, "number")) == len(found)


def test_the_winner_has_bold_letters_and_a_mark() -> None:
    lines = [Line("Ana", "1", "3", won=True), Line("Bo", "2", "1")]
    section = Section("", [Match(1, 1, lines, "1: ✓ Ana 3, Bo 1")])
    root = ElementTree.fromstring(bracket_file(Bracket([section], ["Final"]), title="Cup", description=["Ana beat Bo"]))
    assert texts(root, "won") == ["Ana", "3"]
    bold = [each.text for each in root.iter(f"{SVG}text") if each.get("font-weight") and "won" in each.get("class", "")]
    assert bold == ["Ana", "3"]
    [mark] = [each for each in root.iter(f"{SVG}path") if each.get("class") == "mark"]
    assert mark.get("d", "").startswith(f"M{WIDTH - 9} 7")


def test_a_piece_of_a_page_is_one_picture_for_screen_readers() -> None:
    section = Section("", [Match(1, 1, [Line("Ana"), Line("Bo")], "1: Ana, Bo")])
    root = ElementTree.fromstring(bracket_svg(Bracket([section], ["Final"]), label='Bracket: "A & B"'))
    assert (root.get("role"), root.get("aria-label")) == ("img", 'Bracket: "A & B"')
    assert "style" not in bracket_svg(Bracket([section], ["Final"]), label="")


def test_a_long_score_leaves_room_for_the_name() -> None:
    for score in ("1500", "60  75  1500", "9" * 99):
        section = Section("", [Match(1, 1, [Line("Maximiliane Ho", "1", score, won=True), Line("Bo")], "")])
        root = ElementTree.fromstring(bracket_file(Bracket([section], ["Final"]), title="", description=[]))
        [name, _other], [shown] = texts(root, "name"), texts(root, "score")
        assert re.match(r"M.*(…|o)$", name)
        assert len(name) >= 4
        assert len(name) + len(shown) < 26


def test_a_file_is_printed_on_one_sheet_in_its_shape() -> None:
    wide, high = (bracket_picture(charted(a_bracket(entrants))) for entrants in (8, 64))
    assert "A4 landscape" in wide
    assert "A4 portrait" in high
