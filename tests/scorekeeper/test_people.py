"""The people of a club: whom a typed name means, who is the same person, who is hidden, and who has left."""

from collections.abc import Callable
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

import games
from scorekeeper.access import Actor
from scorekeeper.models import Application, AuditEntry, Change, Event, FormerName, Job, Match, Player, SeatResult
from scorekeeper.selectors.clubs import listed_of, players_named, players_of
from scorekeeper.selectors.events import event_now, state_of
from scorekeeper.selectors.standings import club_tables
from scorekeeper.services import clubs, events, matches, people, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.services.people import Typist, Unsure
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter
from tests.nights import at, first, night_of
from tests.tournaments import setup_of

PAIRS = next(slug for slug, game in games.GAMES.items() if game.seats == (2,))
FOUR = next(slug for slug, game in games.GAMES.items() if game.seats == (4,))


@pytest.fixture
def host(as_user: Callable[[str], Client]) -> Browser:
    return Browser(as_user("director"))


def player(cast: Cast, name: str, **values: Any) -> Player:
    return cast.club.players.create(name=name, **values)


def played(cast: Cast, *names: str, totals: tuple[int, int] = (90, 10)) -> Match:
    """A finished match of these two."""
    match = matches.open_match(
        table=cast.table, game=PAIRS, options={}, players=names, by=Actor(), now=NOW, parallel=True
    )
    return enter(match, [{"kind": "result", "totals": list(totals), "stopped": "early"}])


def merge(cast: Cast, one: Player, other: Player) -> Player:
    return people.merge(club=cast.club, player_id=one.pk, into_id=other.pk, now=NOW)


def points(cast: Cast) -> dict[str, int]:
    return {row.name: row.points_for for rows in club_tables(cast.club).values() for row in rows}


def rows() -> list[tuple[Any, ...]]:
    return list(SeatResult.objects.order_by("match", "number").values_list("match", "seat", "player", "points"))


def check() -> str:
    out = StringIO()
    call_command("rebuild", check=True, stdout=out)
    return out.getvalue()


# --- whom a typed name means ----------------------------------------------------------------------------------
def test_a_former_name_and_that_of_somebody_merged_find_the_person(cast: Cast) -> None:
    anna, dave = player(cast, "Anna Smith"), player(cast, "Dave")
    clubs.player_rename(club=cast.club, player_id=anna.pk, name="Anna Jones", now=NOW)
    merge(cast, dave, anna)
    names = ["anna smith", "ANNA JONES", "dave", "Bo"]
    assert players_named(cast.club.pk, names) == dict.fromkeys(names[:3], anna)
    match = played(cast, "Anna Smith", "Bo")
    assert [(seat.name, seat.player.guest) for seat in match.seats.all()] == [("Anna Jones", False), ("Bo", True)]
    with pytest.raises(games.Malformed, match="one seat only"):
        played(cast, "Dave", "Anna Smith")


def test_a_name_of_today_comes_before_a_former_one_and_can_be_given_free(cast: Cast, host: Browser) -> None:
    anna = player(cast, "Anna Smith")
    clubs.player_rename(club=cast.club, player_id=anna.pk, name="Anna Jones", now=NOW)
    with pytest.raises(Refused, match="Anna Smith is another name of Anna Jones"):
        clubs.player_add(club=cast.club, name="Anna Smith", now=NOW)
    host.open(f"/clubs/rovers/players/{anna.pk}/").press("Remove")
    assert not FormerName.objects.exists()
    other = clubs.player_add(club=cast.club, name="Anna Smith", now=NOW)
    assert players_named(cast.club.pk, ["anna smith"]) == {"anna smith": other}


def test_who_gets_an_old_name_back_has_no_former_name(cast: Cast) -> None:
    anna = player(cast, "Anna")
    for name in ("Anne", "anna", "Anna"):
        clubs.player_rename(club=cast.club, player_id=anna.pk, name=name, now=NOW)
    assert [each.name for each in anna.former_names.all()] == ["Anne"]


