"""Domizerka: the rules and numbers of the source, legal moves, and what is known about hidden hands."""

import json
import random
from math import comb, factorial
from typing import Any

import pytest

import games
from games.contracts import CONTRACT_RULES, CONTRACTS
from games.moves import Contract, Discard, Follow, move_json
from games.tiles import ALL, COUNT, DOUBLES, SUIT, mask, members, parse
from tests.games.records import first_error

PLAYERS = ["Ana", "Bo", "Cleo"]
DEAL = [
    ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
]
"""In the boneyard: 3-0 2-2 2-1 2-0 1-1 1-0 0-0."""


def moves(written: str) -> list[dict[str, Any]]:
    """``"0:evens=4 0:-2 1:-1(5-4+2-2) 0:6-5=6 1:5-3"``: a contract, exchanges of two tiles and one, plays."""
    result: list[dict[str, Any]] = []
    for word in written.split():
        seat, _, what = word.partition(":")
        what, _, number = what.partition("=")
        move: dict[str, Any] = {"seat": int(seat)}
        if what.startswith("-"):
            count, _, named = what[1:].rstrip(")").partition("(")
            move |= {"type": "discard", "count": int(count)}
            move |= dict(zip(("tiles", "drawn"), ([tile] for tile in named.split("+") if tile), strict=False))
        elif what[0].isalpha():
            move |= {"type": "contract", "contract": what} | ({"trump": int(number)} if number else {})
        else:
            move |= {"type": "play", "tile": what} | ({"suit": int(number)} if number else {})
        result.append(move)
    return result


def hand(written: str, dealer: int = 2, **more: Any) -> dict[str, Any]:
    """With dealer 2 seat 0 calls and leads."""
    return {"dealer": dealer, "moves": moves(written), **more}


def record(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "scorekeeper-record/1", "game": "domizerka", "players": PLAYERS, "hands": list(hands), **more}


def final(contract: str, tricks: list[int], dealer: int = 2, **more: Any) -> dict[str, Any]:
    trump = {"evens": {"trump": 2}, "odds": {"trump": 1}}.get(contract, {})
    return {"dealer": dealer, "final": {"contract": contract, **trump, "tricks": tricks}, **more}


def match_of(*hands: dict[str, Any]) -> games.Match:
    match = games.Match.new("domizerka", {}, PLAYERS)
    for each in hands:
        match = match.enter({"kind": "hand", **each})
    return match


def state_of(written: str, **more: Any) -> Any:
    return match_of(hand(written, **more)).hands[-1].state


def code_of(*hands: dict[str, Any], **more: Any) -> str | None:
    error = first_error(record(*hands, **more))
    return error and str(error["code"])


def whole_hand(rng: random.Random, deal: tuple[int, ...] | tuple[None, ...] = (None,) * 3) -> Any:
    """A hand played to its end at random, with all discards hidden."""
    state = games.GAMES["domizerka"].begin(match_of().opened(2, deal).opening)
    while state.end is None:
        state = state.play(rng.choice(state.legal()))
    return state


# --- suits and tricks --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("contract", "trump"), CONTRACT_RULES)
def test_the_tiles_of_trumps_or_zeros_belong_to_no_other_suit(contract: str, trump: int | None) -> None:
    special = 0 if contract == "zero" else trump
    rules = CONTRACT_RULES[contract, trump]
    for number in range(7):
        own = number == special or contract == "domizerka"
        assert rules.suits[number] == (SUIT[number] if own else SUIT[number] & ~SUIT[special])
    for tile in range(COUNT):
        assert rules.suits_of[tile] == tuple(n for n in range(6, -1, -1) if rules.suits[n] >> tile & 1)
    two = [tile for tile in range(COUNT) if len(rules.suits_of[tile]) == 2]
    assert mask(two) == ALL & ~DOUBLES & ~(0 if special is None else SUIT[special])


