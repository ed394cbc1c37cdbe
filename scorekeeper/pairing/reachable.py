"""What each entrant of a knock-out can still reach: that follows from the tree, whoever wins.

How far somebody comes by losing a game depends only on the game. So the rest is played once, in any way, and each game
has the places that its loser got and, if nothing follows, its winner. Nobody is taken to play again; only who has left
is taken to stay away.
"""

from collections.abc import Collection
from dataclasses import replace

from scorekeeper.pairing.bracket import Game
from scorekeeper.pairing.field import Field
from scorekeeper.pairing.knock_out import SoFar, next_games, so_far
from scorekeeper.standings.knock_out import knock_out_places
from scorekeeper.standings.possible import Chance, Possible, Prospect
from scorekeeper.standings.results import Results
from scorekeeper.standings.tournament import Kind, Round, Stage, Table, Tournament


def prospects(tournament: Tournament, stage: Stage, first: int, gone: Collection[int] = ()) -> dict[int, Prospect]:
    """By entrant, with everybody's chance of one of the `first` places. Those who are `gone` lose every game to come;
    whoever does not meet one of them next may have fewer places than these. The stage must be `seeded`."""
    now = so_far(Results.of(tournament, stage))
    ended = Results.of(tournament, _to_the_end(tournament, stage))
    ways = _Ways(so_far(ended), knock_out_places(ended))
    playing = {
        player: ways.bracket.games[at]
        for at, game in enumerate(now.bracket.games)
        if not game.over
        for player in game.players
    }
    found = {}
    for entrant in stage.entrants:
        game = playing.get(entrant)
        lost, won = ways.both(game, entrant)
        if entrant in gone:
            lost = won = {ways.by_losing(game, entrant)}
        elif game and not {*gone}.isdisjoint(game.players):
            lost = won
        places = lost | won
        needs_win = Chance.NEEDS_WIN if min(lost) > first else None
        sure = Chance.SURE if max(places) <= first else needs_win
        chance = (Chance.OUT if min(places) > first else sure) if first < len(stage.entrants) else None
        found[entrant] = Prospect(Possible(min(places), max(places), exact=True), chance, by_points=False)
    return found


def _to_the_end(tournament: Tournament, stage: Stage) -> Stage:
    """The stage with all rounds to come; the first side of each table that is open has won."""
    totals = (0, 1) if tournament.lower_wins else (1, 0)
    *before, newest = stage.rounds or (Round(),)
    contests = Results.of(tournament, stage).contests[-1] if stage.rounds else []
    tables = tuple(
        replace(table, totals=totals) if contest.open else table
        for table, contest in zip(newest.tables, contests, strict=True)
    )
    rounds = (*before, replace(newest, tables=tables)) if stage.rounds else ()
    while True:
        stage = replace(stage, rounds=rounds)
        games = next_games(Field(tournament, stage))
        if not games.tables and not games.byes:
            return stage
        tables = tuple(Table(each.sides, totals, places=each.places) for each in games.tables)
        rounds = (*rounds, Round(tables, dict.fromkeys(games.byes, Kind.BYE)))


class _Ways:
    """The games of a bracket that is over, and the places to which they lead."""

    def __init__(self, ended: SoFar, places: dict[int, int]) -> None:
        self.bracket = ended.bracket
        self.places = places
        self.next = {(side.game, side.won): game for game in self.bracket.games for side in game.sides if side.game}

    def both(self, game: Game | None, entrant: int) -> tuple[set[int], set[int]]:
        """The places that are open to somebody who loses or wins this game; without one, theirs."""
        if game is None:
            return {self.places[entrant]}, {self.places[entrant]}
        if game.loser is None:  # nobody comes to play against them
            return self._open(game, won=True), self._open(game, won=True)
        return self._open(game, won=False), self._open(game, won=True)

    def by_losing(self, game: Game | None, entrant: int) -> int:
        """The place of somebody who loses this game, and all that follow."""
        while game:
            lost = game.loser is not None
            player = game.loser if lost else game.winner
            assert player is not None
            game, entrant = self.next.get((game, not lost)), player
        return self.places[entrant]

    def _open(self, game: Game, *, won: bool) -> set[int]:
        player = game.winner if won else game.loser
        assert player is not None
        following = self.next.get((game, won))
        lost, otherwise = self.both(following, player)
        return lost | otherwise
