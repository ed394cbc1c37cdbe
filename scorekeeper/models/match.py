"""Matches: the log is the truth, the sheet and the offers beside it are what it gives."""

from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club, Player, User
from scorekeeper.models.entry import Entry
from scorekeeper.models.night import Night
from scorekeeper.models.table import DeviceToken, Table

# Whether a match goes on: those that do come first in lists.
GOING_ON = ExpressionWrapper(Q(finished_at__isnull=True), models.BooleanField())


class Match(models.Model):
    """One contest under one set of options. `sheet`, `offers` and `status` come from `length` log entries."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        STOPPED = "stopped", _("stopped")

    club = models.ForeignKey(Club, models.PROTECT, related_name="matches")
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="matches")
    night = models.ForeignKey(Night, models.PROTECT, null=True, blank=True, related_name="matches")
    # The round of the night that was drawn for it, from 1; None: agreed on at the table.
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    # How long it may take; the hand in play then is finished. None: as long as its options say.
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # Called by the host or the clock: the match ends after so many hands.
    last_hand = models.PositiveIntegerField(null=True, blank=True)
    # The number of the paper sheet it was typed in from.
    paper = models.CharField(max_length=20, blank=True)
    game = models.CharField(max_length=40)
    options = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.PLAYING)
    length = models.PositiveIntegerField(default=0)
    sheet = models.JSONField()
    offers = models.JSONField()
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    unverified = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index("club", GOING_ON.desc(), F("created_at").desc(), F("id").desc(), name="match_club_newest"),
            models.Index(fields=["table", "-id"], name="match_table_newest"),
            models.Index(fields=["night", "-id"], name="match_night_newest"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["playing", "finished", "stopped"]), name="match_status_known"
            ),
            # A match is either going on or has a time at which it ended.
            models.CheckConstraint(
                condition=models.Q(status="playing", finished_at__isnull=True)
                | models.Q(status__in=["finished", "stopped"], finished_at__isnull=False),
                name="match_ended_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"


class Seat(models.Model):
    """Who sits where, clockwise from 0, for the whole match. The name is as it was when the match began."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    # Where he was said to sit when the match began: wrong seats may be put right later.
    begun = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="seats")
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once_a_match"),
            models.UniqueConstraint(fields=["match", "begun"], name="seat_begun_once_a_match"),
            models.UniqueConstraint(fields=["match", "player"], name="player_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class Substitute(models.Model):
    """Who took over a seat in mid-match, from hand `from_hand` on, counted from 0. Both keep what they played."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="substitutes")
    number = models.PositiveSmallIntegerField()
    from_hand = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="substitutions")
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["from_hand", "id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number", "from_hand"], name="substitute_once_a_seat_and_hand")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name} from hand {self.from_hand}"


class LogEntry(Entry):
    """What was recorded at a table."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="log")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="entries")
    device = models.ForeignKey(DeviceToken, models.PROTECT, null=True, blank=True, related_name="entries")

    class Meta(Entry.Meta):
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="entry_seq_once_a_match"),
            models.UniqueConstraint(fields=["match", "key"], name="entry_key_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seq} {self.kind}"
