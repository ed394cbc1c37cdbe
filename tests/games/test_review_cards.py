"""Reviews of Domizerka, DOM and Dominards: what was known at each choice, what it cost, and what is left out."""

import json
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from games import GAMES, Match
from games.base import points_of
from games.dom import PACK
from games.moves import Contract, Discard, Follow, Move, PlaceCard, Play, Roll
from games.nestor.positions import Position, is_choice, positions, same
from games.nestor.review import TRICK, Reviewed, as_json, chances, from_json, reviewed
from games.random_play import random_match
from games.record import read_record
from games.tiles import members
from tests.games.test_nestor import ticking

SEATS = [("domizerka", 3), ("dom", 2), ("dominards", 2), ("dominards", 3), ("dominards", 4)]
PLAYERS = ["Ana", "Bo", "Cleo", "Dan"]


@cache
def played(slug: str, seats: int, seed: int = 1, *, hands: int = 2, observed: bool = False) -> Match:
    """A match of random hands that is over; if not ``observed``, with all tiles and cards."""
    rng = Random(f"{slug} {seats} {seed}")
    record = random_match(slug, {}, PLAYERS[:seats], rng, hands, observed=observed)
    return Match.of(read_record({**record, "stopped": "time"}, GAMES))


def choices_of(match: Match) -> list[tuple[int, int, Move]]:
    return [
        (number, at, move)
        for number, hand in enumerate(match.hands)
        for at, move in enumerate(hand.state.moves)
        if is_choice(move)
    ]


