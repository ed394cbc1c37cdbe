"""The rehearsal of a tournament's day, from the button to the story."""

import random
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.events.groups import SNAKE
from scorekeeper.forms.entrants import named
from scorekeeper.models import Event, Job, Match
from scorekeeper.selectors.audit import NO_JOBS
from scorekeeper.services import free_play, jobs, leagues, rehearsals, stages, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK, run_job
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.leagues import setup_of as league_setup
from tests.nights import at, first
from tests.scorekeeper.test_stages import finals, grouped, play, through
from tests.tournaments import entered, scheduled, setup_of

pytestmark = pytest.mark.django_db

UNTIL = {"start": "10:00", "end": "11:00", "pause": 10}
FIELDS = {"do": "rehearse", "tables": "2", "start": "10:00", "pause": "10"}
TROUBLES = {"late": "1", "no_shows": "1", "wrong": "1", "disputed": "1"}


def swiss(cast: Cast) -> Event:
    return entered(cast, setup_of("block", "heads", system="swiss", rounds=3, until=UNTIL), 8)


def round_robin(cast: Cast) -> Event:
    return scheduled(cast, setup_of("block", "heads", until=UNTIL), 6)


def knock_out(cast: Cast) -> Event:
    return entered(cast, setup_of("block", "heads", system="knock-out", bracket="double"), 6)


@pytest.fixture
def director(cast: Cast) -> Client:
    return cast.browser("director")


def filled(page: Browser) -> dict[str, str]:
    """What the form has."""
    [form] = [each for each in page.forms if "tables" in each.names]
    return dict(form.fields)


def newest() -> None:
    """A worker plays the newest rehearsal."""
    jobs.run(Job.objects.filter(kind="rehearsal").latest("pk").pk, WORK)


def work(*, state: str = Job.State.DONE) -> Job:
    job = Job.objects.get(kind="rehearsal")
    jobs.run(job.pk, WORK)
    job.refresh_from_db()
    assert job.state == state, job.error
    return job


@pytest.mark.parametrize("make", [swiss, round_robin, knock_out])
def test_one_button_plays_the_day_and_saves_nothing(
    director: Client, cast: Cast, make: Callable[[Cast], Event]
) -> None:
    event = make(cast)
    length, url = event.log.count(), f"/tournaments/{event.pk}/rehearsal/"
    assert url in director.get(f"/tournaments/{event.pk}/desk/").content.decode()
    form = director.get(url).content.decode()
    assert "Nothing of it is saved" in form
    assert form.count(" checked") == 4
    assert director.post(url, FIELDS | TROUBLES).status_code == 302
    waiting = director.get(url).content.decode()
    assert 'data-again="700"' in waiting
    assert "Nothing of it is saved" in waiting
    job = work()
    page = director.get(url).content.decode()
    assert "changed since then" not in page
    assert "in 9 of 10 rehearsals by" in page
    assert "Nothing of it is saved" in page
    assert "does not come to table" in page
    assert "One rehearsed day" in page
    assert ("is empty for the longest time" in page) is (job.best["idle"] is not None)
    assert job.best["days"] == 200
    assert event.log.count() == length
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leave"))
    assert "Something was entered or changed since then." in director.get(url).content.decode()
    assert not Match.objects.exists()


