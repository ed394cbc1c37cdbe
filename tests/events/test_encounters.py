"""Encounters of squads: what a line-up may be, who knows it when, and what the boards add up to."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from scorekeeper.events.encounters import (
    BOARD,
    MATCH,
    PRESETS,
    Board,
    Encounter,
    Fault,
    Form,
    LineUp,
    Played,
    Worth,
    Wrong,
    leads,
    usual_boards,
)
from scorekeeper.events.rounds import Impossible, Setting

SETTING = Setting({}, None)
SINGLES, DOUBLES = ("fives-and-threes", SETTING), ("domino-whist", SETTING)
HOME, AWAY = (1, 2, 3, 4, 5, 6, 7), (11, 12, 13, 14, 15, 16)
HOME_PLAYS: LineUp = ((1,), (2,), (3,), (4,), (5,), (6,), (1, 2), (3, 4), (5, 6))
AWAY_PLAYS: LineUp = ((16,), (15,), (14,), (13,), (12,), (11,), (11, 12), (13, 14), (15, 16))
EVENING = Form(usual_boards("six-singles-three-doubles", SINGLES, DOUBLES))
HALF = Fraction(1, 2)


def met(form: Form = EVENING, home: LineUp = HOME_PLAYS, away: LineUp = AWAY_PLAYS) -> Encounter:
    return Encounter(form, (HOME, AWAY)).submit(0, home).submit(1, away).opened()


def code_of(step: Any) -> str:
    with pytest.raises(Impossible) as refused:
        step()
    return refused.value.code


def instead(board: int, *players: int) -> LineUp:
    return (*HOME_PLAYS[: board - 1], players, *HOME_PLAYS[board:])


# --- the form ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("preset", PRESETS)
def test_a_form_is_read_as_it_was_written(preset: str) -> None:
    form = replace(Form(usual_boards(preset, SINGLES, DOUBLES)), in_order=True, play_all=False, match=Worth(3, 1, 0))  # type: ignore[arg-type]
    assert Form.of(form.as_json()) == form
    assert [board.size for board in form.boards] == [1] * PRESETS[preset][0] + [2] * PRESETS[preset][1]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"boards": []}, "no-boards"),
        ({"boards": [EVENING.boards[0].as_json()] * 31}, "too-many-boards"),
        ({"boards": [{**EVENING.boards[0].as_json(), "game": "domino-whist"}]}, "game-of-other-size"),
        ({"boards": [{**EVENING.boards[0].as_json(), "game": "dominards", "size": 2}]}, "game-of-other-size"),
        ({"boards": [{**EVENING.boards[0].as_json(), "game": "chess"}]}, "game-of-other-size"),
        ({"boards": [{**EVENING.boards[0].as_json(), "part": 0}]}, "no-such-part"),
        ({"match": {"win": 0, "draw": 1, "loss": 2}}, "worth-upside-down"),
        ({"match": {"win": 1, "draw": 1, "loss": 1}}, "worth-upside-down"),
        ({"match": {"win": 1, "draw": "3/2", "loss": 0}}, "worth-upside-down"),
        ({"singles": 0}, "no-times"),
    ],
)
def test_a_form_that_cannot_be_played_is_refused(changed: dict[str, Any], code: str) -> None:
    assert code_of(lambda: Form.of({**EVENING.as_json(), **changed})) == code


# --- line-ups ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line_up", "faults"),
    [
        (HOME_PLAYS, []),
        (instead(3), []),  # nobody: the board is left to the others
        (instead(1, 7), []),
        (instead(7, 1), [Fault(7, "missing")]),
        (instead(1, 1, 7), [Fault(1, "too-many")]),
        (instead(7, 1, 1), [Fault(7, "twice", 1, 7)]),
        (instead(2, 1), [Fault(2, "twice", 1, 1)]),
        (instead(8, 1, 4), [Fault(8, "twice", 1, 7)]),
        (instead(5, 99), [Fault(5, "not-in-squad", 99)]),
        (instead(5, 11), [Fault(5, "not-in-squad", 11)]),
    ],
)
def test_a_line_up_is_checked_board_by_board(line_up: LineUp, faults: list[Fault]) -> None:
    assert EVENING.faults(line_up, HOME) == faults


def test_how_often_somebody_plays_is_limited_apart_for_singles_and_doubles() -> None:
    boards = tuple(replace(board, part=number) for number, board in enumerate(EVENING.boards, 1))
    form = replace(EVENING, boards=boards)
    again = instead(6, 1)
    assert form.faults(again, HOME) == [Fault(6, "too-many-singles", 1)]
    assert replace(form, singles=2).faults(again, HOME) == []
    pairs = instead(9, 1, 6)
    assert form.faults(pairs, HOME) == [Fault(9, "too-many-doubles", 1)]
    assert replace(form, doubles=2).faults(pairs, HOME) == []


def test_the_order_of_the_squad_counts_only_where_the_form_asks_for_it() -> None:
    line_up = instead(2, 7)
    assert EVENING.faults(line_up, HOME) == []
    assert replace(EVENING, in_order=True).faults(HOME_PLAYS, HOME) == []
    assert replace(EVENING, in_order=True).faults(line_up, HOME) == [Fault(3, "out-of-order", 3, 7)]


def test_a_line_up_with_faults_changes_nothing() -> None:
    before = Encounter(EVENING, (HOME, AWAY)).submit(0, HOME_PLAYS)
    with pytest.raises(Wrong) as refused:
        before.submit(0, instead(2, 1))
    assert refused.value.faults == [Fault(2, "twice", 1, 1)]
    assert code_of(lambda: before.submit(0, HOME_PLAYS[:3])) == "boards-missing"


# --- the secret --------------------------------------------------------------------------------------------
def test_each_side_sees_its_own_line_up_until_both_are_open() -> None:
    waiting = Encounter(EVENING, (HOME, AWAY)).submit(0, HOME_PLAYS).submit(1, AWAY_PLAYS)
    assert [waiting.seen_by(side) for side in (0, 1, None)] == [
        (HOME_PLAYS, None),
        (None, AWAY_PLAYS),
        (None, None),
    ]
    assert waiting.submitted == (True, True)
    assert code_of(lambda: waiting.playing) == "line-ups-secret"
    changed = waiting.submit(0, instead(1, 7))
    opened = changed.opened()
    assert [opened.seen_by(side) for side in (0, 1, None)] == [(instead(1, 7), AWAY_PLAYS)] * 3
    assert code_of(lambda: opened.submit(0, HOME_PLAYS)) == "line-ups-open"
    assert code_of(opened.opened) == "line-ups-open"


def test_a_substitute_comes_after_the_opening_and_the_reason_stays() -> None:
    waiting = Encounter(EVENING, (HOME, AWAY)).submit(0, HOME_PLAYS)
    assert code_of(lambda: waiting.with_substitutes(1, 0, (7,), "ill")) == "line-ups-secret"
    changed = met().with_substitutes(2, 0, (7,), "ill").with_substitutes(7, 1, (12, 99), "late")
    assert changed.playing == (instead(2, 7), (*AWAY_PLAYS[:6], (12, 99), *AWAY_PLAYS[7:]))
    assert [(each.instead_of, each.why) for each in changed.substitutes] == [((2,), "ill"), ((11, 12), "late")]


@pytest.mark.parametrize(
    ("board", "players", "code"),
    [
        (1, (1,), "same-people"),
        (10, (7,), "no-such-board"),
        (1, (2,), "wrong-line-up"),
        (1, (16,), "wrong-line-up"),
        (7, (7,), "wrong-line-up"),
    ],
)
def test_a_substitute_who_cannot_play_is_refused(board: int, players: tuple[int, ...], code: str) -> None:
    assert code_of(lambda: met().with_substitutes(board, 0, players, "ill")) == code


def test_home_leads_on_odd_boards_and_partners_sit_opposite() -> None:
    assert [leads(board) for board in range(1, 5)] == [0, 1, 0, 1]
    assert met().seats_at(1) == (1, 16)
    assert met().seats_at(2) == (15, 2)
    assert met().seats_at(7) == (1, 11, 2, 12)
    assert met().seats_at(8) == (13, 3, 14, 4)


# --- the result --------------------------------------------------------------------------------------------
WON, DRAWN, LOST = Played((5, 3)), Played((4, 4)), Played((2, 6))


def test_an_evening_worked_by_hand() -> None:
    """Singles 4 : 2, one of the doubles drawn, one lost and one won; in domino whist fewer points win."""
    singles = {1: WON, 2: WON, 3: LOST, 4: WON, 5: LOST, 6: WON}
    score = met().score({**singles, 7: Played((90, 90)), 8: Played((100, 80)), 9: Played((70, 110))})
    assert score.over
    assert score.game_points == (4 + HALF + 1, 2 + HALF + 1)
    assert score.match_points == (2, 0)
    assert score.board_points == (9 + 8 + 6 + 4 + Fraction(3, 2) + 1, 7 + 5 + Fraction(3, 2) + 2)
    assert score.board_wins == (
        (1, 1, 0, 1, 0, 1, HALF, 0, 1),
        (0, 0, 1, 0, 1, 0, HALF, 1, 0),
    )
    assert score.totals == (4 * 5 + 2 * 2 + 260, 4 * 3 + 2 * 6 + 280)


def test_a_board_where_nobody_sits_is_forfeited_as_soon_as_the_line_ups_are_open() -> None:
    away: LineUp = (*AWAY_PLAYS[:5], (), *AWAY_PLAYS[6:])
    waiting = Encounter(EVENING, (HOME, AWAY)).submit(0, instead(6)).submit(1, away)
    assert waiting.score({}).played == {}
    both = waiting.opened()
    assert both.absent_at(6) == {0, 1}
    assert both.score({}).game_points == (0, 0)
    assert both.score({}).board_points == (0, 0)
    assert code_of(lambda: both.seats_at(6)) == "board-forfeited"
    one = Encounter(EVENING, (HOME, AWAY)).submit(0, HOME_PLAYS).submit(1, away).opened()
    assert one.score({}).game_points == (1, 0)
    assert not one.score({}).over


def test_who_submits_no_line_up_loses_every_board() -> None:
    alone = Encounter(EVENING, (HOME, AWAY)).submit(1, AWAY_PLAYS).opened().score({})
    assert (alone.over, alone.game_points, alone.match_points) == (True, (0, 9), (0, 2))
    nobody = Encounter(EVENING, (HOME, AWAY)).opened().score({})
    assert (nobody.over, nobody.game_points, nobody.match_points) == (True, (0, 0), (0, 0))


def test_boards_that_decide_nothing_need_not_be_played() -> None:
    ahead = dict.fromkeys(range(1, 6), WON)
    assert (met().score(ahead).decided, met().score(ahead).over) == (True, False)
    short = met(replace(EVENING, play_all=False))
    assert short.score(ahead).over
    assert short.score(ahead).match_points == (2, 0)
    assert not short.score(dict.fromkeys(range(1, 5), WON)).over
    drawn = {**dict.fromkeys(range(1, 5), WON), 5: DRAWN}
    assert not short.score(drawn).over  # 4 1/2 against 1/2, and 4 to come: it can still be a draw
    assert short.score({**drawn, 6: DRAWN}).over


# --- a second count ----------------------------------------------------------------------------------------
def slow_points(form: Form, results: dict[int, tuple[int | None, int | None]]) -> list[Fraction]:
    """Board by board, side by side."""
    points = [Fraction(0), Fraction(0)]
    for number, totals in results.items():
        board = form.boards[number - 1]
        for side in (0, 1):
            own, other = totals[side], totals[1 - side]
            if own is None:
                points[side] += board.worth.loss
            elif other is None or (own < other if board.game == "domino-whist" else own > other):
                points[side] += board.worth.win
            else:
                points[side] += board.worth.draw if own == other else board.worth.loss
    return points


def slow_decided(form: Form, results: dict[int, tuple[int | None, int | None]]) -> bool:
    """Plays all other boards to each of their ends."""
    left = [number for number in range(1, len(form.boards) + 1) if number not in results]
    outcomes = set()
    for ends in product([(1, 0), (0, 0), (0, 1), (None, None)], repeat=len(left)):
        home, away = slow_points(form, {**results, **dict(zip(left, ends, strict=True))})
        outcomes.add((home > away) - (home < away))
    return len(outcomes) == 1


@pytest.mark.parametrize("seed", range(60))
def test_random_evenings_add_up_as_counted_slowly(seed: int) -> None:
    rng = random.Random(seed)
    worths = [BOARD, MATCH, Worth(Fraction(3, 2), Fraction(2, 3), Fraction(1, 3)), Worth(*map(Fraction, (1, 0, 0)))]
    boards = tuple(
        Board(*rng.choice([SINGLES, ("draw", SETTING)]), 1, 1, rng.choice(worths))
        if rng.random() < 0.6
        else Board(*DOUBLES, 2, 2, rng.choice(worths))
        for _ in range(rng.randint(1, 5))
    )
    form = Form(boards, play_all=rng.random() < 0.5)
    count = rng.randint(0, len(boards))
    numbers = rng.sample(range(1, len(boards) + 1), count)
    some: list[int | None] = [None, 0, 1, 2]
    results = {number: (rng.choice(some), rng.choice(some)) for number in numbers}
    encounter = Encounter(form, (HOME, AWAY))
    score = encounter.score({number: Played(totals) for number, totals in results.items()})
    assert list(score.game_points) == slow_points(form, results)
    assert score.complete or score.decided == slow_decided(form, results)
    if score.over:
        home, away = slow_points(form, results)
        assert score.match_points == ((1, 1) if home == away else (2, 0) if home > away else (0, 2))
    weights = [sum(won * (len(boards) - at) for at, won in enumerate(side)) for side in score.board_wins]
    assert list(score.board_points) == weights
