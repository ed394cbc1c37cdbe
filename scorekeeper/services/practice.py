"""Writes what a visitor has at the practice table to their session."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.utils.translation import gettext as _

from games import GameError, read
from scorekeeper.practice.contest import YOU, Setting, written
from scorekeeper.practice.saved import imported, table_json
from scorekeeper.practice.table import PracticeTable
from scorekeeper.practice.themes import Theme
from scorekeeper.selectors.practice import KEY, table_of
from scorekeeper.services.errors import Refused
from scorekeeper.words import in_words

LARGEST = 400_000
"""Characters that the session of a visitor may take. A game of forty hands takes about thirty thousand."""
Step = Callable[[PracticeTable], PracticeTable]


def change(session: SessionBase, seen: int, step: Step) -> PracticeTable:
    """Makes one step. Refused (``stale``) if the page shows an older step than the newest, or if there is too much to
    keep (``too-large``); GameError if the step cannot be made. Nothing is changed then."""
    table = table_of(session)
    if seen != table.step:
        raise Refused("stale", _("This page was old: the table has changed since. Here it is now."))
    after = step(table)
    value = table_json(after, written)
    if len(json.dumps(value)) > LARGEST:
        raise Refused("too-large", _("This is too much to keep. Remove a preserved game first."))
    session[KEY] = value
    return after


def new_game(session: SessionBase, seen: int, setting: Setting, rng: Random) -> PracticeTable:
    return change(session, seen, lambda table: table.new_game(setting, players(setting.seats), rng))


def players(seats: int) -> list[str]:
    """The names in the seats."""
    others = [_("Nestor {n}").format(n=n) for n in range(2, seats)]
    return [_("You"), "Nestor", *others]


def enter(session: SessionBase, seen: int, entry: Mapping[str, Any], rng: Random) -> PracticeTable:
    """Enters a move, or the undo of the last step."""
    kind = read.one_of(read.mapping(entry).get("kind"), ("move", "undo"))
    if kind == "undo":
        return change(session, seen, PracticeTable.undone)
    return change(session, seen, lambda table: table.entered(entry.get("move"), rng))


def exchange(session: SessionBase, seen: int, away: Sequence[str], rng: Random) -> PracticeTable:
    """Puts these tiles out of play, and draws as many."""
    move = {"seat": YOU, "type": "discard", "count": len(away), "tiles": [*away]}
    return change(session, seen, lambda table: table.entered(move, rng))


def oblige(session: SessionBase, seen: int, rng: Random) -> PracticeTable:
    """What Nestor must do without a choice, or the deal of the next hand."""
    return change(session, seen, lambda table: table.obliged(rng))


def answer(session: SessionBase, seen: int, move: Mapping[str, Any], rng: Random) -> PracticeTable:
    """Nestor's move."""
    return change(session, seen, lambda table: table.answered(move, rng))


def use(session: SessionBase, seen: int, source: bytes) -> PracticeTable:
    """Replaces everything by what is in a file of the practice table. Refused (``unreadable``) if it cannot be read or
    has a game that cannot have been played."""
    try:
        return change(session, seen, lambda table: imported(read.json_value(source), table.step))
    except GameError as error:
        why = f"{error.field}: {in_words(error)}" if error.field else in_words(error)
        raise Refused("unreadable", _("This file cannot be used. {why}").format(why=why)) from error


def save_theme(session: SessionBase, seen: int, number: int, theme: Theme) -> PracticeTable:
    return change(session, seen, lambda table: table.with_themes(table.themes.saved(number, theme)))


MENU: Mapping[str, Callable[[PracticeTable, str], PracticeTable]] = {
    "clear": lambda table, _what: table.cleared(),
    "show": lambda table, what: table.looking(what),
    "hide": lambda table, _what: table.hidden(),
    "preserve": lambda table, what: table.preserve(what),
    "restore": lambda table, what: table.restore(what),
    "remove": lambda table, what: table.forget(what),
    "reset": lambda table, _what: table.with_themes(table.themes.reset()),
}
"""What the menu can do, by the name of its button, with what is chosen there."""
