"""`manage.py rebuild [--check]`: compares what is cached with each match to a replay of its log, and the ratings with
those that follow from all results."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from scorekeeper.management.ondata import OnDataCommand
from scorekeeper.models import Match
from scorekeeper.selectors.matches import Damaged
from scorekeeper.selectors.standings import UNREAD, out_of_date
from scorekeeper.services import ratings, recording


class Command(OnDataCommand):
    help = "Rebuilds the sheet, results and ratings of every match. With --check it only lists what differs."

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
        unrated = self._ratings(check)
        attention = broken + (differing if check else 0)
        if attention or (check and unrated):
            also = f", and the ratings after {unrated}" if check and unrated else ""
            raise CommandError(f"{attention} of {total} matches need attention{also}.")

    def _ratings(self, check: bool) -> int:
        """The number of matches whose ratings differ from those that follow from all results. Without `check` a worker
        calculates them again."""
        if ratings.is_due():
            self.stdout.write("ratings: not compared, because they wait for the worker")
            return 0
        wrong = ratings.wrong(progress=lambda _done, _total: None)
        self.stdout.write(f"ratings: {len(wrong)} {'differ' if check else 'to calculate again'}")
        if wrong and not check:
            ratings.recalculate(Match.every.filter(pk__in=wrong), why=ratings.Cause("repair", None), now=timezone.now())
        return len(wrong)
