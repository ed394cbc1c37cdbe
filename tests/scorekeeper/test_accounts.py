"""Whoever signs in can change their password, get a new one, and see where they are signed in."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from scorekeeper.models import AuditEntry, Club, Membership, OneTimeLink, Role, SignIn, User
from scorekeeper.services import accounts, clubs
from scorekeeper.services.errors import Refused
from tests.conftest import NOW

PASSWORD, NEW = "sets-of-28-tiles", "sets-of-55-tiles"
FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


@pytest.fixture
def host(db: None) -> User:
    user = User.objects.create_user("Élodie Brun", password=PASSWORD)
    club = Club.objects.create(slug="c", name="C", created_at=NOW)
    Membership.objects.create(user=user, club=club, role=Role.OWNER)
    return user


def sign_in(name: str, password: str = PASSWORD, **more: str) -> Client | None:
    """The browser, if this name and password let it in."""
    browser = Client(**more)
    answer = browser.post("/login/", {"username": name, "password": password})
    return browser if answer.status_code == 302 else None


def is_in(browser: Client) -> bool:
    return browser.get("/account/").status_code == 200


def link_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("password-link", name, "--public-url", "https://scores.example.org")
    address = capsys.readouterr().out.strip()
    assert address.startswith("https://scores.example.org/password/")
    return address.removeprefix("https://scores.example.org")


@pytest.mark.parametrize("name", ["Élodie Brun", "élodie brun", "ÉLODIE BRUN", "  élodie   Brun ", "E\u0301lodie Brun"])
def test_capitals_of_a_name_do_not_matter(host: User, name: str) -> None:
    assert sign_in(name)


def test_a_name_is_given_once_whatever_its_capitals(host: User) -> None:
    Membership.objects.all().delete()  # so that the link may found a club
    token = clubs.setup_link(NOW)
    with pytest.raises(Refused) as refused:
        clubs.found_club(token=token, club_name="D", host_name="ÉLODIE brun", password=NEW, now=NOW)
    assert refused.value.code == "name-taken"


def test_wrong_passwords_count_together_whatever_the_capitals_of_the_name(host: User) -> None:
    codes = [
        Client().post("/login/", {"username": name, "password": "x"}).status_code
        for name in ("élodie brun", "Élodie Brun", "ÉLODIE BRUN", "élodie Brun", "Élodie brun")
    ]
    assert codes == [200, 200, 200, 200, 429]
    assert not sign_in("ÉlodiE BruN")
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.LOCKED_OUT, user=host).count() == 1


def test_a_wrong_password_says_what_to_do(host: User) -> None:
    page = Client().post("/login/", {"username": "Élodie Brun", "password": "x"}).content.decode()
    assert "Wrong name or password." in page
    assert "password-link" in page


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(
    host: User, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sign_in("Élodie Brun")
    assert before
    first, address = link_of("élodie brun", capsys), link_of("élodie brun", capsys)
    browser = Client()
    assert browser.get(first).status_code == 404, "a new link replaces the one before"
    assert "Élodie Brun" in browser.get(address).content.decode()
    assert browser.post(address, {"new": "1234"}).status_code == 422
    assert browser.post(address, {"new": NEW}).status_code == 302
    assert is_in(browser)
    assert not is_in(before)
    assert browser.get(address).status_code == browser.post(address, {"new": PASSWORD}).status_code == 404
    assert not sign_in("Élodie Brun")
    assert sign_in("Élodie Brun", NEW)
    kinds = AuditEntry.objects.order_by("pk").values_list("kind", "user__username")
    assert list(kinds)[:4] == [
        ("signed-in", "Élodie Brun"),
        ("password-link", None),
        ("password-link", None),
        ("password-set", "Élodie Brun"),
    ]


def test_a_link_ends_after_a_day(host: User) -> None:
    token = accounts.password_link(user=host, now=timezone.now() - timedelta(hours=23))
    assert Client().get(f"/password/{token}/").status_code == 200
    OneTimeLink.objects.update(expires_at=timezone.now())
    assert Client().get(f"/password/{token}/").status_code == 404


def test_a_link_for_nobody_names_those_who_sign_in(host: User) -> None:
    with pytest.raises(CommandError, match=r"Nobody signs in as 'Bo'\. Names here: Élodie Brun\."):
        call_command("password-link", "Bo")


def test_a_changed_password_ends_all_other_sessions(host: User) -> None:
    here, elsewhere = sign_in("Élodie Brun"), sign_in("Élodie Brun")
    assert here
    assert elsewhere
    wrong = here.post("/account/", {"do": "password", "old": "x", "new": NEW})
    assert wrong.status_code == 422
    assert "This is not your present password." in wrong.content.decode()
    assert here.post("/account/", {"do": "password", "old": PASSWORD, "new": "domino"}).status_code == 422
    assert is_in(elsewhere)
    assert here.post("/account/", {"do": "password", "old": PASSWORD, "new": NEW}).status_code == 302
    assert is_in(here)
    assert not is_in(elsewhere)
    assert sign_in("Élodie Brun", NEW)


def test_sessions_are_listed_and_ended(host: User) -> None:
    here, phone = sign_in("Élodie Brun"), sign_in("Élodie Brun", headers={"user-agent": FIREFOX})
    User.objects.create_user("Eve", password=PASSWORD)
    eve = sign_in("Eve")
    assert here
    assert phone
    assert eve
    page = here.get("/account/").content.decode()
    assert "Firefox, Android" in page
    assert "this browser" in page
    ends = re.findall(r'value="(end:\d+)"', page)
    assert len(ends) == 1, "not for this browser, and nobody else's"
    assert eve.post("/account/", {"do": ends[0]}).status_code == 302
    assert is_in(phone), "only their own"
    assert here.post("/account/", {"do": ends[0]}).status_code == 302
    assert not is_in(phone)
    assert "Firefox" not in here.get("/account/").content.decode()
    assert here.post("/account/", {"do": "made-up"}).status_code == 404


def test_who_signed_out_is_not_listed(host: User) -> None:
    here, elsewhere = sign_in("Élodie Brun"), sign_in("Élodie Brun")
    assert here
    assert elsewhere
    elsewhere.post("/logout/")
    assert "Sign out there" not in here.get("/account/").content.decode()
    assert SignIn.objects.count() == 2, "pruning deletes the row"
