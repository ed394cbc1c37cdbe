"""What every log has."""

from django.db import models


class Entry(models.Model):
    """What was recorded; appended, never changed. `key` is the sender's: the same key is the same entry."""

    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    at = models.DateTimeField()
    key = models.CharField(max_length=64)

    class Meta:
        abstract = True
        ordering = ["seq"]
