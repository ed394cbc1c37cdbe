"""Backups: one file with everything that a club needs again, the same for SQLite and PostgreSQL.

The file is a ZIP with a member for each table, in which each row is a line of JSON, and `manifest.json`, which says
what must be in it. The comment of the ZIP is the SHA-256 of every byte before it. Sessions and sign-in attempts are not
in it. Neither are changes, which only tell live pages what is new: a restore makes fresh ones.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from django.apps.registry import Apps
from django.conf import settings
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from scorekeeper import __version__
from scorekeeper.services.errors import Refused

FORMAT = 1
APP = "scorekeeper"
LEFT_OUT = {"change", "signin"}
MANIFEST = "manifest.json"
DIGEST = 64  # bytes at the end of the file: its SHA-256 as text
AT_ONCE = 200  # rows read together, so that memory does not grow with their number
PIECE = 1 << 20
LEFT = timedelta(days=1)  # after which nobody is writing to an unfinished backup any more
KEPT = 7  # backups of each kind in the folder


def _as_text(value: Any) -> str:
    if isinstance(value, date):  # also a time
        return value.isoformat()
    raise TypeError(f"A backup cannot contain {value!r}.")


LINE = json.JSONEncoder(default=_as_text, separators=(",", ":"))

Progress = Callable[[int, int], None]
"""Gets how much is done, and of how much, after every row. It may raise to stop the work."""


def unheard(done: int, total: int) -> None:
    """Progress that nobody asked for."""


@dataclass(frozen=True, slots=True)
class TableKept:
    """One table in a backup."""

    model: str
    columns: list[str]
    rows: int
    size: int
    sha256: str

    @property
    def member(self) -> str:
        return f"{self.model}.ndjson"


@dataclass(frozen=True, slots=True)
class Manifest:
    format: int
    version: str
    """The Scorekeeper that wrote it."""
    made_at: str
    migrations: list[str]
    """Those of our tables that were applied."""
    tables: list[TableKept]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)


class Unusable(Refused):
    """A file that cannot be restored."""


class DamagedData(Refused):
    """A database that cannot be backed up."""


def folder() -> Path:
    """Where backups are kept, unless somebody names another file."""
    found = _place()
    found.mkdir(mode=0o700, exist_ok=True)
    return found


def saved() -> list[Path]:
    """The backups in that folder, the newest first."""
    return sorted(_place().glob("*.zip"), key=lambda file: file.stat().st_mtime, reverse=True)


def _place() -> Path:
    return Path(settings.DATA) / "backups"


def named(what: str, now: datetime) -> Path:
    """A file in that folder."""
    return folder() / f"{what}-{now:%Y-%m-%d-%H%M%S}.zip"


def tidy(now: datetime) -> None:
    """Keeps the newest backups of each kind. The time in their names decides. Removes what killed programs left."""
    for part in folder().glob("*.part"):
        if now - datetime.fromtimestamp(part.stat().st_mtime, UTC) > LEFT:
            part.unlink(missing_ok=True)
    by_kind: dict[str, list[Path]] = {}
    for file in sorted(folder().glob("*.zip")):
        kind = re.fullmatch(r"(\D+)-[\d-]+\.zip", file.name)
        if kind:
            by_kind.setdefault(kind[1], []).append(file)
    for kept in by_kind.values():
        for file in kept[:-KEPT]:
            file.unlink(missing_ok=True)


def write(file: Path, *, now: datetime, progress: Progress = unheard) -> Manifest:
    """Writes the backup. The file appears complete and checked, or not at all; nobody else can read it.

    People can go on recording: it has the data of the moment at which it starts.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        with open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as target:
            written = _fill(target, now, lambda done, total: progress(done, 2 * total))
            _seal(target)
            os.fsync(target.fileno())
        if check(part, progress=lambda done, total: progress(total + done, 2 * total)) != written:
            raise Unusable("backup-damaged", f"{file} was not written as it should be. Try another disk.")
        part.replace(file)
        sync_folder(file.parent)
    finally:
        part.unlink(missing_ok=True)
    return written


