"""Hands entered by their final state, alone or after some moves; sharing out tiles by pips."""

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

import games
from games.base import End, Opening
from games.course import LayingRules
from games.hand_end import PipsLeft, TilesLeft, can_be_left
from games.holdings import Holdings
from games.laying import LayingState
from games.line import Ends, Kind
from games.tiles import PIPS, mask, members, parse, union
from tests.games import second_opinion as slow
from tests.games.records import block, block_hand, first_error, hand, whist


# --- sharing out -------------------------------------------------------------------------------------------
def by_brute_force(
    state: LayingState, named: Sequence[int], counts: Sequence[TilesLeft], sums: Sequence[PipsLeft]
) -> bool:
    """Tries every way to give each tile to a holder, and to leave it there (or to draw and leave it) or not."""
    holdings, ended, told_of = state.holdings, state.end is not None, [each.seats for each in sums]
    unlaid = list(members(holdings.unlaid))
    counted = {seat for seats in told_of for seat in seats} | {seat for seat, tiles in enumerate(named) if tiles}

    def ways(tile: int) -> list[tuple[int | None, int | None]]:
        """Its holder (None: its location is known) and the seat that has it left."""
        at = [(None, location) for location, told in enumerate(holdings.known) if told >> tile & 1]
        at += [(h, owner) for h, owner in enumerate(holdings.owner) if holdings.may[h] >> tile & 1]
        result = []
        for holder, location in at:
            takers = (
                [location]
                if location < holdings.yard
                else list(range(holdings.yard))
                if not ended and state.rules.draws
                else []
            )
            result += [(holder, seat) for seat in takers if seat in counted]
            if not (ended and location in counted):
                result.append((holder, None))
        return result

    def share(at: int, room: list[int], left: list[list[int]]) -> bool:
        if at == len(unlaid):
            return (
                not any(room)
                and all(mask(left[s]) == tiles for s, tiles in enumerate(named) if tiles)
                and all(counts[s].least <= len(left[s]) <= counts[s].most for seats in told_of for s in seats)
                and all(each.least <= sum(PIPS[t] for s in each.seats for t in left[s]) <= each.most for each in sums)
            )
        for holder, seat in ways(unlaid[at]):
            if holder is not None and not room[holder]:
                continue
            rest = [space - (h == holder) for h, space in enumerate(room)]
            if share(at + 1, rest, [[*tiles, unlaid[at]] if s == seat else tiles for s, tiles in enumerate(left)]):
                return True
        return False

    return share(0, holdings.room, [[] for _ in named])


def random_sharing(rng: random.Random) -> tuple[LayingState, list[int], list[TilesLeft], list[PipsLeft]]:
    """A random moment in a hand of two players with few unlaid tiles, and something left."""
    tiles = rng.sample(range(28), rng.randint(1, 6))
    owner: tuple[int, ...] = (0, 1, 2, *rng.choices((0, 1), k=rng.randint(0, 2)))
    told, may, room = [0, 0, 0], [0] * len(owner), [0] * len(owner)
    for tile in tiles:
        holder = rng.randrange(len(owner))
        if owner[holder] < 2 and rng.random() < 0.2:
            told[owner[holder]] |= 1 << tile
        else:
            room[holder] += 1
            may[holder] |= 1 << tile
    question = union(may)
    may = [
        own | question & mask(rng.sample(range(28), rng.choice((0, 8, 16, 28)))) if n else 0
        for own, n in zip(may, room, strict=True)
    ]
    hidden = [sum(n for n, location in zip(room, owner, strict=True) if location == at) for at in range(3)]
    holdings = Holdings(mask(tiles), told, hidden, may, room, owner, (0, 1, *(None for _ in owner[2:])))
    opening = Opening({}, ("Ana", "Bo"), 0, 0, (None, None), frozenset(), (0, 0), None)
    end = rng.choice((None, End("blocked", 0)))
    how = LayingRules(7, (1, 0), draws=rng.random() < 0.5)
    state = LayingState(opening, how, Ends.of(Kind.PLAIN), holdings, (), None, end=end)
    counts = [TilesLeft(n, n) if end else TilesLeft(rng.randint(0, 1), n + state.boneyard()) for n in state.held()]
    hand = [list(members(holdings.may_have(seat)))[: counts[seat].most] for seat in (0, 1)]
    named = [0, 0]
    if rng.random() < 0.3 and hand[0]:
        named[0] = mask(rng.sample(hand[0], rng.randint(1, len(hand[0]))))
        if end and named[0].bit_count() != counts[0].most:
            named[0] = 0
    pips = [sum(PIPS[t] for t in tiles) for tiles in hand]
    groups = [(1,)] if named[0] else rng.choice(([(0,), (1,)], [(0, 1)], [(1,)], [(0,)]))
    if end and len(groups) == 1 and groups != [(0, 1)] and not named[0]:
        groups = [(0,), (1,)]
    sums = []
    for group in groups:
        said = max(0, sum(pips[s] for s in group) + rng.choice((0, 0, 1, -1, 4)))
        sums.append(PipsLeft(group, max(0, said - rng.choice((0, 0, 2))), said))
    return state, named, counts, sums


