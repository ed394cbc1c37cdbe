"""Changes, the only thing that live pages wait for."""

from django.db import models

from scorekeeper.models.match import Match


class Change(models.Model):
    """A change in one topic, written last in its transaction, with one row for each topic that shows it.

    A topic is a text such as `match:7` (see `scorekeeper.live.topics`). Ids grow in the order in which rows become
    visible.
    """

    topic = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    # The match that changed, and its number of entries after the change.
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, db_index=False, related_name="+")
    length = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["topic", "id"], name="change_by_topic")]

    def __str__(self) -> str:
        return f"{self.pk} {self.topic} {self.kind}"
