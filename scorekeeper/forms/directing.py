"""What a director types on the desk of a tournament."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from scorekeeper.forms.exact import as_in_the_file, exact
from scorekeeper.services.directing import TRUTHS, Truth
from scorekeeper.services.errors import Refused

LONGEST = 24 * 60  # minutes
DIGITS = 9  # of a total
MOST_POINTS = 1000  # of a penalty
MOST_PLACES = 10_000
MOST_ENTRANTS = 10**6


def whole(text: str, *, what: str, least: int, most: int) -> int:
    """A whole number. Refused "bad-number"; `what` is the label of the field."""
    number = _number(text)
    if number is None or not least <= number <= most:
        text = _("{what}: enter a whole number from {least} to {most}.")
        raise Refused("bad-number", text.format(what=what, least=least, most=most))
    return number


def entrant(text: str) -> int:
    """The start number that a list of entrants has. Refused "nobody-chosen" if nobody is chosen there."""
    if not text.strip():
        raise Refused("nobody-chosen", _("Choose a name first."))
    return whole(text, what=_("Entrant"), least=1, most=MOST_ENTRANTS)


def minutes(sent: Mapping[str, str]) -> int:
    """The field `minutes`. Refused "bad-number"."""
    return whole(sent.get("minutes", ""), what=_("Minutes"), least=1, most=LONGEST)


def totals(sent: Mapping[str, str], sides: int, absent: Collection[int]) -> list[int | None]:
    """The fields `total-N`, by side; None for those that did not come. Refused "bad-number"."""

    def total(side: int) -> int:
        number = _number(sent.get(f"total-{side}", ""))
        if number is None:
            text = _("Final total, field {n}: enter a whole number of up to nine digits, like 112.")
            raise Refused("bad-number", text.format(n=side + 1))
        return number

    return [None if side in absent else total(side) for side in range(sides)]


def truth(sent: Mapping[str, str]) -> Truth | None:
    """The field `how` of a swap of two entrants; None if nothing is chosen."""
    return next((each for each in TRUTHS if each == sent.get("how")), None)


def places(sent: Mapping[str, str]) -> dict[int, int | None]:
    """The fields `place-N`, by start number; None for those left empty. Refused "bad-number"."""
    typed = {name.removeprefix("place-"): text for name, text in sent.items() if name.startswith("place-")}
    return {
        int(number): whole(text, what=_("Place"), least=1, most=MOST_PLACES) if text.strip() else None
        for number, text in typed.items()
        if number.isdecimal() and len(number) < 10
    }


def points(text: str) -> int | str:
    """Points of a penalty, as the tournament file writes them: a whole number or a fraction as text. People may type
    them as for `exact`. Refused "bad-points"."""
    found = exact(text)
    if found is None or not 0 < found <= MOST_POINTS:
        text = _("Points of a penalty: enter a number above 0, up to {most}, like 1 or ½.")
        raise Refused("bad-points", text.format(most=MOST_POINTS))
    return as_in_the_file(found)


def _number(text: str) -> int | None:
    """A whole number with few digits, with a minus sign of any kind; None if it is not one."""
    typed = text.strip().replace("−", "-")
    digits = typed.removeprefix("-")
    return int(typed) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS else None
