"""The rules besides the verdict on a record: what may be entered next, and when nothing may."""

import json
import random
import subprocess
import sys
from math import comb
from pathlib import Path
from typing import Any

import pytest

import games
from games.__main__ import main
from games.base import FinalForm
from games.laying import LayingState
from games.line import ENDS, ArmTile, Kind, Line
from games.moves import Draw, Pass, Play
from games.show import show
from games.tiles import ALL, DOUBLES, NAMES, members, parse
from tests.games import second_opinion_draws as slow
from tests.games.records import first_error, moves
from tests.games.second_opinion import pips, text

ROOT = Path(__file__).parents[2]
NAMED = ["Ana", "Bo", "Cleo", "Dan"]
SEATS = {"domino-whist": 4, "domizerka": 3}
CONTRACTS = (*(("evens", n) for n in (2, 4, 6)), *(("odds", n) for n in (1, 3, 5)), ("zero", None), ("domizerka", None))


def new(game: str, **options: Any) -> games.Match:
    return games.Match.new(game, options, NAMED[: SEATS.get(game, 2)])


def entered(match: games.Match, *entries: dict[str, Any]) -> games.Match:
    for entry in entries:
        match = match.enter(entry)
    return match


def refused(match: games.Match, entry: dict[str, Any]) -> games.GameError:
    with pytest.raises(games.GameError) as refusal:
        match.enter(entry)
    return refusal.value


def played_out(game: str, observed: bool = True, seed: int = 1) -> games.Match:
    """A match of one random hand."""
    record = games.random_match(game, {"hands": 1}, NAMED[: SEATS.get(game, 2)], random.Random(seed), observed=observed)
    return entered(games.Match.new(game, {"hands": 1}, record["players"]), *games.entries(record))


# --- what a game says of itself ----------------------------------------------------------------------------
@pytest.mark.parametrize("game", games.GAMES)
def test_partners_sit_opposite_and_elsewhere_everybody_plays_for_himself(game: str) -> None:
    everybody = tuple((seat,) for seat in range(len(new(game).players)))
    assert new(game).sides == (((0, 2), (1, 3)) if game == "domino-whist" else everybody)


@pytest.mark.parametrize("game", sorted(games.GAMES.keys() - {"domino-whist"}))
def test_seats_are_drawn_for_partners_only(game: str) -> None:
    assert not games.GAMES[game].draws_seats
    with pytest.raises(games.Malformed):
        games.GAMES[game].seats_by_draw(["6-6", "5-5"])


@pytest.mark.parametrize(
    ("game", "options", "form"),
    [
        ("domino-whist", {}, FinalForm(left=True, bad=True)),
        ("block", {}, FinalForm(left=True, reached=True)),
        ("block", {"block_award": "last"}, FinalForm(left=True, reached=True, last=True)),
        ("block", {"threes": True}, FinalForm(left=True, reached=True, table=True)),
        ("all-fives", {}, FinalForm(left=True, reached=True, table=True)),
        ("all-fives", {"fives": False}, FinalForm(left=True, reached=True)),
        ("domizerka", {}, FinalForm(tricks=7, contracts=CONTRACTS)),
        ("dom", {}, FinalForm(points=True)),
        ("dominards", {}, FinalForm(points=True, dropped=True, tiles=True)),
    ],
)
def test_what_a_final_state_is_entered_by(game: str, options: dict[str, Any], form: FinalForm) -> None:
    match = new(game, **options)
    assert match.game.final(match.options) == form


# --- what is offered ---------------------------------------------------------------------------------------
def laying_hands(observed: bool) -> list[LayingState]:
    """Every state of some random hands of games with a line."""
    states = []
    for game in sorted(games.GAMES.keys() - {"domizerka", "dom", "dominards"}):
        last = played_out(game, observed).hands[-1].state
        state = games.Match.new(game, {"hands": 1}, last.opening.players).opened(last.opening.opener, last.opening.deal)
        states.append(state)
        for move in last.moves:
            states.append(state := state.play(move))
    return states