def test_a_nearly_known_name_is_asked_for_before_anything_is_saved(cast: Cast) -> None:
    david, typist = player(cast, "David Evans"), Typist(host=True)
    with pytest.raises(Unsure) as unsure:
        people.named(cast.club, ["Bo", "Davd Evans"], typist=typist, now=NOW)
    assert [(each.name, each.people) for each in unsure.value.questions] == [("Davd Evans", (david,))]
    assert cast.club.players.count() == 1

    def answered(person: int | None) -> list[str]:
        answers = Typist(host=True, answers={"davd evans": person})
        return [each.name for each in people.named(cast.club, ["Bo", "Davd Evans"], typist=answers, now=NOW)]

    with pytest.raises(Unsure):
        answered(999)
    assert answered(david.pk) == ["Bo", "David Evans"]
    assert answered(None) == ["Bo", "Davd Evans"]
    assert [each.name for each in people.named(cast.club, ["Daivd Evans"], typist=None, now=NOW)] == ["Daivd Evans"]


@pytest.mark.parametrize("field", ["hidden", "left"])
def test_only_hosts_are_asked_about_people_in_no_public_list(cast: Cast, field: str) -> None:
    player(cast, "David Evans", **{field: True})
    with pytest.raises(Unsure):
        people.meant(cast.club, ["Davd Evans"], typist=Typist(host=True))
    assert people.meant(cast.club, ["Davd Evans"], typist=Typist(host=False))["Davd Evans"].pk is None


def test_nobody_is_asked_about_somebody_in_the_same_list(cast: Cast) -> None:
    player(cast, "David Evans")
    assert len(people.named(cast.club, ["David Evans", "Davin Evans"], typist=Typist(host=True), now=NOW)) == 2


@pytest.mark.parametrize(
    ("answer", "there"),
    [
        ("David Evans", ["David Evans"]),
        ("Davd Evans", ["Davd Evans"]),
        (None, ["Davd Evans", "David Evans"]),
    ],
)
def test_nearly_the_same_new_names_of_a_list_are_asked_about(cast: Cast, answer: str | None, there: list[str]) -> None:
    names = ["Davd Evans", "Bo", "David Evans", "Ana", "Ada"]

    def add(answers: dict[str, int | str | None]) -> people.Added:
        return people.add(club=cast.club, names=names, guest=True, typist=Typist(True, answers), now=NOW)

    with pytest.raises(Unsure) as unsure:
        add({})
    assert [(each.name, each.people, each.spellings) for each in unsure.value.questions] == [
        ("David Evans", (), ("Davd Evans",))
    ]
    assert not cast.club.players.exists()
    assert add({"david evans": answer}).number == 3 + len(there)
    assert sorted(each.name for each in cast.club.players.all()) == sorted([*there, "Bo", "Ana", "Ada"])


def test_one_person_twice_in_a_list_is_seated_once(cast: Cast, host: Browser) -> None:
    typed = {"guests": "Davd Evans\nBo\nDavid Evans\nCy\nAda", "game": FOUR}
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", **typed)
    assert "Davd Evans and David Evans are both new. Are they one person?" in host.words
    for words in ("One person: David Evans", "One person: Davd Evans", "Two people"):
        assert words in host.words
    host.press("Continue", **{"meant:david evans": "spelt:David Evans"})
    assert [each.name for each in players_of(cast.club)] == ["Ada", "Bo", "Cy", "David Evans"]
    [night] = Event.objects.all()
    assert len(event_now(night).here) == 4


def test_new_names_that_may_be_one_of_the_club_are_asked_about_once(cast: Cast) -> None:
    david, names = player(cast, "David Evans"), ["Davd Evans", "Daivd Evans"]
    with pytest.raises(Unsure) as unsure:
        people.meant(cast.club, names, typist=Typist(True))
    assert [(each.people, each.spellings) for each in unsure.value.questions] == [((david,), ())] * 2
    found = people.meant(cast.club, names, typist=Typist(True, {"davd evans": None, "daivd evans": None}))
    assert [each.name for each in found.values()] == names


def test_who_sit_at_one_table_are_different_people(cast: Cast) -> None:
    names = ["Davd Evans", "David Evans"]
    assert len(people.named(cast.club, names, typist=Typist(True), now=NOW, apart=True)) == 2


