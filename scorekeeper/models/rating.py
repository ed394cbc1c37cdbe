"""The ratings of players after each of their matches. They follow from the results, and can be calculated again."""

from django.db import models
from django.db.models import Q

from scorekeeper.models.club import Club, Player
from scorekeeper.models.match import Match

# By which the newest line of somebody in a game is found without looking at the others.
NEWEST = ("at", "match", "game", "since")


class RatingRules(models.Model):
    """What counts for the ratings of a club; without a row, what the defaults say, which also hold for the server."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="rating_rules")
    # How much a match moves ratings, in per cent; 0: it does not count. By where it was played.
    nights = models.PositiveSmallIntegerField(default=100)
    tournaments = models.PositiveSmallIntegerField(default=100)
    agreed = models.PositiveSmallIntegerField(default=100)
    # The least number of hands.
    shortest = models.PositiveSmallIntegerField(default=1)
    # Whether a result counts of which nobody knows how it came about.
    unverified = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(nights__lte=200, tournaments__lte=200, agreed__lte=200, shortest__gte=1),
                name="rating_rules_in_range",
            )
        ]

    def __str__(self) -> str:
        return f"rules of {self.club_id}"


class RatingBook(models.Model):
    """All ratings of the server. A calculation writes the lines of the next edition, and makes it count at once."""

    edition = models.PositiveIntegerField(default=1)
    # Lines of older editions do not count from this time on, and a job deletes them; None if there are none.
    old_from = models.DateTimeField(null=True, blank=True)
    # A result has changed: from this time on, the next edition must have other lines.
    stale_from = models.DateTimeField(null=True, blank=True)
    # From this time on, the next edition has lines of its own; None if nobody has begun it.
    next_from = models.DateTimeField(null=True, blank=True)
    # From this time on, a job still has to write them.
    unwritten_from = models.DateTimeField(null=True, blank=True)
    # What the next edition is for: for each cause its kind, the time of its oldest match, and the club, the match, the
    # players or the event that it is about.
    causes = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"edition {self.edition}"


class RatingDue(models.Model):
    """A match whose result has changed, until a job has counted it. Each change has a row of its own."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.match_id}"


class RatingLine(models.Model):
    """A player's ratings after a match, since an edition."""

    match = models.ForeignKey(Match, models.CASCADE, db_index=False, related_name="ratings")
    player = models.ForeignKey(Player, models.CASCADE, db_index=False, related_name="ratings")
    # As whom the player counts on the whole server.
    person = models.ForeignKey(Player, models.CASCADE, db_index=False, related_name="ratings_everywhere")
    game = models.CharField(max_length=40)
    at = models.DateTimeField()
    # In the club, for each group of games that the match counts in: mu, sigma, Elo and the number of matches after it;
    # before it the rating that was shown and the Elo; and what was expected, in per mille. None if it does not count.
    values = models.JSONField(null=True)
    # The same on the whole server.
    everywhere = models.JSONField(null=True)
    since = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["player", *NEWEST], name="rating_line_by_player"),
            models.Index(fields=["person", *NEWEST], name="rating_line_by_person"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "player", "since"], name="rating_line_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} after {self.match_id}"


class RatingNews(models.Model):
    """What a calculation of older matches changed in the ratings of a club; without a club, in those of the server."""

    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="rating_news")
    edition = models.PositiveIntegerField()
    at = models.DateTimeField()
    # The time of the oldest match that changed.
    since = models.DateTimeField()
    # Why, as in the book.
    causes = models.JSONField()
    # For each group of games, whose rating has changed: the player, the rating before and now, and the places.
    moved = models.JSONField()

    class Meta:
        indexes = [models.Index("club", models.F("id").desc(), name="rating_news_newest")]

    def __str__(self) -> str:
        return f"edition {self.edition} of {self.club_id}"
