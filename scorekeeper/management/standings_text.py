"""What `manage.py standings` says."""

from collections.abc import Sequence
from itertools import zip_longest

from scorekeeper import words
from scorekeeper.pages.criteria import compared, made_up, origin
from scorekeeper.standings.calculation import Calculated, StageStandings
from scorekeeper.standings.criteria import Summand, Value
from scorekeeper.standings.overall import Overall
from scorekeeper.standings.possible import Possible
from scorekeeper.standings.ranking import Standing

SHORTENED = 8  # characters of the text drawn by lot


def calculated(found: Calculated, *, why: bool) -> str:
    """Each stage with a line for each entrant; `why`: also what each value is made of."""
    stages = [line for each in found.stages for line in _stage(each, why)]
    return "\n".join([*stages, *(_overall(found.overall) if found.overall else [])])


def _stage(stage: StageStandings, why: bool) -> list[str]:
    results, rows, possible = stage
    criteria = list(rows[0].values)
    header = ["", "", "Name", *criteria, *(["possible"] if possible else [])]
    lines = [
        [
            str(row.place),
            f"{row.entrant}. out" if row.out else f"{row.entrant}.",
            row.name,
            *(_short(row.values[name]) for name in criteria),
            *([_places(possible[row.entrant])] if possible else []),
        ]
        for row in rows
    ]
    rounds = "1 round" if results.after == 1 else f"{results.after} rounds"
    explained = [line for row in rows for line in _explained(row)] if why else []
    fewest = ["Fewer points are better."] if results.fewest_first else []
    return [f"{results.stage.name} after {rounds}", *_columns([header, *lines], left=3), *explained, *fewest, ""]


def _overall(rows: Sequence[Overall]) -> list[str]:
    return ["Overall", *_columns([[str(row.place), f"{row.entrant}.", row.name] for row in rows], left=3)]


def _explained(row: Standing) -> list[str]:
    parts = [f"  {name}: {text}" for name, value in row.values.items() for text in _sums(value)]
    return ["", f"{row.place}. {row.name}", *parts]


def _sums(value: Value) -> list[str]:
    text = made_up(_short(value), value, _part)
    steps = [compared(step, str, _part, words.number) for step in value.compared]
    return [text] if text else [f"{_short(value)}, among {step}" for step in steps]


def _part(part: Summand) -> str:
    return f"{words.number(part.value)} ({origin(part, part.round, str)})"


def _short(value: Value) -> str:
    if value.value is None:
        return "–"
    return value.value[:SHORTENED] + "…" if isinstance(value.value, str) else words.number(value.value)


def _places(possible: Possible) -> str:
    places = f"{possible.best}–{possible.worst}"
    return places if possible.exact else f"{places} at most"


def _columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Text in columns; those after the first `left` ones are numbers."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(
            text.ljust(width) if 0 < place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