def typed_on_the_people_page(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/players/").press("Add", names="Bo\nDavd Evans")


def typed_at_the_start_of_a_night(cast: Cast, host: Browser) -> None:
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", guests="Bo\nDavd Evans", game=PAIRS, name="Winter")


def typed_on_the_desk(cast: Cast, host: Browser) -> None:
    night = events.start(club=cast.club, players=[], step=first("start"))
    host.open(f"/nights/{night.pk}/desk/").press("Save who is here", guests="Bo\nDavd Evans")


def typed_for_a_tournament(cast: Cast, host: Browser) -> None:
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of(PAIRS, "heads"), step=first("cup"))
    host.open(f"/tournaments/{cup.pk}/desk/").press("Enter", names="Bo\nDavd Evans")


def typed_in_a_table_of_entrants(cast: Cast, host: Browser) -> None:
    cup = tournaments.start(club=cast.club, name="Cup", setup=setup_of(PAIRS, "heads"), step=first("cup"))
    host.open(f"/tournaments/{cup.pk}/entrants/").press("Enter all of them", table="Bo,North\nDavd Evans,South")


def typed_at_a_table(cast: Cast, host: Browser) -> None:
    host.open(f"/tables/{cast.table.pk}/matches/?game={PAIRS}").press("Start", player_0="Bo", player_1="Davd Evans")


def typed_from_paper(cast: Cast, host: Browser) -> None:
    typed = {"player_0": "Bo", "player_1": "Davd Evans", "total_0": "90", "total_1": "10", "stopped": "time"}
    host.open(f"/clubs/rovers/paper/?game={PAIRS}").press("Save", at="2026-05-09T19:30", **typed)


DOORS = [
    typed_on_the_people_page,
    typed_at_the_start_of_a_night,
    typed_on_the_desk,
    typed_for_a_tournament,
    typed_in_a_table_of_entrants,
    typed_at_a_table,
    typed_from_paper,
]


@pytest.mark.parametrize("typed", DOORS)
@pytest.mark.parametrize("use", [True, False])
def test_every_form_asks_and_loses_nothing(
    cast: Cast, host: Browser, typed: Callable[[Cast, Browser], None], use: bool
) -> None:
    david = player(cast, "David Evans")
    typed(cast, host)
    assert host.status == 422
    assert "You typed Davd Evans. Did you mean David Evans?" in host.words
    assert not cast.club.players.filter(name="Bo").exists()
    host.press("Continue", **{"meant:davd evans": str(david.pk) if use else "new"})
    assert host.status == 200, host.words
    there = {"Bo", "David Evans"} if use else {"Bo", "David Evans", "Davd Evans"}
    assert {each.name for each in cast.club.players.all()} == there


def test_a_start_that_is_refused_keeps_whom_somebody_meant(cast: Cast, host: Browser) -> None:
    tess, bo = player(cast, "Tess Holm"), player(cast, "Bo")
    night = events.start(club=cast.club, players=[tess.pk, bo.pk], step=first("start"))
    matches.open_match(table=cast.other_table, game=PAIRS, options={}, players=["Bo", "Cy"], by=Actor(), now=NOW)
    host.open(f"/tables/{cast.table.pk}/matches/?game={PAIRS}").press("Start", player_0="Bo", player_1="Holm Tes")
    host.press("Continue", **{"meant:holm tes": str(tess.pk)})
    assert "Bo" in host.words
    assert "table 2" in host.words
    fields = {name: text for form in host.forms for name, text in form.fields}
    assert (fields["player-0"], fields["player-1"]) == ("Bo", "Tess Holm")
    assert not night.matches.filter(table=cast.table).exists()


@pytest.mark.parametrize("typed", DOORS)
def test_the_question_leads_back_to_the_form_with_everything_typed(
    cast: Cast, host: Browser, typed: Callable[[Cast, Browser], None]
) -> None:
    player(cast, "David Evans")
    typed(cast, host)
    host.press("Back")
    assert "Nothing is saved yet. Change what you typed, then go on." in host.words
    filled = "\n".join(text for form in host.forms for _name, text in form.fields)
    assert "Bo" in filled
    assert "Davd Evans" in filled
    assert not cast.club.players.filter(name__in=["Bo", "Davd Evans"]).exists()


