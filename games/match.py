"""A match as it is entered at the table, entry by entry.

A ``Match`` is a value: ``enter`` returns the next one or raises, and what it held before is still there, so that
an undo costs nothing. The same steps build a match from a record; there is no second way to a score.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from games import read
from games.agreement import SAYING, UNSAID, Agreement
from games.base import Game, Opening, Outcome, Previous, State
from games.errors import Code, GameError, Illegal, Malformed, Place, marked
from games.line import Line
from games.moves import Contract, Move, move_json, move_type, unseen
from games.record import (
    NOTED,
    STOPPED,
    Abandoned,
    HandRecord,
    Noted,
    Record,
    Result,
    Substitute,
    check_noted,
    hand_json,
    read_cards,
    read_hand,
    read_move,
    read_noted,
    read_setting,
    read_told,
    record_json,
)
from games.registry import GAMES


@dataclass(frozen=True)
class Hand:
    """One hand of a match: its state, and its outcome once it is counted."""

    deal: tuple[int | None, ...] | None
    state: State
    told: Any = None
    """What was said of its end after the moves (``left`` or ``tricks``)."""
    final: Mapping[str, Any] | None = None
    outcome: Outcome | None = None

    @property
    def opener(self) -> int:
        return self.state.opening.opener

    @property
    def moves(self) -> tuple[dict[str, Any], ...]:
        """The moves as they are written in a record."""
        return tuple(move_json(move) for move in self.state.moves)

    @property
    def called(self) -> Contract | None:
        """What the hand is played for; None where nothing is called, or not yet."""
        if self.outcome is not None:
            return self.outcome.called
        return next((move for move in self.state.moves if isinstance(move, Contract)), None)

    @property
    def line(self) -> Line | None:
        """The line of play; None in a game that has none."""
        return self.state.line

    @property
    def record(self) -> HandRecord:
        moves = self.state.moves
        return HandRecord(self.opener, self.deal, moves if moves or self.final is None else None, self.told, self.final)

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat, so far if the hand is not counted yet."""
        if self.outcome is not None:
            return self.outcome.points
        seats = range(len(self.state.opening.players))
        return tuple(sum(s.points for s in self.state.scores if seat in s.seats) for seat in seats)


