"""What is to be scheduled: who is there in which round, at which tables, who must not meet, what is played."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from operator import or_

from scorekeeper.schedule.one_round import can_be_seated
from scorekeeper.schedule.rounds import Format, Round


class Impossible(Exception):
    """What was wished for cannot be: a code, and what it is about."""

    def __init__(self, code: str, **facts: "int | str | Wishes") -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


@dataclass(frozen=True, slots=True)
class Apart:
    """No two of these players meet in the first so many rounds."""

    players: tuple[int, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class Wishes:
    """What life asks of a schedule. Players, rounds and tables are counted from 0."""

    apart: tuple[Apart, ...] = ()
    fixed: Mapping[int, int] = field(default_factory=dict)
    """Player → the table at which he sits in every round that he plays."""
    present: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Player → the first round he is there for, and the first one he is not; all others are there for all."""

    @property
    def players(self) -> set[int]:
        """Whom they are about."""
        return {*self.fixed, *self.present, *(player for group in self.apart for player in group.players)}

    def __or__(self, later: "Wishes") -> "Wishes":
        """Both; of two about the same player, or the same players apart, the ``later`` one."""
        apart = {frozenset(each.players): each for each in (*self.apart, *later.apart)}
        return Wishes(tuple(apart.values()), {**self.fixed, **later.fixed}, {**self.present, **later.present})


NOTHING = Wishes()