def test_groups_and_their_finals_are_rehearsed(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", until=UNTIL), 9)
    step = at(event, "groups")
    stages.draw_groups(event_id=event.pk, how=SNAKE, names=["Reds", "Blues"], rng=random.Random(1), step=step)
    url = f"/tournaments/{event.pk}/rehearsal/"
    assert "From each group" in director.get(url).content.decode()
    finals = {"first": "1", "best": "2", "system": "knock-out", "consolation": "swiss", "best_of": "5"}
    for wrong in ({"system": "chess"}, {"best_of": "2"}, {"best_of": "x"}):
        assert director.post(url, FIELDS | TROUBLES | finals | wrong).status_code == 404
    director.post(url, FIELDS | TROUBLES | finals)
    job = work()
    assert job.best["stages"] == ["Reds", "Blues", "Final", "Consolation final"]
    assert [(each["stage"], len(each["rows"])) for each in job.best["standings"]] == [("", 9)]
    final = next(each for each in job.best["played"] if each["stage"] == "Final")
    assert {max(table["totals"]) for each in final["rounds"] for table in each["tables"]} == {3}
    page = director.get(url).content.decode()
    assert "Reds and Blues" in page
    assert "Consolation final" in page
    assert "does not come to table" in page
    assert "With only" not in page, "finals need all rounds of the groups"
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("finals", "says"),
    [
        ({"first": "5"}, "The largest group has 4 entrants. Let 4 or fewer of each group go on."),
        ({"first": "3", "best": "3"}, "only one of each group comes next, 2 in all."),
        ({"first": "4", "best": "1"}, "Nobody comes next after the first 4 of each group."),
        ({"first": "4", "consolation": "knock-out"}, "Of 8 entrants 0 do not go on, and a table of the consolation"),
        ({"first": "0", "best": "1"}, "No finals are rehearsed if 0 of each group go on."),
        ({"first": "0", "consolation": "swiss"}, "No finals are rehearsed if 0 of each group go on."),
    ],
)
def test_finals_that_cannot_be_are_refused_at_once(
    director: Client, cast: Cast, finals: dict[str, str], says: str
) -> None:
    event = grouped(cast, 8, 2)
    asked = FIELDS | {"best": "0", "system": "knock-out", "consolation": "", "best_of": "1"} | finals
    answer = director.post(f"/tournaments/{event.pk}/rehearsal/", asked)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Job.objects.exists()


def test_finals_that_have_begun_are_all_that_is_rehearsed(director: Client, cast: Cast) -> None:
    event = grouped(cast, 8, 2)
    play(event)
    finals(event, [("Final", through(event, 2))], {"system": "knock-out"})
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    assert "From each group" not in page.words
    page.press("Rehearse the day")
    assert work().best["stages"] == ["Final"]


def test_groups_are_drawn_before_they_are_rehearsed(director: Client, cast: Cast) -> None:
    """Without them it would be a round robin of everybody, without finals."""
    event = entered(cast, setup_of("block", "heads", in_groups=True, best_of=3), 8)
    not_drawn = "The groups are not drawn yet. Draw them first, then rehearse the day."
    page = Browser(director).open(f"/tournaments/{event.pk}/desk/").follow("Rehearsal")
    url = page.path
    assert "The day can be rehearsed when the groups are drawn." in page.words
    assert not page.has_button("Rehearse the day")
    refused = director.post(url, FIELDS)
    assert (refused.status_code, not_drawn in refused.content.decode()) == (422, True)
    wanted = rehearsals.Wanted(tables=4, start=600, pause=0, late=0, no_shows=0, wrong=0, disputed=0)
    with pytest.raises(Refused) as refusal:
        rehearsals.start(event=event, wanted=wanted, seed=1, by=Actor(), now=NOW)
    assert refusal.value.code == "groups-not-drawn"
    assert not Job.objects.filter(kind="rehearsal").exists()
    groups = page.follow("Draw the groups").press("Draw the groups", number="2", how="snake").path
    fields = filled(page.open(url))
    assert (fields["first"], fields["best_of"]) == ("2", "3"), "as in the setup"
    page.press("Rehearse the day")
    page.open(groups).press("Play without groups")
    assert not page.open(f"/tournaments/{event.pk}/desk/").has_button("Draw the groups"), "they are not meant any more"
    page.open(f"/tournaments/{event.pk}/setup/").press("Save", in_groups="on")
    run_job(Job.objects.get(kind="rehearsal").pk)
    assert not_drawn in page.open(url).words, "they were given up while the job waited"