@dataclass(frozen=True)
class Match:
    game: Game[Any]
    options: Mapping[str, Any]
    players: tuple[str, ...]
    hands: tuple[Hand, ...] = ()
    stopped: str | None = None
    noted: tuple[Noted, ...] = ()
    """In the order of the moves they are about."""
    cards: tuple[int | None, ...] | None = None
    """The cards each seat began with, masks; None where they are not known."""
    substitutes: tuple[Substitute, ...] = ()
    """In the order of their hands."""
    result: tuple[int, ...] | None = None
    """The totals of a match of which only they are known, a number a seat."""
    abandoned: tuple[Abandoned, ...] = ()
    """The hands that were given up, in that order."""
    agreement: Agreement = UNSAID
    """What the seats say of the sheet, once the match is over."""
    before: "Match | None" = field(default=None, compare=False, repr=False)
    """The match before its last entry that stands."""
    did: str | None = field(default=None, compare=False, repr=False)
    """The kind of that entry; ``undo`` for a going back."""

    @classmethod
    def new(cls, game: str, options: Mapping[str, Any], players: Any) -> Self:
        """A match nobody has played a hand of; Malformed if there is no such game, option or number of seats."""
        return cls(*read_setting(GAMES, game, options, list(players) if isinstance(players, tuple) else players))

    @classmethod
    def of(cls, record: Record) -> "Match":
        """The match a record tells; the first GameError in it is raised."""
        match, error = Match.begun(record).played(record.hands)
        if error is not None:
            raise error
        return replace(match, stopped=record.stopped, result=_result_alone(record))

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

    def with_hand(self, record: HandRecord) -> "Match":
        """The match with one hand more, as far as its record tells it; the first GameError in it is raised."""
        match, error = self.played([record])
        if error is not None:
            raise error
        return match

    def played(self, records: Iterable[HandRecord]) -> "tuple[Match, GameError | None]":
        """The match with these hands too, as far as they are right, and the first error in them."""
        hands, error = list(self.hands), None
        try:
            for record in records:
                if hands:
                    hands[-1] = self._settled(hands[-1])
                hands.append(self._next(len(hands), hands[-1] if hands else None, record))
        except GameError as first:
            error = first
        return replace(self, hands=tuple(hands)), error

    # --- where it stands -----------------------------------------------------------------------------------
    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each seat so far, those of an open hand too."""
        return self.result or self._totals(self.last)

    @property
    def last(self) -> Hand | None:
        """The hand played last."""
        return self.hands[-1] if self.hands else None

    def seated(self, hand: int) -> tuple[str, ...]:
        """Who sits where in this hand, by seat; ``players`` are those of the start."""
        players = list(self.players)
        for substitute in self.substitutes:
            if substitute.hand <= hand:
                players[substitute.seat] = substitute.player
        return tuple(players)

    @property
    def present(self) -> tuple[str, ...]:
        """Who sits where now: in the hand in play, else in the next one; at the end in the last one."""
        return self.seated(max(len(self.hands) - (self.hand is not None or self.finished), 0))

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.game.sides(len(self.players))

    @property
    def hand(self) -> Hand | None:
        """The hand in play, or that waits for what is left."""
        return self.last if self.last is not None and self.last.outcome is None else None

    @property
    def finished(self) -> bool:
        """Whether the match has ended, by its own rule or because it was stopped."""
        return self._is_over(len(self.hands), self.last)

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat that shares the best total; nobody while unfinished, or when it was abandoned."""
        if not self.finished or self.stopped == "abandoned":
            return ()
        return self.game.winners(self.totals)

    @property
    def closed(self) -> bool:
        """Whether every seat has confirmed the sheet: nothing is entered any more, unless a host opens it again."""
        return len(self.agreement.confirmed) == len(self.players)

    def offers(self) -> dict[str, Any]:
        """What may be entered next."""
        undo = {"undo": self.before is not None and not self.closed, "undoes": self.did}
        if self.finished:
            return {"next": "done", "confirm": self.agreement.missing(self.players), **undo}
        if self.hand is not None:
            return {**self.hand.state.offers(), **undo}
        opening = self._opening(len(self.hands), self.last, 0, None)
        lead = self.game.lead(opening)
        return {
            "next": "hand",
            "openers": list(self.game.leaders(opening)),
            **({"lead": lead} if lead else {}),
            **undo,
        }

    def sheet(self) -> dict[str, Any]:
        """The score sheet: every hand's points with the sums they come from, and where the hand in play stands."""
        open_hand = self.hand.state if self.hand else None
        return {
            "hands": [_hand_sheet(hand) for hand in self.hands],
            "totals": list(self.totals),
            "winners": list(self.winners),
            "finished": self.finished,
            "stopped": self.stopped,
            "turn": open_hand.turn if open_hand else None,
            "held": open_hand.held() if open_hand else None,
            "irregularities": [noted.as_json() for noted in self.noted],
            **({"substitutes": [each.as_json() for each in self.substitutes]} if self.substitutes else {}),
            **({"abandoned": [each.as_json() for each in self.abandoned]} if self.abandoned else {}),
            **({"unverified": True} if self.result else {}),
            **self.agreement.as_json(),
        }

    def as_record(self) -> Record:
        # As whoever checks the record will count it: a hand that waits to be agreed to may be decided already.
        settled = self.settled()
        result = Result(settled.totals, settled.winners) if self.hands or self.result else None
        return Record(
            self.game,
            self.options,
            self.players,
            tuple(hand.record for hand in self.hands),
            self.stopped,
            self.noted,
            self._told_in_words() or None,
            result,
            self.cards,
            self.substitutes,
            self.abandoned,
        )

    def _told_in_words(self) -> dict[str, str]:
        """What a record has no other place for."""
        came = ", ".join(
            f"{player} for {self._but(hand, seat).seated(hand)[seat]} from hand {hand + 1}"
            for hand, seat, player in self.substitutes
        )
        given_up = ", ".join(
            f"hand {each.hand + 1} after {each.moves} moves" + (f" ({each.why})" if each.why else "")
            for each in self.abandoned
        )
        told = {"substitutes": came, "abandoned": given_up}
        return {key: text for key, text in told.items() if text}

    def record(self) -> dict[str, Any]:
        """The match as a record."""
        return record_json(self.as_record())

    def public(self) -> "Match":
        """The match as anybody may see it: what is in a hand still in play left out."""
        if self.finished or (self.cards is None and self.hand is None):
            return self
        record = self.as_record()
        hands = record.hands
        if self.hand is not None:
            last = hands[-1]
            moves = None if last.moves is None else tuple(unseen(move) for move in last.moves)
            hands = (*hands[:-1], last._replace(deal=None, moves=moves))
        if (hands, None) == (record.hands, self.cards):
            return self
        return Match.of(record._replace(hands=hands, cards=None))

    # --- entries -------------------------------------------------------------------------------------------
    def enter(self, entry: Mapping[str, Any]) -> "Match":
        """The match after one entry of the log; GameError, and nothing changed, if it cannot be."""
        if not isinstance(entry, Mapping):
            raise Malformed(marked("An object is expected, not {value}."), value=read.shown(entry))
        kind = read.one_of(entry.get("kind"), (*ENTRIES, *SAYING, "reopen"))
        content = {key: value for key, value in entry.items() if key != "kind"}
        if kind == "reopen":
            return self._reopened(content)
        if self.closed:
            text = marked("Everybody has confirmed this match. A host can reopen it.")
            raise _error(Code.MATCH_OVER, text, None)
        if kind == "undo" and not content:
            if self.before is None:
                raise Malformed(marked("There is nothing to undo."))
            return self.before
        if kind in SAYING:
            if not self.finished:
                raise Malformed(marked("A match is confirmed when it is over."))
            said = SAYING[kind](self.agreement, content, self.present)
            return replace(self, agreement=said, before=self, did=kind)
        # What was said of the sheet was said of another one.
        return replace(ENTRIES[kind](self, content), agreement=UNSAID, before=self, did=kind)

    def _reopened(self, content: dict[str, Any]) -> "Match":
        """The match as it was before anybody said anything of its sheet: what is undone next is what was played."""
        read.keyed(content, required=("why",))
        why = read.why(content)
        if not why:
            raise Malformed(marked("Say why this match is opened again."))
        if not self.agreement.confirmed and not self.agreement.disputed:
            raise Malformed(marked("Nobody has confirmed this match: it is open."))
        match = self
        while match.did in SAYING and match.before is not None:
            match = match.before
        return replace(match, agreement=Agreement(reopened=why))

    def _enter_hand(self, content: dict[str, Any]) -> "Match":
        word = self.game.opener_word
        if "opener" in content and word not in content:
            content[word] = content.pop("opener")
        if "final" not in content:
            content.setdefault("moves", [])
        hand = read_hand(content, self.game, self.options, len(self.players), len(self.hands))
        return self.with_hand(hand)

    def _enter_move(self, content: dict[str, Any]) -> "Match":
        """A move. ``noted`` is the code of an irregularity that stands: where the hand is known the move is refused
        without it."""
        read.keyed(content, required=("move",), optional=("noted",))
        move = self._read_move(content["move"])
        if "noted" not in content or self.hand is None or self.stopped:
            return self._played(move)
        moves = (*self.hand.state.moves, move)
        noted = read_noted({"hand": len(self.hands) - 1, "move": len(moves) - 1, "code": content["noted"]})
        check_noted(noted, moves)
        record = self.as_record()
        hands = (*record.hands[:-1], record.hands[-1]._replace(moves=moves))
        return Match.of(record._replace(hands=hands, noted=(*self.noted, noted)))

    def _read_move(self, value: Any) -> Move:
        """A move as it is written; what cannot be read is placed where it would stand."""
        try:
            return read_move(value, self.game.moves, len(self.players))
        except Malformed as error:
            if self.hands:
                error.hand, error.move = len(self.hands) - 1, len(self.hands[-1].state.moves)
            raise

    def _enter_told(self, content: dict[str, Any]) -> "Match":
        read.keyed(content, required=(str(self.game.told),))
        told = read_told(content[str(self.game.told)], self.game, len(self.players))
        return self._with_last(self._told(self._open_hand(), told))

    def _enter_cards(self, content: dict[str, Any]) -> "Match":
        """The cards each seat has for the match, before its first hand."""
        read.keyed(content, required=("cards",))
        if self.hands:
            raise Malformed(marked("Cards are told before the first hand."))
        return replace(self, cards=read_cards(content["cards"], self.game, len(self.players)))

    def _enter_final(self, content: dict[str, Any]) -> "Match":
        read.keyed(content, required=("final",))
        final = self.game.read_final(content["final"], self.options, len(self.players))
        return self._with_last(self._final(self._open_hand(), final))

    def _enter_undo(self, content: dict[str, Any]) -> "Match":
        """Back to just before an entry; a step like the others, so that an undo brings everything back."""
        read.keyed(content, required=("to",), optional=("why",))
        read.why(content)
        to = read.keyed(content["to"], required=("hand", "move"))
        return self._back_to(read.whole(to["hand"]), None if to["move"] is None else read.whole(to["move"]))

    def _enter_replace(self, content: dict[str, Any]) -> "Match":
        read.keyed(content, required=("hand", "with"), optional=("why",))
        read.why(content)
        number = read.whole(content["hand"])
        if number >= len(self.hands):
            raise Malformed(marked("There is no hand {hand}."), hand=number + 1)
        hand = read_hand(content["with"], self.game, self.options, len(self.players), number)
        hands = self.as_record().hands
        others = [noted for noted in self.noted if noted.hand != number]
        noted = (*others, *self._noted_still(number, hand.moves or ()))
        record = self.as_record()._replace(hands=(*hands[:number], hand, *hands[number + 1 :]), noted=noted)
        return Match.of(record)

    def _noted_still(self, number: int, moves: Sequence[Move]) -> Iterator[Noted]:
        """What was noted of the moves of a hand that are in it still: before what is new of it, or after it."""
        old = self.hands[number].state.moves
        first, last = alike(old, moves)
        for noted in self._noted_in(number):
            if noted.move < first:
                yield noted
            elif noted.move >= len(old) - last:
                yield noted._replace(move=noted.move + len(moves) - len(old))

    def _enter_stop(self, content: dict[str, Any]) -> "Match":
        read.keyed(content, required=("stopped",))
        if self.finished:
            raise _error(Code.MATCH_OVER, marked("This match is over."), len(self.hands))
        return replace(self, stopped=read.one_of(content["stopped"], STOPPED))

    def _enter_swap(self, content: dict[str, Any]) -> "Match":
        """Wrong seats, discovered late: the names move, everything that was played stays where it is."""
        read.keyed(content, required=("seats",), optional=("why",))
        read.why(content)
        there = range(len(self.players))
        old = [read.seat(seat, len(there)) for seat in read.listed(content["seats"], len(there))]
        if sorted(old) != [*there]:
            raise Malformed(marked("Name each seat once."))
        if old == [*there]:
            raise Malformed(marked("Everybody sits there already."))
        came = sorted(each._replace(seat=old.index(each.seat)) for each in self.substitutes)
        players = tuple(self.players[seat] for seat in old)
        return Match.of(self.as_record()._replace(players=players, substitutes=tuple(came)))

    def _enter_abandon(self, content: dict[str, Any]) -> "Match":
        """The hand in play is given up: the next one has its number and follows from the hand before it."""
        read.keyed(content, optional=("why",))
        number = len(self.hands) - 1
        if self.finished:
            raise _error(Code.MATCH_OVER, marked("This match is over."), number)
        if self.hand is None:
            raise Malformed(marked("No hand is in play."))
        given_up = Abandoned(number, self.hand.opener, len(self.hand.moves), read.why(content))
        return replace(
            self,
            hands=self.hands[:-1],
            noted=tuple(noted for noted in self.noted if noted.hand < number),
            abandoned=(*self.abandoned, given_up),
        )

    def _enter_note(self, content: dict[str, Any]) -> "Match":
        noted = read_noted(content)
        check_noted(noted, self.hands[noted.hand].state.moves if noted.hand < len(self.hands) else ())
        return Match.of(self.as_record()._replace(noted=(*self.noted, noted)))

    def _enter_substitute(self, content: dict[str, Any]) -> "Match":
        """Somebody takes over a seat, from the hand in play on or from the next one. What is counted stays with whoever
        played it: a hand that was counted too early is taken back first."""
        read.keyed(content, required=("seat", "player", "from"))
        seat, hand = read.seat(content["seat"], len(self.players)), read.whole(content["from"])
        player = read.text(content["player"])
        if self.finished:
            raise _error(Code.MATCH_OVER, marked("This match is over."), len(self.hands))
        if hand > len(self.hands):
            raise Malformed(marked("There is no hand {hand}."), hand=hand + 1)
        if hand < len(self.hands) and self.hands[hand].outcome is not None:
            raise _error(
                Code.HAND_OVER,
                marked("Hand {number} is counted: a seat is taken over in the hand in play or the next one."),
                hand,
                number=hand + 1,
            )
        # For the next hand others may have been said to come.
        others = {name for at in (hand, len(self.hands)) for other, name in enumerate(self.seated(at)) if other != seat}
        if player in others or player == self.seated(hand)[seat]:
            raise Malformed(marked("{player} sits at this table already."), player=read.shown(player))
        without = self._but(hand, seat)
        back = player == without.seated(hand)[seat]
        came = () if back else (Substitute(hand, seat, player),)
        after = replace(self, substitutes=tuple(sorted((*without.substitutes, *came))))
        if self.last is None or hand == len(self.hands):
            return after
        return replace(after, hands=self.hands[:-1]).with_hand(self.last.record)

    def _but(self, hand: int, seat: int) -> "Match":
        """The match without whoever took over this seat in this hand."""
        kept = [each for each in self.substitutes if (each.hand, each.seat) != (hand, seat)]
        return replace(self, substitutes=tuple(kept))

    def _enter_result(self, content: dict[str, Any]) -> "Match":
        """Only how the match ended, from paper: nothing was seen of its hands."""
        read.keyed(content, required=("totals",))
        totals = tuple(read.number(total) for total in read.listed(content["totals"], len(self.players)))
        if self.finished:
            raise _error(Code.MATCH_OVER, marked("This match is over."), len(self.hands))
        if self.hands:
            raise Malformed(marked("A bare result is told before the first hand."))
        for side in self.sides:
            if len({totals[seat] for seat in side}) > 1:
                raise _error(
                    Code.RESULT_MISMATCH,
                    marked("{players} play together: they have the same points."),
                    None,
                    players=", ".join(self.present[seat] for seat in side),
                )
        return replace(self, result=totals)

    def _back_to(self, number: int, move: int | None) -> "Match":
        """The match as it stood just before this entry; the corrections of what came earlier stay."""
        if number >= len(self.hands) or (move is not None and move >= len(self.hands[number].state.moves)):
            raise Malformed(marked("There is nothing to undo."))
        record = self.as_record()
        hands = list(record.hands[:number])
        if move is not None:
            again = record.hands[number]
            hands.append(again._replace(moves=(again.moves or ())[:move], told=None, final=None))
        kept = tuple(
            n for n in self.noted if n.hand < number or (n.hand == number and move is not None and n.move < move)
        )
        # Who sits there sits there still, as far as that hand can be the next one.
        substitutes = tuple(each for each in self.substitutes if each.hand <= len(hands))
        abandoned = tuple(each for each in self.abandoned if each.hand <= number)
        back = record._replace(hands=tuple(hands), stopped=None, noted=kept)
        return Match.of(back._replace(substitutes=substitutes, abandoned=abandoned))

    def ways(self, entry: Mapping[str, Any], error: GameError) -> list[dict[str, Any]]:
        """The ways on after ``entry`` was refused with ``error``: the table is never stuck."""
        ways: list[dict[str, Any]] = [{"way": "mend"}]
        ways += [{"way": "go-back", **place.as_json()} for place in self._earlier(error)]
        ways += [{"way": "note", **noted.as_json()} for noted in self._notable(entry, error)]
        if self.hand is not None and entry.get("kind") not in ("final", "substitute"):
            ways.append({"way": "final", "hand": len(self.hands) - 1})
        return ways

    def _earlier(self, error: GameError) -> list[Place]:
        """The entries already there that the error names: one of them may be the wrong one."""
        named = [Place(error.hand, error.move)] if error.hand is not None else []
        if error.proof is not None:
            named.append(error.proof)
        return [place for place in named if self._stands(place) and (place.move is not None or error.proof)]

    def _stands(self, place: Place) -> bool:
        return place.hand < len(self.hands) and (
            place.move is None or place.move < len(self.hands[place.hand].state.moves)
        )

    def _notable(self, entry: Mapping[str, Any], error: GameError) -> list[Noted]:
        """The irregularities that, let stand, make this entry possible."""
        if error.code not in (*NOTED, Code.NO_POSSIBLE_DEAL) or self.hand is None:
            return []
        number = len(self.hands) - 1
        result = []
        for at, move in enumerate(self.hand.state.moves):
            codes = [code for code, kind in NOTED.items() if kind == move_type(move)]
            for noted in (Noted(number, at, str(code)) for code in codes):
                if noted not in self.noted and self._goes_on(noted, entry):
                    result.append(noted)
        return result

    def _goes_on(self, noted: Noted, entry: Mapping[str, Any]) -> bool:
        try:
            self.enter({"kind": "note", **noted.as_json()}).enter(entry)
        except GameError:
            return False
        return True

    # --- steps ---------------------------------------------------------------------------------------------
    # A hand depends on its number and on the hand before it alone. Those are handed round, not the match so far, which
    # would be made anew for each of its hands.
    def _next(self, number: int, last: Hand | None, record: HandRecord) -> Hand:
        """The hand that follows, as far as its record tells it."""
        if self._is_over(number, last):
            raise _error(Code.MATCH_OVER, marked("This match is over."), number)
        if last is not None and last.outcome is None:
            raise _not_counted(number - 1, last)
        state = self._begun(number, last, record.opener, record.deal)
        for move in record.moves or ():
            state = state.play(move)
        hand = self._decided(Hand(record.deal, state))
        if record.told is not None:
            hand = self._told(hand, record.told)
        return hand if record.final is None else self._final(hand, record.final)

    def opened(self, opener: int, deal: tuple[int | None, ...] | None = None) -> Any:
        """The state (``games.base.State``) of the hand that comes next before its first move. ``deal``: what is known
        of what each seat was dealt, masks. Illegal if this seat cannot open it, or not with this deal."""
        return self._begun(len(self.hands), self.last, opener, deal)

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
            frozenset([noted.move for noted in self._noted_in(number)]),
            self._totals(last),
            Previous(last.opener, last.outcome) if last and last.outcome else None,
            self.cards or (None,) * len(self.players) if self.game.starts_with_cards else (),
        )

    def _totals(self, last: Hand | None) -> tuple[int, ...]:
        """Points of each seat after this hand."""
        if last is None:
            return (0,) * len(self.players)
        return tuple([before + now for before, now in zip(last.state.opening.totals, last.points, strict=True)])

    def _is_over(self, number: int, last: Hand | None) -> bool:
        """Whether the match has ended after so many hands, this one the last."""
        if self.stopped is not None or self.result is not None:
            return True
        if last is None or last.outcome is None:
            return False
        limit = self.options["hands"]
        over = self.game.is_over(self.options, self._totals(last), number, last.outcome)
        return over or (limit is not None and number >= limit)

    def _noted_in(self, number: int) -> tuple[Noted, ...]:
        """What was noted in this hand, without looking at all the others."""
        if not self.noted:
            return ()
        return self.noted[bisect_left(self.noted, (number,)) : bisect_left(self.noted, (number + 1,))]

    def settled(self) -> "Match":
        """The match with its last hand counted, if that has ended and its moves and deal alone tell the score."""
        return self if self.last is None else self._with_last(self._settled(self.last))

    def _settled(self, hand: Hand) -> Hand:
        """The hand counted, if it has ended and its moves and deal alone tell the score."""
        if hand.outcome is not None or hand.state.end is None:
            return hand
        return replace(hand, outcome=self.game.count(hand.state, None))

    def _decided(self, hand: Hand) -> Hand:
        """The hand counted, if the moves alone must count it.

        The target ends a match at once, and a known deal leaves nothing to ask. What only deduction tells waits for
        the table to agree to it.
        """
        end = hand.state.end
        decided = self.game.scored_by_moves or hand.deal is not None or (end is not None and end.by == "reached")
        return self._settled(hand) if decided else hand

    def _told(self, hand: Hand, told: Any) -> Hand:
        if hand.state.end is None:
            raise _not_counted(hand.state.opening.number, hand)
        return replace(hand, told=told, outcome=self.game.count(hand.state, told))

    def _final(self, hand: Hand, final: Mapping[str, Any]) -> Hand:
        return replace(hand, final=final, outcome=self.game.count_final(hand.state, final))

    def _played(self, move: Move) -> "Match":
        hand = self._last_hand()
        if hand.final is not None or self.stopped is not None:
            raise self._closed(len(hand.state.moves))
        return self._with_last(self._decided(replace(hand, state=hand.state.play(move))))

    def _open_hand(self) -> Hand:
        """The last hand, if its end has not been told yet."""
        hand = self._last_hand()
        if hand.told is not None or hand.final is not None or self.stopped is not None:
            raise self._closed(None)
        return hand

    def _closed(self, move: int | None) -> Illegal:
        """Nothing is entered into a match that was stopped, or a hand that is counted."""
        number = len(self.hands) - 1
        if self.stopped is not None:
            return _error(Code.MATCH_OVER, marked("This match is over."), number, move)
        return _error(Code.HAND_OVER, marked("This hand is over."), number, move)

    def _last_hand(self) -> Hand:
        if self.last is None:
            raise _error(Code.HAND_UNFINISHED, marked("No hand has been opened yet."), None)
        return self.last

    def _with_last(self, hand: Hand) -> "Match":
        return self if hand is self.last else replace(self, hands=(*self.hands[:-1], hand))


