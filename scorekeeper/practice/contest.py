"""One match at the practice table: a visitor in seat 0, and Nestor in every other seat.

Source: "Electrum Dominoes", the sections on the game and its display.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, Self

from games import GAMES, Game, Match, read
from games.errors import Code, Illegal, Malformed, illegal, marked
from games.laying import LayingState
from games.moves import Draw, Move, move_entry, unseen
from games.nestor import LEVELS
from games.record import deal_json, piece_names, read_move, read_record
from games.tiles import COUNT, mask, members, union

YOU = 0
"""The visitor's seat."""
KEPT = 128
"""Matches that this process remembers in both forms. A long one takes half a megabyte."""
MOST = 1000
"""The largest number that an option may have here: a match with more points or hands would never end."""


def seats_of(game: Game[Any]) -> tuple[int, ...]:
    """The numbers of seats with which Nestor can play this game; none if he cannot play it."""
    return tuple(seats for seats in game.seats if game.board == "line" and len(game.sides(seats)) == 2)


def practised() -> list[Game[Any]]:
    """The games that can be played here."""
    return [game for game in GAMES.values() if seats_of(game)]


class Setting(NamedTuple):
    """What a match is played by: the rules, the number of seats, and how strong Nestor is."""

    game: str
    options: Mapping[str, Any]
    """All of them, as ``Game.read_options`` gives them."""
    seats: int
    level: str

    def check(self) -> "Setting":
        """The same setting. Malformed if no such match can be played here."""
        game = GAMES.get(self.game)
        if game is None or self.seats not in seats_of(game):
            raise Malformed(marked("Nestor does not play this game."))
        for option in game.options:
            value = self.options.get(option.name)
            if option.kind == "whole" and value is not None and value > MOST:
                text = marked("At the practice table, {option} can be {most} at most.")
                raise Malformed(text, code=Code.BAD_OPTION, option=option.name, most=MOST)
        return self


class Told(NamedTuple):
    """A move for the status lines, and the points that it scored. Hidden tiles are left out."""

    move: Move
    points: int


