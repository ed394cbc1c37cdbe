"""How people come to a tournament: whoever wants to be entered asks, and whoever has arrived says so.

Neither is a step of the directors, so that their steps never wait for it.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Player
from scorekeeper.models.event import Event


class Application(models.Model):
    """Somebody asks to be entered. A director decides."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ENTERED = "entered", _("entered")
        DECLINED = "declined", _("declined")

    event = models.ForeignKey(Event, models.CASCADE, related_name="applications")
    players = models.JSONField()
    """The names of the players."""
    name = models.CharField(max_length=80, blank=True)
    """Of a pair or team; empty: the names of the players."""
    club = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()
    key = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["waiting", "entered", "declined"]), name="application_state_known"
            ),
            models.UniqueConstraint(fields=["event", "key"], name="application_key_once_an_event"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.players} {self.state}"


class Arrival(models.Model):
    """A player has arrived at a tournament."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="arrivals")
    player = models.ForeignKey(Player, models.CASCADE, related_name="arrivals")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "player"], name="arrival_once_an_event")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.player_id}"
