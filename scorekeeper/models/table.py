"""Tables, and the phones that may record at them."""

from django.db import models

from scorekeeper.models.club import Club, User
from scorekeeper.models.shown import NameField


class Table(models.Model):
    """A numbered place in the hall, with a QR code."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80, blank=True)
    open = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "number"], name="table_number_once_a_club"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="table_number_from_one"),
        ]

    def __str__(self) -> str:
        return self.name or str(self.number)


class DeviceToken(models.Model):
    """The token in a table's QR code, valid until a host revokes it, while the table is open. Only its SHA-256 is
    stored."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="devices")
    sha256 = models.CharField(max_length=64, unique=True)
    # The code to type instead of scanning it. None for a code from before there were any.
    short = models.CharField(max_length=20, unique=True, null=True, blank=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # The host who made it; None if the command line did.
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    # The address of this server in the QR code; the code works only as long as the server has that address.
    address = models.CharField(max_length=200, blank=True)
    # Read together with the tokens of a phone, by `scorekeeper.access` only.
    at_open_table: bool
    withdrawn: bool
    """Whether a host has revoked the token, or this phone after the token was made."""
    fresh: bool
    """Whether the phone has scanned the code a short time ago."""
    let_go: bool
    """Whether another phone has taken the table's pad from this one."""
    owner: str
    """The name of whose phone it is; "" if nobody has said it."""

    def __str__(self) -> str:
        return f"{self.table_id} {self.short or self.made_at}"


class Pad(models.Model):
    """A phone that scanned a table's code, identified by its session. It records while it holds the pad."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="pads")
    phone = models.CharField(max_length=64)
    name = NameField(max_length=80, blank=True)
    held = models.BooleanField(default=True)
    # When it scanned the code, or took the pad after that.
    since = models.DateTimeField()
    # Codes made before this do not let the phone in any more.
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "phone"], name="pad_once_a_table_and_phone")]

    def __str__(self) -> str:
        return f"{self.table_id} {self.name or self.phone[:6]}"

    @property
    def out(self) -> bool:
        """Whether it was revoked and has not taken the pad with a newer code since."""
        return self.revoked_at is not None and self.revoked_at >= self.since
