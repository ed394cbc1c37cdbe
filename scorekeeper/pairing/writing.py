"""A drawn round, and the chart of a knock-out, as JSON values. Format: docs/pairing.md."""

from collections.abc import Iterable, Mapping
from typing import Any

from scorekeeper.pairing.chart import ChartMatch, ChartSide, Forfeit, Part
from scorekeeper.pairing.knock_out import NextGames, seeded
from scorekeeper.pairing.rounds import NextRound
from scorekeeper.standings.exact import Number
from scorekeeper.standings.tournament import Kind, Stage, Tournament


def as_json(tournament: Tournament, stage: Stage, drawn: NextRound | NextGames) -> dict[str, Any]:
    head = {"stage": stage.name, "round": drawn.number}
    byes = [{"entrant": each, "kind": Kind.BYE.value} for each in drawn.byes]
    unplayed = [{"entrant": each, "kind": kind.value} for each, kind in stage.next.unplayed.items()]
    if isinstance(drawn, NextGames):
        tables = [
            {
                "table": number,
                "sides": _lists(game.sides),
                "totals": None,
                **({"places": list(game.places)} if game.places else {}),
            }
            for number, game in enumerate(drawn.tables, 1)
        ]
        entrants = {"entrants": list(seeded(tournament, stage).entrants)} if stage.qualified else {}
        return {**head, **entrants, "tables": tables, "unplayed": byes}
    return {
        **head,
        "tables": [
            {"table": number, "sides": _lists(table.sides), "totals": None, "why": _numbers(table.why, without_0=True)}
            for number, table in enumerate(drawn.tables, 1)
        ],
        "unplayed": [*byes, *unplayed],
        "rating": _numbers(drawn.rating),
    }


def chart_as_json(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [
        {
            "part": part.kind.value,
            **({"places": [*part.places]} if part.places else {}),
            "matches": [_match(each) for each in part.matches],
        }
        for part in parts
    ]


def _match(match: ChartMatch) -> dict[str, Any]:
    sides = [_side(each) for each in match.sides]
    return {"number": match.number, "round": match.round, "state": match.state.value, "sides": sides}


def _side(side: ChartSide) -> dict[str, Any]:
    source = side.source
    scores = [each.value if isinstance(each, Forfeit) else each for each in side.scores]
    came_from = {"winner_of" if source.won else "loser_of": source.match} if source else {}
    return {"entrants": [*side.entrants], **came_from, "totals": scores, "won": side.won}


def _lists(sides: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [list(side) for side in sides]


def _numbers(values: Mapping[str, Number | list[int]], *, without_0: bool = False) -> dict[str, Any]:
    return {
        name: value if isinstance(value, list | int) else int(value) if value.denominator == 1 else str(value)
        for name, value in values.items()
        if value or not without_0
    }
