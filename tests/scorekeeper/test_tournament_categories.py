"""Categories of entrants, and clubs: who is in them, their own standings, and their best on paper."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.events import Tournament
from scorekeeper.events.records import About, Category
from scorekeeper.models import Event
from scorekeeper.selectors import tournament_categories
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.tournament_categories import CLUB, Among
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import entrants, events
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.events import Step
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_tournament_prizes import csv_of
from tests.tournaments import entered, file_of, played_out, scheduled, setup_of

Host = Callable[[str], Client]


def cup(cast: Cast, entrants: int = 6) -> Event:
    return scheduled(cast, setup_of("block", "heads"), entrants)


def with_category(event: Event, name: str, who: list[int], number: int | None = None) -> None:
    step = at(event, f"{name}-{number}")
    entrants.categorise(event_id=event.pk, number=number, name=name, entrants=who, step=step)


def of_club(event: Event, number: int, club: str) -> None:
    step = at(event, f"club-{number}")
    entrants.describe(event_id=event.pk, entrant=number, about=About("", club), step=step)


def categories_of(event: Event) -> tuple[Category, ...]:
    state = state_of(Event.objects.get(pk=event.pk))
    assert isinstance(state, Tournament)
    return state.categories


def test_a_director_ticks_who_is_in_a_category(cast: Cast, as_user: Host) -> None:
    event = cup(cast)
    page = f"/tournaments/{event.pk}/entrants/"
    host = Browser(as_user("director")).open(page)
    host.press("Add the category", category=" Juniors ", **{"in": ["2", "5"]})
    assert host.status == 200, host.words
    assert "Juniors: saved." in host.words
    assert categories_of(event) == (Category("Juniors", frozenset({2, 5})),)
    assert host.markup.count("checked") == 2
    assert "changed a category “Cup” Juniors · Bruno, Elena" in host.open(f"/clubs/{cast.club.slug}/audit/").words
    form, _button = host.open(page).button("Remove the category")
    body = {name: [value] for name, value in form.fields}
    host.post(page, body | {"do": ["category:0"], "category": ["Under 18"], "in": ["5"]})
    assert categories_of(event) == (Category("Under 18", frozenset({5})),)
    host.press("Remove the category")
    assert "The category is removed." in host.words
    assert categories_of(event) == ()
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo: category removed")
    assert categories_of(event) == (Category("Under 18", frozenset({5})),)
    host.press("Undo: change of a category")
    assert categories_of(event) == (Category("Juniors", frozenset({2, 5})),)
    words = host.open(f"/clubs/{cast.club.slug}/audit/").words
    assert "removed a category “Cup” Under 18" in words
    assert "undid the step before “Cup” removed a category · Under 18" in words


def test_an_empty_category_is_said_to_be_left_out(cast: Cast, as_user: Host) -> None:
    event = cup(cast)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/entrants/")
    says = "Veterans: saved. Nobody is in it, so pages and papers leave it out."
    assert says in host.press("Add the category", category="Veterans", **{"in": []}).words
    for page in ("", "standings/", "print/prizes/"):
        assert "Veterans" not in Browser().open(f"/tournaments/{event.pk}/{page}").words


@pytest.mark.parametrize(
    ("name", "who", "said"),
    [
        ("  ", ["1"], "Type the name of the category."),
        ("juniors", ["1"], "There is a category “juniors” already. Change that one, or choose another name."),
        ("x" * 81, ["1"], "A name needs 1 to 80 characters."),
        ("Ladies", ["1", "9"], "There is no entrant with this number."),
    ],
)
def test_a_refused_category_keeps_what_was_typed(
    cast: Cast, as_user: Host, name: str, who: list[str], said: str
) -> None:
    event = cup(cast)
    with_category(event, "Juniors", [2])
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/entrants/")
    host.press("Add the category", category=name, **{"in": who})
    assert host.status == 422
    assert said in host.words
    assert f'value="{name.strip()}"' in host.markup
    assert host.markup.count("checked") == 2, "the one of the juniors, and the one that was ticked"
    assert len(categories_of(event)) == 1


def test_steps_about_categories_are_refused_like_others(cast: Cast) -> None:
    event = cup(cast)
    for number in range(20):
        with_category(event, f"Group {number}", [])
    with pytest.raises(Refused, match="up to 20 categories"):
        with_category(event, "One more", [])
    with_category(event, "Group 0", [1], number=0)
    assert categories_of(event)[0].entrants == {1}, "its own name is not taken"
    for number in (20, 10**8):
        with pytest.raises(Refused, match="This category does not exist"):
            with_category(event, "None", [], number=number)
        with pytest.raises(Refused, match="This category does not exist"):
            entrants.remove_category(event_id=event.pk, number=number, step=at(event, f"none-{number}"))
    with pytest.raises(Behind):
        entrants.remove_category(event_id=event.pk, number=0, step=Step(at(event, "x").by, "late", 1, NOW))
    step = at(event, "twice")
    for _again in range(2):
        entrants.remove_category(event_id=event.pk, number=0, step=step)
    assert len(categories_of(event)) == 19


def test_who_is_taken_out_is_in_no_category(cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads"), 4)
    with_category(event, "Juniors", [2, 3])
    entrants.remove(event_id=event.pk, entrant=3, step=at(event, "out"))
    assert categories_of(event) == (Category("Juniors", frozenset({2})),)


def test_categories_can_change_after_the_end(cast: Cast) -> None:
    event = cup(cast, 4)
    played_out(event)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    with_category(event, "Juniors", [2])
    entrants.remove_category(event_id=event.pk, number=0, step=at(event, "remove"))
    for key in ("undo", "undo again"):
        events.undo(event_id=event.pk, step=at(event, key))
    assert Event.objects.get(pk=event.pk).closed_at


# --- their standings ---------------------------------------------------------------------------------------
def test_a_category_has_its_own_table(cast: Cast) -> None:
    event = cup(cast)
    with_category(event, "Ladies & Juniors", [1, 3, 5])
    visitor = Browser().open(f"/tournaments/{event.pk}/standings/").follow("Ladies")
    assert "The standings begin with the first round." in visitor.words
    played_out(event)
    visitor.open(f"/tournaments/{event.pk}/standings/").follow("Ladies")
    overall = standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk))).stages[0].rows
    theirs = [row for row in overall if row.entrant in (1, 3, 5)]
    better = [1 + sum(other.place < row.place for other in theirs) for row in theirs]
    markup = visitor.markup
    places = [int(place) for place in re.findall(r'class="number place"> *(\d+)', markup)]
    names = [each.split("<bdi>")[1].split("</bdi>")[0] for each in markup.split('<th scope="row">')[1:]]
    assert (places, names) == (better, [row.name for row in theirs])
    assert "Standings after round 5 · Ladies & Juniors" in visitor.words
    visitor.follow("3")
    assert "Standings after round 3 · Ladies & Juniors" in visitor.words
    assert len(visitor.markup.split('<th scope="row">')) == 4
    assert "Everybody" in visitor.words
    visitor.follow("Everybody")
    assert visitor.path.endswith("?after=3")
    assert len(visitor.markup.split('<th scope="row">')) == 7


@pytest.mark.parametrize("query", ["category=Nobody", "club=Nobody", "category=North", "club=Juniors"])
def test_a_category_that_does_not_exist(cast: Cast, query: str) -> None:
    event = cup(cast, 4)
    with_category(event, "Juniors", [1])
    for number in (1, 2):
        of_club(event, number, "North")
    for page in ("standings", "print/standings", "print/prizes"):
        assert Client().get(f"/tournaments/{event.pk}/{page}/?{query}").status_code == 404


def test_clubs_of_several_entrants_have_tables(cast: Cast) -> None:
    event = cup(cast)
    for number, club in {1: "South", 2: "north  end", 3: "North End", 4: "South", 5: "West"}.items():
        of_club(event, number, club)
    state = state_of(Event.objects.get(pk=event.pk))
    assert isinstance(state, Tournament)
    assert tournament_categories.clubs(state) == [
        Among(CLUB, "north end", frozenset({2, 3})),
        Among(CLUB, "South", frozenset({1, 4})),
    ]
    played_out(event)
    visitor = Browser().open(f"/tournaments/{event.pk}/standings/").follow("South")
    assert visitor.path.endswith("?club=South")
    names = [each.split("<bdi>")[1].split("</bdi>")[0] for each in visitor.markup.split('<th scope="row">')[1:]]
    assert sorted(names) == ["Ada", "Dmitri"]


def test_a_club_that_everybody_is_of_has_no_table(cast: Cast) -> None:
    event = cup(cast, 3)
    for number in (1, 2, 3):
        of_club(event, number, "North")
    assert "Clubs" not in Browser().open(f"/tournaments/{event.pk}/standings/").words


# --- elsewhere ---------------------------------------------------------------------------------------------
def test_the_prize_list_and_certificates_have_the_best_of_each(cast: Cast) -> None:
    event = cup(cast)
    with_category(event, "Juniors", [2, 5])
    with_category(event, "Nobody", [])
    for number in (3, 4):
        of_club(event, number, "North")
    visitor = Browser().open(f"/tournaments/{event.pk}/print/prizes/")
    assert "Juniors" not in visitor.words, "nobody has a place yet"
    played_out(event)
    rows = standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk))).stages[0].rows
    junior = next(row for row in rows if row.entrant in (2, 5))
    north = next(row for row in rows if row.entrant in (3, 4))
    words = visitor.open(f"/tournaments/{event.pk}/print/prizes/").words
    assert f"Juniors {junior.name} {junior.place}" in words
    assert "North" not in words
    assert "Nobody" not in words
    assert 'name="clubs"' in visitor.open(f"/tournaments/{event.pk}/print/").markup
    assert f"North {north.name} {north.place}" in visitor.open(f"/tournaments/{event.pk}/print/prizes/?clubs=1").words
    visitor.open(f"/tournaments/{event.pk}/print/certificates/?clubs=1")
    assert f"{junior.name} Best of: Juniors Place {junior.place} of all" in visitor.words
    assert f"{north.name} Best of: North" in visitor.words
    assert visitor.markup.count('class="certificate"') == 5
    visitor.open(f"/tournaments/{event.pk}/print/").follow("Juniors")
    assert visitor.markup.count('<th scope="row">') == 2


def test_the_table_for_spreadsheets_names_the_categories(cast: Cast) -> None:
    event = cup(cast, 4)
    assert "categories" not in csv_of(event)[0]
    with_category(event, "Juniors", [2, 3])
    with_category(event, "Ladies", [3])
    found = {row["start number"]: row["categories"] for row in csv_of(event)}
    assert found == {"1": "", "2": "Juniors", "3": "Juniors, Ladies", "4": ""}


def test_the_file_has_the_categories(cast: Cast) -> None:
    event = cup(cast, 4)
    assert "categories" not in file_of(event)["scorekeeper"]
    with_category(event, "Juniors", [3, 2])
    assert file_of(event)["scorekeeper"]["categories"] == [{"name": "Juniors", "entrants": [2, 3]}]
