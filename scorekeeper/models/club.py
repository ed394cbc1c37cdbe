"""Clubs and their people."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.named import Named
from scorekeeper.models.shown import NameField
from scorekeeper.names import folded


class Users(UserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """The user who signs in with this name. Capitals and spaces do not matter."""
        return self.get(folded=folded(username or ""))


class User(AbstractUser):
    """A person who signs in. Players need no account; a user can be a player, too."""

    folded = models.CharField(max_length=300, unique=True, editable=False)
    """The name, equal for all ways to type it."""

    objects: ClassVar[Users] = Users()

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        self.folded = folded(self.username)
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "folded"}
        super().save(*args, update_fields=update_fields, **more)


def server_zone() -> str:
    """The time zone of the server, which new clubs have."""
    return settings.TIME_ZONE


class Club(Named):
    # The address of the demonstration club; no other club can have it.
    DEMO: ClassVar = "demo"

    newest_change: int | None
    """The id of its newest change; only where `access.club_for` or `player_for` has found it."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    # For visitors whose browser asks for none that we have, and for what jobs write.
    language = models.CharField(max_length=10, default=settings.LANGUAGE_CODE)
    # In which all its times are written, by its name in the tz database.
    time_zone = models.CharField(max_length=64, default=server_zone)
    # Whether everybody may look; else only its members, and phones at their table.
    public = models.BooleanField(default=True)
    # By name as `names.folded` has it, what the public reads instead. It follows from the people who are shown by
    # initials or hidden.
    initials = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a member may do. Each role includes all roles below it."""

    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    SCORER = "scorer", _("scorer")
    MEMBER = "member", _("member")
    PLAYER = "player", _("player")

    def covers(self, need: "Role") -> bool:
        """Whether this role includes `need`."""
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


class Player(Named):
    """A person who plays at a club; `guest` if only for a visit."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    name = NameField(max_length=80)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    guest = models.BooleanField(default=False)
    # Nestor, the computer player: somebody lays his tiles. Matches with him are not rated.
    program = models.BooleanField(default=False)
    # Not in public lists of people, and shown by initials where they played.
    hidden = models.BooleanField(default=False)
    # Shown in public by the first letters of their names only.
    initials = models.BooleanField(default=False)
    # No longer offered where people are chosen.
    left = models.BooleanField(default=False)
    # The same person, under whose name they count. Seats keep who was written down.
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged")
    # Of somebody who is linked with people of other clubs: the oldest of them, themselves included. It follows from
    # the links (`SamePerson`) and the merges.
    person = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="everywhere")
    # When their name was deleted at their request. Their results stay, so that those of others stay right.
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["name_words", "id"], name="player_by_name")]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="player_name_once_a_club"),
            models.UniqueConstraint(fields=["club", "user"], name="player_claimed_once_a_club"),
            models.CheckConstraint(condition=~models.Q(merged_into=models.F("id")), name="player_merged_with_another"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(program=True), name="player_nestor_once_a_club"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def offered(self) -> bool:
        """Whether they can be chosen from a list."""
        return not self.left and self.merged_into_id is None


class SamePerson(models.Model):
    """Two players of different clubs are the same person, as one club has said, and the other agreed."""

    asked_of = models.ForeignKey(Player, models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(Player, models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["asked_by", "asked_of"], name="same_person_once"),
            models.CheckConstraint(condition=~models.Q(asked_by=models.F("asked_of")), name="same_person_of_two_rows"),
        ]

    def __str__(self) -> str:
        return f"{self.asked_by_id} = {self.asked_of_id}"


class FormerName(Named):
    """A name that a player had. It still finds them."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="former_names")
    name = NameField(max_length=80)
    # Equal for all ways to type it.
    folded = models.CharField(max_length=300)
    until = models.DateTimeField()

    class Meta:
        ordering = ["-until", "-id"]
        constraints = [models.UniqueConstraint(fields=["player", "folded"], name="former_name_once_a_player")]

    def __str__(self) -> str:
        return self.name


class SignIn(models.Model):
    """A browser on which a user is signed in, as long as its session lives."""

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_ins")
    session = models.CharField(max_length=40, unique=True)
    at = models.DateTimeField()
    # What the browser says it is.
    browser = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.at:%F %R}"


class ProgramToken(models.Model):
    """Lets a program act for a user in a club, as a director at most. Only the token's SHA-256 is stored."""

    user = models.ForeignKey(User, models.CASCADE, related_name="programs")
    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # When it last called the API, to within some minutes.
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class OneTimeLink(models.Model):
    """A link that works once, for anybody with its token. Only the token's SHA-256 is stored."""

    sha256 = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=20)
    # Whose password or address it sets.
    user = models.ForeignKey(User, models.CASCADE, null=True, blank=True, related_name="+")
    # The club that it invites to, and the role there.
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="+")
    role = models.CharField(max_length=10, choices=Role, blank=True)
    # The player whom an account may claim with it.
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    # The mail address that it was sent to and sets.
    address = models.EmailField(blank=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.purpose
