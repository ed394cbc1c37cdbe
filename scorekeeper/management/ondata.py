"""Commands that work on the data folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from scorekeeper.failures import damaged, disk_full
from scorekeeper.models import Club
from scorekeeper.services import backup
from scorekeeper.services.errors import Refused
from scorekeeper.serving.lock import DataInUse, noted_addresses

GUESS = "http://127.0.0.1:8000"


class DataCommand(BaseCommand):
    """Takes `--data DIR`."""

    def add_arguments(self, parser: CommandParser) -> None:
        # manage.py takes it before the settings are read; it is here for --help.
        parser.add_argument("--data", metavar="DIR", help="the data folder (default: data/)")


class OnDataCommand(DataCommand):
    """Needs existing data. Without data, or with damaged data, it says so in one line."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        with in_one_line():
            if Club._meta.db_table not in connection.introspection.table_names():
                if connection.vendor == "postgresql":
                    raise CommandError("The database has no tables of Scorekeeper. Run `manage.py migrate` first.")
                raise CommandError(f"There is no Scorekeeper data in {settings.DATA}. Run `manage.py up` first.")
            return super().execute(*args, **options)

    def base_address(self, chosen: str) -> str:
        """The address for links: the chosen one, else that of the settings, else the best one of the server that runs
        on this data, else a guess."""
        known = [chosen, settings.PUBLIC_URL, *noted_addresses(settings.DATA)]
        for address in filter(None, known):
            return address.rstrip("/")
        self.stderr.write(
            f"No server runs on this data. The address {GUESS} is a guess: give the real one with --public-url."
        )
        return GUESS


@contextmanager
def in_one_line() -> Iterator[None]:
    """Says what the disk, the database or a service refuses in one line, with an exit code that is not 0."""
    try:
        yield
    except (Refused, DataInUse) as error:
        raise CommandError(str(error)) from error
    except (OSError, DatabaseError) as error:
        raise CommandError(_sentence(error)) from error


def damaged_database(details: str) -> str:
    """What to do when the file of SQLite is damaged."""
    database, backups = connection.settings_dict["NAME"], backup.saved()
    advice = (
        f"Restore the newest backup: manage.py restore {backups[0]}"
        if backups
        else f"There is no backup in {backup.folder()}: look for a copy elsewhere, and keep this file."
    )
    return f"The database {database} is damaged ({details}). {advice}"


def _sentence(error: OSError | DatabaseError) -> str:
    details = " ".join(str(error).split())
    if disk_full(error):
        return f"The disk of {settings.DATA} is full. Nothing is lost: free some space, then start this again."
    if isinstance(error, OSError):
        return f"{error.filename or settings.DATA}: {error.strerror}."
    if damaged(error):
        return damaged_database(details)
    return f"The database cannot be used: {details}"
