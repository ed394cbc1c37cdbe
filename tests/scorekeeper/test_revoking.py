"""A host revokes the codes and phones of a table. With one code, only a few matches can be opened."""

import asyncio
import html
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Self

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.access import digest
from scorekeeper.live import Topic
from scorekeeper.live.hub import Hub
from scorekeeper.models import DeviceToken, Match, Pad, Table
from scorekeeper.services import events, matches, tables
from tests.browsing import Browser
from tests.conftest import Cast, Phone, names_for, plan_for
from tests.nights import at, night_of

if TYPE_CHECKING:  # the name that the stubs give to an answer of the test client
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

GAME = "block"
Host = Callable[[str], Client]


def opens(cast: Cast) -> dict[str, object]:
    return {"game": GAME, "players": names_for(GAME)}


def address(table: Table) -> str:
    return reverse("api-match-open", args=[table.pk])


# --- closing a table -----------------------------------------------------------------------------------------
def test_the_code_of_a_table_works_again_when_it_opens_again(cast: Cast, as_user: Host) -> None:
    program, director = cast.phone(), as_user("director")
    join = reverse("table_join", args=[program.token])
    phone = Browser().open(join)
    closed = director.post(reverse("table_open", args=[cast.table.pk]), {"open": "0"}, follow=True)
    assert "Its QR code works again when you open it." in closed.content.decode()
    assert "This table is closed" in program.post(address(cast.table), opens(cast)).json()["message"]
    for page in (phone.open(phone.path), Browser().open(join)):
        assert "This table is closed. Ask a host to open it again." in page.words
    director.post(reverse("table_open", args=[cast.table.pk]), {"open": "1"}, follow=True)
    assert program.post(address(cast.table), opens(cast)).status_code == 201
    for page in (phone.follow("Try again"), Browser().open(join)):
        assert 'data-part="pad"' in page.markup


def test_a_table_with_a_match_in_play_is_closed_after_a_question(cast: Cast, as_user: Host) -> None:
    cast.open(GAME)
    host = Browser(as_user("director")).open(reverse("club_tables", args=[cast.club.slug])).press("Close")
    cast.table.refresh_from_db()
    assert cast.table.open
    assert "A match of Block is in play: Ana and Bo." in host.words
    host.press("Close table 1")
    cast.table.refresh_from_db()
    assert not cast.table.open
    assert "Table 1 closed." in host.words


# --- asking first --------------------------------------------------------------------------------------------
def test_all_codes_are_renewed_after_a_question(cast: Cast, as_user: Host) -> None:
    first, second = (tables.fresh_token(table=cast.table, now=timezone.now()) for _ in range(2))
    closed = tables.fresh_token(table=cast.other_table, now=timezone.now())
    tables.table_set_open(table=cast.other_table, is_open=False, now=timezone.now())
    phones = [Browser().open(reverse("table_join", args=[token])) for token in (first, second)]
    Pad.objects.update(held=True)
    cast.open(GAME)
    host = Browser(as_user("director")).open(reverse("club_tables", args=[cast.club.slug])).press("Renew all codes")
    assert "2 phones at 1 table stop recording until they scan the new cards." in host.words
    assert "All printed cards must be replaced." in host.words
    assert "A match is in play at table 1." in host.words
    assert not DeviceToken.objects.exclude(revoked_at=None).exists()
    host.press("Renew all codes")
    assert "These codes are new." in host.words
    assert {*DeviceToken.objects.exclude(revoked_at=None).values_list("sha256", flat=True)} == {
        *map(digest, (first, second, closed))
    }, "that of a closed table would work again when it opens"
    for phone in phones:
        assert "The code of this table was renewed. Scan the new card on the table" in phone.open(phone.path).words
    assert "was renewed" not in Browser().open(phones[0].path).words


def test_a_question_leads_back_without_any_change(cast: Cast, as_user: Host) -> None:
    tables.fresh_token(table=cast.table, now=timezone.now())
    at_devices = reverse("table_devices", args=[cast.table.pk])
    for button in ("Renew the code", "Revoke all codes of this table", "Revoke"):
        host = Browser(as_user("director")).open(at_devices).press(button)
        assert "Nothing is saved yet." in host.words
        assert host.follow("Leave it as it is").path == at_devices
    assert DeviceToken.objects.get().revoked_at is None


