"""Reviews of published and random hands: what a person can check, what sums say, and that nothing hidden counts."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES, Match
from games.errors import Malformed
from games.moves import Draw, Play, unseen
from games.nestor.laying import FEW
from games.nestor.positions import known_before, positions
from games.nestor.review import Reviewed, as_json, chances, from_json, reviewed
from games.record import HandRecord, read_record
from games.tiles import NAMES, members
from tests.games.test_nestor import NESTORS, PLAYERS, ticking
from tests.games.test_solver import ahead, dealt_hand, moves

RECORDS = Path(__file__).parents[1] / "data" / "records"
UNLIMITED = 10**9


def recorded(name: str, *, hands: slice = slice(None)) -> Match:
    """A record of the tests, or some of its hands: the first ones, or one alone if nothing of it depends on others."""
    record = read_record(json.loads((RECORDS / f"{name}.json").read_text())["record"], GAMES)
    record = record._replace(hands=record.hands[hands], result=None, stopped="abandoned")
    return Match.of(record)


def review(match: Match, *, ms: int = 3, opened_ms: int = 0) -> list[Reviewed]:
    """With a clock that only counts how often Nestor looks at it."""
    return [*reviewed(match, ms=ms, opened_ms=opened_ms, rng=Random(1), clock=ticking())]


def at(plays: list[Reviewed], hand: int, move: int) -> Reviewed:
    return next(play for play in plays if (play.hand, play.at) == (hand, move))


def laid(move: Any) -> str:
    return f"{NAMES[move.tile]}{move.end or ''}"


@pytest.fixture(scope="module")
def whist() -> list[Reviewed]:
    """The review of a published record of Domino Whist, with all hands known from the tenth play before the end on."""
    return review(recorded("domino_whist"), ms=400, opened_ms=100)


def test_a_forced_win_missed_is_a_mistake(whist: list[Reviewed]) -> None:
    """Bo holds 5-2 and 4-2, the ends are 2 and 5. With 5-2 at the 5, both ends are 2. The only other tiles with a 2 are
    3-2 and 2-2, and they cannot close both ends, so Bo goes out with the 4-2 in every deal. Bo laid it at the 2."""
    missed = at(whist, 1, 24)
    best, *others = missed.choices
    assert laid(best.move) == "5-2e"
    assert missed.exact
    assert missed.deals == 10
    assert 18 < best.worth < 25
    assert all(choice.worth < best.worth - 7 for choice in others)
    assert laid(missed.choices[missed.played].move) == "5-2w"
    assert missed.size == "big"
    assert (best.opened, missed.opened_loss) == (23, 11)
    assert [laid(move) for move in missed.line if isinstance(move, Play)] == ["5-2e", "3-2w", "4-2e"]


def test_who_loses_anyway_gets_rid_of_the_heavy_tile(whist: list[Reviewed]) -> None:
    """Cleo holds 5-5, 4-4 and 0-0, the ends are 5 and 0. The next two, who have one and two tiles left, end the hand
    before her next turn, so she keeps ten pips too many by laying the blank."""
    kept = at(whist, 7, 23)
    assert [laid(choice.move) for choice in kept.choices] == ["5-5w", "0-0e"]
    assert kept.exact
    assert (kept.loss, kept.opened_loss) == (10, 10)
    assert kept.size == "big"
    assert [laid(move) for move in kept.line] == ["5-5w", "5-2w", "2-1w"]


def test_an_only_move_is_never_a_mistake(whist: list[Reviewed]) -> None:
    alone = [play for play in whist if len(play.choices) == 1]
    assert len(alone) > 50
    assert {(play.loss, play.size, play.line) for play in alone} == {(0, "", ())}
    assert {play.opened_loss for play in alone} <= {0, None}


def test_the_best_play_comes_first_and_no_play_gains_on_it(whist: list[Reviewed]) -> None:
    for play in whist:
        worths = [choice.worth for choice in play.choices]
        assert worths == sorted(worths, reverse=True)
        assert play.loss >= 0
        assert bool(play.line) == (play.opened_loss is not None and len(play.choices) > 1)


def test_a_sample_of_few_deals_must_show_more() -> None:
    only = review(recorded("block", hands=slice(1)), ms=0)[0]
    two = tuple(only.choices[0]._replace(worth=Fraction(worth)) for worth in (3, 0))
    doubted = only._replace(choices=two, played=1)
    sizes = [doubted._replace(deals=deals, exact=exact).size for deals, exact in ((16, False), (64, False), (3, True))]
    assert sizes == ["", "small", "small"]


@pytest.mark.parametrize(("name", "hands"), [("block", slice(None)), ("domino_whist", slice(1))])
def test_with_open_hands_the_losses_add_up_to_what_the_play_fell_short(name: str, hands: slice) -> None:
    """What perfect play is worth at the beginning, less what each play of a side lost, plus what each of the other side
    lost, is the result."""
    match = recorded(name, hands=hands)
    plays = review(match, ms=0, opened_ms=UNLIMITED)
    known = 0
    for number, group in groupby(plays, lambda play: play.hand):
        hand = [*group]
        laying = [move for move in match.hands[number].state.moves if isinstance(move, Play)]
        assert len(hand) == len(laying)
        first = hand[0].seat
        own = next(side for side in match.sides if first in side)
        worth = max(choice.opened for choice in hand[0].choices if choice.opened is not None)
        losses = [play.opened_loss for play in hand]
        assert all(loss is not None and loss >= 0 for loss in losses)
        signed = sum(-(loss or 0) if play.seat in own else loss or 0 for play, loss in zip(hand, losses, strict=True))
        assert worth + signed == lead(match, number, first)
        known += 1
    assert known == len(match.hands)


def lead(match: Match, number: int, seat: int) -> int:
    """The points by which the side of a seat won a hand."""
    points = match.hands[number].points
    own, other = sorted(match.sides, key=lambda side: seat not in side)
    won = points[own[0]] - points[other[0]]
    return -won if match.game.lower_wins else won


# --- what was known ----------------------------------------------------------------------------------------
def played(slug: str, rng: Random) -> Match:
    """A match of one random hand whose tiles are all known, also those drawn."""
    state, boneyard = dealt_hand(slug, {}, rng)
    while state.end is None:
        state = state.play(rng.choice(moves(state, boneyard)))
    assert ahead(slug, state, 0) == -ahead(slug, state, 1)
    match = Match.new(slug, state.opening.options, PLAYERS[: GAMES[slug].seats[0]])
    hand = HandRecord(state.opening.opener, state.opening.deal, state.moves)
    return Match.of(match.as_record()._replace(hands=(hand,), stopped="abandoned"))


def random_matches() -> Iterator[tuple[str, Match]]:
    for slug in NESTORS:
        for seed in range(4):
            yield slug, played(slug, Random(f"{slug} {seed}"))


@pytest.mark.parametrize(("slug", "match"), [*random_matches()])
def test_each_seat_knows_what_it_would_in_play(slug: str, match: Match) -> None:
    """The same places for all tiles, and as many deals, as in the match up to there, seen by this seat."""
    hand = match.hands[0]
    found = positions(match)
    assert len(found) == sum(isinstance(move, Play) for move in hand.state.moves)
    record = match.as_record()
    for each in found:
        until = record.hands[0]._replace(moves=hand.state.moves[: each.at], ending=None)
        seen = Match.of(record._replace(hands=(until,), stopped=None)).seen_by(each.move.seat)
        assert seen.hand is not None
        assert each.known.whereabouts() == seen.hand.state.whereabouts()
        assert each.known.deals() == seen.hand.state.deals()
        assert each.known.legal() == seen.hand.state.legal()
        assert each.opened is None or each.opened[0].holdings.held == each.known.holdings.held


def test_without_a_deal_what_was_laid_drawn_and_left_says_what_was_held() -> None:
    """In the first hand, Bo drew two tiles and then laid one of them. Which was the other, nobody knows, so what Bo
    held before is not known; after that it is."""
    match = recorded("all_fives", hands=slice(1))
    draws = [number for number, move in enumerate(match.hands[0].state.moves) if isinstance(move, Draw)]
    found = {(each.move.seat, each.at) for each in positions(match)}
    plays = {(move.seat, n) for n, move in enumerate(match.hands[0].state.moves) if isinstance(move, Play)}
    assert draws == [10, 11]
    assert plays - found == {(1, number) for number in (0, 2, 4, 6, 8)}
    after = next(each for each in positions(match) if each.at == 12)
    assert {NAMES[each] for each in members(after.known.holdings.known[1])} == {"4-3", "4-0", "5-5", "5-4"}


def test_the_order_of_the_boneyard_is_known_or_nothing_is_said() -> None:
    """Each hand with its draws named, and again with hidden ones: no other order is made up."""
    known = 0
    for seed in range(40):
        match = played("draw", Random(seed))
        record = match.as_record()
        hand = record.hands[0]
        hidden = Match.of(record._replace(hands=(hand._replace(moves=tuple(map(unseen, hand.moves or ()))),)))
        named = {each.at: each.opened for each in positions(match)}
        for each in positions(hidden):
            if each.opened is not None:
                order = named[each.at]
                assert order is not None
                assert order[1] == each.opened[1]
                known += 1
    assert known


def test_what_others_held_changes_nothing() -> None:
    """A record without the tiles of the others gives the same knowledge for the plays of the first seat."""
    match = played("domino-whist", Random(3))
    record = match.as_record()
    hand = record.hands[0]
    whole = Match.of(record)
    mine = [each for each in positions(whole) if each.move.seat == hand.moves[0].seat]
    alone = tuple(tiles if seat == hand.moves[0].seat else None for seat, tiles in enumerate(hand.deal or ()))
    hidden = Match.of(record._replace(hands=(hand._replace(deal=alone, ending=None),)))
    kept = [each for each in positions(hidden) if each.move.seat == hand.moves[0].seat]
    assert [(each.at, each.known.whereabouts()) for each in mine] == [
        (each.at, each.known.whereabouts()) for each in kept
    ]


# --- chances -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("slug", "match"), [*random_matches()])
def test_the_chances_of_all_tiles_add_up(slug: str, match: Match) -> None:
    """Each unseen tile is somewhere, and each place has as many tiles as it holds."""
    for each in positions(match)[1:]:
        holdings = each.known.holdings
        found = chances(each.known)
        assert {chance.tile for chance in found} == set(members(holdings.unlaid & ~holdings.known[each.move.seat]))
        assert all(sum(chance.at) == 1 for chance in found)
        for place, number in enumerate(holdings.held):
            expected = 0 if place == each.move.seat else number
            assert sum(chance.at[place] for chance in found) == expected


def test_chances_are_those_of_all_deals_counted_one_by_one() -> None:
    counted = 0
    for each in positions(played("domino-whist", Random(5))):
        if not each.known.ends.begun or each.known.holdings.deals() > FEW:
            continue
        deals = [*each.known.holdings.hands()]
        held = Counter((tile, place) for deal in deals for place, tiles in enumerate(deal) for tile in members(tiles))
        for chance in chances(each.known):
            assert chance.at == tuple(Fraction(held[chance.tile, place], len(deals)) for place in range(len(chance.at)))
            counted += 1
    assert counted > 10


def test_before_the_first_play_everybody_may_have_every_tile_alike() -> None:
    state = known_before(recorded("domino_whist", hands=slice(1)), 0, 0)
    assert state is not None
    found = chances(state)
    assert len(found) == 21
    third = Fraction(1, 3)
    assert {chance.at for chance in found} == {(0, third, third, third, 0)}


# --- what cannot be reviewed, and what is kept -------------------------------------------------------------
def test_a_match_in_play_is_not_reviewed() -> None:
    match = Match.of(recorded("block", hands=slice(1)).as_record()._replace(stopped=None))
    assert not match.finished
    with pytest.raises(Malformed, match="when it is over"):
        positions(match)


def test_a_hand_of_which_only_the_end_is_known_has_nothing_to_review() -> None:
    record = recorded("domino_whist", hands=slice(1)).as_record()
    final = {"left": [[], 6, 5, 4], "out": 0}
    bare = Match.of(record._replace(hands=(HandRecord(0, None, None, None, final),)))
    assert positions(bare) == []


def test_what_is_kept_reads_back_the_same(whist: list[Reviewed]) -> None:
    for play in whist:
        kept = json.loads(json.dumps(as_json(play)))
        assert from_json(kept, GAMES["domino-whist"], 4) == play
