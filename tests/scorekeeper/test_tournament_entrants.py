"""Who takes part: from a table, by people's own phones, with team, club and rating; and who has arrived."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scorekeeper.access import arrival_key
from scorekeeper.events.records import About
from scorekeeper.forms.entrants import named, named_in_table
from scorekeeper.models import Application, Event
from scorekeeper.selectors.events import state_of
from scorekeeper.services import entrants, tournaments
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at, first
from tests.tournaments import entered, file_of, made, released, scheduled, setup_of

Host = Callable[[str], Client]


def cup(cast: Cast, format: str = "heads", game: str = "block", **more: Any) -> Event:
    return tournaments.start(club=cast.club, name="Cup", setup=setup_of(game, format, **more), step=first("start"))


def desk(as_user: Host, event: Event) -> Browser:
    return Browser(as_user("director")).open(f"/tournaments/{event.pk}/entrants/")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ana\nBo", [(("Ana",), "", "", None), (("Bo",), "", "", None)]),
        ("Ana,North,1600\nBo,,", [(("Ana",), "", "North", 1600), (("Bo",), "", "", None)]),
        ("Name;Rating;Club\r\nAna;1600;North", [(("Ana",), "", "North", 1600)]),
        ("rating\tname\n1500\tCy", [(("Cy",), "", "", 1500)]),
        ('"Doe, Ana",South', [(("Doe, Ana",), "", "South", None)]),
        ("team,name,partner\nRovers,Ana,Bo", [(("Ana", "Bo"), "Rovers", "", None)]),
        ("Ana + Bo,North", [(("Ana", "Bo"), "", "North", None)]),
        ("Nombre,Puntuación\nAna,7", [(("Ana",), "", "", 7)]),
        (
            '"Doe, Ana, Jr.";South\r\n"O""Neil, Bo";',
            [(("Doe, Ana, Jr.",), "", "South", None), (('O"Neil, Bo',), "", "", None)],
        ),
        ("\ufeffName;Club\r\n\r\nAna\u2028;North\r\n", [(("Ana",), "", "North", None)]),
        ("name,players\nRovers,Ana + Bo\nCy,Cy", [(("Ana", "Bo"), "Rovers", "", None), (("Cy",), "", "", None)]),
        (
            '"Doe, Ana"\tNorth\nBo\tSouth, West\nCy',
            [(("Doe, Ana",), "", "North", None), (("Bo",), "", "South, West", None), (("Cy",), "", "", None)],
        ),
        ("Ana\nBo\tSouth", [(("Ana",), "", "", None), (("Bo",), "", "South", None)]),
        ("'-Ana,'=North", [(("-Ana",), "", "=North", None)]),
        ("'Ana,O'North", [(("'Ana",), "", "O'North", None)]),
    ],
)
def test_a_table_is_read_as_people_export_it(text: str, found: list[Any]) -> None:
    assert [
        (each.players, each.about.name, each.about.club, each.about.rating) for each in named_in_table(text)
    ] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "This table is empty."),
        ("Ana,North\n,South", "Line 2: The name is missing."),
        ("name,rating\nAna,1600\nBo,about 1500", "Line 3: The rating “about 1500” is not a whole number from 0 up."),
        ("Bo, Club B, 1500\nAna, Club A, 99999999", "Line 2: A rating is a whole number from 0 to 100000."),
        ("Bo, Club B, 1500\nAna, Club A, 1400, x", "Line 2: It has more columns than there are headings for."),
        ("Bo, Club B\n\nAna\tClub A\n", "Line 3: Its columns are divided in another way than those above."),
        ("Bo, Club B\nAna\tClub A, North", "Line 2: Its columns are divided"),
        ('"Ana\nMaria"\tClub A\nBo, Club B', "Line 3: Its columns are divided"),
        ("Ana;Club A\nBo,Club B", "Line 2: Its columns are divided"),
        ("\n".join(["Ana"] * 1001), "up to 1000 lines"),
        ("name\n\n\n,\n+\n", "Line 5: The name is missing."),
        ('"' + "x" * 140_000, "Check its quotation marks"),
    ],
)
def test_a_table_that_is_wrong_names_the_line(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        named_in_table(text)


def test_a_team_is_typed_on_one_line() -> None:
    rovers = named(" Rovers : Ana + Bo+Cy")
    assert (rovers.players, rovers.about.name) == (("Ana", "Bo", "Cy"), "Rovers")
    assert named("Ana").players == ("Ana",)


def test_a_table_is_entered_whole_or_not_at_all(cast: Cast, as_user: Host) -> None:
    event = cup(cast)
    host = desk(as_user, event)
    host.press("Enter all of them", table="Ana,North,1600\nBo,South,1500\nAna,,")
    assert host.status == 422
    assert "Ana,North,1600" in host.answer.content.decode(), "what was typed stays"
    assert not state_of(Event.objects.get()).entrants
    host.press("Enter all of them", table="Ana,North,1600\nBo,South,1500")
    assert host.status == 200, host.words
    assert [(each["name"], each.get("club"), each.get("rating")) for each in file_of(event)["entrants"]] == [
        ("Ana", "North", 1600),
        ("Bo", "South", 1500),
    ]
    assert "2 entrants have not arrived" in host.words


@pytest.mark.parametrize(
    ("content", "status", "names"),
    [
        ("Ana;Ñandú\nZoë;Ñandú".encode(), 302, ["Ana", "Zoë"]),
        ("\ufeffZoë".encode(), 302, ["Zoë"]),
        ("Zoë\t\r\n".encode("utf-16"), 302, ["Zoë"]),
        ("Zoë".encode("cp1252"), 302, ["Zoë"]),
        (b"\x81\x8d\xff", 422, []),
        (b"x" * 200_001, 422, []),
    ],
)
def test_a_file_is_read_in_the_usual_encodings(
    cast: Cast, as_user: Host, content: bytes, status: int, names: list[str]
) -> None:
    event = cup(cast)
    sent = {"do": "table", "seen": event.length, "key": "k", "file": SimpleUploadedFile("list.csv", content)}
    assert as_user("director").post(f"/tournaments/{event.pk}/entrants/", sent).status_code == status
    assert [each["name"] for each in file_of(Event.objects.get())["entrants"]] == names


@pytest.mark.parametrize(
    ("other", "players"),
    [({}, ["{}"]), ({"size": 2, "teams": True, "game": "domino-whist"}, ["{}", "{} two", "{} three"])],
)
def test_exported_standings_are_a_list_of_entrants(
    cast: Cast, as_user: Host, other: dict[str, Any], players: list[str]
) -> None:
    event = cup(cast, **other)
    people = ['Doe, Ana "Queen"', "-Zoë", "=Ñandú;", "O'Neil", "@mit"]
    named = [
        Named(
            tuple(each.format(name) for each in players), About(f"{name}’s" if other else "", f"Club, {name}", rating)
        )
        for rating, name in enumerate(people)
    ]
    entrants.enter_named(event_id=event.pk, players=[], named=named, step=at(event, "enter"))
    table = Client().get(f"/tournaments/{event.pk}/standings.csv").content
    assert table.startswith("\ufeffplace,".encode()), "Excel reads accents only with this mark"
    file = SimpleUploadedFile("standings.csv", table)
    again = tournaments.start(club=cast.other_club, name="Again", setup=state_of(event).setup, step=first("again"))
    sent = {"do": "table", "seen": again.length, "key": "k", "file": file}
    assert as_user("stranger").post(f"/tournaments/{again.pk}/entrants/", sent).status_code == 302
    assert file_of(again)["entrants"] == file_of(event)["entrants"]
    assert file_of(again)["entrants"][0]["club"] == 'Club, Doe, Ana "Queen"'


def test_people_enter_themselves_and_the_director_decides(cast: Cast, as_user: Host) -> None:
    event = cup(cast, self_entry=True)
    phone, host = Browser(), desk(as_user, event)
    assert "Enter yourself" in host.words
    phone.open(f"/tournaments/{event.pk}/ask/").press("Ask to be entered", name="Ana", club="North")
    assert "Ana: your entry has reached the director." in phone.words
    Browser().open(f"/tournaments/{event.pk}/ask/").press("Ask to be entered", name="Bo")
    nobody = Browser().open(f"/tournaments/{event.pk}/ask/").press("Ask to be entered", name=" ")
    assert (nobody.status, "Type your name." in nobody.words) == (422, True)
    twice = Browser().open(f"/tournaments/{event.pk}/ask/").press("Ask to be entered", name="BO")
    assert (twice.status, Application.objects.count()) == (422, 2)
    assert "has asked already" in twice.words
    assert not state_of(Event.objects.get()).entrants
    host.open(host.path)
    assert "2 entries wait for your answer" in host.words
    amber = host.markup[host.markup.index("<main") : host.markup.index("</main>")].count('class="button"')
    assert amber == 1, "however many wait or have not arrived"
    host.press("Decline").press("Enter")
    assert "wait for your answer" not in host.words
    assert sorted(Application.objects.values_list("state", flat=True)) == ["declined", "entered"]
    (only,) = state_of(Event.objects.get()).entrants.values()
    assert len(only) == 1
    again = Browser().open(f"/tournaments/{event.pk}/ask/").press("Ask to be entered", name="bO")
    assert again.status == 422
    assert "Bo is entered already." in again.words or "bO is entered already." in again.words
    host.open(f"/tournaments/{event.pk}/desk/").press("Enter", names="Cleo\ncleo\nDi")
    assert "Cleo is in the list twice." in host.words


def test_nobody_asks_where_that_is_not_wanted(cast: Cast) -> None:
    event = cup(cast)
    assert "Ask the director" in Browser().open(f"/tournaments/{event.pk}/ask/").words
    answer = Client().post(f"/tournaments/{event.pk}/ask/", {"name": "Ana", "key": "k"})
    assert answer.status_code == 422
    assert not Application.objects.exists()


def test_the_same_entry_sent_twice_is_one(cast: Cast) -> None:
    event = cup(cast, self_entry=True)
    for _ in range(2):
        assert Client().post(f"/tournaments/{event.pk}/ask/", {"name": "Ana", "key": "k"}).status_code == 200
    assert Application.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "said"), [({}, "Choose who has arrived."), ({"who": "999999"}, "not entered any more")]
)
def test_nobody_else_arrives(cast: Cast, sent: dict[str, str], said: str) -> None:
    event = entered(cast, setup_of("block", "heads"), 2)
    answer = Client().post(f"/tournaments/{event.pk}/here/{arrival_key(event.pk)}/", sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not event.arrivals.exists()


def test_who_scans_the_code_in_the_hall_has_arrived(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 2)
    phone, host = Browser(), desk(as_user, event)
    assert "2 entrants have not arrived" in host.words
    assert phone.open(f"/tournaments/{event.pk}/here/{'0' * 20}/").status == 404
    phone.open(f"/tournaments/{event.pk}/here/{arrival_key(event.pk)}/").press("Ada")
    assert "Welcome, Ada! Your start number is 1." in phone.words
    assert "1 entrant has not arrived" in host.open(host.path).words
    host.press("Bruno is here")
    assert "Everybody is here" in host.words
    host.press("Ada is not here")
    assert "1 entrant has not arrived" in host.words
    assert event.arrivals.count() == 1


def test_arrivals_do_not_get_into_the_way_of_the_director(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 2)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    Browser().open(f"/tournaments/{event.pk}/here/{arrival_key(event.pk)}/").press("Ada")
    host.press("Make the schedule")
    assert host.status == 200, "the page had not seen the arrival"


def test_a_team_has_a_name_and_its_first_players_sit(cast: Cast, as_user: Host) -> None:
    event = cup(cast, game="domino-whist", size=2, teams=True)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    host.press("Enter", names="Rovers: Ana + Bo + Cy\nUnited: Di + Eve")
    assert "Rovers" in host.words
    host.press("Enter", names="Lonely: Flo")
    assert "A team needs at least 2 players." in host.words
    host.open(f"/tournaments/{event.pk}/entrants/")
    host.press("Save", name="The Rovers", club="North", rating="1700")
    assert "The Rovers" in host.words
    made(event)
    (match,) = released(Event.objects.get())
    assert {seat.name for seat in match.seats.all()} == {"Ana", "Bo", "Di", "Eve"}
    assert [each["name"] for each in file_of(event)["entrants"]] == ["The Rovers", "United"]
    assert "The Rovers" in Browser().open(f"/tournaments/{event.pk}/").words
    assert "The Rovers" in host.open(f"/tournaments/{event.pk}/schedule/").words
    host.open(f"/tournaments/{event.pk}/desk/").press("Take the points off", entrant="1", points="1", reason="late")
    assert host.status == 200, host.words
    assert "The Rovers" in Browser().open(f"/tournaments/{event.pk}/").words.split("Penalties")[1]


def test_what_is_known_is_kept_as_it_was_when_it_cannot_be_true(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("block", "heads"), 2)
    host = desk(as_user, event).press("Save", club="North", rating="strong")
    assert host.status == 422
    assert "The rating “strong” is not a whole number from 0 up." in host.words
    assert not file_of(event)["entrants"][0].get("club")


# --- entered by mistake ---------------------------------------------------------------------------------------------
def test_an_entrant_by_mistake_is_taken_out_and_comes_back(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 3)
    host = desk(as_user, event)
    host.press("Take Bruno out")
    assert "Bruno is taken out." in host.words
    assert [each["id"] for each in file_of(event)["entrants"]] == [1, 3]
    assert "Bruno" not in Browser().open(f"/tournaments/{event.pk}/").words
    assert list(event.entrants.values_list("number", flat=True)) == [1, 3]
    host.open(f"/tournaments/{event.pk}/desk/").press("Make the schedule")
    assert {*state_of(event).plan[0].tables[0]} == {1, 3}  # type: ignore[attr-defined]
    host.press("Undo: schedule made").press("Undo: entrant taken out")
    assert len(state_of(event).plan) == 3  # type: ignore[attr-defined]
    assert "took out an entrant “Cup” Bruno" in host.open(f"/clubs/{cast.club.slug}/audit/").words
    released(event)
    assert "Entered by mistake" not in desk(as_user, event).words
    for kept in (
        partial(entrants.remove, entrant=1),
        partial(entrants.replace_players, entrant=1, players=["Zoe"]),
    ):
        with pytest.raises(Refused, match="note that they leave"):
            kept(event_id=event.pk, step=at(event, "late"))


def test_another_person_takes_the_start_number(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 3)
    host = desk(as_user, event)
    plan = state_of(event).plan  # type: ignore[attr-defined]
    host.press("Enter them instead", players="Ada")
    assert (host.status, "They are entered like that already." in host.words) == (422, True)
    host.press("Enter them instead", players="Bruno")
    assert (host.status, "Bruno is entered already." in host.words) == (422, True)
    host.press("Enter them instead", players="Zoe + Bo")
    assert (host.status, "An entrant is one player." in host.words) == (422, True)
    host.press("Enter them instead", players="zoe")
    assert "Number 1 is zoe now, instead of Ada." in host.words
    assert [each["name"] for each in file_of(event)["entrants"]] == ["zoe", "Bruno", "Carmen"]
    assert state_of(event).plan == plan  # type: ignore[attr-defined]
    assert "entered others instead “Cup” Ada · came: zoe" in host.open(f"/clubs/{cast.club.slug}/audit/").words
    host.open(f"/tournaments/{event.pk}/desk/").press("Undo: others entered instead")
    assert file_of(event)["entrants"][0]["name"] == "Ada"


def test_players_and_teams_are_described_in_their_own_words(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 2)
    host = desk(as_user, event)
    assert "Team" not in host.words
    host.press("Save", club="North", rating="1600")
    assert "Ada: saved." in host.words
    assert "North" in host.words
    host.follow("Ada")
    assert host.path == f"/clubs/{cast.club.slug}/players/{event.club.players.get(name='Ada').pk}/"


def test_a_pair_can_have_a_name(cast: Cast, as_user: Host) -> None:
    event = entered(cast, setup_of("domino-whist", "heads", size=2), 2, size=2)
    host = desk(as_user, event).press("Save", name="The Owls", club="", rating="")
    assert "The Owls: saved." in host.words
    assert "Name of the pair" in host.words


def test_two_entrants_do_not_have_one_name(cast: Cast) -> None:
    event = cup(cast, "heads", "domino-whist", size=2, self_entry=True)
    rovers, others = Named(("Ana", "Bo"), About("Rovers")), Named(("Cleo", "Dan"))
    entrants.enter_named(event_id=event.pk, players=[], named=[rovers, others], step=at(event, "enter"))
    again = Named(("Eva", "Finn"), About("ROVERS "))
    tries: list[Callable[[], object]] = [
        lambda: entrants.enter_named(event_id=event.pk, players=[], named=[again], step=at(event, "again")),
        lambda: entrants.describe(event_id=event.pk, entrant=2, about=again.about, step=at(event, "about")),
        lambda: entrants.apply(event=event, named=again, key="ask", now=NOW),
    ]
    for attempt in tries:
        with pytest.raises(Refused, match="Two entrants have the name “ROVERS”") as refused:
            attempt()
        assert refused.value.code == "name-twice"
    entrants.describe(event_id=event.pk, entrant=1, about=rovers.about, step=at(event, "the same"))
