"""Layers: which package may import which, and words that they may not contain."""

import ast
import re
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from games import GAMES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "scorekeeper"

DOORS = {"api", "views", "tasks", "management", "urls", "asgi"}
# For each room, our rooms that it may import. Rooms that are missing here may import anything.
MAY_IMPORT = {
    "games": set(),
    "schedule": set(),
    "events": {"games", "schedule"},
    "names": set(),
    "standings": {"names"},
    "drawing": {"games"},
    "models": {"games"},
    "live": {"models"},
    "access": {"models"},
    "selectors": {"games", "schedule", "events", "standings", "drawing", "names", "models", "access", "live"},
    "services": {
        *("games", "schedule", "events", "standings", "drawing", "names", "models", "access", "selectors", "live"),
    },
    "forms": {"games", "schedule", "events", "names", "models", "services"},
    "pages": {
        *("games", "schedule", "events", "standings", "drawing", "names", "models", "access", "selectors", "live"),
        "forms",
    },
}


def room_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == "scorekeeper" and len(parts) > 1 else parts[0]


def files_of(room: str) -> Iterator[Path]:
    if room == "games":
        yield from (ROOT / "games").rglob("*.py")
    elif (PACKAGE / f"{room}.py").exists():
        yield PACKAGE / f"{room}.py"
    else:
        yield from (PACKAGE / room).rglob("*.py")


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_imported(path: Path) -> set[str]:
    rooms = set()
    for module in imported(path):
        top, _dot, rest = module.partition(".")
        if top == "games":
            rooms.add("games")
        elif top == "scorekeeper" and rest:
            rooms.add(rest.split(".")[0])
    return rooms


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_arrows_between_rooms_go_down_only(room: str) -> None:
    files = list(files_of(room))
    assert files, f"there is no room {room}"
    for path in files:
        known = MAY_IMPORT.keys() | DOORS
        up = (rooms_imported(path) & known) - MAY_IMPORT[room] - {room}
        assert not up, f"{path.relative_to(ROOT)} imports {', '.join(sorted(up))}"


@pytest.mark.parametrize("room", ["games", "schedule", "events", "standings", "drawing", "names"])
def test_a_pure_room_knows_no_django(room: str) -> None:
    for path in files_of(room):
        outside = {name for name in imported(path) if name.split(".")[0] in {"django", "rest_framework", "celery"}}
        assert not outside, f"{path.relative_to(ROOT)} imports {outside}"


def test_only_the_engine_names_a_game() -> None:
    moves = {move for game in GAMES.values() for move in game.moves}  # "draw" is one, and a game
    words = {word for game in GAMES.values() for word in (game.slug, game.name)} - moves
    names = "|".join(map(re.escape, words))
    unmistakable = "|".join(re.escape(slug) for slug in GAMES if "-" in slug)
    named = re.compile(rf"""["'>](?:{names})["'<]|{unmistakable}""")
    places = [
        *PACKAGE.rglob("*.py"),
        *(path for path in (ROOT / "templates").rglob("*.html") if "games" not in path.relative_to(ROOT).parts),
        *(PACKAGE / "static").rglob("*.js"),
    ]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in places
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if named.search(line)
    ]
    assert not found


def test_every_game_has_its_page_in_the_docs() -> None:
    missing = [slug for slug in GAMES if not (ROOT / "docs" / "games" / f"{slug}.md").exists()]
    assert not missing


def modules() -> dict[str, Path]:
    """Our Python modules by name, and our scripts by address."""
    python = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in (ROOT / "games", PACKAGE)
        for path in folder.rglob("*.py")
    }
    return python | {str(path): path for path in (PACKAGE / "static").rglob("*.js")}


def needs(path: Path, known: Collection[str]) -> set[str]:
    """The modules or scripts that a file imports, each by its most exact name."""
    if path.suffix == ".js":
        lines = re.findall(r'(?:from|import) "(\.[^"]+)"', path.read_text())
        return {str((path.parent / line).resolve()) for line in lines}
    found = {name for name in imported(path) if name in known}
    return {name for name in found if not any(other.startswith(f"{name}.") for other in found)}


def test_nothing_imports_itself_in_a_circle() -> None:
    found = modules()
    graph = {name: needs(path, found) - {name} for name, path in found.items()}
    assert sum(map(len, graph.values())) > 500, "the imports were found"
    TopologicalSorter(graph).prepare()  # CycleError names the circle
