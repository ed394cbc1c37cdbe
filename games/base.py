"""What every game answers, and the values the answers are made of."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from games import read
from games.errors import Code, Illegal, Malformed, Reference, marked
from games.line import Line
from games.moves import Contract, Move, Reader


# --- scores ------------------------------------------------------------------------------------------------
class Term(NamedTuple):
    """One summand of a score: whose tiles, how they read, what they count."""

    seat: int
    label: str
    value: int


class Score(NamedTuple):
    """Points for some seats, with the sum they came from. ``reason`` is one of the words a page explains, e.g.
    ``bad-points``, ``table``, ``out``, ``blocked``."""

    seats: tuple[int, ...]
    points: int
    reason: str
    terms: tuple[Term, ...]


class End(NamedTuple):
    """How a hand ended: ``out``, ``blocked``, ``reached`` (the target, in mid-hand), ``dropped`` (the last card) or
    ``played`` (to its fixed length), and whose tile or card was the last (None where only the final state is known)."""

    by: str
    seat: int | None


class Outcome(NamedTuple):
    """A hand that is counted: points of each seat and where they came from. ``carried`` is what the hands that follow
    depend on besides (cards dropped, contracts used): a mask a seat. ``called`` is what it was played for, and by whom
    that was called, where the game has that."""

    end: End
    points: tuple[int, ...]
    scores: tuple[Score, ...]
    carried: tuple[int, ...] = ()
    called: Contract | None = None


def points_of(seats: int, scores: Sequence[Score]) -> tuple[int, ...]:
    """The scores of a hand added up, a number a seat."""
    return tuple(sum(score.points for score in scores if seat in score.seats) for seat in range(seats))


def agreed(outcomes: Iterator[Outcome]) -> Outcome | None:
    """The outcome, if every way a hand may have ended gives the same points."""
    first = next(outcomes)
    return first if all(other.points == first.points for other in outcomes) else None


# --- options -----------------------------------------------------------------------------------------------
class Option(NamedTuple):
    """A choice the rules leave open. ``kind`` is ``whole`` (a positive whole number), ``choice`` or ``flag``;
    for a whole number ``choices`` are the usual values."""

    name: str
    kind: str
    default: Any
    choices: tuple[Any, ...]
    label: str
    help: str

    def read(self, value: Any) -> Any:
        """The value, or Malformed (``bad-option``) if it is none of this option's."""
        if self._takes(value) or (value is None and self.default is None):
            return value
        raise Malformed(
            marked("The option {option} cannot be {value}."),
            code=Code.BAD_OPTION,
            option=self.name,
            value=read.shown(value),
        )

    def _takes(self, value: Any) -> bool:
        if self.kind == "flag":
            return type(value) is bool and value in (self.choices or (False, True))
        if self.kind == "choice":
            return type(value) is str and value in self.choices
        return type(value) is int and 0 < value < read.LARGEST


HANDS = Option(
    "hands",
    "whole",
    None,
    (4, 8, 12),
    marked("Number of hands"),
    marked("The match ends after this many hands. Empty: by the game's own rule."),
)


class FinalForm(NamedTuple):
    """What may be said of a hand by its final state alone."""

    left: bool = False
    bad: bool = False
    table: bool = False
    last: bool = False
    reached: bool = False
    tricks: int = 0
    """How many there are to win in a hand."""
    points: bool = False
    dropped: bool = False
    tiles: bool = False
    contracts: tuple[tuple[str, int | None], ...] = ()
    """What may be called, each with its trump number."""

    @property
    def out(self) -> bool:
        """Whether somebody goes out, or nobody does."""
        return self.left or self.bad or self.tiles


# --- a hand ------------------------------------------------------------------------------------------------
class Previous(NamedTuple):
    """A hand that is counted, as far as the next one depends on it."""

    opener: int
    outcome: Outcome


class Opening(NamedTuple):
    """Everything a hand starts from."""

    options: Mapping[str, Any]
    players: tuple[str, ...]
    number: int
    opener: int
    deal: tuple[int | None, ...]
    """What each seat was dealt, a mask; None: not known."""
    noted: frozenset[int]
    """Moves of this hand whose irregularity the table let stand: they prove nothing."""
    totals: tuple[int, ...]
    """Points of each seat before this hand."""
    previous: Previous | None
    """The hand before; None: this is the first."""
    cards: tuple[int | None, ...] = ()
    """The cards each seat began the match with, a mask; None: not known. Empty where the game has none."""

    def claims(self, move: int) -> bool:
        """Whether this move says what it seems to; one whose irregularity was noted proves nothing."""
        return move not in self.noted

    def error(
        self,
        kind: type[Illegal],
        code: Code,
        template: str,
        move: int | None,
        proof: int | None = None,
        **facts: Any,
    ) -> Illegal:
        """An error placed in this hand."""
        place = None if proof is None else Reference(self.number, proof)
        return kind(code, template, facts, hand=self.number, move=move, proof=place)


