"""Prize money as people type it: 100, 60, 40 or 12.50; 7.50."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

AMOUNT = re.compile(r"(?P<whole>\d{1,9})(\.(?P<cents>\d{1,2}))?", re.ASCII)
CENTS = 100


class AmountsField(forms.CharField):
    """Amounts with commas, semicolons or spaces between them, as the `amounts` and `cents` of a fund; None without any.
    All are in cents if one of them has a decimal point."""

    def clean(self, value: Any) -> dict[str, Any] | None:
        typed = [_read(part) for part in re.split(r"[\s,;]+", super().clean(value)) if part]
        cents = any(each["cents"] for each in typed)
        amounts = [
            int(each["whole"]) * CENTS + int((each["cents"] or "").ljust(2, "0")) if cents else int(each["whole"])
            for each in typed
        ]
        return {"amounts": amounts, "cents": cents} if amounts else None


def _read(text: str) -> re.Match[str]:
    found = AMOUNT.fullmatch(text)
    if found is None:
        wrong = _("“{text}” is not an amount. Type amounts like 100, 60, 40 or 12.50, 7.50.")
        raise ValidationError(wrong.format(text=text[:20]))
    return found


def amounts_text(fund: Mapping[str, Any]) -> str:
    """The amounts of a fund as they are typed."""
    return ", ".join(amount_text(each, cents=fund["cents"]) for each in fund["amounts"])


def amount_text(amount: int, *, cents: bool) -> str:
    """Like 100, or 12.50 if it is in `cents`."""
    return f"{amount // CENTS}.{amount % CENTS:02}" if cents else str(amount)
