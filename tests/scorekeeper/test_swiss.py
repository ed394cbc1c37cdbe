"""A Swiss tournament through its services and pages: each round is drawn from the results of those before."""

import json
from collections.abc import Callable
from io import StringIO
from itertools import combinations
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scorekeeper.events import Tournament
from scorekeeper.events.records import About
from scorekeeper.events.setup import first_repeat, usual_rounds
from scorekeeper.models import Event, Job, Match
from scorekeeper.pages.pairing_words import round_words
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.rounds import Drawn, next_round
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import state_of
from scorekeeper.services import clubs, directing, events, schedules, tournaments
from scorekeeper.services.entrants import describe
from scorekeeper.services.errors import Refused
from scorekeeper.standings.reading import read_value
from scorekeeper.standings.worths import PLACE
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at, names_of
from tests.rehearsal.a_stage import a_file
from tests.scorekeeper.test_tournament_day import desk_of
from tests.scorekeeper.test_tournament_import import archived, imported, standings, without_matches
from tests.tournaments import entered, file_of, made, played, setup_of

Host = Callable[[str], Client]
HEADS = setup_of("block", "heads", system="swiss", order=["points", "buchholz", "start"], lots="a")
SETUPS: dict[str, tuple[dict[str, Any], int, int]] = {
    "heads": (HEADS, 9, 1),
    "pairs": (HEADS | {"game": "domino-whist", "size": 2}, 5, 2),
    "partners": (HEADS | {"game": "domino-whist", "format": "partners"}, 10, 1),
    "triples": (HEADS | {"game": "domizerka", "format": "triples", "worth": PLACE, "order": ["points", "lots"]}, 8, 1),
    "mixed": (HEADS | {"game": "dominards", "format": "mixed", "worth": PLACE, "order": ["points", "lots"]}, 10, 1),
}


def state(event: Event) -> Tournament:
    found = state_of(event)
    assert isinstance(found, Tournament)
    return found


def drawn(event: Event) -> list[Match]:
    """Draws the next round and releases it."""
    number = len(state(event).rounds) + 1
    made(event, f"draw-{number}")
    return events.seat(event_id=event.pk, step=at(event, f"seat-{number}"))


def played_round(event: Event) -> None:
    for match in drawn(event):
        played(match)


def met(event: Event) -> list[frozenset[int]]:
    """Everybody who sat on different sides, for each table."""
    tables = [table for each in file_of(event)["stages"][0]["rounds"] for table in each["tables"]]
    return [
        frozenset((a, b))
        for table in tables
        for one, other in combinations(table["sides"], 2)
        for a in one
        for b in other
    ]


def paired(file: dict[str, Any]) -> Any:
    """What `manage.py pair` answers."""
    out = StringIO()
    with NamedTemporaryFile(suffix=".json") as stored:
        Path(stored.name).write_text(json.dumps(file))
        call_command("pair", stored.name, "--json", stdout=out)
    return json.loads(out.getvalue())


def byes(event: Event, kind: str) -> list[list[int]]:
    """The entrants with a bye of this kind, by round."""
    rounds = file_of(event)["stages"][0]["rounds"]
    return [[each["entrant"] for each in played["unplayed"] if each["kind"] == kind] for played in rounds]


# --- the rounds ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", SETUPS)
def test_each_round_is_one_that_the_command_draws_from_the_same_file(cast: Cast, kind: str) -> None:
    setup, entrants, size = SETUPS[kind]
    event = entered(cast, setup | {"rounds": 3}, entrants, size)
    for _round in range(3):
        wanted = paired(file_of(event))
        played_round(event)
        seated = file_of(event)["stages"][0]["rounds"][-1]
        again = {**file_of(event)}
        (stage,) = again["stages"]
        again["stages"] = [
            stage | {"rounds": stage["rounds"][:-1], "next": stage["next"] | {"tables": [], "unplayed": []}}
        ]
        settled = {"tables": [{"sides": each["sides"]} for each in seated["tables"]], "unplayed": seated["unplayed"]}
        again["stages"] = [again["stages"][0] | {"next": settled}]
        # It is as good as that of the command; which of equally good rounds it is, lots decide.
        assert paired(again)["rating"] == wanted["rating"]
    assert state(event).next_to_draw == 0
    assert state(event).closed is False
    with pytest.raises(Refused, match=r"All rounds are played\. To play more, enter a larger number"):
        made(event, "one more")


