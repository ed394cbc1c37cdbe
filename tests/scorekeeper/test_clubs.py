"""Founding a club, its people and tables, and the tokens of the tables."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import Http404

from games import Malformed
from scorekeeper import access
from scorekeeper.access import Actor
from scorekeeper.models import (
    AuditEntry,
    Change,
    Club,
    DeviceToken,
    Membership,
    OneTimeLink,
    ProgramToken,
    Role,
    User,
)
from scorekeeper.selectors.clubs import that_answer
from scorekeeper.services import clubs, short_codes, tables
from scorekeeper.services.errors import Refused
from tests.conftest import NOW, Cast

PASSWORD = "sets-of-28-tiles"


def found(token: str, name: str = "Rovers", host: str = "Ana", password: str = PASSWORD) -> tuple[Club, User]:
    return clubs.found_club(token=token, club_name=name, host_name=host, password=password, now=NOW)


def test_the_first_visitor_makes_the_club_with_the_link(db: None) -> None:
    token = clubs.setup_link(NOW)
    assert clubs.setup_open(token=token, now=NOW)
    club, user = found(token, name="  Café  Ñandú ")
    assert (club.slug, club.name, user.username) == ("cafe-nandu", "Café Ñandú", "Ana")
    assert user.check_password(PASSWORD)
    assert Membership.objects.get().role == Role.OWNER
    assert not OneTimeLink.objects.filter(sha256=token).exists()


def test_the_link_works_once_and_only_in_its_time(db: None) -> None:
    first = clubs.setup_link(NOW)
    second = clubs.setup_link(NOW)
    assert not clubs.setup_open(token=first, now=NOW)
    assert not clubs.setup_open(token=second, now=NOW + clubs.LINK_LIVES)
    for token in (first, "", "made-up", "\ud83d"):
        with pytest.raises(Refused) as refused:
            found(token)
        assert refused.value.code == "link-used"
    found(second)
    with pytest.raises(Refused):
        found(second, name="Again", host="Bo")
    assert Club.objects.count() == 1


def test_links_after_the_first_club_are_each_for_another_one(cast: Cast) -> None:
    one, other = (clubs.setup_link(NOW) for _ in range(2))
    found(other, name="Hill Club", host="Bo")
    stranger = cast.users["stranger"]
    club = clubs.start_by_link(token=one, owner=stranger, club_name="Lake Club", language="es", now=NOW)
    assert (club.slug, club.language, Membership.objects.get(club=club).user) == ("lake-club", "es", stranger)
    assert AuditEntry.objects.get(club=club).user == stranger
    with pytest.raises(Refused) as refused:
        clubs.start_by_link(token=one, owner=stranger, club_name="Pond Club", now=NOW)
    assert refused.value.code == "link-used"
    assert not Club.objects.filter(name="Pond Club").exists()


def test_only_who_owns_a_club_starts_another_one_without_a_link(cast: Cast) -> None:
    program = ProgramToken(user=cast.users["owner"], club=cast.club)
    starts = {who: access.may_start_club(Actor(user)) for who, user in cast.users.items()}
    assert {who for who, may in starts.items() if may} == {"owner", "stranger"}
    assert not access.may_start_club(Actor())
    assert not access.may_start_club(Actor(cast.users["owner"], program=program))


def test_only_clubs_with_a_host_answer(cast: Cast) -> None:
    def answering() -> set[str]:
        return {club.slug for club in that_answer(Club.objects.all())}

    clubs.demo_club(name="Demonstration", now=NOW)
    assert answering() == {"rovers", "wanderers"}
    User.objects.filter(pk=cast.users["stranger"].pk).update(is_active=False)
    assert answering() == {"rovers"}
    Membership.objects.exclude(role=Role.SCORER).delete()
    assert answering() == set()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"password": "short"}, ValidationError),
        ({"name": " "}, Malformed),
        ({"name": "x" * 81}, Malformed),
        ({"host": "a\0b"}, Malformed),
    ],
)
def test_what_is_wrong_leaves_the_link_good(db: None, wrong: dict, error: type[Exception]) -> None:
    token = clubs.setup_link(NOW)
    with pytest.raises(error):
        found(token, **wrong)
    assert clubs.setup_open(token=token, now=NOW)
    assert not User.objects.exists()
    assert not Club.objects.exists()


@pytest.mark.parametrize(("name", "slug"), [("Rovers", "rovers-2"), ("Demo", "demo-2"), ("李小龍", "club")])
def test_a_club_gets_an_address_of_its_own(cast: Cast, name: str, slug: str) -> None:
    Membership.objects.filter(role=Role.OWNER).delete()
    club, _user = found(clubs.setup_link(NOW), name=name)
    assert club.slug == slug


def test_a_name_is_taken_once_in_a_club(cast: Cast) -> None:
    player = clubs.player_add(club=cast.club, name=" Eve  Li ", now=NOW)
    assert player.name == "Eve Li"
    with pytest.raises(Refused) as refused:
        clubs.player_add(club=cast.club, name="Eve Li", now=NOW)
    assert refused.value.code == "name-taken"
    assert clubs.player_add(club=cast.other_club, name="Eve Li", guest=True, now=NOW).guest


def test_a_name_is_the_same_however_it_is_capitalized(cast: Cast) -> None:
    ana, oscar = (clubs.player_add(club=cast.club, name=name, now=NOW) for name in ("ana", "Óscar"))
    for name in ("Ana", "o\u0301SCAR"):
        with pytest.raises(Refused) as refused:
            clubs.player_add(club=cast.club, name=name, now=NOW)
        assert refused.value.code == "name-taken"
    with pytest.raises(Refused) as refused:
        clubs.player_rename(club=cast.club, player_id=ana.pk, name="óscar", now=NOW)
    assert refused.value.message == "The club already has a player called Óscar."
    assert clubs.player_rename(club=cast.club, player_id=ana.pk, name="Ana", now=NOW).name == "Ana"
    assert clubs.player_rename(club=cast.club, player_id=oscar.pk, name="Oscar", now=NOW).name == "Oscar"


def test_tables_are_numbered_and_told_of(cast: Cast) -> None:
    named, unnamed = (clubs.table_add(club=cast.club, name=name, now=NOW) for name in (" By  the window ", ""))
    assert [(t.number, str(t)) for t in (named, unnamed)] == [(3, "By the window"), (4, "4")]
    told = Change.objects.filter(topic__startswith="table:").order_by("id").values_list("topic", flat=True)
    assert list(told) == [f"table:{named.pk}", f"table:{unnamed.pk}"]


# --- tokens --------------------------------------------------------------------------------------------------
def test_the_code_of_a_table_stays_the_same_until_it_is_renewed(cast: Cast, settings: Any) -> None:
    first = tables.code(table=cast.table, now=NOW, address="http://a")
    assert tables.code(table=cast.table, now=NOW + timedelta(days=900), address="http://b") == first
    device = DeviceToken.objects.get()
    assert len(first.token) >= 43
    assert first.token not in str(vars(device)), "only its digest is stored"
    assert (device.address, AuditEntry.objects.count()) == ("http://b", 1)
    assert access.device_of(first.token).table == cast.table
    renewed = tables.renew(table=cast.table, now=NOW)
    assert {first.token, first.short}.isdisjoint({renewed.token, renewed.short})
    assert access.device_of(renewed.token).table == cast.table
    for token, code in ((first.token, "token-revoked"), ("made-up", "token-unknown")):
        with pytest.raises(access.Refusal) as refused:
            access.device_of(token)
        assert refused.value.code == code


def test_with_a_new_secret_key_the_printed_code_still_works(cast: Cast, settings: Any) -> None:
    printed = tables.code(table=cast.table, now=NOW)
    settings.SECRET_KEY = "another"
    assert tables.code(table=cast.table, now=NOW).token != printed.token
    assert access.device_of(printed.token).table == cast.table


def test_short_codes_are_read_as_people_type_them() -> None:
    short = short_codes.fresh()
    word, number = short.split("-")
    for typed in (short, f"{word.upper()} {number}", f" {word}{number} ", f"{word.title()} - {number}"):
        assert short_codes.read(typed) == short
    for typed in ("", word, number, f"{word}-1", f"{word}-1000", "rude-7", "é-7", f"{word}-٣"):
        assert short_codes.read(typed) == ""


def test_no_two_words_of_short_codes_are_one_slip_apart() -> None:
    def gaps(word: str) -> set[str]:
        return {word, *(f"{word[:at]}_{word[at + 1 :]}" for at in range(len(word)))}

    def shorter(word: str) -> set[str]:
        return {word[:at] + word[at + 1 :] for at in range(len(word))}

    words = short_codes.WORDS
    assert len(set(words)) == len(words) > 200
    assert sum(map(len, map(gaps, words))) == len(set().union(*map(gaps, words)))
    assert set(words).isdisjoint(set().union(*map(shorter, words)))


def test_all_tokens_of_a_table_can_be_ended(cast: Cast) -> None:
    mine = [tables.fresh_token(table=cast.table, now=NOW) for _ in range(2)]
    other = tables.fresh_token(table=cast.other_table, now=NOW)
    assert tables.revoke_tokens(table=cast.table, now=NOW) == 2
    for token in mine:
        with pytest.raises(access.Refusal):
            access.device_of(token)
    assert access.device_of(other)


def test_access_to_a_club_follows_the_role(cast: Cast) -> None:
    for who, user in cast.users.items():
        assert access.club_for(Actor(user), "rovers") == cast.club
        for need in Role:
            allowed = who != "stranger" and Role(who).covers(need)
            if allowed:
                assert access.club_for(Actor(user), "rovers", need=need) == cast.club
            else:
                with pytest.raises(access.Refusal):
                    access.club_for(Actor(user), "rovers", need=need)
    with pytest.raises(Http404):
        access.club_for(Actor(cast.users["owner"]), "nowhere", need=Role.OWNER)


def test_a_closed_table_opens_again(cast: Cast) -> None:
    tables.table_set_open(table=cast.table, is_open=False, now=NOW)
    cast.table.refresh_from_db()
    with pytest.raises(access.Refusal):
        access.table_must_be_open(cast.table)
    access.table_must_be_open(tables.table_set_open(table=cast.table, is_open=True, now=NOW))