def check(file: Path, *, progress: Progress = unheard) -> Manifest:
    """Reads the whole backup. Unusable if a byte of it is wrong, or if it is of a newer Scorekeeper."""
    _check_digest(file)
    with _opened(file) as archive:
        manifest = _manifest(file, archive)
        if {MANIFEST, *(table.member for table in manifest.tables)} != set(archive.namelist()):
            raise _damaged(file)
        total = manifest.rows
        everything = (row for table in manifest.tables for row in rows(file, archive, table))
        for done, _row in enumerate(everything, start=1):
            progress(done, total)
    return manifest


def rows(file: Path, archive: ZipFile, table: TableKept) -> Iterator[list[Any]]:
    """The rows of a table, each as a list of values. Unusable at the end if they are not those of the manifest."""
    digest, size, count = sha256(), 0, 0
    with archive.open(table.member) as lines:
        for line in lines:
            digest.update(line)
            size, count = size + len(line), count + 1
            row = json.loads(line)
            if not isinstance(row, list) or len(row) != len(table.columns):
                raise _damaged(file)
            yield row
    if (count, size, digest.hexdigest()) != (table.rows, table.size, table.sha256):
        raise _damaged(file)


def names_otherwise(file: Path, players: Mapping[int, str]) -> bool:
    """Whether one of these players, by id, has another name in the backup than this one. True if it cannot be read."""
    try:
        with opened(file) as (manifest, archive):
            table = next(each for each in manifest.tables if each.model == "player")
            at = [table.columns.index(column) for column in ("id", "name")]
            people = ((row[at[0]], row[at[1]]) for row in rows(file, archive, table))
            return any(name != players.get(pk, name) for pk, name in people)
    except (Unusable, StopIteration):
        return True


@contextmanager
def opened(file: Path) -> Iterator[tuple[Manifest, ZipFile]]:
    """A backup that `check` has found good."""
    with _opened(file) as archive:
        yield _manifest(file, archive), archive


@contextmanager
def another_connection(alias: str, **settings: Any) -> Iterator[BaseDatabaseWrapper]:
    """One more connection to the database, without the pool, which models reach by `alias`."""
    extra = connection.copy(alias)
    extra.settings_dict.update(settings)
    extra.settings_dict["OPTIONS"].pop("pool", None)
    connections[alias] = extra
    try:
        yield extra
    finally:
        extra.close()
        del connections[alias]


def applied(loader: MigrationLoader) -> list[str]:
    """The migrations of our tables that the database has. Refused if a newer Scorekeeper made some of them."""
    found = sorted(name for app, name in loader.applied_migrations if app == APP)
    if any((APP, name) not in loader.disk_migrations for name in found):
        raise Refused(
            "newer-data",
            "A newer Scorekeeper has changed this data. Update this one, or restore a backup from before that.",
        )
    return found


def models_at(loader: MigrationLoader, migrations: Sequence[str]) -> Apps:
    """The models as they were after these migrations."""
    return loader.project_state([(APP, name) for name in migrations], at_end=True).apps


def kept_models(apps: Apps) -> list[type[Model]]:
    """The models whose rows are in a backup."""
    return [model for model in apps.get_app_config(APP).get_models() if model._meta.model_name not in LEFT_OUT]


