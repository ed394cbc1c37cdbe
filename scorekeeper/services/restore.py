"""Restoring a backup: everything is built next to the present data, and takes its place only when it is complete."""

import json
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from scorekeeper.live.topics import KINDS, Topic
from scorekeeper.models import Change, Job
from scorekeeper.services import backup
from scorekeeper.services.backup import APP, Progress, Unusable, unheard
from scorekeeper.services.errors import Refused
from scorekeeper.services.jobs import Cancelled

KIND = "restore"
ALIAS = "restored"
SCHEMA = "restored"  # PostgreSQL: where the new tables are built
AT_ONCE = 500  # rows written together
PATIENCE = 2.0  # seconds for PostgreSQL to notice that a program has just ended
GAP = 1000  # ids left free, because phones may know rows that are newer than the backup


@dataclass(frozen=True, slots=True)
class Replaced:
    """The data before the restore."""

    kept: Path | None = None
    """Where it is kept; None if there was none."""
    readable: bool = True
    highest: Mapping[str, int] = field(default_factory=dict)
    """By table, its highest id."""


def restore(file: Path, *, now: datetime, progress: Progress = unheard) -> Path | None:
    """Replaces all data by that of the backup. No server may be using the data.

    The data that it replaces is kept in the folder of backups. Returns the file with it; None if there was none. Any
    error leaves everything as it was. `progress` may raise jobs.Cancelled.
    """
    _check(file)
    replaced = _keep(now, lambda done, total: progress(done, 2 * total))
    build = _new_tables() if connection.vendor == "postgresql" else _new_file(replaced)
    with build as built:
        _fill(built, file, lambda done, total: progress(total + done, 2 * total))
        call_command("migrate", database=ALIAS, verbosity=0, interactive=False)
        with transaction.atomic(using=ALIAS):
            _settle(built, replaced.highest, now)
            built.check_constraints()
    backup.tidy(now)
    return replaced.kept


def forget_unfinished() -> None:
    """Removes what a killed restore has left. No other program may be restoring."""
    if connection.vendor == "sqlite":
        _remove(_unfinished())


def note(file: Path, now: datetime, state: Job.State, *, kept: Path | None = None, error: str = "") -> Job:
    """Notes in the ledger of jobs, which the audit page shows, how a restore ended."""
    about = {"kind": KIND, "args": {"file": file.name}, "state": state, "result": kept.name if kept else ""}
    return Job.objects.create(**about, error=error, made_at=now, run_after=now, finished_at=now)


# --- At the next start ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Asked:
    """A restore that is to be done at the next start."""

    file: Path
    key: str
    """Whoever has it may cancel the restore. Nobody can sign in while the data is replaced."""


def ask(file: Path) -> Asked:
    """Asks for a restore of this backup, one of those in the folder, at the next start of the server."""
    _check(file)
    asked = Asked(file, secrets.token_urlsafe())
    part = _request().with_suffix(".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as request:
        json.dump({"file": file.name, "key": asked.key}, request)
        request.flush()
        os.fsync(request.fileno())
    part.replace(_request())
    return asked


def asked() -> Asked | None:
    """The restore that is to be done at the next start. What is not readable was not asked for by us."""
    try:
        request = json.loads(_request().read_text())
        return Asked(backup.folder() / request["file"], request["key"])
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return None


def restore_asked(asked: Asked, *, now: datetime, progress: Progress = unheard) -> Job:
    """Restores what was asked for, once. The job in the ledger says how it ended; unless it is done, nothing has
    changed."""
    _request().unlink()
    try:
        kept = restore(asked.file, now=now, progress=progress)
    except Cancelled:
        return note(asked.file, now, Job.State.CANCELLED)
    except (Refused, OSError, DatabaseError) as error:
        return note(asked.file, now, Job.State.FAILED, error=str(error))
    return note(asked.file, now, Job.State.DONE, kept=kept)


def _request() -> Path:
    return Path(settings.DATA) / "restore-next"


def _check(file: Path) -> None:
    manifest = backup.check(file)
    known = MigrationLoader(None).disk_migrations
    if any((APP, name) not in known for name in manifest.migrations):
        raise Unusable(
            "newer-backup",
            f"{file} was written by a newer Scorekeeper ({manifest.version}). Update this one, then restore the file.",
        )


# --- What is replaced ----------------------------------------------------------------------------------------
def _keep(now: datetime, progress: Progress) -> Replaced:
    """Backs up the present data. A damaged SQLite file, of which that is impossible, is kept whole."""
    try:
        with connection.cursor() as cursor:
            tables = [name for name in connection.introspection.table_names(cursor) if name.startswith(f"{APP}_")]
            if not tables:
                return Replaced()
            highest = {table: _highest_id(connection, table) for table in tables}
        kept = backup.named("before-restore", now)
        backup.write(kept, now=now, progress=progress)
        return Replaced(kept, highest=highest)
    except (DatabaseError, backup.DamagedData):
        if connection.vendor != "sqlite":
            raise
        return Replaced(backup.named("damaged", now).with_suffix(".sqlite3"), readable=False)
    finally:
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # only this backend has it


def _highest_id(database: BaseDatabaseWrapper, table: str) -> int:
    with database.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608 (a name from the database)
        return int(cursor.fetchone()[0])


# --- Where the new data is built -----------------------------------------------------------------------------
@contextmanager
def _new_file(replaced: Replaced) -> Iterator[BaseDatabaseWrapper]:
    """SQLite: a new file, which becomes the database at the end."""
    old = Path(connection.settings_dict["NAME"])
    new = _unfinished()
    _remove(new)  # from a restore that was killed
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL, 0o600))
        with backup.another_connection(ALIAS, NAME=new) as built:
            yield built
            _check_integrity(built)
        if replaced.readable:
            _empty_log(old)
        else:
            _set_aside(old, replaced)
        new.replace(old)
        backup.sync_folder(old.parent)
    finally:
        _remove(new)


