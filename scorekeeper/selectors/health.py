"""Whether all parts of the server work, and figures about them."""

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max, Min

from scorekeeper.failures import disk_full
from scorekeeper.models import Heartbeat, Job, LogEntry

WORKER = "worker"
SILENT = timedelta(seconds=90)  # a worker that is alive sweeps every half minute
LITTLE = 500_000_000  # free bytes on the disk of the data folder
PATIENCE = 1.0  # seconds for Redis to answer
OK = "ok"
SILENCE = "no answer from the database"
FULL = "no room on its disk"
STORED = ("database", "migrations", "worker")
"""The parts that only the database knows about."""
NEEDED = ("database", "migrations")
"""Without these, a web process cannot answer."""


def health(now: datetime) -> dict[str, str]:
    """For each part "ok", or in a few words what is wrong. Four queries; after one that fails, none: each would wait
    again."""
    parts: dict[str, Callable[[], str]] = {
        "database": _database,
        "migrations": _migrations,
        "broker": _broker,
        "worker": lambda: _worker(now),
        "disk": lambda: "almost full" if disk_is_low() else OK,
    }
    found: dict[str, str] = {}
    away = False
    for part, ask in parts.items():
        try:
            found[part] = SILENCE if away and part in STORED else ask()
        except DatabaseError as error:
            found[part], away = FULL if disk_full(error) else SILENCE, True
    return found


def free_space() -> int:
    """Free bytes on the disk of the data folder."""
    return shutil.disk_usage(settings.DATA).free


def disk_is_low() -> bool:
    return free_space() < LITTLE


def oldest_waiting(now: datetime) -> timedelta:
    """For how long the oldest job that is due has been waiting. One query."""
    due = Job.objects.filter(state=Job.State.NEW, run_after__lte=now).aggregate(since=Min("run_after"))["since"]
    return now - due if due else timedelta(0)


def entries() -> int:
    """How many entries have ever been recorded. One query."""
    newest: int | None = LogEntry.objects.aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def _migrations() -> str:
    return OK if _migrated() else "run manage.py migrate"


def _migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _broker() -> str:
    if not settings.REDIS_URL:
        return OK  # a folder of the same machine
    try:
        _redis().ping()
    except redis.RedisError:
        return "no answer from Redis"
    return OK


@cache
def _redis() -> redis.Redis:
    return redis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, retry=None)


def _worker(now: datetime) -> str:
    alive = Heartbeat.objects.filter(of=WORKER).values_list("at", flat=True).first()
    if alive is None:
        return "never seen"
    return OK if abs(now - alive) < SILENT else f"no sweep by worker and beat since {alive:%F %T} UTC"
