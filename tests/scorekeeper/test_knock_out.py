"""A knock-out through its services and pages: each round follows from the tree and the results."""

import re
from collections.abc import Callable
from hashlib import sha256

import pytest
from django.test import Client

from scorekeeper.models import Event, Match
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.pairings import next_to_draw
from scorekeeper.selectors.tournaments import standings_now
from scorekeeper.services import clubs, directing, entrants, events, schedules, tournaments
from scorekeeper.services.entrants import About, Named
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast
from tests.nights import at
from tests.scorekeeper.test_swiss import paired, state
from tests.scorekeeper.test_tournament_day import desk_of
from tests.tournaments import entered, file_of, made, setup_of

Host = Callable[[str], Client]
TREE = setup_of("block", "heads", system="knock-out", order=[], lots="a")
KINDS: dict[str, dict[str, bool]] = {
    "single": {"double": False, "third_place": False, "placement": False},
    "third-place": {"double": False, "third_place": True, "placement": False},
    "placement": {"double": False, "third_place": False, "placement": True},
    "double": {"double": True, "third_place": False, "placement": False},
}


def next_round(event: Event) -> int:
    return next_to_draw(event_now(Event.objects.select_related("club").get(pk=event.pk)))


def drawn(event: Event) -> list[Match]:
    number = len(state(event).rounds) + 1
    made(event, f"draw-{number}")
    return events.seat(event_id=event.pk, step=at(event, f"seat-{number}"))


def win(event: Event, match: Match, winner: int) -> None:
    """The entrant with this start number wins the match; 0: nobody does."""
    assert match.round
    assert match.table
    numbers = state(event).numbers
    seats = [numbers[seat.player_id] for seat in match.seats.all() if seat.player_id]
    totals = [10 * (number == winner) for number in dict.fromkeys(seats)]
    step = at(event, f"result {match.pk}")
    directing.type_result(
        event_id=event.pk, round_number=match.round, table=match.table.number, totals=totals, early=True, step=step
    )


def won_by_the_better(event: Event, match: Match) -> None:
    """The smaller start number wins."""
    numbers = state(event).numbers
    win(event, match, min(numbers[seat.player_id] for seat in match.seats.all() if seat.player_id))


def places(event: Event) -> dict[int, int]:
    calculated = standings_now(event_now(Event.objects.select_related("club").get(pk=event.pk)))
    return {row.entrant: row.place for row in calculated.stages[0].rows}


def test_the_wall_says_what_each_table_plays_for(cast: Cast) -> None:
    event = entered(cast, TREE | {"bracket": "placement"}, 7)
    for _ in range(2):
        for match in drawn(event):
            won_by_the_better(event, match)
    drawn(event)
    words = Browser().open(f"/tournaments/{event.pk}/screen/").words
    assert all(f"{title} · not started" in words for title in ("Final", "Third place", "Places 5 and 6"))


def test_a_round_that_is_drawn_is_not_called_undrawn(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE, 4)
    schedule = Browser(as_user("director")).open(f"/tournaments/{event.pk}/schedule/")
    assert "Round 1 is not drawn yet." in schedule.words
    assert "the rounds before" not in schedule.words
    made(event, "draw-1")
    assert "is not drawn yet" not in schedule.open(schedule.path).words


