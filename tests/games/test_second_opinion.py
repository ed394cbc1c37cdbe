"""The rules compared with a second opinion: random hands, and the same hands with a random error."""

import random
from typing import Any

import pytest

import games
from tests.games import second_opinion as slow
from tests.games.records import BLOCK_PLAYERS, WHIST_PLAYERS, first_error

VARIANTS: dict[str, tuple[slow.Rules, dict[str, Any]]] = {
    "whist": (slow.WHIST, {}),
    "whist-higher": (slow.WHIST, {"debit": "higher"}),
    "block": (slow.BLOCK, {}),
    "block-spinner": (slow.Rules(2, True, True, target=150), {"spinner": True, "block_award": "last"}),
    "block-fives": (
        slow.Rules(2, True, True, (5,), 150),
        {"spinner": True, "fives": True, "rounding": True, "block_amount": "both"},
    ),
    "block-both": (
        slow.Rules(2, True, False, (5, 3), 60),
        {"fives": True, "threes": True, "points_to_win": 60, "block_amount": "opponent", "block_award": "last"},
    ),
    "block-threes": (slow.Rules(2, True, True, (3,), 40), {"spinner": True, "threes": True, "points_to_win": 40}),
}


def record_of(variant: str, *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    rules, options = VARIANTS[variant]
    return {
        "format": "scorekeeper-record/1",
        "game": "domino-whist" if rules.seats == 4 else "block",
        "options": options,
        "players": WHIST_PLAYERS if rules.seats == 4 else BLOCK_PLAYERS,
        "hands": list(hands),
        **more,
    }


def written(deal: Any) -> list[Any]:
    return [None if held is None else sorted(map(slow.text, held)) for held in deal]


def points(variant: str, played: slow.Played, left: Any) -> list[int]:
    rules, options = VARIANTS[variant]
    if rules.seats == 4:
        return slow.whist_points(left, options.get("debit", "both"))
    return slow.block_points(played, left, options)


def told(variant: str, deal: Any, hand: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The hand with some of the hidden tiles that a record can give: nothing, some hands, what is left."""
    seats = VARIANTS[variant][0].seats
    hand = dict(hand)
    shown = rng.choice(("nothing", "some hands", "left", "left as pips", "mixed"))
    left = slow.left_after(deal[:seats], hand)
    if shown in ("some hands", "mixed"):
        known = rng.sample(range(seats), rng.randint(1, seats))
        hand["deal"] = written([held if seat in known else None for seat, held in enumerate(deal[:seats])])
    if shown in ("left", "mixed"):
        hand["left"] = written(left)
    if shown == "left as pips":
        hand["left"] = [slow.pips(held) if rng.random() < 0.5 else written([held])[0] for held in left]
    return hand


@pytest.mark.parametrize("variant", VARIANTS)
def test_hands_played_with_open_tiles_are_accepted_and_scored_alike(variant: str) -> None:
    rng = random.Random(f"open {variant}")
    rules, _ = VARIANTS[variant]
    for _ in range(60):
        deal, hand = slow.random_hand(rng, rules)
        played = slow.play(hand, hand.get("opener", hand.get("leader")), rules)
        left = slow.left_after(deal, hand)
        verdict = games.verify(record_of(variant, {**hand, "deal": written(deal[: rules.seats])}))
        assert verdict["errors"] == []
        assert verdict["hands"] == [points(variant, played, left)]
        seen = games.verify(record_of(variant, {**hand, "left": written(left[: rules.seats])}))
        assert (seen["errors"], seen["hands"]) == ([], verdict["hands"])
        told_pips = games.verify(record_of(variant, {**hand, "left": [slow.pips(h) for h in left[: rules.seats]]}))
        assert (told_pips["errors"], told_pips["hands"]) == ([], verdict["hands"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_state_of_a_hand_with_known_tiles_offers_just_the_legal_moves(variant: str) -> None:
    rng = random.Random(f"offers {variant}")
    rules, options = VARIANTS[variant]
    for _ in range(15):
        deal, hand = slow.random_hand(rng, rules)
        opener = hand.get("opener", hand.get("leader"))
        record = record_of(variant)
        match = games.Match.new(record["game"], options, record["players"])
        match = match.enter({"kind": "hand", "opener": opener, "deal": written(deal[: rules.seats])})
        for at, move in enumerate(hand["moves"]):
            offers = match.offers()
            expected: dict[str, list[str]] = {}
            legal = slow.options_at(deal, hand["moves"][:at], opener, rules)
            for option in legal:
                if option["type"] == "play":
                    expected.setdefault(option["tile"], []).extend([option["end"]] if "end" in option else [])
            assert offers["next"] == "move"
            assert offers["seat"] == move["seat"]
            assert {t: set(ends) for t, ends in offers["plays"].items()} == {t: set(e) for t, e in expected.items()}
            assert offers["pass"] == (not expected)
            match = match.enter({"kind": "move", "move": move})


# --- damage ------------------------------------------------------------------------------------------------
def damaged(hand: dict[str, Any], rng: random.Random, seats: int) -> dict[str, Any]:
    """The hand with one random change."""
    moves, at = list(hand["moves"]), rng.randrange(len(hand["moves"]))
    hand = {**hand, "moves": moves}
    kinds = [
        "pass for play",
        "drop",
        "add pass",
        "only passes",
        "other tile",
        "other end",
        "swap left",
        "null deal",
        "left",
    ]
    kind = rng.choice(kinds)
    if kind == "only passes":
        moves[at:] = [{"seat": (moves[at]["seat"] + i) % seats, "type": "pass"} for i in range(rng.randint(1, seats))]
    elif kind == "pass for play":
        moves[at] = {"seat": moves[at]["seat"], "type": "pass"}
    elif kind == "drop":
        del moves[at]
    elif kind == "add pass":
        moves.insert(at, {"seat": moves[at]["seat"], "type": "pass"})
        if rng.random() < 0.7:
            moves[at + 1 :] = [{**move, "seat": (move["seat"] + 1) % seats} for move in moves[at + 1 :]]
    elif kind == "other tile":
        moves[at] = {"seat": moves[at]["seat"], "type": "play", "tile": slow.text(rng.choice(slow.TILES))}
    elif kind == "other end":
        moves[at] = {key: value for key, value in moves[at].items() if key != "end"}
        if rng.random() < 0.5 and moves[at]["type"] == "play":
            moves[at]["end"] = rng.choice("wens")
    elif kind == "null deal" and "deal" in hand:
        hand["deal"] = [None if rng.random() < 0.5 else held for held in hand["deal"]]
    elif "left" in hand:
        left = [list(held) if isinstance(held, list) else held for held in hand["left"]]
        one, other = rng.sample(range(seats), 2)
        if kind == "swap left":
            left[one], left[other] = left[other], left[one]
        elif isinstance(left[one], int):
            left[one] = max(0, left[one] + rng.choice((-3, -1, 1, 40)))
        elif left[one]:
            left[one][rng.randrange(len(left[one]))] = slow.text(rng.choice(slow.TILES))
        hand["left"] = left
    return hand


def agree(variant: str, hand: dict[str, Any], noted: tuple[int, ...] = ()) -> str | None:
    """Checks that verify and the second opinion agree on this hand. Returns the code of both."""
    rules, _ = VARIANTS[variant]
    notes = [{"hand": 0, "move": at, "code": "wrong-pass"} for at in noted]
    record = record_of(variant, hand, **({"noted": notes} if notes else {}))
    opinion = slow.judge(hand, rules, noted)
    error = first_error(record)
    if opinion.code is None:
        assert error is None, record
        return None
    assert error is not None, (opinion, record)
    assert error["code"] == opinion.code, (opinion, error, record)
    if opinion.code == "tile-already-laid":
        assert error["proof"] in (None, {"hand": 0, "move": slow_first_laid(hand, opinion.move)})
        error["proof"] = None
    if opinion.code == "wrong-pass" and opinion.proof is None:
        # If what is left disproves several passes, any of them may be named.
        assert a_wrong_pass(hand, error["move"], rules, noted), (error, record)
        opinion.move = error["move"]
    proof = None if opinion.proof is None else {"hand": 0, "move": opinion.proof}
    assert error == {"code": opinion.code, "hand": 0, "move": opinion.move, "proof": proof}, record
    return opinion.code


def slow_first_laid(hand: dict[str, Any], again: int) -> int:
    return [move.get("tile") for move in hand["moves"]].index(hand["moves"][again]["tile"])


def a_wrong_pass(hand: dict[str, Any], at: int, rules: slow.Rules, noted: tuple[int, ...]) -> bool:
    move = hand["moves"][at]
    ends = slow.play(hand, hand.get("opener", hand.get("leader")), rules, noted).ends[at].values()
    left = hand["left"][move["seat"]]
    return move["type"] == "pass" and at not in noted and any(set(slow.tile(t)) & set(ends) for t in left)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_is_told_of_a_true_hand_it_is_accepted(variant: str) -> None:
    rng = random.Random(f"true {variant}")
    for _ in range(40):
        deal, hand = slow.random_hand(rng, VARIANTS[variant][0])
        assert agree(variant, told(variant, deal, hand, rng)) is None


@pytest.mark.parametrize("variant", ["whist", "block", "block-fives", "block-threes"])
def test_a_damaged_hand_is_refused_if_and_only_if_no_deal_fits(variant: str) -> None:
    rng = random.Random(f"damaged {variant}")
    rules, _ = VARIANTS[variant]
    codes = set()
    for _ in range(1500 if rules.seats == 4 else 800):
        deal, hand = slow.random_hand(rng, rules)
        hand = damaged(told(variant, deal, hand, rng), rng, rules.seats)
        if rng.random() < 0.3 and hand["moves"]:
            hand = damaged(hand, rng, rules.seats)
        if rng.random() < 0.3:
            hand["moves"] = hand["moves"][: rng.randrange(1, len(hand["moves"]) + 1)]
        passes = [at for at, move in enumerate(hand["moves"]) if move["type"] == "pass"]
        noted = tuple(rng.sample(passes, 1)) if passes and rng.random() < 0.1 else ()
        codes.add(agree(variant, hand, noted))
    assert {None, "wrong-pass", "no-possible-deal", "left-mismatch", "not-your-turn", "must-play"} <= codes


def test_the_second_opinion_itself_agrees_with_a_simulation_of_every_deal() -> None:
    """Near the end of a hand few deals are possible, so each is played through, move by move."""
    rng = random.Random("every deal")
    looked_at, refused = 0, 0
    while looked_at < 60:
        rules = rng.choice((slow.WHIST, slow.WHIST, slow.BLOCK))
        _, hand = slow.random_hand(rng, rules)
        start = max(1, len(hand["moves"]) - rng.randint(0, 4))
        turn = hand.get("opener", hand.get("leader")) + start
        passes = [{"seat": (turn + i) % rules.seats, "type": "pass"} for i in range(rng.randint(0, 3))]
        hand["moves"][start:] = passes
        played = slow.play(hand, turn - start, rules)
        if played.fault or 28 - len(played.laid) > (8 if rules.seats == 4 else 17):
            continue
        unseen = [t for t in slow.TILES if t not in played.laid]
        can = [
            set(unseen) | {t for t, (who, _) in played.laid.items() if who == holder}
            for holder in range(len(slow.rooms(rules)))
        ]
        every = slow.deals(can, slow.rooms(rules), [*played.laid, *unseen])
        fits = any(slow.accepts(deal, hand, len(hand["moves"]), rules) for deal in every)
        assert (slow.judge(hand, rules).code is None) == fits, hand
        looked_at += 1
        refused += not fits
    assert refused > 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hand_is_counted_without_what_is_left_if_and_only_if_every_deal_that_fits_gives_the_same_points(
    variant: str,
) -> None:
    rng = random.Random(f"endings {variant}")
    rules, options = VARIANTS[variant]
    counted, waiting = 0, 0
    for _ in range(200):
        deal, hand = slow.random_hand(rng, rules)
        played = slow.play(hand, hand.get("opener", hand.get("leader")), rules)
        possible = set()
        for ending in slow.endings(hand, played, rules):
            possible.add(tuple(points(variant, played, ending)))
            if len(possible) > 1 or played.end == "reached":
                break
        verdict = games.verify(record_of(variant, hand, options={**options, "hands": 1}))
        assert verdict["valid"]
        assert verdict["finished"] == (len(possible) == 1), hand
        if verdict["finished"]:
            assert verdict["hands"] == [points(variant, played, slow.left_after(deal, hand))]
        counted, waiting = counted + verdict["finished"], waiting + (not verdict["finished"])
    assert waiting
    assert counted or rules.seats == 2
