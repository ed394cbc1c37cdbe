"""Reviews of matches by Nestor. They follow from the hands, and can be made again."""

from django.db import models

from scorekeeper.models.match import Match


class Review(models.Model):
    """The newest review of a match. It has seats and moves, but no names."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="review")
    # The entries of the log that it knows; only confirmations and disputes may have come later.
    length = models.PositiveIntegerField()
    # Each play that could be reviewed, as `games.nestor.review.as_json` writes it.
    plays = models.JSONField()
    # How many plays there are in all.
    total = models.PositiveIntegerField()
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"review of {self.match_id}"