def test_a_first_round_is_not_released_for_others_than_it_was_drawn_for(cast: Cast, as_user: Host) -> None:
    """Its tables would be none of the bracket."""
    event = entered(cast, TREE, 5)
    desk = desk_of(event, as_user("director"))
    made(event, "draw-1")
    assert "Not in the schedule" not in desk.open(desk.path).words
    entrants.enter_named(event_id=event.pk, players=[], named=[Named(("Zoe",))], step=at(event, "late"))
    assert "Not in the schedule: Zoe. Draw the round again" in desk.open(desk.path).words
    desk.press("Release round 1")
    assert "another one since the first round was drawn: Zoe came or left. Draw the round again." in desk.words
    desk.press("Draw the round again")
    assert "Not in the schedule" not in desk.open(f"/tournaments/{event.pk}/desk/").words
    tournaments.withdraw(event_id=event.pk, entrants=[1, 3], step=at(event, "leave"))
    assert not event.matches.exists()
    with pytest.raises(Refused, match="Ada and Carmen came or left") as refused:
        events.seat(event_id=event.pk, step=at(event, "seat"))
    assert refused.value.code == "draw-again"
    made(event, "drawn for four")
    assert len(events.seat(event_id=event.pk, step=at(event, "seat"))) == 2
    assert "Not in the schedule" not in desk.open(desk.path).words


@pytest.mark.parametrize("bracket", KINDS)
@pytest.mark.parametrize("number", [2, 3, 6, 8])
def test_the_best_seed_wins_and_every_round_is_that_of_the_command(cast: Cast, bracket: str, number: int) -> None:
    event = entered(cast, TREE | {"bracket": bracket}, number)
    while next_round(event):
        file = file_of(event)
        assert {name: file["stages"][0][name] for name in KINDS[bracket]} == KINDS[bracket]
        wanted = paired(file)
        for match in drawn(event):
            won_by_the_better(event, match)
        seated = file_of(event)["stages"][0]["rounds"][-1]
        tables = [(each["sides"], each.get("places")) for each in wanted["tables"]]
        assert [(each["sides"], each.get("places")) for each in seated["tables"]] == tables
        assert seated["unplayed"] == wanted["unplayed"]
    assert paired(file_of(event))["tables"] == []
    found = places(event)
    assert found[1] == 1
    assert number < 2 or found[2] == 2
    if bracket == "placement":
        assert sorted(found.values()) == list(range(1, number + 1))
    with pytest.raises(Refused, match=r"^All rounds are played\. Close the tournament on its desk\.$"):
        made(event, "one more")


def test_equal_totals_are_played_again(cast: Cast) -> None:
    event = entered(cast, TREE, 2)
    (match,) = drawn(event)
    win(event, match, 0)
    assert next_round(event) == 2
    (again,) = drawn(event)
    assert next_round(event) == 0, "it may end now"
    win(event, again, 2)
    assert next_round(event) == 0
    assert places(event) == {2: 1, 1: 2}


def test_seeds_are_ratings_and_stay(cast: Cast) -> None:
    event = entered(cast, TREE, 4)
    for entrant, rating in ((1, 1400), (2, 1500), (3, 1600), (4, 1700)):
        entrants.describe(event_id=event.pk, entrant=entrant, about=About("", "", rating), step=at(event, f"{entrant}"))
    assert state(event).seeds == (4, 3, 2, 1)
    drawn(event)
    entrants.describe(event_id=event.pk, entrant=1, about=About("", "", 1900), step=at(event, "grown"))
    assert file_of(event)["stages"][0]["entrants"] == [4, 3, 2, 1]


def test_seeds_are_lots_on_request(cast: Cast) -> None:
    event = entered(cast, TREE | {"first_by_lots": True, "lots": "a"}, 8)
    assert list(state(event).seeds) == sorted(
        range(1, 9), key=lambda entrant: sha256(f"a:{entrant}".encode()).hexdigest()
    )


def test_once_it_has_begun_nobody_comes(cast: Cast) -> None:
    event = entered(cast, TREE, 4)
    drawn(event)
    late = clubs.player_add(club=cast.club, name="Late", now=NOW).pk
    with pytest.raises(Refused, match=r"undo the release on the desk. Else they can play in another"):
        tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late"))
    wish = {"what": "present", "entrants": [1], "first": 2, "last": None, "table": 0}
    with pytest.raises(Refused, match="the tree says"):
        schedules.wish(event_id=event.pk, wish=wish, step=at(event, "wish"))
    events.undo(event_id=event.pk, step=at(event, "undo"))
    tournaments.enter(event_id=event.pk, entrants=[[late]], step=at(event, "late, after the undo"))
    assert len(state(event).entrants) == 5


