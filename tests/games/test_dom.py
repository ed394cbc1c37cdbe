"""DOM: the table and example of the source, the settled rules, the points of each card, and legal cells."""

import json
import random
from itertools import combinations
from typing import Any

import pytest

import games
from games import cards
from games.dom import LINES_OF, counts, scored_cards, value, worth
from games.moves import CELLS, PlaceCard
from games.record import read_record
from tests.games.records import first_error

# "DOM", the table of scores: pip count, points. What it prints as 0 is left out.
PRINTED = {
    3: 1,
    5: 1,
    6: 2,
    7: 1,
    9: 3,
    10: 2,
    12: 4,
    14: 2,
    15: 8,
    18: 6,
    20: 4,
    21: 10,
    24: 8,
    25: 5,
    27: 9,
    28: 4,
    30: 16,
    33: 11,
    35: 12,
    36: 12,
    39: 13,
    40: 8,
    42: 20,
}
DEAL = [
    ["AS", "AH", "AD", "9C", "KD", "QD", "JD", "TD"],
    ["2S", "3S", "4S", "5S", "2H", "2D", "2C", "7H"],
]


def line(written: str) -> list[int]:
    return [cards.parse(card) for card in written.split()]


def hand(written: str, dealer: int = 1, **more: Any) -> dict[str, Any]:
    """Moves in turn, such as ``"KHr1c4 2Sr2c2"``. A seat can be given before a colon."""
    moves = []
    for at, word in enumerate(written.split()):
        seat, _, what = word.rpartition(":")
        move = {"seat": int(seat) if seat else (dealer + 1 + at) % 2, "type": "place", "card": what[:2], "at": what[2:]}
        moves.append(move)
    return {"dealer": dealer, "moves": moves, **more}


def whole(dealer: int, seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    cells = [rng.choice(("r1c1", "r1c4", "r4c1", "r4c4"))]
    cells += rng.sample(sorted({*CELLS} - {*cells}), 15)
    placed = rng.sample(cards.NAMES, 16)
    return hand(" ".join(card + cell for card, cell in zip(placed, cells, strict=True)), dealer)


def record(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "scorekeeper-record/1", "game": "dom", "players": ["Ana", "Bo"], "hands": list(hands), **more}


def match_of(*hands: dict[str, Any]) -> games.Match:
    match = games.Match.new("dom", {}, ["Ana", "Bo"])
    for each in hands:
        match = match.enter({"kind": "hand", **each})
    return match


def code_of(*hands: dict[str, Any], **more: Any) -> str | None:
    error = first_error(record(*hands, **more))
    return error and str(error["code"])


# --- the value of a line -----------------------------------------------------------------------------------
@pytest.mark.parametrize("pips", range(1, 45))
def test_the_printed_table(pips: int) -> None:
    assert worth(pips) == PRINTED.get(pips, 0)


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("AS", 0),
        ("KS QH", 4),
        ("KS KH", 6),
        ("AS AH KS QH", 22),
        ("AS AH AD 9C", 30),
        ("TS JS QS KS", 16),
    ],
)
def test_the_known_lines(written: str, points: int) -> None:
    assert sum(points for _, points in value(line(written))) == points


