"""Dominards compared with a second opinion, which is itself checked with the figures of the rules."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import games
from games.tiles import NAMES
from tests.games import second_opinion_dominards as slow
from tests.games import second_opinion_draws as draws
from tests.games.records import first_error
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
    """A long round (with few tiles left in the boneyard), of which few tiles are hidden."""
    every = [slow.random_round(rng, seats, slow.Cards(seats, slow.deal_cards(rng, seats)), 0.2) for _ in range(6)]
    hand, _ = max(every, key=lambda each: len(each[1].laid))
    return draws.few_hidden(rng, hand, lambda told: after(told, seats), 60)


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
            if draws.few(watched, 60):
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


# --- the product -------------------------------------------------------------------------------------------
def agree(record: dict[str, Any]) -> str | None:
    """Checks that verify and the second opinion agree. Returns the code of the first error."""
    judged = slow.judge_match(record)
    verdict = games.verify(record)
    assert (verdict["hands"], verdict["totals"]) == (judged.hands, judged.totals(len(record["players"]))), record
    assert (verdict["finished"], verdict["winners"]) == (judged.finished, judged.winners), record
    error = first_error(record)
    if not judged.errors:
        assert error is None, record
        return None
    assert error is not None, (judged.errors, record)
    expected = [
        {"code": code, "hand": judged.hand, "move": each.move, "proof": each.proof}
        for each in judged.errors
        for code in each.codes
    ]
    said = {**error, "proof": error["proof"] and error["proof"]["move"]}
    assert said in expected, (error, expected, record)
    return said["code"]


@pytest.mark.parametrize("case", CASES)
def test_verify_says_the_same_of_the_cases_by_hand(case: str) -> None:
    seats, written, _ = CASES[case]
    agree(record_of(seats, hand_of(written, seats)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_are_accepted_and_scored_alike_whatever_is_known(seats: int) -> None:
    rng = random.Random(f"accepted {seats}")
    for hands in (None, 2, 3):
        cards, rounds, judged = slow.random_match(rng, seats, hands)
        record = record_of(seats, *(hand for hand, _ in rounds), cards=cards, options={"hands": hands})
        assert agree(record) is None
        record["hands"] = [draws.told(rng, hand, table, left=rng.choice((None, "tiles"))) for hand, table in rounds]
        record["cards"] = [held if rng.random() < 0.5 else None for held in cards]
        assert agree(record) is None
        record["result"] = {"totals": judged.totals(seats), "winners": judged.winners}
        assert games.verify(record)["valid"]


def twins(hand: dict[str, Any], cards: list[list[str]]) -> Iterator[tuple[set[str], int, dict[str, Any]]]:
    """Variants of a round with open tiles and cards, each with one thing that the rules forbid: the codes that it may
    get, and the entry."""
    moves, seats = hand["moves"], len(cards)
    watched = looker(hand, seats)
    dropped: list[str] = []

    def with_moves(at: int, *instead: dict[str, Any]) -> dict[str, Any]:
        return {**hand, "moves": [*moves[:at], *instead, *moves[at + 1 :]]}

    for at, move in enumerate(moves):
        seat = move["seat"]
        roll = {"seat": seat, "type": "roll", "dice": [1, 2]}
        if move["type"] == "roll":
            yield {"bad-roll"}, at, with_moves(at, {**move, "dice": [1, 2, 3]})
            yield {"not-your-roll"}, at, with_moves(at, {**move, "seat": (seat + 1) % seats})
            if at + 1 < len(moves):
                yield {"roll-needed"}, at, {**hand, "moves": [*moves[:at], *moves[at + 1 :]]}
                yield {"not-your-roll", "bad-roll"}, at + 1, with_moves(at, move, roll)
        elif watched.turns % (seats + 1) and moves[at - 1]["type"] != "draw":
            yield {"not-your-roll", "bad-roll"}, at, with_moves(at, roll, move)
        if move["type"] == "play":
            row = slow.Star()
            for laid in [m for m in [*moves[:at], move] if m["type"] == "play"]:
                row.lay(tile(laid["tile"]), laid.get("end"))
            free = [card for held in cards for card in held if card not in dropped]
            own = [card for card in free if card in cards[seat]]
            others = [card for card in free if card not in cards[seat] and row.count() in slow.values(card)]
            wrong = [card for card in own if row.count() not in slow.values(card)]
            for card in wrong[:1]:
                yield {"bad-claim"}, at, with_moves(at, {**move, "claim": {"by": "card", "card": card}})
                dice = watched.dice
                if len(dice) == 2 or sum(dice) != row.count():
                    yield {"bad-claim"}, at, with_moves(at, {**move, "claim": {"by": "virtual", "drop": card}})
            if len(watched.dice) == 4 or row.count() % sum(watched.dice):
                yield {"bad-claim"}, at, with_moves(at, {**move, "claim": {"by": "multiple"}})
            for card in others[:1]:
                yield {"card-not-held"}, at, with_moves(at, {**move, "claim": {"by": "card", "card": card}})
            gone = [card for card in dropped if row.count() in slow.values(card)]
            for card in gone[:1]:
                yield {"card-not-held"}, at, with_moves(at, {**move, "claim": {"by": "card", "card": card}})
            dropped += [card for card in [slow.dropped_by(move.get("claim", {}))] if card]
        watched.make(move)
    yield {"hand-over"}, len(moves), {**hand, "moves": [*moves, {"seat": 0, "type": "pass"}]}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_open_round_with_one_thing_wrong_is_refused_there(seats: int) -> None:
    rng = random.Random(f"twins {seats}")
    seen = set()
    for _ in range(4):
        cards = slow.deal_cards(rng, seats)
        hand, _ = slow.random_round(rng, seats, slow.Cards(seats, cards))
        for codes, at, wrong in twins(hand, cards):
            error = first_error(record_of(seats, wrong, cards=cards))
            assert error is not None, (codes, at, wrong)
            assert error["code"] in codes, (codes, at, error, wrong)
            assert (error["move"], error["proof"]) == (at, None)
            seen |= codes
    assert {"bad-roll", "not-your-roll", "roll-needed", "bad-claim", "card-not-held", "hand-over"} <= seen


def test_a_damaged_game_gets_the_verdict_of_the_second_opinion() -> None:
    rng = random.Random("damaged")
    codes = set()
    for _ in range(90):
        seats = rng.choice((2, 3, 4))
        cards, rounds, _ = slow.random_match(rng, seats, rng.randint(1, 2))
        told = [draws.told(rng, hand, table, left=rng.choice((None, "tiles"))) for hand, table in rounds]
        told[-1] = slow.damaged(rng, told[-1], seats)
        known = [held if rng.random() < 0.7 else None for held in cards]
        codes.add(agree(record_of(seats, *told, cards=known, noted=draws.some_noted(rng, told))))
    assert {None, "bad-claim", "roll-needed", "not-your-roll", "cannot-draw", "must-draw"} <= codes


def test_entries_of_which_each_could_be_true_are_refused_if_and_only_if_no_deal_fits() -> None:
    rng = random.Random("guessed")
    codes = set()
    for _ in range(60):
        seats = rng.choice((2, 3, 4))
        hand, table = slow.random_round(rng, seats, slow.Cards(seats, slow.deal_cards(rng, seats)), 0.2)
        hand = draws.told(rng, hand, table)
        watched = after(hand, seats, rng.randrange(2, len(hand["moves"]) + 1))
        while not watched.end and (move := slow.guess(rng, watched)):
            watched.make(move)
        hand["moves"] = watched.moves
        codes.add(agree(record_of(seats, hand, noted=draws.some_noted(rng, [hand]))))
    assert {None, "cannot-draw", "no-possible-deal"} <= codes


def tiles_of(mask: int) -> set[draws.Tile]:
    return {tile(name) for number, name in enumerate(NAMES) if mask >> number & 1}


def test_a_state_knows_how_many_deals_fit_and_where_each_tile_may_be() -> None:
    rng = random.Random("deals")
    tried = counted = 0
    for number in range(15):
        seats = 2 + number % 3
        hand = a_round_with_few_hidden(rng, seats)
        match = games.Match.new("dominards", {}, PLAYERS[:seats])
        match = match.enter({"kind": "hand", "leader": hand["leader"], "deal": hand["deal"]})
        watched = looker(hand, seats)
        for move in hand["moves"]:
            match = match.enter({"kind": "move", "move": move})
            watched.make(move)
            if move["type"] == "roll":
                continue
            if draws.few(watched, 60):
                deals, whereabouts = draws.count(watched)
                tried += 1
            elif rng.random() < 0.1 and (many := draws.count_deals(watched)) is not None:
                deals, whereabouts = many, watched.whereabouts()
                counted += 1
            else:
                continue
            state = match.hands[-1].state
            assert state.deals() == deals
            assert list(map(tiles_of, state.whereabouts())) == whereabouts
    assert tried > 20
    assert counted > 20
