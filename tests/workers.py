"""Tests side by side: whole folders are shared out among workers, and each worker has what it must not share."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from execnet import XSpec


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """None, one for each core, where a folder is asked for; files and single tests begin sooner without any."""
    return None if any(Path(argument).is_dir() for argument in config.args) else 0


def pytest_xdist_setupnodes(specs: Sequence[XSpec]) -> None:
    """pytest-django gives each worker a database; here it gets a Redis number, and makes a data folder of its own."""
    os.environ.pop("SCOREKEEPER_DATA", None)
    if url := os.environ.get("REDIS_URL"):
        server, _slash, first = url.rpartition("/")
        for number, spec in enumerate(specs, int(first)):
            spec.env["REDIS_URL"] = f"{server}/{number}"
