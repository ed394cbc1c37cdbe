"""A tournament leaves a server as an archive and comes into another club: with the same standings, or not at all."""

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import Event, Job, LogEntry, Match
from scorekeeper.pages.tournament import tournament_shown
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.standings import out_of_date
from scorekeeper.selectors.tournaments import equals, standings_now, tournament_in
from scorekeeper.services import (
    archive,
    corrections,
    directing,
    entrants,
    events,
    files,
    jobs,
    schedules,
    tournament_import,
    tournament_reading,
    tournaments,
)
from scorekeeper.services.entrants import About, Named
from scorekeeper.services.errors import Refused
from scorekeeper.services.events import Step
from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.worths import PLACE, RESULT, SCORE
from scorekeeper.standings.writing import as_json
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, totals_for
from tests.nights import at
from tests.tournaments import file_of, played, played_out, released, scheduled, setup_of

Host = Callable[[str], Client]
SETUPS: dict[str, tuple[dict[str, Any], int, int]] = {
    "heads": (setup_of("block", "heads"), 5, 1),
    "pairs": (setup_of("domino-whist", "heads", size=2, order=["points", "difference"]), 3, 2),
    "triples": (setup_of("domizerka", "triples", worth=PLACE, rounds=2, order=["points", "firsts"]), 7, 1),
    "partners": (setup_of("domino-whist", "partners", worth=SCORE, rounds=3, order=["points", "lots"]), 5, 1),
    "mixed": (setup_of("dominards", "mixed", worth=PLACE, rounds=2, order=["points"]), 7, 1),
}


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path


def archived(event: Event) -> bytes:
    job = archive.start(club=event.club, by=None, now=NOW, night=event)
    jobs.run(job.pk, WORK)
    file = files.file_of(Job.objects.get(pk=job.pk))
    assert file
    return file.read_bytes()


def imported(cast: Cast, as_user: Host, content: bytes, **typed: str) -> Job:
    """The job that imports this into the other club, after a worker ran it."""
    page = f"/clubs/{cast.other_club.slug}/tournaments/import/"
    answer = as_user("stranger").post(page, {"file": SimpleUploadedFile("cup.zip", content), **typed})
    assert answer.status_code == 302
    job = Job.objects.filter(kind=tournament_import.KIND).latest("pk")
    with suppress(Refused):
        jobs.run(job.pk, WORK)
    job.refresh_from_db()
    return job


def standings(event: Event) -> Any:
    return as_json(standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk))), why=True)


@pytest.mark.parametrize("name", SETUPS)
def test_an_archive_in_an_empty_club_gives_the_same_standings(cast: Cast, as_user: Host, name: str) -> None:
    setup, number, size = SETUPS[name]
    event = scheduled(cast, setup, number, size)
    first_round = released(event)
    for match in first_round[1:]:
        played(match)
    table = first_round[0].table
    assert table
    event.refresh_from_db()
    absent = list(range(1, len(GAMES[setup["game"]].sides(first_round[0].seats.count()))))  # only one side came
    tournaments.forfeit(event_id=event.pk, round_number=1, table=table.number, absent=absent, step=at(event, "absent"))
    played_out(event)
    for entrant, points, reason in ((2, "1/2", "late"), (1, 1, "phone")):
        tournaments.penalise(
            event_id=event.pk, entrant=entrant, round_number=2, points=points, reason=reason, step=at(event, reason)
        )
    entrants.describe(event_id=event.pk, entrant=3, about=About("", "North", 1600), step=at(event, "about"))
    events.close(event_id=event.pk, open_matches="abandon", step=at(event, "close"))
    job = imported(cast, as_user, archived(Event.objects.get(pk=event.pk)))
    assert job.state == Job.State.DONE, job.error
    new = Event.objects.get(pk=int(job.result))
    assert standings(new) == standings(event)
    assert new.closed_at
    assert new.public
    here, there = file_of(event), file_of(new)
    for each in (here, there):
        for round in each["stages"][0]["rounds"]:
            for table in round["tables"]:
                del table["match"]
    assert there == here
    assert logs(new) == logs(event)
    assert not any(out_of_date(match) for match in new.matches.all())