@dataclass(frozen=True, slots=True, eq=False)  # equal by identity, so that what is read and written is kept
class Contest:
    """A match and how it is played. Immutable: each step returns the next value."""

    number: int
    """Which of the visitor's matches this is."""
    level: str
    match: Match

    @classmethod
    def begun(cls, number: int, setting: Setting, names: Sequence[str], rng: Random) -> Self:
        """A match with its first hand dealt. ``names`` are the players, by seat."""
        match = Match.new(setting.game, setting.options, tuple(names))
        return cls(number, setting.level, match).dealt(rng)

    # --- where it stands -----------------------------------------------------------------------------------
    @property
    def setting(self) -> Setting:
        """The setting that it is played by."""
        return Setting(self.match.game.slug, self.match.options, len(self.match.players), self.level)

    @property
    def over(self) -> bool:
        return self.match.finished

    @property
    def state(self) -> LayingState | None:
        """The hand in play; None between hands and at the end."""
        if self.match.hand is None:
            return None
        assert isinstance(self.match.hand.state, LayingState)
        return self.match.hand.state

    @property
    def turn(self) -> int | None:
        """The seat that is to move; None between hands and at the end."""
        return None if self.state is None else self.state.turn

    @property
    def must_choose(self) -> bool:
        """Whether the seat on turn has more than one possible move."""
        return self.state is not None and len(self.state.legal()) > 1

    @property
    def view(self) -> Match:
        """The match as the visitor may see it."""
        return self.match.seen_by(YOU)

    def boneyard(self) -> int:
        """The mask of tiles that are in no hand and not laid; 0 between hands."""
        state = self.state
        return 0 if state is None else state.holdings.unlaid & ~union(state.holdings.known[:-1])

    def hands(self) -> list[int]:
        """The mask of tiles that each seat holds, by seat; empty between hands."""
        return [] if self.state is None else self.state.holdings.known[:-1]

    def told(self) -> list[Told]:
        """What happened in the last hand since the visitor's last turn began; everything if they had none."""
        if self.match.last is None:
            return []
        state = self.match.last.state
        now, result = self.match.game.begin(state.opening), list[Told]()
        for move in state.moves:
            after = now.play(move)
            if move.seat == YOU and result and result[-1].move.seat != YOU:
                result.clear()
            points = sum(score.points for score in after.scores[len(now.scores) :])
            result.append(Told(unseen(move), points))
            now = after
        return result

    # --- as JSON -------------------------------------------------------------------------------------------
    def as_json(self) -> dict[str, Any]:
        """The match as a record, with all its tiles."""
        return {"number": self.number, "level": self.level, "record": self.match.record()}

    @classmethod
    def read(cls, value: Any) -> Self:
        """A match from outside. GameError if it cannot be read, or cannot have been played here."""
        given = read.keyed(value, required=("number", "level", "record"))
        with read.field("level"):
            level = read.one_of(given["level"], tuple(LEVELS))
        with read.field("record"):
            contest = cls(read.whole(given["number"]), level, Match.of(read_record(given["record"], GAMES)))
            contest.setting.check()
            if any(hand.record.deal is None or None in hand.record.deal for hand in contest.match.hands):
                raise Malformed(marked("The tiles of every hand must be known."))
            if not contest.match.hands or (contest.state is not None and contest.state.end is not None):
                raise Malformed(marked("This game was not begun at the practice table."))
        return contest

    # --- steps ---------------------------------------------------------------------------------------------
    def dealt(self, rng: Random) -> Self:
        """The match with its next hand dealt, and with its lead if the rules leave no choice. Hands that nobody can
        lead are void: the tiles are dealt again."""
        if self.state is not None or self.over:
            raise illegal(Code.HAND_UNFINISHED, marked("This hand is not over."), None)
        game, seats = self.match.game, len(self.match.players)
        while True:
            tiles = rng.sample(range(COUNT), seats * game.dealt)
            deal = [mask(tiles[seat * game.dealt : (seat + 1) * game.dealt]) for seat in range(seats)]
            if opened := self._opened(deal):
                return replace(self, match=rng.choice(opened)).led()

    def _opened(self, deal: Sequence[int]) -> list[Match]:
        """The match with this hand, once for each seat that may lead it."""
        opened, dealt = [], deal_json(deal, piece_names(self.match.game))
        for seat in self.match.game.leaders(self.match.opening()):
            try:
                opened.append(self.match.enter({"kind": "hand", "opener": seat, "deal": dealt}))
            except Illegal:
                continue
        return opened

    def led(self) -> Self:
        """The match after the first tile of a hand, if there is only one that can lead it."""
        state = self.state
        assert state is not None
        moves = state.legal()
        return self._after(moves[0]) if len(moves) == 1 else self

    def entered(self, move: Any, rng: Random, *, draw_on: bool) -> Self:
        """The match after the visitor's move, as a log entry has it. GameError if it cannot be read or is illegal.

        Chance says which tile is drawn. ``draw_on``: draw until a tile fits or the boneyard is empty."""
        if self.over:
            raise illegal(Code.MATCH_OVER, marked("This match is over."), None)
        if self.turn != YOU:
            raise illegal(Code.NOT_YOUR_TURN, marked("It is not your turn."), None)
        made = read_move(read.mapping(move), self.match.game.moves, len(self.match.players))
        if made.seat != YOU:
            raise illegal(Code.NOT_YOUR_TURN, marked("You move for yourself only."), None)
        after = self._moved(made, rng)
        return after.forced(rng) if draw_on and isinstance(made, Draw) else after

    def forced(self, rng: Random) -> Self:
        """The match after everything that the seat on turn can only draw."""
        after = self
        while (state := after.state) is not None and isinstance(move := state.legal()[0], Draw):
            after = after._moved(move, rng)
        return after

    def obliged(self, rng: Random) -> Self:
        """The match after everything that the seat on turn must do without a choice, until the turn passes."""
        after, seat = self.forced(rng), self.turn
        moves = after.state.legal() if after.state is not None and after.turn == seat else []
        return after._after(moves[0]) if len(moves) == 1 else after

    def answered(self, move: Any) -> Self:
        """The match after a move of Nestor, as a record has it."""
        return self._after(read_move(read.mapping(move), self.match.game.moves, len(self.match.players)))

    def question(self, level: str, *, ms: int, seed: int) -> dict[str, Any]:
        """What Nestor is asked for the seat on turn (``games.nestor.asked``). It has only what this seat may know."""
        assert self.turn is not None
        record = self.match.seen_by(self.turn).record()
        return {"record": record, "seat": self.turn, "level": level, "ms": ms, "seed": seed}

    def _moved(self, move: Move, rng: Random) -> Self:
        """The match after this move. A draw takes one tile at random."""
        if not isinstance(move, Draw):
            return self._after(move)
        left = [*members(self.boneyard())]
        return self._after(Draw(move.seat, 1, (rng.choice(left),) if left else None))

    def _after(self, move: Move) -> Self:
        return replace(self, match=self.match.enter(move_entry(move)))


@lru_cache(KEPT)
def written(contest: Contest) -> str:
    """The match as a JSON text."""
    return json.dumps(contest.as_json(), separators=(",", ":"))


@lru_cache(KEPT)
def read_written(text: str) -> Contest:
    """The match that ``written`` wrote."""
    return Contest.read(read.json_value(text))