@pytest.mark.parametrize("number", range(7))
def test_the_double_is_the_highest_of_its_suit_and_the_rest_rank_by_the_other_number(number: int) -> None:
    rules = CONTRACT_RULES["domizerka", None]
    ranked = sorted(members(SUIT[number]), key=lambda tile: rules.strength(tile, number), reverse=True)
    others = [other for other in range(6, -1, -1) if other != number]
    assert ranked == [parse(f"{number}-{number}"), *(parse(f"{max(o, number)}-{min(o, number)}") for o in others)]


@pytest.mark.parametrize(
    ("written", "winner"),
    [
        ("0:domizerka 0:6-4=6 1:6-5 2:6-6", 2),
        ("0:domizerka 0:6-4=4 1:4-4 2:6-6", 1),
        ("0:domizerka 0:6-4=4 1:4-1 2:4-0", 0),
        ("0:domizerka 0:6-0=0 1:5-0 2:1-0", 0),
        ("0:evens=2 0:6-5=6 1:2-0 2:6-6", 1),
        ("0:evens=2 0:6-5=6 1:2-0 2:2-1", 2),
        ("0:evens=6 0:6-0 1:5-5 2:6-1", 2),
        ("0:zero 0:6-5=6 1:0-0 2:6-4", 0),
        ("0:zero 0:6-0 1:0-0 2:6-6", 1),
        ("0:odds=3 0:5-4=5 1:5-5 2:3-0", 2),
    ],
)
def test_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(written: str, winner: int) -> None:
    state = state_of(written)
    assert state.tricks == tuple(int(seat == winner) for seat in range(3))
    assert (state.player, state.turn, state.trick) == (winner, winner, ())


# --- the course of a deal ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("", 0),
        ("0:zero", 0),
        ("0:zero 0:-0", 1),
        ("0:zero 1:-2", 2),
        ("0:zero 0:-1 1:-2 2:-1", 0),
        ("0:zero 0:-7", 0),
        ("0:zero 0:-3 1:-4", 0),
        ("0:zero 0:6-6", 1),
    ],
)
def test_whose_turn_it_is(written: str, turn: int) -> None:
    match = match_of(hand(written))
    assert match.sheet()["turn"] == turn
    assert match.offers()["seat"] == turn


def test_any_of_the_exchanges_may_be_left_out() -> None:
    for exchanges in ("", "0:-1", "1:-1", "2:-1", "0:-1 2:-1", "0:-0 1:-0 2:-0"):
        assert code_of(hand(f"0:zero {exchanges} 0:6-6")) is None


@pytest.mark.parametrize(
    ("written", "code", "move"),
    [
        ("0:-1", "bad-discard", 0),
        ("0:zero 1:-1 0:-1", "bad-discard", 2),
        ("0:zero 0:-0 0:-1", "bad-discard", 2),
        ("0:zero 0:6-6 1:-0", "bad-discard", 2),
        ("0:zero 0:-4 1:-3 2:-1", "bad-discard", 3),
        ("0:zero 0:6-6 1:domizerka", "bad-contract", 2),
        ("0:zero 0:6-6 2:domizerka", "not-your-turn", 2),
        ("0:zero 0:-1 0:odds=1", "bad-contract", 2),
        ("0:zeros", "bad-contract", 0),
        ("0:evens=0", "bad-trump", 0),
        ("0:odds=9", "bad-trump", 0),
        ("0:odds", "bad-trump", 0),
        ("0:domizerka=2", "bad-trump", 0),
        ("0:zero 0:-1(6-6+6-6)", "tile-not-held", 1),
        ("0:zero 0:-1(6-6+5-5) 1:-1(5-5)", "tile-not-held", 2),
        ("0:zero 0:-1(6-6+5-5) 1:-1(4-4+6-6)", "tile-not-held", 2),
        # An error of the tile comes before an error of the suit.
        ("0:zero 0:-1(6-5) 0:6-5", "tile-not-held", 2),
        ("0:zero 0:6-6 1:6-6=5", "tile-already-laid", 2),
    ],
)
def test_what_is_out_of_place_is_refused(written: str, code: str, move: int) -> None:
    error = first_error(record(hand(written)))
    assert error is not None
    assert (error["code"], error["move"]) == (code, move)


