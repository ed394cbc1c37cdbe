"""The first page, and the page that starts a club."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.forms.clubs import ClubForm
from scorekeeper.models import Club, Event, Player
from scorekeeper.selectors.questions import Question


@dataclass(frozen=True, kw_only=True)
class HomePage:
    players: Sequence[Player]
    """Those that the visitor has claimed."""
    own: Sequence[Club]
    """The clubs in which the visitor has a role."""
    others: Sequence[Club]
    """The other clubs that they may see."""
    questions: Sequence[Question]
    may_start: bool
    """Whether they may start another club."""
    nights: Sequence[Event]
    """The nights in progress."""
    founded: bool
    """Whether there is a club besides the demonstration."""
    may_make_demo: bool


@dataclass(frozen=True, kw_only=True)
class SetupPage:
    form: ClubForm
    first: bool
    """Whether it will be the first club besides the demonstration."""
    demo: bool
    """Whether the demonstration club exists."""
    demo_slug: str


@dataclass(frozen=True, kw_only=True)
class SetupUsedPage:
    founded: bool
    may_start: bool
    """Whether the visitor needs no link."""
