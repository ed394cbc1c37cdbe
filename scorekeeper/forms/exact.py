"""Exact numbers as people type them: 1, -2, ½, 1/2, 1½, 0.5 or 0,5."""

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scorekeeper.standings.reading import AVERAGE

TYPED = re.compile(r"(?P<sign>[-−])?(?P<number>\d{1,9}([.,]\d{1,3})?)?(?P<half>½)?(/(?P<of>[1-9]\d{0,5}))?", re.ASCII)


def exact(text: str) -> Fraction | None:
    """The number; None for other text."""
    typed = TYPED.fullmatch(text.strip())
    if typed is None or not (typed["number"] or typed["half"]):
        return None
    half = Fraction(1, 2) if typed["half"] else 0
    found = Fraction((typed["number"] or "0").replace(",", ".")) / int(typed["of"] or 1) + half
    return -found if typed["sign"] else found


def as_in_the_file(number: Fraction) -> int | str:
    """As the tournament file writes it: a whole number, or a fraction as text."""
    return number.numerator if number.denominator == 1 else str(number)


class ExactField(forms.CharField):
    """A number, or "average", as the tournament file writes it; None if it is empty. `above_0`: the number must be."""

    def __init__(self, *, above_0: bool = False, **more: Any) -> None:
        super().__init__(**more)
        self.above_0 = above_0

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        found = text if text == AVERAGE else _read(text) if text else None
        if self.above_0 and found is not None and (found == AVERAGE or Fraction(found) <= 0):
            raise ValidationError(_("Enter a number above 0, like 1, 2 or ½."))
        return found


class ExactsField(forms.CharField):
    """Several of them, with spaces or commas between them; empty without any."""

    def clean(self, value: Any) -> Any:
        return [_read(part) for part in re.split(r"[\s,;]+", super().clean(value)) if part]


def _read(text: str) -> int | str:
    found = exact(text)
    if found is None:
        raise ValidationError(_("“{text}” is not a number. Enter one like 1, ½ or 1/2.").format(text=text[:20]))
    return as_in_the_file(found)
