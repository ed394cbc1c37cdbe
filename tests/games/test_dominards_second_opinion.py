"""Dominards against a second opinion, and that opinion against the rules' own figures and itself."""

import random
from typing import Any

import pytest

from tests.games import second_opinion_dominards as slow
from tests.games import second_opinion_draws as draws
from tests.games.second_opinion import tile

PLAYERS = ["Ana", "Bo", "Cleo", "Dan"]


def record_of(seats: int, *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "scorekeeper-record/1",
        "game": "dominards",
        "players": PLAYERS[:seats],
        "hands": list(hands),
        **more,
    }


def moves_of(written: str, seats: int = 2, leader: int = 0) -> list[dict[str, Any]]:
    """Moves in turn, ``"r3,4 6-6=QS 6-1e d2 6-2w=* 2-1w=!4C pass"``: a roll, a claim by a card, draws, a claim by a
    multiple, by a virtual card, a pass. A seat may be said before a colon."""
    moves: list[dict[str, Any]] = []
    turn = leader
    for word in written.split():
        seat, _, what = word.rpartition(":")
        what, _, claimed = what.partition("=")
        move: dict[str, Any] = {"seat": int(seat) if seat else turn}
        if what[0] == "r":
            moves.append({**move, "type": "roll", "dice": [int(die) for die in what[1:].split(",")]})
            continue
        if what[0] == "d":
            moves.append({**move, "type": "draw", "count": int(what[1:])})
            continue
        if what == "pass":
            moves.append({**move, "type": "pass"})
        else:
            moves.append({**move, "type": "play", "tile": what[:3], **({"end": what[3:]} if what[3:] else {})})
        if claimed == "*":
            moves[-1]["claim"] = {"by": "multiple"}
        elif claimed:
            virtual = claimed.startswith("!")
            moves[-1]["claim"] = {"by": "virtual", "drop": claimed[1:]} if virtual else {"by": "card", "card": claimed}
        turn = (turn + 1) % seats
    return moves


def hand_of(written: str, seats: int = 2, leader: int = 0, **more: Any) -> dict[str, Any]:
    return {"leader": leader, "moves": moves_of(written, seats, leader), **more}


def looker(hand: dict[str, Any], seats: int) -> slow.WatchedRound:
    return slow.WatchedRound(slow.Cards(seats), slow.Dominards(seats), hand)


def after(hand: dict[str, Any], seats: int, upto: int | None = None) -> slow.WatchedRound:
    followed = looker(hand, seats)
    draws.followed(followed, hand["moves"][:upto])
    return followed


# --- the second opinion itself -----------------------------------------------------------------------------
def test_the_showing_total_of_the_rules() -> None:
    star = slow.Star()
    totals = []
    for word in ("6-6", "6-4w", "4-4w", "5-4w", "5-0w", "6-3e", "3-3e", "6-2n", "6-1s"):
        star.lay(tile(word[:3]), word[3:] or None)
        totals.append(star.count())
    assert totals == [12, 16, 20, 17, 12, 15, 18, 14, 9]


@pytest.mark.parametrize(
    ("card", "worth"), [("AS", (1, 14)), ("2H", (2,)), ("TC", (10,)), ("JD", (11,)), ("QS", (12,)), ("KS", (13,))]
)
def test_what_cards_are_worth(card: str, worth: tuple[int, ...]) -> None:
    assert slow.values(card) == worth


def test_random_games_are_judged_as_they_went() -> None:
    rng = random.Random("games")
    dropped_out = 0
    for number in range(12):
        seats = 2 + number % 3
        cards, rounds, judged = slow.random_match(rng, seats, 2 if number % 4 else None)
        record = record_of(seats, *(hand for hand, _ in rounds), cards=cards, options={"hands": 2})
        if number % 4 == 0:
            del record["options"]
        assert slow.judge_match(record) == judged
        record["hands"] = [draws.told(rng, hand, table, left=rng.choice((None, "tiles"))) for hand, table in rounds]
        record["cards"] = [held if rng.random() < 0.5 else None for held in cards]
        assert slow.judge_match(record) == judged
        dropped_out += any(table.cards.over() for _, table in rounds)
    assert dropped_out


def a_round_with_few_hidden(rng: random.Random, seats: int) -> dict[str, Any]:
    """A long round (little is left in the pool) of which few tiles are hidden."""
    every = [slow.random_round(rng, seats, slow.Cards(seats, slow.deal_cards(rng, seats)), 0.2) for _ in range(6)]
    hand, _ = max(every, key=lambda each: len(each[1].laid))
    return draws.few_hidden(rng, hand, lambda told: after(told, seats), 150)


