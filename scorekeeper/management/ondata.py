"""Commands on data that is there already."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from scorekeeper.models import Club


class OnDataCommand(BaseCommand):
    """Says in one line that there is no data yet, instead of failing at the first question to the database."""

    def add_arguments(self, parser: CommandParser) -> None:
        # Taken by manage.py before the settings are read; named here to be seen in the help.
        parser.add_argument("--data", metavar="DIR", help="folder in which all is kept (default: data/)")

    def execute(self, *args: Any, **options: Any) -> str | None:
        if Club._meta.db_table not in connection.introspection.table_names():
            raise CommandError(f"There is no Scorekeeper data in {settings.DATA}. `manage.py up` makes it.")
        return super().execute(*args, **options)
