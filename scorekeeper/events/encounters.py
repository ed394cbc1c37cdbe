"""Encounters of two squads at several boards: their form, line-ups in secret, and what the boards add up to.

Side 0 is at home, side 1 away. All numbers are exact.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple, Self

from games import GAMES
from scorekeeper.events.rounds import Impossible, Setting
from scorekeeper.schedule.seating import Shape

Squad = Sequence[int]
"""The players of a team, the strongest first where the form asks for the order of the squad."""
LineUp = tuple[tuple[int, ...], ...]
"""Who plays for a squad at each board; nobody where the board is left to the others."""
Each = tuple[Fraction, Fraction]
"""For the side at home, and for the side away."""
SIDES = (0, 1)
SINGLE, DOUBLE = 1, 2
MOST_BOARDS = 30
NOTHING = Fraction(0)


class Worth(NamedTuple):
    """What a win, a draw and a loss are worth."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    def shared(self, best: int | None) -> Each:
        """If the side `best` wins, or nobody does."""
        if best is None:
            return self.draw, self.draw
        return (self.win, self.loss) if best == 0 else (self.loss, self.win)

    def as_json(self) -> dict[str, int | str]:
        return {name: exact(value) for name, value in self._asdict().items()}

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        """Impossible "worth-upside-down" unless a win is worth more than a loss, and a draw neither more nor less than
        these."""
        worth = cls(*(Fraction(value[name]) for name in cls._fields))
        if not worth.loss <= worth.draw <= worth.win or worth.loss == worth.win:
            raise Impossible("worth-upside-down")
        return worth


BOARD = Worth(Fraction(1), Fraction(1, 2), NOTHING)
MATCH = Worth(Fraction(2), Fraction(1), NOTHING)


@dataclass(frozen=True, slots=True)
class Board:
    """One of the boards of an encounter: a game for one or two players of each squad."""

    game: str
    setting: Setting
    size: int
    """How many of a squad play: 1 a single, 2 a double."""
    part: int
    """The part of the evening, from 1. Its boards are played at the same time."""
    worth: Worth = BOARD

    @property
    def lower_wins(self) -> bool:
        return GAMES[self.game].lower_wins

    def seated(self, first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
        """The players by seat, clockwise; those of the side that leads are the `first`."""
        shape = Shape(2 * self.size, GAMES[self.game].sides(2 * self.size))
        return shape.by_seat((*first, *second))

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "options": dict(self.setting.options),
            "minutes": self.setting.minutes,
            "size": self.size,
            "part": self.part,
            "worth": self.worth.as_json(),
        }

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        """Impossible "game-of-other-size" if the game is not for two sides of this many players, "no-such-part"."""
        game, size, part = value["game"], value["size"], value["part"]
        if not fits(game, size):
            raise Impossible("game-of-other-size")
        if part < 1:
            raise Impossible("no-such-part")
        return cls(game, Setting(value["options"], value["minutes"]), size, part, Worth.of(value["worth"]))


def fits(game: str, size: int) -> bool:
    """Whether two sides of this many players play this game."""
    rules = GAMES.get(game)
    if rules is None or size not in (SINGLE, DOUBLE) or 2 * size not in rules.seats:
        return False
    return [len(side) for side in rules.sides(2 * size)] == [size, size]