def test_nothing_is_lost_if_somebody_else_answers_the_question_before_the_host_goes_back(
    cast: Cast, host: Browser
) -> None:
    player(cast, "David Evans")
    typed_on_the_desk(cast, host)
    player(cast, "Bo")
    player(cast, "Davd Evans")
    host.press("Back")
    [night] = Event.objects.all()
    assert not event_now(night).here


def test_the_desk_keeps_the_wish_while_it_asks(cast: Cast, host: Browser) -> None:
    player(cast, "David Evans")
    night = events.start(club=cast.club, players=[], guests=["Ana", "Cy"], step=first("start"))
    typed = {"guests": "Bo\nDavd Evans", "game": PAIRS, "second": FOUR, "tables": "3"}
    host.open(f"/nights/{night.pk}/desk/").press("Fill the tables", **typed)
    host.press("Back")
    fields = {**typed}
    for form in host.forms:
        for name, text in form.fields:
            if name in typed:
                fields[name] = text
    assert {name: text.strip() for name, text in fields.items()} == typed


def test_who_enters_themselves_is_asked_too(cast: Cast) -> None:
    david, visitor = player(cast, "David Evans"), Browser()
    cup = tournaments.start(
        club=cast.club, name="Cup", setup=setup_of(PAIRS, "heads", self_entry=True), step=first("cup")
    )
    visitor.open(f"/tournaments/{cup.pk}/ask/").press("Ask to be entered", name="Davd Evans", club="North")
    visitor.press("Continue", **{"meant:davd evans": str(david.pk)})
    [asked] = Application.objects.all()
    assert (asked.players, asked.club) == (["David Evans"], "North")


def test_a_host_makes_several_guests_members_at_once(cast: Cast, host: Browser) -> None:
    ana, bo, cy = (player(cast, name, guest=True) for name in ("Ana", "Bo", "Cy"))
    member = player(cast, "Dan")
    host.open("/clubs/rovers/players/?which=guests").press("Make members", who=[str(ana.pk), str(cy.pk)])
    assert host.path.endswith("?which=guests")
    assert "Now members: Ana + Cy." in host.words
    assert list(cast.club.players.filter(guest=True)) == [bo]
    made = AuditEntry.objects.filter(kind=AuditEntry.Kind.PLAYER_MEMBER)
    assert sorted(each.what for each in made) == ["Ana", "Cy"]
    host.press("Make members")
    assert "Tick the guests who become members." in host.words
    Player.objects.filter(pk=bo.pk).update(guest=False)
    assert not host.open("/clubs/rovers/players/").has_button("Make members")
    assert member.name in host.words


# --- the same person ------------------------------------------------------------------------------------------
def test_two_people_are_merged_and_separated_again(cast: Cast) -> None:
    played(cast, "Dave", "Bo")
    played(cast, "David", "Cy", totals=(50, 60))
    dave, david = (cast.club.players.get(name=name) for name in ("Dave", "David"))
    before, counted = rows(), points(cast)
    merge(cast, dave, david)
    assert points(cast) == {"David": 140, "Bo": 10, "Cy": 60}
    assert dave.seats.exists(), "as it was written"
    assert [each.name for each in players_of(cast.club)] == ["Bo", "Cy", "David"]
    check()
    people.separate(club=cast.club, player_id=dave.pk, now=NOW)
    assert (rows(), points(cast)) == (before, counted)
    check()


def test_a_chain_has_one_person_at_its_end_and_comes_apart_link_by_link(cast: Cast) -> None:
    for name in ("A. Evans", "B. Evans", "C. Evans"):
        played(cast, name, "Bo")
    a, b, c = cast.club.players.filter(name__endswith="Evans").order_by("name")
    merge(cast, a, b)
    between = rows()
    merge(cast, b, c)
    assert points(cast) == {"C. Evans": 270, "Bo": 30}
    assert set(players_named(cast.club.pk, ["A. Evans", "b. evans"]).values()) == {c}
    check()
    people.separate(club=cast.club, player_id=b.pk, now=NOW)
    assert rows() == between
    check()


