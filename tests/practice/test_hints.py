"""The reasons of a hint say what is true of the tiles that the visitor knows."""

from random import Random

from games.moves import Play, move_json
from games.tiles import SUIT, members
from scorekeeper.practice.contest import YOU, Contest
from scorekeeper.practice.hints import Reason, reasons
from scorekeeper.practice.table import PracticeTable
from tests.practice.test_contests import NAMES, play_on, setting_of


def test_reasons_are_true() -> None:
    kinds = set()
    for seed in range(12):
        rng = Random(seed)
        table = PracticeTable().new_game(setting_of("all-fives", points_to_win=60), NAMES[:2], rng)
        while table.contest is not None and not table.contest.over:
            for move in moves_of(table.contest):
                kinds |= {reason.kind for reason in checked(table.contest, move)}
            table = play_on(table, rng)
    assert kinds == {"scores", "keeps", "lacks"}


def moves_of(contest: Contest) -> list[Play]:
    if contest.turn != YOU or contest.state is None:
        return []
    return [move for move in contest.state.legal() if isinstance(move, Play)]


def checked(contest: Contest, move: Play) -> list[Reason]:
    found = reasons(contest, move)
    after = contest.entered(move_json(move), Random(0), draw_on=False)
    for reason in found:
        if reason.kind == "scores":
            assert after.match.totals[YOU] - contest.match.totals[YOU] >= reason.number
        elif after.state is not None and reason.kind == "keeps":
            assert (after.hands()[YOU] & SUIT[reason.pips]).bit_count() == reason.number
        elif after.state is not None:
            assert not after.hands()[1] & SUIT[reason.pips], [*members(after.hands()[1])]
    return found
