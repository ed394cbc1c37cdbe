"""One match at the practice table: a visitor in seat 0, and Nestor in every other seat.

Source: "Electrum Dominoes", the sections on the game and its display.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, Self

from games import GAMES, Match, cards, read
from games.dom import DomState
from games.domizerka import DomizerkaState
from games.errors import Code, Illegal, Malformed, illegal, marked
from games.moves import Discard, Draw, Follow, Move, Play, Roll, move_entry, unseen
from games.nestor import LEVELS
from games.nestor.star import thrown
from games.random_play import dealt
from games.record import check_seats, deal_json, piece_names, read_move
from games.tiles import COUNT, members, union
from games.verify import verified

YOU = 0
"""The visitor's seat."""
KEPT = 128
"""Matches that this process remembers in both forms. A long one takes half a megabyte."""
MOST = 1000
"""The largest number that an option may have here: a match with more points or hands would never end."""


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
        if game is None:
            raise Malformed(marked("Nestor does not play this game."))
        check_seats(game, self.seats)
        for option in game.options:
            value = self.options.get(option.name)
            if option.kind == "whole" and value is not None and value > MOST:
                text = marked("At the practice table, no number in the rules can be more than {most}.")
                raise Malformed(text, code=Code.BAD_OPTION, most=MOST)
        return self