WISHES: list[dict[str, Any]] = [
    {"what": "apart", "entrants": [1, 4, 40], "first": 1, "last": 2, "table": 0},
    {"what": "table", "entrants": [5], "first": 3, "last": None, "table": 2},
    {"what": "present", "entrants": [1], "first": 2, "last": 3, "table": 0},
]
FUND = {"amounts": [1250, 700], "cents": True, "unit": "€", "sharing": "hort"}
EVERYTHING: dict[str, tuple[dict[str, Any], int, int]] = {
    "teams": (setup_of("domino-whist", "heads", size=2, teams=True, order=["points", "manual"], fund=FUND), 5, 3),
    "three": (setup_of("domizerka", "triples", teams=False, worth=PLACE, rounds=4, order=["manual", "lots"]), 7, 1),
}


def eventful(cast: Cast, setup: dict[str, Any], entrants_at_first: int, size: int) -> Event:
    """A tournament in which everything has happened that an archive must keep."""
    event, by = scheduled(cast, setup, entrants_at_first, size), Actor(cast.users["director"])

    def step(key: str) -> Step:
        return replace(at(event, key), by=by)

    about = About("Rovers" if setup["teams"] else "", "Nørd, “x”", 1600)
    entrants.describe(event_id=event.pk, entrant=1, about=about, step=step("about"))
    one, *others = released(event)
    sides = len(GAMES[setup["game"]].sides(one.seats.count()))
    assert one.table
    tournaments.forfeit(
        event_id=event.pk, round_number=1, table=one.table.number, absent=[sides - 1], step=step("absent")
    )
    if sides > 2:
        totals = [20, -20, None]
        directing.type_result(
            event_id=event.pk, round_number=1, table=one.table.number, totals=totals, step=step("two")
        )
    for match in others:
        played(match)
    for number, name in ((40, "Late"), (21, "Later")):
        named = Named(tuple(f"{name} {each}" for each in range(size)), About(name if setup["teams"] else ""))
        entrants.enter_named(event_id=event.pk, players=[], named=[named], numbers=[number], step=step(name))
    tournaments.withdraw(event_id=event.pk, entrants=[2, 3], step=step("left"))
    job = schedules.repair(event=event, rng=random.Random(1), step=step("repair"))
    jobs.run(job.pk, WORK)
    schedules.take(event_id=event.pk, step=step("take"))
    released(event)
    tournaments.come_back(event_id=event.pk, entrants=[2], step=step("back"))
    stopped, *others = event.matches.filter(round=2).order_by("pk")
    assert stopped.table
    directing.end_match(
        event_id=event.pk, round_number=2, table=stopped.table.number, how="abandoned", step=step("stopped")
    )
    for match in others:
        played(match)
    for match in (typed := released(event)[0], swapped := event.matches.filter(round=3).order_by("pk")[1]):
        assert match.table
    totals = totals_for(setup["game"], sides)
    for key, found, why in (("typed", totals, ""), ("again", totals[::-1], "the “wrong” way, round")):
        kind = directing.replace_result if why else directing.type_result
        more = {"why": why} if why else {}
        kind(event_id=event.pk, round_number=3, table=typed.table.number, totals=found, step=step(key), **more)
    played(swapped)
    swapped.refresh_from_db()
    seats = list(range(swapped.seats.count()))
    corrections.correct(
        match_id=swapped.pk,
        seen=swapped.length,
        key="swap",
        entries=[{"kind": "swap", "seats": seats[1:] + seats[:1], "why": "sat elsewhere"}],
        by=by,
        now=NOW + timedelta(hours=1, microseconds=5),
    )
    for entrant, points, reason in ((1, "1/2", "late"), (4, 1, "phone"), (40, 2, "too loud")):
        tournaments.penalise(
            event_id=event.pk, entrant=entrant, round_number=2, points=points, reason=reason, step=step(reason)
        )
    tournaments.cancel_penalty(event_id=event.pk, number=1, reason="it was not theirs", step=step("cancel"))
    for name, who in (("Ladies", [2, 40]), ("“Nobody”", [])):
        entrants.categorise(event_id=event.pk, number=None, name=name, entrants=who, step=step(name))
    equal = [row.entrant for group in equals(event_now(event)) for row in group]
    places = {entrant: at or None for at, entrant in enumerate(reversed(equal))}
    tournaments.decide(event_id=event.pk, places=places, step=step("manual"))
    for number, wish in enumerate(WISHES):
        schedules.wish(event_id=event.pk, wish=wish, step=step(f"wish {number}"))
    for match in (others[0], swapped):
        match.refresh_from_db()
    enter(others[0], [{"kind": "confirm", "seats": [0]}, {"kind": "dispute", "seat": 1, "why": "We had “10”"}], by=by)
    enter(swapped, [{"kind": "dispute", "seat": 0, "why": "Too low"}, {"kind": "confirm", "seats": seats}], by=by)
    events.close(event_id=event.pk, open_matches="abandon", step=step("close"))
    return Event.objects.select_related("club").get(pk=event.pk)


