"""A match as it is entered at the table, entry by entry.

A ``Match`` is a value: ``enter`` returns the next one or raises, and what it held before is still there, so that
an undo costs nothing. The same steps build a match from a record; there is no second way to a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games import read
from games.agreement import SAYING, UNSAID, Agreement
from games.entries import ENTRIES
from games.errors import Code, Malformed, illegal, marked
from games.moves import unseen
from games.played import Played


@dataclass(frozen=True)
class Match(Played):
    """What is played, what the seats say of it, and how it was entered."""

    agreement: Agreement = UNSAID
    """What the seats say of the sheet, once the match is over."""
    before: "Match | None" = field(default=None, compare=False, repr=False)
    """The match before its last entry that stands."""
    did: str | None = field(default=None, compare=False, repr=False)
    """The kind of that entry; ``undo`` for a going back."""

    @property
    def closed(self) -> bool:
        """Whether every seat has confirmed the sheet: nothing is entered any more, unless a host opens it again."""
        return len(self.agreement.confirmed) == len(self.players)

    # --- entries -------------------------------------------------------------------------------------------
    def enter(self, entry: Mapping[str, Any]) -> "Match":
        """The match after one entry of the log; GameError, and nothing changed, if it cannot be."""
        if not isinstance(entry, Mapping):
            raise Malformed(marked("Expected an object, not {value}."), value=read.shown(entry))
        kind = read.one_of(entry.get("kind"), (*ENTRIES, *SAYING, "reopen"))
        content = {key: value for key, value in entry.items() if key != "kind"}
        if kind == "reopen":
            return self._reopened(content)
        if self.closed:
            text = marked("Everybody has confirmed this match. A host can reopen it.")
            raise illegal(Code.MATCH_OVER, text, None)
        if kind == "undo" and not content:
            if self.before is None:
                raise Malformed(marked("There is nothing to undo."))
            return self.before
        if kind in SAYING:
            if not self.finished:
                raise Malformed(marked("A match can be confirmed only when it is over."))
            said = SAYING[kind](self.agreement, content, self.present)
            return replace(self, agreement=said, before=self, did=kind)
        # What was said of the sheet was said of another one.
        return replace(ENTRIES[kind](self, content), agreement=UNSAID, before=self, did=kind)

    def _reopened(self, content: dict[str, Any]) -> "Match":
        """The match as it was before anybody said anything of its sheet: what is undone next is what was played."""
        read.keyed(content, required=("why",))
        why = read.why(content)
        if not why:
            raise Malformed(marked("Say why you reopen this match."))
        if not self.agreement.confirmed and not self.agreement.disputed:
            raise Malformed(marked("This match is open: nobody has confirmed it."))
        match = self
        while match.did in SAYING and match.before is not None:
            match = match.before
        return replace(match, agreement=Agreement(reopened=why))

    # --- what is shown -------------------------------------------------------------------------------------
    def offers(self) -> dict[str, Any]:
        """What may be entered next."""
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
        """The score sheet: every hand's points with the sums they come from, and where the hand in play stands."""
        open_hand = self.hand.state if self.hand else None
        return {
            "hands": [hand.sheet() for hand in self.hands],
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