@dataclass(frozen=True)
class Task:
    """A schedule to be made. ``done`` are the rounds that are played or released already: they stay as they are."""

    format: Format
    players: int
    rounds: int
    wishes: Wishes = NOTHING
    done: tuple[Round, ...] = ()
    planned: tuple[Round, ...] = ()
    """All rounds as everybody has them in his hand, where there are any: of those to come, as many tables as can be
    stay."""

    @cached_property
    def present(self) -> tuple[tuple[int, ...], ...]:
        """Who is there, by round; in rounds that are done, whoever was."""
        whole = (0, self.rounds)
        windows = [self.wishes.present.get(player, whole) for player in range(self.players)]
        planned = (
            tuple(player for player, (first, end) in enumerate(windows) if first <= number < end)
            for number in range(len(self.done), self.rounds)
        )
        return (*(_there(each) for each in self.done), *planned)

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """The tables of every round: as few sit out as can be, and the most at tables of the usual size."""
        played = (tuple(len(table) for table in each.tables) for each in self.done)
        return (*played, *(sizes_of(self.format, len(there)) for there in self.present[len(self.done) :]))

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """How often each would sit out if everybody who is there did so equally."""
        rounds: list[Counter[tuple[int, int]]] = [Counter() for _player in range(self.players)]
        for there, tables in zip(self.present, self.sizes, strict=True):
            for player in there:
                rounds[player][len(there) - sum(tables), len(there)] += 1
        return tuple(sum((times * Fraction(*share) for share, times in his.items()), Fraction(0)) for his in rounds)

    @cached_property
    def apart(self) -> Mapping[tuple[int, int], int]:
        """Pairs, the lower first → how many rounds they must not meet in; two with tables of their own never do."""
        found: dict[tuple[int, int], int] = {}
        for one, other, rounds in self._apart():
            pair = min(one, other), max(one, other)
            found[pair] = max(rounds, found.get(pair, 0))
        return found

    def _apart(self) -> Iterator[tuple[int, int, int]]:
        for group in self.wishes.apart:
            for at, one in enumerate(group.players):
                yield from ((one, other, group.rounds) for other in group.players[at + 1 :])
        fixed = [*self.wishes.fixed]
        for at, one in enumerate(fixed):
            yield from ((one, other, self.rounds) for other in fixed[at + 1 :])

    def check(self) -> None:
        """Impossible, naming the wish, where no schedule can grant it."""
        for number, (there, tables) in enumerate(zip(self.present, self.sizes, strict=True)):
            if not tables:
                raise Impossible("too-few-players", players=len(there), needed=min(self.format.sizes), round=number + 1)
        self.check_players()
        for player, (first, end) in self.wishes.present.items():
            if not 0 <= first < end <= self.rounds:
                raise Impossible("never-there", player=player + 1, rounds=self.rounds)
        self._check_fixed()
        for group in self.wishes.apart:
            self._check_apart(group)
        self._check_together()

    def check_players(self) -> None:
        """Impossible, where a wish is about nobody."""
        for player in sorted(self.wishes.players):
            if not 0 <= player < self.players:
                raise Impossible("no-such-player", player=player + 1, players=self.players)

    def _check_fixed(self) -> None:
        tables = list(self.wishes.fixed.values())
        for player, table in self.wishes.fixed.items():
            fewest = min(len(each) for each in self.sizes[len(self.done) :])
            if not 0 <= table < fewest:
                raise Impossible("no-such-table", player=player + 1, table=table + 1, tables=fewest)
            if tables.count(table) > 1:
                raise Impossible("table-taken", table=table + 1)

    def _check_apart(self, group: Apart) -> None:
        if len(set(group.players)) < max(2, len(group.players)):
            raise Impossible("no-group", players=_listed(group.players))
        for number in range(len(self.done), min(group.rounds, self.rounds)):
            there, tables = self.present[number], self.sizes[number]
            places = len(tables) + len(there) - sum(tables)
            if len({*group.players} & {*there}) > places:
                raise Impossible("group-too-large", players=_listed(group.players), round=number + 1, places=places)

    def _check_together(self) -> None:
        """Whether each round to come can be seated, as far as some trying finds out."""
        seen = set()
        for number in range(len(self.done), self.rounds):
            apart = tuple(group for group in self.wishes.apart if number < group.rounds)
            if (kind := (self.present[number], apart)) not in seen and (apart or self.wishes.fixed):
                seen.add(kind)
                if wishes := self._contradiction(number, apart):
                    raise Impossible("contradiction", round=number + 1, wishes=wishes)

    def _contradiction(self, number: int, apart: Sequence[Apart]) -> Wishes | None:
        """Some of the wishes that cannot be granted all in this round, though each of them could be left out to help;
        None where there are no such."""
        there, tables = self.present[number], self.sizes[number]
        wishes = [Wishes((group,)) for group in apart]
        wishes += [Wishes(fixed={player: table}) for player, table in self.wishes.fixed.items()]

        def cannot(wishes: Sequence[Wishes]) -> bool:
            together = reduce(or_, wishes, NOTHING)
            return can_be_seated(there, tables, _avoided(together.apart), together.fixed) is False

        if not cannot(wishes):
            return None
        for wish in tuple(wishes):
            others = [each for each in wishes if each is not wish]
            wishes = others if cannot(others) else wishes
        return reduce(or_, wishes)


def _avoided(apart: Sequence[Apart]) -> dict[int, set[int]]:
    """Whom each may not meet."""
    found: dict[int, set[int]] = {}
    for group in apart:
        for player in group.players:
            found.setdefault(player, set()).update({*group.players} - {player})
    return found


def _there(round: Round) -> tuple[int, ...]:
    return tuple(sorted({*round.byes, *(player for table in round.tables for player in table)}))


def sizes_of(format: Format, players: int) -> tuple[int, ...]:
    """The tables of a round: as few sit out as can be, then as many tables of the usual size as can be."""
    usual, smaller = format.size, format.sizes[0]
    ways = [(a, (players - usual * a) // smaller if smaller < usual else 0) for a in range(players // usual + 1)]
    most, rest = min(ways, key=lambda way: (players - usual * way[0] - smaller * way[1], -way[0]))
    return (usual,) * most + (smaller,) * rest


def _listed(players: Sequence[int]) -> str:
    return ", ".join(str(player + 1) for player in players)
