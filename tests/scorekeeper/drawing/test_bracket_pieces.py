"""A large bracket in pieces for a sheet or a screen: every match is there, and few begin on each."""

import pytest

from scorekeeper.drawing import bracket_svg
from scorekeeper.drawing.bracket_pieces import pieces
from scorekeeper.pages.bracket import in_words
from scorekeeper.pairing.chart import chart
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import a_bracket


@pytest.mark.parametrize("keys", [{}, {"double": True}, {"placement": True}], ids=["single", "double", "placement"])
@pytest.mark.parametrize("entrants", [2, 8, 13, 33, 64])
def test_every_match_is_in_a_piece_of_its_size(entrants: int, keys: dict[str, bool]) -> None:
    tournament = read_value(a_bracket(entrants, **keys))
    whole = in_words(chart(tournament, tournament.stages[0]))
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
