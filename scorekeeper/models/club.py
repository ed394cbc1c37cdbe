"""Clubs and their people."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """Somebody who signs in. Players need no account; a user may be one of them."""


class Club(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a member may do, the most first: each may do all that those below it may."""

    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    SCORER = "scorer", _("scorer")
    MEMBER = "member", _("member")
    PLAYER = "player", _("player")

    def covers(self, need: "Role") -> bool:
        """Whether this role is enough where `need` is asked for."""
        order = list(Role)
        return order.index(self) <= order.index(need)


class Membership(models.Model):
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.club_id}"


class Player(models.Model):
    """A person who plays at a club; `guest` when only passing by."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = models.CharField(max_length=80)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    guest = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="player_name_once_a_club")]

    def __str__(self) -> str:
        return self.name


class OneTimeLink(models.Model):
    """A link that works once, by whoever holds its token; only the token's SHA-256 is kept."""

    sha256 = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=20)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.purpose
