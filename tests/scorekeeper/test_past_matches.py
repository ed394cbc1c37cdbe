"""A table's phone writes into a match only until an hour after its end; later, only hosts and scorers do."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Event, Match
from scorekeeper.services import events, tables
from tests.conftest import Cast, enter, snapshot
from tests.nights import at, night_of, played

WEEK, MINUTES = timedelta(weeks=1), timedelta(minutes=50)
Host = Callable[[str], Client]
UNDO = {"kind": "undo"}
SWAP = {"kind": "swap", "seats": [1, 0, 3, 2]}
NOTE = {"kind": "note", "hand": 0, "move": 0, "code": "end"}
CONFIRM = {"kind": "confirm", "seats": [0, 1, 2, 3]}
DISPUTE = {"kind": "dispute", "seat": 1}
ENTRIES = [UNDO, SWAP, NOTE, CONFIRM, DISPUTE]
SENTENCE = "This match is over. Ask a host to change it."


@pytest.fixture
def old(cast: Cast) -> Match:
    """A match of a night that was closed a week ago."""
    night = night_of(cast, 4, rounds=1, hands=2)
    match = played(night.matches.get())
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    match.refresh_from_db()
    return ended(match, WEEK)


def ended(match: Match, ago: timedelta) -> Match:
    match.finished_at = timezone.now() - ago
    match.save(update_fields=["finished_at"])
    return match


def scanned(match: Match) -> Client:
    """A phone that has just scanned the code of the match's table."""
    phone = Client()
    assert match.table
    phone.get(f"/t/{tables.fresh_token(table=match.table, now=timezone.now())}/")
    return phone


def posts(match: Match) -> dict[str, tuple[str, dict[str, Any]]]:
    """Every way a page or a program writes into a match."""
    pages, api = f"/matches/{match.pk}", f"/api/v1/matches/{match.pk}/entries/"
    sent = {"seen": match.length, "key": "k"}
    return {
        **{f"page {e['kind']}": (f"{pages}/entries/", {**sent, "entry": json.dumps(e)}) for e in ENTRIES[:3]},
        "page preview": (f"{pages}/entries/", {**sent, "entry": json.dumps(UNDO), "preview": "1"}),
        **{f"page {e['kind']}": (f"{pages}/confirm/", {**sent, "entry": json.dumps(e)}) for e in ENTRIES[3:]},
        "hand": (f"{pages}/hands/0/", {**sent, "do": "save"}),
        "seats": (f"{pages}/seats/", {**sent, "do": "save", "seat-0": "1", "seat-1": "0"}),
        **{f"api {e['kind']}": (api, {**sent, **e}) for e in ENTRIES},
        "api preview": (f"{api}?preview=1", {**sent, **UNDO}),
    }


@pytest.mark.parametrize("part", ["sheet", ""])
def test_todays_code_does_not_change_an_old_night(cast: Cast, old: Match, part: str) -> None:
    phone, before = scanned(old), snapshot(old)
    for name, (address, data) in posts(old).items():
        more = {"content_type": "application/json"} if name.startswith("api") else {}
        answer = phone.post(address, data, headers={"X-Part": part} if part else {}, **more)
        # Without scripts, confirming leads back to the page, which shows the message.
        assert answer.status_code == (303 if address.endswith("/confirm/") and not part else 403), name
        if answer.status_code == 403:
            assert SENTENCE in answer.content.decode(), name
    for address in (f"/matches/{old.pk}/hands/0/", f"/matches/{old.pk}/seats/"):
        assert phone.get(address).status_code == 403
    assert snapshot(old) == before


def test_a_program_learns_why(cast: Cast, old: Match) -> None:
    assert old.table
    answer = cast.phone(table=old.table).post(
        f"/api/v1/matches/{old.pk}/entries/", {"seen": old.length, "key": "k", **UNDO}
    )
    assert (answer.status_code, answer.json()) == (403, {"code": "match-past", "message": SENTENCE})