def test_who_does_not_come_is_out(cast: Cast) -> None:
    event = entered(cast, TREE, 4)
    first, second = drawn(event)
    assert first.table
    tournaments.forfeit(event_id=event.pk, round_number=1, table=first.table.number, absent=[0], step=at(event, "away"))
    won_by_the_better(event, second)
    (final,) = drawn(event)
    there = {state(event).numbers[seat.player_id] for seat in final.seats.all() if seat.player_id}
    assert len(there) == 2
    assert state(event).sides_of("block", [seat.player_id or 0 for seat in first.seats.all()])[0][0] not in there


def test_who_leaves_before_it_begins_is_not_in_the_tree(cast: Cast) -> None:
    event = entered(cast, TREE, 5)
    tournaments.withdraw(event_id=event.pk, entrants=[2], step=at(event, "leaves"))
    assert state(event).seeds == (1, 3, 4, 5)
    assert [each["sides"] for each in paired(file_of(event))["tables"]]
    assert len(drawn(event)) == 2


def test_everybody_sees_the_bracket_and_the_director_draws(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE | {"bracket": "third-place"}, 6)
    desk = desk_of(event, as_user("director")).press("Draw round 1").press("Release round 1")
    for match in event.matches.all():
        won_by_the_better(event, match)
    for address in ("", "schedule/"):
        page = Browser().open(f"/tournaments/{event.pk}/{address}")
        assert page.status == 200
        assert "Semi-finals" in page.words
        assert "Third place" in page.words
    assert "Bracket" in str(Client().get(f"/tournaments/{event.pk}/").content)
    desk.open(desk.path).press("Draw round 2").press("Release round 2")
    for match in event.matches.filter(round=2):
        won_by_the_better(event, match)
    desk.open(desk.path).press("Draw round 3").press("Release round 3")
    assert "Draw round 4" not in desk.words
    for match in event.matches.filter(round=3):
        won_by_the_better(event, match)
    assert "All rounds are played." in desk.open(desk.path).words
    for address in ("standings/", "screen/", "seats/", "print/", "schedule/"):
        assert Browser(as_user("director")).open(f"/tournaments/{event.pk}/{address}").status == 200, address


def test_it_is_printed_on_sheets_of_one_scale(cast: Cast) -> None:
    event = entered(cast, TREE | {"bracket": "placement"}, 16)
    page = Browser().open(f"/tournaments/{event.pk}/print/bracket/").markup
    drawn_at = re.findall(r'class="bracket" (viewBox="[^"]*")', page)
    assert len(drawn_at) == 2
    assert len({*drawn_at}) == 1
    assert "Sheet 1 of 2" in page


def test_a_match_in_play_says_its_table_and_the_screen_shows_it(cast: Cast) -> None:
    event = entered(cast, TREE | {"bracket": "third-place"}, 4)
    drawn(event)
    for address in (f"/tournaments/{event.pk}/", f"/tv/{event.pk}/bracket"):
        page = Browser().open(address).markup
        assert re.findall(r'class="tag-text"[^>]*>([^<]*)<', page) == ["Table 1", "Table 2"], address
        assert "Winner of match 1" in page
    assert "Match 1" in Browser().open(f"/tournaments/{event.pk}/").markup


def test_standings_say_which_places_are_open_to_whom(cast: Cast) -> None:
    event = entered(cast, TREE | {"bracket": "placement"}, 6)
    matches = drawn(event)
    assert "Can reach" not in Browser().open(f"/tournaments/{event.pk}/").markup
    for match in matches:
        won_by_the_better(event, match)
    for address in ("", "standings/"):
        page = Browser().open(f"/tournaments/{event.pk}/{address}").markup
        assert "Can reach" in page
        assert "By points" not in page
        assert re.findall(r">(1–4|5–6)<", page) == ["1–4"] * 4 + ["5–6"] * 2


