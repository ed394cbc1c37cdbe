"""The reasons of a hint say what is true of the tiles that the visitor knows."""

from random import Random
from typing import Any

from games.contracts import CONTRACT_RULES
from games.moves import Contract, Discard, Follow, Move, PlaceCard, Play, move_json
from games.tiles import SUIT, members
from scorekeeper.practice.contest import YOU, Contest
from scorekeeper.practice.hints import Reason, reasons
from scorekeeper.practice.table import PracticeTable
from tests.practice.test_contests import NAMES, chosen, play_on, setting_of


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


def test_reasons_of_the_other_games_are_true() -> None:
    kinds = set()
    for slug, seats in (("domizerka", 3), ("dom", 2), ("dominards", 3)):
        for seed in range(6):
            rng = Random(seed)
            table = PracticeTable().new_game(setting_of(slug, seats, hands=2), NAMES[:seats], rng)
            while table.contest is not None and not table.contest.over:
                if table.contest.turn == YOU and table.contest.state:
                    move = chosen(table.contest, rng)
                    kinds |= {true(table.contest, move, reason) for reason in reasons(table.contest, move)}
                table = play_on(table, rng)
    assert kinds == {"scores", "keeps", "lacks", "seen", "trumps", "takes", "unbeaten", "ducks"}


def true(contest: Contest, move: Move, reason: Reason) -> str:
    """The kind of a reason, which must be true if all tiles are known."""
    state = contest.state
    match move:
        case Play() | PlaceCard():
            after = state.play(move)
            if reason.kind == "scores":
                assert sum(score.points for score in after.scores[len(state.scores) :]) == reason.number
            elif reason.kind == "lacks":
                assert not contest.hands()[after.turn] & SUIT[reason.pips]
        case Contract(_, contract, trump):
            special = CONTRACT_RULES[contract, trump].special
            assert special is not None
            assert 0 < reason.number <= (contest.hands()[YOU] & SUIT[special]).bit_count()
        case Discard(_, _, tiles):
            assert (contest.hands()[YOU] & SUIT[state.rules.trump]).bit_count() == reason.number
            assert not any(SUIT[state.rules.trump] >> tile & 1 for tile in tiles or ())
        case Follow():
            ends = tricks_after(state.play(move))
            winners = {end.taken.winner for end in ends}
            assert winners == {YOU} if reason.kind != "ducks" else YOU not in winners
    return reason.kind


def tricks_after(state: Any) -> list[Any]:
    """Every way in which the trick on the table can end."""
    if not state.trick:
        return [state]
    follows = [move for move in state.legal() if isinstance(move, Follow)]
    return [end for move in follows for end in tricks_after(state.play(move))]


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
