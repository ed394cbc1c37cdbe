"""Matches. The log decides; the sheet and the offers follow from it."""

from collections.abc import Iterable

from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club, Player, User
from scorekeeper.models.entry import Entry
from scorekeeper.models.event import Event
from scorekeeper.models.shown import NameField, NamesField
from scorekeeper.models.table import DeviceToken, Table

# Open matches come first in lists.
GOING_ON = ExpressionWrapper(Q(finished_at__isnull=True), models.BooleanField())


# The kinds of entries that the audit page shows if a host or scorer made them.
AUDITED = ["undo", "replace", "swap", "note", "abandon", "stop", "result", "confirm", "dispute", "reopen"]


class Matches(models.QuerySet["Match"]):
    """Matches that their prefetched rows do not know.

    Otherwise each match and its seats would form a circle, which stays in memory until a garbage collection. Those are
    rare, because they stop all threads, and every play reads a match.
    """

    def _prefetch_related_objects(self) -> None:
        super()._prefetch_related_objects()  # type: ignore[misc]
        without_circles(self)


All = models.Manager.from_queryset(Matches)


class Kept(All["Match"]):
    """The matches that no host has removed. Lists, counts and standings all read these."""

    def get_queryset(self) -> models.QuerySet["Match"]:
        return super().get_queryset().filter(removed=False)


class Match(models.Model):
    """One contest under one set of options. `sheet`, `offers` and `status` come from `length` log entries."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        STOPPED = "stopped", _("stopped")

    club = models.ForeignKey(Club, models.PROTECT, related_name="matches")
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="matches")
    event = models.ForeignKey(Event, models.PROTECT, null=True, blank=True, related_name="matches")
    # The round of its event, from 1; None if the players agreed on the match at the table.
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    # The time limit, after which the players finish their hand; None if only the options limit it.
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    # The seconds for which its clock stood still, and since when it stands still now.
    stood = models.PositiveIntegerField(default=0)
    paused_at = models.DateTimeField(null=True, blank=True)
    # Set by the host or the clock: the match ends after this number of hands.
    last_hand = models.PositiveIntegerField(null=True, blank=True)
    # The number of the paper sheet that it was copied from.
    paper = models.CharField(max_length=20, blank=True)
    game = models.CharField(max_length=40)
    options = models.JSONField()
    status = models.CharField(max_length=10, choices=Status, default=Status.PLAYING)
    length = models.PositiveIntegerField(default=0)
    # How often names in its log have been replaced.
    edition = models.PositiveSmallIntegerField(default=0)
    sheet = NamesField()
    offers = models.JSONField()
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    unverified = models.BooleanField(default=False)
    # A host has removed it as a mistake, and may restore it.
    removed = models.BooleanField(default=False)

    objects = Kept()
    every = Matches.as_manager()

    class Meta:
        indexes = [
            models.Index("club", GOING_ON.desc(), F("created_at").desc(), F("id").desc(), name="match_club_newest"),
            models.Index(fields=["table", "-id"], name="match_table_newest"),
            models.Index(fields=["event", "-id"], name="match_event_newest"),
            models.Index(fields=["club", "game", "id"], name="match_club_game"),
            models.Index(fields=["club"], condition=Q(finished_at__isnull=True), name="match_club_going_on"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=["playing", "finished", "stopped"]), name="match_status_known"
            ),
            # A match is either open or has the time of its end.
            models.CheckConstraint(
                condition=models.Q(status="playing", finished_at__isnull=True)
                | models.Q(status__in=["finished", "stopped"], finished_at__isnull=False),
                name="match_ended_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.pk}"

    @property
    def blank(self) -> bool:
        """Whether nothing is entered, or nothing is left of it."""
        return not self.sheet["hands"] and not self.unverified


def without_circles(matches: Iterable[Match]) -> None:
    """Makes the prefetched rows of each match know its id only, not the match itself."""
    for match in matches:
        prefetched = vars(match).get("_prefetched_objects_cache", {})
        for name, rows in prefetched.items():
            for row in rows:
                row._state.fields_cache.pop("match", None)
            alone = rows.model._default_manager.filter(match_id=match.pk)
            alone._result_cache, alone._prefetch_done = list(rows), True
            prefetched[name] = alone


class Seat(models.Model):
    """A seat for the whole match, clockwise from 0, with the player's name at the start of the match.

    If it turned out that somebody else sat there, it is theirs, and the first player and name are those recorded at
    the start.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    # The seat recorded at the start of the match, before any correction of wrong seats.
    begun = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="seats")
    name = NameField(max_length=80)
    first_player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    # Empty: the same name.
    first_name = NameField(max_length=80, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_once_a_match"),
            models.UniqueConstraint(fields=["match", "begun"], name="seat_begun_once_a_match"),
            models.UniqueConstraint(fields=["match", "player"], name="player_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"

    @property
    def begun_as(self) -> str:
        """The name recorded in it at the start of the match."""
        return self.first_name or self.name


class Substitute(models.Model):
    """A player who took over a seat, from hand `from_hand` (counted from 0). Both players keep what they played."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="substitutes")
    number = models.PositiveSmallIntegerField()
    from_hand = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="substitutions")
    name = NameField(max_length=80)

    class Meta:
        ordering = ["from_hand", "id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number", "from_hand"], name="substitute_once_a_seat_and_hand")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name} from hand {self.from_hand}"


class LogEntry(Entry):
    """An entry in the log of a match."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="log")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="entries")
    device = models.ForeignKey(DeviceToken, models.PROTECT, null=True, blank=True, related_name="entries")

    class Meta(Entry.Meta):
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="entry_seq_once_a_match"),
            models.UniqueConstraint(fields=["match", "key"], name="entry_key_once_a_match"),
        ]
        # What the audit page reads. Few entries are such corrections, so plays do not pay for it.
        indexes = [
            models.Index(
                models.F("at").desc(),
                models.F("id").desc(),
                condition=Q(user__isnull=False, kind__in=AUDITED),
                name="entry_by_host_newest",
            )
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seq} {self.kind}"
