"""Free play: whoever is free plays at once, by hand or matched with people they have not met."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localtime

from scorekeeper.access import Actor
from scorekeeper.events import Tournament
from scorekeeper.models import Event, Match
from scorekeeper.pages.tournament import tournament
from scorekeeper.selectors.events import event_now, in_play, state_of
from scorekeeper.selectors.free_play import Waiting, waiting
from scorekeeper.selectors.tournaments import standings_now, tournament_in
from scorekeeper.services import clubs, directing, events, free_play, tournaments
from scorekeeper.services.errors import Refused
from scorekeeper.services.matches import open_match
from scorekeeper.standings.worths import BALANCE, CENTRED
from scorekeeper.standings.writing import as_json
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_swiss import paired
from tests.scorekeeper.test_tournament_day import desk_of
from tests.scorekeeper.test_tournament_import import archived, imported, standings, without_matches
from tests.tournaments import commanded, entered, file_of, made, setup_of

Host = Callable[[str], Client]
HEADS = setup_of(
    "block", "heads", system="free", worth=BALANCE, order=["points", "head-to-head", "wins", "difference"], lots="a"
)
LARGER: dict[str, tuple[dict[str, Any], int, int]] = {
    "pairs": (HEADS | {"game": "domino-whist", "size": 2}, 5, 2),
    "partners": (HEADS | {"game": "domino-whist", "format": "partners"}, 10, 1),
    "triples": (
        HEADS | {"game": "domizerka", "format": "triples", "worth": CENTRED, "order": ["points", "lots"]},
        8,
        1,
    ),
    "mixed": (HEADS | {"game": "dominards", "format": "mixed", "worth": CENTRED, "order": ["points", "lots"]}, 10, 1),
}


class Day:
    """A day of free play with a clock, whose director takes steps."""

    def __init__(self, event: Event, seed: int = 1) -> None:
        self.event, self.now, self.rng, self.steps = event, NOW, random.Random(seed), 0

    @property
    def state(self) -> Tournament:
        found = state_of(self.event)
        assert isinstance(found, Tournament)
        return found

    @property
    def waiting(self) -> list[Waiting]:
        return waiting(event_now(self.again()))

    @property
    def free(self) -> list[int]:
        return [each.entrant for each in self.waiting]

    def again(self) -> Event:
        return Event.objects.select_related("club").get(pk=self.event.pk)

    def step(self) -> Any:
        self.steps += 1
        return at(self.event, f"step {self.steps}", self.now)

    def start(self, *entrants: int, table: int | None = None) -> Match:
        (match,) = free_play.start(
            event_id=self.event.pk, entrants=entrants, table=table, rng=self.rng, step=self.step()
        )
        return match

    def match(self, *, only_new: bool = True) -> None:
        free_play.match(event=self.again(), only_new=only_new, rng=self.rng, step=self.step())

    def release(self) -> None:
        tournaments.release(event_id=self.event.pk, minutes=None, unconfirmed=False, step=self.step())

    def end(self, match: Match) -> None:
        """A table ends with random totals."""
        assert match.round
        assert match.table
        named = self.state.pairing_at(match.round, match.table.number)
        sides = len(self.state.sides_of(named.game, named.players))
        totals = [self.rng.randrange(5) for _side in range(sides)]
        if named.game == "domizerka":
            totals = [totals[0], totals[1], -totals[0] - totals[1]]
        directing.type_result(
            event_id=self.event.pk,
            round_number=match.round,
            table=match.table.number,
            totals=totals,
            early=True,
            step=self.step(),
        )

    def playing(self) -> list[Match]:
        return [match for match in event_now(self.again()).matches if in_play(match)]

    def rest(self, *entrants: int) -> None:
        free_play.rest(event_id=self.event.pk, entrants=entrants, step=self.step())

    def play_on(self, *entrants: int) -> None:
        free_play.play_on(event_id=self.event.pk, entrants=entrants, step=self.step())

    def drafted(self) -> list[list[int]]:
        draft = self.state.draft
        assert draft
        return [[self.state.numbers[player] for player in pairing.players] for pairing in draft.pairings]


def tables_of(event: Event) -> list[list[list[int]]]:
    """The tables of the file with their entrants, round by round."""
    rounds = file_of(event)["stages"][0]["rounds"]
    return [[[each for side in table["sides"] for each in side] for table in played["tables"]] for played in rounds]


def met_in(event: Event) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for played in tables_of(event) for table in played for two in combinations(table, 2))


def pairings_of(people: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way in which some of these play in twos."""
    if not people:
        yield []
        return
    first, *others = people
    yield from pairings_of(others)
    for other in others:
        for rest in pairings_of([each for each in others if each != other]):
            yield [(first, other), *rest]


