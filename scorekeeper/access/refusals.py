"""The words for those who may not do something."""

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

# The code of a refusal whose message has another name.
CODES = {
    "table-closed": "not-allowed",
    "hosts-only": "not-allowed",
    "members-review": "not-allowed",
    "plays-here": "not-allowed",
    "code-ended": "token-revoked",
    "program-expired": "token-expired",
    "program-revoked": "token-revoked",
    "program-unknown": "token-unknown",
}


class Refusal(PermissionDenied):
    """A 403 that names the missing right: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def refusal(why: str) -> Refusal:
    """The refusal for this reason, in words."""
    messages = {
        "not-allowed": _(
            "You can look at this but not change it. Scan the QR code on the table, or sign in as a host."
        ),
        "not-public": _("This club is not public. Sign in as a member. At a table, scan its QR code."),
        "hosts-only": _("Only a host can do this. Call the host to the table, or sign in as one."),
        "members-review": _("Members of the club can start a review. Sign in, or scan the QR code on the table."),
        "host-decided": _("A host entered this, so only a host can take it back. Call the host to the table."),
        "not-captain": _(
            "Only the captain of this team can see and submit its line-up. Open the secret link of the team, or sign in"
            " with the account that claimed the captain."
        ),
        "not-keeper": _("Backups contain every club on this server. Sign in as somebody who owns all of them."),
        "not-owner": _(
            "Only an owner of a club can start another one here. Ask who runs this server for a link, or sign in as an "
            "owner."
        ),
        "table-closed": _("This table is closed. Ask a host to open it again."),
        "other-table": _("This phone belongs to another table. Scan the QR code on this table and try again."),
        "event-closed": _("This night or tournament is closed, so its results stay. Ask a host to change this one."),
        "next-round": _("The next round has begun, so this result stays. Ask a host to change it."),
        "match-past": _("This match is over. Ask a host to change it."),
        "pad-elsewhere": _("Another phone keeps the score of this table now. Take the pad, or record here too."),
        "plays-here": _("You play here, so this is not for you. You can watch without it."),
        "pad-here": _("This phone has the pad of the table. Reload the page."),
        "whose-phone": _("This phone can answer only for its owner. First choose whose phone it is."),
        "whose-word": _(
            "Only the player who disputed the score can withdraw the dispute, on their own phone. "
            "A host can do it for anybody."
        ),
        "token-expired": _("This phone scanned the code of this table long ago. Scan it again, then try again."),
        "token-revoked": _(
            "A host has withdrawn this phone's pass. Scan the new QR code on the table, or ask a host for one."
        ),
        "code-ended": _("The code of this table was renewed. Scan the new card on the table, or ask a host for it."),
        "token-unknown": _("This pass is unknown. Scan the QR code on the table and try again."),
        "program-expired": _("The token of this program has expired. Make a new one on your account page."),
        "program-revoked": _("The token of this program was revoked. Make a new one on your account page."),
        "program-unknown": _("The token of this program is unknown. Make a new one on your account page."),
    }
    return Refusal(CODES.get(why, why), messages[why])