@pytest.mark.parametrize("observed", [True, False])
def test_what_is_offered_is_what_is_legal(observed: bool) -> None:
    for state in laying_hands(observed):
        offers, legal = state.offers(), state.legal()
        if offers["next"] == "left":
            assert legal == []
            continue
        plays = [(tile, end) for tile, ends in offers["plays"].items() for end in ends or [None]]
        assert sorted(plays, key=str) == sorted(((NAMES[m.tile], m.end) for m in legal if isinstance(m, Play)), key=str)
        assert offers["pass"] == (Pass(state.turn) in legal)
        assert offers["draw"] == (Draw(state.turn, 1) in legal)


@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("game", games.GAMES)
def test_nothing_may_come_after_the_end_of_a_hand(game: str, observed: bool) -> None:
    state = played_out(game, observed).hands[-1].state
    assert state.end is not None
    assert (state.turn, state.legal()) == (None, [])
    assert state.offers()["next"] in ("left", "over")


# --- what is known before a tile is laid -------------------------------------------------------------------
@pytest.mark.parametrize(("game", "seats", "dealt"), [("block", 2, 7), ("all-fives", 2, 7), ("dominards", 3, 6)])
def test_before_the_lead_the_opener_is_known_to_hold_the_heaviest_double(game: str, seats: int, dealt: int) -> None:
    """All deals with a double, divided equally among the seats that may have the heaviest one."""
    state = games.Match.new(game, {}, NAMED[:seats]).opened(1, None)
    every, none = 1, 1
    for seat in range(seats):
        every *= comb(28 - seat * dealt, dealt)
        none *= comb(21 - seat * dealt, dealt)
    assert state.deals() == (every - none) // seats
    others = ALL & ~(1 << parse("6-6"))
    assert state.whereabouts() == tuple(ALL if seat in (1, seats) else others for seat in range(seats + 1))


def test_before_a_lead_with_any_tile_nothing_is_known() -> None:
    state = new("domino-whist").opened(2, None)
    assert state.deals() == comb(28, 7) * comb(21, 7) * comb(14, 7)
    assert state.whereabouts() == (ALL,) * 4 + (0,)


# --- values ------------------------------------------------------------------------------------------------
def test_hands_that_went_the_same_way_are_equal() -> None:
    one, other = played_out("all-fives"), played_out("all-fives")
    assert one == other
    assert one.hands[0].state == other.hands[0].state
    assert one.hands[0].line == other.hands[0].line
    assert len({one.hands[0].state, other.hands[0].state}) == len({one.hands[0].line, other.hands[0].line}) == 1
    third = played_out("all-fives", seed=2)
    assert one.hands[0].state != third.hands[0].state
    assert one.hands[0].line != third.hands[0].line
    assert one.hands[0].state != one.hands[0].line


@pytest.mark.parametrize("kind", Kind)
def test_every_arm_holds_its_tiles_as_they_were_joined(kind: Kind) -> None:
    rng = random.Random(kind)
    for _ in range(60):
        first = rng.choice([*members(DOUBLES if kind is Kind.STAR else ALL)])
        line, unlaid = Line.of(kind), ALL & ~(1 << first)
        joined: dict[str, tuple[ArmTile, ...]] = dict.fromkeys(ENDS, ())
        assert line.arms() == joined
        line = line.lay(first)
        while plays := [(tile, end) for tile in members(unlaid) for end in line.fits(tile)]:
            tile, end = rng.choice(plays)
            inner, line = line.open[end], line.lay(tile, end)
            joined[end] += (ArmTile(tile, inner, line.open[end]),)
            unlaid &= ~(1 << tile)
            assert (line.laid[-1].tile, line.laid[-1].end) == (tile, end)
        assert line.arms() == joined