@pytest.mark.parametrize(
    ("written", "summands"),
    [
        ("2S", [("2", 0)]),
        ("AS", [("1", 0), ("11", 0)]),
        ("AS 4H", [("5", 1), ("15", 8)]),
        ("AS AH", [("2", 0), ("22", 0), ("pair", 2)]),
        ("AS AH AD", [("3", 1), ("33", 11), ("three", 6)]),
        ("AS AH AD AC", [("4", 0), ("44", 0), ("four", 12)]),
        ("5S 5H 5D", [("15", 8), ("three", 6)]),
        ("7S 7H 5D 5C", [("24", 8), ("pair", 2), ("pair", 2)]),
        ("7S 7H 7D 7C", [("28", 4), ("four", 12)]),
        ("3S 4S 5S", [("12", 4)]),
        ("3S 4S 6S 8S", [("21", 10), ("flush", 4)]),
        ("3S 4H 5D 6C", [("18", 6), ("run", 4)]),
        ("3S 6S 4S 5S", [("18", 6), ("run", 4), ("flush", 4)]),
        ("AS 2H 3D 4C", [("10", 2), ("20", 4), ("run", 4)]),
        ("JS QH KD AC", [("31", 0), ("41", 0), ("run", 4)]),
        ("QS KH AD 2C", [("23", 0), ("33", 11)]),
        ("KS AH 2D 3C", [("16", 0), ("26", 0)]),
        ("9S TH JD QC", [("39", 13), ("run", 4)]),
        ("8S 9H 9D TC", [("36", 12), ("pair", 2)]),
        ("TS JH KD AC", [("31", 0), ("41", 0)]),
    ],
)
def test_a_line_is_its_pip_counts_and_each_bonus(written: str, summands: list[tuple[str, int]]) -> None:
    assert value(line(written)) == summands
    turned = value(line(" ".join(reversed(written.split()))))
    assert sorted(turned) == sorted(summands)


def test_there_are_eleven_runs() -> None:
    """Four ranks in a row, from A234 to JQKA."""
    ranks = [
        [cards.parse(rank + suit) for rank, suit in zip(four, "SHDC", strict=True)]
        for four in combinations(cards.RANKS, 4)
    ]
    runs = [four for four in ranks if ("run", 4) in value(four)]
    assert len(runs) == 11


# --- the square --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("r2c1", {"row": "r2c1 r2c2 r2c3 r2c4", "column": "r1c1 r2c1 r3c1 r4c1"}),
        ("r4c3", {"row": "r4c1 r4c2 r4c3 r4c4", "column": "r1c3 r2c3 r3c3 r4c3"}),
        (
            "r1c4",
            {
                "row": "r1c1 r1c2 r1c3 r1c4",
                "column": "r1c4 r2c4 r3c4 r4c4",
                "diagonal": "r1c4 r2c3 r3c2 r4c1",
            },
        ),
        (
            "r3c3",
            {
                "row": "r3c1 r3c2 r3c3 r3c4",
                "column": "r1c3 r2c3 r3c3 r4c3",
                "diagonal": "r1c1 r2c2 r3c3 r4c4",
            },
        ),
    ],
    ids=["A", "B", "C", "D"],
)
def test_the_lines_of_the_cells_in_the_sources_picture(cell: str, lines: dict[str, str]) -> None:
    found = {name: " ".join(CELLS[each] for each in cells) for name, cells in LINES_OF[CELLS.index(cell)]}
    assert found == lines


def test_a_card_scores_its_lines_with_however_many_cards_they_hold() -> None:
    match = match_of(hand("KHr1c1 5Sr1c4 KSr4c4 5Hr1c2"))
    shown = [
        (score["seats"], score["reason"], score["points"], [(t["label"], t["value"]) for t in score["terms"]])
        for score in match.sheet()["hands"][0]["scores"]
    ]
    assert shown == [
        ([0], "row", 2, [("10", 2)]),
        ([0], "column", 2, [("10", 2)]),
        ([0], "diagonal", 2, [("10", 2)]),
        ([1], "row", 8, [("15", 8)]),
        ([1], "column", 1, [("5", 1)]),
        ([1], "diagonal", 1, [("5", 1)]),
        ([0], "row", 2, [("10", 2)]),
        ([0], "column", 8, [("15", 8)]),
        ([0], "diagonal", 6, [("20", 4), ("pair", 2)]),
        ([1], "row", 6, [("20", 4), ("pair", 2)]),
        ([1], "column", 1, [("5", 1)]),
    ]
    assert match.totals == (22, 17)


