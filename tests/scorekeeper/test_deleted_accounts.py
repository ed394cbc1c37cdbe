"""What becomes of an account if the name of its player is deleted, at the door of a host or at their own."""

from zipfile import ZipFile

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games import GAMES
from scorekeeper.access import Actor
from scorekeeper.models import AuditEntry, Job, Membership, Player, User
from scorekeeper.services import accounts, backup, claims, clubs, deleting, events, matches, persons
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import first
from tests.scorekeeper.test_deleting import NAME, everywhere, forms, lasting, remains, settle

__all__ = ["lasting"]
PASSWORD = "sets-of-28-tiles"
TWO = next(slug for slug, game in GAMES.items() if game.seats == (2,))


def claimed(player: Player, user: User) -> Player:
    token = claims.make_link(club=player.club, player_id=player.pk, by=None, now=timezone.now())
    return claims.claim(token=token, user=user, now=timezone.now())


def page_of(player: Player) -> str:
    return f"/clubs/{player.club.slug}/players/{player.pk}/"


def signed_in(name: str) -> Browser:
    visitor = Browser().open("/login/")
    return visitor.press("Sign in", username=name, password=PASSWORD)


def in_backups(name: str) -> list[str]:
    """The parts of backups, unpacked, in which the name is."""
    parts = [(file, part) for file in map(ZipFile, backup.saved()) for part in file.namelist()]
    return [part for file, part in parts if any(form in file.read(part).lower() for form in forms(name))]


@pytest.fixture
def ana(cast: Cast) -> Player:
    return clubs.player_add(club=cast.club, name="Ana O'Neill", now=NOW)


@pytest.fixture
def user(ana: Player) -> User:
    """Called as the player whom they have claimed."""
    user = User.objects.create_user(ana.name, password=PASSWORD, email="ana@example.org")
    claimed(ana, user)
    return user


def test_the_name_of_an_account_that_is_only_this_player_is_nowhere(lasting: Cast) -> None:
    """Made by the link with the proposed name, and used; somebody also guessed its password."""
    zoe, host = everywhere(lasting), Browser(lasting.browser("owner"))
    token = claims.make_link(club=lasting.club, player_id=zoe.pk, by=lasting.users["owner"], now=timezone.now())
    own = Browser().open(f"/claim/{token}/").press("Yes, that is me", password=PASSWORD)
    own.open(f"/players/{zoe.pk}/privacy/").press("Show initials only").press("Make the file")
    user = User.objects.get(username=NAME)
    accounts.password_link(user=user, by=lasting.users["owner"], now=NOW)
    Client().post("/login/", {"username": NAME.upper(), "password": "a guess"})
    assert signed_in(NAME).status == 200
    settle()
    backup.write(backup.named("by-hand", NOW), now=NOW)
    assert len(in_backups(NAME)) > 5
    host.open(page_of(zoe)).press("Delete the name")
    assert f"The account {NAME} is deleted, too: nobody can sign in with it any more." in host.words
    host.press("Delete the name for good")
    settle()
    assert remains() == []
    assert len(backup.saved()) == 1
    assert in_backups(NAME) == []
    user.refresh_from_db()
    assert (user.username, user.is_active, user.has_usable_password()) == (f"Account {user.pk}", False, False)
    assert not Membership.objects.filter(user=user).exists()
    assert "Sign in" in own.open("/account/").words
    said = host.open(f"/clubs/{lasting.club.slug}/audit/").words
    assert "claimed the player" not in said
    assert f"Account {user.pk}" not in host.open(f"/clubs/{lasting.club.slug}/members/").words


def test_an_account_with_another_role_stays_under_another_name(cast: Cast, ana: Player, user: User) -> None:
    Membership.objects.create(user=user, club=cast.other_club, role="scorer")
    there = claimed(clubs.player_add(club=cast.other_club, name="Ana at Wanderers", now=NOW), user)
    own, host = signed_in(user.username), Browser(cast.browser("director"))
    host.open(page_of(ana)).press("Delete the name")
    assert f"The account {user} stays, because it also has another player or role." in host.words
    assert f"it is called Account {user.pk} from then on: sign in with that name." in host.words
    host.press("Delete the name for good")
    user.refresh_from_db()
    there.refresh_from_db()
    assert (user.username, user.is_active, there.user) == (f"Account {user.pk}", True, user)
    assert [*user.memberships.values_list("club", "role")] == [(cast.other_club.pk, "scorer")]
    assert "Ana at Wanderers" in own.open("/account/").words
    assert "Ana at Wanderers" in signed_in(f"account {user.pk}").open("/account/").words


