"""Commands that need existing data."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from scorekeeper.models import Club


class OnDataCommand(BaseCommand):
    """Without data it says so in one line, instead of failing at the first query."""

    def add_arguments(self, parser: CommandParser) -> None:
        # manage.py takes it before the settings are read; it is here for --help.
        parser.add_argument("--data", metavar="DIR", help="the data folder (default: data/)")

    def execute(self, *args: Any, **options: Any) -> str | None:
        if Club._meta.db_table not in connection.introspection.table_names():
            raise CommandError(f"There is no Scorekeeper data in {settings.DATA}. Run `manage.py up` first.")
        return super().execute(*args, **options)
