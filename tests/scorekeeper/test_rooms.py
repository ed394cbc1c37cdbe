"""The house: who may import whom, and that no door, template or service knows a game by name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

import games

ROOT = Path(settings.BASE_DIR)
PURE = ("games", "scorekeeper.drawing")
DOORS = tuple(f"scorekeeper.{room}" for room in ("api", "views", "forms", "tasks", "management", "templatetags"))
WRITING = ("scorekeeper.services",)
READING = ("scorekeeper.selectors", "scorekeeper.live", "scorekeeper.access")
# Room: what it must not import.
FORBIDDEN: dict[str, tuple[str, ...]] = {
    "games": ("django", "rest_framework", "celery", "scorekeeper"),
    "scorekeeper/drawing": ("django", "rest_framework", "celery", *DOORS, *WRITING, *READING, "scorekeeper.models"),
    "scorekeeper/models": (*DOORS, *WRITING, *READING),
    "scorekeeper/live": (*DOORS, *WRITING, "scorekeeper.selectors", "games"),
    "scorekeeper/selectors": (*DOORS, *WRITING),
    "scorekeeper/services": DOORS,
    "scorekeeper/access.py": (*DOORS, *WRITING),
}


def sources(room: str) -> list[Path]:
    path = ROOT / room
    return [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))


def imports(file: Path) -> Iterator[str]:
    """Every module a file names in an import, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", FORBIDDEN)
def test_arrows_go_down_only(room: str) -> None:
    upward = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in sources(room)
        for name in imports(file)
        if any(name == no or name.startswith(no + ".") for no in FORBIDDEN[room])
    ]
    assert sources(room)
    assert upward == []


def test_no_door_template_or_service_names_a_game() -> None:
    slugs = "|".join(map(re.escape, games.GAMES))
    quoted = re.compile(f"""["'](?:{slugs})["']""")
    files = [*sources("scorekeeper"), *(ROOT / "scorekeeper" / "static").rglob("*.js")]
    files += [f for f in (ROOT / "templates").rglob("*.html") if "games" not in f.relative_to(ROOT).parts]
    named = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if quoted.search(line) or any("-" in slug and slug in line for slug in games.GAMES)
    ]
    assert named == []