def test_a_substitute_counts_as_the_person_too(cast: Cast) -> None:
    match = matches.open_match(
        table=cast.table, game=PAIRS, options={}, players=["Ana", "Bo"], by=Actor(), now=NOW, parallel=True
    )
    out = {"kind": "substitute", "seat": 0, "from": 0, "player": "Dave"}
    enter(match, [out, {"kind": "result", "totals": [90, 10], "stopped": "early"}])
    dave, david = cast.club.players.get(name="Dave"), player(cast, "David")
    before = rows()
    merge(cast, dave, david)
    assert points(cast) == {"David": 90, "Bo": 10}
    check()
    people.separate(club=cast.club, player_id=dave.pk, now=NOW)
    assert rows() == before


def test_a_correction_after_the_merge_counts_for_the_person(cast: Cast) -> None:
    match, david = played(cast, "Dave", "Bo"), player(cast, "David")
    merge(cast, cast.club.players.get(name="Dave"), david)
    enter(match, [{"kind": "undo"}, {"kind": "result", "totals": [70, 10], "stopped": "early"}], prefix="r")
    assert points(cast) == {"David": 70, "Bo": 10}


def test_the_check_finds_results_of_somebody_else(cast: Cast) -> None:
    played(cast, "Dave", "Bo")
    SeatResult.objects.filter(player__name="Dave").update(player=player(cast, "David"))
    with pytest.raises(CommandError):
        check()
    call_command("rebuild", stdout=StringIO())
    check()


def test_what_cannot_be_merged(cast: Cast) -> None:
    played(cast, "Ana", "Bo")
    ana, bo, cy, di = (Player.objects.get_or_create(club=cast.club, name=name)[0] for name in ("Ana", "Bo", "Cy", "Di"))
    night = events.start(club=cast.club, players=[di.pk], step=first("start"))

    def refused(one: Player, other: Player) -> str:
        with pytest.raises(Refused) as error:
            merge(cast, one, other)
        return error.value.code

    nestor = Player.objects.create(club=cast.club, name="Nestor", program=True)
    assert refused(ana, ana) == "same-person"
    assert refused(nestor, ana) == refused(ana, nestor) == "nestor"
    assert refused(ana, bo) == refused(bo, ana) == "played-together"
    assert refused(di, cy) == refused(cy, di) == "plays-now"
    merge(cast, cy, bo)
    assert refused(cy, ana) == refused(ana, cy) == "merged-already"
    assert refused(bo, ana) == "played-together"
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    merge(cast, di, ana)
    with pytest.raises(Player.DoesNotExist):
        merge(cast, cast.other_club.players.get(name="Ana"), ana)


@pytest.mark.parametrize(
    ("do", "typed", "words"),
    [
        ("merge", "Ana", "That is the same person. Choose somebody else to merge them with."),
        ("merge", "ANA", "That is the same person."),
        ("merge", "Bo", "Ana and Bo sat in the same match, so they are two people."),
        ("merge", "Zoe", "Nobody in the club has this name. Choose a name from the list."),
        ("merge", "", "Nobody in the club has this name."),
        ("rename", "bo", "The club already has a player called Bo."),
        ("rename", "Cy", "Cy is another name of Cyd. Remove it on their page before somebody else gets it."),
        ("rename", " ", "A name"),
    ],
)
def test_what_cannot_be_saved_says_why_and_saves_nothing(
    cast: Cast, host: Browser, do: str, typed: str, words: str
) -> None:
    played(cast, "Ana", "Bo")
    cy = player(cast, "Cy")
    clubs.player_rename(club=cast.club, player_id=cy.pk, name="Cyd", now=NOW)
    ana = cast.club.players.get(name="Ana")

    def everything() -> list[Any]:
        tables = (Player, FormerName, SeatResult, AuditEntry, Change, Job)
        return [list(table.objects.order_by("pk").values()) for table in tables]

    before = everything()
    host.post(f"/clubs/rovers/players/{ana.pk}/", {"do": [do], "name": [typed], "other": [typed]})
    assert host.status == 422
    assert words in host.words
    assert everything() == before


