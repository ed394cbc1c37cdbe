"""The pages on which directors make groups, and begin the finals."""

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.events.groups import Group
from scorekeeper.events.records import Advance
from scorekeeper.forms.stages import FinalForm, GroupsForm, RuleForm, places_of, usual_finals
from scorekeeper.models import Club, Event
from scorekeeper.names import free
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.finals import candidates
from scorekeeper.selectors.pairings import tables_not_over
from scorekeeper.selectors.tournaments import entrant_name, tournament_of
from scorekeeper.standings.advancing import Advancing, Candidate, Tie
from scorekeeper.words import listed

Sent = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """An entrant, and where they play."""

    entrant: int
    name: str
    chosen: str
    """The number of the group or final, from 1; "" for none."""
    place: int = 0
    """In their group so far; 0 where that says nothing."""
    equal: bool = False
    """Whether lots or a match have to decide whether they go on."""
    about: str = ""
    """Their rating, or their group."""


@dataclass(frozen=True, slots=True)
class GroupShown:
    name: str
    members: list[Member]


@dataclass(frozen=True, slots=True)
class AdvanceShown:
    """What was decided between equal entrants, as in `Advance`."""

    names: str
    lots: str
    why: str


@dataclass(frozen=True, slots=True)
class TieShown:
    """Equal entrants of whom only some go on."""

    names: str
    """In the order in which they go on."""
    group: str
    """"" for those who come next in several groups."""
    equal: list[Member]
    decided: AdvanceShown | None


@dataclass(frozen=True, kw_only=True)
class GroupsPage:
    tournament: Event
    club: Club
    form: GroupsForm
    begun: bool
    """Whether a round is seated, so that groups can no longer change."""
    movable: list[Member]
    """Who came late, and is in no round yet."""
    earlier: list[GroupShown]
    """The groups of the stages that are over."""
    groups: list[GroupShown]
    names: list[str]
    """Of the groups, in the order of their numbers."""
    ungrouped: int
    """How many take part while there are no groups."""
    refusal: str
    key: str = field(default_factory=lambda: secrets.token_hex(16))


@dataclass(frozen=True, kw_only=True)
class FinalsPage:
    tournament: Event
    club: Club
    rule: RuleForm
    forms: list[tuple[str, FinalForm]]
    """How each final is played, with its name."""
    ways: list[tuple[int, str, FinalForm]]
    """How each final after the first is played, with its number and its name; only while that can change."""
    begun: bool
    """Whether a round of this stage is seated."""
    waiting: list[int]
    """The numbers of the tables that are not over, or whose results are not settled."""
    left: int
    """How many rounds of this stage are not played."""
    groups: list[GroupShown]
    finals: list[str]
    """Their names."""
    ties: list[TieShown]
    everybody: bool
    """Whether the rule lets everybody go on."""
    alone: list[str]
    """The names of the finals in which the rule leaves one person alone."""
    playing: list[str]
    """The names of the finals that are played now; empty before there are some."""
    why: str
    """How equals were decided, as it was typed."""
    refusal: str
    key: str = field(default_factory=lambda: secrets.token_hex(16))


def groups_page(snapshot: EventNow, form: GroupsForm, *, refusal: str = "", sent: Sent | None = None) -> GroupsPage:
    """With what was sent, else with the groups now. No query."""
    state, typed = tournament_of(snapshot), sent or {}
    groups = state.groups or (Group("", state.taking_part),)
    shown = [
        GroupShown(
            group.name,
            [
                Member(
                    entrant,
                    entrant_name(snapshot, entrant),
                    typed.get(f"group-{entrant}", str(number) if state.groups else ""),
                    about=_rating(snapshot, entrant),
                )
                for entrant in group.entrants
                if entrant not in state.withdrawn
            ],
        )
        for number, group in enumerate(groups, 1)
    ]
    names = [typed.get(f"name-{number}", group.name) for number, group in enumerate(state.groups, 1)]
    return GroupsPage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        form=form,
        begun=bool(state.rounds),
        movable=[
            _member(snapshot, entrant, group.name)
            for group in state.groups
            for entrant in group.entrants
            if state.begun and entrant in state.movable
        ],
        earlier=[
            GroupShown(group.name, [_member(snapshot, entrant) for entrant in group.entrants])
            for stage in state.earlier
            for group in stage.groups
        ],
        groups=shown if state.groups else [],
        names=names,
        ungrouped=0 if state.groups else len(state.taking_part),
        refusal=refusal,
    )


