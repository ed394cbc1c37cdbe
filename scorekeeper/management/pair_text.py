"""What `manage.py pair` says."""

from scorekeeper.pairing.knock_out import NextGames
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.tournament import Stage, Tournament


def paired(tournament: Tournament, stage: Stage, drawn: NextRound | NextGames) -> str:
    """A line for each table; side 0 leads."""

    def names(side: tuple[int, ...]) -> str:
        return " + ".join(f"{each}. {tournament.entrants[each].name}" for each in side)

    tables = (
        [
            (each.sides, f" for places {each.places[0]} and {each.places[1]}" if each.places else "")
            for each in drawn.tables
        ]
        if isinstance(drawn, NextGames)
        else [(table.sides, "") for table in drawn.tables]
    )
    lines = [f"{stage.name}, round {drawn.number}"]
    lines += [
        f"  table {number}: {' – '.join(map(names, sides))}{about}" for number, (sides, about) in enumerate(tables, 1)
    ]
    lines += [f"  bye: {names((each,))}" for each in drawn.byes]
    if isinstance(drawn, NextRound):
        lines += [f"  {kind}: {names((each,))}" for each, kind in stage.next.unplayed.items()]
        lines.append("  " + ", ".join(f"{name} {value}" for name, value in drawn.rating.items()))
    elif not tables and not drawn.byes:
        lines.append("  over")
    return "\n".join(lines)