def test_a_schedule_without_the_groups_that_were_meant_is_rehearsed(director: Client, cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads", in_groups=True), 6)
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/").press("Rehearse the day")
    assert len(work().best["rounds"]) == 5
    assert not page.open(f"/tournaments/{event.pk}/desk/").has_button("Draw the groups")


def test_the_page_says_whether_it_fits_and_what_would_help(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS | {"end": "11:00"})
    work()
    page = director.get(url).content.decode()
    assert "It does not fit: it should end at 11:00." in page
    assert "With 4 tables: by" in page
    assert "With only 1 round: by" in page
    assert "earlier, not enough)" in page
    assert "Did not happen on this day" not in page, "nothing was to go wrong"


def test_a_day_that_nothing_shortens_enough_says_so(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads"), 4)
    url = f"/tournaments/{event.pk}/rehearsal/"
    director.post(url, FIELDS | {"end": "10:05"})
    work()
    assert "Nothing that you can change here is enough." in director.get(url).content.decode()


def test_a_rehearsal_says_what_of_it_did_not_happen_and_what_free_play_means(director: Client, cast: Cast) -> None:
    """Of two, who does not come leaves no match to be disputed."""
    event = entered(cast, setup_of("block", "heads", system="free"), 2)
    url = f"/tournaments/{event.pk}/rehearsal/"
    director.post(url, FIELDS | {"no_shows": "1", "disputed": "1"})
    work()
    page = director.get(url).content.decode()
    assert "Did not happen on this day: A result is disputed." in page
    assert "Free play has no number of rounds. Here everybody plays 1 more match." in page
    director.post(url, FIELDS | {"end": "12:30"})
    newest()
    page = " ".join(director.get(url).content.decode().split())
    assert "Here everybody plays 3 more matches, and all begin together." in page


def test_a_second_press_is_the_same_rehearsal_and_cancel_ends_it(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS)
    director.post(url, FIELDS)
    job = Job.objects.get(kind="rehearsal")
    assert job.kind in NO_JOBS, "it is pruned"
    director.post(url, {"do": "cancel"})
    assert "data-again" not in director.get(url).content.decode()
    work(state=Job.State.CANCELLED)


def test_free_play_is_rehearsed_with_its_open_tables(director: Client, cast: Cast) -> None:
    """Of 7, three tables have begun; then three more matches end until 23:30, each of which may last 44 minutes."""
    event = entered(cast, setup_of("block", "heads", system="free"), 7)
    chance = random.Random(1)
    free_play.match(event=Event.objects.get(pk=event.pk), only_new=True, rng=chance, step=at(event, "draw"))
    tournaments.release(event_id=event.pk, minutes=None, unconfirmed=False, step=at(event, "release"))
    assert Match.objects.count() == 3
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    page.press("Rehearse the day", tables="3", start="20:00", end="23:30", pause="10")
    job = work()
    assert (job.best["begun"], len(job.best["rounds"])) == (1, 1 + 3)
    words = page.open(page.path).words
    assert "First, the open tables are played." in words
    assert "Here everybody plays 3 more matches" in words
    page.press("Rehearse the day", end="20:20")
    newest()
    words = page.open(page.path).words
    assert "No match fits after them." in words
    assert "It does not fit: it should end at 20:20." in words


def test_the_form_has_what_was_rehearsed_and_the_result_says_it(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", system="free"), 7)
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    asked = {"tables": "2", "start": "09:30", "end": "12:00", "pause": "25"}
    page.press("Rehearse the day", **asked, late=[], wrong=[])
    work()
    words = page.open(page.path).words
    assert "Calculated for 2 tables in the hall, from 09:30 to 12:00, with pauses of 25 min." in words
    fields = filled(page)
    assert fields.items() >= asked.items()
    assert {*fields} & {*TROUBLES, "overnight"} == {"no_shows", "disputed"}
    page.press("Rehearse the day", start="12:00", disputed=[])
    assert page.status == 422
    assert "The end, 12:00, is not after the start, 12:00. Correct a time, or tick that it ends on the next day." in (
        page.words
    )
    fields = filled(page)
    assert fields.items() >= (asked | {"start": "12:00"}).items(), "what was refused can be corrected"
    assert {*fields} & {*TROUBLES} == {"no_shows"}


def test_the_form_has_the_finals_that_were_rehearsed(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads"), 8)
    step = at(event, "groups")
    stages.draw_groups(event_id=event.pk, how=SNAKE, names=["Reds", "Blues"], rng=random.Random(1), step=step)
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    fields = filled(page)
    assert (fields["tables"], fields["start"], fields["first"], fields["best"]) == ("2", "14:00", "2", "0")
    asked = {"first": "1", "best": "2", "system": "round-robin", "consolation": "swiss", "pause": "0"}
    page.press("Rehearse the day", **asked, tables="1")
    work()
    words = page.open(page.path).words
    assert "Calculated for 1 table in the hall, a start at 14:00 and pauses of 0 min." in words
    assert filled(page).items() >= asked.items()


def test_a_time_after_midnight_is_marked(director: Client, cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads", system="free"), 6)
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    page.press("Rehearse the day", tables="3", start="14:00", end="13:00")
    assert page.status == 422
    assert "tick that it ends on the next day" in page.words
    page.press("Rehearse the day", tables="3", start="23:00", end="02:00", overnight="1")
    job = work()
    assert job.args["wanted"]["until"] == 26 * 60
    words = page.open(page.path).words
    assert "from 23:00 to 02:00 (next day), with" in words
    assert re.search(
        r"At 0\d:\d\d \(next day\) in the median, and in 9 of 10 rehearsals by 0\d:\d\d \(next day\)", words
    )
    assert re.search(r"Round 2: 23:\d\d to 00:\d\d \(next day\)", words)
    fields = filled(page)
    assert (fields["start"], fields["end"], fields["overnight"]) == ("23:00", "02:00", "1")


@pytest.mark.parametrize(
    ("start", "until", "says"),
    [
        ("21:00", {"start": "20:00", "end": "02:00", "pause": 0}, "It fits: it should end at 02:00 (next day)."),
        ("00:30", {"start": "20:00", "end": "02:00", "pause": 0}, "It fits: it should end at 02:00."),
        ("12:00", UNTIL, "The end, 11:00, is not after the start, 12:00."),
    ],
)
def test_the_end_in_the_setup_is_on_the_next_day_only_if_the_setup_says_so(
    director: Client, cast: Cast, start: str, until: dict[str, Any], says: str
) -> None:
    event = entered(cast, setup_of("block", "heads", system="knock-out", until=until), 2)
    page = Browser(director).open(f"/tournaments/{event.pk}/rehearsal/")
    page.press("Rehearse the day", start=start)
    if page.status == 200:
        work()
        page.open(page.path)
    assert says in page.words


def test_the_standings_of_each_group_are_told_where_there_are_none_of_the_whole(cast: Cast, director: Client) -> None:
    setup = league_setup(every=0)
    league = leagues.start(club=cast.club, name="Cup", setup=setup, step=first("league"))
    divisions = [
        (name, [named(f"{colour} {number}") for number in range(1, 5)])
        for name, colour in (("Upper", "Red"), ("Lower", "Blue"))
    ]
    leagues.divide(event_id=league.pk, divisions=divisions, step=at(league, "divide"))
    page = Browser(director).open(f"/leagues/{league.pk}/rehearsal/")
    page.press("Rehearse the day", start="10:00")
    job = work()
    assert [(each["stage"], len(each["rows"])) for each in job.best["standings"]] == [("Upper", 4), ("Lower", 4)]
    standings = page.open(page.path).words.split("Standings of this rehearsed day")[1]
    assert re.search(r"Upper 1\. Red \d .*Lower 1\. Blue \d", standings)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [({"tables": "0"}, "Tables: enter"), ({"pause": "x"}, "Pause between rounds: enter"), ({"start": "soon"}, "14:00")],
)
def test_wrong_fields_are_refused(director: Client, cast: Cast, wrong: dict[str, str], says: str) -> None:
    answer = director.post(f"/tournaments/{swiss(cast).pk}/rehearsal/", FIELDS | wrong)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Job.objects.filter(kind="rehearsal").exists()


def test_a_tournament_with_too_few_entrants_says_why(director: Client, cast: Cast) -> None:
    url = f"/tournaments/{entered(cast, setup_of('block', 'heads'), 1).pk}/rehearsal/"
    director.post(url, FIELDS)
    job = Job.objects.get(kind="rehearsal")
    run_job(job.pk)
    assert "A table needs 2 entrants" in director.get(url).content.decode()


@pytest.mark.parametrize(
    ("migration", "newer"),
    [("0032_rehearsals_of_an_older_form", "stages"), ("0036_rehearsals_of_an_older_form_again", "begun")],
)
def test_a_rehearsal_of_an_older_version_is_deleted(director: Client, cast: Cast, migration: str, newer: str) -> None:
    """Before there were rehearsals of groups, and before there were standings of each stage."""
    migrated = import_module(f"scorekeeper.migrations.{migration}")
    url = f"/tournaments/{swiss(cast).pk}/rehearsal/"
    director.post(url, FIELDS | TROUBLES)
    job = work()
    migrated.delete_older(apps, connection.schema_editor())
    assert "One rehearsed day" in director.get(url).content.decode()
    del job.best[newer]
    job.save(update_fields=["best"])
    migrated.delete_older(apps, connection.schema_editor())
    assert "One rehearsed day" not in director.get(url).content.decode()
    assert not Job.objects.filter(kind="rehearsal").exists()
