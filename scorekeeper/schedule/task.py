"""What is to be scheduled: who is there in which round, at which tables, who must not meet, what is played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from scorekeeper.schedule.rounds import Format, Round


class Impossible(Exception):
    """What was wished for cannot be: a code, and what it is about."""

    def __init__(self, code: str, **facts: int | str) -> None:
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
        shares = [Fraction(0)] * self.players
        for there, tables in zip(self.present, self.sizes, strict=True):
            out = len(there) - sum(tables)
            for player in there if out else ():
                shares[player] += Fraction(out, len(there))
        return tuple(shares)

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
                raise Impossible("never-there", player=player + 1)
        self._check_fixed()
        for group in self.wishes.apart:
            self._check_apart(group)
        self._check_all_at_once()

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

    def _check_all_at_once(self) -> None:
        """Each by himself, with all wishes that are about him, then who is apart from each other pair by pair:
        necessary, though not always enough."""
        wishing = sorted({player for pair in self.apart for player in pair})
        for number in range(len(self.done), self.rounds):
            there, tables = self.present[number], self.sizes[number]
            if len(there) > sum(tables):
                continue
            avoided = {
                player: [each for each in there if each != player and self._kept_apart(player, each, number)]
                for player in wishing
                if player in there
            }
            for player, others in avoided.items():
                if len(there) - 1 - len(others) < min(tables) - 1:
                    raise Impossible("nobody-left", player=player + 1, round=number + 1)
                taken = {self.wishes.fixed[other] for other in others if other in self.wishes.fixed}
                if player not in self.wishes.fixed and len(taken) == len(tables):
                    raise Impossible("nowhere-to-sit", player=player + 1, round=number + 1)
            for player, others in avoided.items():
                group = self._all_apart(player, others, number)
                if len(group) > len(tables):
                    places = len(tables)
                    raise Impossible("group-too-large", players=_listed(group), round=number + 1, places=places)

    def _all_apart(self, player: int, avoided: Sequence[int], number: int) -> list[int]:
        """The player and some of those he may not meet, none of whom may meet another."""
        group = [player]
        for other in avoided:
            if all(self._kept_apart(each, other, number) for each in group):
                group.append(other)
        return sorted(group)

    def _kept_apart(self, one: int, other: int, number: int) -> bool:
        return number < self.apart.get((min(one, other), max(one, other)), 0)


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