# --- what the form asks of a line-up -----------------------------------------------------------------------
class Fault(NamedTuple):
    """What is wrong at a board of a line-up, and with whom.

    "missing" or "too-many" players; a `player` is "not-in-squad", there "twice" (at the board, or in its part of the
    evening, where `other` is the other board), in "too-many-singles" or "too-many-doubles", or "out-of-order" (stronger
    than `other`, a player at a board before).
    """

    board: int
    """From 1."""
    code: str
    player: int | None = None
    other: int | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """What is played in each encounter of a league."""

    boards: tuple[Board, ...]
    match: Worth = MATCH
    """What the whole encounter is worth, by game points."""
    singles: int = 1
    """In how many singles a player may play."""
    doubles: int = 1
    in_order: bool = False
    """Whether the players of a part's singles, or of its doubles, stand in the order of the squad."""
    play_all: bool = True
    """Whether the boards are played that can decide nothing any more."""

    @property
    def parts(self) -> tuple[int, ...]:
        """In their order."""
        return tuple(sorted({board.part for board in self.boards}))

    @property
    def scale(self) -> int:
        """Game points times this are whole numbers."""
        return lcm(*(value.denominator for board in self.boards for value in board.worth))

    @property
    def tables(self) -> int:
        """How many tables an encounter needs, so that all boards of a part can play at the same time."""
        return max(len(self.boards_of(part)) for part in self.parts)

    def boards_of(self, part: int) -> tuple[int, ...]:
        """The numbers of a part's boards."""
        return tuple(number for number, board in enumerate(self.boards, 1) if board.part == part)

    def faults(self, line_up: LineUp, squad: Squad) -> list[Fault]:
        """What is wrong with the line-up of a squad, board by board; nothing if it can be played."""
        found = [fault for number in range(1, len(self.boards) + 1) for fault in self._faults_at(number, line_up)]
        found += [
            Fault(number, "not-in-squad", player)
            for number, players in enumerate(line_up, 1)
            for player in players
            if player not in squad
        ]
        if self.in_order:
            found += self._out_of_order(line_up, squad)
        return sorted(found, key=lambda fault: fault.board)

    def _faults_at(self, number: int, line_up: LineUp) -> Iterator[Fault]:
        board, players = self.boards[number - 1], line_up[number - 1]
        if 0 < len(players) < board.size:
            yield Fault(number, "missing")
        if len(players) > board.size:
            yield Fault(number, "too-many")
        before = [(at, player) for at, there in enumerate(line_up[: number - 1], 1) for player in there]
        most, code = (self.singles, "too-many-singles") if board.size == SINGLE else (self.doubles, "too-many-doubles")
        for player, times in Counter(players).items():
            earlier = [at for at, there in before if there == player]
            beside = [at for at in earlier if self.boards[at - 1].part == board.part]
            if times > 1 or beside:
                yield Fault(number, "twice", player, number if times > 1 else beside[0])
            elif sum(self.boards[at - 1].size == board.size for at in earlier) >= most:
                yield Fault(number, code, player)

    def _out_of_order(self, line_up: LineUp, squad: Squad) -> Iterator[Fault]:
        """By the strongest player at each board."""
        place = {player: at for at, player in enumerate(squad)}
        at = [min(((place[each], each) for each in players if each in place), default=None) for players in line_up]
        for kind in sorted({(board.part, board.size) for board in self.boards}):
            alike = [number for number, board in enumerate(self.boards, 1) if (board.part, board.size) == kind]
            filled = [(number, best) for number in alike if (best := at[number - 1])]
            for (_before, one), (number, other) in pairwise(filled):
                if other[0] < one[0]:
                    yield Fault(number, "out-of-order", other[1], one[1])

    def as_json(self) -> dict[str, Any]:
        return {
            "boards": [board.as_json() for board in self.boards],
            "match": self.match.as_json(),
            "singles": self.singles,
            "doubles": self.doubles,
            "in_order": self.in_order,
            "play_all": self.play_all,
        }

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        """Impossible "no-boards", "too-many-boards", "no-times" if nobody may play at all, and as `Board.of` and
        `Worth.of`."""
        boards = tuple(map(Board.of, value["boards"]))
        if not boards:
            raise Impossible("no-boards")
        if len(boards) > MOST_BOARDS:
            raise Impossible("too-many-boards")
        if min(value["singles"], value["doubles"]) < 1:
            raise Impossible("no-times")
        rest = {name: value[name] for name in ("singles", "doubles", "in_order", "play_all")}
        return cls(boards, Worth.of(value["match"]), **rest)


PRESETS: Mapping[str, tuple[int, int]] = {
    "six-singles-three-doubles": (6, 3),
    "four-singles-two-doubles": (4, 2),
    "three-singles": (3, 0),
}
"""The usual evenings: how many singles, then how many doubles."""


def usual_boards(preset: str, single: tuple[str, Setting], double: tuple[str, Setting]) -> tuple[Board, ...]:
    """The boards of a usual evening; `single` and `double` are the games of these and how they are played."""
    singles, doubles = PRESETS[preset]
    return (Board(*single, SINGLE, 1),) * singles + (Board(*double, DOUBLE, 2),) * doubles


