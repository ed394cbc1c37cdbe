"""The number of queries of each selector does not depend on the amount of data."""

import gc
import itertools
import random
import weakref
from collections.abc import Callable
from datetime import timedelta
from functools import reduce
from typing import Any

import pytest

import games
from scorekeeper.access import Actor
from scorekeeper.models import Club, Match, Player
from scorekeeper.selectors import clubs, matches, standings, tables
from scorekeeper.services.clubs import table_add
from scorekeeper.standings import added, rows, sitting_results, sums_of
from tests.conftest import NOW, Cast, enter, names_for, plan_for, totals_for

GAME = sorted(games.GAMES)[0]

PRICES: dict[str, tuple[int, Callable[[Cast, Match], Any]]] = {
    "clubs": (1, lambda cast, match: list(clubs.in_numbers(Club.objects.all()))),
    "players_of": (1, lambda cast, match: list(clubs.players_of(cast.club))),
    "tables_of": (4, lambda cast, match: [_names(row.match) for row in tables.tables_of(cast.club) if row.match]),
    "current_match": (3, lambda cast, match: _names(tables.current_match(cast.table))),
    "with_people": (2, lambda cast, match: list(map(_names, matches.with_people(matches.matches_of(cast.club))))),
    "matches_at": (3, lambda cast, match: [_names(each) for each in matches.matches_at(cast.table)]),
    "match_with_seats": (3, lambda cast, match: _names(matches.match_with_seats(match.pk))),
    "position": (2, lambda cast, match: matches.position(match)),
    "position, known": (0, lambda cast, match: matches.position(match)),
    "newest_nights": (2, lambda cast, match: clubs.newest_nights(cast.club, None)),
    "standings.club_tables": (1, lambda cast, match: standings.club_tables(cast.club)),
    "standings.out_of_date": (4, lambda cast, match: standings.out_of_date(match)),
}


@pytest.mark.parametrize("at_once", [1, 2])
def test_only_the_newest_position_keeps_what_is_shown_of_it(
    cast: Cast, at_once: int, django_capture_on_commit_callbacks: Any
) -> None:
    """A match keeps those before it, for undo. With a sheet each, a long match would take many megabytes.

    A process that another one tells of the entries reads several at once.
    """
    match = cast.open(GAME)
    state = matches.position(match)
    plan = plan_for(GAME)[:6]
    for start in range(0, len(plan), at_once):
        entries = plan[start : start + at_once]
        state = reduce(games.Match.enter, entries, state)
        match.length += len(entries)
        with django_capture_on_commit_callbacks(execute=True):
            matches.keep_position(match, match.length, state)
        position = matches.position(match)
        assert position.sheet() is position.sheet()
    before = position.before
    while before is not None:
        assert (before._sheet, before._offers) == (None, None)
        before = before.before


LISTS: dict[str, Callable[[Cast], list[Match]]] = {
    "with_seats": lambda cast: list(matches.with_seats(Match.objects.all())),
    "with_people": lambda cast: matches.with_people(Match.objects.all()),
    "of an event": lambda cast: list(matches.with_seats(cast.table.matches.all())),
}


@pytest.mark.parametrize("name", LISTS)
def test_matches_leave_the_memory_without_a_garbage_collection(cast: Cast, name: str) -> None:
    """Every play reads one. Garbage collections are rare, because they stop all threads."""
    cast.open(GAME)
    gc.collect()
    gc.disable()
    try:
        known = [weakref.ref(match) for match in LISTS[name](cast) if _names(match)]
        assert len(known) == 1
        assert known[0]() is None
    finally:
        gc.enable()


def _names(match: Match | None) -> list[str]:
    """Everything that a list shows of a match."""
    assert match is not None
    return [match.club.name, str(match.table), *(seat.name for seat in match.seats.all())]


@pytest.mark.parametrize("size", [1, 6])
@pytest.mark.parametrize("name", PRICES)
def test_the_price_of_reading(cast: Cast, name: str, size: int, django_assert_num_queries: Any) -> None:
    for number in range(size):
        Player.objects.create(club=cast.club, name=f"Player {number}")
        Club.objects.create(slug=f"c{number}", name=f"C{number}", created_at=NOW)
        table = table_add(club=cast.club, now=NOW)
        enter(cast.open(GAME, table=table), plan_for(GAME)[: 3 * size])
    match = enter(cast.open(GAME), plan_for(GAME)[: 5 * size])
    price, read = PRICES[name]
    if name == "position":
        matches._positions.clear()
    with django_assert_num_queries(price):
        read(cast, match)


def test_every_table_has_its_newest_match_or_none(cast: Cast) -> None:
    cast.open(GAME)
    newest = cast.open(GAME)
    rows = tables.tables_of(cast.club)
    assert [(row.table.number, row.match) for row in rows] == [(1, newest), (2, None)]
    assert tables.current_match(cast.table) == newest
    assert tables.current_match(cast.other_table) is None
    assert tables.tables_of(cast.other_club) == []


def test_a_clubs_matches_go_on_or_are_new_first(cast: Cast) -> None:
    opened = [cast.open(GAME) for _ in range(6)]
    for match, minutes in zip(opened, (0, 5, 3, 3, 1, 9), strict=True):
        match.created_at = NOW + timedelta(minutes=minutes)
        match.save()
    for match in opened[1:5]:
        enter(match, [{"kind": "stop", "stopped": "time"}])
    order = [opened[number] for number in (5, 0, 1, 3, 2, 4)]
    assert list(matches.matches_of(cast.club)) == order
    for at, match in enumerate(order):
        assert list(matches.matches_of(cast.club, below=match.pk)) == order[at + 1 :]
    assert not matches.matches_of(cast.club, below=0)