def _member(snapshot: EventNow, entrant: int, about: str = "") -> Member:
    return Member(entrant, entrant_name(snapshot, entrant), "", about=about)


def _rating(snapshot: EventNow, entrant: int) -> str:
    about = tournament_of(snapshot).about.get(entrant)
    return str(about.rating) if about and about.rating is not None else ""


def finals_page(
    snapshot: EventNow,
    rule: RuleForm,
    form: Callable[[int], FinalForm],
    *,
    refusal: str = "",
    sent: Sent | None = None,
) -> FinalsPage:
    """Who goes on by the rule, or as it was sent; `form`: by number of the final. No query."""
    state = tournament_of(snapshot)
    typed = sent or {}
    asked = rule.quota() if state.begun else None
    values = rule.cleaned_data if asked else {}
    found, ties = candidates(snapshot, asked) if asked else Advancing([], [])
    chosen = places_of(values, [[each.through for each in group] for group in found]) if found else []
    number = max((final for group in chosen for final in group), default=0)
    taken = {group.name for _before, stage in state.stages for group in stage.groups}
    finals = [free(name, taken) for name in usual_finals(values["others"], number)] if values else []
    named = [typed.get(f"name-{at}", name) for at, name in enumerate(finals, 1)]
    sizes = Counter(final for group in chosen for final in group)
    names = [group.name for group in state.groups] or [""]
    equal = {entrant for tie in ties if not tie.decided for entrant in tie.entrants}
    return FinalsPage(
        tournament=snapshot.event,
        club=snapshot.event.club,
        rule=rule,
        forms=[(name, form(at)) for at, name in enumerate(named, 1)],
        ways=[
            (at, group.name, form(at)) for at, group in enumerate(state.groups, 1) if at > 1 and state.can_change_ways
        ],
        begun=state.begun,
        waiting=tables_not_over(snapshot),
        left=state.rounds_left,
        groups=[
            GroupShown(name, _members(group, places, typed, equal))
            for name, group, places in zip(names, found, chosen, strict=False)
        ],
        finals=named,
        ties=[_tie(snapshot, tie, names, typed) for tie in ties],
        everybody=bool(chosen) and all(final == 1 for group in chosen for final in group),
        alone=[name for at, name in enumerate(named, 1) if sizes[at] == 1],
        playing=[group.name for group in state.groups] if state.earlier else [],
        why=typed.get("why", ""),
        refusal=refusal,
    )


def advance_shown(snapshot: EventNow, advance: Advance) -> AdvanceShown:
    names = listed([entrant_name(snapshot, entrant) for entrant in advance.entrants])
    return AdvanceShown(names, advance.lots, advance.why)


def _tie(snapshot: EventNow, tie: Tie, groups: Sequence[str], typed: Mapping[str, Any]) -> TieShown:
    state = tournament_of(snapshot)
    group_of = {entrant: group.name for group in state.groups for entrant in group.entrants}
    decided = state.decided.get(frozenset(tie.entrants))
    return TieShown(
        listed([entrant_name(snapshot, entrant) for entrant in tie.entrants]),
        groups[tie.group] if tie.group is not None else "",
        [
            Member(
                entrant,
                entrant_name(snapshot, entrant),
                typed.get(f"place-{entrant}", ""),
                about=group_of.get(entrant, "") if tie.group is None else "",
            )
            for entrant in tie.entrants
        ],
        advance_shown(snapshot, decided) if decided else None,
    )


def _members(
    group: Sequence[Candidate], places: Sequence[int], typed: Mapping[str, Any], equal: Collection[int]
) -> list[Member]:
    return [
        Member(
            each.row.entrant,
            each.row.name,
            typed.get(f"final-{each.row.entrant}", str(final or "")),
            each.row.place,
            each.row.entrant in equal,
        )
        for each, final in zip(group, places, strict=True)
    ]
