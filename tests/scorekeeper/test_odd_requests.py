"""Requests that no page sends: the answer says so, and is never a mistake of the server."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.live import Topic
from scorekeeper.services import calls, tables
from tests.conftest import Cast

FORM = "application/x-www-form-urlencoded"
UNREADABLE = {
    "a form in UTF-16": (f"{FORM}; charset=utf-16", b"a=1"),
    "a form in no known way of writing": (f"{FORM}; charset=nonsense", b"a=1"),
    "no boundary": ("multipart/form-data", b"a"),
    "an empty boundary": ("multipart/form-data; boundary=", b"a"),
    "an odd boundary": ("multipart/form-data; boundary=\xe9\xff", b"a"),
    "half a form": ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"'),
    "bad base64": (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--x--',
    ),
    "no text": (FORM, b"%ff=%00"),
    "a long type": ("a" * 3000, b"x"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_body_is_refused_everywhere(cast: Cast, name: str) -> None:
    content_type, body = UNREADABLE[name]
    match, browser = cast.open("block"), Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.get("/login/")  # for its cookie
    browser.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/")
    for path in (
        "/nowhere/",
        "/login/",
        "/language/",
        f"/matches/{match.pk}/entries/",
        f"/tables/{cast.table.pk}/call/",
    ):
        answer = browser.generic("POST", path, body, content_type=content_type)
        assert 400 <= answer.status_code < 500, path
    for path in ("/api/v1/nowhere/", f"/api/v1/matches/{match.pk}/entries/"):
        answer = browser.generic("POST", path, body, content_type=content_type)
        assert 400 <= answer.status_code < 500, path
        assert {"code", "message"} <= answer.json().keys()


@pytest.mark.django_db
@pytest.mark.parametrize("number", [2**63, 10**18, 10**40])
def test_a_number_that_no_row_can_have_is_no_address(number: int) -> None:
    visitor = Client(raise_request_exception=False)
    for path in (
        "tables/{}/",
        "tables/{}/watch/",
        "matches/{}/",
        "nights/{}/",
        "tournaments/{}/standings/",
        "jobs/{}/",
    ):
        assert visitor.get("/" + path.format(number)).status_code == 404, path
    assert visitor.get(f"/api/v1/matches/{number}/").status_code == 404


def test_a_topic_has_only_its_own_parts(cast: Cast) -> None:
    cast.open("block")
    table, club = Topic("table", cast.table.pk), Topic("club", cast.club.pk)
    for topic, part in ((table, "night"), (table, "club"), (club, "watch"), (club, "pad"), (table, "nothing")):
        assert Client().get(f"/live/?topic={topic}&part={part}").status_code == 404


def test_only_phones_of_the_table_follow_what_a_phone_without_the_pad_sees(cast: Cast) -> None:
    """It tells why the table has called the host."""
    calls.call(table=cast.table, match=None, name="Ana", why="a quarrel", now=timezone.now())
    path, phone = f"/live/?topic=table:{cast.table.pk}&part=elsewhere", Client()
    assert Client().get(path).status_code == 403
    phone.get(f"/t/{tables.fresh_token(table=cast.other_table, now=timezone.now())}/")
    assert phone.get(path).status_code == 403
    other = Client()
    for each in (phone, other):
        each.get(f"/t/{tables.fresh_token(table=cast.table, now=timezone.now())}/")
    other.post(reverse("table_pad", args=[cast.table.pk]), {"do": "take"})
    assert [each.get(path).status_code for each in (phone, other)] == [200, 403]


def test_the_address_of_a_form_has_a_page_for_whoever_opens_it(cast: Cast) -> None:
    """As after a reload, or a change of the language."""
    answer = cast.phone().client.get(reverse("table_call", args=[cast.table.pk]))
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert "There is no page here." in answer.content.decode()
