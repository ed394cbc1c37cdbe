"""The result of each seat of an ended match. Points tables, ratings and statistics read this, not the sheet."""

from django.db import models
from django.db.models import Q

from scorekeeper.models.club import Club, Player
from scorekeeper.models.match import Match
from scorekeeper.models.shown import NameField


class SeatResult(models.Model):
    """One player in one seat of an ended match, from a hand on until they left or the match ended.

    Written in the transaction of the entry that ends the match or changes it afterwards; `rebuild` can remake it.
    Club and game are those of the match, so that a table of points reads one index.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="results")
    club = models.ForeignKey(Club, models.CASCADE, db_index=False, related_name="+")
    game = models.CharField(max_length=40)
    # The order of the sittings in a match, from 0: first the seats, then the substitutes.
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    # Their first hand in this seat, counted from 0.
    from_hand = models.PositiveIntegerField(default=0)
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="results")
    # Only for people who are not players of the club.
    name = NameField(max_length=80, blank=True)
    # The number of their side, from 0.
    side = models.PositiveSmallIntegerField()
    hands = models.PositiveIntegerField()
    points = models.IntegerField()
    # The points of the other sides together, and the number of those sides.
    against = models.IntegerField()
    others = models.PositiveSmallIntegerField()
    # 1 + the number of better sides; None for a player who left early, and in a match without a winner.
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    # The number of sides that share this place.
    sharing = models.PositiveSmallIntegerField(default=1)
    # Whether points tables count it: the match was not abandoned, and they played a hand in it.
    counts = models.BooleanField()
    unverified = models.BooleanField()
    # What they did in their hands, as `scorekeeper.figures` reads it from the record; None if a job must still do so.
    figures = models.JSONField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["club", "game", "player"], name="seat_result_by_game"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_result_once_a_sitting"),
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="") | Q(player__isnull=True) & ~Q(name=""),
                name="seat_result_player_or_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.points}"