@pytest.mark.parametrize("name", EVERYTHING)
def test_an_archive_of_an_import_is_the_archive_it_came_from(cast: Cast, as_user: Host, name: str) -> None:
    event = eventful(cast, *EVERYTHING[name])
    content = archived(event)
    before, listed = file_in(content), lists(event)
    assert [each["why"] for each in before["scorekeeper"]["corrections"]] == ["sat elsewhere", "the “wrong” way, round"]
    assert before["scorekeeper"]["wishes"] == WISHES
    seats = event.matches.filter(round=3)[0].seats.count()
    assert [len(each["confirmed"]) for each in before["scorekeeper"]["answers"]] == [1, seats]
    public = public_file(event)
    assert "wishes" not in public["scorekeeper"], "they are for directors"
    assert public["scorekeeper"]["answers"] == before["scorekeeper"]["answers"]
    for again in ("", "on"):
        job = imported(cast, as_user, content, again=again)
        assert job.state == Job.State.DONE, job.error
        new = Event.objects.get(pk=int(job.result))
        assert standings(new) == standings(event)
        content = archived(new)
        assert file_in(content) == before
        assert lists(new) == listed
    page = Browser().open(f"/tournaments/{new.pk}/")
    [corrected] = re.findall(
        r"· director · Round \d, table \d · ([^·]+?) → ([^·]+?) · “the “wrong” way, round”", page.words
    )
    assert corrected[0] == " : ".join(reversed(corrected[1].split(" : ")))


def test_a_schedule_stays_as_public_as_it_was(cast: Cast, as_user: Host) -> None:
    """The released rounds, other ones since then that only directors know, and the file that everybody gets."""
    event = scheduled(cast, setup_of("domino-whist", "partners"), 9)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    released(event)
    tournaments.withdraw(event_id=event.pk, entrants=[9], step=at(event, "left"))
    (one, *_), (other, *_) = tournament_in(event).plan[1].tables
    schedules.exchange(event_id=event.pk, round_number=3, entrants=[one, other], step=at(event, "secret"))
    all_played(event)
    content, public = archived(event), public_file(event)
    secret, known = file_in(content)["scorekeeper"]["plan"], file_in(content)["scorekeeper"]["released"]
    assert secret["rounds"] != known["rounds"]
    job = imported(cast, as_user, content)
    assert job.state == Job.State.DONE, job.error
    new = Event.objects.get(pk=int(job.result))
    assert file_in(archived(new)) == file_in(content)
    assert public_file(new) == public
    job = imported(cast, as_user, json.dumps(public).encode(), again="on")
    assert job.state == Job.State.DONE, job.error
    of_everybody = Event.objects.get(pk=int(job.result))
    assert public_file(of_everybody) == public
    assert file_in(archived(of_everybody))["scorekeeper"]["plan"] == {**known, "released": True}


