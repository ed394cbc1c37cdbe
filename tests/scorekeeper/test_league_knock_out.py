"""A league that is a knock-out: its bracket, and its next round before it counts."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.models import Event
from scorekeeper.selectors.events import results_now
from scorekeeper.selectors.leagues import league_in, places
from scorekeeper.services import leagues
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import Cast
from tests.leagues import divided, fixtures_of, typed
from tests.nights import at

Host = Callable[[str], Client]
FIVE = ["Ana", "Bo", "Cleo", "Dan", "Eva"]


def page_of(event: Event) -> str:
    return Browser().open(f"/leagues/{event.pk}/").markup


def test_its_page_shows_who_has_a_bye_whom_they_meet_and_when(cast: Cast) -> None:
    event = divided(cast, {"Cup": FIVE}, system="knock-out")
    before = page_of(event)
    assert before.count('class="match"') == 4, "before the first round is drawn"
    assert "Winner of match 1" in before
    leagues.draw_round(event_id=event.pk, step=at(event, "round"))
    [fixture] = league_in(event).fixtures.values()
    assert fixture.at
    day = f"{fixture.at:%a} {fixture.at.day} {fixture.at:%b}"
    assert re.findall(r'class="tag-text"[^>]*>([^<]*)<', page_of(event)) == [day]
    match = leagues.play(event_id=event.pk, fixture=fixture.number, table=cast.table.number, step=at(event, "play"))
    assert match.table
    assert f">Table {match.table.number}<" in page_of(event)


def test_a_result_takes_the_winner_on(cast: Cast) -> None:
    event = divided(cast, {"Cup": FIVE, "Plate": ["Finn", "Gus"]}, system="knock-out")
    leagues.draw_round(event_id=event.pk, step=at(event, "round"))
    for number in fixtures_of(event):
        typed(event, number, 100, 20)
    page = page_of(event)
    assert page.count("Can reach</th>") == 2
    assert page.count(">1–3</td>") == 4, "who loses a semi-final is third"
    assert page.count('class="sideways bracket-whole"') == 1, "only one of them goes on"
    assert len(re.findall(r'id="bracket-rounds\d"', page)) == 2
    assert page.count('class="name won"') >= 2


def test_the_big_screen_shows_what_is_played_of_each_bracket(cast: Cast) -> None:
    event = divided(cast, {"Cup": FIVE, "Plate": ["Finn", "Gus"]}, system="knock-out")
    leagues.draw_round(event_id=event.pk, step=at(event, "round"))
    leaves = Browser().open(f"/leagues/{event.pk}/screen/").markup.split("<section")
    cup, plate = (each for each in leaves if 'data-leaf="bracket"' in each)
    assert "<bdi>Cup</bdi>" in cup
    assert all(f">{name}<" in cup for name in ("Dan", "Eva"))
    assert "<bdi>Plate</bdi>" in plate
    assert ">Final<" in plate


def test_the_desk_shows_the_round_before_it_is_drawn(cast: Cast, as_user: Host) -> None:
    event = divided(cast, {"Cup": FIVE}, system="knock-out")
    desk = Browser(as_user("director")).open(f"/leagues/{event.pk}/desk/")
    assert "Round 1 as it would be" in desk.markup
    assert "Bye: Ana, Bo, Cleo" in desk.markup
    shown = re.findall(r"<bdi>(\w+)</bdi></b><small class=\"soft\">home</small>–<b><bdi>(\w+)</bdi>", desk.markup)
    assert [{*each} for each in shown] == [{"Dan", "Eva"}]
    desk.press("Draw round 1")
    [fixture] = league_in(event).fixtures.values()
    names = {number: FIVE[number - 1] for number in fixture.sides}
    assert [tuple(names[number] for number in fixture.sides)] == shown


@pytest.mark.parametrize(
    ("setup", "champion"), [({"system": "knock-out"}, False), ({"system": "swiss", "rounds": 2}, True)]
)
def test_a_season_with_rounds_to_draw_is_closed_only_if_that_is_ticked(
    cast: Cast, as_user: Host, setup: dict[str, object], champion: bool
) -> None:
    """Then nobody has won a knock-out in which more than one is left."""
    event = divided(cast, {"Cup": FIVE[:4]}, **setup)
    leagues.draw_round(event_id=event.pk, step=at(event, "round"))
    for number in fixtures_of(event):
        typed(event, number, 100, 20)
    desk = Browser(as_user("director")).open(f"/leagues/{event.pk}/desk/")
    desk.press("Close the season")
    assert "Not all rounds are played. Draw the next round, or say" in desk.words
    assert not league_in(event).closed
    desk.press("Close the season", early="yes")
    assert league_in(event).closed
    assert ("Champion" in desk.open(f"/leagues/{event.pk}/").words) is champion


@pytest.mark.parametrize(
    ("bracket", "rounds", "last"),
    [("single", [2, 1], [3, 3]), ("third-place", [2, 2], [3, 4]), ("double", [2, 2, 1, 1], [3, 4])],
)
def test_who_plays_on_is_chosen_in_the_setup(cast: Cast, bracket: str, rounds: list[int], last: list[int]) -> None:
    """A cup of four; the smaller start number always wins."""
    event = divided(cast, {"Cup": FIVE[:4]}, system="knock-out", bracket=bracket)
    for number, fixtures in enumerate(rounds, 1):
        leagues.draw_round(event_id=event.pk, step=at(event, f"round {number}"))
        drawn = [each for each in league_in(event).fixtures.values() if each.round == number]
        assert len(drawn) == fixtures
        for each in drawn:
            typed(event, each.number, *((100, 20) if each.home < each.away else (20, 100)))
    with pytest.raises(Refused, match=r"^All rounds are played\. Close the season\.$"):
        leagues.draw_round(event_id=event.pk, step=at(event, "one more"))
    (table,) = places(results_now(Event.objects.select_related("club").get(pk=event.pk)))
    assert [place for _entrant, place in table] == [1, 2, *last]
    assert ("Third place" in page_of(event)) is (bracket == "third-place")


def test_the_bracket_is_chosen_in_the_form_and_stays_once_a_fixture_is_played(cast: Cast, as_user: Host) -> None:
    event = divided(cast, {"Cup": FIVE[:4]}, system="knock-out")
    director = Browser(as_user("director"))
    director.open(f"/leagues/{event.pk}/setup/").press("Save", bracket="double")
    assert league_in(event).setup["bracket"] == "double"
    leagues.draw_round(event_id=event.pk, step=at(event, "round"))
    typed(event, 1, 100, 20)
    director.open(f"/leagues/{event.pk}/setup/").press("Save", bracket="single")
    assert league_in(event).setup["bracket"] == "double", "as the field says, which is disabled"
