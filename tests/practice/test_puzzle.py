"""The puzzle of the day against brute force: every play of everybody to the end of the hand, counted by the game."""

from datetime import date, timedelta

import pytest

from games.errors import GameError
from games.laying import LayingState
from games.moves import Pass, Play
from games.tiles import PIPS
from scorekeeper.practice.puzzle import ASKED, CHOICES, EACH, LEFT, Puzzle, puzzle_of

FIRST = date(2026, 3, 1)
DAYS = [FIRST + timedelta(days=n) for n in range(len(ASKED))]
"""A day of each game."""


def made(state: LayingState, side: tuple[int, ...]) -> int:
    """The points in play by which a side is ahead so far."""
    return sum(score.points if score.seats[0] in side else -score.points for score in state.scores)


def ahead(puzzle: Puzzle, state: LayingState) -> int:
    """By how many points the visitor's side ends ahead if everybody plays as well as possible from here on."""
    [own], [other] = [[side for side in puzzle.match.sides if (puzzle.seat in side) is mine] for mine in (True, False)]
    if state.end is not None:
        outcome = puzzle.game.count(state, None)
        assert outcome is not None
        lead = outcome.points[own[0]] - outcome.points[other[0]]
        return -lead if puzzle.game.lower_wins else lead
    best = max if state.turn in own else min
    return best(ahead(puzzle, state.play(move)) for move in state.legal())


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_exactly_one_play_wins(day: date) -> None:
    puzzle = puzzle_of(day)
    state = puzzle.state
    [own] = [side for side in puzzle.match.sides if puzzle.seat in side]
    before = made(state, own)
    worth = {move: ahead(puzzle, state.play(move)) - before for move in state.legal()}
    assert worth == {choice.move: choice.worth for choice in puzzle.choices}
    assert [points > 0 for points in sorted(worth.values(), reverse=True)] == [True] + [False] * (len(worth) - 1)
    assert 0 not in worth.values()


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_it_can_be_thought_through_and_is_not_obvious(day: date) -> None:
    puzzle = puzzle_of(day)
    state, best = puzzle.state, puzzle.choices[0]
    held = state.held()
    assert sum(held) in LEFT
    assert min(held) >= EACH
    assert len(puzzle.choices) in CHOICES
    assert state.boneyard() == 0
    assert all(state.holdings.knows(seat) for seat in range(len(held)))
    scores = {choice: state.rules.worth(puzzle.after(choice, 1).line) for choice in puzzle.choices}
    assert best != max(scores, key=lambda choice: (scores[choice], PIPS[choice.move.tile]))


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_line_leads_to_what_its_play_is_worth(day: date) -> None:
    puzzle = puzzle_of(day)
    [own] = [side for side in puzzle.match.sides if puzzle.seat in side]
    for choice in puzzle.choices:
        end = puzzle.after(choice, 1 + len(choice.line))
        assert end.end is not None
        assert ahead(puzzle, end) - made(puzzle.state, own) == choice.worth


def test_the_games_take_turns_and_a_day_has_one_puzzle() -> None:
    assert {puzzle_of(day).game for day in DAYS} == set(ASKED)
    again = puzzle_of.__wrapped__(DAYS[0])
    assert again is not puzzle_of(DAYS[0])
    assert again.match.record() == puzzle_of(DAYS[0]).match.record()
    assert again.choices == puzzle_of(DAYS[0]).choices


def test_only_what_can_be_laid_is_a_choice() -> None:
    puzzle = puzzle_of(FIRST)
    best = puzzle.choices[0]
    assert puzzle.chosen(best.move) == best
    assert puzzle.named(best.name) == best
    assert puzzle.named("7-7") is None
    laid = puzzle.match.hands[-1].state.moves[0]
    assert isinstance(laid, Play)
    for wrong in (Pass(puzzle.seat), laid._replace(seat=puzzle.seat), best.move._replace(seat=puzzle.seat ^ 1)):
        with pytest.raises(GameError):
            puzzle.chosen(wrong)
