"""What a service may refuse beside what the rules refuse (`games.GameError`)."""

from typing import Any

from django.utils.translation import gettext

from games.errors import GameError


class Refused(Exception):
    """Something that cannot be done as things stand: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Stale(Refused):
    """Somebody else was quicker: carries the match as it is now."""

    def __init__(self, message: str, *, length: int, sheet: dict[str, Any], offers: dict[str, Any]) -> None:
        super().__init__("stale", message)
        self.length, self.sheet, self.offers = length, sheet, offers


class KeyUsed(Refused):
    """The idempotency key came before, with another entry."""

    def __init__(self, message: str) -> None:
        super().__init__("key-used", message)


def in_words(error: GameError) -> str:
    """What the rules have against it, in the reader's language."""
    return gettext(error.template).format(**error.facts)
