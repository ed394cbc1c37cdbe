"""Fields for whole numbers."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

NUMBER_ERRORS = ("invalid", "min_value", "max_value")


def whole_number(
    label: Any, most: int, *, least: int = 1, help_text: Any = "", initial: int | None = None, required: bool = False
) -> forms.IntegerField:
    """A field that says which numbers it takes when another one is typed."""
    wrong = format_lazy(gettext_lazy("Enter a whole number from {least} to {most}."), least=least, most=most)
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        initial=initial,
        required=required,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(NUMBER_ERRORS, wrong),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "digits"}),
    )
