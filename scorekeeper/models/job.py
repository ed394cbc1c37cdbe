"""The ledger of long work. It survives the end of any process."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club, User

# The kind of a job whose file only whoever asked for it may have.
PERSON_EXPORT = "person-export"
RATINGS = "ratings"
REVIEW = "review"
# The kinds of which one job runs at a time: it goes on where another one ended, or takes long and is not urgent.
ALONE = (RATINGS, REVIEW)


class Job(models.Model):
    """Written in the same transaction as its cause. A worker takes it with a lease, and renews that while it works."""

    class State(models.TextChoices):
        NEW = "new", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="jobs")
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="jobs")
    kind = models.CharField(max_length=40)
    args = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State, default=State.NEW)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    best = models.JSONField(default=dict)  # what pages say about the best result so far
    cancel_asked = models.BooleanField(default=False)
    stop_asked = models.BooleanField(default=False)
    lease_until = models.DateTimeField(null=True, blank=True)
    run_after = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    result = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "run_after"], name="job_due")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["new", "running", "done", "failed", "cancelled"]),
                name="job_state_known",
            ),
            models.UniqueConstraint(
                fields=["kind"], condition=models.Q(state="running", kind__in=ALONE), name="job_runs_alone"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} {self.state}"


class Heartbeat(models.Model):
    """When a part of the server was last alive."""

    of = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.of} {self.at:%F %T}"
