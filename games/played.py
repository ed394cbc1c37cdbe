"""The hands of a match, and where the match stands.

A hand depends only on its number and on the hand before it. So these are passed on, not the whole match: that would
have to be made again for each hand.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from games.base import Game, Opening, Previous
from games.errors import Code, GameError, Illegal, illegal, marked
from games.hand import Hand
from games.moves import Move
from games.record import EARLY, Abandoned, HandRecord, Noted, Record, Result, Substitute, read_setting, record_json
from games.registry import GAMES


@dataclass(frozen=True, slots=True)
class Played:
    """The part of a match that is played. Immutable: each step returns the next value."""

    game: Game[Any]
    options: Mapping[str, Any]
    players: tuple[str, ...]
    """By seat, at the start of the match."""
    hands: tuple[Hand, ...] = ()
    stopped: str | None = None
    noted: tuple[Noted, ...] = ()
    """In the order of their moves."""
    cards: tuple[int | None, ...] | None = None
    """The cards with which each seat began, as masks; None if not known."""
    substitutes: tuple[Substitute, ...] = ()
    """In the order of their hands."""
    result: tuple[int, ...] | None = None
    """The totals by seat, for a match of which nothing else is known."""
    abandoned: tuple[Abandoned, ...] = ()
    """The hands that were given up, in order."""

    @classmethod
    def new(cls, game: str, options: Mapping[str, Any], players: Any) -> Self:
        """A match before its first hand. Malformed if there is no such game or option, or not for this many players."""
        return cls(*read_setting(GAMES, game, options, list(players) if isinstance(players, tuple) else players))

    # --- from a record and back ----------------------------------------------------------------------------
    @classmethod
    def of(cls, record: Record) -> Self:
        """The match of a record. Raises the first GameError in it."""
        match, error = cls.begun(record).with_hands(record.hands)
        if error is not None:
            raise error
        return replace(match, stopped=record.stopped, result=record.totals_alone)

    @classmethod
    def begun(cls, record: Record) -> Self:
        """The match of a record before its first hand."""
        return cls(
            record.game,
            record.options,
            record.players,
            noted=tuple(sorted(record.noted)),
            cards=record.cards,
            substitutes=record.substitutes,
            abandoned=record.abandoned,
        )

    def as_record(self) -> Record:
        # A last hand that waits for its ending may be decided by its moves. Then a reader of the record counts it.
        settled = self.settled()
        result = Result(settled.totals, settled.winners) if self.hands or self.result else None
        return Record(
            self.game,
            self.options,
            self.players,
            tuple(hand.record for hand in self.hands),
            self.stopped,
            self.noted,
            self._meta() or None,
            result,
            self.cards,
            self.substitutes,
            self.abandoned,
        )

    def _meta(self) -> dict[str, str]:
        """Texts for what a record has no keys for."""
        came = ", ".join(
            f"{player} for {self.without_substitute(hand, seat).seated(hand)[seat]} from hand {hand + 1}"
            for hand, seat, player in self.substitutes
        )
        given_up = ", ".join(
            f"hand {each.hand + 1} after {each.moves} moves" + (f" ({each.why})" if each.why else "")
            for each in self.abandoned
        )
        texts = {"substitutes": came, "abandoned": given_up, "stopped": EARLY.get(self.stopped or "", "")}
        return {key: text for key, text in texts.items() if text}

    def record(self) -> dict[str, Any]:
        """The match as a record, as JSON values."""
        return record_json(self.as_record())

    # --- where it stands -----------------------------------------------------------------------------------
    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat so far, including those of the hand in play."""
        return self.result or self._totals(self.last)

    @property
    def last(self) -> Hand | None:
        """The last hand; None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def hand(self) -> Hand | None:
        """The hand that is not counted yet: it is in play, or waits for its ending. None between hands."""
        return self.last if self.last is not None and self.last.outcome is None else None

    @property
    def finished(self) -> bool:
        """Whether the match has ended, by the rules or because it was stopped."""
        return self._is_over(len(self.hands), self.last)

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat with the best total; empty while the match is unfinished, or if it was abandoned."""
        if not self.finished or self.stopped == "abandoned":
            return ()
        return self.game.winners(self.totals)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.game.sides(len(self.players))

    def seated(self, hand: int) -> tuple[str, ...]:
        """The players of this hand, by seat, with substitutes."""
        players = list(self.players)
        for substitute in self.substitutes:
            if substitute.hand <= hand:
                players[substitute.seat] = substitute.player
        return tuple(players)

    @property
    def present(self) -> tuple[str, ...]:
        """The players now, by seat: of the hand in play, else of the next hand; once the match is over, of the last."""
        return self.seated(max(len(self.hands) - (self.hand is not None or self.finished), 0))

    def without_substitute(self, hand: int, seat: int) -> Self:
        """The match without the substitute who took over this seat in this hand."""
        kept = [each for each in self.substitutes if (each.hand, each.seat) != (hand, seat)]
        return replace(self, substitutes=tuple(kept))

    def noted_in(self, number: int) -> tuple[Noted, ...]:
        """The irregularities noted in this hand. Faster than a search through all of them."""
        if not self.noted:
            return ()
        return self.noted[bisect_left(self.noted, (number,)) : bisect_left(self.noted, (number + 1,))]

    # --- whole hands ---------------------------------------------------------------------------------------
    def with_hand(self, record: HandRecord) -> Self:
        """The match with one more hand. Raises the first GameError in it."""
        match, error = self.with_hands([record])
        if error is not None:
            raise error
        return match

    def with_hands(self, records: Iterable[HandRecord]) -> tuple[Self, GameError | None]:
        """The match with these hands up to the first error, and that error (None if there is none)."""
        hands, error = list(self.hands), None
        try:
            for record in records:
                if hands:
                    hands[-1] = self._settled(hands[-1])
                hands.append(self._next(len(hands), hands[-1] if hands else None, record))
        except GameError as first:
            error = first
        return replace(self, hands=tuple(hands)), error

    def _next(self, number: int, last: Hand | None, record: HandRecord) -> Hand:
        """The hand after ``last``, made from its record."""
        if self._is_over(number, last):
            raise illegal(Code.MATCH_OVER, marked("This match is over."), number)
        if last is not None and last.outcome is None:
            raise _not_counted(number - 1, last)
        state = self._begun(number, last, record.opener, record.deal)
        for move in record.moves or ():
            state = state.play(move)
        hand = self._decided(Hand(record.deal, state))
        if record.ending is not None:
            hand = self._with_ending(hand, record.ending)
        return hand if record.final is None else self._final(hand, record.final)

    def opened(self, opener: int, deal: tuple[int | None, ...] | None = None) -> Any:
        """The state (``games.base.State``) of the next hand, before its first move. ``deal``: what each seat was dealt,
        as masks, as far as known. Illegal if this seat cannot open the hand, or not with this deal."""
        return self._begun(len(self.hands), self.last, opener, deal)

    def opening(self) -> Opening:
        """The opening of the next hand, as if seat 0 opened it."""
        return self._opening(len(self.hands), self.last, 0, None)

    def _begun(self, number: int, last: Hand | None, opener: int, deal: tuple[int | None, ...] | None) -> Any:
        opening = self._opening(number, last, opener, deal)
        leaders = self.game.leaders(opening)
        if opener not in leaders:
            raise opening.error(
                Illegal,
                Code.WRONG_LEADER,
                marked("{player} opens this hand."),
                None,
                player=opening.players[leaders[0]],
            )
        return self.game.begin(opening)

    def _opening(self, number: int, last: Hand | None, opener: int, deal: tuple[int | None, ...] | None) -> Opening:
        return Opening(
            self.options,
            self.seated(number),
            number,
            opener,
            deal or (None,) * len(self.players),
            frozenset([noted.move for noted in self.noted_in(number)]),
            self._totals(last),
            Previous(last.opener, last.outcome) if last and last.outcome else None,
            self.cards or (None,) * len(self.players) if self.game.starts_with_cards else (),
        )

    def _totals(self, last: Hand | None) -> tuple[int, ...]:
        """The points of each seat after this hand."""
        if last is None:
            return (0,) * len(self.players)
        return tuple([before + now for before, now in zip(last.state.opening.totals, last.points, strict=True)])

    def _is_over(self, number: int, last: Hand | None) -> bool:
        """Whether the match is over after ``number`` hands, of which this is the last."""
        if self.stopped is not None or self.result is not None:
            return True
        if last is None or last.outcome is None:
            return False
        limit = self.options["hands"]
        over = self.game.is_over(self.options, self._totals(last), number, last.outcome)
        return over or (limit is not None and number >= limit)

    # --- the last hand -------------------------------------------------------------------------------------
    def with_move(self, move: Move) -> Self:
        """The match after a move of its last hand."""
        hand = self._last_hand()
        if hand.final is not None or self.stopped is not None:
            raise self._no_more(len(hand.state.moves))
        return self._with_last(self._decided(replace(hand, state=hand.state.play(move))))

    def with_ending(self, ending: Any) -> Self:
        """The match with its last hand counted by this ending: ``left`` or ``tricks``."""
        return self._with_last(self._with_ending(self._open_hand(), ending))

    def with_final(self, final: Mapping[str, Any]) -> Self:
        """The match with its last hand counted by this final state."""
        return self._with_last(self._final(self._open_hand(), final))

    def settled(self) -> Self:
        """The match with its last hand counted, if that has ended and its moves and deal alone decide the score."""
        return self if self.last is None else self._with_last(self._settled(self.last))

    def _settled(self, hand: Hand) -> Hand:
        """The hand, counted if it has ended and its moves and deal alone decide the score."""
        if hand.outcome is not None or hand.state.end is None:
            return hand
        return replace(hand, outcome=self.game.count(hand.state, None))

    def _decided(self, hand: Hand) -> Hand:
        """The hand, counted at once if nothing needs to be entered after its moves.

        That is so if its deal is known, or if a player reached the target. If only deduction decides the score, the
        hand waits until the players enter its ending.
        """
        end = hand.state.end
        decided = self.game.scored_by_moves or hand.deal is not None or (end is not None and end.by == "reached")
        return self._settled(hand) if decided else hand

    def _with_ending(self, hand: Hand, ending: Any) -> Hand:
        if hand.state.end is None:
            raise _not_counted(hand.state.opening.number, hand)
        return replace(hand, ending=ending, outcome=self.game.count(hand.state, ending))

    def _final(self, hand: Hand, final: Mapping[str, Any]) -> Hand:
        return replace(hand, final=final, outcome=self.game.count_final(hand.state, final))

    def _open_hand(self) -> Hand:
        """The last hand. Illegal if its ending or its final state has been entered, or the match was stopped."""
        hand = self._last_hand()
        if hand.ending is not None or hand.final is not None or self.stopped is not None:
            raise self._no_more(None)
        return hand

    def _no_more(self, move: int | None) -> Illegal:
        """The error for an entry after the match was stopped, or after the hand was counted."""
        number = len(self.hands) - 1
        if self.stopped is not None:
            return illegal(Code.MATCH_OVER, marked("This match is over."), number, move)
        return illegal(Code.HAND_OVER, marked("This hand is over."), number, move)

    def _last_hand(self) -> Hand:
        if self.last is None:
            raise illegal(Code.HAND_UNFINISHED, marked("No hand has been opened yet."), None)
        return self.last

    def _with_last(self, hand: Hand) -> Self:
        return self if hand is self.last else replace(self, hands=(*self.hands[:-1], hand))


def _not_counted(number: int, hand: Hand) -> Illegal:
    """The error for a hand that follows one that is not counted."""
    if hand.state.end is None:
        return illegal(Code.HAND_UNFINISHED, marked("Hand {number} is not finished."), number, number=number + 1)
    return illegal(Code.LEFT_MISMATCH, marked("First enter what is left in hand {number}."), number, number=number + 1)
