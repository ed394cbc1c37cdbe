"""Matches at the practice table: every setting can be played to its end."""

import time
from random import Random
from typing import Any

import pytest

from games import GAMES, Code, Game, GameError
from games.moves import Discard, Draw, Move, Pass, Play, move_json
from games.nestor import LEVELS
from games.nestor.asked import asked
from games.tiles import members
from scorekeeper.practice.contest import YOU, Contest, Setting
from scorekeeper.practice.table import Comfort, PracticeTable

NAMES = ("You", "Nestor", "Nestor 2", "Nestor 3")
LEADERS = ("doublet", "winner", "loser", "alternate")
BLOCKED = [(award, amount) for award in ("low", "last") for amount in ("difference", "opponent", "both")]


def setting_of(slug: str, seats: int = 2, level: str = "beginner", **options: Any) -> Setting:
    return Setting(slug, GAMES[slug].read_options(options), seats, level)


def short(game: Game[Any]) -> dict[str, int]:
    """The options that make a match short: it is played to 30 points, or for two hands."""
    points = [option.name for option in game.options if option.kind == "whole" and option.default]
    return dict.fromkeys(points, 30) or {"hands": 2}


def nestor(contest: Contest, rng: Random) -> dict[str, Any]:
    """His move, with no time to think."""
    move: dict[str, Any] = asked(contest.question(contest.level, ms=0, seed=rng.getrandbits(32)), time.monotonic)[
        "move"
    ]
    return move


def play_on(table: PracticeTable, rng: Random) -> PracticeTable:
    """One step: a random move of the visitor, what Nestor must do, or what he chooses."""
    contest = table.contest
    assert contest is not None
    if contest.turn == YOU and contest.state is not None:
        return table.entered(move_json(chosen(contest, rng)), rng)
    after = table.obliged(rng)
    return after if after is not table else table.answered(nestor(contest, rng), rng)


def chosen(contest: Contest, rng: Random) -> Move:
    """A random move of the visitor. An exchange names the tiles."""
    move = rng.choice(contest.choices)
    if isinstance(move, Discard):
        held = [*members(contest.hands()[YOU])]
        return move._replace(tiles=(*rng.sample(held, move.number),))
    return move


def played_out(setting: Setting, seed: int, comfort: Comfort) -> PracticeTable:
    rng = Random(seed)
    table = PracticeTable().with_comfort(comfort).new_game(setting, NAMES[: setting.seats], rng)
    while table.contest is not None and not table.contest.over:
        table = play_on(table, rng)
    return table


SETTINGS = [
    *(
        setting_of(game.slug, seats, level, **short(game))
        for game in GAMES.values()
        for seats in game.seats
        for level in LEVELS
    ),
    *(setting_of("all-fives", points_to_win=points, rounding=True) for points in (50, 100, 200, 250, 305, 500)),
    *(setting_of("draw", leader=leader, points_to_win=50) for leader in LEADERS),
    *(setting_of("block", block_award=award, block_amount=amount, points_to_win=50) for award, amount in BLOCKED),
    *(setting_of("block", spinner=spinner, fives=True, threes=True) for spinner in (False, True)),
    setting_of("fives-and-threes", draws=False, spinner=False),
    setting_of("domizerka", 3),
    setting_of("dom", 2),
    *(setting_of("dominards", seats) for seats in (2, 3, 4)),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.game} {setting.seats} {setting.level}")
def test_every_setting_can_be_played_to_its_end(setting: Setting) -> None:
    table = played_out(setting, 3, Comfort(auto_draw=setting.level == "easy"))
    assert table.contest is not None
    assert table.contest.match.finished
    assert table.tally.games == 1
    assert table.tally.marked == 0
    assert table.contest.match.game.is_over(
        setting.options,
        table.contest.match.totals,
        len(table.contest.match.hands),
        table.contest.match.hands[-1].outcome,  # type: ignore[arg-type]
    ) or setting.options["hands"] == len(table.contest.match.hands)