def test_nobody_meets_again_and_byes_go_round(cast: Cast) -> None:
    event = entered(cast, HEADS, 9)
    for _round in range(state(event).rounds_wanted):
        played_round(event)
    assert len(state(event).rounds) == 5
    assert len(met(event)) == len({*met(event)}) == 5 * 4
    given = [entrant for each in byes(event, "bye") for entrant in each]
    assert len(given) == len({*given}) == 5


def test_a_round_waits_for_all_results(cast: Cast) -> None:
    event = entered(cast, HEADS, 6)
    first, *others = drawn(event)
    for match in others:
        played(match)
    with pytest.raises(Refused, match="Table 1 is not over") as refused:
        made(event, "too early")
    assert refused.value.code == "round-not-over"
    assert state(event).plan == ()
    played(first)
    made(event, "now")
    assert state(event).draft


def test_who_asks_for_a_bye_who_comes_late_and_who_leaves(cast: Cast) -> None:
    event = entered(cast, HEADS, 8)
    wish = {"what": "present", "entrants": [3], "first": 2, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    played_round(event)
    assert byes(event, "asked") == [[3]]
    assert len(byes(event, "bye")[0]) == 1
    late = clubs.player_add(club=cast.club, name="Late", now=NOW).pk
    tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late"))
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    played_round(event)
    last = file_of(event)["stages"][0]["rounds"][-1]
    there = {each for table in last["tables"] for side in table["sides"] for each in side}
    assert there == {2, 3, 4, 5, 6, 7, 8, 9}
    assert byes(event, "asked") == [[3], []]


def bye(event: Event, entrant: int, number: int) -> None:
    wish = {"what": "bye", "entrants": [entrant], "first": number, "last": number, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, f"bye {entrant} {number}"))


def points(event: Event) -> dict[int, str]:
    calculated = standings(event)
    return {row["entrant"]: row["values"]["points"] for row in calculated["stages"][0]["rows"]}


def test_a_bye_is_for_one_round_and_played_rounds_keep_theirs(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 4}, 8)
    for number in (1, 3):
        bye(event, 3, number)
    played_round(event)
    assert byes(event, "asked") == [[3]]
    before = points(event)
    schedules.remove_wish(event_id=event.pk, number=0, step=at(event, "not any more"))
    late = {"what": "present", "entrants": [5], "first": 4, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=late, step=at(event, "late"))
    assert points(event) == before
    public = Browser().open(f"/tournaments/{event.pk}/").words
    assert "Asked not to play: Carmen" in public
    assert "Elena" not in public.partition("Asked not to play:")[2].partition("Round")[0]
    played_round(event)
    played_round(event)
    assert [3 in each for each in byes(event, "asked")] == [True, False, True]
    with pytest.raises(Refused) as refused:
        bye(event, 4, 2)
    assert refused.value.code == "not-to-be-drawn"


def test_a_bye_asked_for_after_the_draw_says_that_it_must_be_drawn_again(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 8)
    made(event)
    bye(event, 3, 1)
    for address in ("schedule/", "desk/"):
        page = Browser(as_user("director")).open(f"/tournaments/{event.pk}/{address}")
        assert page.status == 200
        assert "Drawn, but does not play: Carmen (asked not to play)." in page.words
    made(event, "again")
    assert 3 not in [each for table in state(event).plan[0].tables for each in table]
    assert "but does not play" not in Browser(as_user("director")).open(f"/tournaments/{event.pk}/desk/").words


def test_a_swap_drafts_the_round_again(cast: Cast) -> None:
    event = entered(cast, HEADS, 6)
    made(event)
    (seated, _byes) = state(event).plan[0]
    one, other = seated[0][0], seated[1][0]
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(one, other), step=at(event, "swap"))
    now = state(event)
    assert now.draft
    assert [now.sides_of(each.game, each.players) for each in now.draft.pairings] == [
        [[each] for each in table] for table in now.plan[0].tables
    ]


def test_a_swap_after_somebody_left_loses_no_table(cast: Cast) -> None:
    event = entered(cast, HEADS, 8)
    made(event)
    (seated, _byes) = state(event).plan[0]
    tournaments.withdraw(event_id=event.pk, entrants=[seated[0][0]], step=at(event, "leaves"))
    one, other = seated[1][0], seated[2][0]
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(one, other), step=at(event, "swap"))
    now = state(event)
    assert now.draft
    there = {now.numbers[player] for player in now.draft.players}
    assert there == {*range(1, 9)} - {seated[0][0]}
    assert len(now.draft.pairings) == 3


