"""What services refuse, besides what the rules refuse (`games.GameError`)."""

from typing import Any

from scorekeeper.models import Match, Table


class Refused(Exception):
    """Something that cannot be done now: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class TooMany(Refused):
    """Something that was done too often. It is possible again in `seconds`."""

    def __init__(self, code: str, message: str, *, seconds: int) -> None:
        super().__init__(code, message)
        self.seconds = seconds


class PlayedTogether(Refused):
    """Two people sat in the same match, so they are two. Has the newest such match."""

    def __init__(self, message: str, *, match: Match) -> None:
        super().__init__("played-together", message)
        self.match = match


class TableBusy(Refused):
    """A match is in play at the table."""

    def __init__(self, message: str, *, table: Table) -> None:
        super().__init__("table-busy", message)
        self.table = table


class Behind(Refused):
    """A host acted on an event that somebody else has changed since."""

    def __init__(self, message: str) -> None:
        super().__init__("stale", message)


class Stale(Refused):
    """Somebody else was quicker. Has the current state of the match."""

    def __init__(self, message: str, *, length: int, sheet: dict[str, Any], offers: dict[str, Any]) -> None:
        super().__init__("stale", message)
        self.length, self.sheet, self.offers = length, sheet, offers


class KeyUsed(Refused):
    """The idempotency key was used before, for another entry."""

    def __init__(self, message: str) -> None:
        super().__init__("key-used", message)
