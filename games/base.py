"""The contract of every game (``Game``, ``State``), and the values it uses."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from games import read
from games.errors import Code, Illegal, Malformed, Reference, marked
from games.line import Line
from games.moves import Contract, Move, Reader
from games.totals import check_none_below_zero


# --- scores ------------------------------------------------------------------------------------------------
class Term(NamedTuple):
    """One summand of a score: the seat whose tiles or cards count, a label such as ``6-4``, and the points."""

    seat: int
    label: str
    value: int


class Score(NamedTuple):
    """Points for some seats, with the terms that add up to them. ``reason`` is a word that pages translate, such as
    ``bad-points``, ``table``, ``out`` or ``blocked``."""

    seats: tuple[int, ...]
    points: int
    reason: str
    terms: tuple[Term, ...]


class End(NamedTuple):
    """How a hand ended: ``out``, ``blocked``, ``reached`` (the target, in mid-hand), ``dropped`` (the last card) or
    ``played`` (to its fixed length). ``seat`` played the last tile or card; None if only the final state is known."""

    by: str
    seat: int | None


class Outcome(NamedTuple):
    """The outcome of a counted hand: the points of each seat, and the scores they come from.

    ``carried`` is what later hands also depend on (cards dropped, contracts used), one mask for each seat. ``called``
    is the contract of the hand, in a game that has contracts.
    """

    end: End
    points: tuple[int, ...]
    scores: tuple[Score, ...]
    carried: tuple[int, ...] = ()
    called: Contract | None = None


def points_of(seats: int, scores: Sequence[Score]) -> tuple[int, ...]:
    """The points of each seat: the sum of its scores."""
    return tuple(sum(score.points for score in scores if seat in score.seats) for seat in range(seats))


def common_outcome(outcomes: Iterator[Outcome]) -> Outcome | None:
    """The first outcome if all of them give the same points, else None."""
    first = next(outcomes)
    return first if all(other.points == first.points for other in outcomes) else None


# --- options -----------------------------------------------------------------------------------------------
class Option(NamedTuple):
    """A choice that the rules leave open. ``kind`` is ``whole`` (a positive whole number), ``choice`` or ``flag``.

    For a whole number, ``choices`` are common values; others are allowed too.
    """

    name: str
    kind: str
    default: Any
    choices: tuple[Any, ...]
    label: str
    help: str

    def read(self, value: Any) -> Any:
        """The value. Malformed (``bad-option``) if this option cannot have it."""
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
    """Which parts describe a hand by its final state alone."""

    left: bool = False
    bad: bool = False
    table: bool = False
    last: bool = False
    reached: bool = False
    tricks: int = 0
    """The number of tricks in a hand; 0 in a game without tricks."""
    points: bool = False
    dropped: bool = False
    tiles: bool = False
    contracts: tuple[tuple[str, int | None], ...] = ()
    """The contracts, each with its trump number or None."""

    @property
    def out(self) -> bool:
        """Whether to say who went out, or that nobody did."""
        return self.left or self.bad or self.tiles


# --- a hand ------------------------------------------------------------------------------------------------
class Previous(NamedTuple):
    """The parts of a counted hand that the next hand depends on."""

    opener: int
    outcome: Outcome


class Opening(NamedTuple):
    """Everything known before the first move of a hand."""

    options: Mapping[str, Any]
    players: tuple[str, ...]
    number: int
    opener: int
    deal: tuple[int | None, ...]
    """What each seat was dealt, as masks; None if it is not known."""
    noted: frozenset[int]
    """The moves of this hand whose irregularity was noted and left as it is."""
    totals: tuple[int, ...]
    """The points of each seat before this hand."""
    previous: Previous | None
    """The hand before; None for the first hand."""
    cards: tuple[int | None, ...] = ()
    """The cards with which each seat began the match, as masks; None if not known. Empty in a game without them."""

    def proves(self, move: int) -> bool:
        """Whether anything about hidden tiles follows from this move. Nothing does if its irregularity was noted: a
        noted pass, for example, does not prove that the player had no tile that fits."""
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
        """An error in this hand. ``move`` is at fault (None: the hand as a whole), and the move ``proof`` shows it."""
        reference = None if proof is None else Reference(self.number, proof)
        return kind(code, template, facts, hand=self.number, move=move, proof=reference)


class State(Protocol):
    """A hand at one moment. Immutable: ``play`` returns the next state.

    It holds only what is known. If the deal is known, every tile has one location.
    """

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
        """The hand after this move. Illegal if the rules forbid it, Contradiction if known facts exclude it."""
        ...

    def legal(self) -> list[Move]:
        """Every possible next move. If the hand on turn is not known, every move that some deal allows."""
        ...

    def offers(self) -> dict[str, Any]:
        """The possible moves for a page or a program, with whatever else it needs, as JSON values."""
        ...

    def held(self) -> list[int] | None:
        """How many tiles or cards each seat holds; None if the game does not track that."""
        ...


Left = tuple[int | tuple[int, ...], ...]
"""What each seat has left: its pips (an int) or its tiles."""


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """The rules of a game, with one instance for each name. Games of a family differ in the defaults of options."""

    slug: str
    name: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    opener_word: str = "opener"
    hand_word: str = "hand"
    """The word for a hand: ``hand``, or ``game`` if its points are shown next to the totals."""
    lower_wins: bool = False
    usual_minutes: int = 30
    """How long a match usually takes, where no matches are recorded that say it better."""
    draws_seats: bool = False
    double_leads_first: bool = False
    """Whether the heaviest double leads the first hand, wherever its holder sits."""
    moves: Mapping[str, Reader]
    """By type of move, as records name it, the function that reads it."""
    dealt: int
    """The number of tiles (or cards) dealt to each seat."""
    deals_cards: bool = False
    """Whether cards are dealt, not tiles."""
    starts_with_cards: int = 0
    """The number of cards that each seat has for the whole match, in addition to its tiles."""
    board: str = "line"
    """What lies on the table: a ``line`` of play, a ``star`` with dice and claims, ``tricks`` or a ``square``."""
    family: str | None = None
    """The short name of its family of games, in which strength in one is strength in the others; None without one."""
    family_name: str = ""
    preset: tuple[str, ...] = ()
    """The options whose defaults distinguish the games of a family; empty for a game without a family."""
    ending_key: str | None = "left"
    """What a record may add after the moves of a hand: ``left``, ``tricks`` or nothing."""
    scored_by_moves: bool = False
    """Whether the moves alone always give the score of a hand."""

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The seats of each side; every seat is its own side unless the game has partners."""
        return tuple((seat,) for seat in range(seats))

    def seats_by_draw(self, tiles: Sequence[str]) -> tuple[int, ...]:
        """The seats after a draw of tiles: for each seat, the position in ``tiles`` of the player who sits there.
        Malformed if the tiles do not decide it, or the game does not draw seats."""
        raise Malformed(marked("Seats are not drawn in {game}."), game=self.name)

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, defaults included. Malformed (``bad-option``) for a wrong name or value."""
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
        """The parts of a hand's final state, for these options."""

    @abstractmethod
    def leaders(self, opening: Opening) -> tuple[int, ...]:
        """The seats that may open this hand. Does not depend on ``opening.opener``."""

    def lead(self, opening: Opening) -> str | None:
        """Why these seats may open the hand: ``doublet`` (the holder of the heaviest double leads), ``winner`` or
        ``loser`` (of the hand before) or ``alternate``. None if the game needs no reason."""
        return None

    @abstractmethod
    def begin(self, opening: Opening) -> S:
        """The hand before its first move. Illegal if it cannot begin with this opener or deal."""

    @abstractmethod
    def count(self, state: S, ending: Any) -> Outcome | None:
        """The outcome of a hand that its moves have ended; None if that needs an ``ending`` which is missing.

        ``ending`` is what was entered after the moves, by ``ending_key``: for ``left`` a ``Left``, for ``tricks`` the
        tricks of each seat. Illegal if it does not fit the moves.
        """

    def paid(self, opening: Opening, end: End, pips: Sequence[int]) -> tuple[int, ...]:
        """The points of each seat for the ``end`` of a hand with these pips left in each hand, without those that were
        scored in play. Only for games in which two sides lay tiles."""
        raise NotImplementedError

    @abstractmethod
    def count_final(self, state: S, final: Mapping[str, Any]) -> Outcome:
        """The outcome by the final state. The moves in ``state`` may be only the first part of the hand, or none.
        Illegal if the final state does not fit them."""

    @abstractmethod
    def read_final(self, value: Any, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Reads the final state of a hand from a record. Malformed if it cannot be read."""

    @abstractmethod
    def is_over(self, options: Mapping[str, Any], totals: Sequence[int], hands: int, last: Outcome) -> bool:
        """Whether the rules end the match after this number of hands, with these totals and this ``last`` hand."""

    def target(self, options: Mapping[str, Any]) -> int | None:
        """The points that end the match; None in a game that ends in another way."""
        return None

    def check_final(self, opening: Opening, final: Mapping[str, Any]) -> None:
        """Illegal (``left-mismatch``) for the final state of a hand with points that no play can give. ``count_final``
        has taken it."""

    def check_totals(self, options: Mapping[str, Any], totals: Sequence[int]) -> None:
        """Illegal (``result-mismatch``) for totals by seat that no match with these options can have."""
        check_none_below_zero(totals)

    def winners(self, totals: Sequence[int]) -> tuple[int, ...]:
        """Every seat with the best total."""
        best = min(totals) if self.lower_wins else max(totals)
        return tuple(seat for seat, total in enumerate(totals) if total == best)