def test_a_phone_that_is_put_out_reads_why(cast: Cast, as_user: Host) -> None:
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    phone = Browser().open(reverse("table_join", args=[token]))
    host = Browser(as_user("director")).open(reverse("table_devices", args=[cast.table.pk]))
    host.press("Revoke: Phone")
    host.press("Revoke this phone")
    assert "Phone revoked." in host.words
    assert "A host has withdrawn this phone's pass." in html.unescape(phone.open(phone.path).words)
    cast.club.public = False
    cast.club.save()
    assert "A host has withdrawn this phone's pass." in html.unescape(phone.open(phone.path).words)


def test_a_code_stays_revoked_when_the_clock_is_set_back(cast: Cast) -> None:
    program = cast.phone()
    wrong = timezone.now() + timedelta(days=30)
    assert tables.revoke_tokens(table=cast.table, now=wrong) == 1
    answer = program.post(address(cast.table), opens(cast))
    assert (answer.status_code, answer.json()["code"]) == (403, "token-revoked")


def test_opening_an_open_table_leaves_its_codes(cast: Cast, as_user: Host) -> None:
    program = cast.phone()
    as_user("director").post(reverse("table_open", args=[cast.table.pk]), {"open": "1"})
    assert program.post(address(cast.table), opens(cast)).status_code == 201


def test_codes_outlast_the_night(cast: Cast) -> None:
    night = night_of(cast, 4)
    program = cast.phone()
    events.close(event_id=night.pk, open_matches="abandon", step=at(night, "close"))
    assert program.post(address(cast.table), opens(cast)).status_code == 201


# --- codes and phones ----------------------------------------------------------------------------------------
@dataclass
class Scanned:
    """A phone that scanned this code, with its entry."""

    client: Client
    match: Match

    @classmethod
    def at(cls, match: Match, token: str, client: Client | None = None) -> Self:
        client = client or Client()
        client.get(reverse("table_join", args=[token]))
        return cls(client, match)

    def answer(self) -> "Answer":
        sent = {"seen": 0, "key": "k", "entry": json.dumps(plan_for(GAME)[0])}
        return self.client.post(f"/matches/{self.match.pk}/entries/", sent, headers={"X-Part": "sheet"})

    @property
    def follows(self) -> int:
        return self.client.get(f"/live/?topic=table:{self.match.table_id}&part=pad").status_code


def revoke(host: Client, table: Table, do: str, number: int | None = None) -> str:
    sent = {"do": do, "number": str(number), "sure": "yes"}
    answer = host.post(reverse("table_devices", args=[table.pk]), sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_host_sees_each_code_and_each_phone(cast: Cast, as_user: Host) -> None:
    director, match = as_user("director"), cast.open(GAME)
    director.post(reverse("table_qr", args=[cast.table.pk]))
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    phone = Scanned.at(match, token)
    page = director.get(reverse("table_devices", args=[cast.table.pk])).content.decode()
    words = " ".join(page.split())
    assert (
        reverse("table_devices", args=[cast.table.pk])
        in director.get(f"/clubs/{cast.club.slug}/tables/").content.decode()
    )
    assert "· director" in words
    assert "made on the server" in words
    assert "no entry yet" in words
    assert "has the pad" in words
    assert "last entry" not in words
    phone.answer()
    Pad.objects.update(name="Ana")
    words = " ".join(director.get(reverse("table_devices", args=[cast.table.pk])).content.decode().split())
    assert "last entry" in words
    assert "<bdi>Ana</bdi>" in words


def test_a_revoked_code_is_out_at_once_and_others_stay(cast: Cast, as_user: Host) -> None:
    match, now = cast.open(GAME), timezone.now()
    mine, theirs = (tables.fresh_token(table=cast.table, now=now) for _ in range(2))
    phone, other = Scanned.at(match, mine), Phone(theirs)
    assert "QR code revoked" in revoke(
        as_user("director"), cast.table, "code", DeviceToken.objects.get(sha256=digest(mine)).pk
    )
    assert phone.follows == 403
    answer = phone.answer()
    assert (answer.status_code, "The code of this table was renewed" in answer.content.decode()) == (403, True)
    assert match.log.count() == 0
    sent = {"seen": 0, "key": "k", **plan_for(GAME)[0]}
    assert other.post(f"/api/v1/matches/{match.pk}/entries/", sent).status_code == 201


def test_a_revoked_phone_needs_a_code_made_later(cast: Cast, as_user: Host) -> None:
    match, director = cast.open(GAME), as_user("director")
    token = tables.fresh_token(table=cast.table, now=timezone.now())
    phone = Scanned.at(match, token)
    assert "Phone revoked" in revoke(director, cast.table, "phone", Pad.objects.get().pk)
    assert phone.follows == 403
    assert phone.answer().status_code == 403
    assert phone.client.get(reverse("table_join", args=[token])).status_code == 403
    assert phone.client.post(reverse("table_pad", args=[cast.table.pk]), {"do": "take"}).status_code == 403
    assert Scanned.at(match, token).follows == 200  # another phone, the same code
    Scanned.at(match, tables.fresh_token(table=cast.table, now=timezone.now()), phone.client)
    assert phone.follows == 200
    assert phone.answer().status_code == 200
    assert "has the pad" in director.get(reverse("table_devices", args=[cast.table.pk])).content.decode()


def test_all_codes_of_a_table_are_revoked_at_once(cast: Cast, as_user: Host) -> None:
    match, now = cast.open(GAME), timezone.now()
    phones = [Scanned.at(match, tables.fresh_token(table=cast.table, now=now)) for _ in range(2)]
    elsewhere = cast.phone(table=cast.other_table)
    page = revoke(as_user("director"), cast.table, "all")
    assert "All QR codes of table 1 revoked" in page
    assert "This table has no valid code" in page
    assert ("needs a new code" in page, "has the pad" in page) == (True, False)
    assert [phone.answer().status_code for phone in phones] == [403, 403]
    assert elsewhere.post(address(cast.other_table), opens(cast)).status_code == 201


def test_nobody_revokes_what_is_not_at_their_table(cast: Cast, as_user: Host) -> None:
    token = tables.fresh_token(table=cast.other_table, now=timezone.now())
    device = DeviceToken.objects.get(sha256=digest(token))
    sent = {"do": "code", "number": str(device.pk)}
    assert as_user("director").post(reverse("table_devices", args=[cast.table.pk]), sent).status_code == 404
    assert as_user("stranger").post(reverse("table_devices", args=[cast.other_table.pk]), sent).status_code == 403
    device.refresh_from_db()
    assert device.revoked_at is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["code", "phone", "all", "close"])
