"""The page that says what it does that two entrants of a seated round change places, before it is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _

from games import GAMES
from scorekeeper import words
from scorekeeper.events.plan import played
from scorekeeper.models import Event, Match
from scorekeeper.pages import schedule_words
from scorekeeper.pages.tournament_reach import Reach, reach
from scorekeeper.selectors.events import EventNow
from scorekeeper.selectors.series import unfinished
from scorekeeper.selectors.steps import totals_text
from scorekeeper.selectors.swaps import Swap, standings_after
from scorekeeper.selectors.tournaments import entrant_name


@dataclass(frozen=True, kw_only=True)
class ReseatPage:
    tournament: Event
    names: list[str]
    """Of the two."""
    tables: list[str]
    """What happens at each table, in words."""
    changes: list[str]
    """Wishes that are not kept then, and who meets whom how often, in words; in a knock-out, who goes on with a
    series."""
    reach: Reach
    sent: list[tuple[str, str]]
    """The fields of the form that was sent."""


def reseat_page(snapshot: EventNow, swap: Swap, sent: Mapping[str, str]) -> ReseatPage:
    name = partial(entrant_name, snapshot)
    return ReseatPage(
        tournament=snapshot.event,
        names=list(map(name, swap.entrants)),
        tables=[_at_table(swap, match) for match in swap.matches],
        changes=_going_on(snapshot, swap) if swap.in_tree else _changes(swap, name),
        reach=reach(snapshot, standings_after(snapshot, swap), swap.round),
        sent=[(field, text) for field, text in sent.items() if field != "csrfmiddlewaretoken"],
    )


def _changes(swap: Swap, name: Callable[[int], str]) -> list[str]:
    # Wishes are looked at in the rounds that are seated, too.
    fields = [state.field_with(swap.round, swap.entrants[0]) for state in (swap.before, swap.after)]
    before, after = (replace(played(field), seated=0) for field in fields)
    return schedule_words.changes(before, after, name)


def _going_on(snapshot: EventNow, swap: Swap) -> list[str]:
    """The tables at which a series goes on that was not decided in an earlier round."""
    found = []
    for number, pairing in swap.drawn.items():
        if series := unfinished(swap.after, swap.round, pairing, snapshot.matches_at):
            text = _("Table {n}: they go on with their series at {score}: match {match}.")
            score = " : ".join(map(words.number, replace(series, pairing=pairing).wins))
            found.append(text.format(n=number, score=score, match=series.number_of_next))
    return found


def _at_table(swap: Swap, match: Match) -> str:
    number = match.table.number if match.table else ""
    if match in swap.again:
        text = _("Table {n}: what is played there ({totals}) no longer counts, and they play again.")
        return text.format(n=number, totals=_totals(match))
    if match in swap.begun:
        return _("Table {n}: hands and points stay, the names change.").format(n=number)
    if match in swap.named:
        return _("Table {n}: nothing is entered, the people change.").format(n=number)
    return _("Table {n}: nothing changes.").format(n=number)


def _totals(match: Match) -> str:
    totals = match.sheet["totals"]
    return totals_text([totals[side[0]] for side in GAMES[match.game].sides(len(totals))])
