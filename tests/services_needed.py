"""PostgreSQL, Redis, a browser and more for the tests that need them. Without them these tests are skipped, and one
line says how to get them; with the variable CI set, they fail."""

import functools
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.own_servers import own_redis

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def postgres_server() -> str:
    """The address of a PostgreSQL role that may make databases: that of DATABASE_URL, or of this machine."""
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
def no_caddy() -> str:
    return "" if shutil.which("caddy") else "No Caddy on this machine: install it (Debian: caddy)."


@functools.cache
def no_systemd() -> str:
    return "" if shutil.which("systemd-analyze") else "No systemd-analyze on this machine: install systemd."


@functools.cache
def no_browser() -> str:
    found = any(map(shutil.which, BROWSERS))
    return (
        ""
        if found
        else "No Chromium on this machine: install it (Debian: chromium-headless-shell and fonts-dejavu-core)."
    )


NEEDED: dict[str, Callable[[], str]] = {
    "postgres": no_postgres,
    "redis": no_redis,
    "browser": no_browser,
    "caddy": no_caddy,
    "systemd": no_systemd,
}


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
    """An empty database, dropped after the test. The test needs the mark `postgres`."""
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
    """A Redis server, stopped after the test. The test needs the mark `redis`."""
    with own_redis(tmp_path) as (_server, url):
        yield url