def test_with_too_few_it_says_how_many_are_missing(cast: Cast) -> None:
    event = entered(cast, TREE, 1)
    with pytest.raises(Refused, match="one more is missing"):
        made(event)


def test_a_setup_form_makes_one(cast: Cast, as_user: Host) -> None:
    page = Browser(as_user("director")).open(f"/clubs/{cast.club.slug}/tournaments/new/?preset=block:knock-out")
    assert page.status == 200
    page.press("Set up the tournament", name="Cup", bracket="double")
    event = Event.objects.get(name="Cup")
    assert (state(event).knock_out, state(event).setup["bracket"], state(event).setup["order"]) == (True, "double", [])


def leave(event: Event, *gone: int, key: str = "leaves") -> None:
    tournaments.withdraw(event_id=event.pk, entrants=[*gone], step=at(event, key))


def test_who_leaves_during_a_match_loses_it(cast: Cast) -> None:
    event = entered(cast, TREE, 4)
    drawn(event)
    leave(event, 1)
    assert event.matches.filter(finished_at=None).count() == 1
    events.undo(event_id=event.pk, step=at(event, "stays"))
    assert event.matches.filter(finished_at=None).count() == 2
    leave(event, 1, key="leaves after all")
    won_by_the_better(event, event.matches.get(finished_at=None))
    (final,) = drawn(event)
    win(event, final, 4)
    assert places(event) == {4: 1, 2: 2, 1: 3, 3: 3}


@pytest.mark.parametrize("bracket", KINDS)
def test_who_leaves_loses_all_tables_that_come(cast: Cast, bracket: str) -> None:
    event = entered(cast, TREE | {"bracket": bracket}, 6)
    for match in drawn(event):
        won_by_the_better(event, match)
    leave(event, 1, 3)
    while next_round(event):
        for match in drawn(event):
            won_by_the_better(event, match)
    tables = [table for each in file_of(event)["stages"][0]["rounds"] for table in each["tables"]]
    lost = [table for table in tables if table.get("absent")]
    assert {side[0] for table in lost for at in table["absent"] for side in [table["sides"][at]]} == {1, 3}
    assert all("match" not in table for table in lost), "nobody plays there"
    assert places(event)[2] == 1


def test_a_table_that_nobody_plays_is_shown_and_the_way_back_is_open(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE, 8)
    for match in drawn(event):
        won_by_the_better(event, match)
    desk = desk_of(event, as_user("director"))
    assert not desk.has_button("Enter them"), "nobody gets into a tree that has begun"
    desk.press("They leave", entrant="1").press("Draw round 2")
    assert "Ada did not come" in desk.words
    desk.press("Release round 2")
    assert event.matches.filter(round=2).count() == 1
    assert not desk.has_button("Came after all")
    table = state(event).rounds[1].pairings[0].table
    with pytest.raises(Refused, match="had left"):
        tournaments.forfeit(event_id=event.pk, round_number=2, table=table, absent=[], step=at(event, "came"))
    assert Browser().open(f"/tournaments/{event.pk}/").status == 200
    assert Browser().open(f"/tournaments/{event.pk}/screen/").status == 200
    desk.open(desk.path).press("Is back")
    assert 1 in state(event).taking_part
    won_by_the_better(event, event.matches.get(finished_at=None))
    (final,) = drawn(event)
    win(event, final, 4)
    assert places(event)[4] == 1


def test_who_left_before_it_began_does_not_come_back(cast: Cast, as_user: Host) -> None:
    event = entered(cast, TREE, 5)
    leave(event, 5)
    drawn(event)
    assert not desk_of(event, as_user("director")).has_button("Is back")
    with pytest.raises(Refused):
        tournaments.come_back(event_id=event.pk, entrants=[5], step=at(event, "back"))