def test_somebody_at_an_open_match_cannot_be_merged(cast: Cast) -> None:
    cast.open(PAIRS)
    with pytest.raises(Refused, match="Ana takes part in an open event or match"):
        merge(cast, cast.club.players.get(name="Ana"), player(cast, "Anna"))


def test_a_night_with_somebody_merged_is_not_opened_again(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=0)
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    ada, other = cast.club.players.get(name="Ada"), player(cast, "Ada Wolf")
    merge(cast, ada, other)
    assert event_now(Event.objects.get()).name(ada.pk) == "Ada Wolf"
    with pytest.raises(Refused, match="Ada is merged with Ada Wolf"):
        events.undo(event_id=night.pk, step=at(night, "undo"))
    people.separate(club=cast.club, player_id=ada.pk, now=NOW)
    events.undo(event_id=night.pk, step=at(night, "undo"))


def test_the_page_of_a_night_shows_who_counts(cast: Cast) -> None:
    night = night_of(cast, 4, rounds=1)
    enter(night.matches.get(), [{"kind": "result", "totals": [90, 10, 90, 10], "stopped": "early"}])
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    visitor = Browser()
    assert "Ada Wolf" not in visitor.open(f"/nights/{night.pk}/").words
    merge(cast, cast.club.players.get(name="Ada"), player(cast, "Ada Wolf"))
    assert "Ada Wolf" in visitor.open(f"/nights/{night.pk}/").words


# --- the pages ------------------------------------------------------------------------------------------------
def test_a_host_finds_people_and_pages_through_them(
    cast: Cast, host: Browser, django_assert_max_num_queries: Any
) -> None:
    Player.objects.bulk_create(Player(club=cast.club, name=f"Person {number:03}") for number in range(500))
    anna = player(cast, "Ánna", guest=True)
    clubs.player_rename(club=cast.club, player_id=anna.pk, name="Zoë", now=NOW)
    with django_assert_max_num_queries(12):
        host.open("/clubs/rovers/players/")
    assert "501 people" in host.words
    assert ("Person 049" in host.words, "Person 050" in host.words) == (True, False)
    assert "Person 050" in host.follow("More").words
    assert "Zoë guest formerly Ánna" in host.open("/clubs/rovers/players/?q=ANNA").words
    assert "1 person." in host.open("/clubs/rovers/players/?which=guests").words
    assert "Nobody here" in host.open("/clubs/rovers/players/?which=left").words
    assert host.open("/clubs/rovers/players/?which=no&page=x").status == 200
    assert host.open("/clubs/rovers/players/?page=999").status == 200


def test_every_step_with_a_person_is_in_the_audit(cast: Cast, host: Browser) -> None:
    ana, anna = player(cast, "Ana Li"), player(cast, "Anna Li")
    page = f"/clubs/rovers/players/{ana.pk}/"
    for words in ("Make a guest", "Make a member", "Hide", "Show again"):
        host.open(page).press(words)
    host.open(page).press("Rename", name="Ana Lima")
    host.press("Merge", other="nobody")
    assert (host.status, "Nobody in the club has this name" in host.words) == (422, True)
    host.press("Merge", other="anna li").press("Merge Ana Lima with Anna Li")
    assert host.path.endswith(f"/{anna.pk}/")
    assert "Matches of this person count for Anna Li." in host.open(page).words
    host.press("Separate")
    host.open(page).press("Remove")
    kinds = AuditEntry.objects.exclude(kind="signed-in").order_by("pk").values_list("kind", "what")
    assert list(kinds) == [
        ("player-guest", "Ana Li"),
        ("player-member", "Ana Li"),
        ("player-hidden", "Ana Li"),
        ("player-shown", "Ana Li"),
        ("player-renamed", "Ana Li → Ana Lima"),
        ("player-merged", "Ana Lima → Anna Li"),
        ("player-separated", "Ana Lima, Anna Li"),
        ("name-forgotten", "Ana Li (Ana Lima)"),
    ]
    words = host.open("/clubs/rovers/audit/").words
    assert "merged two people: “Ana Lima → Anna Li”" in words


