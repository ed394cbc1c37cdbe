"""Somebody who plays in several clubs is one person there, once they are linked by their account or by the hosts."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import games
from scorekeeper.access import Actor
from scorekeeper.models import (
    AuditEntry,
    Club,
    Event,
    Job,
    Match,
    Membership,
    Player,
    RatingLine,
    Role,
    SamePerson,
    User,
)
from scorekeeper.selectors.questions import questions_to
from scorekeeper.selectors.ratings import edition, in_edition
from scorekeeper.services import claims, clubs, entrants, jobs, links, matches, people, persons, ratings, tournaments
from scorekeeper.services.entrants import Named
from scorekeeper.services.errors import Refused
from scorekeeper.tasks import WORK
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import first
from tests.tournaments import setup_of

PAIRS = next(slug for slug, game in games.GAMES.items() if game.seats == (2,))


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


@pytest.fixture
def other_host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("stranger"))


@pytest.fixture
def pair(cast: Cast) -> tuple[Player, Player]:
    """Somebody of the club and somebody of the other one."""
    return cast.club.players.create(name="Ana Blum"), cast.other_club.players.create(name="Ann Bloom")


def third(name: str = "Anna B") -> Player:
    """Somebody of a third club."""
    club, _new = Club.objects.get_or_create(slug="hill", defaults={"name": "Hill Club", "created_at": NOW})
    return club.players.create(name=name)


def page_of(player: Player) -> str:
    return f"/clubs/{player.club.slug}/players/{player.pk}/"


def linked(one: Player, other: Player) -> bool:
    return persons.ask(club=one.club, player_id=one.pk, other_id=other.pk, at_once=True, by=None, now=NOW)


def claimed(player: Player, user: User) -> None:
    token = links.make(purpose=claims.CLAIM, lives=timedelta(days=1), now=timezone.now(), player=player)
    claims.claim(token=token, user=user, now=timezone.now())


def merge(one: Player, other: Player) -> Player:
    return people.merge(club=one.club, player_id=one.pk, into_id=other.pk, now=NOW)


def person(player: Player) -> int | None:
    return Player.objects.get(pk=player.pk).person_id


def noted(club: Club) -> list[tuple[str, str]]:
    kinds = [AuditEntry.Kind.LINK_ASKED, AuditEntry.Kind.LINK_AGREED, AuditEntry.Kind.LINK_ENDED]
    return list(club.audit.filter(kind__in=kinds).order_by("pk").values_list("kind", "what"))


def everything() -> list[Any]:
    """What a refused step must leave unchanged."""
    return [list(table.objects.order_by("pk").values()) for table in (Player, SamePerson, Membership, Job)]


# --- by the hosts ---------------------------------------------------------------------------------------------
def ask(host: Browser, player: Player, other: Player) -> Browser:
    return host.open(page_of(player)).press("Ask the other club", club=str(other.club_id), there=other.name)


def test_two_hosts_link_a_person_and_either_ends_it(
    cast: Cast, pair: tuple[Player, Player], host: Browser, other_host: Browser
) -> None:
    ana, ann = pair
    assert "When a host of Wanderers agrees" in ask(host, ana, ann).words
    assert "Ann Bloom Wanderers · asked, no answer yet" in host.words
    assert person(ana) is None
    assert "Ana Blum Rovers · asks: the same person as Ann Bloom?" in other_host.open(page_of(ann)).words
    other_host.open("/clubs/wanderers/players/").press("Agree: Ana Blum")
    assert other_host.path == page_of(ann)
    assert "Ana Blum Rovers · linked" in other_host.words
    assert (person(ana), person(ann)) == (ana.pk, ana.pk)
    host.open(page_of(ana)).press("End the link")
    assert (person(ana), person(ann)) == (None, None)
    what = "Ana Blum (Rovers) = Ann Bloom (Wanderers)"
    assert noted(cast.club) == [("link-asked", what), ("link-agreed", what), ("link-ended", what)]
    assert noted(cast.club) == noted(cast.other_club)


@pytest.mark.parametrize(("who", "button"), [("host", "Take back"), ("other_host", "Decline")])
def test_a_question_is_taken_back_or_declined(
    pair: tuple[Player, Player], host: Browser, other_host: Browser, who: str, button: str
) -> None:
    ana, ann = pair
    ask(host, ana, ann)
    browser, page = (host, page_of(ana)) if who == "host" else (other_host, page_of(ann))
    browser.open(page).press(button)
    assert not SamePerson.objects.exists()
    assert "Asked by other clubs" not in other_host.open("/clubs/wanderers/players/").words


def test_only_the_club_that_was_asked_agrees(pair: tuple[Player, Player], host: Browser, other_host: Browser) -> None:
    ask(host, *pair)
    link = SamePerson.objects.get()
    assert host.post(page_of(pair[0]), {"do": [f"agree:{link.pk}"]}).status == 404
    elsewhere = third()
    with pytest.raises(SamePerson.DoesNotExist):
        persons.end(club=elsewhere.club, link_id=link.pk, by=None, now=NOW)
    other_host.post(page_of(pair[1]), {"do": [f"agree:{link.pk}"]})
    assert other_host.post(page_of(pair[1]), {"do": [f"agree:{link.pk}"]}).status == 404


def test_who_hosts_both_clubs_links_at_once(cast: Cast, pair: tuple[Player, Player], host: Browser) -> None:
    Membership.objects.create(user=cast.users["director"], club=cast.other_club, role=Role.DIRECTOR)
    assert "Linked: Ana Blum and Ann Bloom of Wanderers count as one person." in ask(host, *pair).words
    assert person(pair[1]) == pair[0].pk


def test_two_clubs_that_ask_each_other_agree(pair: tuple[Player, Player], host: Browser, other_host: Browser) -> None:
    ask(host, *pair)
    assert "Linked: Ann Bloom and Ana Blum of Rovers count as one person." in ask(other_host, *reversed(pair)).words
    assert SamePerson.objects.get().agreed_at


def test_nobody_is_found_whom_the_host_may_not_see(cast: Cast, pair: tuple[Player, Player], host: Browser) -> None:
    missing = "Nobody at Wanderers has this name."
    assert (
        missing
        in host.open(page_of(pair[0])).press("Ask the other club", club=str(cast.other_club.pk), there="Zoe").words
    )
    Player.objects.filter(pk=pair[1].pk).update(hidden=True)
    assert missing in ask(host, *pair).words
    Club.objects.filter(pk=cast.other_club.pk).update(public=False)
    page = host.open(page_of(pair[0]))
    assert "Wanderers" not in page.words
    body = {"do": ["link"], "club": [str(cast.other_club.pk)], "there": ["Bo"]}
    assert host.post(page_of(pair[0]), body).status == 422
    assert not SamePerson.objects.exists()


def test_a_former_name_finds_the_person_there(pair: tuple[Player, Player], host: Browser) -> None:
    into = pair[1].club.players.create(name="Ann Stone")
    merge(pair[1], into)
    ask(host, *pair)
    assert SamePerson.objects.get().asked_of == into


@pytest.mark.parametrize("agreed", [True, False])
def test_nobody_is_asked_twice(pair: tuple[Player, Player], host: Browser, agreed: bool) -> None:
    ask(host, *pair)
    if agreed:
        SamePerson.objects.update(agreed_at=NOW)
    before = everything()
    words = "are linked already" if agreed else "Wanderers was asked already, and has not answered yet."
    assert words in ask(host, *pair).words
    assert everything() == before


def test_a_deleted_name_is_not_linked(pair: tuple[Player, Player]) -> None:
    Player.objects.filter(pk=pair[1].pk).update(deleted_at=NOW)
    with pytest.raises(Refused, match="was deleted"):
        linked(*pair)


# --- by an account --------------------------------------------------------------------------------------------
def test_an_account_with_players_in_two_clubs_is_one_person(cast: Cast, pair: tuple[Player, Player]) -> None:
    user = User.objects.create_user("ana")
    claimed(pair[1], user)
    claimed(pair[0], user)
    assert (person(pair[0]), person(pair[1])) == (pair[0].pk, pair[0].pk)
    visitor = Client()
    visitor.force_login(user, "django.contrib.auth.backends.ModelBackend")
    page = Browser(visitor).open("/account/")
    assert "Ana Blum Rovers" in page.words
    assert "On the whole server they count as one person: you." in page.words
    page.press("End the claim: Ana Blum")
    assert "The players of ana at other clubs are then other people, unless hosts have linked them." in page.words
    page.press("End the claim of Ana Blum")
    assert (person(pair[0]), person(pair[1])) == (None, None)


def test_hosts_see_where_somebody_also_plays_only_if_they_may(pair: tuple[Player, Player], host: Browser) -> None:
    user = User.objects.create_user("ana")
    for player in pair:
        claimed(player, user)
    seen = "Wanderers the same account, or linked by other clubs"
    assert seen in host.open(page_of(pair[0])).words
    Player.objects.filter(pk=pair[1].pk).update(hidden=True)
    assert seen not in host.open(page_of(pair[0])).words


def test_a_club_without_a_host_is_not_asked(cast: Cast, pair: tuple[Player, Player], host: Browser) -> None:
    demo = clubs.demo_club(name="Demonstration", now=NOW)
    demo.players.create(name="Ana Blum")
    page = host.open(page_of(pair[0]))
    assert "Wanderers" in page.words
    assert "Demonstration" not in page.words
    assert page.press("Ask the other club", club=str(demo.pk), there="Ana Blum").status == 422
    assert not SamePerson.objects.exists()


def test_hosts_see_on_the_club_page_what_waits_for_their_answer(
    cast: Cast, pair: tuple[Player, Player], host: Browser, other_host: Browser
) -> None:
    words = "1 question from another club waits for your answer"
    ask(host, *pair)
    for path in ("/clubs/wanderers/", "/", "/account/"):
        assert words in other_host.open(path).words, path
        assert words not in host.open(path).words
        assert words not in Browser().open(path).words
        with CaptureQueriesContext(connection) as asked:
            Browser().open(path)
        assert not [query for query in asked if "sameperson" in query["sql"]], "visitors pay nothing for it"
    assert words not in other_host.open("/clubs/rovers/").words
    other_host.open("/clubs/wanderers/").follow(words).press("Agree")
    assert words not in other_host.open("/clubs/wanderers/").words


def test_who_wants_to_enter_a_tournament_waits_for_the_hosts(cast: Cast, host: Browser) -> None:
    cup = tournaments.start(
        club=cast.club, name="Cup", setup=setup_of(PAIRS, "heads", self_entry=True), step=first("start")
    )
    for name in ("Eve", "Fay"):
        entrants.apply(event=cup, named=Named((name,)), key=name, now=NOW)
    assert "2 entries wait for your answer Cup" in host.open("/clubs/rovers/").words
    assert "2 entries wait for your answer Cup Rovers" in host.open("/").words
    assert host.follow("2 entries wait").path == f"/tournaments/{cup.pk}/entrants/"
    Event.objects.filter(pk=cup.pk).update(removed=True)
    assert questions_to(Club.objects.all()) == []


# --- by initials or hidden -------------------------------------------------------------------------------------
def set_state(player: Player, field: people.Field, value: bool) -> None:
    people.set_state(club=player.club, player_id=player.pk, field=field, value=value, now=NOW)


def test_no_club_tells_the_name_that_another_one_does_not(pair: tuple[Player, Player], other_host: Browser) -> None:
    """Linked people are all shown by initials; who is hidden is found from no other club."""
    ana, ann = pair
    ann.name, visitor, page = "Anna Stone", Browser(), f"/players/{ann.pk}/"
    ann.save()
    set_state(ana, "initials", True)
    assert "Anna Stone" in visitor.open(page).words
    linked(*pair)
    for each in ("/players/", "/search/?q=anna", f"/clubs/{ann.club.slug}/", page):
        assert "Stone" not in visitor.open(each).words, each
    assert "Also plays in Rovers" in visitor.words
    assert "In public they appear by initials" in other_host.open(page_of(ann)).words
    set_state(ana, "initials", False)
    assert "Anna Stone" in visitor.open(page).words
    set_state(ana, "hidden", True)
    assert "Anna Stone" in visitor.open(page).words
    assert f"/players/{ana.pk}/" not in visitor.markup
    set_state(ana, "initials", True)
    assert "Anna Stone" not in visitor.open(page).words
    persons.end(club=ana.club, link_id=SamePerson.objects.get().pk, by=None, now=NOW)
    assert "Anna Stone" in visitor.open(page).words


# --- never twice in a club ------------------------------------------------------------------------------------
def test_a_link_that_would_bring_two_people_of_a_club_together_is_refused(
    cast: Cast, pair: tuple[Player, Player], host: Browser
) -> None:
    ana, ann = pair
    bo, far = cast.club.players.create(name="Bo Ray"), third()
    linked(ana, far)
    linked(bo, ann)
    Membership.objects.create(user=cast.users["director"], club=far.club, role=Role.DIRECTOR)
    before = everything()
    words = "Ana Blum and Bo Ray would be the same person, but both play at Rovers. Ask a host to merge them."
    assert words in ask(host, ana, ann).words
    assert everything() == before
    Player.objects.filter(pk=bo.pk).update(hidden=True)
    with pytest.raises(Refused, match="Two people of one club would then be the same person") as refused:
        persons.ask(club=far.club, player_id=far.pk, other_id=ann.pk, at_once=True, by=cast.users["stranger"], now=NOW)
    assert "Bo Ray" not in refused.value.message


def test_a_merge_and_a_claim_that_would_do_it_are_refused(cast: Cast, pair: tuple[Player, Player]) -> None:
    ana, ann = pair
    bo, far = cast.club.players.create(name="Bo Ray"), ann.club.players.create(name="Bo R")
    linked(ana, ann)
    linked(bo, far)
    before = everything()
    with pytest.raises(Refused, match="Ann Bloom and Bo R would be the same person, but both play at Wanderers"):
        merge(bo, ana)
    user = User.objects.create_user("ana")
    claimed(ana, user)
    with pytest.raises(Refused, match="Ana Blum and Bo Ray would be the same person, but both play at Rovers"):
        claimed(far, user)
    claims.release(player_id=ana.pk, by=None, now=NOW)
    assert everything() == before


def test_who_cannot_be_separated_is_told_why(pair: tuple[Player, Player]) -> None:
    ana, ann = pair
    ana_too = ana.club.players.create(name="Ana B")
    linked(ana, ann)
    merge(ana, ana_too)
    user = User.objects.create_user("ana")
    for each in (ana_too, ann):
        claimed(each, user)
    before = everything()
    with pytest.raises(Refused, match="Ana Blum and Ana B are both linked with the same person of another club"):
        people.separate(club=ana.club, player_id=ana.pk, now=NOW)
    assert everything() == before


# --- what follows ---------------------------------------------------------------------------------------------
def played(club: Club, *names: str) -> Match:
    table = club.tables.first() or club.tables.create(number=1)
    match = matches.open_match(table=table, game=PAIRS, options={}, players=names, by=Actor(), now=NOW, parallel=True)
    return enter(match, [{"kind": "result", "totals": [90, 10], "stopped": "early"}])


def work_off() -> None:
    while job := Job.objects.filter(kind=ratings.KIND, state=Job.State.NEW).first():
        jobs.run(job.pk, WORK)


def contests(player: Player) -> list[int]:
    """How many matches the person has played on the whole server, after each match of the player."""
    lines = in_edition(edition()).filter(player=player).order_by("match")
    return [line.everywhere[PAIRS][3] for line in lines]


def test_ratings_of_the_whole_server_follow(pair: tuple[Player, Player]) -> None:
    ana, ann = pair
    played(ana.club, "Ana Blum", "Bo")
    played(ann.club, "Ann Bloom", "Bo")
    work_off()
    assert (contests(ana), contests(ann)) == ([1], [1])
    linked(ana, ann)
    work_off()
    assert (contests(ana), contests(ann)) == ([1], [2])
    assert {*RatingLine.objects.filter(player=ann).values_list("person", flat=True)} == {ana.pk}
    persons.end(club=ana.club, link_id=SamePerson.objects.get().pk, by=None, now=NOW)
    work_off()
    assert (contests(ana), contests(ann)) == ([1], [1])


def test_whoever_is_removed_takes_no_ratings_of_others_with_them(pair: tuple[Player, Player]) -> None:
    ana, ann = pair
    played(ann.club, "Ann Bloom", "Bo")
    far = third()
    linked(ana, ann)
    linked(ana, far)
    work_off()
    people.remove(club=ana.club, player_id=ana.pk, now=NOW)
    assert contests(ann) == [1]
    assert (person(ann), person(far)) == (None, None)
    work_off()
    assert contests(ann) == [1]


# --- all of it in any order -----------------------------------------------------------------------------------
PEOPLE = ("a1", "a2", "a3", "b1", "b2", "c1", "c2")
ACCOUNTS = ("u", "v")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["merge", "link", "end"]), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)),
        st.tuples(st.sampled_from(["separate", "release"]), st.sampled_from(PEOPLE), st.just("")),
        st.tuples(st.just("claim"), st.sampled_from(PEOPLE), st.sampled_from(ACCOUNTS)),
    ),
    max_size=25,
)


@dataclass
class Plain:
    """The same by the plainest rules. The first letter of a name is the club."""

    merged: dict[str, str] = field(default_factory=dict)
    links: set[tuple[str, str]] = field(default_factory=set)
    accounts: dict[str, str] = field(default_factory=dict)

    def counts(self, name: str) -> str:
        return self.counts(self.merged[name]) if name in self.merged else name

    def group(self, name: str) -> set[str]:
        return {each for each in PEOPLE if self.counts(each) == self.counts(name)}

    def persons(self) -> dict[str, set[str]]:
        """By name, everybody who counts as the same person."""
        found = {}
        for name in PEOPLE:
            same = {name}
            while more := {other for other in PEOPLE if any(self.touch(each, other) for each in same)} - same:
                same |= more
            found[name] = {each for each in same if each not in self.merged}
        return found

    def touch(self, one: str, other: str) -> bool:
        account = self.accounts.get(one)
        return (
            self.counts(one) == self.counts(other)
            or bool({(one, other), (other, one)} & self.links)
            or (account is not None and account == self.accounts.get(other))
        )

    def fits(self) -> bool:
        return all(len({each[0] for each in same}) == len(same) for same in self.persons().values())

    def account(self, name: str) -> str | None:
        return next((self.accounts[each] for each in self.group(name) if each in self.accounts), None)

    def claimed_in(self, club: str) -> set[str | None]:
        """The accounts that have claimed somebody in the club."""
        return {self.account(each) for each in PEOPLE if each[0] == club}

    def refuses(self, what: str, name: str, other: str) -> bool:
        match what:
            case "merge":
                two_accounts = len({self.account(each) for each in (name, other)} - {None}) > 1
                return name[0] != other[0] or name == other or bool({name, other} & {*self.merged}) or two_accounts
            case "separate":
                return name not in self.merged
            case "link":
                return name[0] == other[0] or self.counts(other) in self.persons()[self.counts(name)]
            case "end":
                return not {(name, other), (other, name)} & self.links
            case "claim":
                return self.account(name) is not None or other in self.claimed_in(name[0])
        return self.account(name) is None

    def after(self, what: str, name: str, other: str) -> "Plain | None":
        """What it is after a step; None if the step is refused."""
        if self.refuses(what, name, other):
            return None
        new = deepcopy(self)
        match what:
            case "merge":
                new.merged[name] = other
            case "separate":
                del new.merged[name]
            case "link":
                new.links.add((self.counts(name), self.counts(other)))
            case "end":
                new.links -= {(name, other), (other, name)}
            case "claim":
                new.accounts[self.counts(name)] = other
            case "release":
                new.accounts = {each: who for each, who in self.accounts.items() if each not in self.group(name)}
        return new if new.fits() else None


def done(players: dict[str, Player], users: dict[str, User], what: str, name: str, other: str) -> bool:
    """Whether the step was done, not refused."""
    player = players[name]
    try:
        match what:
            case "merge":
                merge(player, players[other])
            case "separate":
                people.separate(club=player.club, player_id=player.pk, now=NOW)
            case "link":
                linked(player, players[other])
            case "end":
                ends = [player.pk, players[other].pk]
                link = SamePerson.objects.get(asked_by__in=ends, asked_of__in=ends)
                persons.end(club=player.club, link_id=link.pk, by=None, now=NOW)
            case "claim":
                claimed(player, users[other])
            case "release":
                claims.release(player_id=player.pk, by=None, now=NOW)
    except (Refused, SamePerson.DoesNotExist, Player.DoesNotExist):
        return False
    return True


@pytest.fixture
def players(db: None) -> dict[str, Player]:
    made = {each: Club.objects.create(slug=each, name=each, created_at=NOW) for each in "abc"}
    return {name: made[name[0]].players.create(name=name) for name in PEOPLE}


@pytest.fixture
def users(db: None) -> dict[str, User]:
    return {name: User.objects.create_user(name) for name in ACCOUNTS}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_in_any_order_everybody_counts_as_the_plain_rules_say(
    players: dict[str, Player],
    users: dict[str, User],
    steps: list[tuple[str, str, str]],
) -> None:
    plain = Plain()
    with transaction.atomic():
        for step in steps:
            after = plain.after(*step)
            assert done(players, users, *step) == (after is not None), step
            plain = after or plain
            by_name = dict(Player.objects.values_list("name", "person__name"))
            assert by_name == {
                name: min(same) if len(same) > 1 and name not in plain.merged else None
                for name, same in plain.persons().items()
            }
        transaction.set_rollback(True)
