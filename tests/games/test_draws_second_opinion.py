"""The two-player family with a boneyard compared with a second opinion, which is itself checked in a second way."""

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

import games
from games.tiles import NAMES
from tests.games import second_opinion as older
from tests.games import second_opinion_draws as slow
from tests.games.records import first_error
from tests.games.second_opinion import TILES, Row, text, tile

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "draw": ("draw", {}),
    "draw by winner": (
        "draw",
        {"leader": "winner", "block_award": "last", "block_amount": "both", "rounding": True, "points_to_win": 50},
    ),
    "all fives": ("all-fives", {}),
    "all fives by loser": ("all-fives", {"leader": "loser", "rounding": True, "points_to_win": 61, "spinner": False}),
    "all threes": ("all-threes", {"leader": "alternate", "points_to_win": 40, "block_amount": "opponent"}),
    "fives and threes": ("fives-and-threes", {"points_to_win": 305, "leader": "winner", "block_award": "last"}),
    "block with draws": ("block", {"draws": True, "spinner": True, "hands": 2}),
    "draw without": ("draw", {"draws": False, "hands": 3, "fives": True}),
}
PLAYERS = ["Ana", "Bo"]


def record_of(variant: str, *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    game, options = VARIANTS[variant]
    return {
        "format": "scorekeeper-record/1",
        "game": game,
        "options": options,
        "players": PLAYERS,
        "hands": list(hands),
        **more,
    }


def rules(variant: str, *, lead_double: bool = True) -> slow.Rules:
    game, options = VARIANTS[variant]
    return slow.rules_of(slow.all_options(game, options), lead_double=lead_double)


def moves_of(written: str, leader: int = 0) -> list[dict[str, Any]]:
    """Moves in turn, ``"6-6 d2 6-1e d:3-1,6-2 pass"``: draws with or without their tiles keep the turn."""
    moves: list[dict[str, Any]] = []
    seat = leader
    for word in written.split():
        if word.startswith("d:"):
            tiles = word[2:].split(",")
            moves.append({"seat": seat, "type": "draw", "count": len(tiles), "tiles": tiles})
            continue
        if word.startswith("d"):
            moves.append({"seat": seat, "type": "draw", "count": int(word[1:])})
            continue
        end = {"end": word[3:]} if word[3:] and word != "pass" else {}
        moves.append(
            {"seat": seat, "type": "pass"}
            if word == "pass"
            else {"seat": seat, "type": "play", "tile": word[:3], **end}
        )
        seat = 1 - seat
    return moves


def hand_of(written: str, leader: int = 0, **more: Any) -> dict[str, Any]:
    return {"leader": leader, "moves": moves_of(written, leader), **more}


def after(rules: slow.Rules, hand: dict[str, Any], upto: int | None = None) -> slow.Onlooker:
    return slow.followed(slow.Onlooker(rules, hand), hand["moves"][:upto])


# --- the second opinion itself -----------------------------------------------------------------------------
def test_the_table_counts_of_the_rules() -> None:
    row = Row(branching=True)
    counts = []
    for word in ("6-6", "6-1e", "6-3w", "1-1e", "6-0n", "6-5s"):
        row.lay(tile(word[:3]), word[3:] or None)
        counts.append(row.count())
    assert counts == [12, 13, 4, 5, 5, 10]


def a_hand_with_few_hidden(rng: random.Random, most: int) -> tuple[slow.Rules, dict[str, Any]]:
    """A long hand (with few tiles left in the boneyard), of which few tiles are hidden."""
    how = rules(rng.choice(list(VARIANTS)), lead_double=rng.random() < 0.7)
    hand, _ = max((slow.random_hand(rng, how) for _ in range(4)), key=lambda hand: len(hand[1].laid))
    return how, slow.few_hidden(rng, hand, lambda told: after(how, told), most)


def test_every_completion_played_through_with_open_tiles_gives_the_same_worlds() -> None:
    """``worlds`` skips impossible cases. This one skips nothing, and simulates each deal with each draw."""
    rng = random.Random("completions")
    several = refused = 0
    for _ in range(150):
        how, hand = a_hand_with_few_hidden(rng, 30)
        looker = after(how, hand, -rng.randrange(1, 5) if rng.random() < 0.7 else None)
        while rng.random() < 0.7 and not looker.end and (move := slow.guess(rng, looker)):
            looker.make(move)
        hidden = [place for place in looker.drawn if place.said is None]
        deals = list(itertools.islice(slow.every_deal(looker), 60))
        if len(deals) == 60 or len(deals) * math.perm(looker.pool + len(hidden), len(hidden)) > 700:
            continue
        found = set()
        for deal in deals:
            free = set(TILES).difference(*deal, *(place.said for place in looker.drawn if place.said))
            for taken in itertools.permutations(sorted(free), len(hidden)):
                draws: dict[int, list[slow.Tile]] = {}
                for place, t in zip(hidden, taken, strict=True):
                    draws.setdefault(place.at, []).append(t)
                if slow.simulate(slow.Table(how, deal, hand["leader"]), looker.moves, draws) is None:
                    found.add(deal)
                    break
        assert {deal for deal, _ in slow.worlds(looker)} == found
        several, refused = several + (len(found) > 1), refused + (not found)
    assert several > 10
    assert refused > 2


def test_a_place_for_every_tile_is_the_same_as_every_world() -> None:
    rng = random.Random("places")
    many = refused = 0
    for _ in range(60):
        how, hand = a_hand_with_few_hidden(rng, 60)
        looker = after(how, hand, rng.randrange(len(hand["moves"]) // 2, len(hand["moves"]) + 1))
        possible = True
        while possible and not looker.end and (move := slow.guess(rng, looker)):
            looker.make(move)
            possible = looker.possible()
            if slow.few(looker, 60):
                deals, whereabouts = slow.count(looker)
                assert bool(deals) == possible
                assert slow.count_deals(looker) == deals
                assert not possible or looker.whereabouts() == whereabouts
                many, refused = many + (deals > 1), refused + (not possible)
    assert many > 10
    assert refused > 5


def test_without_draws_it_agrees_with_the_older_opinion() -> None:
    rng = random.Random("older")
    how = slow.rules_of(slow.all_options("block", {}))
    codes = set()
    for _ in range(100):
        deal, hand = older.random_hand(rng, older.BLOCK)
        if rng.random() < 0.5:
            hand["deal"] = slow.written([held if rng.random() < 0.5 else None for held in deal[:2]])
            hand = slow.damaged(rng, hand, 2)
            if not hand["moves"] or any(move["type"] == "draw" for move in hand["moves"]):
                continue
        else:
            looker = after(how, hand, rng.randrange(1, len(hand["moves"])))
            while not looker.end and (move := slow.guess(rng, looker)):
                looker.make(move)
            hand["moves"] = looker.moves
        theirs = older.judge(hand, older.BLOCK)
        ours = slow.judge(slow.Onlooker(how, hand), hand)
        codes.add(theirs.code)
        if theirs.code is None:
            assert not ours
        else:
            assert any(theirs.code in each.codes and theirs.move == each.move for each in ours), (theirs, ours)
    assert {None, "wrong-pass", "must-play", "tile-not-held"} <= codes


def test_random_matches_are_judged_as_they_went() -> None:
    rng = random.Random("matches")
    for variant, (game, options) in VARIANTS.items():
        hands, judged = slow.random_match(rng, game, options)
        assert slow.judge_match(record_of(variant, *(hand for hand, _ in hands))) == judged
        left = [slow.told(rng, hand, table, left="tiles") for hand, table in hands]
        assert slow.judge_match(record_of(variant, *left)) == judged


# --- cases by hand -----------------------------------------------------------------------------------------
Error = tuple[str, int | None, int | None]
NO_ERROR = None
CASES: dict[str, tuple[str, Error | None]] = {
    "a draw and the tile drawn": ("6-6 d1 6-5e", None),
    "a pass with tiles to draw": ("6-6 pass", ("must-draw", 1, None)),
    "a pass after a draw that left some": ("6-6 d13 pass", ("must-draw", 2, None)),
    "all fourteen drawn, and a pass": ("6-6 d14 pass 6-5e", None),
    "who has all but the sixes cannot pass": ("6-6 d14 pass 6-5e pass", ("no-possible-deal", 4, None)),
    "a draw of more than there are": ("6-6 d15", ("cannot-draw", 1, None)),
    "a second draw of more than there are": ("6-6 d13 d2", ("cannot-draw", 2, None)),
    "the leader cannot draw": ("d1 6-6", ("cannot-draw", 0, None)),
    "the tile drawn is laid": ("6-6 d:6-5 6-5e", None),
    "another tile than the one drawn is laid": ("6-6 d:6-5 6-4e", ("must-play", 2, None)),
    "another tile than the one drawn last is laid": ("6-6 d:3-1 d:6-5 6-4e", ("must-play", 3, None)),
    "a draw after a tile that fits": ("6-6 d:6-5 d1", ("cannot-draw", 2, None)),
    "a tile that fits and is not the last of a draw": ("6-6 d:6-5,3-1 3-1e", ("cannot-draw", 1, None)),
    "the last of a draw may fit": ("6-6 d:3-1,6-5 6-5e", None),
    "held since before a draw": ("6-6 d1 6-5e 5-4e 6-3w", ("cannot-draw", 1, 4)),
    "held since before two draws": ("6-6 d1 6-5e 5-4e d1 4-3e 3-3e 6-2w", ("cannot-draw", 1, 7)),
    "drawn in between, but then it fitted": ("6-6 d1 6-5e 5-4e d2 4-3e 3-3e 6-2w", ("cannot-draw", 4, 7)),
    "drawn in between, and it did not fit": ("6-6 d1 6-5e 5-4e d2 4-3e 3-3e 3-2e", None),
    "two tiles that one unseen draw may have taken": (
        "6-6 d1 6-5e 6-4w d2 5-0e 6-0e 6-1e 2-1e 6-2e",
        ("no-possible-deal", 9, None),
    ),
    "one tile that an unseen draw may have taken": ("6-6 d1 6-5e 6-4w d2 5-0e 6-0e 6-1e 2-1e 3-2e", None),
    "a heavier double that was drawn": ("5-5 d2 6-5e 5-1w 6-6e", None),
    "a heavier double that must have been dealt": ("5-5 d1 6-5e 5-1w 6-6e", ("wrong-leader", None, 4)),
    "a heavier double of the leader's": ("5-5 6-5e 6-6e", ("must-lead-double", 0, 2)),
    "a draw in the leader's second turn": ("6-6 6-5e d1", None),
    "a lead that is no double": ("6-5", ("must-lead-double", 0, None)),
    "a tile laid twice": ("6-6 6-5e 6-5w", ("tile-already-laid", 2, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_cases_by_hand(case: str) -> None:
    written, expected = CASES[case]
    judged = slow.judge_match(record_of("draw", hand_of(written)))
    if expected is None:
        assert judged.errors == []
    else:
        code, move, proof = expected
        assert judged.errors == [slow.opinion(code, move=move, proof=proof)]


# --- the product -------------------------------------------------------------------------------------------
def agree(record: dict[str, Any], judged: slow.Judged) -> str | None:
    """Checks that verify and the second opinion agree. Returns the code of the first error."""
    verdict = games.verify(record)
    assert (verdict["hands"], verdict["totals"]) == (judged.hands, judged.totals(len(record["players"]))), record
    assert (verdict["finished"], verdict["winners"]) == (judged.finished, judged.winners), record
    error = first_error(record)
    if not judged.errors:
        assert error is None, record
        return None
    assert error is not None, (judged.errors, record)
    expected = [
        {"code": code, "hand": judged.hand, "move": each.move, "proof": each.proof}
        for each in judged.errors
        for code in each.codes
    ]
    said = {**error, "proof": error["proof"] and error["proof"]["move"]}
    assert said in expected, (error, expected, record)
    return said["code"]


@pytest.mark.parametrize("case", CASES)
def test_verify_says_the_same_of_the_cases_by_hand(case: str) -> None:
    record = record_of("draw", hand_of(CASES[case][0]))
    agree(record, slow.judge_match(record))


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_matches_are_accepted_and_scored_alike_whatever_is_known(variant: str) -> None:
    rng = random.Random(f"accepted {variant}")
    hands, judged = slow.random_match(rng, *VARIANTS[variant])
    assert agree(record_of(variant, *(hand for hand, _ in hands)), judged) is None
    for left in ("tiles", "mixed"):
        # If only pips are known, few tiles may be left, because the second opinion tries all sets with these pips.
        few = [left if len(table.laid) > 17 else "tiles" for _, table in hands]
        told = [slow.told(rng, hand, table, left=how) for (hand, table), how in zip(hands, few, strict=True)]
        assert agree(record_of(variant, *told), judged) is None
        verdict = games.verify(record_of(variant, *told, result={"totals": judged.totals(), "winners": judged.winners}))
        assert verdict["valid"]


def twins(hand: dict[str, Any], table: slow.Table) -> Iterator[tuple[set[str], int, int | None, dict[str, Any]]]:
    """Variants of a hand with open tiles, each with one thing that the rules forbid: the codes that it may get, the
    entry, and the proof."""
    moves = hand["moves"]
    held = [set(held) for held in hand["deal"]]
    pool = table.rules.boneyard
    opener = {text(t): number for number, t in enumerate(table.laid)}

    def with_moves(at: int, *instead: dict[str, Any]) -> dict[str, Any]:
        return {**hand, "moves": [*moves[:at], *instead, *moves[at + 1 :]]}

    for at, move in enumerate(moves):
        seat, drew = move["seat"], at > 0 and moves[at - 1]["type"] == "draw"
        wait = {"seat": seat, "type": "pass"}
        one = {"seat": seat, "type": "draw", "count": 1}
        if move["type"] == "play":
            if at and pool:
                yield {"must-draw", "must-play"}, at, None, with_moves(at, wait)
                yield {"cannot-draw"}, at, None, with_moves(at, one, move)
            elif at:
                yield {"must-play"}, at, None, with_moves(at, wait)
                yield {"cannot-draw"}, at, None, with_moves(at, one, move)
            for laid in list(opener)[: 1 if at else 0]:
                first = next(n for n, m in enumerate(moves) if m.get("tile") == laid)
                yield {"tile-already-laid"}, at, first, with_moves(at, {**move, "tile": laid})
            for other in sorted(held[1 - seat])[:1]:
                yield {"tile-not-held"}, at, None, with_moves(at, {**move, "tile": other})
            if drew:
                yield {"tile-not-held"}, at - 1, None, {**hand, "moves": [*moves[: at - 1], *moves[at:]]}
            yield {"not-your-turn"}, at, None, with_moves(at, {**move, "seat": 1 - seat})
            held[seat].discard(move["tile"])
        elif move["type"] == "draw":
            held[seat].update(move["tiles"])
            pool -= move["count"]
            more = {**move, "count": move["count"] + pool + 1}
            del more["tiles"]
            yield {"cannot-draw"}, at, None, with_moves(at, more)
        elif at + 1 < len(moves):
            yield {"not-your-turn"}, at, None, {**hand, "moves": [*moves[:at], *moves[at + 1 :]]}
            yield {"cannot-draw"}, at, None, with_moves(at, one)
    yield {"hand-over"}, len(moves), None, {**hand, "moves": [*moves, {"seat": 0, "type": "pass"}]}


@pytest.mark.parametrize("variant", ["draw", "all fives", "fives and threes", "draw without"])
def test_an_open_hand_with_one_thing_wrong_is_refused_there(variant: str) -> None:
    rng = random.Random(f"twins {variant}")
    seen = set()
    for _ in range(3):
        hand, table = slow.random_hand(rng, rules(variant))
        for codes, at, proof, wrong in twins(hand, table):
            error = first_error(record_of(variant, wrong))
            assert error is not None, (codes, at, wrong)
            assert error["code"] in codes, (codes, at, error, wrong)
            assert (error["move"], error["proof"]) == (at, None if proof is None else {"hand": 0, "move": proof})
            seen |= codes
    assert {"must-play", "cannot-draw", "tile-already-laid", "tile-not-held", "not-your-turn", "hand-over"} <= seen


def test_a_damaged_match_gets_the_verdict_of_the_second_opinion() -> None:
    rng = random.Random("damaged")
    codes = []
    for _ in range(150):
        variant = rng.choice(list(VARIANTS))
        game, options = VARIANTS[variant]
        hands, _ = slow.random_match(rng, game, {**options, "hands": rng.randint(1, 2)})
        told = [slow.told(rng, hand, table, left="tiles") for hand, table in hands]
        told[-1] = slow.damaged(rng, told[-1], 2)
        record = record_of(variant, *told, noted=slow.some_noted(rng, told))
        codes.append(agree(record, slow.judge_match(record)))
    assert {None, "cannot-draw", "must-draw", "left-mismatch", "tile-not-held"} <= set(codes)


def test_entries_of_which_each_could_be_true_are_refused_if_and_only_if_no_deal_fits() -> None:
    rng = random.Random("guessed")
    codes = []
    for _ in range(80):
        variant = rng.choice(list(VARIANTS))
        hand, table = slow.random_hand(rng, rules(variant))
        hand = slow.told(rng, hand, table)
        looker = after(rules(variant), hand, rng.randrange(1, len(hand["moves"]) + 1))
        while not looker.end and (move := slow.guess(rng, looker)):
            looker.make(move)
        hand["moves"] = looker.moves
        if looker.end and rng.random() < 0.5:
            free = rng.sample(looker.hidden(), len(looker.hidden()))
            hand["left"] = slow.written([free[: looker.held[0]], free[looker.held[0] : sum(looker.held)]])
        record = record_of(variant, hand, noted=slow.some_noted(rng, [hand]))
        codes.append(agree(record, slow.judge_match(record)))
    assert {None, "cannot-draw", "wrong-pass", "no-possible-deal"} <= set(codes)


def tiles_of(mask: int) -> set[slow.Tile]:
    return {tile(name) for number, name in enumerate(NAMES) if mask >> number & 1}


def test_a_state_knows_how_many_deals_fit_and_where_each_tile_may_be() -> None:
    rng = random.Random("deals")
    tried = counted = 0
    for number in range(20):
        variant = rng.choice(list(VARIANTS))
        how = rules(variant)
        hand, table = max((slow.random_hand(rng, how) for _ in range(3)), key=lambda each: len(each[1].laid))
        if number % 4:
            hand = slow.few_hidden(rng, hand, lambda told, how=how: after(how, told), 40)
        else:
            hand = slow.told(rng, hand, table)
        match = games.Match.new(VARIANTS[variant][0], VARIANTS[variant][1], PLAYERS)
        match = match.enter({"kind": "hand", **{key: hand[key] for key in ("leader", "deal") if key in hand}})
        looker = slow.Onlooker(how, hand)
        for move in hand["moves"]:
            match = match.enter({"kind": "move", "move": move})
            looker.make(move)
            if slow.few(looker, 40):
                deals, whereabouts = slow.count(looker)
                tried += 1
            elif rng.random() < 0.1:
                deals, whereabouts = slow.count_deals(looker), looker.whereabouts()
                counted += 1
            else:
                continue
            state = match.hands[-1].state
            assert state.deals() == deals
            assert list(map(tiles_of, state.whereabouts())) == whereabouts
    assert tried > 30
    assert counted > 5