def test_clubs_tell_how_many_matches_go_on(cast: Cast) -> None:
    cast.open(GAME)
    enter(cast.open(GAME), [{"kind": "stop", "stopped": "time"}])
    assert {club.slug: club.matches_playing for club in clubs.in_numbers(Club.objects.all())} == {
        "rovers": 1,
        "wanderers": 0,
    }


def hands_in(plan: list[dict[str, Any]]) -> list[int]:
    """The positions in the plan where hands begin."""
    return [number for number, entry in enumerate(plan) if entry["kind"] == "hand"]


def test_a_table_that_the_database_adds_up_is_that_of_the_sheets(cast: Cast, game: str) -> None:
    """Matches with substitutes; stopped, in play and abandoned ones; bare results."""
    seeds = (plan_for(game, seed, hands=3) for seed in itertools.count())
    plans = list(itertools.islice((plan for plan in seeds if len(hands_in(plan)) > 1), 3))
    names, hands = names_for(game), 0
    for number, plan in enumerate(plans):
        _first, second, *_rest = hands_in(plan)
        taken = {"kind": "substitute", "seat": number % 2, "player": "Eva", "from": 1}
        enter(cast.open(game, hands=3), [*plan[:second], taken, *plan[second:]])
        hands += len(hands_in(plan))
    first = plan[:second]
    enter(cast.open(game), [*first, {"kind": "stop", "stopped": "time"}])
    equal = [sum(totals_for(game, 3)) // 3] * len(names)
    enter(cast.open(game), [{"kind": "result", "totals": equal, "stopped": "early"}])
    enter(cast.open(game), [*first, {"kind": "stop", "stopped": "abandoned"}])
    enter(cast.open(game), [{"kind": "stop", "stopped": "time"}])
    enter(cast.open(game), first)
    sheets = [standings.result_of(match, match.sheet) for match in reversed(matches.matches_at(cast.table))]
    sums: Any = reduce(added, (sums_of(sitting_results(result)) for result in sheets if result))
    found = rows(sums, games.GAMES[game].lower_wins)
    assert standings.club_tables(cast.club) == {game: found}
    by_name = {row.name: row for row in found}
    assert {name: row.played for name, row in by_name.items()} == dict.fromkeys(names, 5) | {"Eva": 3}
    assert sum(row.hands for row in found) == len(names) * (hands + 1)
    assert by_name["Eva"].hands == hands - 3
    assert {row.unverified for row in found if row.name != "Eva"} == {1}


def test_each_game_has_its_table_the_most_played_first(cast: Cast) -> None:
    for game in ("block", "all-fives", "all-fives", "draw"):
        enter(cast.open(game), [{"kind": "result", "totals": [1, 0], "stopped": "early"}])
    assert list(standings.club_tables(cast.club)) == ["all-fives", "block", "draw"]


def test_a_club_table_has_the_names_of_now(cast: Cast) -> None:
    ana = Player.objects.create(club=cast.club, name="Ana")
    match = cast.open(GAME)
    match.seats.filter(name="Ana").update(player=ana)
    enter(match, plan_for(GAME))
    ana.name = "Anna"
    ana.save()
    rows = standings.club_tables(cast.club)[GAME]
    assert ("Anna", ana.pk) in {(row.name, row.player) for row in rows}
    assert standings.club_tables(cast.other_club) == {}


def test_a_position_is_the_same_from_any_start(cast: Cast, game: str, django_capture_on_commit_callbacks: Any) -> None:
    plan = plan_for(game, hands=2)
    match = enter(cast.open(game, hands=2), plan)
    matches._positions.clear()
    fresh = [matches.position_at(match, length) for length in range(len(plan) + 1)]
    with django_capture_on_commit_callbacks(execute=True):
        matches.position_at(match, len(plan) // 2)
    known = [matches.position_at(match, length) for length in range(len(plan) + 1)]
    assert [state.record() for state in fresh] == [state.record() for state in known]


def test_the_cache_keeps_the_newest_positions_of_a_few_matches(
    monkeypatch: pytest.MonkeyPatch, cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(matches, "_POSITIONS_KEPT", 3)
    start = games.Match.new(GAME, {}, names_for(GAME))
    with django_capture_on_commit_callbacks(execute=True):
        for match, length in [(1, 0), (2, 5), (3, 0), (2, 6), (4, 0), (2, 5), (5, 0)]:
            matches.keep_position(Match(pk=match), length, start)
    assert {match: length for (match, *_of), (length, _state) in matches._positions.items()} == {2: 6, 4: 0, 5: 0}


def test_ways_are_those_of_the_position_that_was_seen(cast: Cast, game: str) -> None:
    plan = plan_for(game)
    match = enter(cast.open(game), plan[:4])
    for seen in (-1, 99, None, "3", 10**30):
        assert matches.ways(match, seen, {}, games.Malformed("No.")) == [{"way": "mend"}]
    entry = plan[2]
    with pytest.raises(games.GameError) as refused:
        matches.position_at(match, 4).enter(entry)
    assert matches.ways(match, 4, entry, refused.value) == games.remedies(matches.position(match), entry, refused.value)


def test_a_public_record_hides_the_hands_still_held(cast: Cast, game: str) -> None:
    record = games.random_match(game, {}, names_for(game), random.Random(5), 1, observed=False)
    match = enter(cast.open(game), games.entries(record)[:3], by=Actor())
    assert "deal" not in matches.record_of(match)["hands"][-1]
    assert "deal" in matches.position(match).record()["hands"][-1]
