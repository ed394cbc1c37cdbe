"""Calls from tables to the host."""

from django.db import models
from django.db.models import Q

from scorekeeper.models.club import Club, User
from scorekeeper.models.match import Match
from scorekeeper.models.shown import NameField
from scorekeeper.models.table import Table


class Call(models.Model):
    """A call for the host, open until it is settled. A table has at most one open call."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="calls")
    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="calls")
    # The owner of the phone that called, and the reason, if known.
    name = NameField(max_length=80, blank=True)
    why = models.CharField(max_length=200, blank=True)
    asked_at = models.DateTimeField()
    # The host who is on the way.
    seen_at = models.DateTimeField(null=True, blank=True)
    seen_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    # The host who settled it; None if the table no longer needed it.
    settled_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(settled_at__isnull=True), name="call_open_once_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.asked_at:%F %R}"

    @property
    def state(self) -> str:
        """How its table shows it, as the names of styles."""
        return "settled" if self.settled_at else "called seen" if self.seen_at else "called"

    @property
    def stamp(self) -> str:
        """A text that changes whenever the call looks different at its table."""
        return f"{self.pk}:{self.seen_at}:{self.settled_at}:{self.why}"
