"""Seasons: spans of days with a table and a champion."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club


class Season(models.Model):
    """A span of a club's nights or tournaments, for each of which people get points. Its table is read from the results
    of these events, so that a correction changes it, too."""

    class Of(models.TextChoices):
        NIGHTS = "nights", _("club nights")
        TOURNAMENTS = "tournaments", _("tournaments")
        BOTH = "both", _("club nights and tournaments")

    class By(models.TextChoices):
        PLACE = "place", _("points for places")
        WINS = "wins", _("matches won")
        GAIN = "gain", _("rating points won")

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    # Both days count.
    starts_on = models.DateField()
    ends_on = models.DateField()
    of = models.CharField(max_length=12, choices=Of, default=Of.NIGHTS)
    by = models.CharField(max_length=10, choices=By, default=By.PLACE)
    # One game, or a family of games; "": all together.
    group = models.CharField(max_length=40, blank=True)
    # The points for the first place, the second, and so on; everybody after the last of them gets none.
    points = models.JSONField(default=list)
    # How many of the best events count for each; None: all.
    best = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_a_club"),
            models.CheckConstraint(condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_its_start"),
            models.CheckConstraint(condition=Q(of__in=["nights", "tournaments", "both"]), name="season_of_known"),
            models.CheckConstraint(condition=Q(by__in=["place", "wins", "gain"]), name="season_by_known"),
            models.CheckConstraint(condition=Q(best__isnull=True) | Q(best__gte=1), name="season_best_of_some"),
        ]

    def __str__(self) -> str:
        return self.name