def test_a_hand_before_its_contract_knows_its_tiles_already() -> None:
    assert code_of(hand("0:5-5", deal=DEAL)) == "tile-not-held"
    assert code_of(hand("0:6-6", deal=DEAL)) == "bad-contract"


@pytest.mark.parametrize(
    "move",
    [
        {"type": "discard"},
        {"type": "discard", "count": -1},
        {"type": "discard", "count": 2, "tiles": ["6-6"]},
        {"type": "discard", "count": 2, "tiles": ["6-6", "6-6"]},
        {"type": "contract"},
        {"type": "contract", "contract": "zero", "trump": None},
        {"type": "play", "tile": "6-6", "end": "w"},
        {"type": "play", "tile": "6-6", "suit": True},
        {"type": "pass"},
        {"type": "draw", "count": 1},
    ],
)
def test_what_is_no_move_of_this_game_is_malformed(move: dict[str, Any]) -> None:
    assert code_of({"dealer": 2, "moves": [{"seat": 0, **move}]}) == "malformed"
    assert code_of({"leader": 2, "moves": []}) == "malformed"
    assert code_of({"dealer": 2, "moves": [], "left": [[], [], []]}) == "malformed"


# --- what may come next ------------------------------------------------------------------------------------
def accepted(state: Any) -> set[Any]:
    """Every move that is not refused, out of all moves: with a suit if a tile has two, and without names of discarded
    tiles."""
    every = [Contract(seat, *call) for seat in range(3) for call in CONTRACT_RULES]
    every += [Discard(seat, number) for seat in range(3) for number in range(9)]
    every += [Follow(seat, t, suit) for seat in range(3) for t in range(COUNT) for suit in (None, *range(7))]
    result = set()
    for move in every:
        try:
            state.play(move)
        except games.GameError:
            continue
        result.add(move)
    unsaid = {(move.seat, move.tile) for move in result if isinstance(move, Follow) and move.suit is None}
    return {m for m in result if not isinstance(m, Follow) or m.suit is None or (m.seat, m.tile) not in unsaid}


@pytest.mark.parametrize("known", [True, False])
def test_what_is_legal_is_just_what_is_accepted(known: bool) -> None:
    rng = random.Random(f"legal {known}")
    for _ in range(6 if known else 3):
        tiles = rng.sample(range(COUNT), 21)
        deal = tuple(mask(tiles[7 * n : 7 * n + 7]) if known or rng.random() < 0.3 else None for n in range(3))
        state = match_of().opened(rng.randrange(3), deal)
        while state.end is None:
            legal = state.legal()
            assert len(set(legal)) == len(legal)
            if rng.random() < 0.4:
                assert set(legal) == accepted(state)
            state = state.play(rng.choice(legal))
        assert state.legal() == []
        assert accepted(state) == set()


def test_a_known_hand_follows_suit_and_a_hidden_one_may_have_none() -> None:
    known = state_of("0:zero 0:6-5=5", deal=DEAL)
    assert sorted(known.offers()["plays"]) == ["5-1", "5-2", "5-3", "5-4", "5-5"]
    unseen = state_of("0:zero 0:6-5=5")
    assert len(unseen.offers()["plays"]) == 27
    void = state_of("0:zero 0:6-5=5 1:4-4 2:5-5")
    assert "5-1" not in void.play(Follow(2, parse("6-6"))).play(Follow(0, parse("6-4"))).offers()["plays"]


