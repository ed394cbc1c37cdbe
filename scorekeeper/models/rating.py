"""The ratings of players after each of their matches. They follow from the results, and can be calculated again."""

from django.db import models

from scorekeeper.models.club import Club, Player
from scorekeeper.models.match import Match


class RatingBook(models.Model):
    """All ratings of the server. A calculation writes the lines of the next edition, and makes it count at once."""

    edition = models.PositiveIntegerField(default=1)
    # A result has changed: from this time on, the next edition must have other lines.
    stale_from = models.DateTimeField(null=True, blank=True)
    # From this time on, a job writes the lines of the next edition.
    unwritten_from = models.DateTimeField(null=True, blank=True)
    # Whether the next edition has lines.
    begun = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"edition {self.edition}"


class RatingDue(models.Model):
    """A match whose result has changed, until a job has counted it. Each change has a row of its own."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.match_id}"


class RatingLine(models.Model):
    """A player's ratings after a match, in the editions from `since` until before `until`."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, models.CASCADE, db_index=False, related_name="ratings")
    club = models.ForeignKey(Club, models.CASCADE, db_index=False, related_name="+")
    game = models.CharField(max_length=40)
    at = models.DateTimeField()
    # For each group of games that the match counts in: mu, sigma, Elo, the number of matches.
    values = models.JSONField()
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["player", "at", "match"], name="rating_line_by_player"),
            models.Index(fields=["club", "at"], name="rating_line_by_club"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "player", "since"], name="rating_line_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} after {self.match_id}"