ENTRIES: Mapping[str, Callable[[Match, dict[str, Any]], Match]] = {
    "hand": Match._enter_hand,
    "move": Match._enter_move,
    "left": Match._enter_told,
    "tricks": Match._enter_told,
    "cards": Match._enter_cards,
    "final": Match._enter_final,
    "undo": Match._enter_undo,
    "replace": Match._enter_replace,
    "swap": Match._enter_swap,
    "abandon": Match._enter_abandon,
    "stop": Match._enter_stop,
    "note": Match._enter_note,
    "substitute": Match._enter_substitute,
    "result": Match._enter_result,
}
"""The kinds of entries that change what was played."""


def entries_of(record: Record) -> list[dict[str, Any]]:
    """A record as the entries that make it, one a move."""
    entries: list[dict[str, Any]] = []
    if record.cards is not None:
        entries.append({"kind": "cards", "cards": record_json(record)["cards"]})
    noted = {(each.hand, each.move): each.code for each in record.noted}
    for number, hand in enumerate(record.hands):
        written = hand_json(hand, record.game)
        moves = written.pop("moves", [])
        ends = [{"kind": key, key: written.pop(key)} for key in ("left", "tricks", "final") if key in written]
        entries.append({"kind": "hand", **written})
        for at, move in enumerate(moves):
            entry = {"kind": "move", "move": move}
            entries.append({**entry, "noted": noted[number, at]} if (number, at) in noted else entry)
        entries += ends
    if result := _result_alone(record):
        entries.append({"kind": "result", "totals": list(result)})
    elif record.stopped:
        entries.append({"kind": "stop", "stopped": record.stopped})
    return entries