def test_the_offers_are_what_a_phone_shows() -> None:
    offers = match_of(hand("")).offers()
    assert (offers["next"], offers["stage"], offers["seat"], offers["plays"]) == ("move", "contract", 0, {})
    assert offers["contracts"] == {"evens": [2, 4, 6], "odds": [1, 3, 5], "zero": [], "domizerka": []}
    offers = match_of(hand("0:evens=4 0:-2")).offers()
    assert (offers["stage"], offers["seat"], offers["player"]) == ("exchange", 1, 0)
    assert (offers["exchange"], offers["contracts"]) == ({"seats": [1, 2], "most": 5}, {})
    assert (offers["contract"], offers["trump"]) == ("evens", 4)
    assert offers["plays"]["6-5"] == [6, 5]
    assert offers["plays"]["6-4"] == offers["plays"]["5-5"] == []
    offers = match_of(hand("0:evens=4 0:6-5=5")).offers()
    assert (offers["stage"], offers["seat"], offers["led"]) == ("play", 1, 5)
    assert (offers["table"], offers["tricks"]) == ([{"seat": 0, "tile": "6-5"}], [0, 0, 0])
    assert offers["plays"]["5-3"] == []
    assert "6-5" not in offers["unseen"]
    assert json.loads(json.dumps(offers)) == offers


def test_contracts_called_before_are_not_offered_again() -> None:
    called = [final("zero", [7, 0, 0], 2), final("odds", [7, 0, 0], 0), final("evens", [7, 0, 0], 1)]
    assert list(match_of(*called, hand("")).offers()["contracts"]) == ["evens", "odds", "domizerka"]
    assert list(match_of(*called[:2], hand("", 1)).offers()["contracts"]) == list(CONTRACTS)


def test_a_state_is_a_value() -> None:
    state = state_of("0:zero 0:-1 0:6-6 1:6-5")
    before, offered = state.holdings.whereabouts(), state.offers()
    state.play(Follow(2, parse("5-5")))
    assert (state.holdings.whereabouts(), state.offers()) == (before, offered)


# --- the unseen --------------------------------------------------------------------------------------------
def test_a_discard_nobody_saw_may_be_any_tile_of_the_hand() -> None:
    state = state_of("0:zero 0:-2", deal=DEAL)
    seat, _, _, out = state.whereabouts()
    assert seat == ALL & ~mask(map(parse, DEAL[1] + DEAL[2]))
    assert out == seat
    assert state.deals() == 1


def test_a_discard_that_was_seen_is_out_of_play() -> None:
    state = state_of("0:zero 0:-1(6-6+1-1)")
    for place, tiles in enumerate(state.whereabouts()):
        assert tiles >> parse("6-6") & 1 == (place == 3)
        assert tiles >> parse("1-1") & 1 == (place == 0)
    assert state.deals() == factorial(26) // (factorial(6) ** 2 * factorial(7) ** 2)


def test_a_failure_to_follow_leaves_none_of_the_suit() -> None:
    state = state_of("0:zero 0:6-5=5 1:6-6")
    fives = CONTRACT_RULES["zero", None].suits[5]
    assert state.whereabouts()[1] & fives == 0
    # Zeros are of no other suit: Bo may still have 5-0.
    assert state.whereabouts()[1] >> parse("5-0") & 1
    # Of 21 tiles that are not fives Ana's 6 more, Bo's 6 more, Cleo's 7; fives where they may be.
    unlaid, others = 26, 21
    assert fives.bit_count() == 6
    assert state.deals() == comb(others, 6) * factorial(unlaid - 6) // (factorial(6) * factorial(7) ** 2)