class Told(NamedTuple):
    """A move for the status lines, and the points that it scored. Hidden tiles are left out."""

    move: Move
    points: int
    winner: int | None = None
    """The seat that won the trick that it ended."""


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
        if own := match.game.starts_with_cards:
            packs = dealt(rng, cards.COUNT, len(names), own)
            match = match.enter({"kind": "cards", "cards": deal_json(packs, cards.NAMES)})
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
    def state(self) -> Any:
        """The hand in play (``games.base.State``); None between hands and at the end."""
        return None if self.match.hand is None else self.match.hand.state

    @property
    def turn(self) -> int | None:
        """The seat that is to move; None between hands and at the end."""
        return None if self.state is None else self.state.turn

    @property
    def choices(self) -> list[Move]:
        """The possible moves of the seat on turn. Tiles are exchanged before the first trick, and nobody is skipped."""
        legal = [] if self.state is None else self.state.legal()
        moves = [move for move in legal if move.seat == self.turn]
        return [move for move in moves if isinstance(move, Discard)] or moves

    @property
    def must_choose(self) -> bool:
        """Whether the seat on turn has more than one possible move."""
        return len(self.choices) > 1

    @property
    def view(self) -> Match:
        """The match as the visitor may see it."""
        return self.match.seen_by(YOU)

    def hands(self) -> list[int]:
        """The mask of tiles that each seat holds, by seat; empty between hands, and in a game without tiles."""
        state = self.state
        return [] if state is None or isinstance(state, DomState) else state.holdings.known[:-1]

    def cards(self) -> list[int]:
        """The mask of cards that each seat holds, by seat; empty between hands, and in a game without cards."""
        state = self.state
        if isinstance(state, DomState):
            return [state.playable(seat) for seat in range(len(self.match.players))]
        if state is None or self.match.cards is None:
            return []
        return [(own or 0) & ~gone for own, gone in zip(self.match.cards, state.dropped, strict=True)]

    def boneyard(self) -> int:
        """The mask of tiles that are in no hand and not laid, also those put out of play; 0 between hands."""
        return self._tiles_beside(self.hands())

    def drawable(self) -> int:
        """The mask of tiles that can be drawn, or could be if the game drew; 0 between hands."""
        return self._tiles_beside(self.state.holdings.known) if self.hands() else 0

    def _tiles_beside(self, known: Sequence[int]) -> int:
        return self.state.holdings.unlaid & ~union(known) if known else 0

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
            result.append(Told(unseen(move), points, _winner(now, after)))
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
            contest = cls(read.whole(given["number"]), level, verified(given["record"]))
            contest.setting.check()
            if not _all_known(contest.match):
                raise Malformed(marked("The tiles of every hand must be known."))
            match = contest.match
            if not match.hands or match.stopped or (contest.state is not None and contest.state.end is not None):
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
            deal = dealt(rng, cards.COUNT if game.deals_cards else COUNT, seats, game.dealt)
            if opened := self._opened(deal):
                return replace(self, match=rng.choice(opened)).led()

    def _opened(self, deal: Sequence[int]) -> list[Match]:
        """The match with this hand, once for each seat that may lead it."""
        opened, written = [], deal_json(deal, piece_names(self.match.game))
        for seat in self.match.game.leaders(self.match.opening()):
            try:
                opened.append(self.match.enter({"kind": "hand", "opener": seat, "deal": written}))
            except Illegal:
                continue
        return opened

    def led(self) -> Self:
        """The match after the first tile of a hand, if that is due and there is only one that can lead."""
        moves = self.choices
        if len(moves) == 1 and isinstance(moves[0], Play) and not self.state.line.laid:
            return self._after(moves[0])
        return self

    def entered(self, move: Any, rng: Random, *, draw_on: bool) -> Self:
        """The match after the visitor's move, as a log entry has it. GameError if it cannot be read or is illegal.

        Chance says which tiles are drawn and what the dice show. ``draw_on``: draw until a tile fits or the boneyard is
        empty."""
        if self.over:
            raise illegal(Code.MATCH_OVER, marked("This match is over."), None)
        if self.turn != YOU:
            raise illegal(Code.NOT_YOUR_TURN, marked("It is not your turn."), None)
        made = read_move(read.mapping(move), self.match.game.moves, len(self.match.players))
        if made.seat != YOU:
            raise illegal(Code.NOT_YOUR_TURN, marked("You move for yourself only."), None)
        if isinstance(made, Follow) and any(isinstance(move, Discard) for move in self.choices):
            raise illegal(Code.BAD_DISCARD, marked("First exchange tiles, or keep them all."), None)
        after = self._moved(made, rng)
        return after.forced(rng) if draw_on and isinstance(made, Draw) else after.led()

    def forced(self, rng: Random) -> Self:
        """The match after everything that the seat on turn can only draw."""
        after = self
        while (moves := after.choices) and isinstance(moves[0], Draw):
            after = after._moved(moves[0], rng)
        return after

    def obliged(self, rng: Random) -> Self:
        """The match after everything that the seat on turn must do without a choice, until the turn passes."""
        after, seat = self.forced(rng), self.turn
        moves = after.choices if after.turn == seat else []
        return after._after(moves[0]) if len(moves) == 1 else after

    def answered(self, move: Any, rng: Random) -> Self:
        """The match after a move of Nestor, as a record has it. Chance says which tiles he draws and what his dice
        show."""
        return self._moved(read_move(read.mapping(move), self.match.game.moves, len(self.match.players)), rng)

    def question(self, level: str, *, ms: int, seed: int) -> dict[str, Any]:
        """What Nestor is asked for the seat on turn (``games.nestor.asked``). It has only what this seat may know."""
        assert self.turn is not None
        record = self.match.seen_by(self.turn).record()
        return {"record": record, "seat": self.turn, "level": level, "ms": ms, "seed": seed}

    def _moved(self, move: Move, rng: Random) -> Self:
        """The match after this move, with what chance adds to it. A draw takes one tile."""
        left = [*members(self.drawable())]
        match move:
            case Draw(seat, _, _):
                move = Draw(seat, 1, (rng.choice(left),) if left else None)
            case Roll(seat, dice):
                move = Roll(seat, (*sorted(thrown(rng, len(dice))),))
            case Discard(_, number, tiles):
                if tiles is None:
                    raise Malformed(marked("Say which tiles you put out of play."))
                move = move._replace(drawn=(*rng.sample(left, number),) if number <= len(left) else None)
        return self._after(move)

    def _after(self, move: Move) -> Self:
        return replace(self, match=self.match.enter(move_entry(move)))


def _winner(before: Any, after: Any) -> int | None:
    """The seat that has won a trick between two moments of a hand; None for nobody."""
    won = isinstance(after, DomizerkaState) and after.taken is not before.taken and after.taken
    return won.winner if won else None


def _all_known(match: Match) -> bool:
    """Whether all tiles and cards of a match are known, as at the practice table."""
    packs = [hand.record.deal for hand in match.hands] + ([match.cards] if match.game.starts_with_cards else [])
    moves = [move for hand in match.hands for move in hand.state.moves]
    drawn = [move.tiles for move in moves if isinstance(move, Draw)]
    exchanged = [each for move in moves if isinstance(move, Discard) for each in (move.tiles, move.drawn)]
    return all(pack is not None and None not in pack for pack in packs) and None not in (*drawn, *exchanged)


@lru_cache(KEPT)
def written(contest: Contest) -> str:
    """The match as a JSON text."""
    return json.dumps(contest.as_json(), separators=(",", ":"))


@lru_cache(KEPT)
def read_written(text: str) -> Contest:
    """The match that ``written`` wrote."""
    return Contest.read(read.json_value(text))
