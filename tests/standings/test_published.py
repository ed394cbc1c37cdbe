"""Tables of real tournaments, as others published them: from the same results we calculate the same figures, to the
last digit. Every figure in these files is from the source that the file names, none is ours."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from scorekeeper.standings.calculation import calculate
from scorekeeper.standings.reading import read_text

FOLDER = Path(__file__).parents[1] / "data" / "tournaments"
TEXTS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.json"))}
PUBLISHED = {name: published for name, text in TEXTS.items() if (published := json.loads(text).get("published"))}
"""By file: the published tables, each of a stage, `after` a number of rounds if it is not the last one. Figures are by
criterion and start number."""
MEANS = {"average-of-buchholz": 3}
"""How many decimals a mean has in the source."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_tables(name: str) -> None:
    tournament = read_text(TEXTS[name])
    for table in PUBLISHED[name]:
        stage, after = table["stage"], table.get("after")
        rows = {str(row.entrant): row for row in calculate(tournament, stage=stage, after=after).stages[0].rows}
        for criterion, figures in (item for item in table.items() if item[0] not in ("stage", "after")):
            for who, figure in figures.items():
                ours = rows[who].place if criterion == "place" else rows[who].values[criterion].value
                assert isinstance(ours, int | Fraction)
                if criterion in MEANS:
                    ours = round(Fraction(ours), MEANS[criterion])
                assert ours == Fraction(figure), f"{stage}, {criterion} of {rows[who].name}"
