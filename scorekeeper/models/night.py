"""Club nights: the log of what the host did is the truth, as with matches."""

from django.db import models
from django.db.models import Q

from scorekeeper.models.club import Club, User
from scorekeeper.models.entry import Entry


class Night(models.Model):
    """An evening of a club: who came, who was drawn to which table. At most one of a club is open."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="nights")
    name = models.CharField(max_length=80, blank=True)
    started_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    length = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["club", "-id"], name="night_club_newest")]
        constraints = [
            models.UniqueConstraint(fields=["club"], condition=Q(closed_at__isnull=True), name="night_open_once_a_club")
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.started_at:%F}"


class NightEntry(Entry):
    """What a host did."""

    night = models.ForeignKey(Night, models.PROTECT, related_name="log")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="night_entries")

    class Meta(Entry.Meta):
        constraints = [
            models.UniqueConstraint(fields=["night", "seq"], name="night_entry_seq_once_a_night"),
            models.UniqueConstraint(fields=["night", "key"], name="night_entry_key_once_a_night"),
        ]

    def __str__(self) -> str:
        return f"{self.night_id}/{self.seq} {self.kind}"
