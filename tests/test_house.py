"""Layers: which package imports which, and words that they may not contain."""

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from games import GAMES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "scorekeeper"


def table_of_rooms() -> dict[str, set[str] | None]:
    """For each room, our rooms that it imports, by the table in docs/architecture.md. None: anything."""
    rooms: dict[str, set[str] | None] = {}
    rows = re.findall(r"^\| `([^`]+)` \|.*\| ([^|]+) \|$", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    for names, imports in rows:
        above = set(rooms)
        for path in names.split():
            room = path.removeprefix("scorekeeper/").removesuffix("/").removesuffix(".py")
            rooms[room] = None if imports == "anything" else set(re.findall(r"`(\w+)`", imports))
            if imports == "all of the above":
                rooms[room] = above
            assert (rooms[room] or set()) <= above, f"{room} does not lie below all that it imports"
    return rooms


ROOMS = table_of_rooms()
DOORS = {"api", "views", "tasks", "management"}


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


def test_every_room_is_in_the_table_and_the_picture() -> None:
    assert ROOMS.keys() == {"games", *map(room_of, PACKAGE.rglob("*.py"))} - {"__init__"}
    picture = (ROOT / "docs/pictures/rooms.svg").read_text()
    drawn = re.findall(r'class="name"[^>]*>(\w+)<', picture)
    assert sorted(drawn) == sorted(room for room, imports in ROOMS.items() if imports is not None)


@pytest.mark.parametrize("room", sorted(room for room, imports in ROOMS.items() if imports is not None))
def test_a_room_imports_what_the_table_says(room: str) -> None:
    imports = {path: (rooms_imported(path) & ROOMS.keys()) - {room} for path in files_of(room)}
    for path, found in imports.items():
        up = found - (ROOMS[room] or set())
        assert not up, f"{path.relative_to(ROOT)} imports {', '.join(sorted(up))}"
    if room not in DOORS:
        assert set().union(*imports.values()) == ROOMS[room], "the table allows more than is needed"


@pytest.mark.parametrize(
    "room",
    [
        "games",
        "schedule",
        "events",
        "standings",
        "pairing",
        "rehearsal",
        "ratings",
        "figures",
        "practice",
        "drawing",
        "names",
    ],
)
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


def test_every_package_is_installed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = (path.parent for room in ("games", "scorekeeper") for path in (ROOT / room).rglob("__init__.py"))
    assert sorted(listed) == sorted(".".join(folder.relative_to(ROOT).parts) for folder in folders)
