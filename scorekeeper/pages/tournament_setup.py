"""The page on which a tournament is set up, and what a change of the setup would do."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from games import Game
from scorekeeper.events import Tournament
from scorekeeper.events.setup import SWISS, rounds_to_meet_all, usual_rounds
from scorekeeper.forms.tournaments import WAYS, SetupForm, Way, presets, way_of
from scorekeeper.models import Club, Event
from scorekeeper.pages.schedule_words import meet_again
from scorekeeper.schedule.problem import Infeasible
from scorekeeper.schedule.proposals import number_of_rounds
from scorekeeper.schedule.seating import FORMATS
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
    changed: list[str]
    """What else the change would do: the names of the fields."""
    counts: bool
    """Whether the director only asked how many rounds fit."""
    entrants: int
    """How many take part."""
    cycle: int
    """In how many rounds these have met, as it is chosen; in a Swiss tournament, how many are usual. 0 if that is not
    known."""
    why: str
    """Why so many are usual."""
    again: str
    """From which round of a Swiss tournament on somebody has to meet again; "" if nobody has to."""
    own: list[tuple[str, str]]
    """The finals that are played in a way of their own, which the form does not change: their names and that way."""
    own_can_change: bool
    """Whether that can still change, under Finals."""
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
    state = tournament_of(snapshot) if snapshot else None
    entrants = len(state.taking_part) if state else 0
    return SetupPage(
        club=club,
        tournament=snapshot.event if snapshot else None,
        game=game,
        form=form,
        begun=bool(form.fixed),
        moved=moved,
        changed=form.changed() if moved is not None else [],
        counts=counts,
        entrants=entrants,
        cycle=_cycle(form, entrants) if counts else 0,
        why=_why(form, entrants) if counts and form.system() == SWISS else "",
        again=_again(form, state) if state else "",
        own=_own(state) if state else [],
        own_can_change=bool(state and state.can_change_ways),
        refusal=refusal,
        key=secrets.token_hex(16),
    )


def would_move(snapshot: EventNow, setup: Mapping[str, Any]) -> list[Moved]:
    """Whose place changes if the tournament had this setup."""
    state = tournament_of(snapshot)
    then = replace(snapshot, state=replace(state, setup={**state.setup, **setup}))
    both = zip(standings_now(then).stages, standings_now(snapshot).stages, strict=True)
    return [each for after, before in both for each in moved(after.rows, before.rows)]


def _cycle(form: SetupForm, entrants: int) -> int:
    """In how many rounds everybody has met once, as it is chosen, or how many are usual; 0 if that is not known."""
    format = form.format()
    if form.system() == SWISS:
        return usual_rounds(entrants, FORMATS[format])
    try:
        return number_of_rounds(FORMATS[format], entrants, None, double=False) if format else 0
    except Infeasible:
        return 0


def _why(form: SetupForm, entrants: int) -> str:
    """Why so many rounds of a Swiss tournament are usual."""
    format = FORMATS[form.format()]
    if usual_rounds(entrants, format) < rounds_to_meet_all(entrants, format):
        return _("After all but one of them, only one entrant can have won every match.")
    return _("In so many, everybody can partner everybody.") if format.partners else _("In so many, all can have met.")


def _own(state: Tournament) -> list[tuple[str, str]]:
    ways = ((group, {**state.setup, **group.own}) for group in state.groups if group.own)
    return [(group.name, str(WAYS[way_of(setup)].label)) for group, setup in ways]


def _again(form: SetupForm, state: Tournament) -> str:
    fields = [field for field in state.fields if field.setup == state.setup] or state.fields
    system, format, rounds = (
        (form.system(), form.format(), form.rounds_asked())
        if form.is_bound
        else (state.setup["system"], state.setup["format"], max(field.rounds_wanted for field in fields))
    )
    entrants = min(len(field.taking_part) for field in fields)
    if system != SWISS or not entrants:
        return ""
    return meet_again(rounds or usual_rounds(entrants, FORMATS[format]), entrants, FORMATS[format], state.rounds_before)
