"""Who stands better follows from the public record alone."""

from fractions import Fraction
from random import Random

import pytest

from games import GAMES, Match
from games.laying import LayingState
from games.moves import Draw, Play
from games.nestor.outlook import Outlook, outlook
from games.nestor.redeals import Redeals
from games.record import HandRecord
from games.solver import Solver
from tests.conftest import names_for
from tests.games.test_nestor import NESTORS, position, ticking


def match_of(slug: str, state: LayingState, deal: tuple[int | None, ...] | None) -> Match:
    """A match whose only hand is this one, dealt like this as far as the record says it."""
    new = Match.new(slug, state.opening.options, names_for(slug))
    hand = HandRecord(state.opening.opener, deal, state.moves)
    return Match.of(new.as_record()._replace(hands=(hand,)))


def found(match: Match, *, ms: int = 60) -> Outlook | None:
    return outlook(match, rng=Random(3), clock=ticking(), ms=ms)


@pytest.mark.parametrize("slug", NESTORS)
def test_whatever_is_hidden_the_value_is_the_same(slug: str) -> None:
    """Also if the record has what the tables entered: the deal, and the tiles that somebody drew."""
    rng, seen = Random(slug), 0
    while seen < 2:
        state, _ = position(slug, rng, rng.randrange(1, 12))
        public = match_of(slug, state, None).public()
        assert public.hand is not None
        holdings = public.hand.state.holdings
        if not holdings.whole and seen:
            continue  # somebody has drawn: another deal would need other draws
        others = [Redeals(holdings).draw(rng) for _ in range(2)] if holdings.whole else []
        seen += 1
        values = [found(match_of(slug, state, None)), found(match_of(slug, state, state.opening.deal))]
        for lie in others:
            laid = [sum(1 << m.tile for m in state.moves if isinstance(m, Play) and m.seat == n) for n in range(4)]
            deal = tuple(hand | was for hand, was in zip(lie[:-1], laid, strict=False))
            values.append(found(match_of(slug, state, deal)))
        assert all(value == values[0] for value in values)
        assert values[0] is not None


def test_tiles_that_a_phone_has_seen_drawn_change_nothing() -> None:
    rng = Random(5)
    while True:
        state, _ = position("draw", rng, 14)
        if any(isinstance(move, Draw) for move in state.moves):
            break
    seen = match_of("draw", state, state.opening.deal)
    assert seen.public() != seen, "the record has something hidden"
    assert found(seen) == found(seen.public())


def test_with_few_deals_it_is_the_mean_of_the_best_play_in_all_of_them() -> None:
    game, rng = GAMES["domino-whist"], Random(2)
    for _ in range(3):
        state, _ = position("domino-whist", rng, 24)
        match = match_of("domino-whist", state, None)
        assert match.hand is not None
        known = match.hand.state
        deals = [known.settled(hands) for hands in known.holdings.hands()]
        mean = Fraction(sum(Solver(game, deal).worth(deal) for deal in deals), len(deals))
        points = round(abs(mean))
        side = None if not points else known.turn % 2 if mean > 0 else 1 - known.turn % 2
        assert found(match, ms=10_000) == Outlook(side, points, len(deals), True)


def test_there_is_nothing_to_say() -> None:
    whist = Match.new("domino-whist", {}, ["Ana", "Bo", "Cleo", "Dan"])
    assert found(whist) is None, "before the first hand"
    begun = whist.enter({"kind": "hand", "opener": 0})
    assert found(begun) is None, "before the first tile"
    laid = begun.enter({"kind": "move", "move": {"seat": 0, "type": "play", "tile": "6-6"}})
    assert found(laid) is not None
    assert found(laid, ms=1) is None, "without time"


@pytest.mark.parametrize("slug", sorted(GAMES.keys() - NESTORS))
def test_other_games_have_none(slug: str) -> None:
    match = Match.new(slug, {}, names_for(slug))
    assert found(match.enter({"kind": "hand", "opener": 0})) is None
