"""Domino Whist against the package ``dominoes``: turns, plays, ends, pips left, and what follows for hidden hands.

The package plays four-player block hands. It lets who cannot lay pass by itself (None among its moves), ends a blocked
hand at once, lists a tile that fits two equal ends for the left one only, and pays one side the pips of all hands.
"""

import random
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

import dominoes
import dominoes.search

import games
from games import tiles
from games.base import End, Opening
from games.domino_whist import DominoWhist
from games.laying import LayingState
from games.moves import Move, Pass, Play
from games.record import HandRecord, deal_json, read_record
from games.solver import Solver

MATCH = games.Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
SEATS = range(4)
DOMINO = [dominoes.Domino(tiles.high(tile), tiles.low(tile)) for tile in range(tiles.COUNT)]
TILE = {domino: tile for tile, domino in enumerate(DOMINO)}

Deal = tuple[int, ...]
"""What each seat is dealt, a mask."""
Played = tuple[LayingState, dominoes.Game]
"""A hand at one moment, in both programs."""


def random_deal(rng: random.Random) -> Deal:
    shuffled = rng.sample(range(tiles.COUNT), tiles.COUNT)
    return tuple(tiles.mask(shuffled[7 * seat : 7 * seat + 7]) for seat in SEATS)


def new_game(deal: Deal, opener: int) -> dominoes.Game:
    hands = [dominoes.Hand(DOMINO[tile] for tile in tiles.members(hand)) for hand in deal]
    leads = tuple((domino, True) for domino in hands[opener])
    return dominoes.Game(dominoes.Board(), hands, [], opener, leads, opener, None)


def mask(hand: dominoes.Hand) -> int:
    return tiles.mask(TILE[domino] for domino in hand)


def written(move: Move) -> tuple[dominoes.Domino, bool] | None:
    """A move in the form of the package: the tile, and whether it goes to the left."""
    return (DOMINO[move.tile], move.end != "e") if isinstance(move, Play) else None


def listed(state: LayingState) -> list[tuple[dominoes.Domino, bool] | None]:
    """The legal plays here, in the form of the package."""
    equal = len(set(state.line.open.values())) == 1
    return [written(move) for move in state.legal() if isinstance(move, Play) and not (equal and move.end == "e")]


def played(deal: Deal, opener: int, choose: Callable[[list[Move]], Move]) -> Iterator[Played]:
    """A hand played in both programs at once: its state after every play, and at its end."""
    state, game = MATCH.opened(opener, deal), new_game(deal, opener)
    while state.end is None:
        legal = state.legal()
        if legal == [Pass(state.turn)]:
            assert game.result or game.turn != state.turn
            state = state.play(choose(legal))
        else:
            assert game.result is None
            yield state, game
            move = choose(legal)
            game.make_move(*written(move))
            state = state.play(move)
    yield state, game


def expected(state: LayingState) -> dominoes.Result:
    """The result of the package for a hand that has ended here: the bad points of both sides, for the better one."""
    ours, theirs = MATCH.with_hand(HandRecord(state.opening.opener, state.opening.deal, state.moves)).totals[:2]
    if state.end.by == "out":
        return dominoes.Result(state.end.seat, True, (-1) ** state.end.seat * (ours + theirs))
    lighter = (theirs > ours) - (theirs < ours)
    return dominoes.Result(state.end.seat, False, lighter * (ours + theirs))


def compare(state: LayingState, game: dominoes.Game) -> None:
    """Compares both programs: hands, turn, legal plays, moves, ends and result."""
    assert [mask(hand) for hand in game.hands] == state.holdings.known[:4]
    if state.end is None:
        assert game.turn == state.turn
        assert sorted(game.valid_moves) == sorted(listed(state))
        assert game.moves == [written(move) for move in state.moves]
    else:
        assert game.result == expected(state)
        unwritten = [None] * 4 if state.end.by == "blocked" else []
        assert game.moves + unwritten == [written(move) for move in state.moves]
    if state.line.laid:
        assert [game.board.left_end(), game.board.right_end()] == list(state.line.open.values())


def random_hands_agree(rng: random.Random, hands: int) -> set[str]:
    """Plays this number of random hands. Returns how they ended."""
    ends = set()
    for _ in range(hands):
        for state, game in played(random_deal(rng), rng.randrange(4), rng.choice):
            compare(state, game)
        ends.add(state.end.by)
    return ends


def test_only_tests_need_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    lists = {"the program": project["dependencies"], **project["optional-dependencies"]}
    assert [name for name, needed in lists.items() if any(each.startswith("dominoes") for each in needed)] == ["test"]


def test_random_hands_go_the_same_way() -> None:
    assert random_hands_agree(random.Random("dominoes"), 300) == {"out", "blocked"}


