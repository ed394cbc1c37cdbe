"""What everybody takes home from a tournament: one file that needs no server, and the archive with its tables."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils.dateformat import format as dated
from django.utils.http import content_disposition_header

from scorekeeper.access import Actor
from scorekeeper.models import Club, Event, Job, Match
from scorekeeper.pages.tournament_schedule import released as released_rounds
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.tournaments import standings_now, tournament_in
from scorekeeper.services import directing, event_file, events, files, jobs, schedules, tournaments
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import Cast, enter, totals_for
from tests.nights import at
from tests.tournaments import entered, made, played, played_out, released, scheduled, setup_of

Host = Callable[[str], Client]
TAGS = re.compile(r"<[^>]*>")


def work() -> None:
    for job in Job.objects.filter(state=Job.State.NEW):
        jobs.run(job.pk, WORK)


def finished(cast: Cast, game: str = "block", format: str = "heads", entrants: int = 4, size: int = 1) -> Event:
    """With a forfeit at table 1 of round 1, a penalty and a corrected result."""
    event = scheduled(cast, setup_of(game, format, size=size), entrants, size)
    sides = 3 if format == "triples" else 2
    first, *others = released(event)
    tournaments.forfeit(event_id=event.pk, round_number=1, table=1, absent=[0], step=at(event, "forfeit"))
    first.refresh_from_db()
    for match in [first, *others]:
        if match.status == Match.Status.PLAYING:
            played(match)
    typed, *others = released(event)
    assert typed.table
    table, totals = typed.table.number, totals_for(game, sides)
    step = at(event, "typed")
    directing.type_result(event_id=event.pk, round_number=2, table=table, totals=totals, step=step)
    step = at(event, "replaced")
    directing.replace_result(
        event_id=event.pk, round_number=2, table=table, totals=totals[::-1], why="mixed up", step=step
    )
    for match in others:
        played(match)
    played_out(event)
    step = at(event, "penalty")
    tournaments.penalise(event_id=event.pk, entrant=2, round_number=1, points=1, reason="came late", step=step)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    return Event.objects.get(pk=event.pk)


def test_the_page_of_the_file_is_drawn_again_only_when_it_changes(cast: Cast) -> None:
    """How far the job is belongs to it, though that is no change of the tournament."""
    visitor, event = Client(), finished(cast)
    address, tag = f"/tournaments/{event.pk}/file/", ""
    visitor.get(address)  # brings the cookie that a form needs
    for says in ("Make the file", "Waiting to start.", "The file is ready."):
        page = visitor.get(address, headers={"If-None-Match": tag})
        assert page.status_code == 200
        assert says in page.content.decode()
        tag = page["ETag"]
        assert visitor.get(address, headers={"If-None-Match": tag}).status_code == 304
        if says == "Make the file":
            visitor.post(address)
        else:
            work()


@pytest.mark.parametrize(("wanted", "known"), [(None, 1), (2, 2)])
def test_the_file_does_not_tell_of_a_schedule_before_its_release(cast: Cast, wanted: int | None, known: int) -> None:
    event = entered(cast, setup_of("block", "heads", rounds=wanted), 6)
    before = file_read(event)
    assert before["stages"][0]["rounds_planned"] == known
    made(event)
    assert file_read(event) == before
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    assert file_read(event)["stages"][0]["rounds_planned"] == (wanted or 5)


def test_the_file_has_the_rounds_to_come_that_the_page_shows(cast: Cast) -> None:
    event = scheduled(cast, setup_of("domino-whist", "partners"), 9)
    assert "to_come" not in file_read(event)["stages"][0]
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    public = to_come(file_read(event))
    assert len(public) == file_read(event)["stages"][0]["rounds_planned"]
    (one, *_), (other, *_) = tournament_in(event).plan[1].tables
    schedules.exchange(event_id=event.pk, round_number=2, entrants=[one, other], step=at(event, "secret"))
    assert to_come(file_read(event)) == public, "the change is not released"
    released(event)
    assert to_come(file_read(event)) == public[1:]
    tournaments.withdraw(event_id=event.pk, entrants=[one], step=at(event, "left"))
    shown = released_rounds(event_now(Event.objects.select_related("club").get(pk=event.pk)))
    assert to_come(file_read(event)) != public[1:]
    assert to_come(file_read(event)) == [
        (
            {each.number: [[who.number for who in side] for side in each.sides] for each in planned.tables},
            {who.number for who in planned.byes},
        )
        for planned in shown
    ]


def test_the_file_says_who_confirmed_a_result_and_nothing_of_wishes(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    match = released(event)[0]
    played(match)
    wish = {"what": "apart", "entrants": [1, 2], "first": 1, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, sure=True, step=at(event, "wish"))
    before = file_read(event)["scorekeeper"]
    assert before["answers"] == []
    assert "wishes" not in before
    match.refresh_from_db()
    enter(match, [{"kind": "confirm", "seats": [1]}], by=Actor(cast.users["director"]))
    assert file_read(event)["scorekeeper"]["answers"] == [{"round": 1, "table": 1, "confirmed": [1]}]


def to_come(file: Any) -> list[Any]:
    """The rounds to come of a file: the sides by table, and who has a bye."""
    return [
        (
            {table["table"]: table["sides"] for table in planned["tables"]},
            {each["entrant"] for each in planned["unplayed"] if each["kind"] == "bye"},
        )
        for planned in file["stages"][0]["to_come"]
    ]


def test_the_first_round_says_of_how_many_it_is(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    assert file_read(event)["stages"][0]["rounds_planned"] == 1
    released(event)
    assert file_read(event)["stages"][0]["rounds_planned"] == 3


def test_the_file_of_a_tournament_closed_early_has_only_the_rounds_played(cast: Cast) -> None:
    """So that nobody reads rounds into it that will never come."""
    event = scheduled(cast, setup_of("block", "heads"), 4)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    for match in released(event):
        played(match)
    events.close(event_id=event.pk, open_matches=None, step=at(event, "close"))
    file = file_read(event)
    assert file["stages"][0]["rounds_planned"] == 1
    assert "to_come" not in file["stages"][0]
    (stage,) = calculate(read_value(file), possible=True).stages
    assert all(each.exact and each.best == each.worst for each in stage.possible.values())
    assert "Rounds to come" not in Client().get(f"/tournaments/{event.pk}/").content.decode()
    assert "of 3" not in Client().get(f"/tournaments/{event.pk}/seats/").content.decode()


def file_read(event: Event) -> Any:
    """As anybody gets it."""
    return Client().get(f"/tournaments/{event.pk}/file.json").json()


def document(event: Event) -> str:
    visitor = Browser().open(f"/tournaments/{event.pk}/").press("Everything in one HTML file")
    work()
    answer: Any = visitor.client.get(f"{visitor.path}?download")
    assert "attachment" in answer["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()


def words(html: str) -> str:
    return " ".join(TAGS.sub(" ", html[html.index("<body>") :]).split())


@pytest.mark.parametrize(
    ("game", "format", "entrants", "size"),
    [("block", "heads", 4, 1), ("domizerka", "triples", 6, 1), ("domino-whist", "heads", 4, 2)],
)
def test_the_file_has_everything_and_needs_nothing(
    cast: Cast, game: str, format: str, entrants: int, size: int
) -> None:
    event = finished(cast, game, format, entrants, size)
    html = document(event)
    said = words(html)
    assert not re.search(r"url\s*\(|@import|https?://|data:|<script|<link|<img", html)
    links = set(re.findall(r'href="([^"]*)"', html))
    ids = re.findall(r'id="([^"]*)"', html)
    counted = [each for each in event.matches.all() if each.sheet["hands"] or each.sheet["winners"]]
    assert links == {f"#match-{each.pk}" for each in counted}
    assert sorted(each for each in ids if each.startswith("match-")) == sorted(each[1:] for each in links)
    snapshot = event_now(Event.objects.select_related("club").get(pk=event.pk))
    for row in standings_now(snapshot).stages[0].rows:
        assert f"{row.place} {row.name}" in said
    day = dated(event.started_at, "j M Y")
    assert day in said
    assert f"– {day}</title>" in " ".join(html.split()).replace(" </title>", "</title>")
    for what in ("Points", "Head to head", "came late", "mixed up", "did not come"):
        assert what in said, what
    order = [said.index(what) for what in ("Final standings", "Corrections", "Score sheets", "The table at the end")]
    assert order == sorted(order)
    rounds = [said.index(f"Round {number} 1 ") for number in (1, 2, 3)]
    assert rounds == sorted(rounds)
    assert html.lstrip().startswith("<!DOCTYPE html>")
    assert html.rstrip().endswith("</html>")


def test_the_file_is_linked_once_the_tournament_is_closed(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    released(event)
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert not visitor.has_button("Everything in one HTML file")
    visitor.post(f"/tournaments/{event.pk}/file/", {})
    assert "after the director closes the tournament" in visitor.words
    assert not Job.objects.filter(kind=event_file.KIND).exists()
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    visitor.open(f"/tournaments/{event.pk}/").press("Everything in one HTML file")
    assert "Waiting to start" in visitor.words
    work()
    assert "The file is ready" in visitor.open(visitor.path).words
    assert visitor.follow("Cup").path == f"/tournaments/{event.pk}/"


def test_nobody_gets_the_file_of_a_tournament_that_is_not_public(cast: Cast) -> None:
    event = finished(cast)
    document(event)
    Event.objects.filter(pk=event.pk).update(public=False)
    assert Client().get(f"/tournaments/{event.pk}/file/?download").status_code == 404


def test_the_archive_has_the_tables_of_the_pages(cast: Cast, as_user: Host) -> None:
    event = finished(cast)
    as_user("director").post(f"/tournaments/{event.pk}/archive/")
    work()
    file = files.file_of(Job.objects.get(kind="archive"))
    assert file
    with ZipFile(file) as archive:
        for name in ("standings.csv", "results.csv"):
            page = Client().get(f"/tournaments/{event.pk}/{name}")
            assert archive.read(name) == page.content
            assert page.content.count(b"\r\n") > 4


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Spring Cup 2026!", "spring-cup-2026"),
        ("Copa de otoño", "copa-de-otono"),
        ("Кубок", "кубок"),
        ("¡!", "tournament-{pk}"),
    ],
)
def test_every_download_begins_with_the_name_of_the_tournament(cast: Cast, as_user: Host, name: str, stem: str) -> None:
    event = finished(cast)
    Event.objects.filter(pk=event.pk).update(name=name)
    stem, match = stem.format(pk=event.pk), event.matches.order_by("pk")[0]
    client, at = as_user("director"), f"/tournaments/{event.pk}/"
    client.post(f"{at}archive/")
    client.post(f"{at}file/")
    work()
    archive, page = (Job.objects.get(kind=kind) for kind in ("archive", event_file.KIND))
    for address, rest in (
        (f"{at}standings.csv", "-standings.csv"),
        (f"{at}standings.csv?after=1", "-standings-round-1.csv"),
        (f"{at}results.csv", "-results.csv"),
        (f"{at}file.json", ".json"),
        (f"{at}file/?download", f"-{page.pk}.html"),
        (f"/jobs/{archive.pk}/file/", f"-{archive.pk}.zip"),
        (f"/matches/{match.pk}/record/", f"-{match.pk}.json"),
    ):
        sent = client.get(address)["Content-Disposition"]
        assert sent == content_disposition_header(True, stem + rest), address


def test_a_night_without_a_name_has_that_of_its_club_and_its_day() -> None:
    night = Event(kind="night", club=Club(slug="rovers"), started_at=datetime(2026, 5, 9, 20, tzinfo=UTC))
    assert files.stem_of(night) == "rovers-2026-05-09"
    night.name = "Late Night"
    assert files.stem_of(night) == "late-night-2026-05-09"
