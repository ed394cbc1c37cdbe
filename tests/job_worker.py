"""A real worker process for tests of jobs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection

from scorekeeper.serving.worker import Worker


@contextmanager
def job_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker process like the one of `manage.py up`, on the database of the tests. It sees only what is committed."""
    _on_the_tests_database(monkeypatch)
    said: list[str] = []
    worker = Worker(
        scratch=Path(settings.DATA) / "queue" / "scratch", before=lambda: None, busy=lambda: False, say=said.append
    )
    worker.start()
    yield worker
    worker.end()


def _on_the_tests_database(monkeypatch: pytest.MonkeyPatch) -> None:
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        link = Path(settings.DATA) / "db.sqlite3"
        if not link.is_symlink():
            link.symlink_to(name)
    else:
        monkeypatch.setenv("DATABASE_URL", urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl())
