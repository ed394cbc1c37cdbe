"""`manage.py rebuild [--check]`: compares what is cached with each match to a replay of its log."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.models import Match
from scorekeeper.selectors.matches import Damaged
from scorekeeper.selectors.standings import UNREAD, out_of_date
from scorekeeper.services import recording


class Command(OnDataCommand):
    help = "Rebuilds the sheet and the results of every match. With --check it only lists the matches that differ."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--check", action="store_true", help="change nothing, and fail if a match differs")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        total = differing = broken = 0
        for match in Match.objects.prefetch_related("seats").order_by("pk").iterator(chunk_size=200):
            total += 1
            try:
                stale = out_of_date(match)
            except Damaged as error:
                broken += 1
                self.stdout.write(f"match {match.pk}: {error}")
                continue
            if stale and not (check and stale == [UNREAD]):
                differing += 1
                self.stdout.write(f"match {match.pk} differs from its log in {', '.join(stale)}")
                if not check:
                    recording.rebuild(match_id=match.pk)
        self.stdout.write(f"{total} matches, {differing} {'differ' if check else 'rebuilt'}, {broken} broken")
        if broken or (check and differing):
            raise CommandError(f"{broken + differing if check else broken} of {total} matches need attention.")
