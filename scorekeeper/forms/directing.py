"""What a director types on the desk of a tournament."""

import re
from collections.abc import Collection, Mapping
from fractions import Fraction

from django.utils.translation import gettext as _

from scorekeeper.services.errors import Refused

LONGEST = 24 * 60  # minutes
GREATEST = 10**9  # a total
POINTS = re.compile(r"(?P<number>\d{1,9}([.,]\d{1,3})?)?(?P<half>½)?(/(?P<of>[1-9]\d{0,5}))?", re.ASCII)


def whole(text: str, *, what: str, least: int, most: int) -> int:
    """A whole number. Refused "bad-number"; `what` is the label of the field."""
    typed = text.strip().replace("−", "-")
    digits = typed.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 12 and least <= int(typed) <= most:
        return int(typed)
    text = _("{what}: enter a whole number from {least} to {most}.")
    raise Refused("bad-number", text.format(what=what, least=least, most=most))


def minutes(sent: Mapping[str, str]) -> int:
    """The field `minutes`. Refused "bad-number"."""
    return whole(sent.get("minutes", ""), what=_("Minutes"), least=1, most=LONGEST)


def totals(sent: Mapping[str, str], sides: int, absent: Collection[int]) -> list[int | None]:
    """The fields `total-N`, by side; None for those that did not come. Refused "bad-number"."""

    def total(side: int) -> int:
        return whole(sent.get(f"total-{side}", ""), what=_("Final total"), least=-GREATEST, most=GREATEST)

    return [None if side in absent else total(side) for side in range(sides)]


def points(text: str) -> int | str:
    """Points of a penalty, as the tournament file writes them: a whole number or a fraction as text. People may type
    1, ½, 1/2, 1½, 0.5 or 0,5. Refused "bad-points"."""
    typed = POINTS.fullmatch(text.strip())
    found = Fraction(0)
    if typed:
        half = Fraction(1, 2) if typed["half"] else 0
        found = Fraction((typed["number"] or "0").replace(",", ".")) / int(typed["of"] or 1) + half
    if found <= 0:
        raise Refused("bad-points", _("Points of a penalty: enter a number above 0, like 1 or ½."))
    return found.numerator if found.denominator == 1 else str(found)
