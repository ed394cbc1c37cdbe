"""A tournament as values: entrants, stages, rounds. Format: docs/tournament.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scorekeeper.standings.exact import Number


class System(StrEnum):
    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"
    FREE = "free"


class By(StrEnum):
    """By what a round is worth something."""

    RESULT = "result"
    PLACE = "place"
    SCORE = "score"


class Kind(StrEnum):
    """Why an entrant has no table in a round."""

    BYE = "bye"
    """The draw gave it."""
    ASKED = "asked"
    """They asked for it beforehand."""
    ABSENT = "absent"
    """They did not come, or have left."""


class Play(StrEnum):
    """Who sits together at a table."""

    HEADS = "heads"
    """Two sides of one entrant."""
    TRIPLES = "triples"
    FOURS = "fours"
    PARTNERS = "partners"
    """Two sides of two entrants, who are together for this match."""
    MIXED = "mixed"
    """Fours, and as few threes as it takes."""


class Pairing(StrEnum):
    """Who of those with equal points meet."""

    FOLD = "fold"
    """The first of the upper half meets the first of the lower half."""
    ADJACENT = "adjacent"
    RANDOM = "random"


class First(StrEnum):
    """What matters most in a new round."""

    NEW = "new"
    """That people meet whom they have not met."""
    POINTS = "points"
    """That people meet who have equal points."""


@dataclass(frozen=True, slots=True)
class Apart:
    """In how many first rounds people of one club should not meet."""

    by: str
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who goes on from other stages: those who came `first` in each of them."""

    stages: tuple[str, ...]
    first: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, a fixed pair or a team."""

    id: int
    """The start number, from 1."""
    name: str
    players: tuple[str, ...] = ()
    club: str | None = None
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Worth:
    """What a round is worth. `values` has a number for each outcome, or None for the average of the entrant's played
    rounds; `places`, by the number of sides at a table, the worth of each place."""

    by: By
    values: Mapping[str, Number | None]
    places: Mapping[int, tuple[Number, ...]]


@dataclass(frozen=True, slots=True)
class Table:
    """Who played whom in a round. A side lists its entrants; side 0 leads or deals the first hand."""

    sides: tuple[tuple[int, ...], ...]
    totals: tuple[int | None, ...] | None = None
    """By side; None while the table is not over."""
    absent: frozenset[int] = frozenset()
    """The sides that did not come."""
    places: tuple[int, ...] | None = None
    """In a knock-out: the places that the table decides, one for each side."""
    abandoned: bool = False
    """Whether its match ended without a winner, so that it has no totals."""
    boards: tuple[tuple[Number, ...] | None, ...] = ()
    """Of an encounter of teams: the share of each side at each board; None for a board that is not over."""
    best_of: int | None = None
    """In a knock-out: of how many matches who wins most goes on; None: as the stage says."""


@dataclass(frozen=True, slots=True)
class Round:
    tables: tuple[Table, ...] = ()
    unplayed: Mapping[int, Kind] = field(default_factory=dict)
    """By entrant. Those who are not named in the round at all are absent."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken off from a round on."""

    entrant: int
    round: int
    points: Number
    reason: str = ""
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    system: System
    entrants: tuple[int, ...]
    worth: Worth
    order: tuple[str, ...] = ()
    """The names of its criteria, the first one decides first."""
    rounds: tuple[Round, ...] = ()
    rounds_planned: int | None = None
    minimum_played: int = 0
    lots: str = ""
    manual: tuple[int, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    double: bool = False
    """In a knock-out: whether only the second loss puts out."""
    third_place: bool = False
    """In a knock-out: whether the losers of the semi-finals meet."""
    placement: bool = False
    """In a knock-out: whether the losers of each round play on among themselves, down to the last place."""
    qualified: Qualified | None = None
    """In a knock-out: from where its entrants come, if they are not named."""
    play: Play = Play.HEADS
    next: Round = Round()
    """What is settled about the round to come."""
    pairing: Pairing = Pairing.FOLD
    first: First = First.NEW
    apart: Apart | None = None
    best_of: int = 1
    """In a knock-out: of how many matches at a table who wins most goes on."""
    final_best_of: int = 0
    """The same in the final and in the match for third place; 0: as at the other tables."""


@dataclass(frozen=True, slots=True)
class Tournament:
    entrants: Mapping[int, Entrant]
    """By start number."""
    stages: tuple[Stage, ...]
    name: str = ""
    game: str = ""
    lower_wins: bool = False
    """Whether the smaller total is better."""
    overall: tuple[tuple[str, ...], ...] = ()
    """Names of stages; the entrants of the first list are placed first."""
