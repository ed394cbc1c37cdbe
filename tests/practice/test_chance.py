"""Domizerka, DOM and Dominards at the practice table: what chance decides, who exchanges, who has won, what is kept."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games import Code, GameError
from games.dominards import DICE
from games.moves import Contract, Discard, Follow, Roll, move_json
from games.tiles import NAMES, members
from scorekeeper.practice.contest import YOU, Contest, read_written, written
from scorekeeper.practice.saved import imported, read_table, table_json
from scorekeeper.practice.table import PracticeTable
from tests.practice.test_contests import NAMES as PLAYERS
from tests.practice.test_contests import play_on, setting_of

OTHERS = [("domizerka", 3), ("dom", 2), ("dominards", 2), ("dominards", 3), ("dominards", 4)]


def waiting_for(slug: str, seats: int, wanted: Callable[[Contest], bool]) -> tuple[PracticeTable, Contest]:
    """A table at a moment of the visitor that is wanted."""
    for seed in range(50):
        rng = Random(seed)
        table = PracticeTable().new_game(setting_of(slug, seats), PLAYERS[:seats], rng)
        for _ in range(30):
            contest = table.contest
            assert contest is not None
            if contest.turn == YOU and wanted(contest):
                return table, contest
            table = play_on(table, rng)
    raise AssertionError("there was no such moment")


def exchanging(contest: Contest) -> bool:
    return isinstance(contest.choices[0], Discard)


def test_dice_show_what_chance_says_whoever_rolls() -> None:
    _, contest = waiting_for("dominards", 3, lambda contest: isinstance(contest.choices[0], Roll))
    for number in DICE:
        roll = move_json(Roll(YOU, (6,) * number))
        thrown = [contest.entered(roll, Random(seed), draw_on=False).match.hands[-1].moves for seed in range(30)]
        dice = [next(move["dice"] for move in reversed(moves) if move["type"] == "roll") for moves in thrown]
        assert all(len(each) == number and each == sorted(each) for each in dice)
        assert {face for each in dice for face in each} == {1, 2, 3, 4, 5, 6}
        assert contest.answered(roll, Random(0)).match.hands[-1].moves[-1]["dice"] == dice[0]
    with pytest.raises(GameError) as refused:
        contest.entered(move_json(Roll(YOU, (1, 1, 1))), Random(0), draw_on=False)
    assert refused.value.code == Code.BAD_ROLL


def test_an_exchange_says_what_goes_and_chance_what_comes() -> None:
    _, contest = waiting_for("domizerka", 3, exchanging)
    held = [*members(contest.hands()[YOU])]
    away, drawable = held[:3], contest.drawable()
    move = move_json(Discard(YOU, 3, tuple(away), tuple(away)))
    after = [contest.entered(move, Random(seed), draw_on=False).hands()[YOU] for seed in range(9)]
    assert len(set(after)) > 1, "what is said to be drawn says nothing"
    for hand in after:
        assert not hand & sum(1 << tile for tile in away)
        come = hand & ~contest.hands()[YOU]
        assert come.bit_count() == 3
        assert not come & ~drawable
    kept = contest.entered(move_json(Discard(YOU, 0, ())), Random(0), draw_on=False)
    assert kept.hands()[YOU] == contest.hands()[YOU]
    assert kept.turn != YOU
    for refused in ({"count": 1}, {"count": 1, "tiles": [NAMES[next(members(drawable))]]}):
        with pytest.raises(GameError):
            contest.entered({"seat": YOU, "type": "discard", **refused}, Random(0), draw_on=False)


def test_nobody_is_left_out_of_the_exchange() -> None:
    _, contest = waiting_for("domizerka", 3, lambda contest: exchanging(contest) and contest.state.player == YOU)
    lead = next(move for move in contest.state.legal() if isinstance(move, Follow))
    with pytest.raises(GameError, match="First exchange"):
        contest.entered(move_json(lead), Random(0), draw_on=False)
    assert all(move.seat == YOU for move in contest.choices)


def test_every_choice_can_be_undone() -> None:
    for slug, seats in OTHERS:
        for seed in range(4):
            rng = Random(seed)
            table = PracticeTable().new_game(setting_of(slug, seats), PLAYERS[:seats], rng)
            while table.contest is not None and table.contest.turn != YOU:
                table = play_on(table, rng)
            after = play_on(table, rng)
            assert after.contest is not table.contest
            assert after.undone().contest is table.contest
            assert after.undone().marked == {"undo"}


@pytest.mark.parametrize(("slug", "seats"), OTHERS)
def test_what_is_kept_comes_back(slug: str, seats: int) -> None:
    rng = Random(7)
    table = PracticeTable().new_game(setting_of(slug, seats), PLAYERS[:seats], rng)
    for _ in range(14):
        table = play_on(table, rng)
    contest = table.contest
    assert contest is not None
    again = read_written(written(contest))
    assert again.match.record() == contest.match.record()
    assert (again.hands(), again.cards(), again.boneyard()) == (contest.hands(), contest.cards(), contest.boneyard())
    assert imported(table_json(table), 3).marked == {"peek"}


def test_a_file_without_all_its_tiles_and_cards_is_refused() -> None:
    _, exchanged = waiting_for(
        "domizerka", 3, lambda contest: any(isinstance(move, Discard) and move.number for move in contest.state.moves)
    )
    value = exchanged.as_json()
    for move in value["record"]["hands"][0]["moves"]:
        move.pop("drawn", None)
    with pytest.raises(GameError, match="tiles of every hand must be known"):
        Contest.read(value)
    _, contest = waiting_for("dominards", 2, lambda _contest: True)
    value = contest.as_json()
    del value["record"]["cards"]
    with pytest.raises(GameError, match="tiles of every hand must be known"):
        Contest.read(value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"stopped": "abandoned"}, "not begun at the practice table"),
        ({"stopped": "time"}, "not begun at the practice table"),
        ({"result": {"totals": [500, 0], "winners": [0]}}, "The result in the record is different"),
    ],
)
def test_a_file_with_a_game_that_cannot_be_played_on_is_refused(more: dict[str, Any], said: str) -> None:
    _, contest = waiting_for("block", 2, lambda _contest: True)
    value = contest.as_json()
    del value["record"]["result"]
    Contest.read(value)
    with pytest.raises(GameError, match=said):
        Contest.read({**value, "record": {**value["record"], **more}})


def test_a_file_names_what_is_wrong_in_its_theme_and_seats() -> None:
    file = table_json(PracticeTable(setting=setting_of("block", 2)))
    with pytest.raises(GameError, match="There are three themes"):
        read_table({**file, "used": 3})
    first, *others = file["themes"]
    alike = dict.fromkeys(first, "#111111")
    with pytest.raises(GameError, match="too much alike") as refused:
        read_table({**file, "themes": [others[0], alike, others[1]]})
    assert refused.value.field == "themes.2"
    with pytest.raises(GameError, match="Block is for 2 players, not 4"):
        read_table({**file, "setting": {**file["setting"], "seats": 4}})


def test_a_game_of_three_is_won_by_who_is_first() -> None:
    """Whoever shares the first place has tied; to be second is to have lost."""
    seen = set()
    for seed in range(60):
        rng = Random(seed)
        table = PracticeTable().new_game(setting_of("domizerka", 3, hands=1), PLAYERS[:3], rng)
        while table.contest is not None and not table.contest.over:
            table = play_on(table, rng)
        assert table.contest is not None
        totals = table.contest.match.totals
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        won = (best == [YOU], YOU not in best, YOU in best and len(best) > 1)
        assert (table.tally.you, table.tally.nestor, table.tally.drawn) == tuple(map(int, won))
        seen.add(won)
        if len(seen) == 3:
            return
    raise AssertionError(f"not everything happened: {seen}")


def test_a_contract_is_called_only_once_by_each_player() -> None:
    rng = Random(1)
    table = PracticeTable().new_game(setting_of("domizerka", 3), PLAYERS[:3], rng)
    while table.contest is not None and not table.contest.over:
        table = play_on(table, rng)
    assert table.contest is not None
    moves = [move for hand in table.contest.match.hands for move in hand.state.moves]
    called = [(move.seat, move.contract) for move in moves if isinstance(move, Contract)]
    assert len(called) == len(set(called)) == 12
