"""Whoever signs in can change their password, get a new one, and see where they are signed in."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as sent
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from scorekeeper.models import AuditEntry, Club, Job, Membership, OneTimeLink, ProgramToken, Role, SignIn, User
from scorekeeper.services import accounts, clubs, jobs, mail, programs
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK
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


def signed_in_only(browser: Client) -> bool:
    """Whether the account page lists this browser and no other."""
    page = browser.get("/account/").content.decode()
    return ("this browser" in page, "Sign out there" in page) == (True, False)


def link_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    call_command("password-link", *name.split(), "--public-url", "https://scores.example.org")
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
    assert 'href="/forgotten/"' in page


def test_without_a_mail_server_an_owner_or_the_computer_helps(host: User) -> None:
    for page in (Client().get("/forgotten/"), Client().post("/forgotten/", {"address": "elodie@example.org"})):
        assert "password-link" in page.content.decode()
        assert 'name="address"' not in page.content.decode()
    assert not Job.objects.exists()


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
    assert signed_in_only(browser)
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


def test_a_link_signs_in_also_where_its_user_was_signed_in(host: User, capsys: pytest.CaptureFixture[str]) -> None:
    browser = sign_in("Élodie Brun")
    assert browser
    assert browser.post(link_of("Élodie Brun", capsys), {"new": NEW}).status_code == 302
    assert signed_in_only(browser)


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
    assert not elsewhere.session.exists(elsewhere.session.session_key)
    assert signed_in_only(here)
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


# --- mails ---------------------------------------------------------------------------------------------------------
ADDRESS = "elodie@example.org"


@pytest.fixture
def mails(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org?from=scores@example.org"


def mailed() -> list[EmailMessage]:
    """What the jobs that wait send."""
    before = len(sent.outbox)
    for pk in Job.objects.filter(kind=mail.KIND, state=Job.State.NEW).values_list("pk", flat=True):
        jobs.run(pk, WORK)
    return sent.outbox[before:]


def link_in(message: EmailMessage) -> str:
    found = re.search(r"^http://testserver(/\S+)$", str(message.body), re.MULTILINE)
    assert found
    return found[1]


def ask(address: str, browser: Client | None = None) -> str:
    answer = (browser or Client()).post("/forgotten/", {"address": address})
    assert answer.status_code == 200
    return re.sub(r"csrf\S+ \S+|data-csrf=\S+", "", answer.content.decode())


def an_hour_later() -> None:
    Job.objects.update(made_at=timezone.now() - timedelta(hours=1))


def test_an_address_counts_when_the_link_in_a_mail_was_opened(host: User, mails: None) -> None:
    here = sign_in("Élodie Brun")
    assert here
    wrong = here.post("/account/", {"do": "address", "address": ADDRESS, "old": "x"})
    assert wrong.status_code == 422
    assert "This is not your present password." in wrong.content.decode()
    assert here.post("/account/", {"do": "address", "address": "nonsense", "old": PASSWORD}).status_code == 422
    said = here.post("/account/", {"do": "address", "address": ADDRESS, "old": PASSWORD}, follow=True)
    assert f"A mail is on its way to {ADDRESS}." in said.content.decode()
    (message,) = mailed()
    assert (message.to, message.subject) == ([ADDRESS], "Confirm your address")
    link = link_in(message)
    assert ADDRESS in Client().get(link).content.decode()
    host.refresh_from_db()
    assert host.email == "", "programs open links, too"
    assert Client().post(link).status_code == 302
    assert Client().post(link).status_code == 404
    host.refresh_from_db()
    assert host.email == ADDRESS
    assert here.post("/account/", {"do": "address", "address": "", "old": PASSWORD}).status_code == 302
    host.refresh_from_db()
    assert host.email == ""
    assert [*AuditEntry.objects.filter(kind="mail-set").values_list("what", flat=True)] == ["Élodie Brun"] * 2


def test_a_forgotten_password_is_replaced_by_mail(host: User, mails: None) -> None:
    User.objects.filter(pk=host.pk).update(email=ADDRESS)
    assert 'name="address"' in Client().get("/forgotten/").content.decode()
    assert ask("nobody@example.org") == ask(ADDRESS.upper())
    (message,) = mailed()
    assert message.to == [ADDRESS]
    assert "Élodie Brun" in message.body
    link, browser = link_in(message), Client()
    assert browser.post(link, {"new": NEW}).status_code == 302
    assert is_in(browser)
    assert Client().get(link).status_code == 404
    assert sign_in("Élodie Brun", NEW)
    assert AuditEntry.objects.filter(kind="password-mailed", user=host).count() == 1


def test_a_mailed_link_ends_after_an_hour_and_with_a_new_password(host: User, mails: None) -> None:
    User.objects.filter(pk=host.pk).update(email=ADDRESS)
    ask(ADDRESS)
    (first,) = mailed()
    an_hour_later()
    ask(ADDRESS)
    (second,) = mailed()
    assert OneTimeLink.objects.latest("pk").expires_at <= timezone.now() + timedelta(hours=1)
    assert Client().get(link_in(first)).status_code == 200, "a stranger who asks ends no link"
    assert Client().post(link_in(second), {"new": NEW}).status_code == 302
    assert Client().get(link_in(first)).status_code == 404


def test_nobody_is_flooded_with_mails(host: User, mails: None) -> None:
    User.objects.filter(pk=host.pk).update(email=ADDRESS)
    ask(ADDRESS)
    ask(ADDRESS)
    assert len(mailed()) == 1
    ask(ADDRESS)
    assert not mailed()
    an_hour_later()
    ask(ADDRESS)
    assert len(mailed()) == 1


def test_everybody_with_the_address_gets_their_own_link(host: User, mails: None) -> None:
    User.objects.create_user("Bo", email=ADDRESS)
    User.objects.filter(pk=host.pk).update(email=ADDRESS)
    ask(ADDRESS)
    assert len({link_in(message) for message in mailed()}) == 2


def token_of(browser: Client, **given: str) -> str:
    """The token that the account page makes, and shows once."""
    club = Club.objects.get(slug="c").pk
    answer = browser.post("/account/", {"do": "program", "program": "Arbiter", "club": club, "lives": "7", **given})
    assert answer.status_code == 200
    assert 'value="Arbiter"' not in answer.content.decode(), "the form is ready for the next one"
    (token,) = re.findall(r"<code[^>]*>(\S+)</code>", answer.content.decode())
    return str(token)


def called(token: str) -> tuple[int, str]:
    """The status of a step of directors with this token, and the code of a refusal."""
    body = {"key": "k", "name": "Cup"}
    program = Client(enforce_csrf_checks=True, headers={"authorization": f"Bearer {token}"})
    answer = program.post("/api/v1/clubs/c/tournaments/", body, content_type="application/json")
    return answer.status_code, answer.json().get("code", "")


def test_a_token_is_shown_once_and_lets_a_program_in_until_it_is_revoked(host: User) -> None:
    here = sign_in("Élodie Brun")
    assert here
    token = token_of(here)
    page = here.get("/account/").content.decode()
    assert "Arbiter" in page
    assert "never used" in page
    assert token not in page
    made = ProgramToken.objects.get()
    assert token not in str(vars(made)), "only its digest is stored"
    assert called(token) == (422, "bad-setup"), "it got in, and a setup is missing"
    used = ProgramToken.objects.get().used_at
    assert used
    assert "never used" not in here.get("/account/").content.decode()
    called(token)
    assert ProgramToken.objects.get().used_at == used, "not every call writes"
    User.objects.create_user("Eve", password=PASSWORD)
    eve = sign_in("Eve")
    assert eve
    assert eve.post("/account/", {"do": f"revoke:{made.pk}"}).status_code == 302
    assert called(token)[0] == 422, "nobody revokes a token of somebody else"
    for _twice in range(2):
        assert here.post("/account/", {"do": f"revoke:{made.pk}"}).status_code == 302
    assert "Arbiter" not in here.get("/account/").content.decode()
    assert called(token) == (403, "token-revoked")
    noted = AuditEntry.objects.filter(kind__startswith="program").order_by("pk")
    assert list(noted.values_list("kind", "user", "club__slug", "what")) == [
        ("program-added", host.pk, "c", "Arbiter"),
        ("program-revoked", host.pk, "c", "Arbiter"),
    ]
    audit = here.get("/clubs/c/audit/").content.decode()
    assert "made a token for the program" in audit
    assert "Arbiter" in audit


def test_a_token_ends_with_its_days_its_owner_and_their_role(host: User) -> None:
    club, now = Club.objects.get(), timezone.now()

    def made(days: int = 0) -> str:
        lives = timedelta(days=7)
        return programs.add(user=host, club=club, name="Arbiter", lives=lives, now=now - timedelta(days=days))

    assert called(made(days=6))[0] == 422
    assert called(made(days=8)) == (403, "token-expired")
    assert called("scorekeeper_made-up") == (403, "token-unknown")
    token = made()
    Membership.objects.update(role=Role.SCORER)
    assert called(token) == (403, "not-allowed")
    Membership.objects.update(role=Role.DIRECTOR)
    assert called(token)[0] == 422
    User.objects.update(is_active=False)
    assert called(token) == (403, "token-unknown")


def test_the_token_of_an_owner_neither_owns_the_club_nor_gets_the_data_of_the_server(host: User) -> None:
    club = Club.objects.get()
    token = programs.add(user=host, club=club, name="Arbiter", lives=timedelta(days=7), now=timezone.now())
    program = Client(headers={"authorization": f"Bearer {token}"})
    assert program.get("/clubs/c/tables/").status_code == 200
    for page in ("/clubs/c/members/", "/clubs/c/settings/", "/backups/x.zip"):
        assert program.get(page).status_code == 403, page
    assert program.get("/account/").status_code == 302


def test_only_hosts_make_tokens_and_only_for_their_clubs(host: User) -> None:
    browser, other = sign_in("Élodie Brun"), Club.objects.create(slug="d", name="D", created_at=NOW)
    assert browser
    Membership.objects.create(user=host, club=other, role=Role.SCORER)
    club = Club.objects.get(slug="c").pk
    for wrong in ({"club": other.pk}, {"program": " "}, {"program": "a\x00"}, {"lives": "9999"}):
        given = {"do": "program", "program": "Arbiter", "club": club, "lives": "7", **wrong}
        assert browser.post("/account/", given).status_code == 422
    assert not ProgramToken.objects.exists()
    Membership.objects.update(role=Role.SCORER)
    assert "Programs" not in browser.get("/account/").content.decode()
