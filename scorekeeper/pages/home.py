"""The first page, and the page that makes the first club."""

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.forms.clubs import FoundForm
from scorekeeper.models import Club, Event


@dataclass(frozen=True, kw_only=True)
class HomePage:
    clubs: Iterable[Club]
    nights: Iterable[Event]
    """The nights in progress."""
    founded: bool
    """Whether there is a club besides the demonstration."""
    may_make_demo: bool


@dataclass(frozen=True, kw_only=True)
class SetupPage:
    form: FoundForm
    demo: bool
    """Whether the demonstration club exists."""
    demo_slug: str


@dataclass(frozen=True, kw_only=True)
class SetupUsedPage:
    founded: bool
