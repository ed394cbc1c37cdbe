"""Data belongs to the user who starts the server: nobody else on the machine may read it."""

import stat
from collections.abc import Iterator
from pathlib import Path

FILES = ("db.sqlite3", "db.sqlite3-wal", "db.sqlite3-shm", "secret_key", "up.lock", "up.json", "restore-next")
FOLDERS = ("archives", "backups", "queue")


def only_for_owner(data: Path) -> None:
    """Takes the rights of others on what earlier versions, or a copy, left readable. A folder that somebody uses for
    other things, too, stays as it is."""
    for path in _ours(data):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & ~0o077)


def _ours(data: Path) -> Iterator[Path]:
    yield from (data / name for name in FILES if (data / name).is_file())
    for folder in (data / name for name in FOLDERS if (data / name).is_dir()):
        yield folder
        yield from (file for file in folder.iterdir() if file.is_file())
    if {path.name for path in data.iterdir()} <= {*FILES, *FOLDERS}:
        yield data