def test_the_audit_does_not_tell_whose_account_it_was(cast: Cast, ana: Player) -> None:
    """The account is called otherwise, and was claimed twice; what it does as a host stays."""
    scorer = cast.users["scorer"]
    claimed(ana, scorer)
    claims.release(player_id=ana.pk, by=cast.users["owner"], now=NOW)
    claimed(ana, scorer)
    bo = claimed(clubs.player_add(club=cast.club, name="Bo", now=NOW), cast.users["member"])
    own = Browser(cast.browser("scorer")).open(f"/players/{ana.pk}/privacy/").press("Show initials only")
    for name in ("Ana Neill", ana.name):
        clubs.player_rename(club=cast.club, player_id=ana.pk, name=name, now=NOW)
    clubs.player_rename(club=cast.club, player_id=bo.pk, name="Bob", now=NOW)
    deleting.start(club=cast.club, player_id=ana.pk, now=NOW, by=cast.users["owner"])
    settle()
    entries = AuditEntry.objects.filter(club=cast.club).exclude(kind__in=["claim-made", "signed-in"]).order_by("pk")
    assert list(entries.values_list("kind", "what", "user__username")) == [
        ("player-claimed", "Bo", "member"),
        ("player-renamed", "Bo → Bob", None),
        ("player-deleted", "Deleted player 1", "owner"),
    ]
    scorer.refresh_from_db()
    bo.refresh_from_db()
    assert (scorer.username, bo.user) == ("scorer", cast.users["member"])
    assert own.open(f"/players/{ana.pk}/privacy/").status == 403


def test_a_link_to_another_club_goes_with_the_name(cast: Cast, ana: Player) -> None:
    there = clubs.player_add(club=cast.other_club, name="Ana there", now=NOW)
    persons.ask(club=cast.club, player_id=ana.pk, other_id=there.pk, at_once=True, by=None, now=NOW)
    deleting.start(club=cast.club, player_id=ana.pk, now=NOW)
    settle()
    there.refresh_from_db()
    assert (there.person, there.name) == (None, "Ana there")
    for club in (cast.club, cast.other_club):
        told = [*AuditEntry.objects.filter(club=club).values_list("what", flat=True)]
        assert not [what for what in told if "O'Neill" in what or " = " in what], "nor who it was"


# --- at their own door ----------------------------------------------------------------------------------------
def test_who_claimed_a_player_deletes_their_name_with_their_password(cast: Cast, ana: Player, user: User) -> None:
    own = signed_in(user.username).open(f"/players/{ana.pk}/privacy/").press("Delete the name")
    assert "The account Ana O'Neill is deleted, too" in own.words
    own.press("Delete the name for good", password="a guess")
    assert (own.status, "This is not your present password." in own.words) == (422, True)
    assert "a guess" not in own.markup
    assert Player.objects.get(pk=ana.pk).deleted_at is None
    own.press("Delete the name for good", password=PASSWORD)
    assert "Your name is gone from this club." in own.words
    assert Player.objects.get(pk=ana.pk).name == "Deleted player 1"
    assert "Sign in" in own.open("/account/").words
    assert not [each for each in Session.objects.all() if each.get_decoded().get("_auth_user_id") == str(user.pk)]
    said = Browser(cast.browser("owner")).open(f"/clubs/{cast.club.slug}/audit/").words
    assert "the player deleted the name of a player “Deleted player 1”" in said


def test_only_themselves_have_that_door(cast: Cast, ana: Player, user: User) -> None:
    host = Browser(cast.browser("director")).open(f"/players/{ana.pk}/privacy/")
    assert not host.has_button("Delete the name")
    assert (
        host.post(f"/players/{ana.pk}/privacy/", {"do": ["delete"], "sure": ["yes"], "password": [PASSWORD]}).status
        == 404
    )


def test_whoever_plays_is_told_before_anybody_is_asked(cast: Cast, ana: Player, user: User) -> None:
    events.start(club=cast.club, players=[ana.pk], step=first("start"))
    own, host = signed_in(user.username), Browser(cast.browser("director"))
    for visitor, page in ((own, f"/players/{ana.pk}/privacy/"), (host, page_of(ana))):
        visitor.open(page).press("Delete the name")
        assert (visitor.status, "Delete the name when it is over." in visitor.words) == (422, True)
        assert not visitor.has_button("Delete the name for good")


def test_who_claimed_a_player_hides_themselves(cast: Cast, ana: Player, user: User) -> None:
    own = signed_in(user.username).open(f"/players/{ana.pk}/privacy/").press("Hide")
    assert Browser().open(f"/players/{ana.pk}/").status == 404
    assert own.open(f"/players/{ana.pk}/").status == 200
    own.open(f"/players/{ana.pk}/privacy/").press("Show again")
    assert Browser().open(f"/players/{ana.pk}/").status == 200


def test_whose_name_is_deleted_is_in_no_ranking_and_keeps_their_ratings(cast: Cast, ana: Player) -> None:
    names = ["Bo", ana.name]
    match = matches.open_match(table=cast.table, game=TWO, options={}, players=names, by=Actor(), now=NOW)
    enter(match, [{"kind": "result", "totals": [90, 10], "stopped": "time"}])
    settle()
    moved = Browser().open(f"/matches/{match.pk}/ratings/").words
    assert "O'Neill" in moved
    deleting.start(club=cast.club, player_id=ana.pk, now=NOW)
    settle()
    assert Browser().open(f"/matches/{match.pk}/ratings/").words == moved.replace(ana.name, "Deleted player 1")
    assert "Deleted player 1" in Browser().open(f"/players/{cast.club.players.get(name='Bo').pk}/").words
    assert Job.objects.filter(kind=deleting.KIND, state=Job.State.DONE).exists()
    for page in (f"/clubs/{cast.club.slug}/ranking/", "/ranking/", "/players/", "/search/?q=deleted+player"):
        assert "Deleted player 1" not in Browser().open(page).words