def test_merge_separate_and_remove_say_what_they_did(cast: Cast, host: Browser) -> None:
    played(cast, "Dave", "Bo")
    dave, david = cast.club.players.get(name="Dave"), player(cast, "David")
    page = f"/clubs/rovers/players/{dave.pk}/"
    assert "Has played 1 match. Show it" in host.open(page).words
    assert "Has played 0 matches." in host.open(f"/clubs/rovers/players/{david.pk}/").words
    assert "Show them" not in host.words
    host.open(page).press("Merge", other="Bo")
    assert 'role="alert" tabindex="-1" autofocus' in host.markup
    assert "say on its page who played. Then merge them. Match of 9 May 2026" in host.words
    assert f"/matches/{Match.objects.get().pk}/" in host.markup
    host.press("Merge", other="David")
    for words in ("Dave has played 1 match, on 9 May 2026.", "David has played no match yet."):
        assert words in host.words
    assert not Player.objects.exclude(merged_into=None).exists()
    host.press("Merge Dave with David")
    assert "Dave is merged with David: the matches of both count for David" in host.words
    host.open(page).press("Separate")
    assert "Dave is separate again, with everything that they played." in host.words
    host.open(f"/clubs/rovers/players/{david.pk}/").press("Remove")
    assert "David is removed from the club." in host.words


def test_people_with_nearly_the_same_name_are_offered_for_a_merge(cast: Cast, host: Browser) -> None:
    dave, david = player(cast, "Davd Evans"), player(cast, "David Evans")
    host.open(f"/clubs/rovers/players/{dave.pk}/").press("Merge with David Evans").press(
        "Merge Davd Evans with David Evans"
    )
    dave.refresh_from_db()
    assert dave.merged_into == david


def test_a_name_in_use_offers_a_merge_with_who_has_it(cast: Cast, host: Browser) -> None:
    dave, david = player(cast, "Dave"), player(cast, "David")
    host.open(f"/clubs/rovers/players/{dave.pk}/").press("Rename", name="david")
    assert (host.status, "already has a player called David" in host.words) == (422, True)
    host.press("Merge with David").press("Merge Dave with David")
    dave.refresh_from_db()
    assert dave.merged_into == david


def test_only_somebody_who_never_played_is_removed(cast: Cast, host: Browser) -> None:
    played(cast, "Ana", "Bo")
    ana, cy = cast.club.players.get(name="Ana"), player(cast, "Cy")
    host.open(f"/clubs/rovers/players/{cy.pk}/").press("Remove")
    assert not Player.objects.filter(pk=cy.pk).exists()
    host.open(f"/clubs/rovers/players/{ana.pk}/")
    assert not host.has_button("Remove")
    with pytest.raises(Refused, match="Ana has played"):
        people.remove(club=cast.club, player_id=ana.pk, now=NOW)
    host.press("Has left")
    assert [each.name for each in players_of(cast.club)] == ["Bo"]
    assert "Ana" not in host.open("/clubs/rovers/nights/new/").words
    assert points(cast)["Ana"] == 90
    host.open(f"/clubs/rovers/players/{ana.pk}/").press("Is back")
    assert len(players_of(cast.club)) == 2


def test_hidden_people_are_in_no_public_list_and_their_matches_stay(cast: Cast) -> None:
    match = played(cast, "Ana", "Bo")
    ana = cast.club.players.get(name="Ana")
    people.set_state(club=cast.club, player_id=ana.pk, field="hidden", value=True, now=NOW)
    assert [each.name for each in listed_of(cast.club)] == ["Bo"]
    assert points(cast) == {"Bo": 10}
    visitor = Browser()
    assert 'value="Ana"' not in visitor.open(f"/tables/{cast.table.pk}/matches/?game={PAIRS}").markup
    assert "A. – Bo" in visitor.open(f"/matches/{match.pk}/").words
    assert "Ana" not in visitor.words
    assert [each.name for each in players_of(cast.club)] == ["Ana", "Bo"], "hosts still choose them"


