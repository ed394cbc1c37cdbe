"""Prize money: typed in the setup, shared by rule, shown at the end, on paper and in tables."""

import csv
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from scorekeeper.models import Event
from scorekeeper.selectors.events import state_of
from scorekeeper.services import directing, events, tournaments
from scorekeeper.services.setups import BadSetup
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at, first
from tests.tournaments import entered, file_of, made, released, setup_of

Host = Callable[[str], Client]
FUND: dict[str, Any] = {"amounts": [100, 60, 40], "cents": False, "unit": "€", "sharing": "place"}


def day(cast: Cast, entrants: int = 4, **setup: Any) -> Event:
    """One round in which everybody who leads wins, so that half of them have equal points."""
    usual: dict[str, Any] = {"rounds": 1, "order": ["points", "start"]}
    event = entered(cast, setup_of("block", "heads", **usual | setup), entrants)
    made(event)
    for match in released(event):
        assert match.table
        number, step = match.table.number, at(event, f"result-{match.pk}")
        directing.type_result(event_id=event.pk, round_number=1, table=number, totals=[50, 10], early=True, step=step)
    return event


def closed(event: Event) -> Event:
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    return event


def csv_of(event: Event, query: str = "") -> list[dict[str, str]]:
    text = Client().get(f"/tournaments/{event.pk}/standings.csv{query}").content.decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize(
    ("sharing", "order", "paid"),
    [
        ("place", ["points", "start"], ["100 €", "60 €", "40 €"]),
        ("equal", ["points", "start"], ["80 €", "80 €", "20 €", "20 €"]),
        ("hort", ["points", "start"], ["90 €", "70 €", "30 €", "10 €"]),
        ("place", ["points"], ["80 €", "80 €", "20 €", "20 €"]),
    ],
)
def test_the_prize_list_and_the_final_standings_share_by_rule(
    cast: Cast, sharing: str, order: list[str], paid: list[str]
) -> None:
    event = day(cast, fund=FUND | {"sharing": sharing}, order=order)
    visitor = Browser().open(f"/tournaments/{event.pk}/print/prizes/")
    assert re.findall(r'<td class="wide">(\d+)\s€</td>', visitor.markup) == [each.removesuffix(" €") for each in paid]
    assert "€" not in visitor.open(f"/tournaments/{event.pk}/standings/").words, "nothing is paid before the end"
    closed(event)
    assert re.findall(r"\d+ €", visitor.open(f"/tournaments/{event.pk}/standings/").words) == paid
    assert "€" not in visitor.open(f"/tournaments/{event.pk}/entrants/1/").words
    assert [f"{row['prize']} €" for row in csv_of(event) if row["prize"]] == paid
    certificates = visitor.open(f"/tournaments/{event.pk}/print/certificates/").words
    assert re.findall(r"Prize: (\d+ €)", certificates) == paid
    few = visitor.open(f"/tournaments/{event.pk}/print/prizes/?places=1")
    assert len(re.findall(r'<td class="wide">\d+\s€</td>', few.markup)) == (2 if order == ["points"] else 1)


def test_cents_are_shared_to_the_last_one(cast: Cast) -> None:
    fund = {"amounts": [1000, 501], "cents": True, "unit": "", "sharing": "equal"}
    event = closed(day(cast, fund=fund, order=["points"]))
    words = Browser().open(f"/tournaments/{event.pk}/standings/").words
    assert re.findall(r"\d+\.\d\d", words) == ["7.51", "7.50"]
    assert [row["prize"] for row in csv_of(event)] == ["7.51", "7.50", "", ""]
    spanish = Client().get(f"/tournaments/{event.pk}/standings/", headers={"Accept-Language": "es"}).content.decode()
    assert "7,51" in spanish


def test_who_came_to_too_few_tables_gets_nothing(cast: Cast) -> None:
    event = closed(day(cast, 3, fund=FUND, minimum_played=1))
    assert [(row["prize"], row["too few tables"]) for row in csv_of(event)] == [("100", ""), ("60", ""), ("", "yes")]


