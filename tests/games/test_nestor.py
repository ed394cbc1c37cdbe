"""Nestor knows only what a seat knows, imagines deals that are equally likely, and stops on time."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import comb, exp
from operator import mul
from random import Random
from typing import Any

import pytest

from games import GAMES, Match
from games.errors import Code, GameError
from games.holdings import Holdings
from games.laying import LayingState
from games.moves import Draw, Play, move_json, unseen
from games.nestor import LEVELS, think
from games.nestor.asked import asked
from games.nestor.evidence import CARE, WHIM, Evidence
from games.nestor.habits import habits_of
from games.nestor.laying import Deals
from games.nestor.redeals import Redeals
from games.record import HandRecord
from games.solver import Solver
from games.tiles import COUNT, DOUBLES, NAMES, PIPS, members
from tests.games.test_solver import OPTIONS, dealt_hand, moves

PLAYERS = ["Ana", "Bo", "Cleo", "Dan"]
EACH = 30
"""How often each deal is expected among the random ones."""
NESTORS = [slug for slug, game in GAMES.items() if game.family == "two-player" or slug == "domino-whist"]


def ticking(step: float = 0.001) -> Any:
    """A clock that goes on by ``step`` seconds whenever somebody looks at it."""
    return (n * step for n in count()).__next__


def position(slug: str, rng: Random, plies: int) -> tuple[LayingState, list[int]]:
    """A hand after some random moves, with all tiles known, and the boneyard as it was dealt."""
    while True:
        state, boneyard = dealt_hand(slug, {}, rng)
        for _ in range(plies):
            if state.end is None:
                state = state.play(rng.choice(moves(state, boneyard)))
        if state.end is None:
            return state, boneyard


def recorded(slug: str, state: LayingState, deal: tuple[int | None, ...] | None = None) -> dict[str, Any]:
    """The hand as a record."""
    match = Match.new(slug, state.opening.options, PLAYERS[: GAMES[slug].seats[0]])
    opened = match.as_record()._replace(hands=(HandRecord(state.opening.opener, deal, state.moves),))
    return Match.of(opened).record()


def known_to(seat: int, slug: str, state: LayingState) -> LayingState:
    """The hand as this seat knows it."""
    match = Match.new(slug, state.opening.options, PLAYERS[: GAMES[slug].seats[0]])
    deal = tuple(hand if each == seat else None for each, hand in enumerate(state.opening.deal))
    seen = match.opened(state.opening.opener, deal)
    for move in state.moves:
        seen = seen.play(move if move.seat == seat else unseen(move))
    return seen


# --- what he imagines --------------------------------------------------------------------------------------
def ways(holdings: Holdings) -> Counter[tuple[int, ...]]:
    """By the position of the unlaid tiles: the ways to share all hidden tiles out. Tried one by one."""

    def shared(tiles: list[int], room: tuple[int, ...], lie: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not tiles:
            yield lie
            return
        tile, *rest = tiles
        for holder, may in enumerate(holdings.may):
            if may >> tile & 1 and room[holder]:
                less = (*room[:holder], room[holder] - 1, *room[holder + 1 :])
                at = holdings.owner[holder]
                yield from shared(rest, less, (*lie[:at], lie[at] | 1 << tile, *lie[at + 1 :]))

    hidden = sorted({tile for may in holdings.may for tile in members(may)})
    found = shared(hidden, tuple(holdings.room), tuple(holdings.known))
    return Counter(tuple(tiles & holdings.unlaid for tiles in lie) for lie in found)


@pytest.mark.parametrize("slug", ["block", "draw", "domino-whist"])
def test_all_deals_that_fit_are_equally_likely(slug: str) -> None:
    rng, seen = Random(slug), 0
    while seen < 5:
        state, _ = position(slug, rng, rng.randrange(8, 24))
        assert state.turn is not None
        holdings = known_to(state.turn, slug, state).holdings
        redeals = Redeals(holdings)
        if not 2 <= redeals.number <= 1000:
            continue
        seen += 1
        expected = ways(holdings)
        assert redeals.number == expected.total()
        draws = EACH * redeals.number
        drawn = Counter(redeals.draw(rng) for _ in range(draws))
        assert drawn.keys() == expected.keys()
        # Chi square has a mean of the number of classes - 1, with a deviation of the root of twice that.
        squares = sum((drawn[lie] - EACH * number) ** 2 / (EACH * number) for lie, number in expected.items())
        assert squares < len(expected) + 6 * (2 * len(expected)) ** 0.5


# --- what he may know --------------------------------------------------------------------------------------
@pytest.mark.parametrize("slug", NESTORS)
@pytest.mark.parametrize("level", LEVELS)
def test_whatever_the_others_hold_he_thinks_the_same(slug: str, level: str) -> None:
    rng, seen = Random(slug), 0
    while seen < 4:
        state, _ = position(slug, rng, rng.randrange(12))
        seat = state.turn
        assert seat is not None
        holdings = known_to(seat, slug, state).holdings
        if not holdings.whole:
            continue  # somebody else has drawn: another deal would need other draws
        seen += 1
        answers = []
        for lie in (state.holdings.known, *(Redeals(holdings).draw(rng) for _ in range(3))):
            laid = [sum(1 << m.tile for m in state.moves if isinstance(m, Play) and m.seat == n) for n in range(4)]
            drawn = [
                sum(1 << tile for m in state.moves if isinstance(m, Draw) and m.seat == n for tile in m.tiles or ())
                for n in range(4)
            ]
            hands = zip(lie[: len(state.opening.players)], laid, drawn, strict=False)
            deal = tuple((hand | was) & ~later for hand, was, later in hands)
            record = recorded(slug, state, deal)
            given = {"record": record, "seat": seat, "level": level, "ms": 20, "seed": 3}
            answers.append(asked(given, ticking()))
        assert all(answer == answers[0] for answer in answers)


# --- what he finds -----------------------------------------------------------------------------------------
def test_with_one_deal_that_fits_he_plays_like_the_solver() -> None:
    rng, seen = Random(1), 0
    while seen < 10:
        state, boneyard = position("domino-whist", rng, 23)
        assert state.turn is not None
        known = known_to(state.turn, "domino-whist", state)
        if Redeals(known.holdings).number > 1:
            continue
        seen += 1
        found = think(GAMES["domino-whist"], known, LEVELS["brutal"], rng=rng, clock=ticking(0), ms=1000)
        solver = Solver(GAMES["domino-whist"], state, boneyard)
        assert (found.worth, found.deals, found.exact) == (solver.worth(state), 1, True)
        assert solver.gain(state, state.play(found.move)) == found.worth
        assert found.line[0] == found.move


def test_few_deals_are_each_imagined_once() -> None:
    """Each counts by its likelihood, in thousandths of the most likely one."""
    rng, seen = Random(2), 0
    while seen < 10:
        state, _ = position("block", rng, 10)
        assert state.turn is not None
        known = known_to(state.turn, "block", state)
        deals = [known.settled(hands) for hands in known.holdings.hands()]
        if len(deals) > 60:
            continue
        seen += 1
        found = think(GAMES["block"], known, LEVELS["brutal"], rng=rng, clock=ticking(0), ms=1000)
        assert (found.deals, found.exact) == (len(deals), True)
        likely = [Evidence(known).likelihood(deal.holdings.known) for deal in deals]
        counts = [max(round(1000 * each / max(likely)), 1) for each in likely]
        for move, gain in found.gains:
            worths = [Solver(GAMES["block"], deal).gain(deal, deal.play(move)) for deal in deals]
            assert gain == Fraction(sum(map(mul, worths, counts)), sum(counts))


@pytest.mark.parametrize(
    ("slug", "options", "too_open"),
    [
        ("block", {}, True),
        ("block", {"draws": True}, False),
        ("all-fives", {}, True),
        ("all-threes", {"draws": False}, True),
        ("fives-and-threes", {}, True),
        ("draw", {}, False),
        ("domino-whist", {}, False),
    ],
)
def test_open_hands_tell_too_much_of_tiles_that_sleep_and_of_points_in_play(
    slug: str, options: dict[str, Any], too_open: bool
) -> None:
    state, _ = dealt_hand(slug, options, Random(1))
    assert state.turn is not None
    assert Deals(known_to(state.turn, slug, state), Random(1)).too_open == too_open


@pytest.mark.parametrize(("slug", "solves"), [("block", False), ("all-fives", False), ("draw", True)])
def test_where_open_hands_tell_too_much_and_many_deals_fit_he_does_not_look_to_the_end(slug: str, solves: bool) -> None:
    """He looks at the clock before each deal, and at every 32 positions of a search to the end."""
    state, _ = position(slug, Random(3), 6)
    assert state.turn is not None
    clock = ticking()
    found = think(GAMES[slug], known_to(state.turn, slug, state), LEVELS["brutal"], rng=Random(1), clock=clock, ms=2000)
    looks = round(1000 * clock())
    assert (found.deals < looks / 10) == solves
    assert (found.deals > looks / 2) == (not solves)


# --- what plays say about the tiles that are not seen --------------------------------------------------------
def habit(state: LayingState, move: Play, passed: dict[int, int]) -> int:
    """How much the seat on turn, whose tiles are known, likes a play; straight from what ``Habits`` says.
    ``passed``: by seat, the tiles that it has shown not to have."""
    habits = habits_of(state.rules)
    seats = len(state.opening.players)
    line, hand = state.line.lay(move.tile, move.end), [*members(state.holdings.known[move.seat])]
    rest = [tile for tile in hand if tile != move.tile]
    fitting = [tile for tile in range(COUNT) if line.fits(tile)]
    laid = {each.tile for each in state.moves if isinstance(each, Play)}
    liked = habits.point * state.rules.worth(line) + habits.pip * PIPS[move.tile]
    liked += habits.double * (move.tile in members(DOUBLES))
    able = sum(tile in fitting for tile in rest)
    liked += habits.follows * able + habits.stuck * bool(rest and not able)
    for step, lock in enumerate(habits.locks, 1):
        seat = (move.seat + step) % seats
        may = [t for t in range(COUNT) if t not in laid and t not in hand and not passed.get(seat, 0) >> t & 1]
        held = state.held()[seat]
        none = comb(sum(tile not in fitting for tile in may), held)
        liked += lock * (100 * none // comb(len(may), held)) // 100
    return liked


@pytest.mark.parametrize("slug", ["block", "domino-whist"])
def test_a_deal_is_less_likely_if_the_others_had_better_plays(slug: str) -> None:
    rng, seen = Random(slug), 0
    while seen < 20:
        end, _ = position(slug, rng, rng.randrange(2, 20))
        seat, begun = end.turn, LayingState.begin(end.opening, end.rules)
        assert seat is not None
        evidence, expected, passed, state = Evidence(known_to(seat, slug, end)), 1.0, dict[int, int](), begun
        for move in end.moves:
            if isinstance(move, Play) and move.seat != seat and not (state is begun and end.rules.lead_double):
                # A tile that fits two equal ends is one play.
                plays = {
                    (each.tile, tuple(sorted(state.play(each).ends.shown[:2], key=str))): habit(state, each, passed)
                    for each in state.legal()
                    if isinstance(each, Play)
                }
                made = plays[move.tile, tuple(sorted(state.play(move).ends.shown[:2], key=str))]
                share = 1 / sum(exp((each - made) / CARE) for each in plays.values())
                expected *= (1 - WHIM) * share + WHIM / len(plays)
            elif not isinstance(move, Play):
                passed[move.seat] = passed.get(move.seat, 0) | state.ends.fitting
            state = state.play(move)
        assert evidence.likelihood(end.holdings.known) == pytest.approx(expected)
        seen += bool(evidence.choices)


def test_what_a_seat_held_before_it_drew_is_not_judged() -> None:
    rng, seen = Random(5), 0
    while seen < 10:
        state, _ = position("draw", rng, 12)
        assert state.turn is not None
        other = 1 - state.turn
        drawn = [at for at, move in enumerate(state.moves) if isinstance(move, Draw) and move.seat == other]
        after = sum(isinstance(m, Play) and m.seat == other for m in state.moves[max(drawn, default=0) :])
        evidence = Evidence(known_to(state.turn, "draw", state))
        assert len(evidence.choices) == after - (not drawn and state.moves[0].seat == other)
        assert evidence.seen.held == state.held()
        seen += bool(drawn)


def test_a_beginner_lays_the_tile_that_scores_most() -> None:
    rng = Random(4)
    for _ in range(30):
        state, _ = position("all-fives", rng, rng.randrange(8))
        assert state.turn is not None
        known = known_to(state.turn, "all-fives", state)
        found = think(GAMES["all-fives"], known, LEVELS["beginner"], rng=rng, clock=ticking(), ms=50)
        points = {move: sum(s.points for s in known.play(move).scores[len(known.scores) :]) for move in known.legal()}
        assert (found.worth, points[found.move]) == (max(points.values()),) * 2


def test_he_stops_on_time() -> None:
    """He looks at the clock every few positions, and not again once his time is over."""
    for slug in NESTORS:
        state, _ = position(slug, Random(slug), 2)
        assert state.turn is not None
        known = known_to(state.turn, slug, state)
        clock = ticking()
        think(GAMES[slug], known, LEVELS["brutal"], rng=Random(1), clock=clock, ms=200)
        assert clock() <= 0.205


@pytest.mark.parametrize("slug", NESTORS)
@pytest.mark.parametrize("options", OPTIONS)
def test_he_plays_every_hand_to_its_end(slug: str, options: str) -> None:
    given = OPTIONS[options] if GAMES[slug].family else {}
    for level in ("easy", "not-so-easy", "brutal"):
        rng = Random(f"{slug} {level}")
        state, boneyard = dealt_hand(slug, given, rng)
        while state.end is None:
            assert state.turn is not None
            known = known_to(state.turn, slug, state)
            move = think(GAMES[slug], known, LEVELS[level], rng=rng, clock=ticking(), ms=10).move
            if isinstance(move, Draw):
                move = move._replace(tiles=(boneyard[-state.boneyard()],))
            state = state.play(move)


# --- the command -------------------------------------------------------------------------------------------
def test_the_answer_names_the_move_as_a_record_does() -> None:
    state, _ = position("all-fives", Random(3), 4)
    assert state.turn is not None
    record = recorded("all-fives", state, state.opening.deal)
    given = {"record": record, "seat": state.turn, "level": "tough", "ms": 100, "seed": 7}
    answer = asked(given, ticking())
    assert answer.keys() == {"move", "worth", "line", "deals", "exact"}
    assert answer["move"] in [move_json(move) for move in known_to(state.turn, "all-fives", state).legal()]
    assert answer["line"][0]["type"] == answer["move"]["type"]
    assert Fraction(answer["worth"]).denominator <= 1000 * answer["deals"]
    assert json.loads(json.dumps(answer)) == answer == asked(given, ticking())


def refused(given: dict[str, Any]) -> GameError:
    with pytest.raises(GameError) as error:
        asked(given, ticking())
    return error.value


def test_what_cannot_be_answered_gets_an_error_of_the_record() -> None:
    state, _ = position("block", Random(5), 3)
    seat = state.turn
    assert seat is not None
    whole, hidden = recorded("block", state, state.opening.deal), recorded("block", state)
    assert refused({"record": whole, "seat": 1 - seat}).code is Code.NOT_YOUR_TURN
    assert "own tiles" in refused({"record": hidden, "seat": seat}).message
    for field, value in (("seat", 2), ("level", "mild"), ("ms", -1), ("seed", "x")):
        assert refused({"record": whole, "seat": seat, field: value}).field == field
    laid = next(move for move in state.moves if isinstance(move, Play))
    again = {"seat": seat, "type": "play", "tile": NAMES[laid.tile], "end": "w"}
    twice = {**whole, "hands": [{**whole["hands"][0], "moves": [*whole["hands"][0]["moves"], again]}]}
    assert refused({"record": {k: v for k, v in twice.items() if k != "result"}, "seat": seat}).code in (
        Code.TILE_ALREADY_LAID,
        Code.NO_MATCH,
    )
    other = {**whole, "result": {"totals": [500, 0], "winners": [0]}}
    assert refused({"record": other, "seat": seat}).code is Code.RESULT_MISMATCH
    assert refused({"record": {**whole, "stopped": "abandoned"}, "seat": seat}).code is Code.HAND_OVER
    rng = Random(6)
    while state.end is None:
        state = state.play(rng.choice(state.legal()))
    assert refused({"record": recorded("block", state, state.opening.deal), "seat": seat}).code is Code.HAND_OVER
