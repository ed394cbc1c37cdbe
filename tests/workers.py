"""Parallel tests: workers share the test folders, and have their own databases, data folders and Redis numbers.

A second run, on another database, needs no more than one example of each test: see `--one-of-each`."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from execnet import XSpec


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None (one worker for each core) if a folder is tested; 0 for files and single tests, which start faster
    without."""
    return None if any(Path(argument).is_dir() for argument in config.args) else 0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-of-each", action="store_true", help="of each test with many examples, run the last one")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("one_of_each"):
        last = {item.nodeid.partition("[")[0]: item for item in items}
        config.hook.pytest_deselected(items=[item for item in items if last[item.nodeid.partition("[")[0]] is not item])
        items[:] = last.values()


def pytest_xdist_setupnodes(specs: Sequence[XSpec]) -> None:
    """Gives each worker a Redis number, and lets it make a data folder. Its database comes from pytest-django."""
    os.environ.pop("SCOREKEEPER_DATA", None)
    if url := os.environ.get("REDIS_URL"):
        server, _slash, first = url.rpartition("/")
        for number, spec in enumerate(specs, int(first)):
            spec.env["REDIS_URL"] = f"{server}/{number}"
