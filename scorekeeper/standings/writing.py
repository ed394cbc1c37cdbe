"""Standings as JSON values. Format: docs/tournament.md."""

from typing import Any

from scorekeeper.standings.calculation import Calculated
from scorekeeper.standings.criteria import Summand, Value
from scorekeeper.standings.possible import Possible
from scorekeeper.standings.ranking import Standing
from scorekeeper.standings.reading import Refused


def as_json(calculated: Calculated, *, why: bool) -> dict[str, Any]:
    """`why`: with the explanation of each value."""
    return {
        "stages": [
            {
                "name": each.results.stage.name,
                "after": each.results.after,
                "rows": [_row(row, why, each.possible.get(row.entrant)) for row in each.rows],
            }
            for each in calculated.stages
        ],
        "overall": [row._asdict() for row in calculated.overall],
    }


def _row(row: Standing, why: bool, possible: Possible | None) -> dict[str, Any]:
    return {
        "place": row.place,
        "entrant": row.entrant,
        "name": row.name,
        "out": row.out,
        "values": {name: value_as_text(value) for name, value in row.values.items()},
        **({"why": {name: _why(value) for name, value in row.values.items()}} if why else {}),
        **(possible._asdict() if possible else {}),
    }


def refused_as_json(error: Refused) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": error.message, "at": error.at}}


def value_as_text(value: Value) -> str | None:
    """A fraction is in lowest terms, like 3/2. None for a value that does not exist."""
    return None if value.value is None else str(value.value)


def _why(value: Value) -> list[dict[str, Any]] | dict[str, Any]:
    if value.mean_of:
        return {"mean_of": [_summand(part) for part in value.mean_of]}
    return [_summand(part) for part in value.summands]


def _summand(part: Summand) -> dict[str, Any]:
    if part.penalty is not None:
        return {"penalty": part.penalty, "round": part.round, "value": str(part.value)}
    return {
        "round": part.round,
        "of": list(part.of),
        "value": str(part.value),
        **({"cut": True} if part.cut else {}),
    }
