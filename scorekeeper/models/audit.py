"""Actions that leave no trace in another log, or none with the host's name."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.models.club import Club, User
from scorekeeper.models.event import Event
from scorekeeper.models.match import Match
from scorekeeper.models.table import Table


class AuditEntry(models.Model):
    """An action of a host, or of a phone that changed a result, only ever appended. The audit page shows it among
    those in the logs of events and matches and in the ledger of jobs."""

    class Kind(models.TextChoices):
        CODE_MADE = "code-made", _("made a QR code")
        CODE_REVOKED = "code-revoked", _("revoked a QR code")
        CODES_REVOKED = "codes-revoked", _("revoked all QR codes")
        PHONE_REVOKED = "phone-revoked", _("revoked a phone")
        TABLE_ADDED = "table-added", _("added the table")
        TABLE_OPENED = "table-opened", _("opened the table")
        TABLE_CLOSED = "table-closed", _("closed the table")
        PLAYER_ADDED = "player-added", _("added the player")
        PLAYER_RENAMED = "player-renamed", _("renamed a player:")
        PLAYER_MERGED = "player-merged", _("merged two people:")
        PLAYER_SEPARATED = "player-separated", _("separated two people:")
        PLAYER_MEMBER = "player-member", _("made a member of")
        PLAYER_GUEST = "player-guest", _("made a guest of")
        PLAYER_HIDDEN = "player-hidden", _("hid")
        PLAYER_SHOWN = "player-shown", _("no longer hides")
        PLAYER_LEFT = "player-left", _("marked as left:")
        PLAYER_BACK = "player-back", _("marked as back:")
        PLAYER_REMOVED = "player-removed", _("removed the player")
        PLAYER_INITIALS = "player-initials", _("shows by initials only:")
        PLAYER_NAMED = "player-named", _("shows by the whole name again:")
        PLAYER_DELETED = "player-deleted", _("deleted the name of a player")
        CAPTAIN_LINK_MADE = "captain-link-made", _("made a secret link of the team with the number")
        CAPTAIN_LINK_REVOKED = "captain-link-off", _("revoked the secret link of the team with the number")
        CLAIM_MADE = "claim-made", _("made a link to claim the player")
        PLAYER_CLAIMED = "player-claimed", _("claimed the player")
        PLAYER_RELEASED = "player-released", _("gave back the player")
        LINK_ASKED = "link-asked", _("asked another club about the same person:")
        LINK_AGREED = "link-agreed", _("agreed that it is the same person:")
        LINK_ENDED = "link-ended", _("ended that it is the same person:")
        SEASON_ADDED = "season-added", _("made the season")
        SEASON_SET = "season-set", _("changed the season")
        SEASON_REMOVED = "season-removed", _("removed the season")
        RATING_RULES_SET = "rating-rules-set", _("changed what counts for ratings")
        NAME_FORGOTTEN = "name-forgotten", _("removed a former name:")
        TIME_SET = "time-set", _("set the minutes of a match:")
        LAST_HAND_CALLED = "last-hand-called", _("called the last hand of a match")
        LAST_HAND_CANCELLED = "last-hand-off", _("cancelled the last hand of a match")
        DECLINED = "declined", _("declined the entry of")
        ARRIVED = "arrived", _("noted as here:")
        NOT_ARRIVED = "not-arrived", _("noted as not here:")
        SEARCH_STOPPED = "search-stopped", _("stopped the search for a schedule and kept the best")
        SEARCH_CANCELLED = "search-cancelled", _("cancelled the search for a schedule")
        ROLE_GIVEN = "role-given", _("got the role")
        INVITED = "invited", _("made an invitation with the role")
        ROLE_SET = "role-set", _("changed a role:")
        MEMBER_REMOVED = "member-removed", _("removed a member:")
        PASSWORD_LINK = "password-link", _("made a link for a new password of")
        PASSWORD_SET = "password-set", _("set a new password:")
        PASSWORD_MAILED = "password-mailed", _("asked by mail for a new password of")
        MAIL_SET = "mail-set", _("set the mail address of")
        PROGRAM_ADDED = "program-added", _("made a token for the program")
        PROGRAM_REVOKED = "program-revoked", _("revoked the token of the program")
        CLUB_RENAMED = "club-renamed", _("renamed the club:")
        LANGUAGE_SET = "language-set", _("set the language of the club:")
        ZONE_SET = "zone-set", _("set the time zone of the club:")
        CLUB_OPENED = "club-opened", _("opened the club to everybody")
        CLUB_CLOSED = "club-closed", _("closed the club to all but its members")
        SIGNED_IN = "signed-in", _("signed in")
        MATCH_REMOVED = "match-removed", _("removed the match:")
        MATCH_RESTORED = "match-restored", _("restored the match")
        RESULT_UNDONE = "result-undone", _("took back the result")
        RESULT_CORRECTED = "result-corrected", _("corrected the result")
        LOCKED_OUT = "locked-out", _("was locked out after wrong passwords from")

    club = models.ForeignKey(Club, models.CASCADE, related_name="audit")
    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField()
    # The host; None if the command line did it, or a phone of the table changed a result.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    table = models.ForeignKey(Table, models.SET_NULL, null=True, blank=True, related_name="+")
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="+")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="+")
    # The phone's owner, the player, who asked for entry, the role, the program, the network that guessed, or
    # the reason, if known.
    what = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index("club", models.F("at").desc(), models.F("id").desc(), name="audit_club_newest")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "code-made",
                        "code-revoked",
                        "codes-revoked",
                        "phone-revoked",
                        "table-added",
                        "table-opened",
                        "table-closed",
                        "player-added",
                        "player-renamed",
                        "player-merged",
                        "player-separated",
                        "player-member",
                        "player-guest",
                        "player-hidden",
                        "player-shown",
                        "player-left",
                        "player-back",
                        "player-removed",
                        "player-initials",
                        "player-named",
                        "player-deleted",
                        "captain-link-made",
                        "captain-link-off",
                        "claim-made",
                        "player-claimed",
                        "player-released",
                        "link-asked",
                        "link-agreed",
                        "link-ended",
                        "season-added",
                        "season-set",
                        "season-removed",
                        "rating-rules-set",
                        "name-forgotten",
                        "time-set",
                        "last-hand-called",
                        "last-hand-off",
                        "declined",
                        "arrived",
                        "not-arrived",
                        "search-stopped",
                        "search-cancelled",
                        "role-given",
                        "invited",
                        "role-set",
                        "member-removed",
                        "password-link",
                        "password-set",
                        "password-mailed",
                        "mail-set",
                        "program-added",
                        "program-revoked",
                        "club-renamed",
                        "language-set",
                        "zone-set",
                        "club-opened",
                        "club-closed",
                        "signed-in",
                        "match-removed",
                        "match-restored",
                        "result-undone",
                        "result-corrected",
                        "locked-out",
                    ]
                ),
                name="audit_kind_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%F %R}"