@pytest.mark.parametrize(
    ("written", "code", "move", "proof"),
    [
        # Dealt five fives, of which four discards cannot hide the last.
        ("0:zero 1:-4 0:6-5=5 1:4-4", "revoke", 3, None),
        ("0:zero 1:-5 0:6-5=5 1:4-4", None, None, None),
        ("0:zero 1:-5 0:6-5=5 1:4-4 2:4-3 0:6-6 1:5-1", "revoke", 3, 6),
        ("0:zero 1:-1(4-4) 0:6-5=5 1:5-0", "revoke", 3, None),
        ("0:zero 1:-1(4-4+2-2) 0:6-4=4 1:5-4", None, None, None),
        ("0:zero 1:-1(5-4) 0:6-4=4 1:5-5", "revoke", 3, None),
        ("0:zero 1:-1(5-4) 0:6-4=4 1:4-3", "tile-not-held", 3, None),
    ],
)
def test_what_a_known_deal_says_of_a_hand_after_its_exchange(
    written: str, code: str | None, move: int | None, proof: int | None
) -> None:
    error = first_error(record(hand(written, deal=DEAL)))
    place = None if proof is None else {"hand": 0, "move": proof}
    assert error == (code and {"code": code, "hand": 0, "move": move, "proof": place})


def test_of_two_failures_that_cannot_both_be_right_neither_is_to_blame() -> None:
    # Of 5-1 to 5-5, 5-0 and 4-4 five discards hide all fives, or the four, but not both.
    deal = [None, DEAL[1], None]
    one = "0:zero 1:-5 0:6-5=5 1:5-0 2:6-6"
    assert code_of(hand(one, deal=deal)) is None
    both = one + " 0:4-3=4 1:2-2"
    assert first_error(record(hand(both, deal=deal))) == {
        "code": "no-possible-deal",
        "hand": 0,
        "move": 6,
        "proof": None,
    }
    assert code_of(hand(both, deal=deal), noted=[{"hand": 0, "move": 3, "code": "revoke"}]) is None


def test_the_table_may_let_a_revoke_stand_at_once_and_later() -> None:
    known = match_of(hand("0:zero 0:6-5=5", deal=DEAL))
    entry = {"kind": "move", "move": {"seat": 1, "type": "play", "tile": "4-4"}}
    with pytest.raises(games.GameError) as refused:
        known.enter(entry)
    assert refused.value.code == games.Code.REVOKE
    after = known.enter({**entry, "noted": "revoke"})
    assert after.sheet()["irregularities"] == [{"hand": 0, "move": 2, "code": "revoke"}]
    assert after.offers()["seat"] == 2
    unseen = match_of(hand("0:zero 0:6-5=5 1:4-4 2:5-5 2:4-3=4 0:4-2"))
    shown = {"kind": "move", "move": {"seat": 1, "type": "play", "tile": "5-4"}}
    with pytest.raises(games.GameError) as refused:
        unseen.enter(shown)
    assert (refused.value.code, refused.value.move, refused.value.proof.move) == (games.Code.REVOKE, 2, 6)
    note = {"way": "note", "hand": 0, "move": 2, "code": "revoke"}
    assert note in games.remedies(unseen, shown, refused.value)
    assert unseen.enter({"kind": "note", "hand": 0, "move": 2, "code": "revoke"}).enter(shown).offers()["seat"] == 1


# --- scoring -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("contract", "tricks", "points"),
    [
        ("evens", [4, 2, 1], [0, 0, 0]),
        ("odds", [7, 0, 0], [3, -2, -1]),
        ("zero", [0, 0, 7], [-4, -2, 6]),
        ("domizerka", [1, 2, 4], [0, 0, 0]),
        ("domizerka", [7, 0, 0], [-6, 2, 4]),
        ("domizerka", [0, 7, 0], [1, -5, 4]),
    ],
)
def test_a_trick_counts_against_the_quota(contract: str, tricks: list[int], points: list[int]) -> None:
    assert games.verify(record(final(contract, tricks)))["hands"] == [points]
    # The same with the next seat dealing: 1 is left of the dealer.
    turned = final(contract, [tricks[2], *tricks[:2]], dealer=0)
    assert games.verify(record(turned))["hands"] == [[points[2], *points[:2]]]


