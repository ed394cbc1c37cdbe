"""Random matches of every game, entry by entry: what must be true at every step."""

import json
import random
from functools import cache
from typing import Any

import pytest

import games
from games.corrections import alike
from games.moves import move_json
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
    "domizerka": [{"hands": 4}],
    "dom": [{}],
    "dominards": [{"hands": 3}, {}],
}
CASES = [(game, number, seed) for game in OPTIONS for number in range(len(OPTIONS[game])) for seed in range(2)]


def players(game: str, number: int) -> list[str]:
    """The numbers of players of the game; if there are several, a different one for each set of options."""
    seats = games.GAMES[game].seats
    return NAMES[: seats[(number + 1) % len(seats)]]


@cache
def random_record(game: str, number: int, seed: int, *, observed: bool = True) -> dict[str, Any]:
    """Shared by all tests, and never changed."""
    options = OPTIONS[game][number]
    rng = random.Random(f"{number}.{seed}")
    return games.random_match(game, options, players(game, number), rng, observed=observed)


def new(record: dict[str, Any]) -> games.Match:
    return games.Match.new(record["game"], record["options"], record["players"])


def position(match: games.Match) -> tuple[Any, ...]:
    """Everything visible of a match."""
    return json.dumps(match.record()), json.dumps(match.offers()), json.dumps(match.sheet())


def steps(record: dict[str, Any]) -> list[games.Match]:
    """The match before the first entry of a record, and after each."""
    matches = [new(record)]
    for entry in games.entries(record):
        matches.append(matches[-1].enter(entry))
    return matches


@cache
def random_steps(game: str, number: int, seed: int, *, observed: bool = True) -> list[games.Match]:
    return steps(random_record(game, number, seed, observed=observed))


def refused(match: games.Match, entry: dict[str, Any]) -> str | None:
    """The code of a refused entry; None if it is accepted."""
    try:
        match.enter(entry)
    except games.GameError as error:
        return str(error.code)
    return None


def test_every_registered_game_has_its_random_matches() -> None:
    assert set(OPTIONS) == set(games.GAMES)


TILES = [slow.text(tile) for tile in slow.TILES]
CARDS = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
CELLS = [f"r{row}c{column}" for row in (1, 2, 3, 4) for column in (1, 2, 3, 4)]


def conceivable(game: str, rng: random.Random) -> list[dict[str, Any]]:
    """Some moves as in a record, legal or not, without the seat."""
    tiles, cards = rng.sample(TILES, 14), rng.sample(CARDS, 10)
    if game == "dom":
        return [{"type": "place", "card": card, "at": cell} for card in cards for cell in rng.sample(CELLS, 4)]
    if game == "domizerka":
        contracts = [("evens", 2), ("evens", 3), ("odds", 3), ("zero", None), ("domizerka", None), ("domizerka", 1)]
        return [
            *({"type": "contract", "contract": name} | ({"trump": t} if t else {}) for name, t in contracts),
            *({"type": "discard", "count": count} for count in (0, 1, 4, 7, 8)),
            *({"type": "play", "tile": tile} for tile in tiles),
            *(
                {"type": "play", "tile": tile, "suit": suit}
                for tile in tiles
                if tile[0] != tile[2]
                for suit in (int(tile[0]), 7)
            ),
        ]
    ends: list[dict[str, Any]] = [{}, *({"end": end} for end in "wens")]
    moves = [{"type": "play", "tile": tile} | end for tile in tiles for end in ends]
    moves += [{"type": "pass"}, {"type": "draw", "count": 1}]
    if game == "dominards":
        claims = [{"by": "multiple"}, {"by": "card", "card": cards[0]}, {"by": "virtual", "drop": cards[1]}]
        moves += [{"type": "roll", "dice": dice} for dice in ([4, 3], [1, 2, 3, 4], [1], [7, 7])]
        moves += [{**move, "claim": claim} for move in moves if move.get("end") for claim in claims]
    return moves


