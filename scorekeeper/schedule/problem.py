"""The problem to solve: which schedule is wanted, who is present in which round, and which wishes it must keep."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

from scorekeeper.schedule.feasibility import can_be_seated
from scorekeeper.schedule.seating import Format, Seating


class Infeasible(Exception):
    """No schedule can do this. ``code`` says why; ``facts`` say which players, rounds, tables or wishes."""

    def __init__(self, code: str, **facts: "int | str | Wishes") -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True, slots=True)
class Apart:
    """No two of these players meet in the first ``rounds`` rounds."""

    players: tuple[int, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a schedule must keep. Players, rounds and tables count from 0."""

    apart: tuple[Apart, ...] = ()
    fixed: Mapping[int, int] = field(default_factory=dict)
    """Player → their table in every round they play."""
    present: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Player → the first round they play, and the first round they no longer play. Others play all rounds."""

    @property
    def players(self) -> set[int]:
        """Every player named in a wish."""
        return {*self.fixed, *self.present, *(player for group in self.apart for player in group.players)}

    def __or__(self, later: "Wishes") -> "Wishes":
        """Both. A ``later`` wish replaces one about the same player, or about the same players apart."""
        apart = {frozenset(group.players): group for group in (*self.apart, *later.apart)}
        return Wishes(tuple(apart.values()), {**self.fixed, **later.fixed}, {**self.present, **later.present})


NO_WISHES = Wishes()


@dataclass(frozen=True)
class Problem:
    """A schedule to make. The ``done`` rounds were played or released already and stay unchanged."""

    format: Format
    players: int
    rounds: int
    wishes: Wishes = NO_WISHES
    done: tuple[Seating, ...] = ()
    planned: tuple[Seating, ...] = ()
    """All rounds of an earlier schedule. As many of its tables to come as possible stay."""

    @cached_property
    def present(self) -> tuple[tuple[int, ...], ...]:
        """The players present in each round; in rounds done, those who were."""
        whole = (0, self.rounds)
        windows = [self.wishes.present.get(player, whole) for player in range(self.players)]
        to_come = (
            tuple(player for player, (first, end) in enumerate(windows) if first <= number < end)
            for number in range(len(self.done), self.rounds)
        )
        return (*map(_players_in, self.done), *to_come)

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """The table sizes of each round: as few byes as possible, then as many tables of the usual size."""
        played = (tuple(len(table) for table in seating.tables) for seating in self.done)
        return (*played, *(sizes_of(self.format, len(present)) for present in self.present[len(self.done) :]))

    @cached_property
    def bye_shares(self) -> tuple[Fraction, ...]:
        """How many byes each player gets if everybody present in a round shares its byes equally."""
        rounds: list[Counter[tuple[int, int]]] = [Counter() for _player in range(self.players)]
        for present, sizes in zip(self.present, self.sizes, strict=True):
            for player in present:
                rounds[player][len(present) - sum(sizes), len(present)] += 1
        return tuple(
            sum((times * Fraction(byes, present) for (byes, present), times in shares.items()), Fraction(0))
            for shares in rounds
        )

    @cached_property
    def apart(self) -> Mapping[tuple[int, int], int]:
        """Pairs, the lower number first → the rounds in which they must not meet. Two with fixed tables never meet."""
        found: dict[tuple[int, int], int] = {}
        for one, other, rounds in self._pairs_apart():
            pair = min(one, other), max(one, other)
            found[pair] = max(rounds, found.get(pair, 0))
        return found

    def _pairs_apart(self) -> Iterator[tuple[int, int, int]]:
        for group in self.wishes.apart:
            for at, one in enumerate(group.players):
                yield from ((one, other, group.rounds) for other in group.players[at + 1 :])
        fixed = [*self.wishes.fixed]
        for at, one in enumerate(fixed):
            yield from ((one, other, self.rounds) for other in fixed[at + 1 :])

    def check(self) -> None:
        """Raises Infeasible, naming the wish, if no schedule can keep it."""
        for number, (present, sizes) in enumerate(zip(self.present, self.sizes, strict=True)):
            if not sizes:
                needed = min(self.format.sizes)
                raise Infeasible("too-few-players", players=len(present), needed=needed, round=number + 1)
        self.check_players()
        for player, (first, end) in self.wishes.present.items():
            if not 0 <= first < end <= self.rounds:
                raise Infeasible("never-there", player=player + 1, rounds=self.rounds)
        self._check_fixed()
        for group in self.wishes.apart:
            self._check_apart(group)
        self._check_together()

    def check_players(self) -> None:
        """Raises Infeasible if a wish names a player who does not exist."""
        for player in sorted(self.wishes.players):
            if not 0 <= player < self.players:
                raise Infeasible("no-such-player", player=player + 1, players=self.players)

    def _check_fixed(self) -> None:
        tables = list(self.wishes.fixed.values())
        for player, table in self.wishes.fixed.items():
            fewest = min(len(sizes) for sizes in self.sizes[len(self.done) :])
            if not 0 <= table < fewest:
                raise Infeasible("no-such-table", player=player + 1, table=table + 1, tables=fewest)
            if tables.count(table) > 1:
                both = [each for each, wanted in self.wishes.fixed.items() if wanted == table]
                raise Infeasible("table-taken", players=_listed(both), table=table + 1)

    def _check_apart(self, group: Apart) -> None:
        if len(set(group.players)) < max(2, len(group.players)):
            raise Infeasible("no-group", players=_listed(group.players))
        for number in range(len(self.done), min(group.rounds, self.rounds)):
            present, sizes = self.present[number], self.sizes[number]
            places = len(sizes) + len(present) - sum(sizes)
            if len({*group.players} & {*present}) > places:
                raise Infeasible("group-too-large", players=_listed(group.players), round=number + 1, places=places)

    def _check_together(self) -> None:
        """Raises Infeasible if a round to come cannot keep all its wishes, as far as `feasibility` can tell."""
        checked = set()
        for number in range(len(self.done), self.rounds):
            apart = tuple(group for group in self.wishes.apart if number < group.rounds)
            kind = self.present[number], apart
            if kind not in checked and (apart or self.wishes.fixed):
                checked.add(kind)
                if wishes := self._contradiction(number, apart):
                    raise Infeasible("contradiction", round=number + 1, wishes=wishes)

    def _contradiction(self, number: int, apart: Sequence[Apart]) -> Wishes | None:
        """A smallest set of wishes that this round cannot keep together; None if it can keep all, or nobody knows."""
        present, sizes = self.present[number], self.sizes[number]
        wishes = [Wishes((group,)) for group in apart]
        wishes += [Wishes(fixed={player: table}) for player, table in self.wishes.fixed.items()]

        def clash(wishes: Sequence[Wishes]) -> bool:
            together = reduce(or_, wishes, NO_WISHES)
            return can_be_seated(present, sizes, _avoided(together.apart), together.fixed) is False

        if not clash(wishes):
            return None
        for wish in tuple(wishes):
            others = [other for other in wishes if other is not wish]
            wishes = others if clash(others) else wishes
        return reduce(or_, wishes)


def _avoided(apart: Sequence[Apart]) -> dict[int, set[int]]:
    """The players each player must not meet."""
    found: dict[int, set[int]] = {}
    for group in apart:
        for player in group.players:
            found.setdefault(player, set()).update({*group.players} - {player})
    return found


def _players_in(seating: Seating) -> tuple[int, ...]:
    return tuple(sorted({*seating.byes, *(player for table in seating.tables for player in table)}))


def sizes_of(format: Format, players: int) -> tuple[int, ...]:
    """The table sizes of a round: as few byes as possible, then as many tables of the usual size as possible."""
    usual, smaller = format.size, format.sizes[0]
    ways = [
        (tables, (players - usual * tables) // smaller if smaller < usual else 0)
        for tables in range(players // usual + 1)
    ]
    most, rest = min(ways, key=lambda way: (players - usual * way[0] - smaller * way[1], -way[0]))
    return (usual,) * most + (smaller,) * rest


def _listed(players: Sequence[int]) -> str:
    return ", ".join(str(player + 1) for player in players)