def _result_alone(record: Record) -> tuple[int, ...] | None:
    """The totals of a record that has nothing but how its match ended."""
    return record.result.totals if record.result and record.result.winners and not record.hands else None


def alike(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many moves two hands have in common: at the beginning, and of the others at the end."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    last = next((at for at in range(shorter - first) if old[-1 - at] != new[-1 - at]), shorter - first)
    return first, last


def _hand_sheet(hand: Hand) -> dict[str, Any]:
    state, outcome = hand.state, hand.outcome
    end = outcome.end if outcome else state.end
    scores = outcome.scores if outcome else state.scores
    return {
        "opener": hand.opener,
        "points": list(hand.points),
        "state": "counted" if outcome else "left" if state.end else "open",
        "end": end._asdict() if end else None,
        "scores": [
            {
                "seats": list(score.seats),
                "points": score.points,
                "reason": score.reason,
                "terms": [term._asdict() for term in score.terms],
            }
            for score in scores
        ],
        **({"called": hand.called._asdict()} if hand.called else {}),
    }


def _error(code: Code, template: str, hand: int | None, move: int | None = None, **facts: Any) -> Illegal:
    return Illegal(code, template, facts, hand=hand, move=move)


def _not_counted(number: int, hand: Hand) -> Illegal:
    """No hand follows one that is not counted."""
    if hand.state.end is None:
        return _error(Code.HAND_UNFINISHED, marked("Hand {number} is not finished."), number, number=number + 1)
    return _error(Code.LEFT_MISMATCH, marked("Say what is left in hand {number} first."), number, number=number + 1)