def is_one_of(move: dict[str, Any], legal: list[dict[str, Any]]) -> bool:
    """Whether this is one of the legal moves, perhaps in another spelling."""
    if move in legal:
        return True
    if move["type"] == "roll":
        return {**move, "dice": sorted(move["dice"])} in legal
    if move["type"] == "play":
        # An end may be missing if there is only one.
        if "end" in move or "suit" in move:
            return False
        of_tile = [other for other in legal if other.get("tile") == move["tile"]]
        return [{key: other[key] for key in other if key not in ("end", "suit")} for other in of_tile].count(move) == 1
    return False


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
@pytest.mark.parametrize("observed", [True, False])
def test_what_is_legal_is_just_what_is_accepted(game: str, number: int, seed: int, observed: bool) -> None:
    rng = random.Random(seed)
    matches = random_steps(game, number, seed, observed=observed)
    for match in rng.sample(matches, min(len(matches), 8)):
        offers, before = match.offers(), position(match)
        seats = range(len(match.players))
        if offers["next"] == "hand":
            for seat in seats:
                entry = {"kind": "hand", "opener": seat}
                assert (refused(match, entry) is None) == (seat in offers["openers"])
        if match.hand is not None and match.hand.state.end is None:
            legal = [move_json(move) for move in match.hand.state.legal()]
            assert legal, "the table is never stuck"
            for move in conceivable(game, rng):
                for seat in seats:
                    if "suit" in move and {"seat": seat, "type": "play", "tile": move["tile"]} in legal:
                        continue  # a leader may name the suit of a tile that has only one
                    accepted = refused(match, {"kind": "move", "move": {**move, "seat": seat}}) is None
                    assert accepted == is_one_of({**move, "seat": seat}, legal), (move, seat, legal)
            for move in rng.sample(legal, min(len(legal), 12)):
                assert refused(match, {"kind": "move", "move": move}) is None, move
        else:
            late = {"kind": "move", "move": {**conceivable(game, rng)[0], "seat": 0}}
            assert refused(match, late) in ("hand-over", "hand-unfinished", "match-over")
        assert position(match) == before, "what is entered leaves the match before as it was"


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_tiles_and_points_are_conserved_at_every_step(game: str, number: int, seed: int) -> None:
    for match in random_steps(game, number, seed):
        sheet = match.sheet()
        assert sheet["totals"] == [
            sum(hand["points"][seat] for hand in sheet["hands"]) for seat in range(len(match.players))
        ]
        for hand in sheet["hands"]:
            for score in hand["scores"]:
                summed = sum(term["value"] for term in score["terms"])
                told = score["reason"] == "not-debited" or match.options.get("rounding")
                assert told or score["points"] in (summed, abs(summed))
            points = [
                sum(s["points"] for s in hand["scores"] if seat in s["seats"]) for seat in range(len(match.players))
            ]
            assert points == hand["points"]
        if match.hand is not None:
            moves = match.hand.moves
            placed = [move.get("tile") or move.get("card") for move in moves if move["type"] in ("play", "place")]
            drawn = sum(move["count"] for move in moves if move["type"] == "draw")
            assert len(set(placed)) == len(placed)
            assert sum(sheet["held"]) + len(placed) == match.game.dealt * len(match.players) + drawn
            if match.hand.line is not None:
                assert len(match.offers()["unseen"]) == 28 - len(placed)
                assert len(match.hand.line.laid) == len(placed)
    assert sheet["finished"]
    assert sheet["winners"]


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_a_record_is_valid_and_its_entries_make_the_same_record(game: str, number: int, seed: int) -> None:
    for observed in (True, False):
        record = random_record(game, number, seed, observed=observed)
        verdict = games.verify(record)
        assert (verdict["errors"], verdict["finished"]) == ([], True)
        assert record["result"] == {"totals": verdict["totals"], "winners": verdict["winners"]}
        match = random_steps(game, number, seed, observed=observed)[-1]
        assert match.record() == record
        assert json.loads(json.dumps(record)) == record
        assert [list(hand["points"]) for hand in match.sheet()["hands"]] == verdict["hands"]


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_every_position_on_the_way_has_a_valid_record_that_says_the_same(game: str, number: int, seed: int) -> None:
    matches = random_steps(game, number, seed)
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
    matches = random_steps(game, number, seed)
    positions = [position(match) for match in matches]
    match = matches[-1]
    for before in reversed(positions[:-1]):
        match = match.enter({"kind": "undo"})
        assert position(match) == before
    assert refused(match, {"kind": "undo"}) == "malformed"


