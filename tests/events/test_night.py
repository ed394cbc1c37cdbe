"""A club night as a fold: the effect of every step, and undo."""

import random
from typing import Any

import pytest

from scorekeeper.events import Night
from scorekeeper.events.rounds import Impossible, Pairing, Round


def came(*players: int) -> dict[str, Any]:
    return {"kind": "people", "came": list(players), "left": []}


def left(*players: int) -> dict[str, Any]:
    return {"kind": "people", "came": [], "left": list(players)}


def pairing(table: int, *players: int) -> Pairing:
    return Pairing(table, "some-game", {"hands": 4}, None, players)


def draft(*pairings: Pairing, byes: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"kind": "draft", "round": Round(pairings, byes).as_json()}


NINE = [came(*range(1, 10))]
DRAWN = [*NINE, draft(pairing(1, 1, 2, 3, 4), pairing(2, 5, 6, 7, 8), byes=(9,))]
SEATED = [*DRAWN, {"kind": "seat", "matches": [1, 2]}]


def seats(night: Night) -> list[tuple[int, ...]]:
    assert night.draft
    return [each.players for each in night.draft.pairings]


def test_who_is_here_is_here_once() -> None:
    night = Night.of([came(1, 2, 2), came(2, 3), left(1), came(1)])
    assert night.here == (2, 3, 1)
    assert night.came == (1, 2, 3)


def test_a_draft_is_seated_and_then_a_round() -> None:
    night = Night.of(SEATED)
    assert night.draft is None
    assert [round.byes for round in night.rounds] == [(9,)]
    assert night.rounds[0] == Round.of(Round.of(night.rounds[0].as_json()).as_json())


def test_two_people_change_places_wherever_they_are() -> None:
    night = Night.of([*DRAWN, {"kind": "swap", "players": [4, 5]}, {"kind": "swap", "players": [9, 1]}])
    assert seats(night) == [(9, 2, 3, 5), (4, 6, 7, 8)]
    assert night.draft
    assert night.draft.byes == (1,)


def test_who_leaves_is_made_up_for_by_who_sits_out() -> None:
    assert seats(Night.of([*DRAWN, left(3)])) == [(1, 2, 9, 4), (5, 6, 7, 8)]
    gone = Night.of([*DRAWN, left(9)])
    assert gone.draft == Round(Night.of(DRAWN).draft.pairings, ())  # type: ignore[union-attr]


def test_with_nobody_to_make_up_a_table_is_given_up() -> None:
    night = Night.of([*DRAWN, left(3, 7)])
    assert seats(night) == [(1, 2, 9, 4)]
    assert night.draft
    assert night.draft.byes == (5, 6, 8)


def test_who_comes_while_a_draft_is_looked_at_sits_out_in_it() -> None:
    night = Night.of([*DRAWN, came(10, 11)])
    assert night.draft
    assert night.draft.byes == (9, 10, 11)


def test_another_game_at_one_table() -> None:
    change = {"kind": "table", "table": 2, "game": "other-game", "options": {}, "minutes": 30}
    night = Night.of([*DRAWN, change])
    assert night.draft
    assert [(each.game, each.minutes) for each in night.draft.pairings] == [("some-game", None), ("other-game", 30)]


def test_settings_are_kept_by_game() -> None:
    night = Night.of([{"kind": "game", "game": "a", "options": {"hands": n}, "minutes": None} for n in (4, 8)])
    assert night.settings["a"].options == {"hands": 8}


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ([{"kind": "undo"}], "nothing-to-undo"),
        ([*NINE, {"kind": "undo"}, {"kind": "undo"}], "nothing-to-undo"),
        ([*NINE, {"kind": "seat", "matches": []}], "nothing-drawn"),
        ([*NINE, {"kind": "drop"}], "nothing-drawn"),
        ([*NINE, {"kind": "swap", "players": [1, 2]}], "nothing-drawn"),
        ([*DRAWN, {"kind": "swap", "players": [1, 77]}], "not-in-the-draw"),
        (
            [*DRAWN, {"kind": "table", "table": 3, "game": "other-game", "options": {}, "minutes": None}],
            "not-in-the-draw",
        ),
        ([*NINE, draft(pairing(1, 1, 2, 3, 1))], "somebody-twice"),
        ([*NINE, draft(pairing(1, 1, 2, 3, 4), pairing(2, 4, 5, 6, 7))], "somebody-twice"),
        ([*NINE, draft(pairing(1, 1, 2, 3, 4), byes=(4,))], "somebody-twice"),
        ([*NINE, draft(pairing(1, 1, 2, 3, 77))], "not-here"),
        ([*NINE, {"kind": "close", "matches": []}, came(10)], "closed"),
        ([*NINE, {"kind": "close", "matches": []}, {"kind": "close", "matches": []}], "closed"),
    ],
)
def test_what_cannot_be(entries: list[dict[str, Any]], code: str) -> None:
    before = Night.of(entries[:-1])
    with pytest.raises(Impossible) as refused:
        before.enter(entries[-1])
    assert refused.value.code == code


def test_the_same_round_again_replaces_missing_people() -> None:
    last = Night.of(SEATED).rounds[-1]
    assert last.again(range(1, 10), [1, 2, 3]) == last
    assert last.again(range(1, 9), [1, 2]) == Round(last.pairings, ())
    assert last.again([1, 2, 3, 5, 6, 7, 8, 9], [1, 2]) == Round((pairing(1, 1, 2, 3, 9), last.pairings[1]), ())
    # A match is still in play at table 2, so its people are not free.
    assert last.again([1, 2, 3, 4, 9], [1, 3]) == Round((last.pairings[0],), (9,))
    assert last.again([1, 2, 3], [1]) == Round((), (1, 2, 3))


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_host_does_nobody_has_two_places(seed: int) -> None:
    """Random steps: a draft always has exactly the people who are here, once each, and undo goes back step by step."""
    rng = random.Random(seed)
    night, trail = Night(), [Night()]
    for _step in range(200):
        kind = rng.choice([*Night.STEPS, "undo"])
        people = rng.sample(range(1, 14), rng.randrange(1, 5))
        four = rng.sample(night.here, 4) if len(night.here) > 4 else []
        entry = {
            "people": rng.choice([came, left])(*people),
            "draft": draft(pairing(1, *four), byes=tuple(set(night.here) - set(four))),
            "swap": {"kind": "swap", "players": (people * 2)[:2]},
            "game": {"kind": "game", "game": "g", "options": {}, "minutes": None},
            "table": {"kind": "table", "table": 1, "game": "g", "options": {}, "minutes": None},
            "seat": {"kind": "seat", "matches": []},
            "last-hand": {"kind": "last-hand", "matches": []},
            "outlook": {"kind": "outlook", "on": True},
            "close": {"kind": "close", "matches": []},
        }.get(kind, {"kind": kind})
        try:
            night = night.enter(entry)
        except Impossible:
            continue
        if kind == "undo":
            trail.pop()
            assert night == trail[-1]
        else:
            trail.append(night)
        if night.draft:
            places = [*night.draft.byes, *(player for each in night.draft.pairings for player in each.players)]
            assert len(places) == len(set(places))
            assert set(places) <= set(night.here)
            assert all(len(each.players) == 4 or not each.players for each in night.draft.pairings)
