"""Random matches, entry by entry: what must hold at every step, whatever the game."""

import json
import random
from typing import Any

import pytest

import games
from tests.games import second_opinion as slow
from tests.games.records import first_error

NAMES = ["Ana", "Bo", "Cleo", "Dan"]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "domino-whist": [{}, {"debit": "higher", "target": 50}, {"hands": 3}],
    "block": [
        {"points_to_win": 60},
        {"leader": "winner", "spinner": True, "points_to_win": 60},
        {"leader": "alternate", "fives": True, "spinner": True, "points_to_win": 80},
        {"leader": "loser", "threes": True, "fives": True, "block_award": "last", "points_to_win": 90},
    ],
    "draw": [{"points_to_win": 60}, {"leader": "winner", "rounding": True, "block_award": "last", "points_to_win": 60}],
    "all-fives": [{"points_to_win": 100}, {"leader": "alternate", "block_amount": "both", "points_to_win": 100}],
    "all-threes": [{"points_to_win": 100}, {"leader": "loser", "spinner": False, "points_to_win": 100}],
    "fives-and-threes": [{}, {"draws": False, "block_amount": "opponent"}],
}
CASES = [(game, number, seed) for game in OPTIONS for number in range(len(OPTIONS[game])) for seed in range(2)]


def players(game: str) -> list[str]:
    return NAMES[: games.GAMES[game].seats[0]]


def random_record(game: str, number: int, seed: int, *, observed: bool = True) -> dict[str, Any]:
    options = OPTIONS[game][number]
    return games.random_match(game, options, players(game), random.Random(f"{number}.{seed}"), observed=observed)


def new(record: dict[str, Any]) -> games.Match:
    return games.Match.new(record["game"], record["options"], record["players"])


def position(match: games.Match) -> tuple[Any, ...]:
    """All that can be seen of a match."""
    return json.dumps(match.record()), json.dumps(match.offers()), json.dumps(match.sheet())


def steps(record: dict[str, Any]) -> list[games.Match]:
    """The match before the first and after each entry of a record."""
    matches = [new(record)]
    for entry in games.entries(record):
        matches.append(matches[-1].enter(entry))
    return matches


def refused(match: games.Match, entry: dict[str, Any]) -> str | None:
    """The code with which an entry is refused; None if it is accepted."""
    try:
        match.enter(entry)
    except games.GameError as error:
        return str(error.code)
    return None


