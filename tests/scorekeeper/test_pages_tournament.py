"""The pages of a tournament, read and used without scripts: a director's day, and what everybody sees of it."""

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from scorekeeper.models import Event, Job, Match
from scorekeeper.pages import tournament as pages
from scorekeeper.selectors.events import state_of
from scorekeeper.services import clubs, corrections, jobs
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at, names_of
from tests.tournaments import played, released, scheduled, setup_of

Host = Callable[[str], Client]


def new(host: Browser, cast: Cast, preset: str, **more: str) -> Event:
    host.open(f"/clubs/{cast.club.slug}/").follow("New tournament")
    host.open(f"{host.path}?preset={preset}").press("Set up the tournament", name="Spring cup", **more)
    assert host.status == 200, host.words
    return Event.objects.get(kind="tournament")


def test_a_directors_day(cast: Cast, as_user: Host) -> None:
    host, visitor = Browser(as_user("director")), Browser()
    event = new(host, cast, "block:heads", **{"option-hands": "1"})
    assert "Enter the players first" in host.words
    host.press("Enter", names="Ada\nBruno\nCarmen\nDmitri")
    assert "4 entrants" in host.words
    visitor.open(f"/clubs/{cast.club.slug}/").follow("Spring cup")
    assert "Ada" in visitor.words

    host.press("Make the schedule")
    assert "The schedule has 3 more rounds." in host.words
    host.press("Draft the first round")
    assert "Draft of round 1" in host.words
    assert "Round 1" not in visitor.open(visitor.path).words, "only directors see drafts"
    host.press("Release round 1")
    assert "Tables without a result: 2 of 2" in host.words
    visitor.open(visitor.path)
    assert "Round 1" in visitor.words
    assert "of 3" in visitor.words
    assert "provisional: results are open" in visitor.words

    one, other = event.matches.order_by("pk")
    played(one)
    assert "Tables without a result: 1 of 2" in host.open(host.path).words
    assert other.table
    host.press("They lose by forfeit", absent="1")
    assert "no result yet" not in host.words
    assert "did not come" in visitor.open(visitor.path).words

    for _ in range(2):
        host.press("Draft the next round").press("Release round")
        for match in event.matches.filter(status=Match.Status.PLAYING):
            played(match)
        host.open(host.path)
    assert "All rounds are played." in host.words
    host.press("Close the tournament")
    assert "The tournament is over." in host.words
    visitor.open(visitor.path)
    assert "final" in visitor.words
    file = json.loads(visitor.open(f"/tournaments/{event.pk}/file.json").answer.content)
    assert [len(each["tables"]) for each in file["stages"][0]["rounds"]] == [2, 2, 2]
    host.press("Undo")
    assert "Close the tournament" in host.words


def test_pairs_are_ticked_or_typed(cast: Cast, as_user: Host) -> None:
    host = Browser(as_user("director"))
    event = new(host, cast, "domino-whist:pairs")
    host.press("Enter", names="Ada + Bruno\nCarmen+Dmitri")
    assert "Ada + Bruno" in host.words
    host.press("Enter", names="Elena")
    assert "An entrant is a pair" in host.words
    assert host.status == 422
    assert "Elena" in host.words, "what was typed stays"
    ids = [str(clubs.player_add(club=cast.club, name=name, now=NOW).pk) for name in ("Farid", "Greta")]
    host.open(f"/tournaments/{event.pk}/desk/").press("Enter", who=ids)
    assert "Farid + Greta" in host.words
    host.press("Enter", names="Ada + Hugo")
    assert "entered already." in host.words


def test_who_leaves_and_comes_back(cast: Cast, as_user: Host) -> None:
    host = Browser(as_user("director"))
    new(host, cast, "domizerka:triples")
    host.press("Enter", names="\n".join(names_of(6)))
    host.press("They leave")
    assert host.status == 422, "nobody is chosen"
    assert "has a bye. They can come back." in host.words
    host.press("They leave", entrant="2")
    assert "5 entrants · 1 has left" in host.words
    host.press("Is back")
    assert "6 entrants" in host.words
    assert "has left" not in host.words


