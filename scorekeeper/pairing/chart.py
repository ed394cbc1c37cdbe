"""A knock-out as it is drawn: its matches in parts and rounds, where their sides come from, and what was played.

A game in which a side is empty from the beginning is not a match: the other side is already in the next one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from games.errors import marked
from scorekeeper.pairing.bracket import Bracket, Game, Side, once_more
from scorekeeper.pairing.knock_out import seeded, so_far, wrong_tables
from scorekeeper.standings.reading import Refused
from scorekeeper.standings.results import Contest, Results
from scorekeeper.standings.tournament import Stage, System, Tournament

NONE = range(0)


class PartKind(StrEnum):
    MAIN = "main"
    """The whole tree of a single knock-out."""
    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    """Of a double knock-out: the grand final, and the one after it."""
    PLACES = "places"
    """The tree for some places below the first two."""
    OTHERS = "others"
    """Tables of those who had no match to play."""


class State(StrEnum):
    WAITING = "waiting"
    """It has no table yet, or needs another one."""
    OPEN = "open"
    """Its table is not over."""
    OVER = "over"
    IF_NEEDED = "if-needed"
    """Perhaps it is never played."""


class Forfeit(Enum):
    """What a side has instead of a total: it came alone, or did not come."""

    WON = True
    LOST = False


@dataclass(frozen=True, slots=True)
class From:
    """Whoever won or lost the match with this number."""

    match: int
    won: bool


@dataclass(frozen=True, slots=True)
class ChartSide:
    entrants: tuple[int, ...]
    """Empty: not known yet, or nobody."""
    nobody: bool
    """Whether nobody comes any more."""
    source: From | None
    """None for a seed."""
    scores: tuple[int | Forfeit, ...]
    """From each table that is over."""
    won: bool


@dataclass(frozen=True, slots=True)
class ChartMatch:
    number: int
    """From 1, round by round."""
    round: int
    """Of the tree; matches of one round can be played at the same time."""
    sides: tuple[ChartSide, ...]
    state: State
    rounds: tuple[int, ...]
    """Those of the stage in which it had a table."""
    due: tuple[int, ...] = ()
    """At a table of others: who should sit there by the results, and has not met since."""


class Part(NamedTuple):
    kind: PartKind
    matches: list[ChartMatch]
    """By round, then from top to bottom."""
    places: range
    """Those that it decides; `NONE` for all parts but `PLACES`."""


class Chart(NamedTuple):
    tournament: Tournament
    stage: Stage
    """With its entrants in the order of seeds."""
    parts: list[Part]
    """From top to bottom, none without a match. None at all with fewer than two entrants."""


def chart(tournament: Tournament, stage: Stage) -> Chart:
    """Raises Refused for a stage that is no knock-out, or if somebody goes on to it from two stages."""
    if stage.system is not System.KNOCK_OUT:
        text = marked("The stage {name} is not a knock-out: it has no bracket.")
        raise Refused("no-knock-out", text, f"stages[{tournament.stages.index(stage)}].system", name=stage.name)
    stage = seeded(tournament, stage)
    return Chart(tournament, stage, _parts(Results.of(tournament, stage)))


def _parts(results: Results) -> list[Part]:
    bracket, contests, others = so_far(results)
    tree = _Tree(bracket.games, _if_needed(bracket), len(results.contests))
    drawn = [
        Part(kind, [tree.match(game, contests.get(game, {})) for game in tree.sorted(part)], places)
        for kind, part, places in (_double if bracket.again else _single)(tree, bracket)
    ]
    number = len(tree.numbers)
    due = {(wrong.round, frozenset(wrong.sat)): tuple(wrong.due) for wrong in wrong_tables(results)} if others else {}
    loose = [_other(number + at, *each, due) for at, each in enumerate(others, 1)]
    return [part for part in (*drawn, Part(PartKind.OTHERS, loose, NONE)) if part.matches]


class _Tree:
    """The games that have two sides from the beginning: the matches."""

    def __init__(self, games: Iterable[Game], if_needed: Collection[Game], newest: int) -> None:
        self.newest = newest
        """The last round: at the tables of those before it, nobody plays any more."""
        self.if_needed = if_needed
        self.sides: dict[Game, list[Side]] = {}
        """Where the two come from, past games that are no matches."""
        passed: dict[Game, list[Side]] = {}
        for game in (*games, *if_needed):
            found = [side for each in game.sides if (side := _origin(each, self.sides, passed))]
            (self.sides if len(found) == 2 else passed)[game] = found
        by_round = sorted(self.sides, key=lambda game: game.round)
        self.numbers = {game: number for number, game in enumerate(by_round, 1)}

    def sorted(self, games: Iterable[Game]) -> list[Game]:
        return sorted(games, key=self.numbers.__getitem__)

    def before(self, game: Game) -> Iterator[Game]:
        """The match and all whose winners could come to it."""
        yield game
        for side in self.sides[game]:
            if side.game and side.won:
                yield from self.before(side.game)

    def match(self, game: Game, contests: Mapping[int, Contest]) -> ChartMatch:
        if game.over:
            state = State.OVER
        elif self.newest in contests and contests[self.newest].open:
            state = State.OPEN
        else:
            state = State.IF_NEEDED if game in self.if_needed else State.WAITING
        sides = zip(game.sides, self.sides[game], strict=True)
        drawn = tuple(self._side(game, *each, contests.values()) for each in sides)
        return ChartMatch(self.numbers[game], game.round, drawn, state, (*contests,))

    def _side(self, game: Game, side: Side, origin: Side, contests: Iterable[Contest]) -> ChartSide:
        player = side.player if side.known else None
        source = From(self.numbers[origin.game], origin.won) if origin.game else None
        if player is None:
            return ChartSide((), side.known, source, (), won=False)
        found = ((each, next(at for at, who in enumerate(each.sides) if player in who)) for each in contests)
        scores = tuple(score for each, at in found if (score := _score(each, at)) is not None)
        return ChartSide((player,), False, source, scores, won=game.over and game.winner == player)


def _origin(side: Side, matches: dict[Game, list[Side]], passed: dict[Game, list[Side]]) -> Side | None:
    """The seed or the match that somebody comes from; None if nobody does."""
    if side.game is None:
        return None if side.seed is None else side
    if side.game in matches:
        return side
    return next(iter(passed[side.game]), None) if side.won else None


def _if_needed(bracket: Bracket) -> list[Game]:
    """The game after the grand final, as long as it may be needed."""
    return [once_more(bracket.again)] if bracket.again and not bracket.again.over else []


Drawn = tuple[PartKind, Iterable[Game], range]


def _single(tree: _Tree, _bracket: Bracket) -> Iterator[Drawn]:
    goes_on = {side.game for sides in tree.sides.values() for side in sides if side.won}
    trees = [[*tree.before(game)] for game in tree.sides if game not in goes_on]
    for games in sorted(trees, key=lambda games: games[0].places or (1, 2)):
        places = games[0].places
        if places is None:
            yield PartKind.MAIN, games, NONE
        else:
            yield PartKind.PLACES, games, range(places[0], places[0] + len(games) + 1)


def _double(tree: _Tree, bracket: Bracket) -> Iterator[Drawn]:
    upper: list[Game] = []
    lower: list[Game] = []
    final = bracket.again
    assert final
    for games, side in zip((upper, lower), tree.sides[final], strict=True):
        if side.game and side.won:
            games += tree.before(side.game)
    yield PartKind.UPPER, upper, NONE
    yield PartKind.LOWER, lower, NONE
    yield PartKind.FINAL, {*tree.sides} - {*upper, *lower}, NONE


def _other(
    number: int, round_: int, contest: Contest, due: Mapping[tuple[int, frozenset[int]], tuple[int, ...]]
) -> ChartMatch:
    sides = tuple(
        ChartSide(
            entrants,
            False,
            None,
            () if (score := _score(contest, at)) is None else (score,),
            contest.won(at) or contest.won_by_forfeit(at),
        )
        for at, entrants in enumerate(contest.sides)
    )
    sat = frozenset(each for side in contest.sides for each in side)
    state = State.OPEN if contest.open else State.OVER
    return ChartMatch(number, round_, sides, state, (round_,), due.get((round_, sat), ()))


def _score(contest: Contest, side: int) -> int | Forfeit | None:
    """None of a table that is not over."""
    if not contest.over:
        return None
    if not contest.came[side]:
        return Forfeit.LOST
    return contest.totals[side] if contest.played else Forfeit.WON
