"""Everything that is stored about one person, for themselves or their host, and for nobody else."""

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.http import FileResponse
from django.test import Client

from scorekeeper.access import Actor
from scorekeeper.models import Job, Player
from scorekeeper.services import clubs, initials, jobs, matches
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter

PAIR = ("Ana Blum", "Bo Li")


@pytest.fixture(autouse=True)
def own_files(settings: Any, tmp_path: Path) -> None:
    """The files that a test makes are gone when it ends."""
    settings.DATA = tmp_path


@pytest.fixture
def ana(cast: Cast) -> Player:
    """A player who has claimed herself. She played against somebody who is shown by initials."""
    one, other = (clubs.player_add(club=cast.club, name=name, now=NOW, by=cast.users["owner"]) for name in PAIR)
    match = matches.open_match(table=cast.table, game="block", options={}, players=PAIR, by=Actor(), now=NOW)
    enter(match, [{"kind": "result", "totals": [90, 10], "stopped": "early"}])
    clubs.player_rename(club=cast.club, player_id=one.pk, name="Ana Klein", now=NOW, by=cast.users["owner"])
    one.refresh_from_db()
    one.user, one.initials, other.initials = cast.users["player"], True, True
    one.save()
    other.save()
    initials.follow([cast.club.pk], now=NOW)
    return one


def asked(visitor: Client, player: Player) -> tuple[int, str]:
    """The status of the answer, and the address of the job."""
    answer = visitor.post(f"/players/{player.pk}/privacy/", {"do": "export"})
    for job in Job.objects.filter(state=Job.State.NEW):
        jobs.run(job.pk, WORK)
    return answer.status_code, answer.headers.get("Location", "")


def downloaded(visitor: Client, address: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    answer = visitor.get(f"{address}file/")
    assert isinstance(answer, FileResponse)
    with ZipFile(io.BytesIO(b"".join(answer))) as file:
        records = file.read("records.ndjson").decode().splitlines()
        return json.loads(file.read("person.json")), [json.loads(each) for each in records]


def test_it_has_everything_and_names_others_as_the_public_sees_them(cast: Cast, ana: Player) -> None:
    status, address = asked(cast.browser("player"), ana)
    assert status == 302
    about, records = downloaded(cast.browser("player"), address)
    assert [each["name"] for each in about["people"]] == ["Ana Klein"]
    assert [each["name"] for each in about["former_names"]] == ["Ana Blum"]
    assert about["account"]["name"] == "player"
    assert [each["points"] for each in about["results"]] == [90]
    assert [each["kind"] for each in about["who_did_what"]] == ["player-added", "player-renamed"]
    [rating], [match] = about["ratings"], about["matches"]
    assert rating["in_the_club"]["block"].keys() >= {"shown", "mu", "sigma", "elo", "matches"}
    assert rating["in_the_club"]["block"]["matches"] == 1
    sides = [{"players": ["Ana Blum"], "points": 90}, {"players": ["B. L."], "points": 10}]
    assert (match["match"], match["sides"]) == (rating["match"], sides)
    assert len(about["seats"]) == 1
    assert records[0]["players"] == ["Ana Blum", "B. L."]
    assert "Bo Li" not in json.dumps([about, records])


def test_only_who_asked_has_it(cast: Cast, ana: Player) -> None:
    _status, address = asked(cast.browser("player"), ana)
    for who in ("owner", "director", "stranger"):
        assert cast.browser(who).get(address).status_code == 404
        assert cast.browser(who).get(f"{address}file/").status_code == 404
    assert Client().get(f"{address}file/").status_code == 404
    assert asked(cast.browser("member"), ana)[0] == 403
    assert asked(cast.browser("director"), ana)[0] == 302


def test_who_claimed_a_player_sets_the_initials(cast: Cast, ana: Player) -> None:
    own = Browser(cast.browser("player"))
    own.open(f"/players/{ana.pk}/privacy/").press("Show the whole name")
    ana.refresh_from_db()
    assert not ana.initials
    own.press("Show initials only")
    ana.refresh_from_db()
    assert ana.initials
