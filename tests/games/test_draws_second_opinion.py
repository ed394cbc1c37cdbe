"""The two-player family with a boneyard against a second opinion, and that opinion against itself."""

import itertools
import math
import random
from typing import Any

import pytest

from tests.games import second_opinion as older
from tests.games import second_opinion_draws as slow
from tests.games.second_opinion import TILES, Row, tile

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
    """A long hand (little is left in the boneyard) of which few tiles are hidden."""
    how = rules(rng.choice(list(VARIANTS)), lead_double=rng.random() < 0.7)
    hand, _ = max((slow.random_hand(rng, how) for _ in range(4)), key=lambda hand: len(hand[1].laid))
    return how, slow.few_hidden(rng, hand, lambda told: after(how, told), most)


def test_every_completion_played_through_with_open_tiles_gives_the_same_worlds() -> None:
    """``worlds`` leaves out what cannot be; here nothing is left out, and each deal with each draw is simulated."""
    rng = random.Random("completions")
    several = refused = 0
    for _ in range(100):
        how, hand = a_hand_with_few_hidden(rng, 40)
        looker = after(how, hand, -rng.randrange(1, 5) if rng.random() < 0.7 else None)
        while rng.random() < 0.7 and not looker.end and (move := slow.guess(rng, looker)):
            looker.make(move)
        hidden = [place for place in looker.drawn if place.said is None]
        deals = list(itertools.islice(slow.every_deal(looker), 60))
        if len(deals) == 60 or len(deals) * math.perm(looker.pool + len(hidden), len(hidden)) > 3000:
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
    assert refused > 3


def test_a_place_for_every_tile_is_the_same_as_every_world() -> None:
    rng = random.Random("places")
    many = refused = 0
    for _ in range(50):
        how, hand = a_hand_with_few_hidden(rng, 100)
        looker = after(how, hand, rng.randrange(len(hand["moves"]) // 2, len(hand["moves"]) + 1))
        possible = True
        while possible and not looker.end and (move := slow.guess(rng, looker)):
            looker.make(move)
            possible = looker.possible()
            if slow.few(looker, 100):
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
    for _ in range(150):
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
    assert {None, "no-possible-deal", "wrong-pass", "must-play", "tile-not-held"} <= codes


def test_random_matches_are_judged_as_they_went() -> None:
    rng = random.Random("matches")
    for variant, (game, options) in VARIANTS.items():
        for _ in range(2):
            hands, judged = slow.random_match(rng, game, options)
            assert slow.judge_match(record_of(variant, *(hand for hand, _ in hands))) == judged
            left = [{**slow.told(rng, hand, table, left="tiles")} for hand, table in hands]
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
    "two tiles for one unseen draw": ("6-6 d2 6-5e 6-4w 4-4w 5-5e 5-4e 4-3w", None),
    "a draw that only one of two tiles can come from": (
        "6-6 d2 6-5e 5-4e 4-3e 3-3e 3-2e 6-4w d1 6-1w",
        ("no-match", 9, None),
    ),
    "a heavier double that was drawn": ("5-5 d2 6-5e 5-1w 6-6e", None),
    "a heavier double that must have been dealt": ("5-5 d1 6-5e 5-1w 6-6e", ("wrong-leader", None, 4)),
    "a heavier double of the leader's": ("5-5 6-5e 6-6e", ("must-lead-double", 0, 2)),
    "a draw in another's turn": ("6-6 6-5e d1", None),
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