def test_there_are_no_fewer_rounds_than_were_drawn(cast: Cast) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 6)
    played_round(event)
    made(event, "second")
    with pytest.raises(Refused, match="More rounds are drawn already"):
        tournaments.set_up(event_id=event.pk, name="Cup", setup=HEADS | {"rounds": 1}, step=at(event, "shorter"))


def test_too_many_byes_leave_no_table(cast: Cast) -> None:
    event = entered(cast, HEADS, 3)
    for entrant in (1, 2):
        wish = {"what": "present", "entrants": [entrant], "first": 2, "last": None, "table": 0}
        schedules.wish(event_id=event.pk, wish=wish, step=at(event, f"wish {entrant}"))
    with pytest.raises(Refused, match=r"asked for a bye in round 1 that no table is left. Remove one of") as refused:
        made(event)
    assert refused.value.code == "too-few-entrants"


def test_a_round_is_drawn_again_and_undone(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS, 2)  # there is only one round that can be drawn
    made(event)
    made(event, "again")
    director = desk_of(event, as_user("director"))
    for _draw in range(2):
        assert state(event).draft
        director.press("Undo: draw of round 1")
    assert (state(event).plan, state(event).draft) == ((), None)
    director.press("Draw round 1").press("Discard the draft").press("Draft the first round")
    director.press("Undo: draft of round 1")
    assert state(event).plan
    made(event, "once more")
    assert len(events.seat(event_id=event.pk, step=at(event, "seat"))) == 1


def test_it_closes_early_only_on_request(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 2}, 4)
    played_round(event)
    with pytest.raises(Refused, match="1 round is not played"):
        tournaments.close(event_id=event.pk, open_matches=None, early=False, step=at(event, "close"))
    assert "Close it early: 1 round is not played." in desk_of(event, as_user("director")).words
    played_round(event)
    tournaments.close(event_id=event.pk, open_matches=None, early=False, step=at(event, "close at the end"))


def test_the_number_of_rounds_can_change_on_the_way(cast: Cast) -> None:
    event = entered(cast, HEADS | {"rounds": 1}, 6)
    played_round(event)
    assert state(event).next_to_draw == 0
    tournaments.set_up(event_id=event.pk, name="Cup", setup=HEADS | {"rounds": 2}, step=at(event, "longer"))
    assert state(event).next_to_draw == 2
    with pytest.raises(Refused):
        tournaments.set_up(
            event_id=event.pk, name="Cup", setup=HEADS | {"system": "round-robin"}, step=at(event, "other system")
        )
    played_round(event)


def test_who_always_sits_at_one_table(cast: Cast) -> None:
    event = entered(cast, HEADS, 8)
    wish = {"what": "table", "entrants": [8], "first": 1, "last": None, "table": 1}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    for _round in range(3):
        played_round(event)
        (table,) = [
            table["table"] for table in file_of(event)["stages"][0]["rounds"][-1]["tables"] if [8] in table["sides"]
        ]
        assert table == 1


def sits_at(event: Event, entrant: int, table: int) -> None:
    wish = {"what": "table", "entrants": [entrant], "first": 1, "last": None, "table": table}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, f"{entrant} at {table}"))


def test_wishes_for_tables_that_cannot_be_kept_are_refused(cast: Cast) -> None:
    event = entered(cast, HEADS, 8)
    names = names_of(8)
    sits_at(event, 1, 2)
    with pytest.raises(Refused, match=f"^{names[0]} and {names[2]} want the same table in every round"):
        sits_at(event, 3, 2)
    meet(event, 1, 4)
    with pytest.raises(Refused, match=f"^{names[0]} and {names[3]} have a settled table in round 1, but sit at diff"):
        sits_at(event, 4, 3)
    sits_at(event, 2, 3)
    sits_at(event, 5, 4)
    with pytest.raises(Refused, match=f"^{names[1]} and {names[4]} have a settled table in round 1"):
        meet(event, 2, 5)