@pytest.mark.parametrize(("slug", "seats"), SEATS)
def test_each_seat_knows_what_it_would_in_play(slug: str, seats: int) -> None:
    """In a record with all tiles and cards, every choice is there, with what `Match.seen_by` says its seat knew."""
    match = played(slug, seats)
    record, found = match.as_record(), positions(match)
    assert [(each.hand, each.at, each.move) for each in found] == choices_of(match)
    for each in found[:: 1 + len(found) // 25]:
        hands = record.hands[: each.hand + 1]
        until = hands[-1]._replace(moves=match.hands[each.hand].state.moves[: each.at], ending=None)
        seen = Match.of(record._replace(hands=(*hands[:-1], until), stopped=None)).seen_by(each.move.seat)
        assert seen.hand is not None
        state: Any = seen.hand.state
        for skipped in skips(each, state):
            state = state.play(skipped)
        assert each.known.turn == each.move.seat
        assert known(each.known, each.move) == known(state, each.move)


def skips(position: Position, state: Any) -> list[Discard]:
    """Exchanges of nothing, by the seats that were passed over before this one."""
    if not isinstance(position.move, Discard):
        return []
    return [Discard(seat, 0, (), ()) for seat in state.waiting[: state.waiting.index(position.move.seat)]]


def known(state: Any, move: Move) -> Any:
    """What a seat knows, and may do."""
    if isinstance(move, PlaceCard):
        return state.playable(move.seat), state.legal()
    legal = [each for each in state.legal() if isinstance(each, type(move))]
    return state.holdings.known[move.seat], state.whereabouts(), legal


def test_a_deal_of_domizerka_is_known_by_its_plays() -> None:
    """A record of the table has no tiles, but each hand is played to its end. What was exchanged is not reviewed."""
    match = played("domizerka", 3, observed=True)
    found = positions(match)
    named = [(n, at, move) for n, at, move in choices_of(match) if not isinstance(move, Discard)]
    assert [(each.hand, each.at, each.move) for each in found] == named
    whole = {(each.hand, each.at): each for each in positions(played("domizerka", 3))}
    assert len(whole) > len(found)
    for each in found:
        later = [
            move.tile
            for move in match.hands[each.hand].state.moves[each.at :]
            if isinstance(move, Follow) and move.seat == each.move.seat
        ]
        assert [*members(each.known.holdings.known[each.move.seat])] == sorted(later)


def test_after_all_tiles_are_drawn_an_exchange_of_none_is_no_choice() -> None:
    """The caller takes the whole boneyard, and the next one says so."""
    whole = played("domizerka", 3).as_record()
    first = whole.hands[0]
    assert first.deal is not None
    match = Match.of(whole._replace(hands=(first._replace(moves=(), ending=None),), stopped=None))
    state: Any = match.hands[0].state
    caller, second = state.player, (state.player + 1) % 3
    held = (*members(state.holdings.known[caller]),)
    drawn = (*members(state.holdings.may[state.holdings.yard]),)
    moves = (Contract(caller, "zero"), Discard(caller, 7, held, drawn), Discard(second, 0))
    hand = first._replace(moves=moves, ending=None)
    over = Match.of(whole._replace(hands=(hand,), stopped="time"))
    assert [each.move for each in positions(over)] == [moves[1]]


def test_no_contract_is_reviewed() -> None:
    for observed in (False, True):
        match = played("domizerka", 3, observed=observed)
        assert any(isinstance(move, Contract) for hand in match.hands for move in hand.state.moves)
        assert not any(isinstance(each.move, Contract) for each in positions(match))


def test_a_game_of_dom_is_known_by_its_cards() -> None:
    match = played("dom", 2, observed=True)
    assert len(positions(match)) == len(choices_of(match)) == 32


def test_players_whose_cards_are_not_known_are_left_out() -> None:
    """They are known if somebody entered them, or if all were dropped."""
    record = played("dominards", 3).as_record()
    assert record.cards is not None
    mine = tuple(pack if seat == 1 else None for seat, pack in enumerate(record.cards))
    assert {each.move.seat for each in positions(Match.of(record._replace(cards=mine)))} == {1}
    whole = played("dominards", 3, hands=99)
    outcome = whole.hands[-1].outcome
    assert outcome is not None
    dropped = [gone.bit_count() for gone in outcome.carried]
    assert 5 in dropped
    hidden = Match.of(whole.as_record()._replace(cards=None))
    assert {each.move.seat for each in positions(hidden)} == {seat for seat, gone in enumerate(dropped) if gone == 5}


# --- what it cost ------------------------------------------------------------------------------------------
@cache
def review(slug: str, seats: int) -> list[Reviewed]:
    match, ms = played(slug, seats, hands=1), 60 if slug == "dom" else 20
    return [*reviewed(match, ms=ms, opened_ms=0, rng=Random(1), clock=ticking())]


@pytest.mark.parametrize(("slug", "seats"), SEATS)
def test_what_was_made_is_among_the_best(slug: str, seats: int) -> None:
    match = played(slug, seats, hands=1)
    found = {(play.hand, play.at): play for play in review(slug, seats)}
    assert len(found) == len(choices_of(match))
    for number, at, move in choices_of(match):
        play = found[number, at]
        assert same(play.choices[play.played].move, move)
        worths = [choice.worth for choice in play.choices]
        assert worths == sorted(worths, reverse=True)
        assert play.loss >= 0
        assert len(play.choices) <= 5
        assert {choice.opened for choice in play.choices} == {None}
        assert from_json(json.loads(json.dumps(as_json(play))), match.game, seats) == play


def test_points_made_before_are_those_above_the_others() -> None:
    match = played("dominards", 3, hands=1)
    for play in review("dominards", 3):
        scores = 0
        state: Any = match.game.begin(match.hands[0].state.opening)
        for move in match.hands[0].state.moves[: play.at]:
            state = state.play(move)
        points = points_of(3, state.scores)
        scores = sum(points) - points[play.seat]
        assert play.made == points[play.seat] - Fraction(scores, 2)


def test_the_last_cards_of_dom_cost_exactly_what_they_cost() -> None:
    """With two cells free, every card that the other may have was tried."""
    match = played("dom", 2, hands=1)
    play = next(play for play in review("dom", 2) if play.at == 14)
    position = next(each for each in positions(match) if each.at == 14)
    unseen = [*members(PACK & ~position.known.placed() & ~position.known.playable(play.seat))]
    assert (play.exact, play.deals) == (True, len(unseen))
    for choice in play.choices:
        gains = []
        for card in unseen:
            after = position.known.play(choice.move)
            end = after.play(PlaceCard(1 - play.seat, card, after.cells()[0]))
            points = points_of(2, end.scores[len(position.known.scores) :])
            gains.append(points[play.seat] - points[1 - play.seat])
        assert choice.worth == Fraction(sum(gains), len(gains))


def test_a_lost_trick_is_a_clear_mistake() -> None:
    play = next(
        play for play in review("domizerka", 3) if len(play.choices) > 1 and isinstance(play.choices[0].move, Follow)
    )
    assert play.unit == TRICK

    def size(tricks: Fraction) -> str:
        worths = (tricks * 3 / 2, Fraction(0))
        two = tuple(choice._replace(worth=worth) for choice, worth in zip(play.choices[:2], worths, strict=True))
        return play._replace(choices=two, played=1, exact=True).size

    sizes = [size(Fraction(tricks)) for tricks in ("0", "1/2", "1", "2")]
    assert sizes == ["", "small", "clear", "big"]


def test_what_dice_show_is_no_choice() -> None:
    rolls = [play for play in review("dominards", 4) if isinstance(play.choices[0].move, Roll)]
    assert rolls
    for play in rolls:
        numbers = [len(choice.move.dice) for choice in play.choices if isinstance(choice.move, Roll)]
        assert sorted(numbers) == [2, 4]


# --- chances -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("slug", "seats"), [each for each in SEATS if each[0] != "dom"])
def test_the_chances_of_all_tiles_add_up(slug: str, seats: int) -> None:
    for observed in (False, True):
        for each in positions(played(slug, seats, observed=observed))[1::4]:
            holdings, seat = each.known.holdings, each.move.seat
            found = chances(each.known)
            seen = holdings.known[seat] | holdings.known[holdings.yard]
            assert {chance.tile for chance in found} == {*members(holdings.unlaid & ~seen)}
            assert all(sum(chance.at) == 1 for chance in found)
            for place, number in enumerate(holdings.hidden):
                assert sum(chance.at[place] for chance in found) == number


def test_in_dom_every_unseen_card_is_as_likely() -> None:
    assert not chances(positions(played("dom", 2))[3].known)


def test_a_play_that_names_more_than_it_must_is_the_same() -> None:
    assert same(Play(0, 5, "w"), Play(0, 5))
    assert not same(Play(0, 5, "w"), Play(0, 5, "e"))
    assert same(Follow(1, 5, 2), Follow(1, 5))
    assert same(Roll(0, (1, 2)), Roll(0, (6, 6)))
    assert not same(Roll(0, (1, 2)), Roll(0, (6, 6, 6, 6)))
    assert same(Discard(0, 2, (4, 9)), Discard(0, 2, (9, 4), (1, 2)))
