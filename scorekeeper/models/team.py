"""What captains of teams send before anybody else may know it.

A line-up is no step of the log: it is nobody's business until it opens. The step that opens it has it.
"""

from django.db import models

from scorekeeper.models.club import User
from scorekeeper.models.event import Event


class LineUp(models.Model):
    """Who a team wants to play with in a fixture, as last submitted. Only `services.line_ups` reads it for others, and
    only when it opens both."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="line_ups")
    fixture = models.PositiveIntegerField()
    # 0 at home, 1 away.
    side = models.PositiveSmallIntegerField()
    # For each board, the ids of its players.
    boards = models.JSONField()
    submitted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "fixture", "side"], name="line_up_once_a_side"),
            models.CheckConstraint(condition=models.Q(side__in=[0, 1]), name="line_up_of_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.fixture} {self.side}"


class CaptainLink(models.Model):
    """A secret link: whoever opens it acts as the captain of a team, until a host revokes it. Only the SHA-256 of its
    token is stored. A team has at most one that is valid."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="captain_links")
    # The start number of the team.
    entrant = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # The host who made it; None if the command line did.
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "entrant"],
                condition=models.Q(revoked_at__isnull=True),
                name="captain_link_valid_once_a_team",
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.entrant}"
