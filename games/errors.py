"""Errors: each has a code, a sentence, the entry at fault and, if there is one, the entry that proves it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Code(StrEnum):
    """The error codes of the record format. The API and the pages use the same codes for what the rules refuse."""

    MALFORMED = "malformed"
    UNKNOWN_GAME = "unknown-game"
    WRONG_SEAT_COUNT = "wrong-seat-count"
    BAD_OPTION = "bad-option"
    MATCH_OVER = "match-over"
    WRONG_LEADER = "wrong-leader"
    HAND_OVER = "hand-over"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_YOUR_ROLL = "not-your-roll"
    ROLL_NEEDED = "roll-needed"
    TILE_ALREADY_LAID = "tile-already-laid"
    TILE_NOT_HELD = "tile-not-held"
    MUST_LEAD_DOUBLE = "must-lead-double"
    NO_SUCH_END = "no-such-end"
    END_NEEDED = "end-needed"
    NO_MATCH = "no-match"
    MUST_PLAY = "must-play"
    MUST_DRAW = "must-draw"
    CANNOT_DRAW = "cannot-draw"
    BAD_CONTRACT = "bad-contract"
    CONTRACT_USED = "contract-used"
    BAD_TRUMP = "bad-trump"
    BAD_DISCARD = "bad-discard"
    SUIT_NEEDED = "suit-needed"
    BAD_SUIT = "bad-suit"
    REVOKE = "revoke"
    CARD_ALREADY_PLACED = "card-already-placed"
    CARD_NOT_HELD = "card-not-held"
    CELL_TAKEN = "cell-taken"
    CORNER_FIRST = "corner-first"
    BAD_ROLL = "bad-roll"
    BAD_CLAIM = "bad-claim"
    WRONG_PASS = "wrong-pass"
    NO_POSSIBLE_DEAL = "no-possible-deal"
    LEFT_MISMATCH = "left-mismatch"
    TRICKS_MISMATCH = "tricks-mismatch"
    HAND_UNFINISHED = "hand-unfinished"
    RESULT_MISMATCH = "result-mismatch"


class Reference(NamedTuple):
    """An entry of a match, by the numbers of its hand and move, from 0. Without a move: the hand as a whole."""

    hand: int
    move: int | None

    def as_json(self) -> dict[str, int | None]:
        return {"hand": self.hand, "move": self.move}


class GameError(Exception):
    """Something that the rules do not allow, explained to the people at the table.

    ``template`` is an English sentence with ``{names}``, separate from ``facts`` so that a page can translate it first.
    ``message`` combines the two. ``hand`` and ``move`` are the entry at fault (None: the hand or the match as a whole);
    ``proof`` is an earlier or later entry that proves it. ``field`` is the field of the entry that is wrong, like
    ``totals``; None if that is not known.
    """

    field: str | None = None

    def __init__(
        self,
        code: Code,
        template: str,
        facts: Mapping[str, Any] | None = None,
        *,
        hand: int | None = None,
        move: int | None = None,
        proof: Reference | None = None,
    ) -> None:
        super().__init__(code, template)
        self.code = code
        self.template = template
        self.facts = dict(facts or {})
        self.hand = hand
        self.move = move
        self.proof = proof

    def __reduce__(self) -> tuple[Any, ...]:
        """Its kinds are made in different ways, so a copy in another process takes over what there is."""
        return _copy, (type(self), self.args, self.__dict__)

    @property
    def message(self) -> str:
        return self.template.format(**self.facts)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def as_json(self) -> dict[str, Any]:
        return {
            "hand": self.hand,
            "move": self.move,
            "code": str(self.code),
            "message": self.message,
            **({"proof": self.proof.as_json()} if self.proof else {}),
        }


def _copy(kind: type[GameError], args: tuple[Any, ...], content: dict[str, Any]) -> GameError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(content)
    return error


class Malformed(GameError):
    """The input is not a record, a hand or a move; or its game, number of players or option does not exist."""

    def __init__(self, template: str, /, *, code: Code = Code.MALFORMED, **facts: Any) -> None:
        super().__init__(code, template, facts)


class Illegal(GameError):
    """The input can be read, but the rules forbid it here."""


class Contradiction(Illegal):
    """The input cannot be true together with earlier entries."""


def illegal(code: Code, template: str, hand: int | None, move: int | None = None, **facts: Any) -> Illegal:
    """An error in a hand or a move (counted from 0), or in the match as a whole."""
    return Illegal(code, template, facts, hand=hand, move=move)


def marked(text: str) -> str:
    """Returns the text. makemessages finds sentences to translate by the name of this function."""
    return text