def test_sharing_out_by_counts_and_pips_is_what_trying_every_way_gives() -> None:
    rng = random.Random("share")
    answers = []
    for _ in range(600):
        state, named, counts, sums = random_sharing(rng)
        answers.append(can_be_left(state, state.holdings, named, counts, sums))
        assert answers[-1] == by_brute_force(state, named, counts, sums), (named, counts, sums)
    assert answers.count(True) > 100
    assert answers.count(False) > 100


def final(how: dict[str, Any], opener: int = 0, **more: Any) -> dict[str, Any]:
    return {"opener": opener, "final": how, **more}


def block_final(how: dict[str, Any], leader: int = 0, **more: Any) -> dict[str, Any]:
    return {"leader": leader, "final": how, **more}


# --- pips that can and cannot be ---------------------------------------------------------------------------
def most_pips(hands: int, each: int = 7) -> int:
    return sum(sorted((slow.pips([t]) for t in slow.TILES), reverse=True)[: hands * each])


@pytest.mark.parametrize(
    ("left", "out", "fits"),
    [
        ([0, 5, 5, 5], 0, True),
        ([0, 0, 5, 5], 0, True),  # Bo holds 0-0 alone
        ([0, 0, 0, 5], 0, False),  # only one can hold 0-0
        ([0, 5, 5, 5], None, True),
        ([0, 0, 5, 5], None, False),
        ([1, 1, 5, 5], None, False),  # 1 pip: 1-0, or 1-0 and 0-0
        ([0, 1, 5, 5], None, True),
        ([0, 60, 5, 5], 0, True),
        ([0, 70, 5, 5], 0, False),
        ([0, 62, 5, 5], 0, True),
        ([0, 168, 0, 0], 0, False),
        ([3, 5, 5, 5], 0, False),
        ([[], ["6-6"], ["6-6"], ["5-5"]], 0, False),
        ([[], [], ["6-6"], ["5-5"]], 0, False),
        ([["1-0"], ["2-0"], ["6-6"], ["5-5"]], 0, False),
        ([[], ["0-0"], 0, 5], 0, False),
        ([[], ["1-0"], 0, 5], 0, True),
        ([[], ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0", "5-5"], 3, 5], 0, False),
    ],
)
def test_a_final_state_is_refused_if_no_hands_have_it(left: list[Any], out: int | None, fits: bool) -> None:
    expected = None if fits else {"code": "left-mismatch", "hand": 0, "move": None, "proof": None}
    assert first_error(whist(final({"left": left, "out": out}))) == expected


@pytest.mark.parametrize(
    ("bad", "out", "fits"),
    [
        ([31, 12], 0, True),
        ([0, 12], 0, True),  # Cleo holds 0-0
        ([0, 12], None, False),
        ([0, 12], 1, False),
        ([1, 12], None, True),  # 1-0 and 0-0
        ([2, 12], None, True),
        ([1, 1], None, False),
        ([0, 1], 0, False),
        ([0, 3], 0, True),
        ([168, 0], 1, False),
        ([120, 1], None, False),
    ],
)
def test_bad_points_are_refused_if_no_hands_of_a_side_have_them(bad: list[int], out: int | None, fits: bool) -> None:
    expected = None if fits else {"code": "left-mismatch", "hand": 0, "move": None, "proof": None}
    assert first_error(whist(final({"bad": bad, "out": out}))) == expected


def sides_by_trying(out: int | None) -> set[tuple[int, int]]:
    """All pairs of bad points that two sides can have with few pips, by trying every pair of small sets of tiles."""
    light = sorted(slow.TILES, key=lambda t: slow.pips([t]))[:9]
    result = set()
    ways = [n for n in itertools.product(range(3), repeat=9) if n.count(1) <= 4 and n.count(2) <= 4]
    for way in ways:
        held = [slow.pips(t for t, w in zip(light, way, strict=True) if w == side) for side in (1, 2)]
        enough = all(way.count(side) >= (1 if out is not None and out % 2 == side - 1 else 2) for side in (1, 2))
        if enough and max(held) <= 4:
            result.add((held[0], held[1]))
    return result


@pytest.mark.parametrize("out", [None, 0, 1])
@pytest.mark.parametrize("debit", ["both", "higher"])
def test_the_smallest_bad_points_are_those_that_trying_every_hand_gives(debit: str, out: int | None) -> None:
    """If only the heavier side is debited, the bad points of the other side are 0, or its pips if those are known."""
    possible = sides_by_trying(out)
    for bad in itertools.product(range(5), repeat=2):
        fits = bad in possible
        if debit == "higher" and 0 in bad and bad[0] != bad[1]:
            heavy = bad.index(max(bad))
            fits = any(pair[heavy] == max(bad) and pair[1 - heavy] < max(bad) for pair in possible)
        record = whist(final({"bad": list(bad), "out": out}), options={"debit": debit})
        assert games.verify(record)["valid"] == fits, (bad, out)


@pytest.mark.parametrize(
    ("how", "options", "code"),
    [
        ({"table": [0, 0], "left": [[], ["5-2", "1-1"]], "out": 0}, {}, None),
        ({"table": [0, 0], "left": [14, 9], "out": None}, {}, None),
        ({"table": [0, 0], "left": [14, 9], "out": None, "last": 1}, {"block_award": "last"}, None),
        ({"table": [35, 20], "left": [[], ["5-2", "1-1"]], "out": 0}, {"fives": True}, None),
        ({"table": [35, 20], "left": [[], ["5-2", "1-1"]], "out": 0}, {}, "left-mismatch"),
        ({"table": [0, 0], "left": [["6-6"], ["5-2", "1-1"]], "out": 0}, {}, "left-mismatch"),
        ({"table": [0, 0], "left": [14, 0], "out": None}, {}, None),
        ({"table": [0, 0], "left": [0, 0], "out": None}, {}, "left-mismatch"),
        ({"table": [0, 0], "left": [3, 9], "out": 0}, {}, "left-mismatch"),
        ({"table": [0, 0], "left": [0, most_pips(1)], "out": 0}, {}, None),
        ({"table": [0, 0], "left": [0, most_pips(1) + 1], "out": 0}, {}, "left-mismatch"),
        ({"table": [40, 15], "reached": 0}, {"fives": True, "points_to_win": 40}, None),
        ({"table": [40, 15], "reached": 0}, {"fives": True, "points_to_win": 41}, "hand-unfinished"),
        ({"table": [40, 15], "reached": 1}, {"fives": True, "points_to_win": 40}, "hand-unfinished"),
        ({"table": [40, 15], "left": [[], 5], "out": 0}, {"fives": True, "points_to_win": 40}, None),
        ({"table": [40, 15], "left": [5, []], "out": 1}, {"fives": True, "points_to_win": 40}, "match-over"),
        ({"table": [40, 15], "left": [5, 9], "out": None}, {"fives": True, "points_to_win": 40}, "match-over"),
        ({"table": [40, 40], "reached": 0}, {"fives": True, "points_to_win": 40}, "match-over"),
    ],
)
def test_final_states_of_block(how: dict[str, Any], options: dict[str, Any], code: str | None) -> None:
    expected = code and {"code": code, "hand": 0, "move": None, "proof": None}
    assert first_error(block(block_final(how), options=options)) == expected


def test_the_pips_left_do_not_count_when_the_last_tile_reached_the_target() -> None:
    how = {"table": [40, 15], "left": [[], 5], "out": 0}
    verdict = games.verify(block(block_final(how), options={"fives": True, "points_to_win": 40}))
    assert (verdict["totals"], verdict["winners"], verdict["finished"]) == ([40, 15], [0], True)


# --- speed -------------------------------------------------------------------------------------------------
def hard_lefts() -> list[tuple[list[int], int | None]]:
    rng = random.Random("hard")
    lefts: list[tuple[list[int], int | None]] = []
    for total in (*range(8), *range(150, 170)):
        for _ in range(6):
            cuts = sorted(rng.randint(0, total) for _ in range(3))
            lefts.append(([b - a for a, b in itertools.pairwise([0, *cuts, total])], None))
    for _ in range(60):
        lefts.append(([0, *(rng.randint(35, 60) for _ in range(3))], 0))
        lefts.append(([rng.randint(30, 50) for _ in range(4)], None))
    lefts += [([42, 42, 42, 42], None), ([63, 63, 21, 21], None), ([62, 52, 39, 15], None), ([0, 62, 52, 39], 0)]
    return lefts


def test_final_states_by_pips_that_are_hard_to_tell_get_an_answer() -> None:
    codes = {
        (first_error(whist(final({"left": left, "out": out}))) or {"code": None})["code"] for left, out in hard_lefts()
    }
    assert codes == {None, "left-mismatch"}


# --- after moves that go only so far -----------------------------------------------------------------------
def some_deal_has(hand: dict[str, Any], rules: slow.Rules) -> bool:
    """Whether a deal fits the moves with which each seat still holds what the final state says."""
    played = slow.play(hand, hand["opener"], rules)
    unseen = [t for t in slow.TILES if t not in played.laid]
    can = [c & set(unseen) for c in slow.may_hold(hand, played, len(hand["moves"]), rules, ())]
    room = [n - sum(who == h for who, _ in played.laid.values()) for h, n in enumerate(slow.rooms(rules))]
    return any(
        all(
            _has(held, said, seat == hand["final"]["out"])
            for seat, (held, said) in enumerate(zip(deal, hand["final"]["left"], strict=True))
        )
        for deal in slow.deals(can, room, unseen)
    )


def _has(held: set[slow.Tile], said: Any, out: bool) -> bool:
    if isinstance(said, list):
        return {slow.tile(t) for t in said} <= held and bool(said) != out
    if out:
        return said == 0
    sizes = range(1, len(held) + 1)
    return any(slow.pips(part) == said for size in sizes for part in itertools.combinations(held, size))


def test_a_final_state_after_some_moves_is_refused_if_and_only_if_no_deal_has_it() -> None:
    rng = random.Random("so far")
    seen = {True: 0, False: 0}
    while min(seen.values()) < 25 or sum(seen.values()) < 120:
        deal, full = slow.random_hand(rng, slow.WHIST)
        upto = len(full["moves"]) - rng.randint(1, 5)
        part = {"opener": full["opener"], "moves": full["moves"][:upto]}
        if 28 - len(slow.play(part, part["opener"], slow.WHIST).laid) > 9:
            continue
        out = slow.play(full, full["opener"], slow.WHIST)
        out_seat = out.last if out.end == "out" else None
        left: list[Any] = [sorted(map(slow.text, held)) for held in slow.left_after(deal, full)[:4]]
        one, other = rng.sample(range(4), 2)
        if rng.random() < 0.6 and left[one] and left[other]:
            left[one][0], left[other][0] = left[other][0], left[one][0]
        left = [slow.pips(map(slow.tile, held)) if rng.random() < 0.4 else held for held in left]
        if rng.random() < 0.3:
            left = [said + rng.choice((-2, 2, 5)) if isinstance(said, int) and said > 1 else said for said in left]
        hand_told = {**part, "final": {"left": left, "out": out_seat}}
        fits = some_deal_has(hand_told, slow.WHIST)
        assert games.verify(whist(hand_told))["valid"] == fits, hand_told
        seen[fits] += 1


def test_moves_before_a_final_state_are_checked() -> None:
    so_far = {"final": {"left": [[], 5, 5, 5], "out": 0}}
    assert first_error(whist(hand("6-6 6-5e 5-4e", **so_far))) is None
    assert first_error(whist(hand("6-6 6-5e 4-3e", **so_far))) == {
        "code": "no-match",
        "hand": 0,
        "move": 2,
        "proof": None,
    }


def test_a_tile_left_that_was_laid_or_that_a_pass_denied_is_refused() -> None:
    laid = hand("6-6 6-5e 5-4e", final={"left": [[], ["6-5"], 5, 5], "out": 0})
    assert first_error(whist(laid)) == {"code": "left-mismatch", "hand": 0, "move": None, "proof": None}
    denied = hand("6-6 pass 6-4e", final={"left": [[], ["6-5"], 5, 5], "out": 0})
    assert first_error(whist(denied)) == {"code": "wrong-pass", "hand": 0, "move": 1, "proof": None}
    fine = hand("6-6 pass 6-4e", final={"left": [[], ["5-5"], 5, 5], "out": 0})
    assert first_error(whist(fine)) is None


def test_tiles_are_written_in_the_order_of_their_numbers() -> None:
    assert [parse(slow.text(t)) for t in slow.TILES] == list(range(28))


# --- final states beside moves that tell the same ----------------------------------------------------------
FIVES = {"fives": True}


@pytest.mark.parametrize(
    ("table", "code"), [([10, 10], None), ([30, 10], None), ([10, 5], "left-mismatch"), ([0, 0], "left-mismatch")]
)
def test_a_final_state_has_no_fewer_table_points_than_the_moves_made(table: list[int], code: str | None) -> None:
    told = {**block_hand("5-5 5-0e"), "final": {"table": table, "left": [[], 9], "out": 0}}
    error = first_error(block(told, options=FIVES))
    assert (error and error["code"]) == code


@pytest.mark.parametrize(
    ("last", "code"), [({"last": 0}, None), ({"last": 1}, "left-mismatch"), ({}, None)], ids=["same", "other", "unsaid"]
)
def test_who_goes_out_laid_the_last_tile(last: dict[str, int], code: str | None) -> None:
    told = {"leader": 0, "final": {"table": [0, 0], "left": [[], 5], "out": 0, **last}}
    error = first_error(block(told, options={"block_award": "last"}))
    assert (error and error["code"]) == code


def test_a_blocked_hand_that_pays_the_last_player_must_name_them() -> None:
    told = {"leader": 0, "final": {"table": [0, 0], "left": [14, 9], "out": None}}
    error = first_error(block(told, options={"block_award": "last"}))
    assert error == {"hand": 0, "move": None, "code": "malformed", "proof": None}
    assert first_error(block(told)) is None


@pytest.mark.parametrize(
    ("final", "message"),
    [
        ({"left": [[], 166], "out": 0}, "Bo cannot have 166 pips left: all the tiles they can have count 153."),
        ({"left": [0, 0], "out": None}, "Each count is possible, but not all of them: no tile can be in two hands."),
        ({"left": [90, 90], "out": None}, "These count 180 in all, but only 168 pips are not on the table."),
        ({"left": [["6-4"], []], "out": 0}, "Ana went out, so they have no tiles left."),
        ({"left": [5, 5], "out": 0}, "Ana went out, so they have no tiles left."),
        ({"left": [[], []], "out": 0}, "Bo did not go out, so they have at least one tile left."),
    ],
)
def test_what_cannot_be_left_says_why(final: dict[str, Any], message: str) -> None:
    told = {"leader": 0, "final": {"table": [0, 0], **final}}
    [error] = games.verify({**block(told), "game": "draw"})["errors"]
    assert error["code"] == "left-mismatch"
    assert message in error["message"]


@pytest.mark.parametrize(
    ("pips", "message"),
    [
        (200, "6 tiles cannot count 200: the heaviest that can be left count"),
        (1, "6 tiles cannot count 1: the lightest that can be left count"),
    ],
)
def test_pips_of_tiles_that_are_known_by_number_say_why(pips: int, message: str) -> None:
    told = block_hand("6-6 pass pass", left=[pips, 40])
    [error] = games.verify(block(told))["errors"]
    assert message in error["message"]


def test_one_tile_cannot_count_fifty() -> None:
    record = games.random_match("block", {}, ["Ana", "Bo"], random.Random(3), hands=40)
    match = games.Match.of(games.read_record(record, games.GAMES))
    held, number = next(
        (hand.state.held(), number)
        for number, hand in enumerate(match.hands)
        if hand.state.end and hand.state.end.by == "out" and 1 in hand.state.held()
    )
    left = [50 if count else 0 for count in held]
    with pytest.raises(games.Illegal, match="One tile cannot count 50: the heaviest that can be left counts"):
        match.enter({"kind": "replace", "hand": number, "with": {**record["hands"][number], "left": left}})


def test_a_final_state_may_repeat_what_moves_and_deal_tell_and_nothing_else() -> None:
    played = games.random_match("block", {}, ["Ana", "Bo"], random.Random(5), hands=1, observed=False)
    whole = played["hands"][0]
    dealt, laid = whole["deal"], {move["tile"] for move in whole["moves"] if move["type"] == "play"}
    left = [[tile for tile in hand if tile not in laid] for hand in dealt]
    out = next((seat for seat in (0, 1) if not left[seat]), None)
    right = {"table": [0, 0], "left": left, "out": out}
    assert first_error({**played, "hands": [{**whole, "final": right}]}) is None
    error = first_error({**played, "hands": [{**whole, "final": {**right, "left": [[], ["6-6"]], "out": 0}}]})
    assert error is not None
    assert error["code"] == "left-mismatch"


# --- deals that fit what is left -----------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["domino-whist", "block", "draw", "all-fives"])
def test_what_is_told_at_the_end_narrows_the_deals_to_those_that_fit(game: str) -> None:
    """Counts twice: by pips, and by trying every possible position of the tiles, with the tiles named."""
    tried = 0
    for seed in range(12):
        players = ["Ana", "Bo", "Cleo", "Dan"][: games.GAMES[game].seats[0]]
        played = games.random_match(game, {}, players, random.Random(seed), hands=1)["hands"][0]
        named = tuple(tuple(parse(text) for text in tiles) for tiles in played.pop("left"))
        state = games.Match.new(game, {}, players).enter({"kind": "hand", **played}).hands[-1].state
        pips = tuple(sum(PIPS[tile] for tile in tiles) for tiles in named)
        assert 1 <= state.deals(named) <= state.deals(pips) <= state.deals()
        assert state.whereabouts(named)[: len(players)] == tuple(mask(tiles) for tiles in named)
        if state.deals() > 3_000:
            continue
        tried += 1
        ways = [
            hands[: len(players)]
            for hands in state.holdings.hands()
            if all(sum(PIPS[t] for t in members(hand)) == told for hand, told in zip(hands, pips, strict=False))
        ]
        can = [union(hands[seat] for hands in ways) for seat in range(len(players))]
        assert list(state.whereabouts(pips)[: len(players)]) == can
        if not state.rules.draws:
            assert state.deals(pips) == len(ways)
    assert tried
