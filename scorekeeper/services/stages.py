"""The steps of directors that make groups, and begin the finals."""

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.groups import Group, drawn
from scorekeeper.events.rounds import Impossible
from scorekeeper.events.setup import OWN
from scorekeeper.events.tournament import Tournament, by_lots
from scorekeeper.schedule.seating import FORMATS
from scorekeeper.selectors.events import EventNow, event_now
from scorekeeper.selectors.finals import points_so_far, seeded, undecided
from scorekeeper.selectors.pairings import tables_not_over
from scorekeeper.selectors.tournaments import entrant_name, tournament_in, tournament_of
from scorekeeper.services import events, setups, storable
from scorekeeper.services.changes import in_one_transaction
from scorekeeper.services.errors import Behind, Refused
from scorekeeper.services.events import Step
from scorekeeper.standings.advancing import Quota
from scorekeeper.standings.exact import as_json
from scorekeeper.words import listed, some_of

MOST_GROUPS = 50
MOST_FINALS = 20


class Final(NamedTuple):
    """A final that is to begin."""

    group: Group
    """Without a setup of its own."""
    setup: Mapping[str, Any] | None = None
    """How it is played, if not as the first one."""
    points_count: bool = False
    """Whether the points so far go on to count in it."""


@in_one_transaction
def group(*, event_id: int, groups: Sequence[Group], step: Step) -> None:
    """Everybody plays in one of these groups; none: in one field. Refused "one-group", "free-play", "begun" after the
    first round is seated, "twice-in-groups", "in-no-group", "small-group", "same-name" or "too-many". Malformed for a
    name that is none."""
    if len(groups) == 1:
        raise _one_group()
    asked = {"kind": "group", "groups": _named(groups, MOST_GROUPS)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    state = tournament_of(snapshot)
    _must_be_in_one(snapshot, groups)
    _must_not_be_left_out(snapshot, groups)
    if few := _too_few(groups, state, state.fewest):
        text = _("Too few entrants in {names}: a table needs {fewest}. Move others there, or make fewer groups.")
        raise Refused("small-group", text.format(names=listed(few), fewest=state.fewest))
    events.append(event, asked, step)


@in_one_transaction
def draw_groups(*, event_id: int, how: str, names: Sequence[str], rng: random.Random, step: Step) -> None:
    """Draws groups with these names from all who take part; `how`: one of `events.groups.DRAWS`. Refused as `group`,
    "one-group" for fewer than two."""
    number = len(names)
    if number < 2:
        raise _one_group()
    asked = {"kind": "group", "drawn": how, "number": number}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = tournament_in(event)
    if number * state.fewest > len(state.taking_part):
        there, fewest = len(state.taking_part), state.fewest
        text = _("{n} entrants take part, and a group needs at least {fewest}. Enter {most} groups at most.")
        raise Refused("small-group", text.format(n=there, fewest=fewest, most=there // fewest))
    found = [
        Group(name, tuple(entrants))
        for name, entrants in zip(names, drawn(state.by_strength, number, how, rng), strict=True)
    ]
    events.append(event, asked | {"groups": _named(found, MOST_GROUPS)}, step)


@in_one_transaction
def move(*, event_id: int, entrant: int, group: int, step: Step) -> None:
    """Somebody who came late plays in this group; it counts from 0. Refused "has-played" once they are in a round of
    this stage, "no-such-group", "small-group" if too few are left in theirs, "bracket-begun" in a knock-out that
    has."""
    asked = {"kind": "move", "entrant": entrant, "group": group}
    event, known = events.locked(event_id, asked, step)
    if not known:
        events.append(event, asked, step)


@in_one_transaction
def begin_finals(*, event_id: int, finals: Sequence[Final], setup: Mapping[str, Any], step: Step) -> None:
    """The stage that is played now is over, and the finals begin, played by this setup, unless one has its own. Refused
    "not-begun" before its first round, "round-not-over" while a result is missing or not settled, "no-finals" if nobody
    plays one, and as `group`; BadSetup for a setup that cannot be."""
    how = setups.checked(setup)
    groups = [_with_own(final, how) for final in finals]
    carrying = [entrant for final in finals if final.points_count for entrant in final.group.entrants]
    asked = {"kind": "stage", "finals": _named(groups, MOST_FINALS), "carrying": carrying, "setup": how}
    if not finals:
        raise Refused("no-finals", _("Everybody goes home. Choose at least one final for somebody."))
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    state = tournament_of(snapshot)
    if not state.begun:
        raise Refused("not-begun", events.words_of(Impossible("not-begun")))
    if waiting := tables_not_over(snapshot):
        text = ngettext(
            "Table {tables} is not over, or its result is not settled. The finals follow from all results.",
            "Tables {tables} are not over, or their results are not settled. The finals follow from all results.",
            len(waiting),
        )
        raise Refused("round-not-over", text.format(tables=listed([*map(str, waiting)])))
    _must_be_in_one(snapshot, groups)
    points = points_so_far(snapshot) if carrying else {}
    here = [entrant for group in groups for entrant in group.entrants]
    if not {*here} <= {*state.taking_part}:
        raise Refused("not-entered", events.words_of(Impossible("not-entered")))
    for group in groups:
        fewest = FORMATS[group.own.get("format", how["format"])].sizes[0]
        if few := _too_few([group], state, fewest):
            text = _("Too few entrants in {names}: a table needs {fewest}. Choose more for it, or nobody.")
            raise Refused("small-group", text.format(names=listed(few), fewest=fewest))
    events.append(
        event,
        asked
        | {
            "groups": [replace(each, entrants=seeded(snapshot, each.entrants)).as_json() for each in groups],
            "carried": [[entrant, as_json(points[entrant])] for entrant in carrying if entrant in points],
        },
        step,
    )


@in_one_transaction
def change_way(*, event_id: int, final: int, setup: Mapping[str, Any] | None, step: Step) -> None:
    """The final with this number, from 0, is played by this setup; None: as its stage. The rounds that are drawn for
    all finals, but not released, are given up. Refused "no-such-group", "final-begun" once a round of it is released,
    "small-group", "free-play" and "begun" for what no final has for itself; BadSetup for a setup that cannot be."""
    asked = {"kind": "way", "group": final, "setup": setup and dict(setup)}
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    state = tournament_in(event)
    try:
        state.final_to_begin(final)
    except Impossible as error:
        raise Refused(error.code, events.words_of(error)) from error
    own = _own(setups.checked(setup), state.setup) if setup else {}
    events.append(event, asked | {"own": own}, step)


@in_one_transaction
def draw_lots(*, event_id: int, quota: Quota, equal: Collection[int], rng: random.Random, step: Step) -> None:
    """Lots decide in which order those go on who are `equal` by this quota. Anybody can draw them again: the log has
    their word. Refused "not-begun". Behind if they are not equal now."""
    word = f"{rng.getrandbits(32):08x}"
    asked = {"kind": "advance", "equal": sorted(equal)}
    _decide(event_id, quota, asked, {"entrants": by_lots(word, equal), "lots": word}, step)


@in_one_transaction
def decide(*, event_id: int, quota: Quota, places: Mapping[int, int | None], why: str, step: Step) -> None:
    """The director notes who goes on before whom, of those who are equal by this quota, by a place for each, and `why`:
    mostly the result of a deciding match. Refused "no-reason", "no-place" unless each has another place, and
    "not-begun". Behind if they are not equal now."""
    reason = storable.note(why)
    if not reason:
        raise Refused("no-reason", _("Say how it was decided, like “deciding match 60 : 45”."))
    asked = {"kind": "advance", "equal": sorted(places), "why": reason}
    given = {place: entrant for entrant, place in places.items() if place is not None}
    if len(given) < len(places):
        raise Refused("no-place", _("Type another place for each of those who are equal: 1 for who goes on first."))
    _decide(event_id, quota, asked, {"entrants": [entrant for _place, entrant in sorted(given.items())]}, step)


def _decide(event_id: int, quota: Quota, asked: Mapping[str, Any], found: Mapping[str, Any], step: Step) -> None:
    event, known = events.locked(event_id, asked, step)
    if known:
        return
    snapshot = event_now(event)
    if not tournament_of(snapshot).begun:
        raise Refused("not-begun", events.words_of(Impossible("not-begun")))
    equal = frozenset(asked["equal"])
    if equal not in tournament_of(snapshot).decided and not any(
        equal == {*tie.entrants} for tie in undecided(snapshot, quota)
    ):
        raise Behind(_("The results have changed, and others are equal now. Check them, then try again."))
    events.append(event, {**asked, **found, "entrants": list(found["entrants"])}, step)


def _with_own(final: Final, setup: Mapping[str, Any]) -> Group:
    """The final with what it has for itself. Refused "begun" for what no final can."""
    if final.setup is None:
        return final.group
    return replace(final.group, own=_own(setups.checked(final.setup), setup))


def _own(setup: Mapping[str, Any], of_stage: Mapping[str, Any]) -> dict[str, Any]:
    """What a final played by this setup has for itself. Refused "begun" for what no final can."""
    if any(setup[name] != of_stage[name] for name in setup.keys() - OWN):
        raise Refused("begun", events.words_of(Impossible("begun")))
    return {name: setup[name] for name in OWN if name in setup}


def _one_group() -> Refused:
    return Refused("one-group", _("There are at least 2 groups. To have none, choose “Play without groups”."))


def _too_few(groups: Sequence[Group], state: Tournament, fewest: int) -> list[str]:
    """The names of the groups with fewer than `fewest` who have not left."""
    return [each.name for each in groups if len({*each.entrants} - state.withdrawn) < fewest]


def _must_be_in_one(snapshot: EventNow, groups: Sequence[Group]) -> None:
    """Refused "twice-in-groups" names who is in two of these groups."""
    times = Counter(entrant for group in groups for entrant in group.entrants)
    known = tournament_of(snapshot).entrants
    if twice := [entrant_name(snapshot, each) for each in known if times[each] > 1]:
        text = ngettext(
            "{names} is in two groups. Everybody needs one.",
            "{names} are in two groups. Everybody needs one.",
            len(twice),
        )
        raise Refused("twice-in-groups", text.format(names=listed(twice)))


def _must_not_be_left_out(snapshot: EventNow, groups: Sequence[Group]) -> None:
    """Refused "in-no-group" names who takes part and is in none of these groups, if there are any."""
    grouped = {entrant for group in groups for entrant in group.entrants}
    left_out = [each for each in tournament_of(snapshot).taking_part if each not in grouped]
    if groups and left_out:
        names = some_of([entrant_name(snapshot, each) for each in left_out])
        text = ngettext(
            "{names} is in no group. Everybody needs one.",
            "{names} are in no group. Everybody needs one.",
            len(left_out),
        )
        raise Refused("in-no-group", text.format(names=names))


def _named(groups: Sequence[Group], most: int) -> list[dict[str, Any]]:
    """Refused "too-many"; Malformed for a name that is empty or too long."""
    if len(groups) > most:
        raise Refused("too-many", _("There can be up to {most}. Enter fewer.").format(most=most))
    return [replace(each, name=storable.name(each.name)).as_json() for each in groups]