def test_the_sheet_shows_the_arithmetic() -> None:
    scores = match_of(final("odds", [2, 4, 1])).sheet()["hands"][0]["scores"]
    shown = [[(term["label"], term["value"]) for term in score["terms"]] for score in scores]
    assert shown == [
        [("tricks", 2), ("quota", -4)],
        [("tricks", 4), ("quota", -2)],
        [("tricks", 1), ("quota", -1)],
    ]
    assert [(score["seats"], score["points"]) for score in scores] == [([0], -2), ([1], 2), ([2], 0)]
    lowest = match_of(final("domizerka", [2, 4, 1])).sheet()["hands"][0]["scores"][0]
    assert [tuple(term.values())[1:] for term in lowest["terms"]] == [("quota", 1), ("tricks", -2)]


def test_every_deal_sums_to_nothing_and_has_seven_tricks() -> None:
    rng = random.Random("sums")
    for _ in range(20):
        state = whole_hand(rng)
        match = match_of({"dealer": 2, "moves": [move_json(move) for move in state.moves]})
        points = match.hands[0].points
        assert sum(points) == 0
        assert sum(state.tricks) == 7
        assert match.hands[0].outcome.end.by == "played"
        left, quotas = (-1, (1, 2, 4)) if state.rules.contract == "domizerka" else (1, (4, 2, 1))
        assert points == tuple(left * (won - due) for won, due in zip(state.tricks, quotas, strict=True))


def test_an_open_deal_counts_nothing_yet() -> None:
    verdict = games.verify(record(final("odds", [2, 4, 1]), hand("1:zero 1:6-5=6 2:6-4 0:6-3", 0)))
    assert (verdict["hands"], verdict["totals"]) == ([[-2, 2, 0], [0, 0, 0]], [-2, 2, 0])


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"contract": "odds", "trump": 3, "tricks": [2, 4, 1]}, None),
        ({"contract": "odds", "trump": 3, "tricks": [2, 4, 2]}, "tricks-mismatch"),
        ({"contract": "odds", "trump": 2, "tricks": [2, 4, 1]}, "bad-trump"),
        ({"contract": "odds", "tricks": [2, 4, 1]}, "bad-trump"),
        ({"contract": "zero", "trump": 0, "tricks": [2, 4, 1]}, "bad-trump"),
        ({"contract": "zeroes", "tricks": [2, 4, 1]}, "bad-contract"),
        ({"contract": 0, "tricks": [2, 4, 1]}, "malformed"),
        ({"contract": "zero", "tricks": [2, 5]}, "malformed"),
        ({"contract": "zero", "tricks": [8, -1, 0]}, "malformed"),
        ({"contract": "zero"}, "malformed"),
    ],
)
def test_a_deal_entered_by_its_tricks(how: dict[str, Any], code: str | None) -> None:
    error = first_error(record({"dealer": 2, "final": how}))
    assert error == (code and {"code": code, "hand": 0, "move": None, "proof": None})


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"contract": "evens", "trump": 4, "tricks": [6, 0, 1]}, None),
        ({"contract": "evens", "trump": 4, "tricks": [0, 6, 1]}, "tricks-mismatch"),
        ({"contract": "evens", "trump": 2, "tricks": [6, 0, 1]}, "bad-trump"),
        ({"contract": "zero", "tricks": [6, 0, 1]}, "bad-contract"),
    ],
)
def test_tricks_told_after_some_moves_agree_with_them(how: dict[str, Any], code: str | None) -> None:
    so_far = "0:evens=4 0:6-5=6 1:6-3 2:6-1 0:5-5"
    error = first_error(record(hand(so_far, final=how)))
    assert error == (code and {"code": code, "hand": 0, "move": None, "proof": None})
    assert code_of(final(how["contract"], how["tricks"], moves=[])) is None