def test_an_earlier_archive_says_by_a_mark_that_its_schedule_is_public(cast: Cast, as_user: Host) -> None:
    for mark, again in ((False, ""), (True, "on")):
        file = changed(scorekeeper={"plan": {**PLAN, "released": mark}})
        job = imported(cast, as_user, json.dumps(file).encode(), again=again)
        assert job.state == Job.State.DONE, job.error
        assert bool(tournament_in(Event.objects.get(pk=int(job.result))).published) is mark


def all_played(event: Event) -> None:
    for match in event.matches.all():
        played(match)


def public_file(event: Event) -> Any:
    """As everybody gets it, without the ids of the matches."""
    return without_matches(Client().get(f"/tournaments/{event.pk}/file.json").json())


def without_matches(file: Any) -> Any:
    for played_round in file["stages"][0]["rounds"]:
        for table in played_round["tables"]:
            table.pop("match", None)
    return file


def lists(event: Event) -> Any:
    """What the public page lists besides results."""
    page = tournament_shown(event_now(Event.objects.select_related("club").get(pk=event.pk)))
    return page.penalties, [replace(each, match=None) for each in page.corrections]


def file_in(content: bytes) -> Any:
    """The tournament file of an archive, without the ids of the matches."""
    with ZipFile(BytesIO(content)) as members:
        return without_matches(json.loads(members.read("tournament.json")))


def logs(event: Event) -> list[list[Any]]:
    """What was recorded in each match, by round and table."""
    return [[entry.payload for entry in match.log.all()] for match in event.matches.order_by("round", "table__number")]


FILE: dict[str, Any] = {
    "format": "scorekeeper-tournament/1",
    "name": "Cup",
    "game": "block",
    "entrants": [{"id": 3, "name": "Ana"}, {"id": 7, "name": "Bo", "club": "North"}, {"id": 9, "name": "Cy"}],
    "stages": [
        {
            "name": "Main",
            "system": "round-robin",
            "worth": RESULT,
            "order": ["points", "difference"],
            "rounds": [
                {"tables": [{"sides": [[3], [9]], "totals": [50, 20]}], "unplayed": [{"entrant": 7, "kind": "bye"}]},
                {"tables": [{"table": 4, "sides": [[7], [3]], "totals": [None, None], "absent": [1]}]},
            ],
        }
    ],
}


NOTED: dict[str, Any] = {"round": 1, "table": 1, "at": "2026-05-09T20:30:00+00:00", "why": "misread", "by": "Mara"}
PLAN: dict[str, Any] = {"rounds": [{"tables": [[3, 7]], "byes": [9]}], "at": [1], "released": False}


def zipped(**members: str) -> bytes:
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_", "."), text)
    return content.getvalue()


