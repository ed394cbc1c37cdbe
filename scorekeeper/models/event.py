"""Events: club nights, tournaments, seasons of leagues and ladders. The log of what the hosts did is the truth."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club, Player, User
from scorekeeper.models.entry import Entry
from scorekeeper.models.named import Named


class Event(Named):
    """A night, a tournament, a season of a league or a ladder of a club. `kind` chooses the fold that reads its log
    (`scorekeeper.events`), and pages list events by kind. A club has at most one open night."""

    newest_change: int
    """The id of its newest change, or of the names in its club; only where `access.tournament_for` or
    `selectors.players.events_of` has found it."""

    class Kind(models.TextChoices):
        NIGHT = "night", _("club night")
        TOURNAMENT = "tournament", _("tournament")
        LEAGUE = "league", _("league")
        LADDER = "ladder", _("ladder")

    club = models.ForeignKey(Club, models.PROTECT, related_name="events")
    kind = models.CharField(max_length=12, choices=Kind)
    name = models.CharField(max_length=80, blank=True)
    started_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    length = models.PositiveIntegerField(default=0)
    # Whether everybody may see its pages, or only hosts. It follows from the log.
    public = models.BooleanField(default=True)
    # Whether it is only kept in case somebody restores it: its matches count nowhere else. It follows from the log.
    removed = models.BooleanField(default=False)
    # Whether spectators see who stands better in its matches. It follows from the log.
    outlook = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["club", "kind", "-id"], name="event_club_newest")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["night", "tournament", "league", "ladder"]), name="event_kind_known"
            ),
            models.UniqueConstraint(
                fields=["club"], condition=Q(kind="night", closed_at__isnull=True), name="night_open_once_a_club"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.club_id} {self.started_at:%F}"


class EventEntry(Entry):
    """A step of a host."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="log")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="event_entries")

    class Meta(Entry.Meta):
        constraints = [
            models.UniqueConstraint(fields=["event", "seq"], name="event_entry_seq_once_an_event"),
            models.UniqueConstraint(fields=["event", "key"], name="event_entry_key_once_an_event"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.seq} {self.kind}"


class Entrant(models.Model):
    """A player who takes part, or took part, in an event. It follows from the log; `rebuild` rebuilds it."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="entrants")
    # In the order in which they came, from 1; where a tournament has start numbers, that number.
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    present = models.BooleanField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "player"], name="entrant_once_an_event")]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.number} {self.player_id}"
