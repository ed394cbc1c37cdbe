"""The common columns of all logs."""

from django.db import models


class Entry(models.Model):
    """A recorded fact, only ever appended. The sender chooses `key`: the same key is the same entry."""

    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = models.JSONField()
    at = models.DateTimeField()
    key = models.CharField(max_length=64)

    class Meta:
        abstract = True
        ordering = ["seq"]