def test_our_random_matches_can_be_played_there() -> None:
    rng = random.Random("ours")
    record = games.random_match("domino-whist", {"target": 10**6}, MATCH.players, rng, hands=40, observed=False)
    for hand in read_record(record, games.GAMES).hands:
        moves = iter(hand.moves)
        for state, game in played(hand.deal, hand.opener, lambda _, moves=moves: next(moves)):
            compare(state, game)
        assert state.moves == hand.moves


class Theirs(DominoWhist):
    """Domino Whist, scored as the package does: one side is paid the pips of all hands."""

    lower_wins = False

    def paid(self, opening: Opening, end: End, pips: Sequence[int]) -> tuple[int, ...]:
        ours, theirs = pips[0] + pips[2], pips[1] + pips[3]
        lighter = None if ours == theirs else int(theirs < ours)
        better = end.seat if end.by == "out" else lighter
        return tuple(ours + theirs if better is not None and seat % 2 == better % 2 else 0 for seat in SEATS)


def test_their_search_finds_the_same_worth() -> None:
    rng, worths = random.Random("search"), set()
    for _ in range(60):
        # The package's search tries every play to the end, so the hand is half over.
        state, game = next(islice(played(random_deal(rng), rng.randrange(4), rng.choice), 15, None))
        solver = Solver(Theirs(), state)
        _, theirs = dominoes.search.alphabeta(game)
        worths.add(theirs)
        assert solver.worth(state) == (theirs if state.turn in (0, 2) else -theirs)
    assert min(worths) < 0 < max(worths)


def test_their_random_hands_are_valid_records() -> None:
    rng = random.Random("theirs")
    for _ in range(40):
        deal, opener = random_deal(rng), rng.randrange(4)
        game = new_game(deal, opener)
        while game.result is None:
            game.make_move(*rng.choice(game.valid_moves))
        moves = [
            {"seat": (opener + at) % 4}
            | ({"type": "play", "tile": tiles.NAMES[TILE[move[0]]]} if move else {"type": "pass"})
            | ({"end": "w" if move[1] else "e"} if move and at else {})
            for at, move in enumerate(game.moves + ([] if game.result.won else [None] * 4))
        ]
        record = {**MATCH.record(), "hands": [{"opener": opener, "moves": moves}]}
        left = [[tiles.NAMES[TILE[domino]] for domino in hand] for hand in game.hands]
        bad = [sum(sum(domino) for seat in side for domino in game.hands[seat]) for side in ((0, 2), (1, 3))]
        for told in ({"left": left}, {"deal": deal_json(deal, tiles.NAMES)}):
            verdict = games.verify({**record, "hands": [record["hands"][0] | told]})
            assert (verdict["errors"], verdict["hands"]) == ([], [[*bad, *bad]])


# --- hidden hands ------------------------------------------------------------------------------------------
def seen_by(state: LayingState, seats: Collection[int]) -> LayingState:
    """The hand as known by somebody who knows the deal of these seats."""
    deal = tuple(dealt if seat in seats else None for seat, dealt in enumerate(state.opening.deal))
    seen = MATCH.opened(state.opening.opener, deal)
    for move in state.moves:
        seen = seen.play(move)
    return seen


def test_passes_deny_the_same_tiles() -> None:
    rng = random.Random("missing")
    passed = 0
    for _ in range(60):
        for state, game in played(random_deal(rng), rng.randrange(4), rng.choice):
            if state.end or rng.random() < 0.7:
                continue
            holdings = seen_by(state, ()).holdings
            missing = game.missing_values()
            for seat in SEATS:
                assert holdings.may_have(seat) == holdings.unlaid & ~tiles.union(tiles.SUIT[n] for n in missing[seat])
            passed += any(missing)
    assert passed > 100


def hidden_hands_agree(rng: random.Random, hands: int, most: int) -> list[int]:
    """Compares what the player on turn can infer, once at most this many tiles are hidden. Returns the numbers of
    deals."""
    deals = []
    for _ in range(hands):
        for state, game in played(random_deal(rng), rng.randrange(4), rng.choice):
            if state.end or sum(state.held()) - state.held()[state.turn] > most:
                continue
            seen = seen_by(state, {state.turn})
            supposed = {tuple(map(mask, hands)) for hands in game.all_possible_hands()}
            assert {lie[:4] for lie in seen.holdings.hands()} == supposed
            assert seen.deals() == len(supposed)
            assert seen.whereabouts() == (*map(tiles.union, zip(*supposed, strict=True)), 0)
            deals.append(len(supposed))
    return deals


def test_hidden_hands_are_supposed_to_be_the_same() -> None:
    deals = hidden_hands_agree(random.Random("hidden"), 30, 7)
    assert len(deals) > 50
    assert 1 in deals
    assert max(deals) > 50