def _unfinished() -> Path:
    database = Path(connection.settings_dict["NAME"])
    return database.with_name(f"{database.name}.restored")


def _check_integrity(database: BaseDatabaseWrapper) -> None:
    with database.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        said = cursor.fetchone()[0]
    if said != "ok":
        raise Refused("not-restored", f"The disk returned something else than was written to it: {said}.")


def _empty_log(old: Path) -> None:
    """A log that stays next to the database would be replayed over the new one."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for name in _beside(old):
        name.unlink(missing_ok=True)


def _set_aside(old: Path, replaced: Replaced) -> None:
    assert replaced.kept
    os.link(old, replaced.kept)
    for name, kept in zip(_beside(old), _beside(replaced.kept), strict=True):
        if name.exists():
            name.rename(kept)


def _beside(database: Path) -> list[Path]:
    return [database.with_name(database.name + end) for end in ("-wal", "-shm")]


def _remove(database: Path) -> None:
    for name in (database, *_beside(database)):
        name.unlink(missing_ok=True)


@contextmanager
def _new_tables() -> Iterator[BaseDatabaseWrapper]:
    """PostgreSQL: new tables in a schema of their own, which replace the present ones in the same transaction."""
    with (
        backup.another_connection(ALIAS) as built,
        transaction.atomic(using=ALIAS),
        built.cursor() as cursor,
    ):
        _must_be_alone(built)
        cursor.execute("SELECT current_schema()")
        (schema,) = cursor.fetchone()
        quoted = built.ops.quote_name(schema)
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
        cursor.execute(f"SET LOCAL search_path TO {SCHEMA}")
        yield built
        new = built.introspection.table_names(cursor)
        cursor.execute(f"SET LOCAL search_path TO {quoted}")
        for table in built.introspection.table_names(cursor):
            if table in new or table.startswith(f"{APP}_"):
                cursor.execute(f"DROP TABLE {built.ops.quote_name(table)} CASCADE")
        for table in new:
            cursor.execute(f"ALTER TABLE {SCHEMA}.{built.ops.quote_name(table)} SET SCHEMA {quoted}")
        # Indexes of these tables are made by functions of ours.
        cursor.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = %s::regnamespace", [SCHEMA])
        for (function,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION IF EXISTS {quoted}.{function.removeprefix(f'{SCHEMA}.')}")
            cursor.execute(f"ALTER FUNCTION {function} SET SCHEMA {quoted}")
        cursor.execute(f"DROP SCHEMA {SCHEMA}")


def _must_be_alone(database: BaseDatabaseWrapper) -> None:
    deadline = time.monotonic() + PATIENCE
    while _others(database):
        if time.monotonic() > deadline:
            raise Refused(
                "data-in-use", "Other programs use the database. Stop all servers and workers, then restore again."
            )
        threading.Event().wait(0.1)


def _others(database: BaseDatabaseWrapper) -> int:
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


# --- What is in it -------------------------------------------------------------------------------------------
def _fill(built: BaseDatabaseWrapper, file: Path, progress: Progress) -> None:
    """Makes the tables as they were in the backup, with its rows."""
    with backup.opened(file) as (manifest, archive):
        executor = MigrationExecutor(built)
        executor.migrate([(APP, name) for name in manifest.migrations])
        models = backup.models_at(executor.loader, manifest.migrations)
        done = 0
        with transaction.atomic(using=ALIAS):
            built.check_constraints()  # from here on PostgreSQL checks them at the end: rows refer to later ones
            for table in manifest.tables:
                model = models.get_model(APP, table.model)
                fields = [model._meta.get_field(name) for name in table.columns]
                rows = backup.rows(file, archive, table)
                while batch := list(islice(rows, AT_ONCE)):
                    model._default_manager.using(ALIAS).bulk_create(
                        model(**{each.attname: each.to_python(value) for each, value in zip(fields, row, strict=True)})
                        for row in batch
                    )
                    done += len(batch)
                    progress(done, manifest.rows)
            built.check_constraints()


def _settle(built: BaseDatabaseWrapper, highest: Mapping[str, int], now: datetime) -> None:
    """What the world outside must find different from before."""
    unfinished = Job.objects.using(ALIAS).filter(state__in=[Job.State.NEW, Job.State.RUNNING])
    unfinished.update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
    _announce(highest, now)
    for model in Change._meta.app_config.get_models():
        table = model._meta.db_table
        _set_next_id(built, table, max(_highest_id(built, table), highest.get(table, 0)) + GAP)


def _announce(highest: Mapping[str, int], now: datetime) -> None:
    """A change in every topic, newer than any that a page has seen, so that none takes its old state for the newest.
    Changes are fewer than the milliseconds since 1970, in which those of a restore are counted."""
    first = max(int(now.timestamp() * 1000), highest.get(Change._meta.db_table, 0) + 1)
    topics = [Topic(kind, pk) for kind, rows in KINDS.items() for pk in rows.using(ALIAS).values_list("pk", flat=True)]
    Change.objects.using(ALIAS).bulk_create(
        (Change(pk=pk, topic=str(topic), kind="restored", at=now) for pk, topic in enumerate(topics, first)),
        batch_size=AT_ONCE,
    )


def _set_next_id(built: BaseDatabaseWrapper, table: str, last: int) -> None:
    with built.cursor() as cursor:
        if built.vendor == "postgresql":
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, last])
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
