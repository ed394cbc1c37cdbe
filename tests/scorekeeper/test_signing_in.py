"""Hosts sign in. Whoever guesses passwords is slowed down, and does not lock the hosts out."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.utils import timezone

from scorekeeper.models import Event, User
from scorekeeper.services import short_codes, tables
from tests.browsing import Browser
from tests.conftest import NOW, Cast

PASSWORD, WRONG = "sets-of-28-tiles", "not this one"
HALL = "192.0.2.1"


@pytest.fixture
def host(db: None) -> User:
    return User.objects.create_user("Hana", password=PASSWORD)


def sign_in(password: str, *, browser: Client | None = None, address: str = HALL) -> int:
    data = {"username": "Hana", "password": password}
    return (browser or Client()).post("/login/", data, REMOTE_ADDR=address).status_code


def guess_until_locked(address: str = HALL) -> None:
    codes = [sign_in(WRONG, address=address) for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert codes[0] == 200
    assert codes[-1] == 429


def test_a_stranger_in_the_hall_does_not_lock_the_host_out(host: User) -> None:
    browser = Client()
    assert sign_in(PASSWORD, browser=browser) == 302
    browser.post("/logout/")
    guess_until_locked()
    assert sign_in(PASSWORD) == 429  # from this network, but not from a known browser
    assert sign_in(WRONG, browser=browser) == 200
    assert sign_in(PASSWORD, browser=browser) == 302


def test_while_a_name_is_locked_it_stays_in_its_field(host: User) -> None:
    guess_until_locked()
    page = Client().post("/login/", {"username": "Hana", "password": WRONG}, REMOTE_ADDR=HALL)
    assert page.status_code == 429
    assert 'value="Hana"' in page.content.decode()


def test_whatever_the_name_a_browser_is_known(host: User) -> None:
    """A cookie has ASCII letters only, else no server can send it."""
    User.objects.create_user("Žofia O’Neill", password=PASSWORD)
    browser, data = Client(), {"username": "žofia o’neill", "password": PASSWORD}
    assert browser.post("/login/", data).cookies["known"].output().isascii()
    for _wrong in range(5):
        Client().post("/login/", data | {"password": WRONG})
    assert [visitor.post("/login/", data).status_code for visitor in (Client(), browser)] == [429, 302]


def test_a_browser_is_known_only_for_its_own_name(host: User) -> None:
    User.objects.create_user("Eve", password=PASSWORD)
    browser = Client()
    assert browser.post("/login/", {"username": "Eve", "password": PASSWORD}, REMOTE_ADDR=HALL).status_code == 302
    guess_until_locked()
    assert sign_in(PASSWORD, browser=browser) == 429


def test_a_lock_ends_in_time_whatever_is_tried_meanwhile(host: User) -> None:
    guess_until_locked()
    earlier = timezone.now() - settings.AXES_COOLOFF_TIME + timedelta(minutes=5)
    AccessAttempt.objects.update(attempt_time=earlier)
    assert sign_in(PASSWORD) == sign_in(WRONG) == 429
    assert AccessAttempt.objects.get().attempt_time == earlier
    AccessAttempt.objects.update(attempt_time=timezone.now() - settings.AXES_COOLOFF_TIME)
    assert sign_in(PASSWORD) == 302


def test_a_lock_says_how_long_it_lasts_and_what_to_do(host: User) -> None:
    guess_until_locked()
    answer = Client().post("/login/", {"username": "Hana", "password": PASSWORD}, REMOTE_ADDR=HALL)
    assert answer["Retry-After"] == "900"
    assert "Try again in 15 minutes," in answer.content.decode()


@pytest.mark.parametrize(
    ("ago", "retry_after", "said"),
    [(timedelta(minutes=8, seconds=30), "420", "in 7 minutes,"), (timedelta(minutes=14), "60", "in 1 minute,")],
)
def test_a_lock_says_the_time_that_is_left(host: User, ago: timedelta, retry_after: str, said: str) -> None:
    """Of passwords tried with several browsers, the fifth last decides."""
    guess_until_locked()
    AccessAttempt.objects.update(attempt_time=timezone.now() - ago, user_agent="an older one")
    guesses = AccessAttempt.objects.get()
    guesses.pk, guesses.failures_since_start, guesses.user_agent = None, 4, "a newer one"
    guesses.attempt_time = timezone.now()
    guesses.save()
    answer = Client().post("/login/", {"username": "Hana", "password": PASSWORD}, REMOTE_ADDR=HALL)
    assert (answer.status_code, answer["Retry-After"]) == (429, retry_after)
    assert f"Try again {said}" in answer.content.decode()


def test_guesses_in_the_hall_do_not_lock_the_laptop(host: User) -> None:
    """Which need not know the host's browser yet."""
    guess_until_locked()
    assert sign_in(PASSWORD, address="127.0.0.1") == 302


def test_guesses_for_one_name_lock_no_other(host: User) -> None:
    User.objects.create_user("Eve", password=PASSWORD)
    guess_until_locked()
    assert Client().post("/login/", {"username": "Eve", "password": PASSWORD}, REMOTE_ADDR=HALL).status_code == 302


def test_other_addresses_of_the_same_network_are_locked_too(host: User) -> None:
    """Whoever has one address of IPv6 has as many as they like."""
    guess_until_locked("2001:db8:0:1::1")
    assert sign_in(PASSWORD, address="2001:db8:0:1:ffff::2") == 429
    assert sign_in(PASSWORD, address="2001:db8:0:2::1") == 302


def test_another_address_is_not_locked(host: User) -> None:
    guess_until_locked()
    assert sign_in(PASSWORD, address="192.0.2.2") == 302


# --- short codes of tables -----------------------------------------------------------------------------------
def type_code(code: str, *, address: str = HALL) -> int:
    return Client().post("/t/", {"code": code}, REMOTE_ADDR=address).status_code


@pytest.fixture
def short(cast: Cast) -> str:
    """The short code of a table in a club that plays."""
    Event.objects.create(club=cast.club, kind="night", started_at=NOW)
    return tables.code(table=cast.table, now=NOW).short


@pytest.fixture
def wrong(short: str) -> str:
    return next(f"{word}-7" for word in short_codes.WORDS if f"{word}-7" != short)


def test_a_short_code_leads_to_the_table_as_its_qr_code_does(cast: Cast, short: str) -> None:
    phone = Browser().open("/t/").press("Go to the table", code=short.upper().replace("-", " "))
    assert phone.path == f"/tables/{cast.table.pk}/"
    assert cast.table.pads.get().held
    assert "Start a match" in phone.words


def test_wrong_short_codes_lock_the_network_but_no_sign_in(short: str, wrong: str, host: User) -> None:
    assert [type_code("no code") for _ in range(9)] == [422] * 9, "what is no code guesses nothing"
    assert [type_code(wrong) for _ in range(5)] == [422] * 4 + [429]
    page = Browser().open("/t/")
    assert type_code(short) == 429
    assert type_code(short, address="198.51.100.1") == 303
    assert sign_in(PASSWORD) == 302
    AccessAttempt.objects.update(attempt_time=timezone.now() - settings.AXES_COOLOFF_TIME)
    assert type_code(short) == 303
    assert page.status == 200


def test_short_codes_work_only_while_the_club_plays(cast: Cast, short: str) -> None:
    Event.objects.update(closed_at=NOW)
    assert type_code(short) == 422
    cast.open("domino-whist")
    assert type_code(short) == 303
    tables.table_set_open(table=cast.table, is_open=False, now=NOW)
    assert type_code(short) == 422
