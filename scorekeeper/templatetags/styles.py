"""Styles within a file that needs no server."""

from functools import cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
@cache
def style(name: str) -> SafeString:
    """The style sheet of our pages with this name."""
    file = finders.find(f"scorekeeper/{name}.css")
    assert isinstance(file, str)
    return mark_safe(Path(file).read_text())  # noqa: S308 (ours)