def test_tricks_are_compared_after_all_moves() -> None:
    state = whole_hand(random.Random("tricks"))
    played = {"dealer": 2, "moves": [move_json(move) for move in state.moves]}
    assert code_of({**played, "tricks": list(state.tricks)}) is None
    other = [state.tricks[2], *state.tricks[:2]]
    assert other != list(state.tricks)
    mismatch = {"code": "tricks-mismatch", "hand": 0, "move": None, "proof": None}
    assert first_error(record({**played, "tricks": other})) == mismatch
    assert first_error(record({**played, "final": {**_said(state), "tricks": other}})) == mismatch
    assert code_of({**played, "final": {**_said(state), "tricks": list(state.tricks)}}) is None
    assert code_of({**played, "moves": played["moves"][:-1], "tricks": list(state.tricks)}) == "hand-unfinished"


def _said(state: Any) -> dict[str, Any]:
    return {"contract": state.rules.contract} | ({"trump": state.rules.trump} if state.rules.trump else {})


# --- a match -----------------------------------------------------------------------------------------------
def twelve(tricks: list[int]) -> list[dict[str, Any]]:
    """Four contracts for each caller, the callers in turn; the same seats always win these tricks."""
    return [final(CONTRACTS[number // 3], tricks, (2 + number) % 3) for number in range(12)]


def test_a_match_is_twelve_deals_and_everybody_calls_every_contract() -> None:
    whole = twelve([3, 2, 2])
    verdict = games.verify(record(*whole))
    assert (verdict["valid"], verdict["finished"]) == (True, True)
    # Each seat sits in each place once a contract: quotas sum to 3 × 7, and domizerka counts the other way.
    assert verdict["totals"] == [3 * (9 - 7) - (9 - 7), -2, -2]
    assert verdict["winners"] == [0]
    assert games.verify(record(*whole[:11]))["finished"] is False
    assert first_error(record(*whole, final("zero", [7, 0, 0]))) == {
        "code": "match-over",
        "hand": 12,
        "move": None,
        "proof": None,
    }


def test_equal_totals_share_the_win() -> None:
    turns = [[3, 2, 2], [2, 3, 2], [2, 2, 3]]
    hands = [final(CONTRACTS[n // 3], turns[n % 3], (2 + n) % 3) for n in range(12)]
    verdict = games.verify(record(*hands))
    assert len(set(verdict["totals"])) < 3
    best = max(verdict["totals"])
    assert verdict["winners"] == [seat for seat in range(3) if verdict["totals"][seat] == best]
    assert games.verify(record(*twelve([3, 3, 1])))["winners"] == [0, 1]


def test_a_contract_called_twice_is_refused_in_moves_and_final_states() -> None:
    before = [hand_played("zero"), final("zero", [7, 0, 0], 0), final("zero", [7, 0, 0], 1)]
    assert code_of(*before) is None
    again = first_error(record(*before, hand("0:zero")))
    assert again == {"code": "contract-used", "hand": 3, "move": 0, "proof": None}
    told = first_error(record(*before, final("zero", [7, 0, 0])))
    assert told == {"code": "contract-used", "hand": 3, "move": None, "proof": None}
    assert code_of(*before, hand("0:odds=1")) is None


def hand_played(contract: str) -> dict[str, Any]:
    rng = random.Random("contract")
    while (state := whole_hand(rng)).rules.contract != contract:
        pass
    return {"dealer": 2, "moves": [move_json(move) for move in state.moves]}


def test_any_seat_deals_first_and_then_the_deal_passes_clockwise() -> None:
    for dealer in range(3):
        assert code_of(final("zero", [7, 0, 0], dealer)) is None
        for other in range(3):
            code = code_of(final("zero", [7, 0, 0], dealer), final("evens", [7, 0, 0], other))
            assert code == (None if other == (dealer + 1) % 3 else "wrong-leader")


def test_a_match_of_fewer_deals_by_its_option() -> None:
    assert games.verify(record(*twelve([7, 0, 0])[:3], options={"hands": 3}))["finished"]
    assert code_of(*twelve([7, 0, 0])[:4], options={"hands": 3}) == "match-over"
    assert games.verify(record(*twelve([7, 0, 0]), options={"hands": 20}))["finished"]
