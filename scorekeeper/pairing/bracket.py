"""The games of a knock-out: who meets whom, as far as it follows from the seeds and the results so far.

A game gets its two sides from the seeds or from other games. Where a side stays empty, because there is no such seed or
because nobody came, the other one goes on without a table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Game:
    """A game between two. `round`: before this round it has no table."""

    round: int
    sides: "tuple[Side, Side]"
    places: tuple[int, int] | None = None
    """The places that it decides; the final none."""
    over: bool = False
    winner: int | None = None
    loser: int | None = None

    @property
    def known(self) -> bool:
        """Whether it is known who would meet."""
        return all(side.known for side in self.sides)

    @property
    def players(self) -> list[int]:
        """Those of its two who are known."""
        return [player for side in self.sides if side.known and (player := side.player) is not None]


@dataclass(frozen=True, slots=True)
class Side:
    """Where one of the two comes from: a seed (None: an empty place), or a game that they won or lost."""

    seed: int | None = None
    game: Game | None = None
    won: bool = True

    @property
    def known(self) -> bool:
        return self.game is None or self.game.over

    @property
    def player(self) -> int | None:
        """None for an empty side."""
        if self.game is None:
            return self.seed
        return self.game.winner if self.won else self.game.loser


@dataclass(slots=True)
class Bracket:
    """All games in the order of the tree: those that decide the better places first, of them the earlier ones."""

    games: list[Game] = field(default_factory=list)
    final: "Game | None" = None
    again: "Game | None" = None
    """The grand final of a double knock-out: if its upper side loses, the two meet again."""

    def is_final(self, game: Game) -> bool:
        """Whether it is a final, or the match for third place."""
        second = self.again is not None and game.sides[0].game is self.again
        return game is self.final or second or game.places == (3, 4)

    def enter(self, two: Iterable[int], number: int, winner: int | None, *, nobody: bool = False) -> Game | None:
        """What a table of this round decided; without a winner nothing, unless nobody came. The game that was played
        at the table; None if they had none to play."""
        met = {*two}
        played = next((game for game in self.tables(number) if {*game.players} == met), None)
        if played and (winner is not None or nobody):
            self._end(played, winner, None if winner is None else next(iter(met - {winner}), None))
        self.let_through()
        return played

    def let_through(self) -> None:
        """Ends all games in which a side is empty."""
        while waiting := [game for game in self.games if not game.over and game.known and len(game.players) < 2]:
            for game in waiting:
                self._end(game, next(iter(game.players), None), None)

    def _end(self, game: Game, winner: int | None, loser: int | None) -> None:
        game.over, game.winner, game.loser = True, winner, loser
        if game is self.again and winner is not None and winner == game.sides[1].player and loser is not None:
            self.games.append(once_more(game))

    def tables(self, number: int) -> list[Game]:
        """The games that this round holds."""
        return [game for game in self.games if not game.over and game.known and game.round <= number]

    def waiting(self, number: int) -> list[int]:
        """Who has no table in this round, but waits for one."""
        busy = {player for game in self.tables(number) for player in game.players}
        return sorted({player for game in self.games if not game.over for player in game.players} - busy)


def tree(seeds: int) -> list[int]:
    """The seeds in the order of the first round, for a power of two."""
    order = [1]
    while len(order) < seeds:
        order = [each for seed in order for each in (seed, 2 * len(order) + 1 - seed)]
    return order


def meeting(one: int, other: int, seeds: int) -> int:
    """The round in which two seeds can meet."""
    order = tree(seeds)
    return (order.index(one) ^ order.index(other)).bit_length()


def single(entrants: Sequence[int], *, third_place: bool = False, placement: bool = False) -> Bracket:
    """The seeds in their order. A knock-out in which one loss puts out."""
    sides = _seeded(entrants)
    levels = _levels(sides)
    games = [game for level in levels for game in level]
    if placement:
        for level in levels[:-1]:
            losers = [Side(game=game, won=False) for game in level]
            games += _play_on(losers, len(losers) + 1, level[0].round + 1)
    elif third_place and len(levels) > 1:
        final = levels[-1][0]
        games.append(Game(final.round, _two(Side(game=game, won=False) for game in levels[-2]), (3, 4)))
    return _begun(Bracket(games, final=levels[-1][0] if levels else None))


def double(entrants: Sequence[int]) -> Bracket:
    """A knock-out in which only the second loss puts out."""
    upper = _levels(_seeded(entrants))
    if not upper:
        return Bracket()
    losers = [[Side(game=game, won=False) for game in level] for level in upper]
    lower: list[list[Game]] = []
    here = losers[0]
    for number, arriving in enumerate(losers[1:], 1):
        lower.append([Game(2 * number, two) for two in _pairs(here)])
        here = [Side(game=game) for game in lower[-1]]
        lower.append([Game(2 * number + 1, two) for two in zip(here, _crossed(arriving, number == 1), strict=True)])
        here = [Side(game=game) for game in lower[-1]]
    final = Game(2 * len(upper), (Side(game=upper[-1][0]), here[0]))
    return _begun(Bracket([game for level in (*upper, *lower) for game in level] + [final], final=final, again=final))


def once_more(game: Game) -> Game:
    """A game of the same two in the round after it."""
    return Game(game.round + 1, (Side(game=game), Side(game=game, won=False)))


def _seeded(entrants: Sequence[int]) -> list[Side]:
    places = 1 << (len(entrants) - 1).bit_length()
    return [Side(entrants[seed - 1] if seed <= len(entrants) else None) for seed in tree(places)]


def _levels(sides: Sequence[Side]) -> list[list[Game]]:
    """The games of each round, from the first to the final."""
    levels: list[list[Game]] = []
    while len(sides) > 1:
        levels.append([Game(len(levels) + 1, two) for two in _pairs(sides)])
        sides = [Side(game=game) for game in levels[-1]]
    return levels


def _play_on(sides: Sequence[Side], place: int, number: int) -> Iterator[Game]:
    """The games among these for the places from this one on."""
    if len(sides) < 2:
        return
    last = len(sides) == 2
    level = [Game(number, two, (place, place + 1) if last else None) for two in _pairs(sides)]
    yield from level
    yield from _play_on([Side(game=game) for game in level], place, number + 1)
    losers = [Side(game=game, won=False) for game in level]
    yield from _play_on(losers, place + len(losers), number + 1)


def _crossed(arriving: Sequence[Side], first: bool) -> Sequence[Side]:
    """Those who come down from the upper rounds, so that they do not meet whom they have just met: in reversed order,
    later with the halves exchanged, and the last two in order."""
    if first:
        return arriving[::-1]
    half = len(arriving) // 2
    return arriving if half <= 1 else [*arriving[half:], *arriving[:half]]


def _pairs(sides: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    return zip(sides[::2], sides[1::2], strict=True)


def _two(sides: Iterable[Side]) -> tuple[Side, Side]:
    one, other = sides
    return one, other


def _begun(bracket: Bracket) -> Bracket:
    bracket.let_through()
    return bracket
