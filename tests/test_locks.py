"""The two lists of dependencies: all of them, and those of a server."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
INSTALL = "pip install --require-hashes -r requirements-server.lock"


def locked(name: str) -> dict[str, tuple[str, frozenset[str]]]:
    """By dependency, its version and its hashes."""
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    return {
        entry.partition("==")[0]: (
            entry.partition("==")[2].split()[0],
            frozenset(re.findall(r"sha256:(\w+)", entry)),
        )
        for entry in entries
    }


def test_a_server_gets_the_versions_that_are_tested() -> None:
    tested, server = locked("requirements.lock"), locked("requirements-server.lock")
    assert server.items() <= tested.items()
    assert all(hashes for _version, hashes in tested.values())


def test_a_server_gets_what_it_needs_and_nothing_of_the_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]

    def named(wanted: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", each)[0] for each in wanted} - {"scorekeeper"}

    server = locked("requirements-server.lock").keys()
    assert named(project["dependencies"] + extras["postgres"]) <= server
    assert not named(extras["test"]) & server


def test_every_server_is_installed_with_them() -> None:
    for file, times in (("docs/deploy.md", 2), ("docs/running.md", 1)):
        text = (ROOT / file).read_text()
        assert (text.count("pip install"), text.count(INSTALL)) == (times, times)
    built = (ROOT / "docs/deploy/Containerfile").read_text()
    assert re.findall(r"pip install .*", built) == [INSTALL.replace("install", "install --no-cache-dir")]