def test_a_schedule_that_a_worker_makes_can_be_stopped(cast: Cast, as_user: Host) -> None:
    host = Browser(as_user("director"))
    event = new(host, cast, "domino-whist:partners")
    host.press("Enter", names="\n".join(names_of(20)))
    host.press("Make the schedule")
    assert "Making the schedule…" in host.words
    assert "Nothing is found yet." in host.words
    host.press("Cancel: change nothing")
    assert Job.objects.get(kind="schedule").state == Job.State.CANCELLED
    host.press("Make the schedule")
    jobs.run(Job.objects.filter(kind="schedule").latest("pk").pk, WORK)
    assert "The schedule has 19 more rounds." in host.follow("Look again").words
    assert len(state_of(event).plan) == 19


def test_a_tournament_is_no_night_and_a_night_no_tournament(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    released(event)
    host = as_user("director")
    assert host.get(f"/nights/{event.pk}/desk/").status_code == 404
    assert host.get("/nights/999/").status_code == 404
    # Pages of matches know only that there is an event.
    watched = Browser().open(f"/matches/{event.matches.get(table__number=1).pk}/")
    assert watched.open(f"/nights/{event.pk}/").path == f"/tournaments/{event.pk}/"
    night = Event.objects.create(club=cast.club, kind="night", started_at=event.started_at)
    assert host.get(f"/tournaments/{night.pk}/").status_code == 404


def test_the_public_page_asks_as_much_of_many_entrants(
    cast: Cast, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 8)
    for match in released(event):
        played(match)
    with django_assert_max_num_queries(10):
        Client().get(f"/tournaments/{event.pk}/")
    match = event.matches.order_by("pk")[0]
    swap = [{"kind": "swap", "seats": [1, 0], "why": "wrong names"}]
    step = at(event, "swap")
    corrections.correct(match_id=match.pk, seen=match.length, key="swap", entries=swap, by=step.by, now=step.now)
    with django_assert_max_num_queries(10):
        page = Client().get(f"/tournaments/{event.pk}/")
    assert "wrong names" in page.content.decode()
    again = Client().get(f"/tournaments/{event.pk}/", headers={"If-None-Match": page["ETag"]})
    assert again.status_code == 304


def test_a_large_tournament_shows_the_newest_rounds_first(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "TABLES_AT_ONCE", 3)
    event = scheduled(cast, setup_of("block", "heads"), 4)
    for _ in range(3):
        for match in released(event):
            played(match)
    visitor = Browser().open(f"/tournaments/{event.pk}/")
    assert "Round 3" in visitor.words
    assert "Round 2" not in visitor.words
    assert "Round 1" in visitor.follow("All rounds").words


def test_what_is_seldom_needed_is_closed_while_a_round_is_played(cast: Cast, as_user: Host) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 4)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/")
    assert '<details class="part' not in host.markup, "before the first round, entering people is the work"
    released(event)
    host.open(host.path)
    parts = re.findall(r'<details class="part[^"]*" id="([a-z-]+)"\s*(open)?', host.markup)
    assert [name for name, is_open in parts if is_open] == []
    assert [name for name, _open in parts] == ["reseat", "part-leaving", "part-enter", "part-more", "end"]
    assert host.markup.index('id="missing"') < host.markup.index('id="reseat"')
    assert f'href="/tournaments/{event.pk}/standings/"' in host.markup
    host.press("Close the tournament", early="yes")
    assert re.search(r'id="end"\s+open', host.markup), "a refused step stays open"
    assert re.search(r'name="early"\s+value="yes"\s+checked', host.markup)
    for match in event.matches.all():
        played(match)
    while state_of(event).plan:
        for match in released(event):
            played(match)
    assert re.search(r'id="end"\s+open', host.open(f"/tournaments/{event.pk}/desk/").markup), (
        "when all rounds are played, it comes next"
    )
