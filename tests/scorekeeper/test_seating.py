"""Wrong seats corrected late, in the rows that follow from the log: seats, partners, winners."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from scorekeeper.access import Actor, Refusal
from scorekeeper.models import Match, Player
from scorekeeper.selectors.events import event_now
from scorekeeper.selectors.matches import beginning, match_with_seats, seated_now
from scorekeeper.selectors.standings import club_tables, event_tables, out_of_date
from scorekeeper.services import recording
from scorekeeper.services.errors import Refused
from tests.browsing import Browser
from tests.conftest import NOW, Cast, enter, last_change
from tests.nights import night_of, played
from tests.tournaments import released, scheduled, setup_of

SWAP = {"kind": "swap", "seats": [0, 3, 2, 1], "why": "Bo and Dan sat down wrong"}
RESULT = {"kind": "result", "totals": [10, 40, 10, 40], "stopped": "early"}


def rows(match: Match) -> list[tuple[str, int]]:
    return list(match.seats.order_by("number").values_list("name", "begun"))


def record(match: Match, entry: dict[str, Any], key: str) -> Match:
    return enter(match, [entry], prefix=key)


def test_the_rows_follow_the_log_there_and_back(cast: Cast) -> None:
    match = cast.open("domino-whist")
    start = beginning(match)
    record(match, SWAP, "swap")
    assert rows(match) == [("Ana", 0), ("Dan", 3), ("Cleo", 2), ("Bo", 1)]
    record(match, {"kind": "swap", "seats": [1, 2, 3, 0]}, "turn")
    assert rows(match) == [("Dan", 3), ("Cleo", 2), ("Bo", 1), ("Ana", 0)]
    assert (beginning(Match.objects.get(pk=match.pk)), out_of_date(match)) == (start, [])
    record(match, {"kind": "undo"}, "once")
    assert rows(match) == [("Ana", 0), ("Dan", 3), ("Cleo", 2), ("Bo", 1)]
    record(match, {"kind": "undo"}, "twice")
    assert rows(match) == [("Ana", 0), ("Bo", 1), ("Cleo", 2), ("Dan", 3)]
    assert out_of_date(match) == []


def test_who_took_over_a_seat_goes_with_it_and_stays_who_he_is(cast: Cast) -> None:
    eva = Player.objects.create(club=cast.club, name="Eva")
    match = record(cast.open("domino-whist"), {"kind": "substitute", "seat": 1, "player": "Eva", "from": 0}, "eva")
    Player.objects.filter(pk=eva.pk).update(name="Evita")
    record(match, SWAP, "swap")
    assert list(match.substitutes.values_list("number", "from_hand", "name", "player")) == [(3, 0, "Eva", eva.pk)]
    found = match_with_seats(match.pk)
    assert found
    assert [each.name for each in seated_now(found)] == ["Ana", "Dan", "Cleo", "Eva"]
    assert out_of_date(match) == []


def test_a_rebuild_seats_everybody_by_the_log(cast: Cast) -> None:
    match = record(cast.open("domino-whist"), SWAP, "swap")
    match.seats.filter(name="Ana").update(number=7)
    assert out_of_date(Match.objects.get(pk=match.pk)) == ["seats"]
    recording.rebuild(match_id=match.pk)
    assert rows(match) == [("Ana", 0), ("Dan", 3), ("Cleo", 2), ("Bo", 1)]


def test_lists_of_matches_hear_of_other_seats(cast: Cast) -> None:
    match = cast.open("domino-whist")
    for entry in (SWAP, {"kind": "undo"}):
        record(match, entry, entry["kind"])
        assert f"club:{cast.club.pk}" in last_change()[1]


def test_a_match_of_a_night_counts_for_who_really_sat_there(cast: Cast) -> None:
    night = night_of(cast, 4)
    [match] = night.matches.all()
    record(match, RESULT, "result")
    ana, bo, cleo, dan = match.seats.order_by("number")
    people = {each.player_id: each.name for each in (ana, bo, cleo, dan)}

    def winners() -> set[str]:
        [rows] = event_tables(night).values()
        assert [row.name for row in rows] == [row.name for row in club_tables(cast.club)[match.game]]
        return {row.name for row in rows if row.won}

    def partners() -> set[frozenset[str]]:
        [met] = event_now(night).history.played
        return {frozenset(people[player] for player in side) for side in met.sides}

    assert winners() == {ana.name, cleo.name} in partners()
    record(match, {"kind": "swap", "seats": [0, 2, 1, 3]}, "swap")
    assert winners() == {ana.name, bo.name} in partners()
    record(match, {"kind": "undo"}, "undo")
    assert winners() == {ana.name, cleo.name} in partners()


def test_somebody_else_played_and_everything_is_theirs(cast: Cast) -> None:
    night = night_of(cast, 4)
    [match] = night.matches.all()
    record(match, RESULT, "result")
    host, was = Actor(cast.users["director"]), rows(match)
    right = {"kind": "swap", "players": ["Zoe", *(name for name, _begun in was[1:])], "why": "Zoe sat there"}
    with pytest.raises(Refusal):
        record(match, right, "phone")
    enter(match, [right], by=host, prefix="right")
    zoe = Player.objects.get(name="Zoe")
    assert (zoe.guest, match.seats.get(number=0).player) == (True, zoe)
    for table in (event_tables(night), club_tables(cast.club)):
        assert {row.name for row in table[match.game]} == {"Zoe", *(name for name, _begun in was[1:])}
    assert beginning(Match.objects.get(pk=match.pk)).players == tuple(name for name, _begun in was)
    assert out_of_date(match) == []
    # Who was there first comes back as the same person, even under another name.
    first = Player.objects.get(name=was[0][0])
    Player.objects.filter(pk=first.pk).update(name="Ada the First")
    enter(match, [{"kind": "undo"}], by=host, prefix="back")
    assert (rows(match), match.seats.get(number=0).player) == (was, first)
    assert out_of_date(match) == []


def test_several_were_wrong_and_a_rebuild_finds_the_same(cast: Cast) -> None:
    host, match = Actor(cast.users["director"]), cast.open("domino-whist")
    enter(match, [{"kind": "swap", "players": ["Bo", "Eva", "Fay", "Dan"]}], by=host, prefix="a")
    enter(match, [{"kind": "swap", "players": ["Cleo", "Eva", "Gus", "Fay"]}], by=host, prefix="b")
    assert [name for name, _begun in rows(match)] == ["Cleo", "Eva", "Gus", "Fay"]
    recording.rebuild(match_id=match.pk)
    assert out_of_date(Match.objects.get(pk=match.pk)) == []
    for key in ("c", "d"):
        enter(match, [{"kind": "undo"}], by=host, prefix=key)
        assert out_of_date(Match.objects.get(pk=match.pk)) == []
    assert rows(match) == [("Ana", 0), ("Bo", 1), ("Cleo", 2), ("Dan", 3)]
    assert not match.seats.exclude(first_name="").exists()


def test_two_of_two_tables_in_play_are_put_right_one_after_the_other(
    cast: Cast, as_user: Callable[[str], Client]
) -> None:
    first, second = night_of(cast, 8).matches.order_by("pk")
    one, other = (match.seats.get(number=0).name for match in (first, second))
    page = Browser(as_user("director"))
    for match, right in ((first, other), (second, one)):
        page.open(f"/matches/{match.pk}/seats/").press("Show what it changes", who_0=right)
        page.press("Save the correction")
        assert (f"{other} is also recorded at table 2." in page.words) == (match == first)
    assert (rows(first)[0][0], rows(second)[0][0]) == (other, one)


def test_in_a_round_of_a_tournament_nobody_comes_in(cast: Cast) -> None:
    event = scheduled(cast, setup_of("block", "heads"), 2)
    [match] = released(event)
    with pytest.raises(Refused, match="On the director's desk, swap two of them"):
        enter(match, [{"kind": "swap", "players": ["Zoe", rows(match)[1][0]]}], by=Actor(cast.users["director"]))


@pytest.mark.parametrize("why", ["", "The tiles fell off the table"])
def test_a_hand_given_up_counts_nowhere(cast: Cast, why: str) -> None:
    night = night_of(cast, 4)
    [match] = night.matches.all()
    played(match, moves=3)
    record(match, {"kind": "abandon"} | ({"why": why} if why else {}), "abandon")
    assert (match.sheet["hands"], match.sheet["totals"], match.status) == ([], [0, 0, 0, 0], "playing")
    record(match, {"kind": "stop", "stopped": "time"}, "stop")
    assert event_tables(night) == {}
    assert recording.record(match_id=match.pk, seen=match.length, key="u", entry={"kind": "undo"}, by=Actor(), now=NOW)
    assert out_of_date(Match.objects.get(pk=match.pk)) == []
