"""Nestor in Domizerka, DOM and Dominards: what he may do, what he may know, and what he finds."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from random import Random
from typing import Any

import pytest

from games import GAMES, Match, cards
from games.base import points_of
from games.dom import PACK, DomState
from games.dominards import CARDS, DominardsState
from games.errors import GameError
from games.moves import Discard, Draw, Follow, Move, PlaceCard, Play, Roll
from games.nestor import LEVELS, Thought, square, star, think, tricks
from games.nestor.asked import asked
from games.nestor.redeals import Redeals
from games.random_play import dealt
from games.record import HandRecord
from games.tiles import ALL, COUNT, mask, members, union

SEATS = [("domizerka", 3), ("dom", 2), ("dominards", 2), ("dominards", 3), ("dominards", 4)]
PLAYERS = ("Ana", "Bo", "Cleo", "Dan")


def ticking(step: float = 0.001) -> Any:
    """A clock that goes on by ``step`` seconds whenever somebody looks at it."""
    return (n * step for n in count()).__next__


class Table:
    """A hand in play: as it is, and as each seat knows it."""

    def __init__(self, slug: str, seats: int, rng: Random) -> None:
        self.game, self.rng = GAMES[slug], rng
        self.match = Match.new(slug, {}, PLAYERS[:seats])
        if self.game.starts_with_cards:
            packs = dealt(rng, cards.COUNT, seats, CARDS)
            entry = {"kind": "cards", "cards": [[cards.NAMES[n] for n in members(each)] for each in packs]}
            self.match = self.match.enter(entry)
        self.boneyard: list[int] = []
        while not self.match.hands:
            self._deal()

    def _deal(self) -> None:
        seats = len(self.match.players)
        deal = dealt(self.rng, cards.COUNT if self.game.deals_cards else COUNT, seats, self.game.dealt)
        for opener in self.rng.sample(range(seats), seats):
            try:
                self.match = self.match.with_hand(HandRecord(opener, deal, ()))
            except GameError:
                continue  # another seat has the heaviest double, or none has one
            if not self.game.deals_cards:
                self.boneyard = [*members(ALL & ~union(deal))]
                self.rng.shuffle(self.boneyard)
            return

    @property
    def state(self) -> Any:
        return self.match.hands[0].state

    @property
    def seat(self) -> int:
        assert self.state.turn is not None
        return int(self.state.turn)

    def seen(self) -> Any:
        """The hand as the seat on turn knows it."""
        return self.match.seen_by(self.seat).hands[0].state

    def enter(self, move: Move) -> None:
        if isinstance(move, Draw):
            move = move._replace(tiles=(self.boneyard.pop(),))
        elif isinstance(move, Discard):
            held = [*members(self.state.holdings.known[move.seat])]
            away = self.rng.sample(held, move.number) if move.tiles is None else move.tiles
            drawn = [self.boneyard.pop() for _ in range(move.number)]
            move = move._replace(tiles=tuple(away), drawn=tuple(drawn))
        self.match = self.match.with_move(move)

    def random_moves(self, number: int) -> bool:
        """Plays so many moves at random. Returns whether the hand is still in play."""
        for _ in range(number):
            if self.state.turn is None:
                return False
            moves = [move for move in self.state.legal() if move.seat == self.seat]
            self.enter(self.rng.choice(moves))
        return self.state.turn is not None


def tables(slug: str, seats: int, number: int, most: int, seed: str = "") -> Iterator[Table]:
    """Hands after at most so many random moves, in which somebody is to move."""
    rng = Random(f"{slug} {seats} {seed}")
    while number:
        table = Table(slug, seats, rng)
        if table.random_moves(rng.randrange(most)):
            number -= 1
            yield table


def thought(table: Table, level: str, ms: int = 20, seed: int = 1, step: float = 0.001) -> Thought:
    return think(table.game, table.seen(), LEVELS[level], rng=Random(seed), clock=ticking(step), ms=ms)


TIMES = 200


# --- what he may do ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("slug", "seats"), SEATS)
@pytest.mark.parametrize("level", LEVELS)
def test_his_moves_are_legal(slug: str, seats: int, level: str) -> None:
    for table in tables(slug, seats, 5, 22, level):
        found = thought(table, level)
        legal = table.seen().legal()
        for move in (found.move, *(each for each, _ in found.gains)):
            assert (move._replace(tiles=None) if isinstance(move, Discard) else move) in legal
        assert found.worth == dict(found.gains)[found.move]
        assert found.line[0] == found.move
        table.enter(found.move)


@pytest.mark.parametrize(("slug", "seats"), SEATS)
def test_he_plays_whole_hands(slug: str, seats: int) -> None:
    for level in LEVELS:
        table = Table(slug, seats, Random(f"{slug} {seats} {level}"))
        while table.state.turn is not None:
            table.enter(thought(table, level, 10).move)
        assert table.match.hands[0].outcome is not None


@pytest.mark.parametrize(("slug", "seats"), SEATS)
def test_he_stops_on_time(slug: str, seats: int) -> None:
    for table in tables(slug, seats, 3, 20):
        clock = ticking()
        think(table.game, table.seen(), LEVELS["brutal"], rng=Random(1), clock=clock, ms=80)
        assert clock() <= 0.08
        nothing = think(table.game, table.seen(), LEVELS["brutal"], rng=Random(1), clock=ticking(), ms=0)
        assert nothing.move.seat == table.seat


@pytest.mark.parametrize(("slug", "seats"), SEATS)
def test_a_level_thinks_about_a_part_of_its_moves(slug: str, seats: int) -> None:
    [table] = tables(slug, seats, 1, 8)
    for name, level in LEVELS.items():
        thinks = sum(thought(table, name, 1, seed).deals > 0 for seed in range(TIMES))
        # Six deviations of the number of successes; all or none leave no room for chance.
        assert (thinks - level.thinks * TIMES) ** 2 <= 36 * TIMES * level.thinks * (1 - level.thinks)


# --- what he may know --------------------------------------------------------------------------------------
def redealt(table: Table, rng: Random) -> Match | None:
    """The same hand with everything dealt anew that the seat on turn does not know; None if somebody else has drawn or
    exchanged tiles: another deal would need other draws."""
    state, seat, match = table.state, table.seat, table.match
    record = match.as_record()
    if isinstance(state, DomState):
        other, placed = 1 - seat, mask(move.card for move in state.moves if move.seat != seat)
        rest = [*members(PACK & ~state.opening.deal[seat] & ~placed)]
        hand = placed | mask(rng.sample(rest, 8 - placed.bit_count()))
        deal = tuple(hand if each == other else dealt for each, dealt in enumerate(state.opening.deal))
    else:
        seen = table.seen()
        holdings = seen.holdings
        if not holdings.whole:
            return None
        if isinstance(state, DominardsState) and not state.laying.ends.begun:
            [(_, holdings)] = holdings.leads(state.opening.opener)
        lie = Redeals(holdings).draw(rng)
        deal = tuple(
            (state.opening.deal[each] if each == seat else lie[each] | _laid(state, each) & ~_drawn(state, each))
            for each in range(len(match.players))
        )
    packs = record.cards
    if packs is not None:
        own, gone = packs[seat], state.dropped
        free = [*members(PACK & ~own & ~union(gone))]
        rng.shuffle(free)
        packs = tuple(
            own if each == seat else gone[each] | mask(free.pop() for _ in range(CARDS - gone[each].bit_count()))
            for each in range(len(packs))
        )
    return Match.of(record._replace(cards=packs, hands=(record.hands[0]._replace(deal=deal),)))


def _laid(state: Any, seat: int) -> int:
    return mask(move.tile for move in state.moves if isinstance(move, Play | Follow) and move.seat == seat)


def _drawn(state: Any, seat: int) -> int:
    return mask(tile for move in state.moves if isinstance(move, Draw) and move.seat == seat for tile in move.tiles)


@pytest.mark.parametrize(("slug", "seats"), SEATS)
@pytest.mark.parametrize("level", LEVELS)
def test_whatever_the_others_hold_he_thinks_the_same(slug: str, seats: int, level: str) -> None:
    rng, seen = Random(level), 0
    for table in tables(slug, seats, 200, 9, level):
        others = [redealt(table, rng) for _ in range(3)]
        answers = [
            asked({"record": match.record(), "seat": table.seat, "level": level, "ms": 20, "seed": 3}, ticking())
            for match in (table.match, *others)
            if match is not None
        ]
        if len(answers) < 4:
            continue
        assert all(answer == answers[0] for answer in answers)
        assert others[0] is not None
        assert others[0].hands[0].state.opening != table.state.opening
        seen += 1
        if seen == 3:
            return
    raise AssertionError("too few hands could be dealt anew")


# --- what he finds -----------------------------------------------------------------------------------------
def played(table: Table) -> tuple[int, ...]:
    """The points of each seat after the hand is played on at random."""
    while table.random_moves(1):
        pass
    outcome = table.match.hands[0].outcome
    assert outcome is not None
    return outcome.points


def test_a_last_trick_is_exact() -> None:
    """Nobody has a choice any more: the worth is the mean of all deals that fit, each played by the engine."""
    rng, seen = Random(1), 0
    while seen < 4:
        table = Table("domizerka", 3, rng)
        while table.state.turn is not None and table.state.held()[table.seat] > 1:
            moves = [move for move in table.state.legal() if not isinstance(move, Discard)]
            table.enter(rng.choice(moves))
        known, seat = table.seen(), table.seat
        fitting = [*known.holdings.hands()]
        if len(fitting) > 100:
            continue
        seen += 1
        found = thought(table, "brutal", 1000, step=0)
        assert (found.deals, found.exact) == (len(fitting), True)
        total = 0
        for hands in fitting:
            state = known._replace(holdings=known.holdings.settled(hands))
            while state.end is None:
                state = state.play(next(move for move in state.legal() if isinstance(move, Follow)))
            tricks = table.game.count(state, None).points
            total += 2 * tricks[seat] - sum(tricks) + tricks[seat]
        assert found.worth == Fraction(total, 2 * len(fitting))


def test_the_last_cards_of_dom_are_exact() -> None:
    """With two cells free he tries every card that the other may still have."""
    for table in tables("dom", 2, 3, 1):
        assert table.random_moves(14)
        known, seat = table.seen(), table.seat
        found = thought(table, "brutal", 1000, step=0)
        unseen = [*members(PACK & ~known.placed() & ~known.playable(seat))]
        assert (found.deals, found.exact) == (len(unseen), True)
        for move, worth in found.gains:
            gains = []
            for card in unseen:
                after = known.play(move)
                [cell] = after.cells()
                end = after.play(PlaceCard(1 - seat, card, cell))
                points = points_of(2, end.scores[len(known.scores) :])
                gains.append(points[seat] - points[1 - seat])
            assert worth == Fraction(sum(gains), len(gains))
        assert found.worth == max(worth for _, worth in found.gains)


def test_a_beginner_takes_what_scores_most_at_once() -> None:
    for slug, seats in (("dom", 2), ("dominards", 3)):
        for table in tables(slug, seats, 15, 14):
            known = table.seen()
            if known.offers().get("roll"):
                continue
            found = thought(table, "beginner")
            points = {m: sum(s.points for s in known.play(m).scores[len(known.scores) :]) for m in known.legal()}
            assert (found.worth, points[found.move]) == (max(points.values()),) * 2


def test_the_number_of_dice_is_chosen_before_they_are_thrown() -> None:
    """What he thinks that a roll is worth does not depend on what it shows, and all rolls are equally likely."""
    [table] = tables("dominards", 2, 1, 1)
    shown = [thought(table, "easy", seed=seed).move for seed in range(400)]
    faces = [die for roll in shown if isinstance(roll, Roll) for die in roll.dice]
    for face in range(1, 7):
        expected = len(faces) / 6
        assert abs(faces.count(face) - expected) < 5 * expected**0.5


# --- the simulators agree with the engine ------------------------------------------------------------------
def test_tricks_are_won_as_in_the_engine() -> None:
    for table in tables("domizerka", 3, 40, 16):
        state = table.state
        if state.rules is None or (state.waiting and state.boneyard):
            continue
        rules = state.rules
        play = tricks.Open(
            tricks.table(rules.contract, rules.trump),
            state.holdings.known[:-1],
            state.player,
            state.tricks,
            state.trick,
            state.led,
        )
        for move in play.line():
            state = state.play(move)
        assert state.end is not None
        assert tuple(play.tricks) == state.tricks


def test_cards_score_as_in_the_engine() -> None:
    for table in tables("dom", 2, 20, 16):
        state = table.state
        play = square.Open(state, [[1 << card for card in members(state.playable(seat))] for seat in range(2)])
        before = len(state.scores)
        while state.turn is not None:
            card, cell = play.greedy()
            state = state.play(PlaceCard(state.turn, card.bit_length() - 1, cell))
            play.place(card, cell)
        assert tuple(play.gain) == points_of(2, state.scores[before:])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_of_dominards_score_as_in_the_engine(seats: int) -> None:
    rng = Random(seats)
    for table in tables("dominards", seats, 20, 20):
        state, own = table.state, table.match.cards
        assert own is not None
        deal = star.Deal(
            tuple(state.holdings.known[:-1]),
            tuple(table.boneyard),
            tuple(held & ~gone for held, gone in zip(own, state.dropped, strict=True)),
            tuple(star.thrown(rng, 4) for _ in range(40)),
        )
        play, before = star.Open(state, deal), len(state.scores)
        play.go_on(100)
        for move in play.moves:
            state = state.play(move)
        assert (state.end is not None) == play.over
        assert tuple(play.gain) == points_of(seats, state.scores[before:])
        assert play.cards == [held & ~gone for held, gone in zip(own, state.dropped, strict=True)]