def best_of(free: list[int], met: Counter[frozenset[int]]) -> set[int]:
    """Who plays, found by trying everything: as many as can without meeting again, and those who wait longest."""
    new = [found for found in pairings_of(free) if not any(met[frozenset(two)] for two in found)]
    seated = [{each for two in found for each in two} for found in new]
    # Of those who go on waiting, the one who waits longest decides, then the next.
    return min(
        seated,
        key=lambda there: (-len(there), [len(free) - at for at, each in enumerate(free) if each not in there]),
    )


# --- a whole day ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [1, 2])
def test_a_day_of_people_who_come_rest_and_leave(cast: Cast, as_user: Host, seed: int) -> None:
    day = Day(entered(cast, HEADS, 11), seed)
    matched = by_hand = 0
    for turn in range(50):
        day.now += timedelta(minutes=day.rng.randrange(1, 9))
        playing = day.playing()
        if playing and (day.rng.random() < 0.6 or len(playing) == 5):
            day.end(day.rng.choice(playing))
        if turn == 10:
            late = clubs.player_add(club=cast.club, name="Late", now=day.now).pk
            tournaments.enter(event_id=day.event.pk, entrants=[[late]], step=day.step())
        if turn == 20 or turn == 45:
            day.rest(day.free[0] if day.free else 1)
        if turn == 30:
            day.play_on(*day.state.resting)
        if turn == 40:
            tournaments.withdraw(event_id=day.event.pk, entrants=[2], step=day.step())
        free, met = day.free, met_in(day.event)
        if day.rng.random() < 0.2 and len(free) > 1:
            day.start(*day.rng.sample(free, 2))
            by_hand += 1
        elif len(free) > 1:
            best = best_of(free, met)
            if not best:
                with pytest.raises(Refused) as refused:
                    day.match()
                assert refused.value.code == "all-met"
                continue
            day.match()
            tables = day.drafted()
            assert {each for table in tables for each in table} == best
            assert not any(met[frozenset(table)] for table in tables)
            day.release()
            matched += len(tables)
        there = [numbers for match in day.playing() for numbers in match.seats.values_list("player", flat=True)]
        assert len(there) == len({*there})  # nobody is at two tables
        at_tables = [match.table_id for match in day.playing()]
        assert len(at_tables) == len({*at_tables})
    assert matched > 10
    assert by_hand > 2
    for played in tables_of(day.event):
        seated = [each for table in played for each in table]
        assert len(seated) == len({*seated})
    file = Client().get(f"/tournaments/{day.event.pk}/file.json").content
    there = as_json(standings_now(event_now(day.again())), why=False)["stages"]
    assert [row | {"why": None} for row in commanded(file)["stages"][0]["rows"]] == [
        row | {"why": None} for row in there[0]["rows"]
    ]
    tournaments.close(event_id=day.event.pk, open_matches="count", early=False, step=day.step())
    job = imported(cast, as_user, archived(day.again()))
    assert job.error == ""
    copy = Event.objects.get(pk=int(job.result))
    assert standings(copy) == standings(day.event)
    stages = [without_matches(file_of(each))["stages"] for each in (day.event, copy)]
    assert stages[0] == stages[1]


# --- the draw ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", LARGER)
def test_larger_tables_are_matched_until_those_who_are_free_have_met(cast: Cast, kind: str) -> None:
    setup, entrants, size = LARGER[kind]
    day = Day(entered(cast, setup, entrants, size), 3)
    for _turn in range(4):
        day.now += timedelta(minutes=10)
        with suppress(Refused):  # perhaps all have met
            day.match()
        if not day.state.draft:
            day.match(only_new=False)
        assert day.drafted()
        day.release()
        for match in day.playing():
            day.end(match)
    (stage,) = file_of(day.event)["stages"]
    assert stage["system"] == "free"
    assert sum(len(played["tables"]) for played in stage["rounds"]) >= 4
    for played in tables_of(day.event):
        seated = [each for table in played for each in table]
        assert len(seated) == len({*seated})


def test_two_who_have_just_met_wait_for_others(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 4))
    first, other = day.start(1, 2), day.start(3, 4)
    day.end(first)
    with pytest.raises(Refused, match="Wait until a table ends") as refused:
        day.match()
    assert refused.value.code == "all-met"
    day.match(only_new=False)
    assert day.drafted() in ([[1, 2]], [[2, 1]])
    day.end(other)
    day.match()
    assert {frozenset(table) for table in day.drafted()} <= {frozenset((a, b)) for a in (1, 2) for b in (3, 4)}
    assert len(day.drafted()) == 2