def test_a_tournament_file_of_another_program_is_imported_by_its_totals(cast: Cast, as_user: Host) -> None:
    job = imported(cast, as_user, json.dumps(FILE).encode())
    assert job.state == Job.State.DONE, job.error
    event = Event.objects.get(pk=int(job.result))
    asked = as_json(calculate(read_value(FILE)), why=False)["stages"][0]["rows"]
    found = as_json(calculate(read_value(file_of(event))), why=False)["stages"][0]["rows"]
    assert [(each["name"], each["place"], each["values"]) for each in found] == [
        (each["name"], each["place"], each["values"]) for each in asked
    ]
    assert [match.unverified for match in event.matches.order_by("pk")] == [True, False]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no archive", "neither an archive nor a tournament file"),
        (zipped(other_txt="?"), "not an archive of a tournament"),
        (zipped(tournament_json="{}"), "There is no records.ndjson in it."),
        (zipped(tournament_json="{", records_ndjson=""), "not an archive of a tournament"),
        (zipped(tournament_json="{}", records_ndjson=""), "format"),
        (json.dumps({**FILE, "game": "chess"}).encode(), "This game does not exist."),
        (json.dumps({**FILE, "stages": FILE["stages"] * 2}).encode(), "Main"),
        (
            json.dumps({**FILE, "stages": [*FILE["stages"], {**FILE["stages"][0], "name": "Final"}]}).encode(),
            "one stage",
        ),
        (json.dumps({**FILE, "game": "domizerka"}).encode(), "cannot be played like that"),
    ],
)
def test_what_cannot_be_imported_says_why_and_leaves_nothing(
    cast: Cast, as_user: Host, content: bytes, said: str
) -> None:
    job = imported(cast, as_user, content)
    assert (job.state, said in job.error) == (Job.State.FAILED, True), job.error
    assert not Event.objects.exists()
    assert not Match.objects.exists()
    page = as_user("stranger").get(f"/clubs/{cast.other_club.slug}/tournaments/import/")
    assert "Nothing was imported." in page.content.decode()


def test_a_tournament_that_is_there_is_imported_again_only_on_request(cast: Cast, as_user: Host) -> None:
    content = json.dumps(FILE).encode()
    assert imported(cast, as_user, content).state == Job.State.DONE
    job = imported(cast, as_user, content)
    assert job.error == f"The club already has “{FILE['name']}” with the same date and as many entrants."
    assert Event.objects.count() == 1
    page = as_user("stranger").get(f"/clubs/{cast.other_club.slug}/tournaments/import/").content.decode()
    assert "Import it even if the club has it already" in page
    assert imported(cast, as_user, content, again="on").state == Job.State.DONE
    assert Event.objects.count() == 2