def fewest_players(form: Form) -> int:
    """How many players fill every board of a line-up, if they may play often enough."""
    at_once = max(sum(form.boards[board - 1].size for board in form.boards_of(part)) for part in form.parts)
    singles = sum(board.size == SINGLE for board in form.boards)
    doubles = sum(2 for board in form.boards if board.size == DOUBLE)
    return max(at_once, -(-singles // form.singles), -(-doubles // form.doubles))


def leads(board: int) -> int:
    """The side that leads first at the board with this number: at home on odd ones, away on even ones."""
    return (board + 1) % 2


# --- line-ups ----------------------------------------------------------------------------------------------
class Wrong(Impossible):
    """A line-up that the form does not allow; `faults` says where."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("wrong-line-up")
        self.faults = faults


class Substitute(NamedTuple):
    """Others came to a board after the line-ups were open."""

    board: int
    side: int
    instead_of: tuple[int, ...]
    players: tuple[int, ...]
    why: str


class Played(NamedTuple):
    """How a board ended: the total of each side, None for one that did not come."""

    totals: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two squads meet. Line-ups are secret until they are open; after that only substitutes change them."""

    form: Form
    squads: tuple[tuple[int, ...], tuple[int, ...]]
    line_ups: tuple[LineUp | None, LineUp | None] = (None, None)
    """As they were submitted. Whoever shows them asks `seen_by`."""
    open: bool = False
    substitutes: tuple[Substitute, ...] = ()

    @property
    def submitted(self) -> tuple[bool, bool]:
        """Which sides are in: all that is known to everybody before the line-ups are open."""
        home, away = self.line_ups
        return home is not None, away is not None

    def seen_by(self, side: int | None) -> tuple[LineUp | None, LineUp | None]:
        """The line-ups that a side may see, None for everybody else: before they are open, only its own."""
        if self.open:
            return self.playing
        home, away = self.line_ups
        return home if side == 0 else None, away if side == 1 else None

    @property
    def playing(self) -> tuple[LineUp, LineUp]:
        """Who plays, substitutes in. Impossible "line-ups-secret" before they are open."""
        if not self.open:
            raise Impossible("line-ups-secret")
        home, away = (self.line_ups[side] or self._nobody for side in SIDES)
        for each in self.substitutes:
            home, away = (
                _with(line_up, each.board, each.players) if side == each.side else line_up
                for side, line_up in enumerate((home, away))
            )
        return home, away

    def submit(self, side: int, line_up: LineUp) -> Self:
        """The squad's line-up, in place of an earlier one. Impossible "line-ups-open" once they are, Wrong."""
        if self.open:
            raise Impossible("line-ups-open")
        if len(line_up) != len(self.form.boards):
            raise Impossible("boards-missing")
        if faults := self.form.faults(line_up, self.squads[side]):
            raise Wrong(faults)
        home, away = self.line_ups
        return replace(self, line_ups=(line_up, away) if side == 0 else (home, line_up))

    def opened(self) -> Self:
        """Both line-ups become known. A squad that submitted none has nobody at its boards. Impossible
        "line-ups-open"."""
        if self.open:
            raise Impossible("line-ups-open")
        return replace(self, open=True)

    def with_substitutes(self, board: int, side: int, players: tuple[int, ...], why: str) -> Self:
        """Others play at a board. They need not be of the squad, but nobody plays twice in a part of the evening.
        Impossible "line-ups-secret", "no-such-board", "same-people", or Wrong."""
        line_up = self.playing[side]
        if not 0 < board <= len(line_up):
            raise Impossible("no-such-board")
        if {*players} == {*line_up[board - 1]}:
            raise Impossible("same-people")
        changed = _with(line_up, board, players)
        there = [fault for fault in self.form.faults(changed, (*self.squads[side], *players)) if fault.code in _AT_ALL]
        part = self.form.boards_of(self.form.boards[board - 1].part)
        others = {player: each for each in part for player in self.playing[1 - side][each - 1]}
        there += [Fault(board, "twice", player, others[player]) for player in players if player in others]
        if there:
            raise Wrong(there)
        new = Substitute(board, side, line_up[board - 1], players, why)
        return replace(self, substitutes=(*self.substitutes, new))

    def seats_at(self, board: int) -> tuple[int, ...]:
        """The players at the board by seat; those who lead first have seat 0. Impossible "board-forfeited" if a side
        has nobody there."""
        if self.absent_at(board):
            raise Impossible("board-forfeited")
        there = [line_up[board - 1] for line_up in self.playing]
        first = leads(board)
        return self.form.boards[board - 1].seated(there[first], there[1 - first])

    def absent_at(self, board: int) -> frozenset[int]:
        """The sides that have nobody at the board."""
        return frozenset(side for side, line_up in enumerate(self.playing) if not line_up[board - 1])

    @property
    def nobody_came(self) -> bool:
        """Whether the line-ups are open, and neither side has anybody at any board."""
        return self.open and not any(players for line_up in self.playing for players in line_up)

    @property
    def _nobody(self) -> LineUp:
        return ((),) * len(self.form.boards)

    def score(self, played: Mapping[int, Played]) -> "Score":
        """What the boards add up to so far; `played`: how boards ended, by their numbers. A board where a side has
        nobody is over as soon as the line-ups are open."""
        absent = {board: self.absent_at(board) for board in range(1, len(self.form.boards) + 1)} if self.open else {}
        forfeited = {
            board: Played((None if 0 in sides else 0, None if 1 in sides else 0))
            for board, sides in absent.items()
            if sides
        }
        return Score(self.form, {**played, **forfeited})


_AT_ALL = frozenset({"missing", "too-many", "twice"})  # faults that not even a substitute may have


def _with(line_up: LineUp, board: int, players: tuple[int, ...]) -> LineUp:
    return (*line_up[: board - 1], players, *line_up[board:])


# --- what the boards add up to -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Score:
    """The boards of an encounter that are over, and what they add up to."""

    form: Form
    played: Mapping[int, Played]
    """How each of them ended, by its number."""

    def best_at(self, board: int) -> int | None:
        """The side that won the board, which is over; None if nobody did."""
        home, away = self.played[board].totals
        if home is None or away is None:
            return 0 if home is not None else 1 if away is not None else None
        if home == away:
            return None
        return 0 if (home < away) == self.form.boards[board - 1].lower_wins else 1

    def points_at(self, board: int) -> Each:
        """What the board was worth to each side. Where nobody came, both lose it."""
        worth = self.form.boards[board - 1].worth
        if self.played[board].totals == (None, None):
            return worth.loss, worth.loss
        return worth.shared(self.best_at(board))

    def shares_at(self, board: int) -> Each:
        """1 for the side that won the board, which is over, 1/2 for a draw; nothing where nobody came."""
        if self.played[board].totals == (None, None):
            return NOTHING, NOTHING
        return _SHARES.shared(self.best_at(board))

    @property
    def game_points(self) -> Each:
        return _sum(self.points_at(board) for board in self.played)

    @property
    def totals(self) -> tuple[int, int]:
        """The totals of all boards together."""
        home, away = ([each.totals[side] or 0 for each in self.played.values()] for side in SIDES)
        return sum(home), sum(away)

    @property
    def board_points(self) -> Each:
        """Where higher boards count more (Berlin): board 1 of n is worth n, the last one 1, a draw half of that."""
        above = len(self.form.boards) + 1
        shares = ((above - board, self.shares_at(board)) for board in self.played)
        return _sum((weight * home, weight * away) for weight, (home, away) in shares)

    @property
    def board_wins(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """For each side, its wins at board 1, at board 2, and so on; a draw is half a win."""
        boards = range(1, len(self.form.boards) + 1)
        there = [self.shares_at(board) if board in self.played else (NOTHING, NOTHING) for board in boards]
        return tuple(home for home, _away in there), tuple(away for _home, away in there)

    @property
    def decided(self) -> bool:
        """Whether the boards that are not over cannot change who wins."""
        home, away = self.game_points
        open_boards = (board for number, board in enumerate(self.form.boards, 1) if number not in self.played)
        return abs(home - away) > sum((board.worth.win - board.worth.loss for board in open_boards), NOTHING)

    @property
    def complete(self) -> bool:
        """Whether every board is over."""
        return len(self.played) == len(self.form.boards)

    @property
    def over(self) -> bool:
        return self.complete or (self.decided and not self.form.play_all)

    @property
    def match_points(self) -> Each | None:
        """What the encounter was worth, by game points; None while it is not over. Where nobody came, both lose it."""
        if not self.over:
            return None
        if all(each.totals == (None, None) for each in self.played.values()):
            return self.form.match.loss, self.form.match.loss
        home, away = self.game_points
        return self.form.match.shared(None if home == away else 0 if home > away else 1)


_SHARES = Worth(Fraction(1), Fraction(1, 2), NOTHING)


def _sum(values: Iterator[Each]) -> Each:
    home = away = NOTHING
    for one, other in values:
        home, away = home + one, away + other
    return home, away


def exact(value: Fraction) -> int | str:
    """As in a file: a whole number, or a fraction as text."""
    return value.numerator if value.denominator == 1 else str(value)


def line_up_of(value: Sequence[Sequence[int]]) -> LineUp:
    return tuple(map(tuple, value))


def people_of(line_ups: Collection[LineUp]) -> frozenset[int]:
    """Everybody in these line-ups."""
    return frozenset(player for line_up in line_ups for players in line_up for player in players)