def test_a_place_for_every_tile_is_the_same_as_every_world() -> None:
    rng = random.Random("dominards places")
    many = refused = 0
    for number in range(45):
        seats = 2 + number % 3
        hand = a_round_with_few_hidden(rng, seats)
        watched = after(hand, seats, -rng.randrange(1, 12))
        possible = True
        while possible and not watched.end and (move := slow.guess(rng, watched)):
            watched.make(move)
            possible = watched.possible()
            if draws.few(watched, 150):
                deals, whereabouts = draws.count(watched)
                assert bool(deals) == possible
                assert draws.count_deals(watched) == deals
                assert not possible or watched.whereabouts() == whereabouts
                many, refused = many + (deals > 1), refused + (not possible)
    assert many > 20
    assert refused > 5


# --- cases by hand -----------------------------------------------------------------------------------------
Error = tuple[str, int | None, int | None]
# Each case: seats, moves, the error or the points.
CASES: dict[str, tuple[int, str, Error | list[int]]] = {
    "nobody claims": (2, "r3,4 6-6 6-1e", [0, 0]),
    "a claim by a card at the lead": (2, "r3,4 6-6=QS", [12, 0]),
    "an ace is fourteen": (2, "r3,4 5-5 5-4e=AS", [0, 14]),
    "an ace is one": (3, "r3,4 1-1 1-0e 1-0w", ("tile-already-laid", 3, 2)),
    "a multiple of two dice": (2, "r1,2 6-6=* 6-4e 6-2w=*", [12 + 18, 0]),
    "no multiple of two dice": (2, "r3,4 6-6=*", ("bad-claim", 1, None)),
    "nothing is a multiple of all": (2, "r5,6 0-0=*", [0, 0]),
    "a multiple under four dice": (2, "r1,1,1,1 6-6=*", ("bad-claim", 1, None)),
    "a virtual card": (3, "r1,2,3,6 6-6=!4C", [12, 0, 0]),
    "a virtual card of another total": (3, "r1,2,3,5 6-6=!4C", ("bad-claim", 1, None)),
    "a virtual card under two dice": (3, "r6,6 6-6=!4C", ("bad-claim", 1, None)),
    "a card of another value": (2, "r1,2 6-6=KS", ("bad-claim", 1, None)),
    "a card dropped twice": (2, "r6,6,1,1 5-5=TS 5-0e=TH 5-4w=!TS", ("card-not-held", 3, None)),
    "no roll": (2, "6-6", ("roll-needed", 0, None)),
    "no roll before a draw": (2, "d1 6-6", ("roll-needed", 0, None)),
    "three dice": (2, "r1,2,3 6-6", ("bad-roll", 0, None)),
    "a roll of another's": (2, "1:r1,2 6-6", ("not-your-roll", 0, None)),
    "a roll serves each once, then the roller": (2, "r1,2 6-6 6-1e 6-2w 1:r1,2 6-3n", [0, 0]),
    "and then is spent": (2, "r1,2 6-6 6-1e 6-2w 6-3n", ("roll-needed", 4, None)),
    "a roll by the same again": (2, "r1,2 6-6 6-1e 0:r1,2 6-2w", ("not-your-roll", 3, None)),
    "with three players it serves four turns": (3, "r1,2 6-6 6-1e 6-2w 6-3n 1:r1,2 6-4s", [0, 0, 0]),
    "a draw is no turn": (2, "r1,2 6-6 d3 6-1e 6-2w r1,2 d1 6-3n", [0, 0]),
    "a pass with tiles to draw": (2, "r1,2 6-6 pass", ("must-draw", 2, None)),
    "the pool is empty": (4, "r1,2 6-6 d4 pass 6-1e", [0, 0, 0, 0]),
    "more than the pool": (4, "r1,2 6-6 d5", ("cannot-draw", 2, None)),
    "a pass is a turn": (4, "r1,2 6-6 d4 pass 6-1e 6-2w 6-3n r1,2", [0, 0, 0, 0]),
    "the roll comes before a pass": (4, "r1,2 6-6 d4 pass 6-1e 6-2w 6-3n pass", ("roll-needed", 7, None)),
    "held since before a draw": (2, "r1,2 6-6 d1 6-5e 5-4e r1,2 6-3w", ("cannot-draw", 2, 6)),
    "a heavier double later": (3, "r1,2 5-5 6-5e 6-6e", ("wrong-leader", None, 3)),
    "a heavier double of the leader's": (3, "r1,2 5-5 6-5e 5-1w 6-6e", ("must-lead-double", 1, 4)),
    "a wrong pass": (4, "r1,2 6-6 d4 pass 6-1e 6-2w 6-3n r1,2 6-4s", ("wrong-pass", 3, 8)),
    "all four sides at once": (2, "r1,2 6-6 6-1s 6-2n", [0, 0]),
    "four equal ends": (2, "r1,2 6-6 6-1", ("end-needed", 2, None)),
}


@pytest.mark.parametrize("case", CASES)
def test_cases_by_hand(case: str) -> None:
    seats, written, expected = CASES[case]
    judged = slow.judge_match(record_of(seats, hand_of(written, seats)))
    if isinstance(expected, list):
        assert (judged.errors, judged.hands) == ([], [expected])
    else:
        (found,) = judged.errors
        assert expected[0] in found.codes
        assert (found.move, found.proof) == expected[1:]
