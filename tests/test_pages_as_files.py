"""Templates, styles and scripts as files: short enough to read."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STATIC = ROOT / "scorekeeper" / "static"
SCRIPTS = sorted(path.resolve() for path in STATIC.rglob("*.js"))
IMPORT = re.compile(r'^import .* from "([^"]+)";$', re.MULTILINE)
WIDTH = 120  # columns
LENGTH = 400  # lines


def test_no_line_of_a_template_is_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert not long


@pytest.mark.parametrize("kind", ["css", "js"])
def test_no_style_and_no_script_is_long(kind: str) -> None:
    files = sorted(STATIC.rglob(f"*.{kind}"))
    assert files
    long = [path.name for path in files if len(path.read_text().splitlines()) > LENGTH]
    assert not long


def test_scripts_do_not_import_each_other_in_a_circle() -> None:
    imports = {
        path: [(path.parent / found).resolve() for found in IMPORT.findall(path.read_text())] for path in SCRIPTS
    }
    graph = TopologicalSorter(imports)
    try:
        graph.prepare()
    except CycleError as error:
        pytest.fail(" → ".join(path.name for path in error.args[1]))
    unknown = {path.name for found in imports.values() for path in found} - {path.name for path in SCRIPTS}
    assert not unknown
