"""Owners invite people, change their roles, and take them out of the club."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import AuditEntry, Club, Membership, OneTimeLink, Role, User
from tests.conftest import NOW

PASSWORD = "sets-of-28-tiles"
PAGE = "/clubs/c/members/"


@pytest.fixture
def club(db: None) -> Club:
    return Club.objects.create(slug="c", name="Rovers", created_at=NOW)


@pytest.fixture
def owner(club: Club) -> Client:
    return browser_of(member("Hanna", club, Role.OWNER).user)


def member(name: str, club: Club, role: Role) -> Membership:
    user, _new = User.objects.get_or_create(username=name)
    return Membership.objects.create(user=user, club=club, role=role)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return browser


def invited(owner: Client, role: Role) -> str:
    """The address of a new invitation."""
    page = owner.post(PAGE, {"do": "invite", "role": role}).content.decode()
    found = re.search(r'href="http://[^/]+(/invitation/[^"]+)"', page)
    assert found
    assert "<svg" in page
    return found[1]


def noted() -> list[tuple[str, str, str]]:
    """What the audit says, besides who signed in."""
    entries = AuditEntry.objects.exclude(kind=AuditEntry.Kind.SIGNED_IN).order_by("pk")
    return list(entries.values_list("kind", "what", "user__username"))


def roles(club: Club) -> dict[str, str]:
    return dict(club.memberships.values_list("user__username", "role"))


def test_an_invitation_makes_an_account_with_its_role_once(club: Club, owner: Client) -> None:
    address, bo = invited(owner, Role.DIRECTOR), Client()
    assert "Your role there: director" in bo.get(address).content.decode()
    assert bo.post(address, {"name": "HANNA", "password": PASSWORD}).status_code == 422
    assert bo.post(address, {"name": "Bo", "password": "short"}).status_code == 422
    assert bo.post(address, {"name": "Bo", "password": PASSWORD}).url == "/clubs/c/"
    assert bo.get("/clubs/c/audit/").status_code == 200
    assert bo.get(PAGE).status_code == 403
    assert roles(club) == {"Hanna": "owner", "Bo": "director"}
    assert Client().get(address).status_code == 404
    assert Client().post(address, {"name": "Cy", "password": PASSWORD}).status_code == 404
    assert not User.objects.filter(username="Cy").exists()


def test_who_is_signed_in_accepts_with_their_account_and_keeps_a_higher_role(club: Club, owner: Client) -> None:
    bo = User.objects.create_user("Bo")
    scorer = invited(owner, Role.SCORER)
    assert "Accept as Bo" in browser_of(bo).get(scorer).content.decode()
    browser_of(bo).post(scorer)
    assert roles(club)["Bo"] == "scorer"
    browser_of(bo).post(invited(owner, Role.DIRECTOR))
    browser_of(bo).post(invited(owner, Role.MEMBER))
    assert roles(club)["Bo"] == "director"


def test_an_invitation_ends_after_a_week(club: Club, owner: Client) -> None:
    address = invited(owner, Role.MEMBER)
    OneTimeLink.objects.update(expires_at=timezone.now())
    assert Client().get(address).status_code == 404


def test_a_password_link_invites_nobody(club: Club, owner: Client) -> None:
    address = invited(owner, Role.MEMBER)
    assert Client().get(address.replace("invitation", "password")).status_code == 404


def test_the_role_of_a_member_is_changed_and_they_are_removed(club: Club, owner: Client) -> None:
    bo = member("Bo", club, Role.SCORER)
    owner.post(PAGE, {"do": "role", "member": bo.pk, "role": "owner"})
    assert roles(club) == {"Hanna": "owner", "Bo": "owner"}
    answer = owner.post(PAGE, {"do": "remove", "member": bo.pk}, follow=True).content.decode()
    assert "Bo is no longer a member." in answer
    assert roles(club) == {"Hanna": "owner"}
    assert User.objects.filter(username="Bo").exists()
    assert noted() == [("role-set", "Bo → owner", "Hanna"), ("member-removed", "Bo", "Hanna")]


@pytest.mark.parametrize("how", [{"do": "remove"}, {"do": "role", "role": "member"}])
def test_the_last_owner_stays(club: Club, owner: Client, how: dict[str, str]) -> None:
    member("Bo", club, Role.DIRECTOR)
    hanna = club.memberships.get(role=Role.OWNER)
    answer = owner.post(PAGE, how | {"member": str(hanna.pk)})
    assert answer.status_code == 422
    assert "Make somebody else an owner first." in answer.content.decode()
    assert roles(club) == {"Hanna": "owner", "Bo": "director"}
    assert not noted()


def test_an_owner_makes_a_link_for_a_forgotten_password(club: Club, owner: Client) -> None:
    bo = member("Bo", club, Role.SCORER)
    page = owner.post(PAGE, {"do": "password", "member": bo.pk}).content.decode()
    found = re.search(r'href="http://[^/]+(/password/[^"]+)"', page)
    assert found
    assert Client().post(found[1], {"new": PASSWORD}).status_code == 302
    bo.user.refresh_from_db()
    assert bo.user.check_password(PASSWORD)


def test_no_link_lets_an_owner_into_the_club_of_somebody_else(club: Club, owner: Client) -> None:
    other = Club.objects.create(slug="d", name="Wanderers", created_at=NOW)
    bo = member("Bo", club, Role.MEMBER)
    member("Bo", other, Role.OWNER)
    answer = owner.post(PAGE, {"do": "password", "member": bo.pk})
    assert answer.status_code == 422
    assert "Bo also belongs to another club." in answer.content.decode()
    assert not OneTimeLink.objects.exists()


def test_members_of_other_clubs_cannot_be_touched(club: Club, owner: Client) -> None:
    eve = member("Eve", Club.objects.create(slug="d", name="Wanderers", created_at=NOW), Role.OWNER)
    for how in ({"do": "remove"}, {"do": "role", "role": "member"}, {"do": "password"}):
        assert owner.post(PAGE, how | {"member": str(eve.pk)}).status_code == 404
    assert Membership.objects.get(pk=eve.pk).role == Role.OWNER


def test_only_owners_see_the_link_to_the_page(club: Club, owner: Client) -> None:
    bo = browser_of(member("Bo", club, Role.DIRECTOR).user)
    assert PAGE in owner.get("/clubs/c/").content.decode()
    assert PAGE not in bo.get("/clubs/c/").content.decode()


def test_a_link_that_no_phone_can_open_says_so(club: Club, owner: Client) -> None:
    warning = "Phones cannot reach this address: the server accepts only this computer."
    for host, warned in (("testserver", False), ("127.0.0.1:8000", True)):
        page = owner.post(PAGE, {"do": "invite", "role": Role.SCORER}, headers={"host": host}).content.decode()
        assert (warning in page) == warned