def test_nobody_gets_anything_before_the_first_result_or_without_amounts(cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", fund=FUND), 4)
    for paper in ("prizes", "certificates"):
        assert "€" not in Browser().open(f"/tournaments/{event.pk}/print/{paper}/").words
    assert "prize" not in csv_of(event)[0]
    setup = {name: value for name, value in state_of(event).setup.items() if name != "name"}
    tournaments.set_up(event_id=event.pk, name="Cup", setup=setup | {"fund": None}, step=at(event, "no fund"))
    made(event)
    released(event)
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    assert "prize" not in csv_of(event)[0]
    assert ">Prize<" not in Browser().open(f"/tournaments/{event.pk}/standings/").markup


@pytest.mark.parametrize(
    ("typed", "stored", "again"),
    [
        ("100, 60, 40", ([100, 60, 40], False), "100, 60, 40"),
        ("100 60;40", ([100, 60, 40], False), "100, 60, 40"),
        ("12.5, 7", ([1250, 700], True), "12.50, 7.00"),
        ("0.05", ([5], True), "0.05"),
    ],
)
def test_amounts_are_typed_in_the_setup(
    cast: Cast, as_user: Host, typed: str, stored: tuple[list[int], bool], again: str
) -> None:
    event = entered(cast, setup_of("block", "heads"), 4)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    host.press("Save", amounts=typed, unit=" € ", sharing="hort")
    assert host.status == 200, host.words
    fund = state_of(event).setup["fund"]
    assert fund == {"amounts": stored[0], "cents": stored[1], "unit": "€", "sharing": "hort"}
    assert "Undo: setup changed: Prize money" in host.words
    assert f'value="{again}"' in host.open(f"/tournaments/{event.pk}/setup/").markup
    assert "changed: Prize money" in host.open(f"/clubs/{cast.club.slug}/audit/").words
    assert file_of(event)["scorekeeper"]["setup"]["fund"] == fund
    host.open(f"/tournaments/{event.pk}/setup/").press("Save", amounts="", unit="")
    assert state_of(event).setup["fund"] is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"amounts": "100, lots"}, "“lots” is not an amount. Type amounts like 100, 60, 40 or 12.50, 7.50."),
        ({"amounts": "100, -60"}, "“-60” is not an amount."),
        ({"amounts": "1.005"}, "“1.005” is not an amount."),
        ({"amounts": "100, 60, 40, 20"}, "Amounts: 4. Places with a prize: 3. Type fewer amounts, or more places."),
        ({"amounts": "100, 60", "prizes": "1"}, "Amounts: 2. Places with a prize: 1."),
        ({"amounts": "60, 100"}, "Place 2 would get more than the place before it. Type the greatest amount first."),
        ({"amounts": "100, 0"}, "An amount is more than 0"),
        ({"unit": "points"}, "Type the amounts, or leave the unit empty."),
        ({"amounts": "100", "unit": "x" * 21}, "at most 20 characters"),
        ({"amounts": "1 " * 301}, "at most 600 characters"),
    ],
)
def test_amounts_that_cannot_be_paid_are_refused_in_words(
    cast: Cast, as_user: Host, typed: dict[str, str], said: str
) -> None:
    event = entered(cast, setup_of("block", "heads"), 4)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/").press("Save", **typed)
    assert host.status == 422
    assert said in host.words
    assert state_of(event).setup["fund"] is None


@pytest.mark.parametrize(
    "fund",
    [
        {},
        [100],
        FUND | {"amounts": []},
        FUND | {"amounts": ["100"]},
        FUND | {"amounts": [100.5]},
        FUND | {"amounts": [40, 60]},
        FUND | {"amounts": [4, 3, 2, 1]},
        FUND | {"amounts": [10**11]},
        FUND | {"cents": 1},
        FUND | {"unit": "x" * 21},
        FUND | {"unit": "\0"},
        FUND | {"sharing": "fairly"},
        FUND | {"more": 1},
    ],
)
def test_a_damaged_fund_is_refused(cast: Cast, fund: Any) -> None:
    with pytest.raises(BadSetup) as refused:
        tournaments.start(club=cast.club, name="Cup", setup=setup_of("block", "heads", fund=fund), step=first("start"))
    assert refused.value.at == "fund"
    assert not Event.objects.exists()
