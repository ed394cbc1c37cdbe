"""`manage.py restore FILE`: replaces all data by that of a backup."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils import timezone

from scorekeeper.management.ondata import DataCommand, in_one_line
from scorekeeper.models import Job
from scorekeeper.services.restore import note, restore
from scorekeeper.serving.lock import DataLock


class Command(DataCommand):
    help = "Replaces all data by that of a backup, and keeps what was there as a backup. Stop the server first."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="a backup, of this database or any other")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with in_one_line():
            DataLock(settings.DATA).take()
            now = timezone.now()
            kept = restore(file, now=now)
            note(file, now, Job.State.DONE, kept=kept)
        self.stdout.write(f"Restored {file}.")
        if kept:
            self.stdout.write(f"What was there before is in {kept}.")
        self.stdout.write("Hosts sign in again, and phones scan their table's code again.")
