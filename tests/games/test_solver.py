"""The solver against brute force: every play of every player to the end, counted by the game itself."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES, Match
from games.errors import GameError, Malformed
from games.laying import LayingState
from games.moves import Draw, Move
from games.random_play import dealt
from games.solver import Solver, solve
from games.tiles import COUNT, members

OPTIONS: dict[str, dict[str, Any]] = {
    "block_award": {"block_award": "last", "block_amount": "both"},
    "block_amount": {"block_amount": "opponent", "rounding": True},
    "short": {"points_to_win": 50},
    "spinner": {"spinner": True},
    "fives": {"fives": True, "threes": True, "points_to_win": 100},
    "plain": {"spinner": False},
}


def dealt_hand(slug: str, options: dict[str, Any], rng: Random) -> tuple[LayingState, list[int]]:
    """A first hand with all tiles known, and the boneyard if one can draw from it."""
    seats = GAMES[slug].seats[0]
    match = Match.new(slug, options, ["Ana", "Bo", "Cleo", "Dan"][:seats])
    while True:
        deal = dealt(rng, COUNT, seats, 7)
        for opener in range(seats):
            try:
                state = match.opened(opener, deal)
            except GameError:
                continue
            boneyard = [tile for tile in range(COUNT) if not any(hand >> tile & 1 for hand in deal)]
            rng.shuffle(boneyard)
            return state, boneyard if state.rules.draws else []


def moves(state: LayingState, boneyard: list[int]) -> list[Move]:
    return [
        move._replace(tiles=(boneyard[-state.boneyard()],)) if isinstance(move, Draw) else move
        for move in state.legal()
    ]


def late(state: LayingState, boneyard: list[int], rng: Random, tiles: int) -> LayingState:
    """The hand after random moves, with at most this number of ``tiles`` left, hands and boneyard together."""
    while state.end is None and sum(state.held()) + state.boneyard() > tiles:
        state = state.play(rng.choice(moves(state, boneyard)))
    return state


def ahead(slug: str, state: LayingState, seat: int) -> int:
    """By how many points the side of a seat is ahead in a hand that is over."""
    game = GAMES[slug]
    outcome = game.count(state, None)
    assert outcome is not None
    sides = game.sides(len(state.opening.players))
    own, other = sorted(sides, key=lambda side: seat not in side)
    lead = outcome.points[own[0]] - outcome.points[other[0]]
    return -lead if game.lower_wins else lead


def brute_force(slug: str, state: LayingState, boneyard: list[int], seat: int) -> int:
    """By how many points the side of a seat ends ahead if everybody plays as well as possible."""
    if state.end is not None:
        return ahead(slug, state, seat)
    turn = state.turn
    assert turn is not None
    own = turn in next(side for side in GAMES[slug].sides(len(state.opening.players)) if seat in side)
    return (max if own else min)(brute_force(slug, state.play(m), boneyard, seat) for m in moves(state, boneyard))


def hands() -> Iterator[tuple[str, dict[str, Any]]]:
    for slug, game in GAMES.items():
        if game.family == "two-player":
            yield slug, {}
            yield from ((slug, options) for options in OPTIONS.values())
    yield "domino-whist", {}
    yield "domino-whist", {"debit": "higher"}


@given(st.sampled_from(list(hands())), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_a_late_position_is_worth_what_brute_force_finds(hand: tuple[str, dict[str, Any]], rng: Random) -> None:
    slug, options = hand
    begun, boneyard = dealt_hand(slug, options, rng)
    state = late(begun, boneyard, rng, 9 if slug != "domino-whist" else 11)
    if state.turn is None:
        return
    made = sum(s.points if state.turn in s.seats else -s.points for s in state.scores)
    solver = Solver(GAMES[slug], begun, boneyard)
    assert made + solver.worth(state) == brute_force(slug, state, boneyard, state.turn)


@pytest.mark.parametrize("slug", ["block", "draw"])
def test_a_blocked_position_pays_who_laid_last_whoever_is_on_turn(slug: str) -> None:
    rng, blocked = Random(5), 0
    while blocked < 20:
        begun, boneyard = dealt_hand(slug, OPTIONS["block_award"], rng)
        states = [begun]
        while states[-1].end is None:
            states.append(states[-1].play(rng.choice(moves(states[-1], boneyard))))
        solver = Solver(GAMES[slug], begun, boneyard)
        if states[-1].end.by == "blocked":
            blocked += 1
            for state in states[-4:-1]:
                assert state.turn is not None
                assert solver.worth(state) == brute_force(slug, state, boneyard, state.turn)


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.family == "two-player"])
def test_the_line_of_a_whole_hand_gives_what_it_is_worth(slug: str) -> None:
    rng = Random(slug)
    state, boneyard = dealt_hand(slug, {"points_to_win": 50}, rng)
    found = solve(GAMES[slug], state, boneyard)
    assert state.turn is not None
    seat = state.turn
    for move in found.line:
        assert state.end is None
        state = state.play(move)
    assert ahead(slug, state, seat) == found.worth


def test_a_partnership_hand_is_worth_what_its_line_gives() -> None:
    state, _ = dealt_hand("domino-whist", {}, Random(7))
    found = solve(GAMES["domino-whist"], state)
    assert state.turn is not None
    seat = state.turn
    for move in found.line:
        state = state.play(move)
    assert ahead("domino-whist", state, seat) == found.worth


def test_no_other_play_is_better() -> None:
    """Each play of the solver's line is answered by its own best play; no change by one side helps that side."""
    state, _ = dealt_hand("block", {}, Random(3))
    solver = Solver(GAMES["block"], state)
    for best in solver.line(state):
        worth = solver.worth(state)
        gains = {move: solver.gain(state, state.play(move)) for move in state.legal()}
        assert worth == max(gains.values()) == gains[best]
        state = state.play(best)


def test_a_hand_that_is_not_known_is_refused() -> None:
    match = Match.new("block", {}, ["Ana", "Bo"])
    with pytest.raises(Malformed, match="give its deal"):
        solve(GAMES["block"], match.opened(0, None))


def test_a_boneyard_without_its_order_is_refused() -> None:
    state, boneyard = dealt_hand("draw", {}, Random(1))
    for wrong in ([], boneyard[1:], [*boneyard, boneyard[0]], list(members(state.holdings.known[0]))):
        with pytest.raises(Malformed, match="in the order in which they will be drawn"):
            solve(GAMES["draw"], state, wrong)


def test_a_game_of_more_than_two_sides_is_refused() -> None:
    match = Match.new("dominards", {}, ["Ana", "Bo", "Cleo"])
    with pytest.raises(Malformed, match="two sides"):
        solve(GAMES["dominards"], match.opened(0, None))


def test_a_search_after_one_that_was_ended_asks_again_whether_to_go_on() -> None:
    class Enough(Exception):
        pass

    def enough() -> int:
        raise Enough

    state, boneyard = dealt_hand("block", {}, Random(1))
    solver = Solver(GAMES["block"], state, boneyard)
    solver.steps, solver.go_on = 100, enough
    for _ in range(2):
        with pytest.raises(Enough):
            solver.worth(state)
    solver.go_on = lambda: 100
    assert solver.worth(state) == solve(GAMES["block"], state, boneyard).worth
