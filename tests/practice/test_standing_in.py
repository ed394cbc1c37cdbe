"""Nestor in a seat of a real table: what somebody says of his tiles is enough to know what he can do."""

import time
from random import Random

import pytest

from games import GAMES, GameError, Match
from games.moves import Draw, Play, unseen
from games.nestor.asked import asked
from games.solver import can_solve
from games.tiles import NAMES, members, names
from scorekeeper.practice.contest import Contest, Setting
from scorekeeper.practice.standing_in import StandIn, Tiles

SEAT = 1


def begun(slug: str, rng: Random) -> tuple[Match, Match]:
    """A hand with all tiles known, and the same as the table records it."""
    game = GAMES[slug]
    seats = game.seats[0]
    setting = Setting(slug, game.read_options({}), seats, "beginner")
    known = Contest.begun(1, setting, ["Ana", "Bo", "Cleo", "Dan"][:seats], rng).match
    hand = known.hands[-1]
    seen = Match.new(slug, known.options, known.players).enter({"kind": "hand", "opener": hand.opener})
    for move in hand.state.moves:
        seen = seen.with_move(unseen(move))
    return known, seen


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if can_solve(game, game.seats[0])])
def test_what_is_said_is_enough_for_a_whole_hand(slug: str) -> None:
    rng = Random(3)
    known, seen = begun(slug, rng)
    dealt = known.hands[-1].state.opening.deal[SEAT]
    assert dealt is not None
    tiles = StandIn.of(seen, SEAT, None).having(names(dealt)).tiles
    while known.hand is not None:
        stand_in = StandIn.of(seen, SEAT, tiles)
        assert stand_in.missing == 0
        state = known.hand.state
        assert stand_in.held() == state.holdings.known[SEAT]
        assert stand_in.moves() == (state.legal() if state.turn == SEAT else [])
        move = rng.choice(state.legal())
        if isinstance(move, Draw):
            move = move._replace(tiles=(rng.choice([*members(state.holdings.may[-1])]),))
        known, seen = known.with_move(move), seen.with_move(unseen(move))
        if isinstance(move, Draw) and move.seat == SEAT and move.tiles:
            drew = StandIn.of(seen, SEAT, tiles)
            assert drew.missing == 1
            assert drew.free >> move.tiles[0] & 1
            tiles = drew.having([NAMES[move.tiles[0]]]).tiles


def test_tiles_that_were_drawn_one_after_another_can_be_said_together() -> None:
    for seed in range(60):
        known, seen, rng = *begun("draw", Random(seed)), Random(seed)
        dealt = known.hands[-1].state.opening.deal[SEAT]
        assert dealt is not None
        stand_in, drawn = StandIn.of(seen, SEAT, None).having(names(dealt)), list[int]()
        while known.hand is not None and len(drawn) < 2:
            state, move = known.hand.state, rng.choice(known.hand.state.legal())
            if isinstance(move, Draw):
                move = move._replace(tiles=(rng.choice([*members(state.holdings.may[-1])]),))
            if state.turn == SEAT:
                drawn = [*drawn, *move.tiles] if isinstance(move, Draw) and move.tiles else []
            known, seen = known.with_move(move), seen.with_move(unseen(move))
            now = StandIn.of(seen, SEAT, stand_in.tiles)
            if now.missing == 1 and len(drawn) != 1:
                break  # drawn in an earlier turn
        if len(drawn) == 2 and now.missing == 2 and known.hand is not None:
            for order in (drawn, drawn[::-1]):
                after = now.having([NAMES[tile] for tile in order])
                assert after.held() == known.hand.state.holdings.known[SEAT]
            return
    pytest.fail("nobody drew two tiles")


def test_nestor_is_asked_with_his_own_tiles_only() -> None:
    known, seen = begun("domino-whist", Random(1))
    while known.hand is not None and known.hand.state.turn != SEAT:
        move = known.hand.state.legal()[0]
        known, seen = known.with_move(move), seen.with_move(move)
    dealt = known.hands[-1].state.opening.deal[SEAT]
    assert dealt is not None
    stand_in = StandIn.of(seen, SEAT, None).having(names(dealt))
    question = stand_in.question("brutal", ms=1, seed=1)
    deal = question["record"]["hands"][-1]["deal"]
    assert [hand is None for hand in deal] == [True, False, True, True]
    assert asked(question, time.monotonic)["move"]["seat"] == SEAT


def test_what_cannot_be_is_refused() -> None:
    known, seen = begun("domino-whist", Random(1))
    stand_in = StandIn.of(seen, SEAT, None)
    with pytest.raises(GameError, match="exactly 7"):
        stand_in.having(["6-6"])
    with pytest.raises(GameError):
        stand_in.having([*names(known.hands[-1].state.opening.deal[SEAT] or 0)[:6], "9-9"])
    assert known.hand is not None
    move = known.hand.state.legal()[0]
    assert isinstance(move, Play)
    after = StandIn.of(seen.with_move(move), SEAT, None)
    others = [NAMES[tile] for tile in range(28) if tile != move.tile][:6]
    if move.seat != SEAT:
        with pytest.raises(GameError):
            after.having([NAMES[move.tile], *others])
    with pytest.raises(GameError, match="First enter"):
        _ = after.state


def test_tiles_of_an_earlier_hand_are_left_out() -> None:
    known, seen = begun("domino-whist", Random(1))
    dealt = tuple(members(known.hands[-1].state.opening.deal[SEAT] or 0))
    assert StandIn.of(seen, SEAT, Tiles(0, dealt)).tiles == Tiles(0, dealt)
    assert StandIn.of(seen, SEAT, Tiles(1, dealt)).tiles is None
    assert StandIn.of(seen, SEAT, Tiles(0, dealt, (1, 2))).tiles == Tiles(0, dealt)
    assert Tiles.read(Tiles(0, dealt, (3,)).as_json()) == Tiles(0, dealt, (3,))
