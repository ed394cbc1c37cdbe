"""An account claims a player, with a link that a host makes."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.models import AuditEntry, Club, Membership, OneTimeLink, Player, Role, User
from scorekeeper.services import claims, links, people
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast

PASSWORD = "sets-of-28-tiles"


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


@pytest.fixture
def ana(cast: Cast) -> Player:
    return cast.club.players.create(name="Ana Blum")


@pytest.fixture
def bo(cast: Cast) -> User:
    return User.objects.create_user("bo", password=PASSWORD)


def browser_of(user: User) -> Browser:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return Browser(client)


def page_of(player: Player) -> str:
    return f"/clubs/{player.club.slug}/players/{player.pk}/"


def address(host: Browser, player: Player) -> str:
    """Of a new link to claim the player."""
    host.open(page_of(player)).press("Make a link")
    assert "<svg" in host.markup
    found = re.search(r'href="http://[^/]+(/claim/[^"]+)"', host.markup)
    assert found
    return found[1]


def token(player: Player) -> str:
    return claims.make_link(club=player.club, player_id=player.pk, by=None, now=timezone.now())


def claimed(player: Player, user: User) -> Player:
    return claims.claim(token=token(player), user=user, now=timezone.now())


def owner_of(player: Player) -> User | None:
    return Player.objects.get(pk=player.pk).user


def role(user: User, club: Club) -> str | None:
    return Membership.objects.filter(user=user, club=club).values_list("role", flat=True).first()


def noted() -> list[tuple[str, str, str | None]]:
    kinds = [AuditEntry.Kind.CLAIM_MADE, AuditEntry.Kind.PLAYER_CLAIMED, AuditEntry.Kind.PLAYER_RELEASED]
    found = AuditEntry.objects.filter(kind__in=kinds).order_by("pk")
    return list(found.values_list("kind", "what", "user__username"))


def everything() -> list[Any]:
    """What a refused step must leave unchanged."""
    tables = (Player, Membership, OneTimeLink)
    return [noted(), User.objects.count(), *(list(table.objects.order_by("pk").values()) for table in tables)]


# --- claiming -------------------------------------------------------------------------------------------------
def test_somebody_without_an_account_gets_one_with_their_own_page(host: Browser, ana: Player) -> None:
    visitor = Browser().open(link := address(host, ana))
    assert "Are you Ana Blum of Rovers?" in visitor.words
    visitor.press("Yes, that is me", name="", password="short")
    assert visitor.status == 422
    visitor.open(link).press("Yes, that is me", password=PASSWORD)
    assert "You are Ana Blum: this is your page now." in visitor.words
    assert visitor.path == f"/players/{ana.pk}/"
    user = User.objects.get(username="Ana Blum")
    assert (owner_of(ana), role(user, ana.club)) == (user, "player")
    assert noted() == [("claim-made", "Ana Blum", "director"), ("player-claimed", "Ana Blum", "Ana Blum")]
    assert "Ana Blum" in visitor.open("/account/").words


def test_a_taken_name_makes_no_account_and_the_link_still_works(host: Browser, ana: Player, bo: User) -> None:
    link, before = address(host, ana), User.objects.count()
    visitor = Browser().open(link).press("Yes, that is me", name="BO", password=PASSWORD)
    assert "Somebody already signs in as BO." in visitor.words
    assert (User.objects.count(), owner_of(ana)) == (before, None)
    assert visitor.press("Yes, that is me", name="Ana", password=PASSWORD).status == 200
    assert owner_of(ana) == User.objects.get(username="Ana")


def test_who_is_signed_in_claims_with_one_button_and_who_is_not_signs_in(host: Browser, ana: Player, bo: User) -> None:
    visitor = Browser().open(address(host, ana)).follow("I have an account")
    visitor.press("Sign in", username="bo", password=PASSWORD)
    assert "You are signed in as bo." in visitor.words
    visitor.press("Yes, that is me")
    assert owner_of(ana) == bo


def test_a_higher_role_stays(host: Browser, cast: Cast, ana: Player) -> None:
    claimed(ana, cast.users["scorer"])
    assert role(cast.users["scorer"], cast.club) == "scorer"


def test_a_link_works_once_and_a_newer_one_ends_it(host: Browser, ana: Player, bo: User) -> None:
    old, new = address(host, ana), address(host, ana)
    used = "This link was already used or has expired. Ask a host of the club for a new one."
    assert used in browser_of(bo).open(old).words
    browser_of(bo).open(new).press("Yes, that is me")
    other = Browser().open(new)
    assert (other.status, used in other.words) == (404, True)
    again = browser_of(bo).open(new)
    assert "You are Ana Blum already: this is your page." in again.words
    assert again.path == f"/players/{ana.pk}/"


def test_a_link_lives_a_week(host: Browser, ana: Player, bo: User) -> None:
    made = claims.make_link(club=ana.club, player_id=ana.pk, by=None, now=NOW)
    assert claims.offer(token=made, user=bo, now=NOW + timedelta(days=6)).player == ana
    assert claims.offer(token=made, user=bo, now=NOW + timedelta(days=7)).player is None
    with pytest.raises(Refused, match="used or has expired"):
        claims.claim(token=made, user=bo, now=NOW + timedelta(days=7))


def test_another_link_claims_nobody(ana: Player, host: Browser) -> None:
    link = address(host, ana)
    assert Client().get(link.replace("claim", "password")).status_code == 404


# --- what cannot be claimed -----------------------------------------------------------------------------------
def refused(ana: Player, user: User, words: str) -> None:
    """The page and the service refuse this account with these words, and change nothing."""
    made = links.make(purpose=claims.CLAIM, lives=timedelta(days=1), now=timezone.now(), player=ana)
    before = everything()
    visitor = browser_of(user).open(f"/claim/{made}/")
    assert (visitor.status, visitor.has_button("Yes, that is me")) == (422, False)
    assert words in visitor.words
    assert words in browser_of(user).post(f"/claim/{made}/", {}).words
    with pytest.raises(Refused, match=re.escape(words)):
        claims.claim(token=made, user=user, now=timezone.now())
    assert everything() == before


def test_nobody_claims_whom_another_account_has(cast: Cast, ana: Player, bo: User, host: Browser) -> None:
    claimed(ana, cast.users["member"])
    refused(
        ana, bo, "Another account has claimed Ana Blum already. If that is wrong, a host of Rovers can end that claim."
    )
    with pytest.raises(Refused, match="already"):
        token(ana)
    assert not host.open(page_of(ana)).has_button("Make a link")


def test_an_account_has_one_player_of_a_club(cast: Cast, ana: Player, bo: User) -> None:
    claimed(cast.club.players.create(name="Ann Bloom"), bo)
    refused(ana, bo, "Your account is Ann Bloom at Rovers already. If Ana Blum is the same person, ask a host to merge")


def test_nobody_claims_a_deleted_name(ana: Player, bo: User) -> None:
    made = token(ana)
    Player.objects.update(deleted_at=NOW)
    visitor = browser_of(bo).open(f"/claim/{made}/")
    assert "The name of this player was deleted at their request." in visitor.words
    with pytest.raises(Refused, match="deleted"):
        token(ana)


def test_the_link_of_somebody_merged_leads_to_the_person_as_whom_they_count(cast: Cast, ana: Player, bo: User) -> None:
    made, stays = token(ana), cast.club.players.create(name="Ann Bloom")
    people.merge(club=cast.club, player_id=ana.pk, into_id=stays.pk, now=NOW)
    assert "Are you Ann Bloom of Rovers?" in browser_of(bo).open(f"/claim/{made}/").words
    claims.claim(token=made, user=bo, now=timezone.now())
    assert (owner_of(ana), owner_of(stays)) == (None, bo)


# --- merged people --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("which", [0, 1])
def test_who_is_merged_keeps_the_claim_and_separating_gives_it_back(
    cast: Cast, ana: Player, bo: User, which: int
) -> None:
    pair = [ana, cast.club.players.create(name="Ann Bloom")]
    claimed(pair[which], bo)
    before = list(Player.objects.order_by("pk").values())
    stays = people.merge(club=cast.club, player_id=ana.pk, into_id=pair[1].pk, now=NOW)
    visitor = browser_of(bo)
    assert f"/players/{stays.pk}/" in visitor.open("/account/").markup
    assert "Ann Bloom" in visitor.words
    refused(stays, User.objects.create_user("cy"), "Another account has claimed Ann Bloom already.")
    people.separate(club=cast.club, player_id=ana.pk, now=NOW)
    assert list(Player.objects.order_by("pk").values()) == before


def test_two_accounts_are_not_merged(cast: Cast, ana: Player, bo: User, host: Browser) -> None:
    other = cast.club.players.create(name="Ann Bloom")
    claimed(ana, bo)
    claimed(other, cast.users["member"])
    before = everything()
    host.open(page_of(ana)).press("Merge", other="Ann Bloom")
    assert "Ana Blum and Ann Bloom are claimed by two accounts." in host.words
    assert everything() == before


def test_a_merged_claim_is_ended_where_they_count(cast: Cast, ana: Player, bo: User, host: Browser) -> None:
    stays = cast.club.players.create(name="Ann Bloom")
    claimed(ana, bo)
    people.merge(club=cast.club, player_id=ana.pk, into_id=stays.pk, now=NOW)
    host.open(page_of(stays)).press("End the claim").press("End the claim")
    people.separate(club=cast.club, player_id=ana.pk, now=NOW)
    assert (owner_of(ana), owner_of(stays)) == (None, None)


# --- ending a claim -------------------------------------------------------------------------------------------
def test_the_person_ends_their_claim_after_a_question(ana: Player, bo: User) -> None:
    claimed(ana, bo)
    visitor = browser_of(bo).open("/account/").press("End the claim")
    assert "bo no longer has the page of Ana Blum at Rovers." in visitor.words
    assert "bo is then no longer in the club." in visitor.words
    assert owner_of(ana) == bo
    visitor.press("End the claim of Ana Blum")
    assert "No account has Ana Blum now." in visitor.words
    assert (owner_of(ana), role(bo, ana.club)) == (None, None)
    assert noted()[-1] == ("player-released", "Ana Blum (bo)", "bo")
    assert not visitor.has_button("End the claim")


def test_a_host_ends_a_claim_and_makes_a_new_link(cast: Cast, ana: Player, bo: User, host: Browser) -> None:
    Membership.objects.create(user=bo, club=cast.club, role=Role.MEMBER)
    claimed(ana, bo)
    assert "Claimed by the account bo" in host.open(page_of(ana)).words
    host.press("End the claim")
    assert "no longer in the club" not in host.words
    host.press("End the claim of Ana Blum")
    assert (owner_of(ana), role(bo, ana.club)) == (None, "member")
    assert address(host, ana)


def test_only_the_own_claim_can_be_ended_on_the_account_page(ana: Player, bo: User, cast: Cast) -> None:
    claimed(ana, bo)
    browser_of(cast.users["member"]).post("/account/", {"do": [f"release:{ana.pk}"], "sure": ["yes"]})
    assert owner_of(ana) == bo


def test_who_is_removed_leaves_no_claim(cast: Cast, ana: Player, bo: User) -> None:
    claimed(ana, bo)
    people.remove(club=cast.club, player_id=ana.pk, now=NOW)
    assert role(bo, cast.club) is None


# --- what a claim lets see ------------------------------------------------------------------------------------
def test_who_claimed_a_hidden_player_sees_their_page_and_nobody_else(cast: Cast, ana: Player, bo: User) -> None:
    into = cast.club.players.create(name="Ann Bloom", hidden=True)
    claimed(ana, bo)
    people.merge(club=cast.club, player_id=ana.pk, into_id=into.pk, now=NOW)
    page = f"/players/{into.pk}/"
    assert browser_of(bo).open(page).status == 200
    assert browser_of(cast.users["member"]).open(page).status == 404
    assert Browser().open(page).status == 404


def test_a_claim_lets_into_a_club_that_is_not_public(cast: Cast, ana: Player, bo: User) -> None:
    Club.objects.update(public=False)
    assert browser_of(bo).open("/clubs/rovers/").status == 403
    claimed(ana, bo)
    assert browser_of(bo).open("/clubs/rovers/").status == 200


def test_owners_see_and_change_the_role_of_who_claimed_a_player(as_user: Callable[[str], Client], ana: Player) -> None:
    claimed(ana, User.objects.create_user("bo"))
    owner = Browser(as_user("owner")).open("/clubs/rovers/members/")
    assert re.search(r'<option value="player" selected>', owner.markup)
