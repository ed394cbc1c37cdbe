"""The bracket within a page: the drawing, and the same matches round by round."""

import re
from typing import Any

from django.template.loader import render_to_string

from scorekeeper.pages.bracket import BracketShown, bracket_shown
from scorekeeper.pairing.chart import chart
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import a_bracket

File = dict[str, Any]


def shown(file: File) -> BracketShown:
    tournament = read_value(file)
    return bracket_shown(chart(tournament, tournament.stages[0]))


def page(file: File) -> str:
    return render_to_string("scorekeeper/_bracket.html", {"shown": shown(file)})


def headings(file: File) -> list[str]:
    return [each.heading for each in shown(file).bracket_rounds]


def test_rounds_have_the_names_that_people_use() -> None:
    assert headings(a_bracket(2)) == ["Final"]
    assert headings(a_bracket(16)) == ["Round 1", "Quarter-finals", "Semi-finals", "Final"]
    assert headings(a_bracket(4, double=True)) == [
        "Round 1",
        "Round 2",
        "Round 3",
        "Final",
        "Second final, if needed",
    ]


def test_the_list_has_every_match_of_the_drawing() -> None:
    for keys in ({"third_place": True}, {"placement": True}, {"double": True}):
        found = shown(a_bracket(13, **keys))
        listed = [each.match for round_ in found.bracket_rounds for each in round_.matches]
        drawn = re.findall(r'data-match="(\d+)"', found.bracket)
        assert sorted(match.number for match in listed) == [int(number) for number in drawn]
        for round_ in found.bracket_rounds:
            assert {each.match.round for each in round_.matches} == {round_.number}


def test_the_round_that_is_played_is_open() -> None:
    file = a_bracket(4)
    assert page(file).count(" open>") == 1
    assert [each.now for each in shown(file).bracket_rounds] == [True, False]
    tables = [{"sides": [[1], [4]], "totals": [2, 0]}, {"sides": [[2], [3]], "totals": [0, 2]}]
    file["stages"][0]["rounds"] = [{"tables": tables}]
    assert [each.now for each in shown(file).bracket_rounds] == [False, True]
    file["stages"][0]["rounds"].append({"tables": [{"sides": [[1], [3]], "totals": [2, 1]}]})
    assert [each.now for each in shown(file).bracket_rounds] == [False, True]


def test_on_a_phone_the_drawing_begins_with_the_round_in_play() -> None:
    file = a_bracket(4, third_place=True)
    semi_finals = [{"sides": [[1], [4]], "totals": [2, 0]}, {"sides": [[2], [3]], "totals": [0, 2]}]
    file["stages"][0]["rounds"] = [{"tables": semi_finals}]
    drawn = shown(file).bracket_now
    assert [heading in drawn for heading in ("Semi-finals", "Final", "Third place")] == [False, True, True]


def test_who_won_is_said_and_not_only_shown() -> None:
    file = a_bracket(2)
    file["entrants"][0]["name"] = "Ana <b>"
    file["stages"][0]["rounds"] = [{"tables": [{"sides": [[1], [2]], "totals": [2, 1]}]}]
    text = " ".join(page(file).split())
    assert '<bdi>Ana &lt;b&gt;</bdi></span> <span class="figure">2</span> <span aria-hidden="true">✓</span>' in text
    assert text.count('<span class="hear">won</span>') == 1
    assert 'role="img" aria-label="Bracket: Cup"' in text


def test_what_was_not_played_is_said() -> None:
    file = a_bracket(4)
    tables = [{"sides": [[1], [4]], "absent": [1]}, {"sides": [[2], [3]], "absent": [0, 1]}]
    file["stages"][0]["rounds"] = [{"tables": tables}]
    says = [each.match.says for round_ in shown(file).bracket_rounds for each in round_.matches]
    assert says == [
        "Match 1: ✓ Entrant 1 +, Entrant 4 –",
        "Match 2: Entrant 2 –, Entrant 3 –",
        "Match 3: ✓ Entrant 1, nobody",
    ]


def test_of_a_match_that_was_played_again_and_again_the_last_scores_are_shown() -> None:
    file = a_bracket(2)
    totals = [[1, 1], [2, 2], [3, 3], [4, 4], [0, 5]]
    file["stages"][0]["rounds"] = [{"tables": [{"sides": [[1], [2]], "totals": each}]} for each in totals]
    [final] = shown(file).bracket_rounds
    [[match, part, note]] = final.matches
    assert [line.score for line in match.lines] == ["3  4  0", "3  4  5"]
    assert (part, note) == ("", "")


def test_places_and_the_two_halves_of_a_double_one_have_titles() -> None:
    def titles(file: File) -> set[str]:
        return {each.part for round_ in shown(file).bracket_rounds for each in round_.matches}

    assert titles(a_bracket(8, placement=True)) == {
        "",
        "Third place",
        "Places 5 to 8",
        "Places 5 and 6",
        "Places 7 and 8",
    }
    assert titles(a_bracket(8, double=True)) == {"", "Upper bracket", "Lower bracket"}


def test_a_match_that_somebody_played_besides_is_no_wrong_table() -> None:
    file = a_bracket(4)
    first = [{"sides": [[1], [4]], "totals": [2, 0]}, {"sides": [[2], [3]], "totals": [2, 0]}]
    second = [{"sides": [[1], [2]], "totals": [2, 0]}, {"sides": [[3], [4]], "totals": [2, 0]}]
    file["stages"][0]["rounds"] = [{"tables": first}, {"tables": second}]
    *_first, others = [each for round_ in shown(file).bracket_rounds for each in round_.matches]
    assert (others.match.says, others.part, others.note) == (
        "Match 4: ✓ Entrant 3 2, Entrant 4 0",
        "Other matches",
        "",
    )


def test_without_matches_nothing_is_shown() -> None:
    assert shown(a_bracket(1)).bracket_rounds == []
    assert page(a_bracket(1)).strip() == ""
