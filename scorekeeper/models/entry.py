"""The common columns of all logs."""

from django.db import models

from scorekeeper.models.shown import NamesField


class Entry(models.Model):
    """A recorded fact, only ever appended. The sender chooses `key`: the same key is the same entry."""

    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = NamesField()
    at = models.DateTimeField()
    key = models.CharField(max_length=64)

    class Meta:
        abstract = True
        ordering = ["seq"]
