"""The papers of a tournament: who may print what, and what is on them."""

from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.events import Tournament
from scorekeeper.models import DeviceToken, Event, Player, Table
from scorekeeper.selectors.events import state_of
from scorekeeper.services import events, schedules, tournaments
from tests.browsing import Browser
from tests.conftest import Cast
from tests.nights import at, names_of
from tests.tournaments import entered, made, played, played_out, released, scheduled, setup_of

Host = Callable[[str], Client]


@pytest.fixture
def cup(cast: Cast) -> Event:
    """Round 1 has been released, round 2 is a draft, round 3 is to come."""
    event = scheduled(cast, setup_of("block", "heads"), 4)
    for match in released(event):
        played(match)
    tournaments.draft_next(event_id=event.pk, step=at(event, "draft"))
    return event


def paper(event: Event, what: str) -> str:
    return f"/tournaments/{event.pk}/print/{what}"


def test_only_directors_print_drafts_and_rounds_to_come(cast: Cast, cup: Event, as_user: Host) -> None:
    host = Browser(as_user("director")).open(paper(cup, "schedule/"))
    assert "Round 2 draft" in host.words
    assert "Round 3 to come" in host.words
    assert "Round 2, by table draft" in host.open(paper(cup, "pairings/?round=2")).words
    visitor = Browser().open(paper(cup, "schedule/"))
    assert "Round 1" in visitor.words
    assert "Round 2" not in visitor.words
    assert [visitor.open(paper(cup, f"pairings/?round={number}")).status for number in (2, 3, 4)] == [404] * 3
    assert "Round 1, by name" in visitor.open(paper(cup, "pairings/")).words


def test_a_released_schedule_is_on_paper_for_everybody_at_its_tables(cast: Cast, as_user: Host) -> None:
    """With the tables that the page of the schedule names, not numbered from 1."""
    event = entered(cast, setup_of("block", "heads"), 6)
    Table.objects.filter(club=cast.club).delete()
    Table.objects.bulk_create(Table(club=cast.club, number=number) for number in (57, 58, 59))
    made(event)
    visitor, host = Browser(), Browser(as_user("director"))
    for what in ("schedule/", "pairings/"):
        assert "No round has been released yet." in visitor.open(paper(event, what)).words
        assert "Round 1" in host.open(paper(event, what)).words
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    state = state_of(event)
    assert isinstance(state, Tournament)
    for number, planned in enumerate(state.plan, 1):
        for reader in (visitor, host):
            pairings = reader.open(paper(event, f"pairings/?round={number}")).words
            listed = reader.open(paper(event, "schedule/")).words
            for table, (one, other) in zip((57, 58, 59), planned.tables, strict=True):
                names = [state.entrants[each][0] for each in (one, other)]
                one_name, other_name = (Player.objects.get(pk=player).name for player in names)
                assert f"{table} {one_name} – {other_name}" in pairings
                assert f"{table} {one_name} – {other_name}" in listed
                assert f"{other_name} Table {table}, seat 2" in pairings
    assert "Round 1, by name" in visitor.open(paper(event, "pairings/")).words
    visitor.open(paper(event, ""))
    assert '<option value="5">' in visitor.markup
    one, other = state.plan[0].tables[0][0], state.plan[0].tables[1][0]
    before = visitor.open(paper(event, "schedule/")).words
    schedules.exchange(event_id=event.pk, round_number=1, entrants=[one, other], step=at(event, "swap"))
    assert visitor.open(paper(event, "schedule/")).words == before, "a change is secret until it is released, too"
    assert host.open(paper(event, "schedule/")).words != before


def test_the_list_of_papers(cast: Cast, cup: Event, as_user: Host) -> None:
    visitor = Browser().open(f"/tournaments/{cup.pk}/").follow("Print")
    assert visitor.path == paper(cup, "")
    assert not visitor.has_button("Cards with QR codes")
    visitor.follow("Standings")
    host = Browser(as_user("director")).open(paper(cup, ""))
    assert '<option value="3">' in host.markup, "rounds to come"
    host.press("Cards with QR codes")
    assert DeviceToken.objects.count() == cup.club.tables.filter(open=True).count()


def test_pairings_by_table_and_by_name(cast: Cast, cup: Event) -> None:
    words = Browser().open(paper(cup, "pairings/?round=1")).words
    by_table, by_name = words.split("Round 1, by name")
    for match in cup.matches.filter(round=1):
        leader, other = match.seats.all()
        assert match.table
        assert f"{match.table.number} {leader.name} – {other.name}" in by_table
        assert f"{other.name} Table {match.table.number}, seat 2" in by_name


