"""What each entrant of a knock-out can still reach is what happens in some way to play on, and nothing else is."""

import copy
import random
from collections.abc import Collection
from itertools import product
from typing import Any

import pytest

from scorekeeper.pairing.reachable import prospects
from scorekeeper.standings.possible import Chance, Prospect
from scorekeeper.standings.reading import read_value
from tests.pairing.test_knock_out import KINDS, a_bracket, add, places, play, play_on
from tests.pairing.test_rounds import ours

File = dict[str, Any]


def found(file: File, first: int = 1, gone: Collection[int] = ()) -> dict[int, Prospect]:
    tournament = read_value(file)
    return prospects(tournament, tournament.stages[0], first, gone)


def ranges(file: File, gone: Collection[int] = ()) -> dict[int, tuple[int, int]]:
    return {entrant: each.possible[:2] for entrant, each in found(file, gone=gone).items()}


def endings(file: File, gone: int = 0) -> list[dict[int, int]]:
    """The places in the end, for every way in which the tables to come can be won; `gone` wins none."""
    drawn = ours(file)
    if not drawn["tables"]:
        return [places(file)]
    ends = []
    for ways in product([[1, 0], [0, 1]], repeat=len(drawn["tables"])):
        on = copy.deepcopy(file)
        played = copy.deepcopy(drawn)
        for table, totals in zip(played["tables"], ways, strict=True):
            table["totals"] = totals
        if any([gone] == table["sides"][table["totals"].index(1)] for table in played["tables"]):
            continue
        add(on, played)
        ends += endings(on, gone)
    return ends


def of_all(ends: list[dict[int, int]]) -> dict[int, tuple[int, int]]:
    return {each: (min(end[each] for end in ends), max(end[each] for end in ends)) for each in ends[0]}


# A double one of six has too many endings.
SMALL = [(kind, entrants) for kind in KINDS for entrants in range(2, 7) if (kind, entrants) != ("double", 6)]


@pytest.mark.parametrize(("kind", "entrants"), SMALL)
def test_it_is_what_every_ending_gives(kind: str, entrants: int) -> None:
    file, rng = a_bracket(entrants, **KINDS[kind]), random.Random(f"{kind} {entrants}")
    while True:
        ends = endings(file)
        assert ranges(file) == of_all(ends)
        if len(ends) == 1:
            return
        drawn = ours(file)
        for table in drawn["tables"]:
            play(rng, table, odd=0.0)
        add(file, drawn)


@pytest.mark.parametrize("kind", [*KINDS])
def test_who_has_left_loses_and_the_next_opponent_goes_on(kind: str) -> None:
    file, rng = a_bracket(4, **KINDS[kind]), random.Random(kind)
    while True:
        drawn = ours(file)
        if not drawn["tables"]:
            return
        for gone in (1, 2):
            now, every = ranges(file, {gone}), of_all(endings(file, gone))
            tables = [{each for side in table["sides"] for each in side} for table in drawn["tables"]]
            here = next((table for table in tables if gone in table), {gone})
            assert {each: now[each] for each in here} == {each: every[each] for each in here}
            assert all(now[each][0] <= best and worst <= now[each][1] for each, (best, worst) in every.items())
        for table in drawn["tables"]:
            play(rng, table, odd=0.0)
        add(file, drawn)


@pytest.mark.parametrize("kind", [*KINDS])
def test_places_in_the_end_are_among_those_that_could_be_reached(kind: str) -> None:
    for entrants in (7, 11, 16, 23):
        file, rng = a_bracket(entrants, **KINDS[kind]), random.Random(f"{kind} {entrants}")
        play_on(file, rng)
        ended, rounds = places(file), file["stages"][0]["rounds"]
        before = dict.fromkeys(ended, (1, entrants))
        for number in range(len(rounds) + 1):
            now = ranges({**file, "stages": [{**file["stages"][0], "rounds": rounds[:number]}]})
            for entrant, (best, worst) in now.items():
                assert best <= ended[entrant] <= worst
                assert before[entrant][0] <= best
                assert worst <= before[entrant][1]
            before = now
        assert before == {entrant: (place, place) for entrant, place in ended.items()}


@pytest.mark.parametrize("kind", [*KINDS])
def test_matches_played_again_and_people_who_stay_away(kind: str) -> None:
    for entrants in (4, 7, 13):
        for seed in range(6):
            file = a_bracket(entrants, **KINDS[kind])
            play_on(file, random.Random(f"{kind} {entrants} {seed}"), odd=0.4)
            rounds = file["stages"][0]["rounds"]
            for number in range(len(rounds) + 1):
                now = ranges({**file, "stages": [{**file["stages"][0], "rounds": rounds[:number]}]})
                assert all(1 <= best <= worst <= entrants for best, worst in now.values())
            assert now == {entrant: (place, place) for entrant, place in places(file).items()}


def test_an_open_table_counts_as_not_played_yet() -> None:
    file = a_bracket(8, placement=True)
    drawn = ours(file)
    for table in drawn["tables"][1:]:
        table["totals"] = [1, 0]
    add(file, drawn)
    open_to = ranges(file)
    [[one], [other]] = drawn["tables"][0]["sides"]
    assert open_to[one] == open_to[other] == (1, 8)
    assert sorted(open_to.values()) == [(1, 4)] * 3 + [(1, 8)] * 2 + [(5, 8)] * 3


def test_chances_of_a_prize() -> None:
    file = a_bracket(4)
    assert {each.chance for each in found(file, 2).values()} == {Chance.NEEDS_WIN}
    drawn = ours(file)
    for table in drawn["tables"]:
        table["totals"] = [1, 0]
    add(file, drawn)
    assert sorted(each.chance or "" for each in found(file, 2).values()) == [Chance.OUT] * 2 + [Chance.SURE] * 2
    assert all(each.possible.exact and not each.by_points for each in found(file).values())
