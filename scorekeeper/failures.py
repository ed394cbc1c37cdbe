"""What an error of the database or the disk means."""

import errno

from django.db import DatabaseError


def disk_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return isinstance(error, DatabaseError) and _code(error) in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100")


def damaged(error: DatabaseError) -> bool:
    """Whether the file of SQLite is not what was written to it."""
    return _code(error).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def _code(error: DatabaseError) -> str:
    """The name of SQLite, or the SQLSTATE of PostgreSQL, for the error behind that of Django."""
    return str(getattr(error.__cause__, "sqlite_errorname", "") or getattr(error.__cause__, "sqlstate", "") or "")