def test_the_stream_of_a_revoked_phone_ends_at_once(cast: Cast, how: str) -> None:
    hub, may, topic, now = Hub(), [True], Topic("table", cast.table.pk), timezone.now()
    Scanned.at(cast.open(GAME), tables.fresh_token(table=cast.table, now=now))
    steps = {
        "code": lambda: tables.revoke_token(device=DeviceToken.objects.get(), now=now),
        "phone": lambda: tables.revoke_phone(pad=Pad.objects.get(), now=now),
        "all": lambda: tables.revoke_tokens(table=cast.table, now=now),
        "close": lambda: tables.table_set_open(table=cast.table, is_open=False, now=now),
    }

    async def story() -> None:
        async with aclosing(hub.subscribe(topic, "pad", may=lambda: may[0])) as stream:
            await anext(stream)
            assert b"event: pad" in await anext(stream)
            may[0] = False
            await sync_to_async(steps[how])()
            assert b"event: reset" in await anext(stream)
            with pytest.raises(StopAsyncIteration):
                await anext(stream)

    asyncio.run(story())


# --- how many matches ----------------------------------------------------------------------------------------
def test_a_table_has_at_most_so_many_matches_in_play(cast: Cast, as_user: Host) -> None:
    program = cast.phone()
    answers = [program.post(address(cast.table), opens(cast)) for _ in range(matches.IN_PLAY + 1)]
    assert [answer.status_code for answer in answers] == [201] * matches.IN_PLAY + [422]
    assert answers[-1].json()["code"] == "too-many-matches"
    assert "8 matches are in play at this table" in answers[-1].json()["message"]
    assert cast.phone().post(address(cast.table), opens(cast)).status_code == 422
    assert cast.phone(table=cast.other_table).post(address(cast.other_table), opens(cast)).status_code == 201
    by_host = as_user("scorer").post(address(cast.table), opens(cast), content_type="application/json")
    assert by_host.status_code == 201


@pytest.mark.parametrize("wait", ["", "waits"])
def test_a_table_starts_at_most_so_many_within_an_hour(cast: Cast, wait: str) -> None:
    first = timezone.now() - timedelta(minutes=40)
    for number in range(matches.WITHIN_AN_HOUR):
        cast.open(GAME)
        Match.objects.filter(status="playing").update(
            status="stopped", finished_at=first, created_at=first + timedelta(seconds=number)
        )
    if wait:
        Match.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    answer = cast.phone().post(address(cast.table), opens(cast))
    if wait:
        assert answer.status_code == 201
    else:
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many-matches")
        assert int(answer["Retry-After"]) > 0
        assert "Start the next one in 20 minutes" in answer.json()["message"]
