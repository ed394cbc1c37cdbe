"""What some tests need on the machine: a PostgreSQL, a Redis, a browser.

Where it is missing they are skipped, with one line that says how to get it. With CI set a skip is a failure.
"""

import functools
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.waiting import free_port, until

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def postgres_server() -> str:
    """A role's address on a PostgreSQL that may make databases: DATABASE_URL's server or this machine's."""
    return os.environ.get("DATABASE_URL") or "postgres://127.0.0.1:5432/postgres"


@functools.cache
def no_postgres() -> str:
    try:
        import psycopg
    except ImportError:
        return "PostgreSQL's client is missing: pip install -e '.[postgres]'."
    try:
        with psycopg.connect(postgres_server(), connect_timeout=3) as server:
            may = server.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    except psycopg.OperationalError:
        return (
            "No PostgreSQL answers: install postgresql, or name one in DATABASE_URL=postgres://user:password@host/name."
        )
    return "" if may == (True,) else "The PostgreSQL role may not make databases: ALTER ROLE … CREATEDB."


@functools.cache
def no_redis() -> str:
    return "" if shutil.which("redis-server") else "No redis-server on this machine: install it (Debian: redis-server)."


@functools.cache
def no_browser() -> str:
    found = any(map(shutil.which, BROWSERS))
    return (
        ""
        if found
        else "No Chromium on this machine: install it (Debian: chromium-headless-shell and fonts-dejavu-core)."
    )


NEEDED: dict[str, Callable[[], str]] = {"postgres": no_postgres, "redis": no_redis, "browser": no_browser}


def pytest_configure(config: pytest.Config) -> None:
    for name in NEEDED:
        config.addinivalue_line("markers", f"{name}: needs it on this machine")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for name, missing in NEEDED.items():
        if item.get_closest_marker(name) and missing():
            pytest.skip(missing())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, which CI does not allow: {report.longrepr[2]}"
    return report


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """An empty database of its own, dropped afterwards. The test is to be marked `postgres`."""
    import psycopg
    from psycopg import sql

    name = f"scorekeeper_{secrets.token_hex(6)}"
    server = postgres_server()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield server.rpartition("/")[0] + f"/{name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis of its own, ended afterwards. The test is to be marked `redis`."""
    import redis

    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=sys.stderr)
    url = f"redis://127.0.0.1:{port}/0"

    def answers() -> bool:
        try:
            return bool(redis.from_url(url).ping())
        except redis.ConnectionError:
            return False

    try:
        until(answers)
        yield url
    finally:
        server.terminate()
        server.wait()
