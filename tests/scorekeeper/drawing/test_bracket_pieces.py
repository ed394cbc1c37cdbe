"""A large bracket in pieces for a sheet or a screen: every match is there, and few begin on each."""

import pytest

from scorekeeper.drawing import bracket_svg
from scorekeeper.drawing.bracket_layout import Bracket, lay_out
from scorekeeper.drawing.bracket_pieces import pieces, sheets
from scorekeeper.pages.bracket import in_words
from scorekeeper.pairing.chart import chart
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import a_bracket

KEYS = [{}, {"double": True}, {"placement": True}, {"third_place": True}]


def bracket_of(entrants: int, **keys: bool) -> Bracket:
    tournament = read_value(a_bracket(entrants, **keys))
    return in_words(chart(tournament, tournament.stages[0]))


@pytest.mark.parametrize("keys", KEYS, ids=str)
@pytest.mark.parametrize("entrants", [2, 8, 13, 33, 64])
def test_every_match_is_in_a_piece_of_its_size(entrants: int, keys: dict[str, bool]) -> None:
    whole = bracket_of(entrants, **keys)
    every = {match.number for section in whole.sections for match in section.matches}
    found = pieces(whole, 8)
    assert {match.number for each in found for match in each.sections[0].matches} == every
    for each in found:
        matches = each.sections[0].matches
        begin = [match for match in matches if all(line.source is None for line in match.lines)]
        assert len(begin) <= 8 or len({match.round for match in matches}) <= 2
        assert min(match.round for match in matches) == 1
        assert max(match.round for match in matches) == len(each.headings)
        assert bracket_svg(each, label="Cup").count('class="match"') == len(matches)


@pytest.mark.parametrize("keys", KEYS, ids=str)
@pytest.mark.parametrize("entrants", [2, 8, 13, 33, 64])
def test_a_sheet_has_few_rounds_and_as_much_as_its_room_allows(entrants: int, keys: dict[str, bool]) -> None:
    whole = bracket_of(entrants, **keys)
    every = {match.number for section in whole.sections for match in section.matches}
    found = sheets(whole, 8, 5)
    assert {match.number for each in found for part in each.sections for match in part.matches} == every
    assert len(found) <= len(pieces(whole, 8)) + len(found[0].headings), "pieces that are too wide are cut, too"
    for each in found:
        matches = [match for part in each.sections for match in part.matches]
        assert len(each.headings) <= 5
        assert len({match.number for match in matches}) == len(matches)
        assert bracket_svg(each, label="Cup").count('class="match"') == len(matches)
        assert len(each.sections) == 1 or lay_out(each).height <= 8 * 58 + 70


def test_a_small_bracket_is_on_one_sheet_with_all_its_parts() -> None:
    assert [len(each.sections) for each in sheets(bracket_of(16, third_place=True), 8, 5)] == [2]
    assert [len(each.sections) for each in sheets(bracket_of(4, double=True), 8, 5)] == [3]
    assert [(each.headings[0], each.headings[-1]) for each in sheets(bracket_of(16, double=True), 8, 5)] == [
        ("Round 1", "Round 4"),
        ("Round 2", "Round 6"),
        ("Round 6", "Second final, if needed"),
    ]