@pytest.mark.parametrize("entry", [UNDO, SWAP, CONFIRM, DISPUTE], ids=lambda entry: entry["kind"])
@pytest.mark.parametrize("who", ["phone", "scorer", "director"])
def test_within_the_hour_the_table_changes_it_and_hosts_always(
    cast: Cast, old: Match, as_user: Host, who: str, entry: dict[str, Any]
) -> None:
    if who == "phone":
        ended(old, MINUTES)
        Event.objects.update(closed_at=None)
    by = scanned(old) if who == "phone" else as_user(who)
    sent = {"seen": old.length, "key": "k", **entry}
    answer = by.post(f"/api/v1/matches/{old.pk}/entries/", sent, content_type="application/json")
    assert answer.status_code == 201, answer.content


def test_a_closed_night_stays_over(cast: Cast, old: Match, as_user: Host) -> None:
    """A phone that puts a match back into play would leave it open; one that corrects it, change what was announced."""
    ended(old, MINUTES)
    phone, before = scanned(old), snapshot(old)
    path, sent = f"/api/v1/matches/{old.pk}/entries/", {"seen": old.length, "key": "k", **UNDO}
    for entry in (UNDO, SWAP):
        for address in (path, f"{path}?preview=1"):
            answer = phone.post(address, {**sent, **entry}, content_type="application/json")
            assert (answer.status_code, answer.json()["code"]) == (403, "event-closed")
    assert snapshot(old) == before
    answer = phone.post(path, {**sent, "key": "within the hour", **DISPUTE}, content_type="application/json")
    assert answer.status_code == 201, answer.content
    sent = {**sent, "seen": old.length + 1, "key": "by a host"}
    for _ in range(2):
        assert as_user("scorer").post(path, sent, content_type="application/json").status_code == 201
        sent = {**sent, "seen": sent["seen"] + 1, "key": sent["key"] + "."}
    old.refresh_from_db()
    assert old.status == Match.Status.PLAYING


def test_a_host_who_also_scanned_the_code_changes_it(cast: Cast, old: Match, as_user: Host) -> None:
    assert old.table
    host = as_user("scorer")
    host.get(f"/t/{tables.fresh_token(table=old.table, now=timezone.now())}/")
    sent = {"seen": old.length, "key": "k", "entry": json.dumps(UNDO)}
    assert host.post(f"/matches/{old.pk}/entries/", sent, headers={"X-Part": "sheet"}).status_code == 200


def test_an_entry_that_is_saved_already_gets_its_answer_again(cast: Cast, old: Match) -> None:
    """A phone without network may ask again much later."""
    ended(old, MINUTES)
    phone, address = scanned(old), f"/api/v1/matches/{old.pk}/entries/"
    sent = {"seen": old.length, "key": "late", **CONFIRM}
    first = phone.post(address, sent, content_type="application/json")
    ended(old, WEEK)
    again = phone.post(address, sent, content_type="application/json")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


def test_the_pages_of_such_a_phone_offer_nothing_it_may_not_do(cast: Cast, old: Match, as_user: Host) -> None:
    phone = scanned(old)
    pad, page = (phone.get(f"/{at}/").content.decode() for at in (f"tables/{old.table_id}", f"matches/{old.pk}"))
    for text in (pad, page):
        assert f"/matches/{old.pk}/entries/" not in text
        assert f"/matches/{old.pk}/confirm/" not in text
    assert f"/tables/{old.table_id}/matches/" in pad
    assert f"/matches/{old.pk}/seats/" not in page
    assert f"/matches/{old.pk}/seats/" in as_user("scorer").get(f"/matches/{old.pk}/").content.decode()
    ended(old, MINUTES)
    assert f"/matches/{old.pk}/confirm/" in phone.get(f"/tables/{old.table_id}/").content.decode()


def test_what_a_host_puts_back_into_play_the_table_finishes(old: Match) -> None:
    enter(old, [UNDO])
    assert old.status == "playing"
    sent = {"seen": old.length, "key": "k", "entry": json.dumps(UNDO)}
    answer = scanned(old).post(f"/matches/{old.pk}/entries/", sent, headers={"X-Part": "sheet"})
    assert answer.status_code == 200