def changed(**other: Any) -> dict[str, Any]:
    """FILE with other keys, or with other keys of its stage."""
    stage = {name: value for name, value in other.items() if name in ("rounds", "order", "entrants_of_stage")}
    stage = {name.removesuffix("_of_stage"): value for name, value in stage.items()}
    rest = {name: value for name, value in other.items() if name not in ("rounds", "order", "entrants_of_stage")}
    return {**FILE, **rest, "stages": [{**FILE["stages"][0], **stage}]}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (changed(lower_wins=True), "lower_wins: In this game the greater total wins"),
        (changed(entrants=[{"id": 10**9, "name": "Ana"}], rounds=[]), "entrants[0].id: A start number"),
        (changed(entrants_of_stage=[3, 7], rounds=[]), "stages[0].entrants: Everybody takes part"),
        (
            changed(
                rounds=[{"tables": [], "unplayed": [{"entrant": 3, "kind": "bye"}, {"entrant": 7, "kind": "asked"}]}]
            ),
            "stages[0].rounds[0].unplayed[1].kind: A bye that somebody asked for",
        ),
        (
            changed(rounds=[{"tables": [{"sides": [[3], [7]], "totals": [5, 2], "absent": [1]}]}]),
            "stages[0].rounds[0].tables[0].totals: Totals of a table",
        ),
        (
            changed(rounds=[{"tables": [{"sides": [[3], [7]]}]}, {"tables": [{"sides": [[3], [7], [9]]}]}]),
            "stages[0].rounds[1].tables[0].sides: No tournament here",
        ),
        (changed(game="domizerka"), "stages[0].rounds: This game cannot be played like that."),
        (changed(options={"hands": "x"}), "options: "),
        (changed(name="x" * 81), "name: "),
        (changed(scorekeeper=None), "scorekeeper: Expected an object, not null."),
        (changed(scorekeeper=[]), "scorekeeper: Expected an object"),
        (changed(scorekeeper={"setup": 1}), "scorekeeper.setup: Expected an object"),
        (
            changed(scorekeeper={"setup": {"game": "block"}}),
            "scorekeeper.setup: These are missing: minutes, format, size, rounds, double.",
        ),
        (changed(scorekeeper={"withdrawn": "x"}), "scorekeeper.withdrawn: Expected a list"),
        (changed(scorekeeper={"withdrawn": [[1]]}), "scorekeeper.withdrawn[0]: Expected a whole number"),
        (changed(scorekeeper={"withdrawn": [3, 4]}), "scorekeeper.withdrawn[1]: There is no entrant 4 here."),
        (changed(scorekeeper={"corrections": [1]}), "scorekeeper.corrections[0]: Expected an object"),
        (
            changed(scorekeeper={"corrections": [{**NOTED, "round": 3}]}),
            "scorekeeper.corrections[0]: There is no round 3",
        ),
        (
            changed(scorekeeper={"corrections": [{**NOTED, "at": 5}]}),
            "scorekeeper.corrections[0]: Expected a time like",
        ),
        (changed(scorekeeper={"corrections": [{**NOTED, "why": "\0"}]}), "scorekeeper.corrections[0]: This text has"),
        (changed(scorekeeper={"wishes": [{"what": "apart"}]}), "scorekeeper.wishes[0]: These are missing: entrants,"),
        (changed(scorekeeper={"wishes": [{**WISHES[0], "what": "x"}]}), "scorekeeper.wishes[0]: "),
        (changed(scorekeeper={"wishes": [WISHES[0]]}), "scorekeeper.wishes[0]: There is no entrant 1 here."),
        (
            changed(scorekeeper={"wishes": [{**WISHES[0], "entrants": [3, 3]}]}),
            "scorekeeper.wishes[0]: This wish cannot be kept.",
        ),
        (
            changed(scorekeeper={"wishes": [{**WISHES[0], "entrants": [3, 7], "first": 0}]}),
            "scorekeeper.wishes[0]: Rounds count from 1.",
        ),
        (
            changed(scorekeeper={"wishes": [{**WISHES[1], "entrants": [3], "table": 0}]}),
            "scorekeeper.wishes[0]: The number of a table",
        ),
        (changed(scorekeeper={"answers": [{"round": 1}]}), "scorekeeper.answers[0]: table is missing."),
        (changed(scorekeeper={"answers": [{"round": 3, "table": 1}]}), "scorekeeper.answers[0]: There is no round 3"),
        (
            changed(scorekeeper={"answers": [{"round": 1, "table": 1, "confirmed": [2]}]}),
            "The record of round 1, table 1 cannot be read.",
        ),
        (changed(scorekeeper={"plan": {"rounds": []}}), "scorekeeper.plan: These are missing: at,"),
        (changed(scorekeeper={"plan": {**PLAN, "at": [0]}}), "scorekeeper.plan.at[0]: The number of a table"),
        (changed(scorekeeper={"plan": {**PLAN, "at": []}}), "scorekeeper.plan.at: Each table of a round"),
        (
            changed(scorekeeper={"plan": {**PLAN, "rounds": [{"tables": [[3, 7]], "byes": [7]}]}}),
            "scorekeeper.plan.rounds[0]: Somebody has two places",
        ),
        (
            changed(scorekeeper={"plan": {**PLAN, "rounds": [{"tables": [[3, 4]], "byes": []}]}}),
            "scorekeeper.plan.rounds[0]: There is no entrant 4",
        ),
        (
            changed(scorekeeper={"plan": {**PLAN, "rounds": [{"tables": [[3, 7, 9]], "byes": []}]}}),
            "scorekeeper.plan.rounds[0]: No tournament here has this table",
        ),
        (
            changed(scorekeeper={"categories": [{"name": "Ladies", "entrants": [4]}]}),
            "scorekeeper.categories[0]: There is no entrant 4 here.",
        ),
        (changed(scorekeeper={"categories": [{"name": "Ladies"}]}), "scorekeeper.categories[0]: entrants is missing."),
        (
            changed(scorekeeper={"categories": [{"name": "x" * 81, "entrants": []}]}),
            "scorekeeper.categories[0]: A name needs",
        ),
        (
            changed(scorekeeper={"categories": [{"name": name, "entrants": [3]} for name in ("Ladies", "ladies")]}),
            "scorekeeper.categories: Two categories have the same name.",
        ),
        (changed(scorekeeper={"closed": 1}), "scorekeeper.closed: Expected true or false"),
    ],
)
def test_what_would_not_be_the_same_is_refused_with_its_place(
    cast: Cast, as_user: Host, file: dict[str, Any], said: str
) -> None:
    job = imported(cast, as_user, json.dumps(file).encode())
    assert (job.state, job.error[: len(said)]) == (Job.State.FAILED, said)
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prizes", "3"),
        ("prizes", 10**9),
        ("fund", {"amounts": [4, 3, 2, 1], "cents": False, "unit": "", "sharing": "place"}),
        ("confirm", None),
        ("confirm", -1),
        ("rounds", True),
        ("rounds", -4),
        ("minutes", -7),
        ("date", "not a date"),
        ("until", {}),
        ("until", {"start": "x", "end": "10:00", "pause": 0}),
        ("public", 1),
        ("size", "x"),
        ("format", ["heads"]),
    ],
)
def test_a_damaged_setup_is_refused(cast: Cast, as_user: Host, name: str, value: Any) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    file = file_of(event)
    file["scorekeeper"]["setup"][name] = value
    error = imported(cast, as_user, json.dumps(file).encode()).error
    assert error.startswith(f"scorekeeper.setup.{name}: ")
    assert Event.objects.count() == 1


