"""That something changed: the only thing live pages wait for."""

from django.db import models

from scorekeeper.models.club import Club
from scorekeeper.models.match import Match
from scorekeeper.models.night import Night
from scorekeeper.models.table import Table


class Event(models.Model):
    """One row a change, written last in its transaction. Ids grow in the order in which they can be seen.

    A topic is a filter: `match:7` is every row with match 7, `table:2` with table 2; `night:3` every one with night 3
    that is not minor, `club:1` with club 1.
    """

    club = models.ForeignKey(Club, models.CASCADE, db_index=False, related_name="+")
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, db_index=False, related_name="+")
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, db_index=False, related_name="+")
    night = models.ForeignKey(Night, models.CASCADE, null=True, blank=True, db_index=False, related_name="+")
    kind = models.CharField(max_length=20)
    length = models.PositiveIntegerField(default=0)
    # A step within a hand: who follows the match or its table is told, lists of matches show the same as before.
    minor = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["match", "id"], name="event_by_match"),
            models.Index(fields=["table", "id"], name="event_by_table"),
            models.Index(fields=["night", "id"], name="event_by_night"),
            models.Index(fields=["club", "id"], name="event_by_club"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.kind}"