def columns_of(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def sync_folder(folder: Path) -> None:
    """Makes the new name last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _fill(target: IO[bytes], now: datetime, progress: Progress) -> Manifest:
    with _snapshot() as alias, ZipFile(target, "w", ZIP_DEFLATED) as archive:
        _must_be_whole(connections[alias])
        loader = MigrationLoader(connections[alias])
        migrations = applied(loader)
        models = kept_models(models_at(loader, migrations))
        total = sum(model._default_manager.using(alias).count() for model in models)
        tables: list[TableKept] = []
        for model in models:
            before = sum(table.rows for table in tables)
            tables.append(_write_table(archive, model, alias, partial(_on_top, progress, before, total)))
        manifest = Manifest(FORMAT, __version__, now.isoformat(), migrations, tables)
        archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
        archive.comment = b"0" * DIGEST
    return manifest


@contextmanager
def _snapshot() -> Iterator[str]:
    """The alias of a connection that sees the data of one moment, and delays nobody."""
    alias = "snapshot"
    with another_connection(alias) as extra:
        # On SQLite the first reading fixes the moment; a transaction that could write would stop all others.
        extra.settings_dict["OPTIONS"].pop("transaction_mode", None)
        with transaction.atomic(using=alias):
            if extra.vendor == "postgresql":
                extra.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield alias


def _must_be_whole(database: BaseDatabaseWrapper) -> None:
    """SQLite can read much of a damaged file without noticing. PostgreSQL checks each page itself."""
    if database.vendor == "sqlite":
        with database.cursor() as cursor:
            cursor.execute("PRAGMA quick_check(1)")
            (found,) = cursor.fetchone()
        if found != "ok":
            raise DamagedData(
                "data-damaged", "The database is damaged, so it was not backed up. Restore the newest good backup."
            )


def _on_top(progress: Progress, before: int, total: int, rows: int) -> None:
    progress(before + rows, total)


def _write_table(archive: ZipFile, model: type[Model], alias: str, progress: Callable[[int], None]) -> TableKept:
    columns = columns_of(model)
    digest, size, count = sha256(), 0, 0
    name = model._meta.model_name or ""
    with archive.open(f"{name}.ndjson", "w", force_zip64=True) as member:
        for row in _rows_in_order(model, alias, columns):
            line = LINE.encode(row).encode() + b"\n"
            member.write(line)
            digest.update(line)
            size, count = size + len(line), count + 1
            progress(count)
    return TableKept(name, columns, count, size, digest.hexdigest())


def _rows_in_order(model: type[Model], alias: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    key, last = columns.index("id"), 0
    ordered = model._default_manager.using(alias).order_by("id").values_list(*columns)
    while found := list(ordered.filter(id__gt=last)[:AT_ONCE]):
        yield from found
        last = found[-1][key]


def _seal(target: IO[bytes]) -> None:
    """Puts the SHA-256 of everything before it at the end."""
    end = target.seek(-DIGEST, os.SEEK_END)
    digest = _digest(target, end)
    target.seek(end)
    target.write(digest)
    target.flush()


def _digest(file: IO[bytes], end: int) -> bytes:
    file.seek(0)
    digest = sha256()
    while left := end - file.tell():
        digest.update(file.read(min(PIECE, left)))
    return digest.hexdigest().encode()


def _check_digest(file: Path) -> None:
    with file.open("rb") as handle:
        if handle.read(4) != b"PK\x03\x04":
            raise Unusable("not-a-backup", f"{file} is not a backup of Scorekeeper.")
        end = handle.seek(0, os.SEEK_END) - DIGEST
        digest = _digest(handle, end) if end > 0 else b""
        if handle.read() != digest:
            raise _damaged(file)


@contextmanager
def _opened(file: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(file) as archive:
            yield archive
    except (BadZipFile, KeyError, ValueError, TypeError) as error:  # whole, but not written by `write`
        raise _damaged(file) from error


def _manifest(file: Path, archive: ZipFile) -> Manifest:
    found = json.loads(archive.read(MANIFEST))
    if found["format"] > FORMAT:
        raise Unusable(
            "newer-backup",
            f"{file} was written by Scorekeeper {found['version']}, which is newer than this one ({__version__}). "
            "Update Scorekeeper, then restore it.",
        )
    return Manifest(**found | {"tables": [TableKept(**table) for table in found["tables"]]})


def _damaged(file: Path) -> Unusable:
    return Unusable(
        "backup-damaged", f"{file} is damaged or incomplete, so nothing was restored. Use another copy of it."
    )
