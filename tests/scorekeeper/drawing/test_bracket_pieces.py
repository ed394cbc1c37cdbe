"""A bracket on sheets and screens: every match is there, all fit at one scale, and what is played comes first."""

import re
from itertools import combinations
from typing import Any

import pytest

from scorekeeper.drawing import sheet_svgs
from scorekeeper.drawing.bracket_layout import WIDTH, Bracket, lay_out
from scorekeeper.drawing.bracket_pieces import Placed, Room, Sheets, from_round, sheets, sheets_in_play
from scorekeeper.pages.bracket import in_words
from scorekeeper.pairing.chart import chart
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import a_bracket, add
from tests.pairing.test_rounds import ours

PAPER, SCREEN = Room(4, 612), Room(2, 328)


def played(entrants: int, rounds: int, **keys: Any) -> Bracket:
    """The first side of each table has won."""
    file = a_bracket(entrants, **keys)
    for _ in range(rounds):
        found = ours(file)
        for table in found["tables"]:
            table["totals"] = [1, 0]
        add(file, found)
    add(file, ours(file))
    tournament = read_value(file)
    return in_words(chart(tournament, tournament.stages[0]))


def whole(found: Sheets) -> set[int]:
    return {box.match.number for sheet in found.sheets for each in sheet for box in each.layout.boxes}


def every(bracket: Bracket) -> set[int]:
    return {match.number for section in bracket.sections for match in section.matches}


def apart(one: Placed, other: Placed) -> bool:
    beside = one.x + one.layout.width <= other.x or other.x + other.layout.width <= one.x
    return beside or one.y + one.layout.height <= other.y or other.y + other.layout.height <= one.y


def check(found: Sheets, room: Room) -> None:
    assert found.height <= room.height
    for sheet in found.sheets:
        for each in sheet:
            assert each.x + each.layout.width <= found.width
            assert each.y + each.layout.height <= found.height
        for one, other in combinations(sheet, 2):
            assert apart(one, other)


KEYS = [{}, {"double": True}, {"placement": True}, {"third_place": True}]


def bracket_of(entrants: int, **keys: bool) -> Bracket:
    tournament = read_value(a_bracket(entrants, **keys))
    return in_words(chart(tournament, tournament.stages[0]))


@pytest.mark.parametrize("keys", KEYS, ids=str)
@pytest.mark.parametrize("entrants", [2, 8, 13, 33, 64])
def test_every_match_is_on_a_sheet_and_nothing_overlaps(entrants: int, keys: dict[str, bool]) -> None:
    bracket = played(entrants, 0, **keys)
    for room in (PAPER, SCREEN):
        found = sheets(bracket, room)
        check(found, room)
        assert whole(found) == every(bracket)
        drawn = sheet_svgs(found, label="Cup")
        assert len({re.findall(r'viewBox="[^"]*"', each)[0] for each in drawn}) == 1


def test_small_parts_stand_together_on_paper() -> None:
    assert len(sheets(played(6, 0, double=True), PAPER).sheets) == 1
    assert len(sheets(played(11, 0, third_place=True), PAPER).sheets) == 1
    assert len(sheets(played(45, 0, placement=True), PAPER).sheets) <= 8


def test_a_piece_says_what_it_decides() -> None:
    [sheet] = sheets(played(8, 0, placement=True), PAPER).sheets
    words = {each.text for piece in sheet for each in (*piece.layout.headings, *piece.layout.titles)}
    assert words == {
        "Quarter-finals",
        "Semi-finals",
        "Final",
        "Third place",
        "Places 5 to 8",
        "Places 5 and 6",
        "Places 7 and 8",
    }
    [third] = [piece for piece in sheet if "Third place" in {each.text for each in piece.layout.titles}]
    assert third.layout.headings == []


@pytest.mark.parametrize("rounds", range(6))
def test_a_screen_shows_all_that_is_played_and_few_leaves(rounds: int) -> None:
    bracket = played(45, rounds, placement=True)
    found = sheets_in_play(bracket, SCREEN)
    check(found, SCREEN)
    playing = {each.number for part in bracket.sections for each in part.matches if each.state == "open"}
    assert playing
    assert playing <= whole(found)
    assert len(found.sheets) <= 8
    assert all(any(box.match.can_be_played for each in sheet for box in each.layout.boxes) for sheet in found.sheets)


def test_a_screen_shows_the_first_round_on_leaves_of_the_same_size() -> None:
    found = sheets_in_play(played(45, 0, placement=True), SCREEN)
    assert [len(sheet) for sheet in found.sheets] == [1, 1, 1, 1]
    assert {sum(box.x > WIDTH for box in sheet[0].layout.boxes) for sheet in found.sheets} == {4}


def test_a_screen_shows_final_and_third_place_together_with_the_semi_finals_then_how_it_ended() -> None:
    for rounds, titles in ((3, ["Third place"]), (4, [])):
        [[piece]] = sheets_in_play(played(11, rounds, third_place=True), SCREEN).sheets
        assert [each.text for each in piece.layout.headings] == ["Semi-finals", "Final"]
        assert [each.text for each in piece.layout.titles] == titles
        assert {each.x for each in piece.layout.titles} <= {piece.layout.headings[1].x}, "below the final"


def test_of_a_tree_in_its_last_round_only_its_last_title_is_left() -> None:
    """The titles of a tree for places, and of the match that decides the first of them, would be in one place."""
    layout = lay_out(from_round(played(7, 2, placement=True), 3))
    assert [each.text for each in layout.titles] == ["Third place", "Places 5 and 6"]
    assert len({(each.x, each.y) for each in layout.titles}) == 2


def test_while_the_semi_finals_are_played_a_screen_shows_where_their_losers_go() -> None:
    for entrants, rounds, keys in ((4, 0, {"third_place": True}), (11, 2, {"third_place": True})):
        bracket = played(entrants, rounds, **keys)
        found = sheets_in_play(bracket, SCREEN)
        check(found, SCREEN)
        [[piece]] = found.sheets
        assert [each.text for each in piece.layout.headings] == ["Semi-finals", "Final"]
        assert [each.text for each in piece.layout.titles] == ["Third place"]
        (third,) = (each for each in bracket.sections if each.title)
        assert {match.number for match in third.matches} <= whole(found)


@pytest.mark.parametrize(
    ("rounds", "titles", "headings"),
    [
        (0, ["Upper bracket"], ["Round 1", "Round 2"]),
        (4, ["Lower bracket"], ["Round 4", "Round 5", "Final", "Second final, if needed"]),
        (5, ["Upper bracket"], ["Round 2", "Round 3", "Final", "Second final, if needed"]),
        (7, ["Upper bracket"], ["Round 2", "Round 3", "Final", "Second final"]),
    ],
)
def test_where_a_screen_has_room_it_shows_where_a_match_leads_and_who_came_there(
    rounds: int, titles: list[str], headings: list[str]
) -> None:
    found = sheets_in_play(played(8, rounds, double=True), SCREEN)
    check(found, SCREEN)
    [sheet] = found.sheets
    assert [each.text for piece in sheet for each in piece.layout.titles] == titles
    assert [each.text for piece in sheet for each in piece.layout.headings] == headings


def test_a_phone_begins_with_the_rounds_that_are_played() -> None:
    begun = from_round(played(45, 0, placement=True), 1)
    assert [section.title for section in begun.sections] == [""]
    late = from_round(played(11, 3, third_place=True), 3)
    assert late.headings == ["Semi-finals", "Final"]
    assert [section.title for section in late.sections] == ["", "Third place"]
    assert {match.round for section in late.sections for match in section.matches} == {1, 2}