TABLES: tuple[list[Any], ...] = ([1, 1], [None, None], [2, None], ["Centre", True], [-3, 10**9], [None, 1], [True, 1])


@pytest.mark.parametrize("numbers", TABLES)
def test_tables_without_usable_numbers_get_their_own(cast: Cast, as_user: Host, numbers: list[Any]) -> None:
    tables = [
        {"sides": [[1], [4]], "totals": [50, 20], "table": numbers[0]},
        {"sides": [[2], [3]], "totals": [10, 60], "table": numbers[1], "absent": []},
    ]
    entrants = [{"id": number, "name": f"P{number}"} for number in range(1, 5)]
    file = changed(entrants=entrants, rounds=[{"tables": tables}])
    job = imported(cast, as_user, json.dumps(file).encode())
    assert job.state == Job.State.DONE, job.error
    event = Event.objects.get(pk=int(job.result))
    found = [table["table"] for table in file_of(event)["stages"][0]["rounds"][0]["tables"]]
    kept = [given if type(given) is int and 0 < given < 1000 else None for given in numbers]
    assert len(set(found)) == 2
    assert [is_ for given, is_ in zip(kept, found, strict=True) if given and kept.count(given) == 1] == [
        given for given in kept if given and kept.count(given) == 1
    ]
    for page in ("", "desk/", "standings/", "cross-table/", "screen/", "print/standings/", "standings.csv"):
        assert as_user("stranger").get(f"/tournaments/{event.pk}/{page}").status_code == 200, page


def test_start_numbers_stay_those_of_the_file(cast: Cast, as_user: Host) -> None:
    file = changed(entrants=list(reversed(FILE["entrants"])), order=["lots", "start"])
    file["stages"][0]["lots"] = "7f3a"
    job = imported(cast, as_user, json.dumps(file).encode())
    assert job.state == Job.State.DONE, job.error
    found = file_of(Event.objects.get(pk=int(job.result)))
    assert {each["id"]: each["name"] for each in found["entrants"]} == {3: "Ana", 7: "Bo", 9: "Cy"}
    assert [as_json(calculate(read_value(each)), why=True)["stages"][0]["rows"] for each in (found,)] == [
        as_json(calculate(read_value(file)), why=True)["stages"][0]["rows"]
    ]


