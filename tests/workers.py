"""Parallel tests: workers share the test folders, and have their own databases, data folders and Redis numbers."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from execnet import XSpec


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None (one worker for each core) if a folder is tested; 0 for files and single tests, which start faster
    without."""
    return None if any(Path(argument).is_dir() for argument in config.args) else 0


def pytest_xdist_setupnodes(specs: Sequence[XSpec]) -> None:
    """Gives each worker a Redis number, and lets it make a data folder. Its database comes from pytest-django."""
    os.environ.pop("SCOREKEEPER_DATA", None)
    if url := os.environ.get("REDIS_URL"):
        server, _slash, first = url.rpartition("/")
        for number, spec in enumerate(specs, int(first)):
            spec.env["REDIS_URL"] = f"{server}/{number}"