# --- entries in a wrong place ------------------------------------------------------------------------------
@pytest.mark.parametrize("game", games.GAMES)
def test_before_the_first_hand_there_is_nothing_to_enter_a_move_into(game: str) -> None:
    move = played_out(game).hands[0].moves[0]
    error = refused(new(game), {"kind": "move", "move": move})
    assert (error.code, error.hand, error.move) == ("hand-unfinished", None, None)
    unreadable = refused(new(game), {"kind": "move", "move": {"type": "nothing"}})
    assert (unreadable.code, unreadable.hand, unreadable.move) == ("malformed", None, None)
    opened = new(game).enter({"kind": "hand", "opener": 0})
    unreadable = refused(opened, {"kind": "move", "move": {"type": "nothing"}})
    assert (unreadable.code, unreadable.hand, unreadable.move) == ("malformed", 0, 0)


def test_cards_are_entered_before_the_first_hand() -> None:
    match = new("dominards")
    cards = {"kind": "cards", "cards": [["AS", "2S", "3S", "4S", "5S"], None]}
    assert match.enter(cards).record()["cards"] == [["5S", "4S", "3S", "2S", "AS"], None]
    assert refused(match.enter({"kind": "hand", "opener": 0}), cards).code == "malformed"


def test_a_hand_with_a_final_state_gets_no_further_entries() -> None:
    final = {"kind": "final", "final": {"bad": [31, 12], "out": 1}}
    match = entered(new("domino-whist"), {"kind": "hand", "opener": 0}, final)
    move = {"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-6"}}
    left = {"kind": "left", "left": [31, 0, 0, 12]}
    codes = [(error.code, error.hand, error.move) for error in (refused(match, entry) for entry in (move, left, final))]
    assert codes == [("hand-over", 0, 0), ("hand-over", 0, None), ("hand-over", 0, None)]
    stopped = entered(new("domino-whist"), {"kind": "hand", "opener": 0}, {"kind": "stop", "stopped": "time"})
    codes = [
        (error.code, error.hand, error.move) for error in (refused(stopped, entry) for entry in (move, left, final))
    ]
    assert codes == [("match-over", 0, 0), ("match-over", 0, None), ("match-over", 0, None)]


def test_a_hand_is_replaced_only_by_one_that_all_others_go_with() -> None:
    match = entered(
        new("domino-whist", target=50),
        {"kind": "hand", "opener": 0, "final": {"bad": [31, 12], "out": 1}},
        {"kind": "hand", "opener": 1, "final": {"bad": [5, 7], "out": None}},
    )
    cases = {
        ("no-match", 0, 1): {"opener": 0, "moves": moves("6-6 5-5e")},
        ("wrong-leader", 1, None): {"opener": 3, "final": {"bad": [31, 12], "out": 1}},
        ("match-over", 1, None): {"opener": 0, "final": {"bad": [50, 12], "out": 1}},
        ("hand-unfinished", 0, None): {"opener": 0, "moves": moves("6-6 6-5e")},
    }
    for expected, hand in cases.items():
        error = refused(match, {"kind": "replace", "hand": 0, "with": hand})
        assert (error.code, error.hand, error.move) == expected


def test_the_public_sees_a_hand_of_which_nothing_is_hidden_as_it_is() -> None:
    match = entered(new("draw"), {"kind": "hand", "opener": 0}, {"kind": "move", "move": moves("6-6")[0]})
    assert match.public() is match


# --- the end of a hand -------------------------------------------------------------------------------------
@pytest.mark.parametrize("ended", ["out", "blocked"])
def test_a_final_state_after_the_last_move_ends_the_hand_as_the_moves_did(ended: str) -> None:
    matches = (played_out("domino-whist", seed=seed) for seed in range(100))
    match = next(match for match in matches if match.hands[0].state.end.by == ended)
    record, gone = match.record(), match.hands[0].state.end.seat
    played = record["hands"][0]
    left = played.pop("left")
    for out in (0, 1, 2, 3, None):
        final = {"final": {"left": left, "out": out}}
        error = first_error({**record, "hands": [played | final]})
        assert (error is None) == (out == (gone if ended == "out" else None))
        assert error is None or error["code"] == "left-mismatch"