@pytest.mark.parametrize(
    ("written", "code", "move", "proof"),
    [
        ("KHr2c2", "corner-first", 0, None),
        ("KHr1c2", "corner-first", 0, None),
        ("KHr1c1 2Sr1c1", "cell-taken", 1, 0),
        ("KHr1c1 KHr1c2", "card-already-placed", 1, 0),
        ("KHr1c1 KHr1c1", "card-already-placed", 1, 0),
        ("1:KHr1c1", "not-your-turn", 0, None),
        ("KHr1c1 0:KHr1c1", "not-your-turn", 1, None),
    ],
)
def test_a_card_where_it_cannot_go(written: str, code: str, move: int, proof: int | None) -> None:
    place = None if proof is None else {"hand": 0, "move": proof}
    assert first_error(record(hand(written))) == {"code": code, "hand": 0, "move": move, "proof": place}


@pytest.mark.parametrize("corner", ["r1c1", "r1c4", "r4c1", "r4c4"])
def test_the_first_card_goes_to_any_corner_and_the_next_anywhere(corner: str) -> None:
    assert code_of(hand(f"KH{corner} 2Sr2c2")) is None


@pytest.mark.parametrize(
    ("written", "deal", "code"),
    [
        ("KDr1c1 2Sr2c2", DEAL, None),
        ("KCr1c1", DEAL, "card-not-held"),
        ("2Sr1c1", DEAL, "card-not-held"),
        ("2Sr1c1", [None, DEAL[1]], "card-not-held"),
        ("KCr1c1", [None, DEAL[1]], None),
        ("KCr2c2", [DEAL[0], None], "card-not-held"),
        ("KDr1c1 ADr1c1", [DEAL[0], None], "card-not-held"),
    ],
)
def test_known_hands_are_checked_against(written: str, deal: Any, code: str | None) -> None:
    assert code_of(hand(written, deal=deal)) == code


@pytest.mark.parametrize(
    "move",
    [
        {"type": "place", "card": "KH"},
        {"type": "place", "card": "10H", "at": "r1c1"},
        {"type": "place", "card": "KH", "at": "r0c1"},
        {"type": "place", "card": "KH", "at": "r1c5"},
        {"type": "pass"},
    ],
)
def test_what_is_no_move_of_this_game_is_malformed(move: dict[str, Any]) -> None:
    assert code_of({"dealer": 1, "moves": [{"seat": 0, **move}]}) == "malformed"


# --- what may come next ------------------------------------------------------------------------------------
@pytest.mark.parametrize("deal", [[None, None], [None, DEAL[1]], DEAL])
def test_what_is_legal_is_just_what_is_accepted(deal: Any) -> None:
    rng = random.Random("legal")
    state = match_of(hand("", deal=deal)).hands[0].state
    while state.end is None:
        legal = state.legal()
        if rng.random() < 0.3:
            every = [PlaceCard(seat, card, cell) for seat in (0, 1) for card in range(52) for cell in range(16)]
            assert legal == [move for move in every if accepts(state, move)]
        assert {move.seat for move in legal} == {state.turn}
        held = state.held()
        state = state.play(rng.choice(legal))
        assert sum(held) - sum(state.held()) == 1
    assert (state.legal(), state.held(), state.turn) == ([], [0, 0], None)
    assert not accepts(state, PlaceCard(0, 0, 0))


def accepts(state: Any, move: PlaceCard) -> bool:
    try:
        state.play(move)
    except games.GameError:
        return False
    return True


def test_the_offers_are_what_a_phone_shows() -> None:
    offers = match_of(hand("", deal=DEAL)).offers()
    assert (offers["next"], offers["seat"], offers["cells"]) == ("move", 0, ["r1c1", "r1c4", "r4c1", "r4c4"])
    assert sorted(offers["cards"]) == sorted(DEAL[0])
    offers = match_of(hand("KDr1c1 2Sr2c2")).offers()
    assert offers["square"] == {"r1c1": "KD", "r2c2": "2S"}
    assert offers["cells"] == [cell for cell in CELLS if cell not in ("r1c1", "r2c2")]
    assert len(offers["cards"]) == 50
    assert json.loads(json.dumps(offers)) == offers