def test_what_to_do_when_too_few_are_free(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 3))
    match = day.start(1, 2)
    with pytest.raises(Refused, match=r"needs 2 entrants. Free: 1. Wait until a table ends."):
        day.match()
    day.end(match)
    day.rest(1, 2)
    with pytest.raises(Refused, match=r"Free: 1, and no table plays. Enter more, or end a break."):
        day.match()


def test_whoever_waits_longest_plays_first(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 7))
    tables = [day.start(1, 2), day.start(3, 4), day.start(5, 6)]
    for match in (tables[1], tables[0], tables[2]):
        day.now += timedelta(minutes=5)
        day.end(match)
    assert day.free == [7, 3, 4, 1, 2, 5, 6]
    day.match()
    assert {each for table in day.drafted() for each in table} == {7, 3, 4, 1, 2, 5}


def test_the_command_matches_those_who_are_free(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 8))
    day.start(1, 2)
    day.rest(8)
    found = paired(file_of(day.event))
    there = {each for table in found["tables"] for side in table["sides"] for each in side}
    byes = [each["entrant"] for each in found["unplayed"] if each["kind"] == "bye"]
    assert there | {*byes} == {3, 4, 5, 6, 7}


def test_a_round_has_nobody_and_no_table_twice_and_the_order_of_play(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 4))
    for two in ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4)):
        day.end(day.start(*two, table=None))
    rounds = [[frozenset(table) for table in played] for played in tables_of(day.event)]
    assert rounds == [[frozenset(two)] for two in ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4))]  # one table in the hall
    day.start(1, 2)
    day.start(3, 4)
    assert [len(played) for played in tables_of(day.event)] == [1, 1, 1, 1, 1, 2]


# --- what is refused -----------------------------------------------------------------------------------------
def test_who_cannot_play_is_said_with_the_reason(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 6))
    day.start(1, 2)
    day.rest(3)
    tournaments.withdraw(event_id=day.event.pk, entrants=[4], step=day.step())
    refusals: list[tuple[tuple[int, ...], str, str]] = [
        ((1, 5), "not-free", r"Still playing: Ada \(table 1\)"),
        ((3, 5), "not-free", "Carmen takes a break"),
        ((4, 5), "not-free", "Dmitri has left"),
        ((5, 5), "somebody-twice", "Choose each once"),
        ((5,), "other-size", "2 entrants sit at a table"),
        ((5, 99), "not-entered", "no entrant with this number"),
    ]
    for entrants, code, words in refusals:
        with pytest.raises(Refused, match=words) as refused:
            day.start(*entrants)
        assert refused.value.code == code
    with pytest.raises(Refused, match="Table 1 is in use") as refused:
        day.start(5, 6, table=1)
    assert refused.value.code == "table-in-use"
    with pytest.raises(Refused, match="takes a break already"):
        day.rest(3)
    with pytest.raises(Refused, match="has left"):
        day.rest(4)
    with pytest.raises(Refused, match="no break"):
        day.play_on(5)
    day.start(5, 6)
    with pytest.raises(Refused, match="Free: 0") as refused:
        day.match()
    assert refused.value.code == "too-few-free"


def test_a_draft_loses_the_tables_of_those_who_play_rest_or_leave(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 8))
    day.match()
    tables = day.drafted()
    assert len(tables) == 4
    day.rest(tables[0][0])
    tournaments.withdraw(event_id=day.event.pk, entrants=[tables[1][0]], step=day.step())
    day.start(tables[0][1], tables[1][1])
    assert day.drafted() == tables[2:]
    one, other = tables[2][0], tables[3][0]
    free_play.swap(event_id=day.event.pk, entrants=(one, other), step=day.step())
    assert {frozenset(table) for table in day.drafted()} == {
        frozenset((other, tables[2][1])),
        frozenset((one, tables[3][1])),
    }
    day.release()
    assert len(day.playing()) == 3
    events.undo(event_id=day.event.pk, step=day.step())
    assert len(day.playing()) == 1
    assert day.state.draft


def test_free_play_has_no_schedule(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 4))
    with pytest.raises(Refused, match="no schedule") as refused:
        made(day.event)
    assert refused.value.code == "free-play"


def test_other_systems_have_no_free_play(cast: Cast) -> None:
    day = Day(entered(cast, HEADS | {"system": "swiss"}, 4))
    for step in (lambda: day.match(), lambda: day.start(1, 2), lambda: day.rest(1), lambda: day.play_on(1)):
        with pytest.raises(Refused) as refused:
            step()
        assert refused.value.code == "not-free-play"


