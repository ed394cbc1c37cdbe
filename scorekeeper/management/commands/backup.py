"""`manage.py backup [FILE]`: everything that was recorded, in one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.services import backup


class Command(OnDataCommand):
    help = "Writes everything that was recorded into one file. The server may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", nargs="?", type=Path, help="default: a new file in backups/ of the data folder")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        now = timezone.now()
        target = file or backup.named("by-hand", now)
        written = backup.write(target, now=now)
        backup.tidy(now)
        self.stdout.write(f"Wrote and checked {target}: {written.rows} rows, {target.stat().st_size} bytes.")
