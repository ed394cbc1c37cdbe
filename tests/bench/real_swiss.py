"""Real Swiss tournaments, paired again: each round as it was played, next to the one that we and py4swiss draw.

    pip install py4swiss
    python tests/bench/real_swiss.py

For each round: how many tables there were, how many of them we draw too, and how many py4swiss draws (FIDE's Dutch
system, the one that was used); how many lead, or do not lead, twice running; and the numbers of both rounds where they
are not 0, ours first if they differ. The first number that differs has a star: there our round is better.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from scorekeeper.pairing.field import Field
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.reading import read_value
from tests.bench.swiss import dutch
from tests.pairing.played import EVENTS, Compared, compared


def met(of: NextRound) -> set[frozenset[int]]:
    return {frozenset(each for side in table.sides for each in side) for table in of.tables}


def twice(field: Field, of: NextRound) -> int:
    """How many lead again, or again do not lead."""
    return sum(
        field.players[each].led[-1:] == (number == 0,)
        for table in of.tables
        for number, side in enumerate(table.sides)
        for each in side
    )


def numbers(of: Compared) -> str:
    found, star = [], "*"
    for name, ours in of.drawn.rating.items():
        theirs = of.played.rating[name]
        if ours != theirs:
            found.append(f"{name}{star} {_written(ours)} for {_written(theirs)}")
            star = ""
        elif ours:
            found.append(f"{name} {_written(ours)}")
    return ", ".join(found)


def _written(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def main() -> None:
    for event in EVENTS:
        print(event)
        for each in compared(event):
            tournament = read_value(each.before)
            [stage] = tournament.stages
            field = Field(tournament, stage)
            played = met(each.played)
            by_dutch = {frozenset(table) for table in dutch(tournament, stage)[0]}
            print(
                f"  round {each.played.number}: {len(played)} tables, ours {len(played & met(each.drawn))}, "
                f"py4swiss {len(played & by_dutch)}; twice running {twice(field, each.drawn)} for "
                f"{twice(field, each.played)}; {numbers(each)}"
            )


if __name__ == "__main__":
    main()