def test_every_registered_game_has_its_random_matches() -> None:
    assert set(OPTIONS) == set(games.GAMES)


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
@pytest.mark.parametrize("observed", [True, False])
def test_what_is_offered_is_just_what_is_accepted(game: str, number: int, seed: int, observed: bool) -> None:
    record = random_record(game, number, seed, observed=observed)
    rng = random.Random(seed)
    matches = steps(record)
    for match in rng.sample(matches, min(len(matches), 12)):
        offers, before = match.offers(), position(match)
        seats = range(len(match.players))
        if offers["next"] == "hand":
            for seat in seats:
                entry = {"kind": "hand", "opener": seat}
                assert (refused(match, entry) is None) == (seat in offers["openers"])
        if offers["next"] == "move":
            accepted: dict[str, list[str]] = {}
            for tile in map(slow.text, slow.TILES):
                for end in (None, "w", "e", "n", "s"):
                    move = {"seat": offers["seat"], "type": "play", "tile": tile} | ({"end": end} if end else {})
                    if refused(match, {"kind": "move", "move": move}) is None:
                        accepted.setdefault(tile, [])
                        accepted[tile] += [end] if end else []
            assert {tile: sorted(ends) for tile, ends in offers["plays"].items()} == {
                tile: sorted(ends) for tile, ends in accepted.items()
            }
            passing = {"kind": "move", "move": {"seat": offers["seat"], "type": "pass"}}
            assert (refused(match, passing) is None) == offers["pass"]
            assert offers["plays"] or offers["pass"], "the table is never stuck"
            for seat in set(seats) - {offers["seat"]}:
                other = {"seat": seat, "type": "pass"}
                assert refused(match, {"kind": "move", "move": other}) == "not-your-turn"
        else:
            passing = {"kind": "move", "move": {"seat": 0, "type": "pass"}}
            assert refused(match, passing) in ("hand-over", "hand-unfinished")
        assert position(match) == before, "what is entered leaves the match before as it was"


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_tiles_and_points_are_conserved_at_every_step(game: str, number: int, seed: int) -> None:
    record = random_record(game, number, seed)
    for match in steps(record):
        sheet = match.sheet()
        assert sheet["totals"] == [
            sum(hand["points"][seat] for hand in sheet["hands"]) for seat in range(len(match.players))
        ]
        for hand in sheet["hands"]:
            for score in hand["scores"]:
                summed = abs(sum(term["value"] for term in score["terms"]))
                rounded = score["reason"] in ("not-debited",)
                assert rounded or score["points"] == summed
            points = [
                sum(s["points"] for s in hand["scores"] if seat in s["seats"]) for seat in range(len(match.players))
            ]
            assert points == hand["points"]
        if match.hand is not None:
            laid = [move for move in match.hand.moves if move["type"] == "play"]
            assert sum(sheet["held"]) + len(laid) == 7 * len(match.players)
            assert len({move["tile"] for move in laid}) == len(laid)
            assert len(match.offers()["unseen"]) == 28 - len(laid)
            assert len(match.hand.lines()) == len(match.hand.moves) + 1
            assert len(match.hand.line.laid) == len(laid)
    assert sheet["finished"]
    assert sheet["winners"]


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_a_record_is_valid_and_its_entries_make_the_same_record(game: str, number: int, seed: int) -> None:
    for observed in (True, False):
        record = random_record(game, number, seed, observed=observed)
        verdict = games.verify(record)
        assert (verdict["errors"], verdict["finished"]) == ([], True)
        assert record["result"] == {"totals": verdict["totals"], "winners": verdict["winners"]}
        match = steps(record)[-1]
        assert match.record() == record
        assert json.loads(json.dumps(record)) == record
        assert [list(hand["points"]) for hand in match.sheet()["hands"]] == verdict["hands"]


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_every_position_on_the_way_has_a_valid_record_that_says_the_same(game: str, number: int, seed: int) -> None:
    matches = steps(random_record(game, number, seed))
    for match in matches[:: max(1, len(matches) // 20)]:
        record = match.record()
        verdict = games.verify(record)
        assert verdict["errors"] == []
        if record["hands"]:
            counted = match.settled()
            assert (verdict["totals"], verdict["finished"]) == (list(counted.totals), counted.finished)
        again = steps(record)[-1]
        assert again.record() == record
        assert again.sheet() == match.sheet()


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_undo_gives_back_the_match_before_every_entry(game: str, number: int, seed: int) -> None:
    matches = steps(random_record(game, number, seed))
    positions = [position(match) for match in matches]
    match = matches[-1]
    for before in reversed(positions[:-1]):
        match = match.enter({"kind": "undo"})
        assert position(match) == before
    assert refused(match, {"kind": "undo"}) == "malformed"


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_going_back_to_a_move_gives_the_match_just_before_it(game: str, number: int, seed: int) -> None:
    record = random_record(game, number, seed)
    matches = steps(record)
    rng = random.Random(seed)
    places = [(at, move) for at, hand in enumerate(record["hands"]) for move in (None, *range(len(hand["moves"])))]
    for hand, move in rng.sample(places, 8):
        back = matches[-1].enter({"kind": "undo", "to": {"hand": hand, "move": move}})
        index = sum(2 + len(h["moves"]) for h in record["hands"][:hand]) + (0 if move is None else 1 + move)
        assert back.record() == matches[index].record()
        assert back.offers() == matches[index].offers() | {"undo": True, "undoes": "undo"}
        assert position(back.enter({"kind": "undo"})) == position(matches[-1])
    last = len(record["hands"]) - 1
    for to in ({"hand": last + 1, "move": None}, {"hand": last, "move": 1000}, {"hand": 0}, {"move": 0}):
        assert refused(matches[-1], {"kind": "undo", "to": to}) == "malformed"


@pytest.mark.parametrize("game", OPTIONS)
def test_a_hand_replaced_by_itself_changes_nothing_and_by_another_only_its_points(game: str) -> None:
    record = random_record(game, 0, 1)
    match = steps(record)[-1]
    for at, hand in enumerate(record["hands"]):
        assert match.enter({"kind": "replace", "hand": at, "with": hand}).record() == record
    nobody = {key: value for key, value in record["hands"][0].items() if key in ("opener", "leader")}
    final = {"left": [5, 5, 5, 5][: len(match.players)], "out": None}
    final |= {} if game == "domino-whist" else {"table": [0, 0]}
    changed = match.enter({"kind": "replace", "hand": 0, "with": {**nobody, "final": final}})
    assert changed.record()["hands"][1:] == record["hands"][1:]
    assert changed.sheet()["hands"][0]["points"] == ([10] * 4 if game == "domino-whist" else [0, 0])
    assert changed.enter({"kind": "undo"}).record() == record
    assert refused(match, {"kind": "replace", "hand": 99, "with": record["hands"][0]}) == "malformed"
    assert refused(match, {"kind": "replace", "hand": 0, "with": {}}) == "malformed"


@pytest.mark.parametrize("game", OPTIONS)
def test_nothing_follows_a_match_that_is_over(game: str) -> None:
    match = steps(random_record(game, 0, 0))[-1]
    assert match.offers()["next"] == "done"
    assert refused(match, {"kind": "hand", "opener": 0}) == "match-over"
    assert refused(match, {"kind": "stop", "stopped": "time"}) == "match-over"
    assert refused(match, {"kind": "move", "move": {"seat": 0, "type": "pass"}}) in ("hand-over", "match-over")


@pytest.mark.parametrize("stopped", ["time", "hands", "abandoned"])
@pytest.mark.parametrize("game", OPTIONS)
def test_a_match_may_be_stopped_and_going_back_takes_it_up_again(game: str, stopped: str) -> None:
    matches = steps(random_record(game, 0, 0))
    match = matches[len(matches) // 2]
    over = match.enter({"kind": "stop", "stopped": stopped})
    assert (over.finished, over.offers()["next"]) == (True, "done")
    assert games.verify(over.record())["finished"]
    assert steps(over.record())[-1].record() == over.record()
    assert refused(over, {"kind": "hand", "opener": 0}) == "match-over"
    assert position(over.enter({"kind": "undo"})) == position(match)


def noted_record() -> tuple[games.Match, dict[str, Any]]:
    """A match in which Bo has passed and is about to lay what disproves it."""
    match = games.Match.new("domino-whist", {}, NAMES).enter({"kind": "hand", "opener": 0})
    for tile, end in (("6-5", None), (None, None), ("6-4", "w"), ("4-0", "w"), (None, None)):
        seat = match.offers()["seat"]
        move = {"seat": seat, "type": "pass"} if tile is None else {"seat": seat, "type": "play", "tile": tile}
        match = match.enter({"kind": "move", "move": move | ({"end": end} if end else {})})
    return match, {"kind": "move", "move": {"seat": 1, "type": "play", "tile": "5-3", "end": "e"}}


def test_every_way_on_from_a_refused_entry_can_be_gone() -> None:
    match, entry = noted_record()
    with pytest.raises(games.GameError) as refusal:
        match.enter(entry)
    ways = match.ways(entry, refusal.value)
    assert {way["way"] for way in ways} == {"mend", "go-back", "note", "final"}
    for way in ways:
        if way["way"] == "note":
            note = {key: value for key, value in way.items() if key != "way"}
            noted = match.enter({"kind": "note", **note}).enter(entry)
            assert noted.record()["noted"] == [note]
            assert noted.sheet()["irregularities"] == [note]
            assert games.verify(noted.record())["irregularities"] == [note]
            assert steps(noted.record())[-1].record() == noted.record()
        if way["way"] == "go-back":
            back = match.enter({"kind": "undo", "to": {"hand": way["hand"], "move": way["move"]}})
            assert back.offers()["next"] == "move"
        if way["way"] == "final":
            final = {"left": [5, 5, 5, []], "out": 3}
            assert match.enter({"kind": "final", "final": final}).sheet()["hands"][0]["state"] == "counted"


@pytest.mark.parametrize("place", [{"hand": 0, "move": 0}, {"hand": 0, "move": 99}, {"hand": 3, "move": 0}])
def test_only_a_pass_can_be_noted_as_wrong(place: dict[str, int]) -> None:
    match, _ = noted_record()
    assert refused(match, {"kind": "note", **place, "code": "wrong-pass"}) == "malformed"


def test_a_note_for_a_known_hand_comes_back_from_its_record() -> None:
    """With the hand known the pass itself would be refused: its note must come with it."""
    deal = [None, ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"], None, None]
    moves = [
        {"seat": 0, "type": "play", "tile": "5-4"},
        {"seat": 1, "type": "pass"},
        {"seat": 2, "type": "play", "tile": "5-5", "end": "w"},
    ]
    record = {
        **games.Match.new("domino-whist", {}, NAMES).record(),
        "hands": [{"opener": 0, "deal": deal, "moves": moves}],
        "noted": [{"hand": 0, "move": 1, "code": "wrong-pass"}],
    }
    assert first_error(record) is None
    assert steps(record)[-1].record()["hands"] == record["hands"]
    assert steps(record)[-1].record()["noted"] == record["noted"]


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_the_public_sees_no_deal_of_an_open_hand(game: str, number: int, seed: int) -> None:
    record = random_record(game, number, seed, observed=False)
    matches = steps(record)
    for match in matches[:: max(1, len(matches) // 15)]:
        public = match.public()
        assert public.sheet()["totals"] == match.sheet()["totals"]
        if match.hand is None:
            assert public.record() == match.record()
            continue
        assert "deal" not in public.record()["hands"][-1]
        assert public.record()["hands"][-1].get("moves") == match.record()["hands"][-1].get("moves")
        open_hand = {**match.record()["hands"][-1]}
        del open_hand["deal"]
        seen = {**match.record(), "hands": [*match.record()["hands"][:-1], open_hand]}
        no_undo = {"undo": False, "undoes": None}
        assert public.offers() == steps(seen)[-1].offers() | no_undo


def test_long_matches_can_be_compared_and_shown() -> None:
    """Each match remembers the one before: that must not make a long chain to follow."""
    match = games.Match.new("domino-whist", {"target": 10**6}, NAMES)
    for at in range(600):
        match = match.enter({"kind": "hand", "opener": at % 4, "final": {"bad": [31, 12], "out": 1}})
    other = match.enter({"kind": "undo"}).enter(
        {"kind": "hand", "opener": 599 % 4, "final": {"bad": [31, 12], "out": 1}}
    )
    assert match == other
    assert len(repr(match)) > 0