def test_a_table_goes_on_without_a_side_that_did_not_come(cast: Cast, as_user: Host) -> None:
    table = {"table": 1, "sides": [[3], [7], [9]], "totals": [5, -5, None], "absent": [2]}
    stage = {**FILE["stages"][0], "worth": PLACE, "rounds": [{"tables": [table]}]}
    job = imported(cast, as_user, json.dumps({**FILE, "game": "domizerka", "stages": [stage]}).encode())
    assert job.state == Job.State.DONE, job.error
    found = file_of(Event.objects.get(pk=int(job.result)))["stages"][0]["rounds"][0]["tables"][0]
    assert (found["totals"], found["absent"]) == ([5, -5, None], [2])


def test_a_private_tournament_stays_private(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads", public=False, date="2026-05-09"), 4)
    job = imported(cast, as_user, archived(event))
    assert job.state == Job.State.DONE, job.error
    new = Event.objects.get(pk=int(job.result))
    assert not new.public
    assert file_of(new)["scorekeeper"]["setup"]["date"] == "2026-05-09"


def test_other_standings_than_in_the_file_are_refused(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    played_out(event)
    file = file_of(event)
    one, other = file["stages"][0]["rounds"][0]["tables"]
    other["match"] = one["match"]
    with ZipFile(BytesIO(archived(event))) as members:
        records = members.read("records.ndjson").decode()
    job = imported(cast, as_user, zipped(tournament_json=json.dumps(file), records_ndjson=records))
    assert (job.state, job.error[:9]) == (Job.State.FAILED, "stages[0]")
    assert Event.objects.count() == 1


def test_a_record_that_cannot_be_read_leaves_nothing(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    played_out(event)
    file = file_of(event)
    broken = {"players": ["Ada", "Bruno"], "meta": {"id": str(file["stages"][0]["rounds"][1]["tables"][0]["match"])}}
    before = LogEntry.objects.count()
    job = imported(cast, as_user, zipped(tournament_json=json.dumps(file), records_ndjson=json.dumps(broken)))
    assert job.error == "The record of round 2, table 1 cannot be read."
    assert Event.objects.count() == 1
    assert LogEntry.objects.count() == before
    assert not cast.other_club.matches.exists()


def test_a_killed_import_begins_again_without_what_it_had_made(cast: Cast, as_user: Host) -> None:
    content = json.dumps(FILE).encode()
    page = f"/clubs/{cast.other_club.slug}/tournaments/import/"
    as_user("stranger").post(page, {"file": SimpleUploadedFile("cup.json", content)})
    job = Job.objects.get(kind=tournament_import.KIND)

    class Killed(BaseException):
        """The process ends here."""

    def die(run: jobs.Run) -> None:
        found = tournament_reading.read_archive(BytesIO(content))
        step = Step(Actor(), f"import-{run.job.pk}-{run.job.tries}", 0, NOW)
        event = tournament_import._begin(cast.other_club, found, step)
        tournament_import._play(event.pk, 1, found, step)
        raise Killed

    with pytest.raises(Killed):
        jobs.run(job.pk, {tournament_import.KIND: die})
    assert cast.other_club.matches.exists()
    assert not Event.objects.get().public, "nobody sees it before it is complete"
    Job.objects.update(state=Job.State.NEW, lease_until=None)
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert Event.objects.get().public
    assert cast.other_club.matches.count() == 2


def test_an_upload_without_a_file_says_so(cast: Cast, as_user: Host) -> None:
    answer = as_user("director").post(f"/clubs/{cast.club.slug}/tournaments/import/")
    assert answer.status_code == 422
    assert "Choose the archive" in answer.content.decode()