def test_pairings_are_first_those_of_the_round_that_is_played_then_of_the_next(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    visitor = Browser()
    for number in (1, 2, 3, 3):
        assert f'<option value="{number}" selected>' in visitor.open(paper(event, "")).markup
        assert f"Round {number}, by name" in visitor.open(paper(event, "pairings/")).words
        if number == len(state_of(event).rounds):  # the last one is over
            break
        matches = released(event)
        assert f'<option value="{number}" selected>' in visitor.open(paper(event, "")).markup
        assert f"Round {number}, by name" in visitor.open(paper(event, "pairings/")).words
        for match in matches:
            played(match)


def test_pairings_name_who_has_a_bye_and_who_does_not_play(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 6)
    wish = {"what": "present", "entrants": [6], "first": 2, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    made(event)
    host = Browser(as_user("director")).open(paper(event, "pairings/?round=1"))
    state = state_of(event)
    assert isinstance(state, Tournament)
    (bye,) = state.plan[0].byes
    for _released in range(2):
        by_table, by_name = host.words.split("Round 1, by name")
        assert f"{names_of(bye)[-1]} bye" in by_name
        assert "Farid does not play" in by_name
        assert "Asked not to play: Farid" in by_table
        released(event)
        host.open(paper(event, "pairings/?round=1"))
    schedules.remove_wish(event_id=event.pk, number=0, step=at(event, "no wish"))
    assert "Farid does not play" in host.open(host.path).words, "no wish changes a seated round"


def test_score_sheets_are_for_tables_that_play(cast: Cast, cup: Event, as_user: Host) -> None:
    host = Browser(as_user("director")).open(paper(cup, "sheets/"))
    assert "No table of the newest round is in play." in host.words
    events.seat(event_id=cup.pk, step=at(cup, "seat"))
    host.open(paper(cup, "sheets/")).press("For the tables of round 2")
    assert host.markup.count("<article") == 2
    for match in cup.matches.filter(round=2):
        assert f"<b>{match.seats.all()[0].name}</b>" in host.markup


@pytest.mark.parametrize(
    ("game", "format", "does"),
    [
        ("domizerka", "triples", "deals the first hand"),
        ("domino-whist", "partners", "leads the first hand"),
        ("block", "heads", ""),
    ],
)
def test_paper_and_the_phone_agree_on_who_begins(cast: Cast, as_user: Host, game: str, format: str, does: str) -> None:
    event = scheduled(cast, setup_of(game, format), 4 if format == "partners" else 3)
    match = released(event)[0]
    first = match.seats.all()[0].name
    host = Browser(as_user("director")).open(paper(event, "sheets/")).press("For the tables of round 1")
    assert (f"<b>{first}</b><small>{does}" in host.markup) is bool(does)
    pairings = host.open(paper(event, "pairings/")).words
    assert "first hand" not in pairings.replace(f"The first named {does}.", "")
    seats = [host.open(f"/tournaments/{event.pk}/entrants/{each}/").words for each in (1, 2, 3)]
    assert sum(does in each for each in seats) == (1 if does else len(seats))
    phone = host.open(f"/tables/{match.table_id}/")
    said = f"The draw of the tables decided who {does.replace('leads', 'opens')}: {first}."
    assert (said in phone.words) is bool(does)
    if game == "domizerka":
        assert ("opener", "0") in [each for form in phone.forms for each in form.fields], "it is chosen already"


def test_prizes_and_certificates_are_for_the_first_places(cast: Cast, cup: Event) -> None:
    tournaments.withdraw(event_id=cup.pk, entrants=[4], step=at(cup, "leaves"))
    visitor = Browser().open(paper(cup, "prizes/?places=1"))
    assert "these standings can still change" in visitor.words
    assert visitor.markup.count('<th scope="row">') == 1
    setup = {name: value for name, value in state_of(cup).setup.items() if name != "name"}
    tournaments.set_up(event_id=cup.pk, name="Cup", setup=setup | {"prizes": 2}, step=at(cup, "prizes"))
    assert visitor.open(paper(cup, "prizes/")).markup.count('<th scope="row">') == 2
    tournaments.set_up(event_id=cup.pk, name="Cup", setup=setup, step=at(cup, "no prizes"))
    events.drop(event_id=cup.pk, step=at(cup, "drop"))
    played_out(cup)
    events.close(event_id=cup.pk, open_matches=None, step=at(cup, "close"))
    visitor.open(paper(cup, "certificates/"))
    assert "these standings can still change" not in visitor.words
    assert visitor.markup.count('class="certificate"') == 3
    assert "Place 1 of 4 entrants" in visitor.words


@pytest.mark.parametrize(
    "what",
    ["menu/", "prizes/?places=0", "prizes/?places=51", "prizes/?places=x", "pairings/?round=4", "standings/?after=2"],
)
def test_a_paper_that_does_not_exist(cast: Cast, cup: Event, what: str) -> None:
    assert Client().get(paper(cup, what)).status_code == 404


def test_a_number_in_the_address_that_cannot_be_says_what_can(cast: Cast, cup: Event) -> None:
    words = Browser().open(paper(cup, "prizes/?places=999")).words
    assert "In this address, places is a whole number from 1 to 50." in words


def test_a_paper_is_drawn_once_until_something_changes(cast: Cast, cup: Event) -> None:
    page = Client().get(paper(cup, "schedule/"))
    again = Client().get(paper(cup, "schedule/"), headers={"If-None-Match": page["ETag"]})
    assert again.status_code == 304
    events.seat(event_id=cup.pk, step=at(cup, "seat"))
    fresh = Client().get(paper(cup, "schedule/"), headers={"If-None-Match": page["ETag"]})
    assert fresh.status_code == 200
    assert "Round 2" in fresh.content.decode()