# --- a match -----------------------------------------------------------------------------------------------
def test_a_match_is_two_games_the_deal_changing_hands() -> None:
    for dealer in (0, 1):
        first, second = whole(dealer, 1), whole(1 - dealer, 2)
        verdict = games.verify(record(first, second))
        assert (verdict["valid"], verdict["finished"]) == (True, True)
        assert verdict["totals"] == [sum(points) for points in zip(*verdict["hands"], strict=True)]
        assert verdict["winners"] == [verdict["totals"].index(max(verdict["totals"]))]
        assert games.verify(record(first))["finished"] is False
        assert code_of(first, whole(dealer, 2)) == "wrong-leader"
        assert code_of(first, second, first) == "match-over"
        assert code_of({**first, "moves": first["moves"][:15]}, second) == "hand-unfinished"
        assert code_of({**first, "moves": [*first["moves"], first["moves"][0]]}, second) == "hand-over"
    assert games.verify(record(whole(0, 1), options={"hands": 1}))["finished"]


def test_a_game_ends_with_the_sixteenth_card() -> None:
    match = match_of(whole(1, 3))
    assert match.hands[0].outcome.end == ("played", 1)
    assert match.offers()["next"] == "hand"
    assert match.offers()["openers"] == [0]


def test_games_entered_by_their_points() -> None:
    told = [{"dealer": 0, "final": {"points": [143, 150]}}, {"dealer": 1, "final": {"points": [120, 113]}}]
    verdict = games.verify(record(*told))
    assert (verdict["totals"], verdict["winners"], verdict["finished"]) == ([263, 263], [0, 1], True)
    for points in ([143], [143, -1], [143, 1.5], [143, None], "143"):
        assert code_of({"dealer": 0, "final": {"points": points}}) == "malformed"
    assert code_of({"dealer": 0, "moves": [], "tricks": [1, 1]}) == "malformed"


@pytest.mark.parametrize(("points", "code"), [([22, 17], None), ([90, 80], None), ([21, 17], "left-mismatch")])
def test_final_points_after_some_cards_are_at_least_those_made(points: list[int], code: str | None) -> None:
    told = hand("KHr1c1 5Sr1c4 KSr4c4 5Hr1c2", final={"points": points})
    error = first_error(record(told))
    assert error == (code and {"code": code, "hand": 0, "move": None, "proof": None})


def test_final_points_after_the_last_card_are_those_made() -> None:
    played = whole(1, 3)
    made = list(match_of(played).totals)
    assert code_of({**played, "final": {"points": made}}) is None
    assert code_of({**played, "final": {"points": [made[0], made[1] + 1]}}) == "left-mismatch"


def test_a_line_with_aces_is_counted_twice() -> None:
    assert counts(line("AS AH KD QD")) == [(1, 22), (11, 42)]
    assert counts(line("KD QD")) == [(None, 20)]


@pytest.mark.parametrize("seed", range(5))
def test_card_after_card_says_what_each_scored(seed: int) -> None:
    """``scored_cards`` gives the same scores as the game, each with the square at that moment."""
    match = games.Match.of(read_record(games.random_match("dom", {}, ["Ana", "Bo"], random.Random(seed)), games.GAMES))
    for hand in match.hands:
        placed = list(scored_cards(hand.state))
        assert [each.move for each in placed] == list(hand.state.moves)
        assert [score for each in placed for score in each.scores] == list(hand.state.scores)
        assert placed[-1].square == hand.state.square
        for number, each in enumerate(placed, 1):
            assert sum(card is not None for card in each.square) == number
            assert [score.reason for score in each.scores] == [name for name, _cells in LINES_OF[each.move.cell]]