def test_only_games_that_nestor_plays_can_be_practised() -> None:
    with pytest.raises(GameError, match="All Fives is for 2 players, not 3"):
        setting_of("all-fives", seats=3).check()
    with pytest.raises(GameError, match="more than 1000"):
        setting_of("draw", points_to_win=1001).check()


def test_the_forced_lead_is_laid_by_itself() -> None:
    for seed in range(20):
        contest = Contest.begun(1, setting_of("draw"), NAMES[:2], Random(seed))
        [lead] = contest.match.hands[0].state.moves
        assert isinstance(lead, Play)
        assert contest.turn == 1 - lead.seat


def test_a_draw_takes_one_tile_or_draws_on() -> None:
    rng = Random(5)
    table = PracticeTable().new_game(setting_of("draw", points_to_win=500), NAMES[:2], rng)
    while not (
        table.contest
        and table.contest.state
        and isinstance(table.contest.state.legal()[0], Draw)
        and table.contest.turn == YOU
    ):
        table = play_on(table, rng)
    contest, draw = table.contest, {"seat": 0, "type": "draw", "count": 7}
    held = len(list(members(contest.hands()[YOU])))
    once = contest.entered(draw, Random(1), draw_on=False)
    assert len(list(members(once.hands()[YOU]))) == held + 1
    on = contest.entered(draw, Random(1), draw_on=True)
    assert on.state is not None
    assert on.turn == YOU
    assert not isinstance(on.state.legal()[0], Draw)


@pytest.mark.parametrize("named", [["6-6"], None])
def test_nobody_names_the_tile_that_they_draw(named: list[str] | None) -> None:
    """Chance decides, whatever is sent."""
    for seed in range(60):
        table = played_to_a_draw(seed)
        if table is None:
            continue
        move = {"seat": 0, "type": "draw", "count": 1} | ({"tiles": named} if named else {})
        contest = table.contest
        assert contest is not None
        drawn = [contest.entered(move, Random(n), draw_on=False).match.hands[-1].state.moves[-1] for n in range(9)]
        assert len(set(drawn)) > 1
        return
    pytest.fail("no draw was needed")


def played_to_a_draw(seed: int) -> PracticeTable | None:
    rng = Random(seed)
    table = PracticeTable().new_game(setting_of("draw"), NAMES[:2], rng)
    for _ in range(12):
        contest = table.contest
        assert contest is not None
        if contest.turn == YOU and contest.state and isinstance(contest.state.legal()[0], Draw):
            return table
        table = play_on(table, rng)
    return None


def test_a_move_out_of_turn_is_refused() -> None:
    rng = Random(2)
    table = PracticeTable().new_game(setting_of("block"), NAMES[:2], rng)
    contest = table.contest
    assert contest is not None
    other = next(
        each
        for each in (Contest.begun(1, setting_of("block"), NAMES[:2], Random(n)) for n in range(99))
        if each.turn == 1
    )
    with pytest.raises(GameError) as refused:
        other.entered(move_json(Pass(0)), rng, draw_on=False)
    assert refused.value.code == Code.NOT_YOUR_TURN
    mine = next(
        each
        for each in (Contest.begun(1, setting_of("block"), NAMES[:2], Random(n)) for n in range(99))
        if each.turn == 0
    )
    with pytest.raises(GameError) as refused:
        mine.entered(move_json(Pass(1)), rng, draw_on=False)
    assert refused.value.code == Code.NOT_YOUR_TURN


def test_nestor_is_asked_without_what_he_cannot_know() -> None:
    contest = next(
        each
        for each in (Contest.begun(1, setting_of("draw"), NAMES[:2], Random(n)) for n in range(99))
        if each.turn == 1
    )
    deal = contest.question(contest.level, ms=0, seed=0)["record"]["hands"][-1]["deal"]
    assert deal[0] is None
    assert len(deal[1]) == 7
