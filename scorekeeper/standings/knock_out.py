"""The places of a knock-out: how far everybody came."""

from scorekeeper.standings.results import Contest, Results
from scorekeeper.standings.tournament import Kind


def knock_out_places(results: Results) -> dict[int, int]:
    """The place of each entrant."""
    enough = 2 if results.stage.double else 1
    losses = dict.fromkeys(results.entrants, 0)
    out_in: dict[int, int] = {}
    through = dict.fromkeys(results.entrants, 0)
    """The last round that each of them got through."""
    decided: dict[int, int] = {}
    for number, contests in enumerate(results.contests, 1):
        out_before = frozenset(out_in)
        for contest, table in zip(contests, results.stage.rounds[number - 1].tables, strict=True):
            if table.places and contest.over:
                decided |= _decided(contest, table.places)
            if not out_before.isdisjoint([each for side in contest.sides for each in side]):
                continue
            winner = _winner(contest)
            for side, entrants in enumerate(contest.sides):
                for entrant in entrants:
                    if side == winner:
                        through[entrant] = number
                    elif winner is not None or not any(contest.came):
                        losses[entrant] += 1
                        if losses[entrant] == enough:
                            out_in[entrant] = number
        for entrant, kind in results.stage.rounds[number - 1].unplayed.items():
            if kind is Kind.BYE and entrant not in out_before:
                through[entrant] = number
    reached = {
        entrant: (out_in[entrant], False) if entrant in out_in else (through[entrant] + 1, True)
        for entrant in results.entrants
    }
    return _shared(reached, decided) | decided


def _shared(reached: dict[int, tuple[int, bool]], decided: dict[int, int]) -> dict[int, int]:
    """The places of those who share one with all who came equally far. If tables have given some of these places to
    some of them, the others have the first one left."""
    places = {}
    for entrant in reached.keys() - decided.keys():
        further = sum(other > reached[entrant] for other in reached.values())
        alike = [other for other, how_far in reached.items() if how_far == reached[entrant]]
        taken = {decided.get(other) for other in alike}
        own = range(1 + further, 1 + further + len(alike))
        places[entrant] = next((place for place in own if place not in taken), own[0])
    return places


def _winner(contest: Contest) -> int | None:
    """The side that won alone, by play or by forfeit."""
    won = (side for side in range(len(contest.sides)) if contest.won(side) or contest.won_by_forfeit(side))
    return next(won, None)


def _decided(contest: Contest, places: tuple[int, ...]) -> dict[int, int]:
    """The places that the sides take, best first, equal ones the better. Absent sides are the last."""
    order = [place or 1 + sum(contest.came) for place in contest.place]
    if not contest.played:
        order = [1 if came else 1 + sum(contest.came) for came in contest.came]
    best_first = sorted(places)
    return {entrant: best_first[order[side] - 1] for side, entrants in enumerate(contest.sides) for entrant in entrants}