# --- pages ---------------------------------------------------------------------------------------------------
def test_a_day_at_the_desk(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 5))
    address = f"/tournaments/{day.event.pk}/entries/"

    def does(**fields: Any) -> Browser:
        day.event.refresh_from_db()
        page = as_user("director").post(address, {"seen": day.event.length, **fields})
        assert page.status_code in (302, 422)
        return desk_of(day.event, as_user("director"))

    desk = does(do="match")
    assert "Draft: only directors can see it" in desk.words
    assert "goes on waiting." in desk.words
    desk = does(do="seat")
    assert len(day.playing()) == 2
    assert "Round 1" not in desk.words
    public = Browser().open(f"/tournaments/{day.event.pk}/").words
    assert "Tables in play" in public
    assert "Free now" in public
    assert "Round 1" not in public
    (waits,) = day.free
    desk = does(do=f"rest:{waits}")
    assert "On a break" in desk.words
    does(do=f"play-on:{waits}")
    match = day.playing()[0]
    day.end(match)
    others = [each for each in day.free if each != waits]
    desk = desk_of(day.event, as_user("director"))
    assert "has met" in desk.words
    desk = does(do="start", who=[waits, others[0]])
    assert len(day.playing()) == 2
    refused = as_user("director").post(
        address, {"seen": Event.objects.get(pk=day.event.pk).length, "do": "start", "who": [waits, others[1]]}
    )
    assert refused.status_code == 422
    assert "Still playing" in refused.content.decode()
    for page in ("screen/", "standings/", "schedule/", "entrants/", "cross-table/", "setup/", "print/", ""):
        assert Browser(as_user("director")).open(f"/tournaments/{day.event.pk}/{page}").status == 200
    screen = Browser().open(f"/tournaments/{day.event.pk}/screen/").words
    assert "Free now" in screen
    does(**{"do": "close", "open-matches": "count"})
    assert Event.objects.get(pk=day.event.pk).closed_at
    public = Browser().open(f"/tournaments/{day.event.pk}/").words
    assert "Results" in public
    assert "Free now" not in public


def test_everybody_sees_since_when_tables_play_and_people_wait(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 5))
    public = f"/tournaments/{day.event.pk}/"
    assert "since" not in Browser().open(public).words, "nobody waits before the first table"
    free_play.match(event=day.again(), only_new=True, rng=day.rng, step=day.step())
    events.seat(event_id=day.event.pk, step=day.step())
    began = {f"since {localtime(match.created_at):%H:%M}" for match in day.playing()}
    for address in (public, public + "screen/"):
        page = Browser().open(address)
        assert all(each in page.words for each in began), address
    assert Browser().open(public).words.count("since") == 3


def test_the_desk_says_who_plays_outside_the_tournament(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 5))
    names = [seat.name for seat in cast.club.players.filter(entries__event=day.event).order_by("pk")[:2]]
    open_match(table=cast.table, game="block", options={}, players=names, by=Actor(user=cast.users["owner"]), now=NOW)
    desk = desk_of(day.event, as_user("director"))
    assert re.search(f"Playing outside the tournament: .*{names[0]}.*{names[1]}", desk.words)
    assert day.free == [3, 4, 5]
    opened = Client().get(f"/tournaments/{day.event.pk}/").content.decode()
    for page in (opened, tournament("tournament", day.event.pk)):
        free = page.partition('id="free"')[2].partition("</section>")[0]
        assert names[0] in free
        assert "stays in this list" in free


def test_a_draft_says_who_has_begun_to_play_elsewhere(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 5))
    day.match()
    before = day.drafted()
    assert desk_of(day.event, as_user("director")).has_button("Start these tables")
    names = [cast.club.players.get(entries__event=day.event, entries__number=each).name for each in before[0]]
    open_match(table=cast.table, game="block", options={}, players=names, by=Actor(user=cast.users["owner"]), now=NOW)
    desk = desk_of(day.event, as_user("director"))
    assert f"Still playing elsewhere: {names[0]}" in desk.words
    assert not desk.has_button("Start these tables")
    assert "although others came later" not in desk.words
    desk.press("Match those who are free again")
    assert desk.status == 200
    assert len(day.drafted()) == 1
    assert {*before[0]}.isdisjoint(day.drafted()[0])
    desk.press("Start these tables")
    assert len(day.playing()) == 1