def test_pips_left_after_draws_are_refused_if_no_deal_leaves_them() -> None:
    rng = random.Random("pips")
    codes = set()
    for _ in range(120):
        hand, table = slow.random_hand(rng, slow.rules_of(slow.all_options("draw", {})))
        if table.end == "reached" or len(table.laid) < 22:
            continue
        left = [max(0, pips(held) + rng.choice((-4, -1, 0, 1, 2, 30))) for held in table.hands]
        told = {"leader": hand["leader"], "moves": [slow.without_tiles(move) for move in hand["moves"]], "left": left}
        judged = slow.judge_match({**new("draw").record(), "hands": [told]})
        error = first_error({**new("draw").record(), "hands": [told]})
        expected = {code for each in judged.errors for code in each.codes} or {None}
        assert (error and error["code"]) in expected
        codes.add(error and error["code"])
    assert codes == {None, "left-mismatch", "no-possible-deal"}


def test_a_tile_seen_when_it_was_drawn_and_never_laid_is_left() -> None:
    rng = random.Random("kept")
    told = 0
    for _ in range(60):
        hand, table = slow.random_hand(rng, slow.rules_of(slow.all_options("draw", {})))
        drawn = {tile for move in hand["moves"] if move["type"] == "draw" for tile in move["tiles"]}
        left = [sorted(map(text, held)) for held in table.hands]
        seats = [seat for seat in (0, 1) if drawn.intersection(left[seat])]
        if table.end == "reached" or not seats or not table.boneyard:
            continue
        record = {**new("draw").record(), "hands": [{"leader": hand["leader"], "moves": hand["moves"], "left": left}]}
        assert first_error(record) is None
        seat = rng.choice(seats)
        left[seat].remove(rng.choice(sorted(drawn.intersection(left[seat]))))
        left[seat].append(rng.choice(sorted(map(text, table.boneyard))))
        error = first_error(record)
        assert error is not None
        assert error["code"] in {code for each in slow.judge_match(record).errors for code in each.codes}
        told += error["code"] == "left-mismatch"
    assert told > 5


# --- the commands ------------------------------------------------------------------------------------------
def test_show_says_what_was_noted_and_what_the_result_of_the_record_says_otherwise() -> None:
    played = {"opener": 0, "moves": moves("6-5 pass 6-4w 4-0w pass 5-3e")}
    record = {
        **new("domino-whist").record(),
        "hands": [played],
        "noted": [{"hand": 0, "move": 1, "code": "wrong-pass"}],
        "result": {"totals": [5, 0, 5, 0], "winners": [1, 3]},
    }
    assert first_error(record) == {"code": "result-mismatch", "hand": None, "move": None, "proof": None}
    lines = show(record).splitlines()
    assert [line for line in lines if "noted" in line] == ["    2 Bo    passes (noted: wrong-pass)"]
    assert lines[-2] == "score so far: 0 : 0 : 0 : 0"
    assert lines[-1] == "the result in the record is different: 5 : 0 : 5 : 0, won by Bo and Dan"
    del record["result"]
    assert show(record).splitlines() == lines[:-1]


@pytest.mark.parametrize("said", ["Ana and Bo played 6-6 first.\n", "; nothing yet\n", "{nothing, for now}"])
def test_a_text_without_a_match_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str) -> None:
    text, blank = tmp_path / "text", tmp_path / "blank"
    text.write_text(said)
    blank.write_text("\n  \n")
    assert main(["to-json", str(text)]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["valid"], [error["code"] for error in answer["errors"]]) == (False, ["malformed"])
    assert main(["to-json", str(blank)]) == 0
    assert capsys.readouterr().out == ""


def test_a_closed_standard_input_cannot_be_opened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # what Python makes of it
    assert main(["verify"]) == 2
    assert capsys.readouterr() == ("", "-: standard input is closed\n")


def test_a_name_is_printed_to_a_terminal_that_has_not_its_letters(tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_text(json.dumps({**new("dom").record(), "players": ["Ána", "李"]}))
    command = [sys.executable, "-m", "games", "show", str(path)]
    done = subprocess.run(command, env={"PYTHONIOENCODING": "ascii"}, capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"seat 0: \\xc1na" in done.stdout
    assert b"seat 1: \\u674e" in done.stdout