def test_undoing_all_hands_of_a_finished_match_leaves_no_result() -> None:
    game, number, seed = CASES[0]
    match = random_steps(game, number, seed)[-1]
    assert match.finished
    back = match.enter({"kind": "undo", "to": {"hand": 0, "move": None}})
    assert (back.hands, back.result, back.finished) == ((), None, False)
    assert set(back.totals) == {0}


def of_hands(record: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The entries of each hand."""
    result: list[list[dict[str, Any]]] = []
    for entry in games.entries(record):
        if entry["kind"] == "hand":
            result.append([])
        result[-1].append(entry)
    return result


@pytest.mark.parametrize(("game", "number", "seed"), CASES)
def test_going_back_to_a_move_gives_the_match_just_before_it(game: str, number: int, seed: int) -> None:
    record = random_record(game, number, seed)
    matches = random_steps(game, number, seed)
    rng = random.Random(seed)
    places = [(at, move) for at, hand in enumerate(record["hands"]) for move in (None, *range(len(hand["moves"])))]
    for hand, move in rng.sample(places, 8):
        back = matches[-1].enter({"kind": "undo", "to": {"hand": hand, "move": move}})
        index = sum(map(len, of_hands(record)[:hand])) + (0 if move is None else 1 + move)
        assert back.record() == matches[index].record()
        assert back.offers() == matches[index].offers() | {"undo": True, "undoes": "undo"}
        assert position(back.enter({"kind": "undo"})) == position(matches[-1])
    last = len(record["hands"]) - 1
    for to in ({"hand": last + 1, "move": None}, {"hand": last, "move": 1000}, {"hand": 0}, {"move": 0}):
        assert refused(matches[-1], {"kind": "undo", "to": to}) == "malformed"


FINALS: dict[str, dict[str, Any]] = {
    "domino-whist": {"left": [5, 5, 5, 5], "out": None},
    "dom": {"points": [10, 12]},
    "dominards": {"points": [5, 0, 0], "dropped": [["5D"], [], []], "tiles": [0, 3, 2], "out": 0},
}
FAMILY_FINAL: dict[str, Any] = {"table": [0, 0], "left": [5, 5], "out": None, "last": 0}


@pytest.mark.parametrize("game", OPTIONS)
def test_a_hand_replaced_by_itself_changes_nothing_and_by_another_only_its_points(game: str) -> None:
    record = random_record(game, 0, 1)
    match = random_steps(game, 0, 1)[-1]
    for at, hand in enumerate(record["hands"]):
        assert match.enter({"kind": "replace", "hand": at, "with": hand}).record() == record
    opened = {key: value for key, value in record["hands"][-1].items() if key in ("opener", "leader", "dealer")}
    final = FINALS.get(game, FAMILY_FINAL)
    if game == "domizerka":
        called = record["hands"][-1]["moves"][0]
        final = {key: called[key] for key in ("contract", "trump") if key in called} | {"tricks": [1, 2, 4]}
    last = len(record["hands"]) - 1
    changed = match.enter({"kind": "replace", "hand": last, "with": {**opened, "final": final}})
    assert changed.record()["hands"][:-1] == record["hands"][:-1]
    assert changed.sheet()["hands"][:-1] == match.sheet()["hands"][:-1]
    assert changed.record()["hands"][-1]["final"] == final
    assert changed.enter({"kind": "undo"}).record() == record
    assert refused(match, {"kind": "replace", "hand": 99, "with": record["hands"][0]}) == "malformed"
    assert refused(match, {"kind": "replace", "hand": 0, "with": {}}) == "malformed"


@pytest.mark.parametrize("game", OPTIONS)
def test_nothing_follows_a_match_that_is_over(game: str) -> None:
    match = random_steps(game, 0, 0)[-1]
    assert match.offers()["next"] == "done"
    assert refused(match, {"kind": "hand", "opener": 0}) == "match-over"
    assert refused(match, {"kind": "stop", "stopped": "time"}) == "match-over"
    late = {"kind": "move", "move": {**conceivable(game, random.Random(0))[0], "seat": 0}}
    assert refused(match, late) in ("hand-over", "match-over")


@pytest.mark.parametrize("stopped", ["time", "hands", "abandoned"])
@pytest.mark.parametrize("game", OPTIONS)
def test_a_match_may_be_stopped_and_going_back_takes_it_up_again(game: str, stopped: str) -> None:
    matches = random_steps(game, 0, 0)
    match = matches[len(matches) // 2]
    over = match.enter({"kind": "stop", "stopped": stopped})
    assert (over.finished, over.offers()["next"]) == (True, "done")
    assert games.verify(over.record())["finished"]
    assert steps(over.record())[-1].record() == over.record()
    assert refused(over, {"kind": "hand", "opener": 0}) == "match-over"
    assert position(over.enter({"kind": "undo"})) == position(match)


def noted_record() -> tuple[games.Match, dict[str, Any]]:
    """A match in which Bo has passed, and next lays a tile that disproves the pass."""
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
    ways = games.remedies(match, entry, refusal.value)
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
    """If the hand is known, the pass itself is refused, unless its note comes with it."""
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
    matches = random_steps(game, number, seed, observed=False)
    for match in matches[:: max(1, len(matches) // 15)]:
        public = match.public()
        assert public.sheet()["totals"] == match.sheet()["totals"]
        if match.hand is None:
            assert public.record() == {key: v for key, v in match.record().items() if key != "cards" or match.finished}
            continue
        shown = public.record()["hands"][-1]
        assert "deal" not in shown
        assert not any(key in move for move in shown["moves"] if move["type"] != "play" for key in ("tiles", "drawn"))
        assert [(m["seat"], m["type"]) for m in shown["moves"]] == [(m["seat"], m["type"]) for m in match.hand.moves]
        assert "cards" not in public.record()
        seen = {**match.record(), "hands": [*match.record()["hands"][:-1], shown]}
        seen.pop("cards", None)
        no_undo = {"undo": False, "undoes": None}
        assert public.offers() == steps(seen)[-1].offers() | no_undo


def test_long_matches_can_be_compared_and_shown() -> None:
    """Each match keeps the one before. A long chain of them must not exhaust the stack."""
    match = games.Match.new("domino-whist", {"target": 10**6}, NAMES)
    for at in range(600):
        match = match.enter({"kind": "hand", "opener": at % 4, "final": {"bad": [31, 12], "out": 1}})
    other = match.enter({"kind": "undo"}).enter(
        {"kind": "hand", "opener": 599 % 4, "final": {"bad": [31, 12], "out": 1}}
    )
    assert match == other
    assert len(repr(match)) > 0


@pytest.mark.parametrize(
    ("at", "instead", "noted"),
    [
        (5, {"seat": 1, "type": "play", "tile": "5-1", "end": "e"}, [1]),
        (0, {"seat": 0, "type": "play", "tile": "6-5"}, [1]),
        (3, {"seat": 3, "type": "play", "tile": "4-2", "end": "w"}, [1]),
        (1, {"seat": 1, "type": "play", "tile": "5-0", "end": "e"}, []),
    ],
)
def test_what_was_noted_of_a_move_stays_with_it(at: int, instead: dict[str, Any], noted: list[int]) -> None:
    match, entry = noted_record()
    match = match.enter({"kind": "note", "hand": 0, "move": 1, "code": "wrong-pass"}).enter(entry)
    hand = match.record()["hands"][0]
    moves = [*hand["moves"][:at], instead, *hand["moves"][at + 1 :]]
    if not noted:
        moves = moves[:2]
    after = match.enter({"kind": "replace", "hand": 0, "with": {**hand, "moves": moves}})
    assert [each.move for each in after.noted] == noted


@pytest.mark.parametrize(
    ("old", "new", "common"),
    [
        ("abcd", "abcd", (4, 0)),
        ("abcd", "abxcd", (2, 2)),
        ("abcd", "abd", (2, 1)),
        ("abcd", "xbcd", (0, 3)),
        ("aa", "aaa", (2, 0)),
        ("", "ab", (0, 0)),
        ("ab", "cd", (0, 0)),
    ],
)
def test_what_two_hands_have_in_common(old: str, new: str, common: tuple[int, int]) -> None:
    assert alike(old, new) == common