def test_of_two_who_meet_only_one_sits_at_their_own_table(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 1}, 2)
    sits_at(event, 1, 1)
    sits_at(event, 2, 2)
    made(event)
    words = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    assert words.count("The round that is drawn does not keep it.") == 1


def meet(event: Event, *entrants: int, number: int = 1) -> None:
    wish = {"what": "meet", "entrants": list(entrants), "first": number, "last": number, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, f"meet {entrants} {number}"))


@pytest.mark.parametrize(("kind", "table"), [("heads", (9, 2)), ("partners", (9, 2, 5, 7)), ("mixed", (3, 1, 2))])
def test_a_table_is_settled_before_the_draw(cast: Cast, as_user: Host, kind: str, table: tuple[int, ...]) -> None:
    setup, entrants, size = SETUPS[kind]
    event = entered(cast, setup, entrants, size)
    meet(event, *table)
    made(event)
    assert table in state(event).plan[0].tables
    words = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    assert "The directors settled this table." in words
    assert "does not keep it" not in words
    away = next(
        entrant for entrant in state(event).plan[0].tables[-1] + state(event).plan[0].byes if entrant not in table
    )
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(table[0], away), step=at(event, "swap"))
    words = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    assert "The round that is drawn does not keep it." in words


def test_what_cannot_be_settled_is_refused(cast: Cast) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 8)
    meet(event, 1, 2)
    away = {"what": "present", "entrants": [5], "first": 2, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=away, step=at(event, "away"))
    for entrants, number, code in (
        ((3, 4, 5), 1, "other-size"),
        ((3, 3), 1, "somebody-twice"),
        ((2, 3), 1, "settled-twice"),
        ((5, 6), 1, "settled-twice"),
        ((3, 4), 2, "not-to-be-drawn"),
    ):
        with pytest.raises(Refused) as refused:
            meet(event, *entrants, number=number)
        assert refused.value.code == code


@pytest.mark.parametrize(
    "away", [{"what": "bye", "first": 1, "last": 1}, {"what": "present", "first": 2, "last": None}]
)
def test_who_has_a_settled_table_cannot_ask_not_to_play(cast: Cast, away: dict[str, Any]) -> None:
    """As in the other order."""
    event = entered(cast, HEADS | {"rounds": 3}, 8)
    meet(event, 1, 2)
    with pytest.raises(Refused, match=r"Ada: a settled table in round 1 already. Remove"):
        schedules.wish(event_id=event.pk, wish=away | {"entrants": [1], "table": 0}, step=at(event, "away"))
    later = {"what": "bye", "entrants": [1], "first": 2, "last": 2, "table": 0}
    schedules.wish(event_id=event.pk, wish=later, step=at(event, "later"))
    assert state(event).settled(1) == [(1, 2)]


def test_in_a_round_robin_no_table_is_settled(cast: Cast) -> None:
    event = entered(cast, setup_of("block", "heads"), 4)
    with pytest.raises(Refused, match="rounds of a Swiss tournament"):
        meet(event, 1, 2)


def test_a_settled_table_of_somebody_who_leaves_is_given_up(cast: Cast) -> None:
    event = entered(cast, HEADS, 8)
    meet(event, 1, 2)
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    made(event)
    there = [each for table in state(event).plan[0].tables for each in table]
    assert 1 not in there
    assert sorted((*there, *state(event).plan[0].byes)) == [2, 3, 4, 5, 6, 7, 8]