class State(Protocol):
    """A hand at one moment, a value. It holds only what is known: a known deal is the same state in which
    every tile has one place."""

    @property
    def opening(self) -> Opening: ...
    @property
    def moves(self) -> tuple[Move, ...]: ...
    @property
    def end(self) -> End | None: ...
    @property
    def turn(self) -> int | None: ...
    @property
    def line(self) -> Line | None: ...
    @property
    def scores(self) -> tuple[Score, ...]: ...

    def play(self, move: Move) -> Self:
        """The hand after this move; Illegal if the rules forbid it, Contradiction if what is known does."""
        ...

    def legal(self) -> list[Move]:
        """Every move that may come next: all of them where the hand on turn is known, else all that may be true."""
        ...

    def offers(self) -> dict[str, Any]:
        """The same for a page or a program, with what else it needs to know, as JSON values."""
        ...

    def held(self) -> list[int] | None:
        """How many tiles or cards each seat holds; None where the game does not say."""
        ...


Left = tuple[int | tuple[int, ...], ...]
"""What is left in each seat's hand: pips (an int) or the tiles."""


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """A game's rules. One instance a name; options tell presets apart."""

    slug: str
    name: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    opener_word: str = "opener"
    hand_word: str = "hand"
    """What one hand is called: a ``hand``, or a ``game`` whose points are shown beside the sum of all."""
    lower_wins: bool = False
    draws_seats: bool = False
    moves: Mapping[str, Reader]
    """The types of move its records have."""
    dealt: int
    """Tiles (or cards) each seat is dealt."""
    deals_cards: bool = False
    """Whether hands are of cards, not tiles."""
    starts_with_cards: int = 0
    """Cards each seat has for the whole match beside its tiles."""
    board: str = "line"
    """What lies on the table: a ``line`` of play, a ``star`` with dice and claims, ``tricks`` or a ``square``."""
    preset: tuple[str, ...] = ()
    """The options by whose defaults alone games of one family differ: each is a preset of what they share."""
    told: str | None = "left"
    """What a record may say of the end of a hand after its moves: ``left``, ``tricks`` or nothing."""
    scored_by_moves: bool = False
    """Whether the moves alone always give the score of a hand."""

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        return tuple((seat,) for seat in range(seats))

    def seats_by_draw(self, tiles: Sequence[str]) -> tuple[int, ...]:
        """Who sits where after a draw of tiles: for each seat the position in ``tiles``."""
        raise Malformed(marked("Seats are not drawn in {game}."), game=self.name)

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, defaults filled in; Malformed (``bad-option``) if one is not right."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise Malformed(
                    marked("{game} has no option {option}."),
                    code=Code.BAD_OPTION,
                    game=self.name,
                    option=read.shown(name),
                )
        return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}

    @abstractmethod
    def final(self, options: Mapping[str, Any]) -> FinalForm:
        """What the final state of a hand is entered by."""

    @abstractmethod
    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """The seats that may open this hand (whatever ``opening.opener`` says)."""

    def lead(self, opening: Opening) -> str | None:
        """Why these seats open it: ``doublet`` (who holds the heaviest double does), as ``winner`` or ``loser`` of the
        hand before, ``alternate``; None where the game needs no reason."""
        return None

    @abstractmethod
    def begin(self, opening: Opening) -> S:
        """The hand before its first move; Illegal if it cannot begin so."""

    @abstractmethod
    def count(self, state: S, told: Any) -> Outcome | None:
        """The outcome of a hand that ended by its moves. ``told`` is what was said of its end (``left``: a ``Left``,
        ``tricks``: numbers by seat), None if nothing was; the outcome is None if it takes more than that."""

    @abstractmethod
    def count_final(self, state: S, final: Mapping[str, Any]) -> Outcome:
        """The outcome of a hand told by its final state, after moves that may go only so far."""

    @abstractmethod
    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """The final state of a hand as read from a record; Malformed if it cannot be."""

    @abstractmethod
    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        """Whether a match of so many hands with these totals has ended by its own rule; ``last`` is its last hand."""

    def winners(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Every seat that shares the best total."""
        best = min(totals) if self.lower_wins else max(totals)
        return tuple(seat for seat, total in enumerate(totals) if total == best)
