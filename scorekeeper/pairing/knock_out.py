"""The next round of a knock-out."""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from scorekeeper.pairing.bracket import Bracket, Game, double, meeting, single
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.leads import seated
from scorekeeper.pairing.matching import Edges, heaviest
from scorekeeper.standings.qualifying import qualified
from scorekeeper.standings.results import Contest, Results
from scorekeeper.standings.tournament import Stage, Tournament


class NextGame(NamedTuple):
    sides: tuple[tuple[int], tuple[int]]
    """Side 0 leads."""
    places: tuple[int, int] | None
    """Those that it decides."""
    final: bool
    """Or the match for third place."""


class NextGames(NamedTuple):
    number: int
    tables: list[NextGame]
    """In the order of the tree."""
    byes: list[int]
    """Who waits for a table."""


def seeded(tournament: Tournament, stage: Stage) -> Stage:
    """The stage with its entrants in the order of seeds: as named, or those who go on from other stages."""
    if stage.qualified is None:
        return stage
    groups = qualified(tournament, stage)
    return replace(stage, entrants=tuple(rows_apart(groups)), qualified=None)


def next_games(field: Field) -> NextGames:
    """The tables of the next round. The stage must be `seeded`."""
    bracket = so_far(field.results).bracket
    number = field.round
    tables = []
    for table, game in enumerate(bracket.tables(number), 1):
        sides = seated(field, [[field.players[each]] for each in game.players], table).sides
        one, other = ((side[0].entrant,) for side in sides)
        tables.append(NextGame((one, other), game.places, bracket.is_final(game)))
    return NextGames(number, tables, bracket.waiting(number))


class SoFar(NamedTuple):
    """A bracket with all results."""

    bracket: Bracket
    contests: dict[Game, dict[int, Contest]]
    """The table at which each game was played, by round: several if it did not end at the first."""
    others: list[tuple[int, Contest]]
    """The tables of those who had no game to play, each with its round."""


def so_far(results: Results) -> SoFar:
    bracket = _bracket(results.stage)
    played: dict[Game, dict[int, Contest]] = {}
    others = []
    for number, contests in enumerate(results.contests, 1):
        for contest in contests:
            game = _enter(bracket, number, contest)
            if game:
                played.setdefault(game, {})[number] = contest
            else:
                others.append((number, contest))
    return SoFar(bracket, played, others)


def _bracket(stage: Stage) -> Bracket:
    if stage.double:
        return double(stage.entrants)
    return single(stage.entrants, third_place=stage.third_place, placement=stage.placement)


def _enter(bracket: Bracket, number: int, contest: Contest) -> Game | None:
    """The game that was played at a table of this round; None if its two had none to play."""
    two = [each for side in contest.sides for each in side]
    return bracket.enter(two, number, _winner(contest), nobody=not any(contest.came))


class WrongTable(NamedTuple):
    """A table at which others should sit by the results before its round: one of these was corrected later."""

    round: int
    at: int
    """Which table of the round it is, from 0."""
    sat: list[int]
    due: list[int]
    """Who should sit there; nobody while that is not known yet."""
    begun: bool
    """Whether these have met at a table before, which did not decide."""


def wrong_tables(results: Results) -> list[WrongTable]:
    """None of those that were abandoned, or whose two have met since; of those where nobody else is due, only the ones
    of the last round."""
    last = len(results.contests)
    return [wrong for wrong, game in _wrong(results) if (not game.over if game else wrong.round == last)]


def stray_tables(results: Results) -> list[WrongTable]:
    """The same with those of every round where nobody else is due."""
    return [wrong for wrong, game in _wrong(results) if not (game and game.over)]


def _wrong(results: Results) -> list[tuple[WrongTable, Game | None]]:
    """Each with the game that should be played at the table, if there is one."""
    bracket = _bracket(results.stage)
    found: list[tuple[WrongTable, Game | None]] = []
    begun: set[Game] = set()
    for number, contests in enumerate(results.contests, 1):
        due = [game for game in bracket.tables(number) if game not in {game for _wrong, game in found}]
        wrong = []
        for at, contest in enumerate(contests):
            game = _enter(bracket, number, contest)
            if game:
                begun.add(game)
            if game in due:
                due.remove(game)
            elif game is None and not contest.abandoned:
                wrong.append((at, [each for side in contest.sides for each in side]))
        for at, sat in wrong:
            should = next((game for game in due if not {*sat}.isdisjoint(game.players)), due[0] if due else None)
            found.append((WrongTable(number, at, sat, should.players if should else [], should in begun), should))
            due = [game for game in due if game is not should]
    return found


def last_round(results: Results) -> int:
    """The number of the round in which it ends, if every table to come decides."""
    bracket, seated = so_far(results).bracket, len(results.contests)
    at_tables = [
        {each for side in contest.sides for each in side}
        for contests in results.contests[-1:]
        for contest in contests
        if contest.open
    ]
    ends: dict[Game, int] = {}
    """Of the games that are not over."""
    passing: set[Game] = set()
    """Those that will have no table, because one side stays empty."""
    for game in (each for each in bracket.games if not each.over):
        before = max((ends.get(side.game, 0) for side in game.sides if side.game), default=0)
        if any(side.player is None if side.known else side.game in passing and not side.won for side in game.sides):
            passing.add(game)
            ends[game] = before
        else:
            ends[game] = max(game.round, before + 1, seated + ({*game.players} not in at_tables))
    return max((seated, *ends.values()))


def _winner(contest: Contest) -> int | None:
    """Who won alone, by play or by forfeit."""
    won = (side for side in range(len(contest.sides)) if contest.won(side) or contest.won_by_forfeit(side))
    return next((contest.sides[side][0] for side in won), None)


def rows_apart(groups: list[list[int]]) -> list[int]:
    """First the winners of the groups, then the seconds, and so on; each row in that order in which the fewest pairs of
    one group could meet in the first round, then in the second; of equal ones the first by the order of the groups."""
    total = sum(map(len, groups))
    seeds: list[int] = []
    group_of: list[int] = []
    for row in range(max(map(len, groups), default=0)):
        here = [number for number, group in enumerate(groups) if row < len(group)]
        for number in _least_likely(here, group_of, total) if row else here:
            seeds.append(groups[number][row])
            group_of.append(number)
    return seeds


def _least_likely(here: list[int], before: list[int], total: int) -> list[int]:
    """The groups of the next seeds. One matching of least cost: each group with each seed."""
    places = 1 << (total - 1).bit_length()
    rounds = places.bit_length() - 1
    bits = (len(here) * total).bit_length()
    edges, costs = [], []
    for (slot, _), (choice, group) in product(enumerate(here), enumerate(here)):
        cost = 0
        for seed, other in enumerate(before, 1):
            if other == group:
                cost += 1 << (bits * (rounds - meeting(seed, len(before) + slot + 1, places)))
        order = choice * len(here) ** (len(here) - 1 - slot)
        edges.append((slot, len(here) + choice))
        costs.append(cost * len(here) ** len(here) + order)
    one, other = np.array(edges).T
    found = heaviest(Edges(one, other), [max(costs) - cost for cost in costs])
    return [here[choice - len(here)] for _slot, choice in sorted(found)]
