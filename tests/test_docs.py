"""Everything that the documents show is true."""

import json
import random
import re
from pathlib import Path
from typing import Any

import games

DOCS = Path(__file__).parent.parent / "docs"


def test_the_record_shown_is_one_that_fits() -> None:
    shown = re.findall(r"```json\n(.*?)```", (DOCS / "record.md").read_text(), re.DOTALL)
    records = [json.loads(text) for text in shown if text.startswith('{"format"')]
    assert records
    for record in records:
        assert games.verify(record)["errors"] == []


def test_every_code_is_explained() -> None:
    text = (DOCS / "record.md").read_text()
    assert [code for code in games.Code if f"`{code}`" not in text] == []


def test_links_between_documents_lead_somewhere() -> None:
    root = DOCS.parent
    for page in (root / "README.md", *DOCS.rglob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.relative_to(root)} leads to {link}"


def test_the_python_shown_does_what_it_says() -> None:
    first, second = re.findall(r"```python\n(.*?)```", (DOCS / "engine.md").read_text(), re.DOTALL)
    shown: dict[str, Any] = {"rng": random.Random(1), "games": games}
    exec(first, shown)
    assert shown["match"].sheet()["totals"] == [10, 0]
    assert games.verify(shown["match"].record())["errors"] == []
    exec(second, shown)
    assert shown["state"].end.by in ("out", "blocked")
