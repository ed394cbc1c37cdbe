"""`manage.py migrate`, with a backup before it changes existing data."""

from typing import Any

from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from scorekeeper.management.ondata import in_one_line
from scorekeeper.models import Club
from scorekeeper.services import backup


class Command(migrate.Command):
    help = "Brings the database up to date. Backs up existing data first."

    def handle(self, *args: Any, **options: Any) -> None:
        with in_one_line():
            if options["database"] == DEFAULT_DB_ALIAS and not options["plan"] and not options["check_unapplied"]:
                self._back_up(**options)
            super().handle(*args, **options)

    def _back_up(self, *, app_label: str | None, **_: Any) -> None:
        tables = connection.introspection.table_names()
        if Club._meta.db_table not in tables or not Club.objects.exists():
            return
        executor = MigrationExecutor(connection)
        backup.applied(executor.loader)
        if app_label or executor.migration_plan(executor.loader.graph.leaf_nodes()):
            now = timezone.now()
            file = backup.named("before-upgrade", now)
            backup.write(file, now=now)
            backup.tidy(now)
            self.stdout.write(f"The data before this upgrade is in {file}.")
