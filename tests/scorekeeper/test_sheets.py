"""Blank score sheets: the columns of each game, names and codes of tables, numbers, sheets per page."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

import games
from games import GAMES
from scorekeeper.forms.columns import columns
from scorekeeper.models import DeviceToken, Event
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import night_of, played

FOUR = next(slug for slug, game in games.GAMES.items() if game.seats == (4,))


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Client:
    return as_user("director")


def made(client: Client, path: str, **typed: str) -> str:
    answer = client.post(path, typed)
    assert answer.status_code == 200
    return answer.content.decode()


def numbers(page: str) -> list[str]:
    return re.findall(r'data-sheet="([^"]*)"', page)


def blank(client: Client, game: str, **typed: str) -> str:
    given = {"do": "blank", "game": game, "count": "2", "first": "1"} | typed
    return made(client, reverse("club_sheets", args=["rovers"]), **given)


def test_a_sheet_has_the_columns_its_game_asks_for(cast: Cast, host: Client, game: str) -> None:
    rules = GAMES[game]
    asked = columns(rules, rules.read_options({}), max(rules.seats))
    page = blank(host, game, count="1")
    head = page.split("<thead>")[1].split("</thead>")[0]
    for column in asked:
        assert column.group in head
    sides = rules.sides(max(rules.seats))
    first = page.split("<tbody>")[1].split("</tr>")[0]
    assert first.count("<td") == len(asked) + len(sides)
    assert first.count('<td class="total">') == len(sides)
    assert page.split("<footer>")[1].count('class="sign"') == max(rules.seats)


def test_blank_sheets_are_as_many_as_wanted_and_numbered_on(cast: Cast, host: Client) -> None:
    page = blank(host, FOUR, count="5", first="8")
    assert numbers(page) == ["8", "9", "10", "11", "12"]
    assert 'class="qr"' not in page
    assert not DeviceToken.objects.exists()


def test_a_long_match_has_a_page_to_itself(cast: Cast, host: Client) -> None:
    assert 'class="score-sheet half"' in blank(host, FOUR)
    for hands, rows in ((4, 4), (20, 20), (500, 32)):
        match = cast.open(FOUR, hands=hands)
        page = blank(host, FOUR, count="1")
        assert page.split("<tbody>")[1].split("</tbody>")[0].count("<tr>") == rows
        assert ('class="score-sheet half"' in page) == (rows <= 12)
        match.delete()


@pytest.mark.parametrize("typed", [{"count": "0"}, {"count": "61"}, {"count": "x"}, {"game": "chess"}, {"first": ""}])
def test_sheets_that_cannot_be_are_refused(cast: Cast, host: Client, typed: dict[str, str]) -> None:
    given = {"do": "blank", "game": FOUR, "count": "2", "first": "1"} | typed
    answer = host.post(reverse("club_sheets", args=["rovers"]), given)
    assert answer.status_code == 422
    assert not numbers(answer.content.decode())


def test_the_tables_of_the_round_have_their_names_numbers_and_codes(cast: Cast, host: Client) -> None:
    night = night_of(cast, 24, games=(FOUR,), rounds=2)
    path = reverse("night_sheets", args=[night.pk])
    assert not numbers(Browser(host).open(path).answer.content.decode()), "each code is a new pass: not by looking"
    page = made(host, path, do="drawn")
    assert numbers(page) == [f"{night.pk}-2.{table}" for table in range(1, 7)]
    assert page.count('class="qr"') == 6
    for sheet, match in zip(
        page.split("<article")[1:], night.matches.filter(round=2).order_by("table__number"), strict=True
    ):
        names = sheet.split('<ol class="sheet-players">')[1].split("</ol>")[0]
        assert re.findall(r"<b>(.*?)</b>", names) == [seat.name for seat in match.seats.all()]
        assert f"<b>{match.table and match.table.number}</b>" in sheet
    tokens = DeviceToken.objects.all()
    assert sorted(token.table.number for token in tokens) == [1, 2, 3, 4, 5, 6]
    assert {token.address for token in tokens} == {"http://testserver"}


def test_the_same_table_has_the_same_number_when_it_is_printed_again(cast: Cast, host: Client) -> None:
    night = night_of(cast, 8, games=(FOUR,))
    path = reverse("night_sheets", args=[night.pk])
    assert numbers(made(host, path, do="drawn")) == numbers(made(host, path, do="drawn"))


def test_a_match_that_is_over_needs_no_sheet(cast: Cast, host: Client) -> None:
    night = night_of(cast, 8, games=(FOUR,))
    path = reverse("night_sheets", args=[night.pk])
    over, goes_on = night.matches.order_by("table__number")
    played(over)
    assert numbers(made(host, path, do="drawn")) == [f"{night.pk}-1.{goes_on.table and goes_on.table.number}"]
    played(goes_on)
    assert numbers(made(host, path, do="drawn")) == []
    assert "with names" not in Browser(host).open(path).words


def test_before_the_draw_every_open_table_may_have_its_sheet(cast: Cast, host: Client) -> None:
    night = Event.objects.create(club=cast.club, kind="night", started_at=NOW)
    cast.other_table.open = False
    cast.other_table.save()
    path = reverse("night_sheets", args=[night.pk])
    assert "No draw yet" in Browser(host).open(path).words
    page = made(host, path, do="tables", game=FOUR, count="9", first="3")
    assert numbers(page) == [f"{night.pk}-3"]
    assert page.count('class="qr"') == 1
    assert numbers(made(host, path, do="blank", game=FOUR, count="2", first="1")) == [f"{night.pk}-1", f"{night.pk}-2"]
    assert numbers(made(host, path, do="drawn")) == []


def test_the_first_game_offered_is_that_of_the_night(cast: Cast, host: Client) -> None:
    night = night_of(cast, 10, rounds=0)
    desk = Browser(host).open(f"/nights/{night.pk}/desk/").press("Fill the tables", game=FOUR, second="draw")
    desk.press("Seat them")
    for path in (reverse("night_sheets", args=[night.pk]), reverse("club_sheets", args=["rovers"])):
        form, _button = Browser(host).open(path).button("Blank sheets")
        assert ("game", FOUR) in form.fields
    cast.open("block")
    cast.open("block")
    cast.open("block")
    form, _button = Browser(host).open(reverse("night_sheets", args=[night.pk])).button("Blank sheets")
    assert ("game", FOUR) in form.fields, "whatever else the club plays"


def test_a_name_is_written_unchanged(cast: Cast, host: Client) -> None:
    night = night_of(cast, names=["<b>Eva</b>", "Zoë & Co", "Bo", "Di"], games=(FOUR,))
    page = made(host, reverse("night_sheets", args=[night.pk]), do="drawn")
    assert "&lt;b&gt;Eva&lt;/b&gt;" in page
    assert "Zoë &amp; Co" in page
