"""The page on which a tournament is set up, and what a change of the setup would do."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games import Game
from scorekeeper.events.tournament import FIXED
from scorekeeper.forms.tournaments import SetupForm, Way, presets
from scorekeeper.models import Club, Event
from scorekeeper.selectors.events import EventNow, tournaments_of
from scorekeeper.selectors.tournaments import standings_now, tournament_of
from scorekeeper.standings.comparison import Moved, moved

EARLIER = 10  # tournaments that are offered to be cloned


@dataclass(frozen=True, kw_only=True)
class PresetsPage:
    """Where a new tournament begins."""

    club: Club
    presets: list[tuple[Game[Any], list[tuple[str, Way]]]]
    earlier: list[Event]


@dataclass(frozen=True, kw_only=True)
class SetupPage:
    club: Club
    tournament: Event | None
    """None: a new one."""
    game: Game[Any]
    form: SetupForm
    begun: bool
    """Whether a round is seated, so that not everything can change."""
    moved: list[Moved] | None
    """What the change would do to the standings, once somebody has asked."""
    counts: bool
    """Whether the director only asked how many rounds fit."""
    refusal: str
    key: str


def presets_page(club: Club) -> PresetsPage:
    """One query."""
    return PresetsPage(club=club, presets=presets(), earlier=list(tournaments_of(club, host=True)[:EARLIER]))


def setup_page(
    club: Club,
    game: Game[Any],
    form: SetupForm,
    *,
    snapshot: EventNow | None = None,
    moved: list[Moved] | None = None,
    counts: bool = False,
    refusal: str = "",
) -> SetupPage:
    return SetupPage(
        club=club,
        tournament=snapshot.event if snapshot else None,
        game=game,
        form=form,
        begun=bool(snapshot and snapshot.state.rounds),
        moved=moved,
        counts=counts,
        refusal=refusal,
        key=secrets.token_hex(16),
    )


def would_move(snapshot: EventNow, setup: Mapping[str, Any]) -> list[Moved]:
    """Whose place changes if the tournament had this setup. What cannot change any more stays as it is."""
    state = tournament_of(snapshot)
    fixed = {name: state.setup[name] for name in FIXED}
    then = replace(snapshot, state=replace(state, setup={**state.setup, **setup, **fixed}))
    after, before = (standings_now(each).stages[0].rows for each in (then, snapshot))
    return moved(after, before)