def test_it_goes_on_in_another_club(cast: Cast, as_user: Host, settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    event = entered(cast, HEADS | {"apart": 1, "pairing": "adjacent", "first": "points", "rounds": 4}, 7)
    wish = {"what": "present", "entrants": [2], "first": 2, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    for _round in range(2):
        played_round(event)
    made(event, "drawn, not yet seated")
    job = imported(cast, as_user, archived(Event.objects.get(pk=event.pk)))
    assert job.state == Job.State.DONE, job.error
    copy = Event.objects.get(pk=int(job.result))
    assert standings(copy) == standings(event)
    assert without_matches(file_of(copy)) == without_matches(file_of(event))
    assert state(copy).plan == state(event).plan
    assert byes(copy, "asked") == [[2], []]
    tournaments.draft_next(event_id=copy.pk, step=at(copy, "draft"))
    for match in events.seat(event_id=copy.pk, step=at(copy, "seat")):
        played(match)
    played_round(copy)
    assert state(copy).next_to_draw == 0


def test_the_file_of_another_program_goes_on_here(cast: Cast, as_user: Host, settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    event = entered(cast, HEADS | {"rounds": 3}, 7)
    played_round(event)
    file = without_matches(file_of(event))
    del file["scorekeeper"]
    job = imported(cast, as_user, json.dumps(file).encode())
    assert job.state == Job.State.DONE, job.error
    copy = Event.objects.get(pk=int(job.result))
    assert (state(copy).by_results, state(copy).next_to_draw) == (True, 2)
    played_round(copy)


@pytest.mark.parametrize(
    ("entrants", "format", "rounds"),
    [
        (1, "heads", 0),
        (2, "heads", 1),
        (3, "heads", 2),
        (4, "heads", 3),
        (8, "heads", 4),
        (9, "heads", 5),
        (16, "heads", 5),
        (64, "heads", 7),
        (9, "triples", 3),
        (7, "triples", 3),
        (12, "fours", 3),
        (64, "fours", 4),
        (9, "partners", 5),
        (4, "partners", 3),
        (3, "partners", 0),
        (5, "mixed", 2),
        (3, "mixed", 1),
    ],
)
def test_how_many_rounds_are_usual(entrants: int, format: str, rounds: int) -> None:
    assert usual_rounds(entrants, FORMATS[format]) == rounds


def test_more_rounds_than_opponents_are_a_warning(cast: Cast, as_user: Host) -> None:
    event, says = entered(cast, HEADS | {"rounds": 9}, 9), "some meet again in round 10 at the latest"
    host = Browser(as_user("director"))
    setup_page, desk = f"/tournaments/{event.pk}/setup/", f"/tournaments/{event.pk}/desk/"
    assert says not in host.open(desk).words
    assert says not in host.open(setup_page).words
    assert says in host.press("How many rounds fit?", rounds="40").words
    host.open(setup_page).press("Save", rounds="40")
    assert f"There are 40 rounds in all. With 9 entrants, {says}, however it is drawn." in host.open(desk).words
    assert says in host.open(setup_page).words


@pytest.mark.parametrize(
    ("kind", "entrants", "why"),
    [
        ("heads", 9, "5 rounds. After all but one of them, only one entrant can have won every match."),
        ("heads", 3, "2 rounds. In so many, all can have met."),
        ("partners", 4, "3 rounds. In so many, everybody can partner everybody."),
        ("mixed", 5, "2 rounds. In so many, all can have met."),
    ],
)
def test_the_setup_says_why_so_many_rounds_are_usual(
    cast: Cast, as_user: Host, kind: str, entrants: int, why: str
) -> None:
    event = entered(cast, SETUPS[kind][0], entrants)
    host = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    assert f"Usual for {entrants} entrants: {why}" in host.press("How many rounds fit?").words


def test_the_desk_says_that_ratings_are_missing(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS, 4)
    says = "2 entrants have no rating. Ratings only order the draw when everybody has one."
    assert "no rating" not in desk_of(event, as_user("director")).words, "nobody has one"
    for entrant in (1, 2):
        describe(event_id=event.pk, entrant=entrant, about=About(rating=1500), step=at(event, f"rating {entrant}"))
    assert says in desk_of(event, as_user("director")).words
    made(event)
    assert says in desk_of(event, as_user("director")).words
    played_round(event)
    assert "no rating" not in desk_of(event, as_user("director")).words


@pytest.mark.parametrize(
    ("entrants", "format", "first"),
    [
        (2, "heads", 2),
        (3, "heads", 4),
        (8, "heads", 8),
        (9, "heads", 10),
        (1, "heads", 0),
        (9, "triples", 5),
        (8, "fours", 3),
        (9, "partners", 5),
        (5, "mixed", 2),
    ],
)
def test_when_somebody_has_to_meet_again(entrants: int, format: str, first: int) -> None:
    """By counting pairs: in all earlier rounds there are enough."""
    assert first_repeat(entrants, FORMATS[format]) == first


# --- the pages -----------------------------------------------------------------------------------------------
def test_a_director_draws_sees_why_and_swaps_two(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 7)
    desk = desk_of(event, as_user("director")).press("Draw round 1")
    assert "Draft of round 1" in desk.words
    desk.press("Release round 1")
    assert "Round 2 follows from the results." in desk.words
    assert not desk.has_button("Draw round 2")
    for match in event.matches.all():
        played(match)
    desk.open(desk.path).press("Draw round 2")
    schedule = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/")
    assert "Nobody has met before." in schedule.words
    assert "They have not met." in schedule.words
    assert "has a bye: it is their turn." in schedule.words
    (seated, _byes) = state(event).plan[0]
    one, other = seated[0][0], seated[1][0]
    schedules.exchange(event_id=event.pk, round_number=2, entrants=(one, other), step=at(event, "swap"))
    effect = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    assert "What the change does" in effect
    desk.open(desk.path).press("Release round 2")
    assert len(state(event).rounds) == 2


def test_a_swap_says_what_gets_worse(cast: Cast, as_user: Host) -> None:
    """In the first round nothing else differs: nobody has met, and all have the same points."""
    event = entered(cast, HEADS, 8)
    made(event)
    (_one, other), (third, _fourth) = state(event).plan[0].tables[:2]
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(other, third), step=at(event, "swap"))
    effect = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    said = effect.partition("What the change does")[2]
    assert "Among those with equal points, it is less upper half against lower half." in said
    assert "The points of those who meet differ more." not in said
    schedules.exchange(event_id=event.pk, round_number=1, entrants=(other, third), step=at(event, "back"))
    effect = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words
    assert "it is less upper half" not in effect


def test_the_desk_says_how_many_are_missing_for_a_table(cast: Cast, as_user: Host) -> None:
    one = entered(cast, HEADS, 1)
    assert "Then draw the first round. 1 more is needed for a table." in desk_of(one, as_user("director")).words


def test_who_left_and_who_asked_not_to_play_is_said(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 8)
    made(event)
    bye(event, 3, 1)
    tournaments.withdraw(event_id=event.pk, entrants=[1], step=at(event, "leaves"))
    name = names_of(1)[0]
    says = f"Drawn, but does not play: {name} (has left), Carmen (asked not to play)."
    assert says in desk_of(event, as_user("director")).words


def test_nobody_else_sees_a_round_that_is_only_drawn(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 6)
    made(event)
    visitor = Browser().open(f"/tournaments/{event.pk}/schedule/")
    assert "No round has been released yet." in visitor.words
    assert "Ada" not in visitor.words
    assert "The first round is not released yet." in Browser().open(f"/tournaments/{event.pk}/seats/").words
    director = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/")
    director.press("Show everybody where they sit next")
    assert "Ada" in Browser().open(f"/tournaments/{event.pk}/schedule/").words


def test_a_drawn_round_that_everybody_sees_is_drawn_again_as_a_proposal(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 6)
    made(event)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    director = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").press("Draw round 1 again")
    assert "Another schedule: only directors can see it" in director.words
    director.press("Release this schedule")
    assert state(event).proposal is None


def test_the_setup_of_a_swiss_tournament_that_has_begun_offers_no_double_round(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 4)
    setup = Browser(as_user("director")).open(f"/tournaments/{event.pk}/setup/")
    assert "Until everybody has met twice" in setup.words, "it may still become a round robin"
    played_round(event)
    setup.open(setup.path)
    assert "Until everybody has met once; in a Swiss tournament as many as usual" in setup.words
    assert "Until everybody has met twice" not in setup.words


def test_who_asked_for_a_bye_is_named_in_a_round_that_is_released_before_it_begins(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 7)
    asked = {"what": "bye", "entrants": [2], "first": 1, "last": None, "table": 0}
    schedules.wish(event_id=event.pk, wish=asked, step=at(event, "wish"))
    made(event)
    schedules.publish(event_id=event.pk, step=at(event, "publish"))
    for page in ("", "schedule/"):
        assert f"Asked not to play: {names_of(2)[1]}" in Browser().open(f"/tournaments/{event.pk}/{page}").words


def test_results_that_change_after_the_draw_are_named_until_the_round_is_over(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 4)
    played_round(event)
    made(event, "round 2")
    desk = desk_of(event, as_user("director"))
    schedule = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/")
    assert "was changed after" not in desk.words + schedule.words
    step = at(event, "correct", timezone.now())
    directing.replace_result(event_id=event.pk, round_number=1, table=2, totals=[10, 99], why="misread", step=step)
    said = "The result of table 2 of round 1 was changed after round 2 was drawn."
    for page in (desk, schedule):
        assert f"{said} Draw round 2 again, or play it as it is." in page.open(page.path).words
    desk.press("Release round 2")
    assert f"{said} Play on: round 2 stays as it is, and the next one follows from the new results." in desk.words
    desk.press("Undo: round 2 seated").press("Draw round 2 again")
    assert "was changed after" not in desk.words
    desk.press("Release round 2")
    assert "was changed after" not in desk.words


def reasons(event: Event, as_user: Host) -> str:
    return Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/").words


@pytest.mark.parametrize(
    ("setup", "rated", "says"),
    [
        ({}, True, "Upper half against lower half. Places by rating: Dmitri 1, Bruno 3."),
        ({}, False, "Upper half against lower half. Places by start number: Ada 1, Carmen 3."),
        ({"order": ["points"]}, False, "Places by lots: "),
        ({"first_by_lots": True}, True, "Drawn by lots."),
    ],
)
def test_a_table_of_the_first_round_says_what_drew_it(
    cast: Cast, as_user: Host, setup: dict[str, Any], rated: bool, says: str
) -> None:
    event = entered(cast, HEADS | {"rounds": 3} | setup, 4)
    for entrant in range(1, 5 if rated else 1):
        about = About(rating=1000 + entrant)
        describe(event_id=event.pk, entrant=entrant, about=about, step=at(event, f"rating-{entrant}"))
    made(event)
    assert says in reasons(event, as_user)


def test_a_reason_stands_once_and_says_why_points_differ(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 6)
    for number, _match in enumerate(drawn(event), 1):  # three win: an odd group
        step = at(event, f"result {number}")
        directing.type_result(event_id=event.pk, round_number=1, table=number, totals=[10, 0], early=True, step=step)
    made(event, "round 2")
    words = reasons(event, as_user)
    assert words.count("Points: ") == 1
    assert words.count("floats down: 3 have these points, an odd number.") == 1


def test_who_floats_only_since_two_swapped_is_not_told_of_an_odd_number(cast: Cast, as_user: Host) -> None:
    event = entered(cast, HEADS | {"rounds": 3}, 6)
    for number, _match in enumerate(drawn(event), 1):  # three win: an odd group
        step = at(event, f"result {number}")
        directing.type_result(event_id=event.pk, round_number=1, table=number, totals=[10, 0], early=True, step=step)
    made(event, "round 2")
    won = {side[0] for table in file_of(event)["stages"][0]["rounds"][0]["tables"] for side in table["sides"][:1]}
    tables = state(event).plan[0].tables
    (equal,) = (table for table in tables if {*table} <= won)
    (low,) = (table for table in tables if not {*table} & won)
    swap = {"event_id": event.pk, "round_number": 2, "entrants": [equal[0], low[0]]}
    schedules.exchange(**swap, step=at(event, "swap"))
    words = reasons(event, as_user)
    assert words.count("floats down: 3 have these points, an odd number.") == 1
    assert words.count("floats down: places in this draw were swapped.") == 4, "at each table, and of each new one"
    schedules.exchange(**swap, step=at(event, "back"))
    assert "places in this draw were swapped" not in reasons(event, as_user)


def test_who_floats_again_is_named() -> None:
    tables = [[(1, 2), (3, 4)], [(1, 4), (3, 2)]]
    rounds = [
        {"tables": [{"sides": [[one], [other]], "totals": [5, 0]} for one, other in each], "unplayed": []}
        for each in tables
    ]
    again = {"tables": [{"sides": [[1], [2]]}, {"sides": [[3], [4]]}], "unplayed": []}
    file = read_value(a_file(4, rounds=rounds, next=again) | {"game": "block"})
    field = Field(file, file.stages[0])
    words = round_words(field, next_round(field, Drawn((), ())), lambda entrant: f"N{entrant}")
    assert words[-1] == "N1, N2, N3 and N4 again meet somebody with other points."


@pytest.mark.parametrize(("game", "said"), [("block", False), ("dom", True)])
def test_who_led_is_told_only_where_the_draw_decides_it(cast: Cast, as_user: Host, game: str, said: bool) -> None:
    event = entered(cast, HEADS | {"game": game, "rounds": 3}, 4)
    played_round(event)
    made(event, "round 2")
    assert ("Led before: " in reasons(event, as_user)) == said