# --- the desk -------------------------------------------------------------------------------------------------
def test_everybody_from_last_time_is_one_tick(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    player(cast, "Aaron")
    events.close(event_id=night.pk, open_matches=None, step=at(night, "close"))
    host.open("/clubs/rovers/nights/new/")
    assert "Everybody from last time (4 people)" in host.words
    host.press("Fill the tables", all="last-time", guests="Zita", game=FOUR)
    assert {each.name for each in cast.club.players.filter(entries__event=Event.objects.latest("pk"))} == {
        "Ada",
        "Bruno",
        "Carmen",
        "Dmitri",
        "Zita",
    }
    assert "from last time" not in host.words, "all of them are here"


def test_all_members_are_one_tick_at_the_first_night(cast: Cast, host: Browser) -> None:
    for name in ("Ana", "Bo", "Cy"):
        player(cast, name)
    player(cast, "Gus", guest=True)
    Player.objects.filter(name="Cy").update(left=True)
    host.open("/clubs/rovers/nights/new/").press("Fill the tables", all="members", guests="\u0007", game=PAIRS)
    assert host.status == 422
    host.press("Fill the tables", guests="Zita")
    here = state_of(Event.objects.get()).here
    assert {*cast.club.players.filter(pk__in=here).values_list("name", flat=True)} == {"Ana", "Bo", "Zita"}


@pytest.mark.parametrize("words", ["Fill the tables", "Close the night"])
def test_a_name_typed_on_the_desk_counts_with_the_next_button(cast: Cast, host: Browser, words: str) -> None:
    night = night_of(cast, 3, rounds=0)
    host.open(f"/nights/{night.pk}/desk/").press(words, guests="Zoe", game=FOUR)
    assert host.status == 200, host.words
    state = state_of(night)
    assert cast.club.players.get(name="Zoe").pk in state.here
    assert (state.draft is not None, state.closed) == (words == "Fill the tables", words == "Close the night")


def test_what_the_desk_saved_before_a_refusal_is_not_typed_again(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 2, rounds=0)
    host.open(f"/nights/{night.pk}/desk/").press("Fill the tables", guests="Zoe", game=FOUR)
    assert host.status == 422
    assert len(state_of(night).here) == 3
    form, _button = host.button("Save who is here")
    assert not [value for name, value in form.fields if name == "guests" and value]


def test_an_undo_keeps_what_is_typed(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 4, rounds=0)
    host.open(f"/nights/{night.pk}/desk/").press("Fill the tables", game=FOUR)
    host.press("Undo: ", guests="Zoe")
    form, _button = host.button("Save who is here")
    assert ("guests", "Zoe") in form.fields
    assert state_of(night).draft is None


def test_a_game_says_how_many_play_it(cast: Cast, host: Browser) -> None:
    night = night_of(cast, 3, rounds=0)
    assert f"{games.GAMES[FOUR].name} (4 players, too few are free)" in host.open(f"/nights/{night.pk}/desk/").words
    host.press("Fill the tables", game=PAIRS)
    assert f"Not for this table: {games.GAMES[FOUR].name} (4 players)" in host.words
    host.open(f"/tables/{cast.table.pk}/matches/?game={FOUR}").press("Start with", player_0="Ana", player_1="Bo")
    assert f"{games.GAMES[FOUR].name} is for 4 players." in host.words


# --- names typed before ---------------------------------------------------------------------------------------
def test_names_typed_before_become_guests(cast: Cast) -> None:
    ana = player(cast, "Ana")
    first_match, second = played(cast, "Ana", "bo"), played(cast, "Bo", "Cy")
    for match in (first_match, second):
        match.seats.exclude(player=ana).update(player=None)
        for seat in match.seats.filter(player=None):
            match.results.filter(seat=seat.number).update(player=None, name=seat.name)
    cast.club.players.exclude(pk=ana.pk).delete()
    clubs.player_rename(club=cast.club, player_id=ana.pk, name="Cy", now=NOW)
    second.seats.filter(name="bo").update(player=ana)
    second.results.filter(seat=0).update(player=ana, name="")
    migration = import_module("scorekeeper.migrations.0018_guests_of_typed_names")
    migration.make_guests(apps, connection.schema_editor())
    assert [(each.name, each.guest) for each in cast.club.players.order_by("pk")] == [
        ("Cy", False),
        ("bo", True),
        ("Cy (2)", True),
    ]
    assert not SeatResult.objects.filter(player=None).exists()
    assert [seat.player.name for seat in second.seats.all()] == ["Cy", "Cy (2)"]
    check()
