"""Who stands better in matches in play, as far as spectators can know. It follows from the log of the match."""

from django.db import models

from scorekeeper.models.match import Match


class Outlook(models.Model):
    """What a worker last found out about a match. It holds for one position only."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="outlook")
    # The entries of the log that it knows. Once there are more, it is of an old position.
    length = models.PositiveIntegerField(default=0)
    # The side that stands better, and the points: a `games.nestor.outlook.Outlook`. None: nothing to say.
    found = models.JSONField(null=True)
    # When a worker last began to think about it, and whether it still does.
    began_at = models.DateTimeField(null=True, blank=True)
    busy = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"outlook of {self.match_id}"