def test_the_reason_why_somebody_waits_is_that_of_the_draw(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 6))
    day.match()
    (one, other), *_others = day.drafted()
    day.rest(one)
    words = desk_of(day.event, as_user("director")).words
    name = cast.club.players.get(entries__event=day.event, entries__number=other).name
    assert f"{name} goes on waiting." in words
    assert "although others came later" not in words


def test_nobody_speaks_of_rounds_in_free_play_or_of_arrivals_after_play(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 4))
    entrants = f"/tournaments/{day.event.pk}/entrants/"
    host = Browser(as_user("director"))
    assert "4 entrants have not arrived" in host.open(entrants).words
    day.end(day.start(1, 2))
    day.end(day.start(1, 3))
    assert "1 entrant has not arrived" in host.open(entrants).words
    assert "Undo: result of table 1" in desk_of(day.event, as_user("director")).words
    for page in ("desk/", "standings/", "print/standings/"):
        words = host.open(f"/tournaments/{day.event.pk}/{page}").words
        assert "round 1" not in words.casefold()
        assert "After round" not in words


def test_two_at_each_others_tables_change_places_without_a_round(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 6))
    day.end(day.start(1, 2))
    day.start(1, 3)
    day.start(4, 2)
    day.start(5, 6)
    host = desk_of(day.event, as_user("director"))
    (form, _button) = host.button("Put it right")
    assert "round" not in {*form.names, *(name for name, _value in form.fields)}
    refused = host.press("Put it right", one="1", other="6")
    assert "their tables do not belong together" in refused.words
    asked = desk_of(day.event, as_user("director")).press("Put it right", one="3", other="2")
    asked.press("Put it right")
    assert {
        frozenset(day.state.numbers[player] for player in each.players) for each in day.state.rounds[1].pairings
    } == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }


def test_players_take_a_break_and_play_on_from_their_own_phone(cast: Cast) -> None:
    day = Day(entered(cast, HEADS, 4))
    home = f"/tournaments/{day.event.pk}/"
    own, another = (f"{home}entrants/{number}/break/" for number in (2, 3))
    player = cast.browser("player")
    assert "Take a break" not in player.get(home).content.decode(), "no name is claimed"
    assert player.post(own, {"do": "rest"}).status_code == 403
    cast.club.players.filter(pk__in=day.state.entrants[2]).update(user=cast.users["player"])
    page = Browser(player).open(home)
    day.start(1, 3)  # a page that knows of fewer tables is no reason to refuse a break
    page.press("Take a break")
    assert day.state.resting == {2}
    player.post(own, {"do": "rest"})
    page.open(home)
    assert "takes a break already" in page.words
    page.press("Play on")
    assert not day.state.resting
    assert player.post(another, {"do": "rest"}).status_code == 403
    assert player.post(own, {"do": "start"}).status_code == 404
    assert player.post(f"{home}entrants/99/break/", {"do": "rest"}).status_code == 404
    tournaments.withdraw(event_id=day.event.pk, entrants=[2], step=day.step())
    assert "Take a break" not in Browser(player).open(home).words, "who has left is not matched anyway"


def test_where_rounds_are_drawn_nobody_takes_a_break(cast: Cast) -> None:
    event = entered(cast, HEADS | {"system": "swiss"}, 4)
    cast.club.players.filter(pk__in=tournament_in(event).entrants[1]).update(user=cast.users["player"])
    assert "Take a break" not in Browser(cast.browser("player")).open(f"/tournaments/{event.pk}/").words


def test_the_setup_asks_nothing_about_rounds(cast: Cast, as_user: Host) -> None:
    page = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/tournaments/new/?preset=block:free")
    assert "What a match is worth" in page.words
    assert "What a round is worth" not in page.words
    page.press("Set up the tournament", name="Open day", length="number")
    assert page.status == 200, "what is hidden is not looked at"
    event = Event.objects.get(name="Open day")
    assert tournament_in(event).setup["rounds"] is None
    desk = desk_of(event, as_user("director"))
    assert "Groups" not in desk.words
    assert "Finals" not in desk.words


def test_a_draft_says_which_of_its_tables_are_busy_since(cast: Cast, as_user: Host) -> None:
    day = Day(entered(cast, HEADS, 4))
    day.match()
    open_match(table=cast.table, game="block", options={}, players=["Una", "Vera"], by=Actor(), now=NOW)
    free = event_now(day.again()).free_tables
    desk = desk_of(day.event, as_user("director"))
    instead = next(number for number in free if number not in {1, 2})
    assert f"A match is in play at table 1. Table {instead} will be used instead." in desk.words
    desk.press("Start these tables")
    assert {match.table.number for match in day.playing() if match.table} == {2, instead}
