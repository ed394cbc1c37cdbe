"""A match, entry by entry, as it is entered at the table.

A ``Match`` is immutable: ``enter`` returns the next one or raises. The match before stays, so undo costs nothing. A
match from a record is built in the same way; there is no second way to a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games import read
from games.agreement import RESPONSES, UNANSWERED, Agreement
from games.entries import ENTRIES
from games.errors import Code, Malformed, illegal, marked
from games.moves import unseen
from games.played import Played
from games.record import EARLY, written
from games.totals import check_reached


@dataclass(frozen=True, slots=True)
class Match(Played):
    """A match: its hands, the players' responses to the sheet, and its last entry."""

    agreement: Agreement = UNANSWERED
    """Who confirmed or disputed the sheet, once the match is over."""
    before: "Match | None" = field(default=None, compare=False, repr=False)
    """The match before the last entry that was not undone."""
    did: str | None = field(default=None, compare=False, repr=False)
    """The kind of that entry; ``undo`` for an undo back to an earlier hand or move."""
    # With slots: a dictionary for what is kept would take as much memory as all the rest of a position.
    _offers: dict[str, Any] | None = field(default=None, init=False, compare=False, repr=False)
    _sheet: dict[str, Any] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def closed(self) -> bool:
        """Whether every seat has confirmed the sheet. Then a host can only reopen the match, or type another result in
        place of it."""
        return len(self.agreement.confirmed) == len(self.players)

    # --- entries -------------------------------------------------------------------------------------------
    def enter(self, entry: Mapping[str, Any]) -> "Match":
        """The match after this entry of the log. GameError if it cannot be read or is illegal."""
        if not isinstance(entry, Mapping):
            raise Malformed(marked("Expected an object, not {value}."), value=read.shown(entry))
        kind = read.one_of(entry.get("kind"), (*ENTRIES, *RESPONSES, "reopen"))
        content = {key: value for key, value in entry.items() if key != "kind"}
        if kind == "reopen":
            return self._reopened(content)
        if self.closed and not (kind == "result" and "why" in content):
            text = marked("Everybody has confirmed this match. A host can reopen it.")
            raise illegal(Code.MATCH_OVER, text, None)
        if kind == "undo" and not content:
            if self.before is None:
                raise Malformed(marked("There is nothing to undo."))
            return self.before
        if kind in RESPONSES:
            if not self.finished:
                raise Malformed(marked("A match can be confirmed only when it is over."))
            agreement = RESPONSES[kind](self.agreement, content, self.present)
            return replace(self, agreement=agreement, before=self, did=kind)
        # The sheet changes, so earlier responses no longer count. But nobody withdraws a dispute by changing its seats.
        after = ENTRIES[kind](self, content)
        agreement = self.agreement.reseated(self.present, after.present) if kind == "swap" else UNANSWERED
        return replace(after, agreement=agreement, before=self, did=kind)

    def check_result(self) -> None:
        """Illegal (``result-mismatch``) if the match has a result without hands that this game cannot have. Only for
        results that people type: records of other programs are taken as they stand."""
        if self.result:
            with read.field("totals"):
                self.game.check_totals(self.options, self.result)

    def check_ended(self) -> None:
        """Illegal (``hand-unfinished``) if the match has a result without hands that does not end it by its rules, and
        nothing else ended it. Only for results that people type. A match with a limit of hands may end with any."""
        target = self.game.target(self.options)
        if self.result and self.stopped is None and target is not None and self.options["hands"] is None:
            check_reached(self.result, target)

    def check_typed(self, entry: Mapping[str, Any]) -> None:
        """Illegal if this entry, the last one, has a result or a final state that no play can give. Only for entries
        that people type: records of other programs are taken as they stand."""
        self.check_result()
        if self.hands and entry["kind"] in ("hand", "final", "replace"):
            hand = self.hands[entry["hand"] if entry["kind"] == "replace" else -1]
            if hand.final is not None:
                with read.field("final"):
                    self.game.check_final(hand.state.opening, hand.final)

    def _reopened(self, content: dict[str, Any]) -> "Match":
        """The match before the first response to its sheet, so that the next undo takes back a move."""
        read.keyed(content, required=("why",))
        why = read.why(content)
        if not why:
            raise Malformed(marked("Say why you reopen this match."))
        if not self.agreement.confirmed and not self.agreement.disputed:
            raise Malformed(marked("This match is open: nobody has confirmed it."))
        match = self
        while match.did in RESPONSES and match.before is not None:
            match = match.before
        return replace(match, agreement=Agreement(reopened=why))

    # --- what is shown -------------------------------------------------------------------------------------
    def offers(self) -> dict[str, Any]:
        """What may be entered next, as JSON values, to read only: every call gives the same."""
        if self._offers is None:
            object.__setattr__(self, "_offers", self._make_offers())
        assert self._offers is not None
        return self._offers

    def _make_offers(self) -> dict[str, Any]:
        undo = {"undo": self.before is not None and not self.closed, "undoes": self.did}
        if self.finished:
            return {"next": "done", "confirm": self.agreement.missing(self.players), **undo}
        if self.hand is not None:
            return {**self.hand.state.offers(), **undo}
        opening = self.opening()
        lead = self.game.lead(opening)
        return {
            "next": "hand",
            "openers": list(self.game.leaders(opening)),
            **({"lead": lead} if lead else {}),
            **undo,
        }

    def sheet(self) -> dict[str, Any]:
        """The score sheet as JSON values: the points of every hand with the terms they come from, the totals, and the
        state of the hand in play. To read only: every call gives the same."""
        if self._sheet is None:
            object.__setattr__(self, "_sheet", self._make_sheet())
        assert self._sheet is not None
        return self._sheet

    def _make_sheet(self) -> dict[str, Any]:
        open_hand = self.hand.state if self.hand else None
        return {
            "hands": [hand.sheet() for hand in self.hands],
            "totals": list(self.totals),
            "winners": list(self.winners),
            "finished": self.finished,
            "stopped": written(self.stopped),
            "turn": open_hand.turn if open_hand else None,
            "held": open_hand.held() if open_hand else None,
            "irregularities": [noted.as_json() for noted in self.noted],
            **({"substitutes": [each.as_json() for each in self.substitutes]} if self.substitutes else {}),
            **({"abandoned": [each.as_json() for each in self.abandoned]} if self.abandoned else {}),
            **({"ended": self.stopped} if self.stopped in EARLY else {}),
            **({"unverified": True} if self.result else {}),
            **self.agreement.as_json(),
        }

    def forget_shown(self) -> None:
        """Drops the sheet and the offers, which are made again if somebody asks. A long match has many matches before
        it, and each would keep its own."""
        for shown in ("_sheet", "_offers"):
            object.__setattr__(self, shown, None)

    def public(self) -> "Match":
        """The match as everybody may see it: without the hidden tiles and cards of a match in play."""
        return self.seen_by(None)

    def seen_by(self, seat: int | None) -> "Match":
        """The match as this seat may see it: without the hidden tiles and cards of other seats in a match in play."""
        if self.finished or (self.cards is None and self.hand is None):
            return self
        record = self.as_record()
        hands, cards = record.hands, _only_of(seat, self.cards)
        if self.hand is not None:
            last = hands[-1]
            moves = None if last.moves is None else tuple(m if m.seat == seat else unseen(m) for m in last.moves)
            hands = (*hands[:-1], last._replace(deal=_only_of(seat, last.deal), moves=moves))
        if (hands, cards) == (record.hands, self.cards):
            return self
        return Match.of(record._replace(hands=hands, cards=cards))


def _only_of(seat: int | None, dealt: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
    """What this seat was dealt, without what others were; None if nothing is left."""
    if dealt is None or seat is None or dealt[seat] is None:
        return None
    return tuple(mine if each == seat else None for each, mine in enumerate(dealt))
